#!/usr/bin/env python3
"""holonomy.py NONHOLO EXAMPLES: what `check` says of Lie brackets and invariant measures, against SymPy.

Each system is written down twice: as a model, and as the fields that span its velocities. From the fields the growth vector is
computed here, with ranks at random points to forty digits; constant functions and densities that the program found are put into
their equations; a density that it refutes must be refuted here as well. What the literature says of a system stands beside it.
Random systems follow, of which nothing is known beforehand.
"""
import json
import pathlib
import random
import re
import subprocess
import sys

import mpmath
import sympy as sp

mpmath.mp.dps = 40
SMALL = mpmath.mpf(10)**-25
RANDOM = random.Random(7)


# ---------------------------------------------------------------- fields

def numbers(symbols):
    """A random point: small fractions, all positive."""
    return [mpmath.mpf(RANDOM.randint(20, 90)) / 97 for _ in symbols]


def values(rows, symbols, point):
    flat = [sp.sympify(e) for row in rows for e in row]
    found = sp.lambdify(symbols, flat, 'mpmath', cse=True)(*point)
    width = len(rows[0])
    return [[mpmath.mpf(x) for x in found[i * width:(i + 1) * width]] for i in range(len(rows))]


def rank(matrix):
    """By elimination with the largest pivots."""
    rows, found = [list(row) for row in matrix], 0
    while rows:
        i, j = max(((i, j) for i in range(len(rows)) for j in range(len(rows[0]))), key=lambda ij: abs(rows[ij[0]][ij[1]]))
        pivot = rows.pop(i)
        if abs(pivot[j]) < SMALL:
            return found
        found += 1
        rows = [[x - row[j] / pivot[j] * y for x, y in zip(row, pivot)] for row in rows]
    return found


def bracket(X, Y, q):
    return [sum(x * sp.diff(b, k) - y * sp.diff(a, k) for x, y, k in zip(X, Y, q)) for a, b in zip(X, Y)]


def growth(fields, q, constants):
    """(2, 3, ...): the dimensions spanned by iterated brackets at a random point. q: the variables; more columns may follow."""
    symbols, all_fields, fresh = list(q) + constants, [], fields
    point, sizes = numbers(symbols), []
    while True:
        kept = []
        for field in fresh:
            matrix = values(all_fields + [field], symbols, point)
            if rank(matrix) > len(all_fields):
                all_fields.append(field)
                kept.append(field)
        if not kept:
            return tuple(sizes)
        sizes.append(len(all_fields))
        if len(all_fields) == len(fields[0]):
            return tuple(sizes)
        fresh = [bracket(X, Y, list(q) + [sp.Symbol('_value')] * (len(X) - len(q))) for Y in kept for X in fields]


# ---------------------------------------------------------------- the motion, once more

def motion(system):
    """psi, G and b in z' = G^-1 b, from Lagrange's equations along q' = psi = X_0 + X_alpha z^alpha."""
    q, z, rates, t = system.q, system.z, system.rates, sp.Symbol('t')
    psi = [sum(X[i] * w for X, w in zip(system.X, z)) + system.rest[i] for i in range(len(q))]
    drift = [sum(p * sp.diff(e, x) for p, x in zip(psi, q)) + sp.diff(e, t) for e in psi]
    force = [sp.diff(system.K - system.V, x) + f for x, f in zip(q, system.force)]
    momentum = [sp.diff(system.K, v) for v in rates]
    g = sp.Matrix([[sp.diff(p, v) for v in rates] for p in momentum])
    residue = sp.Matrix([(f - sum(sp.diff(p, x) * v for x, v in zip(q, rates)) - sp.diff(p, t)).subs(dict(zip(rates, psi)))
                         for f, p in zip(force, momentum)]) - g * sp.Matrix(drift)
    psi_alpha = sp.Matrix(system.X)
    return psi, psi_alpha * g * psi_alpha.T, psi_alpha * residue


def divergence_parts(system):
    """d_i psi^i, G and db/dz: as G has no z in it, the divergence is d_i psi^i + trace(G^-1 db/dz)."""
    psi, G, b = motion(system)
    return psi, sum(sp.diff(p, x) for p, x in zip(psi, system.q)), G, b.jacobian(system.z)


