// The fact list from the keyboard: a cursor, selection, and the row's own buttons.
import { isSingleKey } from "./keyboard.js";

const DEEDS = new Set(["e", "p", "+", "-", "#"]);
let cursor = "";
let lastPicked = null;

const rows = () => [...document.querySelectorAll("[data-row]")];
const current = () => document.getElementById(cursor);
const boxes = () => [...document.querySelectorAll(".pick input")];

function moveTo(row) {
  if (!row) return;
  current()?.classList.remove("cursor");
  cursor = row.id;
  row.classList.add("cursor");
  row.querySelector("[data-open]").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (!isSingleKey(event)) return;
  const all = rows();
  const place = all.findIndex((row) => row.id === cursor);
  if (event.key === "j") moveTo(all[Math.min(place + 1, all.length - 1)]);
  else if (event.key === "k") moveTo(all[Math.max(place - 1, 0)]);
  else if (event.key === "x" && current()) pick(current().querySelector(".pick input"));
  else if (event.key === "X" && current()) pickRange(current().querySelector(".pick input"));
  else if (event.key === "Escape") clear();
  else if (DEEDS.has(event.key) && current()) doTo(current(), event.key);
  else return;
  event.preventDefault();
});

function doTo(row, key) {
  const deed = row.querySelector(`[data-does="${CSS.escape(key)}"]`);
  if (deed) deed.click();
  else if (key === "e") row.querySelector("[data-open]").click();
}

function pick(box) {
  box.checked = !box.checked;
  lastPicked = box;
  count();
}

function pickRange(box) {
  const all = boxes();
  const [from, to] = [all.indexOf(lastPicked), all.indexOf(box)].sort((a, b) => a - b);
  all.slice(Math.max(from, 0), to + 1).forEach((other) => (other.checked = true));
  count();
}

function clear() {
  boxes().forEach((box) => (box.checked = false));
  count();
}

function count() {
  const chosen = boxes().filter((box) => box.checked).length;
  const words = document.querySelector("[data-selected-count]");
  const all = document.querySelector("[data-select-all]");
  if (!words || !all) return;
  words.dataset.idle ??= words.textContent;
  words.textContent = chosen ? `${chosen} ${words.dataset.selectedCount}` : words.dataset.idle;
  all.checked = chosen > 0 && chosen === boxes().length;
  all.indeterminate = chosen > 0 && !all.checked;
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-select-all]")) boxes().forEach((box) => (box.checked = event.target.checked));
  if (event.target.matches(".pick input")) lastPicked = event.target;
  count();
});

// One row is open at a time, and the cursor survives a row being replaced.
document.body.addEventListener("htmx:afterSwap", (event) => {
  const row = event.detail.elt?.closest?.("[data-row]");
  if (row?.classList.contains("open")) {
    for (const other of document.querySelectorAll("[data-row].open")) {
      if (other.id === row.id) continue;
      other.classList.remove("open");
      other.querySelector(".detail")?.remove();
      other.querySelector("tr").classList.remove("selected");
    }
  }
  if (row && cursor === row.id) row.classList.add("cursor");
  if (row) (row.querySelector("[autofocus]") ?? row.querySelector("[data-open]")).focus({ preventScroll: true });
  count();
});
