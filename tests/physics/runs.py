#!/usr/bin/env python3
"""runs.py NONHOLO [--few]: how exact motions are, by every solver, method and precision. --few: for slow builds.

What is expected is written down in systems.py, or comes from the table of exact ends of the bench, or from another way of
computing; nothing is taken from the program's output."""
import glob
import itertools
import json
import math
import os
import sys
import tempfile
from decimal import Decimal

from systems import (BALL, BEAD, BOB, CAR, CARRIED, CLOSED, DISC, DOUBLE, HAMEL, INCLINE, OSCILLATOR, PENDULUM, POINTS, SLEIGH, SOURCE,
                     SPEED, TURNING, TURNTABLE, UPRIGHT, Program, apart, chain, exact_cos_sin, exact_pendulum, hamel, judge, off,
                     turntable)

DISC_START = 'theta=0.3125,w1=0.125,w2=0.5,w3=4'
POINTS_START = 'x1=1.5,x2=-0.5,y2=0.25,rho=1.5,sigma=-0.75,theta=1.5'
CAR_START = 'th0=0.5,v=1'
# with the spring as a potential
TRAILERS = CAR.split('parameters kappa')[0] + 'parameters kappa = 1\npotential -kappa*cos(th0)\n'
CVODE_ERROR = 1e-7  # its own steps are made for 1e-12 at best, and it is of low order


def closed_forms(program, few):
    """Every solver by both methods in all precisions."""
    ways = [('taylor', 'double', 1e-12), ('taylor', 'long', 1e-12), ('rk', 'double', 1e-10), ('cvode', 'double', CVODE_ERROR)]
    ways += [] if few else [('taylor', 'quad', 1e-12), ('auto', 'double', 1e-12)]
    for (name, (model, known, to)), method, (solver, precision, error) in itertools.product(CLOSED.items(), ('first', 'second'), ways):
        if (name, method, solver) == ('carried', 'first', 'rk'):
            continue  # the velocity that is chosen there has a pole on the way
        answer = program(model, '--to', to, '--every', to / 20, '--method', method, '--solver', solver, '--precision', precision)
        found = off(answer.rows, known)
        yield answer.status == 0 and len(answer.rows) == 21 and found < error, \
            f'{name}, {method}, {solver}, {precision}: {answer.status}, off by {found:.2g}\n{answer.told}'
    # the sleigh ends on a straight line
    last = program(SLEIGH, '--to', '100', '--every', '50').rows
    yield abs(last[-1]['theta'] - last[1]['theta']) < 1e-9 and abs(last[-1]['v'] - math.sqrt(0.36 + 0.75 * 0.64)) < 1e-12 and \
        abs(last[-1]['w']) < 1e-12, f'straight: {last}'
    # other balls: the rate is n j/(1 + j)
    for j, text in ((2 / 3, '2/3'), (0.5, '1/2')):
        answer = program(TURNTABLE, '--to', 20, '--set', f'j={text}')
        found = off(answer.rows, lambda t, j=j: turntable(t, j=j))
        yield found < 1e-12, f'turntable with j = {text}: off by {found:.2g}'
    # the point on the cone, before it stands
    for method, solver in itertools.product(('first', 'second'), ('taylor', 'rk', 'cvode')):
        answer = program(HAMEL, '--to', 2, '--method', method, '--solver', solver)
        found = off(answer.rows, hamel)
        yield answer.status == 0 and found < (CVODE_ERROR if solver == 'cvode' else 1e-12), \
            f'hamel, {method}, {solver}: off by {found:.2g}\n{answer.told}'


def tolerances(program, few):
    """The error is below a hundred tolerances, and the steps of order 8 become more as the eighth root of the tolerance."""
    for name in ('incline', 'turntable', 'turning', 'pendulum', 'bob', 'oscillator', 'sleigh'):
        model, known, to = CLOSED[name]
        for solver in ('taylor', 'rk'):
            steps = []
            for tolerance in (1e-6, 1e-9, 1e-12):
                answer = program(model, '--to', to, '--every', to, '--solver', solver, '--tol', tolerance)
                steps.append(answer.steps())
                found = off(answer.rows, known)
                yield answer.status == 0 and len(answer.rows) == 2 and found < 100 * tolerance, \
                    f'{name}, {solver}, {tolerance}: off by {found:.2g}'
            if solver == 'rk':
                expected = 1e3 ** (1 / 8)
                for a, b in zip(steps, steps[1:]):
                    yield expected / 2 < b / a < expected * 2, f'{name}: steps {steps}'
            else:
                yield steps[2] < 4 * steps[0], f'{name}: steps of the series {steps}'


def exact_ends(program, few):
    """The table of exact ends at t = 1000; also how honest certificates are there."""
    with open(os.path.join(SOURCE, 'bench', 'motion', 'reference.json'), encoding='utf-8') as file:
        systems = json.load(file)['systems']
    names = {'falling-disc': (DISC, 'x y psi theta phi w1 w2 w3', ['--set', 'g=157/16']),
             'points': (POINTS, 'x1 y1 x2 y2 rho sigma theta', []),
             'car-8-absolute': (CAR, 'x y th0 th1 th2 th3 th4 th5 th6 th7 th8 v omega', [])}
    for name, (model, state, options) in names.items():
        known = systems[name]
        for k in range(1 if few else 2):
            start = ','.join(f'{a}={b}' for a, b in zip(state.split(), known['starts'][k].split()))
            common = ['--to', 1000, '--every', 1000, '--start', start, *options]
            for more, error in ((['--tol', '1e-16'], 1e-10), (['--precision', 'long', '--tol', '1e-18'], 1e-13),
                                (['--certify', '--tol', '1e-9'], None), (['--certify'], None)):
                answer = program(model, *common, *more)
                last = answer.rows[-1]
                found = max(abs(float(Decimal(last[a]) - Decimal(b))) / float(size)
                            for a, b, size in zip(state.split(), known['final'][k], known['size'][k]))
                if error:
                    yield answer.status == 0 and found < error, f'{name} {k} {more}: off by {found:.2g}'
                else:
                    yield answer.status == 0 and found <= 10 ** -last['digits'] and last['digits'] > 3, \
                        f'{name} {k} {more}: off by {found:.2g}, {last["digits"]} digits'


def there_and_back(program, few):
    systems = [('incline', INCLINE, [], 20), ('turntable', TURNTABLE, [], 20), ('pendulum', PENDULUM, [], 20), ('bob', BOB, [], 20),
               ('disc', DISC, ['--start', DISC_START], 20), ('points', POINTS, ['--start', POINTS_START], 10),
               ('turning', TURNING, [], 20), ('upright', UPRIGHT, [], 20), ('ball', BALL, [], 20), ('speed', SPEED, [], 1),
               ('chain', chain(5), [], 2)]
    for (name, model, options, to), solver in itertools.product(systems, ('taylor',) if few else ('taylor', 'rk')):
        there = program(model, '--to', to, '--every', to, '--solver', solver, '--tol', '1e-16', *options)
        declared = 'velocities' in model
        names = [n for n in there.names if n != 't' and not (declared and n.endswith("'"))]
        end = ','.join(f'{n}={there.rows[-1][n]!r}' for n in names)
        back = program(model, '--start', f't={to},{end}', '--to', 0, '--every', to, '--solver', solver, '--tol', '1e-16')
        found = max(abs(back.rows[-1][n] - there.rows[0][n]) / max(1, abs(there.rows[0][n]), abs(there.rows[-1][n])) for n in names)
        yield back.status == 0 and back.rows[0]['t'] == to and back.rows[-1]['t'] == 0 and found < 1e-11, f'{name}, {solver}: {found:.2g}'


# Energy: text of the model, options, and K and V from a row where they are written down here too.
# In these the energy does change: motors, prescribed motions, and constraints that do work.
DRIVEN = ('ball-on-turntable', 'constant-speed', 'differential-drive', 'isokinetic-64', 'isokinetic-8', 'roller-racer', 'segway',
          'servo', 'snakeboard', 'unicycle')


def conservative():
    folder = os.path.join(SOURCE, 'examples')
    for path in sorted(glob.glob(os.path.join(folder, '**', '*.nh'), recursive=True)):
        if os.path.splitext(os.path.basename(path))[0] in DRIVEN:
            continue
        with open(path, encoding='utf-8') as file:
            text = file.read()
        forces = ','.join(f'{name}=0' for name in ('A1', 'A2', 'A3', 'A4', 'A5') if f'{name} = ' in text)
        if path.endswith('/pursuit.nh'):  # it ends where the hare is caught
            continue
        if path.endswith('/ball.nh'):  # on a slope it gets faster and faster: two million turns, were it as steep as it is
            forces = 'alpha=1/100'
        yield os.path.basename(path), text, ['--set', forces] if forces else [], None
    yield 'incline', INCLINE, [], lambda r: (r["x'"] ** 2 + r["y'"] ** 2 + r["theta'"] ** 2 / 4, -2 * 9.81 * 0.6 * r['y'])
    yield 'sleigh', SLEIGH, [], lambda r: (r['v'] ** 2 + 0.75 * r['w'] ** 2, 0)
    yield 'speed', SPEED, ['--set', 'g=0'], lambda r: (1.5 * (r["x'"] ** 2 + r["y'"] ** 2), 0)
    yield 'upright', UPRIGHT, [], lambda r: (0.125 * r['z1'] ** 2 + r['z1'] ** 2 / 16 + r['z2'] ** 2 / 32, -3 * r['x'])
    yield 'disc', DISC, ['--start', DISC_START], None
    yield 'points', POINTS, ['--start', POINTS_START], None
    yield 'bob', BOB, [], lambda r: ((r["x'"] ** 2 + r["y'"] ** 2) / 2, 9.81 * r['y'])
    yield 'pendulum', PENDULUM, [], lambda r: (2 * r["q'"] ** 2, -2 * 9.81 * math.cos(r['q']))
    yield 'ball', BALL, [], lambda r: (0.5 * 1.4 * (r["x'"] ** 2 + r["y'"] ** 2) + 0.05 * r["c'"] ** 2, r['x'] ** 2 / 2 + r['y'] ** 2)
    yield 'bead', BEAD, ['--method', 'second'], lambda r: ((r["x'"] ** 2 + r["y'"] ** 2 + r["z'"] ** 2) / 2, 9.81 * r['z'])
    yield 'oscillator', OSCILLATOR, [], lambda r: (r["x'"] ** 2 / 2, r['x'] ** 2 / 2)
    yield 'trailers', TRAILERS, ['--start', CAR_START], None


