#!/usr/bin/env python3
"""stability.py NONHOLO EXAMPLES [--few]: `linearize` against exported code and closed forms.

The matrix of the small motions is made here a second time, by differences of the exported equations in 50 digits, and so
are its eigenvalues; what binds the variables is taken from the exported constraints. Small systems have known eigenvalues and verdicts.
"""
import glob
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exported import LARGEST, apart, formula, matched, mp, null_space, size, spectrum, with_program  # noqa: E402
from gallery_vehicles import PRINTED  # noqa: E402  (the bicycle's published eigenvalues)
from small_systems import *  # noqa: E402, F403


# ---------------------------------------------------------------- what is true of every output of linearize

def linear(program, label, model, *options, sets=()):
    """Checks of one output; what is asked of the state, --at and the like, are the options."""
    out = program.json('linearize', model, *options, *sets)
    e = program.equations(model, *sets)
    state, variables, A = out['state'], out['variables'], mp.matrix(out['A']) if out['A'] else mp.zeros(0)
    state = {name: mp.mpf(value) for name, value in state.items()}
    yield sorted(state) == sorted(e.names + ['t']), f'{label}: state {sorted(state)}'
    yield sorted(variables + out['left_out']) == sorted(e.names), f'{label}: {variables} and {out["left_out"]}'
    yield all(name in e.coordinates for name in out['left_out']), f'{label}: {out["left_out"]} are not all coordinates'
    rates = e.rates(state)
    B = e.matrix(state, variables)
    scale = max(size(B), mp.mpf(10) ** -300)
    change = max((abs(rates[name]) for name in variables), default=mp.mpf(0))
    later = {**state, 't': state['t'] + mp.mpf('0.37')}
    rates_later = e.rates(later)
    timed = any(abs(rates_later[name] - rates[name]) > 1e-12 * (1 + abs(rates[name])) for name in variables)
    timed = timed or (change == 0 and size(e.matrix(later, variables) - B) > 1e-12 * scale)
    if change == 0 or change > 1e-6:
        yield out['steady'] == (change == 0), f'{label}: steady {out["steady"]}, rates {mp.nstr(change, 5)}'
    # what is left out has no part in the rates of the others, at any state, and nothing else could be left out
    chance = random.Random(label)
    other = {**state, **{name: state[name] + mp.mpf(chance.uniform(-0.1, 0.1)) for name in e.names}, 't': state['t'] + mp.mpf('0.3')}
    J = e.matrix(other, variables, e.coordinates)
    for j, name in enumerate(e.coordinates):
        off = max((abs(J[i, j]) for i in range(J.rows) if variables[i] != name), default=mp.mpf(0))
        if name in out['left_out']:
            yield off <= 1e-13 * (1 + size(J)), f'{label}: {name} is left out, but rates change with it by {mp.nstr(off, 5)}'
        elif not e.bound:
            yield off > 1e-25 * (1 + size(J)), f'{label}: {name} might be left out, nothing else depends on it'
    # A: the same as by differences
    if e.solved:
        off = size(A - B) if A.rows == B.rows else mp.inf
        yield off < 1e-12 * scale, f'{label}: A is off by {mp.nstr(off, 3)} of {mp.nstr(scale, 3)}'
        rough = [abs(A[i, j] - B[i, j]) > 1e-8 * abs(B[i, j]) + 1e-14 * scale for i in range(A.rows) for j in range(A.cols)]
        yield not any(rough), f'{label}: an entry of A is off by more than 1e-8 of itself'
    if out['A_exact'] is not None:
        C = mp.matrix([[formula(text, e.values(state)) for text in row] for row in out['A_exact']])
        off = size(A - C)
        yield off < 1e-12 * scale, f'{label}: A_exact is off by {mp.nstr(off, 3)}'
    # eigenvalues
    found = [mp.mpc(*z) for z in out['eigenvalues']]
    own = A
    if e.bound:
        T = e.tangent(state, variables)
        R = (T.T * T) ** -1 * T.T * B * T  # B T = T R in steady motions; elsewhere the orthogonal projection of B T is T R
        own = T * (T.T * T) ** -1 * T.T * A if change else A
        if not e.solved:
            off = size(A * T - B * T)
            yield off < 1e-12 * scale, f'{label}: A is off by {mp.nstr(off, 3)} of {mp.nstr(scale, 3)} along the constraints'
        if change == 0:
            assert size(B * T - T * R) < mp.mpf(10) ** -14 * scale, (label, size(B * T - T * R))
        yield len(found) == T.cols, f'{label}: {len(found)} eigenvalues in {T.cols} dimensions'
    else:
        R = B
        yield len(found) == len(variables), f'{label}: {len(found)} eigenvalues of {len(variables)} variables'
    if change == 0 or change > 1e-6:
        yield out['projected'] == (len(found) < len(variables) and (change > 0 or timed)), f'{label}: projected {out["projected"]}'
    trace = sum(R[i, i] for i in range(R.rows))
    off = abs(sum(found) - trace)
    yield off < 1e-12 * scale * max(1, len(found)), f'{label}: the trace is {trace}, the eigenvalues make {sum(found)}'
    squares = sum(R[i, j] * R[j, i] for i in range(R.rows) for j in range(R.rows))
    off = abs(sum(z * z for z in found) - squares)
    yield off < 1e-11 * scale ** 2 * max(1, len(found)), f'{label}: squares: {mp.nstr(off, 3)}'
    verdict = out['verdict']
    if R.rows <= LARGEST:
        exact = spectrum(R)
        pairs = matched(found, [value for value, _ in exact])
        conditions = dict((value, condition) for value, condition in exact)
        for z, value in pairs or []:
            allowed = 1e-14 * scale * min(conditions[value], mp.mpf(10) ** 12) * R.rows
            # a multiple eigenvalue moves by a root of the change: the square root of 1e-16 for two, ...
            near = sum(1 for other, _ in exact if abs(other - value) < 1e-5 * scale)
            if near > 1 and conditions[value] > 1e6:
                allowed = max(allowed, scale * mp.mpf(10) ** mp.mpf(-14 / near)) if value != 0 else allowed
            yield abs(z - value) <= allowed, f'{label}: the eigenvalue {mp.nstr(z, 17)} instead of {mp.nstr(value, 17)}, condition {mp.nstr(conditions[value], 3)}'
        if change == 0 and not timed:
            # a real part counts where it is larger than what rounding of this eigenvalue could make
            clear = [mp.re(z) for z, c in exact if abs(mp.re(z)) > 1e-12 * scale * min(c, 1e6)]
            if any(x > 0 for x in clear):
                yield verdict == 'unstable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
            elif len(clear) == len(exact):
                yield verdict == 'stable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
            else:
                yield verdict != 'unstable', f'{label}: {verdict} with the eigenvalues {[mp.nstr(z, 8) for z, _ in exact]}'
    if timed or change > 1e-6:
        yield verdict == 'undecided', f'{label}: {verdict}, though the rates are {mp.nstr(change, 3)}, with the time {timed}'
    # modes
    yield len(out['modes']) == len(found), f'{label}: {len(out["modes"])} modes'
    worst, zeros = 0, sum(1 for z in out['eigenvalues'] if z == [0, 0])
    for z, mode in zip(out['eigenvalues'], out['modes']):
        v, z = [complex(*x) for x in mode], complex(*z)
        largest = max(map(abs, v))
        yield abs(largest - 1) < 1e-12, f'{label}: the largest component of a mode is {largest}'
        # a multiple eigenvalue 0 without enough modes comes with vectors that a power of A makes 0
        for _ in range(1 if z else zeros):
            Av = [sum(complex(own[i, j]) * x for j, x in enumerate(v)) for i in range(own.rows)]
            v, u = Av, v
        worst = max([worst] + [abs(a - z * x) for a, x in zip(v, u)])
    yield worst < 1e-11 * scale, f'{label}: A v = lambda v is off by {float(worst):.2g} of {mp.nstr(scale, 3)}'
    return out


