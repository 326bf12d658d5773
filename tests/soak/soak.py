#!/usr/bin/env python3
"""soak.py WORKER NONHOLO [options]: random models, and everything that can be computed in two ways.

  --minutes M      how long; without it, until --models
  --models N       how many at most
  --seed S         where the seeds begin (1); model k has the seed S*1000000007 + k
  --jobs J         processes (all processors)
  --out FOLDER     where failures go (build/soak)
  --file MODEL...  only these models, with all checks; --quick: without what takes long; --set VALUES for their parameters
  --slow N         each so many-th model also by CVODE, native code, exported C and Python, `check` and all formats (40)
  --seconds S, --megabytes M   limits of a request: seconds of the processor (10), memory (1024)
  --least SHARE    fails where less than this share of the models could be evaluated (0.8)

Each model: layout; numbers of `eval` against a program of its own (mechanics.py); formulas of `derive` in Python against `eval`; the
motion by Taylor series, Runge-Kutta, the second method, and in lanes. A failure is made small and written to FOLDER with
the command that shows it. Ends with 1 where something failed.
"""
import argparse
import collections
import multiprocessing
import os
import queue
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import generate  # noqa: E402
from checks import Checks, Failure  # noqa: E402
from library import Library  # noqa: E402
from shrink import shrink  # noqa: E402

RENEWED = 50    # models after which the context is a new one, and nothing of the old one may be left
RESTARTED = 2000  # and the process
SHRUNK = 3      # failures of a kind that are made small
PATIENCE = 90   # seconds for one of them


def seed_of(options, k):
    return options.seed * 1000000007 + k


def outcome(checks, text, given, seed, share):
    """None, or a failure; what is wrong with the checks themselves is one, too."""
    try:
        checks.all(text, given, seed, share)
        return None
    except Failure as failure:
        return failure
    except Exception:  # pylint: disable=broad-except
        return Failure('the checks', traceback.format_exc(limit=-5), ['check'])


# ---------------------------------------------------------------- failures

def same_failure(library, folder, kind, given, seed, share):
    """Whether another text fails in the same way."""
    def fails(text):
        try:
            failure = outcome(Checks(library, collections.Counter(), folder), text, given, seed, share)
        except ValueError:
            return False
        return failure is not None and failure.kind == kind
    return fails


def used(given, text):
    """--set without parameters that are no longer there."""
    return ','.join(item for item in given.split(', ') if item and item.split('=')[0] in text)


def write_failure(options, failure, text, small, given, seed, name):
    folder = os.path.join(options.out, name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, 'model.nh')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(small)
    with open(os.path.join(folder, 'original.nh'), 'w', encoding='utf-8', newline='') as stream:
        stream.write(text)
    extra = ['--set', repr(given)] if given else []
    if failure.starts:
        with open(os.path.join(folder, 'starts.csv'), 'w', encoding='utf-8') as stream:
            stream.write(failure.starts)
        failure.shows = [os.path.join(folder, word) if word == 'starts.csv' else word for word in failure.shows]
    again = ' '.join([sys.argv[0], options.worker, options.nonholo, '--file', path, '--seed', str(seed), *extra])
    shows = ' '.join([options.nonholo, *failure.shows, path, *extra])
    with open(os.path.join(folder, 'failure.txt'), 'w', encoding='utf-8') as stream:
        stream.write(f'{failure.kind}\n{failure.detail}\n\nseed {seed}\n\nshown by\n    {shows}\nchecked by\n    {again}\n\n{small}')
    return path, shows


# ---------------------------------------------------------------- a process

class Worker:
    def __init__(self, options, number, results, failed):
        self.options, self.number, self.results, self.failed = options, number, results, failed
        self.library, self.count = Library(options.worker, options.seconds, options.megabytes), collections.Counter()

    def report(self, kind, *rest):
        self.results.put((kind, self.number, *rest))

    def try_model(self, k):
        seed, share = seed_of(self.options, k), k % self.options.slow == 0
        model = generate.model(seed)
        failure = outcome(Checks(self.library, self.count, self.options.out, True), model.text, model.set, seed, share)
        self.count['models'] += 1
        if failure:
            self.tell(failure, model, seed, share)
        if k // self.options.jobs % RENEWED == RENEWED - 1:
            self.renew(k)

    def tell(self, failure, model, seed, share):
        self.count['failed: ' + failure.kind] += 1
        if self.failed.get(failure.kind, 0) >= SHRUNK:
            return
        self.failed[failure.kind] = self.failed.get(failure.kind, 0) + 1
        given = model.set
        small = model.text
        try:
            slow = share and not outcome_without_slow(self, failure, model, seed)
            small = shrink(model.text, same_failure(self.library, self.options.out, failure.kind, given, seed, slow), PATIENCE)
            last = outcome(Checks(self.library, collections.Counter(), self.options.out), small, given, seed, slow)
            failure = last if last and last.kind == failure.kind else failure
        except Exception:  # pylint: disable=broad-except
            failure.detail += '\n' + traceback.format_exc(limit=-3)
        name = ''.join(c if c.isalnum() else '-' for c in failure.kind)[:50] + f'-{seed}'
        path, shows = write_failure(self.options, failure, model.text, small, used(given, small), seed, name)
        self.report('failure', failure.kind, failure.detail, path, shows)

    def renew(self, k):
        """Another context: nothing may be left of the last one, and little be held while there is no model."""
        answer = self.library.fresh()
        if answer.status:
            self.count['failed: memory is left'] += 1
            self.report('failure', 'memory is left', f'{answer.held} bytes are held by a new context', f'near model {k}', '')
        if self.library.asked > RESTARTED * 10:
            words = self.library.stop()
            if words:
                self.count['failed: the end of the worker'] += 1
                self.report('failure', 'the end of the worker', words, f'near model {k}', '')

    def run(self):
        options, k = self.options, self.number
        told = time.time()
        while (options.models is None or k < options.models) and (options.until is None or time.time() < options.until):
            try:
                self.try_model(k)
            except Exception:  # pylint: disable=broad-except
                self.count['failed: the soak itself'] += 1
                self.report('failure', 'the soak itself', traceback.format_exc(), str(k), '')
                self.library = Library(options.worker, options.seconds, options.megabytes)
            k += options.jobs
            if time.time() > told + 1:
                told = time.time()
                self.report('count', dict(self.count))
        words = self.library.stop()
        if words:
            self.count['failed: the end of the worker'] += 1
            self.report('failure', 'the end of the worker', words, '', '')
        self.report('done', dict(self.count))