def energy(program, few):
    """K + V over a long run, relative to the largest of |K| + |V|."""
    for name, model, options, by_hand in conservative():
        to = 100 if few else 1000
        model += 'observe kept = kinetic + potential\nobserve moved = kinetic\n'
        answer = program(model, '--to', to, '--every', to / 100, '--tol', '1e-16', *options)
        kept, size = answer.column('kept'), max(abs(r['moved']) + abs(r['kept'] - r['moved']) for r in answer.rows)
        drift = max(abs(e - kept[0]) for e in kept) / size
        yield answer.status == 0 and len(kept) == 101 and drift < 1e-12, f'{name}: {answer.status}, {drift:.2g}\n{answer.told}'
        told = answer.number('energy changes by ')
        yield told < 1e-12, f'{name}: told {told:.2g}'
        if by_hand:
            sums = [sum(by_hand(r)) for r in answer.rows]
            drift = max(abs(e - sums[0]) for e in sums) / size
            yield drift < 1e-12 and abs(sums[0] - kept[0]) < 1e-13 * size, f'{name} by hand: {drift:.2g}, {sums[0]} {kept[0]}'


def both_ways(program, few):
    """Two methods, three solvers: linear, affine, non-linear, time-dependent constraints, and those on positions."""
    systems = [('incline', INCLINE, []), ('turntable', TURNTABLE, []), ('speed', SPEED, []), ('turning', TURNING, []),
               ('points', POINTS, ['--start', POINTS_START]), ('bob', BOB, []), ('carried', CARRIED, []),
               ('disc', DISC, ['--start', DISC_START]), ('ball', BALL, []), ('hamel', HAMEL, [])]
    for name, model, options in systems:
        common = ['--to', '2', '--every', '0.125', *options]
        first = program(model, *common, '--method', 'first')
        for label, more, error in (('second', ['--method', 'second'], 1e-11), ('rk', ['--solver', 'rk', '--method', 'second'], 1e-10),
                                   ('cvode', ['--solver', 'cvode'], CVODE_ERROR), ('long', ['--precision', 'long'], 1e-11)):
            other = program(model, *common, *more)
            found = apart(first.rows, other.rows)
            yield first.status == other.status == 0 and len(first.rows) == 17 and first.names == other.names and found < error, \
                f'{name}, {label}: {found:.2g}'
        both = program(model, *common, '--method', 'both')
        told = both.number('the two methods differ by at most ')
        yield both.status == 0 and both.text == first.text and told < 1e-11, f'{name}, both: {told:.2g}'


def certificates(program, few):
    for name in ('incline', 'turntable', 'pendulum', 'bob', 'oscillator', 'sleigh', 'turning'):
        model, known, to = CLOSED[name]
        for tolerance in ('1e-5', '1e-8', '1e-12'):
            answer = program(model, '--to', to, '--certify', '--tol', tolerance)
            size, honest = {}, True
            for row in answer.rows:
                for key, value in known(row['t']).items():
                    size[key] = max(size.get(key, 0), abs(value))
                    # 1.01: the more exact run is not exact; 1e-14: neither are these closed forms in doubles
                    honest = honest and abs(row[key] - value) <= (1.01 * 10 ** -row['digits'] + 1e-14) * max(size[key], 1e-3)
            yield answer.status == 0 and honest and answer.names[-1] == 'digits', f'{name}, {tolerance}: digits that are not there'
            least = min(answer.column('digits'))
            yield least >= {'1e-5': 4, '1e-8': 7, '1e-12': 10}[tolerance], f'{name}, {tolerance}: only {least} digits'
            yield f'at least {least:.0f} digit' in answer.told and 'chaotic' not in answer.told, f'{name}: {answer.told}'
    # a large column of another kind makes no digits of the others
    answer = program(OSCILLATOR + 'observe far = 1e12*t\n', '--to', 20, '--certify', '--tol', '1e-5')
    yield answer.status == 0 and all(abs(row['x'] - math.cos(row['t'])) <= 1.01 * 10 ** -row['digits'] + 1e-14 for row in answer.rows), 'far: digits that are not there'
    for name, model, to in (('pendulum', PENDULUM, 200), ('oscillator', OSCILLATOR, 200), ('ball', BALL, 200), ('disc', DISC, 100)):
        answer = program(model, '--to', to, '--certify', *(['--start', DISC_START] if name == 'disc' else []))
        yield answer.status == 0 and 'chaotic' not in answer.told and min(answer.column('digits')) >= 10, f'{name}: {answer.told}'
    answer = program(DOUBLE, '--to', '100', '--certify')
    digits = answer.column('digits')
    yield 'chaotic' in answer.told and 'run out' in answer.told and digits[0] == 15 and min(digits[-10:]) < 2, \
        f'double pendulum: {answer.told}'
    # x'' = k x on its way to rest: exp(-sqrt(k) t), and differences grow like exp(sqrt(k) t)
    falling = "coordinates x\nparameters k = 1.69\nkinetic 1/2*x'^2\npotential -k/2*x^2\ninitial x = 1, x' = -1.3\n"
    unstable = program(falling, '--to', 26, '--certify')
    yield 'is unstable' in unstable.told and abs(unstable.number('grows like exp(') - 1.3) < 0.05, f'unstable: {unstable.told}'
    # what is still certain there is so: another solver at a finer tolerance agrees to that many digits
    finer = program(DOUBLE, '--to', '100', '--precision', 'quad', '--tol', '1e-25') if not few else None
    worst = [(a['t'], a['digits']) for a, b in zip(answer.rows, finer.rows) if a['digits'] >= 2 and
             max(abs(a[n] - b[n]) for n in ('a', 'b')) > 10 ** -a['digits'] * 30] if finer else []
    yield not worst, f'double pendulum: {worst[:3]}'


def nearly_dependent(program, few):
    """x' + y' = 0 and p x' + y' = 0 hold only at rest: against a force 1 along -x the reaction is (1, 0), with the multipliers -+1/(p - 1), up to the rounding of p; and
    two blades with an angle d between them, which turn at the rate 1/2: R is against the force, and x = y = 0."""
    slot = ("coordinates x, y, z\nparameters p = %s\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' + y' = 0\nconstraint p*x' + y' = 0\npotential z + x\n"
            "initial z' = 1\n")
    for apart in ('1e-3', '1e-5', '1e-7'):
        for method in ('first', 'second'):
            answer = program(slot % f'1 + {apart}', '--to', 1, '--reactions', '--certify', '--method', method)
            last, wanted = answer.rows[-1], 1 / float(apart)
            yield answer.status == 0 and max(abs(last['x']), abs(last['y']), abs(last['R_x'] - 1), abs(last['R_y'])) < 1e-12 and abs(last['z'] - 0.5) < 1e-12, \
                f'slot, {apart}, {method}: {last}'
            yield abs(last['lambda_2'] / wanted - 1) < 1e-15 * wanted and abs(last['lambda_1'] / wanted + 1) < 1e-15 * wanted, f'slot, {apart}, {method}: {last}'
    blades = ("coordinates x, y\nangles th\nparameters d = 1e-6\nkinetic 50*(x'^2 + y'^2) + 10*th'^2\nforce x = 10*cos(th) - 30*sin(th), y = 10*sin(th) + 30*cos(th)\n"
              "constraint y'*cos(th) = x'*sin(th)\nconstraint y'*cos(th + d) = x'*sin(th + d)\ninitial th' = 1/2\n")
    answer = program(blades, '--to', 2, '--every', 0.5, '--reactions')
    for row in answer.rows:
        c, s = math.cos(row['th']), math.sin(row['th'])
        yield max(abs(row['R_x'] + 10 * c - 30 * s), abs(row['R_y'] + 10 * s + 30 * c), abs(row['x']), abs(row['y'])) < 1e-11, f'blades: {row}'
    yield answer.status == 0 and len(answer.rows) == 5, answer.told
    # along y = x^2/2, z = x^3/3 at the speed 2: what leaves the curve moves with the point, and R is its acceleration
    curve = ("coordinates x, y, z\nparameters d = %s\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint y' = x*x'\nconstraint y' - x*x' + d*(z' - x^2*x') = 0\n"
             "initial x = 1/2, y = 1/8, z = 1/24, x' = 2/sqrt(1 + 1/4 + 1/16), y' = 1/sqrt(1 + 1/4 + 1/16), z' = 1/2/sqrt(1 + 1/4 + 1/16)\n")
    for apart in ('1e-4', '1e-6', '1e-8'):
        answer = program(curve % apart, '--to', 1, '--every', 0.25, '--reactions', '--method', 'second')
        yield answer.status == 0 and len(answer.rows) == 5, f'curve, {apart}: {answer.told}'
        for row in answer.rows:
            x = row['x']
            square = 4 / (1 + x ** 2 + x ** 4)
            turns = -square * (x + 2 * x ** 3) / (1 + x ** 2 + x ** 4)
            wanted = {"x'": math.sqrt(square), 'y': x ** 2 / 2, 'z': x ** 3 / 3, 'R_x': turns, 'R_y': square + x * turns, 'R_z': 2 * x * square + x ** 2 * turns}
            far = max(abs(row[name] - value) for name, value in wanted.items())
            yield far < 1e-11 + 4e-15 / float(apart), f'curve, {apart}, t = {row["t"]}: off by {far}'
    # what rounding makes of a formula has no digits: (1 - cos y)/y^2 is 1/2 there, and 0 in doubles
    small = "coordinates y\nkinetic 1/2*y'^2\npotential 1/2*y^2\ninitial y = 1e-13\nobserve half = (1 - cos(y))/y^2\n"
    answer = program(small, '--to', 1, '--certify')
    yield all(abs(row['half'] - 0.5) <= 10 ** -row['digits'] for row in answer.rows), f'a formula that cancels: {answer.rows[0]}'
    # a column beside a large one of its kind, and rows that do not depend on which others there are
    both = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*y^2\ninitial x' = 1, y = 1\n"
    for at in ('1e4', '1,100,1e4'):
        row = program(both, '--at', at, '--certify').rows[-1]
        yield abs(row['y'] - math.cos(1e4)) <= 1.01 * 10 ** -row['digits'], f'beside a large column, {at}: {row}'
    # x' = 0, y' = 2 is unstable, at the rate g/v = 4.905: when the motion is lost it stays so
    answer = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = -9.81\nconstraint x'^2 + y'^2 = 4\ninitial x' = 0, y' = 2\n",
                     '--to', 20, '--every', 4, '--precision', 'quad', '--tol', '1e-30', '--certify')
    yield all(abs(row['y'] - 2 * row['t']) <= 10 ** -row['digits'] * 40 for row in answer.rows) and answer.rows[-1]['digits'] == 0, f'lost: {answer.rows}'


