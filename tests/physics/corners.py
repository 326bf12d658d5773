#!/usr/bin/env python3
"""corners.py NONHOLO [--few]: motions under forces with corners and jumps against closed forms, one by one and many at once.

The closed forms are written down here; nothing is taken from the program's output."""
import itertools
import math
import sys
import tempfile

from systems import Program, judge

# two masses tied to each other, so that both methods have something to do: x'' = -k x - f sign(x')
RUBBED = """coordinates x, y
parameters k = 4, f = 1
kinetic 1/4*(x'^2 + y'^2)
force x = -k/2*x - f/2*sign(x'), y = -k/2*y - f/2*sign(y')
constraint x' = y'
initial x = 10, y = 10
"""
# v' = -g - c |v| v, up and down again
THROWN = """coordinates y
parameters g = 9.81, c = 1/2
kinetic 1/2*y'^2
potential g*y
force y = -c*abs(y')*y'
initial y' = 12
"""
# on a bed that only pushes
BOUNCING = """coordinates x
parameters g = 10, k = 400
kinetic 1/2*x'^2
potential g*x
force x = max(0, -k*x)
initial x' = 3
"""
# v' = -min(1, |v|/s) sign(v): first the one, then the other
BRAKED = """coordinates x
parameters s = 1/4
kinetic 1/2*x'^2
force x = -min(1, abs(x')/s)*sign(x')
initial x' = 2
"""


def rubbed(t, k=4.0, f=1.0, x=10.0, **_):
    """Half a turn after the other, each about f/k on the side it comes from, the amplitude smaller by 2 f/k."""
    w, d = math.sqrt(k), f / k
    half = int(t * w / math.pi)
    amplitude, side = abs(x) - d - 2 * d * half, (1 if half % 2 == 0 else -1) * math.copysign(1, x)
    phase = w * t - math.pi * half
    return side * (amplitude * math.cos(phase) + d), -side * amplitude * w * math.sin(phase)


def thrown(t, v=12.0, g=9.81, c=0.5, **_):
    rate, end = math.sqrt(g * c), math.sqrt(g / c)
    top = math.atan(v / end) / rate
    height = math.log(1 + (v / end) ** 2) / (2 * c)
    if t < top:
        phase = rate * (top - t)
        return height + math.log(math.cos(phase)) / c, end * math.tan(phase)
    phase = rate * (t - top)
    return height - math.log(math.cosh(phase)) / c, -end * math.tanh(phase)


def bouncing(t, v=3.0, g=10.0, k=400.0, **_):
    """Flight for 2 v/g; then about -g/k, from -v to v again."""
    w, sag, flight = math.sqrt(k), g / k, 2 * v / g
    contact = 2 * (math.pi - math.atan2(v / w, sag)) / w
    t %= flight + contact
    if t < flight:
        return v * t - g * t * t / 2, v - g * t
    phase = w * (t - flight)
    return -sag + sag * math.cos(phase) - v / w * math.sin(phase), -sag * w * math.sin(phase) - v * math.cos(phase)


def braked(t, v=2.0, s=0.25, **_):
    fast = v - s
    if t < fast:
        return v * t - t * t / 2, v - t
    rest = t - fast
    return v * fast - fast * fast / 2 + s * s * -math.expm1(-rest / s), s * math.exp(-rest / s)


SYSTEMS = {'rubbed': (RUBBED, rubbed, 'x', 13, 'k,f', lambda i: {'k': 3 + i / 16, 'f': 0.5 + i / 256}),
           'thrown': (THROWN, thrown, 'y', 4, "c,y'", lambda i: {'c': 0.125 + i / 64, 'v': 10 + i / 16}),
           'bouncing': (BOUNCING, bouncing, 'x', 7, "k,x'", lambda i: {'k': 300 + 2 * i, 'v': 2 + i / 64}),
           'braked': (BRAKED, braked, 'x', 5, "s,x'", lambda i: {'s': 0.125 + i / 256, 'v': 1 + i / 32})}


def off(rows, known, name, **values):
    """How far both are from what is known, relative to 1 or their size."""
    worst = 0
    for row in rows:
        x, v = known(row['t'], **values)
        worst = max(worst, abs(row[name] - x) / max(1, abs(x)), abs(row[name + "'"] - v) / max(1, abs(v)))
    return worst


