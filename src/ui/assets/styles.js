// The search of styles as one types.

import { get } from "./api.js";
import { announce, byId, debounce, el } from "./dom.js";
import { count, has, say } from "./words.js";

const form = byId("styles");
const results = byId("results");
let running;

async function search() {
  running?.abort();
  running = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  for (const name of ["citation_format", "field"]) {
    if (!query.get(name)) query.delete(name);
  }
  query.set("limit", "60");
  try {
    const found = await get(`/api/v1/styles/search?${query}`, { signal: running.signal });
    results.replaceChildren(found.length ? el("ul", { class: "cards" }, found.map(card)) : el("p", { class: "empty" }, say("styles.none")));
    announce(count("style.found", found.length));
    query.delete("limit");
    history.replaceState(null, "", `/styles?${query}`);
  } catch {
    // A newer search is under way, or the form's own button still works.
  }
}

function card(style) {
  const key = `format.${style.citation_format}`;
  const parts = [has(key) && say(key), style.fields.join(", ").replaceAll("_", " "), style.parent];
  return el("li", { class: "card" }, el("a", { href: `/styles/${encodeURIComponent(style.id)}` }, el("b", { dir: "auto" }, style.title)),
    el("span", { class: "quiet" }, parts.filter(Boolean).join(" · ")));
}

form.addEventListener("input", debounce(150, search));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
