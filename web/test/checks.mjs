// What a reader would do with a page; each check leaves the page usable for the next.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { columnsOf, settle } from "./browser.mjs";

const hasPicture = (page) => page.locator("#picture canvas").count();
const canvasPixels = (page) => page.locator(".scene").screenshot({ caret: "initial" });
const currentTime = (page) => page.locator("input.time").evaluate((slider) => Number(slider.value));
const startTime = (page) => page.locator("input.time").evaluate((slider) => Number(slider.min));

/** Until it holds, as often as the page draws; nothing waits longer than it has to. */
async function until(what, holds, milliseconds = 15000) {
    for (const end = Date.now() + milliseconds; !(await holds()); )
        if (Date.now() > end) assert.fail(what);
}

/** The picture is another one after an act: told is what it was before, if that is known; it is the answer what it is now. */
async function changesPicture(page, what, act, told) {
    if (!told) await settle(page);
    const before = told ?? (await canvasPixels(page));
    let now = before;
    await act();
    await until(what, async () => !before.equals((now = await canvasPixels(page))));
    return now;
}

/** The least that a picture does, with as few looks at it as possible: it plays, follows the slider, and turns. */
export async function moves(page) {
    const button = page.locator("button.play");
    const slider = page.locator("input.time");
    const start = await startTime(page);
    await page.locator(".scene").scrollIntoViewIfNeeded();
    assert.equal(await currentTime(page), start, "no motion where it is not wanted");
    let seen = await changesPicture(page, "the picture plays", () => button.click());
    seen = await changesPicture(page, "the picture plays on", () => until("time passes", async () => (await currentTime(page)) > start), seen);
    await button.click();
    await settle(page);
    seen = await canvasPixels(page);
    const middle = await slider.evaluate(({ min, max }) => String((Number(min) + Number(max)) / 2));
    seen = await changesPicture(page, "the picture follows the slider", () => slider.fill(middle), seen);
    await changesPicture(
        page,
        "the picture turns",
        async () => {
            const { x, y, width, height } = await page.locator("#picture canvas").boundingBox();
            await page.mouse.move(x + width / 2, y + height / 2);
            await page.mouse.down();
            await page.mouse.move(x + width / 2 + 90, y + height / 2 + 30, { steps: 2 });
            await page.mouse.up();
        },
        seen,
    );
}

// ---- for those who do not see the page, or have no mouse

/** Headings are an outline, everything that takes the focus has a name, and nothing takes it out of the order of the page. */
export async function readable(page) {
    const found = await page.evaluate(() => {
        const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((heading) => Number(heading.tagName[1]));
        const named = (node) =>
            node.getAttribute("aria-label") || node.textContent.trim() || node.getAttribute("title") || node.closest("label")?.textContent.trim();
        const told = (list) => list.slice(0, 3).map((node) => node.outerHTML.slice(0, 120));
        const all = (selector) => [...document.querySelectorAll(selector)];
        return {
            levels,
            nameless: told(all("a, button, input, select, summary, [tabindex], [role=img], canvas:not(.plot canvas)").filter((node) => !named(node))),
            order: told(all("[tabindex]").filter((node) => node.tabIndex > 0)),
            plain: told(all("th:not([scope])").filter((node) => node.closest("#facts"))),
            landmarks: [document.querySelectorAll("main").length, document.querySelectorAll("nav").length, document.documentElement.lang],
        };
    });
    const { levels, ...rest } = found;
    assert.ok(levels[0] === 1 && levels.filter((level) => level === 1).length === 1, `headings ${levels}`);
    assert.ok(levels.every((level, i) => i === 0 || level <= levels[i - 1] + 1), `headings leave out a level: ${levels}`);
    assert.deepEqual(rest, { nameless: [], order: [], plain: [], landmarks: [1, 1, "en"] });
}

/** The tabulator gets to every control that is seen, once around the page. */
export async function reachable(page) {
    const count = await page.evaluate(() => {
        const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")].filter((node) => node.tabIndex >= 0 && node.checkVisibility());
        window.unreached = new Set(all);
        document.addEventListener("focusin", (event) => window.unreached.delete(event.target));
        document.activeElement?.blur();
        return all.length;
    });
    for (let i = 0; i < count + 2; i++) await page.keyboard.press("Tab");
    const left = await page.evaluate(() => [...window.unreached].map((node) => node.outerHTML.slice(0, 120)));
    assert.ok(count > 10, `${count} controls`);
    assert.deepEqual(left, [], "controls that the tabulator does not get to");
}

