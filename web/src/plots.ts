// The plots over time, one for each kind of columns, all with one time axis.

import uPlot from "uplot";
import { axis, calmRange, closeRange, onTap, plotHeight, powerNote } from "./chart";
import type { Clock } from "./clock";
import { between, type Column, type Kind, type Motion } from "./data";
import { decimate, type Span } from "./decimate";
import { element, whenSeen } from "./dom";
import { nameNode } from "./names";
import { readable, timeText, writeNumber } from "./numbers";
import { onThemeChange, seriesColour } from "./theme";

interface Family {
    title: string;
    kinds: Kind[];
    drift?: boolean;
}

const families: Family[] = [
    { title: "Coordinates", kinds: ["coordinate"] },
    { title: "Angles", kinds: ["angle"] },
    { title: "Rates of coordinates", kinds: ["rate"] },
    { title: "Rates of angles", kinds: ["angle-rate"] },
    { title: "Velocities", kinds: ["velocity"] },
    { title: "Observed", kinds: ["observed"] },
    { title: "Energy", kinds: ["energy"] },
    { title: "Drift of the energy", kinds: ["energy"], drift: true },
    { title: "Integrals", kinds: ["integral"] },
    { title: "Drift of the integrals", kinds: ["integral"], drift: true },
    { title: "Reactions", kinds: ["reaction"] },
    { title: "Multipliers", kinds: ["multiplier"] },
];

/** More curves than can be told apart are not shown at first. */
const mostShown = 8;

function driftOf(column: Column, first: number): Column {
    const reference = column.values[first];
    return { name: column.name, kind: column.kind, values: column.values.map((x) => x - reference) };
}

/** The part of the time that all plots show. */
export class Window {
    span: Span;
    private readonly listeners: (() => void)[] = [];

    constructor(private readonly motion: Motion) {
        this.span = this.all;
    }

    get all(): Span {
        const { start, end } = this.motion;
        return end > start ? { from: start, to: end } : { from: start - 0.5, to: start + 0.5 };
    }

    within({ from, to }: Span): Span {
        return { from: Math.max(from, this.all.from), to: Math.min(to, this.all.to) };
    }

    set(span: Span): void {
        this.span = span;
        for (const listener of this.listeners) listener();
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }
}

class Legend {
    readonly root = element("div", { class: "legend" });
    private readonly values: HTMLElement[] = [];

    constructor(columns: Column[], shown: boolean[], drift: boolean, toggle: (series: number) => void) {
        columns.forEach((column, i) => {
            const mark = element("span", { class: "swatch" });
            const value = element("span", { class: "value" });
            const name = nameNode(column.name, drift ? "Δ" : "");
            const entry = element("button", { type: "button", "aria-pressed": String(shown[i]), title: `${column.name}: show or hide` });
            entry.append(mark, name, value);
            entry.addEventListener("click", () => {
                shown[i] = !shown[i];
                entry.setAttribute("aria-pressed", String(shown[i]));
                toggle(i);
            });
            const paint = () => (mark.style.background = seriesColour(i));
            onThemeChange(paint);
            paint();
            this.values.push(value);
            this.root.append(entry);
        });
    }

    show(values: number[]): void {
        values.forEach((x, i) => writeNumber(this.values[i], x));
    }
}

class TimePlot {
    readonly root: HTMLElement;
    private readonly plot: uPlot;
    private readonly legend: Legend;
    private readonly marker = element("div", { class: "marker" }, element("span"));
    private readonly when = element("span");
    private readonly power = powerNote();
    private readonly shown: boolean[];
    private hover: number | null = null;
    private seen = true;

    constructor(
        private readonly family: Family,
        private readonly columns: Column[],
        private readonly clock: Clock,
        private readonly window: Window,
        parent: HTMLElement,
    ) {
        this.shown = columns.map((_, i) => i < mostShown);
        this.legend = new Legend(columns, this.shown, family.drift === true, (i) => this.plot.setSeries(i + 1, { show: this.shown[i] }));
        const field = element("div", { class: "field", tabindex: 0, role: "img", "aria-label": this.describe() });
        const title = element("h3", {}, family.title, " ", this.power.node);
        this.root = element("section", { class: "plot" }, element("header", {}, title, element("span", { class: "when" }, element("i", {}, "t"), " = ", this.when)), field, this.legend.root);
        parent.append(this.root);
        this.plot = new uPlot(this.options(field.clientWidth), [[], ...columns.map(() => [])], field);
        this.plot.over.append(this.marker);
        this.listen(field);
        this.load();
    }

    private describe(): string {
        const names = this.columns.map((column) => column.name).join(", ");
        const { start, end } = this.clock.motion;
        return `${this.family.title} over time: ${names}, from t = ${readable(start)} to ${readable(end)}. Arrow keys step, plus and minus zoom, 0 shows everything.`;
    }

