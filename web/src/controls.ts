// The controls under the picture: time, speed, and what is shown.

import { speeds, type Clock } from "./clock";
import type { Group } from "./data";
import { element, icon } from "./dom";
import { shortNumber, timeText } from "./numbers";
import type { Picture } from "./picture";
import { groups } from "./scene";
import { groupColour } from "./shapes";
import { onThemeChange } from "./theme";

const shapes = {
    play: "M7 4.5v15l12.5-7.5z",
    pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
    reset: "M5 4.5h2.6v15H5zM20 4.5v15L8.6 12z",
    back: "M16.5 4.5v15L7 12z",
    ahead: "M7.5 4.5v15L17 12z",
    loop: "M17.6 6.4A7.9 7.9 0 0 0 4.1 11h2.1a5.9 5.9 0 0 1 10-3.2L13.5 10.5H20V4zM6.4 17.6A7.9 7.9 0 0 0 19.9 13h-2.1a5.9 5.9 0 0 1-10 3.2l2.7-2.7H4V20z",
    fit: "M4 9V4h5v2H6v3zm11-5h5v5h-2V6h-3zM6 15v3h3v2H4v-5zm14 0v5h-5v-2h3v-3z",
};

function button(label: string, shape: string, press: () => void): HTMLButtonElement {
    const made = element("button", { type: "button", "aria-label": label, title: label }, icon(shape));
    made.addEventListener("click", press);
    return made;
}

function playButton(clock: Clock): HTMLButtonElement {
    const made = button("Play", shapes.play, () => clock.toggle());
    made.classList.add("play");
    clock.onChange(() => {
        const label = clock.playing ? "Pause" : "Play";
        made.replaceChildren(icon(clock.playing ? shapes.pause : shapes.play));
        made.setAttribute("aria-label", label);
        made.title = `${label} (space)`;
    });
    return made;
}

function loopButton(clock: Clock): HTMLButtonElement {
    const made = button("Repeat", shapes.loop, () => {
        clock.loop = !clock.loop;
        made.setAttribute("aria-pressed", String(clock.loop));
    });
    made.setAttribute("aria-pressed", String(clock.loop));
    return made;
}

function slider(clock: Clock): HTMLInputElement {
    const { start, end } = clock.motion;
    const made = element("input", { type: "range", class: "time", min: start, max: end, step: "any", "aria-label": "Time" });
    const show = () => {
        made.value = String(clock.time);
        const part = end > start ? (clock.time - start) / (end - start) : 0;
        made.style.setProperty("--part", `${(100 * part).toFixed(3)}%`);
        made.setAttribute("aria-valuetext", `t = ${timeText(clock.time, end - start)}`);
    };
    made.addEventListener("input", () => {
        clock.pause();
        clock.set(Number(made.value));
    });
    clock.onMove(show);
    show();
    return made;
}

function reading(clock: Clock): HTMLElement {
    const { start, end } = clock.motion;
    const now = element("output", { class: "now", "aria-live": "off" });
    const show = () => (now.textContent = timeText(clock.time, end - start));
    clock.onMove(show);
    show();
    return element("span", { class: "reading" }, element("i", {}, "t"), " = ", now);
}

// Said when the motion stops or is moved by hand, not sixty times in a second.
function announcement(clock: Clock): HTMLElement {
    const live = element("p", { class: "for-readers", role: "status", "aria-live": "polite" });
    const { start, end } = clock.motion;
    let timer = 0;
    clock.onChange(() => {
        clearTimeout(timer);
        timer = window.setTimeout(() => {
            live.textContent = clock.playing ? "playing" : `t = ${timeText(clock.time, end - start)}`;
        }, 250);
    });
    return live;
}

function speedMenu(clock: Clock): HTMLElement {
    const menu = element("select", { "aria-label": "Speed" });
    for (const speed of speeds) menu.append(element("option", { value: speed, selected: speed === clock.speed }, `× ${speed}`));
    menu.addEventListener("change", () => (clock.speed = Number(menu.value)));
    return element("label", { class: "speed", title: "Seconds of the model in a second" }, element("span", {}, "Speed"), menu);
}

export function timeControls(clock: Clock): HTMLElement {
    const bar = element("div", { class: "bar", role: "group", "aria-label": "Playback" });
    const buttons = element("div", { class: "buttons" });
    buttons.append(
        button("To the start", shapes.reset, () => clock.reset()),
        button("One row back", shapes.back, () => clock.step(-1)),
        playButton(clock),
        button("One row ahead", shapes.ahead, () => clock.step(1)),
        loopButton(clock),
    );
    bar.append(buttons, slider(clock), reading(clock), speedMenu(clock), announcement(clock));
    return bar;
}

function checkbox(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
    const box = element("input", { type: "checkbox", checked: on });
    box.addEventListener("change", () => change(box.checked));
    return element("label", { class: "check" }, box, label);
}

function followMenu(picture: Picture): HTMLElement | null {
    const { bodies } = picture.world;
    if (bodies.length === 0) return null;
    const menu = element("select", { "aria-label": "Follow" }, element("option", { value: -1 }, "nothing"));
    bodies.forEach((body, i) => menu.append(element("option", { value: i }, body.name)));
    const first = picture.worthFollowing;
    if (first) {
        menu.value = String(bodies.indexOf(first));
        picture.follow(first);
    }
    menu.addEventListener("change", () => picture.follow(bodies[Number(menu.value)] ?? null));
    return element("label", {}, element("span", {}, "Follow"), menu);
}

const groupNames: Record<Group, string> = { velocity: "velocities", reaction: "reactions", given: "vectors" };

function groupControl(picture: Picture, group: Group): HTMLElement | null {
    const { world } = picture;
    if (world.longest[group] === 0) return null;
    const usual = world.stage.scales[group];
    const size = element("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: 0, "aria-label": `Length of ${groupNames[group]}` });
    const note = element("output", { class: "length" });
    const say = () => (note.textContent = `1 ≙ ${shortNumber(Number(world.stage.scales[group].toPrecision(2)))}`);
    size.addEventListener("input", () => {
        world.stage.scales[group] = usual * 10 ** Number(size.value);
        say();
        picture.invalidate();
    });
    say();
    const scale = element("span", { class: "length-control" }, size, note);
    scale.hidden = !picture.shown.has(group);
    const mark = element("span", { class: "swatch" });
    const paint = () => (mark.style.background = groupColour(group));
    onThemeChange(paint);
    paint();
    const box = checkbox(groupNames[group], picture.shown.has(group), (on) => {
        scale.hidden = !on;
        picture.showGroup(group, on);
    });
    box.insertBefore(mark, box.lastChild);
    return element("span", { class: "group" }, box, scale);
}

export function viewControls(picture: Picture): HTMLElement {
    const bar = element("div", { class: "bar view", role: "group", "aria-label": "View" });
    const fit = button("Show everything", shapes.fit, () => picture.home());
    const parts = [fit, followMenu(picture), checkbox("names", true, (on) => picture.showNames(on)), ...groups.map((group) => groupControl(picture, group))];
    for (const part of parts) if (part) bar.append(part);
    return bar;
}
