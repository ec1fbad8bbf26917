// Earlier versions of a work: a part of the editor that lists changes and restores a version.

import { failureText } from "./api.js";
import { el, once } from "./dom.js";
import { toText } from "./editor-fields.js";
import { fieldName } from "./fields.js";
import "./more-words.js";
import { moment, say } from "./words.js";

// `versions` loads them when the part is opened; `restore` receives the metadata of one.
/** @param {{ versions: () => Promise<Api.Version[]>, restore: (metadata: Api.Metadata) => unknown }} ways */
export function history({ versions, restore }) {
  const body = el("div", { "aria-live": "polite" });
  const part = el("details", {}, el("summary", {}, say("history.title")), body);
  part.addEventListener("toggle", async () => {
    if (!part.open || body.firstChild) return;
    try {
      const found = await versions();
      body.replaceChildren(found.length ? el("ol", { class: "versions", role: "list" }, found.map((version) => shown(version, restore)))
        : el("p", { class: "quiet" }, say("history.none")));
    } catch (failure) {
      body.replaceChildren(el("p", { class: "problem" }, failureText(failure)));
    }
  });
  return part;
}

/** @param {Api.Version} version @param {(metadata: Api.Metadata) => unknown} restore */
function shown({ cause, replaced_at: time, changes, metadata }, restore) {
  const heading = say(`history.${cause}`, { time: moment(time) });
  const columns = ["history.field", "history.before", "history.after"];
  return el("li", {}, el("h3", {}, heading),
    el("table", { class: "diff" },
      el("thead", {}, el("tr", {}, columns.map((key) => el("th", { scope: "col" }, say(key))))),
      el("tbody", {}, changes.map(({ field, from, to }) => el("tr", {}, el("th", { scope: "row" }, fieldName(field)),
        el("td", { dir: "auto" }, el("del", {}, asText(field, from))), el("td", { dir: "auto" }, el("ins", {}, asText(field, to))))))),
    el("button", { type: "button", "aria-label": `${say("history.restore")}: ${heading}`, onclick: once(() => restore(metadata)) }, say("history.restore")));
}

// The value of any field as text.
/** @param {string} field @param {unknown} value */
function asText(field, value) {
  return toText(field, value) || (value === null ? "" : JSON.stringify(value));
}