def alone(program, few):
    for (name, (model, known, x, to, _, _)), method, solver in itertools.product(SYSTEMS.items(), ('first', 'second'), ('auto', 'rk')):
        if method == 'second' and 'constraint' not in model:
            continue
        for tolerance, error in ((1e-12, 1e-11), (1e-9, 1e-8), (1e-6, 1e-5)):
            answer = program(model, '--to', to, '--every', to / 40, '--method', method, '--tol', tolerance, '--solver', solver)
            found = off(answer.rows, known, x)
            yield answer.status == 0 and len(answer.rows) == 41 and found < error and (solver == 'rk' or 'corners' in answer.told), \
                f'{name}, {method}, {solver}, {tolerance}: {answer.status}, off by {found:.2g}\n{answer.told}'


def precise(program, few):
    """By series in every precision, forwards and back again; machine code has the same bits."""
    for (name, (model, known, x, to, _, _)), precision in itertools.product(SYSTEMS.items(), ('double', 'long', 'quad')):
        options = ['--to', to, '--every', to / 8, '--precision', precision, '--tol', '1e-15']
        answer = program(model, *options)
        found = off(answer.rows, known, x)
        yield answer.status == 0 and found < (3e-12 if precision == 'double' else 2e-14) and answer.told.startswith('Taylor'), f'{name}, {precision}: off by {found:.2g}\n{answer.told}'
        if precision == 'double':
            yield program(model, *options, '--compile', 'always').text == answer.text, f'{name}: other bits by machine code'
    for name, (model, known, x, to, _, _) in SYSTEMS.items():
        if name in ('braked', 'thrown'):
            continue  # what decays grows backwards
        end = program(model, '--to', to, '--every', to).rows[-1]
        given = ','.join(f'{column}={value!r}' for column, value in end.items() if column != 't')
        back = program(model, '--start', given + f',t={to}', '--to', 0, '--every', to).rows[-1]
        found = off([back], known, x)
        yield found < 1e-10, f'{name}, there and back: off by {found:.2g}'
        certified = program(model, '--to', to, '--every', to / 4, '--certify')
        digits = [row['digits'] for row in certified.rows]
        yield certified.status == 0 and min(digits) >= 11, f'{name}: certified {digits}'


def twice(program, few):
    """Corners that are crossed twice within what would be one step, touched, and begun on."""
    model = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = %s\ninitial x' = 1, y' = 1\n"
    for width in (1e-2, 1e-4, 1e-7):  # y = t: the force is there between 1 - width and 1 + width
        force = f'max(0, {width!r} - abs(y - 1))'
        gain = width ** 2  # the area of the triangle
        row = program(model % force, '--to', 3, '--every', 3).rows[-1]
        wrong = max(abs(row["x'"] - 1 - gain), abs(row['x'] - 3 - 2 * gain))
        yield wrong < 1e-14 + 1e-9 * gain, f'twice, {width}: off by {wrong:.2g}'
    row = program(model % 'max(0, -(y - 1)^2)', '--to', 3, '--every', 3, '--solver', 'taylor').rows[-1]
    yield abs(row['x'] - 3) < 1e-14, f'touched: {row}'
    for force, x in (('abs(y)', 3 + 4.5), ('min(y, 0)', 3), ('max(y, 0)', 3 + 4.5), ('sign(y)', 3 + 4.5), ('-abs(-y)', 3 - 4.5),
                     ('sign(y)*sign(y - 1)', 3 - 1 / 2 - 2 + 2), ('max(-y, -2*y)', 3 - 4.5)):
        row = program(model % force, '--to', 3, '--every', 3).rows[-1]
        yield abs(row['x'] - x) < 1e-13, f'begun on {force}: {row} and not {x}'


