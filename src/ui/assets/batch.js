// Formats a list of identifiers and references: in one request if the plan allows, otherwise line by
// line like the first page.

import { Failure, me, pool, post } from "./api.js";
import { candidatesTable } from "./candidates-table.js";
import { corrected, lookUp } from "./cite-box.js";
import { one } from "./detect.js";
import { announce, byId, el, once, ready } from "./dom.js";
import "./more-words.js";
import { problem } from "./outcome.js";
import { rich } from "./rich.js";
import "./style-picker.js";
import { savingTo } from "./target.js";
import { undoable } from "./toast.js";
import { count, nameLanguages, say } from "./words.js";

const BATCH = 100;
const AT_ONCE = 3;

const form = byId("batch");
const button = byId("run");
const results = byId("results");
const label = button.textContent;
const picker = document.createElement("style-picker");
let style = byId("settings").dataset.style;
/** @type {Api.Metadata[]} */
let works = [];
/** @type {AbortController | undefined} */
let running;

nameLanguages(byId("locale"));
picker.begin(byId("style"), () => works[0]);
picker.choose(style);
picker.addEventListener("choose", ({ detail }) => (style = detail.id));

button.addEventListener("click", (event) => {
  if (!running) return;
  event.preventDefault();
  // The second click of a double click must not cancel the run.
  if (event.detail < 2) running.abort();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (running) return undefined;
  const lines = byId("list").value.split("\n").flatMap(named);
  const { signal } = running = new AbortController();
  button.textContent = say("cancel");
  try {
    const { features } = await me();
    const outcome = features.includes("batch") ? await together(lines, signal) : await apart(lines, signal);
    show(outcome);
  } catch (failure) {
    if (!signal.aborted) {
      if (!(failure instanceof Failure)) throw failure;
      results.replaceChildren(problem(failure, () => form.requestSubmit()));
    }
  } finally {
    running = undefined;
    button.textContent = label;
  }
  return undefined;
});

// The parts of a line: identifiers and addresses one by one, else the line.
/** @param {string} line */
function named(line) {
  const parts = line.split(/[\s,;|]+/).filter(Boolean);
  return parts.every((part) => one(part).kind !== "text") ? parts : [line.trim()];
}

const setting = () => ({ style: style || undefined, locale: byId("locale").value || undefined });
/** @param {number} done @param {number} all */
const progress = (done, all) => (byId("progress").textContent = say("batch.progress", { done, all }));

/**
 * The result of a line.
 * @typedef {Api.BatchResult & Partial<Api.FormattedEntry> & { line: string, candidates?: Api.Candidate[] }} Outcome
 *
 * @param {string[]} lines
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome[]>}
 */
async function together(lines, signal) {
  /** @type {Outcome[]} */
  const all = [];
  for (let from = 0; from < lines.length; from += BATCH) {
    const part = lines.slice(from, from + BATCH);
    const items = part.map((line) => ({ text: line }));
    /** @type {{ results: Api.BatchResult[] }} */
    const answer = await post("/api/v1/format/batch", { items, ...setting() }, { signal });
    all.push(...answer.results.map((result, at) => ({ ...result, line: part[at] })));
    progress(all.length, lines.length);
  }
  return all;
}

/** @param {string[]} lines @param {AbortSignal} signal */
async function apart(lines, signal) {
  /** @type {Outcome[][]} */
  const rows = [];
  /** @type {Failure | undefined} */
  let stop;
  let done = 0;
  await pool(lines, AT_ONCE, async (line, at) => {
    try {
      if (stop) throw stop;
      rows[at] = rowsOf(line, await lookUp({ value: line }, signal));
    } catch (failure) {
      if (signal.aborted || !(failure instanceof Failure)) throw failure;
      if (failure.code === "quota_exhausted") stop = failure;
      const status = { work_not_found: "not_found", quota_exhausted: "quota_exhausted" }[/** @type {"quota_exhausted"} */ (failure.code)] ?? "error";
      rows[at] = [{ line, status, error: status === "error" ? { message: failure.text, suggestion: failure.body.suggestion } : undefined }];
    }
    done += 1;
    progress(done, lines.length);
  });
  const all = rows.flat();
  const found = all.filter((result) => result.metadata);
  /** @type {Api.Formatted} */
  const formatted = await post("/api/v1/format", { entries: found.map((result) => result.metadata), ...setting(), links: true }, { signal });
  formatted.entries.forEach((entry, at) => Object.assign(found[at], entry));
  return all;
}

