#!/usr/bin/env python3
"""Pictures in a real browser: no text covers another or leaves the picture, by day and by night.

usage: check_pictures.py PROGRAM DRAW MODEL... [--keep FOLDER]

The motions of models, and pictures that are hard to draw, are opened in headless Chromium within a page that measures every
text. Each is a well-formed document, is small, and shows names that contain markup as text. With --keep the pictures stay in
a folder, with a screen shot of each."""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LARGEST = 400000  # bytes
MEASURE = """<!DOCTYPE html><meta charset="utf-8"><title>still</title><body style="margin:0">PICTURES<script>
const found = [];
for (const svg of document.querySelectorAll('svg.nh-figure')) {
  const wrong = [], room = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  for (const [text, box] of boxes)
    if (box.left < room.left - 0.5 || box.right > room.right + 0.5 || box.top < room.top - 0.5 || box.bottom > room.bottom + 0.5)
      wrong.push(`"${text}" leaves the picture`);
  for (let i = 0; i < boxes.length; i++)
    for (let j = 0; j < i; j++) {
      const [s, a] = boxes[i], [t, b] = boxes[j];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 0.5 && down > 2) wrong.push(`"${s}" covers "${t}"`);
    }
  for (const curve of svg.querySelectorAll('path, circle')) {
    const box = curve.getBBox();
    if (!isFinite(box.x + box.y + box.width + box.height)) wrong.push('a curve without a place');
  }
  const ground = getComputedStyle(svg.querySelector('.ground')).fill;
  found.push({texts: boxes.length, ground, wrong, script: !!svg.querySelector('script')});
}
const out = document.createElement('pre');
out.id = 'found';
out.textContent = JSON.stringify({title: document.title, found});
document.body.append(out);
</script>"""


def chromium(folder, dark, *arguments):
    scheme = ["--blink-settings=preferredColorScheme=" + ("0" if dark else "1")]
    return subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                           f"--user-data-dir={folder}/profile", *scheme, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120).stdout.decode("utf-8")


def angles_of(model):
    with open(model, encoding="utf-8") as stream:
        lines = re.findall(r"^angles\s+([^#\n]*)", stream.read(), re.M)
    return set(re.findall(r"[^\s,]+", ",".join(lines)))


def kind(name, place, count, angles):
    if name.startswith("lambda_") or name.startswith("R_"):
        return "l" if name.startswith("lambda_") else "R"
    if name.endswith("'"):
        return "s" if name[:-1] in angles else "r"
    return ("a" if name in angles else "c") if place < count else "v"


def motion(program, draw, model):
    """The picture of a motion; None: it cannot be run."""
    done = subprocess.run([program, "run", "--quiet", "--reactions", "--every", "0.02", model], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    names = done.stdout.decode("utf-8").split("\n")[0].split(",")[1:]
    if not names or done.stdout.count(b"\n") < 3:
        return None
    angles, count = angles_of(model), sum(name.endswith("'") for name in names)
    kinds = "".join(kind(name, i, count, angles) for i, name in enumerate(names))
    title = os.path.basename(model).removesuffix(".nh").replace("-", " ").capitalize()
    return subprocess.run([draw, "motion", title, kinds], input=done.stdout, stdout=subprocess.PIPE, check=True).stdout


def pictures_of(program, draw, models):
    made = {os.path.basename(model): motion(program, draw, model) for model in models}
    for name in subprocess.run([draw, "list"], stdout=subprocess.PIPE, check=True).stdout.decode().split():
        made[name] = subprocess.run([draw, name], stdout=subprocess.PIPE, check=True).stdout
    return {name: text for name, text in made.items() if text}


def faults_of_text(text):
    wrong = []
    try:
        root = xml.etree.ElementTree.fromstring(text)
        if root.get("role") != "img" or root.find("{http://www.w3.org/2000/svg}title") is None:
            wrong.append("no role or title")
    except xml.etree.ElementTree.ParseError as error:
        wrong.append(f"not well-formed: {error}")
    if len(text) > LARGEST:
        wrong.append(f"{len(text)} bytes")
    return wrong


def measured(pictures, dark, folder):
    path = os.path.join(folder, "page.html")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(MEASURE.replace("PICTURES", "".join(text.decode("utf-8") for text in pictures.values())))
    written = re.search(r'<pre id="found">(.*?)</pre>', chromium(folder, dark, "--window-size=1800,2000", "--dump-dom", "file://" + path), re.S)
    return json.loads(html.unescape(written[1])) if written else {"title": "", "found": []}


def check(pictures, dark, folder):
    page, wrong = measured(pictures, dark, folder), []
    if len(page["found"]) != len(pictures) or page["title"] != "still":
        wrong.append("the browser did not measure all, or a name was run as a script")
    for name, found in zip(pictures, page["found"]):
        faults = found["wrong"] + (["there is a script in it"] if found["script"] else [])
        if (found["ground"] == "rgb(255, 255, 255)") == dark:
            faults.append(f"its ground is {found['ground']}")
        if found["texts"] < 5:
            faults.append("nearly no text")
        wrong += [f"{name}, {'dark' if dark else 'light'}: {fault}" for fault in faults]
    return wrong


def keep(pictures, folder, scratch):
    for name, text in pictures.items():
        path = os.path.join(folder, name + ".svg")
        with open(path, "wb") as stream:
            stream.write(text)
        width, height = re.search(rb'width="(\d+)" height="(\d+)"', text).groups()
        for dark in (False, True):
            shot = os.path.join(folder, name + ("-dark" if dark else "") + ".png")
            chromium(scratch, dark, f"--window-size={int(width)},{int(height)}", f"--screenshot={shot}", "file://" + os.path.abspath(path))


def main():
    arguments = sys.argv[1:]
    folder = arguments.pop(arguments.index("--keep") + 1) if "--keep" in arguments else None
    program, draw, *models = [argument for argument in arguments if argument != "--keep"]
    pictures = pictures_of(program, draw, models)
    wrong = [f"{name}: {fault}" for name, text in pictures.items() for fault in faults_of_text(text)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        if folder:
            keep(pictures, folder, scratch)
        for dark in (False, True):
            wrong += check(pictures, dark, scratch)
    print("\n".join(wrong))
    print(f"{len(pictures)} pictures, {len(wrong)} faults")
    sys.exit(1 if wrong or len(pictures) < 8 else 0)


if __name__ == "__main__":
    main()
