// The bodies, points and vectors of the picture. Bodies have their true size; points, thin rods and arrows are
// as thick as is legible, whatever the distance.

import {
    BoxGeometry,
    BufferGeometry,
    CircleGeometry,
    ConeGeometry,
    CylinderGeometry,
    DoubleSide,
    EdgesGeometry,
    Group as Bunch,
    LineBasicMaterial,
    LineSegments,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    Object3D,
    Quaternion,
    SphereGeometry,
    TorusGeometry,
    Vector3,
} from "three";
import type { Group, Instant, Item, Value } from "./data";
import { numberAt, turnAt, vectorAt, type TurnAt } from "./sources";
import { pixelAt, type Shape, type Stage, type View } from "./stage";
import { seriesColour, theme } from "./theme";

type Of<K extends Item["kind"]> = Extract<Item, { kind: K }>;

const start: Instant = { time: 0, row: 0, fraction: 0 };
const along = new Vector3(0, 1, 0); // three's cylinders and cones
const faceOn = new Vector3(0, 0, 1); // three's circles and rings

function solid(): MeshStandardMaterial {
    return new MeshStandardMaterial({ roughness: 0.62, metalness: 0 });
}

function mesh(geometry: BufferGeometry, material: MeshStandardMaterial | MeshBasicMaterial, shadow = true): Mesh {
    const made = new Mesh(geometry, material);
    made.castShadow = shadow;
    return made;
}

function turnOf(stage: Stage, item: { frame?: Value[] | null }): TurnAt | null {
    return item.frame ? turnAt(stage.columns, item.frame) : null;
}

function labelFor(name: string | undefined, at: Vector3): Shape["label"] {
    return name ? { name, at } : undefined;
}

export function pointShape(item: Of<"point" | "path">, stage: Stage): Shape {
    const at = vectorAt(stage.columns, item.at);
    const material = new MeshBasicMaterial();
    const object = mesh(new SphereGeometry(1, 20, 14), material);
    const colour = stage.colourOf(item.name);
    return {
        object,
        label: labelFor(item.name, object.position),
        update(now, view) {
            at(now, object.position);
            object.scale.setScalar(4.5 * pixelAt(view, object.position));
        },
        extend: (now, add) => add(at(now, new Vector3()), 0),
        recolour: () => material.color.set(seriesColour(colour)),
    };
}

// Eight fields of two colours, so that the turning of a round body is seen.
function fields(object: Object3D, light: MeshStandardMaterial, other: MeshStandardMaterial): void {
    for (let i = 0; i < 4; i++)
        for (let j = 0; j < 2; j++) {
            const part = new SphereGeometry(1, 16, 16, (i * Math.PI) / 2, Math.PI / 2, (j * Math.PI) / 2, Math.PI / 2);
            object.add(mesh(part, (i + j) % 2 === 0 ? light : other));
        }
}

function roundShape(stage: Stage, item: Of<"ball"> | Of<"ellipsoid">, axes: (now: Instant, to: Vector3) => Vector3): Shape {
    const at = vectorAt(stage.columns, item.at);
    const turn = turnOf(stage, item);
    const principal = "turned" in item && item.turned ? turnAt(stage.columns, item.turned)(start, new Quaternion()) : null;
    const light = solid();
    const other = solid();
    const object = new Bunch();
    if (turn) fields(object, light, other);
    else object.add(mesh(new SphereGeometry(1, 40, 28), other));
    return {
        object,
        label: labelFor(item.name, object.position),
        update(now) {
            at(now, object.position);
            axes(now, object.scale);
            object.scale.clampScalar(1e-9, Infinity);
            turn?.(now, object.quaternion);
            if (principal) object.quaternion.multiply(principal);
        },
        extend(now, add) {
            const size = axes(now, new Vector3());
            add(at(now, new Vector3()), Math.max(size.x, size.y, size.z));
        },
        recolour() {
            light.color.set(theme().body);
            other.color.set(theme().bodyOther);
        },
    };
}

export function ballShape(item: Of<"ball">, stage: Stage): Shape {
    const radius = numberAt(stage.columns, item.radius);
    return roundShape(stage, item, (now, to) => to.setScalar(radius(now)));
}

export function ellipsoidShape(item: Of<"ellipsoid">, stage: Stage): Shape {
    return roundShape(stage, item, vectorAt(stage.columns, item.axes));
}

// A wheel of radius 1 about the third axis: rim, thin face, and spokes, one of which is marked.
function wheel(spokes: boolean, rim: MeshStandardMaterial, face: MeshBasicMaterial, mark: MeshStandardMaterial): Bunch {
    const made = new Bunch();
    const thickness = 0.035;
    made.add(mesh(new TorusGeometry(1 - thickness, thickness, 14, 72), rim));
    made.add(mesh(new CircleGeometry(1 - thickness, 64), face, false));
    if (!spokes) return made;
    const count = 6;
    for (let i = 0; i < count; i++) {
        const length = 1 - 2 * thickness;
        const geometry = new CylinderGeometry(0.014, 0.014, length, 8).translate(0, length / 2, 0);
        const spoke = mesh(geometry, i === 0 ? mark : rim);
        spoke.rotation.z = (i * 2 * Math.PI) / count;
        made.add(spoke);
    }
    made.add(mesh(new SphereGeometry(0.055, 16, 12), rim));
    const knob = mesh(new SphereGeometry(0.06, 16, 12), mark);
    knob.position.y = 1 - thickness;
    made.add(knob);
    return made;
}