def large(program, label):
    """The same for many variables, in doubles: derivatives by steps along the imaginary axis."""
    import cmath
    out = program.json('linearize', label)
    before, sys.modules['math'], space = sys.modules['math'], cmath, {'__name__': 'model'}
    try:
        exec(compile(program('export', label, '--to', 'python', '--quiet'), label, 'exec'), space)
    finally:
        sys.modules['math'] = before
    names, A, scale = space['coordinates'] + space['velocities'], out['A'], max(abs(x) for row in out['A'] for x in row)
    chosen, state, worst = [names.index(name) for name in out['variables']], [out['state'][name] for name in names], 0
    for j, k in enumerate(chosen):
        rates = space['first_kind'](0, [x + 1e-40j if i == k else x for i, x in enumerate(state)])
        worst = max(max(abs(complex(rates[i]).imag / 1e-40 - A[row][j]) for row, i in enumerate(chosen)), worst)
    yield worst < 1e-11 * scale, f'{label}: A is off by {worst:.3g} of {scale:.3g}'
    values = [complex(*z) for z in out['eigenvalues']]
    yield len(values) == len(out['modes']) == len(chosen), f'{label}: {len(values)} eigenvalues, {len(out["modes"])} modes'
    off = abs(sum(values) - sum(A[i][i] for i in range(len(A))))
    yield off < 1e-11 * scale, f'{label}: trace {off:.3g}'
    worst, rows = 0, [[(j, a) for j, a in enumerate(row) if a] for row in A]
    for z, mode in zip(values, out['modes']):
        v = [complex(*x) for x in mode]
        worst = max([worst] + [abs(sum(a * v[j] for j, a in row) - z * x) for row, x in zip(rows, v)])
    yield worst < 1e-11 * scale, f'{label}: A v = lambda v is off by {worst:.3g} of {scale:.3g}'