def stiff_systems(program, few):
    """x'' = -k (x - sin t) - d x': x = A sin t + B cos t + C1 exp(r1 t) + C2 exp(r2 t)."""
    k, d, to = 1e6, 1e5, 100
    root = math.sqrt(d * d / 4 - k)
    r2 = -d / 2 - root
    r1 = k / r2
    A, B = k * (k - 1) / ((k - 1) ** 2 + d * d), -k * d / ((k - 1) ** 2 + d * d)
    x0, u0 = 1 - B, -A
    c1, c2 = (u0 - r2 * x0) / (r1 - r2), (r1 * x0 - u0) / (r1 - r2)

    def known(t):
        fast, slow = c2 * math.exp(r2 * t), c1 * math.exp(r1 * t)
        return {'x': A * math.sin(t) + B * math.cos(t) + slow + fast, "x'": A * math.cos(t) - B * math.sin(t) + r1 * slow + r2 * fast}
    model = "coordinates x\nparameters k = 1e6, d = 1e5\nkinetic 1/2*x'^2\nforce x = -k*(x - sin(t)) - d*x'\ninitial x = 1\n"
    auto = program(model, '--to', to)
    series = program(model, '--to', to if not few else 1, '--solver', 'taylor')
    yield auto.status == 0 and auto.told.startswith('CVODE') and 'stiff' in auto.told, f'not taken for stiff: {auto.told}'
    found = off(auto.rows, known)
    yield found < 1e-8, f'stiff: off by {found:.2g}'
    yield off(series.rows, known) < 1e-11, 'stiff, by series'
    yield few or auto.steps() * 20 < series.steps(), f'stiff: {auto.steps()} steps, {series.steps()} by series'
    # as long a run from another time: x = (r1 exp(r2 t) - r2 exp(r1 t))/(r1 - r2), r1 = -10.001
    answer = program(model.replace('(x - sin(t))', 'x'), '--start', 't=-50', '--to', 50, '--every', 100)
    yield answer.status == 0 and answer.told.startswith('CVODE') and abs(answer.rows[-1]['x']) < 1e-8, f'stiff, from -50: {answer.told}'
    # what becomes stiff on its way: x'' = 1 - exp(8 x) x', of which x' + (exp(8 x) - 1)/8 = t; by both methods
    for method in ('first', 'second'):
        answer = program("coordinates x\nkinetic 1/2*x'^2\nforce x = 1 - exp(8*x)*x'\n", '--to', 1000, '--every', 50, '--method', method)
        worst = max(abs(row["x'"] + math.expm1(8 * row['x']) / 8 - row['t']) / (1 + row['t']) for row in answer.rows)
        yield answer.status == 0 and answer.told.startswith('Taylor') and 'becomes stiff' in answer.told and '\nCVODE' in answer.told and \
            len(answer.rows) == 21 and answer.rows[-1]['t'] == 1000, f'does not become stiff: {answer.told}'
        yield worst < 1e-8, f'becomes stiff: off by {worst:.2g}'
    # what decays two hundred times while the rest changes once is not: x = a sin 2t + b cos 2t after a while; the
    # argument 4e4 is rounded by 4e-12, and the amplitude is 5e-3
    driven = "coordinates x\nkinetic 1/2*x'^2\nforce x = sin(2*t) - 100*x' - x\n"
    answer = program(driven, '--to', 2e4, '--every', 2e4)
    a, b = -3 / (9 + 200 ** 2), -200 / (9 + 200 ** 2)
    apart = abs(answer.rows[-1]['x'] - a * math.sin(4e4) - b * math.cos(4e4))
    yield answer.told.startswith('Taylor') and 'CVODE' not in answer.told and apart < 1e-13, f'taken for stiff, off by {apart:.2g}: {answer.told}'
    for smooth, to in ((PENDULUM, 1000), (OSCILLATOR, 1000)):
        answer = program(smooth, '--to', to, '--every', to)
        yield answer.told.startswith('Taylor') and 'smooth' in answer.told, f'taken for stiff: {answer.told}'


# Constraints that stop being independent at a known time: the speed, the circle, the velocities of the cone are nothing there, and of
# the crank both rods lie on each other, where a has turned to pi/2.
BRAKE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 2*y\nconstraint x'^2 + y'^2 = (2 - t)^2\ninitial x' = 2\n"
SHRINKING = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = (1 - t)^2\ninitial x = 1\n"
CONE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential z\nconstraint z'^2 = x'^2 + y'^2\ninitial x' = 1, z' = 1\n"
# the same with forces across, which turn the velocity faster and faster where it becomes nothing: at t = 2.0024, by all solvers
BENT = ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential z + x^2/10\nforce y = x'/5, x = -y'/5\n"
        "constraint z'^2 = (x'^2 + y'^2)*exp(-x/5)\ninitial x' = 0.6, y' = 0.8, z' = 1\n")
CRANK = ("angles a, b\ncoordinates s\nkinetic 1/2*(a'^2 + b'^2 + s'^2)\nconstraint cos(a) + cos(b) = s\nconstraint sin(a) + sin(b) = 0\n"
         "initial a = 1/2, b = -1/2, s = 2*cos(1/2), a' = 1\n")
# velocities that are not linear in their parameters, and are nothing at t = 2 (the speed) and at t = 1 (both points, thrown upwards); the
# second once more without the constraint, where the rank of psi_alpha tells
SLOWING = BRAKE.replace("initial x' = 2\n", "velocities a\nparametric x' = (2 - t)*cos(a), y' = (2 - t)*sin(a)\n")
THROWN = ("coordinates x1, y1, x2, y2\nkinetic 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\npotential x1 + x2\nconstraint x1'*y2' = x2'*y1'\n"
          "velocities rho, sigma, a\nparametric x1' = rho*cos(a), y1' = rho*sin(a), x2' = sigma*cos(a), y2' = sigma*sin(a)\n"
          "initial rho = 1, sigma = 1\n")
THROWN_ALONE = '\n'.join(line for line in THROWN.split('\n') if not line.startswith('constraint'))
# a constraint that jumps at t = pi; |sin t| on the right-hand side has a velocity that does
JUMPS = ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\ninput u = sign(sin(t))\npotential y^2/2\nconstraint x' + y'/2 = u\ninitial y = 1\n",
         "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\ninput h = abs(sin(t))\npotential 9.81*y\nconstraint y = h + x^2\ninitial x = 1/2\n")

# x' = y and x' = -y, where psi does not contain the free velocity; and where it is given by the time. They meet at t = 1
FORK = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 = y^2*(2 + sin(x))\ninitial y = 1, x' = sqrt(2), y' = -1\n"
FORK_IN_TIME = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x'^2 = (1 - t)^2*(1 + y^2)\ninitial x' = 1, y' = -1\n"


