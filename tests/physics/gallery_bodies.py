#!/usr/bin/env python3
"""gallery_bodies.py NONHOLO EXAMPLES: the bodies of the gallery against closed forms, and against Newton's and Euler's laws.

Each body is written down here a second time, as positions and orientations only; velocities, accelerations and angular
momenta follow from series in the time. Nothing is taken from the program's output but what is tested."""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys

from checks import all_of

G = 9.81


class Program:
    def __init__(self, path, examples):
        self.path, self.examples = path, examples

    def __call__(self, command, name, *options):
        done = subprocess.run([self.path, command, os.path.join(self.examples, name + '.nh'), *options], capture_output=True, timeout=60)
        return done.stdout.decode(), done.stderr.decode(), done.returncode

    def json(self, command, name, *options):
        out, err, status = self(command, name, '--format', 'json', *options)
        if status != 0:
            raise SystemExit(f'{command} {name} {options}: {err}')
        return json.loads(out)

    def run(self, name, *options, start=None, set=None):
        options = [str(o) for o in options]
        if start:
            options += ['--start', ','.join(f'{k}={v!r}' for k, v in start.items())]
        if set:
            options += ['--set', ','.join(f'{k}={v!r}' for k, v in set.items())]
        out, err, status = self('run', name, *options)
        if status != 0:
            raise SystemExit(f'run {name} {options}: {err}')
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(out))]


# ---------------------------------------------------------------- what check says

PROVED = ('methods-agree', 'reactions-ideal', 'representations-agree')
FACTS = {  # name: verdict on the energy, integrals; all claimed integrals are proved
    'rolling-disc': ('proved', 1), 'rolling-coin': ('proved', 1), 'euler-disc': ('proved', 1), 'ball': ('proved', 2), 'chaplygin-ball': ('proved', 4),
    'ball-on-turntable': ('refuted', 3), 'ball-in-cylinder': ('proved', 3), 'ball-in-bowl': ('proved', 3),
    'routh-sphere': ('proved', 3), 'rattleback': ('proved', 1), 'suslov': ('proved', 1), 'rolling-cone': ('proved', 1),
    'unicycle': ('refuted', 0), 'segway': ('refuted', 0)}


def facts(program):
    for name, (energy, integrals) in FACTS.items():
        found = {f['name']: f['verdict'] for f in program.json('check', name)['facts']}
        yield found['energy-conserved'] == energy, f'{name}: energy-conserved {found["energy-conserved"]}'
        for fact in PROVED:
            yield found[fact] == 'proved', f'{name}: {fact} {found[fact]}'
        claimed = {f: v for f, v in found.items() if f.startswith('integral ')}
        # that of the rattleback has a root in it, and is the energy, which is proved
        good = ('proved', 'tested') if name == 'rattleback' else ('proved',)
        yield len(claimed) == integrals and all(v in good for v in claimed.values()), f'{name}: {claimed}'
        yield found['holonomic'] == ('proved' if name == 'rolling-cone' else 'refuted'), f'{name}: holonomic {found["holonomic"]}'


# ---------------------------------------------------------------- closed forms

def worst(rows, wanted):
    return max(abs(row[k] - v) / max(1, abs(v)) for row in rows for k, v in wanted(row['t']).items())


