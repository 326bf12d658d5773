// The names of points and bodies, as text over the picture.

import { Vector3 } from "three";
import { element } from "./dom";
import { nameNode } from "./names";
import type { Shape, View } from "./stage";

interface Label {
    shape: Shape;
    node: HTMLElement;
}

export class Labels {
    readonly root = element("div", { class: "labels", "aria-hidden": "true" });
    private readonly labels: Label[] = [];
    private readonly place = new Vector3();

    constructor(shapes: Shape[]) {
        const seen = new Set<string>();
        for (const shape of shapes) {
            // A body that is also a point is named once.
            if (!shape.label || (!shape.group && seen.has(shape.label.name))) continue;
            seen.add(shape.label.name);
            const node = element("span", {}, nameNode(shape.label.name));
            this.root.append(node);
            this.labels.push({ shape, node });
        }
    }

    update(view: View, shown: (shape: Shape) => boolean): void {
        for (const { shape, node } of this.labels) {
            this.place.copy(shape.label!.at).project(view.camera);
            const inside = Math.abs(this.place.x) < 1 && Math.abs(this.place.y) < 1 && Math.abs(this.place.z) < 1;
            node.hidden = !inside || !shape.object.visible || !shown(shape);
            if (node.hidden) continue;
            const x = ((this.place.x + 1) / 2) * view.width + 8;
            const y = ((1 - this.place.y) / 2) * view.height - 22;
            node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }
}
