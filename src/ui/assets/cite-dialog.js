// Copies a citation of one or several works, each with locator, affixes and author, formatted by the
// style.

import { failureText, get, post } from "./api.js";
import { copy } from "./copy.js";
import { el, field, once, openDialog, select } from "./dom.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { plainTitle, rich } from "./rich.js";
import { say } from "./words.js";

// The kinds of places in a work that a cite may name, as CSL has them.
export const LABELS = [
  "page", "chapter", "section", "paragraph", "figure", "table", "line", "note", "volume", "verse", "folio", "part",
];

// The formats to copy. The server writes the last three.
/** @type {[form: string, name: string][]} */
const MARKUP = [["markdown", "Markdown"], ["latex", "LaTeX"], ["typst", "Typst"]];
const FORM = "citation-form";

// `entries` are all works of the list, `ids` the cited ones.
/** @param {Api.Entry[]} entries @param {string[]} ids @param {Setting} setting */
export function citeDialog(entries, ids, setting) {
  const cites = ids.map((id) => ({
    index: entries.findIndex((known) => known.id === id), label: "page", locator: "", prefix: "", suffix: "", author: "with",
  }));
  const preview = el("div", { class: "preview", "aria-live": "polite", "aria-label": say("cite.preview"), role: "group" });
  const button = el("button", { class: "primary" }, say("cite.copy"));

  /** @type {[form: string, name: string][]} */
  const forms = [["rich", say("copy.rich")], ["text", "Text"], ["html", "HTML"], ...MARKUP];
  /** @type {HTMLSelectElement} */
  const form = select(forms, localStorage.getItem(FORM), { onchange: () => localStorage.setItem(FORM, form.value) });
  const markup = () => MARKUP.map(([name]) => name).filter((name) => name === form.value);

  // Where the note stands: styles of notes shorten later ones.
  /** @type {HTMLSelectElement} */
  const position = select([["first", say("cite.first")], ["subsequent", say("cite.short")], ["following", say("cite.following")]], "first", { onchange: () => show() });
  const notes = el("div", { hidden: true }, field(say("cite.position"), position));
  if (setting.style) {
    get(`/api/v1/styles/${setting.style.split("/").map(encodeURIComponent).join("/")}`)
      .then((/** @type {Api.Style} */ style) => (notes.hidden = style.citation_format !== "note"), () => {});
  }

  /** @param {AbortSignal} signal @returns {Promise<Api.GroupCite>} */
  const make = (signal) => post("/api/v1/format/group-cite", {
    entries: entries.map((entry) => entry.metadata),
    items: cites.map((cite) => ({
      index: cite.index,
      locator: cite.locator || undefined,
      label: cite.label,
      prefix: cite.prefix && `${cite.prefix} `,
      suffix: cite.suffix && `${/^[\p{L}\p{N}]/u.test(cite.suffix) ? ", " : ""}${cite.suffix}`,
      suppress_author: cite.author === "without",
      author_only: cite.author === "only",
    })),
    style: setting.style || undefined,
    locale: setting.locale || undefined,
    position: position.value === "first" ? undefined : position.value,
    formats: markup(),
  }, { signal });

  // The citation in the chosen format, as text and, if available, as HTML.
  /** @param {Api.GroupCite} citation @returns {[text: string, html?: string]} */
  const written = ({ citation: text, citation_html: html, formats }) => {
    if (form.value === "rich") return [text, html];
    return [{ text, html }[form.value] ?? formats?.[form.value] ?? text];
  };

  // Updates the preview and returns the citation; undefined if formatting fails.
  /** @param {AbortSignal} signal */
  const update = async (signal) => {
    try {
      const citation = await make(signal);
      preview.replaceChildren(rich(citation.citation_html));
      return citation;
    } catch (failure) {
      if (!signal.aborted) preview.textContent = failureText(failure);
      return undefined;
    }
  };
  const show = newest(200, update);
  /** @typedef {Exclude<keyof typeof cites[0], "index">} Part */
  /** @param {typeof cites[0]} cite @param {Part} name @param {string} label @param {Properties} properties */
  const cell = (cite, name, label, properties) => field(say(label), el("input", {
    autocomplete: "off", dir: "auto", ...properties, oninput: (event) => {
      cite[name] = /** @type {HTMLInputElement} */ (event.target).value.trim();
      show();
    },
  }));
  /** @param {typeof cites[0]} cite @param {Part} name @param {string} label @param {[string, string][]} options */
  const choice = (cite, name, label, options) => field(say(label), select(options, cite[name], {
    onchange: (event) => {
      cite[name] = /** @type {HTMLSelectElement} */ (event.target).value;
      show();
    },
  }));
  /** @param {typeof cites[0]} cite @param {number} at */
  const part = (cite, at) => el("fieldset", {},
    cites.length > 1 ? el("legend", { dir: "auto" }, plainTitle(entries[cite.index].metadata)) : el("legend", { class: "unseen" }, say("cite.work")),
    el("div", { class: "pair even" },
      cell(cite, "locator", "cite.locator", { autofocus: at === 0, placeholder: say("cite.locator-example") }),
      choice(cite, "label", "cite.label", LABELS.map((label) => /** @type {[string, string]} */ ([label, say(`locator.${label}`)]))),
      cell(cite, "prefix", "cite.prefix", { placeholder: say("cite.prefix-example") }),
      cell(cite, "suffix", "cite.suffix", { placeholder: say("cite.suffix-example") }),
      choice(cite, "author", "cite.author", [
        ["with", say("cite.author-with")], ["without", say("cite.author-without")], ["only", say("cite.author-only")],
      ]), cites.length > 1 ? "" : field(say("copy.as"), form)));
  openDialog(say("cite.title"), (heading, dialog) => {
    const shell = el("form", { method: "dialog" }, heading, preview, notes, cites.map(part), cites.length > 1 ? field(say("copy.as"), form) : "",
      el("div", { class: "row" }, button,
        el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"))));
    // Copies what the form says now, even if the preview is outdated.
    const take = once(async () => {
      const citation = await update(new AbortController().signal);
      if (!citation) return;
      const [text, html] = written(citation);
      if (await copy(text, html, say("copy.citation"))) dialog.close();
    });
    shell.addEventListener("submit", (event) => {
      event.preventDefault();
      take();
    });
    return shell;
  }, { address: `cite/${ids.join(",")}` });
  show();
}
