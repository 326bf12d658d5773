#!/usr/bin/env python3
"""formulas.py NONHOLO FOLDER: the formulas of `derive` against the numbers of `eval`.

Every object that `derive --format json` writes is read by Python, with the names that "where" defines, and put beside the
number that `eval --format json` gives for it: on the examples in FOLDER, and on systems of all sizes that are made here.
Formulas are eliminated and simplified exactly, numbers come from dense linear algebra at the state, so that they have
little in common. The keys are those of the contract, and what is null has its reason.
"""
import json
import math
import os
import re
import subprocess
import sys
from random import Random

TOLERANCE = 1e-7  # relative to the largest number of the object; large chains lose digits in their metric

FUNCTIONS = {name: getattr(math, name) for name in
             'sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt pi'.split()}
FUNCTIONS.update(abs=abs, min=min, max=max, sign=lambda x: (x > 0) - (x < 0))

ALWAYS = {'first': ['Z_upper', 'R'], 'second': ['C', 'C_i', 'D', 'lambda', 'R']}
FREE = ['g', 'g_inverse', 'A', 'L']
FIRST = ['psi', 'psi_alpha', 'G', 'G_inverse', 'Zbar', 'Z_lower', 'Z_upper', 'R']
SECOND = ['C', 'C_i', 'C_upper', 'G_upper', 'G_lower', 'C_a', 'pi', 'g_minus_pi', 'dC', 'dC_dt', 'D', 'lambda', 'R',
          'R_upper']


def run(nonholo, command, model):
    done = subprocess.run([nonholo, command, '--format', 'json', '-'], input=model.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f'{command} ended with {done.returncode}: {done.stderr.decode()}\n{model}')
    return json.loads(done.stdout)


def python_text(text):
    """An expression of the language in Python: x' becomes rate_x, names get out of the way of Python's own."""
    text = re.sub(r"([^\W\d]\w*)('*)", lambda m: m.group(0) if m.group(1) in FUNCTIONS and not m.group(2)
                  else 'rate_' * len(m.group(2)) + 'v_' + m.group(1), text)
    text = re.sub(r'(?<![\w.])(\d+)(?![\w.])', r'\1.0', text)
    return text.replace('^', '**').replace('pi()', 'pi')


def value(text, names):
    return eval(compile(python_text(text), '<formula>', 'eval'), {'__builtins__': {}}, names)


def names_of(derived, evaluated):
    names = dict(FUNCTIONS)
    for name, number in evaluated['state'].items():
        names[python_text(name)] = number
    for name, number in derived['parameters'].items():
        if number is not None:
            names[python_text(name)] = value(number, names)
    for name, text in derived['where']:
        names[python_text(name)] = value(text, names)
    return names


def flat(x):
    return [y for item in x for y in flat(item)] if isinstance(x, list) else [x]


class Checker:
    def __init__(self):
        self.objects = self.failures = 0

    def same(self, title, key, formulas, numbers, names):
        wanted = flat(numbers)
        found = [value(text, names) for text in flat(formulas)]
        size = max([1e-300] + [abs(x) for x in wanted])
        error = max([0] + [abs(a - b) for a, b in zip(found, wanted)])
        self.objects += 1
        if len(found) != len(wanted) or not error <= TOLERANCE * max(size, 1):
            self.failures += 1
            print(f'{title}: {key}: formulas {found} but numbers {wanted}')

    def part(self, title, prefix, keys, derived, evaluated, top, names):
        for key in keys:
            if derived[key] is None:
                if prefix + key not in top['unexpanded']:
                    self.failures += 1
                    print(f'{title}: {prefix}{key} is null without a reason')
            elif evaluated[key] is not None:
                self.same(title, prefix + key, derived[key], evaluated[key], names)
        for key in ALWAYS.get(prefix.rstrip('.'), []):
            if derived[key] is None:
                self.failures += 1
                print(f'{title}: {prefix}{key} must be there')

    def equations(self, title, kind, evaluated, names, system):
        """The right-hand sides are psi and Z, or q' and D."""
        equations = system['equations']
        wanted = (evaluated['first']['psi'] + evaluated['first']['Z_upper'] if kind == 'first' else
                  [names[python_text(q + "'")] for q in evaluated['state'] if q + "'" in evaluated['state']] +
                  evaluated['second']['D'])
        self.same(title, kind + '.equations', list(equations.values()), wanted, names)

    def check(self, nonholo, model):
        derived, evaluated = run(nonholo, 'derive', model), run(nonholo, 'eval', model)
        names, title = names_of(derived, evaluated), derived['system']
        self.part(title, '', FREE, derived, evaluated, derived, names)
        self.part(title, 'first.', FIRST, derived['first'], evaluated['first'], derived, names)
        if derived['first']['psi'] is not None:
            self.equations(title, 'first', evaluated, names, derived['first'])
        if derived['second'] is not None:
            self.part(title, 'second.', SECOND, derived['second'], evaluated['second'], derived, names)
            self.equations(title, 'second', evaluated, names, derived['second'])
        elif 'second' not in derived['unexpanded']:
            self.failures += 1
            print(f'{title}: second is null without a reason')


# ---------------------------------------------------------------- systems

def trailers(n):
    """A car with n trailers, in absolute angles, from the implicit equations alone."""
    lines = [f'system {n} trailers', 'coordinates x, y', 'angles ' + ', '.join(f'a{i}' for i in range(n + 1)),
             'parameters m = 2, J = 1/3, l = 5/4', 'point P0 at (x, y) mass m', "kinetic 1/2*J*a0'^2",
             "constraint x'*sin(a0) - y'*cos(a0) = 0"]
    for i in range(1, n + 1):
        lines += [f'point P{i} at pos(P{i - 1}) - l*(cos(a{i}), sin(a{i})) mass m', f"kinetic 1/2*J*a{i}'^2",
                  f'constraint dot(vel(P{i}), (sin(a{i}), -cos(a{i}))) = 0']
    start = ', '.join(f'a{i} = {0.3 * math.sin(i + 1):.3f}' for i in range(n + 1))
    return '\n'.join(lines + [f"initial {start}, x' = 1, a0' = 0.4", ''])


