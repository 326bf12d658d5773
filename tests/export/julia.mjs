// Runs the Julia files of `nonholo export` where there need be no Julia: they are parsed by the grammar of Pluto, Julia's notebook, and
// the syntax tree is evaluated by the rules of Julia, as far as such files need them. What is not known here is an error that names it and
// its place, never passed over.
//
// node tests/export/julia.mjs: reads [{"path", "questions": [[function, t, state, par, size], ...]}, ...] and writes for each file its
// constants, the names of its functions, and the answers: a list of numbers, null where a system has no unique solution, otherwise what went
// wrong. NaN is null in what is read. Ends with 77 where the grammar is not installed.
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { arithmetic, base, COLON, compare, convert, fail, Float64, getIndex, isInt, isNumber, JuliaError, Module, power, range, Range, setIndex, show,
    steps, truth, Tuple, Type, typeOf, unknown, Values, vector, wrap } from "./julia_base.mjs";

const packages = createRequire(new URL("../../web/package.json", import.meta.url));

function grammar() {
    try {
        return packages("@plutojl/lezer-julia").parser;
    } catch {
        console.log("@plutojl/lezer-julia is not in web/node_modules, where web/build puts it");
        process.exit(77);
    }
}

const parser = grammar();

let source = "";
let at = { from: 0 }; // what is evaluated

/** What is thrown, with the place where it is. */
function told(error) {
    if (!(error instanceof JuliaError)) throw error;
    const lines = source.slice(0, at.from).split("\n");
    return `line ${lines.length}, column ${lines.at(-1).length + 1}: ${error.kind}: ${error.message}`;
}

// ---------------------------------------------------------------- the tree

// Tokens that say no more than their parents. All others are children like any other: `end` in brackets, `outer`, a dot.
const BRACKETS = ["(", ")", "[", "]", ","];
const WORDS = { ModuleDefinition: ["module", "end"], FunctionDefinition: ["function", "end"], ConstStatement: ["const"], ReturnStatement: ["return"],
    ForStatement: ["for", "end"], WhileStatement: ["while", "end"], IfStatement: ["if", "end"], ElseIfClause: ["elseif"], ElseClause: ["else"],
    StringLiteral: ['"'], TernaryExpression: ["?", ":"], Operator: ["Colon"], Colon: [":"] };
const COMMENTS = ["LineComment", "BlockComment"];

/** {name, from, to, text, kids}; an error where the grammar has one. */
function treeOf(text) {
    source = text;
    const cursor = parser.parse(text).cursor();
    const read = () => {
        const { name, from, to } = cursor;
        const node = { name, from, to, text: null, kids: [] };
        if (cursor.type.isError) {
            at = node;
            fail("ParseError", `${JSON.stringify(text.slice(from, to + 10))} is not expected`);
        }
        if (cursor.firstChild()) {
            do {
                const kid = read();
                if (!COMMENTS.includes(kid.name) && !BRACKETS.includes(kid.name) && !WORDS[name]?.includes(kid.name)) node.kids.push(kid);
            } while (cursor.nextSibling());
            cursor.parent();
        }
        if (node.kids.length === 0) node.text = text.slice(from, to);
        return node;
    };
    return read();
}

const isBinary = (node, operator) => node.name === "BinaryExpression" && node.kids[1].name === operator;

// ---------------------------------------------------------------- names

const UNSET = Symbol("not assigned");
class Return { constructor(value) { this.value = value; } }
const RESERVED = new Set(("baremodule begin break catch const continue do else elseif end export false finally for function global if import in isa let " +
    "local macro module quote return struct true try using where while").split(" "));

function nameOf(node) {
    at = node;
    if (node.name !== "Identifier") unknown(`${node.name} as a name`);
    return RESERVED.has(node.text) ? fail("ParseError", `${node.text} is a word of Julia`) : node.text;
}

/** Names that are assigned in a block, but for loops in it, which have scopes of their own; `if` has none. */
function assigned(node, names = new Set()) {
    if (node.name === "Assignment") {
        const targets = node.kids[0].name === "OpenTuple" ? node.kids[0].kids : [node.kids[0]];
        for (const target of targets) if (target.name === "Identifier") names.add(nameOf(target));
    }
    for (const kid of node.kids) if (kid.name !== "ForStatement" && kid.name !== "WhileStatement") assigned(kid, names);
    return names;
}

const isTop = (scope) => scope.parent === null;

/** Locals of the scopes around, from the inside out; then the globals of the module; then Base. */
function holder(scope, name) {
    for (let inner = scope; inner; inner = inner.parent) if (inner.locals?.has(name)) return inner.locals;
    return null;
}

