#!/usr/bin/env python3
"""parametrisations.py NONHOLO: the motion does not depend on the parametrisation.

Each system is written down with several parametric representations of one constraint: the program's own, velocities named as
independent, and others by hand. The field D of the second kind is made from the implicit equation alone, so it has to be the
same text in all of them; and `check` has to prove for each that its equations of the first kind give the accelerations D on C.
So all of them give the same motion, as functions, not only at some states. Each of them has to satisfy the equation, and the
rest of the facts have to agree too.
"""
import json
import math
import re
import subprocess
import sys

SYSTEMS = {
    'skate': ("""
coordinates x, y
angles      theta
parameters  m, I, A1, A2, A3
kinetic     1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
force       x = A1, y = A2, theta = A3
constraint  x'*sin(theta) - y'*cos(theta) = 0
""", [
        '',
        "independent x', theta'",
        "independent y', theta'",
        "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w",
        "velocities v, w\nparametric x' = v*w*cos(theta), y' = v*w*sin(theta), theta' = w",
        "velocities v, w\nparametric x' = (v + x)*cos(theta), y' = (v + x)*sin(theta), theta' = w - v*cos(y)",
    ]),
    'blade at a distance, beside what moves freely': ("""
coordinates x, y, z, w
angles      theta
parameters  m, J, l
kinetic     1/2*m*(x'^2 + y'^2 + z'^2 + w'^2) + 1/2*J*theta'^2 + 1/4*m*x'*z'
constraint  x'*sin(theta) - y'*cos(theta) + l*theta' = 0
""", [
        '',
        "velocities v, p, q, s\nparametric x' = v*cos(theta) - l*s*sin(theta), y' = v*sin(theta) + l*s*cos(theta), z' = p, w' = q, theta' = s",
    ]),
    'off-centre sleigh': ("""
coordinates x, y
angles      theta
parameters  m, J, a
point       P at (x, y) + a*(cos(theta), sin(theta)) mass m
kinetic     1/2*J*theta'^2
constraint  x'*sin(theta) - y'*cos(theta) = 0
""", [
        '',
        "independent x', theta'",
        "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w",
        "velocities p, l\nparametric x' = p/m*cos(theta), y' = p/m*sin(theta), theta' = l/(J + m*a^2)",
    ]),
    'rolling disc': ("""
coordinates x, y
angles      theta, psi
parameters  m, R, A, B, A1, A2, A3, A4
kinetic     1/2*m*(x'^2 + y'^2) + 1/2*A*theta'^2 + 1/2*B*psi'^2
force       x = A1, y = A2, theta = A3, psi = A4
constraint  x' = R*theta'*cos(psi)
constraint  y' = R*theta'*sin(psi)
""", [
        '',
        "independent theta', psi'",
        "independent psi', theta'",
        "velocities u, w\nparametric x' = u*cos(psi), y' = u*sin(psi), theta' = u/R, psi' = w",
        "velocities u, w\nparametric x' = R*(u + w)*cos(psi), y' = R*(u + w)*sin(psi), theta' = u + w, psi' = u - w",
    ]),
    'ball on a turntable, as a plane problem': ("""
coordinates x, y, p, q
parameters  m, J, R, Omega
kinetic     1/2*m*(x'^2 + y'^2) + 1/2*J*(p'^2 + q'^2)
constraint  x' - R*q' = -Omega*y
constraint  y' + R*p' = Omega*x
""", [
        '',
        "independent x', y'",
        "independent p', q'",
        "velocities u, w\nparametric x' = u, y' = w, p' = (Omega*x - w)/R, q' = (u + Omega*y)/R",
        "velocities u, w\nparametric x' = u - Omega*y, y' = w + Omega*x, p' = -w/R, q' = u/R",
    ]),
    'a floor that moves': ("""
coordinates x, y
angles      theta
parameters  m, J, b, k
kinetic     1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2
constraint  (x' - b*cos(k*t))*sin(theta) - y'*cos(theta) = 0
""", [
        '',
        "independent x', theta'",
        "velocities v, w\nparametric x' = v*cos(theta) + b*cos(k*t), y' = v*sin(theta), theta' = w",
    ]),
    'parallel velocities': ("""
coordinates x1, y1, x2, y2
parameters  m1, m2, A1, A2, A3, A4
kinetic     1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
force       x1 = A1, y1 = A2, x2 = A3, y2 = A4
constraint  x1'*y2' - x2'*y1' = 0
""", [
        '',
        "velocities a, b, c\nparametric x1' = a*cos(c), y1' = a*sin(c), x2' = b*cos(c), y2' = b*sin(c)",
        "velocities a, b, c\nparametric x1' = a, y1' = a*c, x2' = b, y2' = b*c",
        "velocities a, b, c\nparametric x1' = a, y1' = c, x2' = a*b, y2' = c*b",
    ]),
    'velocities with unequal factors': ("""
coordinates x1, y1, x2, y2
parameters  m1, m2, A1, A2, A3, A4
kinetic     1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
force       x1 = A1, y1 = A2, x2 = A3, y2 = A4
constraint  2*x1'*y2' = 3*x2'*y1'
""", [
        '',
        "velocities a, b, c\nparametric x1' = a, y1' = a*c, x2' = 2*b, y2' = 3*b*c",
    ]),
    'mirrored velocities': ("""
coordinates x1, y1, x2, y2
parameters  m1, m2, A1, A2, A3, A4
kinetic     1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
force       x1 = A1, y1 = A2, x2 = A3, y2 = A4
constraint  x1'*y2' + x2'*y1' = 0
""", [
        '',
        "velocities a, b, c\nparametric x1' = a*cos(c), y1' = a*sin(c), x2' = b*cos(c), y2' = -b*sin(c)",
        "velocities a, b, c\nparametric x1' = a, y1' = a*c, x2' = b, y2' = -b*c",
    ]),
    'constant speed on a slope': ("""
coordinates x, y, z
parameters  m, v, g, k
kinetic     1/2*m*(x'^2 + y'^2 + z'^2)
potential   m*g*z
constraint  x'^2 + y'^2 = v^2
constraint  2*z' = x' + k*y'
initial     x' = v
""", [
        '',
        "velocities a\nparametric x' = v*cos(a), y' = v*sin(a), z' = v/2*(cos(a) + k*sin(a))",
    ]),
    'constant speed on a slope that moves': ("""
coordinates z, x, y
parameters  m, v, g, k
kinetic     1/2*m*(x'^2 + y'^2 + z'^2)
potential   m*g*z
constraint  3*z' = x' + k*t
constraint  x'^2 + y'^2 = v^2
initial     x' = v
""", [
        '',
        "velocities a\nparametric x' = v*cos(a), y' = v*sin(a), z' = (v*cos(a) + k*t)/3",
    ]),
    'constant speed': ("""
coordinates x, y
parameters  m, v, g
kinetic     1/2*m*(x'^2 + y'^2)
potential   m*g*y
constraint  x'^2 + y'^2 = v^2
initial     x' = v
""", [
        '',
        "independent y'",
        "velocities u\nparametric x' = v*(1 - u^2)/(1 + u^2), y' = 2*v*u/(1 + u^2)",
    ]),
    'constant energy': ("""
coordinates x, y
parameters  m, E, g
kinetic     1/2*m*(x'^2 + y'^2)
potential   m*g*y
constraint  m*(x'^2 + y'^2) = 2*E
""", [
        '',
        "velocities a\nparametric x' = sqrt(2*E/m)*cos(a), y' = sqrt(2*E/m)*sin(a)",
    ]),
    'an ellipse that moves': ("""
coordinates x, y
parameters  m, c, w, k, g
kinetic     1/2*m*(x'^2 + y'^2)
potential   m*g*y
constraint  x'^2 + 2*x*x' + k*(y' - w*t)^2 = c^2
initial     x' = c, y' = 0
""", [
        '',
        "velocities a\nparametric x' = sqrt(c^2 + x^2)*cos(a) - x, y' = w*t + sqrt((c^2 + x^2)/k)*sin(a)",
        "velocities a\nparametric x' = sqrt(c^2 + x^2)*sin(2*a) - x, y' = w*t + sqrt((c^2 + x^2)/k)*cos(2*a)",
    ]),
    'difference of squares': ("""
coordinates x, y
parameters  m, c, g
kinetic     1/2*m*(x'^2 + y'^2)
potential   m*g*y
constraint  x'^2 - y'^2 = c^2
initial     x' = c
""", [
        '',
        "independent y'",
        "velocities u\nparametric x' = c*(1 + u^2)/(1 - u^2), y' = 2*c*u/(1 - u^2)",
    ]),
    "Appell and Hamel's": ("""
coordinates x, y, z
parameters  m, a, g
kinetic     1/2*m*(x'^2 + y'^2 + z'^2)
potential   m*g*z
constraint  z'^2 = a^2*(x'^2 + y'^2)
initial     x' = 1, z' = a
""", [
        '',
        "velocities w, phi\nparametric x' = w*cos(phi), y' = w*sin(phi), z' = a*w",
        "velocities p, q\nparametric x' = p^2 - q^2, y' = 2*p*q, z' = a*(p^2 + q^2)",
    ]),
}

