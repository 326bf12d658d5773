#!/usr/bin/env python3
"""What a reader of LaTeX, of MathML or of the model language reads is what was derived.

usage: read_back.py PROGRAM MODEL...

Each formula is read back by readers that were written for this test and know nothing of the program but what the notation
means, and is compared in numbers with the one in JSON, at random values of all names: the two dynamical systems, multipliers and
reactive forces; and, by --only, every matrix, entry by entry."""
import functools
import itertools
import json
import math
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

GREEK = dict(zip("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
                 "psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
                 "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"))
FUNCTIONS = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
             "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "atan2": math.atan2, "sinh": math.sinh,
             "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "abs": abs,
             "sign": lambda x: (x > 0) - (x < 0), "min": min, "max": max}
MATRICES = {"g": "g", "psi_alpha": "first", "G": "first", "G_inverse": "first", "C_i": "second", "C_upper": "second",
            "G_upper": "second", "pi": "second", "g_minus_pi": "second", "dC": "second", "g_inverse": "g"}


def key_of(name):
    """The name of the model as a reader sees it: letter or word, index, dots: theta1' is ('θ', '1', 1)."""
    base, primes = name.rstrip("'"), len(name) - len(name.rstrip("'"))
    word, _, index = base.partition("_")
    if not index:
        word, index = re.match(r"(.+?)(\d*)$", base).groups()
    index = ",".join("".join(key_of(part)[:2]) for part in index.split("_")) if index else ""
    return GREEK.get(word, word), index, primes


# ---------------------------------------------------------------- values

class Values:
    """Random values of names, the same for the same name in every format."""

    def __init__(self, seed):
        self.seed, self.known = seed, {}

    def of(self, key):
        if key == ("π", "", 0):
            return math.pi
        if key not in self.known:
            self.known[key] = random.Random(f"{self.seed} {key}").uniform(0.6, 1.4)
        return self.known[key]

    def language(self, text):
        """An expression of the model language."""
        text = re.sub(r"[A-Za-z_]\w*'*", lambda m: m[0] if m[0] in FUNCTIONS else f"name({m[0]!r})", text)
        return eval(text.replace("^", "**"), {**FUNCTIONS, "name": lambda name: self.of(key_of(name))})


def product(values, tokens):
    """Sum of products, from ('+', '-', '*', numbers, and functions that wait for their argument)."""
    total, sign, factor, waiting = 0.0, 1.0, None, []
    for token in tokens + ["+"]:
        if token in ("+", "-"):
            if factor is not None:
                total += sign * factor
                factor, sign = None, 1.0
            sign = -sign if token == "-" else sign
        elif token == "*":
            pass
        elif callable(token):
            waiting.append(token)
        else:
            while waiting:
                token = waiting.pop()(*token if isinstance(token, tuple) else (token,))
            factor = token if factor is None else factor * token
    return total


def raised(function, exponent):
    return lambda *x: function(*x) ** exponent


# ---------------------------------------------------------------- MathML

