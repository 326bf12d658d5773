#!/usr/bin/env python3
"""integrals.py NONHOLO EXAMPLES: what `integrals` finds, against motions that are followed here.

From `derive` only g, L, C and its derivatives are taken, and psi to have a state on C: the accelerations come from
    g q'' - C_i lambda = L,   C_i q'' = -(dC q' + dC_dt)
in numbers, and the motion from Runge's and Kutta's method. Every expression found must be constant along it, with random
parameters and starts; a function that is none must not be. What is known of a system must be a function of what was
found, and what was found must be independent: both by the ranks of gradients on C."""
import json
import math
import os
import random
import re
import subprocess
import sys

FUNCTIONS = {name: getattr(math, name) for name in
             'sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt pi'.split()}
FUNCTIONS.update(abs=abs, min=min, max=max, sign=lambda x: (x > 0) - (x < 0))
STEPS, STEP, SURE = 20, 1 / 200, 1e-8
CONSTANT, CHANGING = 1e-7, 1e-4  # relative changes along a motion

DISC = """system Vertical disc
coordinates x, y
angles theta, psi
parameters m, R, A, B
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*A*theta'^2 + 1/2*B*psi'^2
constraint x' = R*theta'*cos(psi)
constraint y' = R*theta'*sin(psi)
"""
INCLINE = """system Two points on an incline
coordinates x1, y1, x2, y2
parameters m1, m2, g, slope
kinetic 1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
potential -(m1*x1 + m2*x2)*g*sin(slope)
constraint x1'*y2' - x2'*y1' = 0
velocities rho, sigma, theta
parametric x1' = rho*cos(theta), y1' = rho*sin(theta), x2' = sigma*cos(theta), y2' = sigma*sin(theta)
"""
SNAKEBOARD = """system Snakeboard that nobody drives
coordinates x, y
angles theta, psi, phi
parameters m, l, J, Jr, Jw
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2 + 1/2*Jr*(theta' + psi')^2
kinetic 1/2*Jw*((theta' + phi')^2 + (theta' - phi')^2)
constraint back: y'*cos(theta + phi) - x'*sin(theta + phi) - l*cos(phi)*theta' = 0
constraint front: y'*cos(theta - phi) - x'*sin(theta - phi) + l*cos(phi)*theta' = 0
"""
ROUTH = """system Routh's sphere
coordinates x, y
angles psi, theta, phi
parameters m, R, a, A, C, g
frame B = Rz(psi)*Rx(theta), W = B*Rz(phi)
body D at (x, y, R) - a*axis(B, 3) frame W mass m inertia (A, A, C)
gravity (0, 0, -g)
let s = a*axis(B, 3) - (0, 0, R), slip = vel(D) + cross(angvel(D), s)
constraint roll: (slip[1], slip[2]) = (0, 0)
independent psi', theta', phi'
"""
CHAPLYGIN = """system Chaplygin's ball
coordinates x, y
angles psi, theta, phi
parameters m, R, I1, I2, I3
frame W = Rz(psi)*Rx(theta)*Ry(phi)
body D at (x, y, R) frame W mass m inertia (I1, I2, I3)
let slip = vel(D) - cross(angvel(D), (0, 0, R))
constraint roll: (slip[1], slip[2]) = (0, 0)
independent psi', theta', phi'
"""
# the free rotor of a pendulum's axis, with a moving frame: Jacobi's integral, no energy
ROTATING = """system Bead on a line that turns
coordinates r
parameters m, k, n
kinetic 1/2*m*(r'^2 + n^2*r^2)
potential 1/2*k*r^2
"""
FORCED = """system Skate with friction
coordinates x, y
angles theta
parameters m, I, k
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
force x = -k*x', y = -k*y', theta = -k*theta'
constraint x'*sin(theta) = y'*cos(theta)
"""


# ---------------------------------------------------------------- vectors

