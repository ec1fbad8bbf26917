// The paste box: detects what the text is, looks it up, can be cancelled.

import { Failure, failureText, late, me, pool, post, send } from "./api.js";
import { announce, byId, el } from "./dom.js";
import { detect, one } from "./detect.js";
import { exact, hits, nothing, plausible, problem } from "./outcome.js";
import { plainTitle } from "./rich.js";
import { toast } from "./toast.js";
import { count, has, say } from "./words.js";

// Concurrent look-ups per list.
const AT_ONCE = 3;
// Milliseconds without input before the references of a text are counted, and the characters of the longest
// text counted before it is looked up.
const COUNT_AFTER = 400;
const LONGEST_COUNTED = 20_000;
// What can be entered by hand if no source answers: it keeps the identifier.
const KNOWN = ["text", "doi", "isbn", "url"];

/** @type {Api.Contents} */
const NOTHING = { entries: [], references: [], parsed: [], left_out: [], errors: [], warnings: [], failed: 0 };

export class CiteBox {
  /** @type {AbortController | undefined} */
  #running;
  // The text being looked up, and whether another look-up follows.
  /** @type {string | undefined} */
  #asked;
  #isNext = false;
  // The last text split while typing, and its parts.
  /** @type {{ text: string, read: Api.Contents } | undefined} */
  #split;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #splitting;

