// Verification: reads references from pasted text or files, checks them and shows them for review
// (`review.js`). A hundred per request if the plan allows batches; otherwise each reference is one
// look-up.

import { addresses } from "./address.js";
import { Failure, failureText, get, me, pool, post, send } from "./api.js";
import { readText, showQuota } from "./cite-box.js";
import { save, written } from "./copy.js";
import { announce, byId, el, once, ready } from "./dom.js";
import { HANDOVER } from "./document-drop.js";
import { cancelJob, followJob, hasEnded, startJob } from "./job.js";
import { keepRender, keptRender } from "./local-store.js";
import "./more-words.js";
import { problem } from "./outcome.js";
import { about, plainTitle } from "./rich.js";
import { Review, placeOf } from "./review.js";
import { downloadReport, reviseDocument, shareReport } from "./verify-outputs.js";
import { savingTo } from "./target.js";
import { toast, undoable } from "./toast.js";
import { printable } from "./verify-report.js";
import { count, say } from "./words.js";

// References of a pasted list that becomes a job: the check goes on without the page.
const MANY = 500;
// References per batch (interface decisions, section 9).
const BATCH = 100;
// Concurrent single checks.
const AT_ONCE = 3;
const LINES = "application/x-ndjson";
// Files read as documents, which requires a paid plan.
const MANUSCRIPT = /\.(docx|odt|pdf|tex|md|markdown|typ|html?|rtf)$/i;
const ARCHIVE = /\.zip$/i;
const BIBLIOGRAPHY = /\.(bib|bibtex|json|ya?ml|ris)$/i;

const form = byId("verify");
const input = byId("list");
const button = byId("check");
const results = byId("results");
const label = button.textContent;
/** @type {Review | undefined} */
let review;
/** @type {AbortController | undefined} */
let running;
// Files added during a check: checked after it.
/** @type {File[] | undefined} */
let next;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
button.addEventListener("click", (event) => {
  if (!running) return;
  event.preventDefault();
  // The second click of a double click must not cancel the check.
  if (event.detail < 2) running.abort();
});
byId("file").addEventListener("change", () => {
  const files = [...byId("file").files ?? []];
  byId("file").value = "";
  if (files.length) start(files);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer?.files ?? []];
  if (files.length) start(files);
});
showQuota();
// References in the address are checked once, not again on reload.
addresses({
  // A document that the list has handed over.
  file: async () => {
    history.replaceState(null, "", location.pathname);
    /** @type {any} */ // `any`: files, kept as they are
    const files = await keptRender(HANDOVER);
    await keepRender(HANDOVER, /** @type {any} */ (null)); // `any`: nothing waits any more
    if (Array.isArray(files)) start(files);
  },
  check: (references) => {
    history.replaceState(null, "", location.pathname);
    input.value = textOf(references);
    start();
  },
});
// The address of a job that was started here, or that the list of jobs names.
const known = new URLSearchParams(location.search).get("job");
if (known) run((signal) => follow(known, signal), () => location.reload());
// All works of a collection.
const collection = new URLSearchParams(location.search).get("collection");
if (collection) wholeCollection(collection);
ready();

/** @param {string} id */
async function wholeCollection(id) {
  await run(async (signal) => {
    const [{ features }, whole] = await Promise.all([me(), get(`/api/v1/collections/${encodeURIComponent(id)}`, { signal })]);
    /** @type {Api.Entry[]} */
    const entries = whole.entries ?? [];
    return check({ given: entries.map(({ metadata }) => givenOf(metadata)), leftOut: [], names: [whole.name] }, features.includes("batch"), signal);
  }, () => wholeCollection(id));
}

