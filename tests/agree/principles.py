#!/usr/bin/env python3
"""principles.py NONHOLO FOLDER: what `derive --show` writes, against its definitions.

Formulas are read from JSON and evaluated at random states; what they must satisfy is computed here from the positions,
masses and forces of the points, which are written down a second time, and from g, psi and Z, with derivatives by central
differences. Gauss's function is tried for being least; the others for the identities that define them.
"""
import functools
import json
import math
import random
import re
import subprocess
import sys

from formulas import FUNCTIONS, chain, examples, python_text, sleighs

ALL = ['gauss', 'gibbs-appell', 'virtual', 'christoffel', 'geodesic', 'newton']
STEP = 1e-5  # of central differences
TOLERANCE = 1e-5


class System:
    """A model; its points as (name, position, mass, force) with gravity in the force; what must be missing, and why."""
    def __init__(self, text, points=(), missing=None):
        self.text, self.points, self.missing = text, points, missing or {}


def run(nonholo, command, model, *options):
    done = subprocess.run([nonholo, command, *options, '-'], input=model.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f'{command} ended with {done.returncode}: {done.stderr.decode()}\n{model}')
    return done.stdout.decode()


@functools.lru_cache(maxsize=None)
def code_of(text):
    return compile(python_text(text), '<formula>', 'eval')


class State(dict):
    """Numbers by name; velocities follow from psi, and long formulas from "where", when they are needed."""
    def __init__(self, derived, numbers):
        super().__init__(numbers)
        self.derived = derived
        self.texts = {python_text(name): text for name, text in derived['where']}
        if derived['first']['psi']:
            for q, psi in zip(derived['coordinates'], derived['first']['psi']):
                if q + "'" not in derived['velocities']:
                    self.texts[python_text(q + "'")] = psi

    def __missing__(self, name):
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        self[name] = self.value(self.texts[name])
        return self[name]

    def value(self, text):
        if isinstance(text, list):
            return [self.value(item) for item in text]
        if isinstance(text, dict):
            return {key: self.value(item) for key, item in text.items()}
        return eval(code_of(text), {'__builtins__': {}}, self)

    def but(self, **changes):
        """The same with other numbers for some names: all that followed is forgotten."""
        numbers = {name: x for name, x in self.items() if name not in self.texts}
        return State(self.derived, {**numbers, **changes})

    def along(self, names, direction, amount):
        return self.but(**{name: self[name] + amount * d for name, d in zip(names, direction)})

    def slope(self, text, names, direction):
        """The directional derivative of a formula."""
        right, left = self.along(names, direction, STEP).value(text), self.along(names, direction, -STEP).value(text)
        return [(a - b) / (2 * STEP) for a, b in zip(right, left)] if isinstance(right, list) else (right - left) / (2 * STEP)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def axis(n, i):
    return [float(k == i) for k in range(n)]


def solve(matrix, right):
    """Gauss's elimination; None: singular."""
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    n = len(rows)
    for j in range(n):
        p = max(range(j, n), key=lambda i: abs(rows[i][j]))
        if abs(rows[p][j]) < 1e-12:
            return None
        rows[j], rows[p] = rows[p], rows[j]
        for i in range(j + 1, n):
            factor = rows[i][j] / rows[j][j]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[j])]
    x = [0.0] * n
    for j in reversed(range(n)):
        x[j] = (rows[j][n] - dot(rows[j][j + 1:n], x[j + 1:])) / rows[j][j]
    return x


