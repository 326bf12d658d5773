#!/usr/bin/env python3
"""rest.py NONHOLO EXAMPLES [--few]: `equilibria` against exported code, closed forms and motions.

Rest and steady motions are put into the exported equations, with whatever is said to be free at random values. Small systems have
complete lists of both, with verdicts that are derived by hand; and motions from states nearby have to stay or to leave, as the verdict says.
"""
import glob
import math
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exported import LARGEST, formula, mp, null_space, shortest, size, spectrum, with_program  # noqa: E402
from small_systems import *  # noqa: E402, F403


# ---------------------------------------------------------------- rest and steady motions

def angles_of(model):
    return set(sum((line.split('#')[0].split(None, 1)[1].replace(' ', '').split(',') for line in model.splitlines() if line.startswith('angles')), []))


def zero_near(e, state, rows, unknowns):
    """Newton's steps, each the shortest, in 50 digits; the state that it ends at and its largest rate."""
    state = dict(state)
    for _ in range(3):
        rates = e.rates(state)
        J = e.matrix(state, rows, unknowns)
        right = [-rates[v] for v in rows]
        if e.bound:  # along what binds the variables
            slopes = e.slopes(state, unknowns)
            J, right = mp.matrix(J.tolist() + slopes.tolist()), right + [0] * slopes.rows
        step = shortest(J, right)
        for v, d in zip(unknowns, step):
            state[v] += d
    return state, max(abs(x) for x in right)


def enclosed(e, name, found, asked, chance):
    """A state without formulas that is said to be proved: the zero is there, within that distance, whatever the free variables are."""
    unknowns = [v for v in asked if v not in found['free']]
    for tried in range(2):
        state = {v: mp.mpf(x) + (mp.mpf(chance.uniform(-1, 1)) * tried if v in found['free'] or v not in asked else 0) for v, x in found['state'].items()}
        zero, left = zero_near(e, state, asked, unknowns)
        far = max((abs(zero[v] - state[v]) for v in unknowns), default=0)
        yield left < mp.mpf(10) ** -35, f'{name}: proved, but there is no zero near {found["state"]}: {mp.nstr(left, 3)}'
        yield far <= found['within'] * mp.sqrt(len(unknowns)) + mp.mpf(10) ** -40, f'{name}: the zero is {mp.nstr(far, 3)} away, not within {found["within"]}'
    yield found['within'] < 1e-9, f'{name}: within {found["within"]}'


