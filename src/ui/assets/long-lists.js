// Lists that exceed one request: formatted and written in parts, with progress. The parts of a style that sorts
// are joined by the sort keys of their works, then formatted once more in that order, so that numbers and
// the years of one author's works are right across the parts.

import { MAX_BYTES, MAX_WORKS, post, send } from "./api.js";

const encoder = new TextEncoder();

// Works in parts that the server takes in one request, in order.
/** @template Value @param {Value[]} values @returns {Value[][]} */
export function parts(values) {
  /** @type {Value[][]} */
  const cut = [[]];
  let bytes = 0;
  for (const value of values) {
    const size = encoder.encode(JSON.stringify(value)).length + 1;
    const last = cut[cut.length - 1];
    if (last.length === MAX_WORKS || last.length && bytes + size > MAX_BYTES) {
      cut.push([value]);
      bytes = size;
    } else {
      last.push(value);
      bytes += size;
    }
  }
  return cut.filter((part) => part.length);
}

/**
 * @typedef {{ style?: string, locale?: string, formats?: string[], links?: boolean }} Wanted
 * @typedef {{ signal?: AbortSignal, told?: (done: number, all: number) => void }} Ways
 * @typedef {Api.Formatted & { sort_keys?: string[] }} Part
 */

// Formats a list like one request would.
/** @param {Api.Metadata[]} given @param {Wanted} wanted @param {Ways} ways @returns {Promise<Api.Formatted>} */
export async function formatLong(given, wanted, { signal, told = () => {} } = {}) {
  if (parts(given).length < 2) return post("/api/v1/format", { ...wanted, entries: given }, { signal });
  // Works are matched by position, since their ids may repeat.
  const entries = given.map((entry, at) => ({ ...entry, id: String(at) }));
  let all = entries.length;
  let done = 0;
  /** @param {Api.Metadata[]} listed @param {boolean} sort_keys */
  const pass = async (listed, sort_keys) => {
    /** @type {Part[]} */
    const answers = [];
    let first_number = 1;
    for (const part of parts(listed)) {
      const body = { ...wanted, entries: part, first_number, sort_keys };
      const answer = await post("/api/v1/format", body, { signal });
      answers.push(answer);
      first_number += part.length;
      done += part.length;
      if (answer.sorted && sort_keys) all = 2 * entries.length;
      told(done, all);
    }
    return answers;
  };
  let answers = await pass(entries, true);
  if (answers[0].sorted) answers = await pass(inOrder(entries, answers.flatMap(({ sort_keys = [] }) => sort_keys)), false);
  return joined(answers, given);
}

// Works by their sort keys; equal ones keep their order.
/** @template Work @param {Work[]} entries @param {string[]} keys @returns {Work[]} */
function inOrder(entries, keys) {
  const places = entries.map((_, at) => at);
  places.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  return places.map((at) => entries[at]);
}

/** @param {Part[]} answers @param {Api.Metadata[]} given @returns {Api.Formatted} */
function joined(answers, given) {
  const [first] = answers;
  /** @param {string} place */
  const id = (place) => given[Number(place)].id ?? place;
  const found = answers.flatMap((answer) => answer.entries);
  /** @type {Api.FormattedEntry[]} */
  const entries = [];
  for (const entry of found) entries[Number(entry.id)] = { ...entry, id: id(entry.id) };
  const formats = Object.entries(first.formats ?? {}).map(([name, { bibliography }]) => {
    const texts = answers.map((answer) => answer.formats?.[name].bibliography ?? "");
    return [name, { bibliography: bibliography === null ? null : joinedFile(name, texts) }];
  });
  return {
    ...first,
    entries,
    order: answers.flatMap((answer) => answer.order.map(id)),
    plain: answers.map(({ plain }) => plain).join(""),
    citations: entries.map((entry) => entry.in_text),
    formats: first.formats && Object.fromEntries(formats),
  };
}

const STYLED = ["html", "markdown", "rtf", "text"];

// Writes a list as a file like one request would.
/** @param {Api.Metadata[]} entries @param {string} format @param {Setting} setting @param {Ways} ways */
export async function writeLong(entries, format, { style, locale }, { signal, told = () => {} } = {}) {
  const isStyled = STYLED.includes(format);
  const setting = { style: style || undefined, locale: locale || undefined };
  const listed = isStyled ? await sorted(entries, setting, { signal }) : entries;
  /** @type {string[]} */
  const texts = [];
  let type = "text/plain";
  let disposition = "";
  let first_number = 1;
  for (const part of parts(listed)) {
    const body = JSON.stringify({ ...setting, entries: part, format, first_number });
    const response = await send("POST", "/api/v1/export", { body, type: "application/json", signal });
    type = response.headers.get("content-type") ?? type;
    disposition = response.headers.get("content-disposition") ?? disposition;
    texts.push(await response.text());
    first_number += part.length;
    told(first_number - 1, entries.length);
  }
  return { blob: new Blob([joinedFile(format, texts)], { type }), disposition };
}

/** @param {Api.Metadata[]} entries @param {Wanted} setting @param {Ways} ways */
async function sorted(entries, setting, ways) {
  const place = new Map(entries.map((entry, at) => [String(at), entry]));
  const { order } = await formatLong(entries.map((entry, at) => ({ ...entry, id: String(at) })), setting, ways);
  return order.flatMap((id) => place.get(id) ?? []);
}

// The files of the parts as one.
/** @param {string} format @param {string[]} texts */
export function joinedFile(format, texts) {
  /** @param {RegExp} start @param {RegExp} end */
  const inside = (start, end) => texts.map((text, at) => {
    const rest = at ? text.replace(start, "") : text;
    return at < texts.length - 1 ? rest.replace(end, "") : rest;
  });
  if (format === "csl-json") return JSON.stringify(texts.flatMap((text) => JSON.parse(text)), null, 2);
  if (format === "html") return inside(/^<div class="csl-bib-body">/, /<\/div>\s*$/).join("");
  if (format === "rtf") return inside(/^\{\\rtf1.*\n/, /\}\s*$/).join("");
  if (format === "bibtex" || format === "biblatex") return distinctKeys(texts.join("\n"));
  return texts.join(["markdown", "latex", "typst"].includes(format) ? "\n" : "");
}

// Each part makes keys of its own; a repeated one gets the next free letter.
/** @param {string} text */
function distinctKeys(text) {
  const seen = new Set();
  return text.replace(/^(@\w+\{)([^,\s]+)(?=,$)/gm, (_, start, key) => {
    let free = key;
    for (let n = 0; seen.has(free.toLowerCase()); n += 1) free = key + letters(n);
    seen.add(free.toLowerCase());
    return start + free;
  });
}

// a, b, … z, aa, ab, …
/** @param {number} n @returns {string} */
const letters = (n) => (n < 26 ? "" : letters(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));
