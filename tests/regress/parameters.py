#!/usr/bin/env python3
"""parameters.py NONHOLO: parameters that are formulas in others. What holds for every value of those holds, also where the formula happens to be 0;
what holds for one value only does not. The right answers are by hand."""
import json
import subprocess
import sys

LINE = "coordinates x\nkinetic 1/2*x'^2\n"
SPACE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
PSI = "velocities u, v\nparametric x' = u, y' = %s*u, z' = v\ninitial u = 1\n"


def given(parameters, model):
    first, rest = model.split('\n', 1)
    return f'{first}\nparameters {parameters}\n{rest}'


# model, facts with their verdicts, and what warnings have to say
FACTS = [
    # E is K + V; the force is 0; the constraint is z' = x'
    ("coordinates x\nparameters g = 9.81, m1 = 1, m2 = 1, M = m1 + m2, dm = m1 - m2\nkinetic 1/2*M*x'^2\npotential dm*g*x\n"
     "integral E = 1/2*(m1 + m2)*x'^2 + (m1 - m2)*g*x\n", {'integral E': 'proved', 'energy-conserved': 'proved'}, ''),
    (given('a = 1, b = 1, d = a - b', LINE) + "force x = (d - (a - b))*x'\n", {'energy-conserved': 'proved'}, ''),
    (given('a = 2, b = a - 2', SPACE) + "constraint z' = (b - a + 2)*y*x' + x'\nintegral f = z - x\n", {'holonomic': 'proved', 'integral f': 'proved'}, ''),
    (given('a = 1, b = 1, p = a - b', SPACE) + "constraint y' = p*x'\nintegral r = y - (a - b)*x\n", {'integral r': 'proved', 'holonomic': 'proved'}, ''),
    (given('k1 = 1, k2 = 2, k = k1*k2 - 2', LINE) + "potential k*x^2\nintegral E = 1/2*x'^2 + (k1*k2 - 2)*x^2\n", {'integral E': 'proved'}, ''),
    # 0 because another one is 0
    (given('e = 0, d = 3*e, c = d*d', SPACE) + "constraint z' = (d + c)*y*x'\n", {'holonomic': 'proved', 'regular': 'proved'}, ''),
    # true for n = 3 only, while p has its sign for n > 2 only
    (given('n = 3, p = n - 2', LINE) + "force x = -(n - 3)*x'\n", {'energy-conserved': 'refuted'}, ''),
    (given('n = 3, p = n - 2', SPACE) + "constraint z' = p*y*x' + x*y'\n", {'holonomic': 'refuted'}, ''),
    (given('R = 2, r = 1, d = R - r, w = 3 - R', LINE) + "force x = -(R - 2)*d*w*x'\n", {'energy-conserved': 'refuted'}, ''),
    # both representations say the same
    (given('R = 1/2, r = 1/4, d = R - r', SPACE) + "constraint y' = d*x'\n" + PSI % '(R - r)', {'representations-agree': 'proved'}, ''),
    (given('a = 3, b = 2*a', SPACE) + "constraint y' = b*x'\n" + PSI % '2*a', {'representations-agree': 'proved'}, ''),
    (given('R = 1/2, r = 1/4, i = R/r', SPACE) + "constraint y' = i*x'\n" + PSI % '(R/r)', {'representations-agree': 'proved'}, ''),
    (given('n = 3, p = n - 2', SPACE) + "constraint y' = p*x'\n" + PSI % '(n - 2)', {'representations-agree': 'proved'}, ''),
    (given('a = 1, b = 1, p = a - b', SPACE) + "constraint y' = p*x'\n" + PSI % '(a - b)', {'representations-agree': 'proved'}, ''),
    # the same equation twice, or none
    (given('a = 1, b = 2, c = a + b', SPACE) + "constraint x' = c\nconstraint x' = a + b\n", {'regular': 'proved'}, 'follows from the others'),
    (given('a = 1, b = 2, c = a + b', SPACE) + "constraint x = c*y\nconstraint x = (a + b)*y\n", {'regular': 'proved', 'holonomic': 'proved'}, 'follows from the others'),
    (given('a = 1, b = 2, p = a + b', SPACE) + "constraint y' = p*x'\nconstraint y' = (a + b)*x'\n", {'regular': 'proved', 'methods-agree': 'proved'}, 'follows from the others'),
    (given('a = 1, b = a', SPACE) + "constraint (a - b)*z' = 0\nconstraint y' = x*z'\n", {'regular': 'proved', 'methods-agree': 'proved'}, '0 = 0'),
]
REFUSED = [  # what contradicts, for all values
    (given('a = 1, b = 2, c = a + b', SPACE) + "constraint x' = c\nconstraint x' = a + b + 1\n", 'contradicts'),
    (given('R = 1/2, r = 1/4, d = R - r', SPACE) + "constraint y' = d*x'\n" + PSI % '(R + r)', 'do not satisfy'),
]


def run(nonholo, *arguments, model):
    return subprocess.run([nonholo, *arguments, '-'], input=model.encode(), capture_output=True, timeout=60, check=False)


def main():
    nonholo, failures = sys.argv[1], 0
    for model, wanted, words in FACTS:
        done = run(nonholo, 'check', '--format', 'json', model=model)
        found = {fact['name']: fact['verdict'] for fact in json.loads(done.stdout)['facts']} if done.returncode == 0 else {}
        told = done.stderr.decode()
        same = {name: found.get(name) for name in wanted} == wanted
        evaluated = run(nonholo, 'eval', '--format', 'json', model=model)
        if not same or (words not in told if words else told) or evaluated.returncode:
            failures += 1
            print(f'{model}\n{done.returncode} {({name: found.get(name) for name in wanted})} {told}\neval: {evaluated.returncode} {evaluated.stderr.decode()}')
    for model, words in REFUSED:
        done = run(nonholo, 'check', model=model)
        if done.returncode != 2 or words not in done.stderr.decode():
            failures += 1
            print(f'{model}\n{done.returncode} {done.stderr.decode()}')
    print(f'{len(FACTS) + len(REFUSED)} models, {failures} failures')
    return failures > 0


if __name__ == '__main__':
    sys.exit(main())