def parse(text, names):
    return sp.sympify(text.replace('^', '**'), locals=names)


class System:
    """A model and its fields: `fields` as (X_alpha^1, ..., X_alpha^n) in the coordinates, `rest` is X_0."""

    def __init__(self, title, model, fields, **more):
        self.title, self.model = title, model
        words = lambda key: [w.split('=')[0].strip() for line in re.findall(rf'^{key}\s+(.*)$', model, re.M) for w in line.split(',')]
        order = re.findall(r'^(?:coordinates|angles)\s+(.*)$', model, re.M)
        names = [w.strip() for line in order for w in line.split(',')]
        self.q, self.parameters = [sp.Symbol(n) for n in names], [sp.Symbol(n) for n in words('parameters')]
        self.rates = [sp.Symbol(n + '_rate') for n in names]
        self.names = {s.name: s for s in self.q + self.parameters + self.rates + [sp.Symbol('t')]}
        rate = lambda text: re.sub(r"(\w+)'", r'\1_rate', text)
        self.X = [[parse(e, self.names) for e in field] for field in fields]
        self.rest = [parse(e, self.names) for e in more.get('rest', ['0'] * len(names))]
        self.z = [sp.Symbol(f'_z{k}') for k in range(len(fields))]
        self.K = sum(parse(rate(k), self.names) for k in re.findall(r'^kinetic\s+(.*)$', model, re.M)) if 'K' not in more else more['K']
        self.V = sum((parse(v, self.names) for v in re.findall(r'^potential\s+(.*)$', model, re.M)), sp.Integer(0))
        forces = dict(re.findall(r'^force\s+(\w+) = (.*)$', model, re.M))
        self.force = [parse(rate(forces.get(n, '0')), self.names) for n in names]
        self.timed = more.get('timed', False)
        self.expected = more

    def with_velocities(self):
        """The model with these fields for its velocities: the volume dq dz depends on them."""
        if 'velocities' in self.model or 'independent' in self.model:
            return self
        text = lambda e: str(e).replace('**', '^').replace('_z', 'z_')
        psi = [sum(X[i] * w for X, w in zip(self.X, self.z)) + self.rest[i] for i in range(len(self.q))]
        lines = ', '.join(f"{x}' = {text(e)}" for x, e in zip(self.q, psi))
        self.model += f"velocities {', '.join(text(z) for z in self.z)}\nparametric {lines}\n"
        return self

    def extended(self):
        """The fields with the time among the variables where it has to be, and these variables."""
        if not self.timed:
            return self.X, self.q
        return [X + [sp.Integer(0)] for X in self.X] + [self.rest + [sp.Integer(1)]], self.q + [sp.Symbol('t')]


# ---------------------------------------------------------------- the systems

def trailers(n):
    """A car with n trailers, driven by v and w: (2, 3, ..., n + 3) at almost all states (J.-P. Laumond, 1993; F. Jean, 1996)."""
    names = ['x', 'y'] + [f'a{i}' for i in range(n + 1)]
    first, speed = ['cos(a0)', 'sin(a0)', '0'], '1'
    for i in range(1, n + 1):
        first.append(f'{speed}*sin(a{i - 1} - a{i})/l')
        speed += f'*cos(a{i - 1} - a{i})'
    second = ['1' if name == 'a0' else '0' for name in names]
    kinetic = ' + '.join(f"1/2*{name}'^2" for name in names)
    psi = ', '.join(f"{name}' = v*({a})" + (' + w' if b == '1' else '') for name, a, b in zip(names, first, second))
    model = f"coordinates x, y\nangles {', '.join(names[2:])}\nparameters l = 1\nkinetic {kinetic}\nvelocities v, w\nparametric {psi}\n"
    return System(f'car with {n} trailers', model, [first, second], growth=tuple(range(2, n + 4)), long=n > 1)


