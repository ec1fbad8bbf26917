// Where the first page saves works: a list of this browser, or a collection of the account,
// remembered until sign-out.

import { PREFIX } from "./account.js";
import { Failure, get, me } from "./api.js";
import { byId, el } from "./dom.js";
import { LocalList, chosenList } from "./local-store.js";
import { say } from "./words.js";

const CHOSEN = `${PREFIX}saving-to`;

// The collection that the first page saves to; null for the browser's list.
export const chosen = () => localStorage.getItem(CHOSEN);

/** @param {string} [id] */
export function choose(id) {
  if (id) localStorage.setItem(CHOSEN, id);
  else localStorage.removeItem(CHOSEN);
}

// The chosen collection, if it can be loaded.
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

// The list to save works to.
export const savingTo = async () => (await savedTo()) ?? LocalList.open();

// Shows where works are saved and offers other places.
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
  // With a single place, the chip is hidden while the list is empty.
  place.classList.toggle("several", authenticated || chosenList() !== null);
  place.replaceChildren(chip);
}