  // `add` adds works to the list; `byHand` opens the editor; `leave` moves on to the list.
  /**
   * @typedef {object} Options
   * @property {HTMLFormElement} form
   * @property {(items: Api.Item[]) => Promise<unknown>} add
   * @property {(found: Detected & { metadata?: Api.Metadata, why?: string }, saved: () => unknown) => unknown} byHand
   * @property {() => void} leave
   *
   * @param {Options} options
   */
  constructor({ form, add, byHand, leave }) {
    this.form = form;
    this.add = add;
    this.edit = byHand;
    this.input = byId("q");
    this.button = byId("find");
    this.label = this.button.textContent;
    this.kind = byId("kind");
    this.outcome = byId("outcome");
    this.outcome.setAttribute("aria-live", "polite");
    this.input.addEventListener("input", () => this.#describe());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.submit();
      }
      if (event.key === "Escape") this.#stop();
      if (event.key === "ArrowDown" && !this.input.value) {
        event.preventDefault();
        leave();
      }
    });
    this.button.addEventListener("click", (event) => {
      if (!this.#running) return;
      event.preventDefault();
      // The second click of a double click must not cancel the look-up.
      if (event.detail < 2) this.#stop();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.#describe();
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  #describe() {
    const found = detect(this.input.value);
    const key = found.kind === "isbn" ? "kind.isbn-good" : `kind.${found.kind}`;
    clearTimeout(this.#splitting);
    this.kind.hidden = found.kind === "none";
    this.kind.classList.toggle("bad", found.kind === "isbn-bad");
    if (this.kind.hidden) this.kind.textContent = "";
    else this.kind.textContent = found.lines ? this.#counted(found.value, found.lines) : say(key);
  }

  // The number of references in a text of several lines. Only the server knows which lines of one that is
  // not all identifiers belong together; the number follows when it has answered.
  /** @param {string} text @param {string[]} lines */
  #counted(text, lines) {
    if (areIdentifiers(lines)) return count("kind.many", lines.length);
    if (this.#split?.text === text) {
      const { entries, references } = this.#split.read;
      if (entries.length) return say("kind.file");
      return references.length ? count("kind.many", references.length) : say("kind.text");
    }
    if (text.length <= LONGEST_COUNTED) {
      this.#splitting = setTimeout(async () => {
        try {
          this.#split = { text, read: await readText(text) };
        } catch {
          // Offline or refused: submitting says so.
          return;
        }
        if (!this.#running && detect(this.input.value).value === text) this.#describe();
      }, COUNT_AFTER);
    }
    return say("kind.several");
  }

  // Whether the focus is still at the box.
  get #isHere() {
    const at = document.activeElement;
    return !at || at === document.body || this.outcome.contains(at) || at.closest(".box") !== null;
  }

  /** @param {HTMLElement} [panel] */
  #show(panel) {
    const isHere = this.#isHere;
    this.outcome.replaceChildren(...(panel ? [panel] : []));
    if (isHere) panel?.focus();
  }

  #stop() {
    this.#running?.abort();
    if (!this.#running) this.#show();
  }

  // Looks up the text of the box. A submit during a look-up runs after it. `given` is what the text
  // is known to be, if detection cannot tell.
  /** @param {Detected} [given] */
  async submit(given) {
    if (this.#running) {
      this.#isNext = this.input.value !== this.#asked;
      return;
    }
    this.#asked = this.input.value;
    const found = given ?? detect(this.#asked);
    if (found.kind === "none") return this.input.focus();
    this.#show();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#busy(true);
    try {
      await this.#run(found, signal);
    } catch (failure) {
      if (!signal.aborted) this.#fail(failure, found);
    } finally {
      if (signal.aborted) announce(say("find.cancelled"));
      this.#running = undefined;
      this.#busy(false);
    }
    if (this.#isNext) {
      this.#isNext = false;
      this.submit();
    }
  }

  // Cites a page loaded by another window: {url, html}.
  /** @param {{ url: string, html: string }} page */
  citePage({ url, html }) {
    this.input.value = url;
    return this.submit({ kind: "url", value: url, html });
  }

  // Leaves unfinished lines in the box, unless it has been edited meanwhile.
  /** @param {string} rest */
  #leave(rest) {
    if (this.input.value === this.#asked) this.input.value = rest;
    if (!this.#running) this.#describe();
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.form.querySelector(".box")?.classList.toggle("busy", isBusy);
    this.button.textContent = isBusy ? say("find.cancel") : this.label;
    this.outcome.setAttribute("aria-busy", String(isBusy));
    if (isBusy) this.outcome.replaceChildren(skeleton());
    else this.outcome.querySelector(".skeleton")?.remove();
    if (isBusy) announce(say("find.busy"));
    else this.#describe();
  }

  /** @param {Detected} found @param {AbortSignal} signal */
  #run(found, signal) {
    if (found.lines) return this.#many(found.value, found.lines, signal);
    if (found.kind === "file") return this.import(found.value, signal);
    return this.#one(found, signal);
  }

  // Opens the editor with what is known: of a reference its fields as the server reads them. Once the work is
  // in the list, its text leaves the box.
  /** @param {Detected & { metadata?: Api.Metadata, why?: string }} found @param {() => unknown} [saved] */
  async byHand(found, saved = () => this.#settled(found.value)) {
    const metadata = found.metadata ?? (found.kind === "text" ? await (await late(import("./read-reference.js"))).readFields(found.value) : undefined);
    return this.edit({ ...found, metadata }, saved);
  }

  // The text was entered by hand: nothing of it is left to do.
  /** @param {string} text */
  #settled(text) {
    if (this.input.value.trim() === text.trim()) this.input.value = "";
    this.#show();
    this.#describe();
  }

  /** @param {Detected} found @param {AbortSignal} signal */
  async #one(found, signal) {
    const answer = await lookUp(found, signal);
    if (answer.unread) return this.byHand({ ...found, metadata: answer.unread, why: answer.note });
    if (answer.rest.length) {
      await this.#take(answer.works, answer.rest.map(({ text }) => text).join("\n"));
      return this.#choose(answer.rest);
    }
    if (answer.works.length) {
      await this.#take(answer.works);
      return answer.note && toast(answer.note);
    }
    const sure = exact(found.value, answer.candidates);
    if (sure) return this.#take([sure.metadata]);
    const candidates = plausible(answer.candidates);
    const none = () => this.#nothing(found.value, answer.tried);
    if (!candidates.length) return none();
    this.#show(hits(candidates, (candidate) => this.#take([candidate.metadata]), none));
  }

  // A multi-line paste: a file, a list of references, or one with broken lines.
  /** @param {string} text @param {string[]} given @param {AbortSignal} signal */
  async #many(text, given, signal) {
    const known = this.#split?.text === text ? this.#split.read : undefined;
    const read = areIdentifiers(given) ? { ...NOTHING, references: given } : known ?? await readText(text, signal);
    if (read.entries.length) return this.#imported(read, true);
    const lines = read.references;
    if (lines.length < 2) return this.#one({ kind: "text", value: lines[0] ?? text }, signal);
    /** @type {Api.Metadata[][]} */
    const works = [];
    /** @type {Map<string, string>} */
    const rest = new Map();
    /** @type {Map<string, Api.Candidate[]>} */
    const offers = new Map();
    /** @type {Map<string, Api.Metadata>} */
    const unread = new Map();
    /** @type {Map<string, string | undefined>} */
    const suggestions = new Map();
    for (const left of read.left_out) rest.set(left.text, say("left.none"));
    for (const { snippet, message } of read.errors) rest.set(snippet, message);
    for (const line of lines) rest.set(line, say("nothing.title"));
    /** @type {Failure | undefined} */
    let stop;
    let done = 0;
    await pool(lines, AT_ONCE, async (line, at) => {
      if (stop || signal.aborted) return;
      try {
        const answer = await lookUp(one(line), signal);
        const sure = exact(line, answer.candidates);
        works[at] = sure ? [sure.metadata] : answer.works;
        if (answer.rest.length) rest.set(line, answer.rest.map(({ text, reason }) => `${text}: ${reason}`).join(" "));
        else if (works[at].length) rest.delete(line);
        else if (answer.unread) {
          rest.set(line, answer.note ?? "");
          unread.set(line, answer.unread);
        }
        else offers.set(line, answer.candidates);
      } catch (failure) {
        if (!signal.aborted) {
          rest.set(line, failureText(failure));
          suggestions.set(line, suggested(failure));
          // An error in one line says nothing about the next.
          if (failure instanceof Failure && !failure.body.sources_tried && !failure.code.startsWith("invalid")) stop = failure;
        }
      }
      done += 1;
      this.kind.textContent = say("find.progress", { done, all: lines.length });
    });
    await this.#take(works.flat().filter(Boolean), [...rest.keys()].join("\n"));
    if (stop) throw stop;
    if (rest.size && !signal.aborted) await this.#choose([...rest].map(([text, reason]) => ({ text, reason, candidates: offers.get(text), suggestion: suggestions.get(text), unread: unread.get(text) })));
  }

  // Offers candidates for each remaining line. A line stays in the box until settled.
  /** @param {OpenLine[]} rows */
  async #choose(rows) {
    const { candidatesTable } = await late(import("./candidates-table.js"));
    const settle = (/** @type {OpenLine} */ { text }) => {
      this.input.value = this.input.value.split("\n").filter((line) => line !== text).join("\n");
      this.#describe();
    };
    this.#show(candidatesTable(rows, {
      take: async (row, { metadata }) => {
        await this.add([{ metadata }]);
        settle(row);
      },
      correct: async (row, suggestion) => {
        const left = await corrected(row, suggestion, (works) => this.add(works.map((metadata) => ({ metadata }))));
        if (!left) settle(row);
        return left;
      },
      byHand: ({ text, unread, reason }, saved) => this.byHand({ ...one(text), metadata: unread, why: unread && reason }, saved),
      leave: settle,
      done: () => {
        this.#show();
        this.input.focus();
      },
    }));
  }

  // Shows a panel in place of an outcome.
  /** @param {HTMLElement} [panel] */
  tell(panel) {
    this.#show(panel);
  }

  // Adds works, and leaves lines in the box that are still to be looked up.
  /** @param {Api.Metadata[]} works @param {string[]} rest */
  async addFound(works, rest) {
    this.#show();
    if (works.length) await this.add(works.map((metadata) => ({ metadata })));
    if (rest.length) this.input.value = [this.input.value, ...rest].filter(Boolean).join("\n");
    this.#describe();
    if (rest.length) this.input.focus();
  }

  // Imports a bibliography file into the list.
  /** @param {BodyInit} body @param {AbortSignal} [signal] */
  async import(body, signal = undefined) {
    const response = await send("POST", "/api/v1/import", { body, type: "text/plain", signal });
    return this.#imported(await response.json(), Boolean(signal));
  }

  // Adds the records of a file; if it was pasted (`isPasted`), its references go into the box.
  /** @param {Api.Contents} read @param {boolean} isPasted */
  async #imported(read, isPasted) {
    const items = read.entries.map(({ metadata }) => ({ metadata }));
    if (items.length) await this.add(items);
    if (isPasted) this.#leave(read.references.join("\n"));
    else if (read.references.length && !this.input.value) this.input.value = read.references.join("\n");
    this.#describe();
    if (read.errors.length || read.warnings.length) this.#show((await late(import("./import-report.js"))).importReport(read));
  }

  /** @param {Api.Metadata[]} works */
  async #take(works, rest = "") {
    const isHere = this.#isHere;
    this.#show();
    this.#leave(rest);
    if (works.length) await this.add(works.map((metadata) => ({ metadata })));
    if (isHere) this.input.focus();
  }

  /** @param {string} query @param {Api.Tried[]} [tried] */
  #nothing(query, tried) {
    const again = () => {
      this.input.value = query;
      this.submit();
    };
    this.#show(nothing(query, tried, () => this.byHand(one(query)), again));
  }

  /** @param {unknown} failure @param {Detected} found */
  #fail(failure, found) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.code === "work_not_found") return this.#nothing(found.value, failure.body.sources_tried);
    if (failure.code === "network") failure.body.message = say("find.offline");
    /** @param {string} text */
    const take = (text) => {
      this.input.value = text;
      this.submit();
    };
    const byHand = KNOWN.includes(found.kind) && found.value ? () => this.byHand(found) : undefined;
    this.#show(problem(failure, () => this.submit(), take, byHand));
  }
}

