// The fields that the server reads in the text of a reference.

import { readText } from "./cite-box.js";

// The fields of a reference as the server reads them; its text as the title if it reads none.
/** @param {string} text @returns {Promise<Api.Metadata>} */
export async function readFields(text) {
  const read = await readText(text).catch(() => undefined);
  const [parsed] = read?.parsed ?? [];
  if (read?.entries.length) return read.entries[0].metadata;
  if (read?.parsed.length !== 1) return { title: text };
  const fields = metadataOf(parsed, text);
  return { entry_type: fields.container_title ? "Article" : "Book", ...fields };
}

// The fields of a parsed reference as a work.
/** @param {Api.ReadReference | undefined} parsed @param {string} text @returns {Api.Metadata} */
export function metadataOf(parsed, text) {
  const { title, authors = [], container_title, year, volume, issue, pages, identifiers = [] } = parsed ?? {};
  /** @param {string} kind */
  const known = (kind) => identifiers.find((identifier) => identifier.kind === kind)?.value;
  const given = {
    title: title || text, authors, date: year ? { year } : undefined, container_title, volume, issue, pages, doi: known("doi"), isbn: known("isbn"),
  };
  const said = Object.entries(given).filter(([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && !value.length));
  return Object.fromEntries(said);
}
