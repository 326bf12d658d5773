#!/usr/bin/env python3
"""peer_derivation.py METHOD SYSTEM STATE LIMIT: the equations of motion of a system, derived with SymPy.

    lagrange   LagrangesMethod, up to its matrices: (q'', lambda) is left to a solver in numbers
    kane       KanesMethod with the z as generalized speeds, up to its matrices
    first      the recipe of the first kind, with LUsolve for z' = G^-1 Z
    second     the recipe of the second kind, with the inverses of g and of G^ab, by LDL, which is SymPy's fastest here

SYSTEM is what `derivation --system` writes: the energy, forces and constraints, ready for use. (KanesMethod wants bodies: these are
written down below.) Writes a JSON line with the processor time from there to equations that can be evaluated, nothing being
simplified, and that of the whole process up to then; and then, for the comparison, a line with the accelerations at the state in the JSON file STATE. Each has LIMIT seconds.
"""
import json
import re
import sys
import time

import limited
import peer_sympy
from peer_sympy import limit_from_here


class System:
    """What is read: symbols, and expressions in them."""

    def __init__(self, path, moving):
        """moving: coordinates and z are functions of the time."""
        import sympy
        from sympy.physics.mechanics import dynamicsymbols
        with open(path, encoding='utf-8') as file:
            head = {words[1]: words[2:] for words in (line.split() for line in file) if words and words[0] == '#'}
        self.names, self.z_names, (time_name,) = head['coordinates'], head['velocities'], head['time']

        def plain(name):
            return sympy.Symbol(name, real=True)

        make = dynamicsymbols if moving else plain
        self.t = dynamicsymbols._t if moving else plain(time_name)
        self.q = [make(name) for name in self.names]
        self.z = [make(name) for name in self.z_names]
        self.rate = [q.diff(self.t) if moving else plain('d_' + name) for q, name in zip(self.q, self.names)]
        given = {**dict(zip(self.names, self.q)), **dict(zip(self.z_names, self.z)), time_name: self.t}
        given.update({'d_' + name: rate for name, rate in zip(self.names, self.rate)})
        found = peer_sympy.read(path, given)
        self.K, self.V = found['energy'], found['potential']
        self.force = [found[f'force_{i}'] for i in range(1, len(self.q) + 1)]
        self.psi = [found[f'parametric_{i}'] for i in range(1, len(self.q) + 1)]
        self.C = [found[name] for name in found if name.startswith('constraint_')]
        self.given = given


def numbers(expressions, system, state, plain):
    """The values of some expressions in 30 digits; plain replaces what is no symbol."""
    import mpmath
    import sympy
    mpmath.mp.dps = 30
    matrix = sympy.Matrix(expressions).xreplace(plain)
    symbols = sorted(matrix.free_symbols, key=str)
    return sympy.lambdify(symbols, matrix, modules='mpmath', cse=True)(*(mpmath.mpf(state[str(s)]) for s in symbols))


def plain_symbols(system):
    """Names as in the state for functions of the time and their derivatives."""
    import sympy
    return {value: sympy.Symbol(name) for name, value in system.given.items() if not value.is_Symbol}


def solve(matrix, right):
    import mpmath
    return [float(x) for x in mpmath.lu_solve(matrix, right)]


# ---------------------------------------------------------------- SymPy's own methods

def forces_at_points(system, frame, rates):
    """A force on a coordinate is one at a point that moves with the coordinate's velocity."""
    from sympy.physics.mechanics import Point
    loads = []
    for name, force, rate in zip(system.names, system.force, rates):
        if force != 0:
            point = Point('F' + name)
            point.set_vel(frame, rate * frame.x)
            loads.append((point, force * frame.x))
    return loads


def lagrange(path):
    from sympy.physics.mechanics import LagrangesMethod, ReferenceFrame
    system = System(path, True)
    frame = ReferenceFrame('N')

    def derive():
        method = LagrangesMethod(system.K - system.V, system.q, forcelist=forces_at_points(system, frame, system.rate),
                                 frame=frame, nonhol_coneqs=system.C)
        method.form_lagranges_equations()
        return method.mass_matrix_full, method.forcing_full

    def values(result, state):
        n = len(system.q)
        matrix, right = result
        plain = plain_symbols(system)
        return {'D': solve(numbers(matrix[n:, n:], system, state, plain), numbers(right[n:, :], system, state, plain))[:n]}

    return derive, values


