#!/usr/bin/env python3
"""charts.py NONHOLO: states where an equation must not be solved for some of the velocities.

Each system has a start where a coefficient vanishes, or where two branches meet, so that a parametrisation that divides by it
is singular there. All have the kinetic energy 1/2 q'.q' (g = 1); the accelerations at the start are by hand, as is noted, and
both methods have to give them: D of the second kind, and A + R of the first.

And starts that are not given whole, or not on the constraints: the state that they are completed to, by hand too.
"""
import json
import math
import subprocess
import sys

THREE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential y + 2*z\n"
SKATE = "coordinates x, y\nangles a\nkinetic 1/2*(x'^2 + y'^2 + a'^2)\nconstraint x'*sin(a) - y'*cos(a) = 1\n"
CUBES = THREE + "constraint x'^3 + y'^3 + z'^3 = 1\n"
BRANCHES = THREE + "constraint 2*x'^2 - 4*x'*y' = y'^3 - 14\n"

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
    # Two pairs apart: 3 (x'' + y'') = x' and 3 (w'' + z'') = 2 z' + 1, with equal reactions in each, as all velocities are 1.
    ('cubes that depend on place and time', "coordinates w, x, y, z\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\npotential y + 2*z\n"
     "constraint x'^3 + y'^3 = 1 + x\nconstraint w'^3 + z'^3 = 2*z + t\n"
     "initial x = 1, z = 1, w' = 1, x' = 1, y' = 1, z' = 1\n", (3 / 2, 2 / 3, -1 / 3, -1 / 2)),
    # x' = y' -+ sqrt(...), first on the lower branch and then on the upper one. C_i = (4 (x' - y'), -4 x' - 3 y'^2, 0), and the
    # accelerations are A - C_i (C_i.A)/(C_i.C_i).
    ('the lower branch', BRANCHES + "initial x' = 1, y' = 2\n", (4 / 17, -1 / 17, -2)),
    ('the upper branch', BRANCHES + "initial x' = 3, y' = 2\n", (-6 / 37, -1 / 37, -2)),
    # w' + x' = 1 and z' sin(y) = 1 are what is asked: w'' = -x'' = (A_w - A_x)/2, and z'' = 0 at y = pi/2.
    ('rows that are alike', "coordinates w, x, y, z\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\npotential w + y + 2*z\n"
     "constraint w' + x' = 1\nconstraint w' + x' + z'*sin(y) = 2\ninitial y = pi/2, w' = 3, x' = -2, y' = 3, z' = 1\n",
     (-0.5, 0.5, -1, 0)),
    ('rows that are alike, in another order', "coordinates w, z, x, y\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\npotential w + y + 2*z\n"
     "constraint w' + x' = 1\nconstraint w' + x' + z'*sin(y) = 2\ninitial y = pi/2, w' = 3, x' = -2, y' = 3, z' = 1\n",
     (-0.5, 0, 0.5, -1)),
    # The velocities are d' e and a constant, e = (2, 3, 1, 1): D = e (e.A)/(e.e) = -8/15 e. Solved for those of a, b, c, the rows
    # have to be exchanged.
    ('rows in another order', "coordinates a, b, c, d\nkinetic 1/2*(a'^2 + b'^2 + c'^2 + d'^2)\npotential a + 2*b\n"
     "constraint c' = d' + 1\nconstraint a' = 2*d'\nconstraint b' = 3*d'\nindependent d'\ninitial d' = 1, a' = 2, b' = 3, c' = 2\n",
     (-16 / 15, -24 / 15, -8 / 15, -8 / 15)),
    # sin(a) is 0 at the start, and the other entry of its column is longer. With a = 0 and a' = 1: x' = y' = z' = 1,
    # z'' = -a' x' = -1, and along (1, 1, 0, 1) the acceleration is -1/3.
    ('a pivot that vanishes', "coordinates x, y, z, a\nkinetic 1/2*(x'^2 + y'^2 + z'^2 + a'^2)\npotential y\n"
     "constraint x'*sin(a) + z' = 1\nconstraint (2 + cos(a) + a^2)*x' = 3*a'\nconstraint y' = a'\nindependent a'\n"
     "initial a' = 1, x' = 1, y' = 1, z' = 1\n", (-1 / 3, -1 / 3, -1, -1 / 3)),
]

# g = ((2, 1, 0), (1, 3, 0), (0, 0, 1)): g^-1 (1, 1, 1) = (2, 1, 5)/5, so that the velocities of least energy are as 2 : 1 : 5.
COUPLED = "x'^2 + x'*y' + 3/2*y'^2 + 1/2*z'^2"
PLANE = "coordinates x, y\nkinetic 1/2*x'^2 + y'^2\n"  # g = (1, 2)
FLAT = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n"

PAIRS = "coordinates x, y, z, w\nkinetic 1/2*(x'^2 + y'^2 + z'^2 + w'^2)%s\nconstraint x'*w' = y'*z'\nconstraint x'^2 + y'^2 = z'^2 + w'^2\n"