/** @param {string} fragment */
function textOf(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** @param {File[]} [files] @returns {Promise<unknown>} */
async function start(files) {
  if (running) {
    next = files ?? next;
    return undefined;
  }
  if (!files && !input.value.trim()) return input.focus();
  await run(async (signal) => {
    const { features } = await me();
    const hasBatches = features.includes("batch");
    if (!hasBatches && files?.some(({ name }) => MANUSCRIPT.test(name) || ARCHIVE.test(name))) throw new Failure(403, { error: "plan_required", actions: ["view_plans"] });
    if (!hasBatches || !files) return isLarge() && hasBatches ? inBackground([pasted()], signal) : check(await read(files, signal), hasBatches, signal);
    return isJob(files) ? inBackground(files, signal) : checkFiles(files, signal);
  }, () => start(files));
  const waiting = next;
  next = undefined;
  return waiting && start(waiting);
}

// Runs a check, which the button stops meanwhile.
/** @param {(signal: AbortSignal) => Promise<unknown>} work @param {() => unknown} again */
async function run(work, again) {
  fold(false);
  running = new AbortController();
  const { signal } = running;
  review = undefined;
  button.textContent = say("verify.stop");
  form.querySelector(".box")?.classList.add("busy");
  try {
    await work(signal);
    const rows = shown()?.rows;
    if (rows?.length && !signal.aborted) fold(true);
    if (rows && !signal.aborted) announce(count("verify.done", rows.filter((row) => row.answer).length));
  } catch (failure) {
    if (!signal.aborted) {
      if (!(failure instanceof Failure)) throw failure;
      results.prepend(problem(failure, again));
    }
  } finally {
    running = undefined;
    button.textContent = label;
    shown()?.end();
    form.querySelector(".box")?.classList.remove("busy");
  }
}

// The box makes room for the results; one button opens it again.
/** @param {boolean} isFolded */
function fold(isFolded) {
  const box = form.querySelector(".box");
  const had = box?.contains(document.activeElement);
  box?.classList.toggle("folded", isFolded);
  document.getElementById("unfold")?.remove();
  if (!isFolded) return;
  const open = el("button", { type: "button", class: "plain", id: "unfold", onclick: () => {
    fold(false);
    input.focus();
  } }, say("verify.again"));
  box?.append(open);
  if (had) open.focus();
}

// What is too large for one request, or is several documents, is checked as a job.

const isLarge = () => input.value.length > Number(form.dataset.maxBytes);

const pasted = () => new File([input.value], "list.txt", { type: "text/plain" });

/** @param {File[]} files */
function isJob(files) {
  const documents = files.filter(({ name }) => MANUSCRIPT.test(name));
  return documents.length > 1 || files.some(({ name }) => ARCHIVE.test(name)) || files.reduce((sum, { size }) => sum + size, 0) > Number(form.dataset.maxBytes);
}

/** @param {File[]} files @param {AbortSignal} signal */
async function inBackground(files, signal) {
  const main = files.some(({ name }) => MANUSCRIPT.test(name) || ARCHIVE.test(name));
  const body = new FormData();
  for (const file of files) body.append(main && BIBLIOGRAPHY.test(file.name) ? "companion" : "file", file, file.name);
  const { id } = await startJob("/api/v1/jobs/verify", body, signal);
  history.replaceState(null, "", `/verify?job=${id}`);
  return follow(id, signal);
}

// Shows the results of a job as they come.
/** @param {string} id @param {AbortSignal} signal */
async function follow(id, signal) {
  const made = show(0, {});
  const note = el("p", { class: "notice" }, say("verify.job"), " ", el("a", { href: "/account/jobs" }, say("verify.job-all")));
  const waits = el("p", { class: "notice warn", role: "status", hidden: true }, say("verify.job-quota"));
  results.prepend(note, waits);
  signal.addEventListener("abort", () => {
    cancelJob(id);
    note.remove();
  });
  const told = (/** @type {Api.Job} */ job) => {
    made.expect(job.items);
    waits.hidden = job.state !== "waiting_for_quota";
    if (hasEnded(job)) note.remove();
  };
  /** @param {Api.JobResult} result */
  const take = ({ file, result, error, document, references, left_out }) => {
    if (references !== undefined) return results.append(document ? lacks(document.findings, file) : "", around(left_out ?? []));
    if (error) return results.append(el("p", { class: "problem" }, el("bdi", {}, file), file ? ": " : "", error.message ?? ""));
    const position = { ...result.position, file: file || result.position?.file };
    return fill(made, { ...result, position });
  };
  const job = await followJob(id, { take, told, signal });
  if (job.error) throw new Failure(0, job.error);
}

// A row for a reference that arrives with its result.
/** @param {Review} made @param {Api.VerdictLine} answer */
function fill(made, answer) {
  const { position, input: parts, text } = answer;
  const key = position?.citation_key ?? undefined;
  made.fill(made.add({ key, position, text: text ?? [key, parts?.title].filter(Boolean).join(". ") }), answer);
}

// The current review; a check creates a new one.
const shown = () => review;

// The pasted text or a file: its references, and the lines around them.
/**
 * @typedef {import("./review.js").Given} Given
 *
 * @param {File[] | undefined} files
 * @param {AbortSignal} signal
 * @returns {Promise<{ given: Given[], leftOut: Api.Text[], names?: string[] }>}
 */
async function read(files, signal) {
  /** @type {Api.Contents} */
  const contents = files ? await (await send("POST", "/api/v1/import", { body: files[0], signal })).json() : await readText(input.value, signal);
  const given = [
    ...contents.entries.map(({ metadata, citation_key: key }) => ({ ...givenOf(metadata), key })),
    ...contents.references.map((text) => ({ text })),
  ];
  return { given, leftOut: contents.left_out, names: files?.slice(0, 1).map((file) => file.name) };
}

/** @param {Api.Metadata} metadata */
const givenOf = (metadata) => ({ metadata, text: [about(metadata), plainTitle(metadata)].join(". ") });

/** @param {Awaited<ReturnType<typeof read>>} contents @param {boolean} hasBatches @param {AbortSignal} signal */
async function check({ given, leftOut, names }, hasBatches, signal) {
  if (!given.length) return toast(say("verify.none"));
  if (hasBatches && given.length > MANY) {
    const { id } = await startJob("/api/v1/jobs/verify", JSON.stringify({ references: given.map((one) => one.metadata ?? one.text.slice(0, 2000)) }), signal);
    history.replaceState(null, "", `/verify?job=${id}`);
    return follow(id, signal);
  }
  const made = show(given.length, { names });
  for (const one of given) made.add(one);
  results.append(around(leftOut));
  await (hasBatches ? together(made, signal) : apart(made, signal));
  return undefined;
}

// A review of the expected number of references, with its tools.
/** @param {number} expected @param {{ names?: string[], lacks?: HTMLElement | "", file?: File }} about */
function show(expected, about) {
  /** @param {string} key @param {(made: Review) => unknown} action @param {Properties} properties */
  const tool = (key, action, properties = {}) =>
    el("button", { type: "button", class: "plain", onclick: once(() => attempt(() => action(made))), ...properties }, say(key));
  /** @type {Review} */
  const made = new Review(expected, [
    tool("verify.add", put, { class: "primary" }), tool("verify.bib", bib), tool("verify.csv", csv), tool("verify.html", () => downloadReport(made, about.names)), tool("verify.print", () => print()),
    ...(about.file ? [tool("verify.docx", () => reviseDocument(made, /** @type {File} */ (about.file)))] : []),
    // Links to reports belong to accounts.
    ...(document.querySelector("form[action='/auth/logout']") ? [tool("verify.share", () => shareReport(made, about.names))] : []),
  ]);
  review = made;
  results.replaceChildren(about.lacks ?? "", made.element);
  printable(results, made, about);
  return made;
}

// The request form of a reference.
/** @param {import("./review.js").Row} row */
const sent = ({ given }) => given.metadata ?? given.text.slice(0, 2000);

// A hundred at a time, showing each result as it arrives.
/** @param {Review} made @param {AbortSignal} signal */
async function together(made, signal) {
  const { rows } = made;
  for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
    const part = rows.slice(from, from + BATCH);
    const response = await send("POST", "/api/v1/verify/batch", {
      body: JSON.stringify({ references: part.map(sent) }), type: "application/json", signal,
      headers: { accept: LINES },
    });
    await lines(response, (answer) => made.fill(part[answer.index], answer));
  }
}

