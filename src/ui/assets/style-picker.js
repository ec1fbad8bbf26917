// The style picker: a combobox (WAI-ARIA 1.2) over all installed styles, filtered by class and
// field, with a preview of the reader's first work in the highlighted style.

import { get, post } from "./api.js";
import { announce, byId, el, unique } from "./dom.js";
import { newest } from "./pace.js";
import { rich } from "./rich.js";
import { count, has, say } from "./words.js";

const RECENT = "recent-styles";
// Number of recent styles remembered.
const REMEMBERED = 5;
// Maximum number of styles per search.
const MOST = 50;

/** @returns {Api.Style[]} */
const recent = () => {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? "[]");
  } catch {
    return [];
  }
};

/** @param {Api.Style} style */
const isOwn = (style) => style.id.startsWith("own:");

// Own styles are listed while signed in and must not be remembered for others.
/** @param {Api.Style} style */
function remember(style) {
  if (isOwn(style)) return;
  const list = [style, ...recent().filter((known) => known.id !== style.id)];
  localStorage.setItem(RECENT, JSON.stringify(list.slice(0, REMEMBERED)));
}

// Search results of this visit by query, and previews by style.
/** @type {Map<string, Promise<any>>} `any`: styles by a query, one by its id */
const answers = new Map();
/** @type {Map<string, Promise<Api.Formatted>>} */
const samples = new Map();

// The cached value of a key, or a new one; failures are not cached.
/** @template Value @param {Map<string, Promise<Value>>} map @param {string} key @param {() => Promise<Value>} make @returns {Promise<Value>} */
function kept(map, key, make) {
  const known = map.get(key) ?? make().catch((failure) => {
    map.delete(key);
    throw failure;
  });
  map.set(key, known);
  return known;
}

// Styles by search parameters: {q, citation_format, field}.
/** @typedef {{ q: string, citation_format?: string, field?: string }} Wanted */

/** @param {Wanted} wanted @param {boolean} hasSamples whether each comes with a sample @returns {Promise<Api.Style[]>} */
export function searchStyles(wanted, hasSamples = false) {
  const { q, ...narrow } = wanted;
  const query = new URLSearchParams({ q, limit: String(MOST) });
  for (const [name, value] of Object.entries(narrow)) if (value) query.set(name, value);
  if (hasSamples) query.set("samples", "true");
  return kept(answers, String(query), () => get(`/api/v1/styles/search?${query}`));
}

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Whether every typed word begins a word of the style.
/** @param {Api.Style} style @param {string} query */
function fits(style, query) {
  const words = plain([style.title, style.title_short, style.id, style.parent].join(" ")).split(/[^\p{L}\p{N}]+/u);
  return plain(query).split(/\s+/).filter(Boolean).every((part) => words.some((word) => word.startsWith(part)));
}

export class StylePicker extends HTMLElement {
  /** @type {(Api.Style & { isRecent?: boolean })[]} */
  #choices = [];
  #active = -1;
  /** @type {Api.Style} */
  #chosen = { id: "", title: "" };
  /** @type {Api.Style[]} */
  listed = [];
  /** @type {() => Api.Metadata | undefined} */
  first = () => undefined;
  list = el("ul", { role: "listbox", id: unique("styles"), tabindex: "-1", "aria-label": say("style.search") });
  sample = el("p", { class: "sample-line", id: `${this.list.id}-sample`, dir: "auto", hidden: true });
  input = el("input", {
    type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list",
    "aria-expanded": "false", "aria-controls": this.list.id, "aria-describedby": this.sample.id,
  });
  narrow = byId("narrow");
  popup = el("div", { class: "options", hidden: true }, this.narrow, this.list, this.sample);
  // Counts closings of the list, to discard results requested before.
  #closed = 0;

  // `first` returns the work for the preview, or undefined.
  /** @param {HTMLSelectElement} select @param {() => Api.Metadata | undefined} first */
  begin(select, first) {
    this.first = first;
    this.listed = [...select.options].map((option) => ({ id: option.value, title: option.text }));
    this.input.id = select.id;
    this.narrow.hidden = false;
    this.className = "combobox";
    this.style.display = "block";
    this.append(this.input, this.popup);
    select.replaceWith(this);
    // Tabbing through opens nothing.
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("click", () => this.#open());
    this.input.addEventListener("input", () => this.#look());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.narrow.addEventListener("change", () => this.#find());
    this.narrow.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.input.focus();
      this.#close();
    });
    // Clicks in the list must not move the focus.
    this.popup.addEventListener("mousedown", (event) => /** @type {Element} */ (event.target).closest("select") || event.preventDefault());
    this.addEventListener("focusout", (event) => this.contains(/** @type {Node | null} */ (event.relatedTarget)) || this.#close());
  }

  get chosen() {
    return this.#chosen;
  }

  // Selects a style by its short name.
  async choose(id = "") {
    if (id === this.#chosen.id) return;
    const known = [...this.listed, ...recent()].find((style) => style.id === id);
    this.#chosen = known ?? { id, title: id };
    this.#name();
    if (known || !id) return;
    const style = await kept(answers, id, () => get(`/api/v1/styles/${encodeURIComponent(id)}`)).catch(() => undefined);
    if (!style || this.#chosen.id !== id) return;
    this.#chosen = style;
    this.#name();
  }

  #name() {
    if (document.activeElement !== this.input) this.input.value = this.#chosen.title;
  }

  // The search: the typed text, unless it is the name of the chosen style, and the filters.
  get #wanted() {
    const typed = this.input.value.trim();
    const value = (/** @type {string} */ name) => /** @type {HTMLSelectElement} */ (this.narrow.querySelector(`[data-name=${name}]`)).value;
    return { q: typed === this.#chosen.title ? "" : typed, citation_format: value("citation_format"), field: value("field") };
  }

  #open() {
    if (!this.popup.hidden) return;
    this.input.select();
    this.#find();
  }

  #close() {
    this.#closed += 1;
    if (this.popup.hidden) return;
    this.popup.hidden = true;
    this.sample.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.#chosen.title;
  }

