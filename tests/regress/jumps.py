#!/usr/bin/env python3
"""jumps.py NONHOLO: quantities whose rate is 0 and that jump all the same, and those that only seem to.

The right answers follow from the motions, as the comments say; none was taken from the program.
"""
import json
import subprocess
import sys

MAYBE = ('tested', 'unknown', 'refuted')  # it jumps: not proved
NEVER = ('proved', 'tested')              # it does not: not refuted
SPHERE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x^2 + y^2 + z^2 = 1\ninitial z = 1, x' = 1\n"
SKATE = "coordinates x, y\nangles a\nkinetic 1/2*(x'^2 + y'^2 + a'^2)\n%s\n" \
    "integral B = x'*sqrt(1 + tan(a)^2)\nintegral D = atan(tan(a)) - a\nintegral E = x'*sqrt(1 + y'^2/x'^2)\n" \
    "integral S = x'^2 + y'^2\nintegral W = a'\n"
BLADE = "constraint x'*sin(a) = y'*cos(a)\ninitial x' = 1, a' = 1"
TURNS = {'integral B': 'refuted', 'integral D': 'refuted', 'integral E': MAYBE, 'integral S': 'proved', 'integral W': 'proved', 'energy-conserved': 'proved'}
LINE = "coordinates x\nkinetic 1/2*x'^2\n"
PLANE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n"
SPACE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
IN_TIME = PLANE + "input u = 2 + sign(t - 1)\nconstraint x' = u\ninitial y' = 1\n"
CLAIM = "integral A = sqrt((%s)^2)/(%s)\n"


def claim(u):
    return CLAIM % (u, u)


FACTS = [
    # great circles go through z = 0, where z' cannot be had from x' and y', as they go through x = 0
    (SPHERE + "integral X = sqrt(x^2)/x\nintegral Y = sqrt(y^2)/y\nintegral Z = sqrt(z^2)/z\nintegral L = x*y' - y*x'\n",
     {**{f'integral {name}': 'refuted' for name in 'XYZ'}, 'integral L': 'proved', 'energy-conserved': 'proved'}),
    # the same circle, whichever velocity is the independent one
    *((PLANE + f"constraint x^2 + y^2 = 1\nindependent {rate}\ninitial x = 1, y' = 1\nintegral X = sqrt(x^2)/x\nintegral Y = sqrt(y^2)/y\nintegral L = x*y' - y*x'\n",
       {'integral X': 'refuted', 'integral Y': 'refuted', 'integral L': 'proved'}) for rate in ("x'", "y'")),
    # x' = v cos(a), y' = v sin(a), a' constant: a turns through pi/2, where x' is 0 and y' = x' tan(a) is v
    (SKATE % BLADE, TURNS), (SKATE % (BLADE + "\nindependent x', a'"), TURNS), (SKATE % (BLADE + "\nindependent y', a'"), TURNS),
    (SKATE % "velocities v, w\nparametric x' = v, y' = v*tan(a), a' = w\ninitial v = 1, w = 1", {'integral B': MAYBE, 'integral D': MAYBE, 'integral E': MAYBE, 'integral W': 'proved'}),
    *((SKATE % (BLADE + "\npotential atan(tan(a))" + independent), {'energy-conserved': 'refuted'}) for independent in ('', "\nindependent x', a'")),
    # a plane curve of unit speed that turns: y' comes through 0
    (PLANE + "force x = y', y = -x'\nconstraint x'^2 + y'^2 = 1\ninitial x' = 1\nintegral A = sqrt(y'^2)/y'\nintegral B = sqrt(x'^2)/x'\n", {'integral A': MAYBE, 'integral B': MAYBE}),
    # z' is the rate of the polar angle, and x = 0 and y = 0 are crossed
    (SPACE + "constraint x*y' - y*x' = (x^2 + y^2)*z'\ninitial x = 1, x' = -0.5, y' = 1\nintegral A = z + atan(x/y)\nintegral B = z - atan(y/x)\nintegral C = z - atan2(y, x)\n",
     {**{f'integral {name}': 'refuted' for name in 'ABC'}, 'constant-functions': 'proved'}),
    # roots that only touch 0: the sign of x - 1, and that of a sine
    (LINE + "initial x' = 1\nintegral G = sinh((x - 1)/2)/sqrt(cosh(x - 1) - 1)\nintegral H = sin((x - 1.3)/2)/sqrt(1 - cos(x - 1.3))\n",
     {'integral G': 'refuted', 'integral H': 'refuted'}),
    # an infinite force that lets it through: x'^2/2 + 2 sqrt(|x|) is constant, and x goes from one side to the other
    (LINE + "potential 2*(x^2)^(1/4)\ninitial x = -1, x' = 3\n" + claim('x'), {'integral A': MAYBE}),

    # (x' - 1)' = -(x' - 1), and the like: no motion comes to x' = 1
    *((LINE + f"force x = {force}\n" + claim(u), {'integral A': 'proved'})
      for force, u in (("1 - x'", "x' - 1"), ("-x'", "x'"), ("1 - x'^2", "x' - 1"), ("1 - x'^2", "x' + 1"), ("(2 - x')^3*exp(x)", "x' - 2"), ("-abs(x')*x'", "x'"), ("-x'*sqrt(x'^2)", "x'"))),
    (PLANE + "constraint x' = (x - 2)*y'\n" + claim('x - 2'), {'integral A': 'proved'}),
    (PLANE + "constraint x' = y' + (x - y)*y'\n" + claim('x - y'), {'integral A': 'proved'}),
    (PLANE + "constraint y' = 2*x*x' + (x^2 - y)*x'\n" + claim('x^2 - y'), {'integral A': 'proved'}),
    (SPACE + "constraint x'*y + x*y' = (x*y - 1)*z'\n" + claim('x*y - 1'), {'integral A': NEVER}),
    (SPACE + "constraint x*x' + y*y' = (x^2 + y^2 - 1)*z'\n" + claim('x^2 + y^2 - 1'), {'integral A': NEVER}),
    # friction stops it and does not turn it round; a push away from 0 lets nothing through; but a force does, and so does half of the friction
    *((LINE + f"force x = {force}\n" + claim("x'"), {'integral A': verdicts})
      for force, verdicts in (("-sign(x')", NEVER), ("sign(x')", NEVER), ("-1", 'refuted'), ("-1 - sign(x')/2", 'refuted'))),
    (PLANE + "constraint x' = (x - 2)*y' + 1\n" + claim('x - 2'), {'integral A': 'refuted'}),

    # 0 for x > 0 and pi for x < 0; x' stays what it is
    (LINE + "initial x = 1, x' = -1\nintegral A = atan2(0, x)\nintegral B = atan2(x - x, x)\nintegral C = atan2(sin(x)^2 + cos(x)^2 - 1, x)\n"
     "integral D = atan2(0, 1 + x^2)\nintegral E = atan2(0, x')\nintegral F = atan2(0, -x)\nintegral G = atan2(0, 3 - 2*x)\n",
     {**{f'integral {name}': 'refuted' for name in 'ABCFG'}, 'integral D': 'proved', 'integral E': 'proved'}),
    (SKATE % BLADE + "integral G = atan2(x'*sin(a) - y'*cos(a), x)\nintegral H = atan2(x'*sin(a) - y'*cos(a), 1 + x^2)\n", {'integral G': 'refuted', 'integral H': 'proved'}),
    (SPHERE + "integral A = atan2(x^2 + y^2 + z^2 - 1, x)\n", {'integral A': 'refuted'}),

    # x' jumps from 1 to 3 at t = 1; x does not, and x - u t does
    (IN_TIME + "integral A = x'\nintegral B = x - u*t\nintegral C = y'\nintegral D = 1 + 0*x\n",
     {'energy-conserved': ('tested', 'unknown', 'refuted'), 'integral A': MAYBE, 'integral B': 'refuted', 'integral C': ('tested', 'unknown'), 'integral D': 'proved'}),
    # a corner in time is no jump; one of a force is none of the velocities
    (PLANE + "constraint x' = 0\nforce y = sign(t - 1)*y\npotential 0*x\nintegral A = x'\nintegral B = x\n", {'integral A': 'proved', 'integral B': 'proved'}),
    (PLANE + "input u = 2 + abs(t - 1)\nconstraint x' = u\nintegral A = y'\n", {'integral A': 'proved'}),
    # so do a constraint at a place, and a mass, whose momentum does not
    (PLANE + "constraint x' = 2 + y/sqrt(y^2)\nintegral A = y'\n", {'integral A': ('tested', 'unknown'), 'energy-conserved': MAYBE}),
    ("coordinates x\ninput m = 2 + sign(t - 1)\nkinetic 1/2*m*x'^2\nintegral A = x'\nintegral B = m*x'\n",
     {'integral A': MAYBE, 'integral B': NEVER + ('unknown',), 'energy-conserved': MAYBE}),
]