/** @param {string[]} lines */
const areIdentifiers = (lines) => lines.every((line) => one(line).kind !== "text");

/** @param {unknown} failure */
const suggested = (failure) => (failure instanceof Failure ? failure.body.suggestion : undefined);

// Looks up the suggestion for a line and adds its works; else returns the line as it is now.
/** @param {OpenLine} row @param {string} suggestion @param {(works: Api.Metadata[]) => unknown} add @returns {Promise<OpenLine | undefined>} */
export async function corrected({ text }, suggestion, add) {
  try {
    const { works, candidates } = await lookUp(one(suggestion));
    if (!works.length) return { text, candidates };
    await add(works);
    return undefined;
  } catch (failure) {
    return { text, reason: failureText(failure), suggestion: suggested(failure) };
  }
}

// A placeholder for the work being looked up.
const skeleton = () => el("div", { class: "panel skeleton", "aria-hidden": "true" }, el("i"), el("i"), el("i"));

// The result of a look-up: `works` found with certainty, or `candidates` with the `tried` sources; `unread`,
// a page that could not be read; `rest`, the parts of a list without result; `note`, how
// the work was found.
/**
 * @typedef {object} Found
 * @property {Api.Metadata[]} works
 * @property {Api.Candidate[]} candidates
 * @property {OpenLine[]} rest
 * @property {Api.Tried[]} [tried]
 * @property {Api.Metadata} [unread]
 * @property {string} [note]
 *
 * @param {{ value: string, html?: string }} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<Found>}
 */