  // While typing: shows matching styles of the list at once, then the search results.
  #look() {
    const { q } = this.#wanted;
    const fitting = this.#choices.filter((style) => fits(style, q));
    if (fitting.length) this.#show(fitting);
    this.popup.hidden = false;
    this.#later();
  }

  #later = newest(120, () => (this.popup.hidden ? undefined : this.#find()));

  // Shows the server's results unless they are outdated.
  async #find() {
    const wanted = this.#wanted;
    const closed = this.#closed;
    const key = JSON.stringify(wanted);
    const isAll = !wanted.q && !wanted.citation_format && !wanted.field;
    try {
      const found = isAll ? this.#usual() : await this.#search(wanted);
      if (JSON.stringify(this.#wanted) !== key || this.#closed !== closed) return;
      this.#show(found);
      announce(found.length ? count("style.found", found.length) : say("style.none"));
    } catch {
      // Server unreachable: the list stays.
    }
  }

  // The server's results after the user's own matching styles.
  /** @param {Wanted} wanted */
  async #search(wanted) {
    /** @param {Api.Style} style */
    const fitting = (style) => isOwn(style) && fits(style, wanted.q);
    const own = wanted.citation_format || wanted.field ? [] : this.listed.filter(fitting);
    return [...own, ...(await searchStyles(wanted))];
  }

  // Recent styles, and those of the page.
  #usual() {
    const used = recent();
    return [...used.map((style) => ({ ...style, isRecent: true })), ...this.listed.filter((style) => !used.some((known) => known.id === style.id))];
  }

  /** @param {Api.Style[]} choices */
  #show(choices) {
    const pointed = this.#choices[this.#active]?.id;
    this.#choices = choices;
    this.#active = -1;
    this.list.replaceChildren(...choices.map((style, at) => el("li", {
      role: "option", id: `${this.list.id}-${at}`, "aria-selected": "false",
      onclick: () => this.#take(style),
      onpointerenter: () => this.#point(at),
    }, el("span", { dir: "auto" }, style.title), el("span", { class: "quiet" }, this.#about(style)))));
    if (!choices.length) this.list.append(el("li", { role: "option", "aria-disabled": "true" }, say("style.none")));
    // Enter takes the first of what is searched for.
    this.list.toggleAttribute("data-searched", Boolean(this.#wanted.q));
    this.popup.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    const again = pointed ? choices.findIndex((style) => style.id === pointed) : -1;
    if (again >= 0) this.#point(again);
  }

  /** @param {Api.Style & { isRecent?: boolean }} style */
  #about(style) {
    const key = `format.${style.citation_format}`;
    const parts = [has(key) && say(key), style.isRecent && say("style.recent")];
    return parts.filter(Boolean).join(" · ");
  }

  /** @param {number} at */
  #point(at) {
    const items = this.list.children;
    items[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = at;
    const item = items[at];
    if (!item || !this.#choices[at]) return;
    item.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", item.id);
    this.#try();
  }

  #try = newest(200, async () => {
    const style = this.#choices[this.#active];
    if (!style || this.popup.hidden) return;
    const work = this.first() ?? (await import("./samples.js")).SAMPLES[0];
    const make = () => post("/api/v1/format", { entries: [work], style: style.id });
    const formatted = await kept(samples, JSON.stringify([style.id, work]), make).catch(() => undefined);
    if (this.#choices[this.#active] !== style) return;
    const entry = formatted?.entries[0];
    this.sample.hidden = !entry;
    if (entry) this.sample.replaceChildren(rich(entry.bibliography_html ?? entry.in_text_html));
  });

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.#choices.length - 1;
    /** @type {Record<string, () => unknown>} */
    const steps = {
      ArrowDown: () => (this.popup.hidden ? this.#open() : this.#point(Math.min(this.#active + 1, last))),
      ArrowUp: () => this.#point(Math.max(this.#active - 1, 0)),
      Enter: () => this.#enter(),
      Escape: () => this.#close(),
    };
    if (!steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
    this.list.children[this.#active]?.scrollIntoView({ block: "nearest" });
  }

  // Selects the highlighted style, else the first match.
  async #enter() {
    if (this.popup.hidden) return this.#open();
    const pointed = this.#choices[this.#active];
    if (pointed) return this.#take(pointed);
    const wanted = this.#wanted;
    if (!wanted.q) return this.#close();
    const [first] = await this.#search(wanted).catch(() => []);
    if (first && !this.popup.hidden && this.#wanted.q === wanted.q) this.#take(first);
    return undefined;
  }

  /** @param {Api.Style} style */
  #take(style) {
    this.#chosen = style;
    remember({ id: style.id, title: style.title, citation_format: style.citation_format });
    this.#close();
    announce(say("style.changed", { title: style.title }));
    this.dispatchEvent(new CustomEvent("choose", { detail: style }));
  }
}

customElements.define("style-picker", StylePicker);