def disc(program):
    m, R, A, C = 1, 0.5, 1 / 16, 1 / 8
    lean, turn = 0.3, 2
    roll = (m * G * R * math.tan(lean) / turn + turn * (m * R * R + C - A) * math.sin(lean)) / (m * R * R + C)
    radius = R * roll / turn
    off = worst(program.run('rolling-disc'), lambda t: {
        'theta': lean, "theta'": 0, "psi'": turn, "phi'": roll, 'x': radius * math.sin(turn * t), 'y': radius * (1 - math.cos(turn * t))})
    yield off < 1e-11, f'disc, steady: {off:.2g}'
    # The coin stands where its centre is above its edge, and falls from anywhere else with a known acceleration.
    coin, r, b = 1 / 100, 1 / 80, 1 / 1000
    balanced = math.atan(b / r)
    rest = program.run('rolling-coin', '--start', f"theta={balanced!r},psi'=0,theta'=0,phi'=0", '--to', '0.05')
    yield max(abs(row['theta'] - balanced) for row in rest) < 1e-10, f"coin, balanced: {rest[-1]['theta']}"
    yield abs(rest[0]['normal'] - coin * G) < 1e-12, f"coin, balanced: {rest[0]['normal']}"
    fall = program.run('rolling-coin', '--start', "theta=0.3,psi'=0,theta'=0,phi'=0", '--to', '0.0001', '--every', '0.0001')
    rate = coin * G * (r * math.sin(0.3) - b * math.cos(0.3)) / (coin * (r * r / 4 + b * b / 3 + r * r + b * b))
    yield abs(fall[-1]["theta'"] / (rate * 0.0001) - 1) < 1e-5, f"coin, falling: {fall[-1]}"
    # Small lean, linearised. Straight on: A psi'' = C phi' theta' and (A + mR^2) theta'' = mgR theta - (C + mR^2) phi' psi'. On the spot,
    # psi' = s: (C + mR^2) phi'' = (C + 2mR^2) s theta' and (A + mR^2) theta'' = (mgR + (C + mR^2 - A) s^2) theta - (C + mR^2) s phi'.
    # Both are (A + mR^2) theta'' = k theta, k being zero at the limit.
    for factor in (0.8, 0.95, 1.05, 2):
        w = math.sqrt(factor * A * m * G * R / (C * (C + m * R * R)))
        k = (m * G * R - C * (C + m * R * R) * w * w / A) / (A + m * R * R)
        yield from swing(program, 'rolling-disc', f'straight, {factor}', 'theta', k,
                         {"theta'": 0., "psi'": C / A * w * SMALL, "phi'": w})
        s = math.sqrt(factor * m * G * R / (A + m * R * R))
        k = (m * G * R - (A + m * R * R) * s * s) / (A + m * R * R)
        yield from swing(program, 'rolling-disc', f'on the spot, {factor}', 'theta', k,
                         {"theta'": 0., "psi'": s, "phi'": (C + 2 * m * R * R) / (C + m * R * R) * s * SMALL})


SMALL = 5e-6


def swing(program, name, text, angle, k, start, **more):
    """angle'' = k angle from rest at SMALL: until it has grown seventyfold, or for some periods."""
    start = {**start, angle: SMALL}
    rate = math.sqrt(abs(k))
    rows = program.run(name, '--to', 5 / rate if k > 0 else 20 / rate, start=start, **more)
    form = math.cosh if k > 0 else math.cos
    off = max(abs(r[angle] - SMALL * form(rate * r['t'])) for r in rows) / max(abs(r[angle]) for r in rows)
    grown = max(abs(r[angle]) for r in rows) / SMALL
    yield off < 2e-6 and (grown > 50 if k > 0 else grown < 1.001), f'{name}, {text}: off by {off:.2g}, grown by {grown:.3g}'


def euler_disc(program):
    R = 0.5
    for tilt in (0.5, 0.1, 0.02):
        rate = math.sqrt(4 * G / (R * math.sin(tilt)))
        rows = program.run('euler-disc', '--to', '2', start={
            'alpha': tilt, "alpha'": 0., "psi'": rate, "phi'": rate * math.cos(tilt)})
        off = 0
        for r in rows:  # the centre stays at (0, R cos(tilt))
            x = r['x'] - R * math.sin(r['psi']) * math.cos(r['alpha'])
            y = r['y'] + R * math.cos(r['psi']) * math.cos(r['alpha'])
            off = max(off, abs(x) / R, abs(y / R - math.cos(tilt)), abs(r['alpha'] / tilt - 1), abs(r["psi'"] / rate - 1),
                      abs(r['face'] / rate - (1 - math.cos(tilt))))
        yield off < 1e-9, f"Euler's disc, {tilt}: {off:.2g}"