def plus(a, factor, b):
    return [x + factor * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solve(M, b):
    """Gauss, with row exchanges."""
    rows = [list(row) + [x] for row, x in zip(M, b)]
    n = len(rows)
    for j in range(n):
        k = max(range(j, n), key=lambda i: abs(rows[i][j]))
        rows[j], rows[k] = rows[k], rows[j]
        if abs(rows[j][j]) < 1e-12:
            raise ZeroDivisionError('singular')
        for i in range(j + 1, n):
            rows[i] = plus(rows[i], -rows[i][j] / rows[j][j], rows[j])
    x = [0.0] * n
    for j in reversed(range(n)):
        x[j] = (rows[j][n] - dot(rows[j][j + 1:n], x[j + 1:])) / rows[j][j]
    return x


def nearest(columns, b):
    """x with sum_k x_k column_k next to b."""
    return solve([[dot(a, c) for c in columns] for a in columns], [dot(a, b) for a in columns])


def unit(row):
    size = math.sqrt(dot(row, row))
    return [x / size for x in row]


def rest_of(basis, row):
    """What of a unit vector is not in the span of an orthonormal basis; twice, for the rounding errors."""
    row = unit(row)
    for _ in range(2):
        for other in basis:
            row = plus(row, -dot(row, other), other)
    return row


def axes(n):
    return [[float(i == k) for i in range(n)] for k in range(n)]


# ---------------------------------------------------------------- the program

def ask(program, command, model, *options):
    done = subprocess.run([program, command, '-', '--format', 'json', '--quiet', *options], input=model.encode(),
                          capture_output=True, timeout=60)
    if done.returncode:
        raise SystemExit(f'{command} ended with {done.returncode}: {done.stderr.decode()}\n{model}')
    return json.loads(done.stdout)


def python_text(text):
    """An expression of the language in Python: x' becomes rate_x."""
    text = re.sub(r"([^\W\d]\w*)('*)", lambda m: m.group(0) if m.group(1) in FUNCTIONS and not m.group(2)
                  else 'rate_' * len(m.group(2)) + 'v_' + m.group(1), text)
    return text.replace('^', '**')


def compiled(text):
    return compile(python_text(text), text[:40], 'eval')


# ---------------------------------------------------------------- motions

class System:
    """A model in numbers."""

    def __init__(self, program, model, rng):
        derived = ask(program, 'derive', model)
        self.rng = rng
        self.q, self.z = derived['coordinates'], derived['velocities']
        self.given = {name: text for name, text in derived['parameters'].items()}
        self.where = [(python_text(name), compiled(text)) for name, text in derived['where']]
        second = derived['second'] or {}
        self.objects = {key: [[compiled(e) for e in row] for row in derived[key]] for key in ['g']}
        self.objects.update(L=[compiled(e) for e in derived['L']])
        self.r = len(second.get('C', []))
        for key in ['C_i', 'dC']:
            self.objects[key] = [[compiled(e) for e in row] for row in second.get(key, [])]
        self.objects['dC_dt'] = [compiled(e) for e in second.get('dC_dt', [])]
        self.objects['C'] = [compiled(e) for e in second.get('C', [])]
        self.psi = [compiled(e) for e in derived['first']['psi']] if derived['first']['psi'] else None

    def draw_parameters(self):
        self.parameters = dict(FUNCTIONS)
        for name, text in self.given.items():
            factor = self.rng.uniform(0.8, 1.25)
            self.parameters[python_text(name)] = factor * (
                eval(compiled(text), {}, self.parameters) if text is not None else 1)

    def names(self, t, q, rates, z=None):
        names = dict(self.parameters, v_t=t)
        names.update((python_text(n), v) for n, v in zip(self.q, q))
        if rates is not None:
            names.update((python_text(n + "'"), v) for n, v in zip(self.q, rates))
        if z is not None:
            names.update((python_text(n), v) for n, v in zip(self.z, z))
        return names

    def value(self, code, names):
        return eval(code, {'__builtins__': {}}, names)

    def with_where(self, names):
        for name, code in self.where:
            try:
                names[name] = self.value(code, names)
            except NameError:  # of z, where only q' are there
                pass
        return names

    def psi_at(self, t, q, z):
        names = self.with_where(self.names(t, q, None, z))
        return [self.value(code, names) for code in self.psi]

    def acceleration(self, t, q, rates):
        names = self.with_where(self.names(t, q, rates))
        g, C_i, dC = ([[self.value(c, names) for c in row] for row in self.objects[key]] for key in ['g', 'C_i', 'dC'])
        moved = [dot(row, rates) + self.value(c, names) for row, c in zip(dC, self.objects['dC_dt'])]
        M = [row + [-C_i[a][i] for a in range(self.r)] for i, row in enumerate(g)]
        M += [row + [0.0] * self.r for row in C_i]
        return solve(M, [self.value(c, names) for c in self.objects['L']] + [-x for x in moved])[:len(q)]

    def draw_state(self):
        """(t, q, q', z) on C; z of the start is known, later ones are found from it."""
        q = [self.rng.uniform(-0.6, 0.6) for _ in self.q]
        z = [self.rng.uniform(0.3, 1) * self.rng.choice([-1, 1]) for _ in self.z]
        t = self.rng.uniform(0, 1)
        return t, q, self.psi_at(t, q, z), z

    def follow(self, t, q, rates, steps, step):
        """Runge and Kutta, fourth order."""
        def field(t, y):
            return y[n:] + self.acceleration(t, y[:n], y[n:])
        n, y = len(q), q + rates
        for _ in range(steps):
            a = field(t, y)
            b = field(t + step / 2, plus(y, step / 2, a))
            c = field(t + step / 2, plus(y, step / 2, b))
            d = field(t + step, plus(y, step, c))
            y = [x + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4) for x, k1, k2, k3, k4 in zip(y, a, b, c, d)]
            t += step
        return t, y[:n], y[n:]

    def z_of(self, t, q, rates, guess):
        """psi(q, z, t) = q', by Gauss's and Newton's method."""
        z = list(guess)
        for _ in range(30):
            off = plus(rates, -1, self.psi_at(t, q, z))
            J = [[(a - b) / 2e-6 for a, b in zip(self.psi_at(t, q, plus(z, 1e-6, e)), self.psi_at(t, q, plus(z, -1e-6, e)))]
                 for e in axes(len(z))]
            step = nearest(J, off)
            z = plus(z, 1, step)
            if max(map(abs, step)) < 1e-13:
                break
        return z

    def function(self, text):
        code = compiled(text)
        return lambda t, q, rates, z: self.value(code, self.names(t, q, rates, z))

    def gradient(self, F, t, q, z):
        """In (t, q, z), on C."""
        def at(x):
            here, z = x[1:1 + len(q)], x[1 + len(q):]
            return F(x[0], here, self.psi_at(x[0], here, z), z)
        x, h = [t] + q + z, 1e-5
        return [(at(plus(x, h, e)) - at(plus(x, -h, e))) / (2 * h) for e in axes(len(x))]


