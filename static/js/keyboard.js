// Single keys and `g` sequences; off while typing, in dialogs, and for people who switched them off.
import { openPalette } from "./palette.js";

const SEQUENCE_TIME = 1200;
let afterG = 0;

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!isSingleKey(event)) return;
    if (afterG && Date.now() - afterG < SEQUENCE_TIME) {
      afterG = 0;
      go(event);
      return;
    }
    afterG = 0;
    if (event.key === "g") afterG = Date.now();
    else if (event.key === "/") act(event, openPalette);
    else if (event.key === "?") act(event, () => document.getElementById("shortcuts").showModal());
  });
}

function go(event) {
  if (event.key === "w") {
    act(event, () => document.getElementById("workspaces").showPopover());
    return;
  }
  const place = document.querySelector(`.places a[data-key="${CSS.escape(event.key)}"]`);
  if (place) act(event, () => place.click());
}

function act(event, deed) {
  event.preventDefault();
  deed();
}

// Whether a key is pressed by itself, outside fields and dialogs, by somebody who has single keys switched on.
export function isSingleKey(event) {
  return !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    && !("noKeys" in document.body.dataset) && !document.querySelector("dialog[open]");
}

function isTyping(element) {
  return element.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
}