# Every name that could be that of a new velocity is taken, in some part of the model; u2, u5 and u9 are left.
NAMES = """
coordinates x, u1, z, u10
parameters  m, u3
point       P at (x, u1, z) mass m
point       u4 at (x, z, u1)
kinetic     u10'^2
constraint  u6: u1' = z*x'
observe     w = x, u7 = x'
integral    e = kinetic, u8 = z'
"""

# A circle is written by its angle, which is good at all velocities; a root would end at y' = v. With a 0 more it is one too.
CIRCLE = "coordinates x, y\nparameters v\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + y'^2 = v^2\n"


def run(nonholo, command, model):
    done = subprocess.run([nonholo, command, '--format', 'json', '--quiet', '-'], input=model.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f'{command} ended with {done.returncode}: {done.stderr.decode()}\n{model}')
    return json.loads(done.stdout)


def without_z(model, more):
    """`initial` gives velocities; with z of its own a representation has none."""
    lines = [line for line in model.splitlines() if not (line.startswith('initial') and 'parametric' in more)]
    return '\n'.join(lines) + '\n' + more + '\n'


def train(n):
    """A car with n trailers, of points that are joined by drawbars of length d; each has an axle along which it does not move."""
    points = ['point P0 at (x, y) mass 1'] + [f'point P{k} at pos(P{k - 1}) - d*(cos(a{k}), sin(a{k})) mass 1' for k in range(1, n + 1)]
    axles = [f'constraint cross(vel(P{k}), (cos(a{k}), sin(a{k}))) = 0' for k in range(n + 1)]
    kinetic = ' + '.join(f"1/20*a{k}'^2" for k in range(n + 1))
    return '\n'.join(['coordinates x, y', 'angles ' + ', '.join(f'a{k}' for k in range(n + 1)), 'parameters d = 3/2', *points,
                      'kinetic ' + kinetic, *axles, 'force a0 = sin(t), x = 1']) + '\n'