def follow_surely(system, t, q, rates):
    """With steps, and with half of them: where the ends differ, for a shorter time; None: they always do."""
    for shorter in (1, 10, 100):
        step = STEP / shorter
        end, other = system.follow(t, q, rates, STEPS, step), system.follow(t, q, rates, 2 * STEPS, step / 2)
        values, others = end[1] + end[2], other[1] + other[2]
        if max(abs(a - b) / max(1, abs(a)) for a, b in zip(values, others)) < SURE:
            return other
    return None


def motions(system, count):
    """Starts and ends of motions; states where something is not defined are drawn again."""
    found, tries = [], 0
    while len(found) < count and tries < 50:
        tries += 1
        try:
            system.draw_parameters()
            t, q, rates, z = system.draw_state()
            end = follow_surely(system, t, q, rates)
            if end:
                found.append((dict(system.parameters), (t, q, rates, z), (*end, system.z_of(*end, z))))
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
    return found


# ---------------------------------------------------------------- checks

class Checks:
    def __init__(self, program):
        self.program, self.count, self.failures = program, 0, 0

    def expect(self, holds, what):
        self.count += 1
        if not holds:
            self.failures += 1
            print('FAILED:', what)

    def constancy(self, title, system, runs, texts):
        control = ' + '.join(f"sin(1 + {i}/3 + {q})*{q}'^3 + cos({i} + {q})" for i, q in enumerate(system.q))
        changed = 0
        for parameters, start, end in runs:
            system.parameters = parameters
            for text in texts:
                F = system.function(text)
                before, after = F(*start), F(*end)
                off = abs(after - before) / max(1, abs(before), abs(after))
                self.expect(off < CONSTANT, f'{title}: {text[:100]} changes by {off:.2g}')
            F = system.function(control)
            changed = max(changed, abs(F(*end) - F(*start)))
        self.expect(len(runs) > 0, f'{title}: no motion could be followed')
        self.expect(changed > CHANGING, f'{title}: a function that is no integral changes by {changed:.2g} only')

    def ranks(self, title, system, runs, texts, expected):
        for parameters, (t, q, _, z), _ in runs[:1]:
            system.parameters = parameters
            basis = []
            for text in texts:
                rest = rest_of(basis, system.gradient(system.function(text), t, q, z))
                self.expect(dot(rest, rest) > 1e-10, f'{title}: {text[:100]} is a function of those before it')
                basis.append(unit(rest))
            for name, text in expected.items():
                rest = rest_of(basis, system.gradient(system.function(text), t, q, z))
                self.expect(dot(rest, rest) < 1e-12, f'{title}: {name} is not a function of what was found')

    def system(self, title, model, options, expected, meanings=(), verdicts=('proved',), most=None):
        answer = ask(self.program, 'integrals', model, *options)
        found = answer['integrals']
        for f in found:
            self.expect(f['verdict'] in verdicts, f'{title}: {f["expression"][:80]} is only {f["verdict"]}')
        for meaning in meanings:
            self.expect(any(f.get('meaning') == meaning for f in found), f'{title}: no {meaning}')
        if most is not None:
            self.expect(len(found) <= most, f'{title}: {len(found)} were found, and there are {most}')
        self.expect(len(answer['searched']) > 20, f'{title}: it is not said what was searched')
        system = System(self.program, model, random.Random(title))
        if system.psi is None:
            return answer
        runs = motions(system, 2)
        self.constancy(title, system, runs, [f['expression'] for f in found])
        self.ranks(title, system, runs, [f['expression'] for f in found if not f.get('follows')], expected)
        return answer