def outcome_without_slow(worker, failure, model, seed):
    """Whether the failure is there without the checks that take long."""
    found = outcome(Checks(worker.library, collections.Counter(), worker.options.out), model.text, model.set, seed, False)
    return found is not None and found.kind == failure.kind


def work(options, number, results, failed):
    Worker(options, number, results, failed).run()


# ---------------------------------------------------------------- all

def total(counts):
    out = collections.Counter()
    for count in counts.values():
        out.update(count)
    return out


def progress(counts, begin, end=''):
    count = total(counts)
    failed = sum(x for key, x in count.items() if key.startswith('failed'))
    seconds = time.time() - begin
    print(f"{seconds:.0f} s: {count['models']} models, {count['models'] / max(seconds, 1e-9):.1f} a second, {count['evaluated']} evaluated, "
          f"{count['motions']} motions compared, {failed} failed{end}", flush=True)
    return failed


def summary(counts):
    for key, x in sorted(total(counts).items()):
        print(f'{x:10d} {key}')


def single(options):
    """The models of files."""
    count, library, bad = collections.Counter(), Library(options.worker, options.seconds, options.megabytes), 0
    for path in options.file:
        with open(path, encoding='utf-8', newline='') as stream:
            text = stream.read()
        failure = outcome(Checks(library, count, options.out), text, options.set, options.seed, not options.quick)
        if failure:
            print(f'{path}: {failure.kind}: {failure.detail}')
            bad += 1
    words = library.stop()
    if words:
        print(words)
    for key, x in sorted(count.items()):
        print(f'{x:10d} {key}')
    if count['evaluated'] < len(options.file):
        print(f"only {count['evaluated']} of {len(options.file)} models could be evaluated")
    return 1 if bad or words or count['evaluated'] < len(options.file) else 0


def many(options):
    results, manager = multiprocessing.Queue(), multiprocessing.Manager()
    failed = manager.dict()
    begin = time.time()
    print(f'seed {options.seed}, {options.jobs} processes', flush=True)
    options.until = begin + 60 * options.minutes if options.minutes else None
    processes = [multiprocessing.Process(target=work, args=(options, i, results, failed)) for i in range(options.jobs)]
    for process in processes:
        process.start()
    counts, done, told = {}, 0, time.time()
    while done < len(processes):
        try:
            kind, number, *rest = results.get(timeout=5)
        except queue.Empty:
            if not any(process.is_alive() for process in processes):
                print('a process ended by itself')
                return 1
            continue
        if kind == 'failure':
            what, detail, path, shows = rest
            print(f'FAILED {what}\n    {detail[:1500]}\n    {path}\n    {shows}', flush=True)
        else:
            counts[number] = rest[0]
            done += kind == 'done'
        if time.time() > told + options.every:
            told = time.time()
            progress(counts, begin)
    for process in processes:
        process.join()
    summary(counts)
    bad = progress(counts, begin, f', seed {options.seed}')
    count = total(counts)
    if count['evaluated'] < options.least * count['models']:
        print(f"only {count['evaluated']} of {count['models']} models could be evaluated")
        bad += 1
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('worker')
    parser.add_argument('nonholo')
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--models', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--out', default='build/soak')
    parser.add_argument('--file', nargs='+')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--set', default='')
    parser.add_argument('--slow', type=int, default=40)
    parser.add_argument('--least', type=float, default=0.8)
    parser.add_argument('--seconds', type=int, default=10)
    parser.add_argument('--megabytes', type=int, default=1024)
    parser.add_argument('--every', type=float, default=10)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    if options.file:
        return single(options)
    if options.minutes is None and options.models is None:
        options.minutes = 1
    return many(options)


if __name__ == '__main__':
    sys.exit(main())