def turn(axis, angle):
    c, s = sp.cos(angle), sp.sin(angle)
    return sp.Matrix({'x': [[1, 0, 0], [0, c, -s], [0, s, c]], 'y': [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                      'z': [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis])


def rolling(title, model, axes, inertia, centre, contact):
    """A body that rolls on a plane: from its centre and point of contact, as functions of the axes of the frame of the first two turns."""
    system = System(title, model, [], K=0)
    names, psi, theta, phi = system.names, *system.q[2:]
    first = turn(axes[0], psi) * turn(axes[1], theta)
    R = first * turn(axes[2], phi)
    rate = lambda e: sum((sp.diff(e, x) * v for x, v in zip(system.q, system.rates)), sp.zeros(*e.shape) if hasattr(e, 'shape') else 0)
    spin = R.T * rate(R)
    own = sp.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]]).applyfunc(sp.simplify)
    at = sp.Matrix([names['x'], names['y'], 0]) + centre(names, first)
    slip = rate(at) + (R * own).cross(contact(names, first))
    solved = sp.solve([slip[0], slip[1]], system.rates[:2], dict=True)[0]
    velocity = [solved[system.rates[0]], solved[system.rates[1]], *system.rates[2:]]
    system.X = [[sp.diff(e, v) for e in velocity] for v in system.rates[2:]]
    system.z, system.rest = [sp.Symbol(f'_z{k}') for k in range(3)], [sp.Integer(0)] * 5
    system.K = names['m'] * rate(at).dot(rate(at)) / 2 + sum(names[i] * w**2 for i, w in zip(inertia, own)) / 2
    if 'g' in names:
        system.V = names['m'] * names['g'] * at[2]
    return system


THREE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
FOUR = "coordinates w, x, y, z\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\n"
FIVE = "coordinates a, b, c, d, e\nkinetic 1/2*(a'^2 + b'^2 + c'^2 + d'^2 + e'^2)\n"
PLANE = "coordinates x, y\nangles theta\n"
BLADE = [['cos(theta)', 'sin(theta)', '0'], ['0', '0', '1']]
BALL = """coordinates x, y
angles psi, theta, phi
parameters m = 1, R = 1, A = 1/2
kinetic 1/2*m*(x'^2 + y'^2)
kinetic 1/2*A*(psi'^2 + theta'^2 + phi'^2 + 2*psi'*phi'*sin(theta))
"""
ROLL = [['0', '-R', 'sin(psi)*sin(theta)/cos(theta)', 'cos(psi)', '-sin(psi)/cos(theta)'],
        ['R', '0', '-cos(psi)*sin(theta)/cos(theta)', 'sin(psi)', 'cos(psi)/cos(theta)'],
        ['0', '0', '1', '0', '0']]
BALL_PSI = ("parametric x' = R*wy, y' = -R*wx, psi' = {wz} - (wy*cos(psi) - wx*sin(psi))*sin(theta)/cos(theta), "
            "theta' = wx*cos(psi) + wy*sin(psi), phi' = (wy*cos(psi) - wx*sin(psi))/cos(theta)\n")