function lookUp(scope, name) {
    const locals = holder(scope, name), { globals } = scope.module;
    const value = locals ? locals.get(name) : globals.has(name) ? globals.get(name) : base.has(name) ? base.get(name) : UNSET;
    return value === UNSET ? fail("UndefVarError", `${name} not defined`) : value;
}

/** In a function an assignment makes a local; a constant is one for ever. */
function assign(scope, name, value, constant = false) {
    const locals = holder(scope, name), { globals, constants } = scope.module;
    if (constant && !isTop(scope)) unknown("const in a function");
    if (!locals && (constants.has(name) || globals.get(name)?.body)) fail("ErrorException", `${name} is a constant already`);
    if (constant) constants.add(name);
    (locals ?? globals).set(name, value);
    return value;
}

/** What the body of a loop or function assigns is local to it, unless it is a local of what is around it; it is not there before it is assigned. */
function inner(node, scope, given = []) {
    node.assigned ??= assigned({ name: "", kids: node.name === "FunctionDefinition" ? node.kids.slice(1) : node.kids });
    const locals = new Map([...node.assigned].filter((name) => !holder(scope, name)).map((name) => [name, UNSET]));
    for (const [name, value] of given) locals.set(name, value);
    return { locals, parent: scope, module: scope.module };
}

// ---------------------------------------------------------------- evaluation

function call(f, words) {
    if (f instanceof Type) return words.length === 1 ? convert(f, words[0]) : fail("MethodError", `${f.name} of ${words.length} arguments`);
    if (typeof f === "function") return f(...words);
    if (!f?.body) fail("MethodError", `a ${typeOf(f).name} is called`);
    if (words.length !== f.names.length) fail("MethodError", `${f.name} of ${words.length} arguments`);
    try {
        return block(f.body.kids.slice(1), inner(f.body, { locals: null, parent: null, module: f.module }, f.names.map((name, i) => [name, words[i]])));
    } catch (thrown) {
        if (thrown instanceof Return) return thrown.value;
        throw thrown;
    }
}

function block(nodes, scope) {
    let value = null;
    for (const node of nodes) value = evaluate(node, scope);
    return value;
}

function evaluate(node, scope) {
    at = node;
    return (rules[node.name] ?? (() => unknown(`${node.name} ${JSON.stringify(source.slice(node.from, node.to).slice(0, 40))}`)))(node, scope, node.kids);
}

const all = (nodes, scope) => nodes.map((node) => evaluate(node, scope));
const only = (kids, count) => (kids.length === count ? kids : unknown("such a form"));

/** All that is on the right is computed before anything is assigned. */
function store(target, scope, value, constant) {
    at = target;
    if (target.name === "Identifier") return assign(scope, nameOf(target), value, constant);
    if (constant) unknown("const of other than a name");
    if (target.name === "IndexExpression") {
        const [array, indices] = only(target.kids, 2);
        return setIndex(evaluate(array, scope), all(indices.kids, scope), value), value;
    }
    if (target.name !== "OpenTuple") unknown(`assignment to ${target.name} in a list`);
    if (!(value instanceof Tuple) || value.items.length !== target.kids.length) unknown("assignment of other than as many values");
    target.kids.forEach((kid, i) => store(kid, scope, value.items[i]));
    return value;
}

/** a op= b is a = a op b; with a dot, element by element, into the array that is there. */
function update(target, operator, scope, value) {
    const word = operator.slice(0, -1).replace(/^\./, "");
    const apply = (x) => (word === "^" ? power(x, value) : arithmetic(word, x, value));
    const old = evaluate(target, scope);
    if (!operator.startsWith(".")) return store(target, scope, apply(old));
    if (target.name !== "IndexExpression" || !(old instanceof Values) || !isNumber(value)) unknown(`such a use of ${operator}`);
    return store(target, scope, new Values(old.type, old.sizes, old.data.map((x) => convert(old.type, apply(x)))));
}

function assignment(node, scope, constant = false) {
    const [target, { name, text }, right] = only(node.kids, 3);
    if (!["Identifier", "IndexExpression", "OpenTuple"].includes(target.name)) unknown(`assignment to ${target.name}`);
    const value = evaluate(right, scope);
    at = node;
    if (name === "UpdateOp" && !constant) return update(target, text, scope, value);
    return name === "AssignmentOp" && text === "=" ? store(target, scope, value, constant) : unknown(`the assignment ${text}`);
}

/** a < b < c is a < b && b < c, b being computed once. */
function chain(node, scope) {
    const [first, { text }, last] = node.kids;
    const left = isBinary(first, "ComparisonOp") ? chain(first, scope) : { holds: true, value: evaluate(first, scope) };
    if (!left.holds) return left;
    const value = evaluate(last, scope);
    at = node;
    return { holds: compare(text, left.value, value), value };
}

