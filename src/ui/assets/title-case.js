// For a title in Title Case the editor shows how it would read in sentence case. It is changed only by
// whoever presses the button.

import { Failure, post } from "./api.js";
import { el } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { richTitle } from "./rich.js";
import { say } from "./words.js";

// Without two capitals behind the first letter nothing need be asked.
const MAYBE = /\P{Lu}\p{Lu}\p{Ll}.*\P{Lu}\p{Lu}\p{Ll}/su;

// A place for the suggestion beside the control of a title; `language` gives the work's.
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
      // Without an answer there is nothing to suggest.
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
