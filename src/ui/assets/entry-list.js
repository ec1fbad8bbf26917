// The list of works. One stop of the tab key is the list, arrows move in it; the buttons of the work
// that one is at can be tabbed to.

import { announce, el, openMenu } from "./dom.js";
import { draggable } from "./drag.js";
import { missing } from "./fields.js";
import { plainTitle, rich } from "./rich.js";
import { has, say } from "./words.js";

export class EntryList extends HTMLElement {
  #items = new Map();
  #current;
  selected = new Set();

  connectedCallback() {
    if (this.list) return;
    this.list = el("ol", { class: "entries", role: "list", "data-live": "on", "aria-label": say("list.label") });
    this.empty = el("p", { class: "empty" }, say("list.empty"));
    this.append(this.list, this.empty);
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusin", (event) => this.#follow(event.target));
    draggable(this.list, (item, to) => this.#tell("move", item.dataset.id, to));
  }

  // Shows works in an order, with what the formatter made of each: `rendered` by id. Those of
  // `hidden` are left out; `isFixed` where the reader cannot choose the order.
  show(entries, rendered, { hanging = false, hidden = new Set(), isFixed = false } = {}) {
    const focused = this.list.contains(document.activeElement) && document.activeElement;
    const at = [...this.#items.keys()].indexOf(this.#current);
    const ids = new Set(entries.map((entry) => entry.id));
    for (const [id, item] of this.#items) {
      if (ids.has(id)) continue;
      item.remove();
      this.#items.delete(id);
      this.selected.delete(id);
    }
    let before = this.list.firstChild;
    for (const entry of entries) {
      let item = this.#items.get(entry.id);
      if (!item) this.#items.set(entry.id, (item = this.#make(entry.id)));
      this.#fill(item, entry, rendered?.get(entry.id));
      item.hidden = hidden.has(entry.id);
      if (item === before) before = before.nextSibling;
      else this.#place(item, before);
    }
    this.order = entries.map((entry) => entry.id);
    this.list.classList.toggle("hanging", hanging);
    this.list.classList.toggle("fixed", isFixed || hidden.size > 0);
    this.empty.hidden = entries.length > 0;
    this.list.hidden = entries.length === 0;
    const shown = this.#shown;
    if (!shown.includes(this.#current)) this.#current = shown[Math.min(Math.max(at, 0), shown.length - 1)];
    this.#rove();
    if (focused && document.activeElement !== focused) (focused.isConnected && focused.checkVisibility() ? focused : this.item)?.focus();
  }

  // Puts an item into its place without taking the focus from what is in it, where browsers can.
  #place(item, before) {
    if (this.list.moveBefore && item.isConnected) this.list.moveBefore(item, before);
    else this.list.insertBefore(item, before);
  }

  get #shown() {
    return this.order.filter((id) => !this.#items.get(id).hidden);
  }

  get current() {
    return this.#current;
  }

  get item() {
    return this.#items.get(this.#current);
  }

  #make(id) {
    const tell = (name) => () => this.#tell(name, id);
    const button = (key, name) => el("button", { type: "button", class: "plain", onclick: tell(name) }, say(key));
    const more = el("button", {
      type: "button", class: "plain", "aria-haspopup": "menu", "aria-expanded": "false",
      onclick: () => this.#menu(more, id),
    }, say("entry.more"));
    const item = el("li", { class: "entry", tabindex: "-1", "data-id": id },
      el("div", { class: "text" }),
      el("p", { class: "under" }, el("span", { class: "in-text" }), el("span", { class: "badges" })),
      el("p", { class: "note", dir: "auto", hidden: true }),
      el("div", { class: "buttons" }, button("entry.cite", "cite"), button("entry.entry", "copy"), button("entry.edit", "edit"), more,
        el("span", { class: "grip", "aria-hidden": "true", title: say("list.drag") }, "⠿")));
    item.addEventListener("dblclick", () => {
      if (!getSelection()?.toString().trim()) this.#tell("edit", id);
    });
    return item;
  }

  #fill(item, entry, rendered) {
    const html = rendered?.html;
    const shown = html ?? plainTitle(entry.metadata);
    if (item.shown !== shown) {
      const [text] = item.children;
      text.replaceChildren(html === undefined ? shown || say("entry.untitled") : rich(html));
      text.dir = "auto";
      const language = entry.metadata.language;
      if (/^[a-z]{2,3}(-[\w-]+)?$/i.test(language ?? "")) text.lang = language;
      item.shown = shown;
    }
    item.querySelector(".in-text").textContent = rendered?.in_text ?? "";
    item.querySelector(".badges").replaceChildren(...badges(entry));
    const note = item.querySelector(".note");
    note.textContent = entry.note ?? "";
    note.hidden = !entry.note;
    item.classList.toggle("selected", this.selected.has(entry.id));
    const title = plainTitle(entry.metadata) || say("entry.untitled");
    for (const button of item.querySelectorAll(".buttons button")) {
      button.setAttribute("aria-label", `${button.textContent}: ${title}`);
    }
    item.doi = entry.metadata.doi;
  }

  #menu(button, id) {
    const item = this.#items.get(id);
    const at = this.order.indexOf(id);
    const act = (key, name) => [say(key), () => this.#tell(name, id)];
    openMenu(button, say("entry.more"), [
      at > 0 && act("entry.up", "up"),
      at < this.order.length - 1 && act("entry.down", "down"),
      at > 0 && act("entry.top", "top"),
      act("entry.select", "select"),
      act("entry.duplicate", "duplicate"),
      act("entry.verify", "verify"),
      item.doi && act("entry.open", "open"),
      act("entry.remove", "remove"),
    ].filter(Boolean));
  }

  #tell(name, id, to) {
    this.dispatchEvent(new CustomEvent("act", { detail: { name, id, to } }));
  }

