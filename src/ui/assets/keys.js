// Keys: those of the page, those that lead elsewhere, and the dialog that lists them all. Keys that
// are a single letter work only outside of text fields and can be switched off (WCAG 2.2, 2.1.4).

import { addresses } from "./address.js";
import { el, openDialog } from "./dom.js";
import { say } from "./words.js";

const LIST = [
  ["/", "key.box"], ["n", "key.new"], ["f", "key.find"], ["j ↓", "key.next"], ["k ↑", "key.previous"], ["Enter", "key.edit"],
  ["c", "key.copy-citation"], ["b", "key.copy-entry"], ["x", "key.select"], ["Shift+x", "key.range"], ["Alt+↑ Alt+↓", "key.move"],
  ["t", "key.tag"], ["m", "key.to"], ["f w o", "key.decide"], ["Delete", "key.remove"], ["Ctrl+Z", "key.undo"], ["g c", "key.go-cite"], ["g l", "key.go-library"],
  ["g v", "key.go-verify"], ["g s", "key.go-styles"], ["?", "key.help"], ["Esc", "key.close"],
];
const PLACES = { c: "/", l: "/library", v: "/verify", s: "/styles", b: "/batch", a: "/account" };
const SWITCH = "single-keys";
// Milliseconds within which the second key of a pair must come.
const PAIR = 1500;

const actions = new Map([["?", () => showKeys()]]);
let begun = 0;

// Adds what keys do on this page: onKeys({"/": focusBox, "mod+z": undo}).
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

const isTyping = (target) =>
  target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

// In a box that is empty there is nothing to undo but what was done outside of it.
const isUndo = ({ target, key, shiftKey }) => target.id === "q" && !target.value && key === "z" && !shiftKey;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("[role=menu], [role=listbox]")) return;
  const withMod = event.ctrlKey || event.metaKey;
  if (isTyping(event.target) && !(withMod && isUndo(event)) || event.altKey) return;
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

export function showKeys() {
  openDialog(say("keys.title"), (heading, dialog) => el("div", {}, heading,
    el("dl", {}, LIST.flatMap(([keys, does]) => [
      el("dt", {}, keys.split(" ").map((key, at) => [at ? " " : "", el("kbd", {}, key)])),
      el("dd", {}, say(does)),
    ])),
    el("div", { class: "row" }, el("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, say("close")))), { address: "keys" });
}

addresses({ keys: showKeys });
