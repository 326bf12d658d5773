// node tests/export/check_julia.mjs NONHOLO EXAMPLES: does the evaluator of Julia keep to the rules of Julia's manual, and does it notice
// exported files that are wrong? Ends with 77 where the grammar is not installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, tryOut } from "./julia.mjs";

const [nonholo, examples] = process.argv.slice(2);
let failures = 0, tried = 0;

function expect(what, found, good) {
    tried++;
    if (good) return;
    failures++;
    console.log(`${what}: ${found}`);
}

// ---------------------------------------------------------------- rules: a text, and its value or what is thrown

const inFunction = (body) => `function f()\n${body}\nend\nf()`;
const rules = [
    // numbers: integers and others, and what becomes of both
    ["7/2", "3.5"], ["6/3", "2.0"], ["1 + 2", "3"], ["1 + 2.0", "3.0"], ["2*3", "6"], ["1.0/0.0", "Inf"], ["-1.0/0.0", "-Inf"], ["0.0/0.0", "NaN"],
    ["9223372036854775807 + 1", "-9223372036854775808"], ["9007199254740993 + 0", "9007199254740993"], ["10^19", "-8446744073709551616"],
    ["1e3", "1000.0"], ["1.5e-3", "0.0015"], ["1e400", "ParseError"], ["1.0f0", "Unknown"], ["9223372036854775808", "Unknown"], ["0x10", "Unknown"],
    ["1 == 1.0", "true"], ["1 === 1.0", "false"], ["NaN == NaN", "false"], ["NaN === NaN", "true"], ["-0.0 == 0.0", "true"], ["-0.0 === 0.0", "false"],
    ["abs(-3)", "3"], ["abs(-3.0)", "3.0"], ["sign(-2)", "-1"], ["sign(-2.5)", "-1.0"], ["min(1, 2.5)", "1.0"], ["max(1, 2)", "2"], ["min(1.0, NaN)", "NaN"],
    // powers
    ["2^10", "1024"], ["2^0.5 == sqrt(2)", "true"], ["2.0^-1", "0.5"], ["2^-1", "0.5"], ["n = -1\n2^n", "DomainError"], ["n = -3\n(-1)^n", "-1"],
    ["n = -1\n2.0^n", "0.5"], ["(-8.0)^(1/3)", "DomainError"], ["(-2.0)^3.0", "-8.0"], ["(-2.0)^2", "4.0"], ["^(2.0, 3.0)", "8.0"], ["^(2, -1)", "0.5"],
    // which operator comes first
    ["-2^2", "-4"], ["-2.0^2", "-4.0"], ["(-2)^2", "4"], ["2^3^2", "512"], ["x = 3\n-x^2", "-9"], ["8/4*2", "4.0"], ["8/(4*2)", "1.0"], ["10 - 4 - 3", "3"],
    ["2 + 3*4", "14"], ["2*-3", "-6"], ["2 - -3", "5"], ["1 + 1:2 + 2", "2:1:4"], ["3:-1:1", "3:-1:1"], ["1 + 2 < 4 && 2 > 1", "true"],
    ["false && false || true", "true"], ["true || false && false", "true"], ["!true || true", "true"],
    // functions and their domains
    ["sqrt(4)", "2.0"], ["sqrt(-1.0)", "DomainError"], ["sqrt(-0.0)", "-0.0"], ["sqrt(NaN)", "NaN"], ["log(0)", "-Inf"], ["log(-1.0)", "DomainError"],
    ["asin(1.1)", "DomainError"], ["acos(-1.1)", "DomainError"], ["asin(1) == Float64(pi)/2", "true"], ["sin(Inf)", "DomainError"], ["exp(0)", "1.0"],
    ["atan(1.0, -1.0) == 3*Float64(pi)/4", "true"], ["atan(1.0)", String(Math.PI / 4)], ["sin(1, 2)", "MethodError"], ["tan", "UndefVarError"],
    ['error("no " )', "ErrorException"], ["sin(\"x\")", "MethodError"], ["1.0(2)", "Unknown"], ["x = 1.0\nx(2)", "MethodError"],
    // comparisons, conditions
    ["1 < 2 <= 2", "true"], ["1 < 2 < 2", "false"], ["2 > 1 < x", "UndefVarError"], ["1 > 2 < x", "false"], ["false && x", "false"], ["true || x", "true"],
    ["true && x", "UndefVarError"], ["1 && true", "TypeError"], ["true ? 1 : x", "1"], ["1 ? 2 : 3", "TypeError"], ["false || 3", "3"],
    ["x = 2\nif x < 1\n 1\nelseif x < 3\n 2\nelse\n 3\nend", "2"], ["x = 5\nif x < 1\n 1\nelseif x < 3\n 2\nelse\n 3\nend", "3"], ["if 0\n 1\nend", "TypeError"],
    // arrays: from 1 on, by columns, of one type
    ["Float64[1, -2.5]", "Float64[1.0, -2.5]"], ["[1, 2]", "Int64[1, 2]"], ["[1, 2.0]", "Float64[1.0, 2.0]"], ['String["a\'", "θ"]', 'String["a\'", "θ"]'],
    ["Float64[]", "Float64[]"], ["[]", "Unknown"], ['Float64["a"]', "MethodError"], ["[1 2]", "Unknown"], ['"a$x"', "Unknown"], ["Int64[1.5]", "InexactError"],
    ["x = [5, 6]\nx[1]", "5"], ["x = [5, 6]\nx[0]", "BoundsError"], ["x = [5, 6]\nx[3]", "BoundsError"], ["x = [5, 6]\nx[1.0]", "ArgumentError"],
    ["x = [5, 6]\nx[true]", "ArgumentError"], ["x = [5, 6]\nx[2/2]", "ArgumentError"], ["x = [5, 6]\nx[1] = 2.5", "InexactError"], ["x = [5, 6]\nx[end]", "Unknown"],
    ["x = [5.0]\nx[1] = 2\nx", "Float64[2.0]"], ["x = [5, 6, 7]\nx[2:3]", "Int64[6, 7]"], ["x = [5, 6, 7]\nx[3:-1:2]", "Int64[7, 6]"], ["x = [5, 6]\nx[1:0]", "Int64[]"],
    ["zeros(2)", "Float64[0.0, 0.0]"], ["zeros(Int, 1)", "Int64[0]"], ["zeros(2.0)", "MethodError"], ["zeros(-1)", "ArgumentError"], ["length(zeros(2, 3))", "6"],
    ["A = zeros(2, 2)\nA[1, 2] = 5\nA[3]", "5.0"], ["A = zeros(2, 3)\nA[2, 3] = 1\nA[3, 2]", "BoundsError"], ["A = zeros(2, 3)\nA[2, 3] = 1\nA[2, :]", "Float64[0.0, 0.0, 1.0]"],
    ["A = zeros(2, 2)\nA[1, :] = [1, 2]\nA[[1, 2], :] = A[[2, 1], :]\nA", "Float64[0.0 1.0 0.0 2.0]"], ["A = zeros(2, 2)\nA[1, :] = 3", "ArgumentError"],
    ["A = zeros(2, 2)\nA[1, :] = [1, 2, 3]", "DimensionMismatch"], ["A = zeros(2, 2)\nA[1, :] = [2, 4]\nA[1, :] ./= 2\nA[1, :]", "Float64[1.0, 2.0]"],
    ["x = [1, 2]\ny = x\ny[1] = 7\nx", "Int64[7, 2]"], ["x = [1, 2]\ny = x[1:2]\ny[1] = 7\nx", "Int64[1, 2]"], ["x = 1\nx[1, 2]", "MethodError"],
    ["abs.([-1.0, 2.0])", "Float64[1.0, 2.0]"], ["maximum(abs, [-3.0, 2.0])", "3.0"], ["argmax([1.0, 3.0, 3.0])", "2"], ["argmax([1.0, NaN, 3.0])", "2"],
    ["promote_type(Int, Float64)", "Float64"], ["promote_type(Int, Int)", "Int64"], ["eltype([1])", "Int64"], ["float(Int)", "Float64"], ["typeof(1/1)", "Float64"],
    // names
    ["x", "UndefVarError"], ["x = 1\nx += 2\nx", "3"], ["x = 1\nx /= 2", "0.5"], ["a = 1\nb = 2\na, b = b, a\na - b", "1"], ["const a = 1\nconst a = 2", "ErrorException"],
    [inFunction("s = 0\nfor i in 1:4\ns += i\nend\ns"), "10"], [inFunction("for i in 1:2\nq = i\nend\nq"), "UndefVarError"], [inFunction("for i in 1:2\nend\ni"), "UndefVarError"],
    [inFunction("q = 0\nfor i in 1:2\nq = i\nend\nq"), "2"], [inFunction("for i in 1:2\nq = i\nend\nq = 5\nq"), "5"], [inFunction("for i in 1:2\nif i == 2\nreturn q\nend\nq = i\nend"), "UndefVarError"],
    [inFunction("if true\nq = 3\nend\nq"), "3"], [inFunction("n = 0\nwhile n < 3\nn += 1\nend\nn"), "3"], [inFunction("while true\nq = 1\nreturn q\nend"), "1"],
    [inFunction("for i in 1:0\nerror(\"never\")\nend"), "nothing"], [inFunction("i = 9\nfor i in 1:3\nend\ni"), "9"], [inFunction("x = y\ny = 1"), "UndefVarError"],
    ["x = 1\n" + inFunction("x = 2\nx") + " + x", "3"], ["x = 1\n" + inFunction("y = x\nx = 2"), "UndefVarError"], ["x = 1\n" + inFunction("x"), "1"],
    ["function f(a, b)\nreturn a\nend\nf(1)", "MethodError"], ["function f(a, a)\nend", "ParseError"], ["function f!(x)\nx[1] = 2\nreturn nothing\nend\nv = [1]\nf!(v)\nv", "Int64[2]"],
    ["module m\nconst a = 2\nfunction g()\na\nend\nend\nm.g()", "2"], ["b = 1\nmodule m\nfunction g()\nb\nend\nend\nm.g()", "UndefVarError"], ["module m\nend\nm.b", "UndefVarError"],
    // texts that are no Julia, and Julia that is not known here
    ["function f()\n1", "ParseError"], ["x = ", "ParseError"], ["x = (1", "ParseError"], ["for = 2", "ParseError"], ["1 2", "ParseError"], ["x = 1)", "ParseError"], ["in = 3", "ParseError"],
    ["2x", "Unknown"], ["[i for i in 1:2]", "Unknown"], ["x -> x", "Unknown"], ["@time 1", "Unknown"], ["using Test", "Unknown"], ["let x = 1\nx\nend", "Unknown"],
    ["f(x) = x", "Unknown"], ["1 .+ 2", "Unknown"], ["7 ÷ 2", "Unknown"], ["function f(x::Int)\nend", "Unknown"], ["sin(1; x = 2)", "Unknown"], ["for i in 1:2\nend", "Unknown"],
    ["try\n1\ncatch\nend", "Unknown"], [inFunction("while true\nbreak\nend"), "Unknown"], ["global x = 1", "Unknown"], [":x", "Unknown"], ["'x'", "Unknown"], ["(1, 2)", "Unknown"],
];
for (const [text, value] of rules) {
    const found = tryOut(text);
    expect(JSON.stringify(text), `${found}, expected ${value}`, /(Error|Exception|Mismatch|Unknown)$/.test(value) ? found.includes(`: ${value}: `) : found === value);
}
for (const [text, where] of [["x = 1\ny = x[\n", "line 3"], ["x = 1\n  y", "line 2, column 3"], ["z = 1 +\n  2*w", "line 2, column 5"]])
    expect("the place of an error", tryOut(text), tryOut(text).startsWith(where));