export async function lookUp({ value, html }, signal) {
  /** @type {Api.Lookup} */
  const answer = html
    ? await post("/api/v1/lookup/url", { url: value.slice(0, 2000), html }, { signal })
    : await post("/api/v1/lookup", { query: value.slice(0, 2000) }, { signal });
  const { metadata, candidates = [], results, notices, found_by: found, sources_tried: tried } = answer;
  /** @type {Found} */
  const empty = { works: [], candidates: [], rest: [], tried };
  if (results) {
    const rest = results.filter((result) => !result.metadata);
    return {
      ...empty,
      works: results.map((result) => result.metadata).filter((found) => found !== undefined),
      rest: rest.map((result) => ({ text: named(result), reason: result.error?.message ?? say("nothing.title"), suggestion: result.error?.suggestion })),
    };
  }
  const [notice] = notices;
  const key = `notice.${notice?.code}`;
  const note = notice && (has(key) ? say(key, { given: answer.looked_up, found: found?.value }) : notice.message);
  if (notice?.code === "page_not_fetched") return { ...empty, unread: metadata, note };
  return { ...empty, works: metadata ? [metadata] : [], candidates, note };
}

// Digits alone do not tell the kind of identifier.
/** @param {Api.Lookup} result */
const named = ({ taken_for: kind, looked_up: text }) => (["pmid", "oclc"].includes(kind) ? `${kind}:${text}` : text);

// Splits a text into references.
/** @param {string} text @param {AbortSignal} [signal] @returns {Promise<Api.Contents>} */
export async function readText(text, signal) {
  const response = await send("POST", "/api/v1/import", { body: text, type: "text/plain", signal });
  return response.json();
}

// Updates the line with the remaining look-ups.
export async function showQuota() {
  const place = byId("quota");
  if (!place) return;
  /** @param {{ left: number, limit: number }} quota */
  const show = ({ left, limit }) => (place.textContent = say("quota.left", { left, limit }));
  document.addEventListener("quota", (event) => show(event.detail));
  try {
    const { lookups } = await me();
    show({ left: lookups.remaining, limit: lookups.limit });
  } catch {
    // Offline: the page's own text stays.
  }
}

/** @param {Api.Item | undefined} entry */
export const titleOf = (entry) => plainTitle(entry?.metadata) || say("entry.untitled");
