// Values of Julia, and as much of its Base as exported files need. What is not known here is an error too: Unknown.

/** What Julia would throw, by its name there; or Unknown, which Julia may well know. */
export class JuliaError extends Error {
    constructor(kind, message) {
        super(message);
        this.kind = kind;
    }
}

export const fail = (kind, message) => { throw new JuliaError(kind, message); };
export const unknown = (what) => fail("Unknown", `${what} is not known to the evaluator`);

// ---------------------------------------------------------------- values: Int64 is a bigint, Float64 a number

export class Type { constructor(name) { this.name = name; } }
export class Range { constructor(first, step, last) { Object.assign(this, { first, step, last }); } }
export class Tuple { constructor(items) { this.items = items; } }
export class Module { constructor(name) { Object.assign(this, { name, globals: new Map(), constants: new Set() }); } }
/** Matrices lie column by column. */
export class Values { constructor(type, sizes, data) { Object.assign(this, { type, sizes, data }); } }

export const Float64 = new Type("Float64"), Int64 = new Type("Int64"), StringType = new Type("String"), Bool = new Type("Bool");
const PI = Symbol("pi"); // an Irrational, which only Float64() takes here
export const COLON = Symbol(":");
export const isNumber = (x) => typeof x === "number" || typeof x === "bigint";
export const isInt = (x) => typeof x === "bigint";

export function typeOf(x) {
    if (typeof x === "function" || x?.body) return new Type("Function");
    if (x instanceof Values) return new Type(x.sizes.length === 1 ? "Vector" : "Matrix");
    return { number: Float64, bigint: Int64, string: StringType, boolean: Bool }[typeof x] ?? new Type(x === null ? "Nothing" : x.constructor.name);
}

/** What an array of a type stores: a number that the type cannot hold is an InexactError, anything else a MethodError. */
export function convert(type, x) {
    if (type === Float64 && (isNumber(x) || x === PI)) return x === PI ? Math.PI : Number(x);
    if (type === Int64 && typeof x === "number") return Number.isSafeInteger(x) ? BigInt(x) : fail("InexactError", `Int64(${x})`);
    return typeOf(x) === type ? x : fail("MethodError", `cannot convert ${typeOf(x).name} to ${type.name}`);
}

function promote(a, b) {
    if (a === b) return a;
    return [a, b].every((type) => type === Float64 || type === Int64) ? Float64 : unknown(`promotion of ${a.name} and ${b.name}`);
}

// ---------------------------------------------------------------- operators

export const wrap = (x) => BigInt.asIntN(64, x);

/** Integers overflow silently; a quotient of integers is a Float64. */
export function arithmetic(operator, a, b) {
    if (!isNumber(a) || !isNumber(b)) fail("MethodError", `${typeOf(a).name} ${operator} ${typeOf(b).name}`);
    const whole = isInt(a) && isInt(b) && operator !== "/";
    const [x, y] = whole ? [a, b] : [Number(a), Number(b)];
    const value = { "+": () => x + y, "-": () => x - y, "*": () => x * y, "/": () => x / y }[operator] ?? unknown(`the operator ${operator}`);
    return whole ? wrap(value()) : value();
}

/** An integer has no negative power, but by one that is written as a number: that makes it a Float64. A negative number has no broken power. */
export function power(a, b, written = false) {
    if (!isNumber(a) || !isNumber(b)) fail("MethodError", `${typeOf(a).name} ^ ${typeOf(b).name}`);
    if (isInt(a) && isInt(b) && !(written && b < 0n)) {
        if (b < 0n && a !== 1n && a !== -1n) fail("DomainError", `the integer ${a} to the power ${b}`);
        let [value, square] = [1n, a];
        for (let left = b < 0n ? -b : b; left > 0n; left >>= 1n, square = wrap(square * square)) if (left & 1n) value = wrap(value * square);
        return value;
    }
    const [x, y] = [Number(a), Number(b)];
    if (x < 0 && Number.isFinite(x) && Number.isFinite(y) && !Number.isInteger(y)) fail("DomainError", `${x} to the power ${y}`);
    return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;
}

