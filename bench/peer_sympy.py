#!/usr/bin/env python3
"""peer_sympy.py [--limit SECONDS] FILE FOLDER: what SymPy makes of a file of straight-line text.

Each method has a process of its own and a limit of processor time: so much for reading, and so much for all
entries of the file. What it makes of them is written to FOLDER/METHOD.txt, in the same form; a JSON line for each method
tells how long that took and how many entries were done in time.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time

METHODS = ('simplify', 'trigsimp', 'cancel')
FUNCTIONS = ('sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'exp', 'log', 'sqrt',
             'abs', 'sign')


def read(path):
    """The entries that are asked for, by name. Symbols have the signs that the file gives them."""
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
                scope['_' + words[1]] = sympy.Symbol(words[1], **signs[words[3]])
                continue
            name, text = line.split(' = ', 1)
            value = eval(python(text.strip()), {'__builtins__': {}}, scope)
            if name.startswith('k'):
                scope['_' + name] = value
            else:
                entries[name] = value
    return entries


def child(path, method, limit):
    """Writes a JSON line for each entry that is done."""
    import sympy
    sys.setrecursionlimit(100000)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    entries = read(path)
    x = sympy.Symbol('x', real=True)
    getattr(sympy, method)(sympy.sin(x)**2 + sympy.cos(x)**2)  # what is loaded with the first call
    used = int(time.process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + limit, resource.RLIM_INFINITY))
    print(json.dumps({'entries': len(entries), 'version': sympy.__version__}), flush=True)
    for name, value in entries.items():
        start = time.process_time()
        result = getattr(sympy, method)(value)
        seconds = time.process_time() - start
        text = str(result).replace('**', '^').replace('Abs(', 'abs(')
        print(json.dumps({'name': name, 'seconds': seconds, 'text': text}), flush=True)


def run(path, method, limit):
    """The lines of a child; it is ended where the system does not see to that."""
    command = [sys.executable, os.path.abspath(__file__), '--child', method, '--limit', str(limit), path, '-']
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, err = process.communicate(timeout=10 * limit + 60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    lines = []
    for line in out.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            pass  # it was ended while it wrote
    return process.returncode, lines, err.strip().splitlines()[-1:]


def seconds_of(outcome):
    return sum(entry['seconds'] for entry in outcome[1][1:])


def run_often(path, method, limit):
    """The median of three runs where they are short."""
    runs = [run(path, method, limit)]
    while len(runs) < 3 and runs[0][0] == 0 and seconds_of(runs[0]) < 1:
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
        outcome = run_often(options.file, method, options.limit)
        status, lines, error = outcome
        head, done = (lines[0] if lines else {'entries': 0, 'version': ''}), lines[1:]
        with open(os.path.join(options.folder, method + '.txt'), 'w', encoding='utf-8') as file:
            file.writelines(f"{entry['name']} = {entry['text']}\n" for entry in done)
        print(json.dumps({
            'program': 'sympy', 'version': head['version'], 'method': method, 'limit': options.limit,
            'entries': head['entries'], 'entries_done': len(done), 'done': status == 0,
            'seconds': seconds_of(outcome),
            **({'error': error[0]} if status > 0 and error else {})}), flush=True)


if __name__ == '__main__':
    main()
