// The list of works. It is one tab stop with arrow keys inside; the buttons of the current work can
// be tabbed to.

import { announce, el, openMenu } from "./dom.js";
import { fieldName, missing } from "./fields.js";
import { plainTitle, rich } from "./rich.js";
import { say } from "./words.js";

// Rows of a list up to this length are complete at once.
const COMPLETE = 300;

const LANGUAGE = /^[a-z]{2,3}(-[\w-]+)?$/i;

// The row of a work. Updates only what changed, so a new style for a long list touches only the
// texts.
class Row {
  /** @type {Api.Entry | undefined} */
  #entry;
  /** @type {Rendered | undefined} */
  #rendered;
  /** @type {string | undefined} */
  #html;
  /** @type {HTMLElement[]} */
  marks = [];
  #isCurrent = false;
  pick = el("input", { type: "checkbox", class: "pick", tabindex: "-1" });
  badges = el("span", { class: "badges" });
  note = el("p", { class: "note", dir: "auto", hidden: true });

  // `tell` receives the name of an action on the work; `menu` opens the other actions.
  /** @param {string} id @param {(name: string) => void} tell @param {(button: HTMLElement) => void} menu */
  constructor(id, tell, menu) {
    /** @param {string} key @param {string} name */
    const button = (key, name) => el("button", { type: "button", class: "plain", tabindex: "-1", onclick: () => tell(name) }, say(key));
    /** @type {HTMLButtonElement} */
    const more = el("button", {
      type: "button", class: "plain", tabindex: "-1", "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => menu(more),
    }, "⋯");
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.text = el("div", { class: "text", dir: "auto" });
    this.inText = el("span", { class: "in-text" });
    this.tell = tell;
    this.item = el("li", { class: "entry", tabindex: "-1", "data-id": id }, this.text, el("div", { class: "below" }, el("p", { class: "under" }, this.inText)));
    // Its controls, made when it comes near the window: a list of thousands appears at once.
    this.complete = () => {
      if (this.buttons.length) return;
      this.buttons = [button("entry.cite", "cite"), button("entry.entry", "copy"), button("entry.edit", "edit"), more];
      this.item.prepend(this.pick);
      this.text.after(this.note);
      this.inText.after(this.badges);
      this.item.querySelector(".below")?.append(el("div", { class: "buttons" }, this.buttons,
        el("span", { class: "grip", "aria-hidden": "true", title: say("list.drag") }, "⠿")));
      if (this.#entry) this.#describe(this.#entry);
      if (this.#isCurrent) this.#rove();
    };
    this.pick.addEventListener("change", () => tell("select"));
    this.item.addEventListener("dblclick", () => {
      if (!getSelection()?.toString().trim()) tell("edit");
    });
  }

  get doi() {
    return this.#entry?.metadata.doi;
  }

  // A work and its formatted texts.
  /** @param {Api.Entry} entry @param {Rendered} [rendered] */
  show(entry, rendered) {
    const isSame = entry === this.#entry;
    if (isSame && rendered === this.#rendered) return;
    this.#rendered = rendered;
    this.#entry = entry;
    if (!isSame && this.buttons.length) this.#describe(entry);
    this.inText.replaceChildren(rendered?.in_text ? rich(rendered.in_text_html ?? rendered.in_text) : "");
    // A number that begins the entry is not said twice.
    const number = rendered?.in_text?.match(/^\W?(\d+)\W?$/)?.[1];
    this.inText.hidden = number !== undefined && rendered?.text.match(/^\W*(\d+)/)?.[1] === number;
    const html = rendered?.html;
    if (isSame && html === this.#html && html !== undefined) return;
    this.#html = html;
    this.text.replaceChildren(html === undefined ? plainTitle(entry.metadata) || say("entry.untitled") : rich(html));
  }

  // Everything beside the citation.
  /** @param {Api.Entry} entry */
  #describe(entry) {
    const { metadata, note } = entry;
    if (metadata.language && LANGUAGE.test(metadata.language)) this.text.lang = metadata.language;
    else this.text.removeAttribute("lang");
    this.badges.replaceChildren(...badges(entry, this.tell));
    this.marks = [...this.badges.querySelectorAll("button")];
    for (const mark of this.marks) mark.tabIndex = this.#isCurrent ? 0 : -1;
    this.note.textContent = note ?? "";
    this.note.hidden = !note;
    const title = plainTitle(metadata) || say("entry.untitled");
    for (const button of this.buttons) button.setAttribute("aria-label", `${button.textContent === "⋯" ? say("entry.more") : button.textContent}: ${title}`);
    this.pick.setAttribute("aria-label", `${say("entry.select")}: ${title}`);
  }

  // Whether this row and its controls are tab stops.
  /** @param {boolean} isCurrent */
  set isCurrent(isCurrent) {
    if (isCurrent === this.#isCurrent) return;
    this.#isCurrent = isCurrent;
    if (isCurrent) this.complete();
    this.#rove();
  }

  #rove() {
    const isCurrent = this.#isCurrent;
    for (const control of [this.item, this.pick, ...this.marks, ...this.buttons]) control.tabIndex = isCurrent ? 0 : -1;
  }
}

export class EntryList extends HTMLElement {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {string | undefined} */
  #current;
  /** @type {Promise<void> | undefined} */
  #dragging;
  #canDrag = false;
  #isFixed = false;
  /** @type {Set<string>} */
  selected = new Set();
  /** @type {string[]} */
  order = [];
  list = el("ol", { class: "entries", role: "list", "data-live": "on", "aria-label": say("list.label") });
  empty = el("p", { class: "empty" }, say("list.empty"));
  sorted = el("p", { class: "hint", hidden: true }, say("list.sorted"));

  connectedCallback() {
    if (this.list.isConnected) return;
    this.append(this.list, this.empty, this.sorted);
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusin", (event) => this.#follow(/** @type {Element} */ (event.target)));
  }

  // Shows works in order with their formatted texts: `rendered` by id, without those in `hidden`.
  // Works can be dragged unless the style sorts them (`isSorted`), some are hidden, or another
  // order is active (`isFixed`).
  /** @param {Api.Entry[]} entries @param {Map<string, Rendered>} rendered @param {{ hanging?: boolean, hidden?: Set<string>, isSorted?: boolean, isFixed?: boolean }} how */
  show(entries, rendered, { hanging = false, hidden = new Set(), isSorted = false, isFixed = false } = {}) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const hadFocus = this.list.contains(focused);
    const at = this.order.findIndex((id) => id === this.#current);
    this.order = entries.map((entry) => entry.id);
    const ids = new Set(this.order);
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.item.remove();
      this.#rows.delete(id);
      this.selected.delete(id);
    }
    let before = this.list.firstChild;
    for (const entry of entries) {
      const row = this.#rows.get(entry.id) ?? this.#add(entry.id);
      row.show(entry, rendered.get(entry.id));
      row.item.hidden = hidden.has(entry.id);
      row.item.classList.toggle("selected", this.selected.has(entry.id));
      row.pick.checked = this.selected.has(entry.id);
      if (row.item === before) before = before?.nextSibling ?? null;
      else this.#place(row.item, before);
    }
    this.list.classList.toggle("hanging", hanging);
    this.#isFixed = isSorted || isFixed || hidden.size > 0;
    this.#grips();
    if (entries.length > 1) this.#letDrag();
    this.sorted.hidden = !isSorted || entries.length < 2;
    this.empty.hidden = entries.length > 0;
    this.list.hidden = entries.length === 0;
    const shown = this.#shown;
    if (!this.#current || !shown.includes(this.#current)) this.#current = shown[Math.min(Math.max(at, 0), shown.length - 1)];
    this.#rove();
    if (hadFocus && document.activeElement !== focused) (focused?.isConnected && focused.checkVisibility() ? focused : this.item)?.focus();
  }

  // Offline, keys and the menu still move works; loading is retried at the next change.
  #letDrag() {
    this.#dragging ??= import("./drag.js").then(({ draggable }) => {
      draggable(this.list, (item, to) => this.#tell("move", item.dataset.id ?? "", to));
      this.#canDrag = true;
      this.#grips();
    }, () => (this.#dragging = undefined));
  }

  // Only draggable works have a grip.
  #grips() {
    this.list.classList.toggle("fixed", this.#isFixed || !this.#canDrag);
  }

  // Moves an item without losing its focus, if the browser supports it.
  /** @param {HTMLElement} item @param {ChildNode | null} before */
  #place(item, before) {
    if (this.list.moveBefore && item.isConnected) this.list.moveBefore(item, before);
    else this.list.insertBefore(item, before);
  }

  get #shown() {
    return this.order.filter((id) => !this.#rows.get(id)?.item.hidden);
  }

  get current() {
    return this.#current;
  }

  get item() {
    return this.#rows.get(this.#current ?? "")?.item;
  }

  /** @param {string} id */
  #add(id) {
    const row = new Row(id, (name) => this.#tell(name, id), (button) => this.#menu(button, id));
    this.#rows.set(id, row);
    if (this.order.length <= COMPLETE) row.complete();
    else this.#near.observe(row.item);
    return row;
  }

  // Completes the rows near the window.
  #near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      this.#near.unobserve(target);
      this.#rows.get(/** @type {HTMLElement} */ (target).dataset.id ?? "")?.complete();
    }
  }, { rootMargin: "1500px" });

  /** @param {HTMLElement} button @param {string} id */
  #menu(button, id) {
    const at = this.order.indexOf(id);
    /** @param {string} key @param {string} name @returns {Choice} */
    const act = (key, name) => [say(key), () => this.#tell(name, id)];
    openMenu(button, say("entry.more"), [
      at > 0 && act("entry.up", "up"),
      at < this.order.length - 1 && act("entry.down", "down"),
      at > 0 && act("entry.top", "top"),
      act("entry.select", "select"),
      act("entry.duplicate", "duplicate"),
      act("entry.verify", "verify"),
      this.#rows.get(id)?.doi && act("entry.open", "open"),
      act("entry.remove", "remove"),
    ]);
  }

  /** @param {string} name @param {string} id @param {number} [to] */
  #tell(name, id, to) {
    this.dispatchEvent(new CustomEvent("act", { detail: { name, id, to } }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    const item = /** @type {HTMLElement | null} */ (target.closest(".entry"));
    if (!item || event.ctrlKey || event.metaKey) return;
    const id = item.dataset.id ?? "";
    const isItem = target === item || target.matches(".pick") && event.key !== "Enter";
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.#tell(event.key === "ArrowUp" ? "up" : "down", id);
      return;
    }
    if (target.matches(".pick") && event.key === " ") return;
    if (event.altKey) return;
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    /** @type {Record<string, string>} */
    const acts = { Enter: "edit", Delete: "drop", Backspace: "drop", " ": "select" };
    if (event.key in moves) this.step(moves[event.key]);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(-1);
    else if (isItem && event.key in acts) this.#tell(acts[event.key], id);
    else return;
    event.preventDefault();
  }

  /** @param {number} by */
  step(by) {
    const shown = this.#shown;
    const at = shown.findIndex((id) => id === this.#current);
    this.#goTo(shown[Math.min(Math.max(at + by, 0), shown.length - 1)]);
  }

  // Selects from the last selected work to the current one.
  selectRange() {
    const shown = this.#shown;
    const last = [...this.selected].at(-1);
    const place = (/** @type {string | undefined} */ id) => Math.max(0, shown.findIndex((other) => other === id));
    const [from, to] = [place(last), place(this.#current)].sort((a, b) => a - b);
    for (const id of shown.slice(from, to + 1)) this.selected.add(id);
  }

  // Goes to a position in the list; -1 is the last one.
  /** @param {number} at */
  go(at) {
    this.#goTo(this.#shown.at(at));
  }

  /** @param {string | undefined} id */
  #goTo(id) {
    const row = this.#rows.get(id ?? "");
    if (!row) return;
    this.#current = id;
    this.#rove();
    row.item.focus();
    row.item.scrollIntoView({ block: "nearest" });
  }

  // Goes to a work and announces it.
  /** @param {string} id */
  reveal(id) {
    this.#goTo(id);
    announce(this.item?.textContent ?? "");
  }

  // Marks new works and scrolls to them without moving the focus. If they do not all fit, the first one
  // is in view.
  /** @param {string[]} ids */
  showNew(ids) {
    const items = this.#shown.filter((id) => ids.includes(id)).map((id) => this.#rows.get(id)?.item);
    if (!items.length) return;
    this.#current = ids[0];
    this.#rove();
    for (const item of items) {
      item?.classList.add("fresh");
      item?.addEventListener("animationend", () => item.classList.remove("fresh"), { once: true });
    }
    items.at(-1)?.scrollIntoView({ block: "nearest" });
    items[0]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Element} target */
  #follow(target) {
    const id = /** @type {HTMLElement | null} */ (target.closest(".entry"))?.dataset.id;
    if (!id || id === this.#current) return;
    this.#current = id;
    this.#rove();
  }

  #rove() {
    for (const [id, row] of this.#rows) row.isCurrent = id === this.#current;
  }
}

// The remedy for a work's state.
/** @type {Record<string, string>} */
const REMEDIES = { missing: "edit", possible_duplicate: "duplicates" };

// The tags of a work and its state signs, each with an explanation and a remedy.
/** @param {Api.Entry} entry @param {(name: string) => void} tell */
function badges(entry, tell) {
  const { citation_key: key } = entry.metadata;
  const tags = [key ? el("code", { class: "key quiet", dir: "ltr", title: fieldName("citation_key") }, key) : null,
    ...(entry.tags ?? []).map((tag) => el("span", { class: "tag", dir: "auto" }, tag))];
  const lacking = missing(entry.metadata).map(fieldName);
  const withdrawal = (entry.metadata.updates ?? entry.updates ?? []).find((update) =>
    ["retraction", "withdrawal"].includes(update.type) && update.relation !== "update_to");
  const state = entry.review_status && entry.review_status !== "clean" ? entry.review_status : null;
  /** @param {string} name @param {string} text */
  const mark = (name, text) => {
    const remedy = REMEDIES[name] ?? "verify";
    /** @type {HTMLButtonElement} */
    const button = el("button", { type: "button", class: `badge sign ${name}`, tabindex: "-1", "aria-haspopup": "menu", "aria-expanded": "false", onclick: async () => {
      await import("./more-words.js");
      const notice = name === "retracted" && withdrawal?.doi;
      openMenu(button, text, [
        notice && [say("remedy.notice"), () => open(`https://doi.org/${notice}`, "_blank", "noopener")],
        [say(`remedy.${remedy}`), () => tell(remedy)],
      ], say(`mark.${name}`));
    } }, text);
    return button;
  };
  return [
    ...tags,
    withdrawal || state === "retracted" ? mark("retracted", say("entry.retracted")) : null,
    state && state !== "retracted" ? mark(state, say(`review.${state}`)) : null,
    lacking.length ? mark("missing", say("entry.missing", { fields: lacking.join(", ") })) : null,
  ].flatMap((badge) => (badge ? [" ", badge] : []));
}

customElements.define("entry-list", EntryList);
