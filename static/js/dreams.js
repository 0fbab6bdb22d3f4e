// From night to night with [ and ].
import { isSingleKey } from "./keyboard.js";

document.addEventListener("keydown", (event) => {
  if (!isSingleKey(event)) return;
  const step = { "[": 1, "]": -1 }[event.key];
  if (!step) return;
  const nights = [...document.querySelectorAll("[data-night]")];
  const place = nights.findIndex((night) => night.hasAttribute("aria-current"));
  nights[place + step]?.click();
});
