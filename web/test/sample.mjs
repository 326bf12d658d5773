// node sample.mjs TEMPLATE OUTPUT_DIR [NONHOLO [NAME...]]: fills the template as `nonholo report` does, for some systems of
// the gallery and for pages that are made to be difficult. What the pictures need is observed by the program.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [template, out, program = new URL("../../build/release/bin/nonholo", import.meta.url).pathname, ...wanted] = process.argv.slice(2);
const page = readFileSync(template, "utf8");
mkdirSync(out, { recursive: true });

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function fill(title, html, data) {
    const json = JSON.stringify(data).replaceAll("<", "\\u003c");
    return page
        .replace("@DATA@", () => json)
        .replace("@TITLE@", () => escaped(title))
        .replace("@STATIC@", () => html);
}

function nonholo(args, input) {
    return execFileSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] });
}

// ---- the static part

function facts(list) {
    const rows = list.map(
        ({ name, verdict, detail }) =>
            `<tr><th scope="row">${escaped(name)}</th><td class="${verdict}">${verdict}</td><td>${escaped(detail)}</td></tr>`,
    );
    return `<table><thead><tr><th scope="col">fact</th><th scope="col">verdict</th><th scope="col">detail</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

function staticPart({ title, model, equations, steps, list, svg, summary }) {
    return `<header><h1>${escaped(title)}</h1><p>Equations, facts and motion, by nonholo 0.1.0</p></header>
<section id="motion"><h2>Motion</h2><div id="picture"></div><div id="plots"></div><div id="static-plots">${svg}</div></section>
<section id="model"><h2>Model</h2><pre>${escaped(model)}</pre></section>
<section id="equations"><h2>Equations of motion</h2>${equations}</section>
<section id="steps"><details><summary>Derivation, step by step</summary>${steps}</details></section>
<section id="facts"><h2>Facts</h2>${facts(list)}</section>
<section id="summary"><h2>Summary of the run</h2><pre>${escaped(summary)}</pre></section>
<section id="downloads"><h2>Downloads</h2></section>`;
}

// ---- the motion

const base64 = (columns) => {
    const rows = columns[0].length;
    const all = new Float64Array(columns.length * rows);
    columns.forEach((values, i) => all.set(values, i * rows));
    return Buffer.from(all.buffer).toString("base64");
};

function kindOf(name, { angles = [], velocities = [], energies = ["energy"] }) {
    if (name === "t") return "time";
    if (name.startsWith("h_")) return "hidden";
    if (name.startsWith("R_")) return "reaction";
    if (name.startsWith("lambda_")) return "multiplier";
    if (energies.includes(name)) return "energy";
    if (velocities.includes(name)) return "velocity";
    if (name.startsWith("observed_")) return "observed";
    const stem = name.replace(/'$/, "");
    if (angles.includes(stem)) return name === stem ? "angle" : "angle-rate";
    return name === stem ? "coordinate" : "rate";
}

function run(sample, model) {
    const { to = 10, rows = 400 } = sample;
    const observed = Object.entries(sample.observe ?? {}).map(([name, formula]) => `observe ${name} = ${formula}\n`);
    const text = nonholo(["run", "-", "--to", String(to), "--every", String(to / rows), "--reactions", "--quiet"], model + observed.join(""));
    const [head, ...lines] = text.trim().split("\n");
    const names = head.split(",");
    const columns = names.map(() => new Float64Array(lines.length));
    lines.forEach((line, row) => line.split(",").forEach((x, i) => (columns[i][row] = Number(x))));
    return { names, columns };
}

// The names of columns in a picture become their numbers.
function resolve(part, names) {
    if (Array.isArray(part)) return part.map((inner) => resolve(inner, names));
    if (typeof part === "object" && part !== null)
        return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, key === "name" || key === "kind" || key === "group" ? inner : resolve(inner, names)]));
    if (typeof part !== "string") return part;
    const column = names.indexOf(part);
    if (column < 0) throw new Error(`no column ${part}`);
    return { column };
}

// ---- what is observed for the pictures

const axes = (frame, tag) =>
    Object.fromEntries([1, 2, 3].flatMap((row) => [1, 2, 3].map((axis) => [`h_${tag}${row}${axis}`, `axis(${frame}, ${axis})[${row}]`])));
const frameOf = (tag) => [1, 2, 3].flatMap((row) => [1, 2, 3].map((axis) => `h_${tag}${row}${axis}`));
const triple = (formula, tag, dimension = 3) =>
    Object.fromEntries(Array.from({ length: dimension }, (_, i) => [`h_${tag}${i + 1}`, `(${formula})[${i + 1}]`]));
const at = (tag, dimension = 3) => (dimension === 3 ? [`h_${tag}1`, `h_${tag}2`, `h_${tag}3`] : [`h_${tag}1`, `h_${tag}2`, 0]);
const turned = (angle, tag) => ({ [`h_${tag}c`]: `cos(${angle})`, [`h_${tag}s`]: `sin(${angle})`, [`h_${tag}m`]: `-sin(${angle})` });
const plane = (tag) => [`h_${tag}c`, `h_${tag}m`, 0, `h_${tag}s`, `h_${tag}c`, 0, 0, 0, 1];

const up = [0, 0, 1];
const ground = { kind: "ground", normal: up, at: [0, 0, 0] };

const samples = [
    {
        name: "skate",
        angles: ["theta"],
        velocities: ["v", "w"],
        observe: turned("theta", "f"),
        picture: {
            dimension: 2,
            up: [0, 1, 0],
            items: [
                { kind: "path", name: "C", at: ["x", "y", 0] },
                { kind: "box", name: "C", at: ["x", "y", 0], size: [2, 0.25, 0.25], frame: plane("f") },
                { kind: "point", name: "C", at: ["x", "y", 0] },
                { kind: "vector", name: "v(C)", at: ["x", "y", 0], along: ["x'", "y'", 0], group: "velocity" },
                { kind: "vector", name: "R", at: ["x", "y", 0], along: ["R_x", "R_y", 0], group: "reaction" },
            ],
        },
    },
    {
        name: "off-centre-sleigh",
        to: 12,
        angles: ["theta"],
        velocities: ["v", "w"],
        observe: { energy: "kinetic", ...triple("pos(G)", "g", 2) },
        picture: {
            dimension: 2,
            up: [0, 1, 0],
            items: [
                { kind: "path", name: "A", at: ["x", "y", 0] },
                { kind: "path", name: "G", at: at("g", 2) },
                { kind: "rod", from: ["x", "y", 0], to: at("g", 2), radius: null },
                { kind: "point", name: "A", at: ["x", "y", 0] },
                { kind: "point", name: "G", at: at("g", 2) },
                { kind: "vector", name: "v(A)", at: ["x", "y", 0], along: ["x'", "y'", 0], group: "velocity" },
                { kind: "vector", name: "R", at: ["x", "y", 0], along: ["R_x", "R_y", 0], group: "reaction" },
            ],
        },
    },
    {
        name: "rolling-disc",
        model: (text) => text.replace(/initial[^]*?integral/, "initial      theta = 0.35, psi' = 1.2, phi' = 4, theta' = 0\nintegral"),
        angles: ["psi", "theta", "phi"],
        observe: { energy: "kinetic + potential", ...axes("W", "w"), ...triple("pos(D)", "p"), ...triple("vel(D)", "v") },
        picture: {
            dimension: 3,
            up,
            items: [
                ground,
                { kind: "path", name: "contact", at: ["x", "y", 0] },
                { kind: "disc", name: "D", at: at("p"), radius: 0.5, axis: ["h_w12", "h_w22", "h_w32"], frame: frameOf("w") },
                { kind: "point", name: "contact", at: ["x", "y", 0] },
                { kind: "vector", name: "v(D)", at: at("p"), along: at("v"), group: "velocity" },
                { kind: "vector", name: "R", at: ["x", "y", 0], along: ["R_x", "R_y", 0], group: "reaction" },
            ],
        },
    },
    {
        name: "parallel-incline",
        to: 2,
        velocities: ["rho", "sigma", "theta"],
        observe: { energy: "kinetic + potential" },
        picture: {
            dimension: 2,
            up: [0, 1, 0],
            items: ["1", "2"].flatMap((i) => [
                { kind: "path", name: `P${i}`, at: [`x${i}`, `y${i}`, 0] },
                { kind: "point", name: `P${i}`, at: [`x${i}`, `y${i}`, 0] },
                { kind: "vector", name: `v(P${i})`, at: [`x${i}`, `y${i}`, 0], along: [`x${i}'`, `y${i}'`, 0], group: "velocity" },
            ]),
        },
    },
    {
        name: "car-with-trailers",
        to: 20,
        angles: ["h0", "h1", "h2", "h3"],
        velocities: ["v", "x3", "y3"],
        observe: {
            energy: "kinetic",
            ...triple("pos(C)", "c", 2),
            ...triple("pos(T1)", "t1", 2),
            ...triple("pos(T2)", "t2", 2),
            ...triple("pos(T3)", "t3", 2),
            ...turned("h0", "f0"),
            h_n1: "x + 2*cos(h0)",
            h_n2: "y + 2*sin(h0)",
        },
        picture: {
            dimension: 2,
            up: [0, 1, 0],
            items: [
                { kind: "path", name: "C", at: at("c", 2) },
                { kind: "path", name: "T3", at: at("t3", 2) },
                { kind: "rod", from: at("c", 2), to: at("n", 2), radius: 0.12 },
                { kind: "rod", from: at("c", 2), to: at("t1", 2), radius: null },
                { kind: "rod", from: at("t1", 2), to: at("t2", 2), radius: null },
                { kind: "rod", from: at("t2", 2), to: at("t3", 2), radius: null },
                { kind: "box", at: at("c", 2), size: [0.25, 1, 0.1], frame: plane("f0") },
                { kind: "point", name: "C", at: at("c", 2) },
                { kind: "point", name: "T1", at: at("t1", 2) },
                { kind: "point", name: "T2", at: at("t2", 2) },
                { kind: "point", name: "T3", at: at("t3", 2) },
            ],
        },
    },
    {
        name: "ball-on-turntable",
        angles: ["psi", "theta", "phi"],
        velocities: ["wx", "wy", "wz"],
        to: 8,
        rows: 800,
        observe: { ...axes("W", "w") },
        picture: {
            dimension: 3,
            up,
            items: [
                ground,
                { kind: "path", name: "D", at: ["x", "y", 0.1] },
                { kind: "ball", name: "D", at: ["x", "y", 0.1], radius: 0.1, frame: frameOf("w") },
            ],
        },
    },
    {
        name: "whipple-bicycle",
        angles: ["yaw", "lean", "pitch", "steer", "rear", "front"],
        to: 5,
        observe: {
            energy: "kinetic + potential",
            ...axes("wheel_R", "r"),
            ...axes("wheel_F", "f"),
            ...axes("frame_B", "b"),
            ...triple("pos(R)", "pr"),
            ...triple("pos(F)", "pf"),
            ...triple("pos(B)", "pb"),
            ...triple("pos(H)", "ph"),
        },
        picture: {
            dimension: 3,
            up: [0, 0, -1],
            items: [
                { kind: "ground", normal: [0, 0, -1], at: [0, 0, 0] },
                { kind: "disc", name: "R", at: at("pr"), radius: 0.3, axis: ["h_r12", "h_r22", "h_r32"], frame: frameOf("r") },
                { kind: "disc", name: "F", at: at("pf"), radius: 0.35, axis: ["h_f12", "h_f22", "h_f32"], frame: frameOf("f") },
                { kind: "ellipsoid", name: "B", at: at("pb"), axes: [0.25, 0.15, 0.4], frame: frameOf("b") },
                { kind: "rod", from: at("pr"), to: at("pb"), radius: 0.02 },
                { kind: "rod", from: at("pb"), to: at("ph"), radius: 0.02 },
                { kind: "rod", from: at("ph"), to: at("pf"), radius: 0.02 },
                { kind: "path", name: "B", at: at("pb") },
            ],
        },
    },
    { name: "heisenberg", to: 5, picture: null },
    { name: "isokinetic-64", to: 5, rows: 200, picture: null },
];

function downloadsOf(name, model) {
    return [
        { name: `${name}.csv` },
        { name: `${name}.nh`, text: model },
        { name: `${name}.tex`, text: nonholo(["derive", "-", "--format", "latex", "--quiet"], model) },
        { name: `${name}.c`, text: nonholo(["export", "-", "--to", "c", "--quiet"], model) },
    ];
}

function figure(sample, model) {
    const svg = join(out, "sample.svg");
    nonholo(["run", "-", "--to", String(sample.to ?? 10), "--quiet", "--plot", svg, "-o", join(out, "sample.csv")], model);
    const text = readFileSync(svg, "utf8");
    rmSync(svg);
    rmSync(join(out, "sample.csv"));
    return text;
}

function withoutTitle(html) {
    return html.replace(/<h1>.*?<\/h1>/, "").replaceAll("<h2>", "<h3>").replaceAll("</h2>", "</h3>");
}

function galleryPage(sample) {
    const { name } = sample;
    const text = nonholo(["examples", name]);
    const model = sample.model ? sample.model(text) : text;
    const check = JSON.parse(nonholo(["check", "-", "--format", "json", "--quiet"], model));
    const { names, columns } = run(sample, model);
    const title = check.system;
    const data = {
        title,
        program: "nonholo 0.1.0",
        name,
        model,
        columns: names.map((column) => ({ name: column, kind: kindOf(column, sample) })),
        rows: columns[0].length,
        values: base64(columns),
        picture: resolve(sample.picture, names),
        downloads: downloadsOf(name, model),
    };
    const html = staticPart({
        title,
        model,
        equations: withoutTitle(nonholo(["derive", "-", "--format", "mathml", "--quiet"], model)),
        steps: withoutTitle(nonholo(["derive", "-", "--format", "mathml", "--steps", "--quiet"], model)),
        list: check.facts,
        svg: figure(sample, model),
        summary: "Taylor, first kind: 31 steps, order 24, tolerance 1e-12\nauto: all forces are smooth\nenergy changes by 8e-16, relative",
    });
    return fill(title, html, data);
}

// ---- pages that are made to be difficult

function plainPage(title, columns, values, picture, model = "system Test") {
    const data = {
        title,
        program: "nonholo 0.1.0",
        name: "test",
        model,
        columns,
        rows: values[0].length,
        values: base64(values),
        picture,
        downloads: [{ name: "test.csv" }, { name: "test.tex", text: model }],
    };
    const list = [{ name: title, verdict: "unknown", detail: title }];
    return fill(title, staticPart({ title, model, equations: "", steps: "", list, svg: "", summary: "none" }), data);
}

function hostilePage() {
    const evil = `<img src=x onerror="window.broken=1"></script><script>window.broken=2</script>&amp;'"\`\${window.broken=3}`;
    const t = Float64Array.from({ length: 50 }, (_, i) => i / 10);
    const x = t.map((time) => Math.sin(time));
    const items = [
        { kind: "point", name: evil, at: [{ column: 1 }, 0, 0] },
        { kind: "path", name: evil, at: [{ column: 1 }, 0, 0] },
        { kind: "vector", name: evil, at: [0, 0, 0], along: [{ column: 1 }, 1, 0], group: "given" },
    ];
    const columns = [
        { name: "t", kind: "time" },
        { name: evil, kind: "coordinate" },
        { name: `${evil}'`, kind: "energy" },
    ];
    return plainPage(evil, columns, [t, x, x], { dimension: 2, up: [0, 1, 0], items }, `system ${evil}`);
}

