// Offers to move the browser's lists to the account. Repeating it adds nothing twice: each list has
// its own id (POST /api/v1/collections/merge).

import { PREFIX, SAVED } from "./account.js";
import { Failure, ask, failureText, get, me, post } from "./api.js";
import { titleOf } from "./cite-box.js";
import { el, once } from "./dom.js";
import { discard, living } from "./local-lists.js";
import { FIRST, LocalList, chooseList, newId } from "./local-store.js";
import { parts } from "./long-lists.js";
import "./more-words.js";
import { sellsPlans } from "./outcome.js";
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

/**
 * What became of a list: `ids` are the entries that are new in the collection, `kept` the works of the list that
 * the collection now has, `same` the number of those that it had already, `refused` the others.
 * @typedef {{ list: string, name: string, id: string, isNew: boolean, ids: string[], kept: string[], same: number, refused: { title: string, message: string }[] }} Saved
 */

/** @typedef {Api.Item & { client_id: string }} Sent */

// Sends a list, or its first works.
/** @param {LocalList} list @param {number} [most] @returns {Promise<Saved>} */
async function merge(list, most = Infinity) {
  const name = list.name || say("local.name");
  const entries = list.entries.slice(0, most).map(({ id, metadata, note, tags, added_at }) => ({ client_id: id, metadata, note, tags, added_at }));
  const body = { strategy: "merge_by_name", collections: [{ client_id: clientId(list), name, defaultstyle: list.style || undefined, entries }] };
  try {
    const { collections: [made] } = await post("/api/v1/collections/merge", body);
    // New entries are the last ones.
    const after = made.added ? (await get(`/api/v1/collections/${made.id}`)).entries.slice(-made.added) : [];
    return {
      list: list.id, name: made.name, id: made.id, isNew: made.action === "created", same: made.skipped_duplicates,
      ids: after.map((/** @type {Api.Entry} */ { id }) => id), ...divided(entries, made.errors),
    };
  } catch (failure) {
    // Merging requires a paid plan; every account can create a collection and fill it.
    if (!(failure instanceof Failure) || failure.code !== "plan_required") throw failure;
    return mergeByHand(list, name, entries);
  }
}

// The works that were taken, and those that were refused with the reason.
/** @param {Sent[]} entries @param {{ index: number | null, message: string }[]} errors */
function divided(entries, errors) {
  const faults = new Map(errors.map(({ index, message }) => [index, message]));
  const refused = entries.flatMap((entry, at) => faults.has(at) ? [{ title: titleOf(entry), message: faults.get(at) ?? "" }] : []);
  return { kept: entries.filter((_, at) => !faults.has(at)).map((entry) => entry.client_id), refused };
}

const MADE = `${PREFIX}merged-collection`;

/** @param {LocalList} list @param {string} name @param {Sent[]} entries */
async function mergeByHand(list, name, entries) {
  // The storage key of the created collection's id.
  const key = list.id === FIRST ? MADE : `${MADE}-${list.id}`;
  const known = localStorage.getItem(key);
  try {
    if (known) await get(`/api/v1/collections/${known}`);
  } catch (failure) {
    // The collection was deleted or belongs to another account: create a new one.
    if (!(failure instanceof Failure) || failure.code !== "not_found") throw failure;
    localStorage.removeItem(key);
    localStorage.removeItem(`${key}-entries`);
  }
  return fill(list, key, name, entries);
}

/** @param {LocalList} list @param {string} key @param {string} name @param {Sent[]} entries @returns {Promise<Saved>} */
async function fill(list, key, name, entries) {
  /** @type {Set<string>} */
  const sent = new Set(JSON.parse(localStorage.getItem(`${key}-entries`) ?? "[]"));
  const left = entries.filter((entry) => !sent.has(entry.client_id));
  const known = localStorage.getItem(key);
  const id = known ?? /** @type {Api.Collection} */ (await post("/api/v1/collections", { name })).id;
  /** @type {string[]} */
  const ids = [];
  const errors = [];
  try {
    for (const part of parts(left)) {
      if (!part.length) continue;
      /** @type {{ added: Api.Entry[], errors: { index: number, message: string }[] }} */
      const answer = await post(`/api/v1/collections/${id}/entries/batch`, { entries: part.map(({ metadata, note, tags }) => ({ metadata, note, tags })) });
      ids.push(...answer.added.map((entry) => entry.id));
      const from = left.indexOf(part[0]);
      errors.push(...answer.errors.map(({ index, message }) => ({ index: from + index, message })));
    }
  } catch (failure) {
    // Nothing half done, and no empty collection.
    if (!known) await ask("DELETE", `/api/v1/collections/${id}`).catch(() => {});
    else if (ids.length) await withdraw(id, ids).catch(() => {});
    throw failure;
  }
  const { kept, refused } = divided(left, errors);
  localStorage.setItem(key, id);
  localStorage.setItem(`${key}-entries`, JSON.stringify([...sent, ...kept]));
  return { list: list.id, name, id, isNew: !known, ids, kept: [...sent, ...kept], same: entries.length - left.length, refused };
}

// Removes entries from a collection.
/** @param {string} id @param {string[]} ids */
async function withdraw(id, ids) {
  for (const part of parts(ids)) if (part.length) await post(`/api/v1/collections/${id}/entries/batch-delete`, { entry_ids: part });
}

