#!/usr/bin/env python3
"""facts.py NONHOLO: what `check` says of systems whose facts follow by hand, as is noted at each.

A fact is given by its verdict, `+` for proved, `-` for refuted, `~` for tested, `?` for unknown and `0` for one that is not
named at all, and, where it names variables, by the words that have to be in its detail.
"""
import json
import math
import re
import subprocess
import sys

VERDICTS = {'+': 'proved', '~': 'tested', '-': 'refuted', '?': 'unknown', '0': None}


def chain(n):
    """n pendulums in a row."""
    lines = ['angles ' + ', '.join(f'a{i}' for i in range(n)), 'parameters m, l, g', 'gravity (0, -g)']
    for i in range(n):
        before = f'pos(P{i - 1}) + ' if i else ''
        lines.append(f'point P{i} at {before}l*(sin(a{i}), -cos(a{i})) mass m')
    return '\n'.join(lines) + '\n'


def trailers(n):
    """A car with n trailers, in absolute angles."""
    lines = ['coordinates x, y', 'angles ' + ', '.join(f'a{i}' for i in range(n + 1)), 'parameters m, J, l',
             'point P0 at (x, y) mass m', "kinetic 1/2*J*a0'^2", "constraint x'*sin(a0) - y'*cos(a0) = 0"]
    for i in range(1, n + 1):
        lines += [f'point P{i} at pos(P{i - 1}) - l*(cos(a{i}), sin(a{i})) mass m', f"kinetic 1/2*J*a{i}'^2",
                  f'constraint dot(vel(P{i}), (sin(a{i}), -cos(a{i}))) = 0']
    return '\n'.join(lines) + '\n'


def driven_trailers(n):
    """The same by the speeds of the car alone: v_i = v_i-1 cos(a_i-1 - a_i) and l a_i' = v_i-1 sin(a_i-1 - a_i)."""
    lines = [line for line in trailers(n).splitlines() if not line.startswith('constraint')]
    psi, speed = ["x' = v*cos(a0)", "y' = v*sin(a0)", "a0' = w"], 'v'
    for i in range(1, n + 1):
        psi.append(f"a{i}' = {speed}*sin(a{i - 1} - a{i})/l")
        speed += f'*cos(a{i - 1} - a{i})'
    return '\n'.join(lines + ['velocities v, w', 'parametric ' + ', '.join(psi)]) + '\n'


THREE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
FOUR = "coordinates w, x, y, z\nkinetic 1/2*(w'^2 + x'^2 + y'^2 + z'^2)\n"
SIX = "coordinates a, b, c, d, e, f\nkinetic 1/2*(a'^2 + b'^2 + c'^2 + d'^2 + e'^2 + f'^2)\n"
ROTATING = "coordinates x, y\nparameters m, W, k\nkinetic 1/2*m*((x' - W*y)^2 + (y' + W*x)^2)\n"

