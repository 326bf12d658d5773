// Long columns are thinned for the screen so that nothing is lost that could be seen: of all rows that fall onto
// one column of pixels the smallest and the largest value stay, in their order.

import { lastNotAfter } from "./data";

export interface Span {
    from: number;
    to: number;
}

/** The rows between two times, with one more on each side so that lines run out of the picture. */
export function rowsBetween(time: Float64Array, span: Span): [number, number] {
    const first = lastNotAfter(time, span.from);
    const last = Math.min(lastNotAfter(time, span.to) + 1, time.length - 1);
    return [first, last];
}

export type Thinned = (number | null)[];

function whole(values: Float64Array, first: number, last: number): Thinned {
    return Array.from(values.subarray(first, last + 1), (x) => (Number.isNaN(x) ? null : x));
}

// The first row of every column of pixels, and the end.
function edges(time: Float64Array, first: number, last: number, columns: number): Int32Array {
    const made = new Int32Array(columns + 1);
    const step = (time[last] - time[first]) / columns;
    let row = first;
    for (let i = 0; i < columns; i++) {
        made[i] = row;
        const end = time[first] + (i + 1) * step;
        while (row <= last && time[row] < end) row++;
    }
    made[columns] = last + 1;
    return made;
}

function extremes(values: Float64Array, from: number, to: number): [number | null, number | null] {
    let low = -1;
    let high = -1;
    for (let row = from; row < to; row++) {
        const x = values[row];
        if (Number.isNaN(x)) continue;
        if (low < 0 || x < values[low]) low = row;
        if (high < 0 || x > values[high]) high = row;
    }
    if (low < 0) return [null, null];
    return low <= high ? [values[low], values[high]] : [values[high], values[low]];
}

/** The times and the series of a span for so many columns of pixels. */
export function decimate(time: Float64Array, series: Float64Array[], span: Span, columns: number): Thinned[] {
    const [first, last] = rowsBetween(time, span);
    if (last - first < 4 * columns) return [time, ...series].map((values) => whole(values, first, last));
    const edge = edges(time, first, last, columns);
    const made: Thinned[] = [[], ...series.map(() => [])];
    for (let i = 0; i < columns; i++) {
        const [from, to] = [edge[i], edge[i + 1]];
        if (from >= to) continue;
        made[0].push(time[from], time[to - 1]);
        series.forEach((values, k) => made[k + 1].push(...extremes(values, from, to)));
    }
    return made;
}
