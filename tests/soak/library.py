"""The worker: the library in a process of its own, that may crash, hang or run out of memory and is then started again."""
import os
import select
import subprocess
import tempfile

from language import in_ascii

OK, WRONG_MODEL, WRONG_ARGUMENT, NO_MEMORY, NUMBER_SIZE, NOT_FOUND = range(6)
TEXT, JSON, MODEL, LATEX, MATHML, HTML = range(6)
BOTH, FIRST, SECOND = range(3)
AUTO, TAYLOR, RUNGE, CVODE = range(4)
C, PYTHON = range(2)
PATIENCE = 120  # seconds by the clock: the limit of the worker itself is in seconds of the processor


class Died(Exception):
    """The worker ended while it was asked."""


class Answer:
    def __init__(self, status, flag, held, text, messages):
        self.status, self.flag, self.held, self.text, self.messages = status, flag, held, text, messages

    def rows(self):
        """Of a run: names, rows, and the summary."""
        table, _, summary = in_ascii(self.text).partition('\0')
        lines = table.split('\n')
        return lines[0].split(','), [[float(x) for x in line.split(',')] for line in lines[1:] if line], summary


class Library:
    def __init__(self, path, seconds=10, megabytes=1024):
        self.command, self.process, self.errors, self.asked = [path, str(seconds), str(megabytes)], None, None, 0
        self.buffer = b''

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0)
        self.asked, self.buffer = 0, b''

    def stop(self):
        """Ends the worker; what was wrong at its end."""
        if not self.process:
            return ''
        self.process.stdin.close()
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return self.words() if status else ''

    def words(self):
        self.errors.seek(0)
        return self.errors.read()[-3000:].decode(errors='replace')

    def died(self, request, why=''):
        self.process.kill()
        status = self.process.wait()
        self.process.stdout.close()
        self.process.stdin.close()
        self.process = None
        why = why or {-27: 'used more than its time', -9: 'was killed', -11: 'crashed (SIGSEGV)', -6: 'was aborted'}.get(status, f'ended with {status}')
        raise Died(f'{request}: the worker {why}: {self.words()}')

    def died_by_itself(self, request):
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        self.died(request)

    def more(self, request):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        piece = os.read(self.process.stdout.fileno(), 1 << 20) if ready else b''
        if not ready:
            self.died(request, f'said nothing for {PATIENCE} s')
        if not piece:
            self.died_by_itself(request)
        self.buffer += piece

    def line(self, request):
        while b'\n' not in self.buffer:
            self.more(request)
        line, _, self.buffer = self.buffer.partition(b'\n')
        return line.decode()

    def bytes(self, count, request):
        while len(self.buffer) < count:
            self.more(request)
        piece, self.buffer = self.buffer[:count], self.buffer[count:]
        return piece

    def ask(self, word, *numbers, texts=()):
        if not self.process:
            self.start()
        texts = [text.encode() for text in texts]
        request = ' '.join([word, *map(repr, numbers), *(str(len(text)) for text in texts)])
        try:
            self.process.stdin.write(request.encode() + b'\n' + b''.join(texts))
            self.process.stdin.flush()
        except BrokenPipeError:
            self.died_by_itself(request)
        self.asked += 1
        status, flag, held, size, words = map(int, self.line(request).split())
        body = self.bytes(size + words, request)
        return Answer(status, flag, held, body[:size].decode(errors='replace'), body[size:].decode(errors='replace'))

    # the calls

    def model(self, text, given='', start=''):
        return self.ask('read', texts=(text, given, start))

    def layout(self, text):
        return self.ask('format', texts=(text,))

    def derive(self, form=JSON, steps=0):
        return self.ask('derive', form, steps)

    def eval(self, method=BOTH, project=1):
        return self.ask('eval', method, project)

    def check(self):
        return self.ask('check')

    def run(self, method=FIRST, solver=TAYLOR, native=-1, to=1.0, every=0.0, tolerance=0.0, starts=''):
        return self.ask('run', method, solver, native, 1, to, every, tolerance, texts=(starts,))

    def export(self, language):
        return self.ask('export', language)

    def fresh(self):
        return self.ask('fresh')
