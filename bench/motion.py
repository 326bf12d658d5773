#!/usr/bin/env python3
"""The third part of the bench: motions, beside other ways to have them, at equal errors.

bench/motion.py: makes bench/motion/reference.json again, the table of exact ends; it takes some minutes.
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import time
from decimal import Decimal

import limited
import models
from derivation import figure, print_table

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, 'motion')
REFERENCE = os.path.join(FOLDER, 'reference.json')
TO = 1000
ERRORS = (1e-6, 1e-9, 1e-11)
EXTENDED_ERROR = 1e-14  # for numbers longer than doubles
MANY = ('10000', '10', '6e-9')  # short motions, their length, the largest error
REFERENCE_TOLERANCES = ('1e-24', '1e-26')

# The state, and ten starts. All numbers are short in binary, so that they are the same for everybody in every precision.
SYSTEMS = {
    'falling-disc': {
        'state': 'x y psi theta phi w1 w2 w3',
        'set': 'g=157/16',
        'starts': ('0 0 0 0.3125 0 0.125 0.5 4', '0 0 0 0.125 0 0.25 0.25 5', '0 0 0 0.5 0 0 1 4',
                   '0 0 0 0.5 0 -0.25 0.75 5', '0 0 0 0.25 0 0.5 -0.25 4.5', '0 0 0 -0.375 0 0.125 -0.5 4',
                   '0 0 0 0.1875 0 -0.125 0 6', '0 0 0 0.625 0 0 1.25 3.75', '0 0 0 0.25 0 0.25 0.375 5.5',
                   '0 0 0 0.4375 0 0.25 0.625 4.25')},
    'points': {
        'state': 'x1 y1 x2 y2 rho sigma theta',
        'set': None,
        'starts': ('1.5 0 -0.5 0.25 1.5 -0.75 1.5', '1 0 -1 0 1 -1.25 1.5', '1 0 -1 0 1 -1 1.375',
                   '1 0 -0.75 0 1.25 -0.75 1.25', '1 0 1.5 0 1 1.5 1.25', '2 0 1 0 2 1.25 1.5',
                   '1.5 0.25 -1 0 1.5 -1 1.625', '0.75 0 -1.25 0.25 0.75 -1.5 1.5',
                   '1.25 -0.25 -0.75 0.125 1.25 -1 1.25', '1 0.125 1.75 -0.125 1.25 2 1.625')},
    'car-8-absolute': {
        'state': 'x y th0 th1 th2 th3 th4 th5 th6 th7 th8 v omega',
        'set': None,
        'starts': ('0 0 0.5 0 0 0 0 0 0 0 0 1 0', '0 0 1 0 0 0 0 0 0 0 0 1 0', '0 0 1 0 0 0 0 0 0 0 0 2 0.25',
                   '0 0 1.25 0 0 0 0 0 0 0 0 1.5 0.25', '0 0 0.75 0.625 0.25 0.125 -0.125 -0.25 0 0 0 1.5 0.25',
                   '0 0 0 0 0 0 0 0 0 0 0 1.25 0.5', '0 0 0.25 -0.25 0.25 -0.25 0.25 -0.25 0.25 -0.25 0.25 1 0.25',
                   '0 0 -0.5 0.5 0.25 0 0 0 -0.25 -0.5 -0.75 1.75 0',
                   '0 0 0.625 0.5 0.375 0.25 0.125 0 0 0.125 0.25 1.375 -0.375',
                   '0 0 0 0.125 0.25 0.375 0.5 0.625 0.75 0.875 1 2 0.75')},
}
NAMES = tuple(SYSTEMS)
# Steers: the direction of the car swings as a pendulum does, and the trailers follow.
STEERING = 'parameters   kappa = 1\nforce        th0 = -kappa*sin(th0)\n'

DECADES = tuple(f'1e-{k}' for k in range(4, 15))
EVERY_OTHER = DECADES[::2]
OURS = {'nonholo': ('double', DECADES + ('1e-15', '1e-16')), 'nonholo long': ('long', ('1e-16', '1e-17', '1e-18'))}
# Programs: source, flags, libraries. -O2 alone: what every x86-64 runs.
PROGRAMS = {
    'field': ('field.c', [], ['-lm']),
    'peer_gsl': ('peer_gsl.c', [], ['-lgsl', '-lgslcblas', '-lm']),
    'peer_cvode': ('peer_cvode.c', [], ['-lsundials_cvode', '-lsundials_nvecserial', '-lsundials_sunmatrixdense',
                                        '-lsundials_sunlinsoldense', '-lsundials_sunnonlinsolfixedpoint', '-lm']),
    'reference': ('reference.c', [], ['-lquadmath', '-lm']),
    'reference-long': ('reference.c', ['-DLONG'], ['-lm']),
}
# Peers: program, words before the system, tolerances, and seconds for one tolerance, after which there is no next.
PEERS = {
    'GSL rk8pd': ('peer_gsl', [], DECADES + ('1e-15',), 20),
    'CVODE Adams': ('peer_cvode', ['adams'], EVERY_OTHER + ('1e-15',), 15),
    'CVODE BDF': ('peer_cvode', ['bdf'], EVERY_OTHER, 8),
    'GBS long double': ('reference-long', [], ('1e-15', '1e-16', '1e-17'), 10),
}
SCIPY = 'SciPy DOP853'
SCIPY_TOLERANCES, SCIPY_SECONDS = ('1e-7', '1e-9', '1e-11', '3e-14'), 4  # it takes none below 2.2e-14
EXTENDED = ('nonholo long', 'GBS long double')


def say(text):
    print(text, end=' ', file=sys.stderr, flush=True)


# ---------------------------------------------------------------- programs and models

def build(folder, name):
    """The program, compiled where it is older than its sources. None: it cannot be."""
    source, flags, libraries = PROGRAMS[name]
    program = os.path.join(folder, name)
    sources = [os.path.join(FOLDER, file) for file in (source, 'fields.h', 'fields.inc')]
    if os.path.exists(program) and os.path.getmtime(program) > max(os.path.getmtime(file) for file in sources):
        return program
    command = ['gcc', '-std=gnu17', '-O2', *flags, '-o', program, sources[0], *libraries]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    except FileNotFoundError:
        done = None
    if done and done.returncode == 0:
        return program
    missing = not done or 'No such file' in done.stderr
    print(f'bench/run: {name} cannot be compiled; `scripts/setup bench` installs what it needs' if missing else done.stderr,
          file=sys.stderr)
    return None


def write_model(folder, name):
    path = os.path.join(folder, name + '.nh')
    if name == 'points':
        return os.path.join(FOLDER, 'points.nh')
    text = models.DISC if name == 'falling-disc' else models.car(8, False) + STEERING
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def write_starts(folder, name):
    path = os.path.join(folder, name + '.starts')
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(line + '\n' for line in SYSTEMS[name]['starts'])
    return path


def parameters_of(model, name):
    """Their values, as text, for SymPy."""
    with open(model, encoding='utf-8') as file:
        lines = [line.split(None, 1)[1] for line in file if line.startswith('parameters')]
    if SYSTEMS[name]['set']:
        lines.append(SYSTEMS[name]['set'])
    return {key.strip(): value.strip() for line in lines for key, value in (part.split('=') for part in line.split(','))}


def arguments(name, start):
    """--start and --set of our program."""
    values = ','.join(f'{key}={value}' for key, value in zip(SYSTEMS[name]['state'].split(), start.split()))
    chosen = SYSTEMS[name]['set']
    return ['--start', values] + (['--set', chosen] if chosen else [])


# ---------------------------------------------------------------- the hand-written right-hand sides have to be ours

def random_states(name, count=5):
    """Near the first start, where nothing is singular."""
    generator = random.Random(name)
    start = [float(word) for word in SYSTEMS[name]['starts'][0].split()]
    return [' '.join(repr(x + generator.uniform(-0.3, 0.3)) for x in start) for _ in range(count)]


def check_field(nonholo, program, model, name):
    for state in random_states(name):
        done = subprocess.run([nonholo, 'eval', model, '--quiet', '--format', 'json', *arguments(name, state)],
                              stdout=subprocess.PIPE, text=True, check=True)
        expected = json.loads(done.stdout)['first']['equations']
        done = subprocess.run([program, name], input=state, stdout=subprocess.PIPE, text=True, check=True)
        found = dict(zip(SYSTEMS[name]['state'].split(), json.loads(done.stdout)))
        for key, value in found.items():
            other = expected[key + "'"]
            if not abs(value - other) <= 1e-12 * max(1, abs(other)):
                sys.exit(f"bench/run: {name}: {key}' is {value!r} by hand, and {other!r} by nonholo, at {state}")


# ---------------------------------------------------------------- errors

def read_reference():
    with open(REFERENCE, encoding='utf-8') as file:
        found = json.load(file)
    for name, system in SYSTEMS.items():
        if found['systems'][name]['starts'] != list(system['starts']):
            sys.exit(f'bench/run: {name}: the reference has other starts; bench/motion.py makes it again')
    return found


def error_of(final, exact, size):
    """The largest error of a component, each relative to its largest size along the motion."""
    return max(float(abs(Decimal(x) - Decimal(y)) / Decimal(z)) for x, y, z in zip(final, exact, size))


def curve(lines, reference, fewest=None):
    """For each tolerance, from the coarsest on: medians over the starts. One with which not all motions were followed to their end, or
    not FEWEST, does not count."""
    points = []
    for tol in sorted({line['tol'] for line in lines if 'tol' in line}, reverse=True):
        runs = [line for line in lines if line.get('tol') == tol]
        if len(runs) < (fewest or len(reference['starts'])):
            continue
        errors = [error_of(run['final'], reference['final'][run['start']], reference['size'][run['start']]) for run in runs]
        point = {'tol': tol, 'starts': len(runs), 'error': limited.median(errors)}
        for key in ('seconds', 'process', 'calls'):
            if key in runs[0]:
                point[key] = limited.median([run[key] for run in runs])
        points.append(point)
    return points


def time_at(points, error, key='seconds'):
    """The time at which a curve comes below an error, between neighbours on straight lines in the logarithms; a finer
    tolerance that takes less time counts. None: it does not come there."""
    reached = [k for k, point in enumerate(points) if point['error'] <= error]
    if not reached:
        return None
    best = min(points[k][key] for k in reached)
    k = reached[0]
    if k == 0 or points[k]['error'] <= 0:
        return best
    a, b = points[k - 1], points[k]
    part = math.log(error / a['error']) / math.log(b['error'] / a['error'])
    return min(best, math.exp((1 - part) * math.log(a[key]) + part * math.log(b[key])))


# ---------------------------------------------------------------- who is measured

def run_once(nonholo, model, name, precision, tol, start, compile):
    """Stepping by our own summary, the wall time of the process, and the last row. None: it came to no end."""
    command = [nonholo, 'run', model, '--to', str(TO), '--every', str(TO), '--tol', tol, '--precision', precision, '--compile', compile,
               *arguments(name, start)]
    begin = time.perf_counter()
    ended = limited.run(command)
    wall = time.perf_counter() - begin
    if ended.outcome != 'done':
        print(f'bench/run: {" ".join(command)}: {ended.outcome}: {ended.error}', file=sys.stderr)
        return None
    rows = ended.out.split()
    row = dict(zip(rows[0].split(','), rows[-1].split(',')))
    told = re.search(r'^stepping: ([0-9.e+-]+) ms\b', ended.err, re.M)
    return float(told[1]) * 1e-3, wall, [row[key] for key in SYSTEMS[name]['state'].split()]


def one_motion(nonholo, model, name, precision, tol, start):
    """The stepping of compiled code, and the whole process as a user calls it."""
    stepped = run_once(nonholo, model, name, precision, tol, start, 'always')
    called = run_once(nonholo, model, name, precision, tol, start, 'auto') if stepped else None
    return called and {'tol': float(tol), 'seconds': stepped[0], 'process': called[1], 'final': stepped[2]}


def interpreted(nonholo, model, name):
    """How many times as long the interpreter takes: the median over the starts, at the default tolerance."""
    ratios = [run_once(nonholo, model, name, 'double', '1e-12', start, 'never')[0] /
              run_once(nonholo, model, name, 'double', '1e-12', start, 'always')[0] for start in SYSTEMS[name]['starts']]
    return limited.median(ratios)


def ours(nonholo, model, name, precision, tolerances):
    """A tolerance with which one motion comes to no end is not tried with the rest."""
    lines = []
    for tol in tolerances:
        for k, start in enumerate(SYSTEMS[name]['starts']):
            line = one_motion(nonholo, model, name, precision, tol, start)
            if not line:
                break
            lines.append({'start': k, **line})
    return lines


def peer(command, starts, wall=300):
    """The lines that a program writes, which keeps its times itself."""
    environment = {**os.environ, 'OPENBLAS_NUM_THREADS': '1'}
    with open(starts, encoding='utf-8') as file:
        ended = limited.run(command, wall=wall, stdin=file, env=environment)
    if ended.outcome != 'done':
        print(f'bench/run: {" ".join(command)}: {ended.outcome}: {ended.error}', file=sys.stderr)
    return limited.lines_of(ended.out)


def scipy(options, pythons, folder, model, name, starts):
    """SymPy's Python makes a function, and SciPy's runs it."""
    with_sympy, with_scipy = pythons
    system, parameters, function = (os.path.join(folder, name + ending) for ending in ('.txt', '.json', '.py'))
    with open(system, 'w', encoding='utf-8') as file:
        subprocess.run([os.path.join(options.build, 'bench', 'derivation'), '--system', model], stdout=file, check=True)
    with open(parameters, 'w', encoding='utf-8') as file:
        json.dump(parameters_of(model, name), file)
    program = os.path.join(HERE, 'peer_motion.py')
    ended = limited.run([with_sympy, program, 'derive', system, parameters, function], limit=60)
    if ended.outcome != 'done':
        print(f'bench/run: SymPy: {name}: {ended.outcome}: {ended.error}', file=sys.stderr)
        return []
    return peer([with_scipy, program, 'run', function, str(TO), str(SCIPY_SECONDS), *SCIPY_TOLERANCES], starts)


def compiled(options, folder, name, starts, result, reference):
    """The peers in C. One that used up its seconds before its finest tolerance says so."""
    for title, (program, words, tolerances, seconds) in PEERS.items() if not options.no_peers else ():
        program = build(folder, program)
        if program:
            lines = peer([program, *words, name, str(TO), str(seconds), *tolerances], starts)
            result['curves'][title] = curve(lines, reference)
            result['stopped'] += [title] * any('stopped' in line for line in lines)
        say('.')


def measure(options, folder, pythons, name, reference):
    model, starts = write_model(folder, name), write_starts(folder, name)
    nonholo = os.path.join(options.build, 'bin', 'nonholo')
    program = build(folder, 'field')
    if program:
        check_field(nonholo, program, model, name)
    result = {'curves': {}, 'stopped': []}
    for title, (precision, tolerances) in OURS.items():
        result['curves'][title] = curve(ours(nonholo, model, name, precision, tolerances), reference)
        say('.')
    result['interpreted'] = interpreted(nonholo, model, name)
    compiled(options, folder, name, starts, result, reference)
    if all(pythons) and not options.no_peers:
        result['curves'][SCIPY] = curve(scipy(options, pythons, folder, model, name, starts), reference, fewest=1)
        say('.')
    return {**result, 'at': at_errors(result['curves'])}


# ---------------------------------------------------------------- the tables

def at_errors(curves):
    """For each error the time of everybody whose numbers are long enough, and not longer than they need be."""
    found = {}
    for error in ERRORS + (EXTENDED_ERROR,):
        own = 'nonholo long' if error == EXTENDED_ERROR else 'nonholo'
        times = {title: time_at(points, error) for title, points in curves.items()
                 if title == own or title not in OURS and (title in EXTENDED) == (error == EXTENDED_ERROR)}
        mine = times.pop(own)
        found[f'{error:.0e}'] = {'nonholo': mine, 'process': time_at(curves[own], error, 'process'), 'peers': times,
                                 'ours over theirs': {title: mine / seconds for title, seconds in times.items() if mine and seconds}}
    return found


def cell(own, seconds, at_least=None):
    """Milliseconds, and how many times as long as ours; AT_LEAST: where it was stopped."""
    if seconds is None and at_least is None:
        return 'not reached'
    more, seconds = ('> ', at_least) if seconds is None else ('', seconds)
    return more + figure(1e3 * seconds) + (f'; {more}{figure(seconds / own)}' if own else '')


def peer_cell(result, times, title):
    if title not in times['peers']:
        return ''
    last = result['curves'][title][-1]['seconds'] if title in result['stopped'] and result['curves'][title] else None
    return cell(times['nonholo'], times['peers'][title], last)


def table(results):
    titles = [title for title in (*PEERS, SCIPY) if any(title in result['curves'] for result in results.values())]
    rows = [['system', 'error', 'nonholo ms', 'process ms', *titles]]
    for name, result in results.items():
        for error, times in result['at'].items():
            rows.append([name, error, cell(None, times['nonholo']), cell(None, times['process']),
                         *(peer_cell(result, times, title) for title in titles)])
        least = {title: f"{min(point['error'] for point in points):.1e}" for title, points in result['curves'].items() if points}
        rows.append([name, 'least', least.get('nonholo', ''), least.get('nonholo long', '') + ' (long)',
                     *(least.get(title, '') for title in titles)])
    print_table(rows)
    print('\nInterpreted Taylor series over compiled ones: ' +
          ', '.join(f"{name} {figure(result['interpreted'])}" for name, result in results.items()) + '.')
    if any(title.startswith('CVODE') for title in titles):
        print('\nCVODE is as Debian compiles it, without optimisation.')


def fields(options, folder):
    """Nanoseconds for one call of each right-hand side, by hand and ours, and the time from the model to our code."""
    program = build(folder, 'field')
    if not program:
        return {}
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
    found = {line['system']: {'by hand': line['nanoseconds']} for line in limited.lines_of(done.stdout)}
    paths = {write_model(folder, name): name for name in NAMES}
    ended = limited.run([os.path.join(options.build, 'bench', 'tape'), *paths], limit=60)
    rows = [['right-hand side', 'by hand ns', 'native ns', 'over by hand', 'interpreted ns', 'derive ms', 'compile ms',
             'of series ms', 'compiler loaded ms']]
    for line in limited.lines_of(ended.out):
        one = found[paths[line['model']]]
        one.update(line)
        rows.append([paths[line['model']], *(figure(one[key]) for key in ('by hand', 'native_ns')),
                     figure(one['native_ns'] / one['by hand']),
                     *(figure(one[key]) for key in ('interpreted_ns', 'derive_ms', 'compile_ms', 'compile_series_ms', 'load_ms'))])
    print()
    print_table(rows)
    return found


TURNS = 9


def many_of_ours(options, folder, program, tol_of_peer):
    """Our program on the same starts, the coarsest tolerance with which the largest error is not larger; on one core, in processor time as
    the peer's, and on all, by the clock. On one core both take turns: what else the machine does, it does to both of them. It can only take
    time away, so that the least time of each is the nearest to what a program needs by itself; the ratios of single turns are told, too."""
    count, to, error = MANY
    done = subprocess.run([program, '--starts', count, to], stdout=subprocess.PIPE, text=True, check=True)
    lines = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    model, path = write_model(folder, 'falling-disc'), os.path.join(folder, 'many.csv')
    names = SYSTEMS['falling-disc']['state'].split()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(','.join(names) + '\n')
        file.writelines(','.join(repr(x) for x in line[:8]) + '\n' for line in lines)

    def run(tol, threads):
        ended = limited.run([os.path.join(options.build, 'bin', 'nonholo'), 'run', model, '--set', 'g=157/16', '--to', to, '--starts', path,
                             '--tol', tol, '--threads', str(threads)], limit=120)
        rows = ended.out.splitlines()
        columns = [rows[0].split(',').index(name) for name in names]
        ends = [[float(row.split(',')[c]) for c in columns] for row in rows[2::2]]
        worst = max(abs(x - y) / max(1, abs(y)) for end, line in zip(ends, lines) for x, y in zip(end, line[8:]))
        told = re.search(r'^stepping: ([0-9.e+-]+) ms, of processors: ([0-9.e+-]+) ms', ended.err, re.M)
        return worst, float(told[1]) / 1e3, float(told[2]) / 1e3

    def coarsest(tolerances):
        """The first of them that is fine enough, or the last."""
        for tol in tolerances:
            worst, _, _ = run(tol, 1)
            if worst <= float(error):
                break
        return tol, worst

    tol, _ = coarsest(('1e-5', '1e-6', '1e-7', '1e-8', '1e-9', '1e-10'))
    tol, worst = coarsest([f'{float(tol) * 10 ** (k / 8):.3g}' for k in range(7, -1, -1)])
    turns = [(float(subprocess.run([program, '--again', count, to, tol_of_peer], stdout=subprocess.PIPE, text=True, check=True).stdout),
              run(tol, 1)[2]) for _ in range(TURNS)]
    ratios = sorted(theirs / ours for theirs, ours in turns)
    every = limited.median([run(tol, os.cpu_count())[1] for _ in range(3)])
    least, least_of_peer = min(ours for _, ours in turns), min(theirs for theirs, _ in turns)
    return {'tol': float(tol), 'error': worst, 'per_second': int(count) / least, 'per_second_of_peer': int(count) / least_of_peer,
            'ratio': least_of_peer / least, 'ratios': ratios, 'per_second_all': int(count) / every, 'cores': os.cpu_count()}


def many(options, folder):
    """Many short motions of the falling disc."""
    program = build(folder, 'peer_gsl')
    if not program:
        return {}
    ended = limited.run([program, '--many', *MANY], limit=120)
    lines = limited.lines_of(ended.out)
    if not lines:
        print(f'bench/run: many motions: {ended.outcome}: {ended.error}', file=sys.stderr)
        return {}
    mine = many_of_ours(options, folder, program, str(lines[0]['tol']))
    ratios = mine['ratios']
    print(f"\nMany motions: {lines[0]['count']:,} of the falling disc, t = {lines[0]['to']}: "
          f"GSL rk8pd {figure(mine['per_second_of_peer'])} in a second on one core, largest error {lines[0]['error']:.1e}; "
          f"nonholo {figure(mine['per_second'])}, largest error {mine['error']:.1e}, and {figure(mine['per_second_all'])} on {mine['cores']} cores. "
          f"Least times of {TURNS} turns: {mine['ratio']:.1f} times as many; turn by turn {ratios[0]:.1f} to {ratios[-1]:.1f}, "
          f"median {limited.median(ratios):.1f}.")
    return {'GSL rk8pd': lines[0], 'nonholo': mine}


def part(options, pythons):
    """Runs this part, and prints its tables. pythons: one with SymPy, one with SciPy."""
    folder = os.path.join(options.out, 'motion')
    os.makedirs(folder, exist_ok=True)
    reference, results = read_reference(), {}
    for name in NAMES:
        if options.names and name not in options.names:
            continue
        say(name)
        results[name] = measure(options, folder, pythons, name, reference['systems'][name])
    print(file=sys.stderr)
    if not results:
        return {}
    table(results)
    found = {'systems': results, 'fields': fields(options, folder)}
    if not options.no_peers and 'falling-disc' in results:
        found['many'] = many(options, folder)
    return found


# ---------------------------------------------------------------- the reference

def exact(program, folder, name):
    """The ends of the ten motions, by the finer tolerance, and how far they are from those by the coarser."""
    runs = [peer([program, name, str(TO), '1e9', tol], write_starts(folder, name), wall=3600)
            for tol in REFERENCE_TOLERANCES]
    if any(len(run) != len(SYSTEMS[name]['starts']) for run in runs):
        sys.exit(f'bench/motion.py: {name}: not all motions were followed to their end')
    apart = max(error_of(a['final'], b['final'], b['size']) for a, b in zip(*runs))
    return {'difference': float(f'{apart:.1e}'), 'starts': list(SYSTEMS[name]['starts']),
            'final': [[f'{Decimal(x):.28g}' for x in run['final']] for run in runs[1]],
            'size': [[f'{Decimal(x):.5g}' for x in run['size']] for run in runs[1]]}


def make_reference(folder):
    os.makedirs(folder, exist_ok=True)
    program = build(folder, 'reference')
    found = {'made by': 'bench/motion.py', 'to': TO, 'tolerances': REFERENCE_TOLERANCES,
             'systems': {name: exact(program, folder, name) for name in NAMES}}
    with open(REFERENCE, 'w', encoding='utf-8') as file:
        json.dump(found, file, indent=1)
        file.write('\n')


if __name__ == '__main__':
    make_reference(os.path.join(os.path.dirname(HERE), 'build', 'bench', 'motion'))
