// Everything ends up in one file: the script and the style are put into page.html, and the policy in it allows
// this very script, by its hash, and nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import { fontFaces, fontPackages } from "./fonts.mjs";

const markers = ["@TITLE@", "@STATIC@", "@DATA@"];
const packages = ["three", "uplot", ...fontPackages];

function read(path) {
    return readFileSync(new URL(path, import.meta.url), "utf8");
}

function notices() {
    return packages
        .map((name) => {
            const version = JSON.parse(read(`node_modules/${name}/package.json`)).version;
            return `This page contains ${name} ${version}:\n\n${read(`node_modules/${name}/LICENSE`).trim()}\n`;
        })
        .join("\n")
        .replaceAll("--", "- -");
}

function policy(script) {
    const hash = createHash("sha256").update(script, "utf8").digest("base64");
    return [
        "default-src 'none'",
        `script-src 'sha256-${hash}'`,
        "style-src 'unsafe-inline'", // formulas have style attributes, which no hash can allow
        "img-src data: blob:",
        "font-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ].join("; ");
}

// In a string, `<\/script` is the same as `</script`, but does not end the element.
function insideScript(code) {
    return code.replace(/<(?=\/script|!--|script)/gi, "\\x3c").trim();
}

function fill(text, parts) {
    for (const [mark, value] of Object.entries(parts)) {
        const [before, after, ...more] = text.split(mark);
        if (after === undefined || more.length > 0) throw new Error(`${mark} must occur exactly once in page.html`);
        text = before + value + after;
    }
    return text;
}

function onePage() {
    return {
        name: "one-page",
        enforce: "post",
        async generateBundle(_options, bundle) {
            let script = "";
            let style = "";
            for (const [name, part] of Object.entries(bundle)) {
                if (part.type === "chunk") script += part.code;
                else if (name.endsWith(".css")) style += part.source;
                else throw new Error(`${name} would not be part of the page`);
                delete bundle[name];
            }
            script = insideScript(script);
            const page = fill(read("page.html"), {
                "%NOTICES%": notices(),
                "%POLICY%": policy(script),
                "%STYLE%": `${await fontFaces()}\n${style.trim()}`,
                "%SCRIPT%": script,
            });
            for (const marker of markers)
                if (page.split(marker).length !== 2) throw new Error(`${marker} must occur exactly once in the page`);
            this.emitFile({ type: "asset", fileName: "page.html", source: page });
        },
    };
}

export default defineConfig({
    plugins: [onePage()],
    build: {
        target: "es2021",
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 1e9,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2000,
        rollupOptions: {
            input: "src/main.ts",
            output: { format: "iife", entryFileNames: "page.js", assetFileNames: "page[extname]" },
        },
    },
});