// Moves lists to the account, the open one first; returns what became of each. A list that is refused stays,
// with those after it.
/** @param {LocalList[]} lists @param {number} [most] */
async function take(lists, most) {
  for (const list of lists) {
    const saved = await merge(list, most);
    // The account keeps them now: a local copy would be a duplicate.
    await list.remove(saved.kept);
    if (list.id !== FIRST && !list.entries.length) await discard(list);
    sessionStorage.setItem(SAVED, JSON.stringify([...lastSaved(), saved]));
  }
}

// What was saved and has not been read yet.
/** @returns {Saved[]} */
const lastSaved = () => JSON.parse(sessionStorage.getItem(SAVED) ?? "[]");

// Takes everything back: the browser has its works again, the account what it had.
/** @param {Saved[]} all */
async function takeBack(all) {
  for (const { list, id, isNew, ids, kept } of all) {
    const back = await LocalList.open(list);
    await back.restore(kept);
    if (isNew) await ask("DELETE", `/api/v1/collections/${id}`);
    else if (ids.length) await withdraw(id, ids);
    const key = list === FIRST ? MADE : `${MADE}-${list}`;
    localStorage.removeItem(`${key}-entries`);
    if (isNew) localStorage.removeItem(key);
  }
  choose();
  location.assign("/");
}

// The report on what was saved: it stays until it is closed, on whatever page.
export function savedReport() {
  const all = lastSaved();
  if (!all.length) return undefined;
  const close = () => {
    sessionStorage.removeItem(SAVED);
    panel.remove();
  };
  const undo = once(async () => {
    try {
      await takeBack(all);
      close();
    } catch (failure) {
      toast(failureText(failure));
    }
  });
  const panel = el("section", { class: "panel notice", role: "status", id: "saved", "aria-label": say("local.saved") },
    all.map(({ name, ids, same, refused }) => [
      el("p", { dir: "auto" }, el("b", {}, count("local.saved-to", ids.length, { name })), " ", same ? count("local.same", same) : ""),
      refused.length ? el("div", {}, el("p", {}, count("local.refused", refused.length)),
        el("ul", {}, refused.map(({ title, message }) => el("li", { dir: "auto" }, `${title}: ${message}`)))) : "",
    ]),
    el("div", { class: "row" }, el("button", { type: "button", onclick: undo }, say("undo")),
      el("button", { type: "button", class: "plain", onclick: close }, say("close"))));
  return panel;
}

const LIMITS = ["entry_limit_reached", "collection_limit_reached", "storage_limit_reached"];

// Why a list does not fit into the account, and what can be done.
/** @param {Failure} failure @param {LocalList} list @param {(most: number) => unknown} some */
function limit(failure, list, some) {
  const { available = failure.body.limit ?? 0 } = failure.body;
  const name = list.name || say("target.browser");
  return el("section", { class: "panel bad", role: "alert" }, el("p", { dir: "auto" }, `${failure.text} ${count("local.has", list.entries.length, { name })}`),
    el("p", {}, say("local.limit-ways")),
    el("div", { class: "row" },
      failure.code === "entry_limit_reached" && available && available < list.entries.length
        ? el("button", { type: "button", class: "primary", onclick: once(() => some(available)) }, count("local.save-first", available)) : "",
      el("a", { class: "button", href: "/library" }, say("local.to-library")),
      sellsPlans() ? el("a", { class: "button", href: "/plans" }, say("quota.view_plans")) : ""));
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
  const taking = el("button", { type: "button", class: "primary", onclick: () => save() }, say("local.merge"));
  const problem = el("div");
  /** @param {number} [most] */
  const save = async (most) => {
    taking.disabled = true;
    problem.replaceChildren();
    const full = lists.filter((list) => list.entries.length);
    try {
      await take(full, most);
      const id = lastSaved()[0]?.id;
      choose(id);
      if (id) location.assign(`/c/${id}`);
    } catch (failure) {
      const left = full.find((list) => list.entries.length);
      if (failure instanceof Failure && left && LIMITS.includes(failure.code)) problem.replaceChildren(limit(failure, left, save));
      else toast(failureText(failure));
      taking.disabled = false;
    }
  };
  const works = el("p");
  const show = () => (works.textContent = count("local.works", all()));
  for (const list of lists) list.addEventListener("change", show);
  show();
  /** @param {LocalList} list */
  const link = (list) => el("a", { href: "/", onclick: () => {
    choose();
    chooseList(list.id);
  } }, el("b", { dir: "auto" }, list.name || say("target.browser")), " ", count("list.count", list.entries.length));
  return el("section", { class: open ? "panel" : "", "aria-label": say("local.merge") }, works, problem,
    !open && lists.length > 1 ? el("ul", {}, lists.map((list) => el("li", {}, link(list)))) : "",
    authenticated ? "" : el("p", { class: "quiet" }, say("local.why")),
    el("div", { class: "row" }, authenticated ? taking : "", open || lists.length > 1 ? "" : el("a", { class: "button", href: "/", onclick: () => chooseList(lists[0].id) }, say("local.open")),
      authenticated ? "" : el("a", { class: "button", href: "/auth/login?return_to=/library" }, say("quota.sign_in"))));
}
