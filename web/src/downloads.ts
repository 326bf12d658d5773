// Files out of the page itself. They are made when they are asked for, as a table of a million rows is large.

import type { Download, Motion } from "./data";
import { element } from "./dom";

function field(text: string): string {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// The shortest digits that read back as the same number; the sign of zero is one of them.
function number(x: number): string {
    if (x === 0) return Object.is(x, -0) ? "-0" : "0";
    if (Number.isNaN(x)) return "nan";
    return Number.isFinite(x) ? String(x) : x > 0 ? "inf" : "-inf";
}

export function csv(motion: Motion): string[] {
    const columns = motion.columns.filter((column) => column.kind !== "hidden");
    const parts = [columns.map((column) => field(column.name)).join(",") + "\n"];
    let lines: string[] = [];
    for (let i = 0; i < motion.rows; i++) {
        const row = motion.backward ? motion.rows - 1 - i : i;
        lines.push(columns.map((column) => number(column.values[row])).join(","));
        if (lines.length < 10000 && i < motion.rows - 1) continue;
        parts.push(lines.join("\n") + "\n");
        lines = [];
    }
    return parts;
}

const kinds: Record<string, [string, string]> = {
    csv: ["text/csv", "the motion, as a table"],
    tex: ["text/x-tex", "the equations, for LaTeX"],
    c: ["text/x-c", "the equations, as C"],
    py: ["text/x-python", "the equations, as Python"],
    jl: ["text/plain", "the equations, as Julia"],
    m: ["text/plain", "the equations, as Octave"],
    json: ["application/json", "everything, for programs"],
    nh: ["text/plain", "the model"],
    svg: ["image/svg+xml", "the picture"],
};

function ending(name: string): string {
    return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

function link(download: Download, motion: Motion): HTMLElement {
    const [type, note] = kinds[ending(download.name)] ?? ["text/plain", ""];
    const made = element("a", { download: download.name, href: "#", role: "button" }, download.name);
    let address = "";
    made.addEventListener("click", () => {
        if (address) return;
        const content = download.text === undefined ? csv(motion) : [download.text];
        address = URL.createObjectURL(new Blob(content, { type: `${type};charset=utf-8` }));
        made.href = address;
    });
    return element("li", {}, made, element("span", {}, note));
}

export function addDownloads(downloads: Download[], motion: Motion): void {
    const place = document.getElementById("downloads");
    if (!place || downloads.length === 0) return;
    place.append(element("ul", { class: "files" }, ...downloads.map((download) => link(download, motion))));
}
