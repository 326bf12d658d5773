#!/usr/bin/env python3
"""Reads the #include lines of src/ and tells which of them a room may not have.

usage: check_layers.py SRC | check_layers.py --self-test

A file may include the headers of its own room, the public header nonholo.h, and the doors (ROOM/ROOM.h, and DOORS)
of the rooms that its own may know, directly or through others. The standard headers are open to all;
each library has its rooms. The program, cli/, knows the public header alone.
"""

import posixpath
import re
import sys
import tempfile
from pathlib import Path

# room: the rooms it may know
MAY_KNOW = {
    "base": [],
    "expr": ["base"],
    "algebra": ["expr"],
    "lang": ["base"],
    "model": ["lang", "expr", "algebra"],
    "derive": ["model", "expr", "algebra"],
    "present": ["derive", "analyse", "expr"],
    "tape": ["derive", "expr"],
    "integrate": ["tape"],
    "analyse": ["derive", "tape", "integrate"],
    "export": ["tape", "present"],
    "plot": ["base"],
    "report": ["present", "analyse", "export", "plot"],
    "cli": [],
}

# library, its headers (as a regular expression for the beginning), the rooms that may see it
LIBRARIES = [
    ("GMP", r"gmp\.h", ["base", "algebra"]),
    ("MPFR", r"mpfr\.h", ["algebra"]),
    ("FLINT", r"flint|fmp[zq]|nmod_|mpoly|arb(\.|_)|arf\.|acb(\.|_)|calcium|ca(\.|_)|fexpr|qqbar|antic|nf(\.|_)",
     ["algebra"]),
    ("SUNDIALS", r"sundials|cvode|nvector|sunmatrix|sunlinsol|sunnonlinsol|arkode|idas?/|kinsol", ["integrate"]),
    ("LLVM", r"llvm", ["tape"]),
    ("the processor's own vectors", r"immintrin\.h", ["base"]),
    ("libquadmath", r"quadmath\.h", ["tape"]),
]

# what is for a few files, which are compiled for each kind of processor, and not behind a door that all go through
DOORS = {"base/vector.h"}

STANDARD = set("""
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    dirent dlfcn fcntl getopt libgen poll pthread sched spawn strings termios unistd
    sys/ioctl sys/mman sys/resource sys/stat sys/time sys/types sys/wait
""".split())

SOURCES = {".c", ".h", ".def", ".inc"}
TOKENS = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(.*?)[ \t]*$", re.M)


def closure(room, seen=None):
    """The rooms that a room may know, through others too."""
    seen = set() if seen is None else seen
    for other in MAY_KNOW[room]:
        if other not in seen:
            seen.add(other)
            closure(other, seen)
    return seen


def without_comments(text):
    """The text with blanks for comments, all lines kept."""
    def blank(token):
        return token[0] if token[0][0] in "\"'" else re.sub(r"[^\n]", " ", token[0])
    return TOKENS.sub(blank, text.replace("\\\n", "  "))


def includes(text):
    """(line number, what stands behind #include) of each."""
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1]


def wrong_room(room, header):
    """What is wrong with a header of the project, given as ROOM/HEADER; None: nothing."""
    other, inner = header.split("/", 1)
    if other == room:
        return None
    if other not in closure(room):
        return f"{room} may not know {other}"
    if inner != f"{other}.h" and header not in DOORS:
        return f"not the door of {other}, which is {other}/{other}.h"
    return None


def wrong_library(room, header):
    """What is wrong with the header of a library; None: nothing, or it is of none."""
    for library, beginning, rooms in LIBRARIES:
        if re.match(beginning, header) and room not in rooms:
            return f"{library} may only be seen in {' and '.join(rooms)}"
    return None


def known(header):
    """Whether a header is standard or of one of the libraries."""
    standard = header.endswith(".h") and header[:-2] in STANDARD
    return standard or any(re.match(beginning, header) for _, beginning, _ in LIBRARIES)


def wrong_include(file, what):
    """What is wrong with `#include what` in a file, given as ROOM/FILE; None: nothing."""
    room = file.split("/")[0]
    if len(what) < 3 or what[0] + what[-1] not in ('""', "<>"):
        return "neither <header> nor \"header\""
    header = posixpath.normpath(what[1:-1])
    if header == "nonholo.h":
        return None
    if header.split("/")[0] in MAY_KNOW and "/" in header:
        return wrong_room(room, header)
    if wrong_library(room, header):
        return wrong_library(room, header)
    if what[0] == "<":
        return None if known(header) else "not a standard header, nor of a library known to this test"
    header = posixpath.normpath(posixpath.join(posixpath.dirname(file), header))
    if header.split("/")[0] in MAY_KNOW:
        return wrong_room(room, header)
    return "outside of the rooms"