// ---------------------------------------------------------------- exported files that are wrong

const folder = mkdtempSync(join(tmpdir(), "julia-"));
function exported(name, as = "file") {
    const path = join(folder, `${as}.jl`);
    execFileSync(nonholo, ["export", join(examples, name), "--quiet", "-o", path]);
    return readFileSync(path, "utf8");
}

/** Numbers between 1/2 and 3/2, of no simple ratio; as many as the tables have. */
const some = (count, seed) => Array.from({ length: count }, (_, i) => 0.5 + ((seed + (i + 1) * Math.SQRT2) % 1));

/** Each function is asked, with room for as much as it writes. */
function questionsFor(text, state) {
    const { tables, functions } = ask(text, []);
    return functions.filter((name) => name.endsWith("!")).map((name) => {
        const start = (name.startsWith("first") ? tables.first_start : tables.second_start).slice(1);
        const body = text.slice(text.indexOf(`function ${name}(`)).split("\nend")[0];
        return [name.slice(0, -1), 0.25, some(start.length, 0.3).map((x, i) => state(x, start[i])), some(tables.parameter_values.length - 1, 0.7), body.split("\n    out[").length - 1];
    });
}

const close = (a, b) => (Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((x, i) => close(x, b[i]))
    : typeof a === "number" && typeof b === "number" ? Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b)) : a === b);
