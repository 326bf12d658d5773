// The picture: a canvas, what is drawn on it, and how it is looked at.

import { PCFSoftShadowMap, Vector3, WebGLRenderer } from "three";
import { Director } from "./camera";
import type { Clock } from "./clock";
import type { Group, PictureData } from "./data";
import { element, whenSeen } from "./dom";
import { Labels } from "./labels";
import { shortNumber } from "./numbers";
import { Quality } from "./quality";
import { World, type Body } from "./scene";
import { onThemeChange } from "./theme";

export class Picture {
    readonly canvas: HTMLCanvasElement;
    readonly world: World;
    readonly shown = new Set<Group>(["given"]);
    private readonly labels: Labels;
    private readonly director: Director;
    private readonly caption = element("p", { class: "scale", "aria-hidden": "true" });
    private followed: Body | null = null;
    private readonly followedAt = new Vector3();
    private readonly quality = new Quality();
    private drawn = 0;
    private scheduled = false;
    private seen = true;

    private constructor(
        readonly frame: HTMLElement,
        data: PictureData,
        private readonly clock: Clock,
        private readonly renderer: WebGLRenderer,
    ) {
        this.canvas = renderer.domElement;
        this.world = new World(data, clock.motion);
        this.labels = new Labels(this.world.shapes);
        this.director = new Director(this.canvas, data.dimension, new Vector3(...data.up), () => this.invalidate());
        this.frame.append(this.canvas, this.labels.root, hint(data), this.caption);
        if (data.dimension === 2) this.frame.style.setProperty("--aspect", String(this.fittingAspect()));
        for (const group of ["velocity", "reaction"] as Group[]) this.world.show(group, false);
        this.recolour();
        this.watch();
        this.resize();
        this.home();
    }

    /** Null where the browser cannot draw in space. */
    static make(frame: HTMLElement, data: PictureData, clock: Clock): Picture | null {
        const canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": describe(data) });
        // Asked for here, as the library would complain aloud.
        const context = canvas.getContext("webgl2", { antialias: true, alpha: true, powerPreference: "low-power" });
        if (!context) return null;
        const renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
        renderer.shadowMap.enabled = true;
        renderer.shadowMap.type = PCFSoftShadowMap;
        return new Picture(frame, data, clock, renderer);
    }

    private watch(): void {
        new ResizeObserver(() => this.resize()).observe(this.frame);
        whenSeen(this.frame, "50px", (seen) => {
            this.seen = seen;
            if (seen) this.invalidate();
        });
        onThemeChange(() => this.recolour());
        this.clock.onMove(() => this.invalidate());
        this.clock.onChange(() => this.invalidate());
        this.canvas.addEventListener("keydown", (event) => this.key(event));
        this.canvas.addEventListener("dblclick", () => this.home());
        letPageScroll(this.canvas);
    }

    private key(event: KeyboardEvent): void {
        const turns: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const turn = event.shiftKey ? turns[event.key] : undefined;
        if (turn) this.director.nudge(...turn);
        else if (event.key === "+" || event.key === "=") this.director.zoom(1.15);
        else if (event.key === "-") this.director.zoom(1 / 1.15);
        else if (event.key === "0") this.home();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.frame;
        if (width === 0 || height === 0) return;
        const before = this.director.view.width / this.director.view.height;
        this.director.resize(width, height);
        this.setPixels(Quality.pixelRatio(this.drawn));
        if (Math.abs(before - width / height) > 0.3) this.home();
        this.draw();
    }

    // A plane motion along a line needs no high picture.
    private fittingAspect(): number {
        const { points, centre } = this.world.field;
        const [x, y] = points.reduce(
            ([wide, high], { at, radius }) => [Math.max(wide, Math.abs(at.x - centre.x) + radius), Math.max(high, Math.abs(at.y - centre.y) + radius)],
            [1e-9, 1e-9],
        );
        return Math.min(Math.max(x / y, 1.8), 3.2);
    }

    recolour(): void {
        this.world.recolour();
        this.invalidate();
    }

    /** The view with which the page was opened. */
    home(): void {
        this.director.fit(this.world.field);
        if (this.followed) this.approach(this.followed);
        this.invalidate();
    }

    /** Bodies that would hardly be seen on a long way are followed from the start. */
    get worthFollowing(): Body | null {
        const largest = this.world.bodies.reduce<Body | null>((best, body) => (body.radius > (best?.radius ?? 0) ? body : best), null);
        return largest && this.world.field.radius > 25 * largest.radius ? largest : null;
    }

