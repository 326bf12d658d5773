// What all plots have in common: axes, colours, ranges.

import type uPlot from "uplot";
import { raised, ticks } from "./numbers";
import { theme } from "./theme";

export const plotHeight = 230;

export function axis(size: number, power: (exponent: number) => void = () => {}): uPlot.Axis {
    return {
        stroke: () => theme().muted,
        grid: { stroke: () => theme().grid, width: 1 },
        ticks: { stroke: () => theme().line, width: 1, size: 4 },
        border: { show: true, stroke: () => theme().line, width: 1 },
        font: theme().font,
        size,
        gap: 5,
        space: size > 40 ? 34 : 64,
        values: (_, splits) => {
            const { labels, exponent } = ticks(splits);
            power(exponent);
            return labels;
        },
    };
}

/** A range with some air; what is constant but for rounding is shown as a straight line. */
export function calmRange(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low + high)) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low > 1e-7 * size) return padded(low, high);
    return size === 0 ? [-1, 1] : padded(low - 0.1 * size, high + 0.1 * size);
}

/** For drifts, which are rounding: they are shown as small as they are. */
export function closeRange(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low + high)) return [-1, 1];
    return high > low ? padded(low, high) : [low - 1e-15, high + 1e-15];
}

function padded(low: number, high: number): [number, number] {
    const air = 0.06 * (high - low);
    return [low - air, high + air];
}

/** Says next to a title by which power of ten the numbers of its axis are to be multiplied. */
export function powerNote(): { node: HTMLElement; show: (exponent: number) => void } {
    const node = document.createElement("span");
    node.className = "power";
    const show = (exponent: number) => {
        node.replaceChildren(...(exponent === 0 ? [] : ["in 10", raised(String(exponent).replace("-", "−"))]));
    };
    return { node, show };
}

/** Where the pointer went down and up again without moving in between. */
export function onTap(target: HTMLElement, tap: (event: PointerEvent) => void): void {
    let x = 0;
    let y = 0;
    target.addEventListener("pointerdown", (event) => ([x, y] = [event.clientX, event.clientY]));
    target.addEventListener("pointerup", (event) => {
        if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < 4) tap(event);
    });
}