STARTS = [
    ('least energy', f"coordinates x, y, z\nkinetic {COUPLED}\nconstraint x' + y' + z' = 2\n", [], {"x'": 1 / 2, "y'": 1 / 4, "z'": 5 / 4}),
    # w is not coupled to the others, and stands between them
    ('least energy, one held', f"coordinates x, w, y, z\nkinetic {COUPLED} + 1/2*w'^2\nconstraint x' + w' + y' + z' = 5\n",
     ['--start', "w'=3"], {"x'": 1 / 2, "w'": 3, "y'": 1 / 4, "z'": 5 / 4}),
    # the foot of the perpendicular: 9 (1, 2, 2)/9; with z = 4, x + 2 y = 1 is left: (1, 2)/5
    ('nearest on a plane', THREE + 'constraint x + 2*y + 2*z = 9\n', [], {'x': 1, 'y': 2, 'z': 2}),
    ('nearest on a plane, one held', THREE + 'constraint x + 2*y + 2*z = 9\n', ['--start', 'z=4'], {'x': 1 / 5, 'y': 2 / 5, 'z': 4}),
    # two planes, x + y = 2 and y + z = 4: (a, a + b, b) with 2 a + b = 2 and a + 2 b = 4
    ('nearest on a line', THREE + 'constraint x + y = 2\nconstraint y + z = 4\n', [], {'x': 0, 'y': 2, 'z': 2}),
    # x^2 + (x - 3)^4 is least where x + 2 (x - 3)^3 = 0
    ('nearest on a parabola', FLAT + 'constraint y = (x - 3)^2\n', [], {'x': 2, 'y': 1}),
    # (y + 1) (y - 3/2) (y - 3): its slope is 0 at y = 0, and y = -1 is nearest to that; and 0 at 7/3, to which 3 is nearest
    ('a start where nothing moves', FLAT + 'constraint y^3 - 7/2*y^2 + 9/2 = 0\n', [], {'x': 0, 'y': -1}),
    ('another', FLAT + 'constraint y^3 - 7/2*y^2 + 9/2 = 0\n', ['--start', 'y=7/3', '--project'], {'x': 0, 'y': 3}),
    ('velocities where nothing moves', FLAT + "constraint y'^3 - 7/2*y'^2 + 9/2 = 0\n", [], {"x'": 0, "y'": -1}),
    # (2, 0) has the energy 2, and (0, 1) has 9/2; by length it would be the other one
    ('least energy of several', "coordinates x, y\nkinetic 1/2*x'^2 + 9/2*y'^2\nconstraint x'^3/8 + y'^3 = 1\n", [], {"x'": 2, "y'": 0}),
    ('least energy of several, weights changed', "coordinates x, y\nkinetic 9/2*x'^2 + 1/2*y'^2\nconstraint x'^3 + y'^3/8 = 1\n", [],
     {"x'": 0, "y'": 2}),
    # w' = y' z' and 1 + y'^2 = (1 + y'^2) z'^2: z' is 1 or -1, w' = y' z'. With x' = z' = 1 both say w' = y', and
    # with w' - 1 for w' the energy is least where y'^2 + (y' + 1)^2 is; with one unknown left there are more equations than unknowns, and they agree
    ('equations that depend on each other', PAIRS % "", ['--start', "x'=1,z'=1"], {"y'": 0, "w'": 0}),
    ('equations that depend on each other, away from 0', (PAIRS % "").replace("w' = y'", "(w' - 1) = y'").replace("+ w'^2\n", "+ (w' - 1)^2\n"),
     ['--start', "x'=1,z'=1"], {"y'": -1 / 2, "w'": 1 / 2}),
    ('more equations than unknowns', PAIRS % "", ['--start', "x'=1,y'=1/2,z'=1"], {"w'": 1 / 2}),
    ('more equations than unknowns, another', PAIRS % "", ['--start', "x'=1,y'=2,w'=-2"], {"z'": -1}),
    # the nearer one of two: (y' - 3/10) (y' + 1/10) = 0
    ('the smaller of two', FLAT + "constraint (y' - 3/10)*(y' + 1/10) = 0\n", [], {"y'": -1 / 10}),
    # in units of 1e-6: 9 + 16 = 25, and z' = -y'
    ('small velocities', THREE + "constraint x'^2 + y'^2 = 25e-12\nconstraint y' + z' + 1e3*(y' + 4e-6) = 0\n", ['--start', "x'=3e-6"],
     {"y'": -4e-6, "z'": 4e-6}),
    # moved by least energy, 1/2 (x' - 1)^2 + y'^2 on x' = y'; positions by the distance
    ('projected velocities', PLANE + "constraint x' = y'\n", ['--start', "x'=1,y'=0", '--project'], {"x'": 1 / 3, "y'": 1 / 3}),
    ('projected velocities, others free', "coordinates x, y, z\nkinetic 1/2*x'^2 + y'^2 + z'^2\nconstraint x' = y'\n",
     ['--start', "x'=1,y'=0", '--project'], {"x'": 1 / 3, "y'": 1 / 3, "z'": 0}),
    # s (2, 1) with s = (2, 1).g (0, 3)/(2, 1).g (2, 1) = 15/15
    ('projected velocities, coupled', "coordinates x, y\nkinetic x'^2 + x'*y' + 3/2*y'^2\nconstraint x' = 2*y'\n",
     ['--start', "x'=0,y'=3", '--project'], {"x'": 2, "y'": 1}),
    ('projected positions', PLANE + 'constraint x = y\n', ['--start', 'x=3,y=0', '--project'], {'x': 3 / 2, 'y': 3 / 2}),
    # off by 1e-7: the same without being asked
    ('nearly on C', PLANE + "constraint x' = y'\n", ['--start', "x'=1,y'=1+3e-7"], {"x'": 1 + 2e-7, "y'": 1 + 2e-7}),
    # off by 4e-9, and z' = 6e-5 would do as well as -6e-5: (1, 1, 0)/sqrt(2) is nearest
    ('nearly on C, with another left out', THREE + "constraint x'^2 + y'^2 + z'^2 = 1\n", ['--start', "x'=0.70710678,y'=0.70710678"],
     {"x'": math.sqrt(1 / 2), "y'": math.sqrt(1 / 2), "z'": 0}),
    # u = 1 and w = 2; u + (u - y')/2 + u^3 = x' has one solution
    ('velocities of a parametrisation', THREE + "constraint z' = x' + y'\nvelocities u, w\n"
     "parametric x' = u + w + u^3, y' = u - 2*w, z' = 2*u - w + u^3\n", ['--start', "x'=4,y'=-3,z'=1"], {'u': 1, 'w': 2}),
]

