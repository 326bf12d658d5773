#!/usr/bin/env python3
"""units.py NONHOLO [--few]: what is relative. The same system in other units has the same motion, in these units: lengths of 1e-9 or 1000; what is
said to change relative to something is so to what the whole run has."""
import itertools
import math
import os
import sys
import tempfile

from systems import Program, judge

LENGTHS = (1e-9, 1e-7, 1e-6, 1e-4, 1, 1e3)
DRAGGED = """coordinates x, y
parameters m = 1e-7, c = 1, l = 1, F = 1
kinetic 1/2*m*(x'^2 + y'^2)
force x = -c*x' + F*cos(t), y = -c*y' + 2*F*sin(3*t)
constraint x^2 + y^2 = l^2
initial x = l
"""
SWINGING = """coordinates x, y
parameters m = 1, g = 1, l = 1
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint x^2 + y^2 = l^2
initial x = l
"""
ROD = """coordinates x1, y1, x2, y2
angles a
parameters m = 1e-7, c = 1, k = 1, l = 1, J = 1e-7, F = 0.5
input w = 2
kinetic 1/2*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2) + 1/2*J*a'^2
potential 1/2*k*(x1^2 + 2*y2^2)
force x1 = -c*x1' + F*cos(w*t), y1 = -c*y1', x2 = -c*x2', y2 = -c*y2' + F*sin(w*t), a = -c*l^2*a' + k*l^2*sin(t)
constraint (x1 - x2)^2 + (y1 - y2)^2 = l^2
constraint x1'*sin(a) - y1'*cos(a) = 0
initial x1 = 0.5*l, y1 = 0.2*l, x2 = 1.1*l, y2 = l
"""
SLEDGE = """coordinates x, y
angles th
parameters m = 1, J = 0.3, a = 0.2, k = 1, u = 1, w = 1
point C at (x, y) + a*(cos(th), sin(th)) mass m
kinetic 1/2*J*th'^2
potential 1/2*k*(x^2 + y^2)
constraint x'*sin(th) = y'*cos(th)
initial x = u, th = 0.3, x' = 0.5*u*w*cos(0.3), y' = 0.5*u*w*sin(0.3), th' = 0.2*w
"""
BALANCED = """coordinates x, y
angles th
parameters m = 2, J = 0.5, F = 9.81
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*th'^2
force x = -F*sin(0.3), y = F*cos(0.3)
constraint x'*sin(th) - y'*cos(th) = 0
initial th = 0.3
"""
PENDULUM = 'angles a\nkinetic 1/2*a\'^2\npotential sin(a)\ninitial a = 0\n'
OSCILLATOR = "coordinates x\nkinetic 1/2*x'^2\npotential 1/2*x^2\ninitial x = 2\n"
BOB = "angles a\nparameters g = 9.81\nkinetic 1/2*a'^2\npotential -g*cos(a)\ninitial a = 1\n"
RODS = "angles a, b\nkinetic a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\npotential -9.81*(2*cos(a) + cos(b))\ninitial a = 2, b = 2.5\n"


def shown(answer):
    return f'{answer.status}, {answer.rows[-1:]}\n{answer.told}'


def differ(row, other, units, error):
    """Whether numbers of a row are others than those in units of one."""
    return any(not abs(row[name] / unit - other[name]) <= error for name, unit in units.items())


def lengths(program, few):
    """Constraints on positions are as far off as rounding is, whatever the unit of length."""
    known = {'x': 0.97732134642, 'y': -0.21176162503}
    for l in LENGTHS:
        for solver in ('auto', 'cvode'):
            answer = program(DRAGGED, '--every', 5, '--solver', solver, '--set', f'l={l},F={l}')
            yield answer.status == 0 and answer.told.startswith('CVODE') and not differ(answer.rows[-1], known, {'x': l, 'y': l}, 1e-8), \
                f'dragged, l = {l}, {solver}: {shown(answer)}'
        answer = program(SWINGING, '--solver', 'cvode', '--to', 100 if few else 1000, '--every', 1, '--set', f'l={l},g={l}')
        worst = max(abs(row['x'] ** 2 + row['y'] ** 2 - l * l) / l ** 2 for row in answer.rows)
        yield answer.status == 0 and worst < 1e-14, f'swinging, l = {l}: {worst} {answer.told}'
    rod = {'x1': 0.11380346609, 'y1': -0.52650443749}
    for l, m, c in ((1, 1e-7, 1), (1e-6, 1e-16, 1e-9), (1e-4, 1e-7, 1), (1e-9, 1e-7, 1)):
        values = f'l={l},m={m},c={c},k={c},J={m * l * l},F={0.5 * c * l}'
        answer = program(ROD, '--to', 10, '--every', 5, '--method', 'second', '--set', values)
        yield answer.status == 0 and not differ(answer.rows[-1], rod, {'x1': l, 'y1': l}, 1e-8), f'rod, {values}: {shown(answer)}'


