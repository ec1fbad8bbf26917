// The browser's lists: each a record in IndexedDB, changed in transactions so that tabs never lose each
// other's works; tabs notify each other of changes. local-lists.js handles whole lists.

import { DATABASE as ACCOUNT } from "./account.js";
import { Failure } from "./api.js";

const DATABASE = "citation";
export const CHANNEL = "citation-lists";

// The list that existed before there could be several.
export const FIRST = "main";
const CHOSEN = "list";

// The reader's chosen list; null if there was never more than one.
export function chosenList() {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** @param {string} id */
export const chooseList = (id) => localStorage.setItem(CHOSEN, id);

/** @type {Map<string, Promise<IDBDatabase>>} */
const opened = new Map();

/** @param {string} name @returns {Promise<IDBDatabase>} */
function database(name) {
  const known = opened.get(name) ?? opening(name);
  opened.set(name, known);
  return known;
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
const opening = (name) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("lists");
    request.result.createObjectStore("renders");
  };
  request.onsuccess = () => {
    // Do not block deletion of the database.
    request.result.onversionchange = () => {
      request.result.close();
      opened.delete(name);
    };
    resolve(request.result);
  };
  request.onerror = () => reject(request.error);
});

// Runs a transaction: `work` receives the store and may set the return value.
/**
 * @param {"lists" | "renders"} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, give: (value: any) => void) => unknown} work `any`: what was put there
 * @returns {Promise<any>}
 */