class MathML:
    """Rows of an aligned table: (left, right); of lines that go on, the right-hand sides follow each other."""

    def __init__(self, values):
        self.values = values

    def name(self, element):
        """(letter, index, dots), or None."""
        while element.tag == "mrow" and len(element) == 1:
            element = element[0]
        if element.tag == "mi":
            return element.text, "", 0
        if element.tag == "mover" and element[1].text in "˙¨":
            return element[0].text, "", 1 if element[1].text == "˙" else 2
        if element.tag == "msub":
            base = self.name(element[0])
            return base and (base[0], "".join(element[1].itertext()), base[2])
        return None

    def tokens(self, elements):
        """The flat list for product(); parentheses that are closed in another line are read here, too."""
        found, stack = [], []
        for element in self.flat(elements):
            text = (element.text or "").strip()
            if element.tag == "mo" and element.get("fence") and element.get("form") == "prefix" and text != "|":
                stack.append(found)
                found = []
            elif element.tag == "mo" and element.get("fence") and text != "|":
                inner = self.arguments(found)
                found = stack.pop()
                found.append(inner[0] if len(inner) == 1 else tuple(inner))
            else:
                found += self.one(element, text)
        assert not stack
        return found

    def arguments(self, tokens):
        parts = [list(group) for comma, group in itertools.groupby(tokens, lambda t: t == ",") if not comma]
        return [product(self.values, part) for part in parts]

    def flat(self, elements):
        for element in elements:
            bars = element.tag == "mrow" and len(element) and (element[0].text or "") == "|"
            if element.tag == "mrow" and not bars:
                yield from self.flat(element)
            else:
                yield element

    def value(self, element):
        return product(self.values, self.tokens([element]))

    def one(self, element, text):
        if element.tag == "mrow":
            return [abs(product(self.values, self.tokens(element[1:-1])))]
        if element.tag == "mn":
            return [float(text)]
        if element.tag == "mo":
            return {"+": ["+"], "−": ["-"], "\u2062": ["*"], "\u2061": [], ",": [","], "/": ["/"]}[text]
        if element.tag == "mspace":
            return []
        if element.tag == "mfrac":
            return [self.value(element[0]) / self.value(element[1])]
        if element.tag == "msqrt":
            return [math.sqrt(product(self.values, self.tokens(element)))]
        if element.tag == "mi" and text in FUNCTIONS:
            return [FUNCTIONS[text]]
        if element.tag == "msup":
            inside = list(self.flat([element[0]]))
            if len(inside) == 1 and inside[0].tag == "mi" and inside[0].text in FUNCTIONS:
                return [raised(FUNCTIONS[inside[0].text], self.value(element[1]))]
            return [self.value(element[0]) ** self.value(element[1])]
        return [self.values.of(self.name(element))]

    def rows(self, text):
        root = ElementTree.fromstring("<page>" + text.replace("&#x2061;", "\u2061").replace("&#x2062;", "\u2062") + "</page>")
        found = []
        for table in root.iterfind("./div/math/mtable"):
            first = len(found)
            for row in table:
                left, right = list(row[0]), list(row[1])
                if left:
                    found.append((left, right[1:]))  # without the =
                elif len(found) > first:
                    found[-1][1].extend(right)
        return found

    def left(self, elements):
        return self.name(elements[0]) if len(elements) == 1 else None

    def right(self, elements):
        return product(self.values, slashes(self.tokens(elements)))

    def matrix(self, text):
        root = ElementTree.fromstring("<page>" + text.replace("&#x2061;", "\u2061").replace("&#x2062;", "\u2062") + "</page>")
        for table in root.iter("mtable"):
            if table.find(".//mtable") is None and any(table in list(row) for row in root.iter("mrow")):
                return [[product(self.values, self.tokens(list(cell))) for cell in row] for row in table]
        return None


def slashes(tokens):
    """a / b for a value, a slash and a value."""
    found = []
    for token in tokens:
        if found and found[-1] == "/":
            found.pop()
            token = found.pop() / token
        found.append(token)
    return found


# ---------------------------------------------------------------- LaTeX