def masses_and_times(program, _few):
    """By velocities that constraints bind, in units of lengths u, of the time 1/w and of masses m."""
    known = program(SLEDGE, '--to', 20, '--every', 20).rows[-1]
    yield abs(known['x'] - 0.47007796731613) < 1e-11, f'sledge: {known}'
    for u, w, m in ((1, 1, 1), (1e-9, 1e9, 1e-21), (1e-6, 1, 1e-16), (1e3, 1e-3, 1e5)):
        values = f'u={u},w={w},m={m},J={0.3 * m * u * u},a={0.2 * u},k={m * w * w}'
        units = {'x': u, 'y': u, 'th': 1, "x'": u * w, "y'": u * w, "th'": w}
        for tolerance in (1e-8, 1e-10, 1e-12, 1e-14, 1e-16):  # finer than doubles allow, it is as fine as they do
            answer = program(SLEDGE, '--to', 20 / w, '--every', 20 / w, '--solver', 'cvode', '--method', 'second', '--tol', tolerance, '--set', values)
            yield answer.status == 0 and not differ(answer.rows[-1], known, units, 10 * max(tolerance, 1e-9)), \
                f'sledge, {values}, {tolerance}: {shown(answer)}'


def balance(program, _few):
    """Forces across a blade move it by their rounding, in any units: it stays at rest, and does not leave its constraint."""
    for u, w, m in ((1, 1, 2), (1e-9, 1, 1e-16), (1e-9, 1e9, 1e-21), (1e3, 1e-3, 1e5)):
        values = f'm={m},J={m * u * u},F={9.81 * m * u * w * w}'
        for solver in ('taylor', 'rk', 'cvode'):
            answer = program(BALANCED, '--to', 10 / w, '--method', 'second', '--solver', solver, '--set', values)
            off = float(answer.told.split('before projection, ')[1].split('\n')[0])
            yield answer.status == 0 and off < 1e-5 and max(abs(answer.rows[-1][name]) for name in ("x'", "y'")) < 1e-13 * u * w, \
                f'balance, {values}, {solver}: {shown(answer)}'


def drift(program, _few):
    """Relative to the largest K + |V| of the run, also where both are 0 at the start."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
            file.write('a\n0\n0\n')
        for solver, more in itertools.product(('taylor', 'rk', 'cvode'), ([], ['--starts', 'starts.csv'])):
            answer = program(PENDULUM, '--solver', solver, '--to', 4, *more, folder=folder)
            told = float(answer.told.split('energy changes by ')[1].split(',')[0])
            yield answer.status == 0 and told < 1e-9, f'from rest, {solver}, {more}: {answer.told}'


def turning_points(program, _few):
    """Rows in which velocities are what rounding leaves of 0 are exact where the motion is; its velocities are measured between rows, too."""
    period = 2 * math.pi
    cases = [(OSCILLATOR, ['--to', 30, '--event', "x'", '--every', 10], 13), (OSCILLATOR, ['--to', 3 * period, '--every', period], 4),
             (BOB, ['--to', 6, '--section', "a'"], 3)]
    for model, options, count in cases:
        answer = program(model, *options, '--certify')
        yield answer.status == 0 and len(answer.rows) == count and all(row['digits'] >= 12 for row in answer.rows) and 'run out' not in answer.told, \
            f'{options}: {[row["digits"] for row in answer.rows]}\n{answer.told}'
    # what is lost stays lost
    answer = program(RODS, '--to', 100, '--every', 5, '--certify')
    digits = [row['digits'] for row in answer.rows]
    lost = next((k for k, n in enumerate(digits) if n < 2), len(digits))
    yield answer.status == 0 and digits[1] > 8 and 2 < lost < 15 and not any(digits[lost + 1:]) and 'run out' in answer.told, \
        f'two rods: {digits}\n{answer.told}'


if __name__ == '__main__':
    judge((lengths, masses_and_times, balance, drift, turning_points), Program(sys.argv[1]), '--few' in sys.argv, 40)
