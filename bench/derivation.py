"""The second part of the bench: from a model to its equations of motion."""
import json
import math
import os
import subprocess
import sys

import limited

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PAPER = ('skate', 'vertical-disc', 'coaxial-discs', 'parallel-velocities')
COMPARED = PAPER + ('falling-disc',) + tuple(f'car-{n}-absolute' for n in (1, 2, 4, 8, 16))
ALONE = tuple(f'car-{n}-absolute' for n in (32, 64))
NAMES = COMPARED + ALONE
SYMPY = {'SymPy Lagrange': 'lagrange', 'SymPy Kane': 'kane', 'SymPy first': 'first', 'SymPy second': 'second'}
GINAC = {'GiNaC first': 'first', 'GiNaC second': 'second'}
PROCESS_LIMIT = 300  # seconds, for our own program
FITTED_FROM = 8  # trailers


def figure(x):
    """Two digits are enough, and more would not be true."""
    if x >= 100:
        digits = len(str(int(x))) - 2
        return f'{round(x / 10**digits) * 10**digits:,}'
    return f'{x:.2g}' if x < 10 else f'{x:.0f}'


def print_table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for k, row in enumerate(rows):
        print('| ' + ' | '.join(cell.ljust(width) for cell, width in zip(row, widths)) + ' |')
        if k == 0:
            print('|' + '|'.join('-' * (width + 2) for width in widths) + '|')


def ginac(out):
    """The program that is linked with GiNaC. None: there is no GiNaC, or no compiler."""
    source, program = os.path.join(HERE, 'peer_ginac.cpp'), os.path.join(out, 'peer_ginac')
    if os.path.exists(program) and os.path.getmtime(program) > os.path.getmtime(source):
        return program
    command = ['g++', '-std=c++17', '-O2', '-o', program, source, '-lginac', '-lcln']
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    except FileNotFoundError:
        done = None
    if done and done.returncode == 0:
        return program
    print('bench/run: there is no GiNaC; `scripts/setup bench` installs it' if not done or 'ginac.h' in done.stderr else
          done.stderr, file=sys.stderr)
    return None


# ---------------------------------------------------------------- ours

def must(ended, command):
    if ended.outcome != 'done':
        sys.exit(f'bench/run: {" ".join(command)}: {ended.outcome}: {ended.error}')
    return ended


def often(run, fewest=3, most=25, enough=1.0):
    """Runs until the time is enough; one run where that takes long."""
    results = [run()]
    while results[0].outcome == 'done' and results[0].seconds < 5 * enough and len(results) < most and \
            (len(results) < fewest or sum(result.seconds for result in results) < enough):
        results.append(run())
    return results


def ours(options, model):
    program = os.path.join(options.build, 'bench', 'derivation')
    command = [program, model]
    result = json.loads(must(limited.run(command), command).out)
    once = [program, '--once', model]
    result['kilobytes'] = json.loads(must(limited.run(once), once).out)['kilobytes']
    whole = [os.path.join(options.build, 'bin', 'nonholo'), 'derive', '--quiet', '--format', 'json', model]
    runs = often(lambda: limited.run(whole, limit=PROCESS_LIMIT))
    result['process'] = {'outcome': runs[0].outcome, 'error': runs[0].error, 'runs': len(runs), 'characters': len(runs[0].out),
                         'seconds': limited.median([run.seconds for run in runs]),
                         'kilobytes': max(run.kilobytes for run in runs), 'at_most': all(run.at_most for run in runs)}
    return result


def exponent(points):
    """The slope of the straight line through (log N, log y) with the least squares."""
    points = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    if len(points) < 2:
        return None
    x0, y0 = (sum(values) / len(points) for values in zip(*points))
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0)**2 for x, _ in points)


def growth(results):
    """How time and memory grow with the number N of trailers; of the memory, what is more than for the skate or one trailer."""
    own = {int(name.split('-')[1]): result['nonholo'] for name, result in results.items() if name.startswith('car-')}
    least = min(result['nonholo']['kilobytes'] for result in results.values())
    large = {n: figures for n, figures in own.items() if n >= FITTED_FROM}
    return {'from': min(large, default=None), 'to': max(large, default=None),
            'read': exponent((n, f['read']) for n, f in large.items()),
            'derive': exponent((n, f['derive']) for n, f in large.items()),
            'kilobytes': exponent((n, f['kilobytes'] - least) for n, f in large.items()),
            'operations_first': exponent((n, f['operations_first']) for n, f in large.items()),
            'operations_second': exponent((n, f['operations_second']) for n, f in large.items())}


# ---------------------------------------------------------------- peers

def same(expected, found):
    """Within what is left of doubles by long formulas that nobody has simplified."""
    for key, values in found.items():
        size = max([1] + [abs(x) for x in expected[key]])
        if len(values) != len(expected[key]) or any(not abs(x - y) <= 1e-6 * size for x, y in zip(values, expected[key])):
            return False
    return True