def no_further(program, few):
    """No motion goes on where it is not determined: the run ends there, and says so. Not only by luck: with every tolerance."""
    tolerances = ('1e-12',) if few else ('1e-4', '1e-8', '1e-12')
    for (name, model, end), solver, method, tolerance in itertools.product(
            (('brake', BRAKE, 2), ('shrinking', SHRINKING, 1), ('cone', CONE, 2), ('bent', BENT, 2.00236), ('crank', CRANK, None), ('slowing', SLOWING, 2),
             ('thrown', THROWN, 1), ('thrown alone', THROWN_ALONE, 1), ('fork', FORK, 1), ('fork in time', FORK_IN_TIME, 1)),
            ('taylor', 'rk', 'cvode'), ('second', 'auto'), tolerances):
        if method == 'second' and name == 'thrown alone':
            continue
        answer = program(model, '--to', 3, '--every', 0.7, '--solver', solver, '--tol', tolerance, *(['--method', method] if method != 'auto' else []))
        what = f'{name}, {solver}, {method}, {tolerance}: {answer.status}\n{answer.told}'
        yield len(answer.rows) > 1 and answer.status == 1 and 'stopped at t = ' in answer.told, what
        if answer.status == 0:
            continue
        stopped = answer.number('stopped at t = ' if end else ', a = ')  # the crank: where 2 cos(a) = 0
        near = 1e-4 if tolerance == '1e-12' else 0.02
        yield abs(stopped - (end or round(math.pi / 2, 2))) < near and answer.rows[-1]['t'] < 2, what
        if tolerance == '1e-12' and (name, solver) != ('slowing', 'rk'):  # there the angle grows beyond all bounds first
            yield 'singular state' in answer.told, what
    for solver in ('taylor', 'rk'):  # among others, that get on: only equal velocities are both nothing at one time
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
                file.write('rho,sigma\n' + ''.join(f'{k},{k + k % 2}\n' for k in range(1, 12)))
            answer = program(THROWN, '--starts', 'starts.csv', '--to', 20, '--every', 20, '--solver', solver, folder=folder)
        ends = {int(row['start']): row for row in answer.rows}
        for k in range(1, 12):
            yield (ends[k]['t'] == 20) == (k % 2 == 1), f'thrown, start {k}, {solver}: {answer.told}'
            if k % 2:
                yield abs(ends[k]['x2'] - (20 * (k + 1) - 200)) < 1e-9, f'thrown, start {k}, {solver}: {ends[k]}'
    for model, solver, method in itertools.product(JUMPS, ('taylor', 'cvode'), ('first', 'second')):
        first = program(model, '--to', 5, '--at', '1,3,3.2', '--start', 't=0.5', '--project', '--solver', solver, '--method', method)
        yield first.status == 1 and abs(first.number('stopped at t = ') - math.pi) < 1e-9 and 'jump' in first.told and \
            first.rows[-1]['t'] == 3, f'{model}, {solver}, {method}: {first.status}\n{first.told}'
    # a start on the jump itself, where the sign is 0, which is neither what was nor what comes: there is no motion from there
    for model, solver, method, to in itertools.product(JUMPS, ('taylor', 'rk'), ('first', 'second'), (1, -1)):
        first = program(model, '--to', to, '--every', 0.25, '--solver', solver, '--method', method)
        yield first.status == 1 and first.number('stopped at t = ') == 0 and 'the constraints or the momenta jump there' in first.told and \
            len(first.rows) == 1, f'{model}, on the jump, {solver}, {method}, to {to}: {first.status}, {len(first.rows)} rows\n{first.told}'
    still = "coordinates x, y\ninput u = sign(t)\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x' = u*y\n"  # y = 0: whatever the sign is, nothing moves
    for method in ('first', 'second'):
        answer = program(still, '--to', 1, '--method', method)
        yield answer.status == 0 and answer.rows[-1]['t'] == 1 and answer.rows[-1]['x'] == 0, f'{still}, {method}: {answer.told}'
    # without a force x' + b' is constant for a point at x + b: x' would jump with b' = sign(t - 1), and is 1 - 2 max(0, t - 1) for b = max(0, t - 1)^2
    frame = "coordinates x\ninput b = %s\npoint P at (x + b, 0) mass 2\ninitial x' = 1\n"
    for solver, method in itertools.product(('taylor', 'rk', 'cvode'), ('first', 'second')):
        jumps = program(frame % 'abs(t - 1)', '--to', 2, '--every', 0.3, '--solver', solver, '--method', method)
        yield jumps.status == 1 and abs(jumps.number('stopped at t = ') - 1) < 1e-12 and 'the momenta jump' in jumps.told and len(jumps.rows) == 4, \
            f'frame that turns back, {solver}, {method}: {jumps.status}\n{jumps.told}'
        bends = program(frame % 'max(0, t - 1)^2', '--to', 2, '--every', 0.25, '--solver', solver, '--method', method)
        yield bends.status == 0 and len(bends.rows) == 9 and all(abs(row["x'"] - 1 + 2 * max(0, row['t'] - 1)) < 1e-10 for row in bends.rows), \
            f'frame that bends, {solver}, {method}: {bends.status}\n{bends.told}'
    smooth = JUMPS[0].replace('sign(sin(t))', 'max(0, sin(t))')  # a corner is none
    answer = program(smooth, '--to', 5)
    yield answer.status == 0, f'{smooth}: {answer.told}'


# what jumps without a word for it: momenta, of a free point at x + b(t) that keeps x' + b', and constraints; and where
LINE, PLANE, SPACE = (f"coordinates {', '.join(q)}\n" for q in ('x', 'xz', 'xyz'))
SHIFTED = LINE + "point P at (x + %s, 0) mass 1\ninitial x' = 1\n"
SCALED = PLANE + "kinetic 1/2*x'^2 + 1/2*%s*z'^2\ninitial x' = 1, z' = 1\n"
TIED = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n%s\ninitial x' = 1\n"
TIED_IN_SPACE = SPACE + "kinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = %s*y'\ninitial x' = 1, z' = 1\n"
WORDLESS = ((SHIFTED % 'sqrt((t - 1)^2)', 1), (SHIFTED % 'sqrt(t^2 - 2*t + 1)', 1), (SHIFTED % 'asin(sin(t))', math.pi / 2), (SHIFTED % 'acos(cos(3*t))', math.pi / 3),
            (LINE + "kinetic 1/2*(2 + sqrt((t - 1)^2)/(t - 1))*x'^2\ninitial x' = 1\n", 1), (LINE + "kinetic 1/2*x'^2 + sqrt((t - 1)^2)/(t - 1)*x'\ninitial x' = 1\n", 1),
            (SCALED % '(2 + sqrt((x - 1)^2)/(x - 1))', 1), (SCALED % '(4 + atan2(x - 1, 0))', 1),
            (TIED % "input u = atan2(t - 1, 0) + 2\nconstraint y' = u*x'", 1), (TIED % "input u = atan(tan(t)) + 1\nconstraint y' = u*x'", math.pi / 2),
            (TIED % 'constraint y = 2*asin(sin(x))', math.pi / 2), (TIED % 'input u = asin(sin(3*t))\nconstraint y = u', math.pi / 6), (TIED % 'constraint y = sqrt((t - 1)^2)', 1),
            (TIED_IN_SPACE % '(2 + sqrt((x - 1)^2)/(x - 1))', 1), (TIED_IN_SPACE % '(sqrt((t - 1)^2)/(t - 1))', 1))
# the same without a jump, and what is constant: x' + b', p_z, and the value of the constraint
GOES_ON = ((SHIFTED % 'sqrt((t - 1)^4)', lambda row: row["x'"] + 2 * (row['t'] - 1)), (SHIFTED % 'sqrt(t^2 + 1)', lambda row: row["x'"] + row['t'] / math.hypot(row['t'], 1)),
           (PLANE + "point P at (x + (t - 1)^2/2, 0) mass 1\npoint Q at (z + sqrt((t - 1)^2)*(t - 1)^2, 0) mass 1\ninitial x' = 1, z' = 3\n",  # at rest, and together, at t = 1
            lambda row: row["x'"] + row['t'] + row["z'"] + 3 * abs(row['t'] - 1) * (row['t'] - 1)),
           (SCALED % '(4 + atan2(x - 1, 1))', lambda row: (4 + math.atan(row['x'] - 1)) * row["z'"]),
           (TIED % "constraint y' = x'*atan(1/(x - 1)^2)", lambda row: row["y'"] - row["x'"] * math.atan(1 / (row['x'] - 1) ** 2)))


def without_a_word(program, few):
    """A jump of momenta or constraints ends the run also where it is that of a root, an arc or atan2; and nothing else does."""
    for (model, end), solver in itertools.product(WORDLESS, ('taylor', 'rk', 'cvode')):
        answer = program(model, '--to', 3, '--every', 0.5, '--solver', solver)
        near = 1e-7 if solver == 'cvode' else 1e-9
        yield answer.status == 1 and abs(answer.number('stopped at t = ') - end) < near and answer.rows[-1]['t'] <= end, \
            f'{model}, {solver}: {answer.status}\n{answer.told}'
    for (model, constant), solver, method in itertools.product(GOES_ON, ('taylor', 'rk', 'cvode'), ('first', 'second')):
        if (solver, method) == ('taylor', 'second') and 'point Q' in model:
            continue  # z'' is 0/0 at t = 1, and a series has no value there
        answer = program(model, '--to', 3, '--every', 0.3, '--solver', solver, '--method', method)
        values = [constant(row) for row in answer.rows]
        yield answer.status == 0 and max(values) - min(values) < (1e-7 if solver == 'cvode' else 1e-10), f'{model}, {solver}, {method}: {answer.status}, {values}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 's.csv'), 'w', encoding='ascii') as file:
            file.write('x\n' + ''.join(f'{k}\n' for k in range(9)))
        for solver in ('taylor', 'rk'):
            answer = program(WORDLESS[0][0], '--starts', 's.csv', '--to', 3, '--every', 0.3, '--solver', solver, folder=folder)
            yield answer.status == 1 and max(row['t'] for row in answer.rows) <= 1 and len(answer.rows) == 9 * 4, f'many, {solver}: {len(answer.rows)} rows\n{answer.told}'


def turning(program, few):
    """A constant speed v has the angle of the velocity as its free velocity, which has no end. Turned by B at every time, a point goes round in a circle of
    radius v/B; after 2000 radians the first kind goes on as it began."""
    v, B = 2, 10
    model = f"coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -{B}*y', y = {B}*x'\nconstraint x'^2 + y'^2 = {v}^2\ninitial x' = {v}\n"
    for solver in ('taylor', 'rk'):
        answer = program(model, '--to', 200, '--every', 10, '--solver', solver)
        found = max(math.hypot(row['x'] - v / B * math.sin(B * row['t']), row['y'] - v / B * (1 - math.cos(B * row['t']))) for row in answer.rows)
        yield answer.status == 0 and 'first kind' in answer.told and 'fail' not in answer.told and 'second kind' not in answer.told and found < 1e-9, \
            f'turning, {solver}: off by {found:.2g}\n{answer.told}'


def bisected(f, a, b):
    while a < (a + b) / 2 < b:
        a, b = ((a + b) / 2, b) if (f((a + b) / 2) > 0) == (f(a) > 0) else (a, (a + b) / 2)
    return a


# x stays at 0, so that nothing shortens the steps: what the constraint is multiplied by vanishes where it likes
FACTOR = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint (%s)*x' = 0\ninitial y' = 1\n"
LANES = ("coordinates x, y\nparameters g = 1\nkinetic 1/2*(x'^2 + y'^2)\npotential -g*y\nvelocities u, v\n"
         "parametric x' = (y - 4)*(u + u^3), y' = v\ninitial y = 5\n")


