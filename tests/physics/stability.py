#!/usr/bin/env python3
"""stability.py NONHOLO EXAMPLES [--few]: `linearize` and `equilibria` against exported code, closed forms and motions.

The matrix of the small motions is made here a second time, by differences of the exported equations in 50 digits, and so
are its eigenvalues; what binds the variables is taken from the exported constraints. Rest and steady motions are put into the
exported equations, with whatever is said to be free at random values. Small systems have complete lists of both, with
verdicts that are derived by hand; and motions from states nearby have to stay or to leave, as the verdict says.
"""
import csv
import glob
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import types

try:
    import mpmath as mp
except ImportError:
    # Debian's module belongs to Debian's python, which need not be the first one on the path
    if os.path.realpath(sys.executable) == os.path.realpath('/usr/bin/python3') or not os.path.exists('/usr/bin/python3'):
        sys.exit('stability.py: there is no mpmath; `scripts/setup test` installs it with SymPy')
    os.execv('/usr/bin/python3', ['/usr/bin/python3', '-B'] + sys.argv)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gallery_vehicles import PRINTED  # noqa: E402  (the bicycle's published eigenvalues)

mp.mp.dps = 50
STEP = mp.mpf(10) ** -17  # of differences: errors of 1e-33
LARGEST = 20  # rows of the matrices whose eigenvalues are computed here
FUNCTIONS = 'sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt'.split()