    follow(body: Body | null): void {
        this.followed = body;
        this.home();
    }

    private approach(body: Body): void {
        const now = this.clock.motion.locate(this.clock.time);
        this.followedAt.copy(body.at(now));
        this.director.shift(new Vector3().subVectors(this.followedAt, this.world.field.centre));
        const reach = body.radius > 0 ? body.radius * 7 : this.world.field.radius / 2;
        this.director.zoom(Math.max(1, this.world.field.radius / reach));
    }

    showGroup(group: Group, on: boolean): void {
        if (on) this.shown.add(group);
        else this.shown.delete(group);
        this.world.show(group, on);
        this.invalidate();
    }

    showNames(on: boolean): void {
        this.labels.root.hidden = !on;
        this.invalidate();
    }

    invalidate(): void {
        if (this.scheduled || !this.seen) return;
        this.scheduled = true;
        requestAnimationFrame(() => {
            this.scheduled = false;
            this.draw();
        });
    }

    private draw(time = this.clock.time): void {
        const now = this.clock.motion.locate(time);
        if (this.followed) this.keepUp(this.followed.at(now));
        const { controls, view, span } = this.director;
        this.adapt();
        this.world.update(now, view, controls.target, span);
        this.renderer.setClearColor(0x000000, 0);
        this.renderer.render(this.world.scene, view.camera);
        this.labels.update(view, (shape) => !shape.group || this.shown.has(shape.group));
        this.caption.textContent = this.world.grounds.length > 0 ? `grid ${shortNumber(this.world.grounds[0].cell)}` : "";
    }

    private adapt(): void {
        if (this.clock.playing) this.quality.frame(performance.now());
        else this.quality.rest();
        const level = this.clock.playing ? this.quality.level : 0;
        if (level === this.drawn) return;
        this.drawn = level;
        const shadows = Quality.shadows(level);
        this.renderer.shadowMap.autoUpdate = shadows;
        for (const ground of this.world.grounds) ground.showShadow(shadows);
        this.setPixels(Quality.pixelRatio(level));
    }

    private setPixels(ratio: number): void {
        const { width, height } = this.director.view;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
    }

    private keepUp(at: Vector3): void {
        const by = at.clone().sub(this.followedAt);
        if (!(by.lengthSq() > 0 && by.lengthSq() < Infinity)) return;
        this.followedAt.copy(at);
        this.director.shift(by);
    }

    /** The picture at one time as an image for paper. */
    copy(time: number, width: number): HTMLCanvasElement {
        const { width: w, height: h } = this.director.view;
        const height = Math.round((width * h) / w);
        const made = element("canvas", { width: 2 * width, height: 2 * height });
        this.setPixels((2 * width) / w);
        this.draw(time);
        made.getContext("2d")?.drawImage(this.canvas, 0, 0, made.width, made.height);
        this.setPixels(Quality.pixelRatio(this.drawn));
        this.draw();
        return made;
    }

}

function hint(data: PictureData): HTMLElement {
    const flat = data.dimension === 2;
    const mouse = flat ? "drag to move · wheel to zoom" : "drag to turn · wheel to zoom · right drag to move";
    const touch = flat ? "drag to move · pinch to zoom" : "drag to turn · two fingers to zoom and move";
    return element("p", { class: "hint", "aria-hidden": "true" }, matchMedia("(pointer: coarse)").matches ? touch : mouse);
}

function describe(data: PictureData): string {
    const names = [...new Set(data.items.flatMap((item) => (item.name && item.kind !== "vector" ? [item.name] : [])))];
    const what = names.length > 0 ? ` of ${names.slice(0, 8).join(", ")}` : "";
    const turn = data.dimension === 2 ? "Shift and arrows move the view" : "Shift and arrows turn the view";
    return `Picture of the motion${what}. ${turn}, plus and minus zoom, 0 shows everything.`;
}

// Who scrolls through the page does not want to be caught by the picture: a turn of the wheel that began outside
// goes on outside.
function letPageScroll(canvas: HTMLElement): void {
    let outside = -Infinity;
    window.addEventListener(
        "wheel",
        (event) => {
            const over = event.target === canvas;
            if (!over || event.timeStamp - outside < 300) outside = event.timeStamp;
            if (over && outside === event.timeStamp && !event.ctrlKey) event.stopImmediatePropagation();
        },
        { capture: true, passive: true },
    );
}
