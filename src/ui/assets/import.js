// Imports files, also by dropping them; failed records can be corrected and retried. Several files and large
// ones become a job.

import { Failure, send } from "./api.js";
import { byId, el, field, ready } from "./dom.js";
import { importReport } from "./import-report.js";
import { followJob, progressOf, startJob } from "./job.js";
import "./more-words.js";
import { problem } from "./outcome.js";
import { say } from "./words.js";

const form = byId("import");
const file = byId("file");
const drop = byId("drop");
const report = byId("report");
const path = `/api/v1/collections/${form.dataset.collection}/import`;

for (const name of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    if (name === "drop" && event.dataTransfer?.files.length) {
      file.files = event.dataTransfer.files;
      begin();
    }
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
// Without script only one file is read.
file.multiple = true;

ready();

let isRunning = false;

async function begin() {
  const chosen = [...file.files ?? []];
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0);
  if (chosen.length > 1 || bytes > Number(form.dataset.maxBytes)) await inBackground(chosen);
  else if (chosen.length) await run(chosen[0]);
}

// Each file has a report of its own.
/** @param {File[]} chosen */
async function inBackground(chosen) {
  if (isRunning) return;
  isRunning = true;
  const meter = el("progress", { "aria-label": say("import.busy") });
  const parts = el("div");
  report.replaceChildren(el("p", { class: "quiet" }, say("import.busy"), " ", el("a", { href: "/account/jobs" }, say("verify.job-all"))), meter, parts);
  const body = new FormData();
  for (const one of chosen) body.append("file", one, one.name);
  try {
    const { id } = await startJob(`/api/v1/jobs/import?collection_id=${form.dataset.collection}&on_duplicate=skip`, body);
    const job = await followJob(id, {
      told: (state) => Object.assign(meter, progressOf(state)),
      take: ({ file: name, result, error }) => {
        const panel = error ? problem(new Failure(0, error), () => inBackground(chosen)) : importReport(result);
        panel.prepend(el("p", {}, el("b", { dir: "auto" }, name)));
        parts.append(panel);
      },
    });
    report.firstElementChild?.remove();
    meter.remove();
    if (job.error) parts.append(problem(new Failure(0, job.error), () => inBackground(chosen)));
    parts.append(el("p", {}, el("a", { class: "button primary", href: `/c/${form.dataset.collection}` }, say("import.open"))));
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    report.replaceChildren(problem(failure, () => inBackground(chosen)));
  } finally {
    isRunning = false;
  }
}

/** @param {File} chosen */
async function run(chosen) {
  if (isRunning) return;
  isRunning = true;
  report.replaceChildren(el("p", { class: "quiet" }, say("import.busy")));
  report.setAttribute("aria-busy", "true");
  const body = new FormData();
  body.append("file", chosen);
  try {
    const response = await send("POST", `${path}?on_duplicate=skip`, { body });
    await show(await response.json(), chosen);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.code === "unprocessable_import") await show({ imported: 0, failed: failure.body.errors?.length ?? 0, warnings: [], ...failure.body }, chosen);
    else report.replaceChildren(problem(failure, () => run(chosen)));
  } finally {
    isRunning = false;
    report.removeAttribute("aria-busy");
  }
}

/** @param {Api.Imported} read @param {File} chosen */
async function show(read, chosen) {
  const panel = importReport(read);
  if (read.errors?.length) {
    const text = el("textarea", { rows: "6", dir: "ltr", spellcheck: "false", value: await broken(read.errors, chosen) });
    panel.append(field(say("import.fix"), text), el("button", { type: "button", onclick: () => run(new File([text.value], chosen.name, { type: chosen.type })) }, say("import.again")));
  }
  panel.append(el("p", {}, el("a", { class: "button primary", href: `/c/${form.dataset.collection}` }, say("import.open"))));
  report.replaceChildren(panel);
  panel.focus();
}

// The source text of the records that failed: from the line of each problem's record to the next
// record.
/** @param {Api.Place[]} errors @param {File} chosen */
async function broken(errors, chosen) {
  const lines = (await chosen.text()).split(/\r\n|\r|\n/);
  /** @param {string} line */
  const isStart = (line) => /^\s*@\w+\s*[{(]/.test(line) || /^TY {2}-/.test(line);
  const starts = lines.flatMap((line, at) => (isStart(line) ? [at] : []));
  const wanted = new Set(errors.map(({ line }) => starts.filter((at) => at < line).at(-1) ?? 0));
  return [...wanted].map((from) => lines.slice(from, starts.find((at) => at > from) ?? lines.length).join("\n").trim()).join("\n\n");
}
