#!/usr/bin/env python3
"""plots.py PROGRAM: pictures of eigenvalues and of sections, against closed forms. An oscillator with friction has the eigenvalues
-c/2 +- sqrt(c^2/4 - 1); the motion x = cos t, y = sin(2 t)/2 meets y = 0, rising, at t = pi, 2 pi, ..., where x is -1, 1, -1, ..."""
import cmath
import math
import os
import re
import subprocess
import sys
import tempfile

FRICTION = "coordinates x\nparameters c = 1/2\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = -c*x'\ninitial x = 0\n"
EIGHT = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*(x^2 + 4*y^2)\ninitial x = 1, x' = 0, y = 0, y' = 1\n"
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print('FAILED:', what)


def picture(program, command, model, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, command, '-', *arguments, '-o', os.devnull, '--plot', 'p.svg'], input=model.encode(), cwd=folder,
                              capture_output=True, check=False, timeout=120)
        expect(done.returncode == 0, f'{command} {arguments}: {done.stderr.decode()}')
        with open(os.path.join(folder, 'p.svg'), encoding='utf-8') as file:
            return file.read()


def points(path):
    """The corners of "M0 1l2-3l4 5"."""
    at, found = (0.0, 0.0), []
    for letter, numbers in re.findall(r'([ML l])([^MLlh]*)', path):
        x, y = map(float, re.findall(r'-?[0-9.]+', numbers))
        at = (x, y) if letter in 'ML' else (at[0] + x, at[1] + y)
        found.append(at)
    return found


def has_image(corners, values):
    """Whether each corner is one of the values, seen through one map p = a v + b that is the same for all of a line; pixels are rounded."""
    low, high = min(values), max(values)
    top, bottom = min(corners), max(corners)
    scale = (high - low) / (bottom - top)
    return all(min(abs(low + scale * (bottom - p) - v) for v in values) < 0.02 for p in corners)


def check_eigenvalues(program):
    text = picture(program, 'linearize', FRICTION, '--vary', 'c=0:4:4')
    lines = [points(path) for path in re.findall(r'<path class="line c\d" d="([^"]*)"', text)]
    roots = [[-c / 2 + sign * cmath.sqrt(c * c / 4 - 1) for c in range(5)] for sign in (1, -1)]
    expect(len(lines) == 6, f'{len(lines)} lines: real parts, imaginary parts, and the plane, of two eigenvalues each')
    real = sorted(lines[:2], key=lambda line: line[-1][1])  # the larger one ends higher up
    for line, root in zip(real, roots):
        expect(line[0][0] == 0 and has_image([y for _, y in line], [z.real for z in root]), f'real parts {line}, not {root}')
    for line, root in zip(sorted(lines[2:4], key=lambda line: line[0][1]), roots):
        expect(has_image([y for _, y in line], [z.imag for z in root]), f'imaginary parts {line}, not {root}')
    for line, root in zip(sorted(lines[4:], key=lambda line: line[0][1]), roots):
        expect(has_image([-x for x, _ in line], [z.real for z in root]), f'in the plane {line}, not {root}')


def check_section(program):
    text = picture(program, 'run', EIGHT, '--section', 'y', '--to', str(10.5 * math.pi))
    panels = re.findall(r'<path class="dots c0" d="([^"]*)"', text)
    expect(len(panels) == 1, f'{len(panels)} panels: y is held, x and its rate are shown')
    for dots in panels:
        across = [float(x) for x in re.findall(r'M(-?[0-9.]+) ', dots)]
        expect(len(across) == 10 and set(across[::2]) == {min(across)} and set(across[1::2]) == {max(across)} and max(across) > min(across),
               f'dots at {across}, not at -1, 1, -1, ...')


check_eigenvalues(os.path.abspath(sys.argv[1]))
check_section(os.path.abspath(sys.argv[1]))
sys.exit(failures > 0)
