// The lists of this browser: listing, creating, deleting.

import { CHANNEL, FIRST, KEPT, LocalList, chooseList, newId, run } from "./local-store.js";

/** @typedef {{ id: string, name: string, works: number, deleted_at?: string }} Listed */

/** @returns {Promise<Listed[]>} */
async function all() {
  /** @type {Listed[]} */
  const lists = await run("lists", "readwrite", (store, give) => {
    /** @type {Listed[]} */
    const found = [];
    give(found);
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      const { name = "", entries, deleted_at } = cursor.value;
      // Too old to restore.
      if (deleted_at && Date.now() - Date.parse(deleted_at) > KEPT) cursor.delete();
      else found.push({ id: String(cursor.key), name, works: entries.length, deleted_at });
      cursor.continue();
    };
  });
  return lists.sort((a, b) => a.name.localeCompare(b.name));
}

// The existing lists, including the default one.
export async function living() {
  const lists = await all().catch(() => []);
  const found = lists.filter(({ deleted_at }) => !deleted_at);
  return found.length || lists.length ? found : [{ id: FIRST, name: "", works: 0 }];
}

// The lists that can be restored, last deleted first.
export async function deleted() {
  const lists = (await all().catch(() => [])).filter(({ deleted_at }) => deleted_at);
  return lists.sort((a, b) => String(b.deleted_at).localeCompare(String(a.deleted_at)));
}

// Creates a list and selects it. False if this browser stores nothing.
/** @param {string} name */
export async function make(name) {
  const list = await LocalList.open(newId());
  await list.rename(name);
  if (list.isKept) chooseList(list.id);
  return list.isKept;
}

// Deletes a list and selects another.
/** @param {LocalList} list */
export async function discard(list) {
  await list.discard();
  const [next] = await living();
  chooseList(next?.id ?? newId());
}

// Deletes all of them permanently.
export async function removeAll() {
  const lists = await all();
  await run("lists", "readwrite", (store) => store.clear());
  await run("renders", "readwrite", (store) => store.clear());
  chooseList(FIRST);
  const channel = new BroadcastChannel(CHANNEL);
  for (const { id } of lists) channel.postMessage(id);
  channel.close();
}
