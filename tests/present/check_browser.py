#!/usr/bin/env python3
"""The HTML pages in a real browser: formulas are seen, nothing overflows the page, and no glyph is missing.

usage: check_browser.py PROGRAM MODEL...

A copy of each page, with a script in it that measures and writes what it finds into the page, is opened in headless Chromium at
400 and at 1200 pixels: all of them in one window, as frames of these widths. The page itself forbids scripts; the copy of one of them is
opened as it is, and its script must not run."""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

WIDTHS = (400, 1200)
HOSTILE = """system       <script>document.title = 'ran'</script><b>&amp;"' Ω
coordinates  x, y
parameters   m = 1
kinetic      1/2*m*(x'^2 + y'^2)
constraint   x' = y*y'
"""
MEASURE = """<script>
addEventListener('load', () => {
  const found = {width: innerWidth, page: document.documentElement.scrollWidth, formulas: 0, hidden: 0, outside: 0, missing: []};
  for (const formula of document.querySelectorAll('math')) {
    const box = formula.getBoundingClientRect();
    found.formulas++;
    if (box.width < 3 || box.height < 6) found.hidden++;
    const holder = formula.closest('.formula') || formula.parentElement;
    const room = holder.getBoundingClientRect();
    if (getComputedStyle(holder).overflowX !== 'auto' && box.right > room.right + 1) found.outside++;
  }
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 60;
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  const draw = (text) => {
    pen.clearRect(0, 0, 60, 60);
    pen.font = '40px ' + getComputedStyle(document.querySelector('math')).fontFamily;
    pen.fillText(text, 5, 45);
    return pen.getImageData(0, 0, 60, 60).data.join();
  };
  const nothing = new Set(['\\uFFFF', '\\u{10FFFD}'].map(draw)), blank = draw(' ');
  const seen = new Set(document.querySelector('main').textContent);
  for (const c of seen)
    if (!/[\\s\\u2061\\u2062]/.test(c) && (nothing.has(draw(c)) || draw(c) === blank)) found.missing.push(c);
  const out = document.createElement('pre');
  out.id = 'found';
  out.textContent = JSON.stringify(found);
  document.body.append(out);
});
</script>"""


def derive(program, model):
    done = subprocess.run([program, "derive", "--quiet", model, "--steps", "--format", "html"], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


COLLECT = """<script>
addEventListener('load', () => {
  const found = [...document.querySelectorAll('iframe')].map((frame) => {
    const written = frame.contentDocument.querySelector('#found');
    return written && JSON.parse(written.textContent);
  });
  document.body.textContent = '';
  const out = document.createElement('pre');
  out.id = 'all';
  out.textContent = JSON.stringify(found);
  document.body.append(out);
});
</script>"""


def opened(text, width, folder):
    """The page after its scripts."""
    path = os.path.join(folder, "page.html")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    done = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                           f"--user-data-dir={folder}/profile", f"--window-size={width},2000", "--dump-dom", "file://" + path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=200)
    return done.stdout.decode("utf-8")


def measured(pages, folder):
    """What the scripts in the pages find, (text, width) each; None where they find nothing."""
    frames = []
    for text, width in pages:
        allowed = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", text).replace("</body>", MEASURE + "</body>")
        frames.append(f'<iframe width="{width}" height="2000" style="border:0" srcdoc="{html.escape(allowed)}"></iframe>')
    whole = f'<!DOCTYPE html><meta charset="utf-8"><body>{"".join(frames)}{COLLECT}</body>'
    written = re.search(r'<pre id="all">(.*?)</pre>', opened(whole, 1300, folder), re.S)
    return json.loads(html.unescape(written[1])) if written else [None] * len(pages)


def faults(found, width):
    if not found or found["width"] != width:
        return ["the browser did not measure it"]
    wrong = []
    if found["page"] > found["width"] + 1:
        wrong.append(f"the page is {found['page']} wide")
    for key in ("hidden", "outside"):
        if found[key]:
            wrong.append(f"{found[key]} formulas are {key}")
    if found["missing"]:
        wrong.append(f"no glyph for {' '.join(found['missing'])}")
    if found["formulas"] < 5:
        wrong.append(f"{found['formulas']} formulas only")
    return wrong


def main():
    program, models = sys.argv[1], sys.argv[2:]
    pages = wrong = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hostile = os.path.join(folder, "hostile.nh")
        with open(hostile, "w", encoding="utf-8") as stream:
            stream.write(HOSTILE)
        wanted = [(model, width, derive(program, model)) for model in models + [hostile] for width in WIDTHS]
        found = measured([(text, width) for _, width, text in wanted], folder)
        for (model, width, _), one in zip(wanted, found):
            pages += 1
            for fault in faults(one, width):
                wrong += 1
                print(f"{os.path.basename(model)} at {width}: {fault}")
        text = derive(program, hostile)
        if 'id="found"' in opened(text.replace("</body>", MEASURE + "</body>"), 800, folder):
            wrong += 1
            print("the page lets scripts run")
        if "<script>" in text or "<b>" in text:
            wrong += 1
            print("markup in a title gets into the page")
    print(f"{pages} pages opened, {wrong} faults")
    sys.exit(1 if wrong or pages < 10 else 0)


if __name__ == "__main__":
    main()