  #key(event) {
    const item = event.target.closest(".entry");
    if (!item || event.ctrlKey || event.metaKey) return;
    const id = item.dataset.id;
    const isItem = event.target === item;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      return this.#tell(event.key === "ArrowUp" ? "up" : "down", id);
    }
    if (event.altKey) return;
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    const acts = { Enter: "edit", Delete: "remove", Backspace: "remove", " ": "select" };
    if (event.key in moves) this.step(moves[event.key]);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(-1);
    else if (isItem && event.key in acts) this.#tell(acts[event.key], id);
    else return;
    event.preventDefault();
  }

  step(by) {
    const shown = this.#shown;
    const at = shown.indexOf(this.#current);
    this.#goTo(shown[Math.min(Math.max(at + by, 0), shown.length - 1)]);
  }

  // Selects everything between the work that was last selected and the one that one is at.
  selectRange() {
    const shown = this.#shown;
    const last = [...this.selected].at(-1);
    const [from, to] = [Math.max(0, shown.indexOf(last)), shown.indexOf(this.#current)].sort((a, b) => a - b);
    for (const id of shown.slice(from, to + 1)) this.selected.add(id);
  }

  // Goes to a place of the list; -1 is the last one.
  go(at) {
    this.#goTo(this.#shown.at(at));
  }

  #goTo(id) {
    if (!this.#items.has(id)) return;
    this.#current = id;
    this.#rove();
    this.item.focus();
    this.item.scrollIntoView({ block: "nearest" });
  }

  // Goes to a work and says where it is.
  reveal(id) {
    this.#goTo(id);
    announce(this.item?.textContent ?? "");
  }

  #follow(target) {
    const id = target.closest(".entry")?.dataset.id;
    if (!id || id === this.#current) return;
    this.#current = id;
    this.#rove();
  }

  #rove() {
    for (const [id, item] of this.#items) {
      const isCurrent = id === this.#current;
      item.tabIndex = isCurrent ? 0 : -1;
      for (const control of item.querySelectorAll("button, a")) control.tabIndex = isCurrent ? 0 : -1;
    }
  }
}

function badges(entry) {
  const tags = (entry.tags ?? []).map((tag) => el("span", { class: "tag", dir: "auto" }, tag));
  const lacking = missing(entry.metadata).map((name) => (has(`field.${name}`) ? say(`field.${name}`) : name));
  const notices = (entry.metadata.updates ?? entry.updates ?? []).some((update) =>
    ["retraction", "withdrawal"].includes(update.type) && update.relation !== "update_to");
  const state = entry.review_status && entry.review_status !== "clean" ? entry.review_status : null;
  return [
    ...tags,
    notices || state === "retracted" ? el("span", { class: "badge retracted" }, say("entry.retracted")) : null,
    state && state !== "retracted" ? el("span", { class: `badge ${state}` }, say(`review.${state}`)) : null,
    lacking.length ? el("span", { class: "badge needs_review" }, say("entry.missing", { fields: lacking.join(", ") })) : null,
  ].filter(Boolean).flatMap((badge) => [" ", badge]);
}

customElements.define("entry-list", EntryList);
