// A shared list: in a chosen style, and a copy for the browser to keep.

import { format, get } from "./api.js";
import { copy, paragraphs } from "./copy.js";
import { byId, el, once, ready } from "./dom.js";
import { LocalList } from "./local-store.js";
import "./more-words.js";
import "./style-picker.js";
import { undoable } from "./toast.js";
import { count, nameLanguages, say } from "./words.js";

const token = location.pathname.split("/")[2];
nameLanguages(byId("locale"));
/** @param {string} style */
const go = (style) => location.assign(`/s/${token}?${new URLSearchParams({ style, locale: byId("locale").value })}`);
/** @type {Api.Collection} */
const { entries = [] } = await get(`/api/v1/shared/${token}`);
const picker = document.createElement("style-picker");
picker.begin(byId("style"), () => entries[0]?.metadata);
await picker.choose(byId("settings").dataset.style ?? "");
picker.addEventListener("choose", ({ detail }) => go(detail.id));
byId("locale").addEventListener("change", () => go(picker.chosen.id));

// Copy, find, and a link that opens in this style.
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("ol.entries > .entry")]);
const copyList = once(async () => {
  const made = await format(entries.map(({ metadata }) => metadata), { style: picker.chosen.id || undefined, locale: byId("locale").value || undefined });
  const byName = new Map(made.entries.map((entry) => [entry.id, entry]));
  const shown = made.order.flatMap((id) => byName.get(id) ?? []);
  await copy(shown.map((entry) => entry.bibliography ?? entry.in_text).join("\n"), paragraphs(shown.map((entry) => entry.bibliography_html ?? entry.in_text_html), made.layout), say("copy.list"));
});
const copyLink = () => copy(`${location.origin}/s/${token}?${new URLSearchParams({ style: picker.chosen.id, locale: byId("locale").value })}`, undefined, say("copy.link"));
const said = el("span", { class: "quiet", role: "status" });
/** @type {HTMLInputElement} */
const finding = el("input", { type: "search", autocomplete: "off", "aria-label": say("filter.words"), placeholder: say("filter.words"), oninput: () => {
  const parts = finding.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) row.hidden = !parts.every((part) => row.textContent.toLowerCase().includes(part));
  const n = rows.filter((row) => !row.hidden).length;
  said.textContent = !parts.length ? "" : n ? count("filter.count", rows.length, { shown: n }) : say("filter.none");
} });
if (rows.length) {
  byId("tools").prepend(el("button", { type: "button", class: "primary", onclick: copyList }, say("tool.copy")));
  byId("tools").append(el("button", { type: "button", onclick: copyLink }, say("shared.copy-link")));
  if (rows.length > 5) document.querySelector("form.workbench")?.after(el("div", { class: "narrow", role: "search" }, finding, said));
}

// A copy never replaces the browser's works; it is appended.
document.querySelector("form.workbench")?.after(el("p", {}, el("button", { type: "button", onclick: once(async () => {
  const list = await LocalList.open();
  await undoable(say("local.copied"), list.add(entries.map(({ metadata, tags }) => ({ metadata, tags }))));
}) }, say("local.copy"))));
ready();
