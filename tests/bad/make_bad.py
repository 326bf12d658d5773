#!/usr/bin/env python3
"""Write the bad models that are not nice to keep as text files.

    make_bad.py OUTDIR

OUTDIR gets the models (*.nh, about 25 MB) and an expected.txt in the form of the one beside this
script: file<TAB>line<TAB>column<TAB>gist. One thing is added to that form: a column '*' is any
column (where it depends on a limit that is the program's own affair). The result is the same on
every machine: nothing here is random.
"""
import os
import sys

BOM = b"\xef\xbb\xbf"
MEGA = 1000 * 1000
MANY = 100000
SEED = 22                               # see the binary file below

HEAD = b"system Slider\ncoordinates x\nparameters m = 1, k = 2\n"
KIN = b"kinetic 1/2*m*x'^2\n"
BASE = HEAD + KIN                       # a complete, valid model of four lines

out_dir = ""
expected = []


def position(before):
    """Line and column (in characters, from 1) of what follows the bytes `before`."""
    text = before.decode("utf-8")
    if text.startswith("\ufeff"):
        text = text[1:]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


def write(name, data):
    with open(os.path.join(out_dir, name + ".nh"), "wb") as f:
        f.write(data)


def expect(name, line, column, gist):
    expected.append("%s.nh\t%s\t%s\t%s" % (name, line, column, gist))


def case(name, before, after, gist, column=None):
    """A file `before` + `after` whose diagnostic points at the beginning of `after`."""
    if isinstance(before, str):
        before = before.encode("utf-8")
    if isinstance(after, str):
        after = after.encode("utf-8")
    write(name, before + after)
    line, col = position(before)
    expect(name, line, col if column is None else column, gist)


def noise(count, seed):
    """`count` bytes from a small generator of our own (the same everywhere)."""
    data = bytearray()
    state = seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        data.append(state >> 56)
    return bytes(data)


def bytes_and_encodings():
    expected.append("# nothing there")
    case("empty", b"", b"", "empty")
    case("empty-bom", BOM, b"", "empty")
    case("empty-blank", b"", b"\n   \n\t\n\r\n\n", "empty")
    case("empty-comments", b"", b"# nothing\n\n   # at all\n#\n", "empty")

    expected.append("# not text")
    case("nul-in-expression", HEAD + b"kinetic 1/2*m*x", b"\0'^2\n", "nul")
    case("nul-as-white-space", BASE + b"potential 1/2*k*", b"\0x^2\n", "nul")
    case("control-character", BASE + b"potential 1/2*k*", b"\x01x^2\n", "character")
    # The seed gives a first byte that is a stray continuation byte, and a NUL before a line end.
    data = noise(65536, SEED)
    assert 0x80 <= data[0] < 0xC0
    assert data.index(0) < min(data.index(10), data.index(13))
    case("binary", b"", data, "UTF-8", "*")
    # Only the line is tested: DEL is at column 1, the first NUL at column 8.
    case("elf", b"", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0"
         b"\x40\x10\x40\0\0\0\0\0\x40\0\0\0\0\0\0\0\n" + BASE, "e", "*")
    text = BASE.decode("ascii")
    case("utf16-le", b"", b"\xff\xfe" + text.encode("utf-16-le"), "UTF")
    case("utf16-be", b"", b"\xfe\xff" + text.encode("utf-16-be"), "UTF")

    expected.append("# invalid UTF-8")
    case("utf8-stray-continuation", BASE + b"potential k*", b"\x80*x\n", "UTF-8")
    case("utf8-latin1", BASE + b"potential k*", b"\xe9*x\n", "UTF-8")
    case("utf8-overlong", BASE + b"potential k", b"\xc0\xaax\n", "UTF-8")
    case("utf8-overlong-three", BASE + b"potential k", b"\xe0\x80\xaax\n", "UTF-8")
    case("utf8-surrogate", BASE + b"potential k*x + ", b"\xed\xa0\x80\n", "UTF-8")
    case("utf8-beyond-unicode", BASE + b"potential k*x + ", b"\xf4\x90\x80\x80\n", "UTF-8")
    case("utf8-byte-ff", BASE + b"potential k*x + ", b"\xff\n", "UTF-8")
    case("utf8-truncated-in-line", BASE + b"potential k*x + ", b"\xce\npotential k*x\n", "UTF-8")
    case("utf8-truncated-at-end", BASE + b"potential k*x + ", b"\xce", "UTF-8")
    case("utf8-truncated-three-at-end", BASE + b"potential k*x + ", b"\xe2\x88", "UTF-8")
    case("utf8-after-greek",
         "system Slider\nangles θ\nparameters μ = 1\nkinetic 1/2*μ*θ'^2\npotential μ*θ*",
         b"\xb8\n", "UTF-8")
    case("utf8-in-comment", BASE + b"# a caf", b"\xe9 by the sea\npotential k*x\n", "UTF-8")
    case("utf8-in-comment-after-statement", BASE + b"potential k*x # caf", b"\xe9\n", "UTF-8")
    case("utf8-in-title", b"system P", b"\xe9ndulo\n" + BASE.split(b"\n", 1)[1], "UTF-8")


