// The choice of style: a combobox (WAI-ARIA 1.2) over every style that is installed, with the
// reader's own first work shown in the style that is pointed at.

import { get, post } from "./api.js";
import { announce, debounce, el, unique } from "./dom.js";
import { rich } from "./rich.js";
import { count, has, say } from "./words.js";

const RECENT = "recent-styles";
// Styles that are remembered as used recently.
const REMEMBERED = 5;

const recent = () => {
  try {
    return JSON.parse(localStorage.getItem(RECENT)) ?? [];
  } catch {
    return [];
  }
};

function remember(style) {
  const list = [style, ...recent().filter((known) => known.id !== style.id)];
  localStorage.setItem(RECENT, JSON.stringify(list.slice(0, REMEMBERED)));
}

export class StylePicker extends HTMLElement {
  #choices = [];
  #active = -1;
  #search;
  #chosen = { id: "", title: "" };
  // What the shown choices were searched for.
  #shownFor = "";

  // `first` gives the work that a style is shown with, or nothing.
  begin(select, first) {
    this.first = first;
    this.#choices = [...select.options].map((option) => ({ id: option.value, title: option.text }));
    this.listed = this.#choices;
    const list = unique("styles");
    this.input = el("input", {
      id: select.id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list, "aria-describedby": `${list}-sample`,
    });
    this.list = el("ul", { role: "listbox", id: list, "aria-label": say("style.search") });
    this.sample = el("p", { class: "sample-line", id: `${list}-sample`, dir: "auto", hidden: true });
    this.popup = el("div", { class: "options", hidden: true }, this.list, this.sample);
    this.className = "combobox";
    this.style.display = "block";
    this.append(this.input, this.popup);
    select.replaceWith(this);
    this.input.addEventListener("focus", () => this.#open());
    this.input.addEventListener("click", () => this.#open());
    this.input.addEventListener("input", () => this.#look());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.#look = debounce(120, () => this.#find());
    this.#try = debounce(250, () => this.#preview());
  }

  #look;
  #try;

  get chosen() {
    return this.#chosen;
  }

  // Shows a style as chosen, by its short name.
  async choose(id) {
    let style = this.listed.find((known) => known.id === id) ?? recent().find((known) => known.id === id);
    if (!style && id) style = await get(`/api/v1/styles/${encodeURIComponent(id)}`).catch(() => ({ id, title: id }));
    this.#chosen = style ?? { id: "", title: "" };
    if (document.activeElement !== this.input) this.input.value = this.#chosen.title;
  }

  #open() {
    if (!this.popup.hidden) return;
    this.input.select();
    this.#shownFor = this.input.value.trim();
    const used = recent();
    this.#show([...used.map((style) => ({ ...style, isRecent: true })), ...this.listed.filter((style) => !used.some((known) => known.id === style.id))]);
  }

  #close() {
    this.popup.hidden = true;
    this.sample.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.#chosen.title;
  }

  async #find() {
    const query = this.input.value.trim();
    this.#search?.abort();
    this.#shownFor = query;
    if (!query) return this.#show(this.listed);
    this.#search = new AbortController();
    try {
      const path = `/api/v1/styles/search?limit=50&q=${encodeURIComponent(query)}`;
      this.#show(await get(path, { signal: this.#search.signal }));
    } catch {
      // A newer search is under way, or the server cannot be reached: the list stays.
    }
  }

  #show(choices) {
    this.#choices = choices;
    this.#active = -1;
    this.list.replaceChildren(...choices.map((style, at) => el("li", {
      role: "option", id: `${this.list.id}-${at}`, "aria-selected": "false",
      onpointerdown: (event) => {
        event.preventDefault();
        this.#take(style);
      },
      onpointerenter: () => this.#point(at),
    }, el("span", { dir: "auto" }, style.title), el("span", { class: "quiet" }, this.#about(style)))));
    if (!choices.length) this.list.append(el("li", { role: "option", "aria-disabled": "true" }, say("style.none")));
    this.popup.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
    announce(choices.length ? count("style.found", choices.length) : say("style.none"));
  }

  #about(style) {
    const key = `format.${style.citation_format}`;
    const parts = [style.isRecent && say("style.recent"), has(key) && say(key), style.parent, style.id];
    return parts.filter(Boolean).join(" · ");
  }

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

  async #preview() {
    const style = this.#choices[this.#active];
    const work = this.first();
    if (!style || !work || this.popup.hidden) return;
    try {
      const formatted = await post("/api/v1/format", { entries: [work], style: style.id });
      if (this.#choices[this.#active] !== style) return;
      const entry = formatted.entries[0];
      this.sample.replaceChildren(rich(entry.bibliography_html ?? entry.in_text_html));
      this.sample.hidden = false;
    } catch {
      this.sample.hidden = true;
    }
  }

  #key(event) {
    const last = this.#choices.length - 1;
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

  // Takes the style that is pointed at, else the first one of what was typed.
  async #enter() {
    if (this.popup.hidden) return this.#open();
    if (this.input.value.trim() !== this.#shownFor) await this.#find();
    const style = this.#choices[Math.max(this.#active, 0)];
    return style && this.#take(style);
  }

  #take(style) {
    this.#chosen = style;
    remember({ id: style.id, title: style.title, citation_format: style.citation_format });
    this.#close();
    announce(say("style.changed", { title: style.title }));
    this.dispatchEvent(new CustomEvent("choose", { detail: style }));
  }
}

customElements.define("style-picker", StylePicker);
