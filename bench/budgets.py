#!/usr/bin/env python3
"""budgets.py PROGRAM [--seconds S] [--memory B]: does every command keep within --max-seconds and --max-memory?

Runs every command on models that are too long for it: the bicycle, a car with 16 trailers, and a hundred particles whose kinetic
energy is constant. Prints the time of the clock and the most memory that each took, and ends with 1 where one took more than it may:
a tenth or half a second more, and a tenth more than the memory, besides what the program takes for itself. On a busy machine the
times are those of the machine.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import models

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'examples')
COMMANDS = [('check',), ('derive',), ('derive', '--steps', '--format', 'latex'), ('eval', '--project'),
            ('run', '--project', '--to', '1e6', '--every', '0.01', '-o', '/dev/null'),
            ('run', '--project', '--to', '1e6', '--every', '0.01', '-o', '/dev/null', '--plot', '/dev/null'),
            ('run', '--project', '--to', '1e6', '--every', '0.01', '-o', '/dev/null', '--format', 'npz'),
            ('report', '--to', '1000'), ('report', '--to', '1000', '--format', 'svg'), ('export', '--to', 'c'),
            ('linearize', '--project'), ('equilibria',), ('lyapunov', '--to', '1e6'), ('integrals',), ('fmt',)]
COMPILER = 120 << 20  # bytes: what loading the compiler of machine code takes


def particles(n):
    """A chain of n particles, each pulled to its neighbours, with constant kinetic energy."""
    names = [f'q{i}' for i in range(1, n + 1)]
    squares = ' + '.join(f"{q}'^2" for q in names)
    springs = ' + '.join(f'({a} - {b})^4' for a, b in zip(names, names[1:]))
    return (f'system       {n} particles\ncoordinates  {", ".join(names)}\nkinetic      1/2*({squares})\n'
            f'potential    1/4*({springs})\nconstraint   heat: {squares} = {n}\n'
            f"initial      {', '.join(f'{q} = {i % 7}/10' for i, q in enumerate(names))}, "
            f"{', '.join(f'''{q}' = {(-1) ** i}''' for i, q in enumerate(names))}\n")


def measure(arguments):
    """Seconds of the clock, bytes, and the status."""
    began = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - began, usage.ru_maxrss << 10, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--memory', type=int, default=64, help='megabytes')
    parser.add_argument('--command', help='only this one')
    options = parser.parse_args()
    exceeded = 0
    own = measure([options.program, '--version'])[1] + COMPILER
    with tempfile.TemporaryDirectory() as folder:
        made = {'car-16': models.car(16, True), 'particles-100': particles(100)}
        with open(os.path.join(EXAMPLES, 'whipple-bicycle.nh'), encoding='utf-8') as file:
            made['whipple-bicycle'] = file.read()
        for name, text in made.items():
            path = os.path.join(folder, name + '.nh')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            for command in COMMANDS:
                if options.command and command[0] != options.command:
                    continue
                words = [options.program, command[0], path, *command[1:]]
                seconds, _, timed = measure([*words, '--max-seconds', str(options.seconds)])
                _, taken, short = measure([*words, '--max-seconds', '20', '--max-memory', f'{options.memory}M'])
                late = seconds > options.seconds + max(0.1 * options.seconds, 0.5)
                large = taken > 1.1 * (options.memory << 20) + own
                exceeded += late + large
                print(f'{name:16} {seconds:6.2f} s (status {timed}){"  LATE" if late else ""}   {taken / (1 << 20):6.0f} MB '
                      f'(status {short}){"  LARGE" if large else ""}   {" ".join(command)}', flush=True)
    print(f'{exceeded} of them took more than they may')
    return exceeded > 0


if __name__ == '__main__':
    sys.exit(main())
