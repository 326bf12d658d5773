#!/usr/bin/env python3
"""run_options.py NONHOLO [--few]: what `run` writes, and when: rows, columns, events, many starts, files. --few: for slow builds."""
import csv
import io
import itertools
import math
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
import zipfile

from systems import (BALL, BOB, CAR, DISC, DOUBLE, INCLINE, OSCILLATOR, PENDULUM, POINTS, SPEED, TURNING, TURNTABLE, Program, apart, chain,
                     incline, judge, quarter, turntable)

SKATE = INCLINE + """observe speed = sqrt(x'^2 + y'^2), side = reaction(x), pull = multiplier(blade)
observe E = kinetic + potential
"""
FORCE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = %s, y = -y\ninitial x = 0.4, y = 0.3, x' = 0.2, y' = 0.1\n"
# they keep x between -1 and 3 or so
FORCES = ('sin(x*y) + cos(x)^2 - tan(x/3)', 'asin(x/5) - acos(y/5) + atan(x*y) - 2*(x - 1)', 'atan2(y, x + 3)',
          'sinh(x/2) - cosh(y)*tanh(x)', 'exp(-x) - log(x + 5) - sqrt(y + 3)', '1.5 - (x + 4)^(1/3)', '(y + 2)^-2 - x^3', '-abs(x)*x',
          '-sign(x) + y', 'min(x, y) - x', 'max(-x, -2*x)', '-(x + 4)^(3/2) + 8', '(x + 4)^y - 2', 'cos(t)*x/(1 + y^2)')


def close(a, b, error=1e-10):
    return len(a) == len(b) and all(abs(x - y) <= error * max(1, abs(y)) for x, y in zip(a, b))


# ---------------------------------------------------------------- rows and columns

def rows(program, few):
    cases = [  # options, times
        (['--to', 3, '--every', 1], [0, 1, 2, 3]),
        (['--to', 2.5, '--every', 1], [0, 1, 2, 2.5]),
        (['--to', '3/2*pi', '--every', 'pi/2'], [0, math.pi / 2, math.pi, 1.5 * math.pi]),
        (['--at', '2^(1/2), pi/3,1e-1'], [0.1, math.pi / 3, math.sqrt(2)]),
        (['--to', -2.5, '--every', 1], [0, -1, -2, -2.5]),
        (['--to', 1, '--start', 't=3', '--every', 0.5], [3, 2.5, 2, 1.5, 1]),
        (['--to', 3, '--start', 't=-3', '--every', 2], [-3, -1, 1, 3]),
        (['--to', 0.25, '--every', 1], [0, 0.25]),
        (['--at', '2,0.5,1'], [0.5, 1, 2]),
        (['--at', '2,0.5,1', '--to', 4], [0.5, 1, 2]),
        (['--at', '0,2,1', '--to', 2], [0, 1, 2]),
        (['--at=-1,-3,-2'], [-1, -2, -3]),
        (['--at', '1,2', '--start', 't=4'], [2, 1]),
        (['--at', '1,2,3.5', '--start', 't=4', '--to', 0], [3.5, 2, 1]),
        ([], [k / 10 for k in range(101)]),
        (['--to', 7], [7 * k / 100 for k in range(101)]),
        (['--to', -7], [-7 * k / 100 for k in range(101)]),
    ]
    for (options, times), solver in itertools.product(cases, ('taylor', 'rk', 'cvode')):
        answer = program(OSCILLATOR, '--solver', solver, *options)
        found = answer.column('t')
        ends = found and found[-1] == times[-1] and (found[0] == times[0])
        start = next((int(option[2:]) for option in options if str(option).startswith('t=')), 0)
        right = all(abs(row['x'] - math.cos(row['t'] - start)) < (1e-7 if solver == 'cvode' else 1e-11) for row in answer.rows)
        yield answer.status == 0 and ends and close(found, times, 1e-15) and right, f'{options}, {solver}: {found[:5]}...\n{answer.told}'
    for options in (['--every', '0'], ['--every=-1'], ['--tol', '1'], ['--at', '1,,2'], ['--at', 'x'], ['--to', 'nan'],
                    ['--solver', 'euler'], ['--precision', 'half'], ['--event', 'x +'], ['--until', 'nothing'], ['--threads', '0'],
                    ['--at', '']):
        answer = program(OSCILLATOR, *options)
        yield answer.status == 2 and answer.text == '' and answer.told.strip(), f'{options}: {answer.status}'


def columns(program, few):
    plain = ['t', 'x', 'y', 'theta', "x'", "y'", "theta'", 'v', 'w', 'speed', 'side', 'pull', 'E']
    for method in ('first', 'second'):
        answer = program(SKATE, '--method', method, '--to', 4)
        yield answer.names == plain, f'{method}: {answer.names}'
    answer = program(SKATE, '--to', 4, '--reactions')
    yield answer.names == plain + ['R_x', 'R_y', 'R_theta', 'lambda_1'], f'reactions: {answer.names}'
    # m (v' cos - v w sin) = R_x, m (v' sin + v w cos) = m k + R_y, v' = k sin(theta): R = m (v w - k cos(theta)) (-sin, cos)
    worst = 0
    for row in answer.rows:
        known = incline(row['t'])
        side = 2 * (known['v'] * known['w'] - 9.81 * 0.6 * math.cos(known['theta']))
        wanted = {'R_x': -side * math.sin(known['theta']), 'R_y': side * math.cos(known['theta']), 'R_theta': 0, 'lambda_1': -side,
                  'side': -side * math.sin(known['theta']), 'pull': -side, 'speed': abs(known['v']),
                  'E': known['v'] ** 2 + 1.21 / 4 - 2 * 9.81 * 0.6 * known['y']}
        worst = max(worst, *(abs(row[name] - value) for name, value in wanted.items()))
    yield worst < 1e-11, f'reactions: off by {worst:.2g}'
    answer = program(SKATE, '--to', 1, '--reactions', '--certify', '--event', 'y = -1.9')
    yield answer.names[-2:] == ['event', 'digits'], f'event, digits: {answer.names}'
    # two constraints: the two forces at the ball's contact; m x'' = R_x
    answer = program(TURNTABLE, '--to', 3, '--reactions')
    worst = 0
    for row in answer.rows:
        known, rate = turntable(row['t']), 4 / 7
        worst = max(worst, abs(row['R_x'] + 3 * rate * known["y'"]), abs(row['R_y'] - 3 * rate * known["x'"]), abs(row['R_c']),
                    abs(row['lambda_1'] - row['R_x']), abs(row['lambda_2'] - row['R_y']))
    yield answer.names[-7:] == ['R_x', 'R_y', 'R_a', 'R_b', 'R_c', 'lambda_1', 'lambda_2'] and worst < 1e-11, f'ball: {worst:.2g}'
    # where there is one method, both cannot be compared, and that is told
    for model, kind in (("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^5 + x' + y'^3 = 1 + y'\n", 'second'),
                        ("coordinates x, y\nkinetic 1/2*x'^2\nconstraint y' = x'\n", 'first')):
        alone = program(model, '--method', 'both', '--to', 1, '--project')
        yield kind + ' kind' in alone.told and 'the two methods were not compared: ' in alone.told, f'{kind} alone: {alone.told}'
    # numbers are the shortest that read back to the same: as many digits as Python writes
    cells = [cell for line in answer.text.split('\n')[1:] for cell in line.split(',') if cell]
    longer = [cell for cell in cells if digits(cell) != digits(repr(float(cell)))]
    yield len(cells) > 1000 and not longer, f'not the shortest: {longer[:3]}'
    # an equation that was dropped has no multiplier, the other one -1/2: x'' = 1 + lambda = y'' = -lambda
    dropped = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1\nconstraint a: x' = y'\nconstraint b: 2*x' = 2*y'\n"
                     "observe a1 = multiplier(a), b1 = multiplier(b)\n", '--to', 1, '--every', 1)
    yield [(row['a1'], row['b1']) for row in dropped.rows] == [(-0.5, 0), (-0.5, 0)], f'dropped: {dropped.text}{dropped.told}'