class Checker:
    def __init__(self, nonholo):
        self.nonholo, self.random = nonholo, random.Random(2008)
        self.objects = self.failures = 0

    def fail(self, what):
        self.failures += 1
        print(f'{self.title}: {what}')

    def same(self, what, found, wanted):
        self.objects += 1
        size = max([1.0] + [abs(x) for x in wanted])
        if len(found) != len(wanted) or not all(abs(a - b) <= TOLERANCE * size for a, b in zip(found, wanted)):
            self.fail(f'{what}: {found}, but it should be {wanted}')

    def vector(self, n):
        return [self.random.uniform(-1, 1) for _ in range(n)]

    def begin(self, system):
        self.system = system
        self.derived = json.loads(run(self.nonholo, 'derive', system.text, '--format', 'json', '--show', ','.join(ALL)))
        run(self.nonholo, 'derive', system.text, '--show', ','.join(ALL))
        self.title, self.show = self.derived['system'], self.derived['show']
        self.q = [python_text(name) for name in self.derived['coordinates']]
        self.rates = ['rate_' + name for name in self.q]
        self.z = [python_text(name) for name in self.derived['velocities']]
        self.zdot = ['rate_' + name for name in self.z]

    def random_state(self):
        numbers = {'v_t': 0.3}
        for name, text in self.derived['parameters'].items():
            numbers[python_text(name)] = self.random.uniform(0.5, 2) if text is None else eval(code_of(text), {}, dict(FUNCTIONS, **numbers))
        for name in self.q + self.z + self.zdot:
            numbers[name] = self.random.uniform(0.2, 1.2)
        if not self.derived['first']['psi']:  # a state on C is needed
            state = json.loads(run(self.nonholo, 'eval', self.system.text, '--format', 'json'))['state']
            numbers.update((python_text(name), x) for name, x in state.items())
        return State(self.derived, numbers)

    # -------------------------------------------------------- what the definitions are made of

    def kinematics(self, s):
        """psi, psi_alpha, the part of q'' without z', and q'' for the z' of the state."""
        first, n = self.derived['first'], len(self.q)
        rates, psi_alpha = [s[name] for name in self.rates], s.value(first['psi_alpha'])
        if first['psi']:
            drift = s.slope(first['psi'], self.q + ['v_t'], rates + [1.0])
        else:  # from the accelerations that are written down: q'' = psi_alpha Z^alpha + drift
            accelerations = [s.value(first['equations'][q + "''"]) for q in self.derived['coordinates']]
            Z = s.value(first['Z_upper'])
            drift = [accelerations[i] - dot([row[i] for row in psi_alpha], Z) for i in range(n)]
        self.drift = drift
        return rates, psi_alpha, [drift[i] + dot([row[i] for row in psi_alpha], [s[name] for name in self.zdot]) for i in range(n)]

    def acceleration(self, s, position, rates, accelerations):
        """The second difference of r along q + q' h + 1/2 q'' h^2."""
        h = 1e-3

        def at(h):
            moved = {q: s[q] + v * h + a * h * h / 2 for q, v, a in zip(self.q, rates, accelerations)}
            return s.but(v_t=s['v_t'] + h, **moved).value(list(position))
        # the fourth-order formula
        return [(-a + 16 * b - 30 * c + 16 * d - e) / (12 * h * h)
                for a, b, c, d, e in zip(at(-2 * h), at(-h), at(0.0), at(h), at(2 * h))]

    # -------------------------------------------------------- objects

    def check_least(self, s, what, text):
        """The gradient vanishes at Z, and the function grows in every direction tried."""
        Z = s.value(self.derived['first']['Z_upper'])
        at_Z = s.but(**dict(zip(self.zdot, Z)))
        gradient = [at_Z.slope(text, self.zdot, axis(len(Z), k)) for k in range(len(Z))]
        scale = abs(at_Z.value(text))
        self.same(what + ': gradient', [g / max(1.0, scale) for g in gradient], [0.0] * len(Z))
        for _ in range(4):
            if not at_Z.along(self.zdot, self.vector(len(Z)), 1.0).value(text) > at_Z.value(text):
                self.fail(f'{what} does not grow')

    def check_gauss(self, s):
        gauss = self.show['gauss']
        if gauss is None:
            return
        _, _, accelerations = self.kinematics(s)
        g, L = s.value(self.derived['g']), s.value(self.derived['L'])
        if gauss['lipschitz']:
            free = solve(g, L)
            off = [a - b for a, b in zip(accelerations, free)]
            self.same('free', s.value(gauss['free']), free)
            self.same('lipschitz', [s.value(gauss['lipschitz'])], [dot(off, [dot(row, off) for row in g]) / 2])
            self.check_least(s, 'lipschitz', gauss['lipschitz'])
        if gauss['points']:
            self.check_least(s, 'points', gauss['points'])
        if gauss['points'] and gauss['lipschitz']:
            other = s.but(**{name: self.random.uniform(-1, 1) for name in self.zdot})
            self.same('points - lipschitz', [s.value(gauss['points']) - s.value(gauss['lipschitz'])],
                      [other.value(gauss['points']) - other.value(gauss['lipschitz'])])

    def check_gibbs_appell(self, s):
        shown, m = self.show['gibbs-appell'], len(self.z)
        psi_alpha, A = s.value(self.derived['first']['psi_alpha']), s.value(self.derived['A'])
        self.same('A_alpha', s.value(shown['A_alpha']), [dot(A, row) for row in psi_alpha])
        at_Z = s.but(**dict(zip(self.zdot, s.value(self.derived['first']['Z_upper']))))
        self.same("dS/dz' = A", at_Z.value(shown['dS']), at_Z.value(shown['A_alpha']))
        for key in ('S_star', 'S'):
            if shown[key]:
                self.same('d' + key, [s.slope(shown[key], self.zdot, axis(m, k)) for k in range(m)], s.value(shown['dS']))
        self.same('S_star at 0', [s.but(**{name: 0.0 for name in self.zdot}).value(shown['S_star'])], [0.0])
        if self.show['gauss'] and self.show['gauss']['points']:
            parts = [s.value(shown[key]) for key in ('S', 'S_1', 'S_2')]
            self.same('S + S_1 - S_2', [parts[0] + parts[1] - parts[2]], [s.value(self.show['gauss']['points'])])

    def check_points(self, s):
        """Accelerations, virtual displacements and virtual power, and Newton's equations."""
        shown, zdot = s.value(self.show['virtual']), [s[name] for name in self.zdot]
        rates, psi_alpha, accelerations = self.kinematics(s)
        Z, R = s.value(self.derived['first']['Z_upper']), [0.0] * len(self.q)
        along = [d + dot([row[i] for row in psi_alpha], Z) for i, d in enumerate(self.drift)]
        power = G = S = 0.0
        all_massive = True
        for name, position, mass, force in self.system.points:
            a = [x + dot([row[k] for row in shown['a_alpha'][name]], zdot) for k, x in enumerate(shown['a_0'][name])]
            self.same('a_' + name, a, self.acceleration(s, position, rates, accelerations))
            F, mass = s.value(list(force)), s.value(mass)
            power += dot(F, shown['w'][name])
            S += mass * dot(a, a) / 2
            G += sum((mass * x - f) ** 2 for x, f in zip(a, F)) / (2 * mass) if mass else 0.0
            all_massive = all_massive and mass != 0
            partial = [s.slope(list(position), self.q, axis(len(self.q), i)) for i in range(len(self.q))]
            self.same('w_' + name, shown['w'][name],
                      [dot([dot([row[k] for row in partial], row2) for row2 in psi_alpha], zdot) for k in range(len(F))])
            if self.show['newton']:
                reaction = s.value(self.show['newton'][name])
                moving = self.acceleration(s, position, rates, along)
                self.same('R_' + name, reaction, [mass * x - f for x, f in zip(moving, F)])
                R = [r + dot(reaction, d) for r, d in zip(R, partial)]
        self.same('W', [shown['W']], [dot(shown['A_alpha'], zdot)])
        if not self.system.points:  # not written down here
            return
        if self.show['newton']:
            self.same('sum of A.w', [power], [shown['W']])
            self.same('sum of R.dr', R, s.value(self.derived['first']['R']))
            self.same('S', [s.value(self.show['gibbs-appell']['S'])], [S])
        if self.show['newton'] and all_massive:
            self.same('points', [s.value(self.show['gauss']['points'])], [G])

    def check_geometry(self, s):
        n, g = len(self.q), s.value(self.derived['g'])
        flat = [x for row in self.derived['g'] for x in row]
        dg = [s.slope(flat, self.q, axis(n, k)) for k in range(n)]
        wanted = [(dg[i][j * n + k] + dg[j][k * n + i] - dg[k][i * n + j]) / 2
                  for i in range(n) for j in range(n) for k in range(n)]
        first = s.value(self.show['christoffel']['first'])
        self.same('Gamma_ijk', [x for block in first for row in block for x in row], wanted)
        self.same('symmetry', [first[j][i][k] for i in range(n) for j in range(n) for k in range(n)],
                  [first[i][j][k] for i in range(n) for j in range(n) for k in range(n)])
        if self.show['christoffel']['second']:
            second = s.value(self.show['christoffel']['second'])
            self.same('g Gamma^k_ij', [dot(g[k], second[i][j]) for i in range(n) for j in range(n) for k in range(n)], wanted)
        if self.show['geodesic']:
            rates = [s[name] for name in self.rates]
            lower = [-sum(first[h][k][i] * rates[h] * rates[k] for h in range(n) for k in range(n)) for i in range(n)]
            field = [s.value(self.show['geodesic'][q + "''"]) for q in self.derived['coordinates']]
            self.same('geodesic', [dot(row, field) for row in g], lower)

    def check_missing(self):
        """null, and a reason, for what is not there; and nothing else is missing of what is tested by points."""
        found = {key: text for key, text in self.derived['unexpanded'].items() if key.startswith('show.')}
        for key in [k for k in found if self.member(k) is not None]:
            self.fail(f'{key} has a reason, but is there')
        for key, words in self.system.missing.items():
            if self.member(key) is not None or words not in found.get(key, ''):
                self.fail(f'{key} should be null because of "{words}", not "{found.get(key)}"')
        if self.system.points and not self.system.missing and found:
            self.fail(f'there should be all: {found}')

    def check_variables(self):
        """Where there is a psi, the principles contain no velocities q' but those that are a z."""
        if self.derived['first']['psi'] and not self.derived['where']:
            for key in ('gauss', 'gibbs-appell', 'virtual', 'newton'):
                names = set(re.findall(r'\w+', python_text(json.dumps(self.show[key]))))
                for name in names & (set(self.rates) - set(self.z)):
                    self.fail(f'{key} contains {name}')

    def member(self, key):
        value = self.derived
        for part in key.split('.'):
            value = value and value[part]
        return value

    def check(self, system):
        self.begin(system)
        self.check_missing()
        self.check_variables()
        for _ in range(3):
            s = self.random_state()
            self.check_gauss(s)
            self.check_gibbs_appell(s)
            self.check_points(s)
            self.check_geometry(s)


