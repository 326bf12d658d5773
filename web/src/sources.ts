// The values of an item at any instant.

import { Matrix4, Quaternion, Vector3 } from "three";
import { between, type Column, type Instant, type Triple, type Value } from "./data";

export type NumberAt = (at: Instant) => number;
export type VectorAt = (at: Instant, target: Vector3) => Vector3;
export type TurnAt = (at: Instant, target: Quaternion) => Quaternion;

export function numberAt(columns: Column[], value: Value): NumberAt {
    if (typeof value === "number") return () => value;
    const values = columns[value.column].values;
    return (at) => between(values, at);
}

export function vectorAt(columns: Column[], triple: Triple): VectorAt {
    const [x, y, z] = triple.map((value) => numberAt(columns, value ?? 0));
    return (at, target) => target.set(x(at), y(at), z ? z(at) : 0);
}

/** The rotation of a frame, given by rows; half-way between two rows it is half-way on the shortest turn. */
export function turnAt(columns: Column[], frame: Value[]): TurnAt {
    const entries = frame.map((value) => numberAt(columns, value));
    const matrix = new Matrix4();
    const next = new Quaternion();
    const inRow = (at: Instant, target: Quaternion): Quaternion => {
        const [a, b, c, d, e, f, g, h, i] = entries.map((entry) => entry(at));
        matrix.set(a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1);
        return target.setFromRotationMatrix(matrix).normalize();
    };
    return (at, target) => {
        inRow({ ...at, fraction: 0 }, target);
        if (at.fraction === 0) return target;
        return target.slerp(inRow({ ...at, row: at.row + 1, fraction: 0 }, next), at.fraction);
    };
}