/** a:b:c is one range. */
function colon(node, scope) {
    const [first, , last] = node.kids;
    const words = isBinary(first, "Colon") ? [first.kids[0], first.kids[2], last] : [first, last];
    if (words.length === 3 && isBinary(words[0], "Colon")) unknown("a range of four");
    const values = all(words, scope);
    return values.length === 3 ? range(...values) : range(values[0], 1n, values[1]);
}

const isWritten = (node) => node.name === "IntegerLiteral" || (node.name === "UnaryExpression" && node.kids[0].text === "-" && node.kids[1].name === "IntegerLiteral");

const rules = {
    Program: (node, scope, kids) => block(kids, scope),
    ModuleDefinition(node, scope, [name, ...body]) {
        if (!isTop(scope)) unknown("a module in a function");
        const module = new Module(nameOf(name));
        module.globals.set(module.name, module); // it sees itself, but no globals of others
        block(body, { locals: null, parent: null, module });
        return assign(scope, module.name, module, true);
    },
    ConstStatement: (node, scope, [kid]) => (kid.name === "Assignment" ? assignment(kid, scope, true) : unknown("such a const")),
    FunctionDefinition(node, scope, [signature]) {
        const [head, words] = only(only(signature.kids, 1)[0].kids, 2), name = nameOf(head), names = words.kids.map(nameOf);
        const { module } = scope;
        if (!isTop(scope)) unknown("a function in a function");
        if (module.globals.has(name)) unknown(`a second definition of ${name}`);
        if (new Set(names).size !== names.length) fail("ParseError", "two arguments of one name");
        const f = { name, names, module, body: node };
        module.globals.set(name, f);
        return f;
    },
    ReturnStatement(node, scope, kids) { throw new Return(kids.length ? evaluate(only(kids, 1)[0], scope) : null); },
    Assignment: (node, scope) => assignment(node, scope),
    IfStatement(node, scope, [condition, ...rest]) {
        const clauses = rest.filter(({ name }) => name === "ElseIfClause" || name === "ElseClause");
        if (truth(evaluate(condition.kids[0], scope))) return block(rest.filter((kid) => !clauses.includes(kid)), scope);
        for (const { name, kids } of clauses) {
            if (name === "ElseClause") return block(kids, scope);
            if (truth(evaluate(kids[0].kids[0], scope))) return block(kids.slice(1), scope);
        }
        return null;
    },
    ForStatement(node, scope, [binding, ...body]) {
        const [variable, , items] = only(binding.kids, 3), name = nameOf(variable), values = evaluate(items, scope);
        if (isTop(scope)) unknown("a loop outside of a function");
        if (body[0]?.name === "ForBinding") unknown("a loop of two variables");
        const sequence = values instanceof Range ? steps(values) : values instanceof Values ? values.data : unknown(`a loop over ${typeOf(values).name}`);
        for (const value of sequence) block(body, inner(node, scope, [[name, value]]));
        return null;
    },
    WhileStatement(node, scope, [condition, ...body]) {
        if (isTop(scope)) unknown("a loop outside of a function");
        while (truth(evaluate(condition.kids[0], scope))) block(body, inner(node, scope));
        return null;
    },
    OpenTuple: (node, scope, kids) => new Tuple(all(kids, scope)),
    ParenExpression: (node, scope, kids) => evaluate(only(kids, 1)[0], scope),
    TernaryExpression: (node, scope, [condition, a, b]) => evaluate(truth(evaluate(condition, scope)) ? a : b, scope),
    Identifier: (node, scope) => lookUp(scope, nameOf(node)),
    BoolLiteral: (node) => node.text === "true",
    /** Julia takes an integer that is too large as a longer one; a Float64 that is too large, as an error. */
    IntegerLiteral({ text }) { return /^\d+$/.test(text) && BigInt(text) < 2n ** 63n ? BigInt(text) : unknown(`the integer ${text}`); },
    FloatLiteral({ text }) {
        if (!/^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(text)) unknown(`the number ${text}`);
        return Number.isFinite(Number(text)) ? Number(text) : fail("ParseError", `overflow in ${text}`);
    },
    StringLiteral: (node, scope, kids) => (kids.length || node.text.startsWith('"""') ? unknown("such a string") : node.text.slice(1, -1)),
    Operator: (node) => ({ ":": COLON, "^": power })[source.slice(node.from, node.to)] ?? unknown(`the operator ${source.slice(node.from, node.to)} as a value`),
    VectorExpression: (node, scope, kids) => vector(all(kids, scope)),
    /** Float64[1, 2] is an array of that type; otherwise an element or a part. */
    IndexExpression(node, scope, kids) {
        const [array, list] = only(kids, 2);
        if (list.name !== "VectorExpression") unknown(`${list.name} as an index`);
        const from = evaluate(array, scope), words = all(list.kids, scope);
        at = node;
        return from instanceof Type ? vector(words, from) : getIndex(from, words);
    },
    FieldExpression(node, scope, [owner, , { kids: [field] }]) {
        const module = evaluate(owner, scope), name = nameOf(field);
        if (!(module instanceof Module)) unknown(`a field of ${typeOf(module).name}`);
        return module.globals.has(name) ? module.globals.get(name) : fail("UndefVarError", `${name} not defined in ${module.name}`);
    },
    /** f.(x) is f of each element. */
    CallExpression(node, scope, kids) {
        const words = kids.at(-1), dotted = kids[1].name === ".";
        if (words.name !== "Arguments" || kids.length !== (dotted ? 3 : 2)) unknown("such a call");
        const f = evaluate(kids[0], scope), values = all(words.kids, scope);
        at = node;
        if (f === power) return only(values, 2) && power(...values, isWritten(words.kids[1]));
        if (!dotted) return call(f, values);
        return values.length === 1 && values[0] instanceof Values ? vector(values[0].data.map((x) => call(f, [x]))) : unknown("such a call with a dot");
    },
    /** -x^2 is -(x^2), as the tree has it. */
    UnaryExpression(node, scope, [{ text }, operand]) {
        const value = evaluate(operand, scope);
        at = node;
        if (text === "!") return !truth(value);
        if (!isNumber(value)) fail("MethodError", `${text} of ${typeOf(value).name}`);
        return text === "-" ? (isInt(value) ? wrap(-value) : -value) : text === "+" ? value : unknown(`the operator ${text}`);
    },
    BinaryExpression(node, scope, [first, { name, text }, second]) {
        if (name === "ComparisonOp") return chain(node, scope).holds;
        if (name === "Colon") return colon(node, scope);
        if (name === "LazyAndOp" && text === "&&") return truth(evaluate(first, scope)) && evaluate(second, scope);
        if (name === "LazyOrOp" && text === "||") return truth(evaluate(first, scope)) || evaluate(second, scope);
        const a = evaluate(first, scope), b = evaluate(second, scope);
        at = node;
        return text === "^" ? power(a, b, isWritten(second)) : arithmetic(text, a, b);
    },
};

