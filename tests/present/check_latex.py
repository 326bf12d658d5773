#!/usr/bin/env python3
"""The LaTeX documents compile with a real LaTeX, without errors, missing characters, or formulas that stick out of the page.

usage: check_latex.py PROGRAM MODEL...

Each model's worksheet as a document; its equations as a fragment in somebody else's document; and titles with everything that
LaTeX could take for its own."""
import os
import re
import subprocess
import sys
import tempfile

STICKS_OUT = 3.0  # points
HOSTILE = r"""system       \input{x} {$ % # & _ ^ ~ < > | " ' é Ω 中 \end{document}
coordinates  x_1_a, spin
parameters   mass_total = 1, I_zz = 2
kinetic      1/2*mass_total*x_1_a'^2 + 1/2*I_zz*spin'^2
force        spin = -abs(spin)*x_1_a^(1/3) - atan2(spin, 2)*exp(-spin)
constraint   x_1_a' = sqrt(1 + spin^2)*spin'
"""
FRAME = "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,amssymb}\n\\begin{document}\n%s\n\\end{document}\n"


def derive(program, model, *options):
    done = subprocess.run([program, "derive", "--quiet", model, "--format", "latex", *options], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def faults(text, folder):
    """What is wrong with the document."""
    with open(os.path.join(folder, "page.tex"), "w", encoding="utf-8") as stream:
        stream.write(text)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    with open(os.path.join(folder, "page.log"), encoding="latin-1") as stream:
        log = stream.read()
    found = re.findall(r"^!.*", log, re.M) + re.findall(r"Missing character.*", log)
    found += [f"sticks out by {width} pt" for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log) if float(width) > STICKS_OUT]
    return found + ([] if done.returncode == 0 else [f"pdflatex ended with {done.returncode}"])


def main():
    program, models = sys.argv[1], sys.argv[2:]
    compiled, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        hostile = os.path.join(folder, "hostile.nh")
        with open(hostile, "w", encoding="utf-8") as stream:
            stream.write(HOSTILE)
        for model in models + [hostile]:
            pages = {"worksheet": derive(program, model, "--steps"), "fragment": FRAME % derive(program, model, "--fragment", "--width", "60")}
            for name, text in pages.items():
                compiled += 1
                for fault in faults(text, folder):
                    wrong += 1
                    print(f"{os.path.basename(model)}, {name}: {fault}")
    print(f"{compiled} documents compiled, {wrong} faults")
    sys.exit(1 if wrong or compiled < 10 else 0)


if __name__ == "__main__":
    main()
