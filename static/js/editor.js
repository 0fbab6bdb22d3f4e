// The file editor: line numbers, the mark of unsaved changes, Ctrl S, and switching the view without losing the text.
const form = document.querySelector("[data-editor]");

if (form) {
  const source = form.querySelector("textarea");
  const lines = form.querySelector("[data-lines]");
  const edited = form.querySelector("[data-edited]");
  const bench = document.querySelector(".workbench");
  const saved = source.defaultValue;
  let leaving = false;

  const changed = () => source.value !== saved;

  const draw = () => {
    lines.replaceChildren(
      ...source.value.split("\n").map((text) => {
        const line = document.createElement("div");
        line.textContent = text || " ";
        return line;
      }),
    );
    edited.hidden = !changed();
  };

  source.addEventListener("input", draw);
  draw();

  form.addEventListener("submit", () => (leaving = true));
  form.querySelector("[data-discard]")?.addEventListener("click", () => (leaving = true));
  window.addEventListener("beforeunload", (event) => {
    if (changed() && !leaving) event.preventDefault();
  });

  const views = [...form.querySelectorAll("[data-view]")];

  const show = (view) => {
    for (const link of views) {
      bench.classList.toggle("view-" + link.dataset.view, link.dataset.view === view);
      if (link.dataset.view === view) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    form.elements.view.value = view;
    const address = new URL(location.href);
    address.searchParams.set("view", view);
    history.replaceState(history.state, "", address);
    if (view !== "edit") source.dispatchEvent(new Event("preview"));
  };

  for (const link of views) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(link.dataset.view);
    });
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      form.querySelector("[data-save]")?.click();
    } else if (event.altKey && event.key.toLowerCase() === "m") {
      event.preventDefault();
      const now = views.findIndex((link) => link.hasAttribute("aria-current"));
      show(views[(now + 1) % views.length].dataset.view);
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const order = document.querySelector(`.file-row.selected [value="${event.key === "ArrowUp" ? "up" : "down"}"]`);
      if (order && !changed()) {
        event.preventDefault();
        order.click();
      }
    }
  });
}

// The order in the prompt by dragging; the buttons and Alt with an arrow do the same.
const order = document.querySelector("[data-order]");
const placing = document.getElementById("place-file");

if (order && placing) {
  let dragged = null;
  let home = null;
  for (const row of order.querySelectorAll("[data-movable]")) row.draggable = true;

  order.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("[data-movable]");
    home = dragged.nextElementSibling;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.movable);
    dragged.classList.add("dragged");
  });
  order.addEventListener("dragover", (event) => {
    const over = event.target.closest("[data-movable]");
    if (!dragged || !over) return;
    event.preventDefault();
    if (over === dragged) return;
    const box = over.getBoundingClientRect();
    over[event.clientY < box.top + box.height / 2 ? "before" : "after"](dragged);
  });
  order.addEventListener("drop", (event) => event.preventDefault());
  order.addEventListener("dragend", (event) => {
    dragged.classList.remove("dragged");
    if (event.dataTransfer.dropEffect === "none") {
      order.insertBefore(dragged, home);
      return;
    }
    placing.elements.path.value = dragged.dataset.movable;
    placing.elements.at.value = [...order.children].indexOf(dragged);
    dragged = null;
    placing.requestSubmit();
  });
}
