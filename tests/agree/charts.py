#!/usr/bin/env python3
"""charts.py NONHOLO: states where an equation must not be solved for some of the velocities.

Each system has a start where a coefficient vanishes, or where two branches meet, so that a parametrisation that divides by it
is singular there. All have the kinetic energy 1/2 q'.q' (g = 1); the accelerations at the start are by hand, as is noted, and
both methods have to give them: D of the second kind, and A + R of the first.
"""
import json
import math
import subprocess
import sys

THREE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential y + 2*z\n"
SKATE = "coordinates x, y\nangles a\nkinetic 1/2*(x'^2 + y'^2 + a'^2)\nconstraint x'*sin(a) - y'*cos(a) = 1\n"
CUBES = THREE + "constraint x'^3 + y'^3 + z'^3 = 1\n"

SYSTEMS = [
    # At x = -1: x' = 0 and x'' = x' y' = 0, so z' z'' = -x' x'' = 0; the reactions have no y: y'' = -1.
    ('a coefficient 1 + x', THREE + "constraint x' = (1 + x)*y'\nconstraint x'^2 + z'^2 = 4\ninitial x = -1, y' = 1, z' = 2\n",
     (0, -1, 0)),
    # The same with the roles of x and y changed: y' = 0, y'' = 0, z'' = 0, and x is free of forces.
    ('a coefficient 1 + y', THREE + "constraint y' = (1 + y)*x'\nconstraint y'^2 + z'^2 = 4\ninitial y = -1, x' = 1, z' = 2\n",
     (0, 0, 0)),
    # a + b = 0: x' = 0.
    ('parameters of both signs', THREE + "parameters a = 1, b = -1\nconstraint x' = (a + b)*y'\nconstraint x'^2 + z'^2 = 4\n"
     "initial y' = 1, z' = 2\n", (0, -1, 0)),
    # a - 2 = 0, in other words.
    ('a product with a negative parameter', THREE + "parameters a = 2, b = -1\nconstraint x' = (a + a*b)*y' - y'*a*b - 2*y'\n"
     "constraint x'^2 + z'^2 = 4\ninitial y' = 1, z' = 2\n", (0, -1, 0)),
    # x^2 + y^2 = 0 at the origin; there x' = 0, x'' = 0 and z'' = 0.
    ('squares that may all vanish', THREE + "constraint x' = (x^2 + y^2)*y'\nconstraint x'^2 + z'^2 = 4\ninitial y' = 1, z' = 2\n",
     (0, -1, 0)),
    # C = x' sin(a) - y' cos(a) - 1: x'' = l sin(a) and y'' = -l cos(a) with l = -a' (x' cos(a) + y' sin(a)).
    ('affine, a = 0', SKATE + "initial a = 0, x' = 2, y' = -1, a' = 3\n", (0, 6, 0)),
    ('affine, a = pi/2', SKATE + "initial a = pi/2, x' = 1, y' = 2, a' = 3\n", (-6, 0, 0)),
    # C_i = 3 (x'^2, y'^2, z'^2) has one entry: that acceleration is 0, the others are A = (0, -1, -2).
    ('cubes, along x', CUBES + "initial x' = 1\n", (0, -1, -2)),
    ('cubes, along y', CUBES + "initial y' = 1\n", (0, 0, -2)),
    ('cubes, along z', CUBES + "initial z' = 1\n", (0, -1, 0)),
    # w' + x' = 1 and z' sin(y) = 1 are what is asked: w'' = -x'' = (A_w - A_x)/2, and z'' = 0 at y = pi/2.
    ('rows that are alike', "coordinates w, x, y, z\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\npotential w + y + 2*z\n"
     "constraint w' + x' = 1\nconstraint w' + x' + z'*sin(y) = 2\ninitial y = pi/2, w' = 3, x' = -2, y' = 3, z' = 1\n",
     (-0.5, 0.5, -1, 0)),
]


def accelerations(evaluated):
    return {'second': evaluated['second']['D'], 'first': [a + r for a, r in zip(evaluated['A'], evaluated['first']['R'])]}


def main():
    nonholo, failures = sys.argv[1], 0
    for title, model, known in SYSTEMS:
        done = subprocess.run([nonholo, 'eval', '--format', 'json', '--quiet', '-'], input=model.encode(), capture_output=True)
        if done.returncode:
            failures += 1
            print(f'{title}: eval ended with {done.returncode}: {done.stderr.decode()}')
            continue
        for kind, found in accelerations(json.loads(done.stdout)).items():
            if not all(a is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, known)):
                failures += 1
                print(f'{title}: {kind} kind: {found} for {known}')
    print(f'{len(SYSTEMS)} systems, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