def bodies_of(path, system, frame, rate):
    """The bodies of the systems of the bench, with velocities in (q, u): particles, and rotors about an axis that does
    not tilt, for which a particle on a line does as well; the falling disc is a rigid body."""
    import sympy
    from sympy.physics.mechanics import Particle, Point, RigidBody, inertia
    name = re.sub(r'.*/|\.[^/]*$', '', path)
    s = {key: sympy.Symbol(key, positive=True) for key in ('m', 'm1', 'm2', 'R', 'I', 'A', 'B', 'C', 'a', 'g')}
    q, bodies, loads = system.given, [], []

    def particle(mass, x, y):
        point = Point(f'P{len(bodies)}')
        point.set_vel(frame, x * frame.x + y * frame.y)
        bodies.append(Particle(f'B{len(bodies)}', point, mass))
        return point

    def rotor(moment, turn):
        particle(moment, turn, 0)

    if name == 'skate':
        particle(s['m'], rate['x'], rate['y'])
        rotor(s['I'], rate['theta'])
    elif name == 'vertical-disc':
        particle(s['m'], rate['x'], rate['y'])
        rotor(s['A'], rate['theta'])
        rotor(s['B'], rate['psi'])
    elif name == 'coaxial-discs':
        turn = s['a'] * rate['psi']
        particle(s['m'], rate['x'], rate['y'])
        particle(s['m'], rate['x'] + turn * sympy.cos(q['psi']), rate['y'] + turn * sympy.sin(q['psi']))
        rotor(s['A'], rate['theta1'])
        rotor(s['A'], rate['theta2'])
        rotor(2 * s['B'], rate['psi'])
    elif name == 'parallel-velocities':
        particle(s['m1'], rate['x1'], rate['y1'])
        particle(s['m2'], rate['x2'], rate['y2'])
    elif name == 'falling-disc':
        heading = frame.orientnew('Y', 'Axis', [q['psi'], frame.z])
        lean = heading.orientnew('L', 'Axis', [-q['theta'], heading.x])
        disc = lean.orientnew('D', 'Axis', [q['phi'], lean.y])
        lean.set_ang_vel(frame, rate['psi'] * frame.z - rate['theta'] * heading.x)
        disc.set_ang_vel(lean, rate['phi'] * lean.y)
        contact, centre = Point('contact'), Point('centre')
        contact.set_vel(frame, rate['x'] * frame.x + rate['y'] * frame.y)
        centre.set_vel(frame, contact.vel(frame) + lean.ang_vel_in(frame).cross(s['R'] * lean.z))
        about = inertia(lean, s['A'], s['C'], s['A'])
        bodies.append(RigidBody('disc', centre, disc, s['m'], (about, centre)))
        loads.append((centre, -s['m'] * s['g'] * frame.z))
    elif name.startswith('car-') and name.endswith('-absolute'):
        x, y = rate['x'], rate['y']
        for i in range(len(system.q) - 2):
            if i > 0:
                turn = sympy.Symbol(f'l{i}', positive=True) * rate[f'th{i}']
                x, y = x + turn * sympy.sin(q[f'th{i}']), y - turn * sympy.cos(q[f'th{i}'])
            particle(sympy.Symbol(f'm{i}', positive=True), x, y)
            rotor(sympy.Symbol(f'J{i}', positive=True), rate[f'th{i}'])
    else:
        sys.exit(limited.REFUSED)
    return bodies, loads


def kane(path):
    from sympy.physics.mechanics import KanesMethod, ReferenceFrame
    system = System(path, True)
    frame = ReferenceFrame('N')
    rate = dict(zip(system.names, system.psi))

    def derive():
        bodies, loads = bodies_of(path, system, frame, rate)
        loads += forces_at_points(system, frame, system.psi)
        try:
            method = KanesMethod(frame, q_ind=system.q, u_ind=system.z,
                                 kd_eqs=[rate - psi for rate, psi in zip(system.rate, system.psi)])
        except ValueError as error:  # newer versions say where they cannot be right, in equations that are not linear
            print(error, file=sys.stderr)
            sys.exit(limited.REFUSED)
        method.kanes_equations(bodies, loads)
        return method.mass_matrix, method.forcing

    def values(result, state):
        plain = plain_symbols(system)
        return {'Z': solve(*(numbers(part, system, state, plain) for part in result))}

    return derive, values


# ---------------------------------------------------------------- the recipes

def free_motion(system):
    """g and L: g q'' = L without constraints."""
    import sympy
    p = [system.K.diff(v) for v in system.rate]
    g = sympy.Matrix([[p_i.diff(v) for v in system.rate] for p_i in p])
    L = [A - system.V.diff(q) + system.K.diff(q) - sum(p_i.diff(q_j) * v_j for q_j, v_j in zip(system.q, system.rate))
         - p_i.diff(system.t) for A, q, p_i in zip(system.force, system.q, p)]
    return g, sympy.Matrix(L)


def first(path):
    import sympy
    system = System(path, False)

    def derive():
        g, L = free_motion(system)
        psi = sympy.Matrix(system.psi)
        L = L.xreplace(dict(zip(system.rate, system.psi)))
        psi_alpha = psi.jacobian(system.z)
        drift = psi.jacobian(system.q) * psi + psi.diff(system.t)
        G = psi_alpha.T * g * psi_alpha
        return G.LUsolve(psi_alpha.T * (L - g * drift))

    def values(result, state):
        return {'Z': [float(x) for x in numbers(result, system, state, {})]}

    return derive, values


def second(path):
    import sympy
    system = System(path, False)

    def derive():
        g, L = free_motion(system)
        C = sympy.Matrix(system.C)
        C_i = C.jacobian(system.rate)
        g_inverse = g.inv(method='LDL')
        C_upper = C_i * g_inverse
        G_lower = (C_upper * C_i.T).inv(method='LDL')
        moved = C.jacobian(system.q) * sympy.Matrix(system.rate) + C.diff(system.t)
        R = C_i.T * (G_lower * (-C_upper * L - moved))
        return g_inverse * (L + R)

    def values(result, state):
        return {'D': [float(x) for x in numbers(result, system, state, {})]}

    return derive, values


def main():
    method, path, state, limit = sys.argv[1:]
    import sympy
    sys.setrecursionlimit(100000)
    limit_from_here(int(limit))
    derive, values = {'lagrange': lagrange, 'kane': kane, 'first': first, 'second': second}[method](path)
    with open(state, encoding='utf-8') as file:
        state = json.load(file)
    limit_from_here(int(limit))
    start = time.thread_time()  # that of the process is coarse where a limit is set
    result = derive()
    end = time.thread_time()
    print(json.dumps({'seconds': end - start, 'process': end, 'version': sympy.__version__}), flush=True)
    limit_from_here(int(limit))
    print(json.dumps(values(result, state)), flush=True)


if __name__ == '__main__':
    main()
