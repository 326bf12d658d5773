// A button that copies the text of the model.

import { element } from "./dom";

// Where the page is not trusted with the clipboard, the old way.
function copyOldWay(text: string): boolean {
    const field = element("textarea", { class: "for-readers", readonly: true });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
}

async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyOldWay(text);
    }
}

export function addCopyButton(text: string): void {
    const section = document.getElementById("model");
    if (!section) return;
    const button = element("button", { type: "button", class: "copy", "aria-live": "polite" }, "Copy");
    button.addEventListener("click", async () => {
        button.textContent = (await copy(text)) ? "Copied" : "Not copied";
        setTimeout(() => (button.textContent = "Copy"), 1600);
    });
    const model = section.querySelector("pre");
    if (model) model.before(button);
    else section.append(button);
}