// ---------------------------------------------------------------- files and questions

/** The value of a text, which is that of its last line. */
export function valueOf(text) {
    return evaluate(treeOf(text), { locals: null, parent: null, module: new Module("Main") });
}

/** The same as a text: the value as Julia writes it, or what is thrown. */
export function tryOut(text) {
    try {
        return show(valueOf(text));
    } catch (error) {
        return told(error);
    }
}

function answer(module, [name, t, state, par, size]) {
    const floats = (list) => new Values(Float64, [list.length], list.map((x) => x ?? NaN));
    const out = floats(Array(size).fill(Infinity)); // which nothing is
    try {
        const back = call(module.globals.get(`${name}!`) ?? fail("UndefVarError", `${name}! not defined`), [out, floats(state), floats(par), t]);
        return back === null ? out.data : `it returns ${show(back)}`;
    } catch (error) {
        return error.kind === "ErrorException" && error.message.includes("unique") ? null : told(error);
    }
}

/** Tables, functions and answers of a file: a module, and nothing after it. */
export function ask(text, questions) {
    try {
        const module = valueOf(text), tables = {}, functions = [];
        if (!(module instanceof Module)) unknown("a file that does not end with a module");
        for (const [name, value] of module.globals)
            if (value?.body) functions.push(name);
            else if (module.constants.has(name)) tables[name] = value instanceof Values ? [`${typeOf(value).name}{${value.type.name}}`, ...value.data] : [typeOf(value).name, value];
            else if (value !== module) unknown(`the global ${name}, no constant,`);
        return { module: module.name, tables, functions, answers: questions.map((question) => answer(module, question)) };
    } catch (error) {
        return { error: told(error) };
    }
}

function main() {
    const files = JSON.parse(readFileSync(0, "utf8")).map(({ path, questions }) => ask(readFileSync(path, "utf8"), questions));
    // NaN and Infinity as Python reads them
    const plain = (_, x) => (typeof x === "number" && !Number.isFinite(x) ? `@${x}` : isInt(x) ? Number(x) : x);
    const texts = files.map((file) => JSON.stringify(file, plain));
    console.log(`[${texts.join(",\n").replace(/"@(-?Infinity|NaN)"/g, "$1")}]`);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
