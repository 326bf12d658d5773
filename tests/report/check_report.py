#!/usr/bin/env python3
"""check_report.py NONHOLO EXAMPLES [--few]: the pages that `report` writes, read as text. Their data are those of `run`; they load nothing
from elsewhere; what a model says stays text; without scripts there are none."""
import base64
import csv
import html
import html.parser
import io
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

PROGRAM, EXAMPLES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
NAMES = ["paper/skate", "off-centre-sleigh"] if "--few" in sys.argv else [
    "paper/skate", "paper/parallel-velocities", "off-centre-sleigh", "rolling-disc", "whipple-bicycle", "chaplygin-ball", "snakeboard",
    "constant-speed", "heisenberg", "segway"]
checks = failures = 0


def judge(holds, what):
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print("wrong:", what)


def run(*words, status=0, text=None):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, input=text, timeout=300, encoding="utf-8")
    judge(done.returncode == status, f"{words} ends with {done.returncode}: {done.stderr}")
    return done


class Page(html.parser.HTMLParser):
    """Elements, the text of some of them, and what they point to."""
    VOID = {"meta", "br", "hr", "img", "input", "link"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.ids, self.outside, self.texts, self.stack, self.crossed = [], set(), [], {}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.ids.add(given.get("id"))
        for name in ("src", "href", "srcset", "data", "action"):
            value = given.get(name) or ""
            if value and not value.startswith(("#", "data:")):
                self.outside.append(value)
        if any(name.startswith("on") for name, _ in attrs):
            self.outside.append(str(attrs))
        if tag not in self.VOID:
            self.stack.append((tag, given.get("id")))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.stack or self.stack[-1][0] != tag:
            self.crossed.append(tag)
        else:
            self.stack.pop()

    def handle_data(self, data):
        for tag, name in self.stack:
            key = name or tag
            self.texts[key] = self.texts.get(key, "") + data


def columns_of(data):
    raw = base64.b64decode(data["values"])
    numbers = struct.unpack(f"<{len(raw) // 8}d", raw)
    rows = data["rows"]
    return {(i, column["name"]): numbers[i * rows:(i + 1) * rows] for i, column in enumerate(data["columns"])}


def check_picture(label, data, columns):
    picture = data["picture"]
    if picture is None:
        return
    judge(picture["dimension"] in (2, 3) and picture["items"], f"{label}: {picture}")

    def values(x):
        if isinstance(x, dict):
            judge(data["columns"][x["column"]]["kind"] == "hidden", f"{label}: column {x} is shown")
            return columns[(x["column"], data["columns"][x["column"]]["name"])]
        return [x] * data["rows"]

    for item in picture["items"]:
        if item.get("frame"):
            R = [values(x) for x in item["frame"]]
            for row in range(0, data["rows"], 50):
                for i in range(3):
                    for j in range(3):
                        dot = sum(R[3 * k + i][row] * R[3 * k + j][row] for k in range(3))
                        judge(abs(dot - (i == j)) < 1e-9, f"{label}: {item['name']}: a frame whose axes are not orthonormal: {dot}")
        for key in ("at", "along", "to", "from", "axis", "normal"):
            for x in item.get(key) or []:
                judge(all(math.isfinite(v) for v in values(x)), f"{label}: {item}: a place that is no number")


def check_data(label, page, path):
    data = json.loads(page.texts["data"])
    columns = columns_of(data)
    table = list(csv.reader(io.StringIO(run("run", path, "--to", 10, "--every", 0.025, "--reactions", "--quiet").stdout)))
    by_name = {name: values for (_, name), values in columns.items()}
    judge(len(table) - 1 == data["rows"], f"{label}: {data['rows']} rows, {len(table) - 1} of run")
    for i, name in enumerate(table[0]):
        expected = [float(row[i]) for row in table[1:]]
        size = max(map(abs, expected))  # what is drawn shares terms with reactions, which may change their last digits
        judge(all(abs(x - y) <= 1e-13 * size for x, y in zip(expected, by_name[name])), f"{label}: column {name} is not that of run")
    with open(path, encoding="utf-8") as file:
        judge(data["model"] == file.read(), f"{label}: the model is another one")
    names = [item["name"] for item in data["downloads"]]
    judge([os.path.splitext(name)[1] for name in names] == [".csv", ".tex", ".c"], f"{label}: downloads {names}")
    check_picture(label, data, columns)


def check_page(label, text, scripts):
    page = Page(text)
    judge(not page.crossed and not page.stack, f"{label}: elements that cross: {page.crossed[:5]}, left open: {page.stack[:5]}")
    judge(not page.outside, f"{label}: it points elsewhere: {page.outside[:3]}")
    judge({"model", "equations", "steps", "facts"} <= page.ids, f"{label}: sections {page.ids}")
    judge("default-src 'none'" in text, f"{label}: no policy")
    judge(("script" in page.tags) == scripts, f"{label}: scripts: {'script' in page.tags}")
    judge("math" in page.tags and "table" in page.tags, f"{label}: no formulas or no facts")
    check_outline(label, page)
    return page


def check_outline(label, page):
    """One h1, and below a heading those of the next level."""
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    judge(levels.count(1) == 1 and levels[0] == 1, f"{label}: headings {levels}")
    judge(all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"{label}: headings leave out a level: {levels}")


def check_colours():
    """The text of the model is the same, and its pieces have their classes."""
    text = "# <one> & two\nsystem  A & B # three\ncoordinates x, y\nkinetic 1/2*x'^2 + \n   1e-3*y'^2\ninitial x' = 1\n"
    page = run("report", "-", "--static", text=text).stdout
    shown = re.search(r"<pre>\n<code>(.*?)</code></pre>", page, re.S)[1]
    judge(html.unescape(re.sub(r"<[^>]*>", "", shown)) == text, f"the model is shown as {shown!r}")
    pieces = {}
    for kind, piece in re.findall(r'<span class="(\w+)">(.*?)</span>', shown):
        pieces.setdefault(kind, []).append(html.unescape(piece))
    judge(pieces == {"comment": ["# <one> & two", "# three"], "keyword": ["system", "coordinates", "kinetic", "initial"],
                     "title": ["A & B"], "symbol": ["x", "y", "x", "y", "x"], "number": ["1", "2", "2", "1e-3", "2", "1"]},
          f"pieces {pieces}")


BODY = """system T
angles a, b, c
frame W = Rz(a)*Rx(b)*Rz(c)
body D at (0, 0, 0) frame W mass 3 inertia (2, 5/2, 3, 1/5, -1/4, 1/10)
initial b = 1, a' = 1
"""


def check_axes():
    """Products of inertia: the ellipsoid has these very entries again. And rows begin where the time does."""
    done = run("report", "-", "--start", "t=4", "--to", "5", text=BODY)
    data = json.loads(Page(done.stdout).texts["data"])
    t = next(values for (_, name), values in columns_of(data).items() if name == "t")
    judge(data["rows"] == 401 and t[0] == 4 and t[-1] == 5 and abs(t[1] - 4.0025) < 1e-12, f"rows {data['rows']}, {t[:2]}, {t[-1:]}")
    body = next(item for item in data["picture"]["items"] if item["kind"] == "ellipsoid")
    Q, axes = body["turned"], body["axes"]
    moments = [3 / 5 * (sum(x * x for x in axes) - axes[k] ** 2) for k in range(3)]
    for i in range(3):
        for j in range(3):
            value = sum(Q[3 * i + k] * moments[k] * Q[3 * j + k] for k in range(3))
            right = [[2, 0.2, -0.25], [0.2, 2.5, 0.1], [-0.25, 0.1, 3]][i][j]
            judge(abs(value - right) < 1e-12, f"I{i + 1}{j + 1} of the ellipsoid is {value}")
    turn = Q[0] * (Q[4] * Q[8] - Q[5] * Q[7]) - Q[1] * (Q[3] * Q[8] - Q[5] * Q[6]) + Q[2] * (Q[3] * Q[7] - Q[4] * Q[6])
    judge(abs(turn - 1) < 1e-12, f"principal axes are no rotation: {turn}")


HOSTILE = """system <script>alert(1)</script> & "quotes" </title></script><img src=x onerror=alert(1)>
coordinates x, y # </pre><script>alert(2)</script>
kinetic 1/2*(x'^2 + y'^2)
constraint blade: x'*sin(t) = y'*cos(t)
initial x' = 1
"""


def check_examples(folder, full):
    for name in NAMES:
        path = os.path.join(EXAMPLES, name + ".nh")
        out = os.path.join(folder, "page.html")
        run("report", path, "--static", "-o", out)
        with open(out, encoding="utf-8") as file:
            check_page(f"{name}, static", file.read(), False)
        if full:
            run("report", path, "-o", out)
            with open(out, encoding="utf-8") as file:
                text = file.read()
            judge(len(text) < 4e6, f"{name}: {len(text)} characters")
            check_data(name, check_page(name, text, True), path)


def check_rest(folder, full):
    for words in ([], ["--static"]) if full else (["--static"],):
        page = check_page(f"hostile {words}", run("report", "-", *words, text=HOSTILE).stdout, not words)
        judge("alert(1)" in page.texts["title"] and "alert(1)" in page.texts["h1"], f"hostile {words}: the title is {page.texts['title']!r}")
        judge(page.tags.count("script") == (0 if words else 2) and "img" not in page.tags, f"hostile {words}: it got through")
        judge("alert(2)" in page.texts["model"], f"hostile {words}: the model")
    nothing = "coordinates x\nparameters m\nkinetic 1/2*m*x'^2\n"
    done = run("report", "-", "--static", text=nothing)
    judge("no motion" in done.stderr and "no motion to show" in done.stdout, f"without values: {done.stderr}")
    run("report", os.path.join(EXAMPLES, "paper/skate.nh"), "--to", "soon", status=2)
    run("report", "-", text="coordinates\n", status=2)
    run("check", os.path.join(EXAMPLES, "paper/skate.nh"), "--static", status=2)
    drawn = run("report", "-", "--static", text="""coordinates x, y
angles a
kinetic 1/2*(x'^2 + y'^2 + a'^2)
draw box at (x, y) size (1, 1/2, 0) frame Rz(a)
draw rod from (0, 0) to (x, y)
draw vector at (x, y) along (x', y')
draw ground
initial x' = 1, a' = 1
""")
    judge(not drawn.stderr, f"drawings: {drawn.stderr}")
    for wrong in ("draw cube at (x, y)", "draw disc at (x, y)", "draw ball radius 1", "draw path w", "draw rod from (0, 0)", "draw path x"):
        run("check", "-", text=f"coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\n{wrong}\n", status=2)


with tempfile.TemporaryDirectory() as place:
    help_text = run("report", os.path.join(EXAMPLES, "paper/skate.nh"), "-o", os.path.join(place, "x.html")).stderr
    has_page = "static one" not in help_text
    check_examples(place, has_page)
    check_rest(place, has_page)
    check_colours()
    if has_page:
        check_axes()
print(f"{checks} checks, {failures} failures{'' if has_page else '; built without Node: pages without scripts only'}")
sys.exit(1 if failures else 0)
