// Opens each page anew for every check.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { launch, open, written } from "./browser.mjs";
import * as checks from "./checks.mjs";

const browser = await launch();
let failures = 0;

async function test(file, name, body, options) {
    const began = Date.now();
    let page;
    try {
        page = await open(browser, file, options);
        await body(page);
        assert.deepEqual(page.messages, [], "messages of the browser");
        assert.deepEqual(page.requests, [], "requests to the outside");
        console.log(`ok    ${basename(file)}: ${name} (${Date.now() - began} ms)`);
    } catch (error) {
        failures++;
        console.log(`FAIL  ${basename(file)}: ${name}\n${String(error.stack ?? error).replace(/^/gm, "      ")}`);
    } finally {
        await page?.context().close();
    }
}

for (const file of process.argv.slice(2)) {
    const text = readFileSync(file, "utf8");
    const data = written(text);
    const special = basename(file, ".html");
    await test(file, "opens", async (page) => assert.equal(await page.title(), data.title.trim().replace(/\s+/g, " ")));
    if (special === "million") {
        await test(file, "stays responsive", async (page) => {
            const { busy, whole } = await checks.frameTime(page);
            console.log(`      a frame keeps the page busy for ${busy.toFixed(1)} ms, and comes every ${whole.toFixed(1)} ms`);
            assert.ok(busy < 40, `${busy} ms`);
        });
        await test(file, "keeps single rows", checks.keepsSpikes);
        await test(file, "downloads", (page) => checks.downloads(page, data));
        await test(file, "plots", checks.plots);
        continue;
    }
    await test(file, "fits", checks.fits);
    if (data.title !== "" && /<math/.test(text)) await test(file, "formulas", checks.formulas);
    await test(file, "plays", checks.plays);
    if (data.rows > 1) await test(file, "plays by itself", checks.playsByItself, { reducedMotion: "no-preference" });
    await test(file, "scrubs", checks.scrubs);
    await test(file, "saves", checks.saves);
    await test(file, "orbits", checks.orbits);
    await test(file, "keys", checks.keys);
    await test(file, "readable", checks.readable);
    await test(file, "reachable", checks.reachable);
    if (special !== "backward") await test(file, "plots", checks.plots);
    await test(file, "downloads", (page) => checks.downloads(page, data));
    await test(file, "copies", (page) => checks.copies(page, data));
    await test(file, "is closed", checks.closed);
    await test(file, "dark and light", checks.looks);
    await test(file, "prints", checks.prints);
    if (special === "hostile") await test(file, "text stays text", (page) => checks.unchangedText(page, data));
}
await browser.close();
console.log(failures === 0 ? "all pages are as they should be" : `${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
