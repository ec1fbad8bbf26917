// Searches styles while typing.

import { get } from "./api.js";
import { announce, byId, el, ready } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { rich } from "./rich.js";
import { searchStyles } from "./style-picker.js";
import { count, has, say } from "./words.js";

const form = byId("styles");
const results = byId("results");

/** @param {AbortSignal} signal */
async function search(signal) {
  const wanted = /** @type {import("./style-picker.js").Wanted} */ (Object.fromEntries(new FormData(form)));
  const found = await searchStyles(wanted, true).catch(() => undefined);
  // A newer search is running, or the form's own button still works.
  if (!found || signal.aborted) return;
  const { suggested_styles: nearest = [], elsewhere = [] } = found.length || !wanted.q.trim() ? {} : await namesLike(wanted.q);
  if (signal.aborted) return;
  results.replaceChildren(...(found.length ? [el("ul", { class: "cards" }, found.map(card))] : [
    el("p", { class: "empty" }, say("styles.none")),
    nearest.length ? el("p", {}, say("styles.nearest")) : "",
    el("ul", { class: "inline-list" }, nearest.map(({ id, title }) => el("li", {}, el("a", { href: address(id), dir: "auto" }, title)))),
    ...(elsewhere.length ? [el("p", {}, say("styles.elsewhere")), el("ul", {}, elsewhere.map((title) => el("li", { dir: "auto" }, title))),
      el("p", { class: "quiet" }, say("styles.elsewhere-how"), " ", el("code", { dir: "ltr" }, "citation styles install"))] : []),
  ]));
  announce(count("style.found", found.length));
  history.replaceState(null, "", `/styles?${new URLSearchParams({ ...wanted })}`);
}

// Styles with a name like an unmatched query: those of this server, and well-known ones of the public collection.
/** @param {string} name @returns {Promise<Api.Problem>} */
const namesLike = (name) => get(`/api/v1/styles/${encodeURIComponent(name.trim())}`).then(() => ({}), (failure) => failure.body ?? {});

/** @param {string} id */
const address = (id) => `/styles/${encodeURIComponent(id)}`;

// The form has the labels of the fields.
/** @param {string} field */
const fieldName = (field) => [...form.elements.field.options].find((option) => option.value === field)?.text ?? field;

/** @param {Api.Style} style */
function card(style) {
  const key = `format.${style.citation_format}`;
  const parts = [has(key) && say(key), (style.fields ?? []).map(fieldName).join(", "), style.parent];
  return el("li", { class: "card" }, el("a", { href: address(style.id) }, el("b", { dir: "auto" }, style.title)),
    el("span", { class: "quiet" }, parts.filter(Boolean).join(" · ")),
    style.sample ? el("span", { class: "sample-line", dir: "auto" }, rich(style.sample)) : "");
}

const now = newest(0, search);
form.addEventListener("input", newest(120, search));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  now();
});
if (document.getElementById("own-text")) import("./style-editor.js");
ready();
