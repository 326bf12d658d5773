#!/usr/bin/env python3
"""motion.py NONHOLO: motions against closed forms, and against themselves in other ways.

The closed forms are written down here; nothing is taken from the program's output."""
import csv
import io
import itertools
import math
import re
import subprocess
import sys

SKATE = """coordinates x, y
angles theta
parameters m = 2, I = 1/2, f = 3, g = 9.81, alpha = 0.3
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
%s
constraint x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
"""
SLEIGH = """coordinates x, y
angles theta
parameters m = 2, J = 1, a = 1/2
kinetic 1/2*m*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + 1/2*J*theta'^2
constraint x'*sin(theta) = y'*cos(theta)
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
integral E = kinetic
"""
SPEED = """coordinates x, y
parameters m = 3, c = 2, g = 9.81
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint x'^2 + y'^2 = c^2
initial x' = c
"""
PENDULUM = """coordinates x, y
parameters m = 1, g = 9.81, l = 2
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint x^2 + y^2 = l^2
initial x = 2
integral E = kinetic + potential
"""
# a ball on a table that turns with the rate n (Earnshaw): its contact point moves on circles with the rate 2 n/7
TURNTABLE = """coordinates x, y
angles a, b, c
parameters m = 1, R = 1/2, J = 2/5*m*R^2, n = 7/4
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*(a'^2 + b'^2 + c'^2)
constraint x' - R*b' = -n*y
constraint y' + R*a' = n*x
initial x = 1, x' = 0, y' = 1, c' = 1
"""
ELLIPSE = """coordinates x, y
parameters m = 1, c = 2, g = 9.81
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y - 5*m*x
constraint x'^2 + 4*y'^2 = c^2
initial x' = -1, y' = sqrt(3)/2
"""
# as many equations as coordinates: bars of the lengths 1, 1 and 2, and that the first two are parallel, which follows where they move
LINKAGE = """coordinates x1, y1, x2, y2
kinetic 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)
constraint x1^2 + y1^2 = 1
constraint (x2 - 2)^2 + y2^2 = 1
constraint (x2 - x1)^2 + (y2 - y1)^2 = 4
constraint x1*y2 - (x2 - 2)*y1 = 0
initial x1 = 0.6, y1 = 0.8, x2 = 2.6, y2 = 0.8, x1' = -0.8
"""
FRICTION = "coordinates x\nparameters m = 1, mu = 1/2\nkinetic 1/2*m*x'^2\nforce x = -mu*sign(x')*abs(x')^2\ninitial x' = 2\n"
WALL = "coordinates x\nkinetic 1/2*x'^2\npotential -2/x^2\ninitial x = 1\n"
EVERY = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = %s\ninitial x = 0.4, y = 0.3, x' = 0.2, y' = 0.1\n"


