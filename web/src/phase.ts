// One column over another: paths and phase portraits.

import uPlot from "uplot";
import { axis, calmRange, plotHeight, powerNote } from "./chart";
import type { Clock } from "./clock";
import { between, type Column, type Motion } from "./data";
import { element, whenSeen } from "./dom";
import { plainName } from "./names";
import { readable } from "./numbers";
import { onThemeChange, seriesColour } from "./theme";

type Range = [number, number];

function rangeOf(values: Float64Array): Range {
    let low = Infinity;
    let high = -Infinity;
    for (const x of values) {
        if (x < low) low = x;
        if (x > high) high = x;
    }
    return low <= high ? [low, high] : [-1, 1];
}

function varies(column: Column): boolean {
    const [low, high] = rangeOf(column.values);
    return high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high), 1e-9);
}

// A coordinate over its rate where both change; else the first two columns that do.
function firstChoice(columns: Column[]): [number, number] {
    for (const [i, column] of columns.entries()) {
        const rate = columns.findIndex((other) => other.name === `${column.name}'`);
        const angle = column.kind === "angle";
        if (angle && rate >= 0 && varies(column) && varies(columns[rate])) return [i, rate];
    }
    const places = columns.flatMap((column, i) => (column.kind !== "time" && varies(column) ? [i] : []));
    return [places[0] ?? 0, places[1] ?? Math.min(1, columns.length - 1)];
}

// How often a line went through every pixel, up to a few times.
class Visits {
    private readonly counts: Uint8Array;

    constructor(private readonly width: number, private readonly height: number) {
        this.counts = new Uint8Array(width * height);
    }

    /** Whether that made a difference. Outside of the picture every line may, as it can lead back in. */
    add(x: number, y: number): boolean {
        const [column, row] = [Math.floor(x), Math.floor(y)];
        if (!(column >= 0 && row >= 0 && column < this.width && row < this.height)) return true;
        const place = row * this.width + column;
        if (this.counts[place] >= 3) return false;
        this.counts[place]++;
        return true;
    }
}

type ToPixel = (value: number) => number;

// All rows, but nothing within a pixel, and nothing over and over between pixels that are painted already. In pieces,
// as the time for one long line grows with the square of its length.
function drawLine(ctx: CanvasRenderingContext2D, xs: Float64Array, ys: Float64Array, px: ToPixel, py: ToPixel): void {
    const painted = new Visits(ctx.canvas.width, ctx.canvas.height);
    let [lastX, lastY, pieces, down] = [NaN, NaN, 0, false];
    const draw = (x: number, y: number) => {
        if (!down) ctx.moveTo(lastX, lastY);
        ctx.lineTo(x, y);
        down = ++pieces % 1000 !== 0;
        if (down) return;
        ctx.stroke();
        ctx.beginPath();
    };
    ctx.beginPath();
    for (let i = 0; i < xs.length; i++) {
        const [x, y] = [px(xs[i]), py(ys[i])];
        if (Math.abs(x - lastX) < 0.7 && Math.abs(y - lastY) < 0.7) continue;
        if (painted.add(x, y) && !Number.isNaN(lastX + lastY)) draw(x, y);
        else down = false;
        [lastX, lastY] = [x, y];
    }
    ctx.stroke();
}

export class PhasePlot {
    private readonly root: HTMLElement;
    private readonly field = element("div", { class: "field", tabindex: 0, role: "img" });
    private readonly marker = element("div", { class: "dot" });
    private readonly when = element("span", { class: "when" });
    private readonly powers = [powerNote(), powerNote()];
    private readonly columns: Column[];
    private readonly plot: uPlot;
    private x: Column;
    private y: Column;
    private seen = true;

    constructor(motion: Motion, private readonly clock: Clock, parent: HTMLElement) {
        this.columns = motion.columns.filter((column) => column.kind !== "hidden");
        const [first, second] = firstChoice(this.columns);
        this.x = this.columns[first];
        this.y = this.columns[second];
        const across = this.menu("Across", first, (column) => (this.x = column));
        const upward = this.menu("Upward", second, (column) => (this.y = column));
        const head = element("header", {}, element("h3", {}, "Phase portrait"), this.when);
        const choose = element("div", { class: "choose" }, upward, this.powers[1].node, element("span", {}, "over"), across, this.powers[0].node);
        this.root = element("section", { class: "plot" }, head, this.field, choose);
        parent.append(this.root);
        this.plot = new uPlot(this.options(), this.data(), this.field);
        this.plot.over.append(this.marker);
        this.listen();
        this.reset();
    }