def gallery(program):
    paths = sorted(glob.glob(os.path.join(program.examples, '*.nh')) + glob.glob(os.path.join(program.examples, 'paper', '*.nh')))
    few = 'rolling-disc off-centre-sleigh heisenberg paper/skate ball-on-turntable'.split()
    for path in paths:
        name = os.path.relpath(path, program.examples)[:-3]
        if name == 'isokinetic-64':
            if not program.few:
                yield from large(program, name)
        elif not program.few or name in few:
            yield from linear(program, name, name)
    if not program.few:
        for name, options in (('whipple-bicycle', ('--at', "lean'=0")), ('segway', ('--steady',)), ('unicycle', ('--steady',)),
                              ('rattleback', ('--steady',)), ('routh-sphere', ('--steady', '--at', "theta=1,psi'=3,theta'=0")), ('suslov', ('--steady',)),
                              ('chaplygin-ball', ('--at', "psi'=0,theta'=0,phi'=0")), ('euler-disc', ('--steady',)),
                              ('rolling-coin', ('--steady',)), ('ball-on-turntable', ('--at', 'x=0,y=0,wx=0,wy=0,wz=0')),
                              ('ball-in-bowl', ('--at', "p=0,q=0,p'=0,q'=0,phi'=3"))):
            yield from linear(program, f'{name} {" ".join(options)}', name, *options)


def nearest(program):
    """The way from a start to the steady motion that --steady takes is perpendicular to the steady motions near that one."""
    cases = [('pendulum on a sleigh', SWINGING_SLEIGH), ('skate in wind', WINDY_SKATE), ('tricycle', TRICYCLE)]
    if not program.few:
        cases += [(name, name) for name in ('unicycle', 'rolling-coin')]
    for label, model in cases:
        start, there = (program.json('linearize', model, *options) for options in ((), ('--steady',)))
        e, variables = program.equations(model), there['variables']
        state = {name: mp.mpf(value) for name, value in there['state'].items()}
        J = e.matrix(state, variables)
        along = null_space(J / size(J), mp.mpf(10) ** -9)
        way = [mp.mpf(start['state'][v]) - state[v] for v in variables]
        far = mp.sqrt(sum(x * x for x in way))
        yield along.cols > 0 and there['steady'], f'{label}: {there["state"]}'
        for k in range(along.cols):
            length = mp.sqrt(sum(along[i, k] ** 2 for i in range(along.rows)))
            part = abs(sum(x * along[i, k] for i, x in enumerate(way))) / length
            yield part < 1e-6 * (1 + far), f'{label}: {mp.nstr(part, 3)} of {mp.nstr(far, 3)} are along the steady motions'


# ---------------------------------------------------------------- small systems with known answers

def check_linear(program, label, model, wanted, verdict, *options, sets=(), tolerance=1e-12):
    out = yield from linear(program, label, model, *options, sets=sets)
    off = apart(out['eigenvalues'], wanted)
    largest = max((abs(z) for z in wanted), default=1)
    yield off <= tolerance * largest, f'{label}: {out["eigenvalues"]} instead of {[mp.nstr(z, 17) for z in wanted]}'
    yield out['verdict'] in verdict.split(), f'{label}: {out["verdict"]}, {out["reason"]}'
    return out