# w of Chaplygin's ball and Routh's sphere, by hand, from the axes of their frames
def momentum_of_ball():
    """Space components of I w + m R k x v about the point of contact, W = Rz(psi) Rx(theta) Ry(phi)."""
    e = [['cos(psi)*cos(phi) - sin(psi)*sin(theta)*sin(phi)', 'sin(psi)*cos(phi) + cos(psi)*sin(theta)*sin(phi)', '-cos(theta)*sin(phi)'],
         ['-sin(psi)*cos(theta)', 'cos(psi)*cos(theta)', 'sin(theta)'],
         ['cos(psi)*sin(phi) + sin(psi)*sin(theta)*cos(phi)', 'sin(psi)*sin(phi) - cos(psi)*sin(theta)*cos(phi)', 'cos(theta)*cos(phi)']]
    w = ["theta'*cos(psi) - phi'*sin(psi)*cos(theta)", "theta'*sin(psi) + phi'*cos(psi)*cos(theta)", "psi' + phi'*sin(theta)"]
    across = ["-m*R*y'", "m*R*x'", '0']
    dots = [' + '.join(f'({w[k]})*({e[i][k]})' for k in range(3)) for i in range(3)]
    return {f'L{k + 1}': across[k] + ' + ' + ' + '.join(f'I{i + 1}*({dots[i]})*({e[i][k]})' for i in range(3)) for k in range(3)}


