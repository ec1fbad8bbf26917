// Keys: those of the page, and those that lead elsewhere. Keys that are a single letter work only outside
// of text fields and can be switched off (WCAG 2.2, 2.1.4).

import { addresses } from "./address.js";
import { byId } from "./dom.js";

/** @type {Record<string, string>} */
const PLACES = { c: "/", l: "/library", v: "/verify", s: "/styles", b: "/batch", a: "/account" };
const SWITCH = "single-keys";
// Milliseconds within which the second key of a pair must come.
const PAIR = 1500;

const showKeys = async () => (await import("./keys-help.js")).showKeys();
/** @type {Map<string, (event: KeyboardEvent) => unknown>} */
const actions = new Map([["?", showKeys]]);
let begun = 0;

// Adds what keys do on this page: onKeys({"/": focusBox, "mod+z": undo}).
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

// In a box that is empty there is nothing to undo but what was done outside of it.
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
