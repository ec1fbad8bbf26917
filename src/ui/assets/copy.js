// Export: the clipboard in two formats, and files.

import { isLong, late, send } from "./api.js";
import { el } from "./dom.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

// The formats to copy and download, by their API names.
/** @type {[format: string, name: string][]} */
export const FORMATS = [
  ["bibtex", "BibTeX"], ["biblatex", "biblatex"], ["ris", "RIS"], ["csl-json", "CSL-JSON"],
  ["rtf", "RTF"], ["html", "HTML"], ["markdown", "Markdown"], ["text", "Text"],
];

// A tab that Word, LibreOffice and Google Docs all accept from a page.
const TAB = '<span class="Apple-tab-span" style="mso-tab-count:1;white-space:pre">&#9;</span>';
// Points: the width of a digit, and the hanging indent.
const DIGIT = 6;
const INDENT = 36;

// An entry's HTML as the content of a paragraph: a tab after its label, and its blocks as lines.
/** @param {string} html */
function inline(html) {
  /** @type {string[]} */
  const open = [];
  const flat = html.replace(/<div class="csl-([\w-]+)">|<\/div>/g, (tag, block) => {
    if (block) open.push(block);
    const kind = block ?? open.pop();
    if (kind === "left-margin") return block ? "" : TAB;
    return kind === "right-inline" ? "" : "<br>";
  });
  return flat.replace(/^(?:<br>)+|(?:<br>)+$/g, "").replace(/(?:<br>)+/g, "<br>");
}

/** @param {string} html */
const labelOf = (html) => html.match(/<div class="csl-left-margin">(.*?)<\/div>/)?.[1].replace(/<[^>]+>/g, "");

// Formatted entries for word processors: a paragraph each, with a hanging indent as wide as the widest
// label, if there are labels.
/** @param {string[]} entries @param {Api.Layout | null} [layout] */
export function paragraphs(entries, layout) {
  const labels = entries.map(labelOf).filter((label) => label !== undefined);
  const widest = Math.max(0, ...labels.map((label) => label.length));
  const indent = labels.length ? (widest + 2) * DIGIT : layout?.hanging_indent ? INDENT : 0;
  const hanging = indent ? `margin-left:${indent}pt;text-indent:-${indent}pt;${labels.length ? `tab-stops:${indent}pt;` : ""}` : "";
  return entries.map((html) => `<p style="margin-top:0;margin-bottom:6pt;${hanging}">${inline(html)}</p>`).join("\n");
}

// Puts HTML and text on the clipboard; returns whether that succeeded.
/** @param {string} text @param {string | undefined} html @param {string} said */
export async function copy(text, html, said) {
  // execCommand keeps HTML as it is; the Clipboard API would apply the formatter's style attributes
  // to this page, which the security policy forbids.
  const isDone = html ? copyOld(text, html) || (await copyModern(text, html)) : (await copyModern(text)) || copyOld(text);
  toast(isDone ? said : say("copy.failed"));
  return isDone;
}

/** @param {string} text @param {string} [html] */
async function copyModern(text, html) {
  try {
    if (!html) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    /** @param {string} type @param {string} content */
    const blob = (type, content) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({ "text/plain": blob("text/plain", text), "text/html": blob("text/html", html) }),
    ]);
    return true;
  } catch {
    return false;
  }
}

// Also works outside secure contexts.
/** @param {string} text @param {string} [html] */
function copyOld(text, html) {
  const box = el("textarea", { class: "unseen", "aria-hidden": "true" });
  box.value = text;
  const host = document.querySelector("dialog[open]") ?? document.body;
  const from = /** @type {HTMLElement | null} */ (document.activeElement);
  host.append(box);
  box.select();
  const fill = (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    if (html) event.clipboardData?.setData("text/html", html);
  };
  document.addEventListener("copy", fill, { once: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  box.remove();
  from?.focus();
  return isDone;
}

// The list in a format, as text, with its file name.
/** @param {Api.Metadata[]} entries @param {string} format @param {Setting} setting @param {(done: number, all: number) => void} [told] */
export async function written(entries, format, { style, locale }, told) {
  if (isLong(entries)) {
    const { writeLong } = await late(import("./long-lists.js"));
    const { blob, disposition } = await writeLong(entries, format, { style, locale }, { told });
    return { blob, name: nameIn(disposition) };
  }
  const body = JSON.stringify({ entries, format, style: style || undefined, locale: locale || undefined });
  const response = await send("POST", "/api/v1/export", { body, type: "application/json" });
  return { blob: await response.blob(), name: nameIn(response.headers.get("content-disposition") ?? "") };
}

/** @param {string} disposition */
const nameIn = (disposition) => disposition.match(/filename="([^"]+)"/)?.[1] ?? "bibliography.txt";

/** @param {Api.Metadata[]} entries @param {string} format @param {Setting} setting @param {(done: number, all: number) => void} [told] */
export async function download(entries, format, setting, told) {
  const { blob, name } = await written(entries, format, setting, told);
  save(blob, name);
  toast(say("export.done", { format: FORMATS.find(([known]) => known === format)?.[1] ?? format }));
}

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