def rest(program, label, model, *options, sets=()):
    """Checks of one output: every state solves the exported equations, whatever the free variables are."""
    out = program.json('equilibria', model, *options, *sets)
    e = program.equations(model, *sets)
    steady = '--steady' in options
    asked = [name for name in e.names if name not in out['left_out']] if steady else e.names
    if steady:
        yield all(name in e.coordinates for name in out['left_out']), f'{label}: left out {out["left_out"]}'
    else:
        yield out['left_out'] == [], f'{label}: left out {out["left_out"]}'
    yield 0 <= out['converged'] <= out['searches'] and (out['converged'] > 0) == bool(out['equilibria']), f'{label}: {out["converged"]} of {out["searches"]}'
    yield out['jumps'] == [], f'{label}: no force of these jumps, and certainly not with {out["jumps"]}'
    chance = random.Random(label)
    for k, found in enumerate(out['equilibria']):
        name = f'{label} {k + 1}'
        state = {key: mp.mpf(value) for key, value in found['state'].items()}
        yield set(e.names) <= set(state), f'{name}: {state}'
        yield found['verdict'] in ('stable', 'unstable', 'undecided') and found['found'] in ('proved', 'tested'), f'{name}: {found}'
        yield len(found['free']) <= found['dimension'], f'{name}: {found["dimension"]} dimensions with {found["free"]} free'
        yield not set(found['free']) & set(found['bound']), f'{name}: {found["free"]} and {found["bound"]}'
        yield found['exact'] is None or (found['found'] == 'proved' and found['within'] == 0), f'{name}: {found["found"]} with {found["exact"]}'
        yield (found['within'] is None) == (found['found'] == 'tested'), f'{name}: {found["found"]} to within {found["within"]}'
        for variable in asked:
            low, high = out['box'][variable]
            if variable not in found['free'] and variable not in found['bound']:
                slack = 1e-9 * (1 + abs(low) + abs(high))
                yield low - slack <= state[variable] <= high + slack, f'{name}: {variable} = {state[variable]} is outside {low}:{high}'
        exact = None
        if found['exact'] is not None:
            # a free variable stands for itself
            values = e.values({variable: state[variable] for variable in found['free'] + out['left_out']})
            exact = {variable: formula(found['exact'][variable], values) for variable in e.names}
            off = max(abs(exact[v] - state[v]) / (1 + abs(state[v])) for v in e.names)
            yield off < 1e-12, f'{name}: {found["exact"]} is not {found["state"]}'
        if found['singular']:
            yield found['verdict'] == 'undecided', f'{name}: singular, but {found["verdict"]}'
            continue
        if found['found'] == 'proved' and exact is None:
            yield from enclosed(e, name, found, asked, chance)
        scale = 1 + max(abs(x) for x in e.rates({v: x + mp.mpf('0.01') for v, x in state.items()}).values())
        for tried in range(2 if found['free'] + out['left_out'] else 1):
            if exact is not None:
                moved = {v: mp.mpf(chance.uniform(-3, 3)) if tried and v in found['free'] + out['left_out'] else state[v] for v in e.names}
                moved = {v: formula(found['exact'][v], e.values(moved)) for v in e.names}
            else:
                moved = {v: state[v] + mp.mpf(chance.uniform(-1, 1)) * tried if v in found['free'] else state[v] for v in e.names}
            rates = e.rates(moved, mp.mpf(chance.uniform(0, 5)))
            off = max((abs(rates[v]) for v in asked), default=0)
            yield off < (mp.mpf(10) ** -14 if exact is not None else 1e-9) * scale, f'{name}: {found["state"]}, free {found["free"]}: the rates are {mp.nstr(off, 3)}, not 0'
        # the dimension is no more than that of the solutions of the linear equations
        if k >= 3:
            continue
        A = e.matrix(state, asked)
        if e.bound:
            T = e.tangent(state, asked)
            A = (T.T * T) ** -1 * T.T * A * T
        if A.rows <= LARGEST:
            scale = max(size(A), mp.mpf(1))
            null = null_space(A / scale, 1e-7).cols
            yield found['dimension'] <= null, f'{name}: {found["dimension"]} dimensions, {null} by the linear equations'
            # verdicts against the eigenvalues
            values = [z for z, _ in spectrum(A)]
            if found['free'] and 'member' in found['reason']: # some members grow, others do not
                grow = {any(mp.re(z) > 1e-4 * scale for z, _ in spectrum(e.matrix({v: mp.mpf(chance.uniform(*out['box'][v]))
                                                                                   if v in found['free'] else state[v] for v in e.names}, asked)))
                        for _ in range(12)}
                yield grow != {True}, f'{name}: {found["reason"]}, but all grow' # the others: stable, or not decided
            elif any(mp.re(z) > 1e-4 * scale for z in values):
                yield found['verdict'] == 'unstable', f'{name}: {found["verdict"]} with {[mp.nstr(z, 8) for z in values]}'
            elif all(mp.re(z) < 1e-7 * scale for z in values):
                yield found['verdict'] != 'unstable', f'{name}: unstable with {[mp.nstr(z, 8) for z in values]}'
            if found['verdict'] == 'stable':
                yield all(mp.re(z) < 1e-7 * scale for z in values), f'{name}: stable with {[mp.nstr(z, 8) for z in values]}'
    return out


def gallery_rest(program):
    paths = sorted(glob.glob(os.path.join(program.examples, '*.nh')) + glob.glob(os.path.join(program.examples, 'paper', '*.nh')))
    few = 'rolling-disc off-centre-sleigh heisenberg paper/parallel-incline'.split()
    for path in paths:
        name = os.path.relpath(path, program.examples)[:-3]
        if name != 'isokinetic-64' and (not program.few or name in few):
            yield from rest(program, f'rest of {name}', name)
            if name != 'ball-in-bowl':
                yield from rest(program, f'steady motions of {name}', name, '--steady')


