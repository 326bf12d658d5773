// What every shape of the picture is told: the moment, and how large a pixel is there.

import type { Object3D, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Column, Group, Instant, Motion } from "./data";

export interface View {
    camera: PerspectiveCamera | OrthographicCamera;
    /** Height of the picture in pixels of the page. */
    height: number;
    width: number;
}

export interface Shape {
    readonly object: Object3D;
    readonly group?: Group;
    /** Puts everything where it is at this instant. */
    update(at: Instant, view: View): void;
    /** Where the name of the shape is written, if it has one. */
    readonly label?: { name: string; at: Vector3 };
    /** Widens the field that the camera has to show. */
    extend?(at: Instant, add: (point: Vector3, radius: number) => void): void;
    recolour(): void;
}

export interface Stage {
    columns: Column[];
    motion: Motion;
    /** The size of the whole motion, known once all shapes are made. */
    extent: number;
    /** The length of a vector of length 1, by groups. */
    scales: Record<Group, number>;
    /** One colour for one name. */
    colourOf(name: string | undefined): number;
}

/** How long a pixel is, in the units of the model, at a point. */
export function pixelAt(view: View, point: Vector3): number {
    const camera = view.camera as PerspectiveCamera & OrthographicCamera;
    if (camera.isOrthographicCamera) return (camera.top - camera.bottom) / camera.zoom / view.height;
    const e = camera.matrixWorldInverse.elements;
    const depth = -(e[2] * point.x + e[6] * point.y + e[10] * point.z + e[14]);
    return (2 * Math.max(depth, 1e-9) * Math.tan((camera.fov * Math.PI) / 360)) / view.height;
}
