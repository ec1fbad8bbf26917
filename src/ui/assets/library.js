// The library's client-side part: the browser's lists, and undo for tag changes.

import { ask, failureText, post } from "./api.js";
import { byId, el, ready } from "./dom.js";
import { localPanel, savedReport } from "./merge.js";
import "./more-words.js";
import { toast, undoable } from "./toast.js";
import { count, say } from "./words.js";

const saved = savedReport();
if (saved) byId("here").before(saved);
const panel = await localPanel();
if (panel) {
  byId("local").replaceChildren(panel);
  byId("here").hidden = false;
}

// Minimum number of collections for a filter.
const WORTHWHILE = 6;

/** @type {NodeListOf<HTMLElement>} */
const found = document.querySelectorAll(".cards > .card");
const cards = [...found];
if (cards.length >= WORTHWHILE) {
  const none = el("p", { class: "quiet", role: "status" });
  /** @type {HTMLInputElement} */
  const input = el("input", { type: "search", autocomplete: "off", "aria-label": say("filter.collections"), placeholder: say("filter.collections"), oninput: () => {
    const parts = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of cards) card.hidden = !parts.every((part) => card.textContent.toLowerCase().includes(part));
    none.textContent = cards.every((card) => card.hidden) ? say("filter.no-collection") : "";
  } });
  cards[0].parentElement?.before(el("div", { class: "narrow" }, input, none));
}

// The next page, which shows the result of a tag change, offers to undo it.
const RETAGGED = "retagged";
// Maximum number of entries tagged per request.
const BATCH = 1000;

/**
 * @typedef {{ tag: string, name: string | null, entries: number, collections: { collection_id: string, entry_ids: string[], merged_entry_ids: string[] }[] }} Retagged
 */

const retag = byId("retag");
retag?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const tag = retag.elements.tag.value;
  const name = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "remove-tag" ? null : retag.elements.name.value.trim();
  const path = `/api/v1/tags/${encodeURIComponent(tag)}`;
  try {
    const changed = name === null ? await ask("DELETE", path) : await ask("PATCH", path, { name });
    sessionStorage.setItem(RETAGGED, JSON.stringify({ tag, name, ...changed }));
    location.assign(name === null ? "/library" : `/library?${new URLSearchParams({ tag: name })}`);
  } catch (failure) {
    toast(failureText(failure));
  }
});

/** @param {Retagged} change */
async function reverse({ tag, name, collections }) {
  /** @param {string} collection @param {string[]} ids @param {string[]} remove */
  const again = async (collection, ids, remove) => {
    for (let from = 0; from < ids.length; from += BATCH) {
      await post(`/api/v1/collections/${collection}/entries/batch-tag`, { entry_ids: ids.slice(from, from + BATCH), add: [tag], remove });
    }
  };
  for (const { collection_id, entry_ids, merged_entry_ids } of collections) {
    const alone = entry_ids.filter((id) => !merged_entry_ids.includes(id));
    await again(collection_id, alone, name === null ? [] : [name]);
    await again(collection_id, merged_entry_ids, []);
  }
  location.assign(`/library?${new URLSearchParams({ tag })}`);
}

const noted = sessionStorage.getItem(RETAGGED);
sessionStorage.removeItem(RETAGGED);
if (noted) {
  /** @type {Retagged} */
  const change = JSON.parse(noted);
  undoable(count(change.name === null ? "tags.removed" : "tags.renamed", change.entries), Promise.resolve({ undo: () => reverse(change) }));
}
ready();
