#!/usr/bin/env python3
"""Exported code against `eval` and `run`: every function, in every language, at several states of many models.

usage: check_export.py PROGRAM EXAMPLES [--few]      --few: fewer models and compilations, for slow builds

The values of `eval` come from the same derivation, but by another way of computing; two systems are also compared with
formulas that are written down here."""
import glob
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from languages import ask_c, ask_julia, ask_octave, ask_python, evaluate_julia, have
from models import MODELS

PROGRAM = EXAMPLES = ""
ENDINGS = {"c": ".c", "python": ".py", "julia": ".jl", "octave": ".m"}
TABLES = ("coordinates", "velocities", "parameters", "observed", "parameter_values", "start_time", "first_start", "second_start")
TOLERANCE = 1e-12
SINGULAR = "no solution"
WITHOUT_START = "affine.nh"  # its second state is not on the constraints: a file without an initial state
failures = []
compared = 0


# Of the gallery, some of each kind: all of it would take minutes.
FROM_GALLERY = ("off-centre-sleigh.nh", "rolling-disc.nh", "routh-sphere.nh", "ball-on-turntable.nh", "suslov.nh")


def fail(text):
    failures.append(text)
    print(text)


def nonholo(*words, ok=(0,)):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)
    if done.returncode not in ok:
        raise RuntimeError(f"nonholo {' '.join(words)}: status {done.returncode}: {done.stderr}")
    return done.stdout if done.returncode == 0 else None


# ---------------------------------------------------------------- states

def starts(path, options, count):
    """--start of random states: coordinates, and declared velocities or those of the coordinates."""
    chance, low = random.Random(os.path.basename(path)), options.get("low", -1)
    sets = ["--set", options["set"]] if "set" in options else []
    state = json.loads(nonholo("eval", path, "--format", "json", "--project", *sets))["state"]
    with open(path, encoding="utf-8") as stream:
        declared = re.search(r"^velocities", stream.read(), re.M)
    names = [name for name in state if name != "t" and (not declared or not name.endswith("'"))]
    if not declared:
        names = [name for name in names if not re.fullmatch(r"u\d+", name)]
    texts = [""]
    for _ in range(count):
        texts.append(",".join([f"{name}={chance.uniform(low, 1.5):.3f}" for name in names] + [f"t={chance.random():.2f}"]))
    return texts


def common(path, options, start):
    return [path, *(["--set", options["set"]] if "set" in options else []), *(["--start", start] if start else [])]


def code_of(text):
    """The functions of the Python file, without comments."""
    return re.sub(r"^ *#.*\n", "", text[text.index("\ndef "):], flags=re.M)


# ---------------------------------------------------------------- questions and what is expected

def first_row(path, options, start, t):
    """What is observed, by `run`."""
    out = nonholo("run", *common(path, options, start), "--project", "--to", repr(t + 1e-6), "--quiet", "--tol", "1e-6", ok=(0, 1))
    if not out:
        return {}
    head, row = out.splitlines()[:2]
    return dict(zip(head.split(","), map(float, row.split(","))))


def tables(path, options, start):
    """The tables of the Python file, the names of its functions, and its text."""
    space = {}
    text = nonholo("export", *common(path, options, start), "--to", "python", "--quiet")
    exec(compile(text[:text.index("\ndef ")], path, "exec"), space)  # pylint: disable=exec-used
    functions = [name for name in re.findall(r"^def (\w+)\(", text, re.M) if name.split("_")[0] in ("first", "second")]
    return {**{name: space[name] for name in TABLES if name in space}, **dict.fromkeys(functions)}, text