// Row by row, until the quota is used up.
/** @param {Review} made @param {AbortSignal} signal */
async function apart(made, signal) {
  /** @type {Failure | undefined} */
  let stop;
  await pool(made.rows, AT_ONCE, async (row) => {
    if (stop) return;
    try {
      made.fill(row, await post("/api/v1/verify", { reference: sent(row) }, { signal }));
    } catch (failure) {
      if (signal.aborted || !(failure instanceof Failure)) throw failure;
      if (failure.code === "validation_failed") return;
      stop = failure;
    }
  });
  const failure = /** @type {Failure | undefined} */ (stop);
  if (!failure) return;
  if (failure.code === "quota_exhausted") {
    for (const row of made.rows) if (!row.answer) made.fill(row, { verdict: failure.code, diffs: [] });
  }
  throw failure;
}

// A document with its bibliographies: rows arrive with their results.
/** @param {File[]} files @param {AbortSignal} signal */
async function checkFiles(files, signal) {
  const main = files.find((file) => !BIBLIOGRAPHY.test(file.name)) ?? files[0];
  const body = new FormData();
  for (const file of files) body.append(file === main ? "file" : "companion", file, file.name);
  const response = await send("POST", "/api/v1/verify/document", { body, signal, headers: { accept: LINES } });
  const names = files.map((file) => file.name);
  /** @type {Review | undefined} */
  let made;
  await lines(response, (answer) => {
    if (answer.error) throw new Failure(0, answer);
    if (answer.document) {
      made = show(answer.document.references, { names, lacks: lacks(answer.document.findings), file: /\.docx$/i.test(main.name) ? main : undefined });
    } else if (answer.verdict && made) {
      fill(made, answer);
    } else if (answer.left_out) {
      results.append(around(answer.left_out));
    }
  });
}

