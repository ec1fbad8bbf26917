// The editor of one's own style: checked and previewed while typing, with the position of an error.

import { Failure, post } from "./api.js";
import { byId, el } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { rich } from "./rich.js";
import { SAMPLES } from "./samples.js";
import { say } from "./words.js";

const text = byId("own-text");
const file = byId("own-file");
const answer = el("div", { class: "style-answer", role: "status" });
// Its place is beside the text; the answer of the last submission goes with the first change.
text.after(answer);

// The line and column that a message names.
/** @param {string} message */
function positionIn(message) {
  const [, line, column] = message.match(/line (\d+), column (\d+)/) ?? [];
  return line ? { line: Number(line), column: Number(column) } : undefined;
}

/** @param {number} line @param {number} column */
function goTo(line, column) {
  const lines = text.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0) + column - 1;
  text.focus();
  text.setSelectionRange(from, from + 1);
  // The line in the middle of the box.
  text.scrollTop = text.scrollHeight * (line - 1) / lines.length - text.clientHeight / 2;
}

/** @param {string} message */
function fault(message) {
  const place = positionIn(message);
  text.setAttribute("aria-invalid", "true");
  const source = place && text.value.split("\n")[place.line - 1]?.trim();
  answer.replaceChildren(el("div", { class: "problem" },
    place ? el("b", {}, say("style-editor.position", place)) : "", el("p", { dir: "ltr", lang: "en" }, message),
    source ? el("code", { dir: "ltr" }, source) : "",
    place ? el("div", { class: "row" }, el("button", { type: "button", class: "plain", onclick: () => goTo(place.line, place.column) }, say("style-editor.go", place))) : ""));
}

const check = newest(400, async (signal) => {
  const style_xml = text.value.trim();
  if (!style_xml) return answer.replaceChildren();
  try {
    /** @type {Api.Formatted} */
    const { entries } = await post("/api/v1/format", { entries: SAMPLES, style_xml }, { signal });
    text.removeAttribute("aria-invalid");
    answer.replaceChildren(el("h3", {}, say("style-editor.preview")), el("p", { class: "quiet" }, say("style-editor.good")),
      ...entries.map((entry) => el("div", { class: "entry" }, el("div", { class: "text", dir: "auto" }, rich(entry.bibliography_html ?? entry.in_text_html)),
        el("p", { class: "under" }, entry.in_text))));
  } catch (failure) {
    if (signal.aborted) return;
    if (!(failure instanceof Failure)) throw failure;
    const [first] = failure.body.details ?? [];
    fault(first?.message ?? failure.message);
  }
});

const changed = () => {
  document.getElementById("own-problem")?.remove();
  check();
};
text.addEventListener("input", changed);
// A chosen file is what is saved, and what is shown.
file?.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  text.value = await chosen.text();
  file.value = "";
  changed();
});
if (text.value) check();