SYSTEMS = [
    # dz - y dx is a contact form. y alone occurs; either of x', z' follows from the other where y is not 0.
    ('contact form', THREE + "constraint z' = y*x'\n",
     {'holonomic': '-', 'regular': '+', 'metric-positive': '+', 'cyclic-coordinates': '+ x, z:', 'caplygin-form': '+ of y, z,',
      'constant-coordinates': '0', 'jacobi-conserved': '0', 'energy-conserved': '+'}),
    # d(x y + z)
    ('an exact form', THREE + "constraint y*x' + x*y' + z' = 0\n",
     {'holonomic': '+', 'cyclic-coordinates': '+ z:', 'caplygin-form': '+ velocities of z follow from those of x, y,'}),
    # e^y (dx + x dy) = d(x e^y)
    ('an integrating factor', THREE + "constraint x' + x*y' = 0\n", {'holonomic': '+'}),
    # d(x z + y^2); x dz - z dx and y dz have no primitive, and with dw no integrating factor
    ('an exact form of four', FOUR + "constraint w' = x*z' + z*x' + 2*y*y'\n", {'holonomic': '+'}),
    ('not exact', FOUR + "constraint w' = x*z' - z*x' + 2*y*y'\n", {'holonomic': '-'}),
    ('not exact, in the last two', FOUR + "constraint w' = y*z' + x'\n", {'holonomic': '-'}),
    # z - t x is constant. R = l (-t, 0, 1) with l (1 + t^2) = 2 x', and its power is l x.
    ('an exact form with t', THREE + "constraint z' = x + t*x'\n",
     {'holonomic': '+', 'linear': '-', 'affine': '+', 'caplygin-form': '0', 'energy-conserved': '-', 'reactions-powerless': '-',
      'reactions-ideal': '+', 'methods-agree': '+'}),
    # z' + t x' = x gives z'' + t x'' = 0: the reaction is 0
    ('not exact, with t', THREE + "constraint z' = x - t*x'\n",
     {'holonomic': '-', 'energy-conserved': '+', 'reactions-powerless': '+'}),
    # C = z' - x y' - y x' - 3: C = d(z - x y - 3 t)/dt
    ('a part without velocities', THREE + "constraint z' = x*y' + y*x' + 3\n", {'holonomic': '+', 'reactions-powerless': '-'}),
    ('a part with a coordinate', THREE + "constraint z' = y\n", {'holonomic': '-'}),
    ('a part with the last coordinate', FOUR + "constraint w' = z\n", {'holonomic': '-'}),
    # two constraints on three coordinates: one velocity is left, a line field is always integrable
    ('a line field', THREE + "constraint z' = y*x'\nconstraint y' = x*x'\n", {'holonomic': '+', 'cyclic-coordinates': '+ z:'}),
    # x' = 0; x occurs in the potential, y and z are cyclic
    ('a coordinate at rest', THREE + "potential x^3\nconstraint x' = 0\n",
     {'constant-coordinates': '+ x:', 'holonomic': '+', 'cyclic-coordinates': '+ y, z:', 'caplygin-form': '0'}),
    ('two coordinates at rest', THREE + "constraint x' = 0\nconstraint z' = 0\n",
     {'constant-coordinates': '+ x, z:', 'caplygin-form': '+ velocities of x, z follow from those of y,'}),
    # y has no mass; y' = x' helps the motion, not the metric
    ('no inertia', "coordinates x, y, z\nkinetic x'^2 + z'^2\nconstraint y' = x'\n",
     {'metric-positive': '- singular', 'methods-agree': '?', 'regular': '+'}),
    # C_i = (x, y) is 0 at x = y = 0, and only there
    ('a singular state', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x*x' + y*y' = 0\n",
     {'regular': '- x^2 + y^2 = 0', 'holonomic': '+'}),
    # the rows are (1, y, 0) and (1, x, 0): dependent at x = y
    ('a plane of singular states', THREE + "constraint x' + y*y' = 0\nconstraint x' + x*y' = 0\n",
     {'regular': '-'}),
    # C_i = 3 (x'^2, y'^2, z'^2) is 0 at rest only, and rest is not on C; there is no psi to prove it with
    ('cubes', THREE + "constraint x'^3 + y'^3 + z'^3 = 1\n", {'regular': '~', 'linear': '-', 'affine': '-'}),
    # the same with rest on C
    ('cubes that allow rest', THREE + "constraint x'^3 + y'^3 + z'^3 = 0\n", {'regular': '-'}),
    # (1, y, 0) and (1, x + 1, 0): the plane y = x + 1 does not contain the origin, and has to be looked for
    ('a plane that is not at the origin', THREE + "constraint x' + y*y' = 0\nconstraint x' + (x + 1)*y' = 0\n", {'regular': '-'}),
    # C_i = 3 ((x' - 1)^2, ...) is 0 at (1, 2, 1), which is on C, and neither rest nor the origin
    ('cubes around another velocity', THREE + "constraint (x' - 1)^3 + (y' - 2)^3 + (z' - 1)^3 = 0\n", {'regular': '-'}),
    # e^a - a - 1 of a = x' - 1 and b = y' - 2 is that of c = z' - 3: the derivatives e^a - 1, ... are 0 where a = b = c = 0, and on C
    ('a cone of velocities', THREE + "constraint exp(x' - 1) - x' + exp(y' - 2) - y' = exp(z' - 3) - z' + 1\n", {'regular': '-'}),
    # a cone is singular at its apex
    ('a cone', THREE + 'constraint (x - 1)^2 + (y - 2)^2 = (z - 3)^2\n', {'regular': '-', 'holonomic': '+'}),
    # five rows, too many for minors: (-a, 1, 0, ...), (-b, 0, 1, ...), ..., (0, 0, ..., 1) are independent everywhere
    ('many rows', SIX + "constraint b' = a*a'\nconstraint c' = b*a'\nconstraint d' = c*a'\nconstraint e' = d*a'\nconstraint f' = 0\n",
     {'regular': '~', 'holonomic': '+', 'constant-coordinates': '+ f:'}),
    # a potential with a constant slope is a constant force: y is cyclic all the same
    ('a slope', "coordinates x, y\nparameters m, g\nkinetic 1/2*m*(x'^2 + y'^2)\npotential m*g*y\nforce x = -x'\n",
     {'cyclic-coordinates': '+ x, y:', 'energy-conserved': '-', 'jacobi-conserved': '0', 'regular': '+', 'holonomic': '+'}),
    # in a rotating frame K_2 - K_0 + V is constant, and K + V only for a V that is symmetric
    ('a spring in a rotating frame', ROTATING + "potential 1/2*k*x^2\n", {'energy-conserved': '-', 'jacobi-conserved': '+'}),
    ('a spring to the axis', ROTATING + "potential 1/2*k*(x^2 + y^2)\nintegral A = x*(y' + W*x) - y*(x' - W*y)\n"
     "integral B = x*y' - y*x'\n",
     {'energy-conserved': '+', 'jacobi-conserved': '+', 'integral A': '+', 'integral B': '-', 'cyclic-coordinates': '0'}),
    ('a spring that ages', ROTATING + "potential 1/2*k*t*(x^2 + y^2)\n", {'energy-conserved': '-', 'jacobi-conserved': '-'}),
    # v' = a w^2 and w' = -m a v w/(J + m a^2): closed, without theta
    ('sleigh', "coordinates x, y\nangles theta\nparameters m, J, a\npoint P at (x, y) + a*(cos(theta), sin(theta)) mass m\n"
     "kinetic 1/2*J*theta'^2\nvelocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w\n",
     {'closed-blocks': '+ = v, w', 'cyclic-coordinates': '+ x, y:', 'holonomic': '-', 'energy-conserved': '+', 'methods-agree': '+'}),
    # v' = 0 and w' = 0
    ('skate', "coordinates x, y\nangles theta\nkinetic 1/2*(x'^2 + y'^2 + theta'^2)\n"
     "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w\nintegral V = v\nintegral X = x'\n",
     {'closed-blocks': '+ = v; w', 'integral V': '+', 'integral X': '-'}),
    # v' = -sin(theta), w' = 0, theta' = w
    ('skate on an incline', "coordinates x, y\nangles theta\nkinetic 1/2*(x'^2 + y'^2 + theta'^2)\npotential y\n"
     "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
     "integral P = v*w - cos(theta)\nintegral Q = v*w + cos(theta)\n",
     {'closed-blocks': '+ = w; theta, v, w', 'cyclic-coordinates': '+ x, y:', 'integral P': '+', 'integral Q': '-'}),
    # parametric equations alone: the implicit ones are made from them, and both methods have to agree
    ('disc', "coordinates x, y\nangles theta, psi\nparameters m, R, A, B, F\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*A*theta'^2 + 1/2*B*psi'^2\n"
     "force x = F\nvelocities u, w\nparametric x' = R*(u + w)*cos(psi), y' = R*(u + w)*sin(psi), theta' = u + w, psi' = u - w\n",
     {'methods-agree': '+', 'holonomic': '-', 'reactions-powerless': '+', 'caplygin-form': '+ x, y follow from those of theta, psi,'}),
    ('a ball on a turntable', "coordinates x, y, p, q\nparameters m, J, R, W\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*(p'^2 + q'^2)\n"
     "velocities u, w\nparametric x' = u - W*y, y' = w + W*x, p' = -w/R, q' = u/R\n",
     {'methods-agree': '+', 'holonomic': '-', 'linear': '-', 'affine': '+'}),
    # those with t from above once more
    ('an exact form with t, parametric', THREE + "velocities u, w\nparametric x' = u - w, y' = u + w, z' = x + t*(u - w)\n",
     {'methods-agree': '+', 'holonomic': '+', 'energy-conserved': '-', 'reactions-powerless': '-'}),
    ('not exact, with t, parametric', THREE + "velocities u, w\nparametric x' = u - w, y' = u + w, z' = x - t*(u - w)\n",
     {'methods-agree': '+', 'holonomic': '-', 'energy-conserved': '+'}),
    # dx - z dy is a contact form, x' = z has no primitive; here in brackets that are derivatives by the last coordinate alone
    ('by the last coordinate', THREE + "velocities u, w\nparametric x' = z*w, y' = w, z' = u\n", {'holonomic': '-', 'methods-agree': '+'}),
    ('affine, by the last coordinate', THREE + "velocities u, w\nparametric x' = z, y' = w, z' = u\n", {'holonomic': '-'}),
    # formulas that are too long to be reduced: what is true of all systems has to be proved in other ways
    # (x y - 1)^2 + c has zeros for c = 0 only, which doubles do not tell; x^4 + y^4 and z^2 have theirs at one place
    ('next to singular', "coordinates x, y\nkinetic 1/2*(x'^2 + ((x*y - 1)^2 + 1e-20)*y'^2)\n", {'metric-positive': '~'}),
    ('singular along a curve', "coordinates x, y\nkinetic 1/2*(x'^2 + (x*y - 1)^2*y'^2)\n", {'metric-positive': '- x*y - 1 = 0'}),
    ('singular at the origin', "coordinates x, y\nkinetic 1/2*(x'^2 + (x^4 + y^4)*y'^2)\n", {'metric-positive': '- x^4 + y^4 = 0'}),
    ('next to dependent', THREE + "constraint ((x*y - 1)^2 + 1e-20)*(y' - x') = (z^2 + 1e-18)*z'\n", {'regular': '~'}),
    ('dependent along a curve', THREE + "constraint (x*y - 1)^2*(y' - x') = z^2*z'\n", {'regular': '- singular'}),
    ('pendulums', chain(3), {'reactions-ideal': '+', 'reactions-powerless': '+', 'energy-conserved': '+', 'metric-positive': '+'}),
    ('pendulums in the wind', chain(3) + "force a0 = -a1'\n", {'reactions-ideal': '+', 'reactions-powerless': '+', 'energy-conserved': '-'}),
    ('trailers', trailers(2), {'reactions-ideal': '+', 'reactions-powerless': '+', 'energy-conserved': '+', 'methods-agree': '+',
                               'representations-agree': '+', 'holonomic': '-'}),
    ('driven trailers', driven_trailers(3), {'reactions-ideal': '+', 'reactions-powerless': '+', 'energy-conserved': '+'}),
    ('more trailers', trailers(3), {'reactions-ideal': '+', 'reactions-powerless': '+', 'energy-conserved': '+', 'methods-agree': '+'}),
]