# ---------------------------------------------------------------- systems

NO_POINTS = 'there are no points with mass'

SYSTEMS = [
    System('''system Two linked points on a blade
coordinates x, y
angles a
parameters m = 2, M = 3, l = 5/4, g = 9.81, c = 1/2
point P at (x, y) mass m force (-c*x', c*t)
point Q at (x, y) + l*(cos(a), sin(a)) mass M
gravity (0, -g)
constraint x'*sin(a) - y'*cos(a) = 0
''', [('P', ('x', 'y'), 'm', ("-c*x'", 'c*t - m*g')),
      ('Q', ('x + l*cos(a)', 'y + l*sin(a)'), 'M', ('0', '-M*g'))]),
    System('''system Two points with forces of their own
coordinates x, y
angles a
parameters m, M, l, c
point P at (x, y) mass m force (-c*x', 1)
point Q at (x, y) + l*(cos(a), sin(a)) mass M force (y, c*a)
constraint x'*sin(a) - y'*cos(a) = 0
''', [('P', ('x', 'y'), 'm', ("-c*x'", '1')), ('Q', ('x + l*cos(a)', 'y + l*sin(a)'), 'M', ('y', 'c*a'))]),
    System('''system Parallel velocities
coordinates x1, y1, x2, y2
parameters m1 = 1, m2 = 2, g = 9.81
point P at (x1, y1) mass m1
point Q at (x2, y2) mass m2 force (y1, -x2')
gravity (g, 0)
constraint x1'*y2' - x2'*y1' = 0
velocities rho, sigma, theta
parametric x1' = rho*cos(theta), y1' = rho*sin(theta), x2' = sigma*cos(theta), y2' = sigma*sin(theta)
''', [('P', ('x1', 'y1'), 'm1', ('m1*g', '0')), ('Q', ('x2', 'y2'), 'm2', ("m2*g + y1", "-x2'"))]),
    System('''system A double pendulum whose pivot moves
angles a, b
parameters m = 1, l = 1/2, k, g
input u = sin(3*t)
point P at (u, 0) + l*(sin(a), -cos(a)) mass m
point Q at pos(P) + k*(sin(b), -cos(b)) mass 2*m
gravity (0, -g)
''', [('P', ('sin(3*t) + l*sin(a)', '-l*cos(a)'), 'm', ('0', '-m*g')),
      ('Q', ('sin(3*t) + l*sin(a) + k*sin(b)', '-l*cos(a) - k*cos(b)'), '2*m', ('0', '-2*m*g'))]),
    System('''system Affine, with the time, in space
coordinates x, y, h
parameters m, c
point P at (x + y^2, y, h) mass m force (0, c*x, -x')
constraint y' = t*x' + h
independent x', h'
''', [('P', ('x + y^2', 'y', 'h'), 'm', ('0', 'c*x', "-x'"))]),
    System('''system Speeds with a given ratio, in the velocities themselves
coordinates x, y, h
parameters m = 3/2, c = 2, g = 9.81
point P at (x, y, h) mass m
gravity (0, 0, -g)
constraint x'^2 + y'^2 - c^2*h'^2 = 0
initial x' = 1, y' = 2, h' = sqrt(5)/2
''', [('P', ('x', 'y', 'h'), 'm', ('0', '0', '-m*g'))]),
    System('''system A force at a point without mass
coordinates x, y
angles a
parameters m, J, l
point P at (x, y) mass m
point N at (x, y) + l*(cos(a), sin(a)) force (a, x')
point Q at (x, y) - l*(cos(a), sin(a)) mass m
constraint x'*sin(a) - y'*cos(a) = 0
''', [('P', ('x', 'y'), 'm', ('0', '0')), ('N', ('x + l*cos(a)', 'y + l*sin(a)'), '0', ('a', "x'")),
      ('Q', ('x - l*cos(a)', 'y - l*sin(a)'), 'm', ('0', '0'))],
           {'show.gauss.points': 'without mass', 'show.gibbs-appell.S_1': 'without mass'}),
    System('''system Kinetic energy besides points
coordinates x, y
angles a
parameters m, J
point P at (x, y) mass m
kinetic 1/2*J*a'^2
constraint x'*sin(a) - y'*cos(a) = 0
''', [('P', ('x', 'y'), 'm', ('0', '0'))],
           {key: 'kinetic energy that is not of points' for key in
            ('show.gauss.points', 'show.gibbs-appell.S', 'show.gibbs-appell.S_2', 'show.newton')}),
    System('''system A potential besides points
coordinates x, y
parameters m, k
point P at (x, y) mass m
potential 1/2*k*x^2
''', [('P', ('x', 'y'), 'm', ('0', '0'))],
           {key: 'potential energy besides' for key in ('show.gauss.points', 'show.gibbs-appell.S_2', 'show.newton')}),
    System('''system Forces besides points
coordinates x, y
parameters m, k
point P at (x, y) mass m force (1, 2)
force y = -k*x
''', [('P', ('x', 'y'), 'm', ('0', '0'))],
           {key: 'do not act at points' for key in ('show.gauss.points', 'show.gibbs-appell.S_1', 'show.newton')}),
    System('''system Forces besides points that turn the sum round
coordinates x, y
parameters m, F
point P at (x, y) mass m force (F, 0)
force x = -2*F
constraint x' = y*y'
''', [('P', ('x', 'y'), 'm', ('F', '0'))],
           {key: 'do not act at points' for key in ('show.gauss.points', 'show.gibbs-appell.S_1', 'show.newton')}),
    System('''system More of everything, and the same less in other words
coordinates x, y
parameters m, k
point P at (x, y) mass m force (1, 2)
kinetic 1/2*k*(x' + y')^2
kinetic -1/2*k*(x'^2 + 2*x'*y' + y'^2)
potential k*(x + 1)^2
potential -k*(x^2 + 2*x + 1)
force x = (y + 1)^2 - y^2 - 2*y - 1
constraint x' = y*y'
''', [('P', ('x', 'y'), 'm', ('1', '2'))]),
    System('''system A rotating frame, in polar coordinates
coordinates r
angles phi
parameters m, w, k
kinetic 1/2*m*(r'^2 + r^2*(phi' + w)^2)
potential 1/2*k*r^2
''', (), {'show.newton': NO_POINTS}),
    System('''system No inertia in y
coordinates x, y
parameters m, A1, A2
kinetic 1/2*m*x'^2
force x = A1, y = A2
constraint y' = x*x'
''', (), {'show.gauss': 'the metric g is singular', 'show.geodesic': 'the metric g is singular',
          'show.christoffel.second': 'inverse'}),
    System('''system A particle of prescribed speed
coordinates x, y
parameters m, v, g
point P at (x, y) mass m
gravity (0, -g)
velocities a
parametric x' = v*cos(a), y' = v*sin(a)
''', [('P', ('x', 'y'), 'm', ('0', '-m*g'))]),
]


def main():
    nonholo, folder = sys.argv[1:3]
    checker = Checker(nonholo)
    systems = SYSTEMS + [System(text) for text in list(examples(folder)) + [chain(2), chain(5), sleighs(2)]]
    for system in systems:
        checker.check(system)
    print(f'{len(systems)} systems, {checker.objects} comparisons, {checker.failures} failures')
    return 1 if checker.failures or checker.objects < 10 * len(systems) else 0


if __name__ == '__main__':
    sys.exit(main())
