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

// A dot stands well over one letter only; longer names keep their prime.
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

export function nameNode(name: string): HTMLElement {
    const node = document.createElement("span");
    node.className = "name";
    const parts = split(name);
    node.append(parts ? dotted(parts) : name);
    if (parts?.index) {
        const sub = document.createElement("sub");
        sub.append(parts.index);
        node.append(sub);
    }
    return node;
}
