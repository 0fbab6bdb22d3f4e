// Toasts stay eight seconds, longer while somebody points at them or is inside them.
const LIFETIME = 8000;

export function tendToasts() {
  const region = document.getElementById("toasts");
  region.querySelectorAll(".toast").forEach(tend);
  new MutationObserver((changes) => {
    for (const change of changes) change.addedNodes.forEach((node) => node.nodeType === 1 && tend(node));
  }).observe(region, { childList: true });
}

export function say(text, kind = "") {
  const toast = document.createElement("div");
  toast.className = "toast " + kind;
  const words = document.createElement("p");
  words.textContent = text;
  toast.append(words);
  document.getElementById("toasts").append(toast);
}

function tend(toast) {
  let timer = setTimeout(() => toast.remove(), LIFETIME);
  const hold = () => clearTimeout(timer);
  const release = () => {
    hold();
    timer = setTimeout(() => toast.remove(), LIFETIME);
  };
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("pointerleave", release);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("focusout", release);
}
