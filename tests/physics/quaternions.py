#!/usr/bin/env python3
"""quaternions.py NONHOLO: orientations as unit quaternions, against closed forms. The velocities of a quaternion allow no choice of three of
them that is good everywhere; the motions here go through all places where one fails. Nothing is taken from the program's output but
what is tested."""
import csv
import io
import json
import math
import subprocess
import sys

from checks import all_of

# Angular velocities along the body's axes, 2 conj(e) e', and along those of the ground, 2 e' conj(e).
ORIENTATION = """parameters A = 0.1, C = 0.16, R = 1/2, n = 0.7, J = 1/10
let b1 = 2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')
let b2 = 2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')
let b3 = 2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')
let s1 = 2*(e0*e1' - e1*e0' - e3*e2' + e2*e3')
let s2 = 2*(e0*e2' - e2*e0' - e1*e3' + e3*e1')
constraint e0^2 + e1^2 + e2^2 + e3^2 = 1
observe p = b1, q = b2, r = b3
"""
TOP = 'coordinates %s\n' + ORIENTATION + 'kinetic 1/2*(A*(b1^2 + b2^2) + C*b3^2)\n'
BALL = 'coordinates x, y, e0, e1, e2, e3\n' + ORIENTATION + """kinetic 1/2*(x'^2 + y'^2) + 1/2*J*(b1^2 + b2^2 + b3^2)
constraint x' - R*s2 = -n*y
constraint y' + R*s1 = n*x
"""

# the same with x = X - z/2, z an oscillator beside it, and the rolling conditions mixed with each other
MIXED = 'coordinates X, y, z, e0, e1, e2, e3\n' + ORIENTATION + """kinetic 1/2*((X' - z'/2)^2 + y'^2 + z'^2) + 1/2*J*(b1^2 + b2^2 + b3^2)
potential 2*z^2
constraint 2*(X' - z'/2 - R*s2 + n*y) + 3*(y' + R*s1 - n*(X - z/2)) = 0
constraint 5*(X' - z'/2 - R*s2 + n*y) - 4*(y' + R*s1 - n*(X - z/2)) = 0
observe x = X - z/2
"""


class Program:
    def __init__(self, path):
        self.path = path

    def __call__(self, command, model, *options):
        done = subprocess.run([self.path, command, '-', *options], input=model.encode(), capture_output=True, timeout=60)
        return done.stdout.decode(), done.stderr.decode(), done.returncode

    def run(self, model, *options):
        out, err, status = self('run', model, *options)
        if status != 0:
            raise SystemExit(f'run {options}: {err}')
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(out))]


def times(a, b):
    """The product of two quaternions."""
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    return (a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3, a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
            a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1, a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0)


def turn(x, y, z):
    """The quaternion of a turn about (x, y, z) by its length."""
    angle = math.hypot(x, y, z)
    s = math.sin(angle / 2) / angle if angle else 0.5
    return math.cos(angle / 2), s * x, s * y, s * z


def top(program):
    """A free symmetrical top, A = B: with its angular momentum L = (A p, 0, C r), fixed, it turns about L by L t/A, and about its own axis
    by r (1 - C/A) t. Wherever the real part stands among the coordinates."""
    A, C, p, r = 0.1, 0.16, 0.8, 1.4
    for names in ('e0, e1, e2, e3', 'e1, e2, e3, e0', 'e2, e0, e3, e1'):
        start = f"initial e0 = 1, e1' = {p / 2}, e3' = {r / 2}\n"
        for options in ((), ('--solver', 'rk'), ('--precision', 'long')):
            for row in program.run(TOP % names + start, '--to', '20', '--every', '1', *options):
                t = row['t']
                exact = times(turn(p * t, 0, C * r * t / A), turn(0, 0, r * (1 - C / A) * t))
                off = max(abs(row[f'e{i}'] - x) for i, x in enumerate(exact))
                yield off < 1e-10, f'top, {names}, {options}, t = {t}: {off:.2g}'


def everywhere(program):
    """Rates are there at every orientation, also where all of e but one are 0, and are Euler's."""
    A, C = 0.1, 0.16
    for k in range(4):
        e = [float(i == k) for i in range(4)]
        rates = (0.3, -0.7, 0.9)
        v = [x / 2 for x in times(e, (0, *rates))]
        start = ','.join([f'e{i}={x}' for i, x in enumerate(e)] + [f"e{i}'={x}" for i, x in enumerate(v)])
        out, err, status = program('eval', TOP % 'e0, e1, e2, e3', '--format', 'json', '--start', start)
        yield status == 0, f'e{k} = 1: {err}'
        first = json.loads(out)['first']
        # u are the angular velocities along the body's axes: A u1' = (A - C) u2 u3, A u2' = (C - A) u1 u3, u3' = 0
        euler = ((A - C) / A * rates[1] * rates[2], (C - A) / A * rates[0] * rates[2], 0)
        off = max(abs(x - y) for x, y in zip(first['Z_upper'], euler))
        yield off < 1e-12, f'e{k} = 1: rates {first["Z_upper"]}, not {euler}'


