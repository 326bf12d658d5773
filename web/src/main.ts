// The page of `nonholo report`: what the program wrote is already there, and comes to life.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { addContents, keepPunctuation, markScrollers, openTarget } from "./contents";
import { timeControls, viewControls } from "./controls";
import { addCopyButton } from "./copy";
import { readData, type PageData } from "./data";
import { element, whenSeen } from "./dom";
import { addDownloads } from "./downloads";
import { addKeys } from "./keys";
import { PhasePlot } from "./phase";
import { Picture } from "./picture";
import { timePlots } from "./plots";
import { preparePrint } from "./print";

function addPicture(data: PageData, clock: Clock, place: HTMLElement): Picture | null {
    if (!data.picture || data.motion.rows === 0) {
        place.hidden = true;
        return null;
    }
    const frame = element("div", { class: "scene" });
    place.append(frame);
    const picture = Picture.make(frame, data.picture, clock);
    if (picture) place.append(viewControls(picture));
    else frame.replaceWith(element("p", { class: "note" }, "This browser shows no pictures in space (WebGL); the plots tell the same."));
    return picture;
}

// Once, when the picture comes into sight, and only if nothing else was asked for.
function playWhenSeen(picture: Picture, clock: Clock): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let started = false;
    clock.onChange(() => (started = true));
    whenSeen(picture.frame, "-25% 0px", (seen) => {
        if (seen && !started) clock.play();
        started ||= seen;
    });
}

function addMotion(data: PageData): void {
    const section = document.getElementById("motion");
    const place = document.getElementById("picture");
    const plots = document.getElementById("plots");
    if (!section || !place || !plots) return;
    const clock = new Clock(data.motion);
    const picture = addPicture(data, clock, place);
    if (data.motion.rows > 1) {
        const controls = timeControls(clock);
        const frame = picture?.frame;
        if (frame) frame.after(controls);
        else plots.before(controls);
        timePlots(data.motion, clock, plots);
        new PhasePlot(data.motion, clock, plots);
        const drawn = document.getElementById("static-plots");
        drawn?.classList.toggle("for-paper", drawn.querySelector("svg") !== null);
    }
    addKeys(clock, section);
    preparePrint(picture, clock);
    if (picture) playWhenSeen(picture, clock);
}

// A page that was saved as the browser shows it has all of this already; it is made anew.
function startOver(): void {
    for (const id of ["picture", "plots"]) document.getElementById(id)?.replaceChildren();
    for (const node of document.querySelectorAll(".copy, .files, .frames, #motion > .bar")) node.remove();
}

startOver();
document.documentElement.classList.add("live");
const data = readData();
addContents();
addCopyButton(data.model);
addMotion(data);
addDownloads(data.downloads, data.motion);
keepPunctuation();
markScrollers();
openTarget();
