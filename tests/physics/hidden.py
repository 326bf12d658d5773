#!/usr/bin/env python3
"""hidden.py NONHOLO [--few]: what the coefficients of a series where a step begins do not show: gaps, pulses, walls, numbers that are too large. --few: for
slow builds.

What is expected comes from integrals and closed forms that are written down here; nothing is taken from the program's output."""
import itertools
import math
import os
import sys
import tempfile

from systems import Program, apart, judge

# From rest, or from a symmetric state: series with gaps, of which the last coefficients may say nothing. The constants of motion are by hand.
GAPS = {
    'parabola': ("coordinates x\npoint P at (x, x^2/2) mass 1\npotential -x\n", 3,
                 lambda r: (1 + r['x'] ** 2) * r["x'"] ** 2 / 2 - r['x'], 0),
    'well': ("coordinates x\nkinetic 1/2*x'^2\nforce x = 1/(1 + x^4)\n", 3,
             lambda r: r["x'"] ** 2 / 2 - integral(lambda s: 1 / (1 + s ** 4), r['x']), 0),
    'bell': ("coordinates x\nkinetic 1/2*x'^2\nforce x = exp(-x^2)\n", 5, lambda r: r["x'"] ** 2 - math.sqrt(math.pi) * math.erf(r['x']), 0),
    'powers of time': ("coordinates x\nkinetic 1/2*x'^2\nforce x = 1/(1 + t^6)\n", 2,
                       lambda r: r["x'"] - integral(lambda s: 1 / (1 + s ** 6), r['t']), 0),
    'cubic rail': ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1\nconstraint y' = x^2*x'\n", 3,
                   lambda r: (1 + r['x'] ** 4) * r["x'"] ** 2 / 2 - r['x'], 0),
    # what is nothing, with all of its coefficients, where the motion begins
    'saturated': ("coordinates x\nkinetic 1/2*x'^2\nforce x = -0.3*tanh(20*x')\ninitial x' = 1\n", 8,  # sinh(20 x') = sinh(20) exp(-6 t)
                  lambda r: r["x'"] - math.asinh(math.exp(20 - 6 * r['t']) * (1 - math.exp(-40)) / 2) / 20, 1e-9),
    'bump': ("coordinates x\nkinetic 1/2*x'^2\npotential -0.3*exp(-100*(x - 3)^2)\ninitial x' = 1\n", 6,
             lambda r: r['x'] - 6 - BUMP, 1e-9),
    'pulse': ("coordinates x\nkinetic 1/2*x'^2\nforce x = exp(-100*(t - 10)^2)\n", 20, lambda r: r["x'"] - math.sqrt(math.pi) / 10, 1e-12),
    'pulses': ("coordinates x\nkinetic 1/2*x'^2\nforce x = sin(t)^200\n", 2 * math.pi,
               lambda r: r["x'"] - 2 * math.pi * math.comb(200, 100) / 2 ** 200, 1e-12),
}


def integral(f, to, parts=2000):
    """By Simpson's rule."""
    h = to / parts
    return h / 3 * sum((1 if k in (0, parts) else 4 if k % 2 else 2) * f(k * h) for k in range(parts + 1))


# The time that a bump saves, at the speed behind it, which is 1: the integral of 1 - 1/sqrt(1 + 0.6 exp(-100 s^2))
BUMP = 2 * integral(lambda s: 1 - 1 / math.sqrt(1 + 0.6 * math.exp(-100 * s * s)), 1)


