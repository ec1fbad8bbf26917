// After sign-out: lists stored in this browser belong to no account. On a shared machine, users can
// export or delete them.

import { byId, el } from "./dom.js";
import { living, removeAll } from "./local-lists.js";
import "./more-words.js";
import { count, say } from "./words.js";

const n = (await living()).reduce((sum, { works }) => sum + works, 0);
if (n) {
  const works = el("p", { role: "status" }, count("local.works", n));
  /** @type {HTMLButtonElement} */
  const remove = el("button", { type: "button", class: "danger", onclick: async () => {
    await removeAll();
    works.textContent = say("local.removed");
    row.remove();
  } }, say("local.remove"));
  const row = el("div", { class: "row" }, el("a", { class: "button", href: "/" }, say("local.open")), remove);
  byId("local").replaceChildren(works, row);
}