def digits(number):
    """Those of a number, without zeros around them."""
    return number.split('e')[0].lstrip('-').replace('.', '').strip('0')


# ---------------------------------------------------------------- events

def pendulum_times(count):
    """q = 0 at the odd quarters of the period."""
    k = math.sin(0.75)
    part = quarter(k) / math.sqrt(9.81 / 2)
    return [(2 * i + 1) * part for i in range(count)]


def events(program, few):
    for solver, error in (('taylor', 1e-11), ('rk', 1e-10), ('cvode', 1e-6)):
        answer = program(PENDULUM, '--to', 6, '--every', 6, '--event', 'q', '--solver', solver)
        found = [row for row in answer.rows if row['event']]
        wanted = [t for t in pendulum_times(20) if t < 6]
        yield answer.status == 0 and close([row['t'] for row in found], wanted, error) and \
            [row['event'] for row in found] == [(-1) ** (i + 1) for i in range(len(wanted))] and \
            answer.rows[0]['event'] == answer.rows[-1]['event'] == 0 and answer.rows[-1]['t'] == 6, f'q = 0, {solver}: {found}'
        # several: x = 1/2, x' = 0 (which is so at the start), y of nothing; sorted by time
        answer = program(OSCILLATOR, '--to', 7, '--every', 7, '--event', 'x = 1/2', '--event', "x'", '--event', 'x - 3', '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        wanted = [(math.pi / 3, -1), (math.pi, 2), (5 * math.pi / 3, 1), (2 * math.pi, -2)]
        yield close([t for t, _ in found], [t for t, _ in wanted], error) and [e for _, e in found] == [e for _, e in wanted], \
            f'several, {solver}: {found}'
        # the end
        answer = program(OSCILLATOR, '--to', 50, '--every', 0.5, '--until', 'x = -1/2', '--event', 'x', '--solver', solver)
        last = answer.rows[-1]
        yield answer.status == 0 and abs(last['t'] - 2 * math.pi / 3) < error and last['event'] == -1 and len(answer.rows) == 7 and \
            [row['event'] for row in answer.rows if row['event']] == [-2, -1] and abs(last['x'] + 0.5) < error, \
            f'until, {solver}: {answer.rows}'
        # backwards: the sign is that of the change along the run
        answer = program(OSCILLATOR, '--to', -7, '--every', 7, '--event', 'x', '--until', "x' - x = 1.25", '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield answer.status == 0 and abs(found[0][0] + math.pi / 2) < error and found[0][1] == -2, f'backwards, {solver}: {found}'
        # -sin t - cos t = 5/4, sqrt(2) cos(t - pi/4) = -5/4: t = pi/4 -+ acos(-5/(4 sqrt 2))
        end = math.pi / 4 - math.acos(-1.25 / math.sqrt(2))
        yield abs(answer.rows[-1]['t'] - end) < error and answer.rows[-1]['event'] == 1, f'backwards to {end}, {solver}: {answer.rows[-1]}'
    # the skate: theta = pi at (pi - 0.4)/1.1; it has v = 0 where cos(theta) = cos(0.4) + v0 w/k
    answer = program(INCLINE, '--to', 20, '--every', 20, '--event', 'theta = pi', '--event', 'v')
    k = 9.81 * 0.6
    turn = math.acos(min(1, math.cos(0.4) + 0.7 * 1.1 / k)) if math.cos(0.4) + 0.77 / k < 1 else None
    yield close([row['t'] for row in answer.rows if abs(row['event']) == 1], [(math.pi - 0.4) / 1.1], 1e-12), 'theta = pi'
    yield (turn is None) == all(abs(row['event']) != 2 for row in answer.rows), 'v = 0'
    # events of time alone end up where they are, whatever the steps
    answer = program(PENDULUM, '--to', 10, '--every', 10, '--event', 'sin(3*t)')
    yield close([row['t'] for row in answer.rows if row['event']], [i * math.pi / 3 for i in range(1, 10)], 1e-12), 'sin(3 t)'


def pairs(program, few):
    """Two crossings close together: cos(t - c) = 1 - d at c -+ acos(1 - d)."""
    for depth, c in itertools.product(('1e-3', '1e-5', '1e-7'), (1, 2.7, 4, 5.3)):
        answer = program(OSCILLATOR, '--to', 6, '--every', 6, '--event', f'cos(t - {c}) - 1 + {depth}')
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        apart_by = 2 * math.asin(math.sqrt(float(depth) / 2))
        times, error = [c - apart_by, c + apart_by], 1e-11 / float(depth) ** 0.5
        yield [e for _, e in found] == [1, -1] and close([t for t, _ in found], times, error), f'{depth} at {c}: {found}'
    # x = cos t: one touch where it turns round at 0, from above or from below, whether rounding leads beyond it or not
    for condition, wanted in (('1 + x', [(math.pi, 1)]), ('x^2', [(math.pi / 2, 1), (3 * math.pi / 2, 1)]), ('-(t - 3)^2', [(3, -1)]),
                              ('x^2*(2 - x)', [(math.pi / 2, 1), (3 * math.pi / 2, 1)])):
        for solver in ('taylor', 'rk'):
            answer = program(OSCILLATOR, '--to', 6, '--every', 6, f'--event={condition}', '--solver', solver)
            found = [(row['t'], row['event']) for row in answer.rows if row['event']]
            yield [e for _, e in found] == [e for _, e in wanted] and close([t for t, _ in found], [t for t, _ in wanted], 1e-6), \
                f'a touch of {condition}, {solver}: {found}'
    answer = program(OSCILLATOR, '--to', 6, '--until', 'x = -1')
    yield abs(answer.rows[-1]['t'] - math.pi) < 1e-6, f'until a touch: {answer.rows[-1]}'
    answer = program(OSCILLATOR, '--to', 6, '--section', 'x^2')
    yield answer.status == 0 and not answer.rows, f'a section is passed through: {answer.rows}'
    # none where it only comes near
    answer = program(OSCILLATOR, '--to', 6, '--every', 6, '--event', 'cos(t - 3) - 1 - 1e-7')
    yield answer.status == 0 and len(answer.rows) == 2, f'near: {answer.rows}'


FREE = "coordinates x\nkinetic 1/2*x'^2\ninitial x = 1, x' = 1\n"


def multiple(program, few):
    """Zeros of odd multiplicity are passed through, those of even multiplicity touched: x = 0.9 cos t + 0.3 sin t is 0 at pi - atan 3 + i pi."""
    times = [math.pi - math.atan(3) + i * math.pi for i in range(6)]
    for power, solver in itertools.product((3, 5, 7, 9), ('taylor', 'rk')):
        answer = program(OSCILLATOR, '--start', "x=0.9,x'=0.3", '--to', 20, '--every', 20, '--event', f'x^{power}', '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield [e for _, e in found] == [-1, 1] * 3 and close([t for t, _ in found], times, 1e-10), f'x^{power}, {solver}: {found}'
    answer = program(OSCILLATOR, '--start', "x=0.9,x'=0.3", '--to', 20, '--every', 20, '--until', 'x^7')
    yield abs(answer.rows[-1]['t'] - times[0]) < 1e-12, f'until x^7: {answer.rows[-1]}'
    # x = 1 + t
    table = [('(x - 3)^31', [(2, 1)], 1e-10), ('(x - 3)^3*(x - 4)^2', [(2, 1), (3, 1)], 1e-6), ('(x - 3)^4', [(2, 1)], 1e-6),
             ('1 - cos((x - 3)^2)', [(2, 1), (2 + math.sqrt(2 * math.pi), 1), (2 + math.sqrt(4 * math.pi), 1)], 1e-6), ('x^3 - 9*x^2 + 27*x - 27', [(2, 1)], 1e-4),
             ('x^4 - 12*x^3 + 54*x^2 - 108*x + 81', [(2, 1)], 1e-3), ('sin(x)^2 + cos(x)^2 - 1', [], 0), ('(x - 3)^2 + 1e-9', [], 0)]
    for condition, wanted, error in table:
        answer = program(FREE, '--to', 6, '--every', 6, '--event', condition)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield [e for _, e in found] == [e for _, e in wanted] and close([t for t, _ in found], [t for t, _ in wanted], error) and \
            'faster' not in answer.told, f'{condition}: {found}\n{answer.told}'


def narrow(program, few):
    """x = 1 + t in one step: zeros that are a small part of it apart, also where a slope hides them; widths by hand."""
    half = math.sqrt(math.log(2) / 1000)
    table = [('1/(1 + 1000*(x - pi)^2) - 0.5', math.pi, math.sqrt(1 / 1000), 1), ('exp(-1000*(x - pi)^2) - 0.5', math.pi, half, 1),
             ('norm((x - pi, 3e-5)) - 6e-5', math.pi, math.sqrt(27e-10), -1), ('exp(-1e7*(x - pi)^2) - 0.5', math.pi, half / 100, 1),
             ('exp(-1000*(x - 9.9)^2) - 0.5', 9.9, half, 1), ('0.5 - 1/cosh(x - pi)^4000', math.pi, math.acosh(2 ** (1 / 4000)), -1),
             ('(x - pi)^2 - 1e-16', math.pi, 1e-8, -1), ('abs(x - pi) - 1e-5', math.pi, 1e-5, -1)]
    for condition, middle, width, sign in table:
        answer = program(FREE, '--to', 10, '--every', 10, '--event', condition)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield [e for _, e in found] == [sign, -sign] and close([t for t, _ in found], [middle - width - 1, middle + width - 1], 1e-12), \
            f'{condition}: {found}'
    # between 0.1 (x - 5) = 0 at x = 5 and the peak: 0.1 (x - 5) + 0.3 exp(-1000 (x - pi)^2) has two more zeros, on both sides of pi
    answer = program(FREE, '--to', 10, '--every', 10, '--event', '0.1*(x - 5) + 0.3*exp(-1000*(x - pi)^2)')
    found = [(row['t'] + 1, row['event']) for row in answer.rows if row['event']]
    yield [e for _, e in found] == [1, -1, 1] and abs(found[2][0] - 5) < 1e-14 and found[0][0] < math.pi < found[1][0] and \
        all(abs(0.1 * (x - 5) + 0.3 * math.exp(-1000 * (x - math.pi) ** 2)) < 1e-13 for x, _ in found), f'beside a slope: {found}'


def poles(program, few):
    """x = 1 + t. At a pole the sign changes, and nothing passes through 0; by a jump it does."""
    table = [('1/(x - 3)', []), ('1/(x - 3)^3', []), ('1/sin(x)', []), ('tan(x)', [(math.pi - 1, 1), (2 * math.pi - 1, 1)]),
             ('1/(x - 3) + x - 3', []), ('1/(x - 3) - 1', [(3, -1)]), ('sign(x - 3)', [(2, 1)]), ('(4 - abs(x - 3))*sign(3 - x)', [(2, -1), (6, 1)]),
             ('max(x - 3, 0) - min(3 - x, 0) - sign(3 - x)/2', [(2, 1)]), ('(x - 3)^2/(x - 3)', [(2, 1)])]
    for condition, wanted in table:
        answer = program(FREE, '--to', 6, '--every', 6, '--event', condition)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield answer.status == 0 and [e for _, e in found] == [e for _, e in wanted] and \
            close([t for t, _ in found], [t for t, _ in wanted], 1e-14), f'{condition}: {found}'
    answer = program(FREE, '--to', 6, '--every', 6, '--until', '1/(x - 3)')
    yield answer.status == 0 and answer.rows[-1]['t'] == 6 and '1/(x - 3): not met' in answer.told, f'until a pole: {answer.told}'
    # x = t, in one step from 0 to 10: poles on places where it is cut, infinite there or of any size
    start = ['--start', "x=0,x'=1", '--to', 10, '--every', 10]
    for (condition, wanted), solver in itertools.product(
            (('1/(x - 5)', []), ('1/(x - 1.25)', []), ('x/(x - 5)', []), ('1/sin(x - 5)', []), ('1/(x^2 - 25)', []), ('2 + 1/(x - 5)', [(4.5, -1)]), ('1/(x - 10)', []),
             ('tan(x - 5 + pi/2)', [(5 + (k - 1 / 2) * math.pi, 1) for k in (-1, 0, 1, 2)]), ('sign(x - 5)', [(5, 1)]), ('sqrt(x - 5)', [])), ('taylor', 'rk')):
        answer = program(FREE, *start, '--event', condition, '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield answer.status == 0 and [e for _, e in found] == [e for _, e in wanted] and close([t for t, _ in found], [t for t, _ in wanted], 1e-13) and \
            'faster' not in answer.told, f'{condition}, {solver}: {found}\n{answer.told}'
    answer = program(FREE, *start, '--until', '1/(x - 5)')
    yield answer.status == 0 and answer.rows[-1]['t'] == 10 and 'not met' in answer.told, f'until a pole on a cut: {answer.told}'
    # (t + 3/2)^2 = 2; the condition has no value at -1/6, where the secant from -1/2 to 1/2 is 0
    answer = program(FREE, '--start', 't=-3.5', '--to', 4.5, '--every', 8, '--event', '((t + 3/2)^2 - 2)*(1 + sqrt((t + 1/6)^2 - 1e-4)/1e6)')
    found = [row['t'] for row in answer.rows if row['event']]
    yield close(found, [-1.5 - math.sqrt(2), math.sqrt(2) - 1.5], 1e-14), f'a gap beside: {found}'


def swings(program, few):
    """Zeros of sin(k x) for x from 1 to 7: floor(7 k/pi) - floor(k/pi). What is too fast is told."""
    for k in (200, 2000) if few else (200, 2000, 20000):
        answer = program(FREE, '--to', 6, '--every', 6, '--event', f'sin({k}*x)')
        wanted = [i * math.pi / k - 1 for i in range(int(k / math.pi) + 1, int(7 * k / math.pi) + 1)]
        yield answer.status == 0 and close([row['t'] for row in answer.rows if row['event']], wanted, 1e-14) and \
            'faster' not in answer.told, f'sin({k} x): {len(answer.rows) - 2} rows, {len(wanted)} zeros'
    answer = program(FREE, '--to', 6, '--every', 6, '--event', 'sin(1/(x - 3))')
    yield answer.status == 0 and 'faster than can be followed' in answer.told, f'sin(1/x): {answer.told}'
    # corners, jumps and poles alone are followed
    answer = program(FREE, '--to', 6, '--every', 6, '--event', 'abs(x - 3)', '--event', 'sign(x - 4)', '--event', '1/(x - 5)')
    yield 'faster' not in answer.told and [row['event'] for row in answer.rows] == [0, 1, 2, 0], f'corners: {answer.told}'


def sharp_touches(program, few):
    """x = 1 + t: what comes to 0 in a corner turns round there, as |x - 3| at t = 2, and what stays 0 is told where that begins."""
    table = [('abs(x - 3)', [(2, 1)]), ('sqrt((x - 3)^2)', [(2, 1)]), ('norm((x - 3, 2*x - 6))', [(2, 1)]), ('-abs(x - 3)', [(2, -1)]),
             ('abs(x - 3)*(x - 5)', [(2, -1), (4, 1)]), ('sqrt(abs(x - 3))', [(2, 1)]), ('abs(x - pi)', [(math.pi - 1, 1)]),
             ('abs(x - 3) + 1e-9', []), ('abs(sign(x - 3))', []), ('max(3 - x, 0)', [(2, 1)]), ('max(x - 3, 0)', []), ('min(x - 3, 0)', [(2, -1)]),
             ('max(3 - x, 0) + max(x - 5, 0)', [(2, 1)]), ('max(3 - x, 0) - max(x - 5, 0)', [(2, 1)]), ('max(3 - x, 0)^2', [(2, 1)]),
             ('max(3 - x, 0) + max(x - 3 - 1e-7, 0)', [(2, 1)]), ('abs(x - 3) - x + 3', [(2, 1)]), ('exp(-1000*(x - 4)^2)', []),
             ('(x - 3)^101', [(2, 1)]), ('1/(1 + exp(1000*(x - 3)))', [])]
    for (condition, wanted), solver in itertools.product(table, ('taylor', 'rk', 'cvode')):
        answer = program(FREE, '--to', 6, '--every', 6, f'--event={condition}', '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield answer.status == 0 and [e for _, e in found] == [e for _, e in wanted] and \
            close([t for t, _ in found], [t for t, _ in wanted], 1e-12), f'{condition}, {solver}: {found}'
        if wanted:
            answer = program(FREE, '--to', 6, '--every', 6, f'--until={condition}', '--solver', solver)
            yield answer.status == 0 and abs(answer.rows[-1]['t'] - wanted[0][0]) < 1e-12, f'until {condition}, {solver}: {answer.rows[-1]}'
    # x = sin t: max(x, 0) comes to 0 at pi, 3 pi, ..., backwards at -2 pi, -4 pi, ...; |x| at every k pi; under a force with a corner there, too
    for force, solver in itertools.product(('-x', '-abs(x)*sign(x)'), ('taylor', 'rk')):
        model = f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force}\ninitial x' = 1\n"
        for to, condition, times in ((20, 'max(x, 0)', (1, 3, 5)), (-20, 'max(x, 0)', (-2, -4, -6)), (20, 'abs(x)', range(1, 7))):
            answer = program(model, '--to', to, '--every', 20, '--event', condition, '--solver', solver)
            found = [(row['t'], row['event']) for row in answer.rows if row['event']]
            yield [e for _, e in found] == [1] * len(times) and close([t for t, _ in found], [k * math.pi for k in times], 1e-11), \
                f'{condition} to {to} under {force}, {solver}: {found}'
    # x = cos t is below -c only from (2 k + 1) pi - a to (2 k + 1) pi + a, a = arccos c: by hand, where the zeros behind that begin
    hand = {'0.99': (3.283132127, 9.566317434, 15.849502741), '0.999999': (3.143006867, 9.426192174, 15.709377482, 21.992562789, 28.275748096),
            '0.99999999': (3.141734075, 9.424919382, 15.708104689)}
    for (c, times), (form, sign), solver in itertools.product(
            hand.items(), (('max(-x - %s, 0)', 1), ('max(0, -x - %s)', 1), ('min(x + %s, 0)', -1), ('-max(-x - %s, 0)', -1)), ('taylor', 'rk')):
        answer = program(OSCILLATOR, '--to', 30 if len(times) == 5 else 18, '--every', 100, f'--event={form % c}', '--solver', solver)
        found = [(row['t'], row['event']) for row in answer.rows if row['event']]
        yield [e for _, e in found] == [sign] * len(times) and close([t for t, _ in found], times, 1e-9), f'{form % c}, {solver}: {found}'
    # neither is passed through
    for condition in ('abs(x - 3)', 'max(3 - x, 0)'):
        answer = program(FREE, '--to', 6, f'--section={condition}')
        yield answer.status == 0 and not answer.rows, f'a section of {condition}: {answer.rows}'


def ends(program, few):
    """x = 1 + t: what is 0 at the very end of the run is told there, once; what is so at the start is not."""
    for solver in ('taylor', 'rk', 'cvode'):
        for condition, to, wanted in (('x - 6', 5, [1]), ('6 - x', 5, [-1]), ('(x - 6)^3', 5, [1]), ('(x - 6)^2', 5, [1]), ('-abs(x - 6)', 5, [-1]),
                                      ('x + 4', -5, [-1]), ('x - 1', 5, []), ('x - 7', 5, []), ('exp(-20*x)', 5, [])):
            answer = program(FREE, '--to', to, '--every', 2.5, f'--event={condition}', '--solver', solver)
            found = [row['event'] for row in answer.rows if row['event']]
            yield found == wanted and [row['t'] for row in answer.rows if not row['event']] == [0, to / 2, to] and \
                all(row['t'] == to for row in answer.rows if row['event']), f'{condition} at the end, {solver}: {answer.rows}'
        answer = program(FREE, '--to', 5, '--every', 5, '--until', 'x - 6', '--solver', solver)
        yield answer.status == 0 and 'ended by x - 6' in answer.told and answer.rows[-1]['event'] == 1, f'until the end, {solver}: {answer.told}'
    answer = program(FREE, '--to', 6, '--every', 3, '--event', 'x - 4')
    yield [(row['t'], row['event']) for row in answer.rows] == [(0, 0), (3, 0), (3, 1), (6, 0)], f'at a row: {answer.rows}'


def rests(program, few):
    """Dry friction holds a body for good: by hand, v = 2 - 3 t ends at 2/3, and m x'' = -k x -+ mu m g after two half periods. That is told once, by each solver."""
    slides = "coordinates x\nkinetic 1/2*x'^2\nforce x = -3*sign(x')\ninitial x' = 2\n"
    swings = "coordinates x\nkinetic x'^2\npotential 5/2*x^2\nforce x = -0.6*9.81*sign(x')\ninitial x = 5\n"
    half = math.pi * math.sqrt(2 / 5)
    for (model, times), (solver, tolerance, error) in itertools.product(
            ((slides, [2 / 3]), (swings, [half, 2 * half])),
            (('taylor', 1e-12, 1e-11), ('rk', 1e-12, 1e-11), ('rk', 1e-9, 1e-11), ('rk', 1e-6, 1e-9), ('cvode', 1e-12, 1e-8), ('cvode', 1e-8, 1e-6))):
        options = ('--to', 6, '--every', 100, '--solver', solver, '--tol', tolerance)
        answer = program(model, *options, '--event', "x'", '--event', "3*x'", '--event', '0*x')
        for number in (1, 2):
            found = [row['t'] for row in answer.rows if abs(row['event']) == number]
            yield close(found, times, error), f'rest, {number}, {solver}, {tolerance}: {found}'
        # a velocity that becomes 0 to the last bit stays so, which no step of CVODE meets
        yield solver != 'cvode' or (answer.status == 1 and 'stays on a corner of the forces' in answer.told), f'held, {solver}, {tolerance}: {answer.told}'
        yield not any(abs(row['event']) == 3 for row in answer.rows), f'what is always 0, {solver}: {answer.rows}'
        yield 'intricate' not in answer.told, f'rest, {solver}: {answer.told}'
        answer = program(model, *options, '--until', f"x' + 100*max(0, {times[-1] - 0.01} - t)")
        yield abs(answer.rows[-1]['t'] - times[-1]) < error, f'until rest, {solver}, {tolerance}: {answer.rows[-1]}'
    # x is brought to |x| < F/k = 0.13 in eight half periods, each of which takes 2 F/k of it
    oscillator = "coordinates x\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = -0.13*sign(x')\ninitial x = 2\n"
    for solver in ('taylor', 'rk', 'cvode'):
        answer = program(oscillator, '--to', 100, '--every', 200, '--event', "x'", '--solver', solver)
        found = [row['t'] for row in answer.rows if row['event']]
        yield close(found, [k * math.pi for k in range(1, 9)], 1e-7) and abs(answer.rows[-1]['x'] + 0.08) < 1e-7 and 'stays on a corner' in answer.told, \
            f'eight halves, {solver}: {found} {answer.told}'
    # the amplitude falls to 1e-11 of the first one, each zero is a corner of the force, and all are told: x = exp(-t) cos(20 t)
    damped = "coordinates x\nkinetic 1/2*x'^2\nforce x = -2*x' - 400*x - max(x, 0) - min(x, 0)\ninitial x = 1, x' = -1\n"
    for solver, error in (('taylor', 1e-9), ('rk', 1e-2)):  # of Runge-Kutta, 1e-12 of the first amplitude is something beside 1e-11
        answer = program(damped, '--to', 25, '--every', 100, '--event', 'x', '--solver', solver)
        found = [row['t'] for row in answer.rows if row['event']]
        yield close(found, [(k + 0.5) * math.pi / 20 for k in range(len(found))], error) and len(found) == 159, f'damped, {solver}: {len(found)}'


def once(program, few):
    """The head of the rows is written once, also where the motion goes on in other velocities before the first of them."""
    model = "coordinates x, y, z\nkinetic 1/2*(x'^2+y'^2+2*z'^2)\npotential 2*9.81*z\nconstraint s: x'^2+y'^2+z'^2 = (1+t/2)^2\ninitial x' = 0.6, z' = 0.8\n"
    answer = program(model, '--at', 4, '--method', 'both')
    yield answer.status == 0 and answer.text.count('t,x,y,z') == 1 and len(answer.rows) == 1, f'head: {answer.text}'


def summaries(program, few):
    """What did not happen is told."""
    answer = program(FREE, '--to', 6, '--until', 'x = 100', '--until', 'x = 200')
    yield answer.status == 0 and 'x = 100: not met\n' in answer.told and 'x = 200: not met\n' in answer.told, f'until: {answer.told}'
    answer = program(FREE, '--to', 6, '--until', 'x = 100', '--until', 'x = 2')
    yield 'not met' not in answer.told and 'ended by x = 2' in answer.told, f'until, of two: {answer.told}'
    answer = program("coordinates x, y\nkinetic 1/2*x'^2 + 1/2*(20 - x^2)*y'^2\ninitial x = 5\n", '--to', 1)
    yield answer.status == 2 and answer.text == '' and 'g has the eigenvalue -5 at x = 5' in answer.told, f'indefinite: {answer.told}'
    answer = program(PENDULUM, '--to', 1e9, '--every', 1e8, '--max-seconds', 1)
    yield answer.status == 1 and answer.told.endswith('the time was over\n'), f'time: {answer.told}'


# ---------------------------------------------------------------- many starts

def starts(program, few):
    with tempfile.TemporaryDirectory() as folder:
        yield from started(program, folder)
        yield from at_other_times(program, folder)
        yield from same_bits(program, folder, few)
        yield from same_bits_beside_others(program, folder)
        yield from wrong_starts(program, folder)
        yield from failing_starts(program, folder)
        yield from starts_in_all_velocities(program, folder)


def write(folder, text, name='s.csv'):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        file.write(text)


def started(program, folder):
    """Each as a run of its own."""
    table = [('skate', SKATE, 'v,w,theta', ['1,0.5,0', '-2,1.5,0.25', '0.5,-1,3'], []),
             ('parameters', SKATE, 'v,m,slope,I', ['1,3,0.25,1', '0.5,0.5,-1,2'], []),
             ('rates', SKATE, "x',y',theta',theta", ["1,0,2,0", "0,0,1,0.5"], []),
             ('rk', DISC, 'theta,w1,w2,w3', ['0.3125,0.125,0.5,4', '0.125,0.25,0.25,5'], ['--solver', 'rk']),
             ('second', TURNTABLE, "x,y,x',y'", ['1,0,0.5,0.25', '0,1,-1,0'], ['--method', 'second']),
             ('rod', BOB, "x,y,x'", ['0,-2,1', '1.2,-1.6,0.5'], []),
             ('chain', chain(5), 'q0,q4', ['0.1,0.2', '0.5,-0.5'], []),
             ('disc', DISC, 'theta,w1,w2,w3', ['0.3125,0.125,0.5,4'] * 9 + ['0.25,0.5,-0.25,4.5'] * 3, []),
             # the model alone is at rest, which is singular; springs have roots, and points that pass each other closely are followed alone
             ('points', POINTS, 'x1,x2,y2,rho,sigma,theta', ['1.5,-0.5,0.25,1.5,-0.75,1.5', '1,-0.5,0.125,1,1.25,1.375', '1,-1,0.0625,1,-1,0',
                                                              '2,1,0.25,0.5,2,0.5', '1.5,-0.5,0.5,1.5,-1.5,1'], [])]
    for name, model, names, lines, options in table:
        write(folder, names + '\n' + '\n'.join(lines) + '\n')
        for more in (['--to', 2, '--every', 0.5], ['--at', '0.25,2'], ['--to', 2]):
            answer = program(model, '--starts', 's.csv', *more, *options, folder=folder)
            worst, right = 0, answer.status == 0 and answer.names[0] == 'start'
            for number, line in enumerate(lines, 1):
                values = dict(zip(names.split(','), line.split(',')))
                own = [n for n in values if re.search(r'\b' + n + r' =', model) and n in ('m', 'slope', 'I')]
                given = ['--start', ','.join(f'{n}={v}' for n, v in values.items() if n not in own)]
                given += ['--set', ','.join(f'{n}={values[n]}' for n in own)] if own else []
                single = program(model, *given, *(more if len(more) > 2 or more[0] == '--at' else more + ['--every', 2]), *options)
                mine = [{n: v for n, v in row.items() if n != 'start'} for row in answer.rows if row['start'] == number]
                worst = max(worst, apart(single.rows, mine))
                right = right and answer.names[1:] == single.names
            yield right and worst < 1e-9, f'{name} {more}: {worst:.2g}, {answer.told}'


def at_other_times(program, folder):
    """Each from its own time to the same end, which may be before it, or where the model begins."""
    write(folder, 'v,t\n1,-1\n1,2\n1,1e-3\n')
    for options in ([], ['--solver', 'rk']):
        answer = program(SKATE, '--starts', 's.csv', '--to', 0, *options, folder=folder)
        times = [(row['start'], row['t']) for row in answer.rows]
        yield times == [(1, -1), (1, 0), (2, 2), (2, 0), (3, 1e-3), (3, 0)], f'other times {options}: {times}, {answer.told}'
    # through t = 0: cos(t - t0)
    write(folder, 't\n-3\n-2\n-1\n')
    for solver in ('taylor', 'rk'):
        answer = program(OSCILLATOR, '--starts', 's.csv', '--to', 3, '--every', 2, '--solver', solver, folder=folder)
        worst = max(abs(row['x'] - math.cos(row['t'] + 4 - row['start'])) for row in answer.rows)
        yield answer.status == 0 and len(answer.rows) == 4 + 4 + 3 and worst < 1e-11 and 'in lanes' in answer.told, f'through 0, {solver}: {worst:.2g}'
    # sums keep what a double loses: a bit lost in each of some 8000 steps turns the phase by 1e-12, and not by more and more
    write(folder, 'x\n' + ''.join(f'{x}\n' for x in range(1, 9)))
    answer = program(OSCILLATOR, '--starts', 's.csv', '--to', 20000, '--every', 20000, '--solver', 'taylor', folder=folder)
    worst = max(abs(row['x'] / row['start'] - math.cos(row['t'])) + abs(row["x'"] / row['start'] + math.sin(row['t'])) for row in answer.rows)
    yield answer.status == 0 and len(answer.rows) == 16 and worst < 1e-11 and 'in lanes' in answer.told, f'long, in lanes: {worst:.2g}'
    write(folder, 'v,t\n1,1e300\n')
    answer = program(SKATE, '--starts', 's.csv', '--to', 1, '--every', 1, folder=folder)
    yield answer.status == 2 and 'rows' in answer.told, f'too many rows: {answer.status}, {answer.told}'


def same_bits(program, folder, few):
    write(folder, 'theta,w1,w2,w3\n' + ''.join(f'{0.01 * i},{0.1 - 0.01 * i},0.5,{4 + 0.1 * i}\n' for i in range(27)))
    common = ['--starts', 's.csv', '--to', 3, '--every', 1]
    first = program(DISC, *common, '--threads', 1, folder=folder)
    numbers = [row['start'] for row in first.rows[::4]]
    yield first.status == 0 and len(first.rows) == 27 * 4 and numbers == list(range(1, 28)), 'rows of starts'
    for options in (['--threads', 2], ['--threads', 3], ['--threads', 8], ['--compile', 'never'], ['--compile', 'always'], []):
        yield program(DISC, *common, *options, folder=folder).text == first.text, f'{options}: other bits'
    write(folder, 'a,b\n' + ''.join(f'{0.1 * i},{0.05 * i}\n' for i in range(20)))
    for solver in ('taylor', 'rk', 'cvode'):
        texts = {program(DOUBLE, *common, '--solver', solver, '--threads', n, '--compile', how, folder=folder).text
                 for n, how in (((1, 'never'), (2, 'always')) if few else ((1, 'never'), (2, 'always'), (3, 'never'), (8, 'auto')))}
        yield len(texts) == 1, f'{solver}: other bits'


def same_bits_beside_others(program, folder):
    """A motion does not feel what is in the lanes beside it: in whatever order the starts come, each has the same rows, to the last bit.
    Swings from rest to turning over, the smallest of which have gaps in their series (even and odd orders)."""
    model = "coordinates x, y\nparameters k = 1\nkinetic 1/2*(x'^2 + y'^2)\npotential -k*cos(x) + 1/4*y^4\n"
    starts = [f'{x},{x * v},{y},{k}' for x, v, y, k in itertools.product((0, 1e-7, 1e-3, 0.7, 2), (0, 0.3, 2), (0, 1e-4, 1.5), (1, 2, 5))]
    for solver, tolerance in itertools.product(('taylor', 'rk'), ('1e-4', '1e-7', '1e-10')):
        found = []
        for lines in (starts, starts[::-1], starts[::2] + starts[1::2]):
            write(folder, "x,x',y,k\n" + '\n'.join(lines) + '\n')
            answer = program(model, '--starts', 's.csv', '--to', 20, '--solver', solver, '--tol', tolerance, folder=folder)
            ends = [line.split(',', 1)[1] for line in answer.text.splitlines()[2::2]]
            found.append(dict(zip(lines, ends)))
            yield answer.status == 0 and 'in lanes' in answer.told and len(ends) == len(starts), f'{solver}: {answer.told}'
        other = [line for line in starts if len({ends[line] for ends in found}) > 1]
        yield not other, f'{solver}, {tolerance}: {len(other)} motions have other bits beside others, as {other[:1]}'


def wrong_starts(program, folder):
    for text, place in (('v,q\n1,2\n', '1:3'), ('v,w\n1\n', '2:1'), ('v,w\n1,2\n1,abc\n', '3:3'), ('', '1:1'), ('v,w\n', '1:1'),
                        ('v,w\n1,2,3\n', '2:1'), ('v,w\n1,\n', '2:3'), ('v,v\n1,1\n', '1:3'), ("v,x'\n1,1\n", '1:3'),
                        ('v,w\n1,nan\n', '2:3'), ('v,w\n1,1e999\n', '2:3'), ("x',y',theta'\n0,0,1\n1,1,1\n", '3:1'),
                        ('v,w\n1,2\n3,4 5\n', '3:3'), ('v,\n1,2\n', '1:3')):
        write(folder, text)
        answer = program(SKATE, '--starts', 's.csv', folder=folder)
        yield answer.status == 2 and answer.text == '' and f's.csv:{place}: error: ' in answer.told, \
            f'{text!r}: {answer.status}, {answer.told}'
    for text, place in ((b'v,\xe9\n1,2\n', '1:3'), (b'v\0\n1\n', '1:2')):
        with open(os.path.join(folder, 's.csv'), 'wb') as file:
            file.write(text)
        answer = program(SKATE, '--starts', 's.csv', folder=folder)
        yield answer.status == 2 and f's.csv:{place}: error: ' in answer.told, f'{text!r}: {answer.status}, {answer.told}'
    answer = program(SKATE, '--starts', 'none.csv', folder=folder)
    yield answer.status == 2 and 'none.csv' in answer.told, 'no file'
    write(folder, '\n"v", w\r\n\n1,2\r\n 3 ,+4e0\n')
    answer = program(SKATE, '--starts', 's.csv', '--to', 1, folder=folder)
    yield answer.status == 0 and [(r['v'], r['w']) for r in answer.rows[::2]] == [(1, 2), (3, 4)], f'blanks: {answer.told}'
    for option in (['--certify'], ['--method', 'both'], ['--plot', 'x.svg']):
        yield program(SKATE, '--starts', 's.csv', *option, folder=folder).status == 2, f'{option}'


def failing_starts(program, folder):
    """x'' = -1/x^3: x^2 = (x0 + u t)^2 - t^2/x0^2; from rest at 1 it ends at t = 1; from 0 it has no beginning."""
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = -1/x^3\n"
    for lines, solver in itertools.product((["1,2", "1,0", "2,5"], ["0,1", "1,2"], ["2,5", "1,0", "0,0", "1,2"]), ('taylor', 'rk')):
        write(folder, "x,x'\n" + '\n'.join(lines) + '\n')
        answer = program(model, '--starts', 's.csv', '--to', 2, '--every', 0.5, '--solver', solver, folder=folder)
        bad = [i for i, line in enumerate(lines, 1) if line in ('1,0', '0,1', '0,0')]
        right = True
        for number, line in enumerate(lines, 1):
            x, u = map(float, line.split(','))
            mine = [row for row in answer.rows if row['start'] == number]
            right = right and (len(mine) < 5 if number in bad else len(mine) == 5)
            right = right and all(abs(row['x'] - math.sqrt((x + u * row['t']) ** 2 - (row['t'] / x) ** 2)) < 1e-9 for row in mine if x)
        yield answer.status == 1 and right and f'start {bad[0]},' in answer.told and 'nan' not in answer.text and \
            f'{len(bad)} of {len(lines)} motions' in answer.told, f'{lines}, {solver}: {answer.status}\n{answer.text}{answer.told}'


# backwards its front axles turn faster and faster, and come to where the velocities that are free fail
SNAKE = """coordinates x, y
angles th, ps, f1, f2
parameters m = 4, J = 0.3, Jr = 0.4, Jw = 0.05, l = 0.35
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*th'^2 + 1/2*Jr*(th' + ps')^2 + 1/2*Jw*((th' + f1')^2 + (th' + f2')^2)
force ps = 1.2*sin(3*t) - 0.4*ps - 0.1*ps', f1 = -2*f1 - 0.5*f1' + 0.8*cos(3*t), f2 = -2*f2 - 0.5*f2' - 0.8*cos(3*t)
constraint -sin(th + f1)*x' + cos(th + f1)*y' + l*cos(f1)*th' = 0
constraint -sin(th + f2)*x' + cos(th + f2)*y' - l*cos(f2)*th' = 0
initial f1 = 0.3, f2 = -0.2, ps' = 1, th' = 0.1
"""


def starts_in_all_velocities(program, folder):
    """Each motion of a table goes on in all velocities where it does so alone."""
    write(folder, "th'\n0.1\n0.2\n")
    for more in ([], ['--solver', 'taylor'], ['--event', 'x - 100']):
        answer = program(SNAKE, '--starts', 's.csv', '--to', -2, '--every', 0.5, *more, folder=folder)
        right = answer.status == 0 and '2 of 2 motions, and these go on' in answer.told
        for number, rate in ((1, 0.1), (2, 0.2)):
            alone = program(SNAKE, '--start', f"th'={rate}", '--to', -2, '--every', 0.5, *more)
            mine = [{name: row[name] for name in alone.rows[0]} for row in answer.rows if row['start'] == number]
            right = right and alone.status == 0 and 'goes on in all velocities' in alone.told and apart(mine, alone.rows) < 1e-6
        yield right, f'in all velocities, {more}: {answer.status}\n{answer.text}{answer.told}'
    first = program(SNAKE, '--starts', 's.csv', '--to', -2, '--every', 0.5, '--method', 'first', folder=folder)
    yield first.status == 1 and 'the free velocities of the first kind fail there' in first.told, f'by the first kind alone: {first.told}'


# ---------------------------------------------------------------- machine code

def compiled(program, few):
    models = [(FORCE % force, ['--to', 3]) for force in FORCES]
    models += [(chain(6), ['--to', 1]), (DISC, ['--to', 10, '--start', 'theta=0.3125,w1=0.125,w2=0.5,w3=4']),
               (POINTS, ['--to', 10, '--start', 'x1=1.5,x2=-0.5,y2=0.25,rho=1.5,sigma=-0.75,theta=1.5']),
               (CAR, ['--to', 10, '--start', 'th0=0.5,v=1']), (BOB, ['--to', 10, '--method', 'second']), (SPEED, ['--to', 2]),
               (BALL, ['--to', 10]), (TURNING, ['--to', 5])]
    for (model, options), solver in itertools.product(models[::3] if few else models, ('auto', 'rk')):
        answers = [program(model, *options, '--solver', solver, '--compile', how) for how in ('never', 'always', 'auto')]
        yield answers[0].status == 0 and len(answers[0].rows) == 101 and len({a.text for a in answers}) == 1, \
            f'{solver}: other bits: {model}\n{answers[0].told}'
        if answers[1].told.startswith('Taylor'):
            yield 'compiling' in answers[1].told and 'compiling' not in answers[0].told, f'compiled? {answers[1].told}'


# ---------------------------------------------------------------- files

READ = """import numpy, sys
a, z = numpy.load('a.npy'), numpy.load('a.npz')
names = list(a.dtype.names) if a.dtype.names else None
print(repr(names)); print(repr(sorted(z.files)))
if names:
    print(repr([[float(v) for v in row.tolist()] for row in a]))
else:
    print(repr(a.tolist()))
print(repr({n: numpy.atleast_1d(z[n]).tolist() for n in z.files}))
"""


def with_numpy():
    for python in (sys.executable, 'python3', '/usr/bin/python3'):
        try:
            if subprocess.run([python, '-c', 'import numpy'], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


def files(program, few):
    python = with_numpy()
    if not python:
        print('no Python here has NumPy: .npy and .npz are not read')
        return
    cases = [(SKATE, ['--to', 3, '--reactions', '--event', 'y']), (OSCILLATOR, ['--certify']), (chain(5), ['--to', 1])]
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 'v,w\n1,2\n2,3\n')
        for model, options in cases + [(SKATE, ['--starts', 's.csv', '--every', 1])]:
            answer = program(model, *options, folder=folder)
            told = [program(model, *options, '-o', name, folder=folder) for name in ('a.npy', 'a.npz', 'a.csv')]
            with open(os.path.join(folder, 'a.csv'), encoding='utf-8') as file:
                text = file.read()
            yield text == answer.text and all(t.status == answer.status == 0 and t.text == '' for t in told), f'{options}: -o a.csv'
            done = subprocess.run([python, '-c', READ], capture_output=True, cwd=folder, check=False)
            lines = done.stdout.decode().split('\n')
            yield done.returncode == 0, f'{options}: {done.stderr.decode()}'
            names, keys, values, by_name = (eval(line, {'nan': math.nan}) for line in lines[:4])  # our own lists, written by READ
            table = [[row[name] for name in answer.names] for row in answer.rows]
            yield values == table and (names is None or names == answer.names), f'{options}: a.npy is not the table'
            yield all(name in keys for name in answer.names) and \
                all(by_name[name] == answer.column(name) for name in answer.names), f'{options}: a.npz is not the table: {keys}'
            piped = subprocess.run([program.path, 'run', '-', *map(str, options), '--format', 'npy'], input=model.encode(), cwd=folder,
                                   capture_output=True, check=False).stdout
            with open(os.path.join(folder, 'a.npy'), 'rb') as file:
                yield file.read() == piped, f'{options}: --format npy'
        # more than one block of numbers; and rows for which there is no memory: those before them are there, and are those of CSV
        for limit, done in (('1G', 0), ('3M', 1)):
            told = [program(OSCILLATOR, '--to', 1000, '--every', 0.01, '--max-memory', limit, '-o', name, folder=folder)
                    for name in ('a.npy', 'a.npz')]
            yield all(t.status == done and ('memory' in t.told.split('\n')[-2]) == bool(done) for t in told), f'{limit}: {told[0].told}'
            found = subprocess.run([python, '-c', READ], capture_output=True, cwd=folder, check=False)
            _, keys, values, by_name = (eval(line, {'nan': math.nan}) for line in found.stdout.decode().split('\n')[:4])
            whole = program(OSCILLATOR, '--to', 1000, '--every', 0.01)
            table = [[row[name] for name in whole.names] for row in whole.rows]
            yield values == table[:len(values)] and (len(values) == len(table) if not done else 1000 < len(values) < len(table)), \
                f'{limit}: {len(values)} rows'
            yield all(by_name[name][:1000] == whole.column(name)[:1000] for name in whole.names), f'{limit}: {keys}'


def array(data):
    """The numbers of a .npy file, version 3: the magic, the length of the description, the description, doubles."""
    length = struct.unpack('<I', data[8:12])[0]
    return memoryview(data[12 + length:]).cast('d')


def late(program, few):
    """More rows than there is time for, all in the first step: those so far are kept, in every format, and the run tells the last of them."""
    options = ['--to', 1, '--every', 1e-9, '--max-seconds', 0.5]
    with tempfile.TemporaryDirectory() as folder:
        for name in ('a.npy', 'a.npz', 'a.csv'):
            answer = program(OSCILLATOR, *options, '-o', name, folder=folder)
            place = os.path.join(folder, name)
            yield answer.status == 1 and 'the time was over' in answer.told and os.path.exists(place), f'{name}: {answer.status}\n{answer.told}'
            if not os.path.exists(place):
                continue
            with open(place, 'rb') as file:
                data = file.read()
            if name == 'a.npz':
                with zipfile.ZipFile(place) as archive:
                    times = array(archive.read('t.npy'))
            else:
                times = array(data)[::3] if name == 'a.npy' else [float(line.split(b',')[0]) for line in data.split(b'\n')[1:-1]]  # t, x, x'
            yield len(times) > 1000 and times[1] == 1e-9 and times[-1] < 1, f'{name}: {len(times)} rows up to {times[-1]}'
            yield answer.number('stopped at t = ') == times[-1], f'{name}: the last row is at {times[-1]!r}\n{answer.told}'


# the velocity a' is the root of a cubic, which is not written down
CUBIC = "coordinates a, b\nkinetic 1/2*(a'^2 + b'^2)\nconstraint a'^3 + a'*(1 + b^2) = b'\nindependent b'\ninitial b' = 0.3\n"


def words(program, few):
    """What is not done as it was asked for is told; x = cos t rises along a run forwards at 3 pi/2, backwards at -3 pi/2."""
    for to in (7, -7):
        answer = program(OSCILLATOR, '--start', "x=1,x'=0", '--to', to, '--section', 'x = 0')
        yield close([row['t'] for row in answer.rows], [math.copysign(1.5 * math.pi, to)], 1e-13), f'a section to {to}: {answer.rows}'
        answer = program(OSCILLATOR, '--start', "x=1,x'=0", '--to', to, '--section', 'x = 0', '--every', 7)
        yield [row['event'] for row in answer.rows] == [0, 1, 0], f'a section to {to}, and rows: {answer.rows}'
    answer = program(OSCILLATOR, '--at', '1,2', '--every', 0.5)
    yield [row['t'] for row in answer.rows] == [1, 2] and '--every is not used' in answer.told, f'--every beside --at: {answer.told}'
    answer = program(OSCILLATOR, '--at', '1,2')
    yield '--every' not in answer.told, f'--at alone: {answer.told}'
    for method, told in (('first', True), ('second', False)):
        answer = program(CUBIC, '--to', 1, '--method', method)
        yield answer.status == 0 and ('the velocities of the first kind are not explicit' in answer.told) == told, f'--method {method}: {answer.told}'


def pictures(program, few):
    with tempfile.TemporaryDirectory() as folder:
        for options in ([], ['-o', 'rows.csv'], ['-o', 'rows.npy'], ['--to', 2, '--event', 'v'], ['--certify']):
            path = os.path.join(folder, 'p.svg')
            answer = program(SKATE, '--plot', 'p.svg', *options, folder=folder)
            root = xml.etree.ElementTree.parse(path).getroot()
            words = ''.join(root.itertext())
            yield answer.status == 0 and root.tag.endswith('svg') and 'Knife edge on an incline' in words, f'{options}: {answer.told}'
            if '-o' in options:
                yield os.path.getsize(os.path.join(folder, options[1])) > 1000 and answer.text == '', f'{options}: no rows'
            else:
                yield answer.text == program(SKATE, *options).text, f'{options}: other rows'
            os.remove(path)
        collapse = "coordinates x\nkinetic 1/2*x'^2\nforce x = -1/x^3\ninitial x = 1\n"
        answer = program(collapse, '--plot', 'p.svg', folder=folder)
        yield answer.status == 1 and os.path.exists(os.path.join(folder, 'p.svg')), 'the picture of a motion that ends'
        yield program(SKATE, '--plot', 'none/p.svg', folder=folder).status != 0, 'a picture where there is no folder'


def interrupts(program, few):
    """SIGINT and SIGTERM: whole lines, the status 1, and soon."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, PENDULUM, 'p.nh')
        for number, options in ((signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGINT, ['-o', 'rows.csv']),
                                (signal.SIGINT, ['--solver', 'rk']), (signal.SIGTERM, ['--certify'])):
            with subprocess.Popen([program.path, 'run', 'p.nh', '--to', '1e7', '--every', '1', *options], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, cwd=folder) as process:
                time.sleep(0.7)
                process.send_signal(number)
                begin = time.monotonic()
                out, told = process.communicate(timeout=60)
                waited = time.monotonic() - begin
            if options[:1] == ['-o']:
                with open(os.path.join(folder, 'rows.csv'), 'rb') as file:
                    out = file.read()
            table = list(csv.reader(io.StringIO(out.decode())))
            whole = out.endswith(b'\n') and len({len(row) for row in table}) == 1
            times = [float(row[0]) for row in table[1:]]
            yield process.returncode == 1 and whole and len(table) > 3 and waited < 20 and b'stopped' in told and \
                times == [float(k) for k in range(len(times))], \
                f'{number} {options}: {process.returncode} {len(table)} {waited:.1f} s {told.decode()}'
    # the run itself takes a moment, what certifies it some times as long: all rows, with the digits that are known by then
    answer = program(PENDULUM, '--to', 400000, '--every', 400, '--certify', '--max-seconds', 2)
    digits = [row['digits'] for row in answer.rows]
    yield answer.status == 1 and 'before the certificate was complete' in answer.told and digits[-1] == 0 and \
        (len(digits) == 1001 and digits[0] == 15 or 3 < len(digits) < 1001), \
        f'a certificate without time: {answer.status} {len(digits)} {digits[:1]} {digits[-1:]} {answer.told}'


TESTS = (rows, columns, events, pairs, multiple, narrow, poles, swings, sharp_touches, ends, rests, once, summaries, starts, compiled, files, late, words, pictures,
         interrupts)


if __name__ == '__main__':
    judge(TESTS, Program(sys.argv[1]), '--few' in sys.argv, 100)