def gaps(program, few):
    """Right, by every tolerance and precision, alone and beside others."""
    ways = [[], ['--tol', '1e-7'], ['--tol', '1e-9'], ['--tol', '1e-11'], ['--precision', 'long']]
    ways += [] if few else [['--precision', 'quad'], ['--tol', '1e-4'], ['--tol', '1e-13'], ['--method', 'second'], ['--compile', 'always']]
    for (name, (model, to, constant, error)), more in itertools.product(GAPS.items(), ways):
        answer = program(model, '--to', to, *more)
        found = max(abs(constant(row)) for row in (answer.rows[-1:] if error else answer.rows))
        allowed = max(error, 1e3 * float(dict(zip(more[::2], more[1::2])).get('--tol', 1e-12)), 1e-9)
        yield answer.status == 0 and found < allowed, f'{name}, {more}: off by {found:.2g}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        for name, (model, to, constant, error) in GAPS.items():
            with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
                file.write('t\n0\n0\n0\n')
            answer = program(model, '--starts', 'starts.csv', '--to', to, '--every', to, folder=folder)
            found = max(abs(constant(row)) for row in answer.rows if row['t'] == to)
            yield answer.status == 0 and found < max(error, 1e-9), f'{name}, starts: off by {found:.2g}\n{answer.told}'


# Forces of a particle at -1000 with the speed 200, and the work that they have done up to x: less than doubles can be, and larger ones are below a line
BEYOND = {'1/cosh(x)': lambda x: math.pi / 2 + 2 * math.atan(math.tanh(x / 2)), '1/cosh(x)^2': lambda x: 1 + math.tanh(x), '1 - tanh(x)^2': lambda x: 1 + math.tanh(x),
          '1/(1 + exp(-x))': lambda x: max(x, 0) + math.log1p(math.exp(-abs(x))), 'exp(-x/2 - 500)': lambda x: 2 * (1 - math.exp(-x / 2 - 500)),
          'tanh(x)': lambda x: abs(x) + math.log1p(math.exp(-2 * abs(x))) - 1000}


def large_arguments(program, few):
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\ninitial x = -1000, x' = 200\n"
    ways = ([], ['--compile', 'always'], ['--tol', '1e-9'], ['--precision', 'long']) + (() if few else (['--precision', 'quad'],))
    for (force, work), more in itertools.product(BEYOND.items(), ways):
        answer = program(model % force, '--to', 10, *more)
        found = max(abs(row["x'"] / math.sqrt(40000 + 2 * work(row['x'])) - 1) for row in answer.rows)
        yield answer.status == 0 and len(answer.rows) == 101 and found < (1e-8 if '--tol' in more else 1e-11), f'{force}, {more}: off by {found:.2g}\n{answer.told}'
    # v' = -F tanh(v/s): sinh(v/s) = sinh(v0/s) exp(-F t/s), with v0/s = 2000; w = log(2 sinh(v/s))
    rubbed = "coordinates x\nparameters F = 1/2, s = 1/1000\nkinetic 1/2*x'^2\nforce x = -F*tanh(x'/s)\ninitial x' = 2\n"
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'starts.csv'), 'w', encoding='ascii') as file:
            file.write('t\n0\n0\n0\n')
        for more in ways + (['--solver', 'rk'], ['--solver', 'cvode'], ['--starts', 'starts.csv']):
            answer = program(rubbed, '--to', 4.001, '--every', 4.001 / 64, *more, folder=folder)
            logs = [(row, 2000 - 500 * row['t']) for row in answer.rows]
            found = max(abs(row["x'"] - (w + math.log((1 + math.sqrt(1 + 4 * math.exp(-2 * w))) / 2)) / 1000) for row, w in logs)
            yield answer.status == 0 and found < (1e-9 if '--tol' in more or '--solver' in more else 1e-12), f'friction, {more}: off by {found:.2g}\n{answer.told}'
    # what is no number any more is said; there are longer ones
    for force in ('log(1 + exp(x))', 'exp(x)/(1 + exp(x))', 'sinh(x)/cosh(x)'):
        answer, longer = (program(model % force, '--start', 'x=1', '--to', 4, *more) for more in ([], ['--precision', 'long']))
        yield answer.status == 1 and '10^308' in answer.told and '--precision long' in answer.told and all(math.isfinite(row['x']) for row in answer.rows), f'{force}: {answer.told}'
        yield longer.status == 0, f'{force}: {longer.told}'