def long_steps(program, few):
    """Singular states within steps as long as the run, where the factor changes sign and bends; and none where it only grows."""
    def cubic(s):
        return 8.4 - 4.4 * s - 0.3 * s * (s - 1) + 0.106 * s * (s - 1) * (s - 2)
    written = '8.4 - 4.4*s - 0.3*s*(s - 1) + 0.106*s*(s - 1)*(s - 2)'.replace('s', '(12.8*(t - 0.156))')
    for solver, to, factor, end in (('taylor', 2, '-1 + 6.55*t - 0.55*t^2', (6.55 - math.sqrt(6.55 ** 2 - 2.2)) / 1.1),
                                    ('taylor', 2, '9.9 - 4.35*t - 0.55*t^2', 2 - (6.55 - math.sqrt(6.55 ** 2 - 2.2)) / 1.1),
                                    ('taylor', 8, '1 - 5*t + 0.5*t^2', 5 - math.sqrt(23)),  # again at 9.8
                                    ('rk', 0.75, '14.6*sin(4.48*(t - 0.156)) - 1', 0.156 + math.asin(1 / 14.6) / 4.48),
                                    ('rk', 0.781, written, 0.156 + bisected(cubic, 1, 2) / 12.8)):
        answer = program(FACTOR % factor, '--to', to, '--every', to, '--method', 'second', '--solver', solver)
        yield answer.status == 1 and 'singular state' in answer.told and abs(answer.number('stopped at t = ') - end) < 1e-9, \
            f'{factor}, {solver}: {end}\n{answer.told}'
    for solver, factor in itertools.product(('taylor', 'rk'), ('1 + t', '1 + t^2', 'sqrt(1 + t)')):
        answer = program(FACTOR % factor, '--to', 1e6, '--every', 1e6, '--method', 'second', '--solver', solver)
        yield answer.status == 0 and answer.rows[-1]['y'] == 1e6, f'{factor}, {solver}: {answer.told}'
    # in lanes y - 4 = 1 + v t + g t^2/2
    starts = ((-5.6, 1.2), (-1.725, 0.275), (0.01, 0.001), (-5.6, 1.2))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
            file.write('v,g\n' + ''.join(f'{v},{g}\n' for v, g in starts))
        answer = program(LANES, '--starts', 'starts.csv', '--to', 8, '--every', 0.05, '--solver', 'taylor', folder=folder)
    for number, (v, g) in enumerate(starts, 1):
        last, end = max(row['t'] for row in answer.rows if row['start'] == number), (-v - math.sqrt(v * v - 2 * g)) / g if v < 0 else 8
        yield end - 0.05 < last <= end, f'{v}, {g}: {last} and not {end}\n{answer.told}'
    # no less than a step each, and once more for those that are looked at alone
    yield answer.number('4 motions in ') >= 7 and 'in lanes' in answer.told and '3 of 4 motions' in answer.told, answer.told
    # rows that become parallel, (1, 1) and (cos t, sin t), at 5 pi/4; the determinant of their products knows that to half of the digits
    parallel = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' + y' = 0\nconstraint cos(t)*x' + sin(t)*y' = 0\ninitial z' = 1\n"
    for solver in ('taylor', 'rk'):
        answer = program(parallel, '--start', 't=1', '--to', 5, '--every', 4, '--method', 'second', '--solver', solver)
        yield answer.status == 1 and 'singular state' in answer.told and abs(answer.number('stopped at t = ') - 1.25 * math.pi) < 1e-7, \
            f'parallel, {solver}: {answer.told}'


def from_nothing(program, few):
    """All is 0 at the start, also what decides a corner."""
    # drag has no series at rest: y' = -sqrt(g/c) tanh(sqrt(g c) t), y = -log(cosh(sqrt(g c) t))/c
    falls = ("coordinates x, y\nparameters c = 1/10\npoint P at (x, y) mass 1 force -c*norm(vel(P))*vel(P)\ngravity (0, -10)\n")
    answer = program(falls, '--to', 2, '--every', 0.5)
    worst = max(abs(row['y'] + 10 * math.log(math.cosh(row['t']))) + abs(row["y'"] + 10 * math.tanh(row['t'])) for row in answer.rows)
    yield answer.status == 0 and worst < 1e-10 and 'Runge-Kutta' in answer.told, f'drag from rest: {worst}\n{answer.told}'
    # but x = 0 and x = t^4/144 both satisfy x'' = sqrt(x): there is no motion to be followed
    for force in ('sqrt(x)', 'sqrt(abs(x))', '(x^2)^(1/3)'):
        answer = program(f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force}\n", '--to', 2)
        yield answer.status == 1 and len(answer.rows) == 1, f'{force}: {answer.status}\n{answer.told}'
    still = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\n"
    rate = math.sqrt(0.4)
    for force, solver, known in (('1 - 1e7*x\'', 'auto', 1e-7 - 1e-14), ('1 - 1e7*x\'', 'cvode', 1e-7 - 1e-14), ('1', 'cvode', 0.5), ('sin(t)', 'cvode', 1 - math.sin(1)),
                                 ('1 - 0.4*abs(x)', 'rk', 2.5 * (1 - math.cos(rate))), ('1 - 0.4*abs(x)', 'auto', 2.5 * (1 - math.cos(rate))),
                                 ("1 - 0.4*sign(x')", 'rk', 0.3), ("1 - 0.4*sign(x')", 'auto', 0.3), ('1 + max(0, x)', 'rk', math.cosh(1) - 1)):
        answer = program(still % force, '--to', 1, '--every', 1, '--solver', solver)
        error = 1e-9 if solver == 'cvode' or '1e7' in force else 1e-12
        yield answer.status == 0 and abs(answer.rows[-1]['x'] - known) < error * known, f'{force}, {solver}: {answer.rows}\n{answer.told}'


def told(program, few):
    """What is told of a run is so: changes within a step and before an event, and the place where a value is not finite."""
    swing = "coordinates x\nkinetic 1/2*x'^2\npotential x^2/2\ninitial x = 1\nintegral J = x^2 - 1\n"
    for options in (['--to', 2 * math.pi, '--every', 2 * math.pi], ['--until', 'x', '--every', 100]):
        answer = program(swing, *options)
        change = answer.number('J changes by ')
        yield answer.status == 0 and change > 0.9, f'{options}: {answer.told}'
    bent = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nvelocities u\nparametric x' = u^3 + u, y' = sin(u)\ninitial u = 1\n"
    answer = program(bent, '--method', 'second')
    yield answer.status == 1 and 'no second method' in answer.told, f'{answer.status}: {answer.told}'
    answer = program("coordinates x\nkinetic 1/2*x'^2\ninitial x = -1, x' = 1\nobserve e = 1/x\n", '--to', 2, '--every', 0.5)
    yield answer.status == 1 and answer.number('stopped at t = ') == 1 and 'column e' in answer.told and answer.rows[-1]['t'] == 0.5, answer.told
    rim = "coordinates x, y, z\nkinetic x'^2 + z'^2 + x^2*y'^2\nconstraint y' = x'\nforce x = 1\n"  # no inertia of y at x = 0
    answer = program(rim, '--method', 'second')
    yield answer.status == 1 and 'the metric g is singular there' in answer.told, f'{answer.status}: {answer.told}'
    # x = t up to the corner at pi/2; no step leads over it and is pulled back to the other side
    fold = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y = 2*asin(sin(x))\ninitial x' = 1\n"
    answer = program(fold, '--method', 'second', '--solver', 'cvode', '--to', 3, '--every', 0.5)
    yield answer.status == 1 and [row['t'] for row in answer.rows] == [0, 0.5, 1, 1.5] and all(abs(row['x'] - row['t']) < 1e-9 for row in answer.rows), \
        f'fold: {answer.rows} {answer.told}'
    # x = t - 1: log(x) has no value before t = 1, sqrt(2 - x) none behind t = 3, and the others nowhere; x^0 is 1
    claims = "coordinates x\nkinetic 1/2*x'^2\ninitial x = -1, x' = 1\nintegral A = log(x), B = sqrt(2 - x), C = asin(2 + 0*x), D = log(x) - log(-x), F = x'\n"
    answer = program(claims, '--to', 4, '--every', 1)
    yield answer.status == 0 and answer.number('B has no value at t = ') >= 3 and 'F changes by 0, relative' in answer.told and \
        all(f'{name} has no value at t = 0\n' in answer.told for name in 'ACD') and 'stays within' not in answer.told and \
        'F has' not in answer.told, f'no values: {answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 's.csv'), 'w', encoding='utf-8') as file:
            file.write('x\n-8\n1\n')
        for options in ([], ['--solver', 'cvode']):  # in lanes, and one by one
            answer = program(claims, '--to', 4, '--starts', 's.csv', *options, folder=folder)
            yield answer.status == 0 and 'A has no value at t = 0 of start 1\n' in answer.told and 'C has no value at t = 0 of start 1\n' in answer.told and \
                'B has no value at t = ' in answer.told and 'of start 2' in answer.told and 'F changes by' in answer.told and \
                'stays within' not in answer.told, f'no values, {options}: {answer.told}'


