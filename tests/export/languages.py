"""Runs exported files: each language gets the same questions, (function, t, state, par), and answers with lists of numbers.

Where there is no julia, the functions of the Julia file are translated to Python, which differs little for what is written
there; its solver of linear systems and its tables are then not run."""
import json
import keyword
import math
import os
import re
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

def c_driver(name, questions):
    lines = [f'#include "{name}.c"', "#include <stdio.h>", "",
             "static void show(int status, const double *out, int n)", "{",
             '    printf("[%d", status);', "    for (int i = 0; i < n; i++)", '        printf(", %.17g", out[i]);',
             '    printf("]\\n");', "}", "", "int main(void)", "{", "    double out[1000];"]
    for function, t, state, par, size in questions:
        lines += ["    {", f"        const double state[] = {{{', '.join(map(number, state))}}};",
                  f"        const double par[] = {{{', '.join(map(number, par)) or '0'}}};",
                  f"        show({name}_{function}({t!r}, state, out, par), out, {size});", "    }"]
    return "\n".join(lines + ["    return 0;", "}", ""])


def ask_c(folder, name, questions, compiler, options):
    with open(os.path.join(folder, "driver.c"), "w", encoding="utf-8") as stream:
        stream.write(c_driver(name, questions))
    run([compiler, *options, *STRICT, "driver.c", "-o", "driver", "-lm"], folder)
    answers = []
    for line in run(["./driver"], folder).splitlines():
        row = json.loads(line.replace("nan", "NaN").replace("-NaN", "NaN").replace("inf", "Infinity"))
        answers.append(row[1:] if row[0] == 0 else None)
    return answers


# ---------------------------------------------------------------- Python

PYTHON_DRIVER = """\
import importlib, json, sys
system = importlib.import_module(sys.argv[1])
answers = []
for function, t, state, par, size in json.load(sys.stdin):
    try:
        answers.append(getattr(system, function)(t, state, par))
    except ZeroDivisionError:
        answers.append(None)
print(json.dumps(answers))
"""


def ask_python(folder, name, questions):
    return json.loads(run([sys.executable, "-B", "-W", "error", "-c", PYTHON_DRIVER, name], folder, json.dumps(questions)))


# ---------------------------------------------------------------- Octave

def octave_list(values):
    return "[" + "; ".join("NaN" if math.isnan(x) else repr(x) for x in values) + "]"


def octave_driver(folders):
    """One run for all models: it takes a second to start."""
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
    out = zeros(size)
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


class Array(dict):
    """From 1 on, with one index or two."""

    def __init__(self, values=()):
        super().__init__(enumerate(values, 1))


def zeros(*sizes):
    rows = Array([0.0] * sizes[0])
    if len(sizes) == 2:
        rows = Array()
        for i in range(1, sizes[0] + 1):
            for j in range(1, sizes[1] + 1):
                rows[i, j] = 0.0
    return rows


def solve_linear(A, b):
    n = len(b)
    M = [[A[i, j] for j in range(1, n + 1)] + [b[i]] for i in range(1, n + 1)]
    for j in range(n):
        p = max(range(j, n), key=lambda i: abs(M[i][j]) / (max(map(abs, M[i][j:n])) or 1))
        M[j], M[p] = M[p], M[j]
        for i in range(n):
            if i != j:
                f = M[i][j] / M[j][j]
                M[i] = [x - f * y for x, y in zip(M[i], M[j])]
    for i in range(n):
        b[i + 1] = M[i][n] / M[i][i]


PYTHON_WORDS = re.compile(rf"\b({'|'.join(word for word in keyword.kwlist if word != 'return')})\b")


def translated_julia(path):
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    code = []
    for name, body in re.findall(r"^function (\w+)!\(out, state, par, t\)\n(.*?)^end$", text, re.S | re.M):
        code.append(f"def {name}(out, state, par, t):")
        for line in body.splitlines():
            line = re.sub(r"zeros\(promote_type\(eltype\(state\), eltype\(par\)\), ", "zeros(", line)
            line = re.sub(r"(\w+)!\(", r"\1(", line).replace("Float64(pi)", "pi").replace("^(", "pow(")
            line = re.sub(r"\batan\(([^,()]+|\([^()]*\)), ", r"atan2(\1, ", line)
            line = line.split("#")[0].replace("return nothing", "return")
            code.append(PYTHON_WORDS.sub(r"\1_", line))
    space = {name: getattr(math, name) for name in "sqrt exp log sin cos sinh cosh asin acos atan atan2 pow pi".split()}
    space.update(abs=abs, min=min, max=max, zeros=zeros, solve_linear=solve_linear, NaN=math.nan, Inf=math.inf,
                 sign=lambda x: float((x > 0) - (x < 0)))
    exec("\n".join(code), space)  # pylint: disable=exec-used
    return space


def ask_translated_julia(folder, name, questions):
    space, answers = translated_julia(os.path.join(folder, name + ".jl")), []
    for function, t, state, par, size in questions:
        out = Array([0.0] * size)
        try:
            space[function](out, Array(state), Array(par), t)
            answers.append([out[i] for i in range(1, size + 1)])
        except ZeroDivisionError:
            answers.append(None)
    return answers


def have(program):
    return shutil.which(program) is not None