export function discShape(item: Of<"disc">, stage: Stage): Shape {
    const at = vectorAt(stage.columns, item.at);
    const radius = numberAt(stage.columns, item.radius);
    const axis = vectorAt(stage.columns, item.axis);
    const turn = turnOf(stage, item);
    const rim = solid();
    const mark = solid();
    const face = new MeshBasicMaterial({ transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false });
    const object = wheel(turn !== null, rim, face, mark);
    const inBody = new Vector3();
    const toAxis = new Quaternion();
    return {
        object,
        label: labelFor(item.name, object.position),
        update(now) {
            at(now, object.position);
            object.scale.setScalar(Math.max(radius(now), 1e-9));
            axis(now, inBody).normalize();
            if (!turn) {
                object.quaternion.setFromUnitVectors(faceOn, inBody);
                return;
            }
            // The axis as the body sees it stays the same, so that only the body's own turning is left.
            turn(now, object.quaternion);
            inBody.applyQuaternion(toAxis.copy(object.quaternion).invert());
            object.quaternion.multiply(toAxis.setFromUnitVectors(faceOn, inBody));
        },
        extend: (now, add) => add(at(now, new Vector3()), radius(now)),
        recolour() {
            rim.color.set(theme().bodyOther);
            face.color.set(theme().bodyOther);
            mark.color.set(seriesColour(4));
        },
    };
}

export function boxShape(item: Of<"box">, stage: Stage): Shape {
    const at = vectorAt(stage.columns, item.at);
    const size = vectorAt(stage.columns, item.size);
    const turn = turnOf(stage, item);
    const material = solid();
    const edge = new LineBasicMaterial({ transparent: true, opacity: 0.5 });
    const geometry = new BoxGeometry(1, 1, 1);
    const object = mesh(geometry, material);
    object.add(new LineSegments(new EdgesGeometry(geometry), edge));
    return {
        object,
        label: labelFor(item.name, object.position),
        update(now) {
            at(now, object.position);
            size(now, object.scale).clampScalar(1e-9, Infinity);
            turn?.(now, object.quaternion);
        },
        extend: (now, add) => add(at(now, new Vector3()), size(now, new Vector3()).length() / 2),
        recolour() {
            material.color.set(theme().body);
            edge.color.set(theme().muted);
        },
    };
}

// Lays a cylinder of length 1, which stands on the origin, from one point to another.
function lay(object: Object3D, from: Vector3, to: Vector3, radius: number): void {
    const direction = new Vector3().subVectors(to, from);
    const length = direction.length();
    object.visible = length > 0;
    if (!object.visible) return;
    object.position.copy(from);
    object.quaternion.setFromUnitVectors(along, direction.divideScalar(length));
    object.scale.set(radius, length, radius);
}

const standing = new CylinderGeometry(1, 1, 1, 16).translate(0, 0.5, 0);

export function rodShape(item: Of<"rod">, stage: Stage): Shape {
    const from = vectorAt(stage.columns, item.from);
    const to = vectorAt(stage.columns, item.to);
    const radius = item.radius === null || item.radius === undefined ? null : numberAt(stage.columns, item.radius);
    const material = solid();
    const object = mesh(standing, material);
    const [a, b] = [new Vector3(), new Vector3()];
    return {
        object,
        update(now, view) {
            from(now, a);
            to(now, b);
            lay(object, a, b, radius ? radius(now) : 2 * pixelAt(view, a));
        },
        extend(now, add) {
            add(from(now, new Vector3()), 0);
            add(to(now, new Vector3()), 0);
        },
        recolour: () => material.color.set(theme().bodyOther),
    };
}

const groupColours: Record<Group, number> = { velocity: 2, reaction: 1, given: 3 };

export function groupColour(group: Group): string {
    return seriesColour(groupColours[group]);
}

function arrow(object: Object3D, shaft: Object3D, head: Object3D, from: Vector3, to: Vector3, view: View): void {
    const pixel = pixelAt(view, to);
    const length = from.distanceTo(to);
    object.visible = length > pixel;
    if (!object.visible) return;
    const point = Math.min(12 * pixel, length / 2);
    const neck = new Vector3().lerpVectors(to, from, point / length);
    lay(shaft, from, neck, 1.25 * pixel);
    lay(head, neck, to, point * 0.36);
}

export function vectorShape(item: Of<"vector">, stage: Stage): Shape {
    const at = vectorAt(stage.columns, item.at);
    const components = vectorAt(stage.columns, item.along);
    const material = new MeshBasicMaterial();
    const shaft = mesh(standing, material, false);
    const head = mesh(new ConeGeometry(1, 1, 18).translate(0, 0.5, 0), material, false);
    const object = new Bunch().add(shaft, head);
    const [from, to] = [new Vector3(), new Vector3()];
    return {
        object,
        group: item.group,
        label: labelFor(item.name, to),
        update(now, view) {
            at(now, from);
            components(now, to).multiplyScalar(stage.scales[item.group]).add(from);
            arrow(object, shaft, head, from, to, view);
        },
        recolour: () => material.color.set(groupColour(item.group)),
    };
}

/** The largest length that the vectors of a group have in the motion. */
export function longest(items: Item[], group: Group, stage: Stage): number {
    const vector = new Vector3();
    const sample = stage.motion.sample(500);
    return items.reduce((most, item) => {
        if (item.kind !== "vector" || item.group !== group) return most;
        const components = vectorAt(stage.columns, item.along);
        return sample.reduce((length, now) => {
            const here = components(now, vector).length();
            return here > length ? here : length;
        }, most);
    }, 0);
}