const same = (a, b) => !a.error && a.functions.join() === b.functions.join() && Object.keys(b.tables).every((key) => close(a.tables[key], b.tables[key]))
    && close(a.answers, b.answers);

/** The solver by itself, with a matrix that needs an exchange of rows; and with one that has no inverse. */
const solver = `A = zeros(3, 3)
A[1, :] = [0, 2, 1]
A[2, :] = [4, 1, 3]
A[3, :] = [2, 5, 1]
b = Float64[7, 15, 15]
file.solve_linear(A, b)
b`;
const solves = (text) => close(JSON.parse(tryOut(text + solver).match(/^Float64(\[[-\d., ]*\])$/)?.[1] ?? "[]"), [1, 2, 3])
    && /ErrorException: .*unique/.test(tryOut(text + solver.replace("[4, 1, 3]", "[4, 10, 2]")));

function mutants(text, changes, state = (x) => x) {
    const questions = questionsFor(text, state), right = ask(text, questions), hasSolver = text.includes("function solve_linear");
    expect("the file as it is", JSON.stringify(right.error ?? right.answers), !right.error && right.answers.every((answer) => Array.isArray(answer)) && (!hasSolver || solves(text)));
    for (const [from, to] of changes) {
        const mutant = text.replace(from, to);
        expect(`${from} made ${to}`, "nobody notices", mutant !== text && !(same(ask(mutant, questions), right) && (!hasSolver || solves(mutant))));
    }
}