def hidden(program, few):
    """Corners without a word for them: |x| as sqrt(x^2), a triangle as asin(sin(t)), drag where the velocity vanishes."""
    turn = math.atan(0.5)  # x = cos(t) - 2 sin(t) up to there, and sinh behind
    bent = (-math.sin(turn) - 2 * math.cos(turn)) * math.sinh(4 - turn)
    # x' = tan(pi/4 - t) upwards, -tanh(t - pi/4) downwards
    fall = math.log(math.sqrt(2)) - math.log(math.cosh(4 - math.pi / 4))
    # x'' = t, then pi - t: x and x' at pi/2, and a cubic in what is left
    half, rest = math.pi / 2, 4 - math.pi / 2
    triangle = half ** 3 / 6 + half ** 2 / 2 * rest + half * rest ** 2 / 2 - rest ** 3 / 6
    for force, start, known in (('x = -sqrt(x^2)', "x = 1, x' = -2", bent), ('x = asin(sin(t))', 'x = 0', triangle),
                                ("x = -x'*sqrt(x'^2 + y'^2) - 1, y = -y'*sqrt(x'^2 + y'^2)", "x' = 1", fall)):
        model = f"coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce {force}\ninitial {start}\n"
        for precision in ('double', 'long', 'quad'):
            answer = program(model, '--to', 4, '--every', 4, '--precision', precision)
            found = abs(answer.rows[-1]['x'] - known) / abs(known)
            yield answer.status == 0 and found < 1e-12, f'{force}, {precision}: off by {found:.2g}\n{answer.told}'


def together(program, few):
    """More than there are lanes, each with parameters and a start of its own, forwards and backwards."""
    count = 40 if few else 150
    for name, (model, known, x, to, columns, of) in SYSTEMS.items():
        starts = [of(i) for i in range(count)]
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + '/s.csv', 'w', encoding='utf-8') as file:
                print(columns, file=file)
                for values in starts:
                    print(*values.values(), sep=',', file=file)
            for solver, how in (('auto', 'Taylor series'), ('rk', 'Runge-Kutta')):
                texts = []
                for threads, code in ((1, 'never'), (2, 'always')):
                    answer = program(model, '--starts', 's.csv', '--to', to, '--every', to / 10, '--threads', threads, '--compile', code,
                                     '--solver', solver, folder=folder)
                    texts.append(answer.text)
                found = max(off([row for row in answer.rows if row['start'] == i + 1], known, x, **values) for i, values in enumerate(starts))
                yield answer.status == 0 and len(answer.rows) == 11 * count and found < 1e-10 and 'in lanes by ' + how in answer.told, \
                    f'{name}: {answer.status}, {len(answer.rows)} rows, off by {found:.2g}\n{answer.told}'
                yield texts[0] == texts[1], f'{name}, {solver}: other bits with other threads, or by machine code'


def held(program, few):
    """At the end of its rubbing it stays, which no step can cross: the run says so, and soon."""
    for method, solver in itertools.product(('first', 'second'), ('taylor', 'rk')):
        options = ['--method', method, '--solver', solver]
        answer = program(RUBBED, '--to', 100, '--every', 1, *options)
        found = off(answer.rows, rubbed, 'x')
        yield answer.status == 1 and 'stays on a corner' in answer.told and found < 1e-11 and len(answer.rows) == 32, \
            f'held {options}: {answer.status}, {len(answer.rows)}, off by {found:.2g}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/s.csv', 'w', encoding='utf-8') as file:
            file.write('x,y\n' + '10,10\n0.1,0.1\n20,20\n' * 3)
        for solver in ('taylor', 'rk'):
            answer = program(RUBBED, '--starts', 's.csv', '--to', 40, '--every', 4, '--solver', solver, folder=folder)
            ended = [sum(row['start'] == i for row in answer.rows) for i in range(1, 10)]
            yield answer.status == 1 and ended == [8, 1, 11] * 3 and '6 of 9 motions' in answer.told, f'held: {ended}\n{answer.told}'


