// Where what is cited on the first page goes: the list that this browser keeps, or a collection of the
// account. The choice is remembered for as long as one is signed in.

import { PREFIX } from "./account.js";
import { Failure, get, me } from "./api.js";
import { byId, el } from "./dom.js";
import { say } from "./words.js";

const CHOSEN = `${PREFIX}saving-to`;

// The collection that the first page saves to; nothing for the browser's own list.
export const chosen = () => localStorage.getItem(CHOSEN);

/** @param {string} [id] */
export function choose(id) {
  if (id) localStorage.setItem(CHOSEN, id);
  else localStorage.removeItem(CHOSEN);
}

// The collection that works are saved to, where one is chosen and can be had.
export async function savedTo() {
  const id = chosen();
  if (!id) return undefined;
  try {
    const { RemoteList } = await import("./remote-store.js");
    /** @type {string | undefined} */
    let tag;
    const found = await get(`/api/v1/collections/${encodeURIComponent(id)}`, { onEtag: (etag) => (tag = etag) });
    return new RemoteList(found, tag);
  } catch (failure) {
    if (failure instanceof Failure && [401, 403, 404].includes(failure.status)) choose();
    return undefined;
  }
}

// Says where works go, and offers the other places. `name` is that of the collection, `current` its id.
/** @param {string} [name] @param {string | null} [current] */
export async function targetChip(name, current) {
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  const text = name ?? say("target.browser");
  const saving = say("target.saving", { name: text });
  /** @type {HTMLButtonElement} */
  const chip = el("button", {
    type: "button", class: "chip", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": saving,
    onclick: async () => (await import("./target-menu.js")).targetMenu(chip, current, authenticated),
  }, el("span", { class: "long" }, saving), el("span", { class: "short", dir: "auto" }, text));
  const place = byId("target");
  place.classList.toggle("account", authenticated);
  place.replaceChildren(chip);
}
