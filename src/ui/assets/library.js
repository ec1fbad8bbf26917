// The library's part that only the browser knows: the list it keeps.

import { byId, el } from "./dom.js";
import { localPanel } from "./merge.js";
import { say } from "./words.js";

const panel = await localPanel();
if (panel) {
  byId("local").replaceChildren(panel);
  byId("here").hidden = false;
}

// Collections from which on they can be narrowed.
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