// ---- formulas

/** Every formula is seen, and one that is too wide scrolls in a box of its own. */
export async function formulas(page) {
    const found = await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        const all = [...document.querySelectorAll("main math")].filter((formula) => !formula.closest(".labels")); // names come and go
        const hidden = all.filter((formula) => {
            const { width, height } = formula.getBoundingClientRect();
            return width < 3 || height < 5;
        });
        const outside = all.filter((formula) => {
            const holder = formula.closest(".formula") ?? formula.parentElement;
            return getComputedStyle(holder).overflowX !== "auto" && formula.getBoundingClientRect().right > holder.getBoundingClientRect().right + 1;
        });
        const told = (list) => list.slice(0, 3).map((formula) => formula.outerHTML.slice(0, 120));
        return { count: all.length, hidden: told(hidden), outside: told(outside) };
    });
    assert.ok(found.count >= 5, `${found.count} formulas`);
    assert.deepEqual(found.hidden, [], "formulas that are not seen");
    assert.deepEqual(found.outside, [], "formulas that leave their boxes");
}

// ---- what holds for every page

export async function fits(page, height = 900) {
    for (const width of [360, 800, 1600]) {
        await page.setViewportSize({ width, height });
        await settle(page);
        const found = await page.evaluate(() => {
            for (const details of document.querySelectorAll("details")) details.open = true;
            const wide = document.documentElement.scrollWidth;
            const out = [...document.querySelectorAll("main *")].filter((node) => {
                if (node.closest(".formula > *, pre > *, .field > *, .labels, .for-readers, svg, math")) return false;
                const box = node.getBoundingClientRect();
                return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
            });
            return { wide, out: out.slice(0, 3).map((node) => node.outerHTML.slice(0, 120)) };
        });
        assert.ok(found.wide <= width, `the page is ${found.wide} wide at ${width}`);
        assert.deepEqual(found.out, [], `elements out of the page at ${width}`);
    }
}

export async function plays(page) {
    if ((await page.locator("button.play").count()) === 0) return;
    const button = page.locator("button.play");
    const start = await startTime(page);
    await button.scrollIntoViewIfNeeded();
    assert.equal(await currentTime(page), start, "no motion where it is not wanted");
    const play = async () => {
        await button.click();
        await until("time passes", async () => (await currentTime(page)) > start);
        await button.click();
    };
    if (await hasPicture(page)) await changesPicture(page, "the picture changes", play);
    else await play();
    const later = await currentTime(page);
    await settle(page);
    await settle(page);
    assert.equal(await currentTime(page), later, "pause stops the time");
}

export async function playsByItself(page) {
    if (!(await hasPicture(page))) return;
    await page.locator(".scene").scrollIntoViewIfNeeded();
    await until("it plays when it is seen", async () => (await page.locator("button.play").getAttribute("aria-label")) === "Pause");
}

// Saved as the browser shows it, and opened again, the page is the same.
export async function saves(page) {
    const count = () => page.evaluate(() => document.querySelectorAll("body *").length);
    const before = await count();
    const saved = await page.evaluate(() => `<!DOCTYPE html>${document.documentElement.outerHTML}`);
    const file = join(mkdtempSync(join(tmpdir(), "page-")), "saved.html");
    writeFileSync(file, saved);
    await page.goto(pathToFileURL(file).href);
    await settle(page);
    assert.equal(await count(), before);
    rmSync(dirname(file), { recursive: true });
}

export async function scrubs(page) {
    if ((await page.locator("input.time").count()) === 0) return;
    const slider = page.locator("input.time");
    await slider.scrollIntoViewIfNeeded();
    const scrub = async () => {
        const box = await slider.boundingBox();
        await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
    };
    if (await hasPicture(page)) await changesPicture(page, "the picture follows the slider", scrub);
    else await scrub();
    const { min, max } = await slider.evaluate(({ min, max }) => ({ min: Number(min), max: Number(max) }));
    const part = ((await currentTime(page)) - min) / (max - min);
    assert.ok(Math.abs(part - 0.6) < 0.03, `slider at ${part}`);
    assert.equal(await page.locator("[role=status]").count(), 1);
    await until("the time is said", async () => /^t = /.test(await page.locator("[role=status]").textContent()));
}