def named(checks):
    checks.system('vertical disc', DISC, [], {'theta': "theta'", 'psi': "psi'", 'energy': "theta'^2*(m*R^2 + A) + B*psi'^2"},
                  ['energy', 'momentum of theta', 'momentum of psi'])
    incline = checks.system('incline', INCLINE, [], {
        'difference': 'rho - sigma', 'across': "m1*y1'^2 + m2*y2'^2",
        'energy': "m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2) - 2*g*sin(slope)*(m1*x1 + m2*x2)"}, ['energy'])
    texts = [f['expression'] for f in incline['integrals']]
    checks.expect('sigma - rho' in texts or 'rho - sigma' in texts, f'incline: {texts}')
    checks.expect("m1*y1'^2 + m2*y2'^2" in texts, f'incline: {texts}')
    checks.system('snakeboard', SNAKEBOARD, ['--max-seconds', '4'], {'rotor': "theta' + psi'", 'wheels': "phi'"},
                  ['energy', 'momentum of psi', 'momentum of phi'])
    s = ["a*sin(psi)*sin(theta)", "-a*cos(psi)*sin(theta)", 'a*cos(theta) - R']
    w = ["theta'*cos(psi) + phi'*sin(psi)*sin(theta)", "theta'*sin(psi) - phi'*cos(psi)*sin(theta)", "psi' + phi'*cos(theta)"]
    product = ' + '.join(f'({a})*({b})' for a, b in zip(w, s))
    jellett = f"A*({product}) + (C - A)*(phi' + psi'*cos(theta))*(a - R*cos(theta))"
    routh = "(phi' + psi'*cos(theta))^2*(A*C + m*A*R^2*sin(theta)^2 + m*C*(R*cos(theta) - a)^2)"
    checks.system('Routh, linear', ROUTH, ['--degree', '1', '--max-seconds', '5'], {'Jellett': jellett}, most=1)
    checks.system('Routh', ROUTH, ['--max-seconds', '5', '--space', 'trigonometric'], {'Jellett': jellett, 'Routh': routh}, ['energy'], most=3)
    ball = checks.system('Chaplygin', CHAPLYGIN, ['--degree', '1', '--max-seconds', '10'], momentum_of_ball(), ['momentum of psi'], most=3)
    cyclic = {c['coordinate']: c['conserved'] for c in ball['cyclic']}
    checks.expect(cyclic == {'x': False, 'y': False}, f'Chaplygin: cyclic {cyclic}')  # psi is in the constraints
    checks.system('rotating', ROTATING, [], {'Jacobi': "m*r'^2 + (k - m*n^2)*r^2"}, ["Jacobi's integral"], most=1)
    none = checks.system('friction', FORCED, ['--max-seconds', '3'], {}, most=2)
    checks.expect(not any('meaning' in f for f in none['integrals']), 'friction: something with a name is constant')


# systems without constraints, of which all integrals are known
KEPLER = """system Kepler
coordinates x, y
parameters m, k
kinetic 1/2*m*(x'^2 + y'^2)
potential -k/sqrt((x + 2)^2 + y^2)
"""
TODA = """system Toda
coordinates a, b, c
kinetic 1/2*(a'^2 + b'^2 + c'^2)
potential exp(a - b) + exp(b - c) + exp(c - a)
"""
HENON = """system Henon and Heiles, with a second integral
coordinates x, y
parameters k
kinetic 1/2*(x'^2 + y'^2)
potential k*(x^2*y + 2*y^3)
"""
PENDULUM = """system Pendulum in the plane
coordinates x, y
parameters m, l, g
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint x^2 + y^2 = l^2
initial x = l
"""
IMPLICIT = """system Constraint that is not solved
coordinates x, y, z
parameters m, c, k
kinetic 1/2*m*(x'^2 + y'^2 + z'^2)
potential m*k*z
constraint x'^5 + y'^5 + z'^5 + x'*y'*z' = c^5
initial x' = 1, y' = 1, z' = 1
"""


