// After signing out: the list that the browser keeps by itself is of no account. Whoever leaves a
// machine that others use can take it along or remove it.

import { byId, el } from "./dom.js";
import { LocalList } from "./local-store.js";
import { count, say } from "./words.js";

const list = await LocalList.open();
if (list.entries.length) {
  const works = el("p", { role: "status" }, count("local.works", list.entries.length));
  /** @type {HTMLButtonElement} */
  const remove = el("button", { type: "button", class: "danger", onclick: async () => {
    await list.clear();
    works.textContent = say("local.removed");
    row.remove();
  } }, say("local.remove"));
  const row = el("div", { class: "row" }, el("a", { class: "button", href: "/" }, say("local.open")), remove);
  byId("local").replaceChildren(works, row);
}