# growth: the known vector; integrable: what the fact `holonomic` says; functions: how many must be found; measure: whether there is a
# density that depends on the coordinates alone (None: not asked); drops: words of the condition
SYSTEMS = [
    # a contact form, everywhere (A. M. Vershik, V. Ya. Gershkovich, 1988)
    System('skate', PLANE + "parameters m = 1, J = 1\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\n"
           "constraint x'*sin(theta) - y'*cos(theta) = 0\n", BLADE, growth=(2, 3), drops='every state', measure=True),
    # Chaplygin's sleigh tends to straight motion: no smooth density (A. M. Bloch, Nonholonomic Mechanics and Control)
    System('sleigh', PLANE + "parameters m = 1, J = 1, a = 1\nkinetic 1/2*m*(x'^2 + y'^2 + 2*a*theta'*(y'*cos(theta) - x'*sin(theta)))\n"
           "kinetic 1/2*(J + m*a^2)*theta'^2\nconstraint x'*sin(theta) - y'*cos(theta) = 0\n", BLADE, growth=(2, 3), measure=False),
    # friction shrinks volumes at rest, where every density would have to grow
    System('sleigh with friction', PLANE + "parameters k = 1\nkinetic 1/2*(x'^2 + y'^2 + theta'^2)\nforce theta = -k*theta'\n"
           "constraint x'*sin(theta) - y'*cos(theta) = 0\n", BLADE, growth=(2, 3), measure=False),
    System('vertical disc', "coordinates x, y\nangles theta, psi\nparameters R = 1\nkinetic 1/2*(x'^2 + y'^2 + theta'^2 + psi'^2)\n"
           "constraint x' = R*cos(psi)*theta'\nconstraint y' = R*sin(psi)*theta'\n",
           [['R*cos(psi)', 'R*sin(psi)', '1', '0'], ['0', '0', '0', '1']], growth=(2, 3, 4), drops='every state', measure=True),
    # a ball on a plane, with and without spin (C. Rolling ball: (2, 3, 5) is Cartan's)
    System('ball', BALL + "velocities wx, wy, wz\n" + BALL_PSI.format(wz='wz'), ROLL, growth=(3, 5), measure=True),
    System('ball without spin', BALL + "velocities wx, wy\n" + BALL_PSI.format(wz='0'), ROLL[:2], growth=(2, 3, 5)),
    # R (theta1 - theta2) + a psi, and on six coordinates also a
    System('co-axial discs', "coordinates x, y, t1, t2, psi, a\nparameters R = 1\n"
           "kinetic 1/2*(x'^2 + y'^2 + t1'^2 + t2'^2 + psi'^2 + a'^2)\nconstraint x' = R*cos(psi)*t1'\nconstraint y' = R*sin(psi)*t1'\n"
           "constraint x' + a*cos(psi)*psi' + sin(psi)*a' = R*cos(psi)*t2'\n"
           "constraint y' + a*sin(psi)*psi' - cos(psi)*a' = R*sin(psi)*t2'\n",
           [['R*cos(psi)', 'R*sin(psi)', '1', '1', '0', '0'], ['0', '0', '0', 'a/R', '1', '0']], growth=(2, 3, 4), functions=2),
    # R. Martinet: flat where y = 0
    System('Martinet', THREE + "constraint z' = y^2*x'\n", [['1', '0', 'y**2'], ['0', '1', '0']], growth=(2, 3), drops='where y = 0'),
    System('Heisenberg', THREE + "constraint z' = x*y' - y*x'\n", [['1', '0', '-y'], ['0', '1', 'x']], growth=(2, 3), measure=True),
    # E. Cartan (1910)
    System('Cartan', FIVE + "constraint c' = a*b'\nconstraint d' = a^2*b'\nconstraint e' = c*b'\n",
           [['1', '0', '0', '0', '0'], ['0', '1', 'a', 'a**2', 'c']]),
    System('five, free', FIVE + "constraint c' = a*b' - b*a'\nconstraint d' = c*a'\nconstraint e' = c*b'\n",
           [['1', '0', '-b', 'c', '0'], ['0', '1', 'a', '0', 'c']], growth=(2, 3, 5)),
    # R. M. Rosenberg (1977): the density is sqrt(1 + y^2)
    System('Rosenberg', THREE + "constraint z' = y*x'\n", [['1', '0', 'y'], ['0', '1', '0']], growth=(2, 3), measure=True),
    # exact equations in disguise: y/x, x e^y, y e^x, y^2/(1 + x^2), x - l cos(theta), the radius
    System('a ratio', THREE + "constraint y*x' - x*y' = 0\n", [['x', 'y', '0'], ['0', '0', '1']], growth=(2,), functions=1),
    System('an exponential', THREE + "constraint x' + x*y' = 0\n", [['x', '-1', '0'], ['0', '0', '1']], growth=(2,), functions=1),
    System('a common factor', THREE + "constraint exp(x)*(y*x' + y') = 0\n", [['1', '-y', '0'], ['0', '0', '1']], growth=(2,), functions=1),
    System('a root', THREE + "constraint (1 + x^2)*y' = x*y*x'\n", [['1 + x**2', 'x*y', '0'], ['0', '0', '1']], growth=(2,), functions=1),
    System('a crank', "coordinates x, y\nangles theta\nparameters l = 1\nkinetic 1/2*(x'^2 + y'^2 + theta'^2)\n"
           "constraint x' = -l*sin(theta)*theta'\n", [['-l*sin(theta)', '0', '1'], ['0', '1', '0']], growth=(2,), functions=1),
    System('a sphere', THREE + "constraint x*x' + y*y' + z*z' = 0\n", [['y', '-x', '0'], ['0', 'z', '-y']], growth=(2,), functions=1),
    System('a spiral', THREE + "constraint x'*(x + y) = y'*(x - y)\n", [['x - y', 'x + y', '0'], ['0', '0', '1']], growth=(2,), functions=1),
    System('a screw', THREE + "constraint x'*y - y'*x = (x^2 + y^2)*z'\n", [['x', 'y', '0'], ['y', '-x', '1']], growth=(2,), functions=1),
    System('a cone', THREE + "constraint x*x' + y*y' = sqrt(x^2 + y^2)*z'\n", [['x', 'y', 'sqrt(x**2 + y**2)'], ['y', '-x', '0']],
           growth=(2,), functions=1),
    System('parts', THREE + "constraint z' = atan(x)*y' + y/(1 + x^2)*x'\n", [['1', '0', 'y/(1 + x**2)'], ['0', '1', 'atan(x)']],
           growth=(2,), functions=1),
    System('a line field', THREE + "constraint y' = x*x'\nconstraint z' = y'\n", [['1', 'x', 'x']], growth=(1,), functions=2),
    # w - (x^2 + z^2)/2 is constant, z' = y x' is not to be integrated
    System('partly integrable', FOUR + "constraint z' = y*x'\nconstraint w' = z*z' + x*x'\n",
           [['z*y + x', '1', '0', 'y'], ['0', '0', '1', '0']], growth=(2, 3), functions=1),
    # with the time: z - t x is constant; z' = y is not to be integrated
    System('exact, with t', THREE + "constraint z' = x + t*x'\n", [['1', '0', 't'], ['0', '1', '0']], rest=['0', '0', 'x'], timed=True,
           growth=(3,), functions=1),
    System('affine', THREE + "constraint z' = y\n", [['1', '0', '0'], ['0', '1', '0']], rest=['0', '0', 'y'], timed=True, growth=(3, 4)),
    System('prescribed', THREE + "parameters n = 2\nconstraint z' = sin(n*t)\nconstraint y' = x*x' + 1\n", [['1', 'x', '0']],
           rest=['0', '1', 'sin(n*t)'], timed=True, growth=(2,), functions=2),
    # nearly exact
    System('nearly exact', THREE + "constraint z' = x*y' + (1 + 1/10^9)*y*x'\n",
           [['1', '0', '(1 + 1/10**9)*y'], ['0', '1', 'x']], growth=(2, 3), drops='every state'),
    System('nearly a ratio', THREE + "constraint y*x' - x*y' + 1/10^4*z' = 0\n",
           [['1/10**4', '0', '-y'], ['0', '1/10**4', 'x']], growth=(2, 3)),
    System('nearly partly', FOUR + "constraint z' = y*x'\nconstraint w' = z*z' + x*x' + 1/10^6*y*y*z'\n",
           [['z*y + x + y**3/10**6', '1', '0', 'y'], ['0', '0', '1', '0']], growth=(2, 3, 4)),
    *(trailers(n) for n in range(1, 4)),
]

