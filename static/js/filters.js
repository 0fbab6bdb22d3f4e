// The filter builder: conditions that write the JSON, and JSON that makes the conditions. Without script the JSON stays.
const builder = document.querySelector("[data-builder]");
const json = document.getElementById("filter");
const list = builder.querySelector("[data-conditions]");
const pattern = builder.querySelector("[data-condition]");
const addButton = builder.querySelector("[data-add]");
const nested = builder.querySelector("[data-nested]");
const LISTS = new Set(["in", "nin", "all"]);
const GROUPS = new Set(["AND", "OR", "NOT"]);
const TYPES = { date: "date", number: "number" };

const joined = () => builder.querySelector("[data-join]:checked").value;

function add(condition) {
  const row = pattern.content.cloneNode(true).firstElementChild;
  list.append(row);
  if (condition) {
    row.querySelector("[data-field]").value = condition.field;
    row.querySelector("[data-key]").value = condition.key ?? "";
  }
  fit(row);
  if (condition) {
    row.querySelector("[data-operator]").value = condition.operator;
    fit(row);
    const shown = LISTS.has(condition.operator) ? condition.value.join(", ") : String(condition.value);
    row.querySelector("[data-value]").value = shown;
    row.querySelector("[data-truth] select").value = shown;
    row.classList.toggle("faulty", condition.field === builder.dataset.faulty);
  }
  return row;
}

// Show what the field has: its operators, a key for metadata, and the right kind of value.
function fit(row) {
  const chosen = row.querySelector("[data-field]").selectedOptions[0].dataset;
  const operator = row.querySelector("[data-operator]");
  const allowed = chosen.operators.split(" ");
  for (const option of operator.options) option.hidden = option.disabled = !allowed.includes(option.value);
  if (operator.selectedOptions[0].disabled) operator.value = allowed[0];
  const isTruth = operator.value === "exists" || chosen.kind === "flag";
  const value = row.querySelector("[data-value]");
  row.querySelector("[data-key]").hidden = chosen.kind !== "metadata";
  row.querySelector("[data-truth]").hidden = !isTruth;
  value.hidden = isTruth;
  value.type = LISTS.has(operator.value) ? "text" : (TYPES[chosen.kind] ?? "text");
  if (value.type === "number") value.step = "any";
}

function read(row) {
  const field = row.querySelector("[data-field]");
  const kind = field.selectedOptions[0].dataset.kind;
  const operator = row.querySelector("[data-operator]").value;
  const typed = row.querySelector("[data-value]").value.trim();
  const key = row.querySelector("[data-key]").value.trim();
  if (kind === "metadata" && !key) return null;
  const isTruth = operator === "exists" || kind === "flag";
  if (!isTruth && typed === "" && !LISTS.has(operator)) return null;
  let value;
  if (isTruth) value = row.querySelector("[data-truth] select").value === "true";
  else if (LISTS.has(operator)) value = typed.split(",").map((each) => each.trim()).filter(Boolean).map((each) => typedAs(kind, operator, each));
  else value = typedAs(kind, operator, typed);
  const condition = operator === "eq" ? value : { [operator]: value };
  return { [field.value]: kind === "metadata" ? { [key]: condition } : condition };
}

function typedAs(kind, operator, text) {
  const isNumber = text !== "" && !Number.isNaN(Number(text));
  const ordered = ["gt", "gte", "lt", "lte"].includes(operator);
  return isNumber && (kind === "number" || (kind === "metadata" && ordered)) ? Number(text) : text;
}

function write() {
  const parts = [...list.children].map(read).filter(Boolean);
  const whole = parts.length > 1 ? { [joined()]: parts } : parts[0];
  json.value = whole ? JSON.stringify(whole, null, 2) : "";
}

// The conditions of a filter that has no groups inside groups; null for one that has.
function conditionsOf(text) {
  if (!text.trim()) return { join: joined(), conditions: [] };
  const whole = JSON.parse(text);
  if (!isObject(whole)) return null;
  const names = Object.keys(whole);
  const group = names.length === 1 && (names[0] === "AND" || names[0] === "OR") ? names[0] : null;
  const parts = group ? whole[group] : [whole];
  if (!Array.isArray(parts)) return null;
  const each = parts.map(flat);
  if (each.includes(null) || (group === "OR" && each.some((some) => some.length > 1))) return null;
  return { join: group ?? "AND", conditions: each.flat() };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function flat(part) {
  if (!isObject(part)) return null;
  const found = [];
  for (const [field, value] of Object.entries(part)) {
    if (GROUPS.has(field) || !fieldNames.has(field)) return null;
    const keyed = field === "metadata" ? (isObject(value) ? Object.entries(value) : null) : [[undefined, value]];
    if (!keyed) return null;
    for (const [key, condition] of keyed) {
      const compared = isObject(condition) ? Object.entries(condition) : [bare(field, condition)];
      for (const [operator, given] of compared) {
        if (!operatorNames.has(operator) || given === null || isObject(given)) return null;
        if (LISTS.has(operator) !== Array.isArray(given)) return null;
        found.push({ field, key, operator, value: given });
      }
    }
  }
  return found;
}

function bare(field, value) {
  if (value === "*") return ["exists", true];
  if (Array.isArray(value)) return ["in", value];
  return [fields.find((option) => option.value === field).dataset.kind === "substring" ? "icontains" : "eq", value];
}

function draw() {
  let read = null;
  try {
    read = conditionsOf(json.value);
  } catch {
    // Not JSON yet: the server says where.
  }
  nested.hidden = read !== null || !json.value.trim();
  addButton.hidden = !nested.hidden;
  list.replaceChildren();
  if (!read) return;
  builder.querySelector(`[data-join][value=${read.join}]`).checked = true;
  read.conditions.forEach(add);
}

const options = pattern.content.querySelector("[data-field]").options;
const fields = [...options];
const fieldNames = new Set(fields.map((option) => option.value));
const operatorNames = new Set([...pattern.content.querySelector("[data-operator]").options].map((option) => option.value));

builder.addEventListener("input", (event) => {
  const row = event.target.closest(".condition");
  if (row) {
    row.classList.remove("faulty");
    fit(row);
  }
  write();
});
builder.addEventListener("click", (event) => {
  if (event.target.closest("[data-add]")) {
    add().querySelector("[data-field]").focus();
  } else if (event.target.closest("[data-remove]")) {
    const row = event.target.closest(".condition");
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    write();
    (next?.querySelector("[data-remove]") ?? addButton).focus();
  }
});
json.addEventListener("input", draw);

builder.hidden = false;
draw();
