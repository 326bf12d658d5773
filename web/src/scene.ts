// The shapes of all items, the light and the ground, ready to be drawn at any instant.

import { AmbientLight, DirectionalLight, Group as Bunch, HemisphereLight, Scene, Vector3, type Object3D } from "three";
import { fieldOf, type Field } from "./camera";
import type { Group, Instant, Item, Motion, PictureData } from "./data";
import { Ground, tangents } from "./ground";
import { pathShape } from "./paths";
import { ballShape, boxShape, discShape, ellipsoidShape, longest, pointShape, rodShape, vectorShape } from "./shapes";
import type { Shape, Stage, View } from "./stage";
import { theme } from "./theme";

export const groups: Group[] = ["velocity", "reaction", "given"];

function shapeOf(item: Item, stage: Stage): Shape | null {
    switch (item.kind) {
        case "point":
            return pointShape(item, stage);
        case "ball":
            return ballShape(item, stage);
        case "disc":
            return discShape(item, stage);
        case "rod":
            return rodShape(item, stage);
        case "box":
            return boxShape(item, stage);
        case "ellipsoid":
            return ellipsoidShape(item, stage);
        case "vector":
            return vectorShape(item, stage);
        default:
            return null; // paths need the size of the whole, and the ground is none
    }
}

// The same name has the same colour, in the order of the items.
function colours(items: Item[]): Stage["colourOf"] {
    const names = [...new Set(items.filter((item) => item.kind !== "vector").map((item) => item.name ?? ""))];
    return (name) => Math.max(names.indexOf(name ?? ""), 0);
}

const levels: Record<Item["kind"], number> = {
    ground: -3, path: -2, box: 0, ball: 0, ellipsoid: 0, disc: 1, rod: 2, vector: 3, point: 4,
};

export interface Body {
    name: string;
    at: (now: Instant) => Vector3;
    radius: number;
}

export class World {
    readonly scene = new Scene();
    readonly shapes: Shape[] = [];
    readonly grounds: Ground[] = [];
    readonly field: Field;
    readonly stage: Stage;
    /** What the camera can follow. */
    readonly bodies: Body[] = [];
    /** The lengths of the longest vectors, by groups; 0 where there are none. */
    readonly longest: Record<Group, number>;
    private readonly sun = new DirectionalLight(0xffffff, 2.1);
    private readonly sky = new HemisphereLight(0xffffff, 0xb8bec6, 1.5);
    private readonly toSun: Vector3;
    private readonly flat: boolean;

    constructor(picture: PictureData, motion: Motion) {
        const { items } = picture;
        this.flat = picture.dimension === 2;
        this.stage = {
            columns: motion.columns,
            motion,
            extent: 1,
            scales: { velocity: 1, reaction: 1, given: 1 },
            colourOf: colours(items),
        };
        for (const item of items) this.add(item, shapeOf(item, this.stage));
        this.field = this.measure(items);
        this.stage.extent = 2 * this.field.radius;
        for (const item of items) if (item.kind === "path") this.put(pathShape(item, this.stage));
        if (this.flat) this.stack(items);
        this.addGrounds(items);
        this.longest = this.scaleVectors(items);
        const [first, second] = tangents(new Vector3(...picture.up).normalize());
        this.toSun = new Vector3(...picture.up).multiplyScalar(2).addScaledVector(first, 0.5).addScaledVector(second, -0.8);
        if (this.flat) this.toSun.set(-0.4, 0.6, 1.6);
        this.light();
    }

    private add(item: Item, shape: Shape | null): void {
        if (!shape) return;
        this.put(shape);
        if (!shape.extend || !item.name || item.kind === "rod") return;
        let radius = 0;
        shape.extend({ time: 0, row: 0, fraction: 0 }, (_, size) => (radius = size));
        if (this.bodies.some((body) => body.name === item.name)) return;
        this.bodies.push({ name: item.name, at: centreOf(shape), radius });
    }

    private put(shape: Shape): void {
        this.shapes.push(shape);
        this.scene.add(shape.object);
    }