    private options(width: number): uPlot.Options {
        const range = this.family.drift ? closeRange : calmRange;
        return {
            width: Math.max(width, 100),
            height: plotHeight,
            padding: [8, 16, 0, 0],
            pxAlign: 0, // rounded to whole pixels, smooth curves would have corners
            scales: { x: { time: false }, y: { range: (_, low, high) => range(low, high) } },
            axes: [axis(28), axis(58, this.power.show)],
            legend: { show: false },
            cursor: {
                y: false,
                points: { show: false },
                drag: { x: true, y: false, setScale: false, dist: 5 },
                bind: { dblclick: () => () => null },
            },
            series: [
                {},
                ...this.columns.map((_, i) => ({ stroke: () => seriesColour(i), width: 1.5, points: { show: false }, show: this.shown[i] })),
            ],
            hooks: {
                setSelect: [(plot) => this.zoom(plot)],
                setCursor: [(plot) => this.point(plot)],
                setSize: [() => this.tick()],
            },
        };
    }

    private listen(field: HTMLElement): void {
        const { over } = this.plot;
        onTap(over, (event) => event.pointerType !== "touch" && this.goTo(event));
        over.addEventListener("dblclick", () => this.window.set(this.window.all));
        this.scrub(over, (event) => event.pointerType === "touch");
        this.scrub(this.marker, () => true);
        // The marker is taken, not a part of the plot.
        this.marker.addEventListener("mousedown", (event) => event.stopPropagation());
        new ResizeObserver(() => this.resize(field.clientWidth)).observe(field);
        whenSeen(this.root, "100px", (seen) => {
            this.seen = seen;
            if (seen) this.tick();
        });
        field.addEventListener("keydown", (event) => this.key(event));
        onThemeChange(() => this.plot.redraw(false));
        this.clock.onMove(() => this.tick());
        this.window.onChange(() => this.load());
    }

    private key(event: KeyboardEvent): void {
        const { from, to } = this.window.span;
        const { time } = this.clock;
        const around = (factor: number): Span => ({ from: time - (time - from) * factor, to: time + (to - time) * factor });
        if (event.key === "+" || event.key === "=") this.window.set(this.window.within(around(0.7)));
        else if (event.key === "-") this.window.set(this.window.within(around(1 / 0.7)));
        else if (event.key === "0") this.window.set(this.window.all);
        else return;
        event.preventDefault();
    }

    private scrub(target: HTMLElement, wanted: (event: PointerEvent) => boolean): void {
        target.addEventListener("pointerdown", (event) => {
            if (!wanted(event) || event.button !== 0) return;
            event.stopPropagation();
            target.setPointerCapture(event.pointerId);
            this.goTo(event);
        });
        target.addEventListener("pointermove", (event) => {
            if (target.hasPointerCapture(event.pointerId)) this.goTo(event);
        });
    }

    private goTo(event: PointerEvent): void {
        const left = event.clientX - this.plot.over.getBoundingClientRect().left;
        this.clock.pause();
        this.clock.set(this.plot.posToVal(left, "x"));
    }

    private zoom(plot: uPlot): void {
        const { left, width } = plot.select;
        if (width < 5) return;
        const span = { from: plot.posToVal(left, "x"), to: plot.posToVal(left + width, "x") };
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        if (span.to > span.from) this.window.set(span);
    }

    private point(plot: uPlot): void {
        const { left } = plot.cursor;
        this.hover = left === undefined || left < 0 ? null : plot.posToVal(left, "x");
        this.tick();
    }

    private resize(width: number): void {
        if (width === 0 || width === this.plot.width) return;
        this.plot.setSize({ width, height: plotHeight });
        this.load();
    }

    private load(): void {
        const { span } = this.window;
        const pixels = Math.max(50, Math.round((this.plot.width - 74) * devicePixelRatio));
        const { time } = this.clock.motion;
        const data = decimate(time, this.columns.map((column) => column.values), span, pixels);
        this.plot.batch(() => {
            this.plot.setData(data as uPlot.AlignedData, false);
            this.plot.setScale("x", { min: span.from, max: span.to });
        });
        this.tick();
    }

    /** Marks the time and reads the values off. */
    private tick(): void {
        if (!this.seen || !this.plot) return;
        const { motion, time } = this.clock;
        const left = this.plot.valToPos(time, "x");
        const inside = left >= -1 && left <= this.plot.over.clientWidth + 1;
        this.marker.hidden = !inside;
        if (inside) this.marker.style.transform = `translateX(${left.toFixed(1)}px)`;
        const read = Math.min(Math.max(this.hover ?? time, motion.start), motion.end);
        const at = motion.locate(read);
        this.legend.show(this.columns.map((column) => between(column.values, at)));
        this.when.textContent = timeText(read, motion.end - motion.start);
    }
}

export function timePlots(motion: Motion, clock: Clock, parent: HTMLElement): void {
    const window = new Window(motion);
    for (const family of families) {
        const columns = motion.columns.filter((column) => family.kinds.includes(column.kind));
        if (columns.length === 0) continue;
        const drawn = family.drift ? columns.map((column) => driftOf(column, motion.first)) : columns;
        new TimePlot(family, drawn, clock, window, parent);
    }
}
