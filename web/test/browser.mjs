// Opens pages and tells what went wrong in them.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

// What the browser says of drawing by software, not of the page.
const ownMessage = /^\[\.WebGL-\w+\]GL Driver Message \(OpenGL, Performance, .*GPU stall due to ReadPixels/;

export function launch() {
    const executablePath = places.find((place) => place && existsSync(place));
    // Without a graphics card, the browser draws in space by software; the rest of the page is drawn faster without that.
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader"] });
}

export async function open(browser, file, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.messages = [];
    page.requests = [];
    page.on("console", (message) => {
        if (!ownMessage.test(message.text())) page.messages.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => page.messages.push(`error: ${error.message}`));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) page.requests.push(request.url());
    });
    page.answers = [];
    page.on("response", (response) => {
        if (/^(https?|wss?):/.test(response.url())) page.answers.push(response.url());
    });
    page.setDefaultTimeout(60000);
    await page.goto(pathToFileURL(resolve(file)).href);
    await settle(page);
    return page;
}

/** Until what was asked for is drawn. */
export async function settle(page) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));
}

/** The data that the page was made from, as the program wrote them. */
export function written(text) {
    const start = text.indexOf('<script type="application/json" id="data">');
    const from = text.indexOf(">", start) + 1;
    return JSON.parse(text.slice(from, text.indexOf("</script>", from)));
}

export function columnsOf(data) {
    const bytes = Buffer.from(data.values, "base64");
    const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    return data.columns.map((column, i) => ({ ...column, values: all.subarray(i * data.rows, (i + 1) * data.rows) }));
}