def proved(program):
    """The frame has full rank, and what is said of it is proved by algebra."""
    facts = {f['name']: f['verdict'] for f in json.loads(program('check', TOP % 'e0, e1, e2, e3', '--format', 'json')[0])['facts']}
    for name in ('representations-agree', 'reactions-ideal', 'energy-conserved'):
        yield facts[name] == 'proved', f'{name}: {facts[name]}'
    psi = json.loads(program('derive', TOP % 'e0, e1, e2, e3', '--format', 'json')[0])['first']['psi']
    yield all('/e' not in x and '/(e' not in x for x in psi), f'psi has denominators: {psi}'


def simple(program):
    """Angular velocities along the axes of the body make G diagonal for a body that is not homogeneous, those along the axes of the ground
    for a homogeneous ball that rolls."""
    for model, start in ((TOP % 'e0, e1, e2, e3', ''), (TOP % 'e2, e0, e3, e1', ''), (BALL, 'x=0.2,y=-0.1,')):
        out, err, status = program('eval', model, '--format', 'json', '--start', start + "e0=1/2,e1=-1/2,e2=0.1,e3=7/10,u1=1,u2=2,u3=3")
        G = json.loads(out)['first']['G'] if status == 0 else [[math.nan]]
        off = max(abs(x) for i, row in enumerate(G) for k, x in enumerate(row) if i != k) if status == 0 else math.nan
        yield off < 1e-15, f'G = {G}, {err}'


def two(program):
    """Two tops in one model, whose names are mixed, are two tops."""
    A, C = 0.1, 0.16
    second = ''.join(line + '\n' for line in ORIENTATION.splitlines() if not line.startswith('parameters'))
    for letter, other in (('e', 'f'), ('b', 'c'), ('s', 'd')):
        for k in range(4):
            second = second.replace(f'{letter}{k}', f'{other}{k}')
    second = second.replace('p = ', 'p2 = ').replace('q = ', 'q2 = ').replace('r = ', 'r2 = ')
    model = 'coordinates e0, f0, e1, f1, e2, f2, e3, f3\n' + ORIENTATION + second
    model += 'kinetic 1/2*(A*(b1^2 + b2^2) + C*b3^2) + (A*(c1^2 + c2^2) + C*c3^2)\n'
    p, r = (0.8, -1.2), (1.4, 0.5)
    model += f"initial e0 = 1, f0 = 1, e1' = {p[0] / 2}, e3' = {r[0] / 2}, f1' = {p[1] / 2}, f3' = {r[1] / 2}\n"
    for row in program.run(model, '--to', '10', '--every', '1'):
        t = row['t']
        for i, letter in enumerate('ef'):
            exact = times(turn(p[i] * t, 0, C * r[i] * t / A), turn(0, 0, r[i] * (1 - C / A) * t))
            off = max(abs(row[f'{letter}{k}'] - x) for k, x in enumerate(exact))
            yield off < 1e-10, f'two tops, {letter}, t = {t}: {off:.2g}'


def ball(program):
    """A homogeneous ball on a table that turns with the rate n: its contact point goes round on a circle with the rate 2 n/7 (Earnshaw),
    whatever its orientation does."""
    w = 2 / 7 * 0.7
    rows = program.run(BALL + "initial x = 0.3, e0 = 1, e3' = 0.7, x' = 0.2, y' = 0.1\n", '--to', '40', '--every', '2')
    mixed = program.run(MIXED + "initial X = 0.3 + 1/4, z = 1/2, e0 = 1, e3' = 0.7, X' = 0.2 + 1/6, z' = 1/3, y' = 0.1\n", '--to', '40', '--every', '2')
    a, b = 0.2 / w, 0.1 / w
    least = min(abs(row['e0']) for row in program.run(BALL + "initial x = 0.3, e0 = 1, e3' = 0.7, x' = 0.2, y' = 0.1\n", '--to', '40', '--every', '0.01'))
    yield least < 0.02, f'e0 is never near 0: {least}'
    for row in rows:
        c, s = math.cos(w * row['t']), math.sin(w * row['t'])
        off = max(abs(row['x'] - (0.3 + a * s - b * (1 - c))), abs(row['y'] - (b * s + a * (1 - c))))
        yield off < 1e-10, f'ball, t = {row["t"]}: {off:.2g}'
    for row, other in zip(rows, mixed):
        off = max(abs(row[k] - other[k]) for k in ('x', 'y', 'e0', 'e1', 'e2', 'e3'))
        off = max(off, abs(other['z'] - math.cos(2 * row['t']) / 2 - math.sin(2 * row['t']) / 6))
        yield off < 1e-10, f'mixed, t = {row["t"]}: {off:.2g}'


if __name__ == '__main__':
    all_of(Program(sys.argv[1]), top, everywhere, proved, simple, two, ball)
