// Suggests sentence case for a title in Title Case. The title changes only when the button is pressed.

import { Failure, post } from "./api.js";
import { el } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { richTitle } from "./rich.js";
import { say } from "./words.js";

// Titles with fewer than two capitals after the first letter need no request.
const MAYBE = /\P{Lu}\p{Lu}\p{Ll}.*\P{Lu}\p{Lu}\p{Ll}/su;

// The suggestion beside a title's control; `language` returns the work's.
/** @param {HTMLInputElement | HTMLTextAreaElement} control @param {() => string | undefined} language */
export function titleCase(control, language) {
  const place = el("div", { "aria-live": "polite" });
  /** @param {string} title */
  const take = (title) => {
    control.value = title;
    control.dispatchEvent(new Event("input"));
    control.focus();
  };
  const ask = newest(400, async (signal) => {
    const title = control.value;
    try {
      const { suggestion } = await post("/api/v1/titles/sentence-case", { title, language: language() }, { signal });
      if (suggestion === null || control.value !== title) return;
      place.replaceChildren(el("p", { class: "notice" }, say("editor.sentence-case"), " ",
        el("b", { dir: "auto" }, richTitle({ title: suggestion })), " ",
        el("button", { type: "button", onclick: () => take(suggestion) }, say("editor.take-title"))));
    } catch (failure) {
      // Without a response there is no suggestion.
      if (!signal.aborted && !(failure instanceof Failure)) throw failure;
    }
  });
  const look = () => {
    place.replaceChildren();
    if (MAYBE.test(control.value)) ask();
  };
  control.addEventListener("input", look);
  look();
  return place;
}