def complete(program, label, model, wanted, *options, sets=(), free=(), singular=False):
    """A list of (state, verdicts that are true), states by the variables that are not 0; angles modulo a turn."""
    out = yield from rest(program, label, model, *options, sets=sets)
    yield from agrees(label, model, out, wanted, free, singular)
    return out


def agrees(label, model, out, wanted, free=(), singular=False):
    """The list is that; the velocities may be free ones or all."""
    left, turning = list(out['equilibria']), angles_of(model)
    for state, verdicts in wanted:
        def distance(found):
            total = 0
            for name, value in found['state'].items():
                if name in free or name == 't':
                    continue
                off = value - float(state.get(name, 0))
                total = max(total, abs(math.remainder(off, 2 * math.pi) if name in turning else off))
            return total
        near = min(left, key=distance, default=None)
        if near is None or distance(near) > 1e-9:
            yield False, f'{label}: {state} is not among {[f["state"] for f in left]}'
            continue
        left.remove(near)
        yield near['verdict'] in verdicts.split(), f'{label}: {state} is {near["verdict"]}, not {verdicts}: {near["reason"]}'
        yield sorted(near['free']) == sorted(free), f'{label}: free are {near["free"]}, not {free}'
        yield near['singular'] == singular, f'{label}: {state} singular {near["singular"]}'
    yield not left, f'{label}: there should be no {[f["state"] for f in left]}'


def proved(out, label):
    for found in out['equilibria']:
        yield found['found'] == 'proved', f'{label}: {found["state"]} is {found["found"]}'


def singular_rest(program):
    """Where the metric or the free velocities degenerate."""
    pi = mp.pi
    for model in (GEARED, GEARED.replace('potential ', 'potential -')):
        out = yield from complete(program, 'geared', model, [({}, 'undecided'), ({'th': pi}, 'undecided')], free=('r', 'ph'), singular=True)
        yield from proved(out, 'geared')
    out = yield from rest(program, 'geared, steady', GEARED, '--steady')
    poles = [found for found in out['equilibria'] if abs(math.sin(found['state']['th'])) < 1e-9]
    yield len(poles) == 2 and all(found['singular'] for found in poles), f'geared, steady: {poles}'
    cones = [found for found in out['equilibria'] if found not in poles]  # th' = 0, and ph' as th is
    yield len(cones) == 1 and cones[0]['dimension'] == 1, f'geared, steady: {cones}'
    yield from complete(program, 'light', LIGHT, [({}, 'undecided'), ({'th': pi}, 'undecided')], free=('ph',), singular=True)
    yield from complete(program, 'light, in a plane', LIGHT_PLANE, [({}, 'unstable'), ({'th': pi}, 'stable')])
    out = program.json('equilibria', BESIDE)
    yield {round(abs(found['state']['th']), 9) for found in out['equilibria']} == {0, round(math.pi, 9)}, f'beside: {out["equilibria"]}'
    yield all(found['singular'] for found in out['equilibria']), f'beside: {out["equilibria"]}'
    # a ball that rolls rests upright and upside down, where the angles degenerate; the free velocities psi', theta', phi' do nowhere
    out = yield from complete(program, 'ball', 'routh-sphere', [({}, 'undecided'), ({'theta': pi}, 'undecided')], free=('x', 'y', 'psi', 'phi'), singular=True)
    yield from proved(out, 'ball')
    # and precesses steadily, however it leans and spins
    for box in ((), ('--box', 'theta=0.1:3'), ('--box', 'theta=0.1:4')):
        out = yield from rest(program, f'ball, steady {box}', 'routh-sphere', '--steady', *box)
        wide = [found for found in out['equilibria'] if found['dimension'] == 2 and sorted(found['bound']) == ["phi'", "psi'", 'theta']]
        yield len(wide) == 1 and not wide[0]['singular'], f'ball, steady {box}: {out["equilibria"]}'
        yield out['left_out'] == ['x', 'y', 'psi', 'phi'], f'ball, steady {box}: {out["left_out"]}'
    # at rest all velocities are 0, whatever they are called; steady motions are told apart by them
    yield from complete(program, 'poles', TO_AXIS, [({'z': 0}, 'unstable')], '--box', 'x=1:3,y=1:3', free=('x', 'y'))
    out = program.json('equilibria', TO_AXIS, '--steady')
    yield [sorted(found['free']) for found in out['equilibria']] == [['x', 'y']], f'poles, steady: {out["equilibria"]}'
    yield [found['free'] for found in out['in_all_velocities']['equilibria']] == [['z']], f'poles, steady: {out["in_all_velocities"]}'


