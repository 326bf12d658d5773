// The colours are those of the style sheet; canvases cannot see them and are told here.

const dark = matchMedia("(prefers-color-scheme: dark)");
let forced: "light" | null = null;
const listeners: (() => void)[] = [];
let cache: Theme | null = null;

export interface Theme {
    dark: boolean;
    text: string;
    muted: string;
    line: string;
    grid: string;
    body: string;
    bodyOther: string;
    series: string[];
    font: string;
}

const light = {
    text: "#1d2733", muted: "#5c6875", line: "#d5dae0", grid: "#e9ecef", body: "#dfe5ec", bodyOther: "#7f9cbd",
    series: ["#2b66a8", "#c0512f", "#2f8464", "#7a57a3", "#a67608", "#23818f", "#b04a78", "#6a7632"],
};
const night = {
    text: "#e4e8ec", muted: "#9aa6b2", line: "#3a434d", grid: "#262d35", body: "#c9d2dc", bodyOther: "#5f80a6",
    series: ["#7fb0e6", "#ea9070", "#74c3a2", "#b99be0", "#d9b04e", "#69bfcc", "#e08fb4", "#b3bf74"],
};

function make(): Theme {
    const isDark = dark.matches && forced === null;
    const family = getComputedStyle(document.body).getPropertyValue("--sans").trim() || "sans-serif";
    return { dark: isDark, ...(isDark ? night : light), font: `12px ${family}` };
}

export function theme(): Theme {
    return (cache ??= make());
}

export function seriesColour(index: number): string {
    const { series } = theme();
    return series[index % series.length];
}

export function onThemeChange(listener: () => void): void {
    listeners.push(listener);
}

function changed(): void {
    cache = null;
    for (const listener of listeners) listener();
}

/** Paper is white, whatever the screen is. */
export function forPaper(on: boolean): void {
    forced = on ? "light" : null;
    changed();
}

dark.addEventListener("change", changed);
