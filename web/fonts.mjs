// The letters of the page, put into the page, so that it looks the same everywhere: Inter for the controls and
// tables, Source Serif for headings and names, and STIX Two Math for formulas, of which only the signs are kept
// that mechanics is written with.
import { readFileSync } from "node:fs";
import subset from "subset-font";

const fonts = [
    { family: "Page Sans", file: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", weight: "100 900" },
    { family: "Page Serif", file: "@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2", weight: "400" },
    { family: "Page Serif", file: "@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2", weight: "600" },
    { family: "Page Serif", file: "@fontsource/source-serif-4/files/source-serif-4-latin-400-italic.woff2", weight: "400", style: "italic" },
    {
        family: "Page Serif",
        file: "@fontsource/source-serif-4/files/source-serif-4-greek-400-italic.woff2",
        weight: "400",
        style: "italic",
        range: "U+0370-03FF",
    },
    { family: "Page Math", file: "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2", weight: "400", signs: mathSigns() },
];

export const fontPackages = ["@fontsource-variable/inter", "@fontsource/source-serif-4", "@fontsource/stix-two-math"];

function mathSigns() {
    const ranges = [
        [0x20, 0x7e], [0xa0, 0xff], [0x2c6, 0x2dd], [0x300, 0x30c], [0x370, 0x3ff], // letters, accents
        [0x2010, 0x2044], [0x2061, 0x2064], [0x20d7, 0x20d7], [0x2100, 0x214f], // dashes, primes, ℝ and the like
        [0x2190, 0x21d5], [0x2200, 0x22ff], [0x2308, 0x230b], [0x27e8, 0x27eb], // arrows, operators, brackets
        [0x1d400, 0x1d467], [0x1d54a, 0x1d54b], [0x1d6a4, 0x1d71b], // bold, italic, 𝕊, italic Greek
    ];
    return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))).join("");
}

async function face({ family, file, weight, style = "normal", range, signs }) {
    const whole = readFileSync(new URL(`node_modules/${file}`, import.meta.url));
    const data = signs ? await subset(whole, signs, { targetFormat: "woff2" }) : whole;
    const place = range ? `unicode-range:${range};` : "";
    return (
        `@font-face{font-family:"${family}";font-style:${style};font-weight:${weight};font-display:block;${place}` +
        `src:url(data:font/woff2;base64,${data.toString("base64")}) format("woff2")}`
    );
}

/** All of them, or those of some families. */
export async function fontFaces(families) {
    const wanted = fonts.filter(({ family }) => !families || families.includes(family));
    return (await Promise.all(wanted.map(face))).join("\n");
}