def balls(program):
    # 5/7 of gravity, and the friction 2/7 m g sin(alpha)
    R, k = 0.1, G * math.sin(0.2)
    vx, vy = R * -8, R / 2
    off = worst(program.run('ball'), lambda t: {
        'x': vx * t + 5 / 14 * k * t * t, 'y': vy * t, "x'": vx + 5 / 7 * k * t, "y'": vy, 'friction': 2 / 7 * k})
    yield off < 1e-11, f'ball: {off:.2g}'
    # round at the rate 2n/7
    for n in (3., -1., 7.):
        k = 2 * n / 7
        off = worst(program.run('ball-on-turntable', set={'n': n}), lambda t: {
            'x': 1 + (math.cos(k * t) - 1) / k, 'y': 0.5 + math.sin(k * t) / k, "x'": -math.sin(k * t), "y'": math.cos(k * t)})
        yield off < 1e-10, f'turntable, {n}: {off:.2g}'
    # 7/2 z'' = -s'^2 z - s' R w - 5/2 g from z = z' = 0, w being the angular velocity about the radius at the start
    R = 0.25
    for s, w in ((8., -2.), (6., 0.), (-9., 3.)):
        k, middle = math.sqrt(2 / 7) * s, -(s * R * w + 5 / 2 * G) / (s * s)
        rows = program.run('ball-in-cylinder', start={'n': s, 'w': w})
        off = worst(rows, lambda t: {'s': s * t, 'z': middle * (1 - math.cos(k * t)), "z'": middle * k * math.sin(k * t)})
        yield off < 1e-11, f'cylinder, {s}, {w}: {off:.2g}'
    # Near the bottom, c being x + i y of the centre and n the spin: 7/5 c'' + 2/5 i (R n/b) c' + (g/b) c = 0
    b, small = 1, 1e-4
    for n in (0., 20., -50.):
        h = n * R / b / 7
        root = math.sqrt(h * h + 5 / 7 * G / b)
        one, two = -h + root, -h - root
        rows = program.run('ball-in-bowl', start={'p': small, "p'": 0., "q'": 0., "phi'": n})
        off = 0
        for r in rows:
            c = b * complex(-math.sin(r['q']), math.sin(r['p']) * math.cos(r['q']))
            turn = [complex(math.cos(x * r['t']), math.sin(x * r['t'])) for x in (one, two)]
            off = max(off, abs(c - 1j * small * (one * turn[1] - two * turn[0]) / (one - two)) / small)
        yield off < 1e-7, f'bowl, {n}: {off:.2g}'


def integrals(program):
    """Of Jellett, Routh and Chaplygin, put together from the columns of a run."""
    m, R, a, A, C = 1, 1, 0.25, 1 / 3, 2 / 5
    values = []
    for r in program.run('routh-sphere', '--to', '50'):
        sin, cos = math.sin(r['theta']), math.cos(r['theta'])
        spin = r["phi'"] + r["psi'"] * cos
        # L.s, from the parts across the axis, A psi' sin(theta), and along it, C spin
        jellett = -A * r["psi'"] * sin * R * sin + C * spin * (a - R * cos)
        routh = spin * math.sqrt(A * C + m * A * (R * sin) ** 2 + m * C * (R * cos - a) ** 2)
        # the velocity of the centre is that of a turn about the point of contact
        v2 = (R * R + a * a - 2 * a * R * cos) * r["theta'"] ** 2 + (((R * cos - a) * r["psi'"] - R * spin) * sin) ** 2
        energy = (A * (r["theta'"] ** 2 + (r["psi'"] * sin) ** 2) + C * spin ** 2 + m * v2) / 2 - m * G * a * cos
        values.append((jellett, routh, energy))
    for name, column in zip(('Jellett', 'Routh', 'energy'), zip(*values)):
        off = max(abs(v - column[0]) for v in column) / abs(column[0])
        yield off < 1e-11, f'{name}: {off:.2g}'
    I = (1 / 4, 1 / 2, 1 / 3)
    values = []
    for r in program.run('chaplygin-ball', '--to', '50'):
        W = cardan({k: Jet(r[k], r[k + "'"]) for k in ('psi', 'theta', 'phi')}, 'zxy')
        w = [j.a for j in spin_of(W)]
        e = [[W[i][k].a for i in range(3)] for k in range(3)]
        L = [sum(I[k] * dot(w, e[k]) * e[k][i] for k in range(3)) for i in range(3)]
        values.append((L[0] + w[0], L[1] + w[1], L[2], dot(L, w) + w[0] ** 2 + w[1] ** 2))  # m R^2 = 1
    for name, column in zip('xyzE', zip(*values)):
        off = max(abs(v - column[0]) for v in column) / abs(column[0])
        yield off < 1e-11, f"Chaplygin's ball, {name}: {off:.2g}"


