"""Random models: all statements of the language, systems that have an inertia and constraints that can hold together.

A model is made from a seed alone. It is meant to be valid and well-conditioned: every coordinate has an inertia (of its own,
or of points and bodies), each constraint has a coordinate of its own in which it is steep, arguments of functions stay where they are
defined. What is refused nevertheless is counted by those who ask for it.
"""
import random

COORDINATES = ['x', 'y', 'z', 's', 'r', 'x1', 'y1', 'x_1', 'q1', 'q2', 'q_3', 'X', 'at', 'mass', 'k1', 'u', 'ell', 'y_2', 'x2', 'y3']
ANGLES = ['theta', 'φ', 'psi', 'α', 'beta', 'theta1', 'theta_2', 'ω1', 'a', 'Rx']
PARAMETERS = ['m', 'M', 'k', 'g', 'l', 'A', 'B', 'J', 'mu', 'κ', 'c', 'R', 'Omega', 'm_1', 'k2', 'e', 'E', 'N']
VELOCITIES = ['v', 'w', 'u1', 'rho', 'σ', 'z1', 'z_2', 'Z', 'D', 'u2']
OTHERS = ['p', 'P', 'Q', 'S', 'F', 'T', 'h', 'f', 'b', 'd', 'H', 'W', 'Y', 'n', 'o', 'pp', 'O', 'C', 'G', 'L', 'nu', 'tau', 'chi', 'aux', 'tmp',
          'torque', 'inertia', 'Ry', 'K', 'V', 'U', 'first', 'second', 'lam', 'w_3', 'delta', 'eta', 'ξ', 'zeta', 'q', 'j', 'i', 'd1', 'd2',
          'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9']


