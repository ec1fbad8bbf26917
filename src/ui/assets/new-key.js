// A new API key: copied with a click, and not created again on reload.

import { copy } from "./copy.js";
import { el } from "./dom.js";
import "./more-words.js";
import { say } from "./words.js";

const key = document.querySelector(".secret");
if (key) {
  history.replaceState(null, "", location.pathname);
  const { textContent: text } = key;
  key.after(" ", el("button", { type: "button", onclick: () => copy(text, undefined, say("new-key.copied")) }, say("new-key.copy")));
}