def suslov(program):
    I11, I22, I13 = 1, 2, 0.5
    for w1, w2 in ((1., -1.), (-1., 0.5)):
        s = math.sqrt(w2 * w2 + I11 / I22 * w1 * w1)
        k = I13 * s / I11
        t0 = math.atanh(w2 / s) / k
        side = math.copysign(s * math.sqrt(I22 / I11), w1)
        off = worst(program.run('suslov', '--to', '20', start={'w1': w1, 'w2': w2}), lambda t: {
            'w2': s * math.tanh(k * (t + t0)), 'w1': side / math.cosh(k * (t + t0))})
        yield off < 1e-11, f'Suslov: {off:.2g}'


def cone(program):
    # (3/20) h^2 (1 + 5 cos^2 alpha) psi'' = -(3/4) g sin(slope) h cos(alpha) sin(psi): a pendulum, with its period from
    # the arithmetic-geometric mean
    h, alpha, slope, psi = 1, 0.4, 0.2, 1
    k = 5 * G * math.sin(slope) * math.cos(alpha) / (h * (1 + 5 * math.cos(alpha) ** 2))
    x, y = 1, math.cos(psi / 2)
    for _ in range(8):
        x, y = (x + y) / 2, math.sqrt(x * y)
    period = 2 * math.pi / (math.sqrt(k) * x)
    rows = program.run('rolling-cone', '--at', f'{period / 2!r},{10 * period!r}')
    off = max(abs(rows[0]['psi'] + psi), abs(rows[1]['psi'] - psi), abs(rows[0]["psi'"]), abs(rows[1]["psi'"]))
    yield len(rows) == 2 and off < 1e-11, f'cone: {off:.2g}'
    off = max(abs(r["psi'"] ** 2 - 2 * k * (math.cos(r['psi']) - math.cos(psi))) for r in program.run('rolling-cone'))
    yield off < 1e-12, f'cone, energy: {off:.2g}'


def rattleback(program):
    """Spun one way it soon turns back, spun the other way it goes on."""
    rows = {side: program.run('rattleback', '--to', '6', '--every', '0.01', start={
        'alpha': 0.01, 'beta': 0.01, "psi'": side, "alpha'": 0., "beta'": 0.}) for side in (-5., 5.)}
    one, other = ([r['spin'] for r in rows[side]] for side in (-5., 5.))
    turned = next((i for i, spin in enumerate(one) if spin > 0), None)
    yield turned is not None and 100 < turned < 500 and one[-1] > 3, f'rattleback: turns at {turned}, then {one[-1]}'
    yield min(other) > 3, f'rattleback: goes on with {min(other)}'
    # the mirror image does the reverse
    mirror = program.run('rattleback', '--to', '6', '--every', '0.01', set={'I12': 2e-5}, start={
        'alpha': -0.01, 'beta': 0.01, "psi'": 5., "alpha'": 0., "beta'": 0.})
    off = max(abs(a + r['spin']) for a, r in zip(one, mirror))
    yield off < 1e-6, f'rattleback: mirror {off:.2g}'
    # without skew it rocks on the spot, with the radius of curvature r: (I + m h^2) angle'' = -m g (r - h) angle, h being
    # the height of the centre of mass
    for angle, radius, inertia in (('alpha', 0.03 ** 2 / 0.02, 2e-4), ('beta', 0.2 ** 2 / 0.02, 16e-4)):
        k = -G * (radius - 0.01) / (inertia + 0.01 ** 2)
        rest = {'alpha': 0., 'beta': 0., "psi'": 0., "alpha'": 0., "beta'": 0.}
        yield from swing(program, 'rattleback', angle, angle, k, rest, set={'I12': 0})


def riders(program):
    m, R, A, C, M, l, J1, J3 = 5, 0.3, 0.2, 0.4, 10, 0.5, 0.5, 0.1
    for w in (3., 10.):  # (A + J3) psi' = C phi' theta, as for the disc
        k = (G * (m * R + M * (R + l)) - C * w * w * (C + m * R * R + M * R * (R + l)) / (A + J3)) / (A + m * R * R + J1 + M * (R + l) ** 2)
        yield from swing(program, 'unicycle', w, 'theta', k, {
            'beta': 0., "theta'": 0., "psi'": C / (A + J3) * w * SMALL, "phi'": w, "beta'": 0.})
    M, l, J2, m, R, C = 10, 0.5, 1, 1, 0.2, 0.02
    k = M * G * l / (J2 + M * l * l - (M * l) ** 2 / (M + 2 * m + 2 * C / (R * R)))
    off = {'kp': 0, 'kd': 0, 'kv': 0, 'kw': 0}
    yield from swing(program, 'segway', 'falls', 'beta', k, {"psi'": 0., "beta'": 0., "phi1'": 0.}, set=off)
    end = program.run('segway', '--to', '30')[-1]
    off = max(abs(end['speed'] - 1), abs(end["psi'"] - 0.5), abs(end['beta']), abs(end["phi1'"] - 4.375), abs(end["phi2'"] - 5.625))
    yield off < 1e-9, f'segway: {off:.2g}'