def sizes():
    expected.append("# deep nesting: the column is where the limit is passed")
    start = BASE + b"potential "
    for name, text in (
            ("nested-parens", b"(" * MANY + b"x" + b")" * MANY),
            ("nested-parens-unclosed", b"(" * MANY),
            ("nested-functions", b"sin(" * MANY + b"x" + b")" * MANY),
            ("nested-minus", b"-" * MANY + b"x"),
            ("nested-powers", b"x" + b"^x" * (MANY - 1))):
        case(name, start, text + b"\n", "nested", "*")

    case("nested-index", start + b"x[1]", b"[1]" * MANY + b"\n", "components")

    expected.append("# large things")
    case("identifier-megabyte", BASE + b"potential k*", b"a" * MEGA + b"\n", "too long")
    case("identifier-megabyte-declared", BASE + b"let ", b"a" * MEGA + b" = 3\n", "too long")
    case("number-megabyte", BASE + b"potential k*", b"7" * MEGA + b"*x\n", "too long")
    case("number-megabyte-fraction", BASE + b"potential ", b"0." + b"3" * MEGA + b"*x\n",
         "too long")
    case("number-exponent", BASE + b"potential k*", b"1e999999999*x\n", "exponent")
    case("number-exponent-negative", BASE + b"potential k*", b"1e-999999999*x\n", "exponent")
    case("number-exponent-overflow", BASE + b"potential k*",
         b"1e99999999999999999999999999*x\n", "exponent")
    signs = b"abcxyz0189 .,;:!?$%&/()[]{}=+*~<>|@^_-\\'\""
    garbage = b"@" + bytes(signs[b % len(signs)] for b in noise(MEGA, 7))
    case("garbage-megabyte", BASE, garbage + b"\n", "@")
    case("garbage-in-expression", BASE + b"potential k*x ", b"@" * MEGA + b"\n", "@")
    comment = b"# " + b"filling " * 12 + b"\n"
    write("file-20-megabytes", BASE + comment * (20 * MEGA // len(comment) + 1))
    expect("file-20-megabytes", 1, 1, "larger than")

    expected.append("# three hundred errors: the program stops after twenty")
    write("errors-300", BASE + b"".join(b"let a%03d = bogus%03d\n" % (i, i)
                                        for i in range(1, 301)))
    for i in range(1, 21):
        expect("errors-300", 4 + i, 12, "bogus%03d" % i)

    expected.append("# one mistake in a long text")
    lets = b"".join(b"let a%d = %d*x\n" % (i, i) for i in range(1, 5001))
    case("after-5000-lets", BASE + lets + b"potential a17 + ", b"absentee*x\n", "absentee")
    term = b"k*x + "
    case("long-line-name", BASE + b"potential " + term * 10000,
         b"nowhere + " + term * 10000 + b"k*x\n", "nowhere")
    case("long-line-star", BASE + b"potential " + term * 10000 + b"k ",
         b"x + " + term * 10000 + b"k*x\n", "*")
    case("long-continuation", BASE + b"potential k*x\n" + b"   + k*x\n" * 20000 + b"   + k*",
         b"nowhere\n" + b"   + k*x\n" * 20000, "nowhere")
    case("long-comment-in-statement", BASE + b"potential k*x\n" + b"#\n" * 300000 + b"   + k*", b"nowhere\n",
         "nowhere")
    case("blank-lines-in-statement", BASE + b"potential k*x\n" + b"\n" * 300000 + b"   + k*", b"nowhere\n", "nowhere")


def line_ends_and_columns():
    expected.append("# line ends")
    model = BASE + b"potential k*"
    case("cr-only", model.replace(b"\n", b"\r"), b"nowhere\rinitial x = 1\r", "nowhere")
    case("cr-only-operand", model.replace(b"\n", b"\r"), b"\rinitial x = 1\r", "expected")
    case("crlf", model.replace(b"\n", b"\r\n"), b"nowhere\r\ninitial x = 1\r\n", "nowhere")
    case("crlf-operand", model.replace(b"\n", b"\r\n"), b"\r\ninitial x = 1\r\n", "expected")
    case("crlf-blank-lines",
         b"# first\r\n\r\n" + BASE.replace(b"\n", b"\r\n\r\n") + b"potential k*",
         b"nowhere\r\n", "nowhere")
    case("mixed-line-ends",
         b"system Slider\r\ncoordinates x\rparameters m = 1\nkinetic 1/2*m*x'^2\r\n\npotential ",
         b"nowhere\n", "nowhere")
    case("no-line-end-name", model, b"nowhere", "nowhere")
    case("no-line-end-operand", model, b"", "expected")
    case("no-line-end-operand-blanks", model, b"  \t ", "expected")
    case("no-line-end-comment", model, b" # k times what?", "expected")
    case("bom-line-1", BOM, b"sistem Slider\n" + BASE.split(b"\n", 1)[1], "sistem | system")
    case("bom-column", BOM + b"coordinates x, ", b"sin\n" + BASE.split(b"\n", 2)[2], "sin")
    case("bom-crlf", BOM + model.replace(b"\n", b"\r\n"), b"nowhere\r\n", "nowhere")

    expected.append("# columns count characters")
    greek = "system Κύλινδρος\nangles θ, φ\nparameters μ = 1, ω = 2\nkinetic 1/2*μ*(θ'^2 + φ'^2)\n"
    case("greek-name", greek + "potential μ*ω*θ*φ + ", "nowhere*θ\n", "nowhere")
    case("greek-star", greek + "potential μ*ω*θ ", "φ\n", "*")
    case("greek-operand", greek + "potential μ*ω*θ +", "   # θ και φ\n", "expected")
    case("greek-minus-sign", greek + "potential μ*ω*θ*φ ", "− θ\n", "-")
    case("greek-twice", "angles θ, φ, ψ, ", "φ\nparameters μ = 1\nkinetic 1/2*μ*θ'^2\n", "φ")
    tabs = "system\tSlider\ncoordinates\tx\nparameters\tm = 1,\tk = 2\nkinetic\t1/2*m*x'^2\n"
    case("tabs-name", tabs + "potential\t\tk*x\t+\t", "nowhere\n", "nowhere")
    case("tabs-continuation", tabs + "potential\tk*x\n\t\t+ k*", "nowhere\n", "nowhere")
    case("tabs-operand", tabs + "potential\tk*x\t+", "\t\t\ninitial\tx = 1\n", "expected")
    case("tabs-indented-first-line", "\t\t", tabs, "line")


def main():
    global out_dir
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: make_bad.py OUTDIR")
    out_dir = sys.argv[1]
    os.makedirs(out_dir, exist_ok=True)
    bytes_and_encodings()
    sizes()
    line_ends_and_columns()
    with open(os.path.join(out_dir, "expected.txt"), "w", encoding="utf-8", newline="\n") as f:
        f.write("# written by make_bad.py: file, line, column ('*': any), gist\n")
        f.write("\n".join(expected) + "\n")


if __name__ == "__main__":
    main()
