// A field for names: one row each for last and first name, split when the focus leaves the row;
// institutions have only a last name. Several names pasted into one row become rows.

import { el, unique } from "./dom.js";
import { nameParts } from "./editor-fields.js";
import "./more-words.js";
import { say } from "./words.js";

// Words of institution names, in the pages' languages.
const INSTITUTION = /universi|institu|organi[sz]a|ministe?r|departa?ment|committee|council|associa|society|gesellschaft|agenc|commission|foundation|stiftung|government|office|bureau|company|group|team|network|consorti|\b(of|for|the|für|pour|inc|ltd|gmbh)\b/i;

const between = /\s*(?:;|\n|\s(?:and|und|et|y|&)\s)\s*/;

/** @param {string} text */
const namesIn = (text) => text.split(between).map((name) => name.trim()).filter(Boolean);

// {family, suffix, given}, or {literal} for an institution or a single word.
/** @param {string} text @returns {Api.Name} */
export function readName(text) {
  const trimmed = text.trim();
  const [family, ...rest] = trimmed.split(",").map((part) => part.trim());
  if (rest.length > 2 || INSTITUTION.test(trimmed)) return { literal: trimmed };
  if (rest.length) return { family, given: rest.pop(), ...(rest.length && { suffix: rest[0] }) };
  // Lowercase words before the last one belong to it: “Ludwig van Beethoven”.
  const parts = trimmed.match(/^(.*?\S)\s+((?:\p{Ll}\S*\s+)*\S+)$/u);
  return parts ? { given: parts[1], family: parts[2] } : { literal: trimmed };
}

// A name as the texts of its row's two boxes.
/** @param {string | Api.Name} name */
const inBoxes = (name) => nameParts(typeof name === "string" ? readName(name) : name);

/** @param {string} last @param {string} first @returns {Api.Name | undefined} */
function fromBoxes(last, first) {
  if (!first) return last ? { literal: last } : undefined;
  const [family, suffix] = last.split(",").map((part) => part.trim());
  return { family, given: first, ...(suffix && { suffix }) };
}

export class NamesField extends HTMLElement {
  // The original names by row: an unchanged row keeps all their parts.
  /** @type {Map<Element, Api.Name>} */
  #given = new Map();
  label = "";
  change = () => {};
  rows = el("ol", { class: "names" });

  // `label` names the rows as a group; `change` is called at every change.
  /** @param {string} label @param {() => void} change */
  begin(label, change) {
    this.label = label;
    this.change = change;
    const title = el("span", { class: "names-title", id: unique("n") }, label);
    this.setAttribute("role", "group");
    this.setAttribute("aria-labelledby", title.id);
    this.append(title, this.rows, el("button", { type: "button", class: "plain", onclick: () => this.#add().focus() }, say("names.add")));
    return this;
  }

  focus() {
    (this.querySelector("input") ?? this.#add()).focus();
  }

  get names() {
    const rows = /** @type {HTMLElement[]} */ ([...this.rows.children]);
    return rows.flatMap((row) => {
      const [last, first] = this.#texts(row);
      // A row is not split while typing.
      if (!first && "typed" in row.dataset) return namesIn(last).map(readName);
      const given = this.#given.get(row);
      const isSame = given && inBoxes(given).join("\n") === `${last}\n${first}`;
      return isSame ? given : fromBoxes(last, first) ?? [];
    });
  }

  /** @param {Api.Name[]} names */
  set names(names) {
    this.rows.replaceChildren();
    this.#given.clear();
    for (const name of names) this.#add(name);
    if (!names.length) this.#add();
  }

  /** @param {Element} row */
  #texts(row) {
    return [...row.querySelectorAll("input")].map((input) => input.value.trim());
  }

  // Adds a row after another or at the end; returns its first box.
  /** @param {Api.Name} [name] @param {Element | null} behind */
  #add(name, behind = this.rows.lastElementChild) {
    const [last, first] = name ? inBoxes(name) : ["", ""];
    const box = (/** @type {string} */ key, /** @type {string} */ value) => el("input", {
      value, dir: "auto", autocomplete: "off", spellcheck: "false", placeholder: say(key), "aria-label": `${this.label}: ${say(key)}`, oninput: this.change,
    });
    const [family, given] = [box("names.last", last), box("names.first", first)];
    /** @type {HTMLButtonElement} */
    const remove = el("button", {
      type: "button", class: "plain", "aria-label": say("names.remove"), onclick: () => {
        const next = row.nextElementSibling ?? row.previousElementSibling;
        row.remove();
        (next?.querySelector("input") ?? this.#add()).focus();
        this.change();
      },
    }, "×");
    /** @type {HTMLButtonElement} */
    const up = el("button", { type: "button", class: "plain up", "aria-label": say("names.up"), title: say("names.up"), onclick: () => {
      row.previousElementSibling?.before(row);
      (row.previousElementSibling ? up : family).focus();
      this.change();
    } }, "↑");
    const row = el("li", {}, family, given, up, remove);
    if (name) this.#given.set(row, name);
    family.addEventListener("input", () => (row.dataset.typed = ""));
    family.addEventListener("change", () => this.#split(row));
    if (behind) behind.after(row);
    else this.rows.append(row);
    return family;
  }

  // Splits a row whose first box holds a full name or several names.
  /** @param {HTMLElement} row */
  #split(row) {
    delete row.dataset.typed;
    const [family, given] = row.querySelectorAll("input");
    const names = namesIn(family.value);
    if (given.value.trim() || !names.length) return;
    const [first, ...others] = names.map(readName);
    [family.value, given.value] = inBoxes(first);
    // In reverse, since each is added right after the row.
    for (const name of others.reverse()) this.#add(name, row);
    this.change();
  }
}

customElements.define("names-field", NamesField);