# ---------------------------------------------------------------- the laws of motion, from positions alone

class Jet:
    """a + b t + c t^2."""

    def __init__(self, a, b=0., c=0.):
        self.a, self.b, self.c = a, b, c

    def __add__(self, o):
        o = jet(o)
        return Jet(self.a + o.a, self.b + o.b, self.c + o.c)

    def __mul__(self, o):
        o = jet(o)
        return Jet(self.a * o.a, self.a * o.b + self.b * o.a, self.a * o.c + self.b * o.b + self.c * o.a)

    def __neg__(self):
        return self * -1.

    def __sub__(self, o):
        return self + -jet(o)

    def __rsub__(self, o):
        return -self + o

    __radd__ = __add__
    __rmul__ = __mul__

    def rate(self):
        return Jet(self.b, 2 * self.c)


def jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def sin(x):
    x = jet(x)
    return Jet(math.sin(x.a), math.cos(x.a) * x.b, math.cos(x.a) * x.c - math.sin(x.a) * x.b ** 2 / 2)


def cos(x):
    return sin(jet(x) + math.pi / 2)


def sqrt(x):
    a = math.sqrt(x.a)
    b = x.b / (2 * a)
    return Jet(a, b, (x.c - b * b) / (2 * a))


def over(x):
    return Jet(1 / x.a, -x.b / x.a ** 2, x.b ** 2 / x.a ** 3 - x.c / x.a ** 2)


def rotation(axis, x):
    i, j = {'x': (1, 2), 'y': (2, 0), 'z': (0, 1)}[axis]
    R = [[Jet(float(r == c)) for c in range(3)] for r in range(3)]
    R[i][i] = R[j][j] = cos(x)
    R[j][i] = sin(x)
    R[i][j] = -sin(x)
    return R


def matmul(*factors):
    out = factors[0]
    for F in factors[1:]:
        out = [[sum(out[r][k] * F[k][c] for k in range(3)) for c in range(3)] for r in range(3)]
    return out


