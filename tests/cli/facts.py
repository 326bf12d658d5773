#!/usr/bin/env python3
"""facts.py PROGRAM: check --format json is JSON, and says of the examples what is true of them."""
import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
VERDICTS = {"proved", "tested", "refuted", "unknown"}

# file: n, r, m, kinds of the constraints, and which facts hold (+) or not (-); others may be there besides
KNOWN = {
    "off-centre-sleigh.nh": (3, 1, 2, ["linear"], "+linear +regular -holonomic +reactions-powerless +methods-agree +energy-conserved"),
    "paper/skate.nh": (3, 1, 2, ["linear"], "+linear +affine +homogeneous +representations-agree"),
    "paper/vertical-disc.nh": (4, 2, 2, ["linear"] * 2, "+linear +affine +homogeneous +representations-agree"),
    "paper/coaxial-discs.nh": (5, 3, 2, None, "+linear +affine +homogeneous"),
    "paper/coaxial-discs-implicit.nh": (6, 4, 2, ["linear"] * 4, "+linear +affine +homogeneous"),
    "paper/parallel-velocities.nh": (4, 1, 3, ["homogeneous"], "-linear -affine +homogeneous +representations-agree"),
    "paper/parallel-incline.nh": (4, 1, 3, ["homogeneous"], "-linear -affine +homogeneous +representations-agree"),
    "paper/parallel-equal-masses.nh": (4, 1, 3, ["homogeneous"], "-linear -affine +homogeneous +representations-agree"),
}

# texts that must be escaped, or must not be
ODD = """system "quotes", back\\slash, tab\tand θ → ∞
coordinates x, θ
kinetic x'^2 + θ'^2   # none of "this"
constraint x' = θ'
"""


def check(program, path, text=None):
    done = subprocess.run([program, "check", "--format", "json", path], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0 or done.stderr:
        raise ValueError(f"status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def problems(found, known):
    n, r, m, kinds, facts = known
    if (found["n"], found["r"], found["m"]) != (n, r, m):
        yield f"n, r, m = {found['n']}, {found['r']}, {found['m']}"
    if len(found["coordinates"]) != n:
        yield f"coordinates {found['coordinates']}"
    if kinds is not None and [c["kind"] for c in found["constraints"]] != kinds:
        yield f"constraints {found['constraints']}"
    verdicts = {fact["name"]: fact["verdict"] for fact in found["facts"]}
    if len(verdicts) != len(found["facts"]) or not set(verdicts.values()) <= VERDICTS:
        yield f"facts {found['facts']}"
    for fact in facts.split():
        if verdicts.get(fact[1:]) not in (("proved", "tested") if fact[0] == "+" else ("refuted",)):
            yield f"{fact[1:]} is {verdicts.get(fact[1:])}"
    if not all(isinstance(fact["detail"], str) and fact["detail"] for fact in found["facts"]):
        yield "a fact without detail"


def odd_problems(found):
    if found["system"] != ODD.split("\n")[0][len("system "):]:
        yield f"title {found['system']!r}"
    if found["coordinates"] != ["x", "θ"]:
        yield f"coordinates {found['coordinates']}"
    if [c["equation"] for c in found["constraints"]] != ["x' = θ'"]:
        yield f"constraints {found['constraints']}"


def main():
    program, wrong = sys.argv[1], []
    for path in sorted([*(EXAMPLES / "paper").glob("*.nh"), *(EXAMPLES / name for name in KNOWN if "/" not in name)]):
        name = path.relative_to(EXAMPLES).as_posix()
        found = check(program, str(path))
        title = [line.split(None, 1)[1] for line in path.read_text("utf-8").split("\n") if line.startswith("system")]
        if [found["system"]] != title:
            wrong.append(f"{name}: title {found['system']!r}")
        if name in KNOWN:
            wrong += [f"{name}: {problem}" for problem in problems(found, KNOWN[name])]
    missing = [name for name in KNOWN if not (EXAMPLES / name).is_file()]
    wrong += [f"{name}: is not there" for name in missing]
    wrong += [f"odd texts: {problem}" for problem in odd_problems(check(program, "-", ODD))]
    print("\n".join(wrong) or "all as expected")
    return 1 if wrong else 0


sys.exit(main())