CORNERED = [  # what has a corner, a model, and when it is reached
    ('psi', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -1, y = -1\nconstraint x'^2 = y'^2\nvelocities u\nparametric x' = u, y' = sqrt(u^2)\n"
     "initial u = 1\n", 1),  # u = 1 - t
    ('C', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y' = sqrt(x^2)\ninitial x = 1, x' = -1, y' = 1\n", 1),  # x = 1 - t
    ('g', "coordinates x\nkinetic 1/2*(1 + sqrt(x^2))*x'^2\ninitial x = 1, x' = -1\n", 2 / 3 * (2 - math.sqrt(0.5)))]  # sqrt(1 + x) x' = -sqrt(2)


def bent(program, few):
    """What has to have derivatives has none where the root of a square is 0: the motion ends there. |u|^3 has, and so has what depends on the time alone."""
    for (name, model, end), options in itertools.product(CORNERED, (['--solver', 'taylor'], ['--solver', 'rk'], ['--solver', 'cvode'], ['--certify'],
                                                               ['--precision', 'long'], ['--method', 'second'])):
        if name == 'psi' and 'second' in options:
            continue  # C^a_i = 0 there
        answer = program(model, '--to', 3, '--every', 0.125, *options)
        yield answer.status == 1 and abs(answer.number('stopped at t = ') - end) < 1e-7 and 'have a corner there' in answer.told and \
            len(answer.rows) >= math.floor(end / 0.125), f'a corner of {name}, {options}: {answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 's.csv'), 'w', encoding='utf-8') as file:
            file.write('u\n1\n5\n')
        for solver in ('taylor', 'rk'):
            answer = program(CORNERED[0][1], '--to', 3, '--starts', 's.csv', '--solver', solver, folder=folder)
            yield answer.status == 1 and '1 of 2 motions did not reach their end; the first of them is start 1' in answer.told and \
                abs(answer.number('stopped at t = ') - 1) < 1e-7 and abs(answer.rows[-1]['u'] - 2) < 1e-9, f'corners of starts, {solver}: {answer.told}'
    answer = program(CORNERED[0][1].replace("constraint x'^2 = y'^2\n", '').replace('sqrt(u^2)', 'sqrt(u^2)^3'), '--to', 3)
    yield answer.status == 0 and answer.rows[-1]['u'] < 0, f'no corner: {answer.told}'
    answer = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y' = sqrt(sin(t)^2)\ninitial x' = 1\n", '--to', 2 * math.pi)
    yield answer.status == 0 and abs(answer.rows[-1]['y'] - 4) < 1e-10, f'a corner in time: {answer.told}'


PRODUCTS = [  # a model that follows one factor, and when another one vanishes
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -1, y = 1\nconstraint x'*y' = 0\ninitial x' = 1, y' = 0\n", 1),  # x' = 1 - t
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = 3\nconstraint (x' - 1)*(y' - x) = 0\ninitial x = 1, x' = 1, y' = 0\n", 0.5),  # 3 t = 1 + t
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1, y = 1\nconstraint x'*y' = 0\ninitial x' = 1, y' = 0\n", None)]  # x' = 1 + t


def products(program, few):
    """The motion goes on along its factor, which is told; where multipliers are asked for, and in all velocities, it ends, wherever the rows are."""
    for (model, meeting), solver in itertools.product(PRODUCTS, ('taylor', 'rk', 'cvode')):
        answer = program(model, '--to', 3, '--every', 0.25, '--solver', solver)
        told = 'its branches meet there, and the motion goes on' in answer.told
        yield answer.status == 0 and len(answer.rows) == 13 and told == (meeting is not None) and \
            (not told or abs(answer.number('another factor of a constraint vanishes at t = ') - meeting) < 1e-9), f'a product, {solver}: {answer.told}'
        for options in (['--reactions'], ['--reactions', '--every', 0.3], ['--method', 'second']):
            answer = program(model, '--to', 3, '--every', 0.25, '--solver', solver, *options)
            good = answer.status == 1 and abs(answer.number('stopped at t = ') - meeting) < 1e-4 if meeting else answer.status == 0
            yield good and 'branches meet' not in answer.told, f'a product, {solver}, {options}: {answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 's.csv'), 'w', encoding='utf-8') as file:
            file.write("x'\n-1\n2\n1\n5\n")
        answer = program(PRODUCTS[0][0], '--to', 3, '--starts', 's.csv', folder=folder)
        yield answer.status == 0 and 'along 2 of 4 motions' in answer.told and abs(answer.number('the first of them is start 2, at t = ') - 2) < 1e-9 and \
            [row["x'"] for row in answer.rows if row['t'] == 3] == [-4, -1, -2, 2], f'products of starts: {answer.told}'


def rows_in_longer_numbers(program, few):
    """x' + y' = 0 and 1.0000001 x' + y' = 0 leave z = t - t^2/2 alone, in longer numbers too."""
    model = ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential z + x\nparameters p = 1.0000001\nconstraint x' + y' = 0\nconstraint p*x' + y' = 0\n"
             "initial z' = 1\n")
    for precision, error in (('long', 1e-3), ('quad', 1e-15)):
        answer = program(model, '--method', 'second', '--precision', precision, '--to', 1, '--every', 1)
        last = answer.rows[-1]
        yield answer.status == 0 and answer.steps() < 100 and abs(last['z'] - 0.5) < 1e-12 and max(abs(last['x']), abs(last['y'])) < error, \
            f'nearly dependent, {precision}: {last} {answer.told}'


def charts(program, few):
    """Free velocities that fail, as x' = tanh t of a point of speed 1 under the force (1, 0), y' = 1/cosh t: the second kind may go on. Where g is
    degenerate, there is none."""
    answer = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1\nconstraint x'^2 + y'^2 = 1\nindependent x'\ninitial x' = 0, y' = 1\n",
                     '--method', 'first')
    yield answer.status == 1 and 7 < answer.number('stopped at t = ') < 8 and 'the second kind may go on' in answer.told and \
        abs(answer.rows[-1]["x'"] - math.tanh(answer.rows[-1]['t'])) < 1e-9, f'regular: {answer.told}'
    answer = program("coordinates x, y, z\nkinetic 1/2*(x' + y')^2 + 1/2*z'^2\npotential x^2 + z^2 + y^2/2\nconstraint z'*x' = y' + t\n"
                     "initial x = 1, x' = -1, y = 3/10, z' = 2\n")
    yield answer.status == 1 and 'there is no second kind' in answer.told and 'may go on' not in answer.told, f'degenerate: {answer.told}'


def corners(program, few):
    """A point that falls on a spring, y'' = -g + max(0, -k y), from y = h: free flight, then half an oscillation, and again."""
    g, k, h = 9.81, 1000, 1
    fall = math.sqrt(2 * h / g)
    w, v = math.sqrt(k), math.sqrt(2 * g * h)
    # in contact: y = -g/k + g/k cos(w s) - v/w sin(w s), until y = 0 again
    contact = 2 * (math.pi - math.atan2(v / w, g / k)) / w
    period = 2 * fall + contact

    def known(t):
        s = math.fmod(t, period)
        if s <= fall:
            return {'y': h - g * s * s / 2, "y'": -g * s}
        if s <= fall + contact:
            s -= fall
            return {'y': -g / k + g / k * math.cos(w * s) - v / w * math.sin(w * s), "y'": -g / w * math.sin(w * s) - v * math.cos(w * s)}
        s = period - s
        return {'y': h - g * s * s / 2, "y'": g * s}
    model = "coordinates y\nparameters g = 9.81, k = 1000\nkinetic 1/2*y'^2\nforce y = -g + max(0, -k*y)\ninitial y = 1\n"
    answer = program(model, '--to', 5)
    found = off(answer.rows, known)
    yield answer.status == 0 and answer.told.startswith('Taylor') and 'corners' in answer.told, f'corners: {answer.told}'
    yield len(answer.rows) == 101 and found < 1e-9, f'spring below: off by {found:.2g}'
    # a block with dry friction, until shortly before it stops; v = v0 - mu g t
    model = "coordinates x\nparameters mu = 0.3, g = 9.81\nkinetic x'^2\nforce x = -2*mu*g*sign(x')\ninitial x' = 3\n"
    answer = program(model, '--to', 1)
    found = off(answer.rows, lambda t: {'x': 3 * t - 0.3 * 9.81 * t * t / 2, "x'": 3 - 0.3 * 9.81 * t})
    yield answer.status == 0 and answer.told.startswith('Taylor') and found < 1e-12, f'friction: off by {found:.2g}\n{answer.told}'
    # |x| in place of x^2/2: parabolas of the period 4 sqrt(2)
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = -sign(x)\ninitial x = 1\n"

    def parabolas(t):
        number = round(t / (2 * math.sqrt(2)))
        s = t - number * 2 * math.sqrt(2)
        return {'x': (-1) ** number * (1 - s * s / 2), "x'": (-1) ** (number + 1) * s}
    answer = program(model, '--to', 20)
    found = off(answer.rows, parabolas)
    yield answer.status == 0 and len(answer.rows) == 101 and found < 1e-9, f'parabolas: off by {found:.2g}\n{answer.told}'


def singular_ends(program, few):
    """x'' = -1/x^3 from rest at 1 has x^2 = 1 - t^2; Kepler's fall x'' = -1/(2 x^2) ends at pi/2.
    Both are known by the time at which x is reached."""
    fall = "coordinates x\nkinetic 1/2*x'^2\npotential %s\ninitial x = 1\n"
    cases = ((fall % '-1/(2*x^2)', 1, lambda x: math.sqrt(1 - x * x)),
             (fall % '-1/(2*x)', math.pi / 2, lambda x: math.acos(math.sqrt(x)) + math.sqrt(x * (1 - x))))
    reasons = ('a value is not finite there', 'steps became too small', 'a singular state')
    for (model, end, time), solver, method in itertools.product(cases, ('taylor', 'rk', 'cvode'), ('first', 'second')):
        answer = program(model, '--to', 3, '--every', '0.125', '--solver', solver, '--method', method)
        at = answer.number('stopped at t = ') if 'stopped at t = ' in answer.told else math.nan
        whole = math.floor(end * 8)
        late = max(abs(time(row['x']) - row['t']) for row in answer.rows)
        yield answer.status == 1 and whole <= len(answer.rows) <= whole + 1 and abs(at - end) < 1e-6 and late < 1e-7 and \
            'nan' not in answer.text and 'inf' not in answer.text and answer.told.rstrip().split('\n')[-1].startswith(reasons), \
            f'{end}, {solver}: {answer.status}, {late:.2g}\n{answer.told}'
    for name, options in (('plain', []), ('rk', ['--solver', 'rk'])):
        answer = program("coordinates x\nkinetic 1/2*x'^2\nforce x = -1/sqrt(x)\ninitial x = 1\n", '--to', 5, *options)
        yield answer.status == 1 and 'nan' not in answer.text and 10 < len(answer.rows) < 101, \
            f'root, {name}: {answer.status}\n{answer.told}'


