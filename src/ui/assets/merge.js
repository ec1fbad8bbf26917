// The offer to take what this browser keeps into the account. Sent twice it adds nothing twice: the
// list goes by an id of its own (POST /api/v1/collections/merge).

import { PREFIX } from "./account.js";
import { Failure, failureText, get, me, post } from "./api.js";
import { el } from "./dom.js";
import { LocalList, newId } from "./local-store.js";
import { choose } from "./target.js";
import { toast } from "./toast.js";
import { count, say } from "./words.js";

const CLIENT = "client-id";

function clientId() {
  const known = localStorage.getItem(CLIENT);
  if (known) return known;
  const made = newId();
  localStorage.setItem(CLIENT, made);
  return made;
}

// Sends the list; gives how many works the account did not have, and the ids of those that it has now.
/** @param {WorkList} list @returns {Promise<{ id?: string, added: number, kept: string[] }>} */
export async function merge(list) {
  const entries = list.entries.map(({ id, metadata, note, tags, added_at }) => ({ client_id: id, metadata, note, tags, added_at }));
  const body = { strategy: "merge_by_name", collections: [{ client_id: clientId(), name: say("local.name"), defaultstyle: list.style || undefined, entries }] };
  try {
    const answer = await post("/api/v1/collections/merge", body);
    return { id: answer.collections[0]?.id, added: answer.totals?.added ?? answer.collections[0]?.added ?? 0, kept: list.entries.map((entry) => entry.id) };
  } catch (failure) {
    // Merging is part of the paid plans; every account may make a collection and fill it.
    if (!(failure instanceof Failure) || failure.code !== "plan_required") throw failure;
    return mergeByHand(entries);
  }
}

const MADE = `${PREFIX}merged-collection`;

/** @typedef {Api.Item & { client_id: string }} Sent */

/** @param {Sent[]} entries */
async function mergeByHand(entries) {
  try {
    return await fill(entries);
  } catch (failure) {
    // The collection was deleted since, or belongs to another account: there will be a new one.
    if (!(failure instanceof Failure) || failure.code !== "not_found" || !localStorage.getItem(MADE)) throw failure;
    localStorage.removeItem(MADE);
    localStorage.removeItem(`${MADE}-entries`);
    return fill(entries);
  }
}

/** @param {Sent[]} entries */
async function fill(entries) {
  /** @type {Set<string>} */
  const sent = new Set(JSON.parse(localStorage.getItem(`${MADE}-entries`) ?? "[]"));
  const left = entries.filter((entry) => !sent.has(entry.client_id));
  let id = localStorage.getItem(MADE) ?? "";
  if (!id) {
    id = /** @type {Api.Collection} */ (await post("/api/v1/collections", { name: say("local.name") })).id;
    localStorage.setItem(MADE, id);
  }
  if (left.length) {
    /** @type {{ errors: { index: number }[] }} */
    const { errors } = await post(`/api/v1/collections/${id}/entries/batch`, { entries: left.map(({ metadata, note, tags }) => ({ metadata, note, tags })) });
    const refused = new Set(errors.map(({ index }) => index));
    const taken = left.filter((_, index) => !refused.has(index));
    localStorage.setItem(`${MADE}-entries`, JSON.stringify([...sent, ...taken.map((entry) => entry.client_id)]));
    return { id, added: taken.length, kept: [...sent, ...taken.map((entry) => entry.client_id)] };
  }
  await get(`/api/v1/collections/${id}`);
  return { id, added: 0, kept: [...sent] };
}

// What the browser keeps, with the ways on: open it, or take it into the account.
/** @param {LocalList} [given] */
export async function localPanel(given) {
  const list = given ?? (await LocalList.open());
  if (!list.entries.length) return undefined;
  const { authenticated } = await me().catch(() => ({ authenticated: false }));
  /** @type {HTMLButtonElement} */
  const take = el("button", { type: "button", class: "primary", onclick: async () => {
    take.disabled = true;
    try {
      const { id, added, kept } = await merge(list);
      toast(added ? count("local.merged", added) : say("local.nothing-new"));
      // From now on it is the account that keeps them: what stayed here would be a second copy.
      await list.remove(kept);
      choose(id);
      if (id) location.assign(`/c/${id}`);
    } catch (failure) {
      toast(failureText(failure));
      take.disabled = false;
    }
  } }, say("local.merge"));
  const works = el("p");
  const show = () => (works.textContent = count("local.works", list.entries.length));
  list.addEventListener("change", show);
  show();
  return el("div", {}, works, authenticated ? "" : el("p", { class: "quiet" }, say("local.why")),
    el("div", { class: "row" }, authenticated ? take : "", given ? "" : el("a", { class: "button", href: "/" }, say("local.open")),
      authenticated ? "" : el("a", { class: "button", href: "/auth/login?return_to=/library" }, say("quota.sign_in"))));
}
