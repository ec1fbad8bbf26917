// Account data that this browser stores: a database, and keys of the local storage. Any page without
// a signed-in user deletes it.

export const DATABASE = "citation-account";
export const PREFIX = "account.";
// Of this tab: what was saved to the account, until it has been read (merge.js).
export const SAVED = `${PREFIX}saved`;
// Unsaved input in collections (entry-editor.js).
const DRAFTS = "draft:/c/";
const CHANNEL = "citation-account";

// The sign-out form, on every page of a signed-in user.
const leaving = document.querySelector("form[action='/auth/logout']");

function forget() {
  try {
    indexedDB.deleteDatabase(DATABASE);
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX) || key.startsWith(DRAFTS)) storage.removeItem(key);
    }
  } catch {
    // Without storage there is nothing to delete.
  }
}

// Pages open in other tabs reload after sign-out.
export function watch() {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANNEL) : undefined;
  if (leaving) {
    leaving.addEventListener("submit", forget);
    if (channel) channel.onmessage = () => location.reload();
    return;
  }
  forget();
  if (location.pathname === "/auth/signed-out") channel?.postMessage("left");
}