    private menu(label: string, chosen: number, take: (column: Column) => void): HTMLSelectElement {
        const made = element("select", { "aria-label": label });
        this.columns.forEach((column, i) => made.append(element("option", { value: i, selected: i === chosen }, plainName(column.name))));
        made.addEventListener("change", () => {
            take(this.columns[Number(made.value)]);
            this.plot.setData(this.data(), false);
            this.reset();
        });
        return made;
    }

    private data(): uPlot.AlignedData {
        return [null, [this.x.values, this.y.values]] as unknown as uPlot.AlignedData;
    }

    private options(): uPlot.Options {
        return {
            mode: 2,
            width: Math.max(this.field.clientWidth, 100),
            height: plotHeight,
            padding: [8, 16, 0, 0],
            scales: { x: { time: false, auto: false, range: [-1, 1] }, y: { auto: false, range: [-1, 1] } },
            axes: [axis(28, this.powers[0].show), axis(58, this.powers[1].show)],
            legend: { show: false },
            cursor: {
                points: { show: false },
                drag: { x: true, y: true, setScale: false, dist: 5 },
                bind: { dblclick: () => () => null },
                dataIdx: () => null as unknown as number,
            },
            series: [
                null as unknown as uPlot.Series,
                {
                    facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }],
                    stroke: () => seriesColour(0),
                    paths: (plot) => this.trace(plot),
                } as uPlot.Series,
            ],
            hooks: { setSelect: [(plot) => this.zoom(plot)] },
        };
    }

    private trace(plot: uPlot): null {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        ctx.strokeStyle = seriesColour(0);
        ctx.lineWidth = 1.5 * devicePixelRatio;
        ctx.lineJoin = "round";
        drawLine(ctx, this.x.values, this.y.values, this.toPixel(plot, "x"), this.toPixel(plot, "y"));
        ctx.restore();
        return null;
    }

    private toPixel(plot: uPlot, scale: "x" | "y"): ToPixel {
        const { min, max } = plot.scales[scale] as { min: number; max: number };
        const { left, top, width, height } = plot.bbox;
        if (scale === "x") return (value) => left + ((value - min) / (max - min)) * width;
        return (value) => top + ((max - value) / (max - min)) * height;
    }

    private listen(): void {
        this.plot.over.addEventListener("dblclick", () => this.reset());
        new ResizeObserver(() => {
            if (this.field.clientWidth === 0 || this.field.clientWidth === this.plot.width) return;
            this.plot.setSize({ width: this.field.clientWidth, height: plotHeight });
            this.reset();
        }).observe(this.field);
        whenSeen(this.root, "100px", (seen) => {
            this.seen = seen;
            if (seen) this.tick();
        });
        onThemeChange(() => this.plot.redraw(false));
        this.clock.onMove(() => this.tick());
    }

    private setRanges(x: Range, y: Range): void {
        this.plot.batch(() => {
            this.plot.setScale("x", { min: x[0], max: x[1] });
            this.plot.setScale("y", { min: y[0], max: y[1] });
        });
        this.tick();
    }

    private reset(): void {
        let x = calmRange(...rangeOf(this.x.values));
        let y = calmRange(...rangeOf(this.y.values));
        // A path on the ground has the same scale both ways.
        if (this.x.kind === "coordinate" && this.y.kind === "coordinate") [x, y] = this.alike(x, y);
        this.field.setAttribute("aria-label", `${this.y.name} over ${this.x.name}`);
        this.setRanges(x, y);
    }

    private alike(x: Range, y: Range): [Range, Range] {
        const { clientWidth: width, clientHeight: height } = this.plot.over;
        if (width === 0 || height === 0) return [x, y];
        const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
        const around = ([low, high]: Range, size: number): Range => [(low + high - size) / 2, (low + high + size) / 2];
        return [around(x, unit * width), around(y, unit * height)];
    }

    private zoom(plot: uPlot): void {
        const { left, top, width, height } = plot.select;
        if (width < 5 || height < 5) return;
        const x: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
        const y: Range = [plot.posToVal(top + height, "y"), plot.posToVal(top, "y")];
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.setRanges(x, y);
    }

    private tick(): void {
        if (!this.seen) return;
        const at = this.clock.motion.locate(this.clock.time);
        const [x, y] = [between(this.x.values, at), between(this.y.values, at)];
        const [left, top] = [this.plot.valToPos(x, "x"), this.plot.valToPos(y, "y")];
        const { clientWidth, clientHeight } = this.plot.over;
        this.marker.hidden = !(left >= 0 && top >= 0 && left <= clientWidth && top <= clientHeight);
        this.marker.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
        this.when.textContent = `${readable(y)} over ${readable(x)}`;
    }
}