def trailers(nonholo):
    """psi of a car with trailers has no poles, however many there are: v_0 = u, a_k' = v_{k-1} sin(a_{k-1} - a_k)/d, v_k = v_{k-1} cos(a_{k-1} - a_k), also
    where one of them stands across, and a motion from rest in a straight line is followed to its end."""
    for n in (2, 4, 8, 14):
        for angles in ([0] * (n + 1), [math.pi / 2 * (k == n) for k in range(n + 1)], [math.sin(3 * k + 1) for k in range(n + 1)]):
            start = ','.join(f'a{k}={a!r}' for k, a in enumerate(angles))
            done = subprocess.run([nonholo, 'eval', '-', '--format', 'json', '--start', start], input=train(n).encode(), capture_output=True)
            rows = json.loads(done.stdout)['first']['psi_alpha']
            drive, v = [math.cos(angles[0]), math.sin(angles[0]), 0], 1
            for a, b in zip(angles, angles[1:]):
                drive.append(v * math.sin(a - b) / 1.5)
                v *= math.cos(a - b)
            steer = [0, 0, 1] + [0] * n
            for row, wanted in zip(rows if abs(rows[0][2]) < 0.5 else rows[::-1], (drive, steer)):
                yield max(abs(x - y) for x, y in zip(row, wanted)) < 1e-12, f'{n} trailers at {angles}: {row} and not {wanted}'
        done = subprocess.run([nonholo, 'run', '-', '--to', '5', '--every', '5', '--max-seconds', '20'], input=train(n).encode(), capture_output=True)
        second = subprocess.run([nonholo, 'run', '-', '--to', '5', '--every', '5', '--method', 'second'], input=train(n).encode(), capture_output=True)
        last = [[float(x) for x in one.stdout.decode().splitlines()[-1].split(',')] for one in (done, second)]
        yield done.returncode == 0 and max(abs(x - y) for x, y in zip(*last)) < 1e-9, f'{n} trailers from rest: {last}\n{done.stderr.decode()}'


