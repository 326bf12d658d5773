#!/usr/bin/env python3
"""gallery_vehicles.py NONHOLO EXAMPLES: vehicles and non-linear constraints of the gallery.

Three kinds of checks: motions against closed forms, or against equations of one or two lines that are integrated here;
accelerations, multipliers and reactive forces at random states with random parameters against the system of Lagrange's
equations with multipliers, made from energies and constraints that are written down here a second time; and the bicycle against
the published equations of its small motions.
"""
import csv
import io
import json
import math
import random
import subprocess
import sys
import time
import types
from pathlib import Path

from checks import all_of

try:
    import mpmath as mp
except ImportError:
    # Debian's module belongs to Debian's python, which need not be the first one on the path
    import os
    if os.path.realpath(sys.executable) == os.path.realpath('/usr/bin/python3') or not os.path.exists('/usr/bin/python3'):
        sys.exit('gallery_vehicles.py: there is no mpmath; `scripts/setup test` installs it with SymPy')
    os.execv('/usr/bin/python3', ['/usr/bin/python3', '-B'] + sys.argv)

mp.mp.dps = 60
STATES = 3
TOLERANCE = 1e-9


class Gallery:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def call(self, command, name, *options):
        return subprocess.run([self.program, command, str(self.folder / (name + '.nh')), *options], capture_output=True, text=True)

    def run(self, name, *options):
        done = self.call('run', name, *options)
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]
        if done.returncode or len(rows) < 2:
            raise AssertionError(f'{name} {options}: {done.returncode}\n{done.stderr}')
        return rows

    def eval(self, name, *options):
        done = self.call('eval', name, '--format', 'json', *options)
        if done.returncode:
            raise AssertionError(f'{name} {options}: {done.returncode}\n{done.stderr}')
        return json.loads(done.stdout)


# ---------------------------------------------------------------- Lagrange's equations, in 60 digits

INNER, OUTER = mp.mpf(10) ** -25, mp.mpf(10) ** -13  # of differences of positions, and of what is made of them: errors of 1e-20


def rate(f, q, v, t, h=INNER):
    """The derivative of f(q, t), a list, where q changes with the velocity v."""
    after = f([a + h * b for a, b in zip(q, v)], t + h)
    before = f([a - h * b for a, b in zip(q, v)], t - h)
    return [(a - b) / (2 * h) for a, b in zip(after, before)]


def shifted(x, i, h):
    return [a + h if i == j else a for j, a in enumerate(x)]


def lagrange(system, p, q, v, t):
    """Accelerations, multipliers and reactive forces: M a = L + Cv^T lambda, Cv a = -(dC/dt at a = 0)."""
    n = len(q)

    def kinetic(q, v, t):
        return system.kinetic(p, q, v, t)

    def momentum(i):  # K has degree 2 in v: this is exact
        return lambda q, t: [(kinetic(q, shifted(v, i, 1), t) - kinetic(q, shifted(v, i, -1), t)) / 2]

    zero = [mp.mpf(0)] * n
    single = [kinetic(q, shifted(zero, i, 1), t) for i in range(n)]
    other = [kinetic(q, shifted(zero, i, -1), t) for i in range(n)]
    still = kinetic(q, zero, t)
    M = mp.zeros(n)
    for i in range(n):
        M[i, i] = single[i] + other[i] - 2 * still
        for j in range(i):
            M[i, j] = M[j, i] = kinetic(q, shifted(shifted(zero, i, 1), j, 1), t) - single[i] - single[j] + still
    L = list(system.force(p, q, v, t))
    for i in range(n):
        up, down = shifted(q, i, OUTER), shifted(q, i, -OUTER)
        L[i] += (kinetic(up, v, t) - kinetic(down, v, t) - system.potential(p, up, t) + system.potential(p, down, t)) / (2 * OUTER)
        L[i] -= rate(momentum(i), q, v, t, OUTER)[0]
    C = system.constraint(p, q, v, t)
    off = max(abs(c) for c in C)
    if off > 1e-12:
        raise AssertionError(f'{system.__name__}: the state is off its constraints by {mp.nstr(off, 3)}')
    r = len(C)
    Cv = mp.zeros(r, n)
    for i in range(n):
        up, down = system.constraint(p, q, shifted(v, i, OUTER), t), system.constraint(p, q, shifted(v, i, -OUTER), t)
        for a in range(r):
            Cv[a, i] = (up[a] - down[a]) / (2 * OUTER)
    change = rate(lambda q, t: system.constraint(p, q, v, t), q, v, t, OUTER)
    matrix, right = mp.zeros(n + r), mp.zeros(n + r, 1)
    for i in range(n):
        right[i] = L[i]
        for j in range(n):
            matrix[i, j] = M[i, j]
        for a in range(r):
            matrix[i, n + a] = -Cv[a, i]
            matrix[n + a, i] = Cv[a, i]
    for a in range(r):
        right[n + a] = -change[a]
    solution = list(mp.lu_solve(matrix, right))
    multipliers = solution[n:]
    return solution[:n], multipliers, [sum(multipliers[a] * Cv[a, i] for a in range(r)) for i in range(n)]


# ---------------------------------------------------------------- the systems a second time

def half(*terms):
    """Half the sum of mass times velocity squared."""
    return sum(m * v * v for m, v in terms) / 2


class System:
    name = ''
    start = {}  # ranges of what is given at random; coordinates and z, or velocities
    keep = ()   # parameters that are not changed

    @staticmethod
    def potential(p, q, t):
        return mp.mpf(0)

    @staticmethod
    def force(p, q, v, t):
        return [mp.mpf(0)] * len(q)


