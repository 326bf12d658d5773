#!/usr/bin/env python3
"""hostile.py PROGRAM: texts of a model stay texts. A title that ends comments, strings, tags and commands of every language that is
written does nothing there; control characters do not get to the terminal."""
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TITLE = ('T */ int evil; /* """ + evil() + """ \'\'\' %} =\u2028evil <script>alert(1)</script> <img src=x onerror=alert(1)> \\input{evil} '
         '\\end{document} &amp; $(evil) `evil` "quote" ]]> --> </svg> %s%n $evil$ ${evil} \\')
MODEL = f"system {TITLE}\ncoordinates x\nparameters m = 1\nkinetic 1/2*m*x'^2\npotential x^2\ninitial x = 1\n"
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print('FAILED:', what)


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder
        self.model = os.path.join(folder, 'm.nh')
        with open(self.model, 'w', encoding='utf-8') as file:
            file.write(MODEL)

    def run(self, command, *arguments, status=0, model=None):
        done = subprocess.run([self.path, command, model or self.model, *arguments], capture_output=True, cwd=self.folder, check=False, timeout=120)
        expect(done.returncode == status, f'{command} {arguments}: {done.returncode} {done.stderr.decode()}')
        return done.stdout.decode(), done.stderr


def check_source_code(program):
    """Of the title nothing is code: as many functions as with another title, and no name of it."""
    text, _ = program.run('export', '--to', 'c')
    path = os.path.join(program.folder, 'evil.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text + '\nint evil;\n')
    expect(subprocess.run(['cc', '-fsyntax-only', '-Werror=redundant-decls', path], check=False).returncode == 0, 'C does not compile')
    outside = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', '', text, flags=re.S)
    expect('evil' not in outside and 'alert' not in outside, 'C has the title outside of comments and strings')
    text, _ = program.run('export', '--to', 'python')
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    expect('evil' not in names, 'Python has the title as code')
    for language, comment in (('julia', '#'), ('octave', '%')):
        text, _ = program.run('export', '--to', language)
        lines = [line for line in text.split('\n') if 'evil' in line]
        strings = [re.sub(r'"(?:\\.|""|[^"\\])*"' if language == 'julia' else r"'(?:''|[^'])*'|\"(?:\\.|\"\"|[^\"\\])*\"", '', line) for line in lines]
        expect(all('evil' not in line.split(comment)[0] for line in strings), f'{language} has the title as code: {lines}')


def check_pages(program):
    pages = {'report': program.run('report', '--to', '1')[0], 'static report': program.run('report', '--static', '--to', '1')[0],
             'html': program.run('derive', '--format', 'html')[0], 'mathml': program.run('derive', '--format', 'mathml', '--steps')[0]}
    for name, text in pages.items():
        expect('<script>alert' not in text and '<img src=x' not in text, f'{name} has tags of the title')
    for name, arguments in (('moving picture', ('report', '--format', 'svg', '--to', '1')), ('plot', ('run', '-o', '/dev/null', '--plot', '/dev/stdout'))):
        tags = {element.tag.split('}')[-1] for element in xml.etree.ElementTree.fromstring(program.run(*arguments)[0]).iter()}
        expect('script' not in tags and 'img' not in tags, f'{name} has tags of the title')


def check_others(program):
    text, _ = program.run('derive', '--format', 'latex', '--steps')
    expect('\\input{evil' not in text and text.count('\\end{document}') == 1, 'LaTeX has commands of the title')
    told = json.loads(program.run('check', '--format', 'json')[0])
    expect(TITLE in told.values(), 'JSON has another title')


def check_control_characters(program):
    for text in ('system a\x1b]0;evil\x07b\ncoordinates x\n', 'coordinates x\nkinetic \x1b[2J 1\n', 'coordinates x\x00y\n',
                 'coordinates x\nkinetic \x9b31m\n'):
        path = os.path.join(program.folder, 'c.nh')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        for command in ('check', 'fmt', 'derive'):
            out, err = program.run(command, status=2, model=path)
            expect(not re.search(rb'[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]', err + out.encode()), f'{command} {text!r}: {err}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = Program(sys.argv[1], folder)
        for check in (check_source_code, check_pages, check_others, check_control_characters):
            check(program)
    return failures > 0


sys.exit(main())
