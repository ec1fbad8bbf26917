// Given and found values field by field, with differences marked.

import { el } from "./dom.js";
import { fieldName } from "./fields.js";
import "./more-words.js";
import { say } from "./words.js";

// Maximum number of characters compared; longer values are marked whole.
const MOST = 400;
// The minimum share of common characters for a comparison by character. Below it, letters match by
// chance.
const ALIKE = 0.7;

// A table of {field, given, found}.
/** @param {Api.Diff[]} diffs */
export function differences(diffs) {
  /** @param {unknown} value */
  const text = (value) => String(value ?? "");
  return el("div", { class: "wide" }, el("table", { class: "diff" },
    el("thead", {}, el("tr", {}, ["verify.field", "verify.given", "verify.found"].map((key) => el("th", { scope: "col" }, say(key))))),
    el("tbody", {}, diffs.map((diff) => {
      const [given, found] = marked(text(diff.given), text(diff.found));
      return el("tr", {}, el("th", { scope: "row" }, fieldName(diff.field)), el("td", { dir: "auto" }, given), el("td", { dir: "auto" }, found));
    }))));
}

// Both values, each with the characters missing from the other marked.
/** @param {string} a @param {string} b */
function marked(a, b) {
  const [x, y] = [[...a], [...b]];
  const keep = x.length > MOST || y.length > MOST ? [] : common(x, y);
  const isAlike = keep.length * 2 >= ALIKE * (x.length + y.length);
  /** @param {0 | 1} side */
  const kept = (side) => new Set(isAlike ? keep.map((pair) => pair[side]) : []);
  return [runs(x, kept(0), "del"), runs(y, kept(1), "ins")];
}

// The longest common subsequence, as pairs of positions.
/** @param {string[]} x @param {string[]} y */
function common(x, y) {
  const lengths = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i -= 1) {
    for (let j = y.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = x[i] === y[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    if (x[i] === y[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

/** @param {string[]} characters @param {Set<number>} keep @param {"del" | "ins"} tag */
function runs(characters, keep, tag) {
  /** @type {{ isKept: boolean, text: string }[]} */
  const pieces = [];
  characters.forEach((character, at) => {
    const isKept = keep.has(at);
    const last = pieces.at(-1);
    if (last?.isKept === isKept) last.text += character;
    else pieces.push({ isKept, text: character });
  });
  return pieces.map(({ isKept, text }) => (isKept ? text : el(tag, {}, text)));
}
