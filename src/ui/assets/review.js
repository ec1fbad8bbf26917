// Review of checked references: the list on one side, the match on the other, a decision for each.
// Verified references are accepted; all others wait for the reader.

import { differences } from "./diff.js";
import { ask, failureText, me, post } from "./api.js";
import { announce, el, field, once, openDialog } from "./dom.js";
import { onKeys } from "./keys.js";
import "./more-words.js";
import { sourceName, sources } from "./outcome.js";
import { metadataOf } from "./read-reference.js";
import { about, plainTitle, richTitle } from "./rich.js";
import { toast } from "./toast.js";
import { count, has, say } from "./words.js";

// Most serious first.
const VERDICTS = ["retracted", "mismatch", "ambiguous", "not_found", "not_checked", "quota_exhausted", "verified"];
// No source could say anything about these.
const UNCHECKED = ["not_checked", "quota_exhausted"];
// The decisions and their keys.
/** @type {Record<string, string>} */
const CHOICES = { take: "f", keep: "w", drop: "o" };

// On narrow screens the evidence is below its reference.
const narrow = matchMedia("(max-width: 52rem)");

/** @param {Api.Position} [position] */
export function placeOf(position) {
  const named = /** @type {const} */ (["page", "paragraph", "note", "line"]).filter((name) => position?.[name]);
  return [position?.file, ...named.map((name) => say(`place.${name}`, { n: position?.[name] }))].filter(Boolean).join(", ");
}

/**
 * A reference as it was given.
 * @typedef {{ text: string, metadata?: Api.Metadata, key?: string, position?: Api.Position }} Given
 *
 * Its result: `choice` is one of CHOICES, `found` the accepted work.
 * @typedef {object} Row
 * @property {Given} given
 * @property {number} number
 * @property {Api.Verdict} [answer]
 * @property {string} [choice]
 * @property {Api.Metadata | null} [found]
 * @property {HTMLElement} badge
 * @property {HTMLElement} mark
 * @property {HTMLElement} button
 * @property {HTMLElement} item
 */

export class Review {
  /** @type {Row[]} */
  rows = [];
  /** @type {Row | undefined} */
  #current;
  #hasMoved = false;
  #shown = "all";
  warned = 0;

