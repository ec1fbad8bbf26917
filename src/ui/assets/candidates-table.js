// Ambiguous references of a list, a row each: candidates to choose from, and alternatives if there
// are none.

import { el, once } from "./dom.js";
import "./more-words.js";
import { plausible, sourceName } from "./outcome.js";
import { about, plainTitle, richTitle } from "./rich.js";
import { count, say } from "./words.js";

// `take` receives a row and the chosen candidate; `correct` (optional) a row and the suggestion for it, and
// returns the row that replaces it if nothing was found; `byHand` (optional) a row, and what to call once it is
// in the list; `leave` a discarded row.
// Settled rows disappear; `done` is called after the last one.
/**
 * @param {OpenLine[]} rows
 * @param {object} ways
 * @param {(row: OpenLine, candidate: Api.Candidate) => unknown} ways.take
 * @param {(row: OpenLine, suggestion: string) => Promise<OpenLine | undefined>} [ways.correct]
 * @param {(row: OpenLine, saved: () => unknown) => unknown} [ways.byHand]
 * @param {(row: OpenLine) => unknown} ways.leave
 * @param {() => void} ways.done
 */
export function candidatesTable(rows, { take, correct, byHand, leave, done }) {
  const body = el("tbody");
  // What takes the best match of each row that has one.
  /** @type {Map<HTMLElement, () => Promise<void>>} */
  const best = new Map();
  /** @param {HTMLElement} line @param {() => unknown} action */
  const settle = (line, action) => async () => {
    const next = line.nextElementSibling ?? line.previousElementSibling;
    await action();
    line.remove();
    name();
    if (next) next.querySelector("button")?.focus();
    else done();
  };
  /** @param {string} key @param {OpenLine} row @param {() => unknown} run */
  const action = (key, row, run) =>
    el("button", { type: "button", class: "plain", "aria-label": `${say(key)}: ${row.text}`, onclick: run }, say(key));
  /** @param {OpenLine} row */
  const line = (row) => {
    const candidates = plausible(row.candidates ?? []);
    const own = el("tr");
    const { suggestion } = row;
    const suggest = correct && suggestion && el("button", { type: "button", class: "primary", "aria-label": `${suggestion}: ${row.text}`, onclick: once(async () => {
      const left = await correct(row, suggestion);
      if (!left) return settle(own, () => {})();
      const next = line(left);
      own.replaceWith(next);
      next.querySelector("button")?.focus();
    }) }, suggestion);
    /** @param {Api.Candidate} candidate */
    const choice = (candidate) => el("li", { class: "hit" },
      el("div", {}, el("b", { dir: "auto" }, richTitle(candidate.metadata)), el("br"),
        el("span", { class: "quiet", dir: "auto" }, about(candidate.metadata)), el("br"),
        candidate.source ? el("span", { class: "quiet" }, say("hits.likeness", { percent: Math.round(candidate.score * 100), source: sourceName(candidate.source) })) : ""),
      el("button", { type: "button", "aria-label": `${say("hits.take")}: ${plainTitle(candidate.metadata)}`, onclick: settle(own, () => take(row, candidate)) }, say("hits.take")));
    if (candidates.length) best.set(own, settle(own, () => take(row, candidates[0])));
    own.append(el("th", { scope: "row", dir: "auto" }, row.text),
      el("td", {}, candidates.length ? el("ol", { class: "hits" }, candidates.map(choice)) : el("span", { dir: "auto" }, row.reason ?? say("nothing.title")),
        el("div", { class: "buttons" }, suggest || "", byHand ? action("nothing.manual", row, () => byHand(row, settle(own, () => leave(row)))) : "",
          action("candidates.leave", row, settle(own, () => leave(row))))));
    return own;
  };
  body.append(...rows.map(line));
  const all = el("button", { type: "button", onclick: once(async () => {
    for (const [own, run] of best) if (own.isConnected) await run();
  }) }, say("candidates.all"));
  const title = el("h2");
  const panel = el("section", { class: "panel candidates", tabindex: "-1" }, el("div", { class: "head" }, title, best.size > 1 ? all : ""),
    el("table", {}, el("thead", { class: "unseen" }, el("tr", {}, ["candidates.given", "candidates.works"].map((key) => el("th", { scope: "col" }, say(key))))), body));
  // The number of rows still open.
  const name = () => {
    title.textContent = count("candidates.title", body.children.length);
    panel.setAttribute("aria-label", title.textContent);
  };
  name();
  return panel;
}
