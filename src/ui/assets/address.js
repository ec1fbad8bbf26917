// The addresses of dialogs: a fragment such as “#edit/ID” behind the page's own address. Opening a
// dialog is a step forward in the browser's history, so that going back closes it; whoever comes by
// such an address finds it open.

/** @typedef {(rest: string) => unknown} Opener */

/** @type {Map<string, Opener>} */
const openers = new Map();
// The dialog that was last given an address: {dialog, hash, isStep}, the last one telling whether
// opening it was a step in the history.
/** @type {{ dialog: HTMLDialogElement, hash: string, isStep: boolean } | undefined} */
let last;
// The page is marked while a step back is under way that a closed dialog has asked for: whoever goes
// elsewhere meanwhile would lose one of the two.
const root = document.documentElement;
const isLeaving = () => root.hasAttribute("data-leaving");

// Tells what opens the dialogs of this page: {name: (rest of the fragment) => …}. The one that the
// page's address names is opened.
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

// Gives a dialog that has just been opened its address.
/** @param {HTMLDialogElement} dialog @param {string} address */
export function giveAddress(dialog, address) {
  const own = { dialog, hash: `#${address}`, isStep: false };
  const enter = () => {
    if (!dialog.open) return;
    // Not before: the step back of the dialog before it would close this one too.
    dialog.dataset.address = own.hash;
    // A dialog that has been closed just now, and has not gone back yet, leaves its step to this one.
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