    // Seen from above, what is small must not be hidden by what is large: it is lifted towards the eye.
    private stack(items: Item[]): void {
        const made = [...items.filter((item) => item.kind !== "path" && item.kind !== "ground"), ...items.filter((item) => item.kind === "path")];
        made.forEach((item, i) => {
            const level = new Bunch();
            level.position.z = levels[item.kind] * this.stage.extent;
            level.add(this.shapes[i].object);
            this.scene.add(level);
        });
    }

    private measure(items: Item[]): Field {
        const points: Field["points"] = [];
        const add = (at: Vector3, radius: number) => {
            if (isDrawable(at, radius)) points.push({ at, radius });
        };
        const paths = items.flatMap((item) => (item.kind === "path" ? [pointShape(item, this.stage)] : []));
        for (const now of this.stage.motion.sample(600)) for (const shape of [...this.shapes, ...paths]) shape.extend?.(now, add);
        return fieldOf(points);
    }

    private addGrounds(items: Item[]): void {
        for (const item of items)
            if (item.kind === "ground") this.grounds.push(new Ground(this.stage, item.normal, item.at, !this.flat));
        // In a plane the grid is the scale of the picture.
        if (this.flat) {
            this.grounds.length = 0;
            this.grounds.push(new Ground(this.stage, [0, 0, 1], [0, 0, 0], false));
        }
        for (const ground of this.grounds) this.scene.add(ground.object);
    }

    private scaleVectors(items: Item[]): Record<Group, number> {
        const lengths = { velocity: 0, reaction: 0, given: 0 };
        for (const group of groups) {
            lengths[group] = longest(items, group, this.stage);
            if (lengths[group] > 0) this.stage.scales[group] = (0.22 * this.stage.extent) / lengths[group];
        }
        return lengths;
    }

    private light(): void {
        this.scene.add(this.sky, new AmbientLight(0xffffff, 0.5), this.sun, this.sun.target);
        this.sun.castShadow = !this.flat && this.grounds.length > 0;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.radius = 5;
        this.sun.shadow.bias = -0.0005;
        this.sky.position.copy(this.toSun);
    }

    // The shadows are drawn where the bodies are now, so that they stay sharp on a long way.
    private aim(now: Instant): void {
        const points: Field["points"] = [];
        for (const shape of this.shapes)
            shape.extend?.(now, (at, radius) => {
                if (isDrawable(at, radius)) points.push({ at, radius });
            });
        const { centre, radius } = fieldOf(points);
        const reach = Math.max(radius * 1.7, this.stage.extent / 100);
        this.sun.target.position.copy(centre);
        this.sun.position.copy(centre).addScaledVector(this.toSun, 3 * reach);
        const { camera } = this.sun.shadow;
        Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: reach / 10, far: 14 * reach });
        camera.updateProjectionMatrix();
    }

    update(now: Instant, view: View, focus: Vector3, span: number): void {
        view.camera.updateMatrixWorld();
        for (const shape of this.shapes) shape.update(now, view);
        const reach = this.flat ? 4 * span * Math.max(1, view.width / view.height) : Math.max(1.6 * span, 1.3 * this.stage.extent);
        for (const ground of this.grounds) ground.update(now, focus, reach, span / (this.flat ? 14 : 16));
        if (this.sun.castShadow) this.aim(now);
    }

    recolour(): void {
        for (const shape of this.shapes) shape.recolour();
        for (const ground of this.grounds) ground.recolour();
        this.sky.groundColor.set(theme().dark ? "#59616b" : "#b8bec6");
    }

    show(group: Group, on: boolean): void {
        for (const shape of this.shapes) if (shape.group === group) visible(shape.object, on);
    }
}

// Graphics cards compute with numbers that end at 3e38, and square them.
function isDrawable(at: Vector3, radius: number): boolean {
    return Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z), radius) < 1e15;
}

function centreOf(shape: Shape): Body["at"] {
    return (now) => {
        const found = new Vector3();
        shape.extend?.(now, (at) => found.copy(at));
        return found;
    };
}

// By layers, as arrows hide themselves when they are too short.
function visible(object: Object3D, on: boolean): void {
    object.traverse((part) => (on ? part.layers.enable(0) : part.layers.disable(0)));
}