def free(checks):
    root = 'sqrt((x + 2)^2 + y^2)'
    kepler = checks.system('Kepler', KEPLER, [], {
        'momentum': "(x + 2)*y' - y*x'", 'Laplace': f"m*x'*((x + 2)*y' - y*x') + k*y/{root}"}, ['energy'], most=3)
    checks.expect(kepler['complete'], 'Kepler: three are all')
    checks.system('Toda', TODA, ['--degree', '3', '--max-seconds', '3'], {
        'momentum': "a' + b' + c'", 'cubic': "a'*b'*c' - a'*exp(b - c) - b'*exp(c - a) - c'*exp(a - b)"}, ['energy'], most=3)
    checks.system('Henon', HENON, ['--max-seconds', '3'], {
        'second': "k*(x^4 + 4*x^2*y^2) + 4*x'*(x*y' - y*x')"}, ['energy'], most=2)
    pendulum = ask(checks.program, 'integrals', PENDULUM)
    checks.expect(pendulum['complete'] and len(pendulum['integrals']) == 1, f'pendulum: {pendulum}')
    implicit = ask(checks.program, 'integrals', IMPLICIT, '--max-seconds', '3')
    checks.expect('rest' in implicit and not implicit['integrals'], f'implicit: {implicit}')


# Claims, as text after 'integral NAME of the model: ', and whether what was found can be all. On z = 0 and w' = z (x y' - y x') the motion is x'' = y'' = 0,
# w' = 0 in (x, y, w, x', y'): x', y' and w x' are constant, w is (w x')/x', and x y' - y x' is one more. A constant c = 0, a - b with b = a: what they
# stand before is not there. (x' - 1) y = 0, y > 0: x = t + constant.
FLAT = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
PLANE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n"
OF_THESE, NEW, BOUND, FIXED = 'a function of these', 'not a function of these', 'constant by the constraints alone', 'the same number at all states nearby'
CLAIMED = [
    ("coordinates x, y, w, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2 + w'^2)\nconstraint w' = z*(x*y' - y*x')\nconstraint z = 0\n"
     "integral L = x*y' - y*x'\nintegral W = w\nintegral Z = z*x + w'\n", {'L': NEW, 'W': OF_THESE, 'Z': BOUND}, False),
    (FLAT + "potential z*x^3*y\nconstraint z = 0\nintegral E = 1/2*(x'^2 + y'^2 + z'^2)\nintegral Z = z\n", {'E': OF_THESE, 'Z': BOUND}, False),
    (PLANE + "potential y\nconstraint x^2 + y^2 = 1\ninitial x = 1\nintegral P = (x*y' - y*x')^2/2 + y\n", {'P': OF_THESE}, True),
    (PLANE + "parameters c = 0\nforce x = -c*x'\nintegral A = x'\n", {'A': OF_THESE}, False),
    (PLANE + "parameters c = 1\nforce x = -c*x'\nintegral A = c*x + x'\n", {'A': OF_THESE}, False),
    (PLANE + "parameters a = 1, b = a\npotential x^2\nintegral A = (a - b)*x*x'\nintegral B = (a - b)*x + y'\nintegral C = x'^2 + 2*x^2\n",
     {'A': FIXED, 'B': OF_THESE, 'C': OF_THESE}, False),
    (PLANE + "constraint (x' - 1)*y = 0\ninitial y = 1\nintegral A = x - t\n", {'A': NEW}, False),
    ("coordinates x\nkinetic 1/2*x'^2\npotential 1/x^2\nintegral A = sqrt(x^2)/x\n", {'A': FIXED}, True),
    ("coordinates x\nkinetic 1/2*x'^2\nintegral A = x - t*x'\nintegral B = x'^3\n", {'A': NEW, 'B': OF_THESE}, False),
]


