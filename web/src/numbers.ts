// Numbers as they are read, not as they are computed.

const raised: Record<string, string> = {
    "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

function power(text: string): string {
    const [mantissa, exponent] = text.split("e");
    const up = [...String(Number(exponent))].map((c) => raised[c]).join("");
    return `${mantissa}·10${up}`;
}

function minus(text: string): string {
    return text.replace("-", "−");
}

/** A value with so many digits that it is of use, always about equally wide. */
export function readable(x: number): string {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "—" : minus(x > 0 ? "∞" : "-∞");
    const size = Math.abs(x);
    if (size === 0) return "0";
    if (size < 1e-3 || size >= 1e6) return minus(power(x.toExponential(3)));
    return minus(x.toFixed(Math.max(0, 4 - Math.max(0, Math.floor(Math.log10(size))))));
}

/** A time, with digits that tell the rows apart. */
export function timeText(time: number, span: number): string {
    if (span === 0) return minus(String(time));
    const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(Math.abs(span))), 0), 12);
    return minus(time.toFixed(decimals));
}

/** The ticks of an axis, all with the same number of digits. */
export function ticks(splits: (number | null)[]): string[] {
    const known = splits.filter((x): x is number => x !== null);
    const largest = Math.max(...known.map(Math.abs), 0);
    const step = known.length > 1 ? Math.abs(known[1] - known[0]) : largest;
    if (largest === 0 || step === 0) return splits.map((x) => (x === null ? "" : "0"));
    if (largest < 1e-3 || largest >= 1e6) return powers(splits, largest, step);
    const decimals = Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 12);
    return splits.map((x) => (x === null ? "" : minus(plainZero(x, step).toFixed(decimals))));
}

function powers(splits: (number | null)[], largest: number, step: number): string[] {
    const digits = Math.max(0, Math.ceil(Math.log10(largest / step) - 1e-9));
    return splits.map((x) => {
        if (x === null) return "";
        if (Math.abs(x) < step / 2) return "0";
        const exponent = Math.floor(Math.log10(Math.abs(x)) + 1e-9);
        const below = Math.floor(Math.log10(largest) + 1e-9) - exponent;
        return minus(power(x.toExponential(Math.max(0, Math.min(digits, 6) - below)).replace(/\.?0+e/, "e")));
    });
}

function plainZero(x: number, step: number): number {
    return Math.abs(x) < step / 1e6 ? 0 : x;
}

/** 1, 2 or 5 times a power of ten, not below x. */
export function roundUp(x: number): number {
    const unit = 10 ** Math.floor(Math.log10(x));
    const found = [1, 2, 5, 10].find((factor) => factor * unit >= x * (1 - 1e-9));
    return (found ?? 10) * unit;
}

export function shortNumber(x: number): string {
    return minus(String(Number(x.toPrecision(6))));
}