export async function run(store, mode, work, name = DATABASE) {
  const db = await database(name);
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode);
    /** @type {unknown} */
    let value;
    work(transaction.objectStore(store), (given) => (value = given));
    transaction.oncomplete = () => resolve(value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// `revision` grows with every change; `trash` holds removed works, newest first, as {entry, at, removed_at};
// `deleted_at` is the time of the list's deletion. `links` are those made without an account.
/**
 * @typedef {{ share_token: string, share_url: string, delete_key: string, made_at: string }} Link
 * @typedef {{ entry: Api.Entry, at: number }} Place
 * @typedef {{ entries: Api.Entry[], style: string, locale: string, name?: string, links?: Link[], deleted_at?: string, revision?: number, trash?: (Place & { removed_at: string })[] }} Record
 * @type {Record}
 */
const EMPTY = { entries: [], style: "", locale: "", revision: 0, trash: [] };

// Retention of removed works in milliseconds, and their maximum number.
export const KEPT = 30 * 86_400_000;
const MOST_REMOVED = 20_000;

/** @param {Record["trash"]} trash @param {Place[]} removed */
function withRemoved(trash = [], removed) {
  const now = new Date();
  const fresh = removed.map(({ entry, at }) => ({ entry, at, removed_at: now.toISOString() }));
  return [...fresh, ...trash].filter(({ removed_at: time }) => now.getTime() - new Date(time).getTime() < KEPT).slice(0, MOST_REMOVED);
}

/** @returns {string} */
export const newId = () =>
  crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Entries in the order of their ids; others follow in their own order.
/** @param {Api.Entry[]} entries @param {string[]} ids */
export function arranged(entries, ids) {
  const place = new Map(ids.map((id, at) => [id, at]));
  /** @param {Api.Entry} entry */
  const at = (entry) => place.get(entry.id) ?? ids.length;
  return [...entries].sort((a, b) => at(a) - at(b));
}

// Operations common to all lists. Changes show at once; each returns a function that undoes it once
// saved.
export class List extends EventTarget {
  /** @type {Api.Entry[]} */
  entries = [];
  style = "";
  locale = "";

  /** @param {string} id */
  find(id) {
    return this.entries.find((entry) => entry.id === id);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** @implements {WorkList} */
export class LocalList extends List {
  id = "";
  // Empty until the reader names it.
  name = "";
  /** @type {Link[]} */
  links = [];
  /** @type {BroadcastChannel | undefined} */
  #channel;
  #record = EMPTY;
  // Unsaved changes.
  #pending = 0;
  isKept = true;

  static async open(id = chosenList() ?? FIRST) {
    const list = new LocalList();
    list.id = id;
    try {
      await list.#read();
    } catch {
      list.isKept = false;
    }
    if ("BroadcastChannel" in globalThis) {
      list.#channel = new BroadcastChannel(CHANNEL);
      list.#channel.onmessage = (event) => event.data === id && list.#read();
    }
    // A page restored from the back/forward cache has missed changes of other tabs.
    addEventListener("pageshow", (event) => event.persisted && list.#read());
    return list;
  }

  async #read() {
    /** @type {Record | undefined} */
    const record = await run("lists", "readonly", (store, give) => {
      const request = store.get(this.id);
      request.onsuccess = () => give(request.result);
    });
    this.#catchUp(record ?? EMPTY);
  }

  // Adopts the stored record unless own changes are pending.
  /** @param {Record} record */
  #catchUp(record) {
    if (this.#pending || record.revision === this.#record.revision) return;
    this.#take(record);
    this.changed();
  }

  /** @param {Record} record */
  #take(record) {
    this.#record = record;
    this.entries = record.entries;
    this.style = record.style;
    this.locale = record.locale;
    this.name = record.name ?? "";
    this.links = record.links ?? [];
  }

  get isDeleted() {
    return Boolean(this.#record.deleted_at);
  }

  // Shows a change at once; reads, changes and writes the record in one transaction, so that
  // changes of other tabs are kept. Any change restores a deleted list.
  /** @param {(record: Record) => Partial<Record>} change */
  async #change(change) {
    /** @param {Record} record */
    const step = (record) => ({ ...record, deleted_at: undefined, ...change(record), revision: (record.revision ?? 0) + 1 });
    this.#take(step(this.#record));
    this.changed();
    if (!this.isKept) return;
    this.#pending += 1;
    /** @type {Record | undefined} */
    let record;
    try {
      record = await run("lists", "readwrite", (store, give) => {
        const request = store.get(this.id);
        request.onsuccess = () => {
          const next = step(request.result ?? EMPTY);
          store.put(next, this.id);
          give(next);
        };
      });
    } catch {
      this.isKept = false;
      this.dispatchEvent(new Event("unkept"));
    } finally {
      this.#pending -= 1;
    }
    if (!record) return;
    this.#catchUp(record);
    this.#channel?.postMessage(this.id);
  }

  // A work with all its stored data, which may be more than a list shows.
  /** @param {string} id */
  async whole(id) {
    return /** @type {Api.Entry} */ (this.find(id));
  }

  /** @param {Api.Item[]} items @param {number} [at] */
  async add(items, at) {
    const entries = items.map((item) => ({ id: newId(), added_at: new Date().toISOString(), ...item }));
    const ids = entries.map((entry) => entry.id);
    await this.#change((record) => {
      const list = record.entries.filter((entry) => !ids.includes(entry.id));
      list.splice(at ?? list.length, 0, ...entries);
      return { entries: list };
    });
    return { ids, undo: () => this.remove(ids) };
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async remove(ids) {
    const removed = this.entries.map((entry, at) => ({ entry, at })).filter(({ entry }) => ids.includes(entry.id));
    await this.#change((record) => ({
      entries: record.entries.filter((entry) => !ids.includes(entry.id)),
      trash: withRemoved(record.trash, removed),
    }));
    return { undo: () => this.#putBack(removed) };
  }

  /** @param {Place[]} removed */
  #putBack(removed) {
    /** @param {Api.Entry} entry */
    const isBack = (entry) => removed.some((back) => back.entry.id === entry.id);
    return this.#change((record) => {
      const list = record.entries.filter((entry) => !isBack(entry));
      for (const { entry, at } of removed) list.splice(Math.min(at, list.length), 0, entry);
      return { entries: list, trash: (record.trash ?? []).filter(({ entry }) => !isBack(entry)) };
    });
  }

  // Removed works that can be restored, newest first: each {entry, removed_at}.
  async removed() {
    return withRemoved(this.#record.trash, []);
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async restore(ids) {
    const back = (this.#record.trash ?? []).filter(({ entry }) => ids.includes(entry.id));
    await this.#putBack(back.sort((a, b) => a.at - b.at));
    return { undo: () => this.remove(ids) };
  }

  /** @param {string} id @param {Partial<Api.Item>} change @returns {Promise<Done>} */
  async update(id, change) {
    const before = this.find(id);
    const old = Object.fromEntries(Object.keys(change).map((name) => [name, before?.[/** @type {keyof Api.Item} */ (name)]]));
    let isThere = false;
    await this.#change((record) => {
      isThere = record.entries.some((entry) => entry.id === id);
      return { entries: record.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)) };
    });
    // Another tab has removed it.
    if (!isThere) throw new Failure(404, { error: "not_found" });
    return { undo: () => this.update(id, old) };
  }

  /** @param {string} id @param {number} to @returns {Promise<Done>} */
  async move(id, to) {
    const from = this.entries.findIndex((entry) => entry.id === id);
    await this.#change((record) => {
      const list = record.entries.filter((entry) => entry.id !== id);
      const moved = record.entries.find((entry) => entry.id === id);
      if (moved) list.splice(to, 0, moved);
      return { entries: list };
    });
    return { undo: () => this.move(id, from) };
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async arrange(ids) {
    const before = this.entries.map((entry) => entry.id);
    await this.#change((record) => ({ entries: arranged(record.entries, ids) }));
    return { undo: () => this.arrange(before) };
  }

  /** @param {Setting} setting */
  async set(setting) {
    await this.#change(() => setting);
  }

  /** @param {string} name @returns {Promise<Done>} */
  async rename(name) {
    const before = this.name;
    await this.#change(() => ({ name }));
    return { undo: () => this.rename(before) };
  }

  /** @param {(links: Link[]) => Link[]} change */
  setLinks(change) {
    return this.#change((record) => ({ links: change(record.links ?? []) }));
  }

  /** @returns {Promise<Done>} */
  async discard() {
    await this.#change(() => ({ deleted_at: new Date().toISOString() }));
    return { undo: () => this.bringBack() };
  }

  bringBack() {
    return this.#change(() => ({}));
  }
}

// The database of a browser list or an account's collection.
/** @param {string} name */
const home = (name) => (name.startsWith("collection-") ? ACCOUNT : DATABASE);

// Stores the last formatting of a list for offline use.
/** @param {string} name @param {Api.Formatted} render */
export async function keepRender(name, render) {
  try {
    await run("renders", "readwrite", (store) => store.put(render, name), home(name));
  } catch {
    // Without storage only the offline copy is missing.
  }
}

/** @param {string} name @returns {Promise<Api.Formatted | undefined>} */
export async function keptRender(name) {
  try {
    return await run("renders", "readonly", (store, give) => {
      const request = store.get(name);
      request.onsuccess = () => give(request.result);
    }, home(name));
  } catch {
    return undefined;
  }
}
