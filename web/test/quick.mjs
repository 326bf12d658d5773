// node web/test/quick.mjs NONHOLO EXAMPLES TEMPLATE: what is most important, in less than a minute: reports that the program NONHOLO writes
// of some systems of the gallery, a hostile model, and the page of the gallery. One browser, each page opened once, two at a time. Ends with 77
// where there is nothing to test with.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const [nonholo, examples, template] = process.argv.slice(2).map((path) => resolve(path));
const call = promisify(execFile);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function skip(why) {
    console.log(`not tested: ${why}`);
    process.exit(77);
}

if (!existsSync(template) || readFileSync(template).length === 0) skip("the program was built without the scripts of the page");
const { launch, open, settle, written } = await import("./browser.mjs").catch(() => skip("playwright-core is not installed"));
const checks = await import("./checks.mjs");
const browser = await launch().catch((error) => skip(`no browser: ${error.message.split("\n")[0]}`));
const folder = mkdtempSync(join(tmpdir(), "pages-"));

// Planes and space, one and many bodies, wide formulas, prescribed motions, and one without a picture.
const systems = [
    "rolling-disc", "chaplygin-ball", "snakeboard", "off-centre-sleigh", "constant-speed",
    "paper/skate", "paper/parallel-velocities", "paper/coaxial-discs",
];

const hostile = `system  <img src=x onerror="window.broken=1"></title></script><script>window.broken=2</script> & "it's"
coordinates x, y # </pre></code><script>window.broken=3</script><!--
kinetic 1/2*(x'^2 + y'^2)
constraint blade: x'*sin(t) = y'*cos(t)
initial x' = 1
`;

async function report(name, model) {
    const file = join(folder, `${name.replace("/", "-")}.html`);
    await call(nonholo, ["report", model, "--quiet", "-o", file]);
    return file;
}

// ---- what is done with a page

const view = { width: 480, height: 420 }; // small pictures, of few pixels, are drawn faster

/** All that a reader does, on one page, one after the other. */
async function everything(page, data) {
    assert.equal(await page.title(), data.title);
    await checks.readable(page);
    if (data.name === "skate") await checks.reachable(page);
    await checks.moves(page);
    await checks.downloads(page, data);
    await checks.copies(page, data);
    await checks.formulas(page);
    await checks.fits(page, view.height);
}

async function textStaysText(page, data) {
    assert.equal(await page.title(), data.title.trim().replace(/\s+/g, " "));
    assert.equal((await page.locator("h1").textContent()).trim().replace(/\s+/g, " "), data.title.trim().replace(/\s+/g, " "));
    assert.equal(await page.evaluate(() => window.broken), undefined, "markup of the model is not run");
    assert.equal(await page.locator("main img, main script").count(), 0, "markup of the model is not read");
    assert.equal(await page.locator("#model pre").evaluate((node) => node.textContent), data.model, "the model is shown as it is");
}

/** Cards with moving pictures; pages without a script have nothing else to try. */
async function gallery(page) {
    const found = await page.evaluate(() => ({
        cards: document.querySelectorAll("article").length,
        empty: [...document.querySelectorAll("article img")].filter((image) => !image.complete || image.naturalWidth === 0).length,
        links: new Set([...document.querySelectorAll("article a")].map((link) => link.href)).size,
    }));
    const { stdout } = await call(nonholo, ["examples"]);
    const count = stdout.trim().split("\n").length;
    assert.deepEqual(found, { cards: count, empty: 0, links: count });
    await checks.fits(page, view.height);
    await page.setViewportSize(view);
    const card = page.locator("article img").first();
    const before = await card.screenshot();
    for (const end = Date.now() + 10000; before.equals(await card.screenshot()); )
        assert.ok(Date.now() < end, "the pictures play");
    await page.emulateMedia({ reducedMotion: "reduce" });
    const moving = () => page.evaluate(() => [...document.querySelectorAll("article img")].filter((image) => image.currentSrc.includes("animate")).length);
    for (const end = Date.now() + 10000; (await moving()) > 0; )
        assert.ok(Date.now() < end, `and stand still for those who prefer that, but for ${await moving()}`);
}

// ---- the run

let failures = 0;

async function test(name, make, body, options) {
    const began = Date.now();
    let page;
    try {
        const file = await make();
        page = await open(browser, file, { viewport: view, deviceScaleFactor: 0.5, ...options });
        await body(page, file);
        assert.deepEqual(page.messages, [], "messages of the browser");
        assert.deepEqual(page.requests, [], "requests to the outside");
        if (name !== "gallery") await checks.closed(page);
        console.log(`ok    ${name} (${Date.now() - began} ms)`);
    } catch (error) {
        failures++;
        console.log(`FAIL  ${name}\n${String(error.stack ?? error).replace(/^/gm, "      ")}`);
    } finally {
        await page?.context().close();
    }
}

const dataOf = (file) => written(readFileSync(file, "utf8"));

async function hostileModel() {
    const model = join(folder, "hostile.nh");
    writeFileSync(model, hostile);
    return report("hostile-model", model);
}

/** Names of columns and bodies that no model can have. */
async function hostileNames() {
    await call(process.execPath, [here("sample.mjs"), template, folder, nonholo, "hostile"]);
    return join(folder, "hostile.html");
}

async function cards() {
    await call(process.execPath, [here("../gallery.mjs"), nonholo, resolve(examples, "../docs"), folder, "--cards"]);
    return join(folder, "gallery.html");
}

const jobs = [
    () => test("gallery", cards, gallery, { reducedMotion: "no-preference" }),
    ...systems.map((name) => () => test(name, () => report(name, join(examples, `${name}.nh`)), (page, file) => everything(page, dataOf(file)))),
    () => test("a hostile model", hostileModel, (page, file) => textStaysText(page, dataOf(file))),
    () => test("hostile names", hostileNames, (page, file) => checks.unchangedText(page, dataOf(file))),
];
const next = jobs.values();
const work = async () => {
    for (const job of next) await job();
};
await Promise.all([work(), work()]);
await browser.close();
rmSync(folder, { recursive: true });
console.log(failures === 0 ? "all pages are as they should be" : `${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
