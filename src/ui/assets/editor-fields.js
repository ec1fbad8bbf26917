// The editor's fields for each type, by their API names; reading and writing them as text.

import { one } from "./detect.js";
import { fieldName } from "./fields.js";

const BOOK = ["publisher", "publisher_place", "edition", "isbn"];
const WEB = ["url", "accessed"];
const SHOWN = ["publisher", "publisher_place", "genre", "archive", "archive_location", "url"];
const LAW = ["container_title", "volume", "pages", "number", "authority", "url"];
/** @type {Record<string, string[] | undefined>} */
const FIELDS = {
  Article: ["journal", "volume", "issue", "pages", "number", "doi"],
  Book: [...BOOK, "volume", "collection_title", "collection_number", "doi"],
  Chapter: ["container_title", "pages", ...BOOK, "volume", "collection_title", "collection_number", "doi"],
  ConferencePaper: ["container_title", "event_title", "pages", "publisher", "doi"],
  Thesis: ["genre", "publisher", "publisher_place", "url"],
  Report: ["genre", "number", "publisher", "publisher_place", "url", "doi"],
  Preprint: ["publisher", "number", "doi", "url"],
  Webpage: ["container_title", ...WEB],
  NewspaperArticle: ["journal", "pages", ...WEB],
  MagazineArticle: ["journal", "volume", "issue", "pages", ...WEB],
  Dataset: ["publisher", "number", "doi", "url"],
  Software: ["publisher", "number", "doi", "url"],
  Standard: ["number", "publisher", "publisher_place", "url"],
  Patent: ["number", "publisher", "url"],
  MotionPicture: ["container_title", "publisher", "publisher_place", ...WEB],
  BlogPost: ["container_title", ...WEB],
  Post: ["container_title", "genre", ...WEB],
  Broadcast: ["container_title", "number", "publisher", "genre", ...WEB],
  Speech: ["event_title", "event_place", "genre", ...WEB],
  Interview: ["container_title", "genre", "publisher", ...WEB],
  PersonalCommunication: ["genre", "archive", "archive_location"],
  EncyclopediaEntry: ["container_title", "volume", "pages", ...BOOK, ...WEB],
  DictionaryEntry: ["container_title", "volume", "pages", ...BOOK, ...WEB],
  Entry: ["container_title", "pages", ...BOOK, ...WEB],
  Review: ["journal", "volume", "issue", "pages", "doi", "url"],
  BookReview: ["journal", "reviewed_title", "volume", "issue", "pages", "doi", "url"],
  Manuscript: ["genre", "archive", "archive_location", "publisher_place", "url"],
  Pamphlet: ["publisher", "publisher_place", "number", "url"],
  Periodical: ["volume", "issue", "publisher", "publisher_place", "issn"],
  Graphic: SHOWN,
  Figure: ["container_title", "number", ...SHOWN],
  Map: ["number", ...SHOWN],
  Song: ["container_title", "publisher", "genre", "number", "url"],
  MusicalScore: ["publisher", "publisher_place", "genre", "number", "url"],
  Performance: ["event_title", "event_place", "genre", "url"],
  Event: ["event_place", "genre", "url"],
  LegalCase: ["authority", "container_title", "volume", "pages", "number", "url"],
  Legislation: LAW,
  Bill: LAW,
  Regulation: LAW,
  Hearing: ["authority", "event_place", "number", "publisher", "url"],
  Treaty: LAW,
};
const OTHERS = ["container_title", "volume", "issue", "pages", "publisher", "publisher_place", "doi", ...WEB];

// Fields of every type, behind “more fields”.
export const MORE = ["url", "accessed", "original_date", "language", "issn", "citation_key", "abstract"];

// Contributor roles besides author, for each type.
/** @type {Record<string, string[] | undefined>} */
export const NAMES = {
  Book: ["editors", "translators"], Chapter: ["editors"], ConferencePaper: ["editors"],
  EncyclopediaEntry: ["editors"], DictionaryEntry: ["editors"], Entry: ["editors"],
  Interview: ["interviewers"], PersonalCommunication: ["recipients"],
  MotionPicture: ["directors", "script_writers", "producers"], Broadcast: ["hosts", "guests", "directors"],
  Song: ["composers", "performers"], MusicalScore: ["composers"], Performance: ["directors", "performers"],
  Review: ["reviewed_authors"], BookReview: ["reviewed_authors"],
};
// Shown if a work has them, whatever its type.
export const ROLES = [
  ...new Set(Object.values(NAMES).flatMap((names) => names ?? [])), "illustrators", "narrators", "container_authors", "collection_editors",
];
/** @param {string} name */
export const isNames = (name) => name === "authors" || ROLES.includes(name);

/** @param {string} [type] */
export const fieldsOf = (type) => FIELDS[type ?? ""] ?? OTHERS;

/** @param {string} name */
export const isDate = (name) => ["date", "accessed", "original_date"].includes(name);

// What is wrong with an identifier or a date as typed, as the key of a message.
/** @param {string} name @param {string} text */
export function doubt(name, text) {
  const value = text.trim();
  if (!value) return undefined;
  if (name === "doi" && !/10(\.\d{4,9})?(\.\d+)*\/\S+/.test(value)) return "editor.bad-doi";
  if (name === "isbn" && value.split(/[,;]\s*|\s{2,}/).some((part) => one(part).kind !== "isbn")) return "editor.bad-isbn";
  return isDate(name) && !/\d{3,4}|[\u0660-\u0669]{4}/.test(value) ? "editor.bad-date" : undefined;
}

// A field's label; the number of an article is that of the article.
/** @param {string} name @param {string} [type] */
export const labelOf = (name, type) => fieldName(name === "number" && type === "Article" ? "article_number" : name);

// Tags as typed, separated by the commas of any script.
/** @param {string} text */
export const readTags = (text) => text.split(/[,،，、]/).map((tag) => tag.trim()).filter(Boolean);

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

// A field as text: dates as ISO 8601 to their precision, names one per line.
/** @param {string} name @param {unknown} value */
export function toText(name, value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(nameText).join("\n");
  if (typeof value !== "object") return String(value);
  const { literal, year, month, day } = /** @type {Api.PartialDate} */ (value);
  return literal || [year, month && two(month), month && day && two(day)].filter(Boolean).join("-");
}

/** @param {string | Api.Name} name */
const nameText = (name) => (typeof name === "string" ? name : nameParts(name).filter(Boolean).join(", "));

// A name as the parts before and after its comma; institutions have no second part.
/** @param {Api.Name} name @returns {[last: string, first: string]} */
export function nameParts(name) {
  if (name.literal) return [name.literal, ""];
  const family = [name.non_dropping_particle, name.family].filter(Boolean).join(" ");
  const given = [name.given, name.dropping_particle].filter(Boolean).join(" ");
  return [[family, name.suffix].filter(Boolean).join(", "), given];
}

// A field's text as an API value; the API parses dates. Undefined if empty.
/** @param {string} text */
export const fromText = (text) => text.trim() || undefined;