# What is told of functions that are constant by the constraints.
BETWEEN = [
    (SPACE + "constraint x*y' - y*x' = (x^2 + y^2)*z'\n", 'between jumps, as where '),
    (IN_TIME, 'between jumps, as where t - 1 = 0'),
    (PLANE + "constraint x' = (x - 2)*y'\n", None),
    (SPACE + "constraint y*x' - x*y' = 0\n", None),
]

# What `integrals` says of the claims.
CLAIMS = [
    (SPHERE + "integral Z = sqrt(z^2)/z\n", {'Z': MAYBE}),
    (SKATE % (BLADE + "\nindependent x', a'"), {'B': MAYBE, 'D': MAYBE, 'E': MAYBE, 'W': ('proved',)}),
    (IN_TIME + "integral A = x'\n", {'A': MAYBE}),
]


def answer(nonholo, command, model):
    done = subprocess.run([nonholo, *command, '-', '--format', 'json'], input=model.encode(), capture_output=True)
    return json.loads(done.stdout) if done.returncode == 0 else {'facts': [], 'claims': [], 'error': done.stderr.decode()}


def facts(nonholo, model, wanted):
    found = {fact['name']: fact for fact in answer(nonholo, ['check'], model)['facts']}
    return [f'{name}: {found.get(name)}' for name, verdicts in wanted.items()
            if found.get(name, {}).get('verdict') not in ([verdicts] if isinstance(verdicts, str) else verdicts)]


def between(nonholo, model, wanted):
    found = {fact['name']: fact for fact in answer(nonholo, ['check'], model)['facts']}
    told = found.get('constant-functions', {}).get('detail', '')
    return [told] * (not told or ('jump' in told if wanted is None else wanted not in told))


def claims(nonholo, model, wanted):
    told = answer(nonholo, ['integrals', '--max-seconds', '5'], model)
    found = {claim['name']: claim['verdict'] for claim in told['claims']}
    return [f'{name}: {found.get(name)}' for name, verdicts in wanted.items() if found.get(name) not in verdicts]


def main():
    nonholo, failures, checked = sys.argv[1], 0, 0
    for test, cases in ((facts, FACTS), (between, BETWEEN), (claims, CLAIMS)):
        checked += len(cases)
        for case in cases:
            wrong = test(nonholo, *case)
            failures += len(wrong)
            for line in wrong:
                print(f'{case[0]}    {line}')
    print(f'{checked} models, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
