// The citations and the list of works of a document in Word, through Office.js. A citation is a content control in the
// form of Mendeley Cite, which works in Word on every system, or a field of Zotero, which stays one. Every function needs
// the context of a `Word.run` and sends what it queued.

import { citationOf, codeIn, isZotero, tagOf, textOf, zoteroCode } from "./word-codes.js";

const LIST = "MENDELEY_BIBLIOGRAPHY";
// Points: an indent of an entry, and the width of a character of its label.
const HANGING = 24;
const CHARACTER = 6;
const LINE = 12;

/**
 * @typedef {import("./word-codes.js").Citation} Citation
 * @typedef {Word.ContentControl | Word.Field} Holder
 * @typedef {{ citation: Citation, text: string, note: number, notesBefore: number, holder: Holder, footnote?: Word.NoteItem, isAlone?: boolean }} Cited
 * `isAlone`: its note contains nothing else
 * @typedef {{ text: string, italic?: boolean, bold?: boolean, small_caps?: boolean, underline?: boolean, position?: string }} Run
 */

/** @param {Holder} holder @returns {holder is Word.Field} */
const isField = (holder) => "code" in holder;

// Where a holder begins, and where its text is.
/** @param {Holder} holder */
const startOf = (holder) => (isField(holder) ? holder.result : holder).getRange("Start");
/** @param {Holder} holder */
const contentOf = (holder) => (isField(holder) ? holder.result : holder);

const canReadNotes = () => Office.context.requirements.isSetSupported("WordApi", "1.5");
const canReadFields = () => Office.context.requirements.isSetSupported("WordApi", "1.4");
const hasSmallCaps = () => Office.context.requirements.isSetSupported("WordApiDesktop", "1.3");

// The citations of the document in its order.
/** @param {Word.RequestContext} context @returns {Promise<Cited[]>} */
export async function readCitations(context) {
  const { body } = context.document;
  const notes = await readNotes(context);
  const inText = await holders(context, [body]);
  const inNotes = await holders(context, notes.map((note) => note.body));
  const numbers = await notesBefore(context, inText[0], notes);
  const cited = inText[0].map((holder, at) => found(holder, 0, numbers[at]));
  const noted = notes.flatMap((footnote, at) => inNotes[at].map((holder) => {
    const one = found(holder, at + 1, at);
    return { ...one, footnote, isAlone: bare(footnote.body.text) === bare(one.text) };
  }));
  // A note stands behind the citations of the text before its mark.
  return [...cited, ...noted].sort((a, b) => placeOf(a) - placeOf(b));
}

/** @param {string} text */
const bare = (text) => text.replace(/^[\s\u0002]+|[\s.]+$/g, "");

/** @param {Cited} cited */
const placeOf = ({ note, notesBefore }) => (note ? note - 0.5 : notesBefore);

/** @param {Holder} holder @param {number} note @param {number} notesBefore @returns {Cited} */
function found(holder, note, notesBefore) {
  const { citation, text } = isField(holder)
    ? { citation: citationOf(holder.code), text: holder.result.text }
    : { citation: citationOf(holder.tag), text: holder.text };
  return { citation: /** @type {Citation} */ (citation), text, note, notesBefore, holder };
}

/** @param {Word.RequestContext} context @returns {Promise<Word.NoteItem[]>} */
async function readNotes(context) {
  if (!canReadNotes()) return [];
  const { footnotes, endnotes } = context.document.body;
  footnotes.load("items");
  endnotes.load("items");
  await context.sync();
  return [...footnotes.items, ...endnotes.items];
}

// The holders of citations in each of some bodies, in order.
/** @param {Word.RequestContext} context @param {Word.Body[]} bodies @returns {Promise<Holder[][]>} */
async function holders(context, bodies) {
  const loaded = bodies.map((body) => {
    body.load("text");
    body.contentControls.load("items/tag,items/text");
    if (canReadFields()) body.fields.load("items/code,items/result/text");
    return body;
  });
  await context.sync();
  const lists = loaded.map((body) => ({
    controls: body.contentControls.items.filter(({ tag }) => citationOf(tag)),
    fields: canReadFields() ? body.fields.items.filter(({ code }) => isZotero(code) && citationOf(code)) : [],
  }));
  return Promise.all(lists.map(async ({ controls, fields }) => {
    if (!controls.length || !fields.length) return [...controls, ...fields];
    const ranks = await before(context, fields.map(startOf), controls.map(startOf));
    /** @type {Holder[]} */
    const merged = [];
    let next = 0;
    fields.forEach((field, at) => {
      merged.push(...controls.slice(next, ranks[at]), field);
      next = Math.max(next, ranks[at]);
    });
    return [...merged, ...controls.slice(next)];
  }));
}

/** @param {Word.RequestContext} context @param {Holder[]} list @param {Word.NoteItem[]} notes */
async function notesBefore(context, list, notes) {
  if (!notes.length || !list.length) return list.map(() => 0);
  return before(context, list.map(startOf), notes.map((note) => note.reference));
}

