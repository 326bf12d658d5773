// Names as they are written by hand: theta' is θ with a dot, R_x is R with the index x.

const greek: Record<string, string> = {
    alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", iota: "ι",
    kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", upsilon: "υ",
    phi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π",
    Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω",
};

interface Parts {
    stem: string;
    index: string;
    dots: number;
}

function split(name: string): Parts | null {
    const found = /^([A-Za-z]+)(?:_?([0-9]+)|_([A-Za-z0-9_]+))?('{0,2})$/.exec(name);
    if (!found) return null;
    const [, stem, number, word, primes] = found;
    const index = number ?? word ?? "";
    return { stem: greek[stem] ?? stem, index: greek[index] ?? index, dots: primes.length };
}

// In plain text a dot stands well over one letter only; longer names keep their prime.
function dotted({ stem, dots }: Parts): string {
    if (dots === 0) return stem;
    return [...stem].length === 1 ? stem + (dots === 1 ? "\u0307" : "\u0308") : stem + "′".repeat(dots);
}

const digits = "₀₁₂₃₄₅₆₇₈₉";

/** For places that take no markup, such as a menu. */
export function plainName(name: string): string {
    const parts = split(name);
    if (!parts) return name;
    const index = /^[0-9]+$/.test(parts.index)
        ? [...parts.index].map((digit) => digits[Number(digit)]).join("")
        : parts.index && `_${parts.index}`;
    return dotted(parts) + index;
}

function math(tag: string, ...children: (Node | string)[]): Element {
    const made = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
    made.append(...children);
    return made;
}

function accented({ stem, dots }: Parts): Element {
    if (dots === 0) return math("mi", stem);
    return math("mover", math("mi", stem), math("mo", dots === 1 ? "˙" : "¨"));
}

/** As in the equations, by the same means. */
export function nameNode(name: string, before = ""): HTMLElement {
    const node = document.createElement("span");
    node.className = "name";
    const parts = split(name);
    if (!parts) {
        node.append(before + name);
        return node;
    }
    const letter = accented(parts);
    const digits = /^[0-9]+$/.test(parts.index);
    const whole = parts.index ? math("msub", letter, math(digits ? "mn" : "mi", parts.index)) : letter;
    node.append(math("math", ...(before ? [math("mo", before), whole] : [whole])));
    return node;
}
