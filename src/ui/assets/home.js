// The first page: the list that this browser keeps, or the collection that its reader saves to. What an
// address or a form brought along is put into it.

import { addresses } from "./address.js";
import { me } from "./api.js";
import { byId, el } from "./dom.js";
import { hits } from "./outcome.js";
import { LocalList } from "./local-store.js";
import { savedTo, targetChip } from "./target.js";
import { say } from "./words.js";
import { Workbench } from "./workbench.js";

const own = await LocalList.open();
const remote = await savedTo();
const target = remote?.collection.id;
const list = remote ?? own;
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

// Kept for the next visit, which then begins with the list (early.js).
const note = () => {
  try {
    if (list.entries.length) localStorage.setItem("works", "1");
    else localStorage.removeItem("works");
  } catch {
    // Where nothing may be kept, nothing was.
  }
};
list.addEventListener("change", note);
note();
const bench = new Workbench(list, remote ? { name: `collection-${target}`, hasState: true } : { name: "main" });
if (remote) byId("list-title").replaceChildren(el("a", { href: `/c/${target}`, dir: "auto" }, remote.collection.name));
targetChip(remote?.collection.name, target);
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
// A page that the reader's bookmark or extension has read (`examples/extension`).
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
});
// Whoever has signed in, or has collected so much that losing it would hurt, is offered to keep it.
const WORTH_KEEPING = 10;

async function offer() {
  const place = byId("keep");
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  const isDue = own.entries.length > 0 && (authenticated || own.entries.length >= WORTH_KEEPING);
  if (!isDue) place.replaceChildren();
  else if (!place.firstChild) {
    const { localPanel } = await import("./merge.js");
    place.replaceChildren(el("section", { class: "panel", "aria-label": say("local.merge") }, await localPanel(own)));
  }
}

// Without the network there is nowhere to keep it.
const offerIfPossible = () => offer().catch(() => {});
own.addEventListener("change", offerIfPossible);
offerIfPossible();
if (location.pathname !== "/" || location.search) history.replaceState(null, "", "/");
