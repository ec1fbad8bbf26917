// The reference of the interface: searches the operations, and sends a request from its example.

import { byId, el, ready } from "./dom.js";

const search = byId("docs-search");
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".docs [data-words]")]);

// Shows the operations that have every word, in the contents and in the page.
function filter() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = `${row.dataset.words} ${row.textContent}`.toLowerCase();
    row.hidden = !wanted.every((word) => text.includes(word));
  }
  for (const subject of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".docs [data-subject]"))) {
    subject.hidden = wanted.length > 0 && !subject.querySelector("[data-words]:not([hidden])");
  }
  byId("docs-none").textContent = rows.some((row) => !row.hidden) ? "" : "No operation has these words.";
}

// A form in place of the button: address, body and key, and the answer below.
/** @param {HTMLElement} place */
function open(place) {
  const { method = "GET", path = "", example, body } = place.dataset;
  const id = `try-${method}-${path.replace(/\W+/g, "-")}`;
  const address = el("input", { id: `${id}-path`, value: example || path, spellcheck: "false", required: "" });
  const text = el("textarea", { id: `${id}-body`, rows: "6", spellcheck: "false" });
  text.value = body ? JSON.stringify(JSON.parse(body), null, 2) : "";
  const key = el("input", { id: `${id}-key`, autocomplete: "off", spellcheck: "false", placeholder: "ck_…" });
  const answer = el("pre", { class: "lines", tabindex: "0", "aria-live": "polite" });
  answer.hidden = true;
  /** @param {string} name @param {HTMLElement} field */
  const labelled = (name, field) => el("div", { class: "field" }, el("label", { for: field.id }, name), field);
  const form = el("form", { class: "try-form" },
    labelled("Address", address), method === "GET" ? "" : labelled("Body", text),
    labelled("API key (without one: your session)", key),
    el("div", { class: "row" }, el("button", { class: "primary" }, `Send ${method}`)), answer);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    answer.hidden = false;
    answer.textContent = "…";
    answer.textContent = await sent(method, address.value, text.value, key.value.trim());
  });
  place.replaceChildren(form);
  address.focus();
}

// Sends the request to this server alone; returns status, headers about limits, and the body.
/** @param {string} method @param {string} path @param {string} body @param {string} key */
async function sent(method, path, body, key) {
  const target = new URL(path, location.href);
  if (target.origin !== location.origin) return "The address must begin with /.";
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body && method !== "GET") headers["content-type"] = "application/json";
  if (key) headers.authorization = `Bearer ${key}`;
  try {
    const answer = await fetch(target, { method, headers, body: method === "GET" || !body ? undefined : body, credentials: key ? "omit" : "same-origin" });
    const limits = ["x-ratelimit-remaining", "x-lookup-cost", "retry-after"].filter((name) => answer.headers.has(name));
    return [`${answer.status} ${answer.statusText}`, ...limits.map((name) => `${name}: ${answer.headers.get(name)}`), "", pretty(await answer.text())].join("\n");
  } catch {
    return "The server did not answer.";
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

search.addEventListener("input", filter);
for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".try"))) {
  place.querySelector("button")?.addEventListener("click", () => open(place));
}
ready();
