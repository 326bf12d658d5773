// On machines without a graphics card the picture is drawn in software. While it plays there, it does without
// shadows and then without the finest pixels, so that it moves; at rest it is always drawn in full.

const slow = 45; // milliseconds: below this nobody wants less
const patience = 6; // slow frames in a row
const levels = 3;

export class Quality {
    /** 0 is everything. */
    level = 0;
    private last = NaN;
    private count = 0;

    /** Told of every frame while the motion plays. */
    frame(now: number): void {
        const passed = now - this.last;
        this.last = now;
        this.count = passed > slow && passed < 2000 ? this.count + 1 : 0;
        if (this.count < patience || this.level >= levels) return;
        this.level++;
        this.count = -2; // the change itself takes a while
    }

    rest(): void {
        this.last = NaN;
        this.count = 0;
    }

    static shadows(level: number): boolean {
        return level < 1;
    }

    static pixelRatio(level: number): number {
        return Math.min(devicePixelRatio, 2) * [1, 1, 0.7, 0.5][level];
    }
}