class SleighOnIncline(System):
    name = 'sleigh-on-incline'
    start = dict(x=2, y=2, theta=3, v=2, w=2)

    @staticmethod
    def kinetic(p, q, v, t):
        s, c = mp.sin(q[2]), mp.cos(q[2])
        return half((p.m, v[0] - p.a * s * v[2]), (p.m, v[1] + p.a * c * v[2]), (p.I, v[2]))

    @staticmethod
    def potential(p, q, t):
        return -p.m * p.g * mp.sin(p.slope) * (q[1] + p.a * mp.sin(q[2]))

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] * mp.sin(q[2]) - v[1] * mp.cos(q[2])]


class Servo(System):
    name = 'servo'
    start = dict(x=2, y=2, theta=3, v=2)
    kinetic = SleighOnIncline.kinetic

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] * mp.sin(q[2]) - v[1] * mp.cos(q[2]), v[2] - mp.cos(p.n * t) * 3 / 2]


class Snakeboard(System):
    name = 'snakeboard'
    start = dict(x=2, y=2, theta=3, psi=3, phi=1, v=2)

    @staticmethod
    def kinetic(p, q, v, t):
        x, y, h, r, w = v
        return half((p.m, x), (p.m, y), (p.J, h), (p.Jr, h + r), (2 * p.Jw, h), (2 * p.Jw, w))

    @staticmethod
    def constraint(p, q, v, t):
        def skid(side, turn):  # of an axle at the distance side*l ahead
            along = q[2] + turn
            x, y = v[0] - side * p.l * mp.sin(q[2]) * v[2], v[1] + side * p.l * mp.cos(q[2]) * v[2]
            return y * mp.cos(along) - x * mp.sin(along)
        clock = p.n * mp.cos(p.n * t)
        return [skid(-1, q[4]), skid(1, -q[4]), v[3] - p.a * clock, v[4] - p.b * clock]


class RollerRacer(System):
    name = 'roller-racer'
    start = dict(x=2, y=2, theta=3, phi=1, v=2)

    @staticmethod
    def second(p, q, v):
        a, b = q[2], q[2] + q[3]
        return (v[0] - p.d1 * mp.sin(a) * v[2] - p.d2 * mp.sin(b) * (v[2] + v[3]),
                v[1] + p.d1 * mp.cos(a) * v[2] + p.d2 * mp.cos(b) * (v[2] + v[3]))

    @staticmethod
    def kinetic(p, q, v, t):
        x, y = RollerRacer.second(p, q, v)
        return half((p.m1, v[0]), (p.m1, v[1]), (p.m2, x), (p.m2, y), (p.I1, v[2]), (p.I2, v[2] + v[3]))

    @staticmethod
    def constraint(p, q, v, t):
        x, y = RollerRacer.second(p, q, v)
        b = q[2] + q[3]
        return [v[1] * mp.cos(q[2]) - v[0] * mp.sin(q[2]), y * mp.cos(b) - x * mp.sin(b), v[3] - p.a * p.n * mp.cos(p.n * t)]


class CarWithTrailers(System):
    name = 'car-with-trailers'
    start = dict(x=2, y=2, h0=1, h1=1, h2=1, h3=1, v=2)

    @staticmethod
    def axles(p, q, v):
        x, y = v[0], v[1]
        yield x, y, q[2]
        for i, d in enumerate((p.d1, p.d2, p.d3)):
            h = q[3 + i]
            x, y = x + d * mp.sin(h) * v[3 + i], y - d * mp.cos(h) * v[3 + i]
            yield x, y, h

    @staticmethod
    def kinetic(p, q, v, t):
        moving = sum(half((m, x), (m, y)) for m, (x, y, _) in zip((p.M, p.m1, p.m2, p.m3), CarWithTrailers.axles(p, q, v)))
        return moving + half((p.I, v[2]), (p.J, v[3]), (p.J, v[4]), (p.J, v[5]))

    @staticmethod
    def constraint(p, q, v, t):
        skids = [y * mp.cos(h) - x * mp.sin(h) for x, y, h in CarWithTrailers.axles(p, q, v)]
        turn = p.a * mp.cos(p.n * t)
        h = q[2] + turn  # the front wheels, l ahead
        front = (v[1] + p.l * mp.cos(q[2]) * v[2]) * mp.cos(h) - (v[0] - p.l * mp.sin(q[2]) * v[2]) * mp.sin(h)
        return [skids[0], front + skids[0] * (-mp.cos(turn))] + skids[1:]


class DifferentialDrive(System):
    name = 'differential-drive'
    start = dict(x=2, y=2, theta=3, left=3, right=3, v=2, w=2)

    @staticmethod
    def kinetic(p, q, v, t):
        s, c = mp.sin(q[2]), mp.cos(q[2])
        return half((p.m, v[0] - p.b * s * v[2]), (p.m, v[1] + p.b * c * v[2]), (p.J, v[2]), (p.Jw, v[3]), (p.Jw, v[4]))

    @staticmethod
    def force(p, q, v, t):
        return [mp.mpf(0), mp.mpf(0), mp.mpf(0), p.TL, p.TR]

    @staticmethod
    def constraint(p, q, v, t):
        s, c = mp.sin(q[2]), mp.cos(q[2])
        along = v[0] * c + v[1] * s
        return [v[1] * c - v[0] * s, along - p.h * v[2] - p.r * v[3], along + p.h * v[2] - p.r * v[4]]


class AppellHamel(System):
    name = 'appell-hamel'
    start = dict(x=2, y=2, z=2, u=1, phi=3)

    @staticmethod
    def kinetic(p, q, v, t):
        return half(*((p.m, u) for u in v))

    @staticmethod
    def potential(p, q, t):
        return p.m * p.g * q[2]

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] ** 2 + v[1] ** 2 - (p.a * v[2] / p.b) ** 2]