class Program:
    def __init__(self, path, examples, folder, few):
        self.path, self.examples, self.folder, self.few = path, examples, folder, few
        self.known = {}

    def __call__(self, command, model, *options, ok=(0,)):
        """A model is a name of the gallery, or a text."""
        if '\n' in model:
            path = os.path.join(self.folder, 'model.nh')
            with open(path, 'w', encoding='utf-8') as stream:
                stream.write(model)
        else:
            path = os.path.join(self.examples, model + '.nh')
        words = [self.path, command, path, *map(str, options)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        if done.returncode not in ok:
            raise AssertionError(f'{" ".join(words)}: status {done.returncode}: {done.stderr}\n{model}')
        return done.stdout

    def json(self, command, model, *options):
        return json.loads(self(command, model, '--format', 'json', '--quiet', *options))

    def equations(self, model, *sets):
        if (model, sets) not in self.known:
            self.known[model, sets] = Equations(self, model, *sets)
        return self.known[model, sets]

    def run(self, model, *options, ok=(0,)):
        rows = csv.DictReader(io.StringIO(self('run', model, '--quiet', *options, ok=ok)))
        return [{key: float(value) for key, value in row.items()} for row in rows]


# ---------------------------------------------------------------- formulas and exported code, in 50 digits

TOKEN = re.compile(r"(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|(?P<name>[A-Za-z_]\w*'*)|(?P<rest>.)")


def formula(text, values):
    """The value of a formula of the model language."""
    parts = []
    for token in TOKEN.finditer(text):
        if token['number']:
            parts.append(f'M("{token["number"]}")')
        elif token['name']:
            parts.append(token['name'] if token['name'] in FUNCTIONS else f'N["{token["name"]}"]')
        else:
            parts.append('**' if token['rest'] == '^' else token['rest'])
    names = {'pi': mp.pi, **values}
    return eval(''.join(parts), {'__builtins__': {}, 'N': names, 'M': mp.mpf, **{f: getattr(mp, f) for f in FUNCTIONS}})


def exact_code(source):
    """The functions of an exported model with mpmath's numbers in place of doubles."""
    functions = types.ModuleType('math')
    for name in FUNCTIONS:
        setattr(functions, name, getattr(mp, name))
    space, before = {'__name__': 'model'}, sys.modules['math']
    sys.modules['math'] = functions
    try:
        exec(compile(source, 'model', 'exec'), space)
    finally:
        sys.modules['math'] = before
    return space


class Equations:
    """The exported equations of a model."""

    def __init__(self, program, model, *options):
        self.code = exact_code(program('export', model, '--to', 'python', '--quiet', *options))
        self.coordinates, self.parameters = self.code['coordinates'], self.code['parameters']
        self.solved = 'first_psi' in self.code  # otherwise there are velocities q' only, which the constraints bind
        self.names = self.coordinates + (self.code['velocities'] if self.solved else [q + "'" for q in self.coordinates])
        self.par = [mp.mpf(value) for value in self.code['parameter_values']]
        kinds = [c['kind'] for c in program.json('check', model)['constraints']]
        self.positions = [i for i, kind in enumerate(kinds) if kind == 'positional']
        self.bound = bool(self.positions) or (not self.solved and bool(kinds))

    def values(self, state=None):
        return {**dict(zip(self.parameters, self.par)), **{name: mp.mpf(x) for name, x in (state or {}).items()}}

    def rates(self, state, t=None):
        """By name. A state has doubles, or mpmath's numbers."""
        function = self.code['first_kind' if self.solved else 'second_kind']
        out = function(mp.mpf(state.get('t', 0)) if t is None else t, [mp.mpf(state[name]) for name in self.names], self.par)
        return dict(zip(self.names, out))

    def columns(self, function, state, names):
        """The derivatives of a function, a list, by these variables, as the columns of a matrix."""
        columns = []
        for name in names:
            up, down = (function({**state, name: mp.mpf(state[name]) + h}) for h in (STEP, -STEP))
            columns.append([(a - b) / (2 * STEP) for a, b in zip(up, down)])
        return mp.matrix(columns).T

    def matrix(self, state, rows, columns=None):
        def chosen(s):
            rates = self.rates(s)
            return [rates[name] for name in rows]
        return self.columns(chosen, state, columns or rows)

    def tangent(self, state, variables):
        """A basis of the small changes of the variables that the constraints allow."""
        n = len(self.coordinates)
        q = self.rates(state)

        def constraints(s):
            return self.code['second_constraints'](mp.mpf(s.get('t', 0)), [mp.mpf(s[name]) for name in self.coordinates] +
                                                   [mp.mpf(s[name + "'"]) for name in self.coordinates], self.par)
        state = {**state, **{name + "'": q[name] for name in self.coordinates}}
        rows = []
        slopes = self.columns(constraints, state, [name + "'" for name in self.coordinates])
        for i in self.positions:  # f' = f_q q', so that f_q is the derivative by the velocities
            rows.append([slopes[i, self.coordinates.index(name)] if name in self.coordinates else mp.mpf(0) for name in variables])
            if any(abs(slopes[i, j]) > 1e-30 for j in range(n) if self.coordinates[j] not in variables):
                raise AssertionError('a coordinate that is left out is bound to others')
        if not self.solved:
            by = self.columns(constraints, state, variables)
            rows += [[by[i, j] for j in range(len(variables))] for i in range(by.rows)]
        return null_space(mp.matrix(rows))


def null_space(M, small=mp.mpf(10) ** -25):
    """Columns, by elimination with the largest pivots."""
    M, pivots, row = M.copy(), [], 0
    while row < M.rows:
        size, i, j = max(((abs(M[i, j]), i, j) for i in range(row, M.rows) for j in range(M.cols) if j not in pivots), default=(0, 0, 0))
        if size < small:
            break
        for k in range(M.cols):
            M[row, k], M[i, k] = M[i, k], M[row, k]
        pivot = M[row, j]
        for k in range(M.cols):
            M[row, k] /= pivot
        for other in range(M.rows):
            if other != row and M[other, j] != 0:
                factor = M[other, j]
                for k in range(M.cols):
                    M[other, k] -= factor * M[row, k]
        pivots.append(j)
        row += 1
    free = [j for j in range(M.cols) if j not in pivots]
    basis = mp.zeros(M.cols, len(free))
    for k, j in enumerate(free):
        basis[j, k] = 1
        for row, pivot in enumerate(pivots):
            basis[pivot, k] = -M[row, j]
    return basis


def size(M):
    return max((abs(x) for x in M), default=mp.mpf(0))


def spectrum(A):
    """Eigenvalues, each with its condition: how far it moves with a unit change of A."""
    if A.rows == 0:
        return []
    values, left, right = mp.eig(A, left=True, right=True)
    found = []
    for k, value in enumerate(values):
        inner = abs(sum(left[k, i] * right[i, k] for i in range(A.rows)))
        lengths = mp.sqrt(sum(abs(left[k, i]) ** 2 for i in range(A.rows)) * sum(abs(right[i, k]) ** 2 for i in range(A.rows)))
        found.append((mp.mpc(value), lengths / max(inner, lengths * mp.mpf(10) ** -20)))
    return found


def matched(found, wanted):
    """Pairs of values as near as can be, the farthest ones last; None where the numbers differ."""
    if len(found) != len(wanted):
        return None
    left, pairs = list(wanted), []
    for z in sorted(found, key=lambda z: (-abs(z), z.real, z.imag)):
        k = min(range(len(left)), key=lambda k: abs(left[k] - z))
        pairs.append((z, left.pop(k)))
    return pairs


def apart(found, wanted):
    pairs = matched([mp.mpc(*z) for z in found], [mp.mpc(z) for z in wanted])
    return mp.inf if pairs is None else max((abs(a - b) for a, b in pairs), default=mp.mpf(0))


# ---------------------------------------------------------------- what is true of every output of linearize

def linear(program, label, model, *options, sets=()):
    """Checks of one output; what is asked of the state, --at and the like, are the options."""
    out = program.json('linearize', model, *options, *sets)
    e = program.equations(model, *sets)
    state, variables, A = out['state'], out['variables'], mp.matrix(out['A']) if out['A'] else mp.zeros(0)
    state = {name: mp.mpf(value) for name, value in state.items()}
    yield sorted(state) == sorted(e.names + ['t']), f'{label}: state {sorted(state)}'
    yield sorted(variables + out['left_out']) == sorted(e.names), f'{label}: {variables} and {out["left_out"]}'
    yield all(name in e.coordinates for name in out['left_out']), f'{label}: {out["left_out"]} are not all coordinates'
    rates = e.rates(state)
    B = e.matrix(state, variables)
    scale = max(size(B), mp.mpf(10) ** -300)
    change = max((abs(rates[name]) for name in variables), default=mp.mpf(0))
    later = {**state, 't': state['t'] + mp.mpf('0.37')}
    rates_later = e.rates(later)
    timed = any(abs(rates_later[name] - rates[name]) > 1e-12 * (1 + abs(rates[name])) for name in variables)
    timed = timed or (change == 0 and size(e.matrix(later, variables) - B) > 1e-12 * scale)
    if change == 0 or change > 1e-6:
        yield out['steady'] == (change == 0), f'{label}: steady {out["steady"]}, rates {mp.nstr(change, 5)}'
    # what is left out has no part in the rates of the others, at any state, and nothing else could be left out
    chance = random.Random(label)
    other = {**state, **{name: state[name] + mp.mpf(chance.uniform(-0.1, 0.1)) for name in e.names}, 't': state['t'] + mp.mpf('0.3')}
    J = e.matrix(other, variables, e.coordinates)
    for j, name in enumerate(e.coordinates):
        off = max((abs(J[i, j]) for i in range(J.rows) if variables[i] != name), default=mp.mpf(0))
        if name in out['left_out']:
            yield off <= 1e-13 * (1 + size(J)), f'{label}: {name} is left out, but rates change with it by {mp.nstr(off, 5)}'
        elif not e.bound:
            yield off > 1e-25 * (1 + size(J)), f'{label}: {name} might be left out, nothing else depends on it'
    # A: the same as by differences
    if e.solved:
        off = size(A - B) if A.rows == B.rows else mp.inf
        yield off < 1e-12 * scale, f'{label}: A is off by {mp.nstr(off, 3)} of {mp.nstr(scale, 3)}'
        rough = [abs(A[i, j] - B[i, j]) > 1e-8 * abs(B[i, j]) + 1e-14 * scale for i in range(A.rows) for j in range(A.cols)]
        yield not any(rough), f'{label}: an entry of A is off by more than 1e-8 of itself'
    if out['A_exact'] is not None:
        C = mp.matrix([[formula(text, e.values(state)) for text in row] for row in out['A_exact']])
        off = size(A - C)
        yield off < 1e-12 * scale, f'{label}: A_exact is off by {mp.nstr(off, 3)}'
    # eigenvalues
    found = [mp.mpc(*z) for z in out['eigenvalues']]
    if e.bound:
        T = e.tangent(state, variables)
        R = (T.T * T) ** -1 * T.T * B * T  # B T = T R
        if not e.solved:
            off = size(A * T - B * T)
            yield off < 1e-12 * scale, f'{label}: A is off by {mp.nstr(off, 3)} of {mp.nstr(scale, 3)} along the constraints'
        if change == 0:
            assert size(B * T - T * R) < mp.mpf(10) ** -14 * scale, (label, size(B * T - T * R))
        yield len(found) == T.cols, f'{label}: {len(found)} eigenvalues in {T.cols} dimensions'
    else:
        R = B
        yield len(found) == len(variables), f'{label}: {len(found)} eigenvalues of {len(variables)} variables'
    steady_or_free = change == 0 or not e.bound
    if steady_or_free:
        trace = sum(R[i, i] for i in range(R.rows))
        off = abs(sum(found) - trace)
        yield off < 1e-12 * scale * max(1, len(found)), f'{label}: the trace is {trace}, the eigenvalues make {sum(found)}'
        squares = sum(R[i, j] * R[j, i] for i in range(R.rows) for j in range(R.rows))
        off = abs(sum(z * z for z in found) - squares)
        yield off < 1e-11 * scale ** 2 * max(1, len(found)), f'{label}: squares: {mp.nstr(off, 3)}'
    verdict = out['verdict']
    if steady_or_free and R.rows <= LARGEST:
        exact = spectrum(R)
        pairs = matched(found, [value for value, _ in exact])
        conditions = dict((value, condition) for value, condition in exact)
        for z, value in pairs or []:
            allowed = 1e-14 * scale * min(conditions[value], mp.mpf(10) ** 12) * R.rows
            # a multiple eigenvalue moves by a root of the change: the square root of 1e-16 for two, ...
            near = sum(1 for other, _ in exact if abs(other - value) < 1e-5 * scale)
            if near > 1 and conditions[value] > 1e6:
                allowed = max(allowed, scale * mp.mpf(10) ** mp.mpf(-14 / near)) if value != 0 else allowed
            yield abs(z - value) <= allowed, f'{label}: the eigenvalue {mp.nstr(z, 17)} instead of {mp.nstr(value, 17)}, condition {mp.nstr(conditions[value], 3)}'
        if change == 0 and not timed:
            # a real part counts where it is larger than what rounding of this eigenvalue could make
            clear = [mp.re(z) for z, c in exact if abs(mp.re(z)) > 1e-12 * scale * min(c, 1e6)]
            if any(x > 0 for x in clear):
                yield verdict == 'unstable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
            elif len(clear) == len(exact):
                yield verdict == 'stable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
            else:
                yield verdict != 'unstable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
    if timed or change > 1e-6:
        yield verdict == 'undecided', f'{label}: {verdict}, though the rates are {mp.nstr(change, 3)}, with the time {timed}'
    # modes
    yield len(out['modes']) == len(found), f'{label}: {len(out["modes"])} modes'
    worst, zeros = 0, sum(1 for z in out['eigenvalues'] if z == [0, 0])
    for z, mode in zip(out['eigenvalues'], out['modes']):
        v, z = [complex(*x) for x in mode], complex(*z)
        largest = max(map(abs, v))
        yield abs(largest - 1) < 1e-12, f'{label}: the largest component of a mode is {largest}'
        if steady_or_free:
            # a multiple eigenvalue 0 without enough modes comes with vectors that a power of A makes 0
            for _ in range(1 if z else zeros):
                Av = [sum(a * x for a, x in zip(row, v)) for row in out['A']]
                v, u = Av, v
            worst = max([worst] + [abs(a - z * x) for a, x in zip(v, u)])
    if steady_or_free:
        yield worst < 1e-11 * scale, f'{label}: A v = lambda v is off by {float(worst):.2g} of {mp.nstr(scale, 3)}'
    return out


def large(program, label):
    """The same for many variables, in doubles: derivatives by steps along the imaginary axis."""
    import cmath
    out = program.json('linearize', label)
    before, sys.modules['math'], space = sys.modules['math'], cmath, {'__name__': 'model'}
    try:
        exec(compile(program('export', label, '--to', 'python', '--quiet'), label, 'exec'), space)
    finally:
        sys.modules['math'] = before
    names, A, scale = space['coordinates'] + space['velocities'], out['A'], max(abs(x) for row in out['A'] for x in row)
    chosen, state, worst = [names.index(name) for name in out['variables']], [out['state'][name] for name in names], 0
    for j, k in enumerate(chosen):
        rates = space['first_kind'](0, [x + 1e-40j if i == k else x for i, x in enumerate(state)])
        worst = max(max(abs(complex(rates[i]).imag / 1e-40 - A[row][j]) for row, i in enumerate(chosen)), worst)
    yield worst < 1e-11 * scale, f'{label}: A is off by {worst:.3g} of {scale:.3g}'
    values = [complex(*z) for z in out['eigenvalues']]
    yield len(values) == len(out['modes']) == len(chosen), f'{label}: {len(values)} eigenvalues, {len(out["modes"])} modes'
    off = abs(sum(values) - sum(A[i][i] for i in range(len(A))))
    yield off < 1e-11 * scale, f'{label}: trace {off:.3g}'
    worst, rows = 0, [[(j, a) for j, a in enumerate(row) if a] for row in A]
    for z, mode in zip(values, out['modes']):
        v = [complex(*x) for x in mode]
        worst = max([worst] + [abs(sum(a * v[j] for j, a in row) - z * x) for row, x in zip(rows, v)])
    yield worst < 1e-11 * scale, f'{label}: A v = lambda v is off by {worst:.3g} of {scale:.3g}'


def gallery(program):
    paths = sorted(glob.glob(os.path.join(program.examples, '*.nh')) + glob.glob(os.path.join(program.examples, 'paper', '*.nh')))
    few = 'rolling-disc off-centre-sleigh heisenberg paper/skate ball-on-turntable'.split()
    for path in paths:
        name = os.path.relpath(path, program.examples)[:-3]
        if name == 'isokinetic-64':
            if not program.few:
                yield from large(program, name)
        elif not program.few or name in few:
            yield from linear(program, name, name)
    if not program.few:
        for name, options in (('whipple-bicycle', ('--at', "lean'=0")), ('segway', ('--steady',)), ('unicycle', ('--steady',)),
                              ('rattleback', ('--steady',)), ('routh-sphere', ('--steady', '--at', "theta=1,psi'=3,theta'=0")), ('suslov', ('--steady',)),
                              ('chaplygin-ball', ('--at', "psi'=0,theta'=0,phi'=0")), ('euler-disc', ('--steady',)),
                              ('rolling-coin', ('--steady',)), ('ball-on-turntable', ('--at', 'x=0,y=0,wx=0,wy=0,wz=0')),
                              ('ball-in-bowl', ('--at', "p=0,q=0,p'=0,q'=0,phi'=3"))):
            yield from linear(program, f'{name} {" ".join(options)}', name, *options)


# ---------------------------------------------------------------- small systems with known answers

PENDULUM = """system Pendulum
angles q
parameters m = 2, g = 9.81, l = 3/2, c = 0
kinetic 1/2*m*l^2*q'^2
potential -m*g*l*cos(q)
force q = -c*q'
"""
BOB = """system Pendulum as a point on a circle
coordinates x, y
parameters m = 2, g = 9.81, l = 3/2
point P at (x, y) mass m
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
initial y = -l
"""
BOB_WITH_FRICTION = BOB.replace('mass m', 'mass m force -1/2*vel(P)')
DOUBLE = """system Double pendulum
angles a, b
parameters m = 1, l = 2, g = 9.81
point P at l*(sin(a), -cos(a)) mass m
point Q at pos(P) + l*(sin(b), -cos(b)) mass m
gravity (0, -g)
"""
HOOP = """system Bead on a rotating hoop
angles q
parameters m = 1, R = 1/2, g = 9.81, omega = 5
kinetic 1/2*m*R^2*(q'^2 + omega^2*sin(q)^2)
potential -m*g*R*cos(q)
"""
DRIVEN_HOOP = """system Bead on a hoop that turns with the time
angles q
parameters m = 1, R = 1/2, g = 9.81, omega = 5
input turn = omega*t
point P at R*(sin(q)*cos(turn), sin(q)*sin(turn), -cos(q)) mass m
gravity (0, 0, -g)
"""
CART = """system Pendulum on a cart that is held by its force
coordinates x
angles q
parameters M = 2, m = 1/2, l = 3/4, g = 9.81, k1 = 4, k2 = 6, k3 = 60, k4 = 14
point C at (x, 0) mass M
point P at (x + l*sin(q), l*cos(q)) mass m
gravity (0, -g)
force x = k1*x + k2*x' + k3*sin(q) + k4*q'
"""
CARRIED = """system Pendulum on a carriage of constant speed
angles q
parameters m = 1, l = 3/4, g = 9.81, v = 3
input s = v*t
point P at (s + l*sin(q), -l*cos(q)) mass m
gravity (0, -g)
"""
SHAKEN = CARRIED.replace('input s = v*t', 'input s = v*cos(7*t)')
MATHIEU = """system Mathieu
coordinates x
parameters a = 1, b = 1/2
kinetic 1/2*x'^2
force x = -(a + b*cos(2*t))*x - x'
"""
SLEIGH = """system Off-centre sleigh
coordinates x, y
angles theta
parameters m = 3, a = 2/5, I = 1/2
point G at (x + a*cos(theta), y + a*sin(theta)) mass m
kinetic 1/2*I*theta'^2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
initial v = 1
"""
# at y = z = 0, x' = 1 only x' is bound, in first order: y'' = -k y - c y', z'' = -n z - c z'
QUINTIC = """system A constraint that cannot be solved
coordinates x, y, z
parameters k = 3, n = 5, c = 1
kinetic 1/2*(x'^2 + y'^2 + z'^2)
potential 1/2*(k*y^2 + n*z^2)
force y = -c*y', z = -c*z'
constraint C: x' + x'^5 + y'^3 + z'^3 = 2
initial x' = 1
"""
WELL = """system Two wells
coordinates x
parameters m = 1, a = 4, b = 1, c = 0
kinetic 1/2*m*x'^2
potential 1/4*b*x^4 - 1/2*a*x^2
force x = -c*x'
"""
HANGING = """system Hanging from a spring
coordinates x
parameters m = 2, k = 7, g = 9.81
kinetic 1/2*m*x'^2
potential 1/2*k*x^2 - m*g*x
"""
TWO_HANGING = """system Two hanging from springs
coordinates x, y
parameters m = 2, M = 3, k = 50, n = 40, g = 9.81
kinetic 1/2*m*x'^2 + 1/2*M*y'^2
potential 1/2*k*x^2 + 1/2*n*(y - x)^2 - m*g*x - M*g*y
"""
FALLING = """system Falling
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
potential 9.81*y
"""
SKATE = """system Skate
coordinates x, y
angles theta
parameters m = 2, I = 1/2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
"""
SPHERICAL = """system Spherical pendulum as a point on a sphere
coordinates x, y, z
parameters m = 1, g = 9.81, l = 2
point P at (x, y, z) mass m
gravity (0, 0, -g)
constraint x^2 + y^2 + z^2 = l^2
initial z = -l
"""
SADDLE = """system A saddle with friction
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
potential 1/2*(x^2 - y^2)
force x = -x', y = -y'
"""
QUARTIC = """system A flat bottom
coordinates x
kinetic 1/2*x'^2
potential x^4
"""
HILL = QUARTIC.replace('x^4', '-x^4').replace('bottom', 'top')
CUBIC = QUARTIC.replace('x^4', 'x^3')
FREE = """system Free
coordinates x
kinetic 1/2*x'^2
"""
# indefinite, and stable by gyroscopic forces in first order only: the linear equations do not decide
GYRO = """system A hill with gyroscopic forces
coordinates x, y
parameters w = 5
kinetic 1/2*(x'^2 + y'^2)
potential -1/2*(x^2 + 2*y^2)
force x = w*y', y = -w*x'
"""
# with friction, however small, a gyroscopically stabilised hill is unstable (Thomson, Tait, Chetaev)
CHETAEV = GYRO.replace("w*y', y = -w*x'", "w*y' - 1/1000*x', y = -w*x' - 1/1000*y'")
# x'' = y' and y'' = -x': circles, whose centres drift under no force; rest is a family, and stable
MAGNETIC = """system A charge in a magnetic field
coordinates x, y
parameters w = 2
kinetic 1/2*(x'^2 + y'^2)
force x = w*y', y = -w*x'
"""


def chain(count, walls=True):
    names = [f'x{i}' for i in range(1, count + 1)]
    ends = ['0', *names, '0'] if walls else names
    return '\n'.join(['system Chain', 'coordinates ' + ', '.join(names), 'parameters m = 3, k = 5',
                      'kinetic 1/2*m*(' + ' + '.join(f"{x}'^2" for x in names) + ')',
                      'potential 1/2*k*(' + ' + '.join(f'({b} - {a})^2' for a, b in zip(ends, ends[1:])) + ')', ''])


def pair(square):
    """The eigenvalues +-root of a square."""
    root = mp.sqrt(mp.mpc(square))
    return [root, -root]


def roots(*coefficients):
    """Of a polynomial, the highest coefficient first."""
    return mp.polyroots([mp.mpf(c) for c in coefficients], maxsteps=200, extraprec=200)


def check_linear(program, label, model, wanted, verdict, *options, sets=(), tolerance=1e-12):
    out = yield from linear(program, label, model, *options, sets=sets)
    off = apart(out['eigenvalues'], wanted)
    largest = max((abs(z) for z in wanted), default=1)
    yield off <= tolerance * largest, f'{label}: {out["eigenvalues"]} instead of {[mp.nstr(z, 17) for z in wanted]}'
    yield out['verdict'] in verdict.split(), f'{label}: {out["verdict"]}, {out["reason"]}'
    return out


def closed_forms(program):
    g, l = mp.mpf(981) / 100, mp.mpf(3) / 2
    up = ('--at', 'q=pi')
    out = yield from check_linear(program, 'pendulum', PENDULUM, pair(-g / l), 'stable')
    yield out['steady'] and not out['left_out'] and out['A_exact'] is not None, f'pendulum: {out}'
    yield from check_linear(program, 'pendulum, upright', PENDULUM, pair(g / l), 'unstable', *up)
    yield from check_linear(program, 'pendulum, no mass', PENDULUM, pair(-g / l), 'stable', sets=('--set', 'm=1e-20'))
    for c in ('1', '50', '-1', '1e-3'):  # m l^2 q'' + c q' +- m g l q = 0
        half = mp.mpf(c) / (2 * 2 * l * l)
        for angle, sign in (('0', -1), ('pi', 1)):
            wanted = [-half + z for z in pair(half ** 2 + sign * g / l)]
            good = 'stable' if mp.mpf(c) > 0 and sign < 0 else 'unstable'
            yield from check_linear(program, f'pendulum, friction {c}, {angle}', PENDULUM, wanted, good, '--at', f'q={angle}', sets=('--set', f'c={c}'))
    # critical damping: a double eigenvalue with one mode
    critical = mp.nstr(2 * 2 * l * l * mp.sqrt(g / l), 17)
    yield from check_linear(program, 'pendulum, critical', PENDULUM, [-mp.sqrt(g / l)] * 2, 'stable', sets=('--set', f'c={critical}'), tolerance=1e-7)
    yield from check_linear(program, 'bob', BOB, pair(-g / l), 'stable undecided')
    yield from check_linear(program, 'bob, upright', BOB, pair(g / l), 'unstable', '--at', 'y=l')
    half = mp.mpf(1) / 8
    yield from check_linear(program, 'bob, friction', BOB_WITH_FRICTION, [-half + z for z in pair(half ** 2 - g / l)], 'stable')
    yield from check_linear(program, 'double pendulum', DOUBLE, pair(-(2 - mp.sqrt(2)) * g / 2) + pair(-(2 + mp.sqrt(2)) * g / 2), 'stable')
    yield from check_linear(program, 'double pendulum, bent', DOUBLE, pair(mp.sqrt(2) * g / 2) + pair(-mp.sqrt(2) * g / 2), 'unstable', '--at', 'b=pi')
    yield from check_linear(program, 'spherical', SPHERICAL, 2 * pair(-g / 2), 'stable undecided')
    yield from check_linear(program, 'spherical, upright', SPHERICAL, 2 * pair(g / 2), 'unstable', '--at', 'z=l')
    for n in (1, 2, 5) if program.few else (1, 2, 5, 20):
        wanted = sum((pair(-4 * mp.mpf(5) / 3 * mp.sin(j * mp.pi / (2 * (n + 1))) ** 2) for j in range(1, n + 1)), [])
        yield from check_linear(program, f'chain of {n}', chain(n), wanted, 'stable')
    # without walls: it may drift, so rest is not stable; it is undecided by the rules
    wanted = sum((pair(-4 * mp.mpf(5) / 3 * mp.sin(j * mp.pi / (2 * 4)) ** 2) for j in range(1, 4)), [mp.mpc(0)] * 2)
    yield from check_linear(program, 'free chain', chain(4, False), wanted, 'undecided')
    yield from check_linear(program, 'two springs', TWO_HANGING, sum((pair(z) for z in roots(6, 2 * 40 + 3 * 90, 50 * 40)), []), 'stable',
                            '--at', 'x=(m+M)*g/k,y=(m+M)*g/k+M*g/n')
    # the hoop: R q'' = (R omega^2 cos(q) - g) sin(q)
    R, w = mp.mpf(1) / 2, 5
    for model in (HOOP, DRIVEN_HOOP):
        title = model.splitlines()[0]
        lean = mp.acos(g / (R * w * w))
        yield from check_linear(program, f'{title}, 0', model, pair(w * w - g / R), 'unstable')
        yield from check_linear(program, f'{title}, pi', model, pair(w * w + g / R), 'unstable', *up)
        out = yield from linear(program, f'{title}, lean', model, '--at', 'q=acos(g/(R*omega^2))')
        yield apart(out['eigenvalues'], pair(-w * w * mp.sin(lean) ** 2)) < 1e-12, f'hoop: {out["eigenvalues"]}'
        yield out['verdict'] in ('stable', 'undecided'), f'{title}: {out["verdict"]}'  # stable, by Jacobi's integral
        out = program.json('linearize', model, '--vary', 'omega=1:9:16')
        changes = out['vary']['changes']
        yield len(changes) == 1 and abs(changes[0]['value'] - mp.sqrt(g / R)) < 1e-9, f'{title}: {changes}'
        yield [c['to'] for c in changes] == ['unstable'], f'{title}: {changes}'
        rows = out['vary']['rows']
        yield [r['value'] for r in rows] == [1 + i / 2 for i in range(17)], f'{title}: values {[r["value"] for r in rows]}'
        off = max(apart(r['eigenvalues'], pair(mp.mpf(r['value']) ** 2 - g / R)) for r in rows)
        yield off < 1e-12 * 10, f'{title}: rows off by {off}'
        yield all((r['verdict'] == 'unstable') == (r['value'] ** 2 > g / R) for r in rows), f'{title}: verdicts'
    # (M + m) x'' + m l q'' = k1 x + k2 x' + k3 q + k4 q', x'' + l q'' = g q
    M, m, L, k1, k2, k3, k4 = 2, mp.mpf(1) / 2, mp.mpf(3) / 4, 4, 6, 60, 14
    # M x'' = k1 x + k2 x' + (k3 - m g) q + k4 q'; M l q'' = ((M + m) g - k3) q - k1 x - k2 x' - k4 q'
    # determinant of (M s^2 - k2 s - k1)(M l s^2 + k4 s + k3 - (M + m) g) + (k4 s + k3 - m g)(k2 s + k1)
    a, b = k3 - (M + m) * g, k3 - m * g
    wanted = roots(M * M * L, M * k4 - M * L * k2, M * a - k2 * k4 - M * L * k1 + k4 * k2, -k2 * a - k1 * k4 + k4 * k1 + b * k2, -k1 * a + b * k1)
    good = 'stable' if all(mp.re(z) < 0 for z in wanted) else 'unstable'
    yield good == 'stable', f'cart: {wanted}'
    yield from check_linear(program, 'cart', CART, wanted, 'stable')
    yield from check_linear(program, 'cart, left alone', CART, [0] + pair((M + m) * g / (M * L)), 'unstable', sets=('--set', 'k1=0,k2=0,k3=0,k4=0'))
    out = program.json('linearize', CART, '--vary', 'k4=0:20:20')
    for row in out['vary']['rows']:
        k = mp.mpf(row['value'])
        wanted = roots(M * M * L, M * k - M * L * k2, M * a - M * L * k1, -k2 * a + b * k2, -k1 * a + b * k1)
        yield apart(row['eigenvalues'], wanted) < 1e-10, f'cart: {row}'
        yield row['verdict'] == ('stable' if all(mp.re(z) < 0 for z in wanted) else 'unstable'), f'cart: {row} {wanted}'
    # Hurwitz: (c3 c2 - c1 c4) c1 = c3^2 c0
    c4, c2, c1, c0 = M * M * L, M * a - M * L * k1, -k2 * a + b * k2, -k1 * a + b * k1
    limits = [(z + M * L * k2) / M for z in roots(c0, -c2 * c1, c1 * c1 * c4)]
    limits = [z for z in limits if abs(mp.im(z)) < 1e-30 and 0 < mp.re(z) < 20]
    yield len(limits) == len(out['vary']['changes']) > 0, f'cart: {out["vary"]["changes"]} instead of {limits}'
    for z, change in zip(sorted(map(mp.re, limits)), out['vary']['changes']):
        yield abs(z - change['value']) < 1e-9, f'cart: {change} instead of {z}'
    # a carriage: the energy is not conserved, but the equations are those of a pendulum at rest
    out = yield from linear(program, 'carried', CARRIED)
    yield apart(out['eigenvalues'], pair(-g / L)) < 1e-12 and out['verdict'] in ('stable', 'undecided'), f'carried: {out}'
    yield from check_linear(program, 'carried, upright', CARRIED, pair(g / L), 'unstable', *up)
    # with the time in the equations nothing is decided
    for label, model in (('shaken', SHAKEN), ('Mathieu', MATHIEU)):
        out = yield from linear(program, label, model)
        yield out['verdict'] == 'undecided', f'{label}: {out["verdict"]}'
    # the sleigh: (I + m a^2) w' = -m a v w
    rate = mp.mpf('1.2') / (mp.mpf('0.5') + 3 * mp.mpf('0.16'))
    for v in (1, -1, 1e-3, -1e-3, 100):
        yield from check_linear(program, f'sleigh, {v}', SLEIGH, [0, -rate * mp.mpf(v)], 'stable' if v > 0 else 'unstable', '--at', f'v={v}')
    # at rest: v and w stay small, since the energy is positive definite in them
    yield from check_linear(program, 'sleigh at rest', SLEIGH, [0, 0], 'stable', '--at', 'v=0')
    out = program.json('linearize', SLEIGH, '--vary', 'v=-1:2:9')
    changes = out['vary']['changes']
    yield changes and all(abs(c['value']) < 1e-9 for c in changes) and changes[0]['from'] == 'unstable' and changes[-1]['to'] == 'stable', f'sleigh: {changes}'
    half = mp.mpf(1) / 2
    wanted = [-half + z for z in pair(half ** 2 - 3)] + [-half + z for z in pair(half ** 2 - 5)]
    yield from check_linear(program, 'quintic', QUINTIC, wanted, 'stable')
    yield from check_linear(program, 'quintic, hill', QUINTIC, [-half + z for z in pair(half ** 2 + 3)] + wanted[2:], 'unstable', sets=('--set', 'k=-3'))
    for c, x, wanted, good in (('0', '2', pair(-8), 'stable'), ('0', '-2', pair(-8), 'stable'), ('0', '0', pair(4), 'unstable'),
                               ('1', '2', [-half + z for z in pair(half ** 2 - 8)], 'stable'), ('-1', '2', [half + z for z in pair(half ** 2 - 8)], 'unstable')):
        yield from check_linear(program, f'well, {c}, {x}', WELL, wanted, good, '--at', f'x={x}', sets=('--set', f'c={c}'))
    yield from check_linear(program, 'saddle', SADDLE, [-half + z for z in pair(half ** 2 - 1)] + [-half + z for z in pair(half ** 2 + 1)], 'unstable')
    # where the linear equations say nothing: a flat bottom is stable, by the energy; a flat top and a slope are not
    out = yield from linear(program, 'flat bottom', QUARTIC)
    yield apart(out['eigenvalues'], [0, 0]) == 0 and out['verdict'] in ('stable', 'undecided'), f'flat bottom: {out}'
    for label, model in (('flat top', HILL), ('inflection', CUBIC)):
        out = yield from linear(program, label, model)
        yield apart(out['eigenvalues'], [0, 0]) == 0 and out['verdict'] in ('unstable', 'undecided'), f'{label}: {out["verdict"]}'
    # s^4 + (w^2 - 3) s^2 + 2 = 0
    wanted = sum((pair(z) for z in roots(1, 22, 2)), [])
    yield from check_linear(program, 'gyroscopic', GYRO, wanted, 'undecided')
    c = mp.mpf('0.001')
    # (s^2 + c s - 1)(s^2 + c s - 2) + w^2 s^2
    wanted = roots(1, 2 * c, c * c - 3 + 25, -3 * c, 2)
    yield from check_linear(program, 'gyroscopic, with friction', CHETAEV, wanted, 'unstable')
    out = yield from linear(program, 'magnetic', MAGNETIC)
    yield out['verdict'] in ('stable', 'undecided'), f'magnetic: {out["verdict"]}'
    out = yield from linear(program, 'free', FREE, '--at', "x'=1")
    yield out['verdict'] in ('stable', 'undecided') and out['left_out'] == ['x'], f'free: {out}'


def gallery_limits(program):
    """The rolling disc and the bicycle."""
    m, R, A, C, g = 1, mp.mpf(1) / 2, mp.mpf(1) / 16, mp.mpf(1) / 8, mp.mpf(981) / 100
    # straight: A psi'' = C phi' theta', (A + mR^2) theta'' = mgR theta - (C + mR^2) phi' psi'; on the spot: gallery_bodies.py has it
    upright = "theta=0,theta'=0,psi'=0,phi'=0"
    for name, limit, square, digits in (("phi'", mp.sqrt(A * m * g * R / (C * (C + m * R * R))), lambda w: (m * g * R - C * (C + m * R * R) * w * w / A) / (A + m * R * R), 1e-9),
                                        ("psi'", mp.sqrt(m * g * R / (A + m * R * R)), lambda s: m * g * R / (A + m * R * R) - s * s, 1e-8)):
        out = program.json('linearize', 'rolling-disc', '--at', upright, '--vary', f'{name}=-6:6:24')
        changes = out['vary']['changes']
        yield len(changes) == 2 and max(abs(abs(c['value']) - limit) for c in changes) < digits, f'disc, {name}: {changes} instead of +-{limit}'
        yield [(c['from'], c['to']) for c in changes] == [('undecided', 'unstable'), ('unstable', 'undecided')], f'disc, {name}: {changes}'
        off = max(apart(r['eigenvalues'], pair(square(mp.mpf(r['value']))) + [0, 0]) for r in out['vary']['rows'])
        yield off < 1e-12 * 20, f'disc, {name}: off by {mp.nstr(off, 3)}'
        yield all(r['steady'] for r in out['vary']['rows']), f'disc, {name}: not steady'
    if program.few:
        return
    out = program.json('linearize', 'whipple-bicycle', '--at', "lean'=0", '--vary', 'v=0:10:10')
    for v, row in enumerate(out['vary']['rows']):
        wanted = [*PRINTED[v], *(z.conjugate() for z in PRINTED[v] if isinstance(z, complex)), 0]
        off = apart(row['eigenvalues'], wanted)
        yield off < 1e-11, f'bicycle at {v} m/s: {row["eigenvalues"]} instead of {wanted}: {mp.nstr(off, 3)}'
        yield row['value'] == v and row['steady'] and row['verdict'] == ('stable' if v in (5, 6) else 'unstable'), f'bicycle at {v} m/s: {row["verdict"]}'
    changes = out['vary']['changes']
    for change, limit, verdicts in zip(changes, (4.29238253634111, 6.02426201538837), (('unstable', 'stable'), ('stable', 'unstable'))):
        yield abs(change['value'] - limit) < 1e-9 and (change['from'], change['to']) == verdicts, f'bicycle: {change}'
    yield len(changes) == 2, f'bicycle: {changes}'



# ---------------------------------------------------------------- rest and steady motions

def angles_of(model):
    return set(sum((line.split('#')[0].split(None, 1)[1].replace(' ', '').split(',') for line in model.splitlines() if line.startswith('angles')), []))


def rest(program, label, model, *options, sets=()):
    """Checks of one output: every state solves the exported equations, whatever the free variables are."""
    out = program.json('equilibria', model, *options, *sets)
    e = program.equations(model, *sets)
    steady = '--steady' in options
    asked = [name for name in e.names if name not in out['left_out']] if steady else e.names
    if steady:
        yield all(name in e.coordinates for name in out['left_out']), f'{label}: left out {out["left_out"]}'
    else:
        yield out['left_out'] == [], f'{label}: left out {out["left_out"]}'
    yield 0 <= out['converged'] <= out['searches'] and (out['converged'] > 0) == bool(out['equilibria']), f'{label}: {out["converged"]} of {out["searches"]}'
    chance = random.Random(label)
    for k, found in enumerate(out['equilibria']):
        name = f'{label} {k + 1}'
        state = {key: mp.mpf(value) for key, value in found['state'].items()}
        yield set(e.names) <= set(state), f'{name}: {state}'
        yield found['verdict'] in ('stable', 'unstable', 'undecided') and found['found'] in ('proved', 'tested'), f'{name}: {found}'
        yield len(found['free']) <= found['dimension'], f'{name}: {found["dimension"]} dimensions with {found["free"]} free'
        yield not set(found['free']) & set(found['bound']), f'{name}: {found["free"]} and {found["bound"]}'
        yield (found['exact'] is not None) == (found['found'] == 'proved'), f'{name}: {found["found"]} with {found["exact"]}'
        for variable in asked:
            low, high = out['box'][variable]
            if variable not in found['free'] and variable not in found['bound']:
                slack = 1e-9 * (1 + abs(low) + abs(high))
                yield low - slack <= state[variable] <= high + slack, f'{name}: {variable} = {state[variable]} is outside {low}:{high}'
        exact = None
        if found['exact'] is not None:
            # a free variable stands for itself
            values = e.values({variable: state[variable] for variable in found['free'] + out['left_out']})
            exact = {variable: formula(found['exact'][variable], values) for variable in e.names}
            off = max(abs(exact[v] - state[v]) / (1 + abs(state[v])) for v in e.names)
            yield off < 1e-12, f'{name}: {found["exact"]} is not {found["state"]}'
        if found['singular']:
            yield found['verdict'] == 'undecided', f'{name}: singular, but {found["verdict"]}'
            continue
        scale = 1 + max(abs(x) for x in e.rates({v: x + mp.mpf('0.01') for v, x in state.items()}).values())
        for tried in range(2 if found['free'] + out['left_out'] else 1):
            if exact is not None:
                moved = {v: mp.mpf(chance.uniform(-3, 3)) if tried and v in found['free'] + out['left_out'] else state[v] for v in e.names}
                moved = {v: formula(found['exact'][v], e.values(moved)) for v in e.names}
            else:
                moved = {v: state[v] + mp.mpf(chance.uniform(-1, 1)) * tried if v in found['free'] else state[v] for v in e.names}
            rates = e.rates(moved, mp.mpf(chance.uniform(0, 5)))
            off = max((abs(rates[v]) for v in asked), default=0)
            yield off < (mp.mpf(10) ** -14 if exact is not None else 1e-9) * scale, f'{name}: {found["state"]}, free {found["free"]}: the rates are {mp.nstr(off, 3)}, not 0'
        # the dimension is no more than that of the solutions of the linear equations
        if k >= 3:
            continue
        A = e.matrix(state, asked)
        if e.bound:
            T = e.tangent(state, asked)
            A = (T.T * T) ** -1 * T.T * A * T
        if A.rows <= LARGEST:
            scale = max(size(A), mp.mpf(1))
            null = null_space(A / scale, 1e-7).cols
            yield found['dimension'] <= null, f'{name}: {found["dimension"]} dimensions, {null} by the linear equations'
            # verdicts against the eigenvalues
            values = [z for z, _ in spectrum(A)]
            if found['free'] and 'member' in found['reason']: # some members grow, others do not
                grow = {any(mp.re(z) > 1e-4 * scale for z, _ in spectrum(e.matrix({v: mp.mpf(chance.uniform(*out['box'][v]))
                                                                                   if v in found['free'] else state[v] for v in e.names}, asked)))
                        for _ in range(12)}
                yield grow != {True}, f'{name}: {found["reason"]}, but all grow' # the others: stable, or not decided
            elif any(mp.re(z) > 1e-4 * scale for z in values):
                yield found['verdict'] == 'unstable', f'{name}: {found["verdict"]} with {[mp.nstr(z, 8) for z in values]}'
            elif all(mp.re(z) < 1e-7 * scale for z in values):
                yield found['verdict'] != 'unstable', f'{name}: unstable with {[mp.nstr(z, 8) for z in values]}'
            if found['verdict'] == 'stable':
                yield all(mp.re(z) < 1e-7 * scale for z in values), f'{name}: stable with {[mp.nstr(z, 8) for z in values]}'
    return out


def gallery_rest(program):
    paths = sorted(glob.glob(os.path.join(program.examples, '*.nh')) + glob.glob(os.path.join(program.examples, 'paper', '*.nh')))
    few = 'rolling-disc off-centre-sleigh heisenberg paper/parallel-incline'.split()
    for path in paths:
        name = os.path.relpath(path, program.examples)[:-3]
        if name != 'isokinetic-64' and (not program.few or name in few):
            yield from rest(program, f'rest of {name}', name)
            if name != 'ball-in-bowl':
                yield from rest(program, f'steady motions of {name}', name, '--steady')


def complete(program, label, model, wanted, *options, sets=(), free=(), singular=False):
    """A list of (state, verdicts that are true), states by the variables that are not 0; angles modulo a turn."""
    out = yield from rest(program, label, model, *options, sets=sets)
    left, turning = list(out['equilibria']), angles_of(model)
    for state, verdicts in wanted:
        def distance(found):
            total = 0
            for name, value in found['state'].items():
                if name in free or name == 't':
                    continue
                off = value - float(state.get(name, 0))
                total = max(total, abs(math.remainder(off, 2 * math.pi) if name in turning else off))
            return total
        near = min(left, key=distance, default=None)
        if near is None or distance(near) > 1e-9:
            yield False, f'{label}: {state} is not among {[f["state"] for f in left]}'
            continue
        left.remove(near)
        yield near['verdict'] in verdicts.split(), f'{label}: {state} is {near["verdict"]}, not {verdicts}: {near["reason"]}'
        yield sorted(near['free']) == sorted(free), f'{label}: free are {near["free"]}, not {free}'
        yield near['singular'] == singular, f'{label}: {state} singular {near["singular"]}'
    yield not left, f'{label}: there should be no {[f["state"] for f in left]}'
    return out


def proved(out, label):
    for found in out['equilibria']:
        yield found['found'] == 'proved', f'{label}: {found["state"]} is {found["found"]}'


def small_rest(program):
    pi, g = mp.pi, mp.mpf(981) / 100
    out = yield from complete(program, 'pendulum', PENDULUM, [({}, 'stable'), ({'q': pi}, 'unstable')])
    yield from proved(out, 'pendulum')
    yield from complete(program, 'pendulum with friction', PENDULUM, [({}, 'stable'), ({'q': pi}, 'unstable')], sets=('--set', 'c=1'))
    yield from complete(program, 'pendulum with wind behind', PENDULUM, [({}, 'unstable'), ({'q': pi}, 'unstable')], sets=('--set', 'c=-1'))
    out = yield from complete(program, 'double pendulum', DOUBLE, [({}, 'stable'), ({'a': pi}, 'unstable'), ({'b': pi}, 'unstable'), ({'a': pi, 'b': pi}, 'unstable')])
    yield from proved(out, 'double pendulum')
    lean = mp.acos(g / (mp.mpf(1) / 2 * 25))
    for model in (HOOP, DRIVEN_HOOP):
        title = model.splitlines()[0]
        yield from complete(program, title, model, [({}, 'unstable'), ({'q': pi}, 'unstable'), ({'q': lean}, 'stable undecided'), ({'q': -lean}, 'stable undecided')])
        yield from complete(program, f'{title}, slow', model, [({}, 'stable undecided'), ({'q': pi}, 'unstable')], sets=('--set', 'omega=4'))
    yield from complete(program, 'two wells', WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')])
    yield from complete(program, 'two wells with friction', WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')], sets=('--set', 'c=1/10'))
    out = yield from complete(program, 'hanging', HANGING, [({'x': 2 * g / 7}, 'stable')])
    yield from proved(out, 'hanging')
    values = {'m': mp.mpf(3), 'g': mp.mpf(5), 'k': mp.mpf(11), "x'": mp.mpf(0)}
    for found in out['equilibria']:  # a formula in the parameters: true for others, too
        yield abs(formula(found['exact']['x'], values) - mp.mpf(15) / 11) < 1e-40, f'hanging: {found["exact"]}'
    out = yield from complete(program, 'two hanging', TWO_HANGING, [({'x': 5 * g / 50, 'y': 5 * g / 50 + 3 * g / 40}, 'stable')])
    yield from complete(program, 'falling', FALLING, [])
    yield from complete(program, 'falling, steady', FALLING, [], '--steady')
    out = yield from complete(program, 'skate', SKATE, [({}, 'stable undecided')], free=('x', 'y', 'theta'))
    yield from proved(out, 'skate')
    # straight ahead, and on circles: v and w are both constant
    yield from complete(program, 'skate, steady', SKATE, [({}, 'stable undecided')], '--steady', free=('v', 'w'))
    yield from complete(program, 'bob', BOB, [({'y': -1.5}, 'stable undecided'), ({'y': 1.5}, 'unstable')])
    yield from complete(program, 'bob with friction', BOB_WITH_FRICTION, [({'y': -1.5}, 'stable'), ({'y': 1.5}, 'unstable')])
    yield from complete(program, 'spherical', SPHERICAL, [({'z': -2}, 'stable undecided'), ({'z': 2}, 'unstable')])
    yield from complete(program, 'saddle', SADDLE, [({}, 'unstable')])
    yield from complete(program, 'inflection', CUBIC, [({}, 'unstable undecided')])
    yield from complete(program, 'free', FREE, [({}, 'undecided stable')], free=('x',))
    yield from complete(program, 'free, steady', FREE, [({}, 'undecided stable')], '--steady', free=("x'",))
    yield from complete(program, 'gyroscopic', GYRO, [({}, 'undecided')])
    yield from complete(program, 'gyroscopic, with friction', CHETAEV, [({}, 'unstable')])
    yield from complete(program, 'magnetic', MAGNETIC, [({}, 'undecided stable')], free=('x', 'y'))
    yield from complete(program, 'chain', chain(3), [({}, 'stable')])
    yield from complete(program, 'Mathieu', MATHIEU, [({}, 'undecided')])
    yield from complete(program, 'shaken', SHAKEN, [])
    # on a sleigh's way down: none; at rest all states, where nothing pulls
    yield from complete(program, 'sleigh', SLEIGH, [({}, 'stable')], free=('x', 'y', 'theta'))
    # parallel velocities on an incline: no rest but where both stand still, and there the constraint is singular
    out = yield from rest(program, 'incline', 'paper/parallel-incline')
    yield out['equilibria'] and all(found['singular'] for found in out['equilibria']), f'incline: {out["equilibria"]}'
    # boxes
    for box, model, wanted in (('q=2:4', PENDULUM, [({'q': pi}, 'unstable')]), ('q=-1:1', PENDULUM, [({}, 'stable')]), ('q=0.5:3', PENDULUM, []),
                               ('x=0.5:2.5', WELL, [({'x': 2}, 'stable')]), ('x=-1:1', WELL, [({}, 'unstable')]), ('x=3:4', WELL, []),
                               ("x=-3:3,x'=-1:1", WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')]), ("x'=1:2", WELL, []),
                               ('a=-1:1,b=2:4', DOUBLE, [({'b': pi}, 'unstable')]), ('q=pi/2:3*pi/2', PENDULUM, [({'q': pi}, 'unstable')])):
        out = yield from complete(program, f'box {box}', model, wanted, '--box', box)
        for part in box.split(','):
            name, limits = part.split('=')
            limits = [float(formula(x.replace('-', '0-', 1) if x.startswith('-') else x, {})) for x in limits.split(':')]
            yield out['box'][name] == limits, f'box {box}: {out["box"]}'


# ---------------------------------------------------------------- motions from states nearby

def motions(program):
    """Stable ones stay within a bound, unstable ones leave, from 1e-4 in a random direction."""
    cases = [('pendulum', PENDULUM, (), 30), ('pendulum with friction', PENDULUM, ('--set', 'c=1'), 30), ('double pendulum', DOUBLE, (), 30),
             ('hoop', HOOP, (), 60), ('two wells', WELL, (), 30), ('two hanging', TWO_HANGING, (), 30), ('saddle', SADDLE, (), 40), ('chain', chain(3), (), 40),
             ('bob with friction', BOB_WITH_FRICTION, (), 30), ('gyroscopic, with friction', CHETAEV.replace('1/1000', '1/5'), (), 800), ('cart', CART, (), 8),
             ('cone', 'rolling-cone', (), 60), ('Heisenberg', 'heisenberg', (), 60), ('Rosenberg', 'rosenberg', (), 60), ('spherical', SPHERICAL, (), 20)]
    if program.few:
        cases = cases[:4]
    for label, model, sets, until in cases:
        out = program.json('equilibria', model, *sets)
        free = set(sum((f['free'] for f in out['equilibria']), []))
        for k, found in enumerate(out['equilibria']):
            if found['singular'] or found['verdict'] == 'undecided':
                continue
            chance = random.Random(f'{label} {k}')
            start = {name: value if name in free else value + chance.choice((-1e-4, 1e-4)) for name, value in found['state'].items()
                     if name != 't' and not re.fullmatch(r'u\d', name)}  # velocities that the program has named cannot be given
            rows = program.run(model, '--start', ','.join(f'{name}={value!r}' for name, value in start.items()), '--project', '--to', until, *sets, ok=(0, 1))
            far = [max(abs(row[name] - found['state'][name]) for name in start if name not in free) for row in rows]
            if found['verdict'] == 'stable':
                yield max(far) < 5e-3 and rows[-1]['t'] == until, f'{label}: {found["state"]} is stable, but the motion leaves it by {max(far)}'
            else:
                yield max(far) > 5e-2, f'{label}: {found["state"]} is unstable, but the motion stays within {max(far)}'


def main():
    arguments = [a for a in sys.argv[1:] if a != '--few']
    done = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(arguments[0], arguments[1], folder, '--few' in sys.argv)
        for test in (gallery, closed_forms, gallery_limits, gallery_rest, small_rest, motions):
            began = time.monotonic()
            try:
                for good, text in test(program):
                    done += 1
                    if not good:
                        failed += 1
                        print(text)
            except AssertionError as error:
                failed += 1
                print(f'{test.__name__}: {error}')
            print(f'{test.__name__}: {time.monotonic() - began:.1f} s')
    print(f'{done} checks, {failed} failures')
    sys.exit(1 if failed or done < 100 else 0)


if __name__ == '__main__':
    main()
