// The first page: the browser's list, or the collection chosen to save to. Adds works passed by an
// address or a form.

import { addresses } from "./address.js";
import { late, me } from "./api.js";
import { byId, el } from "./dom.js";
import { hits } from "./outcome.js";
import { LocalList, chooseList } from "./local-store.js";
import { savingTo, targetChip } from "./target.js";
import { toast, undoable } from "./toast.js";
import { say } from "./words.js";
import { Workbench } from "./workbench.js";

const list = await savingTo();
const own = list instanceof LocalList ? list : await LocalList.open();
const target = list instanceof LocalList ? undefined : list.collection.id;
const form = byId("cite");
/** @param {"entries" | "candidates"} name */
const read = (name) => {
  try {
    return JSON.parse(form.elements[name].value);
  } catch {
    return [];
  }
};
/** @type {Api.Metadata[]} */
const brought = read("entries");
/** @type {Api.Candidate[]} */
const candidates = read("candidates");
const outcome = [...byId("outcome").childNodes];
const query = new URLSearchParams(location.search);
const wanted = { style: query.get("style"), locale: query.get("locale") };
if (wanted.style) await list.set({ style: byId("settings").dataset.style });
if (wanted.locale) await list.set({ locale: wanted.locale });

// Remembered so that the next visit starts with the list (early.js).
const note = () => {
  try {
    if (list.entries.length) localStorage.setItem("works", "1");
    else localStorage.removeItem("works");
  } catch {
    // Storage may be unavailable.
  }
};
list.addEventListener("change", note);
note();
const title = byId("list-title");
const untitled = title.textContent ?? "";
// If the operator allows links without an account: their lifetime in days.
const days = Number(byId("target").dataset.linkDays);
const share = async () => (await late(import("./permalink.js"))).openLinks(own, { name: own.name || untitled, days, style: byId("settings").dataset.style });
const bench = new Workbench(list, target ? { name: `collection-${target}`, hasState: true }
  : { name: own.id, mains: days ? [["tool.share", share]] : [] });
if (list instanceof LocalList) {
  const name = () => (title.textContent = list.name || untitled);
  name();
  let isGone = false;
  list.addEventListener("change", () => {
    name();
    // Deleted in another window; a change here restores it.
    if (list.isDeleted && !isGone) toast(say("list.deleted", { name: list.name || say("target.browser") }), () => list.bringBack(), say("undo"));
    isGone = list.isDeleted;
  });
} else {
  title.replaceChildren(el("a", { href: `/c/${target}`, dir: "auto" }, list.collection.name));
}
targetChip(list);
if (brought.length) await bench.add(brought.map((metadata) => ({ metadata })));
if (candidates.length) {
  const place = byId("outcome");
  const close = () => place.replaceChildren();
  place.replaceChildren(hits(candidates, async (candidate) => {
    close();
    await bench.add([{ metadata: candidate.metadata }]);
  }, close));
} else {
  byId("outcome").replaceChildren(...(brought.length ? [] : outcome));
}
// A page read by the bookmarklet or the extension (`examples/extension`).
addresses({
  page: (payload) => {
    history.replaceState(null, "", "/");
    let page;
    try {
      page = JSON.parse(decodeURIComponent(payload));
    } catch {
      return;
    }
    bench.box.citePage({ url: String(page.url), html: String(page.html) });
  },
  // A list just deleted.
  deleted: async (id) => {
    history.replaceState(null, "", "/");
    const gone = await LocalList.open(id);
    if (!gone.isDeleted) return;
    const undo = async () => {
      await gone.bringBack();
      chooseList(id);
      location.assign("/");
    };
    undoable(say("list.deleted", { name: gone.name || say("target.browser") }), Promise.resolve({ undo }));
  },
});
// Offers to save the list to the account if signed in, or if it is long enough to be worth keeping.
const WORTH_KEEPING = 10;

async function offer() {
  const place = byId("keep");
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  if (!authenticated && own.entries.length < WORTH_KEEPING) place.replaceChildren();
  else if (!place.firstChild || !own.entries.length) {
    const { localPanel } = await import("./merge.js");
    place.replaceChildren(await localPanel(own) ?? "");
  }
}

// Offline it cannot be saved.
const offerIfPossible = () => offer().catch(() => {});
own.addEventListener("change", offerIfPossible);
offerIfPossible();
if (location.pathname !== "/" || location.search) history.replaceState(null, "", "/");
