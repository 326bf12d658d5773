"""Runs exported files: each language gets a list of files, (folder, name, questions), where a question is (function, t, state, par, size), and
answers each file with a list of lists of numbers. A language is started once for all files.

Julia files are run by julia.mjs, and by julia as well where it is there."""
import json
import math
import os
import shutil
import subprocess
import sys

STRICT = "-Wall -Wextra -Wconversion -Wshadow -Werror -pedantic -ffp-contract=off".split()


def run(command, folder, text=None, timeout=280):
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, timeout=timeout)
    if done.returncode or done.stderr.strip():
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    return done.stdout


def number(x):
    return "NAN" if math.isnan(x) else repr(x)


# ---------------------------------------------------------------- C and C++

C_DRIVER = """\
#include <stdio.h>
#include <math.h>

typedef int function(double t, const double state[], double out[], const double par[]);

static void ask(function *f, double t, const double *state, const double *par, int n)
{
    double out[1000];
    for (int i = 0; i < 1000; i++)
        out[i] = INFINITY; /* which nothing is */
    printf("[%d", f(t, state, out, par));
    for (int i = 0; i < n; i++)
        printf(", %.17g", out[i]);
    printf("]\\n");
}

"""


def c_list(values):
    return "{" + (", ".join(map(number, values)) or "0") + "}"


def c_questions(name, questions):
    lines = [f"static void ask_{name}(void)", "{"]
    for function, t, state, par, size in questions:
        lines += ["    {", f"        const double state[] = {c_list(state)}, par[] = {c_list(par)};",
                  f"        ask({name}_{function}, {t!r}, state, par, {size});", "    }"]
    return lines + ["}", ""]


def c_text(files, together):
    """Files of C are compiled by themselves; those of C++ together, each in a namespace, as its headers take long."""
    lines = []
    for folder, name, questions in files:
        if together:
            lines += [f"namespace {name}_file {{", f'#include "{folder}/{name}.c"', "}", f"using namespace {name}_file;"]
        else:
            lines += [f"function {name}_{function};" for function in sorted({question[0] for question in questions})]
        lines += c_questions(name, questions)
    return C_DRIVER + "\n".join(lines + ["int main(void)", "{", *(f"    ask_{name}();" for _, name, _ in files), "    return 0;", "}", ""])


def ask_c(folder, files, compiler, options):
    together = compiler == "g++"
    with open(os.path.join(folder, "driver.c"), "w", encoding="utf-8") as stream:
        stream.write(c_text(files, together))
    sources = [] if together else [f"{inside}/{name}.c" for inside, name, _ in files]
    run([compiler, *options, *STRICT, "driver.c", *sources, "-o", "driver", "-lm"], folder)
    answers = []
    for line in run(["./driver"], folder).splitlines():
        row = json.loads(line.replace("nan", "NaN").replace("-NaN", "NaN").replace("inf", "Infinity"))
        answers.append(row[1:] if row[0] == 0 else None)
    return by_file(files, answers)


def by_file(files, answers):
    """They come in one row."""
    rest = iter(answers)
    return [[answer for _, answer in zip(questions, rest)] for _, _, questions in files]


# ---------------------------------------------------------------- Python

PYTHON_DRIVER = """\
import importlib, json, sys
answers = []
for folder, name, questions in json.load(sys.stdin):
    sys.path.insert(0, folder)
    system = importlib.import_module(name)
    del sys.path[0]
    for function, t, state, par, size in questions:
        try:
            answers.append(getattr(system, function)(t, state, par))
        except ZeroDivisionError:
            answers.append(None)
print(json.dumps(answers))
"""


def ask_python(folder, files):
    return by_file(files, json.loads(run([sys.executable, "-B", "-W", "error", "-c", PYTHON_DRIVER], folder, json.dumps(files))))


# ---------------------------------------------------------------- Octave

def octave_list(values):
    return "[" + "; ".join("NaN" if math.isnan(x) else repr(x) for x in values) + "]"


def octave_driver(folders):
    lines = []
    for folder, name, questions in folders:
        lines += [f"addpath('{folder}');", f"model = {name}();"]
        for function, t, state, par, _ in questions:
            lines += ["try", f"  out = model.{function}({t!r}, {octave_list(state)}, {octave_list(par)});",
                      "  if ~isreal(out), error('complex'); end",
                      "  fprintf('%.17g ', out); fprintf('\\n');", "catch e", "  disp(['error ' e.message]);", "end"]
        lines.append("disp('next');")
    return "\n".join(lines) + "\n"


def ask_octave(folder, folders):
    path = os.path.join(folder, "driver.m")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(octave_driver(folders))
    out = run(["octave-cli", "--norc", "--quiet", "--no-history", path], folder)
    answers = [[]]
    for line in out.splitlines():
        if line == "next":
            answers.append([])
        elif line.startswith("error"):
            answers[-1].append(None if "unique" in line else line)
        else:
            answers[-1].append([float(word) for word in line.split()])
    return answers[:-1]


# ---------------------------------------------------------------- Julia

JULIA_DRIVER = """\
include(ARGS[1] * ".jl")
system = getfield(Main, Symbol(ARGS[2]))
for line in eachline(stdin)
    words = split(line)
    n = parse(Int, words[3])
    m = parse(Int, words[4])
    size = parse(Int, words[5])
    x = parse.(Float64, words[6:end])
    out = fill(Inf, size)
    try
        Base.invokelatest(getfield(system, Symbol(words[1] * "!")), out, x[1:n], x[n+1:n+m], parse(Float64, words[2]))
        println(join(out, " "))
    catch e
        println(e isa ErrorException ? "singular" : "error")
    end
end
"""


def ask_julia(folder, name, questions):
    text = "".join(f"{f} {t!r} {len(x)} {len(p)} {size} {' '.join(map(repr, [*x, *p]))}\n" for f, t, x, p, size in questions)
    out = run(["julia", "--startup-file=no", "-e", JULIA_DRIVER, name, name], folder, text)
    return [None if line == "singular" else [float(w) for w in line.split()] for line in out.splitlines()]


NODE = os.environ.get("NODE", "node")
EVALUATOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "julia.mjs")


def evaluate_julia(folder, files):
    """What julia.mjs finds in each file: error, or module, tables, functions and answers. A text: why it cannot be run."""
    if not have(NODE):
        return "there is no node"
    listed = [{"path": f"{inside}/{name}.jl", "questions": [(f, t, state, [None if math.isnan(x) else x for x in par], size)
                                                              for f, t, state, par, size in questions]}
              for inside, name, questions in files]
    done = subprocess.run([NODE, EVALUATOR], cwd=folder, input=json.dumps(listed), capture_output=True, text=True, timeout=280)
    if done.returncode == 77:
        return done.stdout.strip()
    if done.returncode or done.stderr.strip():
        raise RuntimeError(f"julia.mjs: status {done.returncode}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def have(program):
    return shutil.which(program) is not None
