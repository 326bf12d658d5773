"""The equations of motion a second time, in numbers, from the text of a model.

Statements become expressions that are shared (each is built once) and differentiated in symbols. Points and bodies enter by
d'Alembert's principle and not by their energy: with r_i = dr/dq^i, w_i = d omega/dq'^i, and a0, alpha0 the accelerations for q'' = 0,
    g_ij = m r_i.r_j + w_i.I w_j,     L_i = (F - m a0).r_i + (M - I alpha0 - omega x I omega).w_i
and a kinetic energy K gives g_ij = d_i' d_j' K and L_i = d_i K - (q'^j d_j + d_t) d_i' K. The accelerations, with C^a_i = dC^a/dq'^i, solve
    [ g  -C^T ] [ q''    ]   [ L                      ]
    [ C   0   ] [ lambda ] = [ -(q'^i d_i + d_t) C    ]
Numbers are doubles, or those of mpmath where doubles leave a doubt.
"""
import math
from fractions import Fraction


class Unknown(Exception):
    """Something of the language that is not understood here."""


class Singular(Exception):
    """The equations have no solution at this state."""


# ---------------------------------------------------------------- expressions

class Pool:
    """Expressions by number: an operator, its operands, and a mask of the symbols that occur in it."""

    def __init__(self):
        self.nodes, self.masks, self.index, self.symbols, self.derivatives = [], [], {}, {}, {}
        self.zero, self.one = self.number(Fraction(0)), self.number(Fraction(1))

    def make(self, node, mask):
        found = self.index.get(node)
        if found is None:
            found = self.index[node] = len(self.nodes)
            self.nodes.append(node)
            self.masks.append(mask)
        return found

    def number(self, x):
        return self.make(('num', Fraction(x)), 0)

    def symbol(self, name):
        if name not in self.symbols:
            self.symbols[name] = self.make(('sym', name), 1 << len(self.symbols))
        return self.symbols[name]

    def constant(self, a):
        node = self.nodes[a]
        return node[1] if node[0] == 'num' else None

    def binary(self, op, a, b):
        return self.make((op, a, b), self.masks[a] | self.masks[b])

    def add(self, a, b):
        x, y = self.constant(a), self.constant(b)
        if x is not None and y is not None:
            return self.number(x + y)
        return b if x == 0 else a if y == 0 else self.binary('+', a, b)

    def mul(self, a, b):
        x, y = self.constant(a), self.constant(b)
        if x is not None and y is not None:
            return self.number(x * y)
        return self.zero if x == 0 or y == 0 else b if x == 1 else a if y == 1 else self.binary('*', a, b)

    def neg(self, a):
        return self.mul(self.number(-1), a)

    def sub(self, a, b):
        return self.add(a, self.neg(b))

    def div(self, a, b):
        x, y = self.constant(a), self.constant(b)
        if y == 0:
            raise Unknown('a division by 0')
        if x is not None and y is not None:
            return self.number(x / y)
        return self.zero if x == 0 else a if y == 1 else self.binary('/', a, b)

    def power(self, a, b):
        x, y = self.constant(a), self.constant(b)
        if y is not None:
            if y == 0:
                return self.one
            if y == 1:
                return a
            if x is not None and y.denominator == 1 and abs(y) < 100 and (x or y > 0):
                return self.number(x ** y.numerator)
        return self.binary('^', a, b)

    def call(self, name, *arguments):
        mask = 0
        for a in arguments:
            mask |= self.masks[a]
        return self.make((name, *arguments), mask)

    def sum(self, terms):
        total = self.zero
        for a in terms:
            total = self.add(total, a)
        return total

    def dot(self, a, b):
        return self.sum(self.mul(x, y) for x, y in zip(a, b))

    # the derivative along a symbol

    def diff(self, a, s):
        if not self.masks[a] & self.masks[s]:
            return self.zero
        key = (a, s)
        if key not in self.derivatives:
            self.derivatives[key] = self.derive(a, s)
        return self.derivatives[key]

    def derive(self, a, s):
        op, *x = self.nodes[a]
        if op == 'sym':
            return self.one
        d = [self.diff(y, s) for y in x]
        if op == '+':
            return self.add(*d)
        if op == '*':
            return self.add(self.mul(d[0], x[1]), self.mul(x[0], d[1]))
        if op == '/':
            return self.sub(self.div(d[0], x[1]), self.div(self.mul(a, d[1]), x[1]))
        if op == '^':
            return self.derive_power(a, x, d)
        return self.sum(self.mul(self.slope(op, x, a, i), y) for i, y in enumerate(d) if y != self.zero)

    def derive_power(self, a, x, d):
        total = self.zero
        if d[0] != self.zero:
            total = self.mul(self.mul(x[1], self.power(x[0], self.sub(x[1], self.one))), d[0])
        if d[1] != self.zero:
            total = self.add(total, self.mul(self.mul(a, self.call('log', x[0])), d[1]))
        return total

    def slope(self, op, x, a, i):
        """The derivative of a function by its argument i."""
        one, square = self.one, self.mul(x[0], x[0])
        if op in ('min', 'max'):
            side = self.call('sign', self.sub(x[0], x[1]))
            first = (i == 0) == (op == 'max')
            return self.mul(self.number(Fraction(1, 2)), self.add(one, side) if first else self.sub(one, side))
        if op == 'atan2':
            length = self.add(square, self.mul(x[1], x[1]))
            return self.div(x[1], length) if i == 0 else self.neg(self.div(x[0], length))
        root = lambda: self.div(one, self.call('sqrt', self.sub(one, square)))  # noqa: E731
        return {'sin': lambda: self.call('cos', x[0]), 'cos': lambda: self.neg(self.call('sin', x[0])),
                'tan': lambda: self.add(one, self.mul(a, a)), 'asin': root, 'acos': lambda: self.neg(root()),
                'atan': lambda: self.div(one, self.add(one, square)), 'sinh': lambda: self.call('cosh', x[0]),
                'cosh': lambda: self.call('sinh', x[0]), 'tanh': lambda: self.sub(one, self.mul(a, a)), 'exp': lambda: a,
                'log': lambda: self.div(one, x[0]), 'sqrt': lambda: self.div(self.number(Fraction(1, 2)), a),
                'abs': lambda: self.call('sign', x[0]), 'sign': lambda: self.zero}[op]()

    def values(self, wanted, known, math_):
        """The numbers of expressions, from those of the symbols; NaN where there is none."""
        needed, stack = set(), list(wanted)
        while stack:
            a = stack.pop()
            if a not in needed:
                needed.add(a)
                if self.nodes[a][0] not in ('num', 'sym'):
                    stack.extend(self.nodes[a][1:])
        value = {}
        for a in sorted(needed):
            value[a] = evaluate(self.nodes[a], value, known, math_)
        return [value[a] for a in wanted]


