// What this browser keeps of an account beside the pages: a database, and keys of the local storage.
// All of it goes once nobody is signed in, on whichever page that is seen.

export const DATABASE = "citation-account";
export const PREFIX = "account.";
const CHANNEL = "citation-account";

// Leaving the account, not changing it: the button that every page has.
const leaving = document.querySelector("form[action='/auth/logout']");

function forget() {
  try {
    indexedDB.deleteDatabase(DATABASE);
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Where nothing may be kept, nothing was.
  }
}

// Pages of the account that are open elsewhere give way when it is left.
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