def closed_forms(program):
    g, l = mp.mpf(981) / 100, mp.mpf(3) / 2
    up = ('--at', 'q=pi')
    out = yield from check_linear(program, 'pendulum', PENDULUM, pair(-g / l), 'stable')
    yield out['steady'] and not out['left_out'] and out['A_exact'] is not None, f'pendulum: {out}'
    yield from check_linear(program, 'pendulum, upright', PENDULUM, pair(g / l), 'unstable', *up)
    yield from check_linear(program, 'pendulum, no mass', PENDULUM, pair(-g / l), 'stable', sets=('--set', 'm=1e-20'))
    for c in ('1', '50', '-1', '1e-3'):  # m l^2 q'' + c q' +- m g l q = 0
        half = mp.mpf(c) / (2 * 2 * l * l)
        for angle, sign in (('0', -1), ('pi', 1)):
            wanted = [-half + z for z in pair(half ** 2 + sign * g / l)]
            good = 'stable' if mp.mpf(c) > 0 and sign < 0 else 'unstable'
            yield from check_linear(program, f'pendulum, friction {c}, {angle}', PENDULUM, wanted, good, '--at', f'q={angle}', sets=('--set', f'c={c}'))
    # critical damping: a double eigenvalue with one mode
    critical = mp.nstr(2 * 2 * l * l * mp.sqrt(g / l), 17)
    yield from check_linear(program, 'pendulum, critical', PENDULUM, [-mp.sqrt(g / l)] * 2, 'stable', sets=('--set', f'c={critical}'), tolerance=1e-7)
    yield from check_linear(program, 'bob', BOB, pair(-g / l), 'stable')
    yield from check_linear(program, 'bob, upright', BOB, pair(g / l), 'unstable', '--at', 'y=l')
    half = mp.mpf(1) / 8
    yield from check_linear(program, 'bob, friction', BOB_WITH_FRICTION, [-half + z for z in pair(half ** 2 - g / l)], 'stable')
    yield from check_linear(program, 'double pendulum', DOUBLE, pair(-(2 - mp.sqrt(2)) * g / 2) + pair(-(2 + mp.sqrt(2)) * g / 2), 'stable')
    yield from check_linear(program, 'double pendulum, bent', DOUBLE, pair(mp.sqrt(2) * g / 2) + pair(-mp.sqrt(2) * g / 2), 'unstable', '--at', 'b=pi')
    yield from check_linear(program, 'double bob', DOUBLE_BOB, pair(-(2 - mp.sqrt(2)) * g) + pair(-(2 + mp.sqrt(2)) * g), 'stable')
    yield from check_linear(program, 'double bob, bent', DOUBLE_BOB, pair(mp.sqrt(2) * g) + pair(-mp.sqrt(2) * g), 'unstable', '--at', 'y1=-1,y2=0')
    yield from check_linear(program, 'spherical', SPHERICAL, 2 * pair(-g / 2), 'stable')
    for a, c in ((1, 4), (1, 1), (-1, 4), (-1, 1)):
        slope = -mp.mpf(a) * (1 - mp.mpf(2) / c)
        yield from check_linear(program, f'curved {a}, {c}', CURVED, pair(slope), 'stable' if slope < 0 else 'unstable', sets=('--set', f'a={a}', '--set', f'c={c}'))
    # at the bottom, headed along x; one of the two directions is shut, which makes a family
    yield from check_linear(program, 'blade in a bowl', BLADE_IN_BOWL, pair(-2 * g) + pair(-1) + [0], 'stable')
    for c, good in (('1/2', 'stable'), ('-1/2', 'undecided unstable')):
        out = yield from check_linear(program, f'drag {c}', DRAG, pair(-3) + pair(-5), good, sets=('--set', f'c={c}'))
        yield out['limits'], f'drag {c}: A is no limit'
    yield from check_linear(program, 'bob with drag', BOB_WITH_DRAG, pair(-g / l), 'stable')
    yield from check_linear(program, 'bob with drag, upright', BOB_WITH_DRAG, pair(g / l), 'unstable', '--at', 'y=l')
    yield from check_linear(program, 'pendulum with drag', PENDULUM_WITH_DRAG, pair(-g / l), 'stable')
    yield from check_linear(program, 'springs as forces', SPRINGS, pair(-2) + pair(-4), 'stable')
    yield from check_linear(program, 'circulatory', CIRCULATORY, pair(mp.mpf('-2.9')) + pair(mp.mpf('-3.1')), 'undecided')
    yield from check_linear(program, 'spherical, upright', SPHERICAL, 2 * pair(g / 2), 'unstable', '--at', 'z=l')
    for n in (1, 2, 5) if program.few else (1, 2, 5, 20):
        wanted = sum((pair(-4 * mp.mpf(5) / 3 * mp.sin(j * mp.pi / (2 * (n + 1))) ** 2) for j in range(1, n + 1)), [])
        yield from check_linear(program, f'chain of {n}', chain(n), wanted, 'stable')
    # without walls: it may drift, so rest is not stable; it is undecided by the rules
    wanted = sum((pair(-4 * mp.mpf(5) / 3 * mp.sin(j * mp.pi / (2 * 4)) ** 2) for j in range(1, 4)), [mp.mpc(0)] * 2)
    yield from check_linear(program, 'free chain', chain(4, False), wanted, 'undecided')
    yield from check_linear(program, 'two springs', TWO_HANGING, sum((pair(z) for z in roots(6, 2 * 40 + 3 * 90, 50 * 40)), []), 'stable',
                            '--at', 'x=(m+M)*g/k,y=(m+M)*g/k+M*g/n')
    # the hoop: R q'' = (R omega^2 cos(q) - g) sin(q)
    R, w = mp.mpf(1) / 2, 5
    for model in (HOOP, DRIVEN_HOOP):
        title = model.splitlines()[0]
        lean = mp.acos(g / (R * w * w))
        yield from check_linear(program, f'{title}, 0', model, pair(w * w - g / R), 'unstable')
        yield from check_linear(program, f'{title}, pi', model, pair(w * w + g / R), 'unstable', *up)
        out = yield from linear(program, f'{title}, lean', model, '--at', 'q=acos(g/(R*omega^2))')
        yield apart(out['eigenvalues'], pair(-w * w * mp.sin(lean) ** 2)) < 1e-12, f'hoop: {out["eigenvalues"]}'
        yield out['verdict'] in ('stable', 'undecided'), f'{title}: {out["verdict"]}'  # stable, by Jacobi's integral
        out = program.json('linearize', model, '--vary', 'omega=1:9:16')
        changes = out['vary']['changes']
        yield len(changes) == 1 and abs(changes[0]['value'] - mp.sqrt(g / R)) < 1e-9, f'{title}: {changes}'
        yield [c['to'] for c in changes] == ['unstable'], f'{title}: {changes}'
        rows = out['vary']['rows']
        yield [r['value'] for r in rows] == [1 + i / 2 for i in range(17)], f'{title}: values {[r["value"] for r in rows]}'
        off = max(apart(r['eigenvalues'], pair(mp.mpf(r['value']) ** 2 - g / R)) for r in rows)
        yield off < 1e-12 * 10, f'{title}: rows off by {off}'
        yield all((r['verdict'] == 'unstable') == (r['value'] ** 2 > g / R) for r in rows), f'{title}: verdicts'
    # (M + m) x'' + m l q'' = k1 x + k2 x' + k3 q + k4 q', x'' + l q'' = g q
    M, m, L, k1, k2, k3, k4 = 2, mp.mpf(1) / 2, mp.mpf(3) / 4, 4, 6, 60, 14
    # M x'' = k1 x + k2 x' + (k3 - m g) q + k4 q'; M l q'' = ((M + m) g - k3) q - k1 x - k2 x' - k4 q'
    # determinant of (M s^2 - k2 s - k1)(M l s^2 + k4 s + k3 - (M + m) g) + (k4 s + k3 - m g)(k2 s + k1)
    a, b = k3 - (M + m) * g, k3 - m * g
    wanted = roots(M * M * L, M * k4 - M * L * k2, M * a - k2 * k4 - M * L * k1 + k4 * k2, -k2 * a - k1 * k4 + k4 * k1 + b * k2, -k1 * a + b * k1)
    good = 'stable' if all(mp.re(z) < 0 for z in wanted) else 'unstable'
    yield good == 'stable', f'cart: {wanted}'
    yield from check_linear(program, 'cart', CART, wanted, 'stable')
    yield from check_linear(program, 'cart, left alone', CART, [0] + pair((M + m) * g / (M * L)), 'unstable', sets=('--set', 'k1=0,k2=0,k3=0,k4=0'))
    out = program.json('linearize', CART, '--vary', 'k4=0:20:20')
    for row in out['vary']['rows']:
        k = mp.mpf(row['value'])
        wanted = roots(M * M * L, M * k - M * L * k2, M * a - M * L * k1, -k2 * a + b * k2, -k1 * a + b * k1)
        yield apart(row['eigenvalues'], wanted) < 1e-10, f'cart: {row}'
        yield row['verdict'] == ('stable' if all(mp.re(z) < 0 for z in wanted) else 'unstable'), f'cart: {row} {wanted}'
    # Hurwitz: (c3 c2 - c1 c4) c1 = c3^2 c0
    c4, c2, c1, c0 = M * M * L, M * a - M * L * k1, -k2 * a + b * k2, -k1 * a + b * k1
    limits = [(z + M * L * k2) / M for z in roots(c0, -c2 * c1, c1 * c1 * c4)]
    limits = [z for z in limits if abs(mp.im(z)) < 1e-30 and 0 < mp.re(z) < 20]
    yield len(limits) == len(out['vary']['changes']) > 0, f'cart: {out["vary"]["changes"]} instead of {limits}'
    for z, change in zip(sorted(map(mp.re, limits)), out['vary']['changes']):
        yield abs(z - change['value']) < 1e-9, f'cart: {change} instead of {z}'
    # a carriage: the energy is not conserved, but the equations are those of a pendulum at rest
    out = yield from linear(program, 'carried', CARRIED)
    yield apart(out['eigenvalues'], pair(-g / L)) < 1e-12 and out['verdict'] in ('stable', 'undecided'), f'carried: {out}'
    yield from check_linear(program, 'carried, upright', CARRIED, pair(g / L), 'unstable', *up)
    # with the time in the equations nothing is decided
    for label, model in (('shaken', SHAKEN), ('Mathieu', MATHIEU)):
        out = yield from linear(program, label, model)
        yield out['verdict'] == 'undecided', f'{label}: {out["verdict"]}'
    # the sleigh: (I + m a^2) w' = -m a v w
    rate = mp.mpf('1.2') / (mp.mpf('0.5') + 3 * mp.mpf('0.16'))
    for v in (1, -1, 1e-3, -1e-3, 100):
        yield from check_linear(program, f'sleigh, {v}', SLEIGH, [0, -rate * mp.mpf(v)], 'stable' if v > 0 else 'unstable', '--at', f'v={v}')
    # at rest: v and w stay small, since the energy is positive definite in them
    yield from check_linear(program, 'sleigh at rest', SLEIGH, [0, 0], 'stable', '--at', 'v=0')
    out = program.json('linearize', SLEIGH, '--vary', 'v=-1:2:9')
    changes = out['vary']['changes']
    yield changes and all(abs(c['value']) < 1e-9 for c in changes) and changes[0]['from'] == 'unstable' and changes[-1]['to'] == 'stable', f'sleigh: {changes}'
    half = mp.mpf(1) / 2
    wanted = [-half + z for z in pair(half ** 2 - 3)] + [-half + z for z in pair(half ** 2 - 5)]
    yield from check_linear(program, 'quintic', QUINTIC, wanted, 'stable')
    yield from check_linear(program, 'quintic, hill', QUINTIC, [-half + z for z in pair(half ** 2 + 3)] + wanted[2:], 'unstable', sets=('--set', 'k=-3'))
    for c, x, wanted, good in (('0', '2', pair(-8), 'stable'), ('0', '-2', pair(-8), 'stable'), ('0', '0', pair(4), 'unstable'),
                               ('1', '2', [-half + z for z in pair(half ** 2 - 8)], 'stable'), ('-1', '2', [half + z for z in pair(half ** 2 - 8)], 'unstable')):
        yield from check_linear(program, f'well, {c}, {x}', WELL, wanted, good, '--at', f'x={x}', sets=('--set', f'c={c}'))
    yield from check_linear(program, 'saddle', SADDLE, [-half + z for z in pair(half ** 2 - 1)] + [-half + z for z in pair(half ** 2 + 1)], 'unstable')
    # where the linear equations say nothing: a flat bottom is stable, by the energy; a flat top and a slope are not
    out = yield from linear(program, 'flat bottom', QUARTIC)
    yield apart(out['eigenvalues'], [0, 0]) == 0 and out['verdict'] in ('stable', 'undecided'), f'flat bottom: {out}'
    for label, model in (('flat top', HILL), ('inflection', CUBIC)):
        out = yield from linear(program, label, model)
        yield apart(out['eigenvalues'], [0, 0]) == 0 and out['verdict'] in ('unstable', 'undecided'), f'{label}: {out["verdict"]}'
    # s^4 + (w^2 - 3) s^2 + 2 = 0
    wanted = sum((pair(z) for z in roots(1, 22, 2)), [])
    yield from check_linear(program, 'gyroscopic', GYRO, wanted, 'undecided')
    c = mp.mpf('0.001')
    # (s^2 + c s - 1)(s^2 + c s - 2) + w^2 s^2
    wanted = roots(1, 2 * c, c * c - 3 + 25, -3 * c, 2)
    yield from check_linear(program, 'gyroscopic, with friction', CHETAEV, wanted, 'unstable')
    out = yield from linear(program, 'magnetic', MAGNETIC)
    yield out['verdict'] in ('stable', 'undecided'), f'magnetic: {out["verdict"]}'
    out = yield from linear(program, 'free', FREE, '--at', "x'=1")
    yield out['verdict'] in ('stable', 'undecided') and out['left_out'] == ['x'], f'free: {out}'


