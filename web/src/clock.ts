// The time that the picture and the plots show. A second of the clock on the wall is `speed` seconds of the model.

import type { Motion } from "./data";

type Listener = () => void;

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class Clock {
    time: number;
    playing = false;
    loop = true;
    speed: number;
    private readonly moved: Listener[] = [];
    private readonly changed: Listener[] = [];
    private last = 0;

    constructor(readonly motion: Motion) {
        this.time = motion.start;
        this.speed = fittingSpeed(motion.end - motion.start);
    }

    /** Called whenever the time is another one. */
    onMove(listener: Listener): void {
        this.moved.push(listener);
    }

    /** Called when it is started, stopped or set by hand, but not for every frame. */
    onChange(listener: Listener): void {
        this.changed.push(listener);
    }

    set(time: number): void {
        this.time = Math.min(Math.max(time, this.motion.start), this.motion.end);
        this.tell(this.moved);
        if (!this.playing) this.tell(this.changed);
    }

    /** To the row that is so many rows away. */
    step(rows: number): void {
        this.pause();
        const { row, fraction } = this.motion.locate(this.time);
        const whole = fraction > 1 - 1e-9 ? row + 1 : row;
        const inside = fraction > 1e-9 && fraction <= 1 - 1e-9;
        const target = rows < 0 && inside ? whole + rows + 1 : whole + rows;
        this.set(this.motion.time[Math.min(Math.max(target, 0), this.motion.rows - 1)]);
    }

    play(): void {
        if (this.playing || this.motion.rows < 2) return;
        if (this.time >= this.motion.end) this.time = this.motion.start;
        this.playing = true;
        this.last = performance.now();
        requestAnimationFrame((now) => this.advance(now));
        this.tell(this.changed);
    }

    pause(): void {
        if (!this.playing) return;
        this.playing = false;
        this.tell(this.changed);
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    reset(): void {
        this.pause();
        this.set(this.motion.start);
    }

    private advance(now: number): void {
        if (!this.playing) return;
        // A page that was hidden goes on where it was.
        const passed = Math.min(Math.max(now - this.last, 0), 250) / 1000;
        this.last = now;
        const { start, end } = this.motion;
        const next = this.time + passed * this.speed;
        if (next >= end && !this.loop) {
            this.set(end);
            this.pause();
            return;
        }
        this.set(next >= end ? start + ((next - start) % (end - start)) : next);
        requestAnimationFrame((later) => this.advance(later));
    }

    private tell(listeners: Listener[]): void {
        for (const listener of listeners) listener();
    }
}

// Real time, unless that would be over in a moment or take minutes.
function fittingSpeed(span: number): number {
    if (span >= 2 && span <= 60) return 1;
    return speeds.reduce((best, speed) =>
        Math.abs(Math.log(span / speed / 12)) < Math.abs(Math.log(span / best / 12)) ? speed : best,
    );
}
