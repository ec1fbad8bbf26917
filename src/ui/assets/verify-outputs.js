// What can be taken along from a review: the report as a file and as a link that expires, and the Word document
// with tracked changes.

import { ask, failureText, get, post, send } from "./api.js";
import { copy, save } from "./copy.js";
import { el, field, once, openDialog, select } from "./dom.js";
import "./more-words.js";
import { about, plainTitle } from "./rich.js";
import { decidedBy, noticeTexts, placeOf } from "./review.js";
import { toast } from "./toast.js";
import { count, moment, say } from "./words.js";

// The longest text that a report takes.
const CHARS = 10_000;

/** @typedef {import("./review.js").Review} Review */

/** @param {unknown} value */
const clipped = (value) => String(value ?? "").slice(0, CHARS);

// The review as a report: what is decided is said with each reference.
/** @param {Review} review @param {string[] | undefined} names */
function reportOf(review, names) {
  const rows = review.rows.map(({ given, answer, choice }) => ({
    text: clipped(given.text), verdict: answer?.verdict ?? "not_checked", place: placeOf(given.position).slice(0, 500),
    found: clipped(answer?.match && plainTitle(answer.match)), about: clipped(answer?.match && about(answer.match)),
    doi: answer?.match?.doi?.slice(0, 2000) ?? "", source: answer?.source ?? "",
    differences: (answer?.diffs ?? []).map((diff) => ({ field: diff.field, given: clipped(diff.given), found: clipped(diff.found) })),
    notes: [...noticeTexts(answer), decidedBy(answer), choice && answer?.verdict !== "verified" ? say(`verify.${choice}-done`) : ""].filter(Boolean).map((note) => note.slice(0, 2000)),
  }));
  return { title: (names ?? []).join(", ").slice(0, 500), rows };
}

/** @param {Review} review @param {string[] | undefined} names */
export async function downloadReport(review, names) {
  const body = JSON.stringify(reportOf(review, names));
  const response = await send("POST", "/api/v1/reports/html", { body, type: "application/json" });
  save(await response.blob(), "verification.html");
}

/** @typedef {{ token: string, report_url: string, title: string, expires_at: string }} Shared */

/** @param {Review} review @param {string[] | undefined} names */
export async function shareReport(review, names) {
  /** @type {Shared[]} */
  let shared = await get("/api/v1/reports");
  const days = select([7, 30, 365].map((n) => /** @type {[string, string]} */ ([String(n), count("share.days", n)])), "30");
  const body = el("div", { "aria-live": "polite" });
  const attempt = (/** @type {() => Promise<unknown>} */ action) => once(async () => {
    try {
      await action();
      shared = await get("/api/v1/reports");
      show();
    } catch (failure) {
      toast(failureText(failure));
    }
  });
  const make = () => post("/api/v1/reports", { ...reportOf(review, names), days: Number(days.value) });
  /** @param {Shared} report */
  const line = (report) => el("li", {}, el("p", {}, el("b", { dir: "auto" }, report.title), " ", el("span", { class: "quiet" }, say("share.until", { time: moment(report.expires_at) }))),
    el("input", { readonly: true, value: report.report_url, "aria-label": say("verify.share") }),
    el("div", { class: "row" },
      el("button", { type: "button", class: "primary", onclick: () => copy(report.report_url, undefined, say("copy.link")) }, say("share.copy")),
      el("a", { class: "button", href: report.report_url, target: "_blank", rel: "noreferrer" }, say("share.open")),
      el("button", { type: "button", class: "danger", onclick: attempt(() => ask("DELETE", `/api/v1/reports/${report.token}`)) }, say("share.revoke"))));
  const show = () => body.replaceChildren(...(shared.length ? [el("h3", {}, say("verify.shared")), el("ul", { class: "links" }, shared.map(line))] : []));
  openDialog(say("verify.share"), (heading, dialog) => {
    show();
    return el("div", {}, heading, el("p", {}, say("verify.share-what")), field(say("share.ends"), days),
      el("div", { class: "row" }, el("button", { type: "button", class: "primary", onclick: attempt(make) }, say("share.make")),
        el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"))), body);
  });
}

// The document with what is certainly wrong corrected, and comments on the rest; what was left as written stays.
/** @param {Review} review @param {File} file */
export async function reviseDocument(review, file) {
  const rows = review.rows.filter(({ answer, choice }) => answer && !["keep", "drop"].includes(choice ?? ""));
  const revisions = rows.map(({ given, answer }) => ({
    paragraph: given.position?.paragraph ?? undefined, note: given.position?.note ?? undefined, text: given.text,
    corrections: answer?.corrections ?? [], comment: answer?.verdict === "verified" ? "" : `${say(`verdict.${answer?.verdict}`)}. ${answer?.message ?? ""}`,
  }));
  const body = new FormData();
  body.append("file", file, file.name);
  body.append("revisions", JSON.stringify(revisions.filter(({ corrections, comment }) => corrections.length || comment)));
  const response = await send("POST", "/api/v1/verify/document/revise", { body });
  save(await response.blob(), file.name.replace(/\.docx$/i, ".revised.docx"));
}
