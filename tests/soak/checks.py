"""What is compared for one model, and when two numbers count as different.

Numbers are first compared in doubles with a narrow tolerance. Where they differ, the doubt is looked into before anything is called a
failure: the equations are computed once more with 60 digits from the text of the model (mechanics.py), formulas are evaluated with
60 digits, and data are changed by a relative 1e-11 (motions: 1e-9) to see how much of it the result feels. A failure is a
difference of more than a hundred times that. What is too ill-conditioned to be compared is counted as skipped.
"""
import itertools
import json
import math
import os
import random
import re
import subprocess

import language
import library as lib
from library import Died
from mechanics import Doubles, Mechanics, Singular, Unknown, many_digits, solve

NARROW = 1e-9   # relative to the largest number of an object, or to 1: what needs no second look
NUDGE = 1e-11   # relative change of data, to see what the result makes of it
FACTOR = 100    # so much more than that is a failure
ROUGH = 1e-3    # a result that is known to less than this is not compared
FREE = ['g', 'g_inverse', 'A', 'L']
FIRST = ['psi', 'psi_alpha', 'G', 'G_inverse', 'Zbar', 'Z_lower', 'Z_upper', 'R']
SECOND = ['C', 'C_i', 'C_upper', 'G_upper', 'G_lower', 'C_a', 'pi', 'g_minus_pi', 'dC', 'dC_dt', 'D', 'lambda', 'R', 'R_upper']
NEVER_REFUTED = ('representations-agree', 'reactions-ideal', 'methods-agree')


class Failure(Exception):
    """kind: short, the same for a model and for what it is shrunk to. shows: the arguments of nonholo that show it, with the
    table of starts, if there is one."""

    def __init__(self, kind, detail, shows, starts=''):
        super().__init__(f'{kind}: {detail}')
        self.kind, self.detail, self.shows, self.starts = kind, detail, shows, starts


def flat(x):
    return [y for item in x for y in flat(item)] if isinstance(x, list) else [x]


def largest(numbers):
    return max([0.0] + [abs(x) for x in numbers])


def apart(a, b):
    """The largest difference; infinite where the lists do not match or something is no number."""
    if len(a) != len(b) or any(x is None for x in a + b):
        return math.inf
    worst = max([0.0] + [abs(x - y) for x, y in zip(a, b)])
    return worst if worst == worst else math.inf


# ---------------------------------------------------------------- formulas in Python

WORDS = set('sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max'.split())


def as_python(text):
    """A formula as Python: names get out of the way of Python's own, numbers are made by N, powers by power."""
    text = re.sub(r"([^\W\d]\w*)('*)", lambda m: m.group(0) if m.group(1) in WORDS and not m.group(2)
                  else 'rate_' * len(m.group(2)) + 'v_' + m.group(1), text)
    return re.sub(r'(?<![\w.])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])', r'N("\1")', text).replace('^', '**')


class Formulas:
    """The formulas of `derive --format json`; each text is compiled once."""

    def __init__(self, derived):
        self.derived, self.codes = derived, {}

    def code(self, text):
        if text not in self.codes:
            self.codes[text] = compile(as_python(text), '<formula>', 'eval')
        return self.codes[text]

    def names(self, state, parameters, m):
        cache = {}

        def number(text):
            if text not in cache:
                cache[text] = m.number(text) if '.' in text or 'e' in text else m.number(int(text))
            return cache[text]
        names = {word: getattr(m, word) for word in WORDS}
        names.update(N=number, v_pi=m.pi, __builtins__={})
        for name, x in list(state.items()) + list(parameters.items()):
            names[as_python(name)] = m.number(x)
        for name, text in self.derived['where']:
            names[as_python(name)] = self.value(text, names, m)
        return names

    def value(self, text, names, m):
        try:
            x = eval(self.code(text), names)  # pylint: disable=eval-used
            return x if not isinstance(x, complex) and not (hasattr(x, 'imag') and not hasattr(x, '_mpf_') and not isinstance(x, (int, float))) else m.nan
        except (ZeroDivisionError, ValueError, OverflowError, TypeError):
            return m.nan

    def values(self, texts, names, m):
        return [self.value(text, names, m) for text in flat(texts)]


