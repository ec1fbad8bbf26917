// The bibliography that the browser keeps: one record in IndexedDB, changed in transactions, so that
// several tabs never lose each other's works; they tell each other of changes.

const DATABASE = "citation";
const CHANNEL = "citation-lists";

let opened;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lists");
      request.result.createObjectStore("renders");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

// Runs a transaction: `work` gets the store and may set the value that comes back.
async function run(store, mode, work) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode);
    let value;
    work(transaction.objectStore(store), (given) => (value = given));
    transaction.oncomplete = () => resolve(value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

const EMPTY = { entries: [], style: "", locale: "" };

export const newId = () =>
  crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What every list can do, whoever keeps it. Each change gives a function that undoes it.
export class List extends EventTarget {
  entries = [];
  style = "";
  locale = "";

  find(id) {
    return this.entries.find((entry) => entry.id === id);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export class LocalList extends List {
  #name;
  #channel;
  isKept = true;

  static async open(name = "main") {
    const list = new LocalList();
    list.#name = name;
    try {
      await list.#read();
    } catch {
      list.isKept = false;
    }
    if ("BroadcastChannel" in globalThis) {
      list.#channel = new BroadcastChannel(CHANNEL);
      list.#channel.onmessage = async (event) => {
        if (event.data !== name) return;
        await list.#read();
        list.changed();
      };
    }
    return list;
  }

  async #read() {
    const record = await run("lists", "readonly", (store, give) => {
      const request = store.get(this.#name);
      request.onsuccess = () => give(request.result);
    });
    this.#take(record ?? EMPTY);
  }

  #take(record) {
    this.entries = record.entries;
    this.style = record.style;
    this.locale = record.locale;
  }

  // Reads, changes and writes the record in one transaction.
  async #change(step) {
    const before = { entries: this.entries, style: this.style, locale: this.locale };
    if (this.isKept) {
      const record = await run("lists", "readwrite", (store, give) => {
        const request = store.get(this.#name);
        request.onsuccess = () => {
          const next = step(request.result ?? EMPTY);
          store.put(next, this.#name);
          give(next);
        };
      });
      this.#take(record);
    } else {
      this.#take(step(before));
    }
    this.#channel?.postMessage(this.#name);
    this.changed();
  }

  async add(items, at) {
    const entries = items.map((item) => ({ id: newId(), added_at: new Date().toISOString(), ...item }));
    await this.#change((record) => {
      const list = record.entries.filter((entry) => !entries.some((added) => added.id === entry.id));
      list.splice(at ?? list.length, 0, ...entries);
      return { ...record, entries: list };
    });
    const ids = entries.map((entry) => entry.id);
    return { ids, undo: () => this.remove(ids) };
  }

  async remove(ids) {
    const removed = this.entries.map((entry, at) => ({ entry, at })).filter(({ entry }) => ids.includes(entry.id));
    await this.#change((record) => ({
      ...record,
      entries: record.entries.filter((entry) => !ids.includes(entry.id)),
    }));
    return { undo: () => this.#putBack(removed) };
  }

  #putBack(removed) {
    return this.#change((record) => {
      const list = record.entries.filter((entry) => !removed.some((back) => back.entry.id === entry.id));
      for (const { entry, at } of removed) list.splice(Math.min(at, list.length), 0, entry);
      return { ...record, entries: list };
    });
  }

  async update(id, change) {
    const before = this.find(id);
    const write = (value) => this.#change((record) => ({
      ...record,
      entries: record.entries.map((entry) => (entry.id === id ? value : entry)),
    }));
    await write({ ...before, ...change });
    return { undo: () => write(before) };
  }

  async move(id, to) {
    const from = this.entries.findIndex((entry) => entry.id === id);
    await this.#change((record) => {
      const list = record.entries.filter((entry) => entry.id !== id);
      const moved = record.entries.find((entry) => entry.id === id);
      if (moved) list.splice(to, 0, moved);
      return { ...record, entries: list };
    });
    return { undo: () => this.move(id, from) };
  }

  async set(setting) {
    await this.#change((record) => ({ ...record, ...setting }));
  }
}

// The last formatting of a list, to be shown where there is no network.
export async function keepRender(name, render) {
  try {
    await run("renders", "readwrite", (store) => store.put(render, name));
  } catch {
    // Without storage there is nothing to fall back to, and nothing else is lost.
  }
}

export async function keptRender(name) {
  try {
    return await run("renders", "readonly", (store, give) => {
      const request = store.get(name);
      request.onsuccess = () => give(request.result);
    });
  } catch {
    return undefined;
  }
}