def add(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


def times(s, v):
    return [s * x for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def column(R, i):
    return [row[i] for row in R]


def transpose(R):
    return [list(row) for row in zip(*R)]


def spin_of(R):
    """The angular velocity in space: the skew part of R' R^T."""
    S = matmul([[x.rate() for x in row] for row in R], transpose(R))
    return [S[2][1], S[0][2], S[1][0]]


def rates(v):
    return [jet(x).rate() for x in v]


UP = [0., 0., 1.]
LEVEL = [[1., 0., 0.], [0., 1., 0.]]


class Body:
    def __init__(self, mass, inertia, centre, frame):
        I = list(inertia) + [0, 0, 0]
        self.mass, self.centre, self.frame = mass, [jet(x) for x in centre], frame
        self.inertia = [[Jet(I[i] if i == j else I[2 + i + j]) for j in range(3)] for i in range(3)]
        self.spin = spin_of(frame)

    def slip(self, s, along=LEVEL, ground=(0., 0., 0.)):
        """The velocity of its point at s from the centre, against the ground there."""
        v = add(rates(self.centre), cross(self.spin, s), times(-1., ground))
        return [dot(v, e) for e in along]

    def momentum(self):
        return [dot(row, self.spin) for row in matmul(self.frame, self.inertia, transpose(self.frame))]


# name: the coordinates, and what they stand for: bodies, velocities that are zero, gravity, other forces (of the coordinates)
def place_disc(q):
    B = matmul(rotation('z', q['psi']), rotation('x', -q['theta']))
    r = times(0.5, column(B, 2))
    D = Body(1, (1 / 16, 1 / 8, 1 / 16), add([q['x'], q['y'], 0.], r), matmul(B, rotation('y', q['phi'])))
    return [D], D.slip(times(-1., r))


def place_euler(q):
    B = matmul(rotation('z', q['psi']), rotation('x', q['alpha']))
    r = times(0.5, column(B, 1))
    D = Body(1, (1 / 16, 1 / 16, 1 / 8), add([q['x'], q['y'], 0.], r), matmul(B, rotation('z', -q['phi'])))
    return [D], D.slip(times(-1., r))


def cardan(q, axes):
    return matmul(*(rotation(a, q[n]) for a, n in zip(axes, ('psi', 'theta', 'phi'))))


def place_ball(q):
    D = Body(1, [0.004] * 3, [q['x'], q['y'], 0.1], cardan(q, 'zxy'))
    return [D], D.slip(times(-0.1, UP))


def place_coin(q):
    m, R, b = 1 / 100, 1 / 80, 1 / 1000
    B = matmul(rotation('z', q['psi']), rotation('x', -q['theta']))
    r = add(times(R, column(B, 2)), times(-b, column(B, 1)))
    A, C = m * (R * R / 4 + b * b / 3), m * R * R / 2
    D = Body(m, (A, C, A), add([q['x'], q['y'], 0.], r), matmul(B, rotation('y', q['phi'])))
    return [D], D.slip(times(-1., r))


def place_chaplygin(q):
    D = Body(1, (1 / 4, 1 / 2, 1 / 3), [q['x'], q['y'], 1.], cardan(q, 'zxy'))
    return [D], D.slip(times(-1., UP))


def place_turntable(q):
    D = Body(1, [0.004] * 3, [q['x'], q['y'], 0.1], cardan(q, 'zyx'))
    return [D], D.slip(times(-0.1, UP), ground=[-3. * q['y'], 3. * q['x'], 0.])


def place_cylinder(q):
    n = [cos(q['s']), sin(q['s']), 0.]
    D = Body(1, [0.025] * 3, [n[0], n[1], q['z']], cardan(q, 'xyz'))
    return [D], D.slip(times(0.25, n), [[-n[1], n[0], 0.], UP])


def place_bowl(q):
    N = matmul(rotation('x', q['p']), rotation('y', q['q']))
    n = column(N, 2)
    D = Body(1, [0.025] * 3, times(-1., n), matmul(N, cardan(q, 'xyz')))
    return [D], D.slip(times(-0.25, n), [column(N, 0), column(N, 1)])


def place_routh(q):
    B = matmul(rotation('z', q['psi']), rotation('x', q['theta']))
    r = times(-0.25, column(B, 2))
    D = Body(1, (1 / 3, 1 / 3, 2 / 5), add([q['x'], q['y'], 1.], r), matmul(B, rotation('z', q['phi'])))
    return [D], D.slip(add(times(-1., UP), times(-1., r)))


def place_rattleback(q):
    W = matmul(rotation('z', q['psi']), rotation('x', q['alpha']), rotation('y', q['beta']))
    # the lowest point: the ellipsoid's normal there is -UP
    n, squares = W[2], (0.04, 0.0009, 0.0004)
    h = sqrt(sum(s * x * x for s, x in zip(squares, n)))
    lowest = [-s * x * over(h) for s, x in zip(squares, n)]
    s = [dot(row, add(lowest, [0., 0., 0.01])) for row in W]
    D = Body(1, (2e-4, 16e-4, 17e-4, -2e-5), [q['x'], q['y'], -s[2]], W)
    return [D], D.slip(s)


def place_suslov(q):
    W = cardan(q, 'zxy')
    D = Body(1, (1, 2, 2.5, 0, 0.5, 0), [0., 0., 0.], W)
    return [D], [dot(D.spin, column(W, 2))]


def place_cone(q):
    h, r = 1, math.tan(0.4)
    B = matmul(rotation('z', q['psi']), rotation('y', -0.4))
    D = Body(1, (0.3 * r * r, *[0.15 * (r * r + h * h / 4)] * 2), times(0.75, column(B, 0)), matmul(B, rotation('x', q['phi'])))
    # a point of the line of contact does not move; the apex does not anyway
    line = [cos(q['psi']), sin(q['psi']), 0.]
    return [D], D.slip(add(line, times(-1., D.centre)), [[-sin(q['psi']), cos(q['psi']), 0.]])


def place_unicycle(q):
    B = matmul(rotation('z', q['psi']), rotation('x', -q['theta']))
    P = matmul(B, rotation('y', q['beta']))
    r = times(0.3, column(B, 2))
    hub = add([q['x'], q['y'], 0.], r)
    wheel = Body(5, (0.2, 0.4, 0.2), hub, matmul(B, rotation('y', q['phi'])))
    rider = Body(10, (0.5, 0.5, 0.1), add(hub, times(0.5, column(P, 2))), P)
    T = 200 * q['beta'].a + 30 * q['beta'].b
    return [wheel, rider], wheel.slip(times(-1., r)), {'phi': T, 'beta': -T}


def place_segway(q):
    B = rotation('z', q['psi'])
    P = matmul(B, rotation('y', q['beta']))
    hub, side, ahead = [q['x'], q['y'], 0.2], column(B, 1), column(B, 0)
    left = Body(1, (0.01, 0.02, 0.01), add(hub, times(0.25, side)), matmul(B, rotation('y', q['phi1'])))
    right = Body(1, (0.01, 0.02, 0.01), add(hub, times(-0.25, side)), matmul(B, rotation('y', q['phi2'])))
    pole = Body(10, (1, 1, 0.25), add(hub, times(0.5, column(P, 2))), P)
    s = times(-0.2, UP)
    v = dot(rates(hub), ahead).a
    drive = 30 * q['beta'].a + 10 * q['beta'].b + 5 * (v - 1)
    steer = 2 * (0.5 - q['psi'].b)
    return [left, right, pole], left.slip(s, [side, ahead]) + right.slip(s, [ahead]), \
        {'phi1': drive - steer, 'phi2': drive + steer, 'beta': -2 * drive}


PLACES = {'rolling-disc': place_disc, 'rolling-coin': place_coin, 'euler-disc': place_euler, 'ball': place_ball, 'chaplygin-ball': place_chaplygin,
          'ball-on-turntable': place_turntable, 'ball-in-cylinder': place_cylinder, 'ball-in-bowl': place_bowl, 'routh-sphere': place_routh,
          'rattleback': place_rattleback, 'suslov': place_suslov, 'rolling-cone': place_cone, 'unicycle': place_unicycle,
          'segway': place_segway}
GRAVITY = {'ball': [G * math.sin(0.2), 0, -G * math.cos(0.2)], 'rolling-cone': [G * math.sin(0.2), 0, -G * math.cos(0.2)],
           'chaplygin-ball': [0, 0, 0], 'ball-on-turntable': [0, 0, 0], 'suslov': [0, 0, 0]}


def null_space(rows, n):
    """Vectors that all rows annul, by elimination with pivots by columns; and the pivots."""
    rows, pivots = [list(r) for r in rows], []
    for k in range(len(rows)):
        p = max(range(n), key=lambda j: abs(rows[k][j]))
        pivots.append(p)
        rows[k] = [x / rows[k][p] for x in rows[k]]
        for other in range(len(rows)):
            if other != k:
                rows[other] = [x - rows[other][p] * y for x, y in zip(rows[other], rows[k])]
    basis = []
    for f in range(n):
        if f not in pivots:
            v = [0.] * n
            v[f] = 1.
            for row, p in zip(rows, pivots):
                v[p] = -row[f]
            basis.append(v)
    return basis


def laws(program):
    """m a - m g and dL/dt, summed over the bodies, do no work on any velocities that roll; and the accelerations keep it rolling."""
    dice = random.Random(7)
    for name, place in PLACES.items():
        names = program.json('check', name)['coordinates']
        names = [c['name'] if isinstance(c, dict) else c for c in names]
        n = len(names)
        gravity = GRAVITY.get(name, [0, 0, -G])

        def at(q, v, a):
            bodies, slips, *forces = place({k: Jet(q[i], v[i], a[i] / 2) for i, k in enumerate(names)})
            return bodies, slips, forces[0] if forces else {}
        zero = [0.] * n
        units = [[float(i == j) for j in range(n)] for i in range(n)]
        for _ in range(3):
            q = [dice.uniform(0.2, 1) for _ in names]
            if name == 'euler-disc':
                q = [x / 2 for x in q]
            still = [s.a for s in at(q, zero, zero)[1]]
            rows = transpose([[s.a - s0 for s, s0 in zip(at(q, e, zero)[1], still)] for e in units])
            free = null_space(rows, n)
            # a velocity that rolls: one of the null space, and, where the ground moves, the shift along the rows that takes it there
            v = [sum(x) for x in zip(*(times(dice.uniform(-1, 1), f) for f in free))]
            gram = [[dot(r, s) for s in rows] for r in rows]
            shift = solve(gram, [-s for s in still])
            v = [x + sum(s * r[i] for s, r in zip(shift, rows)) for i, x in enumerate(v)]
            start = ','.join(f'{k}={x!r}' for k, x in zip(names, q)) + ',' + ','.join(f"{k}'={x!r}" for k, x in zip(names, v))
            values = program.json('eval', name, '--start', start)
            accelerations = values['second']['D']
            bodies, slips, forces = at(q, v, accelerations)
            scale = 1 + max(map(abs, accelerations))
            off = max(abs(x) for s in slips for x in (s.a, s.b / scale))
            virtual = [at(q, e, zero)[0] for e in units]
            loss, size = [], 1e-30
            for i, moved in enumerate(virtual):
                work = -forces.get(names[i], 0)
                for body, other in zip(bodies, moved):
                    pull = [2 * x.c - g for x, g in zip(body.centre, gravity)]
                    turn = [x.b for x in body.momentum()]
                    terms = [body.mass * dot(pull, [x.b for x in other.centre]), dot(turn, [x.a for x in other.spin])]
                    size = max(size, *map(abs, terms))
                    work += sum(terms)
                loss.append(work)
            left = max(abs(dot(loss, f)) for f in free) / size
            yield off < 1e-10 and left < 1e-10, f'{name}: work {left:.2g}, slip {off:.2g}'


# A free body with all that a body can have, far from any symmetry.
FREE = """coordinates x, y, z
angles a, b, c
frame B = Ry(a)*Rz(b), W = B*Rx(-2*c)*Ry(1/3)
body D at (x, y, z) + 1/2*axis(B, 2) frame W mass 2 inertia (1, 2, 2.5, 0.1, -0.2, 0.3) force (1, x', 3*y) torque 2*axis(W, 1) + (0, 0, b')
gravity (0, 1, -9.81)
"""


def free_body(program):
    """Of D at (x, y, z) + e/2: m a = F + m g and dL/dt = T, six equations for six accelerations."""
    dice = random.Random(3)
    names = ['x', 'y', 'z', 'a', 'b', 'c']
    for _ in range(3):
        q, v = ([dice.uniform(-1, 1) for _ in names] for _ in range(2))
        start = ','.join(f'{k}={x!r}' for k, x in zip(names, q)) + ',' + ','.join(f"{k}'={x!r}" for k, x in zip(names, v))
        done = subprocess.run([program.path, 'eval', '-', '--format', 'json', '--start', start], input=FREE.encode(), capture_output=True, timeout=60)
        accelerations = json.loads(done.stdout)['second']['D']
        j = {k: Jet(x, y, z / 2) for k, x, y, z in zip(names, q, v, accelerations)}
        B = matmul(rotation('y', j['a']), rotation('z', j['b']))
        W = matmul(B, rotation('x', -2 * j['c']), rotation('y', 1 / 3))
        D = Body(2, (1, 2, 2.5, 0.1, -0.2, 0.3), add([j['x'], j['y'], j['z']], times(0.5, column(B, 1))), W)
        force = [1, v[0] + 2, 3 * q[1] - 2 * 9.81]
        torque = add([2 * x.a for x in column(W, 0)], [0, 0, v[4]])
        off = max(abs(x) for x in [2 * 2 * r.c - f for r, f in zip(D.centre, force)] + [h.b - k for h, k in zip(D.momentum(), torque)])
        yield off < 1e-11, f'free body: {off:.2g}'


def solve(A, b):
    n = len(b)
    rows = [list(r) + [x] for r, x in zip(A, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[p] = rows[p], rows[k]
        for i in range(n):
            if i != k:
                f = rows[i][k] / rows[k][k]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


if __name__ == '__main__':
    all_of(Program(*sys.argv[1:3]), facts, disc, euler_disc, balls, integrals, suslov, cone, rattleback, riders, laws, free_body)
