// Field labels, and the fields missing from a work.

import { has, say } from "./words.js";

// The minimum for a citation.
/** @type {Record<string, string[] | undefined>} */
const NEEDED = { Article: ["authors", "date", "journal"], Book: ["date", "publisher"], Chapter: ["container_title", "date"] };

// A field's label. Those of contributor roles load with the other messages.
/** @param {string} name */
export const fieldName = (name) => {
  const key = [`field.${name}`, `role.${name}`].find(has);
  return key ? say(key) : name;
};

/** @param {Api.Metadata} metadata */
export const missing = (metadata) =>
  ["title", ...(NEEDED[metadata.entry_type ?? ""] ?? ["date"])].filter((name) => {
    const value = name === "journal" ? metadata.journal ?? metadata.container_title : metadata[name];
    return value === undefined || value === "" || (Array.isArray(value) && !value.length);
  });