# Pulses that are nothing nearly everywhere, of s = t - c or x - c, and their areas
ROOT_OF_PI = math.sqrt(math.pi)
NARROW = {'exp(-(({s})/{w})^2)': lambda w: w * ROOT_OF_PI, '1/cosh(({s})/{w})^2': lambda w: 2 * w, '1/cosh(({s})/{w})': lambda w: math.pi * w, '1 - tanh(({s})/{w})^2': lambda w: 2 * w,
          'exp(-abs({s})/{w})': lambda w: 2 * w, 'exp(-(({s})/{w})^4)': lambda w: 2 * w * math.gamma(1.25), '(1 + (({s})/{w})^2)^(-20)': lambda w: w * ROOT_OF_PI * math.exp(math.lgamma(19.5) - math.lgamma(20)),
          '1/(2 - exp(-(({s})/{w})^2)) - 1/2': lambda w: w * ROOT_OF_PI * sum(1 / math.sqrt(k) / 2 ** (k + 1) for k in range(1, 60))}


# Quotients whose denominators are small beside their parts, and their integrals from 0
SMALL_BELOW = {'1/(cosh(t) - sinh(t))': lambda t: math.exp(t) - 1,
               '1/(sqrt(1 + exp(2*t)) - exp(t))': lambda t: math.exp(t) - 1 + math.hypot(1, math.exp(t)) - math.sqrt(2) - math.asinh(math.exp(-t)) + math.asinh(1),
               '1000*(exp(t/10)/10 - 1/10 - t/100)/(1000*exp(t/10) - 1000*(1 + t/10 + t^2/200) + 1/100)':
                   lambda t: math.log1p(1e5 * sum((t / 10) ** k / math.factorial(k) for k in range(3, 30)))}
# Constraints that are not linear: the determinant below the accelerations is a thousandth of its parts
CURVED = """coordinates x, y, z, w
kinetic 1/2*(x'^2 + y'^2 + z'^2 + w'^2)
potential x^2 + y^2 + z^2 + w^2
constraint -w' + 3*x'*y' + sqrt(1 + y'^2) + exp(x')/2 = 0.611
constraint -3*w'*z' - 2*y'*x' + 4*w' = -6.359
constraint exp(x*z/3)*w' + exp(x + t/3)*y' = -1.249
initial x = -0.72, y = 0.61, z = -0.21, w = 0.15, x' = -1.41, y' = 0.48, z' = -0.49, w' = -1.41
"""


def small_below(program, few):
    """Steps are as long as the error lets them be, and not as short as the sizes of what cancels would have them: thousands."""
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\n"
    for (force, known), more in itertools.product(SMALL_BELOW.items(), ([], ['--precision', 'long'], ['--tol', '1e-8'])):
        answer = program(model % force, '--to', 5, '--every', 1, *more)
        found = max(abs(row["x'"] - known(row['t'])) / (1 + known(row['t'])) for row in answer.rows)
        yield answer.status == 0 and found < (1e-7 if '--tol' in more else 1e-11) and answer.steps() < 200, f'{force}, {more}: off by {found:.2g}\n{answer.told}'
    answer, other = (program(CURVED, '--project', '--to', 1.3, '--every', 1.3, *more) for more in ([], ['--solver', 'rk']))
    found = max(abs(answer.rows[-1][name] / other.rows[-1][name] - 1) for name in ('x', 'y', 'z', 'w'))
    yield found < 1e-10 and answer.steps() < 3 * other.steps(), f'curved: off by {found:.2g}\n{answer.told}{other.told}'
    answer = program(CURVED, '--project', '--to', 12, '--every', 12)
    yield answer.status == 1 and 'steps became too small' in answer.told and answer.number('stopped at t = ') > 1.6, f'curved: {answer.told}'