export async function orbits(page) {
    if (!(await hasPicture(page))) return;
    const canvas = page.locator("#picture canvas").first();
    await canvas.scrollIntoViewIfNeeded();
    await settle(page);
    const { x, y, width, height } = await canvas.boundingBox();
    const centre = [x + width / 2, y + height / 2];
    await changesPicture(page, "drag", async () => {
        await page.mouse.move(...centre);
        await page.mouse.down();
        await page.mouse.move(centre[0] + 90, centre[1] + 30, { steps: 4 });
        await page.mouse.up();
    });
    await changesPicture(page, "wheel", () => page.mouse.wheel(0, 240));
    await changesPicture(page, "the view at first", () => page.locator("button[aria-label='Show everything']").click());
    await canvas.focus();
    await changesPicture(page, "turning by the keyboard", () => page.keyboard.press("Shift+ArrowLeft"));
    await changesPicture(page, "zooming by the keyboard", () => page.keyboard.press("+"));
}

export async function keys(page) {
    if ((await page.locator("button.play").count()) === 0) return;
    await page.locator("button.play").scrollIntoViewIfNeeded();
    await settle(page);
    const field = page.locator(".field").first();
    await field.focus();
    const start = await currentTime(page);
    await page.keyboard.press("ArrowRight");
    const next = await currentTime(page);
    assert.ok(next > start, "a step ahead");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await currentTime(page), start, "and back");
    await page.keyboard.press("Space");
    assert.equal(await page.locator("button.play").getAttribute("aria-label"), "Pause");
    await page.keyboard.press("Space");
    assert.equal(await page.locator("button.play").getAttribute("aria-label"), "Play");
    const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, canvas[tabindex], .field")].filter(
            (node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.closest("label")?.textContent.trim()),
        ).length,
    );
    assert.equal(nameless, 0, "controls without a name");
}

export async function plots(page) {
    const over = page.locator(".u-over").first();
    if ((await over.count()) === 0) return;
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    const { min, max } = await page.locator("input.time").evaluate(({ min, max }) => ({ min: Number(min), max: Number(max) }));
    const at = (part) => [box.x + box.width * part, box.y + box.height / 2];
    await page.mouse.click(...at(0.25));
    await settle(page);
    assert.ok(Math.abs(((await currentTime(page)) - min) / (max - min) - 0.25) < 0.02, "a click sets the time");
    await page.mouse.move(...at(0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.5), { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert.ok(Math.abs(((await currentTime(page)) - min) / (max - min) - 0.5) < 0.02, "the marker can be dragged");
    const before = await page.locator(".plot").first().screenshot();
    await page.mouse.move(...at(0.6));
    await page.mouse.down();
    await page.mouse.move(...at(0.9), { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert.ok(!before.equals(await page.locator(".plot").first().screenshot()), "drag zooms");
    await page.mouse.click(...at(0.5));
    await settle(page);
    assert.ok(Math.abs(((await currentTime(page)) - min) / (max - min) - 0.75) < 0.02, "the zoomed plot shows its part of the time");
    await page.mouse.dblclick(...at(0.5));
    await settle(page);
    await page.mouse.click(...at(0.1));
    await settle(page);
    assert.ok(Math.abs(((await currentTime(page)) - min) / (max - min) - 0.1) < 0.02, "a double click shows everything");
}

async function download(page, index) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".files a").nth(index).click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

const equalNumbers = (a, b) => Object.is(a, b);
const parsed = (text) => (text === "nan" ? NaN : text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text));

function compareTable(text, data) {
    const columns = columnsOf(data).filter((column) => column.kind !== "hidden");
    const lines = text.split("\n");
    assert.equal(lines.pop(), "", "the last line ends");
    assert.equal(lines.length, data.rows + 1, "lines");
    if (columns.every(({ name }) => !/[",]/.test(name))) assert.equal(lines[0], columns.map(({ name }) => name).join(","));
    for (let row = 0; row < data.rows; row++) {
        const values = lines[row + 1].split(",");
        assert.equal(values.length, columns.length);
        columns.forEach((column, i) => {
            if (!equalNumbers(parsed(values[i]), column.values[row])) assert.fail(`row ${row}, ${column.name}: ${values[i]}, not ${column.values[row]}`);
        });
    }
}

export async function downloads(page, data) {
    for (const [i, { name, text }] of data.downloads.entries()) {
        const got = await download(page, i);
        assert.equal(got.name, name);
        if (text === undefined) compareTable(got.text, data);
        else assert.equal(got.text, text, name);
    }
}

// All pages of a browser have one clipboard: they copy one after the other.
let clipboard = Promise.resolve();

export function copies(page, data) {
    const turn = clipboard.then(async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.locator("button.copy").click();
        await page.locator("button.copy", { hasText: "Copied" }).waitFor();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), data.model);
    });
    clipboard = turn.catch(() => {}); // who fails says so; the next one has its turn
    return turn;
}

// The page itself tries to get out; the browser reports each refusal, which is what is wanted here.
export async function closed(page) {
    const refused = await page.evaluate(async () => {
        const seen = [];
        document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
        await fetch("https://example.org/").catch(() => {});
        document.body.append(Object.assign(new Image(), { src: "https://example.org/x.png" }));
        document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = 1" }));
        document.body.append(Object.assign(document.createElement("iframe"), { src: "https://example.org/" }));
        document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "https://example.org/x.css" }));
        const box = document.createElement("div");
        box.innerHTML = `<img src="x" onerror="window.ran = 2">`;
        document.body.append(box);
        try {
            window.eval("window.ran = 3"); // in the page's own world
        } catch {
            seen.push("eval");
        }
        const wanted = ["connect-src", "img-src", "script-src-elem", "frame-src", "style-src-elem", "script-src-attr"];
        for (const end = Date.now() + 5000; !wanted.every((kind) => seen.includes(kind)) && Date.now() < end; )
            await new Promise((done) => setTimeout(done, 10));
        return { seen, ran: window.ran };
    });
    for (const kind of ["connect-src", "img-src", "script-src-elem", "frame-src", "style-src-elem"])
        assert.ok(refused.seen.includes(kind), `${kind} is refused: ${refused.seen}`);
    assert.notEqual(refused.ran, 1, "no script is added");
    assert.notEqual(refused.ran, 2, "no handler runs");
    assert.deepEqual(page.answers, [], "nothing is loaded");
    page.messages.length = page.requests.length = 0;
}