# longer ones, by the literature alone, as far as the time suffices
LONG = [trailers(n) for n in range(4, 7)]


def random_system(k):
    """q^N' = A^N_p q^p' with a few monomials in coordinates, sines and cosines for the A; some of the equations are exact by chance."""
    r = random.Random(1000 + k)
    n, m = r.choice([(3, 2), (4, 2), (4, 3), (5, 2)])
    q = [f'q{i}' for i in range(1, n + 1)]
    atom = lambda: r.choice([*q[:m + 1], r.choice(q), f'sin({q[0]})', f'cos({r.choice(q)})', '1', '2'])
    entry = lambda: r.choice(['0', f'{atom()}*{atom()}', atom(), f'{atom()} - {atom()}*k'])
    A = [[entry() for _ in range(m)] for _ in range(n - m)]
    kinetic = ' + '.join(f"1/2*{x}'^2" for x in q)
    constraints = [f"constraint {x}' = " + ' + '.join(f"({a})*{p}'" for a, p in zip(row, q)) for x, row in zip(q[m:], A)]
    fields = [[str(int(i == j)) for i in range(m)] + [row[j] for row in A] for j in range(m)]
    model = f"coordinates {', '.join(q)}\nparameters k = 2\nkinetic {kinetic}\n" + '\n'.join(constraints) + '\n'
    return System(f'random {k}', model, fields, random=True)