# Velocities that grow without bounds in a finite time, where forces have no corner
RUNAWAY = """coordinates x, y, z
kinetic 1/2*(6*x'^2 + 6*y'^2 + 6*z'^2) + z'*y'*sin(z - y)
potential x^2 + y^2 + z^2 + 1/(2 + y^4)
force x = exp(z*y/3) - x'/5, y = exp(y*y/3) - y'/5, z = %s - z'/5
constraint 3*x'*y' + 5*z' = 3.755
constraint 3*y'*x'*z' + 2*x' + sqrt(1 + z'^2) = -3.498
initial x = -0.25, y = 0.2, z = 0.75, x' = -0.99, y' = 0.84, z' = 1.25
"""
# Large velocities, with rates that rounding changes by more than 1e-10; the argument of atan has no pole
FAST = """coordinates x, y, z, w
kinetic 1/2*(7*x'^2 + 7*y'^2 + 7*z'^2 + 7*w'^2) + y'*x'*sin(y - x) + w'*x'*sin(w - y) + w'*z'*sin(w - z) + x'*sqrt(1 + (x*z)^2)
potential x^2 + y^2 + z^2 + w^2
force x = atan(y*y) - x'/5, y = 1/(2 + (w*y)^2) - y'/5, z = 1/(2 + (w - 2)^2) - z'/5, w = sin(x - w) - w'/5
constraint -2*x'*x' + 2*w' + tanh(w*x)*x' + sqrt(1 + w'^2) = -3.947
constraint tanh(z + t)*x' + exp(w + y/3)*y'*z' = 0.432
initial x = -0.48, y = 0.39, z = 0.91, w = -0.11, x' = 1.42, y' = 1.45, z' = -0.4, w' = -0.57
"""


def runaways(program, few):
    """Where steps become too small, that is said, and of corners only where there are some; all solvers come to the same end."""
    for force in ('atan(z + x)', 'atan2(z + x, 1)', 'asin((z + x)/9)'):
        ends = [program(RUNAWAY % force, '--project', '--to', 6, '--every', 6, *more) for more in ([], ['--solver', 'rk'])]
        times = [answer.number('stopped at t = ') for answer in ends]
        yield all(answer.status == 1 and 'steps became too small' in answer.told for answer in ends) and abs(times[0] - times[1]) < 1e-4, \
            f'{force}: {times}\n{ends[0].told}{ends[1].told}'
    answer, other = (program(FAST, '--project', '--to', 9, '--every', 9, *more) for more in ([], ['--solver', 'rk']))
    yield apart(answer.rows, other.rows) < 1e-9 and answer.steps() < 3 * other.steps(), f'fast: {answer.told}{other.told}'
    # where it has one, the value is another behind it: the motion ends there, or goes on with that, and u' comes back to 0
    for way in ([], ['--precision', 'long']):
        answer = program("coordinates x, u\nkinetic 1/2*(x'^2 + u'^2)\nforce u = atan(1/x)\ninitial x = -1, x' = 1\n", '--to', 2, '--every', 2, *way)
        yield abs(answer.rows[-1]["u'"]) < 1e-12 if answer.status == 0 else abs(answer.number('stopped at t = ') - 1) < 1e-9, f'atan, {way}: {answer.told}'


