#!/usr/bin/env python3
"""peer_sympy.py [--limit SECONDS] FILE FOLDER: what SymPy makes of a file of straight-line text.

Each method has a process of its own and a limit of processor time: so much for reading, and so much for all
entries of the file. What it makes of them is written to FOLDER/METHOD.txt, in the same form; a JSON line for each method
tells how long that took, how many entries were done, and how the process ended (limited.py has the words for it).
"""
import argparse
import json
import os
import re
import resource
import sys
import time

import limited

METHODS = ('simplify', 'trigsimp', 'cancel')
FUNCTIONS = ('sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'exp', 'log', 'sqrt',
             'abs', 'sign')


def read(path, symbols=None):
    """The entries that are asked for, by name. Symbols have the signs that the file gives them, or are given here by name."""
    import sympy
    scope = {name: getattr(sympy, name if name != 'abs' else 'Abs') for name in FUNCTIONS}
    scope.update(Integer=sympy.Integer, _pi=sympy.pi)
    signs = {'+': {'positive': True}, '-': {'negative': True}, '0': {'real': True}}
    entries = {}

    def python(text):
        # names get an underscore, so that none of them is a word of Python; numbers stay exact
        text = re.sub(r'[^\W\d]\w*|\d+', lambda m: f'Integer({m[0]})' if m[0][0].isdigit() else
                      m[0] if m[0] in FUNCTIONS else '_' + m[0], text)
        return text.replace('^', '**')

    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.split()
            if not words or words[0].startswith('#'):
                continue
            if words[0] == 'symbol':
                scope['_' + words[1]] = (symbols or {}).get(words[1], sympy.Symbol(words[1], **signs[words[3]]))
                continue
            name, text = line.split(' = ', 1)
            value = eval(python(text.strip()), {'__builtins__': {}}, scope)
            if name.startswith('k'):
                scope['_' + name] = value
            else:
                entries[name] = value
    return entries


def limit_from_here(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + seconds, resource.RLIM_INFINITY))


def child(path, method, limit):
    """Writes a JSON line for each entry that is done."""
    import sympy
    sys.setrecursionlimit(100000)
    limit_from_here(limit)
    entries = read(path)
    x = sympy.Symbol('x', real=True)
    getattr(sympy, method)(sympy.sin(x)**2 + sympy.cos(x)**2)  # what is loaded with the first call
    limit_from_here(limit)
    print(json.dumps({'entries': len(entries), 'version': sympy.__version__}), flush=True)
    for name, value in entries.items():
        start = time.thread_time()  # that of the process is coarse where a limit is set
        result = getattr(sympy, method)(value)
        seconds = time.thread_time() - start
        text = str(result).replace('**', '^').replace('Abs(', 'abs(')
        print(json.dumps({'name': name, 'seconds': seconds, 'text': text}), flush=True)


def run(path, method, limit):
    """How a child ended, and its lines; it is ended where the system does not see to that."""
    command = [sys.executable, os.path.abspath(__file__), '--child', method, '--limit', str(limit), path, '-']
    ended = limited.run(command, wall=10 * limit + 60)
    return ended, limited.lines_of(ended.out)


def seconds_of(result):
    return sum(entry['seconds'] for entry in result[1][1:])


def run_often(path, method, limit):
    """The median of three runs where they are short."""
    runs = [run(path, method, limit)]
    while len(runs) < 3 and runs[0][0].outcome == 'done' and seconds_of(runs[0]) < 1:
        runs.append(run(path, method, limit))
    return sorted(runs, key=seconds_of)[len(runs) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--limit', type=int, default=20)
    parser.add_argument('--child', choices=METHODS, help=argparse.SUPPRESS)
    parser.add_argument('file')
    parser.add_argument('folder')
    options = parser.parse_args()
    if options.child:
        child(options.file, options.child, options.limit)
        return
    os.makedirs(options.folder, exist_ok=True)
    for method in METHODS:
        result = run_often(options.file, method, options.limit)
        ended, lines = result
        head, done = (lines[0] if lines else {'entries': 0, 'version': ''}), lines[1:]
        with open(os.path.join(options.folder, method + '.txt'), 'w', encoding='utf-8') as file:
            file.writelines(f"{entry['name']} = {entry['text']}\n" for entry in done)
        print(json.dumps({
            'program': 'sympy', 'version': head['version'], 'method': method, 'limit': options.limit,
            'entries': head['entries'], 'entries_done': len(done), 'outcome': ended.outcome,
            'seconds': seconds_of(result), 'kilobytes': ended.kilobytes,
            **({'error': ended.error} if ended.outcome in ('failed', 'crash') else {})}), flush=True)


if __name__ == '__main__':
    main()
