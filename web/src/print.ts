// On paper: light colours, everything unfolded, the picture at the start and at the end, and formulas that are too
// wide made smaller instead of cut off.

import type { Clock } from "./clock";
import { element } from "./dom";
import { timeText } from "./numbers";
import type { Picture } from "./picture";
import { forPaper } from "./theme";

const paperWidth = 680; // of A4 and letter with their margins, in pixels of a style sheet
let opened: HTMLDetailsElement[] = [];
let shrunk: HTMLElement[] = [];
let putBack = () => {};

function frame(picture: Picture, clock: Clock, time: number): HTMLElement {
    const { start, end } = clock.motion;
    const caption = element("figcaption", {}, element("i", {}, "t"), ` = ${timeText(time, end - start)}`);
    return element("figure", {}, picture.copy(time, 480), caption);
}

function unfold(): void {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("main details:not([open])")];
    for (const details of opened) details.open = true;
}

function shrinkFormulas(): void {
    for (const box of document.querySelectorAll<HTMLElement>(".formula")) {
        const width = (box.firstElementChild ?? box).getBoundingClientRect().width;
        if (width <= paperWidth) continue;
        box.style.fontSize = `${Math.max(paperWidth / width, 0.35).toFixed(3)}em`;
        shrunk.push(box);
    }
}

// The derivation is long: on paper it comes last.
function stepsLast(): () => void {
    const steps = document.getElementById("steps");
    const next = steps?.nextSibling;
    if (!steps || !next) return () => {};
    steps.parentElement?.append(steps);
    return () => next.parentElement?.insertBefore(steps, next);
}

function shrinkPlots(): void {
    for (const field of document.querySelectorAll<HTMLElement>(".plot .field"))
        field.style.setProperty("--paper-zoom", Math.min(1, (paperWidth / 2 - 10) / field.clientWidth).toFixed(3));
}

export function preparePrint(picture: Picture | null, clock: Clock): void {
    const frames = element("div", { class: "frames" });
    picture?.frame.after(frames);
    addEventListener("beforeprint", () => {
        clock.pause();
        forPaper(true);
        unfold();
        putBack = stepsLast();
        shrinkPlots();
        shrinkFormulas();
        const { start, end } = clock.motion;
        if (picture) frames.replaceChildren(frame(picture, clock, start), frame(picture, clock, end));
    });
    addEventListener("afterprint", () => {
        for (const details of opened) details.open = false;
        for (const box of shrunk) box.style.fontSize = "";
        putBack();
        opened = [];
        shrunk = [];
        frames.replaceChildren();
        forPaper(false);
    });
}