/** === tells types, 0.0 and -0.0 apart, and NaN is itself; == compares numbers. */
const comparisons = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "==": (a, b) => a == b, "!=": (a, b) => a != b, "===": Object.is, "!==": (a, b) => !Object.is(a, b) };

export function compare(operator, a, b) {
    if (!isNumber(a) || !isNumber(b)) unknown(`${typeOf(a).name} ${operator} ${typeOf(b).name}`);
    return (comparisons[operator] ?? unknown(`the operator ${operator}`))(a, b);
}

export const truth = (x) => (typeof x === "boolean" ? x : fail("TypeError", `${typeOf(x).name} is used as a Bool`));

// ---------------------------------------------------------------- ranges, indices and arrays

/** Both ends are in it; 1:0 is empty. */
export function* steps(range) {
    for (let i = range.first; range.step > 0n ? i <= range.last : i >= range.last; i += range.step) yield i;
}

export function range(first, step, last) {
    if (![first, step, last].every(isInt)) unknown("a range of other than integers");
    return step === 0n ? fail("ArgumentError", "the step of a range is 0") : new Range(first, step, last);
}

/** Items of an index: from 1 on, and a Float64 or a Bool is none. */
function itemsOf(index, size) {
    if (index === COLON) return Array.from({ length: size }, (_, i) => i);
    const items = index instanceof Range ? [...steps(index)] : index instanceof Values ? index.data : [index];
    for (const i of items) {
        if (!isInt(i)) fail("ArgumentError", `invalid index: ${show(i)} of type ${typeOf(i).name}`);
        if (i < 1n || i > BigInt(size)) fail("BoundsError", `index ${i} of ${size}`);
    }
    return items.map((i) => Number(i) - 1);
}

/** Where the elements are, and the sizes of what is taken: a single index takes its dimension away. One index of a matrix counts by columns. */
function selection(array, indices) {
    if (!(array instanceof Values)) fail("MethodError", `${typeOf(array).name} has no elements`);
    if (indices.length === 0) unknown("an index that is empty");
    const sizes = indices.length === 1 ? [array.data.length] : [...array.sizes];
    while (sizes.length < indices.length) sizes.push(1);
    let offsets = [0], stride = 1;
    const taken = [];
    indices.forEach((index, k) => {
        const items = itemsOf(index, sizes[k]);
        if (!isInt(index)) taken.push(items.length);
        offsets = items.flatMap((i) => offsets.map((offset) => offset + i * stride));
        stride *= sizes[k];
    });
    return { offsets, taken };
}

/** A part is a copy. */
export function getIndex(array, indices) {
    const { offsets, taken } = selection(array, indices);
    return taken.length ? new Values(array.type, taken, offsets.map((i) => array.data[i])) : array.data[offsets[0]];
}

/** A part takes an array of its size, and no single value. */
export function setIndex(array, indices, value) {
    const { offsets, taken } = selection(array, indices);
    if (taken.length === 0) array.data[offsets[0]] = convert(array.type, value);
    else if (!(value instanceof Values)) fail("ArgumentError", "a single value for many elements");
    else if (String(value.sizes) !== String(taken)) fail("DimensionMismatch", `${value.sizes} for ${taken}`);
    else offsets.forEach((offset, k) => { array.data[offset] = convert(array.type, value.data[k]); });
}

/** An array literal: of a type that is given, or of the one to which all are promoted. */
export function vector(items, type = items.length ? items.map(typeOf).reduce(promote) : unknown("[]")) {
    return new Values(type, [items.length], items.map((item) => convert(type, item)));
}

// ---------------------------------------------------------------- Base, as far as it is needed

export const base = new Map(Object.entries({ nothing: null, pi: PI, NaN: NaN, Inf: Infinity, Float64, Int64, Int: Int64, String: StringType, Bool }));
const define = (name, counts, f) => base.set(name, (...x) => (counts.includes(x.length) ? f(...x) : fail("MethodError", `${name} of ${x.length} arguments`)));
const number = (name, x) => (isNumber(x) ? x : fail("MethodError", `${name} of ${typeOf(x).name}`));