def multiple(program, few):
    """What decides a jump may have a multiple zero: sign(x^3) = sign(x), and so with all that is as odd. x'' = -x - f sign(x), from rest: in
    each half turn x + f s is a cosine, with the amplitude 1 + f always, since the energy x^2/2 + f |x| stays."""
    f = 0.3
    quarter = math.acos(f / (1 + f))  # from rest to 0

    def known(t):
        half = round(t / (2 * quarter))
        return (1 if half % 2 == 0 else -1) * ((1 + f) * math.cos(t - 2 * quarter * half) - f)

    odd = ('x', 'x^3', 'x^5', 'x^7', '2*x^9', 'tanh(x)^3', 'atan(sinh(x^3))', 'sin(x)^3', 'x^3 + x^5', 'x^5*(2 + cos(t))', 'x^3*exp(x)', 'x*abs(x)')
    ways = [[], ['--solver', 'rk'], ['--precision', 'long']] + ([] if few else [['--precision', 'quad'], ['--compile', 'always']])
    rounded = ('x - sin(x)', 'x*(1 - cos(x))', 'tan(x) - x', 'x^5 - sin(x)^5')  # 0 in doubles next to 0
    forms = [('sign(%s)', u) for u in odd + rounded] + [('-sign(-3*(%s))', 'x^3'), ('sign((%s)/7)', 'x^3')]
    for (form, u), way in itertools.product(forms, ways):
        if u in rounded and 'rk' in way:
            continue  # there are no series to follow back
        model = f"coordinates x\nkinetic 1/2*x'^2\npotential x^2/2\nforce x = -{f}*({form % u})\ninitial x = 1\n"
        answer = program(model, '--to', 20, '--every', 1, *way)
        found = max(abs(row['x'] - known(row['t'])) for row in answer.rows)
        yield answer.status == 0 and len(answer.rows) == 21 and found < 1e-12, f'{form % u}, {way}: off by {found:.2g}\n{answer.told}'


def rest_of(t, period):
    turns = round(t / period)
    return turns, t - turns * period


def triangle(t):
    """The integral of asin(sin(t)), which is +-(t - k pi)."""
    k, r = rest_of(t, math.pi)
    return r * r / 2 if k % 2 == 0 else math.pi ** 2 / 4 - r * r / 2


def distance(t):
    """The integral of acos(cos(t)), the distance from the next multiple of 2 pi."""
    k, r = rest_of(t, 2 * math.pi)
    return k * math.pi ** 2 + math.copysign(r * r / 2, r)


def arcs(t):
    """The integral of 2 atan(t)."""
    return 2 * t * math.atan(t) - math.log(1 + t * t)


def folded(t):
    """That of asin(2 t/(1 + t^2)), which is 2 atan(t) up to 1, and pi - 2 atan(t) beyond."""
    t = abs(t)
    return arcs(t) if t <= 1 else 2 * arcs(1) + math.pi * (t - 1) - arcs(t)


# Functions that turn round without a word for it, and their integrals; and whether their corners are found by the sides of |cos| and the like
WAVES = {'asin(sin(%s))': (triangle, True), 'acos(cos(%s))': (distance, True), 'atan(tan(%s))': (lambda t: rest_of(t, math.pi)[1] ** 2 / 2, True),
         'acos(sin(%s))': (lambda t: math.pi / 2 * t - triangle(t), True), 'asin(cos(%s))': (lambda t: math.pi / 2 * t - distance(t), True),
         'sqrt((%s)^2)': (lambda t: t * abs(t) / 2, True), '((%s)^2)^(3/2)': (lambda t: t ** 3 * abs(t) / 4, True),
         'asin(2*(%s)/(1 + (%s)^2))': (folded, False), 'acos((1 - (%s)^2)/(1 + (%s)^2))': (lambda t: math.copysign(arcs(t), t), False)}