def precisions(program, few):
    """Every printed digit of what a decimal parameter and a decimal start mean."""
    times = [1.0, 2.5, 5.0, 10.0, 20.0]
    model = "coordinates x\nparameters k = 9.81\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\ninitial x = 0.1\n"
    ways = [(model, []), (model.replace('9.81', '1'), ['--set', 'k=9.81']), (model.replace('0.1', '7'), ['--start', 'x=0.1'])]
    w = Decimal('9.81').sqrt()
    for text, more in ways:
        answer = program(text, '--at', ','.join(map(str, times)), '--precision', 'quad', '--tol', '1e-28', *more)
        wrong = []
        for t, row in zip(times, answer.rows):
            c, s = exact_cos_sin(w * Decimal(t))
            wrong += [t] if row['x'] != float(c / 10) or row["x'"] != float(-w * s / 10) else []
        yield answer.status == 0 and len(answer.rows) == len(times) and not wrong, f'quad, oscillator {more}: wrong at {wrong}'
        answer = program(text, '--at', ','.join(map(str, times)), '--precision', 'long', '--tol', '1e-19', *more)
        found = max(max(abs(Decimal(row['x']) - exact_cos_sin(w * Decimal(t))[0] / 10) * 10,
                        abs(Decimal(row["x'"]) + w * exact_cos_sin(w * Decimal(t))[1] / 10) * 3) for t, row in zip(times, answer.rows))
        yield answer.status == 0 and found < Decimal('1.5e-16'), f'long, oscillator {more}: {found:.2g}'
    known = exact_pendulum(Decimal('0.1'), Decimal('0.3'), Decimal('9.81'), times)
    answer = program(PENDULUM, '--set', 'l=1', '--start', "q=0.1,q'=0.3", '--at', ','.join(map(str, times)), '--precision', 'quad',
                     '--tol', '1e-28')
    wrong = [row['t'] for row in answer.rows if (row['q'], row["q'"]) != tuple(map(float, known[row['t']]))]
    yield answer.status == 0 and len(answer.rows) == len(times) and not wrong, f'quad, pendulum: wrong at {wrong}'


def longer_numbers(program, few):
    """A pendulum on its way to the upright: q'' = -sin q, q'(0) = 2 has q' = 2/cosh t, and errors grow like exp(t) beside what decays so. What is
    left at each time is what the precision promises, whatever part of the work was done in shorter numbers."""
    model = "angles q\nkinetic 1/2*q'^2\npotential -cos(q)\ninitial q' = 2\n"
    for precision, tolerance, at, rounding in (('double', '1e-16', 8, 2**-53), ('long', '1e-19', 12, 2**-64), ('quad', '1e-33', 30, 2**-113)):
        answer = program(model, '--at', at, '--precision', precision, '--tol', tolerance, *(() if few else ('--compile', 'always')))
        found = abs(answer.rows[-1]["q'"] * math.cosh(at) / 2 - 1)
        yield answer.status == 0 and found < 300 * rounding * math.exp(2 * at) / 4, f'upright, {precision}: off by {found:.2g}'


# q'' = q, along a line of the constraint, so that from q' = -q each coordinate is q(0) exp(-t), and what the start lacks grows like exp(t). The
# start is completed, of least energy, on a cube, on positions, moved across the line by 2e-8, and made of parameters.
ALONG = "kinetic 1/2*(x'^2 + y'^2%s)\npotential -1/2*(x^2 + y^2%s)\n"
SHARP = (
    ('completed', "coordinates x, y\n" + ALONG % ('', '') + "constraint y' = x'/3\ninitial x = 1/3, y = 1/9, y' = -1/9\n", 'x', 1 / 3),
    ('least energy', "coordinates x, y, w\n" + ALONG % (" + w'^2", ' + w^2') + "constraint x' + y' + w' = 0\n"
     "initial x = 1/3, y = -1/6, w = -1/6, x' = -1/3\n", 'w', -1 / 6),
    ('on a cube', "coordinates x, y\n" + ALONG % ('', '') + "constraint x'^3 = 2*y'^3\nvelocities u\nparametric x' = 2^(1/3)*u, y' = u\n"
     "initial x = -2^(1/3)/3, y = -1/3, y' = 1/3\n", 'x', -2 ** (1 / 3) / 3),
    ('on two cubes', "coordinates x, y, z\n" + ALONG % (" + z'^2", ' + z^2') + "constraint x'^3 = 2*y'^3\nconstraint x'^3 = 3*z'^3\nvelocities u\n"
     "parametric x' = u, y' = u/2^(1/3), z' = u/3^(1/3)\ninitial x = 1/3, y = 1/3/2^(1/3), z = 1/3/3^(1/3), z' = -1/3/3^(1/3)\n", 'y', 2 ** (-1 / 3) / 3),
    ('on positions', "coordinates x, y\n" + ALONG % ('', '') + "constraint y = sqrt(2)*x\ninitial x = 1/3, x' = -1/3\n", 'y', 2 ** 0.5 / 3),
    ('moved', "coordinates x, y\n" + ALONG % ('', '') + "constraint y' = sqrt(2)*x'\n"
     "initial x = 1/3, y = sqrt(2)/3, x' = -1/3 - 2e-8*sqrt(2), y' = -sqrt(2)/3 + 2e-8\n", 'y', 2 ** 0.5 / 3),
    ('parameters', "coordinates x, y\nparameters a = sqrt(2), b = 1/3, c = sin(a)*pi^3*b\n" + ALONG % ('', '') + "constraint y' = x'/3\n"
     "initial x = c, y = c/3, y' = -c/3\n", 'x', math.sin(2 ** 0.5) * math.pi ** 3 / 3))


def sharp_starts(program, few):
    """Starts that are completed are as exact as the numbers of the run: 1e-17 would be seen in long double, 1e-30 in quadruple precision."""
    for (name, model, column, start), (precision, tolerance, at, rounding) in itertools.product(
            SHARP, (('long', '1e-19', 12, 2**-64), ('quad', '1e-33', 30, 2**-113))):
        for method in ('first', 'second') if 'cube' not in name else ('first',):
            answer = program(model, '--at', at, '--precision', precision, '--tol', tolerance, '--method', method)
            found = abs(answer.rows[-1][column] * math.exp(at) / start - 1)
            yield answer.status == 0 and found < 4 * rounding * math.exp(2 * at), f'{name}, {precision}, {method}: off by {found:.2g}'


def time_scales(program, few):
    """x'' = -w^2 (x - a): w of every size, from rest and from the origin, alone and beside others."""
    model = "coordinates x, turns\nparameters w = 1, a = 0\nkinetic 1/2*x'^2\npotential 1/2*w^2*(x - a)^2\nconstraint turns' = w\n"
    for w, a, precision in itertools.product(('1e-100', '1e-16', '1e-13', '1e10', '1e14', '1e40'), (0, 2), ('double', 'long', 'quad')):
        start = 1 - a / 2  # at rest at 1, or at the origin
        answer = program(model, '--set', f'w={w},a={a}', '--start', f'x={start}', '--to', f'10/{w}', '--every', f'1/{w}', '--precision', precision)
        found = max(abs(row['x'] - a - (start - a) * math.cos(row['t'] * float(w))) for row in answer.rows)
        yield answer.status == 0 and len(answer.rows) == 11 and found < 1e-13 and 'energy changes by' in answer.told, \
            f'w = {w}, a = {a}, {precision}: {answer.status}, off by {found:.2g}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'starts.csv')
        rates = [1e-100, 1.0, 1e16, 3e-14, 2.0, 7e12]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('w,x\n' + ''.join(f'{w},1\n' for w in rates))
        plain = model.replace(', turns', '').split('constraint')[0]
        for to in (1e-14, 1e14):
            answer = program(plain, '--starts', path, '--to', to, '--every', to, '--max-seconds', 10)
            ended = [row for row in answer.rows if row['t'] == to and rates[int(row['start']) - 1] * to < 100]
            wrong = [row for row in ended if not abs(row['x'] - math.cos(rates[int(row['start']) - 1] * to)) < 1e-12]
            yield len(ended) == sum(w * to < 100 for w in rates) and not wrong, f'starts to {to}: {wrong}\n{answer.told}'
    # as many steps as no one waits for are not a singularity
    answer = program(plain, '--to', 1e18, '--start', 'x=1')
    yield answer.status == 1 and 'no end is in sight' in answer.told and 'singular' not in answer.told, f'endless: {answer.told}'
    answer = program(OSCILLATOR, '--to', 1e12, '--every', 1e12, '--solver', 'cvode')
    yield answer.status == 1 and 'no end is in sight' in answer.told and 'singular' not in answer.told, f'endless, CVODE: {answer.told}'


def in_any_units(program, few):
    """y' = sqrt(c^2 - u^2) under a force across: u = c/cosh((t0 - t)c/L), and the motion ends where y' is 0, at t0 = (L/c) arcosh(1/0.8) = (L/c) ln 2."""
    model = ("coordinates x, y\nparameters L = 1, c = 1\nkinetic 1/2*(x'^2 + y'^2)\nforce y = -c^2/L\nvelocities u\n"
             "parametric x' = u, y' = sqrt(c^2 - u^2)\ninitial u = 0.8*c\n")
    for L, c in (('1', '1'), ('1e4', '1'), ('1e-7', '1'), ('1', '1e4'), ('1e5', '1e-3')):
        answer = program(model, '--set', f'L={L},c={c}', '--to', f'3*{L}/{c}', '--every', f'0.1*{L}/{c}', '--max-seconds', 20)
        end = math.log(2) * float(L) / float(c)
        yield answer.status == 1 and abs(answer.number('stopped at t = ') / end - 1) < 1e-4 and answer.rows[-1]['t'] < end, f'{L}, {c}: {answer.told}'
    # small velocities that are off a constraint by as much as they are large
    small = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y' = x'\n"
    for size in ('1e-20', '2e-7', '1', '1e9'):
        answer = program(small, '--start', f"x'={size},y'=0", '--to', 1)
        yield answer.status == 2 and 'violate' in answer.told, f'{size}: {answer.status}'
        answer = program(small, '--start', f"x'={size},y'={size}*(1+1e-8)", '--to', 1)
        yield answer.status == 0 and abs(answer.rows[0]["x'"] / float(size) - 1) < 1e-8, f'{size}, near: {answer.status} {answer.told}'


