#!/usr/bin/env python3
"""accepted.py PROGRAM FOLDER: every model of the folder is accepted, and understood as its comments say.

A line "#> TEXT" says that check prints TEXT, "#! TEXT" that it warns so; there are no other warnings. Laid out,
the model is the same."""
import re
import subprocess
import sys
from pathlib import Path


def run(program, *arguments, text=None):
    return subprocess.run([program, *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", timeout=60, check=False)


def meaning(text):
    """What check prints, but for the numbers of lines and the white space of equations."""
    return re.sub(r"line \d+", "line", text).replace(" ", "")


def problems(program, path):
    text = path.read_text(encoding="utf-8")
    said = re.findall(r"^#> *(.*)$", text, re.M)
    warned = re.findall(r"^#! *(.*)$", text, re.M)
    done = run(program, "check", str(path))
    warnings = [line for line in done.stderr.split("\n") if re.search(r":\d+: warning: ", line)]
    if done.returncode != 0 or "error" in done.stderr:
        yield f"status {done.returncode}: {done.stderr}"
    if not said:
        yield "says nothing of what is expected"
    yield from (f"does not print: {line}\n{done.stdout}" for line in said if line not in done.stdout)
    yield from (f"does not warn: {line}\n{done.stderr}" for line in warned if line not in done.stderr)
    if len(warnings) != len(warned):
        yield f"{len(warnings)} warnings, expected {len(warned)}:\n{done.stderr}"
    laid_out = run(program, "fmt", str(path))
    again = run(program, "check", "-", text=laid_out.stdout)
    if laid_out.returncode != 0 or meaning(again.stdout) != meaning(done.stdout):
        yield f"is another model when laid out:\n{laid_out.stderr}{again.stderr}{again.stdout}"


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    paths = sorted(folder.glob("*.nh"))
    found = [f"{path.name}: {problem}" for path in paths for problem in problems(program, path)]
    print("\n".join(found + [f"{len(paths)} models, {len(found)} problems"]))
    return 1 if found or not paths else 0


sys.exit(main())