def waves(program, few):
    """From wherever the motion begins, on a corner, too: v' = f(t), and v^2/2 - v0^2/2 the integral along x."""
    model = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\ninitial x' = 3\n"
    starts = [-2.5 + 0.37 * i for i in range(4 if few else 8)]
    for name, (integral, sides) in WAVES.items():
        ways = [[], ['--precision', 'long'], ['--precision', 'quad']] + ([] if few else [['--compile', 'always'], ['--tol', '1e-8']]) + ([['--solver', 'rk']] if sides else [])
        for start, way in itertools.product(starts + ([1, -1, math.pi / 2, 0] if sides else [0.5, math.pi / 2]), ways):
            answer = program(model % name.replace('%s', 't'), '--start', f't={start!r}', '--to', 12, '--every', 1, *way)
            found = max(abs(row["x'"] - 3 - integral(row['t']) + integral(start)) / (1 + abs(row["x'"])) for row in answer.rows)
            yield answer.status == 0 and answer.rows[-1]['t'] == 12 and found < (1e-6 if '--tol' in way else 1e-11 if '--solver' in way else 1e-12), \
                f'{name} of t from {start}, {way}: {answer.status}, off by {found:.2g}\n{answer.told}'
            if name == '((%s)^2)^(3/2)':
                continue  # it has no end
            answer = program(model % ('-' + name.replace('%s', 'x')), '--start', f'x={start!r}', '--to', 4, '--every', 1, *way)
            found = max(abs(row["x'"] ** 2 / 2 - 4.5 + integral(row['x']) - integral(start)) / (1 + row["x'"] ** 2) for row in answer.rows)
            yield answer.status == 0 and answer.rows[-1]['t'] == 4 and found < (1e-6 if '--tol' in way else 1e-10 if '--solver' in way else 1e-12), \
                f'{name} of x from {start}, {way}: {answer.status}, off by {found:.2g}\n{answer.told}'


    # as good in lanes, and where the state is a polynomial and what decides a corner is none: v' = sign(cos(w t)), the mean of v is its rise from 0
    with tempfile.TemporaryDirectory() as folder:
        rates = [1 / 8, 0.37, 1, 2, 3, 20]
        with open(folder + '/s.csv', 'w', encoding='utf-8') as file:
            file.write('w\n' + ''.join(f'{w}\n' for w in rates))
        model = "coordinates x\nparameters w = 1\nkinetic 1/2*x'^2\nforce x = sign(cos(w*t))\n"
        for way in ([], ['--tol', '1e-8'], ['--solver', 'rk']):
            answer = program(model, '--starts', 's.csv', '--to', 40, '--every', 1, *way, folder=folder)
            rows = [(row, rates[int(row['start']) - 1]) for row in answer.rows]
            found = max(abs(row["x'"] - math.asin(math.sin(w * row['t'])) / w) for row, w in rows)
            yield answer.status == 0 and found < (1e-6 if '--tol' in way else 1e-10), f'square waves, {way}: off by {found:.2g}\n{answer.told}'
            alone = [program(model, '--set', f'w={w}', '--to', 40, '--every', 1, *way) for w in rates]
            found = max(abs(row["x'"] - math.asin(math.sin(w * row['t'])) / w) for one, w in zip(alone, rates) for row in one.rows)
            yield all(one.status == 0 for one in alone) and found < (1e-6 if '--tol' in way else 1e-10), f'square waves alone, {way}: off by {found:.2g}'


def events(program, few):
    """Every passage through the corner itself is an event. Between two of them there are, on the two sides of min(x, 4x), pi and pi/2; under
    -sign(x) from x = 1 always 2 sqrt(2); of a ball on a spring the flight 2 v/g and the contact, with w = sqrt(k/m): tan(w t/2) = -v w/g."""
    v, k, g = math.sqrt(20), 1e6, 10
    contact = 2 / math.sqrt(k) * (math.pi - math.atan(v * math.sqrt(k) / g))
    cases = (('springs', 'coordinates x\nkinetic 1/2*x\'^2\nforce x = -min(x, 4*x)\ninitial x = 1\n', 'x', math.pi / 2, (math.pi / 2, math.pi)),
             ('sign', 'coordinates x\nkinetic 1/2*x\'^2\nforce x = -sign(x)\ninitial x = 1\n', 'x', math.sqrt(2), (math.sqrt(8), math.sqrt(8))),
             ('ball', f'coordinates x\nkinetic 1/2*x\'^2\nforce x = -{g} + {k}*max(0, -x)\ninitial x = 1\n', 'x', v / g, (contact, 2 * v / g)))
    ways = [['--solver', 'taylor'], ['--solver', 'rk']] + ([] if few else [['--precision', 'long'], ['--precision', 'quad'], ['--solver', 'rk', '--tol', '1e-9'],
                                                                       ['--solver', 'taylor', '--tol', '1e-7']])
    for (name, model, condition, first, (below, above)), way in itertools.product(cases, ways):
        to, times, t = 30, [], first
        while t < to:
            times.append(t)
            t += below if len(times) % 2 else above
        answer = program(model, '--to', to, '--every', to, '--event', condition, *way)
        found = [row for row in answer.rows if row['event']]
        yield answer.status == 0 and len(found) == len(times), f'{name} {way}: {len(found)} of {len(times)} events\n{answer.told}'
        yield all(row['event'] == (-1 if i % 2 == 0 else 1) for i, row in enumerate(found)), f'{name} {way}: {[row["event"] for row in found]}'
        worst = max((abs(row['t'] - t) for row, t in zip(found, times)), default=math.inf)
        yield worst < (1e-4 if '--tol' in way else 1e-8), f'{name} {way}: events off by {worst:.2g}'