# Starts that are refused, and words of the message.
REFUSED = [
    # (3, 4) and (3, -4)
    ('two that are as near', FLAT + 'constraint x^2 + y^2 = 25\n', ['--start', 'x=3'], 'no unique initial coordinates'),
    ('two that are as small', FLAT + "constraint x'^2 + y'^2 = 25\n", ['--start', "x'=3"], 'no unique initial velocities'),
    # z' = w' = 1, 1/2 and -1, -1/2; z' = 1 and z' = -1 with y' = w' = 0; y' = z' = 1 and -1
    ('one of two pairs', PAIRS % "", ['--start', "x'=1,y'=1/2"], "no unique initial velocities satisfy the constraints with the given ones held; give z' or w'"),
    ('one of two signs', PAIRS % "", ['--start', "x'=1"], "held; give z' in 'initial'"),
    ('one of two pairs, others', PAIRS % "", ['--start', "x'=1,w'=1"], "held; give y' or z' in 'initial'"),
    # a circle of them
    ('any direction', FLAT + "constraint x'^2 + y'^2 = 25\n", [], "give x' or y'"),
    # 1 + y'^2 = (1 + y'^2) z'^2 has no solution with z' = 2
    ('none', PAIRS % "", ['--start', "x'=1,z'=2"], 'no initial velocities were found'),
    ('off C', PLANE + "constraint x' = y'\n", ['--start', "x'=1,y'=0"], 'velocities violate the constraints by 1'),
]


def accelerations(evaluated):
    return {'second': evaluated['second']['D'], 'first': [a + r for a, r in zip(evaluated['A'], evaluated['first']['R'])]}


def evaluate(nonholo, model, options=()):
    return subprocess.run([nonholo, 'eval', '--format', 'json', '--quiet', '-', *options], input=model.encode(), capture_output=True)


def starts(nonholo):
    """What is wrong with the states that starts are completed to."""
    for title, model, options, known in STARTS:
        done = evaluate(nonholo, model, options)
        state = json.loads(done.stdout)['state'] if done.returncode == 0 else {}
        if not all(name in state and math.isclose(state[name], x, rel_tol=1e-9, abs_tol=1e-9) for name, x in known.items()):
            yield f'{title}: {state} for {known}: {done.stderr.decode()}'
    for title, model, options, words in REFUSED:
        done = evaluate(nonholo, model, options)
        if done.returncode != 2 or words not in done.stderr.decode() or done.stdout:
            yield f'{title}: eval ended with {done.returncode}: {done.stderr.decode()}'


def main():
    nonholo, failures = sys.argv[1], 0
    for title, model, known in SYSTEMS:
        done = evaluate(nonholo, model)
        if done.returncode:
            failures += 1
            print(f'{title}: eval ended with {done.returncode}: {done.stderr.decode()}')
            continue
        for kind, found in accelerations(json.loads(done.stdout)).items():
            if not all(a is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, known)):
                failures += 1
                print(f'{title}: {kind} kind: {found} for {known}')
    for problem in starts(nonholo):
        failures += 1
        print(problem)
    print(f'{len(SYSTEMS)} systems, {len(STARTS) + len(REFUSED)} starts, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