# The state that a refuted fact names, and the value there of what should be 0, to six digits, by hand.
WITNESSES = [
    # the power of the force
    ('drag', "coordinates x\nkinetic 1/2*x'^2\nforce x = -x'\n", 'energy-conserved', lambda s: -s["x'"]**2),
    ('a large force', "coordinates x\nkinetic 1/2*x'^2\nforce x = 1e9*x^2\n", 'energy-conserved', lambda s: 1e9 * s['x']**2 * s["x'"]),
    ('a small force', "coordinates x\nkinetic 1/2*x'^2\nforce x = 1e-9*x^2\n", 'energy-conserved', lambda s: 1e-9 * s['x']**2 * s["x'"]),
    # d(x y')/dt = x' y' - x
    ('no integral', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nintegral A = x*y'\n", 'integral A',
     lambda s: s["x'"] * s["y'"] - s['x']),
]


def problems(found, known):
    for name, wanted in known.items():
        verdict, words = wanted[0], wanted[2:]
        fact = found.get(name)
        if (fact and fact['verdict']) != VERDICTS[verdict]:
            yield f'{name} is {fact and fact["verdict"]}'
        elif fact and words.startswith('= ') and fact['detail'] != words[2:]:
            yield f'{name}: {fact["detail"]!r} for {words[2:]!r}'
        elif fact and not words.startswith('= ') and words not in fact['detail']:
            yield f'{name}: no {words!r} in {fact["detail"]!r}'