FREE = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\n"


def timed(program, few):
    """What decides a corner is known beforehand where it is a function of the time. Short pulses of the area 1 at c push a free particle to (t - c), wherever steps
    are; one of x'' = -x + u by a triangle of half the width w adds sin(t - c) 2(1 - cos w)/w^2; under waves of period 1/50 that are 1 and -1 the mean
    velocity is 1/200, and under |sin(100 pi t)| the motion at multiples of 1/100 is t^2/pi."""
    for solver, error in (('taylor', 1e-11), ('rk', 1e-11), ('cvode', 1e-7)):
        answer = program(FREE % '1e3*(1 + sign(t - 3))*(1 + sign(3.001 - t))/4', '--to', 10, '--every', 1, '--solver', solver)
        worst = max(abs(row['x'] - max(0, row['t'] - 3.0005)) for row in answer.rows if row['t'] != 3)
        yield answer.status == 0 and len(answer.rows) == 11 and worst < error, f'a step, {solver}: off by {worst:.2g}\n{answer.told}'
    for w, error in (('1e-5', 1e-7), ('1e-6', 1e-7), ('1e-7', 1e-6)):  # the time is rounded to 4e-16
        answer = program(FREE % f'max(0, 1 - abs(t - 3.00001)/{w})/{w}', '--to', 6, '--every', 6, '--solver', 'cvode')
        yield answer.status == 0 and abs(answer.rows[-1]['x'] - 2.99999) + abs(answer.rows[-1]["x'"] - 1) < error, f'a narrow triangle, {w}: {answer.rows[-1]}\n{answer.told}'
    triangle, w, c = 'max(0, 1 - abs(t - 3.3)/w)/w', 0.003, 3.3
    stiff = f"coordinates x, y\nparameters w = {w}\nkinetic 1/2*(x'^2 + y'^2)\nforce x = {triangle} - x, y = -1e8*y'\ninitial x = 1\n"
    answer = program(stiff, '--to', 10, '--every', 10)
    x = math.cos(10) + math.sin(10 - c) * 2 * (1 - math.cos(w)) / w ** 2
    yield 'CVODE' in answer.told and abs(answer.rows[-1]['x'] - x) < 1e-7, f'a triangle, stiff: {answer.rows[-1]} instead of {x}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/s.csv', 'w', encoding='utf-8') as file:
            file.write('x,w\n0,0.01\n0,0.001\n0,1e-4\n1,1e-4\n')
        for solver in ('taylor', 'rk'):
            answer = program('parameters w = 1\n' + FREE % triangle, '--starts', 's.csv', '--to', 10, '--every', 10, '--solver', solver, folder=folder)
            ends = [row['x'] - (row['start'] == 4) for row in answer.rows if row['t'] == 10]
            yield len(ends) == 4 and max(abs(end - 6.7) for end in ends) < 1e-10, f'triangles, {solver}: {ends}\n{answer.told}'
    waves = (('sign(sin(100*pi*t))', lambda t: (t / 200, 0)), ('abs(sin(100*pi*t))', lambda t: (t * t / math.pi, 2 * t / math.pi)))
    for (force, known), solver in itertools.product(waves, ('auto',) if few else ('auto', 'rk')):
        answer = program(FREE % force, '--to', 100, '--every', 50, '--solver', solver)
        found = off(answer.rows, known, 'x')
        yield answer.status == 0 and len(answer.rows) == 3 and found < 1e-9, f'{force}, {solver}: off by {found:.2g}\n{answer.told}'
    answer = program(FREE % "-x - x'*(x'^2 + x^2 - 1e-7*abs(x))" + 'initial x = 1e-10\n', '--to', '1e17')
    yield answer.status == 1 and 'no end is in sight' in answer.told, f'swinging for ever: {answer.told}'