def small_rest(program):
    pi, g = mp.pi, mp.mpf(981) / 100
    # no formulas: cos(x) = x, and on an ellipse
    dottie = mp.findroot(lambda x: mp.cos(x) - x, 0.7)
    out = yield from complete(program, 'wavy wire', WIRE, [({'x': dottie}, 'stable')])
    yield from proved(out, 'wavy wire')
    yield len(out['equilibria']) == 1 and out['equilibria'][0]['within'] > 0, f'wavy wire: {out}'
    out = yield from complete(program, 'wavy skate', WAVY_SKATE, [({'x': dottie}, 'stable undecided')], '--box', 'theta=-1/4:1/4', free=('y',))
    yield from proved(out, 'wavy skate')
    for model in (ELLIPSE, ELLIPSE.replace('initial x = 2', '').replace('x^2/4 + y^2 = 1', 'x = 2*sin(y)')):
        out = yield from rest(program, 'ellipse', model)
        yield len(out['equilibria']) >= 1, f'ellipse: {out}'
        yield from proved(out, 'ellipse')
    # double zeros are not proved by enclosing them, and neither is what is singular
    for label, model in (('double zeros', DOUBLE_ZERO), ('runners', RUNNERS)):
        out = program.json('equilibria', model)
        yield out['equilibria'] and all(found['found'] == 'tested' for found in out['equilibria']), f'{label}: {out["equilibria"]}'
    # the spring is slack, and both stand still
    yield [found['singular'] for found in out['equilibria']] == [True], f'runners: {out["equilibria"]}'
    for found in out['equilibria']:
        state = found['state']
        yield abs(state['x1'] - state['x2']) + abs(state['y1'] - state['y2']) < 1e-9, f'runners: {state}'
    out = yield from complete(program, 'pendulum', PENDULUM, [({}, 'stable'), ({'q': pi}, 'unstable')])
    yield from proved(out, 'pendulum')
    yield from complete(program, 'pendulum with friction', PENDULUM, [({}, 'stable'), ({'q': pi}, 'unstable')], sets=('--set', 'c=1'))
    yield from complete(program, 'pendulum with wind behind', PENDULUM, [({}, 'unstable'), ({'q': pi}, 'unstable')], sets=('--set', 'c=-1'))
    out = yield from complete(program, 'double pendulum', DOUBLE, [({}, 'stable'), ({'a': pi}, 'unstable'), ({'b': pi}, 'unstable'), ({'a': pi, 'b': pi}, 'unstable')])
    yield from proved(out, 'double pendulum')
    lean = mp.acos(g / (mp.mpf(1) / 2 * 25))
    for model in (HOOP, DRIVEN_HOOP):
        title = model.splitlines()[0]
        yield from complete(program, title, model, [({}, 'unstable'), ({'q': pi}, 'unstable'), ({'q': lean}, 'stable undecided'), ({'q': -lean}, 'stable undecided')])
        yield from complete(program, f'{title}, slow', model, [({}, 'stable undecided'), ({'q': pi}, 'unstable')], sets=('--set', 'omega=4'))
    yield from complete(program, 'two wells', WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')])
    yield from complete(program, 'two wells with friction', WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')], sets=('--set', 'c=1/10'))
    out = yield from complete(program, 'hanging', HANGING, [({'x': 2 * g / 7}, 'stable')])
    yield from proved(out, 'hanging')
    values = {'m': mp.mpf(3), 'g': mp.mpf(5), 'k': mp.mpf(11), "x'": mp.mpf(0)}
    for found in out['equilibria']:  # a formula in the parameters: true for others, too
        yield abs(formula(found['exact']['x'], values) - mp.mpf(15) / 11) < 1e-40, f'hanging: {found["exact"]}'
    out = yield from complete(program, 'two hanging', TWO_HANGING, [({'x': 5 * g / 50, 'y': 5 * g / 50 + 3 * g / 40}, 'stable')])
    yield from complete(program, 'falling', FALLING, [])
    yield from complete(program, 'falling, steady', FALLING, [], '--steady')
    out = yield from complete(program, 'skate', SKATE, [({}, 'stable undecided')], free=('x', 'y', 'theta'))
    yield from proved(out, 'skate')
    # straight ahead, and on circles: v and w are both constant
    yield from complete(program, 'skate, steady', SKATE, [({}, 'stable undecided')], '--steady', free=('v', 'w'))
    yield from complete(program, 'bob', BOB, [({'y': -1.5}, 'stable'), ({'y': 1.5}, 'unstable')])
    yield from complete(program, 'bob with friction', BOB_WITH_FRICTION, [({'y': -1.5}, 'stable'), ({'y': 1.5}, 'unstable')])
    yield from complete(program, 'spherical', SPHERICAL, [({'z': -2}, 'stable'), ({'z': 2}, 'unstable')])
    yield from complete(program, 'drag', DRAG, [({}, 'stable')])
    yield from complete(program, 'bob with drag', BOB_WITH_DRAG, [({'y': -1.5}, 'stable'), ({'y': 1.5}, 'unstable')])
    yield from singular_rest(program)
    yield from complete(program, 'speed', SPEED, [({}, 'undecided')], singular=True)
    yield from complete(program, 'double bob', DOUBLE_BOB, [({'y1': -1, 'y2': -2}, 'stable'), ({'y1': -1}, 'unstable'), ({'y1': 1}, 'unstable'), ({'y1': 1, 'y2': 2}, 'unstable')])
    yield from complete(program, 'saddle', SADDLE, [({}, 'unstable')])
    yield from complete(program, 'inflection', CUBIC, [({}, 'unstable undecided')])
    yield from complete(program, 'free', FREE, [({}, 'undecided stable')], free=('x',))
    yield from complete(program, 'free, steady', FREE, [({}, 'undecided stable')], '--steady', free=("x'",))
    yield from complete(program, 'gyroscopic', GYRO, [({}, 'undecided')])
    yield from complete(program, 'gyroscopic, with friction', CHETAEV, [({}, 'unstable')])
    yield from complete(program, 'magnetic', MAGNETIC, [({}, 'undecided stable')], free=('x', 'y'))
    yield from complete(program, 'chain', chain(3), [({}, 'stable')])
    yield from complete(program, 'Mathieu', MATHIEU, [({}, 'undecided')])
    yield from complete(program, 'shaken', SHAKEN, [])
    # on a sleigh's way down: none; at rest all states, where nothing pulls
    yield from complete(program, 'sleigh', SLEIGH, [({}, 'stable')], free=('x', 'y', 'theta'))
    # parallel velocities on an incline: no rest but where both stand still, and there the constraint is singular
    out = yield from rest(program, 'incline', 'paper/parallel-incline')
    yield out['equilibria'] and all(found['singular'] for found in out['equilibria']), f'incline: {out["equilibria"]}'
    # boxes
    for box, model, wanted in (('q=2:4', PENDULUM, [({'q': pi}, 'unstable')]), ('q=-1:1', PENDULUM, [({}, 'stable')]), ('q=0.5:3', PENDULUM, []),
                               ('x=0.5:2.5', WELL, [({'x': 2}, 'stable')]), ('x=-1:1', WELL, [({}, 'unstable')]), ('x=3:4', WELL, []),
                               ("x=-3:3,x'=-1:1", WELL, [({'x': 2}, 'stable'), ({'x': -2}, 'stable'), ({}, 'unstable')]), ("x'=1:2", WELL, []),
                               ('a=-1:1,b=2:4', DOUBLE, [({'b': pi}, 'unstable')]), ('q=pi/2:3*pi/2', PENDULUM, [({'q': pi}, 'unstable')])):
        out = yield from complete(program, f'box {box}', model, wanted, '--box', box)
        for part in box.split(','):
            name, limits = part.split('=')
            limits = [float(formula(x.replace('-', '0-', 1) if x.startswith('-') else x, {})) for x in limits.split(':')]
            yield out['box'][name] == limits, f'box {box}: {out["box"]}'


# ---------------------------------------------------------------- what free velocities do not reach

SURFACE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential %s\n%s\ninitial %s\n"
DRIVEN = """coordinates x, y
angles a
parameters c = 1
kinetic 1/2*(x'^2 + y'^2 + a'^2)
force x = cos(a) - c*x', y = sin(a) - c*y', a = -a' + sin(2*a)/5
constraint x'^2 + y'^2 = 4*a'^2 + 1
initial %s
"""
SHEETS = """coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
potential y
force x = -x'
constraint x'^2 - (y' - 1/2)^2 = 1
initial x' = %d
"""


def surfaces(program):
    """Critical points of V on f = 0 by hand: dV = k df. Stable are the least; which start selects the free velocities is no matter."""
    sphere, half = 'constraint x^2 + y^2 + z^2 = 1', mp.sqrt(mp.mpf(1) / 2)
    poles = lambda x, y, z: [(dict([(n, s)]), v) for n, v in (('x', x), ('y', y), ('z', z)) for s in (1, -1)]
    saddles = [({'x': s * half, 'z': t * half}, 'stable' if s != t else 'unstable') for s in (1, -1) for t in (1, -1)] + poles(0, 'unstable', 0)[2:4]
    # x (x^2 - 1) + y^2 on x^2 + y^2 + z^2/4 = 1: at x = 1 and x = -1; with y = 0, 3 x^2 = 1; with z = 0, 3 x^2 - 2 x = 1
    third, root = mp.mpf(1) / 3, mp.sqrt(mp.mpf(1) / 3)
    egg = [({'x': -1}, 'stable'), ({'x': 1}, 'unstable'), *(({'x': -third, 'y': s * 2 * mp.sqrt(2) / 3}, 'unstable') for s in (1, -1)),
           *(({'x': x, 'z': s * 2 * mp.sqrt(2 * third)}, 'stable' if x > 0 else 'unstable') for x in (root, -root) for s in (1, -1))]
    # x + 2 y on x^2 + y^4 + z^2 = 1: 2 k x = 1, 4 k y^3 = 2, so that x = y^3
    y = mp.findroot(lambda y: y**6 + y**4 - 1, 0.87)
    # z^2 + x y on Viviani's curve x = 1 + cos t, y = sin t, z^2 = 2 - 2 cos t, t = 0 at the crossing of a sphere and a cylinder being a corner in z^2
    t = mp.findroot(lambda t: 2 * mp.sin(t) + mp.cos(t) + mp.cos(2 * t), -0.6)
    bend = {'x': 1 + mp.cos(t), 'y': mp.sin(t)}
    viviani = [(dict(bend, z=s * mp.sqrt(2 - 2 * mp.cos(t))), 'stable') for s in (1, -1)] + [({'z': s * 2}, 'unstable') for s in (1, -1)]
    cases = [('a plane across a sphere', 'x', sphere, [({'x': -1}, 'stable'), ({'x': 1}, 'unstable')], ('x = 1', 'y = 1', 'z = 1')),
             ('three axes', 'x^2 + 2*y^2 + 3*z^2', sphere, poles('stable', 'unstable', 'unstable'), ('x = 1', 'y = 1', 'z = 1')),
             ('two planes', 'x*z', sphere, saddles, ('x = 1', 'y = 1', 'z = 1')),
             ('egg', 'x*(x^2 - 1) + y^2', 'constraint x^2 + y^2 + z^2/4 = 1', egg, ('z = 2', 'x = 1', 'y = 1')),
             ('pillow', 'x + 2*y', 'constraint z^2 = 1 - x^2 - y^4', [({'x': s * y**3, 'y': s * y}, 'unstable' if s > 0 else 'stable') for s in (1, -1)], ('z = 1', 'x = 1')),
             ('Viviani', 'z^2 + x*y', 'constraint x^2 + y^2 + z^2 = 4\nconstraint x^2 + y^2 = 2*x', viviani, ('x = 1, y = 1, z = sqrt(2)', 'z = 2'))]
    for label, V, constraint, wanted, starts in cases:
        for start in starts[:1] if program.few else starts:
            model = SURFACE % (V, constraint, start)
            out = program.json('equilibria', model)
            yield from agrees(f'{label} from {start}', model, out, wanted)
            yield from proved(out, label)
            for found in out['equilibria']:
                at = ','.join(f'{name}={value!r}' for name, value in found['state'].items() if name in 'xyz')
                alone = program.json('linearize', model, '--at', at)
                yield alone['verdict'] == found['verdict'], f'{label}: {at} is {found["verdict"]}, and alone {alone["verdict"]}'
    # at a speed sqrt(1 + 4 a'^2), along the force or against it; a has a well at +-pi/2
    for start in ("x' = 1", "x' = -1", "y' = 1"):
        out = program.json('equilibria', DRIVEN % start, '--steady')
        found = []
        for part in (out, out['in_all_velocities'] or {'equilibria': []}):
            found += [(round(f['state']['a'] / (math.pi / 2)) % 4, f['verdict']) for f in part['equilibria']]
        stable = sorted(a for a, verdict in found if verdict == 'stable')
        yield sorted(a for a, _ in found) == [0, 0, 1, 1, 2, 2, 3, 3] and stable == [1, 3], f'driven from {start}: {found}'
    # two sheets of a hyperbola, x'^2 = 1 + (y' - 1/2)^2: y' = -1/2, one list each
    for sheet in (1, -1):
        out = program.json('equilibria', SHEETS % sheet, '--steady')
        other = (out['in_all_velocities'] or {'equilibria': []})['equilibria']
        found = [f['state']["x'"] * sheet for f in other]
        yield len(out['equilibria']) == 1 and len(found) == 1 and abs(found[0] + math.sqrt(2)) < 1e-9, f'sheet {sheet}: {out}'


# ---------------------------------------------------------------- families, and what is none

CURVE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n"
HEAVY_BODY = """angles psi, theta, phi
parameters I1 = 2, I2 = 3, I3 = 4
frame B = Rz(psi)*Rx(theta)*Rz(phi)
body W at (0,0,0) + 1/2*axis(B,3) + 1/5*axis(B,1) frame B mass 1 inertia (I1, I2, I3)
gravity (0,0,-1)
constraint dot(angvel(W), axis(B,3)) = 0
initial theta = 1
"""


def degenerate(program):
    """Multiple roots, ends of roots, poles of angles, and corners in the time."""
    # x' = 0 where x = 1 and where x = -1, whatever y is; the constraint is singular there
    out = program.json('equilibria', CURVE + "constraint x'^2 + x^2 = 1\ninitial x' = 1\n")
    lines = sorted((f['state']['x'], f['free'], f['dimension'], f['found']) for f in out['equilibria'])
    yield lines == [(-1, ['y'], 1, 'tested'), (1, ['y'], 1, 'tested')], f'lines: {lines}'
    # a circle and a sphere of triple roots, and the origin
    for names, dimension in (('x, y', 1), ('x, y, z', 2)):
        parts = names.split(', ')
        r = ' + '.join(f'{x}^2' for x in parts)
        model = f'coordinates {names}\nkinetic 1/2*(' + ' + '.join(f"{x}'^2" for x in parts) + ')\nforce ' + ', '.join(f"{x} = -{x}' - {x}*({r} - 1)^3" for x in parts)
        for found in (program.json('equilibria', model)['equilibria'],):
            far = [f for f in found if abs(sum(f['state'][x]**2 for x in parts) - 1) < 1e-9]
            yield len(found) == 2 and len(far) == 1, f'multiple in {names}: {[f["state"] for f in found]}'
            yield far and far[0]['dimension'] == dimension and far[0]['bound'] == parts, f'multiple in {names}: {far}'
    # gravity pulls at the body with theta = 0, of which phi = 0 says nothing: tan(theta) = 2/5, with phi = +-pi/2
    out = program.json('equilibria', HEAVY_BODY)
    leans = sorted(round(abs(math.tan(f['state']['theta'])), 9) for f in out['equilibria'])
    yield leans == [0.4] * 4 and not any(f['singular'] for f in out['equilibria']), f'heavy body: {[f["state"] for f in out["equilibria"]]}'
    # at the poles of a sphere the constraint says nothing, and x pulls
    out = program.json('equilibria', SURFACE % ('x', "constraint x^2 + y^2 + z^2 = 1\nconstraint x*y' = y*x'", 'x = 1'))
    poles = [f for f in out['equilibria'] if abs(abs(f['state']['z']) - 1) < 1e-9 and not f['bound']]
    yield poles == [] and len(out['equilibria']) == 2, f'poles: {out["equilibria"]}'
    # the same force in angles: where it is along the sphere's pole, the pole is no state of rest; else it is
    angles = "angles th, ph\nkinetic 1/2*(th'^2 + sin(th)^2*ph'^2)\npotential %s\n"
    yield from complete(program, 'across', angles % 'sin(th)*cos(ph)', [({'th': s * mp.pi / 2, 'ph': p}, 'stable' if (s > 0) != (p == 0) else 'unstable')
                                                                        for s in (1, -1) for p in (0, mp.pi)])
    yield from complete(program, 'upright', angles % 'cos(th)', [({}, 'undecided'), ({'th': mp.pi}, 'undecided')], free=('ph',), singular=True)
    # at rest until t = 50, for one second, or at all times
    for force, count in (('max(t - 50, 0) - x + 1', 0), ('max(1 - abs(t - 50), 0) - x + 1', 0), ('max(-t - 70, 0) - x + 1', 0), ('(1 - x)*(1 + abs(t - 3))', 1)):
        out = program.json('equilibria', f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force}\n")
        yield len(out['equilibria']) == count, f'{force}: {out["equilibria"]}'


# ---------------------------------------------------------------- motions from states nearby

def motions(program):
    """Stable ones stay within a bound, unstable ones leave, from 1e-4 in a random direction."""
    cases = [('pendulum', PENDULUM, (), 30), ('pendulum with friction', PENDULUM, ('--set', 'c=1'), 30), ('double pendulum', DOUBLE, (), 30),
             ('hoop', HOOP, (), 60), ('two wells', WELL, (), 30), ('two hanging', TWO_HANGING, (), 30), ('saddle', SADDLE, (), 40), ('chain', chain(3), (), 40),
             ('bob with friction', BOB_WITH_FRICTION, (), 30), ('gyroscopic, with friction', CHETAEV.replace('1/1000', '1/5'), (), 800), ('cart', CART, (), 8),
             ('cone', 'rolling-cone', (), 60), ('Heisenberg', 'heisenberg', (), 60), ('Rosenberg', 'rosenberg', (), 60), ('spherical', SPHERICAL, (), 20)]
    if program.few:
        cases = cases[:4]
    for label, model, sets, until in cases:
        out = program.json('equilibria', model, *sets)
        free = set(sum((f['free'] for f in out['equilibria']), []))
        for k, found in enumerate(out['equilibria']):
            if found['singular'] or found['verdict'] == 'undecided':
                continue
            chance = random.Random(f'{label} {k}')
            start = {name: value if name in free else value + chance.choice((-1e-4, 1e-4)) for name, value in found['state'].items()
                     if name != 't' and not re.fullmatch(r'u\d', name)}  # velocities that the program has named cannot be given
            rows = program.run(model, '--start', ','.join(f'{name}={value!r}' for name, value in start.items()), '--project', '--to', until, *sets, ok=(0, 1))
            far = [max(abs(row[name] - found['state'][name]) for name in start if name not in free) for row in rows]
            if found['verdict'] == 'stable':
                yield max(far) < 5e-3 and rows[-1]['t'] == until, f'{label}: {found["state"]} is stable, but the motion leaves it by {max(far)}'
            else:
                yield max(far) > 5e-2, f'{label}: {found["state"]} is unstable, but the motion stays within {max(far)}'


if __name__ == '__main__':
    with_program(gallery_rest, small_rest, surfaces, degenerate, motions)
