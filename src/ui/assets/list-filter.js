// Filters a list by words, tag, type and state, and shows it in an order other than the bibliography's.

import { el, select } from "./dom.js";
import { nameOf, plainTitle } from "./rich.js";
import { count, has, say } from "./words.js";

// Minimum number of works for a filter.
const WORTHWHILE = 6;

/** @param {string} text */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// The searchable words of a work.
/** @param {Api.Entry} entry */
function words(entry) {
  const { metadata } = entry;
  const names = [...(metadata.authors ?? []), ...(metadata.editors ?? [])].flatMap((name) => [name.given, nameOf(name)]);
  return fold([
    plainTitle(metadata), ...names, metadata.journal, metadata.container_title, metadata.publisher, metadata.date?.year,
    metadata.doi, metadata.isbn, entry.note, ...(entry.tags ?? []),
  ].filter(Boolean).join(" "));
}

/** @param {string} stem @returns {(value: string) => string} */
const labelled = (stem) => (value) => (has(`${stem}.${value}`) ? say(`${stem}.${value}`) : value);

// The filters: how each reads its values from a work and labels them.
/**
 * @typedef {{ of: (entry: Api.Entry) => string[], name: (value: string) => string }} Kind
 * @type {Record<string, Kind>}
 */
const KINDS = {
  tag: { of: (entry) => entry.tags ?? [], name: (tag) => tag },
  type: { of: ({ metadata: { entry_type: type } }) => (type ? [type] : []), name: labelled("type") },
  state: { of: ({ review_status: state }) => (state ? [state] : []), name: labelled("review") },
};

// The list's own order, regardless of the style.
export const OWN = "own";

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

// By a text of each work; works without one come last.
/** @typedef {(a: Api.Entry, b: Api.Entry) => number} Order */
/** @param {(entry: Api.Entry) => string} of @returns {Order} */
const by = (of) => (a, b) => Number(!of(a)) - Number(!of(b)) || collator.compare(of(a), of(b));
/** @param {Api.Entry} entry */
const author = ({ metadata }) => nameOf(metadata.authors?.[0] ?? metadata.editors?.[0] ?? {});
/** @param {Api.Entry} entry */
const year = ({ metadata }) => metadata.date?.year ?? -Infinity;
/** @type {Record<string, Order | undefined>} */
const ORDERS = {
  author: by(author),
  title: by((entry) => plainTitle(entry.metadata)),
  year: (a, b) => year(b) - year(a) || 0,
  added: (a, b) => collator.compare(b.added_at ?? "", a.added_at ?? ""),
};

export class ListFilter {
  /** @type {Map<string, HTMLSelectElement>} */
  #choices = new Map();

  // `changed` is called when filter or order change, `keep` to apply the order to the list.
  /** @param {() => void} changed @param {() => unknown} keep */
  constructor(changed, keep) {
    this.input = el("input", { type: "search", autocomplete: "off", "aria-label": say("filter.words"), placeholder: say("filter.words"), oninput: changed });
    this.said = el("span", { class: "quiet", role: "status" });
    this.clear = el("button", { type: "button", class: "plain", hidden: true, onclick: () => {
      this.reset();
      this.input.focus();
      changed();
    } }, say("filter.all"));
    for (const kind of Object.keys(KINDS)) {
      this.#choices.set(kind, el("select", { "aria-label": say(`filter.${kind}`), onchange: changed }));
    }
    const orders = ["", OWN, ...Object.keys(ORDERS)].map((name) => /** @type {[string, string]} */ ([name, say(`order.${name || "style"}`)]));
    this.ordering = select(orders, "", { "aria-label": say("order.label"), onchange: changed });
    this.keeping = el("button", { type: "button", class: "plain", hidden: true, onclick: async () => {
      await keep();
      this.ordering.value = OWN;
      this.ordering.focus();
      changed();
    } }, say("order.keep"));
    // Enter would submit the surrounding form.
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
    this.input.addEventListener("keydown", (event) => event.key === "Escape" && !this.isActive && this.toggle(false));
    this.element = el("div", { class: "narrow", role: "search", hidden: true }, this.input, [...this.#choices.values()], this.ordering, this.keeping, this.said, this.clear);
  }

  // Shows or hides the filter; an active filter cannot be hidden.
  toggle(isOpen = !this.#isOpen) {
    this.#isOpen = isOpen;
    this.element.hidden = !isOpen && !this.isActive && !this.order;
    if (isOpen) this.input.focus();
  }

  #isOpen = false;

  // Whether a list is long enough for a filter.
  static isWorthwhile = (/** @type {Api.Entry[]} */ entries) => entries.length >= WORTHWHILE;

  get isActive() {
    return Boolean(this.input.value.trim()) || [...this.#choices.values()].some((choice) => choice.value);
  }

  reset() {
    this.input.value = "";
    for (const choice of this.#choices.values()) choice.value = "";
  }

  // The chosen order; empty for the bibliography's.
  get order() {
    return this.ordering.value;
  }

  /** @param {Api.Entry[]} entries */
  sorted(entries) {
    const compare = ORDERS[this.order];
    return compare ? [...entries].sort(compare) : entries;
  }

  // Returns the ids of the hidden works and updates the filters' choices.
  /** @param {Api.Entry[]} entries */
  hidden(entries) {
    this.element.hidden = !this.#isOpen && !this.isActive && !this.order;
    this.keeping.hidden = !(this.order in ORDERS);
    for (const [kind, choice] of this.#choices) offer(kind, choice, entries);
    const parts = fold(this.input.value).split(/\s+/).filter(Boolean);
    const chosen = [...this.#choices].filter(([, choice]) => choice.value);
    /** @param {Api.Entry} entry */
    const isWanted = (entry) => {
      const text = parts.length ? words(entry) : "";
      return parts.every((part) => text.includes(part)) && chosen.every(([kind, choice]) => KINDS[kind].of(entry).includes(choice.value));
    };
    const hidden = new Set(this.isActive ? entries.filter((entry) => !isWanted(entry)).map((entry) => entry.id) : []);
    const shown = entries.length - hidden.size;
    this.clear.hidden = !this.isActive;
    this.said.textContent = !this.isActive ? "" : shown ? count("filter.count", entries.length, { shown }) : say("filter.none");
    return hidden;
  }
}

// Offers the values that occur, if there are several.
/** @param {string} kind @param {HTMLSelectElement} choice @param {Api.Entry[]} entries */
function offer(kind, choice, entries) {
  const { of, name } = KINDS[kind];
  const values = [...new Set([...entries.flatMap(of), choice.value].filter(Boolean))].sort();
  choice.hidden = values.length < 2 && !choice.value && kind !== "tag" || !values.length;
  const key = values.join("\n");
  if (choice.dataset.key === key) return;
  choice.dataset.key = key;
  const options = select([["", say(`filter.${kind}`)], ...values.map((value) => /** @type {[string, string]} */ ([value, name(value)]))], choice.value);
  const { value } = choice;
  choice.replaceChildren(...options.children);
  choice.value = value;
}