# x'' = -k x + p y - d x', y'' = -k y - p x - d y': with u = x + i y, u'' = -(k + i p) u - d u', s^2 + d s + k + i p = 0, which has a root with a positive
# real part where p^2 > k d^2. The energy grows by p (y x' - x y') - d (x'^2 + y'^2), which is more than 0 where the velocity is small and across.
TURNED = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential %s*(x^2 + y^2)\nforce x = %s, y = %s\n"


def sides(program):
    """At corners: forces that are different on both sides of x = 0, and whatever is on one of them, energy that some states near by take in."""
    k, p, d = mp.mpf(2) / 100, mp.mpf(1) / 5, 1
    yield max(mp.re(z) for z in mp.polyroots([1, d, mp.mpc(k, p)])) > 0.017 and p * p > k * d * d, 'turned: it grows'
    for corner in ('max(x, 0)/1000', 'max(x, 0)/100', 'max(x, 0)/20', 'max(x, 0)/10', 'max(x, 0)/5', 'abs(x)/100'):
        model = TURNED % ('1/100', "1/5*y - x'", f"-1/5*x - {corner} - y'")
        out = program.json('linearize', model, '--at', 'x=0')
        yield out['verdict'] == 'undecided' and 'on each side' in out['reason'], f'turned, {corner}: {out["verdict"]}, {out["reason"]}'
    # one side alone takes energy in, or little of it, or what takes it in is small: no eigenvalue has to be positive, and nothing is known
    for x, y in (("3/10*y - x'", "-3/10*max(x, 0) - y'"), ("-x'", "-max(x, 0)/1000 - y'"), ("y/1000000 - x'", "-x/1000000 - max(y, 0)*y' - y'")):
        out = program.json('linearize', TURNED % ('1/2', x, y), '--at', 'x=0')
        linear = 'max(y, 0)' in y  # max(y, 0) y' has no corner
        yield out['verdict'] == ('stable' if linear else 'undecided') and 'energy' not in out['reason'], f'{x}, {y}: {out["verdict"]}, {out["reason"]}'
    # what takes energy away at all velocities: (y x' - x y')/10 - |x'| - |y'| < 0 where |q| < 10
    for x, y in (("-x' - abs(x')", "-y' - max(y', 0)"), ("-sign(x')", "-sign(y')"), ("y/1000 - sign(x')", "-x/1000 - sign(y')")):
        out = program.json('linearize', TURNED % ('1/2', x, y), '--at', 'x=0')
        yield out['verdict'] == 'stable' and 'Lagrange' in out['reason'], f'{x}, {y}: {out["verdict"]}, {out["reason"]}'