def pulses(program, few):
    """Wherever and however narrow they are, no step goes past them: the velocity gains their area, or half the square of it does."""
    # 1/(2 cosh(s/w)): exponentials that are too large to be numbers where steps begin; its integral is w pi/2
    for w in ('1e-4', '2e-5', '1e-6'):
        answer = program(f"coordinates x\nparameters w = {w}\nkinetic 1/2*x'^2\nforce x = 1/(exp((t - 5.125)/w) + exp(-(t - 5.125)/w))\n", '--to', 10)
        yield answer.status == 0 and abs(answer.rows[-1]["x'"] / (float(w) * math.pi / 2) - 1) < 1e-9, f'a quotient by exponentials, {w}: {answer.rows[-1]}'
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\ninitial x' = 1\n"
    ways = [[], ['--precision', 'long'], ['--compile', 'always']] + ([] if few else [['--tol', '1e-7'], ['--precision', 'quad']])
    places = itertools.product(NARROW.items(), (1e-2, 1e-4, 1e-6), (math.pi / 2, 5.125) if few else (0.7, math.pi / 2, 5.125, 8.9))
    for ((pulse, area), width, place), way in itertools.product(list(places), ways):
        gain = area(width)
        for variable, to in (('t', 10), ('x', 11)):
            force = pulse.format(s=f'{variable} - {place!r}', w=repr(width))
            answer = program(model % force, '--to', to, '--every', to, *way)
            row = answer.rows[-1]
            got = row["x'"] - 1 if variable == 't' else (row["x'"] ** 2 - 1) / 2
            wrong = abs(got - gain) / (gain if '--tol' in way else 1)
            yield answer.status == 0 and wrong < (1e-3 if '--tol' in way else 1e-11), f'{force}, {way}: {got} instead of {gain}\n{answer.told}'
    # high powers, and steps that are smooth
    per_pulse = math.pi * (math.comb(2000, 1000) / 2 ** 2000)
    for way in ways:
        error = 1e-5 if '--tol' in way else 1e-11
        row = program(model % 'sin(t)^2000', '--to', 22, '--every', 22, *way).rows[-1]
        yield abs(row["x'"] - 1 - 7 * per_pulse) < error, f'sin(t)^2000, {way}: {row}'
        row = program(model % 'cos(x)^2000', '--to', 15, '--every', 15, *way).rows[-1]
        passed = math.floor(row['x'] / math.pi + 0.5) + 0.5  # half a pulse at the start
        yield abs((row["x'"] ** 2 - 1) / 2 - passed * per_pulse) < error, f'cos(x)^2000, {way}: {row}'
        row = program(model % 'tanh(1e7*(t - 3.3)) + 1/(1 + exp(-1e6*(t - 7.7)))', '--to', 10, '--every', 10, *way).rows[-1]
        yield abs(row["x'"] - 1 - 3.4 - 2.3) < 1e3 * error, f'steps, {way}: {row}'
    row = program(model % 'exp(-((t - 5.125)/1e-5)^2)', '--start', 't=10', '--to', 0, '--every', 10).rows[-1]
    yield abs(row["x'"] - 1 + 1e-5 * ROOT_OF_PI) < 1e-14, f'back in time: {row}'


# What is steep where a denominator, or what a root is of, is nearly 0; its integral over time from -a to b, by hand: tails of powers are below rounding, and
# odd functions count from a to b alone
STEEP = {'1/(1 + (({s})/{w})^10)': lambda w, a, b: 2 * w * (math.pi / 10) / math.sin(math.pi / 10),
         '1/(1 + (({s})/{w})^14)': lambda w, a, b: 2 * w * (math.pi / 14) / math.sin(math.pi / 14),
         '(1 + (({s})/{w})^2)^(-5/2)': lambda w, a, b: 4 / 3 * w,
         '1/(1 + (({s})/{w})^2)': lambda w, a, b: w * (math.atan(a / w) + math.atan(b / w)),
         'atan((({s})/{w})^3)': lambda w, a, b: math.pi / 2 * (b - a) + w ** 3 / 2 * (b ** -2 - a ** -2),
         '({s})/sqrt(({s})^2 + {w}^2)': lambda w, a, b: math.hypot(b, w) - math.hypot(a, w)}
# Walls of the height 10 for a body with x' = 1, which turns back before them
WALLS = {'A/(1 + (x/w)^20)': lambda u: 10 / (1 + u ** 20), 'A/(1 + (x/w)^4)': lambda u: 10 / (1 + u ** 4),
         'A/(1 + (x/w)^2)^(7/2)': lambda u: 10 / (1 + u * u) ** 3.5, 'A/cosh(x/w)^2': lambda u: 10 / math.cosh(u) ** 2,
         'A/cosh(x/w)': lambda u: 10 / math.cosh(u), 'A/(1 + exp(-x/w))': lambda u: 10 / (1 + math.exp(-u)),
         'A/(1 + exp((x/w)^2))': lambda u: 10 / (1 + math.exp(min(u * u, 700)))}


