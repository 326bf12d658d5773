// Numbers as they are read, not as they are computed.

function minus(text: string): string {
    return text.replace("-", "−");
}

function isPlain(size: number): boolean {
    return size === 0 || (size >= 1e-3 && size < 1e6) || !Number.isFinite(size);
}

function plain(x: number): string {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "—" : x > 0 ? "∞" : "−∞";
    if (x === 0) return "0";
    const digits = Math.max(0, 4 - Math.max(0, Math.floor(Math.log10(Math.abs(x)))));
    return minus(x.toFixed(digits));
}

/** Writes a value with so many digits that it is of use; powers of ten are raised. */
export function writeNumber(node: HTMLElement, x: number): void {
    const size = Math.abs(x);
    const [mantissa, exponent] = isPlain(size) ? [plain(x), ""] : x.toExponential(3).split("e");
    const text = exponent ? `${minus(mantissa)}·10` : mantissa;
    const up = exponent ? minus(String(Number(exponent))) : "";
    if (node.dataset.value === text + up) return; // sixty times in a second, so only where it matters
    node.dataset.value = text + up;
    node.textContent = text;
    if (up) node.append(raised(up));
}

export function raised(exponent: string): HTMLElement {
    const sup = document.createElement("sup");
    sup.textContent = exponent;
    return sup;
}

/** The same where there is only text. */
export function readable(x: number): string {
    return isPlain(Math.abs(x)) ? plain(x) : minus(x.toExponential(3).replace("e-", "e−").replace("e+", "e"));
}

/** A time, with digits that tell the rows apart. */
export function timeText(time: number, span: number): string {
    if (span === 0) return minus(String(time));
    const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(Math.abs(span))), 0), 12);
    return minus(time.toFixed(decimals));
}

export interface Ticks {
    labels: string[];
    /** The power of ten that is left out of the labels. */
    exponent: number;
}

/** The ticks of an axis, all with the same number of digits. */
export function ticks(splits: (number | null)[]): Ticks {
    const known = splits.filter((x): x is number => x !== null);
    const largest = Math.max(...known.map(Math.abs), 0);
    const exponent = isPlain(largest) ? 0 : Math.floor(Math.log10(largest) + 1e-9);
    const unit = 10 ** exponent;
    const step = (known.length > 1 ? Math.abs(known[1] - known[0]) : largest) / unit;
    const decimals = step > 0 ? decimalsOf(step) : 0;
    const label = (x: number | null) => (x === null ? "" : minus(plainZero(x / unit, step).toFixed(decimals)));
    return { labels: splits.map(label), exponent };
}

// As many as a step of 0.25 needs: two, not one.
function decimalsOf(step: number): number {
    for (let digits = 0; digits < 12; digits++) {
        const scaled = step * 10 ** digits;
        if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
    }
    return 12;
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