class Model:
    """The text of a model, and what is given besides: --set."""

    def __init__(self, text, given):
        self.text, self.set = text, given


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.used, self.lines = set(), []
        self.scalars = []     # names that may stand in functions of the coordinates
        self.parameters = []
        self.inputs, self.places, self.frames, self.bodies = [], [], [], []
        self.given, self.observed = [], []

    # ------------------------------------------------------------ chances

    def chance(self, p):
        return self.random.random() < p

    def one(self, *of):
        return self.random.choice(of)

    def pick(self, of):
        return self.random.choice(of)

    def name(self, of):
        left = [x for x in of if x not in self.used] or [f'{self.pick(OTHERS[:20])}{i}' for i in range(100, 120)]
        left = [x for x in left if x not in self.used]
        name = self.pick(left)
        self.used.add(name)
        return name

    def number(self, low=1, high=5):
        k = self.random.randint(0, 5)
        if k < 2:
            return str(self.random.randint(low, high))
        if k == 2:
            return f'{self.random.randint(1, 9)}/{self.random.randint(2, 7)}'
        if k == 3:
            return f'{self.random.uniform(0.3, 3):.2f}'
        if k == 4:
            return f'{self.random.randint(3, 30)}e-1'
        return f'.{self.random.randint(3, 9)}'

    def start_number(self):
        if self.chance(0.1):
            return self.one('pi/6', '-pi/8', 'sqrt(1/3)', '1/4 + 1/8', *(f'{p}/4' for p in self.parameters))
        return self.one('', '-') + self.one(f'{self.random.uniform(0.1, 1):.2f}', f'{self.random.randint(1, 5)}/{self.random.randint(4, 9)}')

    # ------------------------------------------------------------ functions

    def atom(self, time=True):
        """Something to put into a function."""
        of = [self.pick(self.q)] * 6 + ([self.pick(self.parameters)] if self.parameters else [])
        if time and self.timed:
            of += ['t'] + ([self.pick(self.inputs)] if self.inputs else [])
        if self.scalars:
            of += [self.pick(self.scalars)] * 2
        return self.pick(of)

    def argument(self, time=True):
        a = self.atom(time)
        k = self.random.randint(0, 7)
        if k == 0:
            return f'{a} {self.one("+", "-")} {self.atom(time)}'
        if k == 1:
            return f'{self.number()}*{a}'
        if k == 2:
            return f'{a}*{self.atom(time)}/2'
        if k == 3:
            return f'-{a}'
        return a

    def bounded(self, time=True, smooth=True):
        """A function between about -2 and 2, of every kind."""
        if self.small and self.chance(0.7) and smooth:
            return self.one('sin', 'cos') + f'({self.atom(time)})'
        e = self.argument(time)
        shapes = ['sin({e})'] * 4 + ['cos({e})'] * 4 + [
            'tan(sin({e})/2)', 'asin(cos({e})/2)', 'acos(sin({e})/3)', 'atan({e})', 'atan2({e}, 2 + cos({f}))', 'sinh(sin({e}))',
            'cosh(cos({e}))', 'tanh({e})', 'exp(-({e})^2)', 'exp(sin({e}))', 'log(2 + sin({e}))', 'sqrt(1 + sin({e})^2)',
            '1/(2 + cos({e}))', '(1 + ({e})^2)^(-1/2)', 'sin({e})*cos({f})', 'cos({e})^2', 'sin({e})^3', '2^cos({e})', '(1 + cos({e})^2)^(3/2)',
            '({e})/(1 + ({f})^2)', 'log(1 + exp(sin({e})))', 'sqrt(2 + cos({e}) + sin({f}))']
        if not smooth:
            shapes += ['abs(sin({e}))', 'sign({e})', 'min(sin({e}), cos({f}))', 'max({e}, -1/2)', 'abs({e})', 'min(1, max(-1, {e}))'] * 2
        return self.pick(shapes).format(e=e, f=self.argument(time))

    def coefficient(self, time=True):
        """Simple ones, as they are in textbooks."""
        k = self.random.randint(0, 9)
        if k < 3:
            return self.one('cos', 'sin') + f'({self.atom(time)})'
        if k == 3:
            return self.number()
        if k == 4 and self.parameters:
            return self.pick(self.parameters)
        if k == 5:
            return self.pick(self.q)
        if k == 6:
            return f'{self.pick(self.q)}*{self.pick(self.q)}'
        if k == 7:
            return f'({self.number()} + {self.pick(self.q)}^2)'
        return self.bounded(time)

    def positive(self):
        if self.parameters and self.chance(0.6):
            return self.pick(self.parameters)
        return self.number()

    def rate(self, q):
        return f"{q}'" if self.chance(0.9) else f'dot({q})'

    # ------------------------------------------------------------ statements

    def say(self, keyword, rest):
        self.lines.append([keyword, rest])

    def make(self):
        chance = self.random
        self.small = self.chance(0.88)
        n = chance.choices(range(1, 8), [6, 42, 42, 10, 0, 0, 0] if self.small else [4, 20, 30, 22, 12, 6, 3])[0]
        self.timed = self.chance(0.35)
        large = self.chance(0.004)
        n = chance.randint(9, 12) if large else n
        self.family = chance.choices(['plain', 'plane', 'space', 'body'], [45, 25, 10, 20])[0]
        if large:
            self.small, self.family = True, 'plain'
        if self.family == 'body':
            n = max(n, 3)
        angles = chance.randint(0, n // 2 + 1)
        self.q = []
        if self.chance(0.9):
            self.say('system', self.one('Random', 'A system', 'Ein Körper, der rollt', 'Test: 1 + 1 = 2', "Suslov's problem"))
        kinds = ['angles'] * min(angles, n) + ['coordinates'] * (n - min(angles, n))
        if self.chance(0.5):
            chance.shuffle(kinds)
        for kind in kinds:
            name = self.name(ANGLES if kind == 'angles' else COORDINATES)
            self.q.append(name)
            if self.lines and self.lines[-1][0] == kind and self.chance(0.9):
                self.lines[-1][1] += ', ' + name
            else:
                self.say(kind, name)
        self.make_parameters()
        self.make_inputs()
        self.make_lets()
        self.make_inertia()
        self.make_potential()
        self.make_forces()
        self.make_constraints()
        self.make_initial()
        self.make_observed()
        self.make_drawings()
        return Model(self.layout(), ', '.join(self.given))

    def make_parameters(self):
        items = []
        for _ in range(self.random.randint(0, 4)):
            name, k = self.name(PARAMETERS), self.random.randint(0, 9)
            if k == 0:
                items.append(name)
                self.given.append(f'{name}={self.number()}')
            elif k == 1 and self.parameters:
                items.append(f'{name} = {self.number()}*{self.pick(self.parameters)}')
            elif k == 2 and self.parameters:
                items.append(f'{name} = sqrt({self.pick(self.parameters)})')
            else:
                items.append(f'{name} = {self.number()}')
                if k == 3:
                    self.given.append(f'{name}={self.number()}')
            self.parameters.append(name)
        if items:
            cut = self.random.randint(1, len(items))
            self.say('parameters', ', '.join(items[:cut]))
            if items[cut:]:
                self.say('parameters', ', '.join(items[cut:]))

    def make_inputs(self):
        if self.timed and self.chance(0.5):
            name = self.name(OTHERS)
            shape = self.one('sin({a}*t)', 'exp(-t)*{a}', '{a}*t^2/2', 'tanh(t - {a})', '{a}/(1 + t^2)', 'atan(t) + {a}', '1 + cos(t)/4')
            self.say('input', f'{name} = {shape.format(a=self.positive())}')
            self.inputs.append(name)

    def make_lets(self):
        for _ in range(self.random.choice([0, 0, 0, 0, 1, 1] if self.small else [0, 0, 0, 1, 1, 2])):
            name = self.name(OTHERS)
            value = self.one(self.coefficient(), self.bounded(), f'{self.pick(self.q)} - {self.pick(self.q)}/2')
            if self.chance(0.2):
                other = self.name(OTHERS)
                self.say('let', f'{name} = {value}, {other} = {self.number()}*{name}')
                self.scalars.append(other)
            else:
                self.say('let', f'{name} = {value}')
            self.scalars.append(name)
        self.direction = None
        if self.family == 'plane' and self.chance(0.4):
            self.direction = self.name(OTHERS)
            a = self.pick(self.q)
            self.say('let', f'{self.direction} = (cos({a}), sin({a}))')

    # ------------------------------------------------------------ inertia

    def make_inertia(self):
        if self.family == 'plain' or self.chance(0.8):
            self.own_inertia(self.q)
        if self.family in ('plane', 'space'):
            self.make_points(2 if self.family == 'plane' else 3)
        if self.family == 'body':
            self.make_bodies()

    def own_inertia(self, q):
        terms = [f"{self.positive()}*{self.rate(x)}^2" for x in q]
        self.say('kinetic', f"1/2*({' + '.join(terms)})" if self.chance(0.7) else ' + '.join(f'1/2*{x}' for x in terms))
        if len(q) > 8:  # coupled throughout: what stays a linear system
            self.say('kinetic', f"1/2*({' + '.join(f'{self.one(1, 2, 3)}/4*cos({self.pick(q)})*{self.rate(x)}' for x in q)})^2")
        for _ in range(self.random.choice([0, 0, 1] if self.small else [0, 1, 1, 2, 3])):
            mixed = self.random.sample(q, min(len(q), self.random.randint(1, 3)))
            inner = ' + '.join(f'{self.coefficient()}*{self.rate(x)}' for x in mixed)
            if self.timed and self.chance(0.2):
                inner += f' + {self.one("sin(t)", "t", "cos(2*t)")}'
            self.say('kinetic', f'1/2*{self.positive()}*({inner})^2')
        if self.chance(0.1):
            self.say('kinetic', f'{self.coefficient()}*{self.rate(self.pick(q))}/4')

    def place(self, size):
        """A vector of functions of the coordinates."""
        items = []
        for _ in range(size):
            x, k = self.pick(self.q), self.random.randint(0, 6)
            if k < 2:
                items.append(x)
            elif k == 2:
                items.append(f'{self.positive()}*{self.one("cos", "sin")}({x})')
            elif k == 3:
                items.append(f'{x} + {self.positive()}*{self.one("cos", "sin")}({self.atom()})')
            elif k == 4:
                items.append(f'{x}*{self.pick(self.q)}')
            elif k == 5 and self.chance(0.5):
                items.append('0')
            else:
                items.append(self.bounded())
        vector = f"({', '.join(items)})"
        if self.places and self.chance(0.3):
            vector = f'pos({self.pick(self.places)}) + {self.one("", self.number() + "*")}{vector}'
        return vector

    def force_vector(self, size, name=None):
        items = []
        for _ in range(size):
            k = self.random.randint(0, 4)
            items.append(self.one('0', self.number()) if k == 0 else f"-{self.positive()}*{self.rate(self.pick(self.q))}" if k == 1 else
                         f'-{self.positive()}*{self.pick(self.q)}' if k == 2 else self.bounded(smooth=self.smooth))
        vector = f"({', '.join(items)})"
        return f'-{self.positive()}*vel({name})' if name and self.chance(0.3) else vector

    def make_points(self, size):
        if self.chance(0.7):
            gravity = ', '.join(['0'] * (size - 1) + ['-' + self.positive()])
            self.lines.append(['gravity', f'({gravity})'])
        for _ in range(self.random.choice([1, 1, 2, 3])):
            name = self.name(OTHERS)
            words = []
            if self.chance(0.9):
                words.append(f'mass {self.positive()}')
            if self.chance(0.4):
                words.append(f'force {self.force_vector(size, name)}')
            self.random.shuffle(words)
            self.say('point', ' '.join([f'{name} at {self.place(size)}'] + words))
            self.places.append(name)

    def rotations(self, most=3):
        start = [self.pick(self.frames)] if self.frames and self.chance(0.4) else []
        angles = self.random.sample(self.q, min(len(self.q), self.random.randint(1, most)))
        turns = []
        for i, a in enumerate(angles):
            k = self.random.randint(0, 7)
            a = f'-{a}' if k == 0 else f'{a}/2' if k == 1 else f'{a} + {self.atom()}' if k == 2 else a
            turns.append(f'R{"zxy"[(i + self.random.randint(0, 1)) % 3]}({a})')
        return '*'.join(start + turns)

    def make_bodies(self):
        if self.chance(0.7):
            self.say('gravity', f'({self.one("0", "1/2")}, 0, -{self.positive()})')
        if self.chance(0.6):
            name = self.name(OTHERS)
            self.say('frame', f'{name} = {self.rotations(2)}')
            self.frames.append(name)
        for _ in range(self.random.choice([1, 1, 1, 2])):
            name = self.name(OTHERS)
            words = [f'frame {self.rotations() if self.chance(0.7) or not self.frames else self.pick(self.frames)}']
            if self.chance(0.9):
                words.append(f'mass {self.positive()}')
            if self.chance(0.9):
                words.append('inertia ' + self.one(f'({self.positive()}, {self.positive()}, {self.positive()})', '(2, 3, 5/2, 1/3, -1/5, 1/4)',
                                                   '(1, 1, 2, 1/2, 0, 0)'))
            if self.chance(0.3):
                words.append(f'force {self.force_vector(3, name)}')
            if self.chance(0.3):
                words.append(f'torque {self.force_vector(3)}')
            self.random.shuffle(words)
            self.say('body', ' '.join([f'{name} at {self.place(3)}'] + words))
            self.places.append(name)
            self.bodies.append(name)
            self.frames.append(name)

    # ------------------------------------------------------------ forces

    @property
    def smooth(self):
        if not hasattr(self, '_smooth'):
            self._smooth = self.chance(0.8)
        return self._smooth

    def make_potential(self):
        for _ in range(self.random.choice([0, 1, 1, 2])):
            x = self.pick(self.q)
            self.say('potential', self.one(f'1/2*{self.positive()}*{x}^2', f'{self.positive()}*{self.bounded()}', f'{self.positive()}*{x}',
                                           f'{self.bounded()}*{self.bounded()}', f'{self.positive()}*({x} - {self.pick(self.q)})^2/2'))

    def make_forces(self):
        items = []
        for x in self.q:
            if self.chance(0.4):
                v = self.rate(self.pick(self.q))
                items.append(f'{x} = ' + self.one(
                    f'-{self.positive()}*{v}', self.bounded(smooth=self.smooth), f'{self.bounded(smooth=self.smooth)}*{v}',
                    f'-tanh({v})*{v}^2', f'{self.positive()}*sin({v})', f'{self.number()}*{self.atom()}', f'-{v}*sqrt(1 + {v}^2)',
                    f'atan2({v}, 2)*{self.coefficient()}', f'log(1 + {v}^2) - {x}', f'exp(-{v}^2)'))
                if not self.smooth and self.chance(0.3):
                    items[-1] += f' - {self.one("sign", "abs")}({v})'
        if items and self.chance(0.5):
            self.say('force', ', '.join(items))
        else:
            for item in items:
                self.say('force', item)

    # ------------------------------------------------------------ constraints

    def make_constraints(self):
        n = len(self.q)
        self.declared, self.independent, self.labels = [], [], []
        r = min(n - 1, self.random.choices(range(6), [15, 35, 25, 13, 7, 5])[0])
        if n > 8 and self.chance(0.5):
            r = n - self.random.randint(2, 4)
        order = list(self.q)
        self.random.shuffle(order)
        own, rest = order[:r], order[r:]
        style = self.random.random()
        if r and style < 0.2:
            self.solved(own, rest)
        elif r and style < 0.3:
            self.parametric_only(own, rest)
        elif not r and style < 0.2:
            self.parametric_only([], rest)
        else:
            kinds = self.random.choices(['linear', 'affine', 'nonlinear', 'positional', 'any'], [35, 15, 20, 12, 18])[0]
            i = 0
            while i < r:
                kind = self.one('linear', 'affine', 'nonlinear', 'positional') if kinds == 'any' else kinds
                if kind == 'linear' and i + 1 < r and self.places and self.chance(0.3):
                    i += self.vector_constraint(own[i:i + 3], rest)
                    continue
                self.constraint(kind, own[i], [x for x in order if x not in own] + own[:i])
                i += 1
            if r and self.chance(0.04):
                self.again()
            if kinds in ('linear', 'affine', 'nonlinear') and r and self.chance(0.25) and len(self.lines) and not self.vectors:
                self.independent = rest
                self.say('independent', ', '.join(f"{x}'" for x in rest))

    vectors = False

    def again(self):
        """An equation that follows from another one."""
        last = self.lines[-1][1].split(': ')[-1]
        left, right = last.split(' = ')
        if left[0] != '(' and right[0] != '(' and 'vel(' not in last:
            self.say('constraint', self.one(f'2*({left}) = 2*({right})', f'({left}) - ({right}) = 0'))

    def label(self):
        if self.chance(0.5):
            name = self.name(OTHERS)
            self.labels.append(name)
            return name + ': '
        return ''

    def equation(self, left, right='0'):
        if self.chance(0.2):
            left, right = right, left
        self.say('constraint', f'{self.label()}{left} = {right}')

    def steep(self, x):
        return self.one(f"3*{self.rate(x)}", self.rate(x), f"(2 + cos({self.atom()}))*{self.rate(x)}", f"({self.number()} + {self.pick(self.q)}^2)*{self.rate(x)}")

    def constraint(self, kind, own, others):
        """C = 0 that can be solved for the velocity of `own`."""
        some = self.random.sample(others, min(len(others), self.random.randint(1, 3)))
        if kind == 'positional':
            self.positional(own, some)
            return
        linear = ' + '.join(f'{self.coefficient()}*{self.rate(x)}' for x in some)
        if self.places and kind in ('linear', 'affine', 'nonlinear') and self.chance(0.35):
            self.place_constraint(kind)
            return
        if kind == 'linear':
            k = self.random.randint(0, 4)
            if k == 0:
                a = self.atom()
                self.equation(f'{self.rate(own)}*sin({a}) - {self.rate(some[0])}*cos({a})')
            elif k == 1:
                self.equation(self.rate(own), f'{self.positive()}*{self.coefficient()}*{self.rate(some[0])}')
            else:
                self.equation(f'{self.steep(own)} {self.one("+", "-")} ({linear})')
        elif kind == 'affine':
            self.equation(f'{self.steep(own)} + {linear}', self.one(self.bounded(), self.positive(), f'{self.positive()}*{self.pick(self.q)}'))
        else:
            self.nonlinear(own, some, linear)

    def place_constraint(self, kind):
        """On the velocity of a point, or the spin of a body."""
        self.vectors = True
        p, size = self.pick(self.places), 2 if self.family == 'plane' else 3
        a = self.pick(self.q)
        along = f'(sin({a}), -cos({a}){", 0" if size == 3 else ""})'
        left = f'dot(vel({p}), {along})'
        if self.direction and self.chance(0.5):
            left = f'cross(vel({p}), {self.direction})'
        if self.bodies and self.chance(0.5):
            left = f'dot(angvel({self.pick(self.bodies)}), axis({self.pick(self.frames)}, {self.one(1, 2, 3)}))'
        if kind == 'nonlinear':
            self.equation(self.one(f'norm(vel({p}))', f'dot(vel({p}), vel({p}))', f'{left}^2 + {self.rate(a)}^2'), self.positive())
        else:
            self.equation(left, '0' if kind == 'linear' else self.one(self.number(), self.bounded()))

    def nonlinear(self, own, some, linear):
        v, w, c = self.rate(own), self.rate(some[0]), self.positive()
        k = self.random.randint(0, 9)
        u = self.rate(some[-1])
        left, right = [
            (f'{v}^2 + {w}^2', f'{c}^2'), (f'{v}^2', f'{c}^2*({w}^2 + {u}^2)'), (f'{v}*{w}', c), (f'{self.steep(own)} + {linear} + {w}^2', '0'),
            (f'{v} + {w}*{u}/2', self.coefficient()), (f'{v} + sin({w})*{self.coefficient()}', '0'), (f'{v}', f'sqrt(1 + {w}^2)'),
            (f'{v}^3 + {v}', f'{self.coefficient()}*{w}'), (f'3*{v} + exp({v}/4)', f'{self.coefficient()} + {w}'),
            (f'{v}^2 - {self.coefficient()}*{w}*{v}', c)][k]
        if self.chance(0.15) and len(some) > 1:
            a, b, d = self.rate(some[0]), self.rate(some[1]), self.rate(self.pick(self.q))
            left, right = f'{v}*{a} - {b}*{d}', '0'
        self.equation(left, right)

    def positional(self, own, some):
        k = self.random.randint(0, 5)
        other = self.pick(some)
        if k == 0:
            self.equation(f'{own}^2 + {other}^2', f'{self.number()}^2')
        elif k == 1:
            self.equation(own, f'{self.bounded()}')
        elif k == 2:
            self.equation(f'2*{own} + {self.bounded()}', other)
        elif k == 3 and self.places:
            self.equation(f'{own} + pos({self.pick(self.places)})[{self.one(1, 2)}]/4')
        else:
            self.equation(f'{own} + {own}^3/3', f'{self.bounded()} + {other}/2')

    def vector_constraint(self, own, rest):
        """An equation of vectors: as many coordinates as it has components. Returns how many."""
        self.vectors = True
        if self.bodies and len(own) == 3 and self.chance(0.4):  # it rolls
            body = self.pick(self.bodies)
            arm = self.one(f'-{self.number()}*axis({self.pick(self.frames)}, 3)', f'(0, 0, -{self.number()})')
            self.equation(f'vel({body}) + cross(angvel({body}), {arm})', '(0, 0, 0)')
            return 3
        size = 3 if self.family in ('space', 'body') else 2
        size = min(size, len(own))
        if size == 2 and self.family == 'plane' or size == 3:
            left = f"({', '.join(self.rate(x) for x in own[:size])})"
            k = self.random.randint(0, 2)
            right = f"({', '.join(f'{self.coefficient()}*{self.rate(self.pick(rest))}' for _ in range(size))})"
            if k == 0 and self.bodies:
                right = f'cross(angvel({self.pick(self.bodies)}), axis({self.pick(self.frames)}, {self.one(1, 2, 3)}))'
            elif k == 1:
                right = f'vel({self.pick(self.places)})/{self.one(2, 3, 5)}'
            self.equation(left, right)
            return size
        self.constraint('linear', own[0], rest)
        return 1

    def solved(self, own, rest):
        """Parametric equations with the implicit ones that they satisfy."""
        z = {x: self.name(VELOCITIES) for x in rest}
        psi = {x: z[x] for x in rest}
        implicit = []
        for x in own:
            some = self.random.sample(rest, min(len(rest), self.random.randint(1, 2)))
            factors = [(self.coefficient(), y) for y in some]
            extra = self.one('', '', f' + {self.bounded()}', f' + {self.positive()}*{{{some[0]}}}^2')
            form = ' + '.join(f'{f}*{{{y}}}' for f, y in factors) + extra
            psi[x] = form.format(**z)
            implicit.append((f"{x}'", form.format(**{y: f"{y}'" for y in rest})))
        for left, right in implicit:
            if self.chance(0.5):
                self.say('constraint', f'{self.label()}{left} = {right}')
            else:
                self.say('constraint', f'{self.label()}{left} - ({right}) = 0')
        self.declare([z[x] for x in rest], psi)

    def parametric_only(self, own, rest):
        z = {x: self.name(VELOCITIES) for x in rest}
        names = list(z.values())
        psi = {}
        for x in self.q:
            if x in z:
                psi[x] = self.one(z[x], f'{z[x]}*(3/2 + sin({self.pick(self.q)})/2)', f'{z[x]} + {self.positive()}', f'{z[x]} + {self.pick(names)}/4')
            else:
                psi[x] = self.one(f'{self.coefficient()}*{self.pick(names)}', f'{self.coefficient()}*{self.pick(names)} + {self.bounded()}',
                                  f'{self.pick(names)}^2*{self.coefficient()}', f'{self.positive()}*cos({self.pick(names)})')
        self.declare(names, psi)

    def declare(self, names, psi):
        self.declared = names
        self.say('velocities', ', '.join(names))
        items = [f"{x}' = {psi[x]}" for x in self.q]
        if self.chance(0.7):
            self.say('parametric', ', '.join(items))
        else:
            for item in items:
                self.say('parametric', item)

    # ------------------------------------------------------------ the rest

    def make_initial(self):
        items = [f'{x} = {self.start_number()}' for x in self.q if self.chance(0.9)]
        rates = self.declared or [x + "'" for x in self.q]
        items += [f'{x} = {self.start_number()}' for x in rates if self.chance(0.9)]
        if items:
            self.say('initial', ', '.join(items))

    def make_observed(self):
        for _ in range(self.random.choice([0, 0, 1, 2, 3])):
            name, x = self.name(OTHERS), self.pick(self.q)
            of = ['kinetic', 'potential', f'reaction({x})', self.bounded(smooth=False), f"{x}'*{self.coefficient()}", f'{self.argument()}']
            if self.labels:
                of += [f'0*t + multiplier({self.labels[0]})'] if not self.vectors else []
            if self.places:
                p = self.pick(self.places)
                of += [f'norm(vel({p}))', f'pos({p})[1]', f'dot(pos({p}), vel({p}))', f'reaction({p})[2]']
            if self.bodies:
                of += [f'angvel({self.pick(self.bodies)})[3]', f'dot(axis({self.pick(self.bodies)}, 1), axis({self.pick(self.frames)}, 3))']
            if self.observed:
                of.append(f'2*{self.pick(self.observed)} + {x}')
            self.say('observe', f'{name} = {self.pick(of)}')
            self.observed.append(name)
        if self.chance(0.15):
            self.say('integral', f'{self.name(OTHERS)} = {self.one("kinetic + potential", "kinetic", self.coefficient())}')

    def make_drawings(self):
        if self.places and self.chance(0.15):
            p = self.pick(self.places)
            self.say('draw', self.one(f'path {p}', f'ball {p} radius 1/4', f'vector {p} along vel({p})',
                                      'ground'))

    # ------------------------------------------------------------ layout

    def layout(self):
        """Statements as people write them: white space, line breaks, comments."""
        text, messy = [], self.chance(0.5)
        for keyword, rest in self.lines:
            if not messy or keyword in ('system', 'draw'):
                text.append(f'{keyword} {rest}')
                continue
            k = self.random.randint(0, 9)
            if k == 0:
                rest = rest.replace(', ', ',\n    ')
            elif k == 1:
                rest = rest.replace(' + ', '+').replace(' = ', '=')
            elif k == 2:
                rest = rest.replace('*', ' * ').replace(' + ', '  +  ')
            elif k == 3:
                rest = rest + self.one('  # a comment', ' #', '\n  # behind it')
            elif k == 4:
                text.append(self.one('', '# a line of its own', '   '))
            elif k == 5:
                rest = rest.replace(' + ', '\n   + ', 1)
            text.append(keyword + self.one(' ', '   ', '\t', '\n  ') + rest)
        end = self.one('\n', '\r\n') if messy else '\n'
        return end.join('\n'.join(text).split('\n')) + self.one(end, end, '')


def model(seed):
    return Maker(seed).make()


if __name__ == '__main__':
    import sys
    made = model(int(sys.argv[1]))
    print(made.text)
    print(f'--set {made.set!r}')
