// Two styles side by side on the reader's own works.

import { failureText, format } from "./api.js";
import { byId, el, field, ready } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { rich } from "./rich.js";
import { SAMPLES } from "./samples.js";
import { searchStyles } from "./style-picker.js";
import { savingTo } from "./target.js";
import { say } from "./words.js";

// Works shown of a long list.
const SHOWN = 20;

const place = byId("compare");
const { style = "", title = "" } = place.dataset;
const { entries } = await savingTo();
const works = entries.length ? entries.slice(0, SHOWN).map(({ metadata }) => metadata) : SAMPLES;
const names = el("datalist", { id: "style-names" });
const other = el("input", { list: names.id, autocomplete: "off", spellcheck: "false" });
const columns = el("div", { class: "compared" });
/** @type {Map<string, string>} */
const ids = new Map();

/** @param {string} id @param {string} name */
async function column(id, name) {
  const formatted = await format(works, { style: id });
  const byName = formatted.entries;
  return el("section", { "aria-label": name }, el("h3", { dir: "auto" }, name),
    el("ol", { class: "entries" }, byName.map((entry) => el("li", { class: "entry" },
      el("div", { class: "text", dir: "auto" }, rich(entry.bibliography_html ?? entry.in_text_html)), el("p", { class: "under", dir: "auto" }, entry.in_text)))));
}

async function show() {
  const chosen = ids.get(other.value);
  try {
    columns.replaceChildren(...await Promise.all([column(style, title), ...(chosen ? [column(chosen, other.value)] : [])]));
  } catch (failure) {
    columns.replaceChildren(el("p", { class: "problem" }, failureText(failure)));
  }
}

const look = newest(150, async (signal) => {
  const q = other.value.trim();
  if (ids.has(other.value)) return show();
  const found = q ? await searchStyles({ q }).catch(() => []) : [];
  if (signal.aborted) return undefined;
  for (const known of found) ids.set(known.title, known.id);
  names.replaceChildren(...found.map((known) => el("option", { value: known.title })));
  return ids.has(other.value) ? show() : undefined;
});

other.addEventListener("input", look);
other.addEventListener("change", show);
place.replaceChildren(el("h2", {}, say("compare.title")), field(say("compare.with"), other), names,
  entries.length ? "" : el("p", { class: "quiet" }, say("compare.sample")), columns);
await show();
ready();
