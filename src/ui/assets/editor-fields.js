// The editor's fields for each type, by their API names; reading and writing them as text.

const BOOK = ["publisher", "publisher_place", "edition", "isbn"];
const WEB = ["url", "accessed"];
const SHOWN = ["publisher", "publisher_place", "genre", "archive", "archive_location", "url"];
const LAW = ["container_title", "volume", "pages", "number", "authority", "url"];
/** @type {Record<string, string[] | undefined>} */
const FIELDS = {
  Article: ["journal", "volume", "issue", "pages", "doi"],
  Book: [...BOOK, "volume", "collection_title", "doi"],
  Chapter: ["container_title", "pages", ...BOOK, "doi"],
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
  MotionPicture: ["publisher", "publisher_place", "url"],
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
export const MORE = ["language", "issn", "abstract"];

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
export const isDate = (name) => name === "date" || name === "accessed";

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
