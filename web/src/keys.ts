// Space plays, arrows step, Home and End go to the ends; where the focus is on something that has its own use for
// these keys, they are left to it.

import type { Clock } from "./clock";
import { whenSeen } from "./dom";

const own = "select, textarea, input:not([type=range].time), summary, [data-wide], [contenteditable]";

export function addKeys(clock: Clock, motion: HTMLElement): void {
    let seen = false;
    whenSeen(motion, "-80px", (now) => (seen = now));

    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        const focus = event.target as Element;
        const here = motion.contains(focus) || (seen && focus === document.body);
        if (!here || focus.matches(own)) return;
        if (event.key === " " && focus.matches("button, a")) return;
        if (!act(event.key, clock)) return;
        event.preventDefault();
    });
}

function act(key: string, clock: Clock): boolean {
    const { start, end } = clock.motion;
    const actions: Record<string, () => void> = {
        " ": () => clock.toggle(),
        ArrowLeft: () => clock.step(-1),
        ArrowRight: () => clock.step(1),
        PageUp: () => clock.step(-10),
        PageDown: () => clock.step(10),
        Home: () => clock.set(start),
        End: () => clock.set(end),
    };
    const action = actions[key];
    // The page itself scrolls by some of these keys, unless the slider has the focus.
    if (!action || (key.length > 1 && !key.startsWith("Arrow") && document.activeElement?.matches(".time") !== true)) return false;
    action();
    return true;
}
