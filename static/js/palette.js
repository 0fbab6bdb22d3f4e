// The command palette: one field for memory and places. Arrow keys move, Enter opens, Esc gives the focus back.
const palette = document.getElementById("palette");
const field = palette?.querySelector("input");

export function openPalette(text = "") {
  if (!palette || palette.open) return;
  palette.showModal();
  if (typeof text === "string" && text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.focus();
  field.select();
  filterPlaces();
}

function options() {
  return [...palette.querySelectorAll("[role=option]:not([hidden])")];
}

function select(option) {
  for (const other of palette.querySelectorAll("[aria-selected=true]")) other.setAttribute("aria-selected", "false");
  if (!option) {
    field.removeAttribute("aria-activedescendant");
    return;
  }
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", option.id);
}

function filterPlaces() {
  const words = field.value.trim().toLowerCase();
  for (const place of palette.querySelectorAll("[id^=go-]")) place.hidden = !place.textContent.toLowerCase().includes(words);
  palette.querySelector("[aria-labelledby=palette-places]").hidden = !palette.querySelector("[id^=go-]:not([hidden])");
  select(options()[0]);
}

if (palette) {
  field.addEventListener("input", filterPlaces);
  palette.addEventListener("htmx:afterSwap", () => select(options()[0]));
  palette.addEventListener("click", (event) => event.target === palette && palette.close());
  field.addEventListener("keydown", (event) => {
    const all = options();
    const current = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      select(all[(current + step + all.length) % all.length]);
    } else if (event.key === "Enter" && all[current]) {
      event.preventDefault();
      all[current].click();
    } else if (event.key === "Escape") {
      // A search field would only be emptied by it.
      event.preventDefault();
      palette.close();
    }
  });
}