# ---------------------------------------------------------------- one model

class Checks:
    def __init__(self, library, count, folder, notes=False):
        self.library, self.count, self.folder, self.notes = library, count, folder, notes

    def fail(self, kind, detail, *shows):
        raise Failure(kind, detail, list(shows) or ['check'], self.starts if '--starts' in shows else '')

    def skip(self, why):
        self.note('skipped: ' + why)

    def note(self, what):
        """Counted, and the first of each kind are written down with their seeds."""
        self.count[what] += 1
        if self.count[what] <= 20 and self.notes:
            with open(os.path.join(self.folder, 'notes.txt'), 'a', encoding='utf-8') as stream:
                stream.write(f'{self.seed} {what}\n')

    def all(self, text, given, seed, share=False):
        """Raises Failure. share: also what takes long."""
        self.random, self.text, self.given = random.Random(seed), text, given
        self.asked, self.starts, self.seed, self.mechanics = ['run', '--project'], '', seed, None
        try:
            return self.stages(share)
        except Died as died:
            word = str(died).split()[0].rstrip(':')
            what = re.search(r'the worker (.*?):', str(died)).group(1)
            shows = self.asked if word == 'run' else [{'read': 'check', 'format': 'fmt'}.get(word, word)]
            raise Failure(f'{word}: {what}', str(died), shows, self.starts if '--starts' in shows else '') from None

    def stages(self, share):
        answer = self.library.model(self.text, self.given)
        if not self.accepted('read', answer):
            return
        self.count['read'] += 1
        self.layout()
        answer = self.library.eval()
        evaluated = self.read_json('eval', answer) if self.accepted('eval', answer) else None
        if evaluated:
            self.same_after_layout(answer.text)
        answer = self.library.derive()
        derived = self.read_json('derive', answer) if self.accepted('derive', answer) else None
        if derived and evaluated:
            self.count['evaluated'] += 1
            self.numbers(evaluated, derived)
            self.formulas(evaluated, derived)
            self.motions(evaluated)
        if share and derived:
            self.slow(evaluated)

    def accepted(self, command, answer):
        shows = {'read': 'check'}.get(command, command)
        if answer.status in (lib.OK, lib.NOT_FOUND):
            return True
        words = answer.messages.split('\n')[0]
        if answer.status != lib.WRONG_MODEL:
            self.fail(f'{command}: status {answer.status}', words, shows)
        if 'error:' not in words and 'error:' not in answer.messages:
            self.fail(f'{command}: no message', answer.messages, shows)
        words = [line for line in answer.messages.split('\n') if 'error:' in line][0]
        self.note(f'refused by {command}: ' + re.sub(r"-?\d[\d.e+-]*", '#', words.split('error:')[1].split(';')[0].strip())[:70])
        return False

    def read_json(self, command, answer):
        try:
            return json.loads(language.in_ascii(answer.text))
        except ValueError as error:
            self.fail(f'{command}: no JSON', f'{error}: {answer.text[:300]}', command, '--format', 'json')

    def has_corners(self):
        return bool(re.search(r'\b(abs|sign|min|max)\b', self.text))

    # ------------------------------------------------------------ layout

    def layout(self):
        once = self.library.layout(self.text)
        if once.status:
            self.fail('fmt: refused', once.messages, 'fmt')
        twice = self.library.layout(once.text)
        if twice.status or twice.text != once.text:
            self.fail('fmt: not its own layout', f'{once.text!r} becomes {twice.text!r}', 'fmt')
        if language.statements(once.text) != language.statements(self.text):
            self.fail('fmt: another model', once.text, 'fmt')
        self.laid_out = once.text

    def same_after_layout(self, expected):
        answer = self.library.model(self.laid_out, self.given)
        found = self.library.eval() if not answer.status else answer
        if answer.status or found.status or found.text != expected:
            self.fail('fmt: other numbers', f'{expected[:200]} and then {found.text[:200]} {found.messages}', 'fmt')

    # ------------------------------------------------------------ the numbers of eval against the mechanics of this program

    def mechanics_of(self, state):
        """The model as it is read here, and the values of its symbols."""
        mechanics = Mechanics(language.statements(self.text))
        given = {}
        for item in self.given.split(','):
            if item.strip():
                name, value = item.split('=')
                tree = language.Reader(value).sum()
                given[language.Reader(name).name()] = mechanics.pool.values([mechanics.scalar(tree)], {}, Doubles)[0]
        self.parameters = mechanics.parameter_values(given, Doubles)
        known = dict(self.parameters)
        known.update((name, float(x)) for name, x in state.items())
        return mechanics, known

    def numbers(self, evaluated, derived):
        self.mechanics = self.truth = None
        try:
            mechanics, self.known = self.mechanics_of(evaluated['state'])
            truth = mechanics.at(self.known, Doubles)
        except Unknown as error:
            self.skip(f'not understood here: {error}')
            return
        except Singular:
            self.skip('singular here')
            return
        if truth['condition'] > 1e9:
            self.skip('nearly singular here')
            return
        self.mechanics, self.truth = mechanics, truth
        rows = len(mechanics.C)
        if any(not any(row) for row in truth['C_i']):
            self.skip('velocities cancel in a constraint')  # it is then one between coordinates, which mechanics.py cannot know
            self.mechanics = None
            return
        self.good_metric = self.is_good(truth['g'])
        if not self.good_metric:
            self.skip('the metric is nearly singular')
        second = evaluated['second'] if self.good_metric else None
        pairs = [('g', flat(truth['g']), flat(evaluated['g'])), ('A', truth['A'], evaluated['A']), ('L', truth['L'], evaluated['L'])]
        if second and len(second['C']) == rows and rows:
            self.on_constraints(truth['C'] + mechanics.pool.values(mechanics.positions, self.known, Doubles), evaluated)
            pairs += [('C_i', flat(truth['C_i']), flat(second['C_i']))]
            pairs += [('lambda', truth['lambda'], second['lambda'])] if len(truth['lambda']) == rows else []
        if second:
            pairs += [('D', truth['acceleration'], second['D']), ('R', truth['R'], second['R'])]
        first = evaluated['first']
        if self.good_chart(first):
            pairs += [('R', truth['R'], first['R'])]
        else:
            self.skip('velocities of the first kind are nearly singular')
        for key, expected, found in pairs:
            self.count['numbers'] += len(found)
            if apart(expected, found) > NARROW * max(1, largest(expected)):
                self.doubt_numbers(key, found)

    def on_constraints(self, values, evaluated):
        if largest(values) > 1e-7 * (1 + largest(evaluated['state'].values())):
            self.fail('eval: off the constraints', f'by {largest(values):.3g} at {evaluated["state"]}', 'eval', '--project')

    @staticmethod
    def is_good(matrix):
        """Whether a matrix can be inverted with some digits left."""
        try:
            return not matrix or solve(matrix, [0.0] * len(matrix), Doubles)[1] < 1e7
        except Singular:
            return False

    @staticmethod
    def good_chart(first):
        if first['psi_alpha'] is None or first['G'] is None:
            return True
        try:
            G = first['G']
            return largest(flat(first['psi_alpha'])) < 1e4 and (not G or solve(G, [1.0] * len(G), Doubles)[1] < 1e6)
        except (Singular, TypeError):
            return False

    def exact(self):
        """The mechanics with 60 digits, and what relative changes of NUDGE in its data do to it."""
        if 'exact' in self.truth:
            return self.truth['exact'], self.truth['shaken']
        m = many_digits()
        known = {name: m.number(x) for name, x in self.known.items()}
        exact = self.mechanics.at(known, m)
        shaken = []
        for _ in range(3):
            shake = lambda x: x * (1 + m.number(NUDGE * self.random.choice((-1, 1))))  # noqa: E731
            other = {name: shake(x) for name, x in known.items()}
            shaken.append(self.mechanics.at(other, m, shake))
        if self.has_corners():  # a state at one of them has two answers
            for side in (-1, 1):
                shaken.append(self.mechanics.at({name: x + m.number(side * 1e-9) for name, x in known.items()}, m))
        self.truth['exact'], self.truth['shaken'] = exact, shaken
        return exact, shaken

    def doubt_numbers(self, key, found):
        try:
            exact, shaken = self.exact()
        except Singular:
            self.skip('singular here')
            return
        name = 'acceleration' if key == 'D' else key
        expected = flat(exact[name])
        feels = max(apart(expected, flat(other[name])) for other in shaken)
        self.judge('eval: ' + key, expected, found, feels, 'eval', '--project', '--format', 'json', size=exact['size of R'] if key == 'R' else 1)

    def judge(self, kind, expected, found, feels, *shows, size=1):
        """size: of what the numbers are differences of."""
        size = max(1, size, largest([x for x in expected if x == x]))
        error = apart(expected, found)
        if feels * FACTOR > ROUGH * size:
            self.skip('ill-conditioned')
        elif error > NARROW * size + FACTOR * feels:
            self.fail(kind, f'{[float(x) for x in expected]} and not {[None if x is None else float(x) for x in found]}: '
                            f'{float(error):.3g} apart, of which rounding may be {float(feels * FACTOR):.3g}', *shows)
        else:
            self.count['looked at twice'] += 1

    # ------------------------------------------------------------ formulas

    def formulas(self, evaluated, derived):
        if not hasattr(self, 'parameters') or self.mechanics is None:
            return
        formulas = Formulas(derived)
        good_chart = self.good_chart(evaluated['first'])
        try:
            names = formulas.names(evaluated['state'], self.parameters, Doubles)
            for part, keys in (('', FREE), ('first', FIRST), ('second', SECOND)):
                texts, numbers = (derived[part], evaluated[part]) if part else (derived, evaluated)
                if texts is None or numbers is None:
                    if (texts is None) != (numbers is None) and self.good_metric:
                        self.fail(f'derive: {part} is null', f'and eval has {numbers}', 'derive')
                    continue
                for key in keys:
                    if not self.good_metric and (key == 'g_inverse' or part == 'second' and key not in ('C', 'C_i', 'dC', 'dC_dt')):
                        continue
                    if not good_chart and part == 'first' and key in ('G_inverse', 'Z_upper', 'R'):
                        continue
                    self.formula(formulas, f'{part}.{key}'.lstrip('.'), texts[key], numbers[key], names, evaluated)
        except (RecursionError, MemoryError, SyntaxError) as error:
            if isinstance(error, SyntaxError) and 'too many nested' not in str(error):
                self.fail('derive: no formula', str(error), 'derive', '--format', 'json')
            self.skip('formulas too deep for Python')

    def formula(self, formulas, key, texts, numbers, names, evaluated):
        if texts is None:
            if key not in formulas.derived['unexpanded']:
                self.fail('derive: null without a reason', key, 'derive', '--format', 'json')
            return
        if numbers is None:
            return
        wanted, found = flat(numbers), formulas.values(texts, names, Doubles)
        self.count['formulas'] += len(found)
        if len(found) != len(wanted):
            self.fail('derive: ' + key, f'{len(found)} formulas for {len(wanted)} numbers', 'derive', '--format', 'json')
        if apart(found, wanted) > NARROW * max(1, largest(wanted)):
            self.doubt_formula(formulas, key, texts, wanted, evaluated)

    def doubt_formula(self, formulas, key, texts, wanted, evaluated):
        m = many_digits()
        at = lambda change: formulas.values(texts, formulas.names({k: change(m.number(x)) for k, x in evaluated['state'].items()},  # noqa: E731
                                                                  {k: change(m.number(x)) for k, x in self.parameters.items()}, m), m)
        found = at(lambda x: x)
        feels = max(apart(found, at(lambda x: x * (1 + m.number(NUDGE * self.random.choice((-1, 1)))))) for _ in range(3))
        name = {'second.D': 'acceleration', 'first.R': 'R', 'second.R': 'R', 'second.lambda': 'lambda', 'second.C_i': 'C_i'}.get(key, key)
        if name in self.truth and not name == 'condition':
            try:
                _, shaken = self.exact()
                feels = max([feels] + [apart(flat(self.exact()[0][name]), flat(other[name])) for other in shaken])
            except Singular:
                pass
        if feels == math.inf or feels != feels:
            if any(x != x for x in found):
                self.fail('derive: ' + key, f'a formula has no value, eval has {wanted}', 'derive', '--format', 'json')
            self.skip('ill-conditioned')
            return
        inverse = flat(evaluated['g_inverse']) if evaluated['g_inverse'] and key.split('.')[0] in ('second', 'g_inverse') else []
        self.judge('derive: ' + key, found, wanted, feels, 'derive', '--format', 'json', size=largest(inverse))

    # ------------------------------------------------------------ motions

    def run(self, **options):
        self.library.model(self.text, self.given)
        return self.library.run(**options)

    def motions(self, evaluated):
        self.to = self.random.choice([0.2, 0.5, 1.0])
        base = self.run(method=lib.FIRST, solver=lib.TAYLOR, to=self.to, every=self.to)
        if not self.accepted('run', base):
            return
        names, rows, summary = base.rows()
        if not rows:
            self.note('runs without a row')
            return
        if any(not math.isfinite(x) for row in rows for x in row):
            self.fail('run: no finite number', str(rows), *self.run_words('first', 'taylor'))
        self.names = names
        self.states = [i for i, name in enumerate(names) if name in evaluated['state'] and name != 't']
        self.first_row(names, rows)
        if not base.flag:
            self.note('runs that take too long' if 'the time was over' in summary else 'runs that end early')
            return
        self.count['runs'] += 1
        self.end = rows[-1]
        self.scale = [max(1.0, *(abs(row[i]) for row in rows)) for i in range(len(names))]
        if largest(self.end) > 1e4:
            self.skip('a motion that runs away')
            return
        self.against('Runge-Kutta', self.run_words('first', 'rk'), method=lib.FIRST, solver=lib.RUNGE)
        self.against('second kind', self.run_words('second', 'taylor'), method=lib.SECOND, solver=lib.TAYLOR)
        self.lanes(evaluated)

    def run_words(self, method, solver, *more):
        return ['run', '--project', '--method', method, '--solver', solver, '--to', str(self.to), *more]

    def first_row(self, names, rows):
        """What is observed, at the start."""
        if self.mechanics is None:
            return
        wanted = self.mechanics.observations_at(self.known, self.truth, Doubles)
        for name, x in zip(names, rows[0]):
            if name in wanted and name not in self.known:
                self.count['observed'] += 1
                if not abs(wanted[name] - x) <= NARROW * max(1, abs(wanted[name])) * 10:
                    self.doubt_observed(name, x)

    def doubt_observed(self, name, x):
        m = many_digits()
        try:
            exact, shaken = self.exact()
        except Singular:
            self.skip('singular here')
            return
        at = lambda result, shake: self.mechanics.observations_at({k: shake(m.number(v)) for k, v in self.known.items()}, result, m)[name]  # noqa: E731
        wanted = at(exact, lambda v: v)
        feels = max(abs(wanted - at(other, lambda v: v * (1 + m.number(NUDGE)))) for other in shaken)
        self.judge('run: observed', [wanted], [x], feels, 'run', '--project', '--to', str(self.to))

    def against(self, what, shows, starts='', which=1, tolerance=None, **options):
        """The same motion in another way; of many, the one with this number."""
        self.asked = shows
        answer = self.run(to=self.to, every=self.to, starts=starts, **options)
        if not self.accepted('run', answer):
            return
        names, rows, _ = answer.rows()
        if names[:1] == ['start']:
            names, rows = names[1:], [row[1:] for row in rows if row[0] == which]
        if any(not math.isfinite(x) for row in rows for x in row):
            self.fail(f'run: {what}: no finite number', str(rows), *shows)
        if not rows or abs(rows[-1][0] - self.end[0]) > 1e-12:
            # one motion ends early, the other one not: velocities that were chosen badly, or a singular state on the way
            self.note(f'only {what} ends early')
            return
        if names != self.names:
            self.fail(f'run: {what}: other columns', f'{names} and not {self.names}', *shows)
        self.count['motions'] += 1
        wide = tolerance or 1e-8
        worst = max(abs(rows[-1][i] - self.end[i]) / self.scale[i] for i in self.states)
        if not worst <= wide:
            self.doubt_motion(what, rows[-1], worst, wide, shows)

    def lanes(self, evaluated):
        """The motion among others: four lanes of series, up to 64 of values."""
        declared = bool(re.search(r'^velocities', self.text, re.M))
        state = evaluated['state']
        columns = [name for name in state if name != 't' and (not name.endswith("'") if declared else
                                                              name.endswith("'") or name + "'" in state)]
        for what, solver, count in (('lanes', 'taylor', 5), ('a crowd', 'rk', self.random.choice((1, 3, 20, 70)))):
            which = self.random.randint(1, count)
            lines = [','.join(columns)]
            for number in range(1, count + 1):
                beside = 0 if number == which else 0.01
                lines.append(','.join(repr(state[name] + self.random.uniform(-beside, beside)) for name in columns))
            self.starts = '\n'.join(lines) + '\n'
            self.against(what, self.run_words('first', solver, '--starts', 'starts.csv'), starts=self.starts, which=which, method=lib.FIRST,
                         solver=lib.TAYLOR if solver == 'taylor' else lib.RUNGE)

    def doubt_motion(self, what, end, worst, wide, shows):
        """How much the end feels of the start."""
        nudge, ends = 1e-9, []
        state = dict(zip(self.names, self.run(method=lib.FIRST, solver=lib.RUNGE, to=self.to, every=self.to).rows()[1][0]))
        declared = bool(re.search(r'^velocities', self.text, re.M))
        if self.mechanics is None:
            self.skip('a motion that differs, of a model that is not understood here')
            return
        columns = [name for name in self.names[1:] if name in self.known and (not name.endswith("'") if declared else
                                                                             name.endswith("'") or name + "'" in self.names)]
        for _ in range(3):
            start = ','.join(f'{name}={state[name] * (1 + self.random.uniform(-nudge, nudge)) + self.random.uniform(-nudge, nudge)!r}' for name in columns)
            self.library.model(self.text, self.given, start)
            answer = self.library.run(method=lib.FIRST, solver=lib.RUNGE, to=self.to, every=self.to, tolerance=1e-13)
            if answer.status or not answer.flag:
                self.skip('a motion that may end early')
                return
            ends.append(answer.rows()[1][-1])
        ends.append(self.end)
        feels = max(abs(a[i] - b[i]) / self.scale[i] for a in ends for b in ends for i in self.states)
        if self.starts_at_a_corner():
            self.skip('a motion that starts where a force jumps')
        elif feels > 1e-5:
            self.skip('a motion that is unstable')
        elif self.metric_changes():
            self.skip('a metric or constraints that are nearly singular on the way')
        elif worst > wide + FACTOR / 10 * feels:
            self.fail(f'run: {what}', f'{worst:.3g} apart at t = {self.end[0]}: {dict(zip(self.names, self.end))} and {dict(zip(self.names, end))}; '
                      f'starts {nudge} apart are then {feels:.3g} apart', *shows)
        else:
            self.count['motions looked at twice'] += 1

    def starts_at_a_corner(self):
        """Whether accelerations jump within 1e-9 of the start: sign(v) where the constraints say v = 0."""
        if not self.has_corners():
            return False
        exact, shaken = self.exact()
        return max(apart(exact['acceleration'], other['acceleration']) for other in shaken) > 1e-3 * max(1, largest(exact['acceleration']))

    def metric_changes(self):
        """Whether g or the constraints come near a singular state along the motion: the methods differ there."""
        rows = self.run(method=lib.FIRST, solver=lib.RUNGE, to=self.to, every=self.to / 60).rows()[1]
        conditions, slopes, n = [], [], len(self.mechanics.coordinates)
        for row in rows:
            known = dict(self.known)
            known.update(zip(self.names, row))
            g = self.mechanics.pool.values([x for line in self.mechanics.g for x in line], known, Doubles)
            slopes.append([largest(self.mechanics.pool.values(line, known, Doubles)) for line in self.mechanics.C_i])
            try:
                conditions.append(solve([g[i * n:i * n + n] for i in range(n)], [0.0] * n, Doubles)[1])
            except Singular:
                return True
        flat = any(min(column) < 0.1 * max(column) for column in zip(*slopes))
        return flat or max(conditions) > 30 * min(conditions) or max(conditions) > 1e6

    # ------------------------------------------------------------ what takes long

    def slow(self, evaluated):
        self.count['with all checks'] += 1
        self.library.model(self.text, self.given)
        answer = self.library.check()
        if self.accepted('check', answer):
            self.facts(self.read_json('check', answer))
        for form, name in ((lib.TEXT, 'text'), (lib.MODEL, 'model'), (lib.LATEX, 'latex'), (lib.MATHML, 'mathml'), (lib.HTML, 'html')):
            answer = self.library.derive(form, self.random.choice((0, 1)))
            if not self.accepted('derive', answer) or not answer.text:
                self.fail(f'derive: no {name}', answer.messages, 'derive', '--format', name)
        if hasattr(self, 'end') and evaluated and self.finished():
            self.native()
            self.against('CVODE', self.run_words('first', 'cvode'), method=lib.FIRST, solver=lib.CVODE, tolerance=1e-4)
        if evaluated and self.mechanics is not None:
            self.exports(evaluated)

    def finished(self):
        return hasattr(self, 'end') and largest(self.end) <= 1e4

    def facts(self, checked):
        verdicts = {fact['name']: fact['verdict'] for fact in checked['facts']}
        for fact in checked['facts']:
            if fact['name'] in NEVER_REFUTED and fact['verdict'] == 'refuted':
                self.fail(f"check: {fact['name']}", fact['detail'], 'check')
        self.kinds(verdicts)
        self.conserved(verdicts)

    def kinds(self, verdicts):
        """linear and affine, by the second derivatives of the constraints and their values without velocities, at random states."""
        if self.mechanics is None or not self.mechanics.C:
            return
        affine, linear = [], []
        for _ in range(4):
            at = self.mechanics.kinds_at({name: self.random.uniform(0.3, 1.2) if name not in self.parameters else self.known[name]
                                          for name in self.known})
            if at is None:
                return
            affine.append(at[0])
            linear.append(at[1])
        for name, true in (('affine', all(affine)), ('linear', all(affine) and all(linear))):
            self.count['facts'] += 1
            if true and re.search(r'norm|sqrt|abs|max|min|\^\(', self.text):
                continue  # |v|, which is a straight line where one looks
            if verdicts.get(name) == ('refuted' if true else 'proved'):
                self.fail(f'check: {name}', f"is {verdicts[name]}", 'check')

    def conserved(self, verdicts):
        """What is said to be constant is, along the motion."""
        if not hasattr(self, 'end') or not self.finished():
            return
        said = {'energy' if name == 'energy-conserved' else name.split()[1]: verdict for name, verdict in verdicts.items()
                if name == 'energy-conserved' or name.startswith('integral ')}
        summary = self.run(method=lib.FIRST, solver=lib.TAYLOR, to=self.to, every=self.to).rows()[2]
        for name, change in re.findall(r'^(\S+) changes by (\S+), relative', summary, re.M):
            self.count['facts'] += 1
            if said.get(name) in ('proved', 'tested') and float(change) > 1e-7:
                self.fail('check: conserved', f'{name} is {said[name]}, and changes by {change}', 'check')

    def native(self):
        """The rows are the same, to the last bit."""
        for (method, name), (solver, word) in itertools.product(((lib.FIRST, 'first'), (lib.SECOND, 'second')),
                                                                ((lib.TAYLOR, 'taylor'), (lib.RUNGE, 'rk'))):
            found = [self.run(method=method, solver=solver, native=native, to=self.to, every=self.to / 4) for native in (-1, 1)]
            if found[0].text.partition('\0')[0] != found[1].text.partition('\0')[0] or found[0].status != found[1].status:
                self.fail('run: native', f'{found[0].text[:500]} and {found[1].text[:500]}', *self.run_words(name, word, '--compile', 'always'))
            self.count['native'] += not found[0].status

    def exports(self, evaluated):
        self.library.model(self.text, self.given)
        python, c = self.library.export(lib.PYTHON), self.library.export(lib.C)
        if python.status or c.status:
            self.fail('export: refused', python.messages + c.messages, 'export', '--to', 'python')
        space = {}
        try:
            exec(compile(python.text, 'export', 'exec'), space)  # pylint: disable=exec-used
        except (SyntaxError, NameError, TypeError) as error:
            self.fail('export: no Python', str(error), 'export', '--to', 'python')
        asked = self.questions(space, evaluated)
        found = []
        for function, t, state, _ in asked:
            try:
                found.append(space[function](t, state, space['parameter_values']))
            except (ZeroDivisionError, ValueError, OverflowError):
                found.append(None)
        self.answers('Python', asked, found, evaluated)
        self.answers('C', asked, self.ask_c(c.text, asked, space['parameter_values']), evaluated)

    def questions(self, space, evaluated):
        """(function, t, state, what is expected)"""
        state, first, second = evaluated['state'], evaluated['first'], evaluated['second']
        coordinates, velocities = ([language.in_ascii(name) for name in space[key]] for key in ('coordinates', 'velocities'))
        q = [state[name] for name in coordinates]
        rates = [state[name + "'"] for name in coordinates]
        z = [state[name] for name in velocities] if first['psi'] is not None else rates
        accelerations = first['Z_upper'] if first['psi'] is not None else list(first['equations'].values())[-len(q):]
        wanted = {'first_kind': rates + accelerations, 'first_psi': first['psi'], 'first_reactions': first['R']}
        if second and self.good_metric:
            wanted.update(second_kind=rates + second['D'], second_reactions=second['R'], second_multipliers=second['lambda'],
                          second_constraints=second['C'])
        return [(name, state['t'], q + (z if name.startswith('first') else rates), x) for name, x in wanted.items() if name in space and x is not None]

    def answers(self, what, asked, found, evaluated):
        for (function, _, _, wanted), numbers in zip(asked, found):
            self.count['exported ' + what] += 1
            if numbers is None or apart(numbers, wanted) > NARROW * max(1, largest(wanted)):
                if function.startswith('first') and not self.good_chart(evaluated['first']):
                    self.skip('velocities of the first kind are nearly singular')
                    continue
                exact, shaken = self.exact()
                feels = max(apart(exact['acceleration'] + exact['R'], other['acceleration'] + other['R']) for other in shaken)
                self.judge(f'export: {what}: {function}', wanted, numbers or [], feels, 'export', '--to', what.lower())

    def ask_c(self, text, asked, parameters):
        number = lambda x: 'NAN' if math.isnan(x) else repr(float(x))  # noqa: E731
        lines = [text, '#include <stdio.h>', 'int main(void)', '{', '    double out[1000];']
        for function, t, state, wanted in asked:
            lines += ['    {', f"        const double state[] = {{{', '.join(map(number, state))}}};",
                      f"        const double par[] = {{{', '.join(map(number, parameters)) or '0'}}};",
                      f'        printf("%d", model_{function}({number(t)}, state, out, par));',
                      f'        for (int i = 0; i < {len(wanted)}; i++)', '            printf(" %.17g", out[i]);', '        puts("");', '    }']
        path = os.path.join(self.folder, f'export-{os.getpid()}')
        with open(path + '.c', 'w', encoding='utf-8') as stream:
            stream.write('\n'.join(lines + ['    return 0;', '}', '']))
        done = subprocess.run(['gcc', '-std=c11', '-O0', '-w', path + '.c', '-o', path, '-lm'], capture_output=True, text=True, check=False)
        if done.returncode:
            self.fail('export: no C', done.stderr[:2000], 'export', '--to', 'c')
        rows = subprocess.run([path], capture_output=True, text=True, check=False, timeout=60).stdout.splitlines()
        found = [[float(x) for x in row.split()] for row in rows]
        return [row[1:] if row[0] == 0 else None for row in found]
