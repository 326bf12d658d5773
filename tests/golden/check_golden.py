#!/usr/bin/env python3
"""The exact text of what `nonholo derive` writes, in every format, for the paper's systems and five others.

usage: check_golden.py [--update] PROGRAM EXAMPLES      --update: write what is printed to expected/; read the changes

That these texts are right is not shown here but by tests/present, which reads formulas back, and by tests/agree; this test shows
what a change of the program changes for its readers."""
import difflib
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = {
    "txt": ["--steps", "--unicode"],
    "ascii": ["--steps", "--ascii", "--width", "100"],
    "model": ["--format", "model"],
    "tex": ["--steps", "--format", "latex"],
    "mml": ["--format", "mathml"],
    "html": ["--only", "first,facts", "--steps", "--format", "html"],
    "json": ["--format", "json"],
}


def models(examples):
    own = glob.glob(os.path.join(HERE, "models", "*.nh"))
    return sorted(own + glob.glob(os.path.join(examples, "paper", "*.nh")) + [os.path.join(examples, "off-centre-sleigh.nh")])


def main():
    update = sys.argv[1] == "--update"
    program, examples = sys.argv[1 + update:]
    checked = differ = 0
    for model in models(examples):
        for ending, options in FORMATS.items():
            name = os.path.splitext(os.path.basename(model))[0] + "." + ending
            path = os.path.join(HERE, "expected", name)
            printed = subprocess.run([program, "derive", "--quiet", model, *options], stdout=subprocess.PIPE, check=True).stdout
            if update:
                with open(path, "wb") as stream:
                    stream.write(printed)
                continue
            with open(path, "rb") as stream:
                expected = stream.read()
            checked += 1
            if printed != expected:
                differ += 1
                lines = difflib.unified_diff(expected.decode().splitlines(), printed.decode().splitlines(), name, "now", lineterm="", n=1)
                print("\n".join(list(lines)[:40]))
    print(f"{checked} texts, {differ} differ")
    sys.exit(1 if differ or not (checked or update) else 0)


if __name__ == "__main__":
    main()