def run(nonholo, model, *options):
    done = subprocess.run([nonholo, 'run', '-', *options], input=model.encode(), capture_output=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    return [{key: float(value) for key, value in row.items()} for row in rows], done.stderr.decode(), done.returncode


def skate(t, v, w):
    return {'x': v / w * math.sin(w * t), 'y': v / w * (1 - math.cos(w * t)), 'theta': w * t, 'v': v, 'w': w}


def skate_on_incline(t, w):
    """Knife edge on an incline, y downhill, from rest but for the spin: v' = g sin(alpha) sin(theta)."""
    k = 9.81 * math.sin(0.3)
    v = k / w * (1 - math.cos(w * t))
    return {'theta': w * t, 'v': v, 'y': k / w * ((1 - math.cos(w * t)) / w - (math.sin(w * t) ** 2) / (2 * w)),
            'x': k / w * (math.sin(w * t) / w - t / 2 - math.sin(2 * w * t) / (4 * w)),
            "y'": v * math.sin(w * t)}


def incline_y(t, w):
    """y' = v sin(theta) = k/w (1 - cos wt) sin wt."""
    k = 9.81 * math.sin(0.3)
    return k / w * ((1 - math.cos(w * t)) / w - (1 - math.cos(2 * w * t)) / (4 * w))


def sleigh(t, w0):
    """v' = a w^2, w' = -m a v w/(J + m a^2), from v = 0: v = V tanh(kt), w = w0/cosh(kt), V^2 = w0^2 (J + m a^2)/m, k = a w0^2/V."""
    m, J, a = 2, 1, 0.5
    V = w0 * math.sqrt((J + m * a * a) / m)
    k = a * w0 * w0 / V
    return {'v': V * math.tanh(k * t), 'w': w0 / math.cosh(k * t), 'theta': 2 * w0 / k * math.atan(math.tanh(k * t / 2))}


def speed(t):
    """Direction u: u' = -(g/c) cos u from u = 0: sin u = -tanh(g t/c)."""
    c, g = 2, 9.81
    return {"x'": c / math.cosh(g * t / c), "y'": -c * math.tanh(g * t / c), 'y': -c * c / g * math.log(math.cosh(g * t / c)),
            'x': c * c / g * 2 * math.atan(math.tanh(g * t / (2 * c)))}


def turntable(t):
    """(x', y') turns with the rate 2n/7."""
    k = 2 * 1.75 / 7
    return {"x'": -math.sin(k * t), "y'": math.cos(k * t), 'x': 1 + (math.cos(k * t) - 1) / k, 'y': math.sin(k * t) / k}


def incline_at(t):
    wanted = skate_on_incline(t, 1.5)
    wanted['y'] = incline_y(t, 1.5)
    return wanted


CLOSED = [  # model, start, end, what is known at a time
    ('skate', SKATE % '', 'v=1,w=0.5', 20, lambda t: skate(t, 1, 0.5)),
    ('incline', SKATE % 'potential -m*g*sin(alpha)*y', 'v=0,w=1.5', 10, incline_at),
    ('sleigh', SLEIGH, 'v=0,w=1', 8, lambda t: sleigh(t, 1)),
    ('speed', SPEED, '', 2, speed),
    ('turntable', TURNTABLE, '', 20, turntable),
    ('friction', FRICTION, '', 5, lambda t: {"x'": 2 / (1 + t), 'x': 2 * math.log(1 + t)}),
]
# The tolerance is one of each step, of which there are some tens here; none of these motions makes errors grow.
STEPS = 20


def difference(rows, wanted):
    worst = 0
    for row in rows:
        for name, value in wanted(row['t']).items():
            worst = max(worst, abs(row[name] - value) / max(1, abs(value)))
    return worst


def closed_forms(nonholo):
    for name, model, start, to, wanted in CLOSED:
        for method, solver, tolerance in itertools.product(('first', 'second'), ('auto', 'taylor', 'rk'), (1e-6, 1e-9, 1e-12)):
            if name == 'friction' and solver == 'taylor':
                continue
            options = ['--to', str(to), '--method', method, '--solver', solver, '--tol', str(tolerance)]
            rows, summary, status = run(nonholo, model, *options, *(['--start', start] if start else []))
            found = difference(rows, wanted)
            yield status == 0 and len(rows) == 101 and rows[-1]['t'] == to and found <= STEPS * tolerance, \
                f'{name}, {method}, {solver}, {tolerance}: off by {found:.2g}\n{summary}'


def other_ways(nonholo):
    # there and back
    rows, _, _ = run(nonholo, SLEIGH, '--start', 'v=1,w=1', '--to', '20')
    end = rows[-1]
    start = ','.join(f'{name}={end[name]!r}' for name in ('x', 'y', 'theta', 'v', 'w'))
    back, _, _ = run(nonholo, SLEIGH, '--start', start + ',t=20', '--to', '0')
    # the sleigh's motion is unstable backwards: errors grow as the way itself does
    yield max(abs(back[-1][k] - rows[0][k]) for k in ('x', 'y', 'theta', 'v', 'w')) < 1e-6, 'there and back'
    # energy of a pendulum, and its constraint
    rows, summary, status = run(nonholo, PENDULUM, '--to', '100', '--method', 'second')
    drift = max(abs(0.5 * (r["x'"] ** 2 + r["y'"] ** 2) + 9.81 * r['y']) for r in rows)
    off = max(abs(math.hypot(r['x'], r['y']) - 2) for r in rows)
    yield status == 0 and drift < 1e-10 and off < 1e-14, f'pendulum: energy {drift:.2g}, length {off:.2g}'
    # two precisions
    double, _, _ = run(nonholo, SPEED, '--to', '2', '--every', '1')
    for precision in ('long', 'quad'):
        wide, _, status = run(nonholo, SPEED, '--to', '2', '--every', '1', '--precision', precision, '--tol', '1e-18')
        yield status == 0 and difference(wide, speed) < 2e-15, precision
        yield len(wide) == len(double), f'{precision}: rows'
    # the reactive force of the skate is m v w across the blade
    rows, _, _ = run(nonholo, SKATE % '', '--start', 'v=1,w=0.5', '--reactions', '--to', '3')
    worst = max(abs(r['R_x'] + math.sin(r['theta'])) + abs(r['R_y'] - math.cos(r['theta'])) for r in rows)
    yield worst < 1e-12, f'reactions: {worst:.2g}'


def ellipse(t):
    """x' = c cos u, y' = c/2 sin u: (sin^2 u + cos^2 u/4) c u' = -5 sin u - g/2 cos u, by small steps of order 4 of this one equation."""
    def rate(u):
        return (-5 * math.sin(u) - 9.81 / 2 * math.cos(u)) / (2 * (math.sin(u) ** 2 + math.cos(u) ** 2 / 4))
    u, steps = 2 * math.pi / 3, max(1, round(t * 4000))
    h = t / steps
    for _ in range(steps):
        a = rate(u)
        b = rate(u + h / 2 * a)
        c = rate(u + h / 2 * b)
        u += h / 6 * (a + 2 * b + 2 * c + rate(u + h * c))
    return {"x'": 2 * math.cos(u), "y'": math.sin(u)}


def charts(nonholo):
    """The velocity turns past the states where one velocity stops being a function of the other."""
    for method in ([], ['--method', 'first'], ['--method', 'second']):
        rows, summary, status = run(nonholo, ELLIPSE, '--to', '3', '--every', '0.5', *method)
        found = difference(rows, ellipse)
        turned = min(r["x'"] for r in rows) < 0 < max(r["x'"] for r in rows) and min(r["y'"] for r in rows) < 0 < max(r["y'"] for r in rows)
        yield status == 0 and len(rows) == 7 and turned and found < 1e-10, f'ellipse {method}: {status} {found:.2g}\n{summary}'
    # in one velocity alone it has to stop there, and not to go on with the wrong root
    for solver in ('taylor', 'rk'):
        rows, summary, status = run(nonholo, ELLIPSE + "independent y'\n", '--to', '3', '--every', '0.05', '--method', 'first', '--solver', solver)
        yield status == 1 and difference(rows, ellipse) < 1e-6 and rows[-1]['t'] < 0.35, f'ellipse, first, {solver}: {status}\n{summary}'


def ends(nonholo):
    # x'' = -4/x^3 from x = 1 at rest: x^2 = 1 - 4 t^2, so that x = 0 at t = 1/2
    rows, summary, status = run(nonholo, WALL, '--to', '2', '--every', '0.1')
    yield status == 1 and 4 <= len(rows) <= 6 and abs(float(summary.split('t = ')[1].split(',')[0]) - 0.5) < 1e-6 and \
        max(abs(r['x'] ** 2 - (1 - 4 * r['t'] ** 2)) for r in rows) < 1e-9, f'wall: {status} {len(rows)}\n{summary}'
    # rows at the ends: first, last, and every multiple between
    rows, _, _ = run(nonholo, SPEED, '--to', '1', '--every', '0.3')
    yield [round(r['t'], 12) for r in rows] == [0, 0.3, 0.6, 0.9, 1] and rows[-1]['t'] == 1, 'times'


def functions(nonholo):
    """The recurrence of each function: the same motion by series and by Runge-Kutta, which only evaluates."""
    for force in ('sin(x*y)', 'tan(x/3)', 'asin(x/3)', 'acos(y/3)', 'atan(x*y)', 'atan2(y, x + 3)', 'sinh(x)', 'cosh(y)', 'tanh(x*y)',
                  'exp(-x)', 'log(x + 3)', 'sqrt(x + 3)', '(x + 3)^(1/3)', '(x + 3)^(-2.5)', '(x + 3)^y', 'x^3/(1 + y^2)', 'cos(t)*x',
                  '(x + 3)^(3/2)', '1/(x + 3)^4', 'sin(t)^2*exp(t/10)'):
        series, _, one = run(nonholo, EVERY % force, '--to', '2', '--solver', 'taylor')
        steps, _, two = run(nonholo, EVERY % force, '--to', '2', '--solver', 'rk')
        worst = max(abs(a[k] - b[k]) for a, b in zip(series, steps) for k in a)
        yield one == two == 0 and worst < 1e-10, f'{force}: {worst:.2g}'


def linkage(nonholo):
    """A parallelogram with one equation more than it needs turns with a constant rate; a triangle of fixed bars does not move."""
    def turned(t):
        x, y = (0.6 * math.cos(t) - 0.8 * math.sin(t), 0.8 * math.cos(t) + 0.6 * math.sin(t))
        return {'x1': x, 'y1': y, 'x2': x + 2, 'y2': y}
    rows, told, status = run(nonholo, LINKAGE, '--to', '1.5', '--every', '0.5')
    found = difference(rows, turned)
    yield status == 0 and 'line 6 follows from the others' in told and len(rows) == 4 and found < 1e-11, f'linkage: {status} {found:.2g}\n{told}'
    # what is simple stays: two bars that are parallel shifts of each other, wherever these two lines stand
    bars = LINKAGE.replace('(x2 - x1)^2 + (y2 - y1)^2 = 4', 'x2 - x1 = 2').replace('x1*y2 - (x2 - 2)*y1 = 0', 'y2 = y1')
    rows, told, status = run(nonholo, bars, '--to', '10', '--every', '1')
    found = difference(rows, turned)
    yield status == 0 and 'line 4 follows from the others' in told and len(rows) == 11 and found < 1e-11, f'bars: {status} {found:.2g}\n{told}'
    rigid = LINKAGE.replace('x1*y2 - (x2 - 2)*y1 = 0', '(x1 - 2)^2 + y1^2 = 2.6')
    _, told, status = run(nonholo, rigid)
    yield status == 2 and 'nothing free to move' in told, f'truss: {status}\n{told}'


def domains(nonholo):
    """Kinetic energies that are positive on one side only, where the motion begins: a chain that is pulled off a table, s s'^2 = g (s^2 - 1), and a point that
    loses its mass: (1 - x) x'^2 = 2 x up to t = pi/sqrt(8)."""
    chain = "coordinates s\nparameters rho = 2, g = 9.81\nkinetic 1/2*rho*s*s'^2\npotential -1/2*rho*g*s^2\n"
    for method in ('first', 'second'):
        rows, told, status = run(nonholo, chain + 'initial s = 1\n', '--to', '2', '--method', method)
        worst = max(abs(row["s'"] - math.sqrt(9.81 * (row['s'] ** 2 - 1) / row['s'])) for row in rows)
        yield status == 0 and len(rows) == 101 and worst < 1e-10 and 'not positive everywhere' in told, f'chain, {method}: {worst:.2g}\n{told}'
    point = "coordinates x\nkinetic 1/2*(1 - x)*x'^2\nforce x = 1\n"
    rows, told, status = run(nonholo, point, '--to', '3', '--every', '0.25')
    worst = max(abs((1 - row['x']) * row["x'"] ** 2 - 2 * row['x']) for row in rows)
    found = re.search(r'stopped at t = ([0-9.]+)', told)
    yield status == 1 and worst < 1e-11 and found and abs(float(found[1]) - math.pi / math.sqrt(8)) < 1e-9, f'point: {worst:.2g}\n{told}'
    for start in ('', 'initial s = -1\n', 'initial s = 0\n'):
        rows, told, status = run(nonholo, chain + start)
        yield status == 2 and not rows and "look at the signs in 'kinetic'" in told, f'chain, {start}: {told}'
    rows, told, status = run(nonholo, chain + 'initial s = 1\n', '--start', 's=-1')
    yield status == 2 and not rows and "or say with 'initial' where it is positive" in told, f'chain upwards: {told}'


def main():
    nonholo = sys.argv[1]
    done = failed = 0
    for test in (closed_forms, other_ways, charts, ends, functions, linkage, domains):
        for good, text in test(nonholo):
            done += 1
            if not good:
                failed += 1
                print(text)
    print(f'{done} motions, {failed} failures')
    sys.exit(1 if failed or done < 50 else 0)


if __name__ == '__main__':
    main()
