// The task pane in Word: finds works, cites them where the cursor is, and sets the citations and the list of works in a
// style. The server is the one that the pane comes from; `word-document.js` reads and writes the document.

import { Failure, get, post } from "./api.js";
import { LABELS } from "./cite-dialog.js";
import { announce, byId, el, field, once, ready, select } from "./dom.js";
import "./more-words.js";
import { plainTitle } from "./rich.js";
import "./style-picker.js";
import { MODES, modeOf, newCitation, textOf } from "./word-codes.js";
import * as word from "./word-document.js";
import { savedStyle, saveStyle } from "./word-style.js";
import { count, nameLanguages, say } from "./words.js";

const KEY = "word-key";
// A move into notes or out of them changes the numbers of notes; then everything is asked for again.
const ROUNDS = 3;

/**
 * @typedef {import("./word-codes.js").Json} Json
 * @typedef {import("./word-document.js").Cited} Cited
 * @typedef {{ id: string, state: string, text: { plain: string, runs?: word.Run[] } | null, note: { plain: string, runs?: word.Run[] } | null, code?: Json }} Answered
 * @typedef {{ in_notes: boolean, citations: Answered[], bibliography: { entries: { runs?: word.Run[], plain: string }[], layout: object } | null, warnings: { message: string }[] }} Answer
 */

const pane = byId("pane");
const picker = document.createElement("style-picker");
const locale = byId("locale");
let style = byId("settings").dataset.style ?? "";
const query = el("input", { type: "search", required: true, autocomplete: "off", spellcheck: "false", dir: "auto" });
const results = el("ul", { class: "plain-list", "aria-label": say("word.found") });
const cites = el("div", { class: "cites" });
const insertButton = el("button", { type: "button", class: "primary", hidden: true, onclick: once(() => run(insert)) }, say("word.insert"));
const status = el("p", { class: "notice", role: "status", hidden: true });
const key = el("input", { type: "password", autocomplete: "off", value: localStorage.getItem(KEY) ?? "" });

/** @type {Json[]} */
let chosen = [];
// The citation that is edited; undefined for a new one.
/** @type {string | undefined} */
let edited;

const options = () => (key.value ? { headers: { "x-api-key": key.value } } : {});

/** @param {string} text */
function tell(text) {
  status.textContent = text;
  status.hidden = !text;
  announce(text);
}

// Does something with the document. An error says what to do, and the document stays as it is.
/** @param {(context: Word.RequestContext) => Promise<string | undefined>} action */
async function run(action) {
  tell("");
  try {
    tell((await Word.run(action)) ?? "");
  } catch (failure) {
    if (failure instanceof Failure) tell(failure.text);
    else tell(say("word.failed", { cause: /** @type {Error} */ (failure).message }));
  }
}

async function find() {
  results.replaceChildren(el("li", {}, say("find.busy")));
  try {
    const works = [...await own(query.value), ...found(await post("/api/v1/lookup", { query: query.value }, options()))];
    const seen = new Set();
    const rows = works.filter((metadata) => {
      const same = metadata.doi ?? `${plainTitle(metadata)}|${metadata.date?.year}`;
      return !seen.has(same) && seen.add(same);
    });
    results.replaceChildren(...rows.map(row));
    if (!rows.length) results.replaceChildren(el("li", {}, say("nothing.title")));
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    results.replaceChildren(el("li", {}, failure.text));
  }
}

// The works of the answer to a lookup, the best first.
/** @param {Json} answer @returns {Api.Metadata[]} */
function found({ metadata, candidates = [], results: several = [] }) {
  return [...(metadata ? [metadata] : []), ...candidates.map((/** @type {Json} */ candidate) => candidate.metadata), ...several.flatMap(found)];
}

// Works of the reader's collections.
/** @param {string} text @returns {Promise<Api.Metadata[]>} */
async function own(text) {
  const { authenticated } = await get("/api/v1/me", options());
  if (!authenticated) return [];
  /** @type {Json[]} */
  const collections = await get("/api/v1/collections", options());
  const asked = collections.filter((collection) => collection.entry_count).map((collection) =>
    get(`/api/v1/collections/${collection.id}?${new URLSearchParams({ q: text, limit: "20" })}`, options()));
  return (await Promise.all(asked)).flatMap(({ entries }) => entries.map((/** @type {Api.Entry} */ entry) => entry.metadata));
}