# Off steady motions A leaves what the constraints allow. On a sphere at (1, 1, 1), where three variables might be eliminated, and on that of the quaternions.
SPHERE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x^2 + y^2 + z^2 = 3\nconstraint x' = y'*t + z'*x*y + 3/10\n%sinitial x = 1, y = 1, z = 1\n"
TURNING = """coordinates e0, e1, e2, e3
kinetic 2*(e0'^2 + e1'^2 + e2'^2 + e3'^2) + (e0*e1' - e1*e0' + e2*e3' - e3*e2')^2
potential e0*e1
constraint e0^2 + e1^2 + e2^2 + e3^2 = 1
constraint e0*e1' - e1*e0' + e2*e3' - e3*e2' = e0
initial e0 = 1/2, e1 = 1/2, e2 = 1/2, e3 = 1/2
"""


def moving(program):
    """With one equation f = 0 for the variables, of the unit normal n, the eigenvalues on what it leaves have the sum tr A - n A n."""
    for label, model, at, normal in (('sphere', SPHERE % '', 't=0.7', (1, 1, 1, 0)), ('sphere, force', SPHERE % 'potential x\n', 't=0.7', (1, 1, 1, 0)),
                                     ('quaternion', TURNING, "e3'=0.2", (1, 1, 1, 1, 0, 0)), ('quaternion, faster', TURNING, "e3'=0.9", (1, 1, 1, 1, 0, 0))):
        out = yield from linear(program, label, model, '--at', at)
        A = out['A']
        across = sum(normal[i] * normal[j] * A[i][j] for i in range(len(A)) for j in range(len(A))) / sum(x * x for x in normal)
        wanted = sum(A[i][i] for i in range(len(A))) - across
        found = sum(re for re, im in out['eigenvalues'])
        yield abs(found - wanted) < 1e-12 and out['projected'] and len(out['eigenvalues']) == len(A) - 1, f'{label}: {found} instead of {wanted}'
        yield min(abs(complex(*z)) for z in out['eigenvalues']) > 1e-3, f'{label}: {out["eigenvalues"]}'


