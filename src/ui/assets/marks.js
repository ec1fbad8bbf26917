// Italics, subscripts and superscripts of a title: by button, and kept from what is pasted.

import { el } from "./dom.js";
import "./more-words.js";
import { say } from "./words.js";

/** @type {[tag: string, key: string, sign: string][]} */
const MARKS = [["i", "editor.italic", "I"], ["sub", "editor.sub", "x₂"], ["sup", "editor.sup", "x²"]];
/** @type {Record<string, string>} */
const KEPT = { i: "i", em: "i", sub: "sub", sup: "sup" };
/** @type {Record<string, string>} */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** @param {HTMLInputElement | HTMLTextAreaElement} control @param {string} text */
function insert(control, text) {
  control.setRangeText(text, control.selectionStart ?? 0, control.selectionEnd ?? 0, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

// The buttons for a title's control.
/** @param {HTMLInputElement | HTMLTextAreaElement} control */
export function marks(control) {
  /** @type {HTMLElement} */ (control).addEventListener("paste", (event) => {
    const html = event.clipboardData?.getData("text/html") ?? "";
    if (!/<(i|em|sub|sup)[\s>]/i.test(html)) return;
    event.preventDefault();
    insert(control, markedText(html));
  });
  return el("div", { class: "marks" }, MARKS.map(([tag, key, sign]) =>
    el("button", { type: "button", class: "plain", title: say(key), "aria-label": `${say(key)} ${sign}`, onclick: () => {
      const [from, to] = [control.selectionStart ?? 0, control.selectionEnd ?? 0];
      const chosen = control.value.slice(from, to);
      control.focus();
      insert(control, `<${tag}>${chosen}</${tag}>`);
      const end = from + tag.length + 2 + chosen.length;
      control.setSelectionRange(from + tag.length + 2, end);
    } }, el(tag === "i" ? "i" : "span", {}, sign))));
}

// Pasted HTML as text with the tags that titles have.
/** @param {string} html */
export function markedText(html) {
  const inner = html.match(/<!--StartFragment-->(.*)<!--EndFragment-->/s)?.[1] ?? html;
  const bare = inner.replace(/<!--.*?-->/gs, "").replace(/<(style|script|title)\b.*?<\/\1>/gis, "");
  const kept = bare.replace(/<(\/?)([a-z0-9]+)[^>]*>/gi, (_, end, name) => {
    const tag = KEPT[name.toLowerCase()];
    return tag ? `<${end}${tag}>` : "";
  });
  return kept.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name) => ENTITIES[name]).replace(/\s+/g, " ").trim();
}
