#!/usr/bin/env python3
"""models.py FOLDER [N...]: writes the models of the bench that are better made than kept; N: numbers of trailers.

The falling rolling disc, and cars with trailers: a front body that can only move along itself, and N
trailers, each hitched to the axle before it at a distance and each with a knife-edge at its own axle. The
same cars are written in absolute angles (th0, th1, ...) and in angles between neighbours (th0, d1, ...).

isokinetic(n), sleighs(n): systems with many coordinates, for the part of the bench on these.
"""
import argparse
import os

DISC = """\
system       Falling rolling disc
coordinates  x, y  # where the disc touches the plane
angles       psi, theta, phi  # heading, lean, spin
parameters   m = 1, R = 1/2, A = 1/16, C = 1/8, g = 9.81
let          vx = x' - R*(cos(theta)*sin(psi)*theta' + sin(theta)*cos(psi)*psi')
let          vy = y' + R*(cos(theta)*cos(psi)*theta' - sin(theta)*sin(psi)*psi')
let          vz = -R*sin(theta)*theta'
kinetic      1/2*m*(vx^2 + vy^2 + vz^2) + 1/2*A*(theta'^2 + (psi'*cos(theta))^2)
             + 1/2*C*(phi' - psi'*sin(theta))^2
potential    m*g*R*cos(theta)
velocities   w1, w2, w3
parametric   x' = R*cos(psi)*w3, y' = R*sin(psi)*w3, psi' = w2, theta' = w1, phi' = w3
"""


def car(n, relative):
    """Body i has its axle at (x_i, y_i) = (x_(i-1), y_(i-1)) - l_i (cos a_i, sin a_i), a_i being its direction.

    With d_i = a_(i-1) - a_i the speeds along the bodies and the rates of the directions are
        v_i = v_(i-1) cos d_i,  a_i' = v_(i-1) sin d_i / l_i.
    """
    bodies = range(1, n + 1)
    angles = ['th0'] + [f'd{i}' if relative else f'th{i}' for i in bodies]
    if relative:
        direction = ['th0'] + ['th0' + ''.join(f' - d{j}' for j in range(1, i + 1)) for i in bodies]
        rate = ["th0'"] + ["(th0'" + ''.join(f" - d{j}'" for j in range(1, i + 1)) + ')' for i in bodies]
        bend = [''] + [f'd{i}' for i in bodies]
    else:
        direction, rate = angles, [f"th{i}'" for i in range(n + 1)]
        bend = [''] + [f'th{i - 1} - th{i}' for i in bodies]
    speed, turn = ['v'], ['omega']
    for i in bodies:
        turn.append(f'{speed[-1]}*sin({bend[i]})/l{i}')
        speed.append(f'{speed[-1]}*cos({bend[i]})')

    lines = [f'system       A car with {n} trailer{"s" * (n > 1)}, {"relative" if relative else "absolute"} angles',
             'coordinates  x, y',
             'angles       ' + ', '.join(angles),
             'parameters   ' + ', '.join(f'm{i} = {n + 2 - i}' for i in range(n + 1)),
             'parameters   ' + ', '.join(f'J{i} = {n + 2 - i}/4' for i in range(n + 1)),
             'parameters   ' + ', '.join(f'l{i} = {i + 1}/2' for i in bodies),
             'point        P0 at (x, y) mass m0']
    for i in bodies:
        lines.append(f'point        P{i} at pos(P{i - 1}) - l{i}*(cos({direction[i]}), sin({direction[i]})) mass m{i}')
    for i in range(n + 1):
        lines.append(f'kinetic      1/2*J{i}*{rate[i]}^2')
    for i in range(n + 1):
        lines.append(f'constraint   axle{i}: cross((cos({direction[i]}), sin({direction[i]})), vel(P{i})) = 0')
    rates = [turn[0]] + [f'{turn[i - 1]} - {turn[i]}' if relative else turn[i] for i in bodies]
    lines += ['velocities   v, omega',
              'parametric   x\' = v*cos(th0), y\' = v*sin(th0)',
              *(f"parametric   {q}' = {value}" for q, value in zip(angles, rates))]
    return '\n'.join(lines) + '\n'


def isokinetic(n):
    """n/2 particles in a plane, a chain of springs, whose kinetic energy is kept constant: one constraint that is not linear."""
    k = n // 2
    q = [f'{c}{i}' for i in range(1, k + 1) for c in 'xy']
    springs = [f'(x{i} - x{i + 1})^2 + (y{i} - y{i + 1})^2' for i in range(1, k)] + ['x1^2', f'y{k}^2']
    return '\n'.join([
        f'system       {k} isokinetic particles',
        'coordinates  ' + ', '.join(q),
        'parameters   m = 1, k = 1',
        'kinetic      1/2*m*(' + ' + '.join(f"{c}'^2" for c in q) + ')',
        'potential    1/2*k*(' + ' + '.join(springs) + ')',
        'constraint   ' + ' + '.join(f"{c}'^2" for c in q) + f' = {k}',
        'initial      ' + ', '.join(f'x{i} = {i}/10 + {i % 3}/4' for i in range(1, k + 1)),
        'initial      ' + ', '.join(f"{c}' = 1/sqrt(2)" for c in q), ''])


def sleighs(n):
    """n/3 sleighs on blades in a row, their runners joined by springs: n/3 linear constraints."""
    k = n // 3
    bodies = range(1, k + 1)
    springs = [f'(x{i} - x{i + 1})^2 + (y{i} - y{i + 1})^2' for i in range(1, k)]
    return '\n'.join([
        f'system       {k} sleighs joined by springs',
        'coordinates  ' + ', '.join(f'x{i}, y{i}' for i in bodies),
        'angles       ' + ', '.join(f'a{i}' for i in bodies),
        'parameters   m = 1, J = 1/4, k = 1, c = 1/3  # c: from the blade to the centre of mass',
        'kinetic      ' + ' + '.join(f"1/2*m*((x{i}' - c*a{i}'*sin(a{i}))^2 + (y{i}' + c*a{i}'*cos(a{i}))^2) + 1/2*J*a{i}'^2" for i in bodies),
        'potential    1/2*k*(' + ' + '.join(springs) + ')',
        *(f"constraint   blade{i}: x{i}'*sin(a{i}) = y{i}'*cos(a{i})" for i in bodies),
        'initial      ' + ', '.join(f'x{i} = {i}, a{i} = {i % 5}/10' for i in bodies),
        'initial      ' + ', '.join(f"a{i}' = {i % 7}/20" for i in bodies), ''])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', help='where the models go')
    parser.add_argument('trailers', nargs='*', type=int, default=(1, 2, 4, 8), help='of cars (1 2 4 8)')
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    models = {'falling-disc': DISC}
    for n in options.trailers:
        models[f'car-{n}-relative'] = car(n, True)
        models[f'car-{n}-absolute'] = car(n, False)
    for name, text in models.items():
        with open(os.path.join(options.folder, name + '.nh'), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