def small_growth(program):
    """x'' = -k (x - x0) - x' d(x - x0, x'): the energy grows by -x'^2 d. Where d < 0 at all small distances it may not be called stable, however small they are."""
    oscillator = "coordinates x\nkinetic 1/2*x'^2\nforce x = -%s*(x - %s) - x'*(%s)\n"
    for k, x0, d, wanted in (
            ('1', '0', "x'^2 + x^2 - %s*abs(x)", 'undecided'), ('1', '1', "x'^2 + (x - 1)^2 - %s*abs(x - 1)", 'undecided'),
            ('1', '0', "(abs(x) + abs(x'))^3 - %s*x^2", 'undecided'), ('1000000', '0', "x'^2 + 1000000*x^2 - %s*abs(x)", 'undecided'),
            ('1', '0', "x'^2 + x^2 + %s*abs(x)", 'stable'), ('1', '0', "(abs(x) + abs(x'))^3 + %s*x^2", 'stable')):
        for small in ('1e-3', '1e-6', '1e-7', '1e-20', '1e-40'):
            out = program.json('linearize', oscillator % (k, x0, d % small), '--at', f'x={x0}')
            yield out['verdict'] == wanted, f'{d % small}: {out["verdict"]}, {out["reason"]}'
    # on a circle, where the state is known to rounding only
    pendulum = "coordinates x, y\nparameters l = 1/3\nkinetic 1/2*(x'^2 + y'^2)\npotential 10*y\nconstraint x^2 + y^2 = l^2\n" \
        "force x = -x'*(%s), y = -y'*(%s)\ninitial y = -l\n"
    for d, wanted in (("x'^2 + y'^2", 'stable'), ("x'^2 + y'^2 + x^2 - 1e-7*abs(x)", 'undecided')):
        out = program.json('linearize', pendulum % (d, d))
        yield out['verdict'] == wanted, f'pendulum, {d}: {out["verdict"]}, {out["reason"]}'


