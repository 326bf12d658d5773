"""Runs a command within limits, and tells how it ended.

    done      status 0
    time      it used up its processor time, or did not end in ten times as long
    memory    it got no more memory, or the system ended it for want of memory
    refused   status 3: the program says that it cannot do this
    failed    any other status: an error of its own, which is told
    crash     a signal
"""
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile

MEMORY = 4 << 30  # bytes of address space
NO_MEMORY = ('MemoryError', 'bad_alloc', 'out of memory', 'Cannot allocate memory')
REFUSED = 3


class Ended:
    """outcome, one of the words above; out, err: text; seconds of processor time; kilobytes: the most memory that it had.
    What it began with, as a copy of this process, counts: at_most tells that it had no more than that."""

    def __init__(self, outcome, out, err, usage):
        self.outcome, self.out, self.err = outcome, out, err
        self.seconds = usage.ru_utime + usage.ru_stime
        self.kilobytes = usage.ru_maxrss
        self.at_most = usage.ru_maxrss <= 1.1 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @property
    def error(self):
        return (self.err.strip().splitlines() or [''])[-1]


def outcome(status, err, seconds, limit, late):
    """The word for a status as Popen has it."""
    if status == 0:
        return 'done'
    if late or status == -signal.SIGXCPU:
        return 'time'
    if status == -signal.SIGKILL:  # not by us: the hard limit of time, or the system for want of memory
        return 'time' if limit and seconds >= limit else 'memory'
    if any(word in err for word in NO_MEMORY):
        return 'memory'
    if status < 0:
        return 'crash'
    return 'refused' if status == REFUSED else 'failed'


def restrain(pid, limit, memory):
    """From outside: to do it in the new process would cost that one a copy of this one, which counted as its own time."""
    try:
        if limit:
            resource.prlimit(pid, resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
        if memory:
            resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))
    except ProcessLookupError:
        pass  # it is done already


def is_done(pid, seconds):
    """Waits for so long at the most, without disturbing it by looking again and again."""
    descriptor = os.pidfd_open(pid)
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def run(command, limit=None, memory=MEMORY, **options):
    """limit: seconds of processor time; None: the command sees to that itself, or there is none."""
    wall = options.pop('wall', 10 * limit + 60 if limit else None)
    with tempfile.TemporaryFile('w+', encoding='utf-8', errors='replace') as out, \
            tempfile.TemporaryFile('w+', encoding='utf-8', errors='replace') as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, **options)
        restrain(process.pid, limit, memory)
        late = wall is not None and not is_done(process.pid, wall)
        if late:
            process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text, errors = out.read(), err.read()
    seconds = usage.ru_utime + usage.ru_stime
    return Ended(outcome(process.returncode, errors, seconds, limit, late), text, errors, usage)


def lines_of(text):
    """JSON lines, without one that was being written when the program was ended."""
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def self_test():
    python = [sys.executable, '-c']
    expected = {
        'done': 'pass', 'time': 'while True: pass', 'memory': 'x = bytearray(1 << 33)', 'refused': 'exit(3)',
        'failed': 'raise ValueError', 'crash': 'import os; os.abort()',
    }
    for word, text in expected.items():
        found = run(python + [text], limit=1).outcome
        if found != word:
            sys.exit(f'limited.py: {text!r} is {found}, not {word}')
    if run(python + ['import time; time.sleep(60)'], limit=1, wall=1).outcome != 'time':
        sys.exit('limited.py: a command that sleeps is not ended')


if __name__ == '__main__':
    self_test()
