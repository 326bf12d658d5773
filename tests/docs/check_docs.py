#!/usr/bin/env python3
"""The documentation tells the truth: what it says a command prints is what the command prints.

usage: check_docs.py [--update] PROGRAM FILE.md...     --update: write what is printed into the documents; read the changes

Comments before a fenced block say what it is:
    <!-- file: skate.nh -->        the block is that file, for the commands that follow
    <!-- run -->                   lines beginning with $ are commands, the others what they print
    <!-- output of: COMMAND -->    the block is what the shell command prints, on both outputs
The commands of one document run in one folder of their own, where `examples` is the project's folder of models, and in a
locale with Unicode."""
import os
import re
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
BLOCK = re.compile(r"<!-- (file|run|output of)(?:: (.*?))? -->\n+```[a-z]*\n(.*?)```\n", re.S)


def run(command, folder, program):
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8")


def commands_of(text):
    """Pairs of a command and the output that is claimed for it."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def check(program, document, update):
    with open(document, encoding="utf-8") as stream:
        whole = stream.read()
    blocks = BLOCK.findall(whole)
    ran = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.normpath(EXAMPLES), os.path.join(folder, "examples"))
        for kind, argument, text in blocks:
            if kind == "file":
                with open(os.path.join(folder, argument), "w", encoding="utf-8") as stream:
                    stream.write(text)
            claims = commands_of(text) if kind == "run" else [(argument, text)] if kind == "output of" else []
            for command, claimed in claims:
                ran += 1
                printed = run(command, folder, program)
                if printed.strip() != claimed.strip():
                    failures += 1
                    head = f"$ {command}\n" if kind == "run" else ""
                    shown = printed.rstrip().lstrip("\n")
                    end = "\n" * (bool(shown) + claimed.endswith("\n\n"))
                    whole = whole.replace(head + claimed, head + shown + end, 1)
                    print(f"{document}: {command}\n--- the document says\n{claimed}--- the program says\n{printed}")
    if update and failures:
        with open(document, "w", encoding="utf-8") as stream:
            stream.write(whole)
    print(f"{document}: {ran} commands, {failures} differ")
    return failures if ran else 1


def main():
    update = sys.argv[1] == "--update"
    program, documents = sys.argv[1 + update], sys.argv[2 + update:]
    sys.exit(1 if sum(check(program, document, update) for document in documents) and not update else 0)


main()