def gallery_limits(program):
    """The rolling disc and the bicycle."""
    m, R, A, C, g = 1, mp.mpf(1) / 2, mp.mpf(1) / 16, mp.mpf(1) / 8, mp.mpf(981) / 100
    # straight: A psi'' = C phi' theta', (A + mR^2) theta'' = mgR theta - (C + mR^2) phi' psi'; on the spot: gallery_bodies.py has it
    upright = "theta=0,theta'=0,psi'=0,phi'=0"
    for name, limit, square, digits in (("phi'", mp.sqrt(A * m * g * R / (C * (C + m * R * R))), lambda w: (m * g * R - C * (C + m * R * R) * w * w / A) / (A + m * R * R), 1e-9),
                                        ("psi'", mp.sqrt(m * g * R / (A + m * R * R)), lambda s: m * g * R / (A + m * R * R) - s * s, 1e-8)):
        out = program.json('linearize', 'rolling-disc', '--at', upright, '--vary', f'{name}=-6:6:24')
        changes = out['vary']['changes']
        yield len(changes) == 2 and max(abs(abs(c['value']) - limit) for c in changes) < digits, f'disc, {name}: {changes} instead of +-{limit}'
        yield [(c['from'], c['to']) for c in changes] == [('undecided', 'unstable'), ('unstable', 'undecided')], f'disc, {name}: {changes}'
        off = max(apart(r['eigenvalues'], pair(square(mp.mpf(r['value']))) + [0, 0]) for r in out['vary']['rows'])
        yield off < 1e-12 * 20, f'disc, {name}: off by {mp.nstr(off, 3)}'
        yield all(r['steady'] for r in out['vary']['rows']), f'disc, {name}: not steady'
    if program.few:
        return
    out = program.json('linearize', 'whipple-bicycle', '--at', "lean'=0", '--vary', 'v=0:10:10')
    for v, row in enumerate(out['vary']['rows']):
        wanted = [*PRINTED[v], *(z.conjugate() for z in PRINTED[v] if isinstance(z, complex)), 0]
        off = apart(row['eigenvalues'], wanted)
        yield off < 1e-11, f'bicycle at {v} m/s: {row["eigenvalues"]} instead of {wanted}: {mp.nstr(off, 3)}'
        yield row['value'] == v and row['steady'] and row['verdict'] == ('stable' if v in (5, 6) else 'unstable'), f'bicycle at {v} m/s: {row["verdict"]}'
    changes = out['vary']['changes']
    for change, limit, verdicts in zip(changes, (4.29238253634111, 6.02426201538837), (('unstable', 'stable'), ('stable', 'unstable'))):
        yield abs(change['value'] - limit) < 1e-9 and (change['from'], change['to']) == verdicts, f'bicycle: {change}'
    yield len(changes) == 2, f'bicycle: {changes}'


if __name__ == '__main__':
    with_program(gallery, nearest, closed_forms, sides, moving, small_growth, gallery_limits)
