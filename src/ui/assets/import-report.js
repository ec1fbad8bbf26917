// The report of an import: the number of records, and each error with its position.

import { el } from "./dom.js";
import "./more-words.js";
import { say } from "./words.js";

// The report's text for each error.
/** @param {Partial<Api.Contents & Api.Imported>} read */
export function importReport(read) {
  /** @param {Api.Place[]} places */
  const rows = (places) => places.map((place) => el("tr", {},
    el("th", { scope: "row" }, `${place.line}:${place.column}`),
    el("td", { dir: "auto" }, place.citation_key ?? ""),
    el("td", {}, place.message, el("br"), el("code", { dir: "auto" }, place.snippet))));
  /** @param {string} title @param {Api.Place[]} places @returns {Child[]} */
  const table = (title, places) => places.length ? [el("h3", {}, title), el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": title }, el("table", {},
    el("thead", {}, el("tr", {}, ["import.line", "import.key", "import.problem"].map((key) => el("th", { scope: "col" }, say(key))))),
    el("tbody", {}, rows(places))))] : [];
  /** @param {number} n @param {string} key */
  const number = (n, key) => el("li", {}, el("b", {}, String(n)), " ", say(key));
  const imported = read.imported ?? read.entries?.length ?? 0;
  return el("section", { class: "panel", tabindex: "-1" }, el("h2", {}, say("import.report")),
    el("ul", { class: "counts" }, number(imported, "import.imported"),
      read.skipped === undefined ? "" : number(read.skipped, "import.skipped"), number(read.failed ?? 0, "import.failed")),
    table(say("import.errors"), read.errors ?? []), table(say("import.warnings"), read.warnings ?? []));
}
