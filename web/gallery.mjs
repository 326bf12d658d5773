// node web/gallery.mjs NONHOLO DOCS OUT [--cards]: makes OUT/gallery.html of DOCS/gallery.md, a card for each system of its tables, and a
// report for each card in OUT/gallery, unless the cards alone are wanted. The program makes the pictures; the page has no script and
// loads nothing.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const [nonholo, docs, out] = process.argv.slice(2, 5).map((path) => resolve(path));
const reports = process.argv[5] !== "--cards";
const call = promisify(execFile);

// Motions that are best seen over another time than that of `nonholo report`.
const ends = {
    ball: 2.5, "constant-speed": 1.5, "euler-disc": 4, "parallel-equal-masses": 1.5, "parallel-incline": 1.5, "parallel-three": 2,
    "parallel-velocities": 4, "rolling-coin": 5, "whipple-bicycle": 6, pursuit: 6.5, skate: 9,
};

async function run(...words) {
    const { stdout } = await call(nonholo, words, { maxBuffer: 1 << 28 });
    return stdout;
}

// ---- what the page is made of

/** The sections of the page with their rows: `| `name` | sentence |`. */
function sections(text) {
    const found = [];
    for (const line of text.split("\n")) {
        const heading = /^## (.*)/.exec(line);
        const row = /^\| `([\w-]+)` \| ([^|]*) \|$/.exec(line);
        if (heading) found.push({ title: heading[1], cards: [] });
        else if (row) found.at(-1)?.cards.push({ name: row[1], text: row[2].trim() });
    }
    return found.filter((section) => section.cards.length > 0);
}

async function titles() {
    const lines = (await run("examples")).trim().split("\n");
    return new Map(lines.map((line) => /^(\S+)\s+(.*)$/.exec(line).slice(1)));
}

/** Every system has a card, and every card a system. */
function compare(found, known) {
    const names = found.flatMap((section) => section.cards.map((card) => card.name));
    const wrong = [...names.filter((name) => !known.has(name)), ...[...known.keys()].filter((name) => names.filter((other) => other === name).length !== 1)];
    if (wrong.length > 0) throw new Error(`gallery.md and \`nonholo examples\` differ: ${wrong.join(", ")}`);
}

async function make(card, known, folder) {
    const model = join(folder, `${card.name}.nh`);
    const to = ends[card.name] ? ["--to", String(ends[card.name])] : [];
    card.title = known.get(card.name);
    await run("examples", card.name, "-o", model);
    if (reports) await run("report", model, ...to, "--quiet", "-o", join(out, "gallery", `${card.name}.html`));
    card.picture = await run("report", model, ...to, "--quiet", "--format", "svg");
    if (reports) console.log(card.name);
}

/** Some at a time. */
async function together(jobs, count) {
    const next = jobs.values();
    const work = async () => {
        for (const job of next) await job();
    };
    await Promise.all(Array.from({ length: count }, work));
}

// ---- the page

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const sentence = (text) => escaped(text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".")).replace(/`([^`]*)`/g, "<code>$1</code>");
const address = (svg) => "data:image/svg+xml," + svg.trim().replace(/[%#<>"\n]/g, (sign) => (sign === "\n" ? " " : encodeURIComponent(sign)));
const inList = (svg) => "data:image/svg+xml," + encodeURIComponent(svg.trim()); // where blanks and commas separate

// An image does not know what its reader prefers: the page chooses for it.
const still = (svg) => (svg.slice(0, svg.indexOf('<g class="moves">')) + svg.slice(svg.indexOf('<g class="still">'))).replace(".still{display:none}", ".still{}");

function cardOf({ name, title, text, picture }) {
    return (
        `<li><article><picture><source media="print, (prefers-reduced-motion: reduce)" srcset="${inList(still(picture))}">` +
        `<img src="${address(picture)}" alt="" width="320" height="200"></picture>` +
        `<h3><a href="gallery/${name}.html">${escaped(title)}</a></h3><p>${sentence(text)}</p><p class="file">${name}</p></article></li>`
    );
}

function sectionOf({ title, cards }, index) {
    return `<section id="part-${index}"><h2>${escaped(title)}</h2>\n<ul class="cards">\n${cards.map(cardOf).join("\n")}\n</ul></section>`;
}

async function letters() {
    try {
        return await (await import("./fonts.mjs")).fontFaces(["Page Sans", "Page Serif"]);
    } catch {
        return ""; // without the packages, the letters of the machine
    }
}

async function page(found) {
    const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
    const count = found.reduce((sum, section) => sum + section.cards.length, 0);
    const links = found.map(({ title }, i) => `<a href="#part-${i}">${escaped(title)}</a>`).join("\n");
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>The gallery of nonholo</title>
<style>
${await letters()}
${read("src/style.css")}
${read("gallery.css")}
</style>
</head>
<body class="gallery">
<main>
<header><h1>The gallery</h1>
<p>${count} nonholonomic systems, each a model of a dozen lines. The pictures are computed from the models; each leads to a report with the
equations, what is true of the system, and its motion.</p>
<nav aria-label="Contents">${links}</nav></header>
${found.map(sectionOf).join("\n")}
</main>
</body>
</html>
`;
}

const found = sections(readFileSync(join(docs, "gallery.md"), "utf8"));
const known = await titles();
compare(found, known);
const folder = mkdtempSync(join(tmpdir(), "gallery-"));
try {
    mkdirSync(join(out, "gallery"), { recursive: true });
    const slow = (card) => (card.name === "isokinetic-64" ? 0 : 1); // first, so that nothing waits for it at the end
    const cards = found.flatMap((section) => section.cards).sort((a, b) => slow(a) - slow(b));
    await together(cards.map((card) => () => make(card, known, folder)), cpus().length);
    writeFileSync(join(out, "gallery.html"), await page(found));
} finally {
    rmSync(folder, { recursive: true });
}