/** @param {Api.Metadata} metadata */
function row(metadata) {
  const people = (metadata.authors ?? metadata.editors ?? []).map(({ family, literal }) => family ?? literal).filter(Boolean);
  const line = [people.slice(0, 3).join(", "), metadata.date?.year && `(${metadata.date.year})`].filter(Boolean).join(" ");
  return el("li", {}, el("button", { type: "button", class: "plain", dir: "auto", onclick: once(() => choose(metadata)) },
    [line, plainTitle(metadata)].filter(Boolean).join(": ")));
}

/** @param {Api.Metadata} metadata */
async function choose(metadata) {
  try {
    const [itemData] = await post("/api/v1/export", { format: "csl-json", entries: [metadata] }, options());
    chosen.push({ id: itemData.id, itemData });
    results.replaceChildren();
    query.value = "";
    showCites();
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    tell(failure.text);
  }
}

// The cites of the citation that is being made.
function showCites() {
  cites.replaceChildren(...chosen.map((cite, at) => {
    /** @param {string} member @param {string} label */
    const text = (member, label) => {
      /** @type {HTMLInputElement} */
      const input = el("input", { value: cite[member] ?? "", dir: "auto", oninput: () => (cite[member] = input.value || undefined) });
      return field(say(label), input);
    };
    /** @type {HTMLSelectElement} */
    const label = select(LABELS.map((name) => [name, say(`locator.${name}`)]), cite.label ?? "page", { onchange: () => (cite.label = label.value) });
    /** @type {HTMLSelectElement} */
    const mode = select(["normal", ...MODES].map((name) => [name, say(`word.${name}`)]), modeOf(cite), { onchange: () => {
      for (const name of MODES) delete cite[name];
      if (mode.value !== "normal") cite[mode.value] = true;
    } });
    return el("fieldset", {}, el("legend", { dir: "auto" }, cite.itemData?.title ?? cite.id),
      text("locator", "cite.locator"), field(say("cite.label"), label), text("prefix", "cite.prefix"), text("suffix", "cite.suffix"),
      field(say("cite.author"), mode),
      el("button", { type: "button", class: "plain", onclick: () => {
        chosen.splice(at, 1);
        showCites();
      } }, say("word.remove")));
  }));
  insertButton.hidden = !chosen.length && !edited;
  insertButton.textContent = say(edited ? "word.change" : "word.insert");
}

/** @param {Word.RequestContext} context */
async function insert(context) {
  const cited = await word.readCitations(context);
  const before = edited ? cited.find(({ citation }) => citation.id === edited) : undefined;
  const items = chosen;
  // Until the server says what the style makes of it.
  const text = items.map(({ itemData, id }) => itemData?.title ?? id).join("; ");
  if (before) {
    if (items.length) word.write(before, [{ text }], { ...before.citation, items }, { formatted: text, plain: text });
    else word.remove(before);
  } else {
    word.insert(context.document.getSelection().getRange("End"), newCitation(items), text);
  }
  chosen = [];
  edited = undefined;
  showCites();
  return refresh(context);
}

/** @param {Word.RequestContext} context */
async function edit(context) {
  const cited = await word.selected(context, await word.readCitations(context));
  if (!cited) return say("word.none-here");
  chosen = structuredClone(cited.citation.items);
  edited = cited.citation.id;
  showCites();
  return isByHand(cited) ? say("word.by-hand") : undefined;
}

// Sets all citations and the list.
/** @param {Word.RequestContext} context */
async function refresh(context) {
  let cited = await word.readCitations(context);
  let outcome = await set(context, cited);
  for (let round = 1; outcome.moved && round < ROUNDS; round += 1) {
    cited = await word.readCitations(context);
    outcome = await set(context, cited);
  }
  return [count("word.done", cited.length), ...outcome.warnings].join(" ");
}

// A text that no program wrote is a person's.
/** @param {Cited} cited */
const isByHand = ({ citation, text }) => citation.isByHand || Boolean(citation.printed) && citation.printed !== text;

