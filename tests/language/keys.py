#!/usr/bin/env python3
"""keys.py NONHOLO: what scripts rely on: the keys of JSON, reasons for what is null, and names that the program chooses itself.

The numbers are those of the models, which are simple enough to be seen.
"""
import json
import subprocess
import sys

# Inputs and abbreviations have the names that new velocities and common parts of formulas would get.
CONTROLS = """system Controls
coordinates x, y
angles a
parameters m = 2, n = m/8, unused
input u1 = 3 + t, u2 = 5
let k1 = 7, k2 = 5
kinetic 1/2*m*(x'^2 + y'^2) + n*a'^2
force a = u1, x = u2
constraint x'*sin(a) = y'*cos(a)
observe k3 = u1*k1
"""
COUPLED = """coordinates x, y, z, a, b
let k1 = 7, k2 = 5
kinetic (x'^2 + y'^2 + z'^2)*(2 + sin(a)*cos(b + x)) + a'^2*(3 + cos(x*y)) + b'^2*exp(z) + 0.1*a'*b'*sin(x - y) + x'*a'*cos(z)/4 + y'*b'*sin(z + x)/5
constraint x'*sin(a + z) = y'*cos(b) + z'*exp(x) + a'*y
observe k3 = x*k1
"""
NO_INERTIA = "coordinates x, y, z\nkinetic x'^2 + z'^2\nconstraint y' = x'/2\n"
CIRCLE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = 25\ninitial x = 3, y = 4, x' = 4, y' = -3\n"
PARAMETRIC = "coordinates x, y\nkinetic x'^2 + y'^2\nvelocities u\nparametric x' = u, y' = u^3\n"
CONTRADICTION = "coordinates x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint x' + y' = 1\ninitial x' = 1, y' = 3\n"

AGREES = "coordinates x, y, z\nkinetic x'^2 + y'^2 + z'^2\nvelocities u, w\nconstraint x' = y'*atan(z)\nparametric y' = u, x' = %s, z' = w\n"


def answer(nonholo, command, model, *options):
    done = subprocess.run([nonholo, command, '-', '--format', 'json', *options], input=model.encode(), capture_output=True)
    if done.returncode != 0:
        sys.exit(f'{command} ended with {done.returncode}: {done.stderr.decode()}')
    return json.loads(done.stdout)


def eval_has_the_keys_of_derive(nonholo):
    for model in (CONTROLS, NO_INERTIA, CIRCLE, PARAMETRIC):
        derived, numbers = answer(nonholo, 'derive', model), answer(nonholo, 'eval', model)
        missing = set(derived) - set(numbers) - {'where'}  # names of parts of formulas, which numbers have not
        assert not missing and 'state' in numbers, missing
    numbers = answer(nonholo, 'eval', CONTROLS)
    assert numbers['system'] == 'Controls' and numbers['coordinates'] == ['x', 'y', 'a']
    assert numbers['parameters'] == {'m': 2, 'n': 0.25, 'unused': None}
    assert answer(nonholo, 'eval', CIRCLE)['positions'] == [0]


def what_is_null_has_a_reason(nonholo):
    for model, options, objects in ((NO_INERTIA, (), {'g_inverse', 'second'}), (PARAMETRIC, (), {'second'}), (CIRCLE, ('--method', 'first'), {'second'}),
                                    (CIRCLE, ('--method', 'second'), {'first'}), (CIRCLE, (), set())):
        numbers = answer(nonholo, 'eval', model, *options)
        assert {name for name in objects if numbers[name] is not None} == set()
        assert set(numbers['unexpanded']) == objects and all(numbers['unexpanded'].values()), numbers['unexpanded']


def new_velocities_have_free_names(nonholo):
    assert answer(nonholo, 'derive', CONTROLS)['velocities'] == ['u3', 'u4']
    assert answer(nonholo, 'eval', CONTROLS, '--start', 'u3=1')['state']["x'"] == 1  # a = 0: along the blade


def parts_have_free_names(nonholo):
    where = [name for name, _ in answer(nonholo, 'derive', COUPLED)['where']]
    assert len(where) > 3 and not {'k1', 'k2', 'k3'} & set(where), where


def a_contradiction_has_a_size_and_a_way_out(nonholo):
    done = subprocess.run([nonholo, 'eval', '-'], input=CONTRADICTION.encode(), capture_output=True)
    told = done.stderr.decode()
    assert done.returncode == 2 and ' by 3;' in told and '--project' in told, told  # 1 + 3 - 1
    done = subprocess.run([nonholo, 'eval', '-', '--project'], input=CONTRADICTION.encode(), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def what_is_only_tested_is_told(nonholo):
    for model, tells in ((AGREES % "u*asin(z/sqrt(1 + z^2))", True), (AGREES % "u*atan(z)", False)):  # asin(z/sqrt(1 + z^2)) = atan(z)
        done = subprocess.run([nonholo, 'eval', '-'], input=model.encode(), capture_output=True)
        assert done.returncode == 0 and (b'could not be proved' in done.stderr) == tells, done.stderr.decode()


def main():
    tests = (eval_has_the_keys_of_derive, what_is_null_has_a_reason, new_velocities_have_free_names, parts_have_free_names,
             a_contradiction_has_a_size_and_a_way_out, what_is_only_tested_is_told)
    for test in tests:
        test(sys.argv[1])
    print(f'{len(tests)} tests passed')


if __name__ == '__main__':
    main()
