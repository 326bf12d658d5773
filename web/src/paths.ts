// The path of a point: what is behind it is drawn, what is ahead is faint.

import {
    BufferGeometry,
    Float32BufferAttribute,
    Group as Bunch,
    Line,
    LineBasicMaterial,
    Vector3,
    type InterleavedBufferAttribute,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { lastNotAfter, type Instant, type Item } from "./data";
import { vectorAt, type VectorAt } from "./sources";
import type { Shape, Stage } from "./stage";
import { seriesColour } from "./theme";

const mostCorners = 20000;
const mostWide = 4000;

interface Trace {
    /** The rows at which the line has its corners. */
    rows: Float64Array;
    corners: number[];
}

// Rows that lie closer together than can be seen are left out; the last one stays.
function trace(at: VectorAt, stage: Stage): Trace {
    const { rows } = stage.motion;
    const stride = Math.max(1, Math.floor(rows / 400000));
    const near = stage.extent / 5000;
    const [here, last] = [new Vector3(), new Vector3(NaN)];
    const kept: number[] = [];
    const corners: number[] = [];
    for (let row = 0; row < rows; row += stride) {
        at({ time: 0, row, fraction: 0 }, here);
        if (!(here.length() < 1e15) || here.distanceTo(last) < near) continue;
        kept.push(row);
        corners.push(here.x, here.y, here.z);
        last.copy(here);
    }
    return thinned(kept, corners);
}

function thinned(rows: number[], corners: number[]): Trace {
    const stride = Math.ceil(rows.length / mostCorners);
    const keep = rows.map((_, i) => i).filter((i) => i % stride === 0 || i === rows.length - 1);
    return {
        rows: Float64Array.from(keep, (i) => rows[i]),
        corners: keep.flatMap((i) => corners.slice(3 * i, 3 * i + 3)),
    };
}

interface Stroke {
    object: Line2 | Line;
    /** Draws so many pieces of the line. */
    show(pieces: number): void;
}

function wide(corners: number[], width: number, opacity: number): Stroke & { object: Line2 } {
    const geometry = new LineGeometry().setPositions(corners);
    const material = new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
    const object = new Line2(geometry, material);
    object.frustumCulled = false;
    return { object, show: (pieces) => (geometry.instanceCount = pieces) };
}

// Wide lines are made of two triangles a piece, which is too much for tangles of very many pieces.
function thin(corners: number[], opacity: number): Stroke {
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
    const object = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity, depthWrite: false }));
    object.frustumCulled = false;
    return { object, show: (pieces) => geometry.setDrawRange(0, pieces + 1) };
}

function strokes(corners: number[]): { whole: Stroke; past: Stroke } {
    if (corners.length / 3 > mostWide) return { whole: thin(corners, 0.2), past: thin(corners, 0.8) };
    // What is ahead is thin as well: where wide pieces overlap, half transparent ones would show it.
    return { whole: thin(corners, 0.55), past: wide(corners, 2, 1) };
}

export function pathShape(item: Extract<Item, { kind: "point" | "path" }>, stage: Stage): Shape {
    const at = vectorAt(stage.columns, item.at);
    const { rows, corners } = trace(at, stage);
    const object = new Bunch();
    if (rows.length < 2) return { object, update() {}, recolour() {} };

    const { whole, past } = strokes(corners);
    const tip = wide([0, 0, 0, 0, 0, 0], 2, 1);
    object.add(whole.object, past.object, tip.object);
    const colour = stage.colourOf(item.name);
    const here = new Vector3();
    const ends = (tip.object.geometry.attributes.instanceStart as InterleavedBufferAttribute).data;

    function update(now: Instant): void {
        const count = lastNotAfter(rows, now.row + now.fraction);
        past.show(count);
        past.object.visible = count > 0;
        at(now, here);
        if (!(here.length() < 1e15)) return;
        // In place: positions that are set anew would take new memory of the graphics card for every frame.
        ends.array.set([...corners.slice(3 * count, 3 * count + 3), here.x, here.y, here.z]);
        ends.needsUpdate = true;
    }
    return {
        object,
        update,
        recolour() {
            for (const part of [whole, past, tip]) (part.object.material as LineBasicMaterial).color.set(seriesColour(colour));
        },
    };
}
