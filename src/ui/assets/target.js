// Where what is cited on the first page goes: a list that this browser keeps, or a collection of the
// account, which is remembered for as long as one is signed in.

import { PREFIX } from "./account.js";
import { Failure, get, me } from "./api.js";
import { byId, el } from "./dom.js";
import { LocalList, chosenList } from "./local-store.js";
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
async function savedTo() {
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

// The list that works are saved to.
export const savingTo = async () => (await savedTo()) ?? LocalList.open();

// Says where works go, and offers the other places.
/** @param {LocalList | import("./remote-store.js").RemoteList} list */
export async function targetChip(list) {
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  const long = el("span", { class: "long" });
  const short = el("span", { class: "short", dir: "auto" });
  /** @type {HTMLButtonElement} */
  const chip = el("button", {
    type: "button", class: "chip", "aria-haspopup": "menu", "aria-expanded": "false",
    onclick: async () => (await import("./target-menu.js")).targetMenu(chip, list, authenticated),
  }, long, short);
  const show = () => {
    short.textContent = list instanceof LocalList ? list.name || say("target.browser") : list.collection.name;
    long.textContent = say("target.saving", { name: short.textContent });
    chip.setAttribute("aria-label", long.textContent);
  };
  list.addEventListener("change", show);
  show();
  const place = byId("target");
  // Whoever has but one place sees no chip before there is something in it.
  place.classList.toggle("several", authenticated || chosenList() !== null);
  place.replaceChildren(chip);
}
