// The talk, streamed. Without script the same form sends the message and the page comes back with the reply.

const chat = document.querySelector("[data-chat]");
const form = document.getElementById("say");
const field = form.querySelector("textarea");
const talk = chat.querySelector("[data-talk]");
const messages = document.getElementById("messages");
const announce = chat.querySelector("[data-announce]");
const sendButton = form.querySelector("[data-send]");
const stopButton = form.querySelector("[data-stop]");
let controller = null;

// What was typed when the sign-in had run out.
const DRAFT = "draft:" + location.pathname;
field.value ||= sessionStorage.getItem(DRAFT) ?? "";
sessionStorage.removeItem(DRAFT);

const toEnd = () => (talk.scrollTop = talk.scrollHeight);
toEnd();
document.querySelector(":target")?.scrollIntoView();

const alsoAs = "as" in chat.dataset ? "&as=" + encodeURIComponent(chat.dataset.as) : "";
const addressOf = (page) => page + "?c=" + encodeURIComponent(form.elements.c.value) + alsoAs;

form.addEventListener("submit", (event) => {
  // What is only tried is a page of its own: there is nothing to stream into the talk.
  if ("trying" in chat.dataset) return;
  event.preventDefault();
  const text = event.submitter?.hasAttribute("data-example") ? event.submitter.value : field.value;
  if (text.trim() && !controller) send(text);
});

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit(sendButton);
  } else if (event.key === "Escape" && controller) {
    controller.abort();
  }
});

stopButton.addEventListener("click", () => controller?.abort());

function add(template, text) {
  const node = chat.querySelector(template).content.cloneNode(true);
  node.querySelector("[data-text]").textContent = text;
  messages.append(node);
  return messages.lastElementChild;
}

async function send(text, key = crypto.randomUUID()) {
  talk.querySelector(".empty")?.remove();
  messages.querySelector(".note.bad")?.remove();
  field.value = "";
  if (!messages.querySelector(`[data-key="${key}"]`)) add("[data-mine]", text).dataset.key = key;
  const reply = add("[data-theirs]", "");
  toEnd();
  working(true);
  try {
    await stream(text, key, reply);
    await refresh();
  } catch (error) {
    reply.querySelector(".caret")?.remove();
    if (!reply.querySelector("[data-text]").textContent) reply.remove();
    if (error.name === "AbortError") await refresh();
    // What the browser says of a lost connection is for programmers.
    else broken(text, key, error instanceof TypeError ? "" : error.message);
  } finally {
    working(false);
  }
}

function working(on) {
  controller = on ? (controller ?? new AbortController()) : null;
  sendButton.hidden = on;
  stopButton.hidden = !on;
  if (on) announce.textContent = announce.dataset.writing;
  else field.focus();
}

async function stream(text, key, reply) {
  const body = { agentId: chat.dataset.agent, message: text };
  if (form.elements.c.value) body.conversationId = form.elements.c.value;
  if ("test" in chat.dataset) Object.assign(body, { endUserId: chat.dataset.test, channel: "test" });
  const response = await fetch(chat.dataset.stream, {
    method: "POST",
    body: JSON.stringify(body),
    signal: controller.signal,
    headers: {
      "Content-Type": "application/json",
      Accept: "text/event-stream",
      "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
      "X-Workspace": chat.dataset.workspace,
      "Idempotency-Key": key,
    },
  });
  if (response.status === 401) return signInAgain(text);
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).detail ?? response.statusText);
  for await (const event of events(response.body)) {
    if (event.name === "session") {
      remember(event.data.conversationId);
      showAsStored(key);
    }
    else if (event.name === "recall") recalled(reply, event.data.items.length);
    else if (event.name === "tool") called(reply, event.data);
    else if (event.name === "delta") write(reply, event.data.text);
    else if (event.name === "done") return announceReply(event.data.reply);
    else if (event.name === "error") throw new Error(event.data.detail);
  }
  throw new Error("");
}

// Signed out meanwhile: after the sign-in the message stands in its field again.
function signInAgain(text) {
  sessionStorage.setItem(DRAFT, text);
  location.reload();
  return new Promise(() => {});
}

async function* events(stream) {
  let rest = "";
  for await (const piece of pieces(stream)) {
    rest += piece;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const name = block.match(/^event: (.*)$/m)?.[1];
      const data = block.match(/^data: (.*)$/m)?.[1];
      if (name && data) yield { name, data: JSON.parse(data) };
    }
  }
}

// Streams cannot be iterated over in every browser yet.
async function* pieces(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

function remember(name) {
  if (form.elements.c.value === name) return;
  form.elements.c.value = name;
  document.getElementById("read-now").elements.c.value = name;
  history.replaceState(null, "", addressOf(chat.dataset.page));
}

// What was said is stored by now, with any credential in it masked: from here on only that is shown.
async function showAsStored(key) {
  const response = await fetch(addressOf(chat.dataset.page), { headers: { "HX-Request": "true", "HX-Target": "messages" } });
  if (!response.ok) return;
  const stored = new DOMParser().parseFromString(await response.text(), "text/html").querySelectorAll(".message.user .said");
  const mine = messages.querySelector(`[data-key="${key}"] [data-text]`);
  if (mine && stored.length) mine.replaceChildren(...stored[stored.length - 1].childNodes);
}

function recalled(reply, count) {
  if (count) reply.querySelector("[data-status]").textContent += " · " + count;
}

// While a tool runs its name stands beside the writer's.
function called(reply, { name, status }) {
  const told = reply.querySelector("[data-status]");
  told.dataset.before ??= told.textContent;
  told.textContent = status === "running" ? name : told.dataset.before;
}

function write(reply, text) {
  const atEnd = talk.scrollHeight - talk.scrollTop - talk.clientHeight < 80;
  reply.querySelector("[data-text]").textContent += text;
  if (atEnd) toEnd();
}

function announceReply(text) {
  announce.textContent = text;
}

// What the server has stored is what is shown: formatted, masked, numbered.
async function refresh() {
  if (!form.elements.c.value) return;
  await htmx.ajax("GET", addressOf(chat.dataset.page), { target: "#messages", swap: "innerHTML" });
  await htmx.ajax("GET", addressOf(chat.dataset.memory), { target: "#turn", swap: "outerHTML" });
  toEnd();
}

function broken(text, key, why) {
  const note = add("[data-broken]", why || document.body.dataset.offline);
  note.querySelector("[data-again]").addEventListener("click", () => send(text, key));
  toEnd();
}