// For each range, how many of the others, which are in order, stand before it: halves what is left of all at once, so that
// the number of requests grows with the logarithm.
/** @param {Word.RequestContext} context @param {Word.Range[]} ranges @param {Word.Range[]} others */
async function before(context, ranges, others) {
  const bounds = ranges.map(() => ({ from: 0, to: others.length }));
  for (let left = others.length; left > 0; left >>= 1) {
    const asked = bounds.map(({ from, to }, at) => {
      const middle = (from + to) >> 1;
      return from < to ? { middle, told: others[middle].compareLocationWith(ranges[at]) } : undefined;
    });
    await context.sync();
    asked.forEach((answer, at) => {
      if (!answer) return;
      if (/^(Adjacent)?Before$/.test(answer.told.value)) bounds[at].from = answer.middle + 1;
      else bounds[at].to = answer.middle;
    });
  }
  return bounds.map(({ from }) => from);
}

// Puts a new citation at a range, whose text is set by the next refresh.
/** @param {Word.Range} range @param {Citation} citation @param {string} text */
export function insert(range, citation, text) {
  const written = range.insertText(text, "End");
  const control = written.insertContentControl();
  control.title = "Citation";
  control.appearance = "BoundingBox";
  control.tag = tagOf(citation, text);
  return control;
}

// Writes the text and the code of a citation.
/** @param {Cited} cited @param {Run[]} runs @param {Citation} citation @param {{ formatted: string, plain: string }} coded */
export function write({ holder, text, note }, runs, citation, coded) {
  if (textOf(runs) !== text) writeRuns(contentOf(holder), runs);
  if (isField(holder)) holder.code = zoteroCode(codeIn(holder.code), citation, coded, note);
  else holder.tag = tagOf(citation, textOf(runs));
}

/** @param {Cited} cited */
export function remove({ holder }) {
  if (isField(holder)) holder.delete();
  else holder.delete(false);
}

/** @param {Word.Range | Word.ContentControl | Word.Paragraph} place @param {Run[]} runs */
function writeRuns(place, runs) {
  runs.forEach((run, at) => {
    const range = place.insertText(run.text, at ? "End" : "Replace");
    const { font } = range;
    font.italic = Boolean(run.italic);
    font.bold = Boolean(run.bold);
    font.underline = run.underline ? "Single" : "None";
    font.superscript = run.position === "superscript";
    font.subscript = run.position === "subscript";
    if (hasSmallCaps()) font.smallCaps = Boolean(run.small_caps);
  });
}

// Moves a citation of the text into a new note behind it; `author` stays in the text.
/** @param {Cited} cited @param {Run[]} author @param {Citation} citation @param {Run[]} runs */
export function toNote(cited, author, citation, runs) {
  const content = contentOf(cited.holder);
  const note = content.getRange("After").insertFootnote("");
  insert(note.body.getRange("End"), citation, textOf(runs));
  if (author.length) writeRuns(content, author);
  if (author.length) unlink([cited], undefined);
  else remove(cited);
}

// Moves the citation of a note that contains nothing else into the text.
/** @param {Cited} cited */
export function toText({ citation, text, footnote }) {
  if (!footnote) return;
  insert(footnote.reference.getRange("Start").insertText(" ", "Before").getRange("End"), citation, text);
  footnote.delete();
}

// The control of the list, if the document has one.
/** @param {Word.RequestContext} context */
export async function findList(context) {
  const lists = context.document.contentControls.getByTag(LIST);
  lists.load("items/text");
  await context.sync();
  return lists.items.at(0);
}

/** @param {Word.Range} range */
export function insertList(range) {
  const control = range.insertParagraph("", "After").insertContentControl();
  control.title = "Citation";
  control.tag = LIST;
  return control;
}

// Writes the entries of the list, a paragraph each.
/** @param {Word.RequestContext} context @param {Word.ContentControl} control @param {Run[][]} entries @param {{ hanging_indent?: boolean, second_field_align?: string | null, max_offset?: number, entry_spacing?: number }} layout */
export async function writeList(context, control, entries, layout) {
  control.clear();
  const width = layout.second_field_align ? CHARACTER * Math.max(2, (layout.max_offset ?? 0) + 1) : layout.hanging_indent ? HANGING : 0;
  entries.forEach((runs, at) => {
    const paragraph = at ? control.insertParagraph("", "End") : control.paragraphs.getFirst();
    paragraph.leftIndent = width;
    paragraph.firstLineIndent = -width;
    paragraph.spaceAfter = LINE * (layout.entry_spacing ?? 0);
    writeRuns(paragraph, runs);
  });
  await context.sync();
}

// Makes plain text of the citations and the list.
/** @param {Cited[]} cited @param {Word.ContentControl | undefined} list */
export function unlink(cited, list) {
  for (const { holder } of cited) {
    if (isField(holder)) holder.unlink();
    else holder.delete(true);
  }
  list?.delete(true);
}

// The citation around the selection.
/** @param {Word.RequestContext} context @param {Cited[]} cited @returns {Promise<Cited | undefined>} */
export async function selected(context, cited) {
  const selection = context.document.getSelection();
  const places = cited.map(({ holder }) => contentOf(holder).getRange("Whole").compareLocationWith(selection));
  await context.sync();
  return cited.find((_, at) => /^(Equal|Contains)/.test(places[at].value));
}
