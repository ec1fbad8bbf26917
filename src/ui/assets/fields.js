// What a field is called, and which ones a work lacks.

import { has, say } from "./words.js";

// Without these a citation is hardly one.
/** @type {Record<string, string[] | undefined>} */
const NEEDED = { Article: ["authors", "date", "journal"], Book: ["date", "publisher"], Chapter: ["container_title", "date"] };

// A field as people call it. Names for what people did come with the rest of the messages.
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
