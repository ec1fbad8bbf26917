// Offers to move the browser's lists to the account. Repeating it adds nothing twice: each list has
// its own id (POST /api/v1/collections/merge).

import { PREFIX } from "./account.js";
import { Failure, failureText, get, me, post } from "./api.js";
import { el } from "./dom.js";
import { discard, living } from "./local-lists.js";
import { FIRST, LocalList, chooseList, newId } from "./local-store.js";
import "./more-words.js";
import { choose } from "./target.js";
import { toast } from "./toast.js";
import { count, say } from "./words.js";

const CLIENT = "client-id";

// The list's id for the account: the first list has the same id in every browser.
/** @param {LocalList} list */
function clientId({ id }) {
  if (id !== FIRST) return id;
  const known = localStorage.getItem(CLIENT);
  if (known) return known;
  const made = newId();
  localStorage.setItem(CLIENT, made);
  return made;
}

// Sends a list; returns how many works were new to the account, and the ids of those it now has.
/** @param {LocalList} list @returns {Promise<{ id?: string, added: number, kept: string[] }>} */
async function merge(list) {
  const name = list.name || say("local.name");
  const entries = list.entries.map(({ id, metadata, note, tags, added_at }) => ({ client_id: id, metadata, note, tags, added_at }));
  const body = { strategy: "merge_by_name", collections: [{ client_id: clientId(list), name, defaultstyle: list.style || undefined, entries }] };
  try {
    const answer = await post("/api/v1/collections/merge", body);
    return { id: answer.collections[0]?.id, added: answer.totals?.added ?? answer.collections[0]?.added ?? 0, kept: list.entries.map((entry) => entry.id) };
  } catch (failure) {
    // Merging requires a paid plan; every account can create a collection and fill it.
    if (!(failure instanceof Failure) || failure.code !== "plan_required") throw failure;
    return mergeByHand(list.id === FIRST ? MADE : `${MADE}-${list.id}`, name, entries);
  }
}

const MADE = `${PREFIX}merged-collection`;

/** @typedef {Api.Item & { client_id: string }} Sent */

// `key` is the storage key of the created collection's id.
/** @param {string} key @param {string} name @param {Sent[]} entries */
async function mergeByHand(key, name, entries) {
  try {
    return await fill(key, name, entries);
  } catch (failure) {
    // The collection was deleted or belongs to another account: create a new one.
    if (!(failure instanceof Failure) || failure.code !== "not_found" || !localStorage.getItem(key)) throw failure;
    localStorage.removeItem(key);
    localStorage.removeItem(`${key}-entries`);
    return fill(key, name, entries);
  }
}

/** @param {string} key @param {string} name @param {Sent[]} entries */
async function fill(key, name, entries) {
  /** @type {Set<string>} */
  const sent = new Set(JSON.parse(localStorage.getItem(`${key}-entries`) ?? "[]"));
  const left = entries.filter((entry) => !sent.has(entry.client_id));
  let id = localStorage.getItem(key) ?? "";
  if (!id) {
    id = /** @type {Api.Collection} */ (await post("/api/v1/collections", { name })).id;
    localStorage.setItem(key, id);
  }
  if (left.length) {
    /** @type {{ errors: { index: number }[] }} */
    const { errors } = await post(`/api/v1/collections/${id}/entries/batch`, { entries: left.map(({ metadata, note, tags }) => ({ metadata, note, tags })) });
    const refused = new Set(errors.map(({ index }) => index));
    const taken = left.filter((_, index) => !refused.has(index));
    localStorage.setItem(`${key}-entries`, JSON.stringify([...sent, ...taken.map((entry) => entry.client_id)]));
    return { id, added: taken.length, kept: [...sent, ...taken.map((entry) => entry.client_id)] };
  }
  await get(`/api/v1/collections/${id}`);
  return { id, added: 0, kept: [...sent] };
}

// Moves lists to the account, the open one first; returns the new id of that one.
/** @param {LocalList[]} lists */
async function take(lists) {
  let added = 0;
  let first;
  for (const list of lists) {
    const made = await merge(list);
    added += made.added;
    first ??= made.id;
    // The account keeps them now: a local copy would be a duplicate.
    await list.remove(made.kept);
    if (list.id !== FIRST && !list.entries.length) await discard(list);
  }
  toast(added ? count("local.merged", added) : say("local.nothing-new"));
  return first;
}

// The browser's lists with the choice to open them or move them to the account. `open` is the list of the
// page.
/** @param {LocalList} [open] */
export async function localPanel(open) {
  const listed = (await living()).filter(({ id, works }) => works || id === open?.id);
  const lists = await Promise.all(listed.map(({ id }) => (id === open?.id ? open : LocalList.open(id))));
  lists.sort((a, b) => Number(b === open) - Number(a === open));
  const all = () => lists.reduce((sum, list) => sum + list.entries.length, 0);
  if (!all()) return undefined;
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  /** @type {HTMLButtonElement} */
  const taking = el("button", { type: "button", class: "primary", onclick: async () => {
    taking.disabled = true;
    try {
      const id = await take(lists.filter((list) => list.entries.length));
      choose(id);
      if (id) location.assign(`/c/${id}`);
    } catch (failure) {
      toast(failureText(failure));
      taking.disabled = false;
    }
  } }, say("local.merge"));
  const works = el("p");
  const show = () => (works.textContent = count("local.works", all()));
  for (const list of lists) list.addEventListener("change", show);
  show();
  /** @param {LocalList} list */
  const link = (list) => el("a", { href: "/", onclick: () => {
    choose();
    chooseList(list.id);
  } }, el("b", { dir: "auto" }, list.name || say("target.browser")), " ", count("list.count", list.entries.length));
  return el("section", { class: open ? "panel" : "", "aria-label": say("local.merge") }, works,
    !open && lists.length > 1 ? el("ul", {}, lists.map((list) => el("li", {}, link(list)))) : "",
    authenticated ? "" : el("p", { class: "quiet" }, say("local.why")),
    el("div", { class: "row" }, authenticated ? taking : "", open || lists.length > 1 ? "" : el("a", { class: "button", href: "/", onclick: () => chooseList(lists[0].id) }, say("local.open")),
      authenticated ? "" : el("a", { class: "button", href: "/auth/login?return_to=/library" }, say("quota.sign_in"))));
}