  // `tools` act on the whole list.
  /** @param {number} expected @param {HTMLElement[]} tools */
  constructor(expected, tools) {
    this.expected = expected;
    this.progress = el("p", { id: "progress" });
    this.meter = el("progress", { "aria-labelledby": "progress" });
    this.front = el("div", { id: "front" });
    this.list = el("ol", { class: "verdicts", role: "list", "aria-label": say("verify.list") });
    this.evidence = el("section", { class: "evidence", tabindex: "-1", "aria-label": say("verify.evidence") });
    this.columns = el("div", { class: "review" }, this.list, this.evidence);
    this.chips = new Map(["all", "problems", ...VERDICTS].map((name) => [name, el("button", { type: "button", class: "badge", onclick: () => this.#filter(name) })]));
    this.element = el("div", { class: "reviewed" },
      el("div", { class: "head" }, this.progress, this.meter), this.front,
      el("div", { class: "filter", role: "group", id: "filters", "aria-label": say("verify.filter") }, [...this.chips.values()]),
      this.columns, el("div", { class: "row taken" }, tools));
    this.list.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[/** @type {"ArrowDown"} */ (event.key)];
      if (!by || !(/** @type {Element} */ (event.target)).matches(".pick")) return;
      event.preventDefault();
      this.#step(by);
    });
    narrow.addEventListener("change", () => this.#place());
    onKeys({
      j: () => this.#step(1), k: () => this.#step(-1),
      ...Object.fromEntries(Object.entries(CHOICES).map(([choice, key]) => [key, () => this.#decide(this.#current, choice)])),
    });
    this.#summarise();
  }

  // Adds an unchecked reference.
  /** @param {Given} given */
  add(given) {
    const number = this.rows.length + 1;
    const badge = el("span", { class: "badge" }, say("verdict.waiting"));
    const mark = el("span", { class: "quiet mark" });
    const button = el("button", { type: "button", class: "pick", onclick: () => this.#go(row, { isMeant: true }) },
      el("span", { class: "number" }, String(number)),
      el("span", { class: "given", dir: "auto" }, given.text), el("span", { class: "stamp" }, badge, " ", mark));
    const item = el("li", { class: "verdict", "aria-busy": "true" }, button);
    /** @type {Row} */
    const row = { given, number, badge, mark, button, item };
    this.rows.push(row);
    this.list.append(item);
    if (!this.#current) this.#go(row);
    return row;
  }

  // The number of references is known better now.
  /** @param {number} all */
  expect(all) {
    this.expected = all;
    this.#summarise();
  }

  // Sets the result of a reference.
  /** @param {Row | undefined} row @param {Api.Verdict} answer */
  fill(row, answer) {
    if (!row) return;
    row.answer = answer;
    row.found = answer.match;
    if (answer.verdict === "verified") row.choice = answer.match && answer.override?.decision !== "real" ? "take" : "keep";
    this.#stamp(row, answer.verdict);
    if (row === this.#current) this.#show();
    this.#summarise();
  }

  // All results are in. Unless the reader has moved, goes to the most serious one.
  end() {
    for (const row of this.rows) if (!row.answer) this.#stamp(row, "not_checked");
    const gravity = (/** @type {Row} */ { answer }) => VERDICTS.indexOf(answer?.verdict ?? "");
    const [gravest] = this.rows.filter((row) => row.answer && !row.choice).sort((a, b) => gravity(a) - gravity(b));
    if (gravest && !this.#hasMoved) this.#go(gravest);
    else if (this.#current) this.#show();
    this.#summarise();
  }

  /** @param {Row} row @param {string} verdict */
  #stamp(row, verdict) {
    row.item.className = `verdict ${verdict}`;
    row.item.removeAttribute("aria-busy");
    row.badge.className = `badge ${verdict}`;
    row.badge.textContent = say(`verdict.${verdict}`);
    this.#mark(row);
  }

  /** @param {Row} row */
  #mark(row) {
    row.mark.textContent = row.choice ? say(`verify.${row.choice}-done`) : "";
    row.item.classList.toggle("decided", Boolean(row.choice));
  }

  // Navigation

  get #visible() {
    return this.rows.filter((row) => !row.item.hidden);
  }

  /** @param {number} by */
  #step(by) {
    const rows = this.#visible;
    const at = rows.findIndex((row) => row === this.#current);
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next) this.#go(next, { isMeant: true, isFocused: true });
  }

  // `isMeant`: the reader chose to go there.
  /** @param {Row} row @param {{ isMeant?: boolean, isFocused?: boolean }} how */
  #go(row, { isMeant = false, isFocused = false } = {}) {
    this.#hasMoved ||= isMeant;
    this.#current?.button.removeAttribute("aria-current");
    this.#current?.item.classList.remove("current");
    this.#current = row;
    row.button.setAttribute("aria-current", "true");
    row.item.classList.add("current");
    this.#show();
    if (isFocused) row.button.focus({ preventScroll: true });
    if (isMeant) row.item.scrollIntoView({ block: "nearest" });
  }

  // Evidence

  #place() {
    const place = narrow.matches ? this.#current?.item : this.columns;
    if (place && this.evidence.parentElement !== place) place.append(this.evidence);
  }

  #show() {
    const row = this.#current;
    if (!row) return;
    const { given, answer } = row;
    this.#place();
    /** @param {string} key @param {number} by */
    const step = (key, by) => el("button", { type: "button", class: "plain", onclick: () => this.#step(by) }, say(key));
    const source = answer?.source && sourceName(answer.source);
    this.evidence.replaceChildren(
      el("div", { class: "head" }, el("h2", {}, say("verify.reference", { n: row.number })),
        el("div", { class: "steps" }, step("verify.previous", -1), step("verify.next", 1))),
      ...notices(answer), el("p", { class: "given", dir: "auto" }, given.text),
      el("p", { class: "quiet" }, el("span", { class: "place" }, placeOf(given.position)), placeOf(given.position) && source ? " · " : "", source ?? ""),
      ...(answer ? details(answer) : []), ...this.#others(row), this.#choices(row), this.#kept(row));
  }

  // The decision that the account keeps about the reference, or a form to keep one.
  /** @param {Row} row */
  #kept(row) {
    const { answer } = row;
    if (!answer?.reference_key || answer.verdict === "retracted") return "";
    const place = el("div", { class: "kept" });
    const attempt = (/** @type {() => Promise<unknown>} */ action) => once(async () => {
      try {
        await action();
      } catch (failure) {
        toast(failureText(failure));
      }
    });
    if (answer.override) {
      const withdraw = async () => {
        await ask("DELETE", `/api/v1/verify/overrides/${answer.reference_key}`);
        const { override, ...rest } = answer;
        const [first, ...others] = answer.others ?? [];
        const isOther = override?.decision === "other_work" && !answer.match;
        row.choice = undefined;
        this.fill(row, { ...rest, verdict: override?.replaced ?? answer.verdict, ...(isOther && { match: first, others }) });
      };
      place.append(el("p", { class: "notice" }, decidedBy(answer), " ",
        el("button", { type: "button", class: "plain", onclick: attempt(withdraw) }, say("verify.withdraw"))));
      return place;
    }
    const why = el("input", { maxlength: "1000", dir: "auto", placeholder: say("verify.why-example") });
    const keep = (/** @type {string} */ decision) => async () => {
      // Required here only: the form around is sent without a reason.
      why.required = true;
      const isSaid = why.reportValidity();
      why.required = false;
      if (!isSaid) return;
      const made = await post("/api/v1/verify/overrides", { reference_key: answer.reference_key, reference: row.given.text.slice(0, 10_000), decision, why: why.value });
      const override = { decision, by: made.by, date: made.made_at.slice(0, 10), why: made.why, replaced: answer.verdict };
      const isReal = decision === "real";
      row.choice = isReal ? "keep" : undefined;
      this.fill(row, { ...answer, verdict: isReal ? "verified" : "not_found", override,
        ...(!isReal && { match: null, others: [...(answer.match ? [answer.match] : []), ...(answer.others ?? [])] }) });
      announce(decidedBy(row.answer));
    };
    // Decisions are kept by accounts.
    me().then(({ authenticated }) => {
      if (!authenticated) return;
      place.append(el("details", {}, el("summary", {}, say("verify.record")), el("p", { class: "hint" }, say("verify.record-what")),
        field(say("verify.why"), why), el("div", { class: "row" },
          el("button", { type: "button", onclick: attempt(keep("real")) }, say("verify.real")),
          answer.match ? el("button", { type: "button", onclick: attempt(keep("other_work")) }, say("verify.other-work")) : "")));
    }, () => {});
    return place;
  }

  // Other candidates.
  /** @param {Row} row */
  #others(row) {
    const others = row.answer?.others ?? [];
    if (!others.length) return [];
    /** @param {Api.Metadata} work */
    const item = (work) => el("li", { class: "hit" },
      el("div", {}, el("b", { dir: "auto" }, richTitle(work)), el("br"), el("span", { class: "quiet", dir: "auto" }, about(work))),
      el("button", { type: "button", "aria-label": `${say("hits.take")}: ${plainTitle(work)}`, "aria-pressed": String(row.choice === "take" && row.found === work), onclick: () => {
        row.found = work;
        this.#decide(row, "take");
      } }, say("hits.take")));
    return [el("h3", {}, say("verify.others")), el("ul", { class: "hits" }, others.map(item))];
  }

  /** @param {Row} row */
  #choices(row) {
    const { answer } = row;
    if (!answer) return "";
    const choices = Object.keys(CHOICES).filter((choice) => choice !== "take" || answer.match);
    return el("div", { class: "row choices", role: "group", "aria-label": say("verify.choices") }, choices.map((choice) => el("button", {
      type: "button", "aria-pressed": String(row.choice === choice && (choice !== "take" || row.found === answer.match)),
      "aria-keyshortcuts": CHOICES[choice], onclick: () => {
        row.found = answer.match;
        this.#decide(row, choice);
      },
    }, say(`verify.${choice}`))));
  }

  // Decides and goes to the next undecided reference.
  /** @param {Row | undefined} row @param {string} choice */
  #decide(row, choice) {
    if (!row?.answer || (choice === "take" && !row.found)) return;
    row.choice = choice;
    this.#mark(row);
    this.#summarise();
    announce(`${say("verify.reference", { n: row.number })}: ${say(`verify.${choice}-done`)}`);
    const rows = this.#visible;
    const at = rows.indexOf(row);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find((other) => other.answer && !other.choice);
    if (row === this.#current && next) this.#go(next, { isMeant: true, isFocused: true });
    else this.#show();
  }

  // Counts, which also filter the list

  #summarise() {
    const checked = this.rows.filter((row) => row.answer && !UNCHECKED.includes(row.answer.verdict)).length;
    const open = this.rows.filter((row) => row.answer && UNCHECKED.includes(row.answer.verdict)).length;
    const decided = this.rows.filter((row) => row.choice).length;
    const all = Math.max(this.expected, this.rows.length);
    this.progress.textContent = [
      say("verify.progress", { done: checked, all }), open && count("verify.open", open), say("verify.decided", { done: decided, all }),
    ].filter(Boolean).join(" · ");
    Object.assign(this.meter, { max: all, value: checked + open < all ? checked + open : decided });
    for (const [name, chip] of this.chips) {
      const n = this.rows.filter((row) => isOf(row, name)).length;
      chip.textContent = `${say(["all", "problems"].includes(name) ? `verify.${name}` : `verdict.${name}`)} ${n}`;
      chip.setAttribute("aria-pressed", String(this.#shown === name));
      chip.hidden = (n === 0 || name === "problems" && n === this.rows.length) && this.#shown !== name;
    }
    this.#warn();
  }

  /** @param {string} verdict */
  #of(verdict) {
    return this.rows.filter((row) => row.answer?.verdict === verdict);
  }

  /** @returns {[verdict: string, n: number][]} */
  counts() {
    return VERDICTS.map((verdict) => /** @type {[string, number]} */ ([verdict, this.#of(verdict).length])).filter(([, n]) => n);
  }

  // Lists works with a retraction or another notice above the list.
  #warn() {
    const rows = this.rows.filter((row) => row.answer?.verdict === "retracted" || row.answer?.updates?.length);
    if (rows.length === this.warned) return;
    this.warned = rows.length;
    const link = (/** @type {Row} */ row) => el("li", {}, el("button", { type: "button", class: "plain", onclick: () => this.#go(row, { isMeant: true, isFocused: true }) },
      `${row.number} · ${noticeOf(row.answer)} · ${plainTitle(row.answer?.match)}`));
    this.front.replaceChildren(...(rows.length ? [el("section", { class: "problem" }, el("h2", {}, say("verify.front")), el("ul", { class: "plain-list" }, rows.map(link)))] : []));
  }

  /** @param {string} name */
  #filter(name) {
    this.#shown = name;
    for (const row of this.rows) row.item.hidden = !isOf(row, name);
    const [first] = this.#visible;
    if (first && this.#current?.item.hidden) this.#go(first, { isMeant: true });
    this.#summarise();
  }

  // The works by decision, each {metadata, note}. Asks about undecided ones; undefined if the reader
  // prefers to decide one by one, or nothing is left.
  async works() {
    const open = this.rows.filter((row) => !row.choice);
    const wish = open.length ? await this.#ask(open) : {};
    if (!wish) return undefined;
    const works = this.rows.flatMap((row) => workOf(row, row.choice ?? wish[row.answer?.verdict ?? "not_checked"]) ?? []);
    if (works.length) return works;
    toast(say("verify.nothing"));
    return undefined;
  }

  // Asks for a decision per verdict.
  /** @param {Row[]} open @returns {Promise<Record<string, string> | undefined>} */
  #ask(open) {
    const verdicts = [...new Set(open.map((row) => row.answer?.verdict ?? "not_checked"))];
    /** @type {Record<string, string>} */
    const wish = {};
    return new Promise((resolve) => {
      const dialog = openDialog(say("verify.ask"), (heading, own) => el("form", { method: "dialog" }, heading, el("p", {}, say("verify.ask-text")),
        verdicts.map((verdict) => {
          const rows = open.filter((row) => (row.answer?.verdict ?? "not_checked") === verdict);
          const choices = Object.keys(CHOICES).filter((choice) => choice !== "take" || rows.every((row) => row.answer?.match));
          return el("fieldset", {}, el("legend", {}, `${say(`verdict.${verdict}`)} (${rows.length})`),
            choices.reverse().map((choice) => el("label", { class: "check" },
              el("input", { type: "radio", name: `ask-${verdict}`, required: true, onchange: () => (wish[verdict] = choice) }), say(`verify.${choice}`))));
        }),
        el("div", { class: "row" }, el("button", { class: "primary", value: "go" }, say("verify.ask-go")),
          el("button", { type: "button", onclick: () => {
            own.close();
            this.#go(open[0], { isMeant: true, isFocused: true });
          } }, say("verify.ask-review")))));
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "go" ? wish : undefined));
    });
  }
}

// Whether a filter shows a row: all, those that are not verified, or those of a verdict.
/** @param {Row} row @param {string} name */
function isOf({ answer }, name) {
  if (name === "all") return true;
  return name === "problems" ? Boolean(answer) && answer?.verdict !== "verified" : answer?.verdict === name;
}

/** @param {Api.Verdict} [answer] */
function noticeOf(answer) {
  const [update] = answer?.updates ?? [];
  return update ? updateName(update) : say("verdict.retracted");
}

/** @param {Api.Update} update */
const updateName = ({ type }) => (has(`verify.update-${type}`) ? say(`verify.update-${type}`) : type.replaceAll("_", " "));

// Who has decided about the reference, when and why; empty if nobody has.
/** @param {Api.Verdict} [answer] */
export function decidedBy(answer) {
  const made = answer?.override;
  return made ? say(`verify.decided-${made.decision}`, { who: made.by, date: made.date, why: made.why }) : "";
}

// The notices about the work as texts.
/** @param {Api.Verdict} [answer] */
export const noticeTexts = (answer) => (answer?.updates ?? []).map((update) => [updateName(update), update.date, update.doi].filter(Boolean).join(" "));

// Notices about the work come first.
/** @param {Api.Verdict} [answer] */
export function notices(answer) {
  const updates = answer?.updates ?? [];
  return updates.map((update) => el("p", { class: `problem${["retraction", "withdrawal"].includes(update.type) ? "" : " warn"}` },
    el("b", {}, updateName(update)), " ", el("bdi", {}, update.date ?? ""), " ",
    update.doi ? el("a", { href: `https://doi.org/${encodeURI(update.doi)}`, rel: "noreferrer", dir: "ltr" }, update.doi) : "",
    update.source && has(`source.${update.source}`) ? ` · ${sourceName(update.source)}` : ""));
}

// The match and its differences.
/** @param {Api.Verdict} answer */
export function details(answer) {
  const found = answer.match;
  const doi = found?.doi && el("a", { href: `https://doi.org/${encodeURI(found.doi)}`, rel: "noreferrer", dir: "ltr" }, found.doi);
  return [
    found ? el("p", { class: "found" }, el("b", { dir: "auto" }, richTitle(found)), el("br"),
      el("span", { class: "quiet", dir: "auto" }, about(found)), doi ? [" · ", doi] : "") : sources(answer.sources_tried),
    answer.diffs.length ? differences(answer.diffs) : "",
  ];
}

// The work of a decided reference: the match, or the reference as given, with its text as a note if
// it had no metadata.
/** @param {Row} row @param {string} choice @returns {Api.Item | undefined} */
function workOf({ given, answer, found }, choice) {
  if (choice === "take") return { metadata: { ...found, ...(given.key && { citation_key: given.key }) } };
  if (choice !== "keep") return undefined;
  if (given.metadata) return { metadata: given.metadata };
  return { metadata: metadataOf(answer?.input, given.text), note: given.text };
}