def claims(checks):
    for model, wanted, complete in CLAIMED:
        told = subprocess.run([checks.program, 'integrals', '-', '--max-seconds', '10'], input=model, capture_output=True, text=True, check=True).stdout
        for name, words in wanted.items():
            line = re.search(rf'integral {name} of the model: (\w+), (.*)', told)
            checks.expect(line and line[1] in ('proved', 'tested') and line[2].startswith(words), f'{line and line[0]}, not {words}\n{model}')
        checks.expect(('these are all' in told) == complete, f'{told}\n{model}')
        answer = ask(checks.program, 'integrals', model)
        checks.expect(answer['complete'] == complete, f'complete: {answer["complete"]}\n{model}')
        checks.expect({c['name']: c['follows'] for c in answer['claims']} == {name: words != NEW for name, words in wanted.items()}, f'{answer["claims"]}\n{model}')


def degrees(checks):
    """Only what is asked for."""
    answer = ask(checks.program, 'integrals', DISC, '--degree', '1')
    checks.expect(all(f['degree'] <= 1 for f in answer['integrals']), 'degree 1: higher ones')
    checks.expect("psi'" in ' '.join(f['expression'] for f in answer['integrals']), 'degree 1: no psi')
    constants = ask(checks.program, 'integrals', INCLINE, '--space', 'constants')['integrals']
    checks.expect(not any(re.search(r'x1(?!\')', f['expression']) for f in constants if 'meaning' not in f),
                  'constants: coordinates in the coefficients')


# what is known of the gallery, besides the energy; the others need not have any
GALLERY = {
    'appell-hamel': {'direction': 'phi'}, 'ball': {'spin': "psi' + phi'*sin(theta)", 'along': "y'"},
    'ball-on-turntable': {'spin': "psi' - phi'*sin(theta)", 'cx': "n*J*x - (J + m*R^2)*y'", 'cy': "n*J*y + (J + m*R^2)*x'"},
    'ball-in-cylinder': {'rate': "s'"}, 'heisenberg': {'momentum': "x*y' - y*x'"}, 'rosenberg': {'p': "x'^2*(1 + y^2)"},
    'parallel-three': {'s12': 's1 - s2', 's23': 's2 - s3', 'horizontal': "m1*x1'^2 + m2*x2'^2 + m3*x3'^2"},
    'constant-speed': {}, 'servo': {}, 'rolling-cone': {'turns': 'psi + phi*sin(alpha)'},
}
WITHOUT_ENERGY = {'ball-on-turntable', 'constant-speed', 'differential-drive', 'roller-racer', 'segway', 'servo', 'snakeboard',
                  'unicycle', 'isokinetic-8', 'coaxial-discs', 'parallel-velocities', 'skate', 'vertical-disc'}
SLOW = {'isokinetic-64', 'whipple-bicycle'}  # minutes of Python


def gallery(checks, examples):
    for file in sorted(os.listdir(examples)):
        name, ending = os.path.splitext(file)
        if ending != '.nh' or name in SLOW:
            continue
        with open(os.path.join(examples, file), encoding='utf-8') as stream:
            model = stream.read()
        verdicts = ('proved', 'tested') if name == 'isokinetic-8' else ('proved',)
        checks.system(name, model, ['--max-seconds', '10' if name == 'rattleback' else '3'], GALLERY.get(name, {}),
                      [] if name in WITHOUT_ENERGY else ['energy'], verdicts)


def main():
    program, examples = sys.argv[1:]
    checks = Checks(program)
    named(checks)
    free(checks)
    claims(checks)
    degrees(checks)
    gallery(checks, examples)
    gallery(checks, os.path.join(examples, 'paper'))
    print(f'{checks.count} checks, {checks.failures} failures')
    sys.exit(checks.failures > 0)


if __name__ == '__main__':
    main()
