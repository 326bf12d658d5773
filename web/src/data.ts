// What the program wrote into the page: the columns of the motion and the items of the picture.

export type Kind =
    | "time"
    | "coordinate"
    | "angle"
    | "rate"
    | "angle-rate"
    | "velocity"
    | "observed"
    | "reaction"
    | "multiplier"
    | "energy"
    | "integral"
    | "hidden";

export interface Column {
    name: string;
    kind: Kind;
    values: Float64Array;
}

/** A number, or where to find it in every row. */
export type Value = number | { column: number };
export type Triple = [Value, Value, Value];
export type Group = "velocity" | "reaction" | "given";

export type Item =
    | { kind: "point" | "path"; name?: string; at: Triple }
    | { kind: "ball"; name?: string; at: Triple; radius: Value; frame?: Value[] | null }
    | { kind: "disc"; name?: string; at: Triple; radius: Value; axis: Triple; frame?: Value[] | null }
    | { kind: "rod"; name?: string; from: Triple; to: Triple; radius?: Value | null }
    | { kind: "box"; name?: string; at: Triple; size: Triple; frame?: Value[] | null }
    | { kind: "ellipsoid"; name?: string; at: Triple; axes: Triple; frame?: Value[] | null; turned?: number[] }
    | { kind: "vector"; name?: string; at: Triple; along: Triple; group: Group }
    | { kind: "ground"; name?: string; normal: Triple; at: Triple };

export interface PictureData {
    dimension: 2 | 3;
    up: [number, number, number];
    items: Item[];
}

export interface Download {
    name: string;
    text?: string;
}

interface Written {
    title: string;
    program: string;
    name: string;
    model: string;
    columns: { name: string; kind: Kind }[];
    rows: number;
    values: string;
    picture: PictureData | null;
    downloads: Download[];
}

/** A time between two rows: `fraction` of the way from `row` to the next one. */
export interface Instant {
    time: number;
    row: number;
    fraction: number;
}

export class Motion {
    readonly time: Float64Array;
    readonly rows: number;
    readonly start: number;
    readonly end: number;
    /** A motion followed backwards in time is kept forwards; the file that is downloaded is as it was written. */
    readonly backward: boolean;

    constructor(readonly columns: Column[]) {
        const time = columns.find((column) => column.kind === "time") ?? columns[0];
        this.time = time ? time.values : new Float64Array(0);
        this.rows = this.time.length;
        this.backward = this.rows > 1 && this.time[this.rows - 1] < this.time[0];
        if (this.backward) for (const column of columns) column.values.reverse();
        this.start = this.rows > 0 ? this.time[0] : 0;
        this.end = this.rows > 0 ? this.time[this.rows - 1] : 0;
    }

    /** The row with which the motion began. */
    get first(): number {
        return this.backward ? this.rows - 1 : 0;
    }

    locate(time: number): Instant {
        const row = Math.min(lastNotAfter(this.time, time), Math.max(this.rows - 2, 0));
        const step = this.rows > 1 ? this.time[row + 1] - this.time[row] : 0;
        const fraction = step > 0 ? Math.min(Math.max((time - this.time[row]) / step, 0), 1) : 0;
        return { time, row, fraction };
    }

    /** Rows spread over the motion, for what need not look at every one of a million. */
    sample(most: number): Instant[] {
        const count = Math.min(this.rows, most);
        return Array.from({ length: count }, (_, i) => {
            const row = count > 1 ? Math.round((i * (this.rows - 1)) / (count - 1)) : 0;
            return { time: this.time[row], row, fraction: 0 };
        });
    }
}

export function between(values: Float64Array, at: Instant): number {
    const here = values[at.row];
    return at.fraction === 0 ? here : here + at.fraction * (values[at.row + 1] - here);
}

/** The last index with values[index] <= x, or 0. */
export function lastNotAfter(values: Float64Array, x: number): number {
    let low = 0;
    let high = values.length;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (values[middle] <= x) low = middle;
        else high = middle;
    }
    return low;
}

// In pieces, as the text of a long motion is too large to be turned at once.
function decode(text: string, bytes: number): ArrayBuffer {
    const made = new Uint8Array(bytes);
    const piece = 4 << 16;
    for (let from = 0, to = 0; from < text.length; from += piece) {
        const part = atob(text.slice(from, from + piece));
        for (let i = 0; i < part.length; i++) made[to++] = part.charCodeAt(i);
    }
    return made.buffer;
}

function columnsOf(written: Written): Column[] {
    const buffer = decode(written.values, written.columns.length * written.rows * 8);
    return written.columns.map(({ name, kind }, i) => ({
        name,
        kind,
        values: new Float64Array(buffer, i * written.rows * 8, written.rows),
    }));
}

export interface PageData extends Omit<Written, "columns" | "rows" | "values"> {
    motion: Motion;
}

export function readData(): PageData {
    const holder = document.getElementById("data");
    const written = JSON.parse(holder?.textContent ?? "") as Written;
    const { title, program, name, model, picture, downloads } = written;
    return { title, program, name, model, picture, downloads, motion: new Motion(columnsOf(written)) };
}