def beside_trailers(nonholo):
    """A row with more than two entries, all of which vanish with x, where there are so many that one is satisfied after the other: the car still drives with
    x' = u cos a0, y' = u sin a0, without poles, and p + 2 q + 3 s is held."""
    model = train(5).replace('coordinates x, y', 'coordinates x, y, p, q, s') + "kinetic 1/2*(p'^2 + q'^2 + s'^2)\nconstraint x*(p' + 2*q' + 3*s') = 0\ninitial x = 1\n"
    psi = run(nonholo, 'derive', model)['first']['psi']
    done = subprocess.run([nonholo, 'eval', '-', '--format', 'json'], input=model.encode(), capture_output=True)
    rows = json.loads(done.stdout)['first']['psi_alpha']
    poles = [e for e in psi if 'tan' in e or re.search(r'/.*(cos|sin)', e)]
    yield len(rows) == 4 and all(abs(row[2] + 2 * row[3] + 3 * row[4]) < 1e-12 for row in rows) and not poles, f'beside trailers: {psi} {rows}'


GEARS = """
coordinates x, y, z, w
kinetic    1/2*(x'^2 + y'^2 + z'^2 + w'^2)
constraint x'*(2 + sin(y)) = y*z' + t
constraint y' = sin(z)*z' + cos(t)
constraint w' = z'/(2 + y^2) + x
"""


def pivots(nonholo):
    """What is never 0 is divided by, and not what is not 0 at the start: the same velocities wherever a motion begins."""
    for y, z in ((0, 0), (1, 1), (-0.5, 2), (1e-3, -1)):
        done = subprocess.run([nonholo, 'eval', '-', '--format', 'json', '--start', f'y={y},z={z}'], input=GEARS.encode(), capture_output=True)
        row = json.loads(done.stdout)['first']['psi_alpha'][0]
        wanted = [y / (2 + math.sin(y)), math.sin(z), 1, 1 / (2 + y * y)]
        yield max(abs(a - b) for a, b in zip(row, wanted)) < 1e-14, f'gears at y = {y}, z = {z}: {row} and not {wanted}'


def main():
    nonholo, failures, count = sys.argv[1], 0, 0
    for title, (model, representations) in SYSTEMS.items():
        fields, facts = [], []
        for more in representations:
            text = without_z(model, more)
            derived = run(nonholo, 'derive', text)
            found = {fact['name']: fact['verdict'] for fact in run(nonholo, 'check', text)['facts']}
            fields.append(json.dumps([derived['second'][key] for key in ('D', 'lambda', 'R')]))
            facts.append([found.get(name) for name in ('energy-conserved', 'reactions-powerless', 'reactions-ideal')])
            count += 1
            for name in ('methods-agree', 'representations-agree'):
                if found[name] != 'proved':
                    failures += 1
                    print(f'{title}: {more!r}: {name} is {found[name]}')
            if derived['first']['psi'] is None:
                failures += 1
                print(f'{title}: {more!r}: psi was not found')
        if len(set(fields)) != 1:
            failures += 1
            print(f'{title}: different fields D, lambda, R:', *sorted(set(fields)), sep='\n  ')
        if any(line != facts[0] for line in facts):
            failures += 1
            print(f'{title}: different facts: {facts}')
    for right, what in [*trailers(nonholo), *beside_trailers(nonholo), *pivots(nonholo)]:
        failures += not right
        if not right:
            print(what)
    names = run(nonholo, 'derive', NAMES)['velocities']
    if names != ['u2', 'u5', 'u9']:
        failures += 1
        print(f'names of new velocities: {names}')
    for zero in ('0', '(cos(x)^2 + sin(x)^2 - 1)*x\''):
        circle = run(nonholo, 'derive', CIRCLE.replace('=', f'+ {zero} ='))['first']['psi']
        if circle != ['v*cos(u1)', 'v*sin(u1)']:
            failures += 1
            print(f'psi of a circle with {zero}: {circle}')
    shifted = run(nonholo, 'derive', CIRCLE.replace("y'^2 =", "(y' - 3)^2 ="))['first']['psi']
    if shifted != ['v*cos(u1)', 'v*sin(u1) + 3']:
        failures += 1
        print(f'psi of a circle beside the origin: {shifted}')
    print(f'{count} representations of {len(SYSTEMS)} systems, {failures} failures')
    return 1 if failures or count < 30 else 0


if __name__ == '__main__':
    sys.exit(main())