def evaluate(node, value, known, m):
    op = node[0]
    try:
        if op == 'num':
            return m.ratio(node[1])
        if op == 'sym':
            return m.pi if node[1] == 'pi' else known[node[1]]
        x = [value[a] for a in node[1:]]
        if op == '+':
            return x[0] + x[1]
        if op == '*':
            return x[0] * x[1]
        if op == '/':
            return x[0] / x[1]
        return getattr(m, 'power' if op == '^' else op)(*x)
    except (ZeroDivisionError, ValueError, OverflowError, TypeError):
        return m.nan


class Doubles:
    """Functions of doubles."""
    pi, nan = math.pi, math.nan
    sin, cos, tan, asin, acos, atan, atan2 = math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2
    sinh, cosh, tanh, exp, log, sqrt = math.sinh, math.cosh, math.tanh, math.exp, math.log, math.sqrt
    abs, min, max = abs, min, max

    @staticmethod
    def ratio(x):
        return x.numerator / x.denominator

    @staticmethod
    def number(x):
        return float(x)

    @staticmethod
    def power(x, y):
        return math.pow(x, y)

    @staticmethod
    def sign(x):
        return (x > 0) - (x < 0)

    @staticmethod
    def finite(x):
        return math.isfinite(x)


def many_digits(digits=60):
    """The same functions of mpmath's numbers."""
    import mpmath
    m = mpmath.mp.clone()
    m.dps = digits

    class Many:
        pi, nan = +m.pi, m.nan
        sin, cos, tan, atan, sinh, cosh, tanh, exp = m.sin, m.cos, m.tan, m.atan, m.sinh, m.cosh, m.tanh, m.exp
        atan2 = m.atan2
        abs, min, max = abs, min, max

        @staticmethod
        def real(x):
            if not isinstance(x, m.mpf):
                raise ValueError
            return x

        asin = staticmethod(lambda x: Many.real(m.asin(x)))
        acos = staticmethod(lambda x: Many.real(m.acos(x)))
        log = staticmethod(lambda x: Many.real(m.log(x)))
        sqrt = staticmethod(lambda x: Many.real(m.sqrt(x)))
        power = staticmethod(lambda x, y: Many.real(m.power(x, y)))
        number = staticmethod(m.mpf)
        finite = staticmethod(m.isfinite)
        ratio = staticmethod(lambda x: m.mpf(x.numerator) / x.denominator)
        sign = staticmethod(lambda x: m.mpf((x > 0) - (x < 0)))
    return Many


