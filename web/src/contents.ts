// Links to the parts of the page; boxes that scroll.

import { element } from "./dom";

/** A line of links, made from the headings, where the program has not written it. */
export function addContents(): void {
    const main = document.querySelector("main");
    const header = main?.querySelector("header");
    if (!main || !header || header.querySelector("nav")) return;
    const links = [...main.querySelectorAll<HTMLElement>(":scope > section[id]")].flatMap((section) => {
        const heading = section.querySelector("h2, summary");
        return heading ? [element("a", { href: `#${section.id}` }, heading.textContent?.trim() ?? section.id)] : [];
    });
    if (links.length > 1) header.append(element("nav", { "aria-label": "Contents" }, ...links));
}

/** Boxes that scroll sideways can be reached by the keyboard, and show that they do. */
export function markScrollers(): void {
    const boxes = document.querySelectorAll<HTMLElement>(".formula, main pre");
    const mark = (box: HTMLElement) => {
        const wide = box.scrollWidth > box.clientWidth + 1;
        box.toggleAttribute("data-wide", wide);
        const marks = { tabindex: "0", role: "group", "aria-label": box.matches("pre") ? "Text that is wider than the page" : "Formula that is wider than the page" };
        for (const [name, value] of Object.entries(marks)) {
            if (wide) box.setAttribute(name, value);
            else box.removeAttribute(name);
        }
    };
    const observer = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target as HTMLElement)));
    boxes.forEach((box) => observer.observe(box));
}

/** A comma after a formula stays with it at the end of a line. */
export function keepPunctuation(): void {
    for (const formula of document.querySelectorAll("main p math, main li math")) {
        const next = formula.nextSibling;
        const found = next instanceof Text ? /^[,.;:)]+/.exec(next.data) : null;
        if (!(next instanceof Text) || !found || formula.closest(".together")) continue;
        const together = element("span", { class: "together" });
        formula.replaceWith(together);
        together.append(formula, found[0]);
        next.data = next.data.slice(found[0].length);
    }
}

/** A link to a part that is folded opens it. */
export function openTarget(): void {
    const open = () => {
        const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
        const details = target?.querySelector("details") ?? target?.closest("details");
        if (details) details.open = true;
    };
    addEventListener("hashchange", open);
    open();
}
