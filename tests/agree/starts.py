#!/usr/bin/env python3
"""starts.py NONHOLO: starts in all units. What is given is held, and what is left out is completed, whatever the lengths are.

Each model has a parameter R between 1e-12 and 1e12; the states are by hand, and to twelve digits of each of their numbers.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

UNITS = [1e-12, 5e-7, 1, 6.4e6, 1e12]

WHEEL = "coordinates x\nangles p\nparameters R = %r, m = 1e-12\nkinetic 1/2*m*x'^2 + 1/4*m*R^2*p'^2\nconstraint x' = R*p'\n"
LOOSE = "coordinates x, p\nparameters R = %r\nkinetic 1/2*(x'^2 + p'^2)\nconstraint x' = R*p'\n"
BLADE = ("coordinates x, y\nangles a\nparameters R = %r\nkinetic 1/2*(x'^2 + y'^2 + R^2*a'^2)\n"
         "constraint x'*sin(a) - y'*cos(a) + 0.2*R*a' = 0\n")
SKATE = "coordinates x, y\nangles a\nparameters R = %r\nkinetic 1/2*(x'^2 + y'^2 + R^2*a'^2)\nconstraint x'*sin(a) = y'*cos(a)\n"
RACK = "coordinates x\nangles p\nparameters R = %r, m = 1\nkinetic 1/2*m*x'^2 + 1/2*m*R^2*p'^2\nconstraint x = R*p\n"
CRANK = "coordinates x, y\nangles a\nparameters R = %r\npoint P at (x, y) mass 1\nconstraint (x, y) = R*(cos(a), sin(a))\n"
SPEED = "coordinates x, y\nparameters R = %r\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + y'^2 = R^2\n"
RING = "coordinates x, y\nangles a\nparameters R = %r\nkinetic 1/2*(x'^2 + y'^2 + a'^2)\nconstraint x^2 + y^2 = R^2\n"
SUM = "coordinates x, y, z\nparameters R = %r\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' = R\nconstraint z' = x' + y'\n"

SIN, COS = math.sin(0.2), math.cos(0.2)

# model, initial, the state by R
STATES = [
    *((model, "p' = 1", lambda R: {"p'": 1, "x'": R}) for model in (WHEEL, LOOSE)),
    *((model, "x' = 1", lambda R: {"p'": 1 / R, "x'": 1}) for model in (WHEEL, LOOSE)),
    (BLADE, "x' = R, a' = 1, a = 0.2", lambda R: {"x'": R, "a'": 1, "y'": R * (SIN + 0.2) / COS}),
    (BLADE, "x' = R, y' = 0, a = 0.2", lambda R: {"x'": R, "y'": 0, "a'": -5 * SIN}),
    # sin(pi) is 0 but for rounding, and so is what is left out
    (SKATE, "a = pi, x' = R", lambda R: {"x'": R, "y'": 0, "a'": 0}),
    (SKATE, "a = 0.2, x' = R*cos(0.2), y' = R*sin(0.2)", lambda R: {"x'": R * COS, "y'": R * SIN, "a'": 0}),
    (RACK, "p = 1, p' = 1", lambda R: {'p': 1, "p'": 1, 'x': R, "x'": R}),
    (RACK, "x = R, p' = 1", lambda R: {'p': 1, "p'": 1, 'x': R, "x'": R}),
    (CRANK, "a = 0.2, a' = 2", lambda R: {'x': R * COS, 'y': R * SIN, "x'": -2 * R * SIN, "y'": 2 * R * COS, "a'": 2}),
    (CRANK, "x = R*0.6, y = R*0.8, a = atan2(4,3), x' = -0.8*R, y' = 0.6*R", lambda R: {"a'": 1}),
    (SPEED, "x' = 0.6*R, y' = 0.8*R", lambda R: {"x'": 0.6 * R, "y'": 0.8 * R}),
    (SPEED, "x' = R", lambda R: {"x'": R, "y'": 0}),
    (RING, "x = 0.6*R, y = -0.8*R, y' = R, a = 1", lambda R: {'y': -0.8 * R, "x'": R * 4 / 3, "y'": R}),
    # x' is off by a little, and z' is left out: x' is brought onto its constraint, by least energy beside (y', z')
    (SUM, "x' = R*(1 + 3e-9), y' = R", lambda R: {"x'": R, "z'": 2 * R}),
]

# model, initial, words of the message
REFUSED = [
    *((model, given, 'velocities violate the constraints by 1') for model in (WHEEL, LOOSE) for given in ("x' = 0, p' = 1", "x' = 1, p' = 0")),
    *((model, "x' = 1.001*R, p' = 1", 'velocities violate the constraints by ') for model in (WHEEL, LOOSE)),
    (RACK, "x = 0, p = 1, p' = 1", 'coordinates violate the constraints by '),
    (SPEED, "x' = 0.6*R", "give y' in 'initial'"),
    (SPEED, "x' = 0.6*R, y' = 0.7*R", 'velocities violate the constraints by '),
    (RING, "x = 0.6*R, a = 1", "give y in 'initial'"),
    # an angle of many turns is no reason to forgive more
    (SKATE, "a = 1000, x' = R*cos(1000), y' = R*sin(1000)*(1 + 1e-4), a' = 0", 'velocities violate the constraints by '),
]


def program(nonholo, command, model, *options):
    return subprocess.run([nonholo, command, *map(str, options), '-'], input=model.encode(), capture_output=True, timeout=100)


def fits(state, known, digits=1e-12):
    return all(name in state and abs(state[name] - x) <= digits * abs(x) for name, x in known.items())


def evaluated(nonholo, model):
    done = program(nonholo, 'eval', model, '--format', 'json', '--quiet')
    return json.loads(done.stdout)['state'] if done.returncode == 0 else {}, done.stderr.decode()


def first_row(done, skip=0):
    lines = done.stdout.decode().splitlines()
    return dict(zip(lines[0].split(',')[skip:], map(float, lines[1].split(',')[skip:]))) if len(lines) > 1 else {}


def runs(nonholo, folder):
    """Both methods, and tables, begin where eval does."""
    table = os.path.join(folder, 'starts.csv')
    with open(table, 'w', encoding='utf-8') as out:
        out.write("p'\n1\n")
    for R in UNITS:
        for method in ('first', 'second'):
            common = ['--quiet', '--to', 1, '--every', 1, '--method', method]
            row = first_row(program(nonholo, 'run', WHEEL % R + "initial p' = 1\n", *common))
            yield fits(row, {"p'": 1, "x'": R}), f'run, {method} kind, R = {R}: {row}'
            row = first_row(program(nonholo, 'run', WHEEL % R, *common, '--starts', table), 1)
            yield fits(row, {"p'": 1, "x'": R}), f'run, {method} kind, a table, R = {R}: {row}'


def nearly(nonholo):
    """A start that is given whole, and off by a little, is brought onto the constraint."""
    for model in (WHEEL, LOOSE):
        for R in UNITS:
            state, told = evaluated(nonholo, model % R + "initial x' = R*(1 + 1e-9), p' = 1\n")
            good = fits(state, {"x'": R, "p'": 1}, 2e-9) and abs(state["x'"] - R * state["p'"]) <= 1e-15 * R
            yield good, f'{model % R}: {state} {told}'


def states(nonholo):
    for R in UNITS:
        for model, initial, known in STATES:
            state, told = evaluated(nonholo, model % R + f'initial {initial}\n')
            # least energy moves a velocity by a part of 3e-9 of its own
            yield fits(state, known(R), 3e-9 if model is SUM else 1e-12), f'{model % R}initial {initial}: {state} for {known(R)} {told}'
        for model, initial, words in REFUSED:
            done = program(nonholo, 'eval', model % R + f'initial {initial}\n')
            yield done.returncode == 2 and words in done.stderr.decode(), f'{model % R}initial {initial}: {done.stderr.decode()}'


def branches(nonholo):
    """The branch is that of `initial`, and the names that it shows are there for --start: y'^2 = x'^3 + 2."""
    for sign in ('', '-'):
        model = f"coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y'^2 = x'^3 + 2\ninitial x' = 1, y' = {sign}sqrt(3)\n"
        known = {"x'": 0.5, "y'": float(f'{sign}1') * math.sqrt(2.125)}
        done = program(nonholo, 'eval', model, '--format', 'json', '--quiet', '--start', 'u1=0.5')
        state = json.loads(done.stdout)['state'] if done.returncode == 0 else {}
        yield fits(state, known), f'eval --start u1: {state} {done.stderr.decode()}'
        done = program(nonholo, 'run', model, '--quiet', '--to', 1, '--start', 'u1=0.5')
        yield fits(first_row(done), known), f'run --start u1: {first_row(done)} {done.stderr.decode()}'
        done = program(nonholo, 'linearize', model, '--at', 'u1=1')
        yield done.returncode == 0, f'linearize --at u1: {done.stderr.decode()}'
        done = program(nonholo, 'eval', model, '--start', 'u7=1')
        yield done.returncode == 2 and "unknown name 'u7'" in done.stderr.decode(), f'u7: {done.stderr.decode()}'


def tables(nonholo, folder):
    """What the model gives is no start, and no line needs it; one that does is refused."""
    model = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + y'^2 = 1\ninitial x' = 0.5\n"
    table = os.path.join(folder, 'starts.csv')
    for columns, lines, status, words in ((["x'", "y'"], ['0.6,0.8', '-0.8,0.6'], 0, ''), (["x'"], ['1', '0.3'], 2, 'starts.csv:3:1'),
                                          (['x'], ['1'], 2, 'starts.csv:2:1'), (["x'", "y'"], ['0.6,0.8', '0.6,0.7'], 2, 'starts.csv:3:1')):
        with open(table, 'w', encoding='utf-8') as out:
            out.write('\n'.join([','.join(columns), *lines]) + '\n')
        for method in ('first', 'second'):
            done = program(nonholo, 'run', model, '--quiet', '--method', method, '--to', 1, '--starts', table)
            rows = [line.split(',') for line in done.stdout.decode().splitlines()[1:]]
            good = done.returncode == status and words in done.stderr.decode() and len(rows) == (0 if status else 2 * len(lines))
            # a point that no force acts on goes straight on: x = x' t
            good = good and all(abs(float(row[2]) - float(row[1]) * float(row[4])) < 1e-12 for row in rows)
            yield good, f'table {columns} {lines}: {done.returncode} {rows} {done.stderr.decode()}'
    # free velocities that have names of the program's own, on the branch that `initial` is on
    for model, line, known in ((("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x'*y' = z'^2\ninitial x' = 1, y' = 1, z' = -1\n"), ('u1,u2', '2,3'),
                                {"x'": 2, "y'": 3, "z'": -math.sqrt(6)}),
                               (("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 - y'^2 = 1\ninitial x' = -2, y' = sqrt(3)\n"), ('u1', '2'),
                                {"x'": -math.sqrt(5), "y'": 2}),
                               (("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + 4*y'^2 = 1\ninitial x' = 0.6, y' = 0.4\n"), ('u1', '2'),
                                {"x'": math.cos(2), "y'": math.sin(2) / 2})):
        with open(table, 'w', encoding='utf-8') as out:
            out.write('\n'.join(line) + '\n')
        for more in ([], ['--method', 'first']):
            done = program(nonholo, 'run', model, '--quiet', '--to', 1, '--starts', table, *more)
            yield done.returncode == 0 and fits(first_row(done), known), f'table {line} {more}: {first_row(done)} {done.stderr.decode()}'


def main():
    nonholo, count, failures = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for part in (states(nonholo), nearly(nonholo), runs(nonholo, folder), branches(nonholo), tables(nonholo, folder)):
            for good, problem in part:
                count, failures = count + 1, failures + (not good)
                if not good:
                    print(problem)
    print(f'{count} starts, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
