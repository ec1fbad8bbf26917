// Verification as it goes: each reference's row fills when its answer comes; what was found can take
// the place of what was given; the list can be taken along, mended. A file is read by the server, and each
// of its rows says where it stands there.

import { addresses } from "./address.js";
import { Failure, send } from "./api.js";
import { readText, showQuota } from "./cite-box.js";
import { save, written } from "./copy.js";
import { announce, byId, el, once, ready } from "./dom.js";
import { LocalList } from "./local-store.js";
import "./more-words.js";
import { problem, sourceName, sources } from "./outcome.js";
import { about, plainTitle, richTitle } from "./rich.js";
import { toast, undoable } from "./toast.js";
import { count, has, say } from "./words.js";

// References of one batch (interface decisions, section 9).
const BATCH = 100;
const LINES = "application/x-ndjson";
const VERDICTS = ["verified", "mismatch", "retracted", "ambiguous", "not_found", "not_checked", "quota_exhausted"];

// Whoever has no paid plan learns that, signed in or not.
const REFUSALS = ["plan_required", "authentication_required"];
const refusal = ({ code, body }) => ({ code, body, text: say("error.plan_required") });

const form = byId("verify");
const input = byId("list");
const button = byId("check");
const results = byId("results");
const label = button.textContent;
let rows = [];
let expected = 0;
let running;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
button.addEventListener("click", (event) => {
  if (!running) return;
  event.preventDefault();
  // The second click of a double one does not mean to stop what the first began.
  if (event.detail < 2) running.abort();
});
byId("file").addEventListener("change", (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  if (files.length) start(files);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length) start(files);
});
showQuota();
// References of an address are checked once, not again when the page is loaded again.
addresses({
  check: (references) => {
    history.replaceState(null, "", location.pathname);
    input.value = textOf(references);
    start();
  },
});
ready();

function textOf(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

async function start(files) {
  if (running) return undefined;
  if (!files && !input.value.trim()) return input.focus();
  running = new AbortController();
  button.textContent = say("verify.stop");
  form.querySelector(".box").classList.add("busy");
  try {
    await (files ? runFiles(files, running.signal) : run(running.signal));
  } catch (failure) {
    if (!running.signal.aborted) {
      if (!(failure instanceof Failure)) throw failure;
      const again = () => start(files);
      if (REFUSALS.includes(failure.code)) results.replaceChildren(problem(refusal(failure), again));
      else results.prepend(problem(failure, again));
    }
  } finally {
    running = undefined;
    button.textContent = label;
    for (const row of rows) if (!row.answer) leave(row);
    form.querySelector(".box").classList.remove("busy");
  }
  return undefined;
}

async function run(signal) {
  const read = await readText(input.value, signal);
  const given = [
    ...read.entries.map(({ metadata, citation_key: key }) => ({ metadata, key, text: [about(metadata), plainTitle(metadata)].join(". ") })),
    ...read.references.map((text) => ({ text })),
  ];
  if (!given.length) return toast(say("verify.none"));
  rows = given.map(makeRow);
  expected = rows.length;
  shown = "all";
  const list = el("ol", { class: "verdicts", role: "list" }, rows.map((row) => row.item));
  results.replaceChildren(progress, tools(), list, around(read.left_out));
  summarise();
  await stream(signal);
  tellDone(signal);
  return undefined;
}

function tellDone(signal) {
  if (!signal.aborted) announce(count("verify.done", rows.filter((row) => row.answer).length));
}

// A document, and the bibliographies that it names: its rows come with their answers.
async function runFiles(files, signal) {
  const main = files.find((file) => !/\.(bib|bibtex|json|ya?ml|ris)$/i.test(file.name)) ?? files[0];
  const body = new FormData();
  for (const file of files) body.append(file === main ? "file" : "companion", file, file.name);
  const response = await send("POST", "/api/v1/verify/document", { body, signal, headers: { accept: LINES } });
  const list = el("ol", { class: "verdicts", role: "list" });
  rows = [];
  shown = "all";
  await lines(response, (answer) => {
    if (answer.error) throw new Failure(0, answer);
    if (answer.document) {
      expected = answer.document.references;
      results.replaceChildren(progress, lacks(answer.document.findings), tools(), list);
      summarise();
    } else if (answer.verdict) {
      const { position, input: parts, text } = answer;
      const key = position?.citation_key;
      const row = makeRow({ key, position, text: text ?? [key, parts.title].filter(Boolean).join(". ") });
      rows.push(row);
      list.append(row.item);
      fill(row, answer);
    } else if (answer.left_out) {
      results.append(around(answer.left_out));
    }
  });
  tellDone(signal);
}

// What the document's citations and entries lack.
function lacks(findings) {
  if (!findings.length) return "";
  const line = ({ kind, keys: [name, other = ""], position }) => {
    const place = placeOf(position);
    return el("li", { dir: "auto" }, place && el("b", {}, `${place}: `), say(`finding.${kind}`, { name, other }));
  };
  return el("section", { id: "lacks" }, el("h2", {}, say("verify.document")), el("ul", {}, findings.map(line)));
}

function placeOf(position) {
  const named = ["page", "paragraph", "note", "line"].filter((name) => position?.[name]);
  return [position?.file, ...named.map((name) => say(`place.${name}`, { n: position[name] }))].filter(Boolean).join(", ");
}

// Lines that were not taken for references.
function around(lines) {
  if (!lines.length) return "";
  return el("details", { id: "around" }, el("summary", {}, count("verify.around", lines.length)),
    el("ul", {}, lines.map(({ text }) => el("li", { dir: "auto" }, text))));
}

const progress = el("p", { class: "quiet", id: "progress" });

// A hundred at a time, each result as soon as it is there.
async function stream(signal) {
  for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
    const part = rows.slice(from, from + BATCH);
    const references = part.map((row) => row.given.metadata ?? row.given.text.slice(0, 2000));
    const response = await send("POST", "/api/v1/verify/batch", {
      body: JSON.stringify({ references }), type: "application/json", signal,
      headers: { accept: LINES },
    });
    await lines(response, (answer) => fill(part[answer.index], answer));
  }
}