def questions_at(path, options, start, space, par):
    """(function, t, state, par, size), and (what is expected, scale)."""
    at = json.loads(nonholo("eval", *common(path, options, start), "--format", "json", "--project", "--quiet"))
    names, state, t = space["coordinates"], at["state"], at["state"]["t"]
    q, rates = [state[name] for name in names], [state[name + "'"] for name in names]
    first, second, n = at["first"], at["second"], len(names)
    z = [state[name] for name in space["velocities"]] if first["psi"] is not None else rates
    accelerations = first["Z_upper"] if first["psi"] is not None else [first["equations"][name + "''"] for name in names]
    size = max(map(abs, at["L"] + first["R"] + [1]))
    row = first_row(path, options, start, t)
    observed = [row.get(name, math.nan) for name in space["observed"]]
    expected = {"first_kind": rates + accelerations, "first_psi": first["psi"], "first_reactions": first["R"],
                "first_observed": observed}
    if second:
        expected.update(second_kind=rates + second["D"], second_reactions=second["R"], second_multipliers=second["lambda"],
                        first_multipliers=second["lambda"], second_observed=observed, second_constraints=second["C"])
    if "first_start" in space:
        compare(path, "first_start", space["first_start"], q + z, 1)
        compare(path, "start_time", [space["start_time"]], [t], 1)
    asked, wanted = [], []
    for function, values in expected.items():
        if function not in space:
            if values:
                fail(f"{path}: no {function}")
            continue
        in_z = function.startswith("first")
        if function.endswith("observed") and not row:
            continue
        asked.append((function, t, q + (z if in_z else rates), par, len(values)))
        wanted.append((values, size if "reactions" in function or "multipliers" in function else 1))
    for function, vector in (("first_energy", z), ("second_energy", rates)):
        if function in space:
            asked.append((function, t, q + vector, par, 2))
            wanted.append(([row["K"], row["V"]] if "K" in row and "V" in row else None, 1))
    return asked, wanted


def compare(where, function, found, expected, size):
    global compared
    if found is None or isinstance(found, str) or len(found) != len(expected):
        fail(f"{where}: {function}: found {found}, expected {expected}")
        return
    scale = max([size] + [abs(x) for x in expected if math.isfinite(x)])
    for x, y in zip(found, expected):
        compared += 1
        if math.isnan(x) and function == "second_observed":
            continue  # of velocities z
        if not abs(x - y) <= TOLERANCE * scale and not (math.isnan(x) and math.isnan(y)):
            fail(f"{where}: {function}: found {found}, expected {expected}")
            return


# ---------------------------------------------------------------- a model

class File:
    """What is exported of a model at some start, and what is asked of it."""

    def __init__(self, path, options, start, space, text):
        self.path, self.options, self.start, self.space, self.text = path, options, start, space, text
        self.folder = self.name = ""
        self.asked, self.wanted = [], []

    def write(self, folder, name):
        self.folder, self.name = folder, name
        os.mkdir(folder)
        with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as stream:
            stream.write(self.text)
        for language in ("c", "julia", "octave"):
            nonholo("export", *common(self.path, self.options, self.start), "--to", language, "--quiet", "-o", os.path.join(folder, name + ENDINGS[language]))


def files_of(path, options, count):
    """States by the functions that are exported: free velocities that are chosen may depend on the state."""
    files = {}
    for start in starts(path, options, count):
        try:
            space, text = tables(path, options, start)
            asked, wanted = questions_at(path, options, start, space, space["parameter_values"])
        except RuntimeError as error:
            if "status 2" in str(error):
                continue  # such a state is refused
            raise
        key = text if os.path.basename(path) == WITHOUT_START else code_of(text)
        file = files.setdefault(key, File(path, options, start, space, text))
        file.asked += asked
        file.wanted += wanted
    return list(files.values())


def check_answers(where, asked, wanted, found, python):
    if len(found) != len(asked):
        fail(f"{where}: {len(found)} answers to {len(asked)} questions")
    for (function, *_), (values, size), answer, other in zip(asked, wanted, found, python):
        if values is SINGULAR:
            if answer is not None:
                fail(f"{where}: a singular system has the solution {answer}")
            continue
        compare(where, function, answer, other if values is None else values, size)


# ---------------------------------------------------------------- formulas written down

