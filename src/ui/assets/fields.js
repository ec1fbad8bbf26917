// The fields that the editor shows for each type, by the interface's names, and reading and writing
// them as text.

import { has, say } from "./words.js";

export const TYPES = [
  "Article", "Book", "Chapter", "ConferencePaper", "Thesis", "Report", "Preprint", "Webpage",
  "NewspaperArticle", "MagazineArticle", "Dataset", "Software", "Standard", "Patent", "MotionPicture", "Document",
];

const BOOK = ["publisher", "publisher_place", "edition", "isbn"];
const WEB = ["url", "accessed"];
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
};
const OTHERS = ["container_title", "volume", "issue", "pages", "publisher", "publisher_place", "doi", ...WEB];

// Fields that every type may have, behind “more fields”.
export const MORE = ["language", "issn", "abstract"];
export const NAMES = { Book: ["editors", "translators"], Chapter: ["editors"], ConferencePaper: ["editors"] };
// Without these a citation is hardly one.
const NEEDED = { Article: ["authors", "date", "journal"], Book: ["date", "publisher"], Chapter: ["container_title", "date"] };

// A field as people call it.
export const fieldName = (name) => (has(`field.${name}`) ? say(`field.${name}`) : name);

export const fieldsOf = (type) => FIELDS[type] ?? OTHERS;

export const isDate = (name) => name === "date" || name === "accessed";

export const missing = (metadata) =>
  ["title", ...(NEEDED[metadata.entry_type] ?? ["date"])].filter((name) => {
    const value = name === "journal" ? metadata.journal ?? metadata.container_title : metadata[name];
    return value === undefined || value === "" || value?.length === 0;
  });

const two = (number) => String(number).padStart(2, "0");

// A field as text: dates as ISO 8601 as far as they go, names a line each.
export function toText(name, value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(nameText).join("\n");
  if (typeof value !== "object") return String(value);
  if (value.literal) return value.literal;
  return [value.year, value.month && two(value.month), value.month && value.day && two(value.day)].filter(Boolean).join("-");
}

function nameText(name) {
  if (typeof name === "string") return name;
  if (name.literal) return name.literal;
  const family = [name.non_dropping_particle, name.family].filter(Boolean).join(" ");
  const given = [name.given, name.dropping_particle].filter(Boolean).join(" ");
  return [family, name.suffix, given].filter(Boolean).join(", ");
}

// What a field's text means to the interface; undefined where it is empty. Names and dates are read
// by the server from text.
export function fromText(name, text) {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  if (["authors", "editors", "translators"].includes(name)) {
    return splitNames(trimmed).map((line) => {
      const [family, ...given] = line.split(",").map((part) => part.trim());
      return given.length ? { family, given: given.pop(), ...(given.length && { suffix: given[0] }) } : { literal: family };
    });
  }
  if (isDate(name)) {
    const date = trimmed.match(/^(-?\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/);
    if (!date) return { literal: trimmed };
    const [year, month, day] = date.slice(1).map((part) => (part ? Number(part) : undefined));
    return { year, ...(month && { month }), ...(day && { day }) };
  }
  return trimmed;
}

// A line a name; “Last, First; Last, First” on one line are several.
const splitNames = (text) => text.split(/\n|;/).map((line) => line.trim()).filter(Boolean);