// Problems of the document's citations and entries.
/** @param {Api.Finding[]} findings @param {string} [file] its name, if there are several */
function lacks(findings, file) {
  if (!findings.length) return "";
  const line = (/** @type {Api.Finding} */ { kind, keys: [name, other = ""], position }) => {
    const place = placeOf(position);
    return el("li", { dir: "auto" }, place && el("b", {}, `${place}: `), say(`finding.${kind}`, { name, other }));
  };
  return el("section", { id: file ? null : "lacks" }, el("h2", {}, say("verify.document"), file ? [" ", el("bdi", {}, file)] : ""), el("ul", {}, findings.map(line)));
}

// Lines not recognised as references.
/** @param {Api.Text[]} [left] */
function around(left) {
  if (!left?.length) return "";
  return el("details", { id: "around" }, el("summary", {}, count("verify.around", left.length)),
    el("ul", {}, left.map(({ text }) => el("li", { dir: "auto" }, text))));
}

// Passes on each line of a stream as it arrives.
/** @param {Response} response @param {(answer: any) => void} take `any`: an object of each line */
async function lines(response, take) {
  let rest = "";
  const decoder = new TextDecoder();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole.filter(Boolean)) take(JSON.parse(line));
    if (done) return;
  }
}

/** @param {() => unknown} action */
async function attempt(action) {
  try {
    await action();
  } catch (failure) {
    toast(failureText(failure));
  }
}

/** @param {Review} made */
async function bib(made) {
  const works = await made.works();
  if (!works) return;
  const { blob } = await written(works.map(({ metadata }) => metadata), "bibtex", {});
  save(blob, "verified.bib");
}

/** @param {Review} made */
async function put(made) {
  const works = await made.works();
  if (!works) return;
  const list = await savingTo();
  await undoable(count("batch.added", works.length), list.add(works));
}

/** @param {Review} made */
function csv(made) {
  const cell = (/** @type {unknown} */ value) => {
    const text = String(value ?? "");
    // Spreadsheets treat such text as a formula.
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  /** @param {import("./review.js").Row} row @param {number} at */
  const line = (row, at) => [
    at + 1, row.given.text, row.answer?.verdict, row.choice, row.answer?.score, row.answer?.match?.title, row.answer?.match?.doi, row.answer?.source,
    (row.answer?.diffs ?? []).map((diff) => `${diff.field}: ${diff.given ?? ""} → ${diff.found ?? ""}`).join("; "),
  ].map(cell).join(",");
  const head = ["number", "reference", "verdict", "decision", "score", "title", "doi", "source", "differences"].join(",");
  save(new Blob([`\ufeff${[head, ...made.rows.map(line)].join("\r\n")}\r\n`], { type: "text/csv" }), "verification.csv");
}
