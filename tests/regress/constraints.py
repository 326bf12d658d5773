#!/usr/bin/env python3
"""constraints.py NONHOLO: constraints with velocities in denominators, ones that depend on each other, and ones that never hold.

The right answers are by hand: the accelerations are those nearest to the free ones that the derivative of the constraint admits.
"""
import json
import math
import subprocess
import sys

PLANE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1\n"
SPACE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nforce x = 1\n"
FREE = SPACE.replace('force x = 1\n', '')
GOLDEN = (1 + math.sqrt(5)) / 2
CIRCLE = ("x'^2 + y'^2 = 1", "x' = sqrt(1 - y'^2)")
FOUR = "coordinates x, y, z, w\nkinetic 1/2*(x'^2 + 2*y'^2 + 3*z'^2 + w'^2)\n"

# model, start, q' there, q''
MOTIONS = [
    (PLANE + "constraint y' = 1/x'\n", "y'=2", (1 / 2, 2), (1 / 17, -4 / 17)),
    (PLANE + "constraint 1/x' = y'\n", "x'=-1/2", (-1 / 2, -2), (1 / 17, -4 / 17)),
    (PLANE + "constraint 1/x'^2 = y'\n", "x'=1", (1, 1), (1 / 5, -2 / 5)),
    (PLANE + "constraint x'^(-2) = y'\n", "x'=-1", (-1, 1), (1 / 5, 2 / 5)),
    (PLANE + "constraint 1/x' = 2\n", "y'=3", (1 / 2, 3), (0, 0)),
    (PLANE + "constraint x'*y'/y' = 1\n", "y'=2", (1, 2), (0, 0)),
    (PLANE + "constraint 1/(x*x') = 1\n", "x=2,y'=1", (1 / 2, 1), (-1 / 8, 0)),
    (PLANE + "constraint (1 + x')/x' = y'\n", "x'=1", (1, 2), (1 / 2, -1 / 2)),
    (SPACE + "constraint (x'^2 - 1)/(x' - 1) = y'\n", "x'=2", (2, 3, 0), (1 / 2, 1 / 2, 0)),
    (SPACE + "constraint y' = 1/(x' - z')\n", "x'=2,z'=1", (2, 1, 1), (2 / 3, -1 / 3, 1 / 3)),
    (SPACE + "constraint 1/(x' - t) = y'\n", "t=1,x'=2", (2, 1, 0), (1, 0, 0)),
    (SPACE + "constraint x'/y' = z\n", "z=1,y'=1,z'=2", (1, 1, 2), (3 / 2, -1 / 2, 0)),
    (SPACE + "constraint y' = z'/x'\n", "x'=1,z'=1", (1, 1, 1), (2 / 3, -1 / 3, 1 / 3)),
    (SPACE + "constraint y' = 1/(x'^2 + 1)\n", "x'=1", (1, 1 / 2, 0), (4 / 5, -2 / 5, 0)),
    (SPACE.replace('x = 1', 'y = 1') + "constraint sqrt(2*z + z' - 2) = z'\n", "z=3/2", (0, 0, GOLDEN), (0, 1, 1 + 1 / math.sqrt(5))),
]

# model, command, start, status, what the messages say; '' is silence
MESSAGES = [
    # half a circle follows from nothing; the circle follows from the half
    *((FOUR + ''.join(f'constraint {c}\n' for c in order), 'derive', None, 0, f'the equation in line {line} follows from the others')
      for order, line in ((CIRCLE, 3), (CIRCLE[::-1], 4))),
    *((FOUR + ''.join(f'constraint {c}\n' for c in order), 'eval', "x'=-0.6,y'=0.8", 2, "contradict the constraint x' = sqrt(1 - y'^2) by 1.")
      for order in (CIRCLE, CIRCLE[::-1])),
    (FREE + 'constraint (x - y)^2 = 0\n', 'derive', None, 2, 'write f = 0 instead of f^2 = 0'),
    (FREE + 'constraint y*y = 0\n', 'derive', None, 2, 'write f = 0 instead of f^2 = 0'),
    *((FREE + f'constraint {c}\n', 'derive', None, 0, '') for c in (
        'tan(x) = 1', 'exp(x) = 1e6', 'acos(x) = 3', 'x^10 = 2', 'x^2 + y^2 = t - 5', "x'^2 + y'^2 = t - 5")),
    # with a = 2 one of them follows from the other, and two degrees of freedom are left
    *(("coordinates x, y, z\nparameters a = 2\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' = a*y'\nconstraint x' = 2*y'\n", command, None, 0,
       'the constraints in lines 4, 5 depend on each other with these values of the parameters, at every state') for command in ('derive', 'export')),
    ("coordinates x, y, z\nparameters a = 3\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' = a*y'\nconstraint x' = 2*y'\n", 'derive', None, 0, ''),
    (FREE + "constraint x'*y' = 1\nconstraint z' = x'\n", 'eval', "x'=0,y'=0", 2, 'the initial velocities violate the constraints by 1;'),
    (FREE + "constraint x'*y' = 1\nconstraint z' = x'\n", 'eval', "x'=0", 2, "the given initial velocities contradict the constraint x'*y' = 1"),
]


def run(nonholo, command, model, *options):
    return subprocess.run([nonholo, command, *options, '-'], input=model.encode(), capture_output=True, timeout=100)


def motion(nonholo, model, start, rates, accelerations):
    done = run(nonholo, 'eval', model, '--format', 'json', '--quiet', '--start', start)
    if done.returncode:
        return [done.stderr.decode()]
    at = json.loads(done.stdout)
    first = [a + r for a, r in zip(at['A'], at['first']['R'])]  # all masses are 1
    found = {'rates': [at['state'][q + "'"] for q in 'xyz'[:len(rates)]], 'first': first, 'second': at['second']['D']}
    wanted = {'rates': rates, 'first': accelerations, 'second': accelerations}
    return [f'{name}: {found[name]} and not {wanted[name]}' for name in found
            if not all(abs(a - b) < 1e-9 for a, b in zip(found[name], wanted[name]))]


def in_general(nonholo, model):
    """Without a start: everything is said of the system, and nothing of factors."""
    faults = []
    for command in (['derive', '--steps'], ['derive'], ['check'], ['equilibria']):
        done = run(nonholo, command[0], model, *command[1:])
        if done.returncode or done.stderr:
            faults.append(f'{" ".join(command)} ended with {done.returncode}: {done.stderr.decode()}')
    facts = {fact['name']: fact['verdict'] for fact in json.loads(run(nonholo, 'check', model, '--format', 'json').stdout)['facts']}
    return faults + [f'{name} is {facts[name]}' for name in ('reactions-ideal', 'methods-agree') if facts[name] not in ('proved', 'tested')]


def message(nonholo, model, command, start, status, words):
    options = ['--to', 'c'] if command == 'export' else ['--start', start] if start else []
    done = run(nonholo, command, model, *options)
    said = done.stderr.decode()
    fine = done.returncode == status and (words in said if words else not said)
    return [] if fine else [f'{command} ended with {done.returncode}: {said}']


def main():
    nonholo, failures = sys.argv[1], 0
    tests = [(motion, m) for m in MOTIONS] + [(in_general, m[:1]) for m in MOTIONS] + [(message, m) for m in MESSAGES]
    for test, (model, *rest) in tests:
        for fault in test(nonholo, model, *rest):
            failures += 1
            print(f'{test.__name__}: {fault}\n{model}')
    return failures > 0


if __name__ == '__main__':
    sys.exit(main())