def check(src):
    """All that is wrong below a directory, a line each."""
    wrong = []
    for path in sorted(path for path in src.rglob("*") if path.is_file() and path.suffix in SOURCES):
        file = path.relative_to(src).as_posix()
        if "/" not in file or file.split("/")[0] not in MAY_KNOW:
            wrong.append(f"{file}: not in a room; there are {', '.join(MAY_KNOW)}")
            continue
        for line, what in includes(path.read_text(encoding="utf-8")):
            reason = wrong_include(file, what)
            if reason:
                wrong.append(f"{file}:{line}: #include {what}: {reason}")
    return wrong


# file, what it includes, and a part of the message; None: it is right
SELF_TEST = [
    ("expr/a.c", '#include "expr/expr.h"\n#include "base/base.h"\n#include <math.h>\n', None),
    ("expr/a.c", '#include "expr/inner.h"\n#include "inner.h"\n#include "functions.def"\n', None),
    ("base/a.c", '#include <gmp.h>\n#include "pow10.inc"\n', None),
    ("algebra/a.c", "#include <gmp.h>\n#include <flint/fmpz.h>\n#include <ca.h>\n", None),
    ("integrate/a.c", "#include <cvode/cvode.h>\n#include <nvector/nvector_serial.h>\n", None),
    ("tape/a.c", "#include <llvm-c/Core.h>\n", None),
    ("present/a.c", '#include "model/model.h"\n#include "base/base.h"\n', None),
    ("report/a.c", '#include "plot/plot.h"\n#include "lang/lang.h"\n#include "nonholo.h"\n', None),
    ("cli/a.c", '#include "nonholo.h"\n#include "cli/cli.h"\n#include "cli.h"\n#include <unistd.h>\n', None),
    ("expr/a.c", '/* #include "model/model.h"\n#include "model/model.h" */\n// #include "x/y.h"\n', None),
    ("expr/a.c", 'const char *s = "/*";\n#include "model/model.h"\n', "a.c:2: "),
    ("base/a.c", '#include "expr/expr.h"\n', "base may not know expr"),
    ("base/a.h", '#include "expr/expr.h"\n', "base may not know expr"),
    ("lang/a.c", '#include "expr/expr.h"\n', "lang may not know expr"),
    ("tape/a.c", '#include "present/present.h"\n', "tape may not know present"),
    ("expr/a.c", '#include "base/text.h"\n', "not the door of base"),
    ("expr/a.c", '#include <base/text.h>\n', "not the door of base"),
    ("expr/a.c", '#include "../base/text.h"\n', "not the door of base"),
    ("expr/a.c", '  #  include\t"./../lang/lang.h" /* why not */\n', "expr may not know lang"),
    ("expr/a.c", '#include \\\n"lang/lang.h"\n', "expr may not know lang"),
    ("expr/deep/a.c", '#include "../../lang/lang.h"\n', "expr may not know lang"),
    ("expr/functions.def", '#include "lang/lang.h"\n', "expr may not know lang"),
    ("present/a.c", '#include "expr/functions.def"\n', "not the door of expr"),
    ("cli/a.c", '#include "base/base.h"\n', "cli may not know base"),
    ("cli/a.c", '#include "report/report.h"\n', "cli may not know report"),
    ("report/a.c", '#include "cli/cli.h"\n', "report may not know cli"),
    ("expr/a.c", "#include <gmp.h>\n", "GMP may only be seen in base and algebra"),
    ("expr/a.c", "#include <flint/fmpz_mpoly.h>\n", "FLINT may only be seen in algebra"),
    ("model/a.c", "#include <fmpz.h>\n", "FLINT may only be seen in algebra"),
    ("derive/a.c", "#include <ca.h>\n", "FLINT may only be seen in algebra"),
    ("derive/a.c", "#include <calcium.h>\n", "FLINT may only be seen in algebra"),
    ("derive/a.c", '#include "flint/fmpz.h"\n', "FLINT may only be seen in algebra"),
    ("tape/a.c", "#include <sundials/sundials_types.h>\n", "SUNDIALS may only be seen in integrate"),
    ("analyse/a.c", "#include <cvode/cvode.h>\n", "SUNDIALS may only be seen in integrate"),
    ("analyse/a.c", "#include <nvector/nvector_serial.h>\n", "SUNDIALS may only be seen in integrate"),
    ("integrate/a.c", "#include <llvm-c/Core.h>\n", "LLVM may only be seen in tape"),
    ("base/a.c", "#include <glib.h>\n", "not a standard header"),
    ("base/a.c", "#include HEADER\n", "neither <header>"),
    ("base/a.c", '#include "../../tests/helper.h"\n', "outside of the rooms"),
    ("attic/a.c", "int x;\n", "not in a room"),
    ("stray.c", "int x;\n", "not in a room"),
]


def self_test():
    """Whether each made-up file is judged as it should be; prints those that are not."""
    good = all(room not in closure(room) for room in MAY_KNOW)
    if not good:
        print("the table has a cycle")
    for file, text, expected in SELF_TEST:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            found = check(Path(directory))
        if (found and not expected) or (expected and not (len(found) == 1 and expected in found[0])):
            print(f"{file}: {text!r}: expected {expected!r}, found {found!r}")
            good = False
    return good


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    wrong = check(Path(arguments[0]))
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