def peer(command, limit, expected):
    """How one peer fares with one system: the median of several runs where they are short. Its limits of time are its own."""
    runs = often(lambda: limited.run(command, wall=30 * limit + 60), most=5)
    lines = [limited.lines_of(run.out) for run in runs]
    ended, first = runs[0], lines[0]
    result = {'outcome': 'done' if first else ended.outcome, 'error': ended.error, 'limit': limit, 'runs': len(runs),
              'kilobytes': max(run.kilobytes for run in runs)}
    if first:
        result.update({key: limited.median([line[0][key] for line in lines if line]) for key in ('seconds', 'process')},
                      version=first[0]['version'], same=same(expected, first[1]) if len(first) > 1 else None,
                      comparison=ended.outcome)
    return result


def peers(options, python, ginac_program, name, system, state, expected):
    """SYSTEM and STATE are files without their endings."""
    found = {}
    for title, method in SYMPY.items() if python else ():
        found[title] = peer([python, os.path.join(HERE, 'peer_derivation.py'), method, system, state + '.json', str(options.limit)],
                            options.limit, expected)
        print('.', end='', file=sys.stderr, flush=True)
    for title, method in GINAC.items() if ginac_program else ():
        found[title] = peer([ginac_program, method, system, state + '.txt', str(options.limit)], options.limit, expected)
        print('.', end='', file=sys.stderr, flush=True)
    return found


def write_state(path, state):
    with open(path + '.json', 'w', encoding='utf-8') as file:
        json.dump(state, file)
    with open(path + '.txt', 'w', encoding='utf-8') as file:
        file.writelines(f'{name} {value!r}\n' for name, value in state.items())


# ---------------------------------------------------------------- the table

def seconds_of(own):
    return own['read'] + own['derive']


def peer_cell(own, found):
    """How many times as long the derivation takes; how many times as long the process, which with us also simplifies."""
    if found is None:
        return ''
    if found['outcome'] == 'time':
        return f"> {figure(found['limit'] / seconds_of(own))}"
    if found['outcome'] != 'done':
        return found['outcome']
    cell = figure(found['seconds'] / seconds_of(own))
    if own['process']['outcome'] == 'done':
        cell += '; ' + figure(found['process'] / own['process']['seconds'])
    return cell + {True: '', False: ' WRONG', None: ' unchecked'}[found['same']]


def process_cells(process):
    if process['outcome'] != 'done':
        return [process['outcome'], '']
    return [figure(1e3 * process['seconds']), '< ' * process['at_most'] + figure(process['kilobytes'] / 1024)]


def table(results):
    titles = [title for title in (*SYMPY, *GINAC) if any(title in result['peers'] for result in results.values())]
    rows = [['system', 'n', 'r', 'read ms', 'derive ms', 'MB', 'operations', 'process ms', 'MB', *titles]]
    for name, result in results.items():
        own = result['nonholo']
        rows.append([name, str(own['n']), str(own['r']), f"{1e3 * own['read']:.3f}", f"{1e3 * own['derive']:.3f}",
                     figure(own['kilobytes'] / 1024), f"{own['operations_first']:,}; {own.get('operations_second', 0):,}",
                     *process_cells(own['process']), *(peer_cell(own, result['peers'].get(title)) for title in titles)])
    print_table(rows)


def print_growth(fit):
    if fit['derive'] is None:
        return
    print(f"\nFrom {fit['from']} to {fit['to']} trailers reading grows as N^{fit['read']:.2f}, deriving as N^{fit['derive']:.2f}, "
          f"memory as N^{fit['kilobytes']:.2f}, operations as N^{fit['operations_first']:.2f} (first kind) and "
          f"N^{fit['operations_second']:.2f} (second kind).")


def part(options, python):
    """Runs this part, and prints its table."""
    folder = os.path.join(options.out, 'derivation')
    os.makedirs(folder, exist_ok=True)
    subprocess.run([sys.executable, os.path.join(HERE, 'models.py'), folder, '1', '2', '4', '8', '16', '32', '64'], check=True)
    ginac_program = None if options.no_peers else ginac(options.out)
    results = {}
    for name in NAMES:
        if options.names and name not in options.names:
            continue
        print(name, end=' ', file=sys.stderr, flush=True)
        model = os.path.join(ROOT, 'examples', 'paper', name + '.nh') if name in PAPER else os.path.join(folder, name + '.nh')
        own = ours(options, model)
        results[name] = {'nonholo': own, 'peers': {}}
        if name in COMPARED and (python or ginac_program):
            system, state = os.path.join(folder, name + '.txt'), os.path.join(folder, name + '-state')
            with open(system, 'w', encoding='utf-8') as file:
                subprocess.run([os.path.join(options.build, 'bench', 'derivation'), '--system', model], stdout=file, check=True)
            write_state(state, own['state'])
            results[name]['peers'] = peers(options, python, ginac_program, name, system, state, own)
    print(file=sys.stderr)
    if results:
        table(results)
    fit = growth(results) if results else None
    if fit:
        print_growth(fit)
    return {'systems': results, 'growth': fit}