# ---------------------------------------------------------------- linear equations

def solve(matrix, right, m):
    """Gauss's elimination with row exchanges; also the ratio of the extreme pivots."""
    n = len(matrix)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    pivots = []
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if not rows[p][k] or not m.finite(rows[p][k]):
            raise Singular
        rows[k], rows[p] = rows[p], rows[k]
        pivots.append(abs(rows[k][k]))
        for i in range(k + 1, n):
            if rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    x = [0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x, (max(pivots) / min(pivots) if pivots else 1)


def independent_rows(rows):
    """The rows that do not follow from those before them, as far as doubles can tell."""
    kept, reduced = [], []
    for a, row in enumerate(rows):
        row = [float(x) for x in row]
        size = max(map(abs, row), default=0)
        for other, k in reduced:
            factor = row[k] / other[k]
            row = [x - factor * y for x, y in zip(row, other)]
        k = max(range(len(row)), key=lambda i: abs(row[i]))
        if abs(row[k]) > 1e-10 * size:
            kept.append(a)
            reduced.append((row, k))
    return kept


# ---------------------------------------------------------------- a model

AXES = {'Rx': 0, 'Ry': 1, 'Rz': 2}


class Frame:
    def __init__(self, rotation, spin):
        self.rotation, self.spin = rotation, spin  # columns are the axes; angular velocity in ground components


class Place:
    """A point or the centre of a body."""

    def __init__(self, position):
        self.position, self.velocity, self.mass, self.force = position, None, None, None
        self.frame, self.inertia, self.torque = None, None, None


class Mechanics:
    def __init__(self, statements):
        self.pool, self.names = Pool(), {}
        self.coordinates, self.parameters, self.velocities, self.places = [], [], [], []
        self.kinetic, self.potential, self.gravity = [], [], None
        self.forces, self.constraints, self.psi, self.observed, self.integrals = {}, [], {}, [], []
        self.statements, self.totals = statements, None
        for keyword, entries in statements:
            getattr(self, 'take_' + keyword, self.ignore)(entries)
        self.assemble()

    def ignore(self, entries):
        pass

    # statements

    def take_coordinates(self, entries):
        for name, _ in entries:
            self.coordinates.append(name)
            self.names[name] = self.pool.symbol(name)

    take_angles = take_coordinates

    def take_velocities(self, entries):
        for name, _ in entries:
            self.velocities.append(name)
            self.names[name] = self.pool.symbol(name)

    def take_parameters(self, entries):
        for name, tree in entries:
            self.parameters.append((name, self.scalar(tree) if tree else None))
            self.names[name] = self.pool.symbol(name)

    def take_let(self, entries):
        for name, tree in entries:
            self.names[name] = self.value(tree)

    take_input = take_let

    def take_kinetic(self, entries):
        self.kinetic.append(self.scalar(entries[0][1]))

    def take_potential(self, entries):
        self.potential.append(self.scalar(entries[0][1]))

    def take_gravity(self, entries):
        self.gravity = self.value(entries[0][1])

    def take_force(self, entries):
        for name, tree in entries:
            self.forces[name] = self.pool.add(self.forces.get(name, self.pool.zero), self.scalar(tree))

    def take_point(self, entries):
        words = dict(entries[1:])
        place = Place(self.value(words['at']))
        place.velocity = [self.rate(x) for x in place.position]
        self.names[entries[0][0]] = place
        self.places.append(place)
        for word in ('frame', 'mass', 'inertia', 'force', 'torque'):
            if word in words:
                setattr(place, word, self.orientation(words[word]) if word == 'frame' else self.value(words[word]))

    take_body = take_point

    def take_frame(self, entries):
        for name, tree in entries:
            self.names[name] = self.orientation(tree)

    def take_constraint(self, entries):
        label, (_, left, right) = entries[0]
        left, right = self.value(left), self.value(right)
        if not isinstance(left, list):
            left, right = [left], [right]
        for a, b in zip(left, right):
            self.constraints.append((label, self.pool.sub(a, b)))

    def take_parametric(self, entries):
        for name, tree in entries:
            self.psi[name.rstrip("'")] = self.scalar(tree)

    def take_observe(self, entries):
        for name, tree in entries:
            self.observed.append((name, tree))

    def take_integral(self, entries):
        for name, tree in entries:
            self.integrals.append((name, tree))

    # expressions

    def scalar(self, tree):
        value = self.value(tree)
        if not isinstance(value, int):
            raise Unknown('a scalar is needed')
        return value

    def rate_of(self, name):
        if name not in self.coordinates:
            raise Unknown(f'{name} is no coordinate')
        return self.pool.symbol(name + "'")

    def rate(self, a):
        """(q'^i d_i + d_t) a"""
        pool = self.pool
        terms = [pool.mul(pool.diff(a, self.names[q]), self.rate_of(q)) for q in self.coordinates]
        return pool.sum(terms + [pool.diff(a, pool.symbol('t'))])

    def value(self, tree):
        kind, pool = tree[0], self.pool
        if kind == 'num':
            return pool.number(tree[1])
        if kind == 'name':
            return self.named(tree[1])
        if kind == 'rate':
            return self.rate_of(tree[1])
        if kind == 'vector':
            return [self.scalar(x) for x in tree[1]]
        if kind == 'index':
            return self.value(tree[1])[self.integer(tree[2]) - 1]
        if kind == 'call':
            return self.called(tree[1], tree[2])
        if kind == 'neg':
            return self.times(pool.number(-1), self.value(tree[1]))
        return self.combined(kind, self.value(tree[1]), self.value(tree[2]))

    def integer(self, tree):
        x = self.pool.constant(self.scalar(tree))
        if x is None:
            raise Unknown('an index')
        return int(x)

    def named(self, name):
        if name in ('t', 'pi'):
            return self.pool.symbol(name)
        if name in ('kinetic', 'potential'):
            return self.totals[name]
        if name not in self.names:
            raise Unknown(name)
        return self.names[name]

    def times(self, a, b):
        if isinstance(a, list):
            a, b = b, a
        return [self.pool.mul(a, x) for x in b] if isinstance(b, list) else self.pool.mul(a, b)

    def combined(self, op, a, b):
        pool = self.pool
        if op in '+-':
            each = pool.add if op == '+' else pool.sub
            return [each(x, y) for x, y in zip(a, b)] if isinstance(a, list) else each(a, b)
        if op == '*':
            return self.times(a, b)
        if op == '/':
            return [pool.div(x, b) for x in a] if isinstance(a, list) else pool.div(a, b)
        return pool.power(a, b)

    def called(self, name, arguments):
        pool = self.pool
        if name in ('pos', 'vel'):
            place = self.names[arguments[0][1]]
            return place.position if name == 'pos' else place.velocity
        if name in ('angvel', 'axis'):
            frame = self.frame_of(self.names[arguments[0][1]])
            return frame.spin if name == 'angvel' else [row[self.integer(arguments[1]) - 1] for row in frame.rotation]
        if name == 'reaction':
            return self.reaction(arguments)
        if name == 'multiplier':
            return self.multiplier(arguments[0][1])
        if name == 'dot' and len(arguments) == 1:
            return self.rate_of(arguments[0][1])
        x = [self.value(a) for a in arguments]
        if name == 'dot':
            return pool.dot(*x)
        if name == 'norm':
            return pool.call('sqrt', pool.dot(x[0], x[0]))
        if name == 'cross':
            return self.cross(*x)
        return pool.call(name, *x)

    def cross(self, a, b):
        pool = self.pool
        minor = lambda i, j: pool.sub(pool.mul(a[i], b[j]), pool.mul(a[j], b[i]))  # noqa: E731
        return minor(0, 1) if len(a) == 2 else [minor(1, 2), minor(2, 0), minor(0, 1)]

    # frames

    @staticmethod
    def frame_of(thing):
        return thing.frame if isinstance(thing, Place) else thing

    def orientation(self, tree):
        """A product of rotations: omega is the sum of the rates about axes as they have been turned."""
        factors = []
        while tree[0] == '*':
            factors.insert(0, tree[2])
            tree = tree[1]
        factors.insert(0, tree)
        pool = self.pool
        frame = Frame([[pool.one if i == j else pool.zero for j in range(3)] for i in range(3)], [pool.zero] * 3)
        for factor in factors:
            frame = self.frame_of(self.names[factor[1]]) if factor[0] == 'name' else \
                self.turned(frame, AXES[factor[1]], self.scalar(factor[2][0]))
        return frame

    def turned(self, frame, axis, angle):
        pool, s, c = self.pool, self.pool.call('sin', angle), self.pool.call('cos', angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        rotation = [list(row) for row in frame.rotation]
        for row, old in zip(rotation, frame.rotation):
            row[i] = pool.add(pool.mul(old[i], c), pool.mul(old[j], s))
            row[j] = pool.sub(pool.mul(old[j], c), pool.mul(old[i], s))
        spin = [pool.add(w, pool.mul(row[axis], self.rate(angle))) for w, row in zip(frame.spin, frame.rotation)]
        return Frame(rotation, spin)

    # equations

    def assemble(self):
        pool, n = self.pool, len(self.coordinates)
        q = [self.names[x] for x in self.coordinates]
        v = [self.rate_of(x) for x in self.coordinates]
        self.g = [[pool.zero] * n for _ in range(n)]
        self.A = [self.forces.get(x, pool.zero) for x in self.coordinates]
        K, V = pool.sum(self.kinetic), pool.sum(self.potential)
        p = [pool.diff(K, s) for s in v]
        inertia = [pool.sub(pool.diff(K, q[i]), self.rate(p[i])) for i in range(n)]
        for i in range(n):
            for j in range(n):
                self.g[i][j] = pool.diff(p[i], v[j])
        for place in self.places:
            K = pool.add(K, self.place(place, q, v, inertia))
            if self.gravity and place.mass:
                V = pool.sub(V, pool.mul(place.mass, pool.dot(self.gravity, place.position)))
        for i in range(n):
            self.A[i] = pool.sub(self.A[i], pool.diff(V, q[i]))
        self.L = [pool.add(a, b) for a, b in zip(self.A, inertia)]
        self.totals = {'kinetic': K, 'potential': V}
        self.positions = [c for _, c in self.constraints if not any(pool.masks[c] & pool.masks[s] for s in v)]
        self.C = [self.rate(c) if c in self.positions else c for _, c in self.constraints]
        self.C_i = [[pool.diff(c, s) for s in v] for c in self.C]
        self.drift = [self.rate(c) for c in self.C]
        self.observe(n)

    def place(self, place, q, v, inertia):
        """Adds to g, A and inertia; the kinetic energy."""
        pool, K = self.pool, self.pool.zero
        r_i = [[pool.diff(x, s) for x in place.position] for s in q]
        a0 = [self.rate(x) for x in place.velocity]
        place.acceleration = a0
        place.r_i = r_i
        for i, r in enumerate(r_i):
            if place.force:
                self.A[i] = pool.add(self.A[i], pool.dot(place.force, r))
            if place.mass:
                inertia[i] = pool.sub(inertia[i], pool.mul(place.mass, pool.dot(a0, r)))
                for j, other in enumerate(r_i):
                    self.g[i][j] = pool.add(self.g[i][j], pool.mul(place.mass, pool.dot(r, other)))
        if place.mass:
            K = pool.mul(pool.number(Fraction(1, 2)), pool.mul(place.mass, pool.dot(place.velocity, place.velocity)))
        if place.torque or place.inertia:
            K = pool.add(K, self.turning(place, v, inertia))
        return K

    def turning(self, place, v, inertia):
        pool, spin = self.pool, place.frame.spin
        w_i = [[pool.diff(x, s) for x in spin] for s in v]
        for i, w in enumerate(w_i):
            if place.torque:
                self.A[i] = pool.add(self.A[i], pool.dot(place.torque, w))
        if not place.inertia:
            return pool.zero
        I = self.tensor(place)
        by = lambda w: [pool.dot(row, w) for row in I]  # noqa: E731
        moment = [pool.add(a, b) for a, b in zip(by([self.rate(x) for x in spin]), self.cross(spin, by(spin)))]
        for i, w in enumerate(w_i):
            inertia[i] = pool.sub(inertia[i], pool.dot(moment, w))
            turned = by(w)
            for j, other in enumerate(w_i):
                self.g[i][j] = pool.add(self.g[i][j], pool.dot(other, turned))
        return pool.mul(pool.number(Fraction(1, 2)), pool.dot(spin, by(spin)))

    def tensor(self, place):
        """R I R^T, in ground components."""
        pool, R, entries = self.pool, place.frame.rotation, place.inertia + [self.pool.zero] * 3
        a, b, c, d, e, f = entries[:6]
        I = [[a, d, e], [d, b, f], [e, f, c]]
        RI = [[pool.dot(R[i], [I[k][j] for k in range(3)]) for j in range(3)] for i in range(3)]
        return [[pool.dot(RI[i], R[j]) for j in range(3)] for i in range(3)]

    # what is observed; accelerations and multipliers are symbols of their own

    def observe(self, n):
        self.observations = []
        for name, tree in self.observed + self.integrals:
            try:
                self.observations.append((name, self.scalar(tree)))
                self.names[name] = self.observations[-1][1]
            except Unknown:
                self.observations.append((name, None))

    def reaction(self, arguments):
        pool = self.pool
        thing = self.names[arguments[0][1]]
        if not isinstance(thing, Place):
            if arguments[0][1] not in self.coordinates:
                raise Unknown('reaction')
            return pool.symbol('R ' + arguments[0][1])
        if len(arguments) > 1 or not thing.mass:
            raise Unknown('a moment')
        total = []
        for k in range(len(thing.position)):
            a = pool.sum([thing.acceleration[k]] + [pool.mul(r[k], pool.symbol(q + "''")) for q, r in zip(self.coordinates, thing.r_i)])
            a = pool.sub(a, self.gravity[k]) if self.gravity else a
            f = pool.mul(thing.mass, a)
            total.append(pool.sub(f, thing.force[k]) if thing.force else f)
        return total

    def multiplier(self, name):
        rows = [i for i, (label, _) in enumerate(self.constraints) if label == name]
        symbols = [self.pool.symbol(f'lambda {i}') for i in rows]
        return symbols[0] if len(symbols) == 1 else symbols

    # numbers

    def parameter_values(self, given, m):
        known = {name: m.number(x) for name, x in given.items()}
        for name, node in self.parameters:
            if name not in known and node is not None:
                known[name] = self.pool.values([node], known, m)[0]
        return known

    def rates_of(self, known, m):
        """q' = psi at given z."""
        return self.pool.values([self.psi[x] for x in self.coordinates], known, m)

    def at(self, known, m, shake=None):
        """Everything at a state: symbols are coordinates, x', t, parameters, and z. shake(x) makes a matrix entry a little wrong."""
        pool, n, r = self.pool, len(self.coordinates), len(self.C)
        flat = [x for row in self.g for x in row] + self.A + self.L + self.C + [x for row in self.C_i for x in row] + self.drift
        values = pool.values(flat, known, m)
        if not all(m.finite(x) for x in values):
            raise Singular
        if shake:
            values = [shake(x) for x in values]
        take = iter(values)
        g = [[next(take) for _ in range(n)] for _ in range(n)]
        A, L, C = ([next(take) for _ in range(k)] for k in (n, n, r))
        C_i = [[next(take) for _ in range(n)] for _ in range(r)]
        drift = [next(take) for _ in range(r)]
        result = {'g': g, 'A': A, 'L': L, 'C': C, 'C_i': C_i}
        if r or not self.psi:
            kept = independent_rows(C_i)
            C_i, drift, r = [C_i[a] for a in kept], [drift[a] for a in kept], len(kept)
            matrix = [g[i] + [-C_i[a][i] for a in range(r)] for i in range(n)] + [C_i[a] + [m.number(0)] * r for a in range(r)]
            x, condition = solve(matrix, L + [-d for d in drift], m)
            result.update(acceleration=x[:n], kept=kept, **{'lambda': x[n:]})
        else:
            x, condition = self.from_parametric(known, m, g, L, n)
            result.update(acceleration=x)
        result['condition'] = condition
        result['R'] = [sum(g[i][j] * result['acceleration'][j] for j in range(n)) - L[i] for i in range(n)]
        result['size of R'] = max([abs(L[i]) + sum(abs(g[i][j] * result['acceleration'][j]) for j in range(n)) for i in range(n)] + [0])
        return result

    def from_parametric(self, known, m, g, L, n):
        """q'' = psi_alpha z' + drift with (g q'' - L) psi_alpha = 0"""
        pool, k = self.pool, len(self.velocities)
        psi = [self.psi[x] for x in self.coordinates]
        by_z = [[pool.diff(p, self.names[z]) for p in psi] for z in self.velocities]
        drift = [self.rate(p) for p in psi]
        values = iter(pool.values([x for row in by_z for x in row] + drift, known, m))
        E = [[next(values) for _ in range(n)] for _ in range(k)]
        d = [next(values) for _ in range(n)]
        gE = [[sum(g[i][j] * e[j] for j in range(n)) for i in range(n)] for e in E]
        gd = [sum(g[i][j] * d[j] for j in range(n)) for i in range(n)]
        G = [[sum(gE[a][i] * E[b][i] for i in range(n)) for b in range(k)] for a in range(k)]
        z, condition = solve(G, [sum((L[i] - gd[i]) * E[a][i] for i in range(n)) for a in range(k)], m)
        return [d[i] + sum(z[a] * E[a][i] for a in range(k)) for i in range(n)], condition

    def kinds_at(self, known):
        """Whether the constraints look affine, and linear, at a state; None: they have no value there."""
        pool, v = self.pool, [self.rate_of(q) for q in self.coordinates]
        second = [pool.diff(x, s) for row in self.C_i for x in row for s in v]
        rest = dict(known)
        rest.update((q + "'", 0.0) for q in self.coordinates)
        values, first = pool.values(second, known, Doubles), pool.values([x for row in self.C_i for x in row], known, Doubles)
        constant = pool.values(self.C, rest, Doubles)
        if not all(map(math.isfinite, values + first + constant)):
            return None
        size = max([abs(x) for x in first] + [1.0])
        return all(abs(x) < 1e-9 * size for x in values), all(abs(x) < 1e-9 * size for x in constant)

    def observations_at(self, known, result, m):
        known = dict(known)
        for i, q in enumerate(self.coordinates):
            known[q + "''"] = result['acceleration'][i]
            known['R ' + q] = result['R'][i]
        for i in range(len(self.C)):
            known[f'lambda {i}'] = m.number(0)  # of an equation that was dropped
        for i, x in zip(result.get('kept', []), result.get('lambda', [])):
            known[f'lambda {i}'] = x
        names = [name for name, node in self.observations if node is not None]
        return dict(zip(names, self.pool.values([node for _, node in self.observations if node is not None], known, m)))