# A component that is 0 until a corner is crossed, and one that the soak found: Runge-Kutta had no end there
SLEEPING = """angles psi
coordinates q1, mass
parameters Omega = 2/3, g = 3
kinetic 1/2*(9/10*psi'^2 + g*q1'^2 + mass'^2)
gravity (0, -Omega)
point j at (psi*mass, cos(psi)) mass 5
point K at (0, cos(mass)^2) force -(Omega*vel(K)) mass Omega
potential 5*(psi - q1)^2/2
force psi = atan2(mass', 2)*q1, q1 = -(tanh(q1')*q1'^2) - abs(q1'), mass = sign(q1)*psi' - abs(psi')
initial psi = 1, q1 = 1/8, psi' = 6/25, q1' = -(91/100)
"""


def from_a_corner(program, few):
    # y stays at 0, where sign(y') is 0: x = cos t, of which the corner takes nothing away
    for solver in ('taylor', 'rk', 'cvode'):
        answer = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*x^2\nforce y = -sign(y')\ninitial x = 1\n", '--to', 20, '--solver', solver)
        worst = max(abs(row['x'] - math.cos(row['t'])) for row in answer.rows)
        yield answer.status == 0 and worst < (1e-6 if solver == 'cvode' else 1e-10), f'on a corner, {solver}: {worst} {answer.told}'
    by_series, by_stages = (program(SLEEPING, '--to', 1, '--solver', solver, '--max-seconds', 20) for solver in ('taylor', 'rk'))
    yield by_stages.status == 0 and apart(by_series.rows, by_stages.rows) < 1e-7, f'{by_stages.told}\n{by_series.told}'
    # all is nothing up to t = c; behind that x' = a s^(p+1)/(p+1), s = t - c
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
            file.write('t\n0\n0\n0\n')
        for c, p, a, solver in itertools.product((1 / 3, 1, 40), (0, 1, 3, 9), (1, 1e-30, 1e9), ('taylor', 'rk')):
            force = f'{a!r}*(1 + sign(t - {c!r}))/2' if p == 0 else f'{a!r}*max(0, t - {c!r})^{p}'
            for more in ([], ['--tol', '1e-7'], ['--starts', 'starts.csv']):
                answer = program(f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force}\n", '--to', c + 2, '--every', c + 2, '--solver', solver, *more, folder=folder)
                ends = [row for row in answer.rows if row['t'] == c + 2]
                found = max([abs(row["x'"] / (a * 2 ** (p + 1) / (p + 1)) - 1) + abs(row['x'] / (a * 2 ** (p + 2) / (p + 1) / (p + 2)) - 1) for row in ends], default=math.inf)
                yield answer.status == 0 and found < (1e-6 if '--tol' in more else 1e-11), f'from nothing, {force}, {solver}, {more}: off by {found:.2g}\n{answer.told}'


# 1/x in the drift of the free velocities, where nothing happens to the motion at x = 0
HIDDEN = """coordinates x, y, z, w, v
kinetic 1/2*(x'^2 + y'^2 + z'^2 + w'^2 + v'^2)
constraint 0.5*z*x' + (1 + 0.3*sin(v))*y' = 0
constraint 2*x*x' + z/(2 + cos(z))*w' + x*v = -1.16
constraint 2/(2 + cos(v))*z' + (1 + 0.3*sin(y))*y' = 0
initial x = 0.271, y = -0.547, w = 0.0481, z = -0.138, v = 0.0247, v' = 0.65, w' = 0.187
"""
# Twice the same blade where d1 = d2
TWICE = """coordinates x, y
angles a
parameters d1 = 1/2, d2 = %s
kinetic 1/2*(x'^2 + y'^2 + a'^2)
force a = 1
constraint y'*cos(a) - x'*sin(a) + d1*a' = 0
constraint y'*cos(a) - x'*sin(a) + d2*a' = 0
initial x' = 1
"""


def steep(program, few):
    """x'' = -sign(x) |x|^n from x = 1: a quarter of the period is sqrt((n + 1)/2) times the integral of 1/sqrt(1 - x^(n + 1)), Beta(1/(n + 1), 1/2)/(n + 1). There
    the force has an infinite slope and no series, and the motion goes on; not where the force ends."""
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = -%s\ninitial x = 1\n"
    for force, n in (('sqrt(abs(x))*sign(x)', 1 / 2), ('abs(x)^(1/3)*sign(x)', 1 / 3), ('abs(x)^(3/4)*sign(x)', 3 / 4)):
        beta = math.gamma(1 / (n + 1)) * math.sqrt(math.pi) / math.gamma(1 / (n + 1) + 1 / 2)
        quarter = math.sqrt((n + 1) / 2) * beta / (n + 1)
        answer = program(model % force, '--to', 20 * quarter, '--every', quarter)
        found = max(abs(row['x'] - (1, 0, -1, 0)[i % 4]) for i, row in enumerate(answer.rows))
        yield answer.status == 0 and len(answer.rows) == 21 and found < 1e-9, f'{force}: off by {found:.2g}\n{answer.told}'
    answer = program(model % 'sqrt(x)', '--to', 20)
    yield answer.status == 1 and abs(answer.number('stopped at t = ') - math.gamma(2 / 3) * math.sqrt(math.pi) / math.gamma(7 / 6) / math.sqrt(3)) < 1e-6, f'sqrt(x): {answer.told}'


def independence(program, few):
    """Constraints that depend on each other: at a state, with the values of the parameters at all of them, or on the way, where a factor that psi does not have
    vanishes."""
    for method in ('first', 'second', 'both'):
        answer = program(TWICE % '1/2', '--to', 1, '--method', method)
        yield answer.status == 2 and 'lines 6, 7 depend on each other' in answer.told and 'at every state' in answer.told, f'{method}: {answer.told}'
        answer = program(TWICE % '2/5', '--to', 1, '--method', method)  # both together: a' = 0, straight on
        yield answer.status == 0 and abs(answer.rows[-1]['x'] - 1) < 1e-12 and abs(answer.rows[-1]['a']) < 1e-12, f'{method}: {answer.told}'
    place = "coordinates x, y, z\nparameters k = 1\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
    for constraints in ("constraint x - y = 0\nconstraint x - k*y = 0\n", "constraint (k - 1)*(x' - y') = 0\n"):
        answer = program(place + constraints, '--to', 1)
        yield answer.status == 2 and 'at every state' in answer.told, f'{constraints}: {answer.told}'
    crossing = "constraint x' + y' = 0\nconstraint x' + z*y' = 0\ninitial z' = 1\n"  # one equation at z = 1
    turning = "constraint x' + y' = 0\nconstraint cos(t)*x' + sin(t)*y' = 0\ninitial z' = 1\n"
    for constraints, begin, end in ((crossing, 0, 1), (turning, 1, 1.25 * math.pi)):
        for solver in ('taylor', 'rk'):
            answer = program(place + constraints, '--start', f't={begin}', '--to', 5, '--solver', solver)
            yield answer.status == 1 and 'singular state' in answer.told and abs(answer.number('stopped at t = ') - end) < 1e-7, f'{constraints}: {answer.told}'
        answer = program(place + constraints, '--start', f't={end!r},z={end!r}', '--to', 5)
        yield answer.status == 2 and 'depend on each other there' in answer.told, f'{constraints}: {answer.told}'
    # blades that are next to their axle, or at it: x' = u cos(a), ...; with a force u' = cos(a)/2 and a'' = 0 where l = 0
    for size in ('1', '1e-6', '1e-9', '1e-200', '0'):
        blade = f"coordinates x, y\nangles a\nparameters l = {size}\nkinetic x'^2 + y'^2 + a'^2\nconstraint x'*sin(a) - y'*cos(a) + l*a' = 0\nforce x = 1\n"
        first, second = (program(blade + "initial x' = 1, a' = 2\n", '--to', 2, '--reactions', '--project', '--method', method) for method in ('first', 'second'))
        yield first.status == second.status == 0 and apart(first.rows, second.rows) < 1e-10, f'{size}: {first.told}\n{second.told}'
        yield size in ('1', '1e-6') or abs(first.rows[-1]['a'] - 4) < 1e-8, f'{size}: {first.rows[-1]}'
    for small in ("x' = 1e-200*y'\ninitial y' = 1", "1e-200*y' = x'\ninitial y' = 1", "y' = 1e200*x'\ninitial y' = 1"):
        answer = program(f"coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = 1\nconstraint {small}\n", '--to', 2)
        yield answer.status == 0 and abs(answer.rows[-1]['y'] - 4) < 1e-12, f'{small}: {answer.told}'
    first, second = (program(HIDDEN, '--to', 0.3, *options) for options in ((), ('--method', 'second')))
    yield first.status == second.status == 0 and apart(first.rows, second.rows) < 1e-9, f'{first.told}\n{second.told}'


TESTS = (closed_forms, tolerances, exact_ends, there_and_back, energy, both_ways, certificates, nearly_dependent, stiff_systems, bent, products, rows_in_longer_numbers, charts, corners, singular_ends, no_further, without_a_word, turning, long_steps, from_nothing, told,
         precisions, longer_numbers, sharp_starts, time_scales, in_any_units, from_a_corner, steep, independence)


if __name__ == '__main__':
    judge(TESTS, Program(sys.argv[1]), '--few' in sys.argv, 100)