class ConstantSpeed(System):
    name = 'constant-speed'
    start = dict(x=2, y=2, u=3)
    kinetic = AppellHamel.kinetic

    @staticmethod
    def potential(p, q, t):
        return p.m * p.g * q[1]

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] ** 2 + v[1] ** 2 - p.c ** 2]


class ParallelThree(System):
    name = 'parallel-three'
    start = dict(x1=2, x2=2, x3=2, y1=2, y2=2, y3=2, s1=2, s2=2, s3=2, theta=3)

    @staticmethod
    def kinetic(p, q, v, t):
        return half(*zip((p.m1, p.m1, p.m2, p.m2, p.m3, p.m3), v))

    @staticmethod
    def potential(p, q, t):
        return p.g * (p.m1 * q[1] + p.m2 * q[3] + p.m3 * q[5])

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] * v[3] - v[1] * v[2], v[2] * v[5] - v[3] * v[4]]


class Rosenberg(System):
    name = 'rosenberg'
    start = {'x': 2, 'y': 2, 'z': 2, "x'": 2, "y'": 2}
    kinetic = AppellHamel.kinetic

    @staticmethod
    def potential(p, q, t):
        return p.k * q[1] ** 2 / 2

    @staticmethod
    def constraint(p, q, v, t):
        return [v[2] - q[1] * v[0]]


class Heisenberg(System):
    name = 'heisenberg'
    start = Rosenberg.start
    kinetic = AppellHamel.kinetic

    @staticmethod
    def potential(p, q, t):
        return p.k * (q[0] ** 2 + q[1] ** 2) / 2

    @staticmethod
    def constraint(p, q, v, t):
        return [v[2] - q[1] * v[0] + q[0] * v[1]]


class Pursuit(System):
    name = 'pursuit'
    start = {'x': 2, 'y': 2, "x'": 2}
    kinetic = AppellHamel.kinetic

    @staticmethod
    def constraint(p, q, v, t):
        return [v[0] * (p.c * t - q[1]) - v[1] * (p.d - q[0])]


class Isokinetic8(System):
    name = 'isokinetic-8'
    start = {f'q{i}{prime}': 1 for i in range(1, 9) for prime in ('', "'")}

    @staticmethod
    def kinetic(p, q, v, t):
        return half(*((1, u) for u in v))

    @staticmethod
    def potential(p, q, t):
        stretched = [b - a for a, b in zip([0, *q], [*q, 0])]
        return sum(r ** 2 / 2 + p.a * r ** 4 / 4 for r in stretched)

    @staticmethod
    def constraint(p, q, v, t):
        return [sum(u * u for u in v) - 7 * p.T]