/** @param {Word.RequestContext} context @param {Cited[]} cited */
async function set(context, cited) {
  const list = await word.findList(context);
  const ids = distinct(cited.map(({ citation }) => citation.id || "citation"));
  /** @type {Map<string, { id: string, item: Json }>} */
  const works = new Map();
  const citations = cited.map((one, at) => ({
    id: ids[at],
    cites: one.citation.items.map((cite) => asked(cite, works)),
    note: one.note,
    ...(one.note ? {} : { notes_before: one.notesBefore }),
    by_hand: isByHand(one),
    text: one.text,
  }));
  /** @type {Answer} */
  const answer = await post("/api/v1/document", {
    style, ...(locale.value && { locale: locale.value }), forms: ["runs"], codes: true,
    bibliography: Boolean(list), works: [...works.values()], citations,
  }, options());
  const byId = new Map(answer.citations.map((one) => [one.id, one]));
  let moved = false;
  cited.forEach((one, at) => {
    const told = byId.get(ids[at]);
    if (!told || told.state !== "set") return;
    const text = runsOf(told.text);
    if (told.note && !one.note) {
      word.toNote(one, text, one.citation, runsOf(told.note));
      moved = true;
    } else if (!answer.in_notes && one.isAlone) {
      word.toText(one);
      moved = true;
    } else {
      const { formattedCitation: formatted = told.text?.plain ?? "", plainCitation: plain = told.text?.plain ?? "" } = told.code?.properties ?? {};
      word.write(one, told.note ? [...text, ...runsOf(told.note)] : text, one.citation, { formatted, plain });
    }
  });
  if (list && answer.bibliography) await word.writeList(context, list, answer.bibliography.entries.map(runsOf), answer.bibliography.layout);
  await saveStyle(context, style, locale.value, answer.in_notes, Boolean(list));
  await context.sync();
  return { moved, warnings: answer.warnings.map(({ message }) => message) };
}

/** @param {{ plain: string, runs?: word.Run[] } | null} form @returns {word.Run[]} */
const runsOf = (form) => form?.runs ?? (form?.plain ? [{ text: form.plain }] : []);

// A cite of the request. Works are told apart by their records: ids are those of a program.
/** @param {Json} cite @param {Map<string, { id: string, item: Json }>} works */
function asked(cite, works) {
  const { id: _, ...record } = cite.itemData ?? {};
  const uris = [cite.uris ?? cite.uri ?? []].flat();
  const same = uris[0] ?? JSON.stringify(record);
  if (cite.itemData && !works.has(same)) works.set(same, { id: `w${works.size}`, item: cite.itemData });
  return {
    id: works.get(same)?.id ?? String(cite.id), mode: modeOf(cite), uris,
    ...Object.fromEntries(["locator", "label", "prefix", "suffix"].filter((name) => cite[name]).map((name) => [name, String(cite[name])])),
  };
}

// Ids of which copies have a number.
/** @param {string[]} ids */
function distinct(ids) {
  const used = new Map();
  return ids.map((id) => {
    used.set(id, (used.get(id) ?? 0) + 1);
    return used.get(id) > 1 ? `${id} ${used.get(id)}` : id;
  });
}

/** @param {Word.RequestContext} context */
async function insertList(context) {
  if (!await word.findList(context)) word.insertList(context.document.getSelection());
  return refresh(context);
}

/** @param {Word.RequestContext} context */
async function unlink(context) {
  const cited = await word.readCitations(context);
  word.unlink(cited, await word.findList(context));
  await context.sync();
  return count("word.unlinked", cited.length);
}

/** @param {string} name @param {(context: Word.RequestContext) => Promise<string | undefined>} action */
const button = (name, action) => el("button", { type: "button", onclick: once(() => run(action)) }, say(name));

function show() {
  byId("outside").hidden = true;
  pane.hidden = false;
  byId("word-cite").append(el("form", { class: "box", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    return find();
  } }, field(say("word.query"), query), el("button", {}, say("word.find"))), results, cites,
  el("div", { class: "row" }, insertButton, button("word.edit", edit)), status);
  byId("word-document").append(el("div", { class: "row" }, button("word.refresh", refresh), button("word.list", insertList), button("word.unlink", unlink)),
    el("details", {}, el("summary", {}, say("word.account")), field(say("word.key"), key, say("word.key-hint"))));
  key.addEventListener("change", () => localStorage.setItem(KEY, key.value.trim()));
}

async function begin() {
  nameLanguages(locale);
  picker.begin(byId("style"), () => undefined);
  await run(async (context) => {
    const saved = await savedStyle(context);
    style = saved?.style ?? style;
    locale.value = saved?.locale ?? "";
    return undefined;
  });
  picker.choose(style);
  picker.addEventListener("choose", ({ detail }) => {
    style = detail.id;
    return run(refresh);
  });
  locale.addEventListener("change", () => run(refresh));
}

// Outside of Word the pane shows how to add it.
if ("Office" in globalThis) {
  const { host } = await Office.onReady();
  if (host === "Word") {
    show();
    await begin();
  }
}
ready();