def poles(program, few):
    """Where a function of the time that is divided by comes to 0, the run ends, whatever the solver; 0/0 that has a value is passed: x' is then the integral of
    sin(s)/s from -1 to 2."""
    si = sum((-1) ** k * (2 ** (2 * k + 1) + 1) / ((2 * k + 1) * math.factorial(2 * k + 1)) for k in range(20))
    forces = (('1/(t - 1)^2', 1), ('1/(1.7 - t)^3', 1.7), ('1/(1 - t)', 1), ('tan(t)', math.pi / 2), ('x/(1.7 - t)', 1.7), ('log(abs(t - 1))', 1),
              ('abs(t - 1)^(-0.9)', 1), ("1/(1.7 - t)^2 - sign(x')*abs(x')^1.5", 1.7))
    for (force, end), solver in itertools.product(forces, ('auto', 'rk')):
        for start in ('x = 0', "x = 1, x' = 0.8"):
            if 'x/' in force and start == 'x = 0':
                continue  # it stays there
            answer = program(FREE % force + f'initial {start}\n', '--to', 3, '--every', 0.5, '--solver', solver)
            found = float(answer.told.split('stopped at t = ')[-1].split(',')[0]) if 'stopped' in answer.told else math.nan
            yield answer.status == 1 and abs(found - end) < 1e-3 and all(row['t'] <= end for row in answer.rows), f'{force} from {start}, {solver}: {answer.told}'
    # exponentials, and what is only touched; 1/(|s| + w) has no pole, and x' is log((1 + w)/w) + log((2 + w)/w) behind it, from s = -1 to 2
    touched = ('1/max(t - 1, 1 - t)', '1/(sign(t - 1)*(t - 1))', '1/min(abs(t - 1), 5)', '(abs(t - 1) + c)^(-1)', '1/(abs(t - 1) + abs(t^2 - 1))')
    large = ('1/sinh(t - 1)', '1/sinh(1 - t)^3', 'exp(-t)/(exp(t) - exp(1))', '1/(cosh(t) - cosh(1))', '1/(2^(t/2) - sqrt(2))')
    for force, solver in itertools.product(touched + large, ('rk',) if few else ('auto', 'rk', 'cvode')):
        answer = program('parameters a = 1, b = 1, c = a - b\n' + FREE % force + 'initial x = 1\n', '--to', 3, '--every', 0.5, '--solver', solver)
        yield answer.status == 1 and abs(answer.number('stopped at t = ') - 1) < 1e-6 and answer.rows[-1]['t'] == 0.5, f'{force}, {solver}: {answer.told}'
    w = 1e-9
    answer = program(FREE % f'1/(abs(t - 1) + {w})', '--to', 3, '--every', 3, '--solver', 'rk')
    gain = math.log((1 + w) / w) + math.log((2 + w) / w)
    yield answer.status == 0 and abs(answer.rows[-1]["x'"] / gain - 1) < 1e-6, f'no pole: {answer.rows[-1]}, not {gain}\n{answer.told}'
    # nothing at all before it, and no numbers behind; but a flat place is one that is passed
    for force, solver in itertools.product(('exp(1/(t - 1.3))', '2^(1/(t - 1.3))', 'exp(1/sin(t - 1.3))'), ('auto', 'rk', 'cvode')):
        answer = program(FREE % force, '--to', 3, '--every', 0.5, '--solver', solver)
        yield answer.status == 1 and [row['t'] for row in answer.rows] == [0, 0.5, 1] and 'certified' not in answer.told, f'{force}, {solver}: {answer.told}'
    flat = program(FREE % 'exp(-1/(t - 1.3)^2)', '--to', 2.6, '--every', 1.3)
    yield flat.status == 0 and abs(flat.rows[2]["x'"] - 2 * flat.rows[1]["x'"]) < 1e-12, f'flat: {flat.rows}'
    # the same of the state; the integral of exp(-1/s^2) from -1 to 1 is 2/e - 2 sqrt(pi) erfc(1)
    for force, solver in itertools.product(('exp(1/(x - 1))', '2^(1/sin(x - 1))', 'exp(0.001/(x^2 - 1))'), ('auto', 'rk', 'cvode')):
        more = ['--certify'] if solver == 'auto' else ['--solver', solver]
        answer = program(FREE % force + "initial x' = 1\n", '--to', 3, '--every', 3, *more)
        yield answer.status == 1 and len(answer.rows) <= 1 and answer.number('stopped at t = ') < 1, f'{force}, {solver}: {answer.told}'
    other = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = exp(1/(x - 1))\ninitial x' = 1\n", '--to', 3, '--every', 3)
    yield other.status == 1 and abs(other.number('stopped at t = ') - 1) < 1e-9, f'beside the state: {other.told}'
    flat = program("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = exp(-1/(x - 1)^2)\ninitial x' = 1\n", '--to', 2, '--every', 2)
    area = 2 * (math.exp(-1) - math.sqrt(math.pi) * math.erfc(1))
    yield flat.status == 0 and abs(flat.rows[-1]["y'"] - area) < 1e-11, f"flat in the state: {flat.rows[-1]}, not {area}"
    for solver in ('taylor', 'rk', 'cvode'):
        answer = program(FREE % 'sin(t - 1)/(t - 1)', '--to', 3, '--every', 3, '--solver', solver)
        yield answer.status == 0 and abs(answer.rows[-1]["x'"] - si) < (1e-7 if solver == 'cvode' else 1e-11), f'sin(s)/s, {solver}: {answer.rows[-1]}, not {si}'
    # (1 - cos s)/s^2 has lost its digits next to 0, where no step better ends: from s = -1 to 1
    bend = 2 * sum((-1) ** k / ((2 * k + 1) * math.factorial(2 * k + 2)) for k in range(12))
    answer = program(FREE % '(1 - cos(t - 1))/(t - 1)^2', '--to', 2, '--every', 2, '--solver', 'rk')
    yield answer.status == 0 and abs(answer.rows[-1]["x'"] - bend) < 1e-11, f'(1 - cos s)/s^2: {answer.rows[-1]}, not {bend}'
    # one of the state, in a field that depends on the time as well: x'^2/2 - log|cos x| stays but for that, and x' is infinite at pi/2
    answer = program(FREE % 'tan(x) + 1e-9*sin(t)' + "initial x' = 1\n", '--to', 3, '--every', 0.01, '--solver', 'rk')
    yield answer.status == 1 and all(row['x'] < math.pi / 2 for row in answer.rows), f'a pole of the state: {answer.rows[-1]}\n{answer.told}'
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/s.csv', 'w', encoding='utf-8') as file:
            file.write('x,c\n0,1\n0,2\n0,4\n0,1.7\n')
        answer = program('parameters c = 1\n' + FREE % '1/(c - t)^2', '--starts', 's.csv', '--to', 3, '--every', 0.5, '--solver', 'rk', folder=folder)
        ended = [sum(row['start'] == i for row in answer.rows) for i in range(1, 5)]
        yield answer.status == 1 and ended == [2, 4, 7, 4], f'poles of many: {ended}\n{answer.told}'


