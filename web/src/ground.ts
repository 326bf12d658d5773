// A plane with a fine grid that fades out far away, and the shadows of the bodies.

import { Color, DoubleSide, Group as Bunch, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3 } from "three";
import type { Instant, Triple } from "./data";
import { roundUp } from "./numbers";
import { vectorAt } from "./sources";
import type { Stage } from "./stage";
import { theme } from "./theme";

const vertexShader = /* glsl */ `
varying vec2 place;
uniform vec2 offset;
void main() {
    place = position.xy + offset;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
varying vec2 place;
uniform vec3 colour;
uniform vec2 offset;
uniform float cell;
uniform float reach;
uniform float strength;

float lines(vec2 p, vec2 width) {
    vec2 distance = abs(fract(p - 0.5) - 0.5);
    vec2 line = 1.0 - min(distance / width, 1.0);
    // Where cells are smaller than pixels their lines would flicker: an even tint instead.
    line = mix(line, vec2(0.0), smoothstep(0.2, 0.6, width));
    return max(line.x, line.y);
}

void main() {
    vec2 p = place / cell;
    float fine = lines(p, fwidth(p));
    float coarse = lines(p / 5.0, fwidth(p / 5.0));
    float fade = 1.0 - smoothstep(0.35, 1.0, length(place - offset) / reach);
    gl_FragColor = vec4(colour, strength * fade * max(0.4 * fine, 0.85 * coarse));
    #include <colorspace_fragment>
}`;

export class Ground {
    readonly object = new Bunch();
    /** The distance of two fine lines. */
    cell = 1;
    private readonly shadow = new ShadowMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
    private readonly grid = new ShaderMaterial({
        vertexShader,
        fragmentShader,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: {
            colour: { value: new Color() },
            offset: { value: { x: 0, y: 0 } },
            cell: { value: 1 },
            reach: { value: 1 },
            strength: { value: 0.5 },
        },
    });
    private readonly normal;
    private readonly at;
    private readonly plane = new Mesh(new PlaneGeometry(1, 1), this.grid);
    private readonly shade = new Mesh(new PlaneGeometry(1, 1), this.shadow);

    constructor(stage: Stage, normal: Triple, at: Triple, withShadow: boolean) {
        this.normal = vectorAt(stage.columns, normal);
        this.at = vectorAt(stage.columns, at);
        this.plane.renderOrder = -2;
        this.shade.renderOrder = -1;
        this.plane.frustumCulled = this.shade.frustumCulled = false;
        this.shade.receiveShadow = true;
        this.object.add(this.plane);
        if (withShadow) this.object.add(this.shade);
    }

    /** Around `focus`; `reach` is how far the lines go, `cell` about how far they are apart. */
    update(now: Instant, focus: Vector3, reach: number, cell: number): void {
        const normal = this.normal(now, new Vector3()).normalize();
        const [first, second] = tangents(normal);
        const relative = new Vector3().subVectors(focus, this.at(now, new Vector3()));
        const [x, y] = [relative.dot(first), relative.dot(second)];

        this.object.position.copy(focus).addScaledVector(normal, -relative.dot(normal));
        this.object.quaternion.copy(toPlane(first, second, normal));
        this.resize(2 * reach);
        this.cell = roundUp(cell);
        const { uniforms } = this.grid;
        Object.assign(uniforms.offset.value, { x, y });
        uniforms.cell.value = this.cell;
        uniforms.reach.value = reach;
    }

    showShadow(on: boolean): void {
        this.shade.visible = on;
    }

    recolour(): void {
        this.grid.uniforms.colour.value.set(theme().muted);
        this.grid.uniforms.strength.value = theme().dark ? 0.55 : 0.5;
        this.shadow.opacity = theme().dark ? 0.45 : 0.16;
    }

    // The place is in the units of the model, so the plane is made anew instead of scaled.
    private resize(size: number): void {
        const made = this.plane.geometry.parameters.width;
        if (Math.abs(made - size) < 1e-3 * size) return;
        this.plane.geometry.dispose();
        this.plane.geometry = this.shade.geometry = new PlaneGeometry(size, size);
    }
}

/** Two directions in a plane; the first is the x axis where that is possible. */
export function tangents(normal: Vector3): [Vector3, Vector3] {
    const guess = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const first = guess.addScaledVector(normal, -guess.dot(normal)).normalize();
    return [first, new Vector3().crossVectors(normal, first)];
}

const flat = new Vector3(0, 0, 1);

function toPlane(first: Vector3, second: Vector3, normal: Vector3): Quaternion {
    const tilt = new Quaternion().setFromUnitVectors(flat, normal);
    const turned = new Vector3(1, 0, 0).applyQuaternion(tilt);
    const angle = Math.atan2(turned.dot(second), turned.dot(first));
    return new Quaternion().setFromAxisAngle(normal, -angle).multiply(tilt);
}
