#!/usr/bin/env python3
"""faults.py PROGRAM [TEST...]: faults of the outside world. Disks that are full, files that may not grow, folders that may not be
written to, pipes that are closed, signals in the middle of things: under the final name there is the whole file, the one that was
there before, or none; nothing is left beside it; and the status and a message tell of it."""
import contextlib
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

PATIENCE = 120  # seconds that anything may take, with sanitizers on a busy machine
OLD = b'what was there before\n'
failures = 0


def expect(holds, what, done=None):
    global failures
    if not holds:
        failures += 1
        print('FAILED:', what)
        if done is not None:
            print('  status', done.returncode, '\n  err|', done.stderr.decode(errors='replace')[-600:])


class Place:
    """A folder for each test, and the program in it."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'examples')

    @contextlib.contextmanager
    def folder(self):
        with tempfile.TemporaryDirectory() as name:
            self.name = name
            yield name

    def start(self, arguments, limit=None, **how):
        def prepare():
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        how.setdefault('stdout', subprocess.PIPE)
        return subprocess.Popen([self.program, *arguments], cwd=self.name, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                preexec_fn=prepare, **how)

    def run(self, arguments, limit=None, **how):
        process = self.start(arguments, limit, **how)
        out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(arguments, process.returncode, out or b'', err)

    def model(self, name):
        return os.path.join(self.examples, name)

    def put(self, name):
        with open(os.path.join(self.name, name), 'wb') as file:
            file.write(OLD)

    def get(self, name):
        with open(os.path.join(self.name, name), 'rb') as file:
            return file.read()


def outputs(place):
    """Every way to a file: a name, and the arguments that write it."""
    skate = place.model('paper/skate.nh')
    return [('x.csv', ['run', skate, '--to', '100', '--every', '0.02', '-o', 'x.csv']),
            ('x.npy', ['run', skate, '--to', '100', '--every', '0.02', '-o', 'x.npy']),
            ('x.npz', ['run', skate, '--to', '100', '--every', '0.02', '-o', 'x.npz']),
            ('x.svg', ['run', skate, '--to', '100', '--every', '0.02', '-o', '/dev/null', '--plot', 'x.svg']),
            ('x.html', ['report', skate, '--to', '1', '--static', '-o', 'x.html']),
            ('y.svg', ['report', skate, '--to', '5', '-o', 'y.svg']),
            ('x.tex', ['derive', skate, '--steps', '-o', 'x.tex']),
            ('x.c', ['export', skate, '-o', 'x.c']),
            ('x.txt', ['check', skate, '-o', 'x.txt']),
            ('x.nh', ['examples', 'whipple-bicycle', '-o', 'x.nh'])]


# ---------------------------------------------------------------- files that cannot be written

def file_may_not_grow(place):
    for name, arguments in outputs(place):
        for there in (False, True):
            with place.folder() as folder:
                if there:
                    place.put(name)
                done = place.run(arguments, limit=512)
                expect(done.returncode == 1 and b'cannot write ' + name.encode() in done.stderr, f'{name} may not grow', done)
                expect(os.listdir(folder) == ([name] if there else []), f'{name} may not grow: {os.listdir(folder)}', done)
                expect(not there or place.get(name) == OLD, f'{name} may not grow: the old file is not kept', done)


def standard_output_may_not_grow(place):
    with place.folder() as folder, open(os.path.join(folder, 'out'), 'wb') as out:
        done = place.run(['run', place.model('paper/skate.nh'), '--to', '100', '--every', '0.01'], limit=20000, stdout=out)
        expect(done.returncode == 1 and b'cannot write standard output: File too large' in done.stderr, 'a file as standard output', done)
        lines = place.get('out').splitlines()[:-1]
        expect(len(lines) > 10 and all(line.count(b',') == lines[0].count(b',') for line in lines), 'the rows so far', done)


def device_is_full(place):
    for name, arguments in outputs(place):
        with place.folder() as folder:
            full = ['/dev/full' if word == name else word for word in arguments]
            if name == 'x.npy' or name == 'x.npz':
                full += ['--format', name[2:]]
            elif name == 'y.svg':
                full += ['--format', 'svg']
            elif name == 'x.c':
                full += ['--to', 'c']
            done = place.run(full)
            expect(done.returncode == 1 and b'cannot write /dev/full: No space left' in done.stderr, f'a full device for {name}', done)
            expect(os.listdir(folder) == [], f'a full device for {name}: {os.listdir(folder)}')
    with place.folder(), open('/dev/full', 'wb') as full:
        done = place.run(['run', place.model('paper/skate.nh'), '--to', '1000', '--every', '0.01'], stdout=full)
        expect(done.returncode == 1 and b'cannot write standard output: No space left' in done.stderr, 'a full standard output', done)


def disk_is_full(place):
    """A disk of 64 kB, where one may be mounted."""
    with place.folder() as folder:
        for name, arguments in outputs(place)[:3]:
            script = (f'mount -t tmpfs -o size=64k none {folder} && cd {folder} && printf old >{name} && "$@"; echo "status $?"; '
                      'cd / && ls ' + folder + f' && cat {folder}/{name}')
            try:
                done = subprocess.run(['unshare', '-rm', 'sh', '-c', script, 'sh', place.program, *arguments], timeout=PATIENCE,
                                      capture_output=True, check=False)
            except FileNotFoundError:
                return
            if b'mount:' in done.stderr or b'unshare:' in done.stderr:
                print('no disk could be mounted: not tried')
                return
            expect(done.stdout == b'status 1\n' + name.encode() + b'\nold' and b'No space left' in done.stderr,
                   f'a full disk for {name}: {done.stdout}', done)


def folder_is_closed(place):
    if os.geteuid() == 0:  # to whom nothing is closed
        missing = 'missing/'
    else:
        missing = 'closed/'
    for name, arguments in outputs(place):
        with place.folder() as folder:
            if missing == 'closed/':
                os.mkdir(os.path.join(folder, 'closed'), 0o500)
            done = place.run([missing + word if word == name else word for word in arguments])
            expect(done.returncode == 1 and f'cannot write {missing}{name}: '.encode() in done.stderr, f'{missing}{name}', done)
            expect(os.listdir(folder) == ['closed'] * (missing == 'closed/'), f'{missing}{name}: {os.listdir(folder)}')


def file_cannot_be_read(place):
    for command in ('check', 'derive', 'eval', 'run', 'report', 'export', 'fmt', 'integrals', 'equilibria', 'linearize', 'lyapunov'):
        to = ['--to', 'c'] if command == 'export' else []
        for path, why in (('/proc/self/mem', b'Input/output error'), ('.', b'Is a directory'), ('none', b'No such file')):
            with place.folder() as folder:
                place.put('out')
                done = place.run([command, path, '-o', 'out', *to])
                expect(done.returncode == 2 and b'cannot read ' + path.encode() + b': ' + why in done.stderr, f'{command} {path}', done)
                expect(place.get('out') == OLD and os.listdir(folder) == ['out'], f'{command} {path}: another file', done)
    with place.folder():
        done = place.run(['run', place.model('paper/skate.nh'), '--starts', '/proc/self/mem'])
        expect(done.returncode == 2 and b'cannot read /proc/self/mem' in done.stderr, '--starts', done)


# ---------------------------------------------------------------- pipes

def pipe_is_closed(place):
    """With the signal that then comes, and where it is ignored."""
    skate = place.model('paper/skate.nh')
    for quiet in (False, True):
        with place.folder() as folder:
            process = place.start(['run', skate, '--to', '1e6', '--every', '0.001', '--plot', 'x.svg'], restore_signals=not quiet)
            first = process.stdout.readline()
            process.stdout.close()
            err = process.stderr.read()
            process.wait(timeout=PATIENCE)
            done = subprocess.CompletedProcess([], process.returncode, b'', err)
            expect(first.startswith(b't,x,y,theta,'), 'the first line', done)
            if quiet:
                expect(done.returncode == 1 and b'cannot write standard output: Broken pipe' in err, 'a closed pipe', done)
            else:
                expect(done.returncode == -signal.SIGPIPE and os.listdir(folder) == [], 'a closed pipe', done)


# ---------------------------------------------------------------- signals

def after_signals(place, arguments, numbers, ready):
    """Signals once ready(process) holds."""
    process = place.start(arguments, stdout=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not ready(process) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.2 * (len(numbers) > 1))
    _, err = process.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(arguments, process.returncode, b'', err)


def has_worked(seconds):
    """Of the processor: whatever else the machine does."""
    def ready(process):
        try:
            with open(f'/proc/{process.pid}/stat', encoding='utf-8') as file:
                ticks = file.read().rsplit(')', 1)[1].split()[11:13]
        except OSError:
            return True
        return sum(map(int, ticks)) > seconds * os.sysconf('SC_CLK_TCK')
    return ready


def check_rows(place, name, done):
    """A table of some rows, all of them whole."""
    data = place.get(name)
    if name.endswith('.csv'):
        lines = data.decode().splitlines()
        expect(data.endswith(b'\n') and len({line.count(',') for line in lines}) == 1 and len(lines) > 1, f'{name}: rows', done)
    elif name.endswith('.npz'):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {info.file_size for info in archive.infolist()}
            expect(archive.testzip() is None and len(sizes) == 1, f'{name}: columns of different length', done)
    elif name.endswith('.svg'):
        expect(data.startswith(b'<svg') and data.rstrip().endswith(b'</svg>'), f'{name}: a picture', done)


def run_is_interrupted(place):
    """The rows so far are kept."""
    skate = place.model('paper/skate.nh')
    for number in (signal.SIGINT, signal.SIGTERM):
        for name in ('x.csv', 'x.npz', 'x.svg'):
            with place.folder() as folder:
                place.put(name)
                to = ['--plot', name, '-o', '/dev/null'] if name == 'x.svg' else ['-o', name]
                done = after_signals(place, ['run', skate, '--to', '1e9', '--every', '0.1', *to], [number], has_worked(0.6))
                expect(done.returncode == 1 and b'interrupted' in done.stderr, f'{name}: {number.name}', done)
                expect(os.listdir(folder) == [name] and place.get(name) != OLD, f'{name}: {os.listdir(folder)}', done)
                check_rows(place, name, done)


def others_are_interrupted(place):
    """Nothing is written; what was there stays."""
    long = place.model('isokinetic-64.nh')
    commands = [('x.tex', ['derive', long, '--steps']), ('x.html', ['report', long, '--to', '1e6']),
                ('y.txt', ['check', long]), ('y.svg', ['report', place.model('paper/skate.nh'), '--to', '1e9', '--every', '1e6'])]
    for number in (signal.SIGINT, signal.SIGTERM):
        for name, arguments in commands:
            with place.folder() as folder:
                place.put(name)
                began = time.monotonic()
                done = after_signals(place, [*arguments, '-o', name], [number], has_worked(0.4))
                expect(done.returncode in (1, -number), f'{name}: {number.name}', done)
                expect(os.listdir(folder) == [name] and place.get(name) == OLD, f'{name}: another file', done)
                expect(time.monotonic() - began < 30, f'{name}: {number.name} is heard too late', done)


def second_signal_ends(place):
    with place.folder() as folder:
        place.put('x.html')
        done = after_signals(place, ['report', place.model('isokinetic-64.nh'), '-o', 'x.html'], [signal.SIGTERM] * 2, has_worked(0.4))
        expect(done.returncode in (1, -signal.SIGTERM) and place.get('x.html') == OLD, 'two signals', done)
        expect(os.listdir(folder) == ['x.html'], f'two signals: {os.listdir(folder)}', done)


def writing_is_interrupted(place):
    """A signal as soon as the file beside the final one is there: either the whole file, or the old one, and nothing else."""
    skate = place.model('paper/skate.nh')
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for name, arguments in (('x.csv', ['run', skate, '--to', '100', '--every', '0.001']), ('x.tex', ['derive', skate])):
            with place.folder() as folder:
                place.put(name)
                done = after_signals(place, [*arguments, '-o', name], [number], lambda process, folder=folder: len(os.listdir(folder)) > 1)
                expect(os.listdir(folder) == [name], f'{name}: {os.listdir(folder)} after {number.name}', done)
                data = place.get(name)
                expect(data.count(b'\n') in (1, 100002) if name == 'x.csv' else data == OLD or b'end{document}' in data,
                       f'{name}: half a file', done)


def memory_is_short(place):
    """Rows that are kept count as memory: those that there is room for are written."""
    skate = place.model('paper/skate.nh')
    with place.folder() as folder:
        done = place.run(['run', skate, '--to', '1e5', '--every', '0.001', '--max-memory', '20M', '-o', 'x.csv'])
        expect(done.returncode == 1 and b'there is no memory for more rows' in done.stderr, 'little memory', done)
        check_rows(place, 'x.csv', done)
        expect(1 << 20 < os.path.getsize(os.path.join(folder, 'x.csv')) < 20 << 20, 'little memory: how much is kept', done)


TESTS = [file_may_not_grow, standard_output_may_not_grow, device_is_full, disk_is_full, folder_is_closed, file_cannot_be_read,
         pipe_is_closed, run_is_interrupted, others_are_interrupted, second_signal_ends, writing_is_interrupted, memory_is_short]


def main():
    place = Place(sys.argv[1])
    for test in TESTS:
        if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]:
            began = time.monotonic()
            test(place)
            print(f'{time.monotonic() - began:6.1f} s  {test.__name__}')
    return failures > 0


sys.exit(main())
