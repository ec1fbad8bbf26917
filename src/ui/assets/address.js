// The addresses of dialogs: a fragment such as “#edit/ID” behind the page's own address. Opening a
// dialog is a step forward in the browser's history, so that going back closes it; whoever comes by
// such an address finds it open.

const openers = new Map();
// Whether a step back is under way that a closed dialog has asked for.
let isLeaving = false;

// Tells what opens the dialogs of this page: {name: (rest of the fragment) => …}. The one that the
// page's address names is opened.
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
export function giveAddress(dialog, address) {
  const hash = `#${address}`;
  let isStep = false;
  const enter = () => {
    if (!dialog.open || location.hash === hash) return;
    history.pushState(null, "", hash);
    isStep = true;
  };
  if (isLeaving) addEventListener("popstate", enter, { once: true });
  else enter();
  dialog.dataset.address = hash;
  dialog.addEventListener("close", () => {
    if (location.hash !== hash) return;
    if (isStep) leave();
    else history.replaceState(null, "", location.pathname + location.search);
  });
}

function leave() {
  isLeaving = true;
  addEventListener("popstate", () => (isLeaving = false), { once: true });
  history.back();
}

addEventListener("popstate", () => {
  const dialog = document.querySelector("dialog[data-address]");
  if (dialog && dialog.dataset.address !== location.hash) dialog.close();
  if (dialog || isLeaving) return;
  const { name, rest } = read();
  openers.get(name)?.(rest);
});