# ---------------------------------------------------------------- what is compared

def split(text):
    """"f, g(x, y)" at the commas that are not in parentheses."""
    depth, parts = 0, ['']
    for c in text:
        depth += (c == '(') - (c == ')')
        if c == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def wrong_growth(system, facts):
    fields, q = system.extended()
    found = growth(fields, q, system.parameters)
    fact = facts['growth-vector']
    said = re.match(r'\(([\d,]+)\)', fact['detail'])
    if system.expected.get('growth') not in (None, found):
        yield f'SymPy finds {found}'
    if fact['verdict'] != 'proved' or not said or tuple(map(int, said[1].split(','))) != found:
        yield f'growth vector {found}, but {fact}'
    if system.expected.get('drops', '') not in fact['detail']:
        yield f'no {system.expected["drops"]!r} in {fact["detail"]!r}'
    if facts['holonomic']['verdict'] != ('proved' if len(found) == 1 else 'refuted'):
        yield f'{found}, but {facts["holonomic"]}'
    kind = 'integrable, ' if len(found) == 1 else 'completely non-holonomic, ' if found[-1] == len(q) else 'partly integrable, '
    if not facts['holonomic']['detail'].startswith(kind):
        yield f'no {kind!r} in {facts["holonomic"]}'


def wrong_functions(system, facts):
    fields, q = system.extended()
    wanted, fact = len(q) - growth(fields, q, system.parameters)[-1], facts.get('constant-functions')
    if not wanted:
        if fact:
            yield f'nothing is constant, but {fact}'
        return
    said, matched = split(fact['detail'].split(': constant by')[0]), ': constant by' in fact['detail']
    if not system.expected.get('random') and system.expected.get('functions', 0) != wanted:
        yield f'{wanted} functions are constant'
    if fact['verdict'] != 'proved' or not matched or len(said) != wanted:
        yield f'{wanted} functions are constant, but {fact}'
        return
    functions = [parse(f, system.names) for f in said]
    symbols = list(q) + system.parameters
    point = numbers(symbols)
    gradients = [[sp.diff(f, x) for x in q] for f in functions]
    rates = [[sum(a * b for a, b in zip(X, gradient)) for X in fields] for gradient in gradients]
    if any(abs(x) > SMALL for row in values(rates, symbols, point) for x in row):
        yield f'not constant: {said}'
    if rank(values(gradients, symbols, point)) != wanted:
        yield f'not independent: {said}'


def change(system, rho):
    """div(rho Z)/rho at a random point."""
    psi, outer, G, along = divergence_parts(system)
    t, symbols = sp.Symbol('t'), system.q + system.z + system.parameters + [sp.Symbol('t')]
    moved = (sum(p * sp.diff(rho, x) for p, x in zip(psi, system.q)) + sp.diff(rho, t)) / rho + outer
    point, m = numbers(symbols), len(system.z)
    at = mpmath.matrix(values([list(G.row(i)) for i in range(m)], symbols, point))
    matrix = at**-1 * mpmath.matrix(values([list(along.row(i)) for i in range(m)], symbols, point))
    return values([[moved]], symbols, point)[0][0] + sum(matrix[i, i] for i in range(m))


def is_refuted(system):
    """Whether X_k(log rho) = -d_k leads to 0 = 1 by brackets."""
    _, outer, G, along = divergence_parts(system)
    div, rest = outer + (G.inv() * along).trace(), dict.fromkeys(system.z, 0)
    parts = [-sp.diff(div, z).subs(rest) for z in system.z] + [-div.subs(rest)]
    fields, q = system.extended()
    fields = fields if system.timed else fields + [system.rest]
    with_value = [X + [d] for X, d in zip(fields, parts)]
    return growth(with_value, q, system.parameters)[-1] > growth(fields, q, system.parameters)[-1]


