// Deciding from the keyboard: the buttons' own letters, j and k through the list, x to select, u to take back.
import { isSingleKey } from "./keyboard.js";

const items = () => [...document.querySelectorAll("[data-item]")];
const current = () => items().findIndex((item) => item.hasAttribute("aria-current"));
const boxes = () => [...document.querySelectorAll("[data-pick]")];

document.addEventListener("keydown", (event) => {
  if (!isSingleKey(event)) return;
  if (deed(event.key)) event.preventDefault();
});

function deed(key) {
  const button = document.querySelector(`[data-decides="${CSS.escape(key)}"]`) ?? (key === "u" && document.querySelector(".toast .undo"));
  if (key === "j" || key === "k") items()[current() + (key === "j" ? 1 : -1)]?.click();
  else if (key === "e") document.getElementById("review-text")?.focus();
  else if (key === "x") toggle();
  else if (button) button.click();
  else return false;
  return true;
}

function toggle() {
  const box = document.querySelector("li.selected [data-pick]");
  if (box) box.checked = !box.checked;
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-select-all]")) boxes().forEach((box) => (box.checked = event.target.checked));
});