def turn(axis, angle):
    s, c = mp.sin(angle), mp.cos(angle)
    return {'x': [[1, 0, 0], [0, c, -s], [0, s, c]], 'y': [[c, 0, s], [0, 1, 0], [-s, 0, c]], 'z': [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def apply(a, x):
    return [sum(y * z for y, z in zip(row, x)) for row in a]


def plus(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


class Bicycle(System):
    """Poses are centres and rotation matrices; velocities are their differences along the motion."""
    name = 'whipple-bicycle'
    start = {'x': 2, 'y': 2, 'yaw': 3, 'lean': 0.6, 'steer': 0.8, 'rear': 3, 'front': 3, "lean'": 1, "steer'": 1, "rear'": 10}
    keep = ('lambda',)

    @staticmethod
    def poses(p, q):
        x, y, yaw, lean, pitch, steer, rear, front = q
        leaning = times(turn('z', yaw), turn('x', lean))
        B = times(leaning, turn('y', pitch))
        H = times(times(B, turn('y', p.lam)), times(turn('z', steer), turn('y', -p.lam)))
        hub = plus([x, y, 0], apply(leaning, [0, 0, -p.rR]))
        # places are those of the upright bicycle, relative to the hub and to the foot of the steering axis
        foot = plus(hub, apply(B, [p.w + p.c, 0, p.rR]))
        return [(hub, times(leaning, turn('y', rear))), (plus(hub, apply(B, [p.xB, 0, p.zB + p.rR])), B),
                (plus(foot, apply(H, [p.xH - p.w - p.c, 0, p.zH])), H),
                (plus(foot, apply(H, [-p.c, 0, -p.rF])), times(H, turn('y', front)))]

    @staticmethod
    def moving(p, q, v):
        before = Bicycle.poses(p, [a - INNER * b for a, b in zip(q, v)])
        after = Bicycle.poses(p, [a + INNER * b for a, b in zip(q, v)])
        for (a, A), (b, B) in zip(before, after):
            yield ([(y - x) / (2 * INNER) for x, y in zip(a, b)], [(x + y) / 2 for x, y in zip(a, b)],
                   [[(y - x) / (2 * INNER) for x, y in zip(r, s)] for r, s in zip(A, B)],
                   [[(x + y) / 2 for x, y in zip(r, s)] for r, s in zip(A, B)])

    @staticmethod
    def kinetic(p, q, v, t):
        bodies = [(p.mR, p.IRx, p.IRy, p.IRx, 0), (p.mB, p.IBx, p.IBy, p.IBz, p.IBxz), (p.mH, p.IHx, p.IHy, p.IHz, p.IHxz),
                  (p.mF, p.IFx, p.IFy, p.IFx, 0)]
        total = mp.mpf(0)
        for (m, xx, yy, zz, xz), (speed, _, change, R) in zip(bodies, Bicycle.moving(p, q, v)):
            W = times(list(zip(*R)), change)
            x, y, z = W[2][1], W[0][2], W[1][0]  # in the body's axes
            total += half((m, speed[0]), (m, speed[1]), (m, speed[2]), (xx, x), (yy, y), (zz, z)) + xz * x * z
        return total

    @staticmethod
    def potential(p, q, t):
        return -p.g * sum(m * place[2] for m, (place, _) in zip((p.mR, p.mB, p.mH, p.mF), Bicycle.poses(p, q)))

    @staticmethod
    def lowest(R, r):
        """From the centre of a wheel to its lowest point: across the axle, and down."""
        a, b, c = (row[1] for row in R)
        across = mp.sqrt(a * a + b * b)
        return [-r * a * c / across, -r * b * c / across, r * across]

    @staticmethod
    def constraint(p, q, v, t):
        moving = list(Bicycle.moving(p, q, v))
        slips = []
        for index, r in ((0, p.rR), (3, p.rF)):
            speed, _, change, R = moving[index]
            slips.append(plus(speed, apply(change, apply(list(zip(*R)), Bicycle.lowest(R, r)))))  # of a point of the tyre

        def height(q, t):
            place, R = Bicycle.poses(p, q)[3]
            return [place[2] + Bicycle.lowest(R, p.rF)[2]]
        return [rate(height, q, v, t)[0], slips[0][0], slips[0][1], slips[1][0], slips[1][1]]


SYSTEMS = [SleighOnIncline, Servo, Snakeboard, RollerRacer, CarWithTrailers, DifferentialDrive, AppellHamel, ConstantSpeed, ParallelThree,
           Rosenberg, Heisenberg, Pursuit, Isokinetic8, Bicycle]


def off(found, wanted):
    """The largest difference, relative to the largest value (or to 1)."""
    if len(found) != len(wanted):
        return math.inf
    return float(max(abs(mp.mpf(a) - b) for a, b in zip(found, wanted)) / max(1, *(abs(b) for b in wanted)))


def random_states(gallery):
    random.seed(3)
    for system in SYSTEMS:
        names = json.loads(gallery.call('derive', system.name, '--format', 'json', '--method', 'first').stdout)
        nominal = {name: str(value) for name, value in names['parameters'].items()}
        for k in range(STATES):
            values = {}
            for name, value in nominal.items():
                if name not in system.keep:
                    fraction = value.split('/')
                    number = float(fraction[0]) / float(fraction[1] if len(fraction) > 1 else 1)
                    values[name] = f'{number * random.uniform(0.9, 1.1):.6f}'
            start = {name: f'{random.uniform(-size, size):.4f}' for name, size in system.start.items()}
            start['t'] = f'{random.uniform(0, 2):.3f}'
            out = gallery.eval(system.name, '--project', '--set', ','.join(f'{a}={b}' for a, b in values.items()),
                               '--start', ','.join(f'{a}={b}' for a, b in start.items()))
            p = types.SimpleNamespace(lam=mp.pi / 10, **{a: mp.mpf(b) for a, b in values.items()})
            q = [mp.mpf(out['state'][name]) for name in names['coordinates']]
            v = [mp.mpf(out['state'][name + "'"]) for name in names['coordinates']]
            t = mp.mpf(out['state']['t'])
            a, multipliers, R = lagrange(system, p, q, v, t)
            differences = off(out['second']['D'], a), off(out['second']['lambda'], multipliers), off(out['second']['R'], R), off(out['first']['R'], R)
            yield max(differences) < TOLERANCE, f'{system.name}, state {k}: off by {differences}'
            if k == 0:  # and a test of the test: more inertia by a thousandth makes another motion, or other forces
                heavier = type('Heavier', (system,), {'kinetic': staticmethod(
                    lambda p, q, v, t: system.kinetic(p, q, v, t) + sum((2 + i) * u * u for i, u in enumerate(v)) / 2000)})
                a, multipliers, R = lagrange(heavier, p, q, v, t)
                yield max(off(out['second']['D'], a), off(out['second']['R'], R)) > 10 * TOLERANCE, f'{system.name}: the test is blind'


# ---------------------------------------------------------------- motions

def difference(rows, wanted):
    worst = 0
    for row in rows:
        for name, value in wanted(row['t']).items():
            worst = max(worst, abs(row[name] - value) / max(1, abs(value)))
    return worst


def spread(rows, value):
    values = [value(row) for row in rows]
    return (max(values) - min(values)) / max(1, max(abs(v) for v in values))


def steps(f, state, t, to, n):
    """Runge and Kutta's method, n steps."""
    h = (to - t) / n
    for k in range(n):
        now = t + k * h
        a = f(now, state)
        b = f(now + h / 2, [x + h / 2 * y for x, y in zip(state, a)])
        c = f(now + h / 2, [x + h / 2 * y for x, y in zip(state, b)])
        d = f(now + h, [x + h * y for x, y in zip(state, c)])
        state = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(state, a, b, c, d)]
    return state


def follow(f, state, rows, names, n=200):
    """The largest difference between rows and the motion of state' = f(t, state), by n steps from row to row."""
    worst = 0
    for before, row in zip(rows, rows[1:]):
        state = steps(f, state, before['t'], row['t'], n)
        worst = max(worst, *(abs(row[name] - value) / max(1, abs(value)) for name, value in zip(names, state)))
    return worst


def closed_forms(gallery):
    # the knife edge: v' = k sin(theta), from rest downhill
    k, w = 9.81 * math.sin(0.3), 1.5
    rows = gallery.run('sleigh-on-incline', '--set', 'a=0', '--to', '10')
    found = difference(rows, lambda t: {'y': k / (2 * w * w) * math.sin(w * t) ** 2, 'theta': math.pi / 2 + w * t, 'v': k / w * math.sin(w * t),
                                        'x': -k / (2 * w * w) * (w * t - math.sin(2 * w * t) / 2)})
    yield found < 1e-11, f'knife edge on an incline: {found:.2g}'
    rows = gallery.run('sleigh-on-incline', '--to', '10')
    found = follow(lambda t, s: [k * math.sin(s[1]) + 0.25 * s[2] ** 2, s[2], 2 * 0.25 * (k * math.cos(s[1]) - s[0] * s[2]) / (0.5 + 2 * 0.0625)],
                   [0, math.pi / 2, 1.5], rows, ('v', 'theta', 'w'))
    yield found < 1e-9, f'sleigh on an incline: {found:.2g}'

    # v' = a w^2 with w = 3/2 cos(2t); the torque turns the body about the blade, (I + m a^2) w' + m a v w
    rows = gallery.run('servo', '--to', '10')
    v = lambda t: 9 / 8 * (t / 2 + math.sin(4 * t) / 8)
    found = difference(rows, lambda t: {'v': v(t), 'theta': 0.75 * math.sin(2 * t),
                                        'torque': -1.5 * 3 * math.sin(2 * t) + v(t) * 1.5 * math.cos(2 * t)})
    yield found < 1e-11, f'servo: {found:.2g}'

    # the momentum along the board: m v' + k (J_total (k v)' + Jr psi'') = 0 with k = -tan(phi)/l
    total, m, l, Jr, n = 0.016 + 0.072 + 2 * 0.0013, 6, 0.2, 0.072, 3

    def board(t, s, a=-0.7, b=0.5):
        k, change = -math.tan(s[4]) / l, -b * n * math.cos(n * t) / (l * math.cos(s[4]) ** 2)
        return [s[3] * math.cos(s[2]), s[3] * math.sin(s[2]), k * s[3],
                -k * (total * change * s[3] - Jr * a * n * n * math.sin(n * t)) / (m + total * k * k), b * n * math.cos(n * t)]
    rows = gallery.run('snakeboard', '--to', '10')
    found = follow(board, [0, 0, 0, 0, 0], rows, ('x', 'y', 'theta', 'v', 'phi'))
    yield found < 1e-9, f'snakeboard: {found:.2g}'
    k = -math.tan(0.4) / l
    rows = gallery.run('snakeboard', '--to', '10', '--set', 'b=0', '--start', 'phi=0.4,v=1')
    found = difference(rows, lambda t: {'v': 1 - Jr * k * -0.7 * n * (math.cos(n * t) - 1) / (m + total * k * k)})
    yield found < 1e-11, f'snakeboard, wheels held: {found:.2g}'

    # a circle about the point where the axles meet
    rows = gallery.run('roller-racer', '--to', '10', '--set', 'a=0', '--start', 'phi=0.5,v=1')
    radius = (0.4 * math.cos(0.5) + 0.1) / math.sin(0.5)
    found = difference(rows, lambda t: {'v': 1, 'theta': t / radius, 'x': radius * math.sin(t / radius), 'y': radius * (1 - math.cos(t / radius))})
    yield found < 1e-11, f'roller racer on a circle: {found:.2g}'
    # what the handlebar's motor does is the change of the energy
    rows = gallery.run('roller-racer', '--to', '4', '--every', '0.002')

    def energy(r):
        a, b = r['theta'], r['theta'] + r['phi']
        x = r["x'"] - 0.4 * math.sin(a) * r["theta'"] - 0.1 * math.sin(b) * (r["theta'"] + r["phi'"])
        y = r["y'"] + 0.4 * math.cos(a) * r["theta'"] + 0.1 * math.cos(b) * (r["theta'"] + r["phi'"])
        return 0.5 * (r["x'"] ** 2 + r["y'"] ** 2 + 0.2 * (x * x + y * y) + 0.1 * r["theta'"] ** 2 + 0.02 * (r["theta'"] + r["phi'"]) ** 2)
    power = [r['torque'] * r["phi'"] for r in rows]
    work = 0.002 / 3 * (power[0] + power[-1] + 4 * sum(power[1:-1:2]) + 2 * sum(power[2:-1:2]))
    yield abs(energy(rows[-1]) - energy(rows[0]) - work) < 1e-8, f'roller racer: work {work}, energy {energy(rows[-1]) - energy(rows[0])}'

    # straight ahead the first trailer draws a tractrix; steered it ends on circles; the energy is constant in any case
    def trailers(r):
        x, y, total = r["x'"], r["y'"], 4 * (r["x'"] ** 2 + r["y'"] ** 2) + 2 * r["h0'"] ** 2
        for i, d in ((1, 1), (2, 1.5), (3, 1)):
            x, y = x + d * math.sin(r[f'h{i}']) * r[f"h{i}'"], y - d * math.cos(r[f'h{i}']) * r[f"h{i}'"]
            total += x * x + y * y + r[f"h{i}'"] ** 2 / 2
        return total / 2
    rows = gallery.run('car-with-trailers', '--to', '20')
    yield spread(rows, trailers) < 1e-11, f'trailers: energy {spread(rows, trailers):.2g}'
    rows = gallery.run('car-with-trailers', '--to', '5', '--set', 'a=0', '--start', 'h1=2.5,h2=2.5,h3=2.5')
    found = max(abs(math.tan(r['h1'] / 2) - math.tan(1.25) * math.exp(-r['x'])) for r in rows)
    yield found < 1e-11, f'tractrix: {found:.2g}'
    end = gallery.run('car-with-trailers', '--to', '200', '--set', 'a=0.4,n=0')[-1]
    square = (2 / math.tan(0.4)) ** 2
    for i, d in ((1, 1), (2, 1.5), (3, 1)):
        hitch = math.asin(d / math.sqrt(square))
        square -= d * d
        yield abs(end[f'h{i - 1}'] - end[f'h{i}'] - hitch) < 1e-10, f'trailer {i} on a circle: {end[f"h{i - 1}"] - end[f"h{i}"]} and {hitch}'

    rows = gallery.run('differential-drive', '--to', '10', '--set', 'b=0')
    push, spin = 0.22 / 0.1 / (10 + 2 * 0.005 / 0.01), 0.25 * 0.02 / 0.1 / (0.4 + 2 * 0.005 * 0.25 ** 2 / 0.01)
    found = difference(rows, lambda t: {'v': push * t, 'w': spin * t, 'theta': spin * t * t / 2,
                                        'right': (push + 0.25 * spin) * t * t / 0.2, 'left': (push - 0.25 * spin) * t * t / 0.2,
                                        'x': push / spin * math.sin(spin * t * t / 2), 'y': push / spin * (1 - math.cos(spin * t * t / 2))})
    yield found < 1e-11, f'differential drive: {found:.2g}'
    rows = gallery.run('differential-drive', '--to', '10')
    found = follow(lambda t, s: [(2.2 + 10 * 0.1 * s[1] ** 2) / 11, (0.05 - 10 * 0.1 * s[0] * s[1]) / (0.4 + 10 * 0.01 + 0.0625)], [0, 0], rows, ('v', 'w'))
    yield found < 1e-9, f'differential drive, heavy in front: {found:.2g}'

    fall = 9.81 / (1 + 0.5625)
    down = lambda t: t + fall * t * t / 2
    rows = gallery.run('appell-hamel', '--to', '10')
    found = difference(rows, lambda t: {'z': -down(t), 'x': 0.75 * math.cos(0.5) * down(t), 'y': 0.75 * math.sin(0.5) * down(t), "z'": -1 - fall * t})
    yield found < 1e-11, f'Appell and Hamel: {found:.2g}'

    # sin u = tanh(s) with s' = -g/c: y = c^2/g log(cosh s), up to a constant
    c, g, s0 = 2, 9.81, math.atanh(math.sin(1))
    s = lambda t: s0 - g * t / c
    rows = gallery.run('constant-speed', '--to', '3')
    found = difference(rows, lambda t: {"x'": c / math.cosh(s(t)), "y'": c * math.tanh(s(t)), 'power': 3 * g * c * math.tanh(s(t)),
                                        'y': c * c / g * (math.log(math.cosh(s0)) - math.log(math.cosh(s(t)))),
                                        'x': c * c / g * (math.atan(math.sinh(s0)) - math.atan(math.sinh(s(t))))})
    yield found < 1e-11, f'constant speed: {found:.2g}'

    rows = gallery.run('parallel-three', '--to', '3')
    masses = 1, 2, 1.5
    for what, value in (('energy', lambda r: sum(m * (r[f"x{i}'"] ** 2 + r[f"y{i}'"] ** 2) / 2 + m * 9.81 * r[f'y{i}'] for i, m in enumerate(masses, 1))),
                        ('horizontal energy', lambda r: sum(m * r[f"x{i}'"] ** 2 for i, m in enumerate(masses, 1))),
                        ('first difference', lambda r: r['s1'] - r['s2']), ('second difference', lambda r: r['s2'] - r['s3'])):
        yield spread(rows, value) < 1e-11, f'three points: {what} {spread(rows, value):.2g}'
    found = follow(lambda t, s: [-9.81 * math.sin(s[3])] * 3 + [-9.81 * math.cos(s[3]) * sum(m * v for m, v in zip(masses, s)) /
                                                             sum(m * v * v for m, v in zip(masses, s))],
                   [2, 3, -1, 1], rows, ('s1', 's2', 's3', 'theta'))
    yield found < 1e-8, f'three points: {found:.2g}'

    # y = cos 2t, x' sqrt(1 + y^2) = sqrt(2)
    rows = gallery.run('rosenberg', '--to', '10')
    speed = lambda t: math.sqrt(2 / (1 + math.cos(2 * t) ** 2))
    found = difference(rows, lambda t: {'y': math.cos(2 * t), "x'": speed(t), "z'": math.cos(2 * t) * speed(t)})
    found = max(found, follow(lambda t, s: [speed(t), math.cos(2 * t) * speed(t)], [0, 0], rows, ('x', 'z')))
    yield found < 1e-10, f'Rosenberg: {found:.2g}'

    rows = gallery.run('heisenberg', '--to', '10')
    found = difference(rows, lambda t: {'x': math.cos(2 * t), 'y': math.sin(2 * t) / 2, 'z': -t})
    yield found < 1e-11, f'Heisenberg: {found:.2g}'
    loop = gallery.run('heisenberg', '--to', repr(math.pi))[-1]['z']
    yield abs(loop + 2 * math.pi / 2) < 1e-11, f'Heisenberg: a loop about the area pi/2 gives {loop}'

    # Bouguer's curve with k = c/v, from x = y = 0; it ends at t = d v/(v^2 - c^2) = 20/3
    def bouguer(x, d=10, k=0.5):
        u = 1 - x / d
        return d / 2 * (u ** (1 + k) / (1 + k) - u ** (1 - k) / (1 - k)) + d * k / (1 - k * k)
    rows = gallery.run('pursuit', '--to', '6.6')
    found = max(abs(r['y'] - bouguer(r['x'])) for r in rows)
    speed = spread(rows, lambda r: math.hypot(r["x'"], r["y'"]))
    # dx/dt = v/sqrt(1 + y'(x)^2) integrates to the distance left: (d/2) (u^(1+k)/(1+k) + u^(1-k)/(1-k)) = v (T - t)
    left = max(abs(5 * ((1 - r['x'] / 10) ** 1.5 / 1.5 + (1 - r['x'] / 10) ** 0.5 / 0.5) - 2 * (20 / 3 - r['t'])) for r in rows)
    yield max(found, speed, left) < 1e-10, f'pursuit: {found:.2g} {speed:.2g} {left:.2g}'


def chain(q, a=0.25):
    """Forces of springs r + a r^3 between neighbours and walls."""
    pulls = [r + a * r ** 3 for r in (y - x for x, y in zip([0, *q], [*q, 0]))]
    return [y - x for x, y in zip(pulls, pulls[1:])]


def thermostat(t, state):
    n = len(state) // 2
    q, v = state[:n], state[n:]
    F = chain(q)
    friction = sum(x * y for x, y in zip(F, v)) / sum(x * x for x in v)
    return v + [x - friction * y for x, y in zip(F, v)]


def isokinetic(gallery):
    for n, to, count in ((8, 5, 60), (64, 1, 20)):
        name = f'isokinetic-{n}'
        rows = gallery.run(name, '--to', str(to), '--every', str(to / 10))
        names = [f'q{i}' for i in range(1, n + 1)] + [f"q{i}'" for i in range(1, n + 1)]
        found = follow(thermostat, [rows[0][k] for k in names], rows, names, count)
        heat = max(abs(sum(r[k] ** 2 for k in names[n:]) - (n - 1)) for r in rows)
        yield found < 1e-6 and heat < 1e-11, f'{name}: {found:.2g}, heat {heat:.2g}'
        out = gallery.eval(name)
        wanted = thermostat(0, [out['state'][k] for k in names])
        found = max(abs(a - b) for a, b in zip(out['second']['D'], wanted[n:]))
        friction = max(abs(row['friction'] - sum(x * row[y] for x, y in zip(chain([row[k] for k in names[:n]]), names[n:])) / (n - 1)) for row in rows)
        yield max(found, friction) < 1e-11, f'{name}: accelerations {found:.2g}, friction {friction:.2g}'


# ---------------------------------------------------------------- the bicycle

BENCHMARK = {name: mp.mpf(value) for name, value in dict(
    v='5', g='9.81', w='1.02', c='0.08', rR='0.3', mR='2', IRx='0.0603', IRy='0.12', xB='0.3', zB='-0.9', mB='85', IBx='9.2', IBy='11', IBz='2.8',
    IBxz='2.4', xH='0.9', zH='-0.7', mH='4', IHx='0.05892', IHy='0.06', IHz='0.00708', IHxz='-0.00756', rF='0.35', mF='3', IFx='0.1405',
    IFy='0.28').items()}
BENCHMARK['lambda'] = mp.pi / 10


def small_motions():
    """M, C1, K0, K2 of M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, q = (lean, steer): Meijaard and others (2007), appendix A."""
    p = types.SimpleNamespace(**{('lam' if name == 'lambda' else name): value for name, value in BENCHMARK.items()})
    s, c = mp.sin(p.lam), mp.cos(p.lam)
    mT, mA = p.mR + p.mB + p.mH + p.mF, p.mH + p.mF
    xT = (p.xB * p.mB + p.xH * p.mH + p.w * p.mF) / mT
    zT = (-p.rR * p.mR + p.zB * p.mB + p.zH * p.mH - p.rF * p.mF) / mT
    Txx = p.IRx + p.IBx + p.IHx + p.IFx + p.mR * p.rR ** 2 + p.mB * p.zB ** 2 + p.mH * p.zH ** 2 + p.mF * p.rF ** 2
    Txz = p.IBxz + p.IHxz - p.mB * p.xB * p.zB - p.mH * p.xH * p.zH + p.mF * p.w * p.rF
    Tzz = p.IRx + p.IBz + p.IHz + p.IFx + p.mB * p.xB ** 2 + p.mH * p.xH ** 2 + p.mF * p.w ** 2
    xA, zA = (p.xH * p.mH + p.w * p.mF) / mA, (p.zH * p.mH - p.rF * p.mF) / mA
    Axx = p.IHx + p.IFx + p.mH * (p.zH - zA) ** 2 + p.mF * (p.rF + zA) ** 2
    Axz = p.IHxz - p.mH * (p.xH - xA) * (p.zH - zA) + p.mF * (p.w - xA) * (p.rF + zA)
    Azz = p.IHz + p.IFx + p.mH * (p.xH - xA) ** 2 + p.mF * (p.w - xA) ** 2
    u = (xA - p.w - p.c) * c - zA * s
    All = mA * u ** 2 + Axx * s ** 2 + 2 * Axz * s * c + Azz * c ** 2
    Alx, Alz = -mA * u * zA + Axx * s + Axz * c, mA * u * xA + Axz * s + Azz * c
    mu, SR, SF = p.c / p.w * c, p.IRy / p.rR, p.IFy / p.rF
    ST, SA = SR + SF, mA * u + mu * mT * xT
    return (mp.matrix([[Txx, Alx + mu * Txz], [Alx + mu * Txz, All + 2 * mu * Alz + mu ** 2 * Tzz]]),
            mp.matrix([[0, mu * ST + SF * c + Txz * c / p.w - mu * mT * zT], [-(mu * ST + SF * c), Alz * c / p.w + mu * (SA + Tzz * c / p.w)]]),
            mp.matrix([[mT * zT, -SA], [-SA, -SA * s]]),
            mp.matrix([[0, (ST - mT * zT) * c / p.w], [0, (SA + SF * s) * c / p.w]]))


def eigenvalues(A):
    found = mp.eig(A, left=False, right=False)
    return sorted(found, key=lambda z: (round(float(z.real), 8), float(z.imag)))


def exact_model(source):
    """The functions of an exported model with mpmath's numbers in place of doubles."""
    functions = types.ModuleType('math')
    for name in 'sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt'.split():
        setattr(functions, name, getattr(mp, name))
    space, before = {'__name__': 'model'}, sys.modules['math']
    sys.modules['math'] = functions
    try:
        exec(compile(source, 'bicycle', 'exec'), space)
    finally:
        sys.modules['math'] = before
    return space


# printed in the paper: the matrices, and table 2: at 0 m/s two pairs, from 1 m/s on castering, capsize and weave
PRINTED_MATRICES = [[80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686], [0, 33.86641391492494, -0.85035641456978, 1.68540397397560],
                    [-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618], [0, 76.59734589573222, 0, 2.65431523794604]]
PRINTED = [(-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
           (-7.11008014637442, -3.13423125066578, 3.52696170990070 + 0.80774027519930j),
           (-8.67387984831735, -3.07158645641514, 2.68234517512745 + 1.68066296590675j),
           (-10.35101467245920, -2.63366137253667, 1.70675605663975 + 2.31582447384325j),
           (-12.15861426576447, -1.42944427361326, 0.41325331521125 + 3.07910818603206j),
           (-14.07838969279822, -0.32286642900409, -0.77534188219585 + 4.46486771378823j),
           (-16.08537123098026, -0.00406690076970, -1.52644486584142 + 5.87673060598709j),
           (-18.15788466125262, 0.10268170574766, -2.13875644258362 + 7.19525913329805j),
           (-20.27940894394569, 0.14327879765713, -2.69348683581097 + 8.46037971396931j),
           (-22.43788559040858, 0.15790184030917, -3.21675402252485 + 9.69377351531791j),
           (-24.62459635017404, 0.16105338653172, -3.72016840437287 + 10.90681139476287j)]


def bicycle(gallery):
    began = time.monotonic()
    done = gallery.call('export', 'whipple-bicycle', '--to', 'python')
    took = time.monotonic() - began
    yield done.returncode == 0, f'bicycle: {done.stderr}'
    first = done.stdout.split('def first_kind')[1].split('\ndef ')[0]
    operations = sum(1 for line in first.splitlines() if ' = ' in line and '[' not in line.split(' = ')[1])
    yield operations <= 5000, f'bicycle: {operations} operations'
    model = exact_model(done.stdout)
    M, C1, K0, K2 = small_motions()
    for matrix, printed in zip((M, C1, K0, K2), PRINTED_MATRICES):
        yield max(abs(a - b) for a, b in zip(matrix, printed)) < 6e-15 * 100, f'bicycle: {matrix} is not as printed'
    names = model['coordinates'] + model['velocities']
    parameters = [BENCHMARK[name] for name in model['parameters']]
    chosen = [names.index(name) for name in ('lean', 'steer', "lean'", "steer'")]
    h = mp.mpf(10) ** -18
    for v in range(11):
        A = mp.zeros(4)
        A[0, 2] = A[1, 3] = 1
        A[2:4, 0:2] = -mp.inverse(M) * (BENCHMARK['g'] * K0 + v * v * K2)
        A[2:4, 2:4] = -mp.inverse(M) * v * C1
        wanted = eigenvalues(A)
        printed = [*PRINTED[v], *(z.conjugate() for z in PRINTED[v] if isinstance(z, complex))]
        distance = max(min(abs(a - b) for a in wanted) for b in printed)
        yield distance < 1e-12, f'bicycle at {v} m/s: {wanted} is not as printed, by {mp.nstr(distance, 3)}'
        straight = [mp.mpf(0)] * len(names)
        straight[names.index("rear'")] = -v / BENCHMARK['rR']
        steady = model['first_kind'](0, straight, parameters)
        yield max(abs(x) for x in steady[8:]) < 1e-40 and abs(steady[0] - v) < 1e-40, f'bicycle at {v} m/s: it does not ride straight on'
        B = mp.zeros(4)
        for j, k in enumerate(chosen):
            up, down = (model['first_kind'](0, shifted(straight, k, d), parameters) for d in (h, -h))
            for i in range(4):
                B[i, j] = (up[chosen[i]] - down[chosen[i]]) / (2 * h)
        found = eigenvalues(B)
        worst = max(abs(a - b) for a, b in zip(found, wanted))
        yield worst < 1e-11, f'bicycle at {v} m/s: {found} instead of {wanted}'
    # left alone from a knock: at 5 m/s it comes back, at 3 m/s it does not; the energy, with the tyres on the ground
    rows = gallery.run('whipple-bicycle', '--to', '20', '--every', '0.1')
    lean = lambda a, b: max(abs(r['lean']) for r in rows if a <= r['t'] <= b)
    yield lean(0, 2) > 0.05 and lean(18, 20) < 1e-3 and rows[-1]['speed'] > 4.5, f'bicycle: leans by {lean(0, 2)} and then by {lean(18, 20)}'
    p = types.SimpleNamespace(lam=mp.pi / 10, **{name: value for name, value in BENCHMARK.items() if name != 'lambda'})
    energies = []
    for r in rows[::20]:
        q, v = ([mp.mpf(r[name + prime]) for name in model['coordinates']] for prime in ('', "'"))
        energies.append(Bicycle.kinetic(p, q, v, 0) + Bicycle.potential(p, q, 0))
        slip = max(abs(c) for c in Bicycle.constraint(p, q, v, 0))
        place, R = Bicycle.poses(p, q)[3]
        yield slip < 1e-11 and abs(place[2] + Bicycle.lowest(R, p.rF)[2]) < 1e-12, f'bicycle: slip {mp.nstr(slip, 3)} at t = {r["t"]}'
    yield max(energies) - min(energies) < 1e-10 * abs(energies[0]), f'bicycle: energy from {min(energies)} to {max(energies)}'
    print(f'bicycle: {operations} operations of the first kind, export in {took:.2f} s')


if __name__ == '__main__':
    all_of(Gallery(*sys.argv[1:3]), closed_forms, isokinetic, random_states, bicycle)
