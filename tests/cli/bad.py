#!/usr/bin/env python3
"""Every bad model is refused: with status 2, at the right place, with the right gist, in time and memory.

Each folder has an expected.txt of lines FILE<TAB>LINE<TAB>COLUMN<TAB>GIST; a column of * is any, and all of the
substrings of the gist, separated by " | ", must occur in the message, in whatever case."""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

HEAD = re.compile(r"^(.*?):(\d+):(\d+): (error|warning): (.*)$")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--make", metavar="SCRIPT", help="a script that fills one more folder, given as its argument")
    parser.add_argument("--sanitized", action="store_true",
                        help="the program is built with sanitizers: it may be ten times slower, and use any memory")
    return parser.parse_intermixed_args()


class Limits:
    def __init__(self, sanitized):
        self.seconds = 10.0 if sanitized else 1.0
        self.megabytes = float("inf") if sanitized else 200.0


def expectations(folder):
    wanted = {}
    with open(os.path.join(folder, "expected.txt"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, row, column, gist = line.rstrip("\n").split("\t")
                wanted.setdefault(name, []).append((int(row), column, gist.split(" | ")))
    return wanted


def fits(message, expected):
    row, column, gists = expected
    text = message[2].lower()
    at = message[0] == row and (column == "*" or message[1] == int(column))
    return at and all(gist.strip().lower() in text for gist in gists)


def peak():
    """The most memory that any program so far has used, in megabytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def spent():
    """The time that all programs so far have used, in seconds of the processor: what else runs does not count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def problems(program, path, expected, limits):
    before, started = peak(), spent()
    done = subprocess.run([program, "check", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    seconds = spent() - started
    stderr = done.stderr.decode("utf-8")  # what is printed is UTF-8, whatever was in the file
    messages = [(int(m[2]), int(m[3]), m[5]) for m in map(HEAD.match, stderr.split("\n")) if m and m[4] == "error"]
    if done.returncode != 2:
        yield f"exit status {done.returncode} instead of 2"
    if done.stdout:
        yield "writes to standard output"
    if re.search(r"Sanitizer|runtime error", stderr):
        yield "a sanitizer reports: " + stderr[-2000:]
    if seconds > limits.seconds:
        yield f"takes {seconds:.1f} s"
    if peak() > max(before, limits.megabytes):
        yield f"takes {peak():.0f} MB"
    for wanted in expected:
        if not any(fits(message, wanted) for message in messages):
            yield f"expected {wanted}, found {messages[:4]}"


def check_folder(program, folder, limits):
    """The number of models, and all that is wrong with them."""
    wanted = expectations(folder)
    found = [f"{name}: is not listed in expected.txt"
             for name in sorted(os.listdir(folder)) if name.endswith(".nh") and name not in wanted]
    for name, expected in sorted(wanted.items()):
        path = os.path.join(folder, name)
        found += [f"{name}: {problem}" for problem in problems(program, path, expected, limits)]
    return len(wanted), found


def main():
    given = arguments()
    limits = Limits(given.sanitized)
    with tempfile.TemporaryDirectory(dir=".") as made:
        if given.make:
            subprocess.run([sys.executable, given.make, made], check=True)
        results = [check_folder(given.program, folder, limits)
                   for folder in given.folders + ([made] if given.make else [])]
    count = sum(n for n, _ in results)
    found = [problem for _, some in results for problem in some]
    print("\n".join(found + [f"{count} bad models, {len(found)} problems, at most {peak():.0f} MB"]))
    return 1 if found or not count else 0


sys.exit(main())