class LaTeX:
    TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[a-zA-Z]|\d+|[{}^_+\-=,()\[\]|/&]|\s+")

    def __init__(self, values):
        self.values = values
        self.letters = {"\\" + {"epsilon": "varepsilon", "phi": "varphi"}.get(name, name): letter for name, letter in GREEK.items()}

    def rows(self, text):
        found = []
        for block in re.findall(r"\\begin\{align\*\}\n(.*?)\\end\{align\*\}", text, re.S):
            first = len(found)
            if "bmatrix" in block:
                continue
            for line in re.split(r"\\\\\n", block):
                left, _, right = line.partition("&")
                if left.strip() and right.startswith("="):
                    found.append([left, right[1:]])
                elif len(found) > first and not left.strip():
                    found[-1][1] += right
        return found

    def lex(self, text):
        text = re.sub(r"\\,|\\(left|right|bigl|bigr|quad|qquad)(?![a-zA-Z])", " ", text)
        return [token for token in self.TOKEN.findall(text) if not token.isspace()]

    def group(self):
        assert self.at[0] == "{", self.at[:5]
        del self.at[0]
        return self.sum("}")

    def raw_group(self):
        end = self.at.index("}")
        text = "".join(self.at[1:end])
        del self.at[:end + 1]
        return text

    def index(self):
        """{...} behind _: letters and numbers as they are."""
        depth, found = 0, []
        while True:
            token = self.at.pop(0)
            depth += (token == "{") - (token == "}")
            if token not in "{}_" and token != "\\mathrm":
                found.append(self.letters.get(token, token))
            if depth == 0:
                return "".join(found)

    def letter(self, token):
        if token == "\\mathrm":
            return self.raw_group().replace("\\", "")
        return self.letters.get(token, token)

    def name(self, token):
        dots = {"\\dot": 1, "\\ddot": 2}.get(token, 0)
        if dots:
            assert self.at.pop(0) == "{"
            letter = self.letter(self.at.pop(0))
            assert self.at.pop(0) == "}"
        else:
            letter = self.letter(token)
        index = ""
        if self.at and self.at[0] == "_":
            del self.at[0]
            index = self.index()
        return letter, index, dots

    def atom(self):
        token = self.at.pop(0)
        function = token[1:] if token[0] == "\\" else ""
        if token == "{":
            self.at.insert(0, token)
            return self.group()
        if token.isdigit():
            return float(token)
        if token in "([":
            inner = [self.sum(",)]")]
            while self.closed == ",":
                inner.append(self.sum(",)]"))
            return inner[0] if len(inner) == 1 else tuple(inner)
        if token == "|":
            return abs(self.sum("|"))
        if token == "\\frac":
            above = self.group()
            return above / self.group()
        if token == "\\sqrt":
            return math.sqrt(self.group())
        if token == "\\operatorname":
            function = self.raw_group()
        if function in FUNCTIONS:
            return FUNCTIONS[function]
        return self.values.of(self.name(token))

    def sum(self, stop):
        tokens = []
        while self.at and self.at[0] not in stop:
            if self.at[0] in "+-/":
                tokens.append(self.at.pop(0))
                continue
            value = self.atom()
            if self.at and self.at[0] == "^":
                del self.at[0]
                exponent = self.group()
                value = raised(value, exponent) if callable(value) else value ** exponent
            tokens.append(value)
        self.closed = self.at.pop(0) if self.at and stop else ""
        return product(self.values, slashes(tokens))

    def left(self, text):
        self.at = self.lex(text)
        key = self.name(self.at.pop(0))
        return key if not self.at else None

    def right(self, text):
        self.at = [token for token in self.lex(text) if token != "&"]
        # {} keeps the space of a sign at the beginning of a line
        self.at = [t for i, t in enumerate(self.at) if not (t == "{" and self.at[i + 1] == "}" or t == "}" and i and self.at[i - 1] == "{")]
        return self.sum("")

    def matrix(self, text):
        body = re.search(r"\\begin\{bmatrix\}\n(.*?)\n\\end\{bmatrix\}", text, re.S)
        return body and [[self.right(cell) for cell in row.split(" & ")] for row in re.split(r" \\\\\n", body[1])]


class Language:
    """--format model: a formula on each line."""

    def __init__(self, values):
        self.values = values

    def rows(self, text):
        return [line.strip().split(" = ", 1) for line in text.splitlines() if line.startswith("    ") and " = " in line]

    def left(self, text):
        return key_of(text)

    def right(self, text):
        return self.values.language(text)

    def matrix(self, text):
        rows = re.findall(r"\[ (.*) \]$", text, re.M)
        return [[self.values.language(cell) for cell in re.split(r"  +", row.strip())] for row in rows] or None


# ---------------------------------------------------------------- the comparison

