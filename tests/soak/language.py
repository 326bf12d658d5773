"""The model language, read and written a second time: statements and expression trees.

A tree is a tuple: ('num', Fraction), ('name', n), ('rate', n), ('neg', a), ('+', a, b) and the same with - * / ^,
('call', f, [trees]), ('vector', [trees]), ('index', a, b), ('=', a, b) for a constraint. A statement is [keyword, entries]; an
entry is [label, tree], where either may be None: a name with its value, `mass` with a mass.
"""
import re
from fractions import Fraction

GREEK = dict(zip('αβγδεζηθικλμνξοπρστυφχψω',
                 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi '
                 'chi psi omega'.split()))
GREEK.update({'Γ': 'Gamma', 'Δ': 'Delta', 'Θ': 'Theta', 'Λ': 'Lambda', 'Ξ': 'Xi', 'Π': 'Pi', 'Σ': 'Sigma', 'Φ': 'Phi', 'Ψ': 'Psi',
              'Ω': 'Omega'})
NAMES = ('coordinates', 'angles', 'velocities', 'independent')
LISTS = ('parameters', 'input', 'let', 'force', 'frame', 'parametric', 'initial', 'observe', 'integral')
TOKEN = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[^\W\d]\w*|.)")


SPELLING = str.maketrans(GREEK)


def in_ascii(text):
    """Greek letters by their names."""
    return text.translate(SPELLING)


# ---------------------------------------------------------------- reading

class Reader:
    def __init__(self, text):
        self.tokens, self.at = TOKEN.findall(text.strip()), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def take(self, wanted=None):
        token = self.peek()
        if wanted is not None and token != wanted:
            raise ValueError(f'{wanted!r} expected and not {token!r} in {" ".join(self.tokens)}')
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def name(self):
        return in_ascii(self.take())

    def sum(self):
        sign = self.take() if self.peek() in ('+', '-') else '+'
        tree = self.product()
        tree = ('neg', tree) if sign == '-' else tree
        while self.peek() in ('+', '-'):
            tree = (self.take(), tree, self.product())
        return tree

    def product(self):
        tree = self.signed()
        while self.peek() in ('*', '/'):
            tree = (self.take(), tree, self.signed())
        return tree

    def signed(self):
        if self.accept('+'):
            return self.signed()
        if self.accept('-'):
            return ('neg', self.signed())
        return self.power(self.postfix())

    def power(self, base):
        return ('^', base, self.signed()) if self.accept('^') else base

    def postfix(self):
        tree = self.primary()
        while self.peek() in ("'", '['):
            if self.take() == "'":
                tree = ('rate', tree[1])
            else:
                tree = ('index', tree, self.sum())
                self.take(']')
        return tree

    def primary(self):
        token = self.peek()
        if token == '(':
            items = self.arguments()
            return items[0] if len(items) == 1 else ('vector', items)
        if token[0].isdigit() or token[0] == '.':
            return ('num', Fraction(self.take()))
        name = self.name()
        return ('call', name, self.arguments()) if self.peek() == '(' else ('name', name)

    def arguments(self):
        self.take('(')
        items = [self.sum()]
        while self.accept(','):
            items.append(self.sum())
        self.take(')')
        return items

    def label(self):
        name = self.name()
        if name == 'dot' and self.accept('('):
            name = self.name()
            self.take(')')
            return name + "'"
        return name + "'" if self.accept("'") else name

    def list(self):
        entries = []
        while True:
            label = self.label()
            entries.append([label, self.sum() if self.accept('=') else None])
            if not self.accept(','):
                return entries

    def words(self, kinds):
        entries = [[self.name(), None]]
        while self.peek():
            word = self.take()
            if word not in kinds:
                raise ValueError(f'no word {word!r}')
            entries.append([word, self.sum()])
        return entries


def statements(text):
    """The statements of a model; what is drawn stays as it is written."""
    lines = []
    for line in text.lstrip('\ufeff').splitlines():
        line = line.split('#')[0].rstrip()
        if line and line[0].isspace() and lines:
            lines[-1] += ' ' + line.strip()
        elif line:
            lines.append(line)
    return [statement(line) for line in lines]


def statement(line):
    keyword, rest = (line.split(None, 1) + [''])[:2]
    if keyword in ('system', 'draw'):
        return [keyword, [[rest, None]]]
    reader = Reader(rest)
    if keyword in NAMES + LISTS:
        entries = reader.list()
    elif keyword in ('point', 'body'):
        entries = reader.words(('at', 'mass', 'force', 'frame', 'inertia', 'torque'))
    elif keyword == 'constraint':
        label = None
        if len(reader.tokens) > 1 and reader.tokens[1] == ':':
            label = reader.name()
            reader.take(':')
        left = reader.sum()
        reader.take('=')
        entries = [[label, ('=', left, reader.sum())]]
    else:
        entries = [[None, reader.sum()]]
    if reader.peek():
        raise ValueError(f'{reader.peek()!r} is left of {line!r}')
    return [keyword, entries]


# ---------------------------------------------------------------- writing

def number(x):
    text = f'{x.numerator}' if x.denominator == 1 else f'{x.numerator}/{x.denominator}'
    return text if x >= 0 and x.denominator == 1 else f'({text})'


LEVEL = {'=': 0, '+': 1, '-': 1, 'neg': 2, '*': 2, '/': 2, '^': 4}


def write(tree, level=0):
    """The text of a tree, in parentheses where it binds less than level."""
    kind = tree[0]
    if kind == 'num':
        return number(tree[1])
    if kind == 'name':
        return tree[1]
    if kind == 'rate':
        return tree[1] + "'"
    if kind == 'call':
        return f"{tree[1]}({', '.join(write(x) for x in tree[2])})"
    if kind == 'vector':
        return f"({', '.join(write(x) for x in tree[1])})"
    if kind == 'index':
        return f'{write(tree[1], 5)}[{write(tree[2])}]'
    own = LEVEL[kind]
    if kind == 'neg':
        text = '-' + write(tree[1], 3)
    elif kind == '^':
        text = f'{write(tree[1], 5)}^{write(tree[2], 4)}'
    else:
        space = '' if own == 2 else ' '
        text = f'{write(tree[1], own)}{space}{kind}{space}{write(tree[2], own + 1)}'
    return f'({text})' if own < level else text


def write_entry(keyword, label, tree):
    if tree is None:
        return label
    if label is None:
        return write(tree)
    return f'{label} {write(tree)}' if keyword in ('point', 'body') else f'{label}: {write(tree)}' if keyword == 'constraint' else \
        f'{label} = {write(tree)}'


def write_statement(keyword, entries):
    between = ' ' if keyword in ('point', 'body') else ', '
    return f'{keyword} ' + between.join(write_entry(keyword, label, tree) for label, tree in entries)


def write_model(model):
    return '\n'.join(write_statement(*s) for s in model) + '\n'


def walk(tree):
    """All trees within a tree."""
    yield tree
    for child in tree[1:]:
        if isinstance(child, tuple):
            yield from walk(child)
        elif isinstance(child, list):
            for item in child:
                yield from walk(item)
