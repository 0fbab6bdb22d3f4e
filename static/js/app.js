// What every page does more comfortably with script. Nothing here is needed to read or to send a form.
import { listenForKeys } from "./keyboard.js";
import { openPalette } from "./palette.js";
import { say, tendToasts } from "./toasts.js";

// Dialogs that arrive as a part of a page open themselves; closing gives the focus back to what opened them.
document.body.addEventListener("htmx:afterSwap", (event) => {
  const dialog = event.detail.target?.querySelector?.("dialog[data-opens]");
  if (!dialog) return;
  const opener = document.activeElement;
  dialog.showModal();
  dialog.addEventListener("close", () => {
    dialog.remove();
    opener?.focus();
  });
});

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-close], [data-palette], [data-copy], [command='show-modal']");
  if (!target) return;
  if (target.matches("[data-close]")) {
    const dialog = target.closest("dialog");
    if (dialog) {
      event.preventDefault();
      dialog.close();
    }
  } else if (target.matches("a[data-palette]")) {
    event.preventDefault();
    openPalette();
  } else if (target.matches("[data-copy]")) {
    copy(target);
  } else if (!("commandForElement" in HTMLButtonElement.prototype)) {
    // Browsers without invoker commands.
    document.getElementById(target.getAttribute("commandfor"))?.showModal();
  }
});

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  say(button.dataset.copied || button.textContent.trim() + " ✓");
}

for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;

document.querySelector("form[data-palette] input")?.addEventListener("focus", (event) => {
  event.target.blur();
  openPalette(event.target.value);
});

// A question before something that cannot be undone, where no dialog of its own is worth it.
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// A form is sent once, however often its button is pressed; coming back to the page, or waiting in vain, frees it.
const SENT_FOR = 8000;
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if ("sent" in form.dataset) event.preventDefault();
  else {
    form.dataset.sent = "";
    setTimeout(() => delete form.dataset.sent, SENT_FOR);
  }
});
window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// A part that could not be loaded says so; what stands on the page is still true.
document.body.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status === 401 || status === 403) location.reload();
  else say(document.body.dataset.failed + " (" + status + ")", "bad");
});
document.body.addEventListener("htmx:sendError", () => say(document.body.dataset.offline, "bad"));

listenForKeys();
tendToasts();
