// Narrowing a list to the works that one is after: by words, tag, type and state.

import { el, select } from "./dom.js";
import { nameOf, plainTitle } from "./rich.js";
import { count, has, say } from "./words.js";

// Works from which on a list can be narrowed.
const WORTHWHILE = 6;

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Everything of a work that one may remember of it.
function words(entry) {
  const { metadata } = entry;
  const names = [...(metadata.authors ?? []), ...(metadata.editors ?? [])].flatMap((name) => [name.given, nameOf(name)]);
  return fold([
    plainTitle(metadata), ...names, metadata.journal, metadata.container_title, metadata.publisher, metadata.date?.year,
    metadata.doi, metadata.isbn, entry.note, ...(entry.tags ?? []),
  ].filter(Boolean).join(" "));
}

const labelled = (stem) => (value) => (has(`${stem}.${value}`) ? say(`${stem}.${value}`) : value);

// The kinds of choice: what each reads from a work and how it names it.
const KINDS = {
  tag: { of: (entry) => entry.tags ?? [], name: (tag) => tag },
  type: { of: (entry) => [entry.metadata.entry_type].filter(Boolean), name: labelled("type") },
  state: { of: (entry) => [entry.review_status].filter(Boolean), name: labelled("review") },
};

export class ListFilter {
  #choices = new Map();

  // `changed` is called when another part of the list is wanted.
  constructor(changed) {
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
    // Enter would send the form that the list is in.
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
    this.element = el("div", { class: "narrow", role: "search", hidden: true }, this.input, [...this.#choices.values()], this.said, this.clear);
  }

  get isActive() {
    return Boolean(this.input.value.trim()) || [...this.#choices.values()].some((choice) => choice.value);
  }

  reset() {
    this.input.value = "";
    for (const choice of this.#choices.values()) choice.value = "";
  }

  // Gives the ids of the works that are not wanted, and shows the choices that the list offers.
  hidden(entries) {
    this.element.hidden = entries.length < WORTHWHILE && !this.isActive;
    for (const [kind, choice] of this.#choices) offer(kind, choice, entries);
    const parts = fold(this.input.value).split(/\s+/).filter(Boolean);
    const chosen = [...this.#choices].filter(([, choice]) => choice.value);
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

// Offers the values that occur, if there is a choice among them.
function offer(kind, choice, entries) {
  const { of, name } = KINDS[kind];
  const values = [...new Set([...entries.flatMap(of), choice.value].filter(Boolean))].sort();
  choice.hidden = values.length < 2 && !choice.value && kind !== "tag" || !values.length;
  const key = values.join("\n");
  if (choice.dataset.key === key) return;
  choice.dataset.key = key;
  const options = select([["", say(`filter.${kind}`)], ...values.map((value) => [value, name(value)])], choice.value);
  const { value } = choice;
  choice.replaceChildren(...options.children);
  choice.value = value;
}