def wrong_measure(system, facts):
    if system.expected.get('long'):
        return
    fact, wanted = facts['invariant-measure'], system.expected.get('measure')
    if system.expected.get('random') and fact['verdict'] != 'proved':
        return
    if fact['verdict'] == 'unknown' or wanted not in (None, fact['verdict'] == 'proved'):
        yield f'{fact}'
    elif fact['verdict'] == 'proved':
        rho = parse(re.match(r'rho = ([^:]*)', fact['detail'])[1], system.names)
        if any(abs(change(system, rho)) > SMALL for _ in range(2)):
            yield f'not invariant: {fact}'
        # a wrong one must be seen to be wrong
        if abs(change(system, rho * sp.exp(sum(system.q)))) < SMALL:
            yield 'any density is invariant'
    elif not is_refuted(system):
        yield f'the brackets contradict nothing, but {fact}'


def check(nonholo, system):
    done = subprocess.run([nonholo, 'check', '--format', 'json', '--quiet', '-'], input=system.model.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f'{system.title}: check ended with {done.returncode}: {done.stderr.decode()}')
    return {fact['name']: fact for fact in json.loads(done.stdout)['facts']}


def examples(folder):
    """Of the gallery: S. A. Chaplygin (1903) found the density of his ball; V. A. Yaroshchuk (1992) that of Routh's."""
    model = lambda name: (folder / f'{name}.nh').read_text('utf-8')
    up = sp.Matrix([0, 0, 1])
    yield rolling("Chaplygin's ball", model('chaplygin-ball'), 'zxy', ['I1', 'I2', 'I3'], lambda p, B: p['R'] * up, lambda p, B: -p['R'] * up)
    yield rolling("Routh's sphere", model('routh-sphere'), 'zxz', ['A', 'A', 'C'], lambda p, B: p['R'] * up - p['a'] * B.col(2),
                  lambda p, B: p['a'] * B.col(2) - p['R'] * up)


def wrong_nonlinear(nonholo):
    """Constraints that are not affine: what spans all directions admits no function; what does not, decides nothing."""
    for constraint, verdict in [("x'^2 + y'^2 = z'^2", 'refuted'), ("x'^2 + y'^2 + z'^2 = 1", 'refuted'), ("z'^2 = 4*x'^2", 'unknown')]:
        facts = check(nonholo, System(constraint, THREE + f'constraint {constraint}\ninitial x\' = 0.6, y\' = 0.8, z\' = 1.2\n', []))
        if facts['holonomic']['verdict'] != verdict or facts['growth-vector']['verdict'] != 'unknown':
            yield f'{constraint}: {facts["holonomic"]}, {facts["growth-vector"]}'


DRAWN = 15  # systems


def main():
    nonholo, failures = sys.argv[1], 0
    for system in examples(pathlib.Path(sys.argv[2])):
        for problem in wrong_measure(system, check(nonholo, system)):
            failures += 1
            print(f'{system.title}: {problem}')
    for system in LONG:
        fact, wanted = check(nonholo, system)['growth-vector'], str(system.expected['growth']).replace(' ', '')
        said = fact['detail'].split(' ')[0].split('...')[0]
        if not wanted.startswith(said) or (fact['verdict'] == 'proved') != (said == wanted):
            failures += 1
            print(f'{system.title}: {fact}')
    for problem in wrong_nonlinear(nonholo):
        failures += 1
        print(problem)
    for system in SYSTEMS + [random_system(k) for k in range(DRAWN)]:
        facts = check(nonholo, system)
        measure = check(nonholo, system.with_velocities())
        for problem in [*wrong_growth(system, facts), *wrong_functions(system, facts), *wrong_measure(system, measure)]:
            failures += 1
            print(f'{system.title}: {problem}')
    print(f'{len(SYSTEMS) + DRAWN} systems, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
