// What a citation in Word keeps besides its text: the works whole, and how each is cited. Written like Mendeley Cite in the
// tag of a content control and like Zotero in the code of a field, so that both go on with the document.

const TAG = "MENDELEY_CITATION_v3_";
const FIELD = "ADDIN ZOTERO_ITEM CSL_CITATION ";

/**
 * @typedef {Record<string, any>} Json `any`: what other programs keep
 * @typedef {{ id: string, items: Json[], isByHand: boolean, printed: string }} Citation
 * `items` are CSL cites with `itemData`; `printed` is the text as a program last wrote it
 */

export const MODES = ["composite", "author-only", "suppress-author"];

// A new citation of cites.
/** @param {Json[]} items @returns {Citation} */
export const newCitation = (items) => ({ id: crypto.randomUUID(), items, isByHand: false, printed: "" });

// The citation in a tag or in the code of a field; undefined if there is none that can be read.
/** @param {string} text @returns {Citation | undefined} */
export function citationOf(text) {
  const code = text.startsWith(TAG) ? decoded(text.slice(TAG.length)) : isZotero(text) ? codeIn(text) : undefined;
  const items = code?.citationItems;
  if (!Array.isArray(items) || !items.every((item) => item && typeof item === "object")) return undefined;
  const { properties = {}, manualOverride = {} } = code ?? {};
  return {
    id: String(code?.citationID ?? ""),
    items,
    isByHand: Boolean(manualOverride.isManuallyOverridden || properties.dontUpdate || properties.custom),
    printed: String(manualOverride.citeprocText ?? properties.plainCitation ?? ""),
  };
}

/** @param {string} code */
export const isZotero = (code) => code.trimStart().startsWith("ADDIN ZOTERO_ITEM");

// The JSON in the code of a field.
/** @param {string} code @returns {Json | undefined} */
export function codeIn(code) {
  const json = code.slice(code.indexOf("{"), code.lastIndexOf("}") + 1);
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// The tag of a control with a text.
/** @param {Citation} citation @param {string} text */
export function tagOf({ id, items }, text) {
  return TAG + encoded({
    citationID: id.startsWith("MENDELEY_CITATION_") ? id : `MENDELEY_CITATION_${id}`,
    properties: { noteIndex: 0 },
    isEdited: false,
    manualOverride: { isManuallyOverridden: false, citeprocText: text, manualOverrideText: "" },
    citationItems: items.map((item) => ({ ...item, isTemporary: false })),
  });
}

// The code of a field of Zotero with a new text; what Zotero keeps in it stays.
/** @param {Json | undefined} code @param {Citation} citation @param {{ formatted: string, plain: string }} coded @param {number} note */
export function zoteroCode(code, { items }, { formatted, plain }, note) {
  const properties = { ...code?.properties, formattedCitation: formatted, plainCitation: plain, noteIndex: note };
  return ` ${FIELD}${JSON.stringify({ ...code, properties, citationItems: items })} `;
}

/** @param {Json} cite */
export const modeOf = (cite) => MODES.find((mode) => cite[mode] === true) ?? "normal";

/** @param {{ text: string }[]} runs */
export const textOf = (runs) => runs.map(({ text }) => text).join("");

/** @param {Json} value */
function encoded(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** @param {string} text @returns {Json | undefined} */
function decoded(text) {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