def chain(n):
    """n pendulums in a row."""
    lines = [f'system {n} pendulums', 'angles ' + ', '.join(f'a{i}' for i in range(n)), 'parameters m = 1, l = 1/2, g = 9.81']
    for i in range(n):
        before = f'pos(P{i - 1}) + ' if i else ''
        lines.append(f'point P{i} at {before}l*(sin(a{i}), -cos(a{i})) mass m')
    start = ', '.join(f"a{i} = {0.2 * (i + 1):.1f}, a{i}' = {1 / (i + 1):.3f}" for i in range(n))
    return '\n'.join(lines + ['gravity (0, -g)', f'initial {start}', ''])


def sleighs(n):
    """n off-centre sleighs with springs between them: the second kind has n multipliers."""
    lines = [f'system {n} sleighs']
    for i in range(n):
        lines += [f'coordinates x{i}, y{i}', f'angles a{i}']
    lines.append('parameters m = 1, J = 1/2, b = 1/4, k = 3')
    for i in range(n):
        lines += [f'point P{i} at (x{i}, y{i}) + b*(cos(a{i}), sin(a{i})) mass m', f"kinetic 1/2*J*a{i}'^2",
                  f"constraint x{i}'*sin(a{i}) - y{i}'*cos(a{i}) = 0"]
    lines += [f'potential 1/2*k*((x{i} - x{i + 1})^2 + (y{i} - y{i + 1})^2)' for i in range(n - 1)]
    start = ', '.join(f"x{i} = {i}, a{i} = {0.5 + i}, a{i}' = {1 / (i + 1):.3f}" for i in range(n))
    return '\n'.join(lines + [f'initial {start}', ''])


def examples(folder):
    """The examples, with numbers for the parameters that have none and a start that moves."""
    for place, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith('.nh'):
                with open(os.path.join(place, name), encoding='utf-8') as file:
                    yield with_numbers(file.read())


def with_numbers(model):
    count = 0

    def number(match):
        nonlocal count
        count += 1
        return match.group(1) + ', '.join(part if '=' in part else f'{part.strip()} = {1 + 0.1 * count + 0.07 * i:.2f}'
                                          for i, part in enumerate(match.group(2).split(',')))
    return re.sub(r'(?m)^(parameters\s+)([^#\n]*)', number, model)


BASES = ('x', 'y', '(1 + y)', '(x - y)', 'sqrt(x^2)', 'sqrt(x^6)', 'sqrt(y)', 'sqrt(1 + x^2)', 'sqrt(y^3)', 'sin(a)', 'cos(a)', 'tan(a)', 'exp(x)', 'exp(-2*x)',
         'cosh(y)', 'abs(x)', '(x^2 + y^2)', 'sqrt(x^2 + y^2)', 'log(2 + y)', '(1 - cos(a))', '(1 + cos(a))', 'sqrt(1 - sin(a)^2)')
MASSES = {'x': 2, 'y': 3, 'a': 5}


def product(random):
    """A product of powers, or a sum of two, as forces may be."""
    factors = [f'{random.choice(BASES)}^({random.choice((-5, -3, -2, -1, 1, 1, 2, 3, 4, 5))})' for _ in range(random.randint(2, 5))]
    return '*'.join(factors) + (' +  ' + product(random) if random.random() < 0.3 else '')


def written_forces(nonholo, count):
    """q'' = F/m of forces F that are products of powers, roots of powers and functions, however they are written: beside F as it was given."""
    random, failures = Random(20), 0
    for _ in range(count):
        forces = {name: product(random) for name in MASSES}
        model = 'coordinates x, y\nangles a\nkinetic 1/2*(2*x\'^2 + 3*y\'^2 + 5*a\'^2)\n' + \
            'force ' + ', '.join(f'{name} = {force}' for name, force in forces.items()) + '\n'
        derived = run(nonholo, 'derive', model)
        for _ in range(3):
            at = {'x': random.uniform(-2, 2), 'y': random.uniform(0.2, 2), 'a': random.uniform(-3, 3)}
            names = names_of(derived, {'state': at})
            for name, force in forces.items():
                for kind in ('first', 'second'):
                    text = derived[kind]['equations'][f"{name}''"]
                    found, wanted = value(text, names), value(force, names) / MASSES[name]
                    if not abs(found - wanted) <= TOLERANCE * abs(wanted) + 1e-12 * scale(force, names):
                        failures += 1
                        print(f'{kind}: {name}\'\' = {text}, not ({force})/{MASSES[name]}: {found} and not {wanted} at {at}')
    return failures


def scale(force, names):
    """The largest term; between terms there are two blanks behind the +."""
    return max(abs(value(term, names)) for term in force.split(' +  '))


def main():
    nonholo, folder = sys.argv[1:3]
    checker = Checker()
    models = list(examples(folder)) + [trailers(n) for n in (1, 2, 3, 5, 8, 12)] + [chain(n) for n in (2, 5, 9, 16)]
    models += [sleighs(n) for n in (2, 5, 9)]
    for model in models:
        checker.check(nonholo, model)
    wrong = written_forces(nonholo, 60)
    print(f'{len(models)} systems, {checker.objects} objects, {checker.failures + wrong} failures')
    return 1 if checker.failures or wrong or checker.objects < 20 * len(models) else 0


if __name__ == '__main__':
    sys.exit(main())