def expected(data, values):
    """By what stands on the left: the equations of both kinds, multipliers and reactive forces."""
    second = data["second"]
    found = [(key_of(left), right) for left, right in data["first"]["equations"].items()]
    if second:
        found += [(key_of(left), right) for left, right in second["equations"].items() if left.endswith("''")]
        single = len(second["lambda"]) == 1
        found += [(("λ", "" if single else str(a + 1), 0), right) for a, right in enumerate(second["lambda"])]
        if second["lambda"]:
            for coordinate, right in zip(data["coordinates"], second["R"]):
                letter, index, _ = key_of(coordinate)
                found.append((("R", (letter + index).replace(",", ""), 0), right))
    return [(key, values.language(right)) for key, right in found]


def define(data, values):
    for name, text in data["where"]:
        values.known[key_of(name)] = values.language(text)


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


@functools.cache
def derive(program, model, *options):
    done = subprocess.run([program, "derive", "--quiet", model, *options], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def compare_equations(program, model, name, options, reader, data, values):
    own = Values(values.seed)
    reader.values = own
    text = derive(program, model, *options)
    large = "too large for formulas" in text  # the second kind: its elimination is shown where it is asked for
    if large:
        text = derive(program, model, *options, "--only", "first,lambda,R")
    rows = [(reader.left(left), right) for left, right in reader.rows(text)]
    for key, right in rows:
        if key and key[0] == "k" and key[1].isdigit():  # where k1 = ...
            own.known.pop(key, None)
    pending = [(key, right) for key, right in rows if key and key[0] == "k" and key[1].isdigit() and key[2] == 0]
    for key, right in pending:
        own.known[key] = reader.right(right)
    shown = [(key, right) for key, right in rows if (key, right) not in pending]
    wanted = expected(data, values)
    compared = 0
    for key, value in wanted:
        if large and key[2] == 2:
            continue
        mine = [right for k, right in shown if k and (k[0], k[1].replace(",", ""), k[2]) == key]
        assert mine, f"{model}: {name} has no equation for {key}"
        assert any(close(reader.right(right), value) for right in mine), \
            f"{model}: {name}: {key} is {[reader.right(r) for r in mine]}, not {value}"
        compared += 1
    return compared


def compare_matrices(program, model, name, options, reader, data, values):
    compared = 0
    for key, part in MATRICES.items():
        given = data.get(key) if part == "g" else (data[part] or {}).get(key)
        if not given or len(given) * len(given[0]) < 2:
            continue
        if key.startswith("G_upper") and len(given) == 1:
            continue
        reader.values = Values(values.seed)
        text = derive(program, model, "--only", key, "--width", "2000", *options)
        if re.search(r"where", text):
            continue
        mine = reader.matrix(text)
        assert mine, f"{model}: {name} has no matrix {key}"
        want = [[values.language(entry) for entry in row] for row in given]
        assert len(mine) == len(want) and all(len(a) == len(b) for a, b in zip(mine, want)), f"{model}: {name}: size of {key}"
        for a, b in zip(sum(mine, []), sum(want, [])):
            assert close(a, b), f"{model}: {name}: {key}: {a}, not {b}"
            compared += 1
    return compared


def main():
    program, models = sys.argv[1], sys.argv[2:]
    compared = 0
    formats = [("LaTeX", ["--format", "latex"], LaTeX), ("MathML", ["--format", "mathml"], MathML),
               ("narrow LaTeX", ["--format", "latex", "--width", "40"], LaTeX),
               ("narrow MathML", ["--format", "mathml", "--width", "40"], MathML),
               ("the model language", ["--format", "model"], Language)]
    for model in models:
        data = json.loads(derive(program, model, "--format", "json"))
        for seed in range(2):
            values = Values(seed)
            define(data, values)
            for name, options, reader in formats:
                compared += compare_equations(program, model, name, options, reader(values), data, values)
                if seed == 0 and "narrow" not in name:
                    compared += compare_matrices(program, model, name, options, reader(values), data, values)
    print(f"{compared} formulas read back")
    sys.exit(0 if compared > 100 else 1)


if __name__ == "__main__":
    main()
