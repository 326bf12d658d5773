"""The fourth part of the bench: systems with many coordinates, by whole commands. There is nobody to compare with: the tables say how
time and memory grow."""
import os
import sys

import derivation
import limited
import models

SIZES = (100, 300, 1000)
SYSTEMS = {'isokinetic': models.isokinetic, 'sleighs': models.sleighs}
NAMES = tuple(f'{name}-{n}' for name in SYSTEMS for n in SIZES)
COMMANDS = {'derive': ['derive', '--format', 'json'], 'eval': ['eval', '--project'], 'check': ['check'],
            'run': ['run', '--project', '--to', '1', '--every', '1']}
LIMIT = 300  # seconds of the processor


def measure(options, path):
    found = {}
    for name, words in COMMANDS.items():
        out = path + '.out'  # what this program would read, it would have to keep
        command = [os.path.join(options.build, 'bin', 'nonholo'), words[0], path, *words[1:], '--quiet', '--max-memory', '3G', '-o', out]
        ended = limited.run(command, limit=LIMIT, memory=None)
        found[name] = {'outcome': ended.outcome, 'error': ended.error, 'seconds': ended.seconds, 'kilobytes': ended.kilobytes,
                       'at_most': ended.at_most, 'characters': os.path.getsize(out) if ended.outcome == 'done' else None}
        if os.path.exists(out):
            os.remove(out)
    return found


def cells(figures):
    if figures['outcome'] != 'done':
        return [figures['outcome'], '']
    return [derivation.figure(figures['seconds']), '< ' * figures['at_most'] + derivation.figure(figures['kilobytes'] / 1024)]


def part(options):
    """Runs this part, and prints its table."""
    folder = os.path.join(options.out, 'models')
    os.makedirs(folder, exist_ok=True)
    results = {}
    for name, make in SYSTEMS.items():
        for n in SIZES:
            if options.names and f'{name}-{n}' not in options.names:
                continue
            print(f'{name}-{n}', end=' ', file=sys.stderr, flush=True)
            path = os.path.join(folder, f'{name}-{n}.nh')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(make(n))
            results[f'{name}-{n}'] = measure(options, path)
    print(file=sys.stderr)
    if results:
        rows = [['system'] + [word for name in COMMANDS for word in (f'{name} s', 'MB')]]
        rows += [[name] + [cell for command in COMMANDS for cell in cells(found[command])] for name, found in results.items()]
        derivation.print_table(rows)
    return results
