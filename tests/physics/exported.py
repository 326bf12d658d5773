"""The exported equations of a model in 50 digits, with which the tests of `linearize` and `equilibria` compare.

Exported code is text that shares nothing with what those commands evaluate; its numbers are mpmath's here.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import types

try:
    import mpmath as mp
except ImportError:
    # Debian's module belongs to Debian's python, which need not be the first one on the path
    if os.path.realpath(sys.executable) == os.path.realpath('/usr/bin/python3') or not os.path.exists('/usr/bin/python3'):
        sys.exit(f'{sys.argv[0]}: there is no mpmath; `scripts/setup test` installs it with SymPy')
    os.execv('/usr/bin/python3', ['/usr/bin/python3', '-B'] + sys.argv)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checks import all_of  # noqa: E402

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

    def slopes(self, state, variables):
        """The derivatives of what binds the variables, a row for each equation."""
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
        return mp.matrix(rows)

    def tangent(self, state, variables):
        """A basis of the small changes of the variables that the constraints allow."""
        return null_space(self.slopes(state, variables))


def shortest(A, b):
    """The shortest x among those with A x = b, which has solutions; by rows that are made orthogonal to each other, the long ones first."""
    rows = []
    lengths = [mp.sqrt(sum(A[i, j] ** 2 for j in range(A.cols))) for i in range(A.rows)]
    for i in sorted(range(A.rows), key=lambda i: -lengths[i]):
        row, right = [A[i, j] for j in range(A.cols)], b[i]
        for other, value in rows:
            part = sum(x * y for x, y in zip(row, other))
            row, right = [x - part * y for x, y in zip(row, other)], right - part * value
        rest = mp.sqrt(sum(x * x for x in row))
        if rest > mp.mpf(10) ** -10 * max(lengths):
            rows.append(([x / rest for x in row], right / rest))
    return [sum(row[j] * value for row, value in rows) for j in range(A.cols)]


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


def with_program(*tests):
    """The program's path, the gallery's and --few are on the command line."""
    arguments = [a for a in sys.argv[1:] if a != '--few']
    with tempfile.TemporaryDirectory() as folder:
        all_of(Program(arguments[0], arguments[1], folder, '--few' in sys.argv), *tests)