/** Each line that computes or writes, where it is first, with another sign, another index, another operand, or left out. */
function* everyLine(text) {
    const seen = new Set();
    for (const [line, name, right] of text.matchAll(/^    (\S+) = (.*)\n/gm)) {
        if (seen.has(line)) continue;
        seen.add(line);
        if (/^out/.test(name) && right === "0.0") continue;
        const after = (changed) => [line, () => changed];
        yield after("");
        yield after(`    ${name} = -(${right})\n`);
        if (/\[\d+\]/.test(line)) yield after(line.replace(/\[(\d+)\]/, (_, i) => `[${Number(i) + 1}]`));
        if (/ [-+] /.test(right)) yield after(line.replace(/ ([-+]) /, (_, sign) => (sign === "+" ? " - " : " + ")));
        if (/[a-z]\w*\*/.test(right)) yield after(line.replace("*", " + "));
    }
}

const skate = exported("paper/skate.nh");
mutants(skate, [
    ["out[1]", "out[0]"], [/out\[1\]( = k5\n    )out\[2\]/, "out[2]$1out[1]"], ["state[3]", "state[4]"], ["par[1]", "par[100]"], ["k3 = sin", "k3 = cos"],
    ["k3 = sin(theta)", "k3 = sin(thet)"], ["end\n", ""], ["module file", "module file("], ["par), typeof(t))), 3)", "par), typeof(t))), 2)"], ["    return nothing\n", "    return 1\n"],
    ["Float64[2.0", "Float64[-2.0"], ["Float64[2.0,", "Float64[2.0"], ['"theta"', '"thet"'], ["start_time = 0.0", "start_time = 1.0"], ["first_psi!(rate", "first_psi(rate"],
    ["0.5*m", "1/2m"], ["k3 = sin", "k3 = Sin"], ["v*k4", "v^k4"], ["v*k4", "v(k4)"], ["v*k4", "v k4"],
]);
mutants(skate, [...everyLine(skate)]);
const solved = exported("isokinetic-8.nh");
mutants(solved, [
    ["for j in 1:n", "for j in 1:n-2"], ["for k in j+1:n", "for k in j+2:n"], ["for k in i+1:n", "for k in i:n"], ["n:-1:1", "n:1"], ["n:-1:1", "1:n"], ["-= factor*A", "+= factor*A"],
    ["-= factor*b", "+= factor*b"], ["b[i] /= size", "b[i] *= size"], ["./= size", "/= size"], ["A[i, j]/A[j, j]", "A[j, i]/A[j, j]"], ["A[i, j]/A[j, j]", "A[i, j]/A[j, j, 2]"],
    ["b[i] /= A[i, i]", "b[i] /= A[i, 1]"], [/zeros\(([^\n]*), (\d+), \2\)/, "zeros($1, $2)"], ["size > 0 ||", "size > 0 &&"], ["matrix1[1, 2]", "matrix1[2, 1]"],
    ["A[[pivot, j], :]", "A[[j, pivot], :]"], ["A[[pivot, j], :]", "A[:, [pivot, j]]"], ["b[pivot], b[j]", "b[j], b[pivot]"], ["pivot != j", "pivot == j"], ["abs.(", "abs("],
    ["solve_linear(matrix1, right1)", ""], ["solve_linear(matrix1, right1)", "solve_linear(right1, matrix1)"], ["pivot = j - 1 +", "pivot = j +"],
], (x, start) => start + x/20);

// Arguments that are integers are taken as if they were not.
const whole = tryOut(`${skate}\nout = zeros(2)\nfile.first_energy!(out, [0, 0, 1, 3, 1], [2, 4, 0, 0, 0], 0)\nout`);
expect("arguments that are integers", whole, close(JSON.parse(whole.match(/^Float64(\[.*\])$/)?.[1] ?? "[]"), [11, 0]));

// A file may have a name that Julia has for what the file needs: the module then has another one.
for (const as of ["Float64", "String", "length", "float", "typeof"]) {
    const text = exported("isokinetic-8.nh", as), { error, module, answers } = ask(text, questionsFor(solved, (x, start) => start + x/20));
    expect(`${as}.jl`, error ?? `${module} ${answers}`, module === `${as}_` && answers.every((answer) => Array.isArray(answer)));
}

rmSync(folder, { recursive: true });
console.log(`${tried} tried, ${failures} failures`);
process.exit(failures ? 1 : 0);
