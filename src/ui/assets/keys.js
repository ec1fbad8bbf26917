// Keyboard shortcuts: the page's and navigation. Single-letter keys work only outside text fields and can
// be switched off (WCAG 2.2, 2.1.4).

import { addresses } from "./address.js";
import { byId } from "./dom.js";

/** @type {Record<string, string>} */
const PLACES = { c: "/", l: "/library", v: "/verify", s: "/styles", b: "/batch", a: "/account" };
const SWITCH = "single-keys";
// Timeout for the second key of a pair, in milliseconds.
const PAIR = 1500;

const showKeys = async () => (await import("./keys-help.js")).showKeys();
/** @type {Map<string, (event: KeyboardEvent) => unknown>} */
const actions = new Map([["?", showKeys]]);
let begun = 0;

// Adds the page's keys: onKeys({"/": focusBox, "mod+z": undo}).
/** @param {Record<string, (event: KeyboardEvent) => unknown>} table */
export function onKeys(table) {
  for (const [key, action] of Object.entries(table)) actions.set(key, action);
}

export const singleKeys = {
  get on() {
    return localStorage.getItem(SWITCH) !== "off";
  },
  set on(value) {
    localStorage.setItem(SWITCH, value ? "on" : "off");
  },
};

/** @param {KeyboardEvent} event */
const isTyping = ({ target }) =>
  target instanceof Element && target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

// In an empty box, undo applies to the page.
/** @param {KeyboardEvent} event */
const isUndo = ({ target, key, shiftKey }) => target === byId("q") && !byId("q").value && key === "z" && !shiftKey;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  if (event.target instanceof Element && event.target.closest("[role=menu], [role=listbox]")) return;
  const withMod = event.ctrlKey || event.metaKey;
  if (isTyping(event) && !(withMod && isUndo(event)) || event.altKey) return;
  const key = withMod ? `mod+${event.key.toLowerCase()}` : event.key;
  if (withMod ? event.shiftKey : key.length === 1 && !singleKeys.on) return;
  if (!withMod && Date.now() - begun < PAIR && PLACES[key]) {
    begun = 0;
    event.preventDefault();
    location.assign(PLACES[key]);
    return;
  }
  begun = key === "g" ? Date.now() : 0;
  const action = actions.get(key);
  if (!action) return;
  event.preventDefault();
  action(event);
});

addresses({ keys: showKeys });
