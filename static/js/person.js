// Selecting words of a message shows the facts they made. Without script the marked words are links to theirs.
const said = document.querySelector("[data-words]");

function place(node, offset) {
  const piece = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("[data-at]");
  return piece && { message: piece.closest("[data-message]").dataset.message, at: Number(piece.dataset.at) + (node.nodeType === Node.TEXT_NODE ? offset : 0) };
}

function show() {
  const selection = document.getSelection();
  if (selection.isCollapsed || !selection.toString().trim() || !said.contains(selection.anchorNode)) return;
  const range = selection.getRangeAt(0);
  const from = place(range.startContainer, range.startOffset);
  const to = place(range.endContainer, range.endOffset);
  if (!from || to?.message !== from.message) return;
  const query = new URLSearchParams({ m: from.message, from: from.at, to: to.at });
  htmx.ajax("GET", `${said.dataset.words}?${query}`, { target: "#made", swap: "outerHTML" });
}

if (said) {
  document.querySelector("[data-hint]").hidden = false;
  document.addEventListener("pointerup", () => setTimeout(show));
  document.addEventListener("keyup", (event) => event.shiftKey && show());
}