// A row for each part of a line.
/** @param {string} line @param {import("./cite-box.js").Found} found @returns {Outcome[]} */
function rowsOf(line, { works, candidates, rest, unread, note }) {
  /** @param {string} text @param {string} [message] @param {string} [suggestion] */
  const failed = (text, message, suggestion) => ({ line: text, status: "error", error: { message, suggestion } });
  /** @param {Api.Metadata} metadata */
  const taken = (metadata) => ({ line, status: "ok", metadata });
  if (works.length || rest.length) return [...works.map(taken), ...rest.map(({ text, reason, suggestion }) => failed(text, reason, suggestion))];
  if (unread) return [failed(line, note)];
  return [{ line, status: candidates.length ? "low_confidence" : "not_found", candidates }];
}

// The bibliography, and a choice for each ambiguous line.
/** @param {Outcome[]} outcome */
function show(outcome) {
  const done = outcome.filter((result) => result.status === "ok");
  const left = outcome.filter((result) => result.status !== "ok");
  works = done.map((result) => result.metadata).filter((metadata) => !!metadata);
  const list = el("ol", { class: "verdicts", role: "list" });
  const add = el("button", { type: "button", class: "primary", onclick: once(async () => {
    const kept = await savingTo();
    await undoable(count("batch.added", works.length), kept.add(works.map((metadata) => ({ metadata }))));
  }) }, say("batch.add"));
  /** @param {Pick<Outcome, "bibliography_html" | "in_text_html">} entry @param {number} at */
  const row = (entry, at) => el("li", { class: "verdict ok" },
    el("p", { class: "stamp" }, el("span", { class: "badge ok" }, say("status.ok")), " ", el("span", { class: "quiet", dir: "auto" }, done[at].line)),
    el("div", { class: "text", dir: "auto" }, rich(entry.bibliography_html ?? entry.in_text_html)));
  /** @param {Parameters<typeof row>[0][]} entries */
  const write = (entries) => {
    list.replaceChildren(...entries.map(row));
    add.hidden = !entries.length;
  };
  /** @param {OpenLine} row @param {Api.Candidate} candidate */
  const take = (row, { metadata }) => settle(row, [metadata]);
  /** @param {OpenLine} row @param {Api.Metadata[]} found */
  const settle = async ({ text: line }, found) => {
    /** @type {Outcome[]} */
    const rows = found.map((metadata) => ({ line, status: "ok", metadata }));
    done.push(...rows);
    works.push(...found);
    write((await post("/api/v1/format", { entries: works, ...setting(), links: true })).entries);
  };
  /** @param {OpenLine} row @param {string} suggestion */
  const correct = (row, suggestion) => corrected(row, suggestion, (found) => settle(row, found));
  write(done);
  results.replaceChildren(list, add, left.length ? candidatesTable(left.map(open), { take, correct, leave: () => {}, done: () => add.focus() }) : "");
  announce(say("batch.progress", { done: outcome.length, all: outcome.length }));
}

// A remaining line with its candidates.
/** @param {Outcome} outcome @returns {OpenLine} */
function open({ line, status, metadata, score, source, error, candidates = [] }) {
  const own = status === "low_confidence" && metadata ? [{ metadata, score: score ?? 0, source: source ?? "" }] : candidates;
  return { text: line, reason: (status === "error" && error?.message) || say(`status.${status}`), candidates: own, suggestion: error?.suggestion };
}

ready();