// Hands over each line of a stream as it comes.
async function lines(response, take) {
  let rest = "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const whole = rest.split("\n");
    rest = whole.pop();
    for (const line of whole.filter(Boolean)) take(JSON.parse(line));
    if (done) return;
  }
}

function makeRow(given) {
  const badge = el("span", { class: "badge" }, say("verdict.waiting"));
  const source = el("span", { class: "quiet" });
  const place = el("span", { class: "quiet place" }, placeOf(given.position));
  const detail = el("div");
  const actions = el("div", { class: "buttons" });
  const item = el("li", { class: "verdict", "aria-busy": "true" }, el("p", { class: "stamp" }, badge, " ", source, " ", place),
    el("p", { class: "given", dir: "auto" }, given.text), detail, actions);
  return { given, item, badge, source, detail, actions };
}

// A reference that no answer came for.
function leave(row) {
  row.item.removeAttribute("aria-busy");
  row.badge.textContent = say("verdict.not_checked");
}

function fill(row, answer) {
  if (!row) return;
  row.answer = answer;
  const { verdict } = answer;
  row.item.className = `verdict ${verdict}`;
  row.item.removeAttribute("aria-busy");
  row.badge.className = `badge ${verdict}`;
  row.badge.textContent = say(`verdict.${verdict}`);
  row.source.textContent = answer.source ? sourceName(answer.source) : "";
  row.detail.replaceChildren(...details(answer));
  row.actions.replaceChildren(...actionsOf(row));
  summarise();
}

function details(answer) {
  const parts = [];
  const found = answer.match;
  if (found) {
    const doi = found.doi && el("a", { href: `https://doi.org/${encodeURI(found.doi)}`, rel: "noreferrer" }, found.doi);
    parts.push(el("p", { class: "found" }, el("b", { dir: "auto" }, richTitle(found)), el("br"),
      el("span", { class: "quiet", dir: "auto" }, about(found)), doi ? [" · ", doi] : ""));
  }
  if (answer.diffs.length) parts.push(differences(answer.diffs));
  for (const update of answer.updates ?? []) {
    parts.push(el("p", {}, el("span", { class: "badge retracted" }, update.type.replaceAll("_", " ")), " ", update.date ?? "", " ", update.doi));
  }
  if (!found) parts.push(sources(answer.sources_tried) || "");
  return parts;
}

function differences(diffs) {
  const text = (value) => (value === null || value === undefined ? "" : String(value));
  return el("div", { class: "wide" }, el("table", { class: "diff" },
    el("thead", {}, el("tr", {}, ["verify.field", "verify.given", "verify.found"].map((key) => el("th", { scope: "col" }, say(key))))),
    el("tbody", {}, diffs.map((diff) => {
      const [given, found] = marked(text(diff.given), text(diff.found));
      const name = has(`field.${diff.field}`) ? say(`field.${diff.field}`) : diff.field;
      return el("tr", {}, el("th", { scope: "row" }, name), el("td", { dir: "auto" }, given), el("td", { dir: "auto" }, found));
    }))));
}