def check_skate(folder):
    path = os.path.join(EXAMPLES, "paper", "skate.nh")
    nonholo("export", path, "-o", os.path.join(folder, "closed.py"))
    t, x, y, th, v, w, m, J, A1, A2, A3 = 0.3, 1.0, -2.0, 0.7, 1.3, -0.4, 2.0, 0.5, 1.1, -0.3, 0.25
    par, s, c = [m, J, A1, A2, A3], math.sin(th), math.cos(th)
    xd, yd = v * c, v * s
    lam = A2 * c - m * w * (xd * c + yd * s) - A1 * s
    expected = [("first_kind", [x, y, th, v, w], [xd, yd, w, (A1 * c + A2 * s) / m, A3 / J]),
                ("second_kind", [x, y, th, xd, yd, w], [xd, yd, w, (A1 + lam * s) / m, (A2 - lam * c) / m, A3 / J]),
                ("second_multipliers", [x, y, th, xd, yd, w], [lam]),
                # off the constraint too, where a solver's steps are
                ("second_multipliers", [x, y, th, 2.0, 3.0, w], [A2 * c - m * w * (2 * c + 3 * s) - A1 * s]),
                ("first_multipliers", [x, y, th, v, w], [lam]),
                ("first_reactions", [x, y, th, v, w], [lam * s, -lam * c, 0]),
                ("first_energy", [x, y, th, v, w], [m * v * v / 2 + J * w * w / 2, 0])]
    [found] = ask_python(folder, [(folder, "closed", [(f, t, state, par, 0) for f, state, _ in expected])])
    for (function, _, values), answer in zip(expected, found):
        compare("skate by hand", function, answer, values, 1)


def check_speed(folder):
    """m q'' = F - (F.v) v/c^2 where |q'| = c."""
    path = os.path.join(folder, "speed-by-hand.nh")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(MODELS["speed"][0])
    nonholo("export", path, "-o", os.path.join(folder, "speed_by_hand.py"))
    m, c, g, angle = 1.5, 1.4, 9.81, 0.6
    xd, yd = c * math.cos(angle), c * math.sin(angle)
    power = -m * g * yd / c**2
    expected = [xd, yd, -power * xd / m, (-m * g - power * yd) / m]
    [found] = ask_python(folder, [(folder, "speed_by_hand", [("second_kind", 0, [1, 2, xd, yd], [m, c, g], 4),
                                                             ("second_energy", 0, [1, 2, xd, yd], [m, c, g], 2)])])
    compare("speed by hand", "second_kind", found[0], expected, 1)
    compare("speed by hand", "second_energy", found[1], [m * c * c / 2, m * g * 2], 1)


def ask_singular(folder, files):
    """A matrix of zeros: status 1, or an error."""
    file = next((file for file in files if os.path.basename(file.path) == "dense.nh"), None)
    if not file:
        path = os.path.join(folder, "dense.nh")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(MODELS["dense"][0])
        file = File(path, {}, "", *tables(path, {}, ""))
        file.write(os.path.join(folder, "singular"), "dense")
        files.append(file)
    file.asked.append(("first_kind", 0.0, [0.1] * 12, [0.0, 1.0], 12))
    file.wanted.append((SINGULAR, 1))


# ---------------------------------------------------------------- the command line

def check_command(folder):
    skate = os.path.join(EXAMPLES, "paper", "skate.nh")
    for words, told in ((["export", skate], "needs a language"), (["export", skate, "--to", "cobol"], "not 'cobol'"),
                        (["export", skate, "-o", os.path.join(folder, "x.txt")], "needs a language"),
                        (["export", skate, "--to", "c", "--format", "json"], "no --format"),
                        (["export", skate, "--to", "c", "--steps"], "no --steps")):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
        if done.returncode != 2 or told not in done.stderr or done.stdout:
            fail(f"nonholo {' '.join(words)}: status {done.returncode}, {done.stderr!r}")
    for start, expected in ((["--start", "x'=1,y'=1,theta=0"], "the initial state is left out"), ([], "")):
        done = subprocess.run([PROGRAM, "export", skate, "--to", "python", *start], capture_output=True, text=True, timeout=60)
        if done.returncode or (expected not in done.stderr) or bool(done.stderr) != bool(expected):
            fail(f"export {start}: status {done.returncode}, {done.stderr!r}")


# ---------------------------------------------------------------- all