export async function looks(page) {
    const colours = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await colours();
    const lightPicture = (await hasPicture(page)) && (await canvasPixels(page));
    await page.emulateMedia({ colorScheme: "dark" });
    await settle(page);
    assert.notEqual(await colours(), light);
    if (lightPicture) assert.ok(!lightPicture.equals(await canvasPixels(page)), "the picture is dark too");
}

export async function prints(page) {
    await page.emulateMedia({ colorScheme: "dark" });
    const folded = await page.locator("details:not([open])").count();
    const pdf = await page.pdf({ format: "A4", printBackground: true });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    assert.ok(pdf.length > 10000, `${pdf.length} bytes`);
    await settle(page);
    assert.equal(await page.locator("details:not([open])").count(), folded, "what was folded is folded again");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".bar:visible, nav:visible, .copy:visible").count(), 0, "no controls on paper");
}

export async function unchangedText(page, data) {
    assert.equal(await page.title(), data.title);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
    const legend = await page.locator(".legend button").first().textContent();
    const column = data.columns.find(({ kind }) => kind === "coordinate");
    assert.ok(legend.includes(column.name), legend);
}

// How long a frame keeps the page busy. How often frames come also depends on the graphics card, and without one on
// whatever else the machine does: it is told, but not judged.
export async function frameTime(page) {
    await page.locator(".scene").scrollIntoViewIfNeeded();
    await page.locator("button.play").click();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const busy = async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
    const before = await busy();
    const count = 30;
    const whole = await page.evaluate(
        (frames) =>
            new Promise((done) => {
                const began = performance.now();
                const frame = () => (frames-- > 0 ? requestAnimationFrame(frame) : done(performance.now() - began));
                requestAnimationFrame(frame);
            }),
        count,
    );
    return { busy: ((await busy()) - before) / count, whole: whole / count };
}

export async function keepsSpikes(page) {
    const zoom = await page.evaluate(() => {
        const canvas = [...document.querySelectorAll(".plot")].find((plot) => plot.textContent.startsWith("Observed")).querySelector("canvas");
        const { width, height } = canvas;
        const pixels = canvas.getContext("2d").getImageData(0, 0, width, Math.floor(height * 0.35)).data;
        let found = 0;
        // The blue of the curve, which without the spike stays in the lower half.
        for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 2] - pixels[i] > 60 && pixels[i + 3] > 80) found++;
        return found;
    });
    assert.ok(zoom > 20, `the one row in a million is drawn: ${zoom}`);
}

