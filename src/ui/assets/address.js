// Dialog addresses: a fragment such as “#edit/ID” on the page's own address. Opening a dialog adds a
// history entry, so Back closes it; visiting such an address opens the dialog.

/** @typedef {(rest: string) => unknown} Opener */

/** @type {Map<string, Opener>} */
const openers = new Map();
// The dialog that last received an address; `isStep` tells whether opening it added a history
// entry.
/** @type {{ dialog: HTMLDialogElement, hash: string, isStep: boolean } | undefined} */
let last;
// Marks the page while a closed dialog's history.back() is pending: navigating meanwhile would lose
// one of the two.
const root = document.documentElement;
const isLeaving = () => root.hasAttribute("data-leaving");

// Registers the openers of this page's dialogs, {name: (rest of the fragment) => …}, and opens the
// one in the page's address.
/** @param {Record<string, Opener>} table */
export function addresses(table) {
  for (const [name, open] of Object.entries(table)) openers.set(name, open);
  const { name, rest } = read();
  if (Object.hasOwn(table, name)) table[name](rest);
}

function read() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  return { name, rest: rest.join("/") };
}

// Gives a newly opened dialog its address.
/** @param {HTMLDialogElement} dialog @param {string} address */
export function giveAddress(dialog, address) {
  const own = { dialog, hash: `#${address}`, isStep: false };
  const enter = () => {
    if (!dialog.open) return;
    // Not earlier: the pending Back of the previous dialog would close this one too.
    dialog.dataset.address = own.hash;
    // Reuses the history entry of a dialog that was just closed and has not gone back yet.
    const isFree = last && !last.dialog.open && location.hash === last.hash ? last : undefined;
    const isThere = location.hash === own.hash;
    own.isStep = isFree ? isFree.isStep : !isThere;
    if (!isThere) history[isFree ? "replaceState" : "pushState"](null, "", own.hash);
    last = own;
  };
  if (isLeaving()) addEventListener("popstate", enter, { once: true });
  else enter();
  dialog.addEventListener("close", () => {
    if (last !== own || location.hash !== own.hash) return;
    if (own.isStep) leave();
    else history.replaceState(null, "", location.pathname + location.search);
  });
}

function leave() {
  root.toggleAttribute("data-leaving", true);
  addEventListener("popstate", () => root.toggleAttribute("data-leaving", false), { once: true });
  history.back();
}

addEventListener("popstate", () => {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[data-address]"));
  if (dialog && dialog.dataset.address !== location.hash) dialog.close();
  if (dialog || isLeaving()) return;
  const { name, rest } = read();
  openers.get(name)?.(rest);
});