def angles(program, few):
    """The angle of a point jumps where that meets the cut or (0, 0): to all digits that are claimed."""
    half, u = math.pi / 2, math.sqrt(4 - math.pi)
    back = 3 - (2 - u) / half  # x = 1 + 2 t - pi/4 t^2 is 2 then, and its rate u; from there on the force is pi/2
    known = (('atan2(t - 1, 0)', "x = 1", 1 - math.pi / 4), ('atan2(1 - t, 0)', 'x = 1', 1 + math.pi / 4), ('atan2(x - 2, 0)', "x = 1, x' = 2", 2 + u * back + half * back ** 2 / 2),
             ('atan2(t - 1, t - 1)', 'x = 0', -3 * math.pi / 4 * 2.5 + math.pi / 4 * 2))
    for force, start, x in known:
        for way in (['--certify'], ['--precision', 'long'], ['--solver', 'rk']):
            answer = program(FREE % force + f'initial {start}\n', '--to', 3, '--every', 3, *way)
            yield answer.status == 0 and abs(answer.rows[-1]['x'] - x) < (1e-9 if 'rk' in way else 1e-14), f'{force}, {way}: {answer.rows[-1]}, not {x}\n{answer.told}'


TESTS = (alone, precise, events, twice, hidden, multiple, waves, together, held, timed, poles, angles)


if __name__ == '__main__':
    judge(TESTS, Program(sys.argv[1]), '--few' in sys.argv, 20)
