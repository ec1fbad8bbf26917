// The places to save works to: the lists of this browser, the account's collections, a new one. Renames
// and deletes lists of this browser.

import { failureText, get, post } from "./api.js";
import { el, field, once, openDialog, openMenu } from "./dom.js";
import { discard, living, make } from "./local-lists.js";
import { LocalList, chooseList } from "./local-store.js";
import "./more-words.js";
import { choose } from "./target.js";
import { toast, undoable } from "./toast.js";
import { say } from "./words.js";

/** @param {string} [collection] */
function go(collection) {
  choose(collection);
  location.assign("/");
}

/** @param {string} id */
function goToList(id) {
  chooseList(id);
  go();
}

async function makeCollection() {
  const { id } = await post("/api/v1/collections", { name: say("target-menu.untitled") });
  choose(id);
  location.assign(`/c/${id}#settings`);
}

// Asks for a name.
/** @param {string} title @param {string} given @param {(name: string) => unknown} take */
function ask(title, given, take) {
  const name = el("input", { required: true, maxlength: "200", value: given, dir: "auto", autocomplete: "off", autofocus: true });
  const dialog = openDialog(title, (heading) => el("form", { method: "dialog", onsubmit: once((event) => {
    event.preventDefault();
    if (!name.value.trim()) return;
    dialog.close();
    take(name.value.trim());
  }) }, heading, field(say("collection.name"), name),
  el("div", { class: "row" }, el("button", { class: "primary" }, say("save")),
    el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close")))));
  name.select();
}

const makeList = () => ask(say("target-menu.untitled"), "", async (name) => {
  if (await make(name)) go();
  else toast(say("error.storage"));
});

/** @param {LocalList} list */
async function remove(list) {
  await discard(list);
  // The next page offers to undo this.
  history.replaceState(null, "", `/#deleted/${list.id}`);
  location.reload();
}

/** @param {HTMLElement} chip @param {LocalList | import("./remote-store.js").RemoteList} list @param {boolean} isSignedIn */
export async function targetMenu(chip, list, isSignedIn) {
  /** @type {[Api.Collection[], import("./local-lists.js").Listed[]]} */
  const [collections, lists] = await Promise.all([isSignedIn ? get("/api/v1/collections").catch(() => []) : [], living()]);
  const local = list instanceof LocalList ? list : undefined;
  const current = list instanceof LocalList ? list.id : list.collection.id;
  /** @type {Choice[]} */
  const others = [
    ...lists.filter(({ id }) => id !== current).map(({ id, name }) => /** @type {Choice} */ ([name || say("target.browser"), () => goToList(id)])),
    ...collections.filter(({ id }) => id !== current).map(({ id, name }) => /** @type {Choice} */ ([name, () => go(id)])),
  ];
  openMenu(chip, say("target-menu.title"), [
    ...others,
    isSignedIn ? [say("target-menu.new"), () => makeCollection().catch((failure) => toast(failureText(failure)))] : [say("target-menu.new"), makeList],
    local && [say("target-menu.rename"), () => ask(say("target-menu.rename-title"), local.name, (name) => undoable(say("saved"), local.rename(name)))],
    local && (others.length > 0 || local.entries.length > 0) && [say("target-menu.delete"), () => remove(local)],
    !isSignedIn && [say("target-menu.sign-in"), () => location.assign("/auth/login?return_to=/")],
    !local && location.pathname === "/" && [say("target-menu.open"), () => location.assign(`/c/${current}`)],
  ], isSignedIn ? undefined : say("target-menu.why"));
}
