#!/usr/bin/env python3
"""Every bad model is refused: with status 2, at the right place, with the right gist, in time and memory.

usage: bad.py PROGRAM CORPUS_DIR...

Each directory has an expected.txt of lines FILE<TAB>LINE<TAB>COLUMN<TAB>GIST; a column of * is any, and all of the
substrings of the gist, separated by " | ", must occur in the message, in whatever case."""
import os
import re
import resource
import subprocess
import sys
import time

HEAD = re.compile(r"^(.*?):(\d+):(\d+): (error|warning): (.*)$")
SECONDS, MEGABYTES = 1.0, 200


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


def run(program, path):
    started = time.monotonic()
    done = subprocess.run([program, "check", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done, time.monotonic() - started


def problems(program, path, expected):
    done, seconds = run(program, path)
    stderr = done.stderr.decode("utf-8")  # what is printed is UTF-8, whatever was in the file
    messages = [(int(m[2]), int(m[3]), m[5]) for m in map(HEAD.match, stderr.split("\n")) if m and m[4] == "error"]
    if done.returncode != 2:
        yield f"exit status {done.returncode} instead of 2"
    if done.stdout:
        yield "writes to standard output"
    if re.search(r"Sanitizer|runtime error", stderr):
        yield "a sanitizer reports: " + stderr[-2000:]
    if seconds > SECONDS * (10 if SANITIZED else 1):
        yield f"takes {seconds:.1f} s"
    for wanted in expected:
        if not any(fits(message, wanted) for message in messages):
            yield f"expected {wanted}, found {messages[:4]}"


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    global SANITIZED
    SANITIZED = "--sanitized" in folders
    count = failures = 0
    for folder in (f for f in folders if not f.startswith("--")):
        wanted = expectations(folder)
        for name in sorted(os.listdir(folder)):
            if name.endswith(".nh") and name not in wanted:
                print(f"{name}: is not listed in expected.txt")
                failures += 1
        for name, expected in sorted(wanted.items()):
            count += 1
            for problem in problems(program, os.path.join(folder, name), expected):
                print(f"{name}: {problem}")
                failures += 1
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{count} bad models, {failures} problems, at most {peak:.0f} MB")
    if not SANITIZED and peak > MEGABYTES:
        print(f"too much memory: {peak:.0f} MB")
        failures += 1
    sys.exit(1 if failures else 0)


main()
