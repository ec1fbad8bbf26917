// The report of a verification, to be filed: time, sources, outcome, and every reference with its
// number. Written when the page is printed.

import { el } from "./dom.js";
import "./more-words.js";
import { sourceName } from "./outcome.js";
import { details, notices, placeOf } from "./review.js";
import { has, moment, say } from "./words.js";

const printing = matchMedia("print");
let write = () => {};

addEventListener("beforeprint", () => write());
printing.addEventListener("change", () => printing.matches && write());

// Attaches a report to a review. `names` are the checked files.
/** @param {HTMLElement} place @param {import("./review.js").Review} review @param {{ names?: string[] }} about */
export function printable(place, review, { names }) {
  const sheet = el("section", { class: "report" });
  place.append(sheet);
  const checkedAt = new Date().toISOString();
  write = () => sheet.replaceChildren(...report(review, names, checkedAt));
}

/** @param {import("./review.js").Review} review @param {string[] | undefined} names @param {string} checkedAt */
function report(review, names, checkedAt) {
  const counts = review.counts().map(([verdict, n]) => `${say(`verdict.${verdict}`)}: ${n}`);
  const facts = /** @type {[key: string, value: string | undefined][]} */ ([
    ["verify.files", names?.join(", ")], ["verify.date", `${moment(checkedAt)}, ${location.host}`],
    ["verify.sources", answers(review)], ["verify.list", [review.rows.length, ...counts].join(" · ")],
  ]).filter(([, value]) => value);
  return [
    el("h2", {}, say("verify.report")),
    el("table", { class: "facts" }, el("tbody", {}, facts.map(([key, value]) => el("tr", {}, el("th", { scope: "row" }, say(key)), el("td", {}, value))))),
    el("ol", {}, review.rows.map(line)),
  ];
}

// Each source with its answers and their numbers.
/** @param {import("./review.js").Review} review */
function answers(review) {
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  for (const { source, outcome } of review.rows.flatMap((row) => row.answer?.sources_tried ?? [])) {
    const found = counts.get(source) ?? new Map();
    counts.set(source, found.set(outcome, (found.get(outcome) ?? 0) + 1));
  }
  const named = [...counts].map(([source, outcomes]) => {
    const said = [...outcomes].map(([outcome, n]) => `${has(`tried.${outcome}`) ? say(`tried.${outcome}`) : outcome} (${n})`);
    return `${sourceName(source)}: ${said.join(", ")}`;
  });
  return named.join("; ") || say("verify.no-source");
}

/** @param {import("./review.js").Row} row */
function line(row) {
  const { given, answer, choice } = row;
  const stamp = [say(`verdict.${answer?.verdict ?? "not_checked"}`), answer?.source && sourceName(answer.source), placeOf(given.position), choice && say(`verify.${choice}-done`)];
  return el("li", { class: "verdict" }, el("p", { class: "given", dir: "auto" }, given.text), el("p", {}, el("b", {}, stamp.filter(Boolean).join(" · "))),
    ...notices(answer), ...(answer ? details(answer) : []));
}