function millionPage() {
    const rows = 1_000_000;
    const t = Float64Array.from({ length: rows }, (_, i) => i / 1000);
    const x = t.map((time) => Math.cos(time / 30) + 0.1 * Math.sin(37 * time));
    const y = t.map((time) => Math.sin(time / 20) + 0.1 * Math.cos(37 * time));
    // One row in a million that must not get lost.
    const spike = t.map((_, i) => (i === 654_321 ? 5 : Math.sin(i / 1e5)));
    const energy = t.map((_, i) => 1 + 1e-15 * Math.round(4 * Math.sin(i / 1e4)));
    const columns = [
        { name: "t", kind: "time" },
        { name: "x", kind: "coordinate" },
        { name: "y", kind: "coordinate" },
        { name: "spike", kind: "observed" },
        { name: "E", kind: "energy" },
    ];
    const at = [{ column: 1 }, { column: 2 }, 0.05];
    const items = [
        ground,
        { kind: "path", name: "P", at },
        { kind: "ball", name: "P", at, radius: 0.05, frame: null },
    ];
    return plainPage("A million rows", columns, [t, x, y, spike, energy], { dimension: 3, up, items });
}

// Backwards in time, a single row, and numbers that are none.
function oddPages() {
    const columns = [
        { name: "t", kind: "time" },
        { name: "x", kind: "coordinate" },
        { name: "E", kind: "energy" },
        { name: "large", kind: "observed" },
    ];
    const items = [{ kind: "point", name: "P", at: [{ column: 1 }, 0, 0] }];
    const picture = { dimension: 2, up: [0, 1, 0], items };
    const back = [[0, -1, -2, -3], [-0, 0.1, 1e-7, 2.5], [1, 1 + 2e-16, 1, NaN], [1e300, -2.5e300, 0, 5e-324]].map((list) => Float64Array.from(list));
    const one = back.map((values) => values.slice(0, 1));
    return { backward: plainPage("Backward", columns, back, picture), "one-row": plainPage("One row", columns, one, picture) };
}

function write(name, make) {
    if (wanted.length > 0 && !wanted.includes(name)) return;
    writeFileSync(join(out, `${name}.html`), make());
    console.log(name);
}

for (const sample of samples) write(sample.name, () => galleryPage(sample));
write("hostile", hostilePage);
write("million", millionPage);
write("backward", () => oddPages().backward);
write("one-row", () => oddPages()["one-row"]);
