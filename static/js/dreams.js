// From night to night with [ and ].
import { isTyping } from "./keyboard.js";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || "noKeys" in document.body.dataset) return;
  const step = { "[": 1, "]": -1 }[event.key];
  if (!step || document.querySelector("dialog[open]")) return;
  const nights = [...document.querySelectorAll("[data-night]")];
  const place = nights.findIndex((night) => night.hasAttribute("aria-current"));
  nights[place + step]?.click();
});