/** Of a real number, and outside of the domain an error. */
const real = (name, f, domain = () => true) => define(name, [1], (x) => {
    const value = Number(number(name, x));
    return domain(value) ? f(value) : fail("DomainError", `${name} of ${value}`);
});
const finite = (x) => Math.abs(x) !== Infinity, atMostOne = (x) => !(Math.abs(x) > 1), notNegative = (x) => !(x < 0);
real("sqrt", Math.sqrt, notNegative), real("log", Math.log, notNegative), real("asin", Math.asin, atMostOne), real("acos", Math.acos, atMostOne);
real("sin", Math.sin, finite), real("cos", Math.cos, finite), real("exp", Math.exp), real("sinh", Math.sinh), real("cosh", Math.cosh), real("tanh", Math.tanh);
define("atan", [1, 2], (y, x = 1) => Math.atan2(Number(number("atan", y)), Number(number("atan", x))));

/** Integers stay integers. */
define("abs", [1], (x) => (isInt(number("abs", x)) ? wrap(x < 0n ? -x : x) : Math.abs(x)));
define("sign", [1], (x) => (isInt(number("sign", x)) ? BigInt((x > 0n) - (x < 0n)) : Math.sign(x)));
/** Both are promoted, and NaN prevails. */
for (const [name, f, first] of [["min", Math.min, (a, b) => a < b], ["max", Math.max, (a, b) => a > b]])
    define(name, [2], (a, b) => (isInt(number(name, a)) && isInt(number(name, b)) ? (first(a, b) ? a : b) : f(Number(a), Number(b))));

define("length", [1], (x) => (x instanceof Values ? BigInt(x.data.length) : unknown(`length of ${typeOf(x).name}`)));
define("eltype", [1], (x) => (x instanceof Values ? x.type : unknown(`eltype of ${typeOf(x).name}`)));
define("typeof", [1], typeOf);
define("promote_type", [2, 3], (...types) => (types.every((x) => x instanceof Type) ? types.reduce(promote) : fail("MethodError", "promote_type of values")));
/** Of a type: that of its numbers with a point. */
define("float", [1], (x) => (x === Float64 || x === Int64 ? Float64 : unknown("such a call of float")));
define("error", [1], (text) => fail("ErrorException", text));
define("zeros", [1, 2, 3], (...words) => {
    const type = words[0] instanceof Type ? words.shift() : Float64;
    if (words.length < 1 || words.length > 2 || (type !== Float64 && type !== Int64)) unknown("such a call of zeros");
    if (!words.every(isInt)) fail("MethodError", "zeros needs integers as sizes");
    if (words.some((size) => size < 0n)) fail("ArgumentError", "an array of a negative size");
    const sizes = words.map(Number);
    return new Values(type, sizes, Array(sizes.reduce((a, b) => a * b)).fill(convert(type, 0)));
});
define("maximum", [1, 2], (...words) => {
    const array = words.pop();
    if (!(array instanceof Values) || (array.type !== Float64 && array.type !== Int64)) unknown("maximum of other than numbers");
    if (words.length && typeof words[0] !== "function") unknown("maximum by other than a function of Base");
    const items = words.length ? array.data.map((x) => words[0](x)) : array.data;
    return items.length ? items.reduce((a, b) => base.get("max")(a, b)) : fail("ArgumentError", "maximum of nothing");
});
/** The first of the greatest, and NaN is greater than all. */
define("argmax", [1], (array) => {
    if (!(array instanceof Values) || array.sizes.length !== 1 || array.type !== Float64) unknown("argmax of other than a vector of Float64");
    if (array.data.length === 0) fail("ArgumentError", "argmax of nothing");
    const greatest = Math.max(...array.data);
    return BigInt(1 + array.data.findIndex((x) => Object.is(x, greatest)));
});

/** The value as Julia would write it. */
export function show(x) {
    if (x instanceof Values) return `${x.type.name}[${x.data.map(show).join(x.sizes.length > 1 ? " " : ", ")}]`;
    if (x instanceof Tuple) return `(${x.items.map(show).join(", ")})`;
    if (typeof x === "number") return Number.isInteger(x) ? (Object.is(x, -0) ? "-0.0" : `${x}.0`) : String(x).replace("Infinity", "Inf");
    if (x instanceof Range) return `${x.first}:${x.step}:${x.last}`;
    return x === null ? "nothing" : typeof x === "string" ? JSON.stringify(x) : x.name ?? String(x);
}
