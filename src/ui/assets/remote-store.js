// A collection of the account as a list: shows changes at once, writes them to the server, and
// reloads after a conflict.

import { ask, get } from "./api.js";
import { List, arranged } from "./local-store.js";
import { parts } from "./long-lists.js";

// What others have changed since is kept, unless it is the same field.
const MERGE = "?on_conflict=merge";

/** @implements {WorkList} */
export class RemoteList extends List {
  isKept = true;
  /** @type {string | undefined} */
  #etag;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  // Changes without a response yet.
  #waiting = 0;
  // The last state known to be on the server.
  /** @type {Api.Entry[]} */
  #settled = [];
  // Whether a change has failed since.
  #isStale = false;

  // A collection in API form, and the entity tag of that version.
  /** @param {Api.PageCollection} collection @param {string} [etag] */
  constructor(collection, etag) {
    super();
    this.path = `/api/v1/collections/${encodeURIComponent(collection.id)}`;
    this.#etag = etag;
    this.collection = collection;
    this.#take(collection);
  }

  /** @param {Api.PageCollection} collection */
  #take(collection) {
    this.collection = collection;
    this.entries = this.#settled = collection.entries ?? [];
    this.style = collection.defaultstyle ?? "";
  }

  /** @param {string} [etag] */
  #note = (etag) => (this.#etag = etag);

  // In its turn among the changes: an answer that was written before a change must not come after it.
  reload() {
    const turn = this.#last.then(() => this.#load());
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #load() {
    const collection = await get(this.path, { onEtag: this.#note });
    // A change that was made meanwhile stays on the page until its answer.
    if (this.#waiting) this.#isStale = true;
    else {
      this.#take(collection);
      this.changed();
    }
  }

  // The version of the collection, the first number of its entity tag.
  get #version() {
    return Number.parseInt((this.#etag ?? "").replace(/^\D+/, ""), 10) || 0;
  }

  // Shows what others change, while the page can be seen. Own changes have a known version.
  watch() {
    /** @type {EventSource | undefined} */
    let events;
    let newest = 0;
    // Not while a work is edited: its changes are made on the version that was read before.
    const catchUp = async () => {
      await this.#last;
      const isEditing = document.querySelector("dialog[open]") !== null;
      if (newest > this.#version && !this.#waiting && !isEditing) await this.reload().catch(() => {});
    };
    /** @param {MessageEvent} event */
    const take = (event) => {
      newest = Math.max(newest, Number(event.lastEventId));
      return catchUp();
    };
    document.addEventListener("close", catchUp, true);
    const open = () => {
      events?.close();
      if (document.hidden) return;
      events = new EventSource(`${this.path}/changes/stream?since=${this.#version}`);
      for (const kind of ["change", "reload"]) events.addEventListener(kind, take);
    };
    document.addEventListener("visibilitychange", open);
    open();
  }

  // Shows a change at once and sends it after the responses to earlier ones, since each response
  // brings the version for the next request. Unchecked changes apply to any version.
  /** @param {Api.Entry[] | null} entries @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} `any`: see `ask` */
  #write(entries, method, path, body, isChecked = true) {
    if (entries) {
      this.entries = entries;
      this.changed();
    }
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#send(method, path, body, isChecked));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** @param {string} method @param {string} path @param {unknown} body @param {boolean} isChecked */
  async #send(method, path, body, isChecked) {
    try {
      /** @type {Record<string, string>} */
      const headers = isChecked && this.#etag ? { "if-match": this.#etag } : {};
      return await ask(method, this.path + path, body, { headers, onEtag: this.#note });
    } catch (failure) {
      this.#isStale = true;
      throw failure;
    } finally {
      this.#waiting -= 1;
      await this.#settle();
    }
  }

  // After the last response: if a change failed, reload from the server; if that fails, return to
  // the last known state.
  async #settle() {
    if (this.#waiting) return;
    if (!this.#isStale) {
      this.#settled = this.entries;
      return;
    }
    this.#isStale = false;
    await this.#load().catch(() => {
      this.entries = this.#settled;
      this.changed();
    });
  }

  // Shows the server's response.
  /** @param {Api.Entry[]} entries */
  #show(entries) {
    this.entries = entries;
    if (!this.#waiting) this.#settled = entries;
    this.changed();
  }

  // Reads after earlier changes have been answered.
  /** @param {string} path */
  read(path) {
    return this.#last.then(() => get(this.path + path));
  }

  // Lists omit abstracts.
  /** @param {string} id @returns {Promise<Api.Entry>} */
  whole(id) {
    return this.read(`/entries/${id}?include=abstract`);
  }

  // Earlier versions of a work, newest first.
  /** @param {string} id @returns {Promise<Api.Version[]>} */
  versions(id) {
    return this.read(`/entries/${id}/history`);
  }

  // Changes properties that the list does not show.
  /** @param {string} method @param {string} path @param {unknown} [body] */
  write(method, path, body) {
    return this.#write(null, method, path, body);
  }

  // In parts; if one is refused, those before it are taken back, so that nothing is half done.
  /** @param {Api.Item[]} bodies @param {(done: number, all: number) => void} [told] @returns {Promise<Api.Entry[]>} */
  async #addAll(bodies, told = () => {}) {
    /** @type {Api.Entry[]} */
    const added = [];
    try {
      for (const part of parts(bodies)) {
        added.push(...(await this.#write(null, "POST", "/entries/batch", { entries: part })).added);
        told(added.length, bodies.length);
      }
    } catch (failure) {
      if (added.length) await this.remove(added.map((entry) => entry.id)).catch(() => {});
      throw failure;
    }
    return added;
  }

  /** @param {Api.Item[]} items @param {number} [at] @param {(done: number, all: number) => void} [told] */
  async add(items, at, told) {
    const bodies = items.map(({ metadata, note, tags, review_status }) => ({ metadata, note, tags, review_status }));
    /** @type {Api.Entry[]} */
    const added = bodies.length === 1 ? [await this.#write(null, "POST", "/entries", bodies[0])] : await this.#addAll(bodies, told);
    const refused = bodies.length - added.length;
    this.#show([...this.entries, ...added]);
    const ids = added.map((entry) => entry.id);
    if (at !== undefined && ids.length === 1) await this.move(ids[0], at);
    return { ids, refused, undo: () => this.remove(ids) };
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async remove(ids) {
    const left = this.entries.filter((entry) => !ids.includes(entry.id));
    await Promise.all(parts(ids).map((some, at) => this.#write(at ? null : left, "POST", "/entries/batch-delete", { entry_ids: some })));
    return { undo: () => this.#restore(ids) };
  }

  // Removed works that can be restored, last removed first.
  async removed() {
    /** @type {Api.Collection} */
    const { entries = [] } = await this.read("?deleted=true");
    return entries.map((entry) => ({ entry }));
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async restore(ids) {
    await this.#restore(ids);
    return { undo: () => this.remove(ids) };
  }

  /** @param {string[]} ids */
  async #restore(ids) {
    await Promise.all(parts(ids).map((some) => this.#write(null, "POST", "/entries/batch-restore", { entry_ids: some }, false)));
    await this.reload();
  }

  // `before` is the previous work, complete if its metadata changes.
  /** @param {string} id @param {Partial<Api.Item>} change @returns {Promise<Done>} */
  async update(id, change, before = this.find(id)) {
    const old = Object.fromEntries(Object.keys(change).map((name) => [name, before?.[/** @type {keyof Api.Item} */ (name)] ?? null]));
    const { metadata, ...rest } = change;
    const shown = this.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
    let answer = /** @type {Api.Entry} */ (before);
    if (metadata) answer = await this.#write(shown, "PUT", `/entries/${id}/metadata${MERGE}`, metadata);
    if (Object.keys(rest).length) answer = await this.#write(metadata ? null : shown, "PATCH", `/entries/${id}${MERGE}`, rest);
    this.#show(this.entries.map((entry) => (entry.id === id ? answer : entry)));
    return { undo: () => this.update(id, old, before && { ...before, ...change }) };
  }

  // Merges works into one and removes the others. `sides` tells for each other work which value a
  // field takes: {field: "theirs" or "ours"}. Fields not named are filled from the others if missing.
  /** @param {string} id @param {string[]} others @param {(other: string) => Record<string, string>} sides */
  async merge(id, others, sides) {
    const before = await this.whole(id);
    /** @type {string[]} */
    const merged = [];
    const undo = async () => {
      if (merged.length) await this.#restore(merged);
      const { metadata, note, tags, review_status } = before;
      await this.update(id, { metadata, note, tags, review_status });
    };
    try {
      for (const other of others) {
        await this.#write(null, "POST", `/entries/${id}/merge`, { delete_entry_id: other, strategy: sides(other) });
        merged.push(other);
      }
      // The duplicate is resolved.
      if (before.review_status === "possible_duplicate") await this.#write(null, "PATCH", `/entries/${id}`, { review_status: "clean" });
    } catch (failure) {
      await undo().catch(() => {});
      throw failure;
    }
    await this.reload();
    return { undo };
  }

  // Notes that works are different, although they look the same.
  /** @param {string[]} ids @returns {Promise<Done>} */
  async distinguish(ids) {
    const marked = ids.filter((id) => this.find(id)?.review_status === "possible_duplicate");
    await this.#write(null, "POST", "/not-duplicates", { entry_ids: ids });
    for (const id of marked) await this.update(id, { review_status: "clean" });
    return { undo: async () => {
      await this.#write(null, "POST", "/not-duplicates", { entry_ids: ids, undo: true });
      for (const id of marked) await this.update(id, { review_status: "possible_duplicate" });
    } };
  }

  // Adds and removes tags of works as one change.
  /** @param {string[]} ids @param {{ add?: string[], remove?: string[] }} change @returns {Promise<Done>} */
  async tag(ids, { add = [], remove = [] }) {
    const before = new Map(ids.map((id) => [id, this.find(id)?.tags ?? []]));
    /** @param {string[]} tags */
    const now = (tags) => [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
    const shown = this.entries.map((entry) => (before.has(entry.id) ? { ...entry, tags: now(entry.tags ?? []) } : entry));
    const answers = await Promise.all(parts(ids).map((some, at) =>
      this.#write(at ? null : shown, "POST", "/entries/batch-tag", { entry_ids: some, add, remove })));
    /** @type {Map<string, string[]>} */
    const tags = new Map(answers.flatMap((answer) => answer.entries).map((entry) => [entry.id, entry.tags]));
    this.#show(this.entries.map((entry) => (tags.has(entry.id) ? { ...entry, tags: tags.get(entry.id) } : entry)));
    return { undo: () => this.#untag(before, tags) };
  }

  // Restores the previous tags, grouping works with the same change.
  /** @param {Map<string, string[]>} before @param {Map<string, string[]>} after */
  async #untag(before, after) {
    /** @type {Map<string, { ids: string[], add: string[], remove: string[] }>} */
    const groups = new Map();
    for (const [id, now] of after) {
      const old = before.get(id) ?? [];
      const change = { add: old.filter((tag) => !now.includes(tag)), remove: now.filter((tag) => !old.includes(tag)) };
      if (!change.add.length && !change.remove.length) continue;
      const key = JSON.stringify(change);
      groups.set(key, { ...change, ids: [...(groups.get(key)?.ids ?? []), id] });
    }
    await Promise.all([...groups.values()].map(({ ids, ...change }) => this.tag(ids, change)));
  }

  /** @param {string} id @param {number} to @returns {Promise<Done>} */
  async move(id, to) {
    const ids = this.entries.map((entry) => entry.id);
    const from = ids.indexOf(id);
    if (from < 0) return { undo: () => {} };
    ids.splice(to, 0, ...ids.splice(from, 1));
    await this.arrange(ids);
    return { undo: () => this.move(id, from) };
  }

  /** @param {string[]} ids @returns {Promise<Done>} */
  async arrange(ids) {
    const before = this.entries.map((entry) => entry.id);
    await this.#write(arranged(this.entries, ids), "PATCH", "/reorder", { entry_ids: ids });
    return { undo: () => this.arrange(before.filter((id) => this.find(id))) };
  }

  /** @param {Setting} setting */
  async set(setting) {
    const isNew = setting.style !== undefined && setting.style !== this.style;
    if (isNew) this.style = setting.style ?? "";
    if (setting.locale !== undefined) this.locale = setting.locale;
    this.changed();
    if (isNew) await this.#write(null, "PATCH", "", { defaultstyle: setting.style || null });
  }

  /** @param {Partial<Api.Collection>} change */
  async describe(change) {
    const { tags, ...rest } = change;
    if (Object.keys(rest).length) await this.#write(null, "PATCH", "", rest);
    if (tags) await this.#write(null, "PATCH", "/tags", { tags });
    Object.assign(this.collection, change);
  }
}
