// The camera shows the whole motion at first; it can be turned, moved and brought closer, and can follow a body.

import { MOUSE, OrthographicCamera, PerspectiveCamera, Spherical, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { tangents } from "./ground";
import type { View } from "./stage";

export interface Field {
    points: { at: Vector3; radius: number }[];
    centre: Vector3;
    radius: number;
}

export function fieldOf(points: Field["points"]): Field {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    for (const { at, radius } of points) {
        const size = new Vector3().setScalar(radius);
        low.min(at.clone().sub(size));
        high.max(at.clone().add(size));
    }
    if (points.length === 0) return { points, centre: new Vector3(), radius: 1 };
    const radius = low.distanceTo(high) / 2;
    return { points, centre: low.add(high).multiplyScalar(0.5), radius: radius > 0 ? radius : 1 };
}

export class Director {
    readonly view: View;
    readonly controls: OrbitControls;
    private readonly up: Vector3;
    private readonly flat: boolean;

    constructor(canvas: HTMLElement, dimension: number, up: Vector3, private readonly changed: () => void) {
        this.flat = dimension === 2;
        this.up = this.flat ? new Vector3(0, 1, 0) : up.lengthSq() > 0 ? up.clone().normalize() : new Vector3(0, 0, 1);
        const camera = this.flat ? new OrthographicCamera(-1, 1, 1, -1, 0.001, 1000) : new PerspectiveCamera(32, 1, 0.01, 1000);
        camera.up.copy(this.up);
        this.view = { camera, width: 1, height: 1 };
        this.controls = new OrbitControls(camera, canvas);
        this.controls.screenSpacePanning = true;
        this.controls.zoomSpeed = 1.2;
        if (this.flat) this.planeOnly();
        this.controls.addEventListener("change", changed);
    }

    private planeOnly(): void {
        this.controls.enableRotate = false;
        this.controls.zoomToCursor = true;
        this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
        this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }

    resize(width: number, height: number): void {
        Object.assign(this.view, { width, height });
        const camera = this.view.camera;
        if (camera instanceof PerspectiveCamera) camera.aspect = width / height;
        else {
            camera.right = (camera.top * width) / height;
            camera.left = -camera.right;
        }
        camera.updateProjectionMatrix();
    }

    /** Shows all of the field. */
    fit(field: Field): void {
        if (this.view.camera instanceof PerspectiveCamera) this.fitSolid(this.view.camera, field);
        else this.fitPlane(this.view.camera, field);
        this.controls.update();
    }

    private fitPlane(camera: OrthographicCamera, field: Field): void {
        const aspect = this.view.width / this.view.height;
        const half = field.points.reduce((most, { at, radius }) => {
            const [x, y] = [Math.abs(at.x - field.centre.x) + radius, Math.abs(at.y - field.centre.y) + radius];
            return Math.max(most, y, x / aspect);
        }, field.radius * 0.05);
        camera.top = half * 1.14;
        camera.bottom = -camera.top;
        camera.far = 1000 * field.radius;
        camera.near = field.radius / 1000;
        camera.zoom = 1;
        camera.position.copy(field.centre).add(new Vector3(0, 0, 100 * field.radius));
        this.controls.target.copy(field.centre);
        this.resize(this.view.width, this.view.height);
    }

    // From the front right and above, as near as all points of the motion allow.
    private fitSolid(camera: PerspectiveCamera, field: Field): void {
        const [first, second] = tangents(this.up);
        const back = first.clone().multiplyScalar(0.5).addScaledVector(second, -1).addScaledVector(this.up, 0.55).normalize();
        const right = new Vector3().crossVectors(this.up, back).normalize();
        const upward = new Vector3().crossVectors(back, right);
        const vertical = Math.tan((camera.fov * Math.PI) / 360);
        const horizontal = vertical * camera.aspect;
        const offset = new Vector3();
        const distance = field.points.reduce((most, { at, radius }) => {
            offset.subVectors(at, field.centre);
            const depth = offset.dot(back);
            const wide = (Math.abs(offset.dot(right)) + radius) / horizontal;
            const high = (Math.abs(offset.dot(upward)) + radius) / vertical;
            return Math.max(most, depth + Math.max(wide, high));
        }, 0.5 * field.radius);
        camera.near = field.radius / 200;
        camera.far = field.radius * 400;
        camera.position.copy(field.centre).addScaledVector(back, distance * 1.12);
        this.controls.target.copy(field.centre);
        camera.updateProjectionMatrix();
    }

    /** Moves along with what is followed. */
    shift(by: Vector3): void {
        this.view.camera.position.add(by);
        this.controls.target.add(by);
        this.controls.update();
    }

    /** By the keyboard: turns in space, moves in the plane; both as parts of the picture. */
    nudge(x: number, y: number): void {
        const { camera, height } = this.view;
        if (camera instanceof OrthographicCamera) {
            const size = ((camera.top - camera.bottom) / camera.zoom) * 0.08;
            this.shift(new Vector3(x * size * (height > 0 ? 1 : 0), y * size, 0));
            return;
        }
        const arm = new Vector3().subVectors(camera.position, this.controls.target);
        const [first, second] = tangents(this.up);
        const local = new Spherical().setFromCartesianCoords(arm.dot(second), arm.dot(this.up), arm.dot(first));
        local.theta += x * 0.15;
        local.phi = Math.min(Math.max(local.phi - y * 0.15, 0.05), Math.PI - 0.05);
        const turned = new Vector3().setFromSpherical(local);
        camera.position
            .copy(this.controls.target)
            .addScaledVector(second, turned.x)
            .addScaledVector(this.up, turned.y)
            .addScaledVector(first, turned.z);
        this.controls.update();
    }

    zoom(factor: number): void {
        const { camera } = this.view;
        if (camera instanceof OrthographicCamera) {
            camera.zoom *= factor;
            camera.updateProjectionMatrix();
        } else camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
        this.controls.update();
        this.changed();
    }

    /** How high the picture is, in the units of the model, at what it looks at. */
    get span(): number {
        const { camera } = this.view;
        if (camera instanceof OrthographicCamera) return (camera.top - camera.bottom) / camera.zoom;
        return 2 * camera.position.distanceTo(this.controls.target) * Math.tan((camera.fov * Math.PI) / 360);
    }
}