def delay(potential, u0=-300, parts=20000):
    """How much longer the way from u0 to where the potential is 1/2 takes than at the speed 1: the integral of 1/sqrt(1 - 2 V), u = turn - s^2, by midpoints."""
    low, high = u0, 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if potential(middle) < 0.5 else (low, middle)
    whole = math.sqrt(low - u0)
    places = [whole * (k + 0.5) / parts for k in range(parts)]
    return sum(2 * s / math.sqrt(1 - 2 * potential(low - s * s)) for s in places) * whole / parts + u0


def steep_pulses(program, few):
    """No step of any solver goes past them, and a certificate is one of the motion that there is."""
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\n"
    ways = [(['--certify'], 1e-12), (['--precision', 'long'], 1e-12), (['--compile', 'always'], 1e-12), (['--solver', 'rk'], 1e-11), (['--solver', 'cvode'], 1e-8)]
    for ((force, area), w, place), (way, error) in itertools.product(itertools.product(STEEP.items(), (1e-3, 1e-6), (5.1,) if few else (3.3, 5.1)), ways):
        answer = program(model % force.format(s=f't - {place}', w=repr(w)), '--to', 10, '--every', 10, *way)
        gain, got = area(w, place, 10 - place), answer.rows[-1]["x'"]
        yield answer.status == 0 and abs(got - gain) < error, f'{force}, {w}, {way}: {got} instead of {gain}\n{answer.told}'
    wall = "coordinates x\nparameters w = %r, A = 10\nkinetic 1/2*x'^2\npotential %s\ninitial x = -5.3, x' = 1\n"
    for ((potential, known), w), (way, error) in itertools.product(itertools.product(WALLS.items(), (1e-3, 1e-5)), ways):
        if 'cvode' in way and ('cosh' in potential or 'exp' in potential):
            continue  # their slopes are too large to be numbers
        answer = program(wall % (w, potential), '--to', 10, '--every', 10, *way)
        there = -4.7 + 2 * w * delay(known)
        row = answer.rows[-1]
        yield answer.status == 0 and abs(row['x'] - there) < max(error, 1e-6 * w) and abs(row["x'"] + 1) < 100 * error, \
            f'{potential}, {w}, {way}: {row} instead of {there}\n{answer.told}'
    # a round one, hit beside its middle: what all solvers make of it is the same
    tower = "coordinates x, y\nparameters w = 1e-3\nkinetic 1/2*(x'^2 + y'^2)\npotential 10/(1 + ((x^2 + y^2)/w^2)^8)\ninitial x = -5.3, x' = 1, y = 3e-4\n"
    rows = [program(tower, '--to', 10, '--every', 10, '--solver', solver).rows[-1] for solver in ('taylor', 'rk', 'cvode')]
    yield rows[0]['x'] < 0 and all(abs(row[name] - rows[0][name]) < 1e-8 for row in rows for name in ('x', 'y')), f'tower: {rows}'
    # where a quotient has no pole, 0/0, steps do not care: sin(s)/s from -5 to 5
    answer = program(model % 'sin(t - 5)/(t - 5)', '--to', 10, '--every', 10)
    si = 2 * sum((-1) ** k * 5 ** (2 * k + 1) / ((2 * k + 1) * math.factorial(2 * k + 1)) for k in range(30))
    yield abs(answer.rows[-1]["x'"] - si) < 1e-11 and answer.steps() < 20, f'sin(s)/s: {answer.rows[-1]} instead of {si}\n{answer.told}'


TESTS = (gaps, large_arguments, small_below, runaways, pulses, steep_pulses)


if __name__ == '__main__':
    judge(TESTS, Program(sys.argv[1]), '--few' in sys.argv, 100)
