// Elements are made here, from text only: nothing that comes from a model is ever read as markup.

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        made.setAttribute(name, value === true ? "" : String(value));
    }
    made.append(...children);
    return made;
}

/** An icon of the controls, drawn on a 24 by 24 field. */
export function icon(path: string): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const shape = document.createElementNS(space, "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    shape.setAttribute("d", path);
    svg.append(shape);
    return svg;
}

/** Calls back with whether the element is on the screen, or close to it. */
export function whenSeen(target: Element, margin: string, back: (seen: boolean) => void): void {
    const observer = new IntersectionObserver((entries) => back(entries[entries.length - 1].isIntersecting), {
        rootMargin: margin,
    });
    observer.observe(target);
}