def models_in(folder, few):
    for path in sorted(glob.glob(os.path.join(EXAMPLES, "*.nh")) + glob.glob(os.path.join(EXAMPLES, "paper", "*.nh"))):
        gallery = "paper" not in path
        if gallery and os.path.basename(path) not in FROM_GALLERY:
            continue
        if not few or gallery:
            yield path, {}
    for name, (text, options) in MODELS.items():
        if few and "large" in options:
            continue
        path = os.path.join(folder, name + ".nh")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        yield path, options


# ---------------------------------------------------------------- all languages

def same(x, y):
    return x == y or (isinstance(x, float) and isinstance(y, float) and math.isnan(x) and math.isnan(y))


def check_tables(file, found):
    """Of a Julia file, against those of the Python file: all that is in it, and of the same types."""
    where = f"{file.path} ({file.start}) julia"
    expected = {name: file.space[name] for name in TABLES if name in file.space}
    functions = {name + "!" for name in file.space if name not in TABLES}
    if found["module"] != file.name or set(found["functions"]) - {"solve_linear"} != functions or set(found["tables"]) != set(expected):
        fail(f"{where}: it has {found['module']}, {found['functions']}, {list(found['tables'])}; expected {file.name}, {functions}, {list(expected)}")
        return
    for name, values in expected.items():
        kind = "String" if name in TABLES[:4] else "Float64"
        values = [kind, values] if name == "start_time" else [f"Vector{{{kind}}}", *values]
        other = found["tables"][name]
        if len(values) != len(other) or not all(map(same, values, other)):
            fail(f"{where}: {name} is {other}, expected {values}")


def check_julia(folder, files, listed, python):
    evaluated = evaluate_julia(folder, listed)
    if isinstance(evaluated, str):
        print(f"Julia files are written, but NOT RUN by the evaluator: {evaluated}")
    else:
        for file, found, other in zip(files, evaluated, python):
            if "error" in found:
                fail(f"{file.path} julia: {found['error']}")
                continue
            check_tables(file, found)
            check_answers(f"{file.path} ({file.start}) julia", file.asked, file.wanted, found["answers"], other)
    if have("julia"):
        for file, other in zip(files, python):
            check_answers(f"{file.path} ({file.start}) by julia itself", file.asked, file.wanted, ask_julia(file.folder, file.name, file.asked), other)
    return " and ".join([*(["evaluated"] if isinstance(evaluated, list) else []), *(["run"] if have("julia") else [])]) or "not run"


def check_languages(folder, files, few):
    """What they answer; the Python file is what others are compared with where nothing else is known."""
    listed = [(file.folder, file.name, file.asked) for file in files]
    python = ask_python(folder, listed)
    answers = {"python": python, "c": ask_c(folder, listed, "gcc", ["-std=c11"])}
    if not few:
        answers["c++"] = ask_c(folder, listed, "g++", ["-std=c++17", "-x", "c++"])
    if have("octave-cli"):
        answers["octave"] = ask_octave(folder, listed)
    else:
        print("no Octave: its files are written, but not run")
    for language, found in answers.items():
        if len(found) != len(files):
            fail(f"{language} ended early")
        for file, answer, other in zip(files, found, python):
            check_answers(f"{file.path} ({file.start}) {language}", file.asked, file.wanted, answer, other)
    return check_julia(folder, files, listed, python)


def name_of(path, number, k):
    """One that the variables of a model meet, in one of them."""
    return "ugly" if "ugly" in path and k == 0 else f"m{number}_{k}"


def check_all(folder, few):
    files, models = [], 0
    for path, options in list(models_in(folder, few))[:: 3 if few else 1]:
        for k, file in enumerate(files_of(path, options, 1)):
            file.write(os.path.join(folder, f"{models}-{k}"), name_of(path, models, k))
            files.append(file)
        models += 1
    states = sum(question[0] == "first_kind" for file in files for question in file.asked)
    ask_singular(folder, files)
    julia = check_languages(folder, files, few)
    check_skate(folder)
    check_speed(folder)
    check_command(folder)
    print(f"{models} models, {states} states, {len(files)} files a language, {compared} numbers compared, "
          f"Julia {julia}, {len(failures)} failures")


def main():
    global PROGRAM, EXAMPLES
    PROGRAM, EXAMPLES = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        check_all(folder, "--few" in sys.argv)
    sys.exit(1 if failures else 0)


main()
