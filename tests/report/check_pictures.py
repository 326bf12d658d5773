#!/usr/bin/env python3
"""check_pictures.py NONHOLO PROJECT [--few]: the pictures of the documentation are those that the program makes, up to the last digits; each is
small, and shown somewhere. The page of the gallery has every example once. And what holds for every picture that plays by itself: it is
XML, has nothing from elsewhere and no script, and in it bodies are where `run` has them."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

PROGRAM, PROJECT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
SVG = "{http://www.w3.org/2000/svg}"
checks = failures = 0


def judge(holds, what):
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print("wrong:", what)


def read(*names):
    with open(os.path.join(PROJECT, *names), encoding="utf-8") as file:
        return file.read()


def run(*words, status=0, text=None):
    done = subprocess.run([PROGRAM, *words], capture_output=True, input=text, timeout=300, encoding="utf-8", cwd=PROJECT)
    judge(done.returncode == status, f"{words} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def same(made, kept):
    """What is wrong: everything but the numbers is the same, and they differ by two tenths of a pixel at most."""
    bare = [re.sub(r"\s+", "", NUMBER.sub("N ", text)) for text in (made, kept)]
    if bare[0] != bare[1]:
        return "another picture"
    pairs = zip(map(float, NUMBER.findall(made)), map(float, NUMBER.findall(kept)))
    worst = max((abs(a - b) for a, b in pairs), default=0)
    return f"numbers differ by {worst}" if worst > 0.2 else None


def check_kept(folder):
    page = read("docs", "gallery.md")
    commands = re.findall(r"^    nonholo (report .* -o (docs/pictures/\S+))$", page, re.M)
    texts = {name: read(*name.split("/")) for name in ("README.md", "docs/gallery.md", "docs/language.md")}
    shown = {os.path.normpath(os.path.join(os.path.dirname(name), path))
             for name, text in texts.items() for path in re.findall(r"\]\(((?:docs/)?pictures/[^)]*)\)", text)}
    files = {f"docs/pictures/{name}" for name in os.listdir(os.path.join(PROJECT, "docs", "pictures"))}
    judge(files == {path for _, path in commands} == shown, f"kept {sorted(files)}, made by {commands}, shown {sorted(shown)}")
    judge("docs/pictures/" in texts["README.md"], "the README shows no picture")
    for command, path in commands:
        out = os.path.join(folder, "made.svg")
        run(*command.split()[:-1], out)
        with open(out, encoding="utf-8") as file:
            made = file.read()
        kept = read(*path.split("/"))
        judge(len(kept) < 30000, f"{path} has {len(kept)} bytes")
        judge(same(made, kept) is None, f"{path}: {same(made, kept)}; docs/gallery.md says how to make it anew")
        judge(same(made.replace("M", "L", 1), kept) is not None, f"{path}: this test sees no difference")


def check_cards():
    names = [line.split()[0] for line in run("examples").splitlines()]
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]+ \|$", read("docs", "gallery.md"), re.M)
    judge(sorted(rows) == sorted(names), f"gallery.md and `examples` differ: {sorted(set(rows) ^ set(names))}")


def check_document(label, text):
    root = xml.etree.ElementTree.fromstring(text)
    elements = list(root.iter())
    judge(root.tag == SVG + "svg" and root.get("viewBox") == "0 0 320 200", f"{label}: {root.attrib}")
    judge(root[0].tag == SVG + "title" and root[0].text, f"{label}: no title")
    judge(not {e.tag for e in elements} & {SVG + "script", SVG + "image", SVG + "foreignObject", SVG + "a"}, f"{label}: foreign elements")
    judge(not [k for e in elements for k in e.attrib if k.startswith("on") or k.endswith("href")], f"{label}: handlers or links")
    counts = {e.get("values").count(";") for e in elements if e.tag.startswith(SVG + "animate") and e.get("attributeName") != "opacity"}
    judge(len(counts) == 1, f"{label}: different numbers of frames: {counts}")
    classes = [e.get("class") for e in elements]
    judge(classes.count("moves") == classes.count("still") == 1, f"{label}: no still picture")
    return root


PLANE = """system       A <b>title</b> & "more"
coordinates  x, y
angles       a
parameters   L = 2
kinetic      1/2*(x'^2 + y'^2 + a'^2)
draw         box at (x, y) size (1, 1/2) frame Rz(a)
draw         rod from (0, 0) to (L, 0)
draw         vector at (x, y) along (x', y')
draw         path at (x, y)
initial      x' = 1, a' = 1/2
"""


def check_places():
    """A body that goes straight on from the left to the right, its centre 2 units of a rod from its start after two seconds."""
    root = check_document("a plane", run("report", "-", "--format", "svg", "--to", "2", "--every", "0.5", text=PLANE))
    judge(root[0].text == 'A <b>title</b> & "more"', f"the title: {root[0].text!r}")
    moves = next(e for e in root.iter() if e.get("class") == "moves")
    rod = next(e for e in moves.iter() if e.get("class") == "rod")
    left, right = [float(x) for x in NUMBER.findall(rod.get("d"))][0::2]
    box = next(group for group in moves.iter(SVG + "g") if group.find(SVG + "path[@class='box']") is not None)
    places = [float(NUMBER.findall(value)[0]) for value in box.find(SVG + "animateTransform").get("values").split(";")]
    judge(len(places) == 5, f"{len(places)} frames")
    for i, place in enumerate(places):
        judge(abs(place - (left + (right - left) * i / 4)) < 0.2, f"frame {i}: {place} between {left} and {right}")


def check_others():
    names = ["paper/skate", "suslov", "pursuit"] + ([] if "--few" in sys.argv else ["rattleback", "isokinetic-8", "whipple-bicycle"])
    for name in names:
        check_document(name, run("report", f"examples/{name}.nh", "--format", "svg", "--quiet", "--to", "2"))
    run("report", "-", "--format", "svg", status=2, text="coordinates x\nparameters m\nkinetic 1/2*m*x'^2\n")
    run("report", "-", "--format", "pdf", status=2, text="coordinates x\nkinetic 1/2*x'^2\n")


with tempfile.TemporaryDirectory() as place:
    check_kept(place)
check_cards()
check_places()
check_others()
print(f"{checks} checks, {failures} failures")
sys.exit(1 if failures else 0)