def check(nonholo, title, model):
    done = subprocess.run([nonholo, 'check', '--format', 'json', '--quiet', '-'], input=model.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f'{title}: check ended with {done.returncode}: {done.stderr.decode()}')
    return {fact['name']: fact for fact in json.loads(done.stdout)['facts']}


def wrong_witness(fact, value):
    """"the rate is -0.25 at x = 1, x' = 0.5", against the value by hand."""
    shown, state = re.fullmatch(r'.* is (\S+) at (.*)', fact['detail']).groups()
    wanted = value({name: float(number) for name, number in (part.split(' = ') for part in state.split(', '))})
    return fact['verdict'] != 'refuted' or not math.isclose(float(shown), wanted, rel_tol=1e-5)


def main():
    nonholo, failures, count = sys.argv[1], 0, 0
    for title, model, name, value in WITNESSES:
        fact = check(nonholo, title, model)[name]
        if wrong_witness(fact, value):
            failures += 1
            print(f'{title}: {fact}')
    for title, model, known in SYSTEMS:
        found = check(nonholo, title, model)
        count += len(known)
        for problem in problems(found, known):
            failures += 1
            print(f'{title}: {problem}')
    print(f'{count} facts of {len(SYSTEMS)} systems, {len(WITNESSES)} witnesses, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