// Two texts with the characters marked that the other does not have in that place.
function marked(a, b) {
  const [x, y] = [[...a], [...b]];
  if (x.length > 400 || y.length > 400) return [[el("del", {}, a)], [el("ins", {}, b)]];
  const lengths = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i -= 1) {
    for (let j = y.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = x[i] === y[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const keep = [new Set(), new Set()];
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    if (x[i] === y[j]) {
      keep[0].add(i);
      keep[1].add(j);
      i += 1;
      j += 1;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return [runs(x, keep[0], "del"), runs(y, keep[1], "ins")];
}

function runs(characters, keep, tag) {
  const pieces = [];
  characters.forEach((character, at) => {
    const isKept = keep.has(at);
    if (pieces.at(-1)?.isKept === isKept) pieces.at(-1).text += character;
    else pieces.push({ isKept, text: character });
  });
  return pieces.map(({ isKept, text }) => (isKept ? text : el(tag, {}, text)));
}

function actionsOf(row) {
  const { answer } = row;
  if (!answer.match) return [];
  const choices = [["verify.replace", true], ["verify.keep", false]].map(([key, isReplaced]) => [isReplaced, el("button", {
    type: "button", class: "plain", "aria-label": `${say(key)}: ${plainTitle(answer.match)}`,
    onclick: () => {
      row.isReplaced = isReplaced;
      press();
      announce(say(isReplaced ? "verify.replaced" : "verify.kept"));
    },
  }, say(key))]);
  const press = () => {
    for (const [isReplaced, choice] of choices) choice.setAttribute("aria-pressed", String(row.isReplaced === isReplaced));
  };
  press();
  return choices.map(([, choice]) => choice);
}

// Counts by verdict, which filter the list; and the ways to take it along.
function tools() {
  const filters = el("div", { class: "filter", role: "group", id: "filters", "aria-label": say("verify.filter") }, [...chips.values()]);
  const exporting = (key, action) => el("button", { type: "button", class: "plain", onclick: once(() => attempt(action)) }, say(key));
  return el("div", {}, filters, el("div", { class: "buttons" },
    exporting("verify.bib", bib), exporting("verify.csv", csv), exporting("verify.print", () => print()), exporting("verify.add", put)));
}

async function attempt(action) {
  try {
    await action();
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    toast(failure.text);
  }
}

let shown = "all";

// The chips stay as they are while answers come in, so that nobody who is at one of them loses it.
const chips = new Map(["all", ...VERDICTS].map((name) => [name, el("button", {
  type: "button", class: "badge", onclick: () => {
    shown = name;
    filter();
  },
})]));

function summarise() {
  const done = rows.filter((row) => row.answer).length;
  progress.textContent = say("verify.progress", { done, all: expected });
  for (const [name, chip] of chips) {
    const n = name === "all" ? rows.length : rows.filter((row) => row.answer?.verdict === name).length;
    chip.textContent = `${say(name === "all" ? "verify.all" : `verdict.${name}`)} ${n}`;
    chip.setAttribute("aria-pressed", String(shown === name));
    chip.hidden = n === 0 && shown !== name;
  }
}

function filter() {
  for (const row of rows) row.item.hidden = shown !== "all" && row.answer?.verdict !== shown;
  summarise();
}

// The list as it stands after what was replaced and kept.
function mended() {
  return rows.map((row) => {
    if (row.isReplaced) return { ...row.answer.match, ...(row.given.key && { citation_key: row.given.key }) };
    if (row.given.metadata) return row.given.metadata;
    const read = row.answer?.input ?? {};
    const { title, authors, container_title, year, volume, issue, pages } = read;
    const doi = read.identifiers?.find((known) => known.kind === "doi")?.value;
    const metadata = { title: title || row.given.text, authors, container_title, volume, issue, pages, doi, date: year ? { year } : undefined };
    return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined && value.length !== 0));
  });
}

async function bib() {
  const { blob } = await written(mended(), "bibtex", {});
  save(blob, "verified.bib");
}

function csv() {
  const cell = (value) => {
    const text = String(value ?? "");
    // A spreadsheet takes what begins so for a formula.
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  const line = (row, at) => [
    at + 1, row.given.text, row.answer?.verdict, row.answer?.score, row.answer?.match?.title, row.answer?.match?.doi, row.answer?.source,
    (row.answer?.diffs ?? []).map((diff) => `${diff.field}: ${diff.given ?? ""} → ${diff.found ?? ""}`).join("; "),
  ].map(cell).join(",");
  const head = ["number", "reference", "verdict", "score", "title", "doi", "source", "differences"].join(",");
  save(new Blob([`\ufeff${[head, ...rows.map(line)].join("\r\n")}\r\n`], { type: "text/csv" }), "verification.csv");
}

async function put() {
  const list = await LocalList.open();
  const works = mended().map((metadata) => ({ metadata }));
  await undoable(count("batch.added", works.length), list.add(works));
}
