// A list and its tools: on the first page, kept by the browser, or a collection, kept by the
// server.

import { addresses } from "./address.js";
import { Failure, format, isLong, late } from "./api.js";
import { CiteBox, showQuota, titleOf } from "./cite-box.js";
import { FORMATS, copy, download, paragraphs, written } from "./copy.js";
import { byId, el, once, openMenu, ready } from "./dom.js";
import "./entry-list.js";
import { fieldName, missing } from "./fields.js";
import { onKeys } from "./keys.js";
import { ListFilter, OWN } from "./list-filter.js";
import { keepRender, keptRender } from "./local-store.js";
import { sourceName } from "./outcome.js";
import { newest } from "./pace.js";
import { plainTitle } from "./rich.js";
import "./style-picker.js";
import { complain, toast, undo, undoable } from "./toast.js";
import { toolbar } from "./toolbar.js";
import { count, nameLanguages, say } from "./words.js";

// Rarely used modules load on demand.
/** @param {Parameters<typeof import("./entry-editor.js").editEntry>} values */
const editEntry = async (...values) => (await late(import("./entry-editor.js"))).editEntry(...values);
/** @param {Parameters<typeof import("./cite-dialog.js").citeDialog>} values */
const citeDialog = async (...values) => (await late(import("./cite-dialog.js"))).citeDialog(...values);
/** @param {Parameters<typeof import("./trash.js").openTrash>} values */
const openTrash = async (...values) => (await late(import("./trash.js"))).openTrash(...values);

// The message for an added work: its source and missing fields.
/** @param {Api.Metadata} metadata */
function addedOne(metadata) {
  const { source } = metadata.provenance ?? {};
  const lacking = missing(metadata).map(fieldName).join(", ");
  return [
    say("added.one", { title: plainTitle(metadata) || say("entry.untitled") }),
    source && sourceName(source), lacking && say("entry.missing", { fields: lacking }),
  ].filter(Boolean).join(" · ");
}

// Documents whose references are read, not bibliographies.
const DOCUMENT = /\.(docx|odt|pdf|tex|typ|rtf)$/i;

// Limits of tags (interface decisions).
const MAX_TAGS = 50;
const MAX_TAG_CHARS = 64;

// A work whose keywords are its tags, where they can be seen, changed and searched.
/** @param {Api.Item} item @returns {Api.Item} */
function tagged(item) {
  const { keywords, ...metadata } = item.metadata;
  if (!Array.isArray(keywords) || !keywords.length) return item;
  const isTag = (/** @type {string} */ word) => word.length <= MAX_TAG_CHARS;
  const tags = [...new Set([...(item.tags ?? []), ...keywords.filter(isTag)])].slice(0, MAX_TAGS);
  const rest = keywords.filter((word) => !tags.includes(word));
  return { ...item, tags, metadata: rest.length ? { ...metadata, keywords: rest } : metadata };
}

/** @returns {Api.PartialDate} */
function today() {
  const now = new Date();
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

export class Workbench {
  /** @type {Api.Formatted | undefined} */
  #formatted;
  // The last formatted texts of each work, shown until the current list is formatted.
  /** @type {Map<string, Rendered>} */
  rendered = new Map();
  form = byId("cite");
  locale = byId("locale");
  picker = document.createElement("style-picker");
  fallback = { style: byId("settings").dataset.style };

  // `name` is the key of this list's offline copy; `mains` and `extras` are further tools, visible and
  // in the menu; `remedies` are the actions of state signs; `hasState` tells whether works have a review
  // state.
  /**
   * @typedef {object} Options
   * @property {string} name
   * @property {Tool[]} [mains]
   * @property {Tool[]} [extras]
   * @property {SelectionTool[]} [selectionExtras]
   * @property {Record<string, () => unknown>} [remedies]
   * @property {boolean} [hasState]
   *
   * @param {WorkList} list
   * @param {Options} options
   */
  constructor(list, { name, mains = [], extras = [], selectionExtras = [], remedies = {}, hasState = false }) {
    this.list = list;
    this.name = name;
    this.mains = mains;
    this.extras = extras;
    this.selectionExtras = selectionExtras;
    this.remedies = remedies;
    this.hasState = hasState;
    this.view = document.createElement("entry-list");
    this.filter = new ListFilter(() => this.#show(), () => this.#try(() => this.#keepOrder()));
    byId("entries").replaceChildren(this.filter.element, this.view);
    this.view.addEventListener("act", ({ detail }) => this.#act(detail.name, detail.id, detail.to));
    list.addEventListener("change", () => this.refresh());
    list.addEventListener("unkept", () => toast(say("error.storage")));
    this.#settings();
    this.bar = this.#selectionBar();
    this.#tools();
    this.#keys();
    this.box = new CiteBox({
      form: this.form,
      add: (items) => this.add(items),
      byHand: (found, saved) => this.create(found, saved),
      leave: () => this.view.step(0),
    });
    this.#drop();
    showQuota();
    this.refresh();
    if (!list.isKept) toast(say("error.storage"));
    addresses({
      new: () => this.create(),
      edit: (id) => this.#act("edit", id),
      cite: (ids) => this.#cite(ids.split(",").filter((id) => list.find(id))),
      trash: () => this.#try(() => openTrash(list)),
    });
    // Retries what failed without a network.
    addEventListener("online", () => this.refresh());
    ready();
  }

  get setting() {
    return { style: this.list.style || this.fallback.style, locale: this.list.locale };
  }

  // Reports a failure; anything but an API error is a bug of ours.
  /** @param {() => unknown} action */
  #try = async (action) => {
    try {
      return await action();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      complain(failure, failure.code === "precondition_failed" ? say("list.conflict") : failure.text);
      return undefined;
    }
  };

  // Style and locale

  #settings() {
    const { locale } = this;
    nameLanguages(locale);
    this.picker.begin(byId("style"), () => this.list.entries[0]?.metadata);
    this.picker.addEventListener("choose", ({ detail }) => this.#try(() => this.list.set({ style: detail.id })));
    locale.addEventListener("change", () => this.#try(() => this.list.set({ locale: locale.value })));
  }

  // Shows the current list: at once with known texts, then formatted.
  async refresh() {
    const { entries } = this.list;
    this.picker.choose(this.setting.style);
    this.locale.value = this.list.locale || "";
    if (this.form.elements.entries) this.form.elements.entries.value = "[]";
    byId("count").textContent = entries.length ? count("list.count", entries.length) : "";
    const examples = byId("examples");
    if (examples) examples.hidden = entries.length > 0;
    document.documentElement.toggleAttribute("data-works", entries.length > 0 || Boolean(this.list.collection));
    if (!entries.length && this.needsEntries.some((tool) => tool === document.activeElement)) this.box.focus();
    for (const tool of this.needsEntries) tool.hidden = entries.length === 0;
    for (const tool of this.needsNone) tool.hidden = entries.length > 0;
    this.finding.hidden = !ListFilter.isWorthwhile(entries);
    this.rove();
    this.#show();
    this.#formatting = this.#format();
    await this.#formatting;
  }

  /** @type {Promise<unknown> | undefined} */
  #formatting;

  #format = newest(0, async (signal) => {
    const { entries } = this.list;
    if (!entries.length) return;
    const { style, locale } = this.setting;
    const works = entries.map((entry) => ({ ...entry.metadata, id: entry.id }));
    // A long list takes seconds: until then its last texts.
    if (!this.#formatted && isLong(works)) this.#take(await keptRender(this.name));
    try {
      const formatted = await format(works, { style: style || undefined, locale: locale || undefined, links: true }, { signal, told: this.#progress });
      this.#complaint?.remove();
      this.#take(formatted);
      this.view.showNew(this.#new);
      this.#new = [];
      keepRender(this.name, formatted);
    } catch (failure) {
      if (signal.aborted) return;
      if (!(failure instanceof Failure)) throw failure;
      if (failure.code === "network") await this.#showKept();
      else this.#complaint = complain(failure, say("list.format-failed", { message: failure.text }));
    }
  });

  // The message about the last failed formatting; goes with its cause.
  /** @type {HTMLElement | undefined} */
  #complaint;

  // Shows the progress of work on a long list beside its name.
  /** @param {number} done @param {number} all */
  #progress = (done, all) => {
    const n = this.list.entries.length;
    byId("count").textContent = done < all ? say("list.progress", { percent: Math.round(100 * done / all) }) : n ? count("list.count", n) : "";
  };

  // Offline, shows the last formatting and selects its style.
  async #showKept() {
    this.#take(this.#formatted ?? (await keptRender(this.name)));
    if (this.#formatted) this.picker.choose(this.#formatted.style);
    toast(say("list.offline"));
  }

  // The works in the displayed order.
  get #viewed() {
    return this.filter.order === OWN ? this.list.entries : this.filter.sorted(this.ordered);
  }

  // Shows the formatted list.
  /** @param {Api.Formatted | undefined} formatted */
  #take(formatted) {
    this.#formatted = formatted;
    for (const entry of formatted?.entries ?? []) {
      this.rendered.set(entry.id, {
        html: entry.bibliography_html ?? entry.in_text_html, in_text: entry.bibliography === null ? "" : entry.in_text,
        in_text_html: entry.in_text_html, text: entry.bibliography ?? entry.in_text,
      });
    }
    this.#show();
  }

  // The works in the style's order.
  get ordered() {
    const { entries } = this.list;
    const order = this.#formatted?.order ?? [];
    const place = new Map(order.map((id, at) => [id, at]));
    if (!entries.every((entry) => place.has(entry.id))) return entries;
    const at = (/** @type {Api.Entry} */ { id }) => place.get(id) ?? 0;
    return [...entries].sort((a, b) => at(a) - at(b));
  }

  #show() {
    this.#hidden = this.filter.hidden(this.list.entries);
    const { order } = this.filter;
    this.view.show(this.#viewed, this.rendered, {
      hanging: this.#formatted?.layout?.hanging_indent ?? false,
      hidden: this.#hidden,
      isSorted: !order && (this.#formatted?.sorted ?? false),
      isFixed: Boolean(order) && order !== OWN,
    });
    this.#selection();
  }

  /** @type {Set<string>} */
  #hidden = new Set();

  // Goes to a work, even if the filter hides it.
  /** @param {string} id */
  #reveal(id) {
    if (this.#hidden.has(id)) {
      this.filter.reset();
      this.#show();
    }
    this.view.reveal(id);
  }

  // Changes

  // Adds works that are not in the list yet.
  /** @param {Api.Item[]} items */
  async add(items) {
    const fresh = items.filter((item) => !this.#known(item.metadata));
    const known = items.length && !fresh.length ? this.#known(items[0].metadata) : undefined;
    if (known) {
      this.#reveal(known.id);
      toast(say("already", { title: titleOf(known) }), () => this.#try(() => this.#insert(items)), say("already.add"));
      return;
    }
    await this.#insert(fresh, items.length - fresh.length);
  }

  // `known` is the number of works already in the list.
  /** @param {Api.Item[]} items */
  async #insert(items, known = 0) {
    const added = items.length === 1 ? addedOne(items[0].metadata) : count("added.several", items.length);
    const text = known ? `${added} ${count("already.several", known)}` : added;
    const said = (/** @type {{ refused?: number }} */ { refused = 0 }) => (refused ? `${text} ${count("added.refused", refused)}` : text);
    const { ids } = await undoable(said, this.list.add(items.map(tagged), undefined, this.#progress));
    this.#new = ids;
    this.view.showNew(ids);
    return ids[0];
  }

  // The works added last. Their place in the style's order is known after formatting.
  /** @type {string[]} */
  #new = [];

  /** @param {Api.Metadata} metadata */
  #known(metadata) {
    /** @param {"doi" | "isbn"} name */
    const same = (name) => metadata[name] ? this.list.entries.find((entry) => entry.metadata[name] === metadata[name]) : undefined;
    return same("doi") ?? same("isbn");
  }

  // `found` is what is known of the work, `why` the reason for entering it by hand; `saved` is called
  // once it is in the list.
  /** @param {Detected & { metadata?: Api.Metadata, why?: string }} [found] @param {() => unknown} [saved] */
  create(found, saved = () => {}) {
    /** @type {Record<string, Api.Metadata | undefined>} */
    const known = {
      doi: { doi: found?.value.match(/10\.\d.*$/)?.[0] ?? found?.value }, isbn: { isbn: found?.value, entry_type: "Book" }, text: { title: found?.value },
      url: { url: found?.value, entry_type: "Webpage", accessed: today() },
    };
    const metadata = found?.metadata ?? known[found?.kind ?? ""] ?? {};
    return this.#try(() => editEntry({ metadata }, {
      setting: this.setting, isNew: true, hasState: this.hasState, why: found?.why,
      save: async (item) => {
        await this.#insert([item]);
        await saved();
      },
    }));
  }

  /** @param {string[]} ids */
  async remove(ids) {
    const [first] = ids;
    const text = ids.length === 1 ? say("removed.one", { title: titleOf(this.list.find(first)) }) : count("removed.several", ids.length);
    await undoable(text, this.list.remove(ids));
  }

  /** @param {string} id @param {number} to */
  async #move(id, to) {
    const { entries } = this.list;
    // If the style sorts, moving a work has no visible effect.
    if (this.#formatted?.sorted && !this.filter.order) {
      toast(say("list.style-sorts", { style: this.picker.chosen.title }));
      return;
    }
    if (to < 0 || to >= entries.length) return;
    await undoable(say("list.moved", { place: to + 1, all: entries.length }), this.list.move(id, to));
  }

  /** @param {string} name @param {string} id @param {number} [to] */
  #act(name, id, to) {
    const entry = this.list.find(id);
    if (!entry) return undefined;
    const at = this.list.entries.indexOf(entry);
    const rendered = this.rendered.get(id);
    /** @type {Record<string, () => unknown>} */
    const actions = {
      edit: () => this.#edit(id),
      cite: () => this.#cite([id]),
      copy: () => copy(rendered?.text ?? titleOf(entry), rendered && paragraphs([rendered.html], this.#formatted?.layout), say("copy.entry")),
      remove: () => this.remove([id]),
      // The key also removes the selected works.
      drop: () => {
        const { selected } = this.view;
        const ids = selected.has(id) ? this.#wanted.map((chosen) => chosen.id) : [id];
        selected.clear();
        return this.remove(ids);
      },
      up: () => this.#move(id, at - 1),
      down: () => this.#move(id, at + 1),
      top: () => this.#move(id, 0),
      move: () => this.#move(id, to ?? at),
      select: () => {
        if (!this.view.selected.delete(id)) this.view.selected.add(id);
        this.#show();
      },
      duplicate: async () => {
        const { metadata, note, tags } = await this.list.whole(id);
        await undoable(say("added.one", { title: titleOf(entry) }), this.list.add([{ metadata: { ...metadata }, note, tags }], at + 1));
      },
      ...this.remedies,
      verify: () => location.assign(`/verify#check/${encodeURIComponent(entry.metadata.doi ?? rendered?.text ?? titleOf(entry))}`),
      open: () => window.open(`https://doi.org/${encodeURI(entry.metadata.doi ?? "")}`, "_blank", "noopener,noreferrer"),
    };
    return this.#try(actions[name]);
  }

  #edit = once(async (/** @type {string} */ id) => {
    const { list } = this;
    const entry = await list.whole(id);
    await editEntry(entry, {
      setting: this.setting, hasState: this.hasState,
      save: (change, before = entry) => undoable(say("saved"), list.update(id, change, before)),
      current: () => list.whole(id),
      addAgain: (item) => this.#insert([item]),
      versions: list.versions?.bind(list, id),
      restore: (metadata) => undoable(say("restored"), list.update(id, { metadata }, entry)),
    });
  });

  /** @param {string[]} ids */
  #cite(ids) {
    return ids.length ? citeDialog(this.list.entries, ids, this.setting) : undefined;
  }

  // Applies the displayed order to the list.
  async #keepOrder() {
    await undoable(say("order.kept"), this.list.arrange(this.#viewed.map((entry) => entry.id)));
  }

  // Tools above the list

  /** @param {string} key @param {(button: HTMLButtonElement) => unknown} action @param {Properties} properties */
  #tool(key, action, properties = {}) {
    /** @type {HTMLButtonElement} */
    const button = el("button", { type: "button", class: "plain", onclick: once(() => this.#try(() => action(button))), ...properties }, say(key));
    return button;
  }

  finding = this.#tool("tool.find", () => this.filter.toggle(), { class: "minor" });
  // Shown only with works, and only without.
  /** @type {HTMLElement[]} */
  needsEntries = [];
  /** @type {HTMLElement[]} */
  needsNone = [];
  rove = toolbar(byId("tools"), say("tool.group"));

  #tools() {
    const menu = { "aria-haspopup": "menu", "aria-expanded": "false" };
    /** @type {HTMLInputElement} */
    const file = el("input", { type: "file", class: "unseen", tabindex: "-1", "aria-hidden": "true", onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.#try(() => this.#import(chosen));
      file.value = "";
    } });
    const copying = this.#tool("tool.copy", () => this.copyAll(), { class: "primary" });
    /** @type {HTMLButtonElement} */
    const forms = el("button", { type: "button", class: "primary opens", ...menu, "aria-label": say("copy.as"), onclick: () => this.#copyMenu(forms) });
    const split = el("div", { class: "split" }, copying, forms);
    const exporting = this.#tool("tool.export", (button) => openMenu(button, say("copy.file"), FORMATS.map(([format, name]) =>
      /** @type {Choice} */ ([name, () => this.#try(() => download(this.#chosen(), format, this.setting, this.#progress))]))), { ...menu, class: "opens" });
    const byHand = this.#tool("tool.new", () => this.create(), { class: "" });
    const importing = this.#tool("tool.import", () => file.click(), { class: "" });
    this.needsNone = [byHand, importing];
    const mains = this.mains.map(([key, action]) => this.#tool(key, action, { class: "third" }));
    this.needsEntries = [split, exporting, ...(this.list.collection ? [] : mains)];
    // Tools that are rare or do not fit are behind one button.
    const more = this.#tool("entry.more", (button) => {
      const { entries } = this.list;
      /** @param {string} key @param {() => unknown} action @returns {Choice} */
      const act = (key, action) => [say(key), () => this.#try(action)];
      openMenu(button, say("entry.more"), [
        byHand.hidden ? act("tool.new", () => this.create()) : undefined,
        importing.hidden ? act("tool.import", () => file.click()) : undefined,
        ListFilter.isWorthwhile(entries) && !this.finding.checkVisibility() ? act("tool.find", () => this.filter.toggle(true)) : undefined,
        ...this.mains.filter((_, at) => !mains[at].hidden && !mains[at].checkVisibility()).map(([key, action]) => act(key, () => action(button))),
        entries.length ? act("tool.print", () => print()) : undefined,
        ...this.extras.map(([key, action]) => act(key, () => action(button))),
        act("tool.trash", () => openTrash(this.list)),
        entries.length ? act("tool.clear", () => this.remove(this.#wanted.map((entry) => entry.id))) : undefined,
      ]);
    }, { ...menu, class: "more", "aria-label": say("entry.more") });
    more.textContent = "⋯";
    byId("tools").replaceChildren(split, exporting, ...mains, this.finding, byHand, importing, more, file);
  }

  // The works that a tool applies to: the selected ones, else those the filter shows.
  get #wanted() {
    const { selected } = this.view;
    return this.ordered.filter((entry) => (selected.size ? selected.has(entry.id) : !this.#hidden.has(entry.id)));
  }

  // Their records: tags are the keywords of files.
  #chosen() {
    return this.#wanted.map(({ metadata, tags = [] }) => {
      const keywords = [...new Set([.../** @type {string[]} */ (metadata.keywords ?? []), ...tags])];
      return keywords.length ? { ...metadata, keywords } : metadata;
    });
  }

  /** @param {HTMLElement} button */
  #copyMenu(button) {
    /** @param {string} name @param {() => Promise<string>} text @returns {Choice} */
    const as = (name, text) => [name, () => this.#try(async () => copy(await text(), undefined, say("copy.done", { format: name })))];
    /** @param {string} format */
    const file = async (format) => (await written(this.#chosen(), format, this.setting, this.#progress)).blob.text();
    openMenu(button, say("copy.as"), [
      [say("copy.rich"), () => this.#try(() => this.copyAll())],
      as("HTML", () => file("html")),
      as("Markdown", () => file("markdown")),
      as("LaTeX", async () => {
        const { formats, citations } = await this.#made(["latex"]);
        return formats?.latex.bibliography ?? citations.join("\n");
      }),
      as(say("copy.plain"), () => file("text")),
      as(say("copy.citations"), async () => (await this.#made()).citations.join("\n")),
      as("BibTeX", () => file("bibtex")),
      typeof navigator.share === "function" && [say("copy.share"), () => this.#try(() => this.#share())],
    ]);
  }

  // The wanted works, formatted.
  /** @param {string[]} [formats] @returns {Promise<Api.Formatted>} */
  #made(formats) {
    const { style, locale } = this.setting;
    return format(this.#chosen(), { style: style || undefined, locale: locale || undefined, formats }, { told: this.#progress });
  }

  // Shares the list with another program of the device.
  async #share() {
    const { plain } = await this.#made();
    await navigator.share({ text: plain }).catch(() => {});
  }

  // Copies the list for word processors: the displayed texts if they contain all wanted works.
  async copyAll() {
    await this.#formatting;
    const wanted = this.#wanted;
    const isWhole = wanted.length === this.list.entries.length && wanted.every(({ id }) => this.rendered.has(id));
    const made = isWhole ? undefined : await this.#made();
    const byName = new Map(made?.entries.map((entry) => [entry.id, entry]));
    const works = made ? made.order.flatMap((id) => byName.get(id) ?? []).map((entry) => ({
      html: entry.bibliography_html ?? entry.in_text_html, text: entry.bibliography ?? entry.in_text,
    })) : wanted.flatMap(({ id }) => this.rendered.get(id) ?? []);
    const { layout } = made ?? this.#formatted ?? {};
    const all = this.list.entries.length;
    const said = works.length < all ? count("copy.some", works.length, { all }) : say("copy.list");
    await copy(works.map(({ text }) => text).join("\n"), paragraphs(works.map(({ html }) => html), layout), said);
  }

  // The selection bar. It is not rebuilt when the list changes, so that its focused button keeps
  // the focus.
  selectedCount = el("b", { role: "status" });

  #selectionBar() {
    const ids = () => this.#wanted.map((entry) => entry.id);
    const clear = () => {
      this.view.selected.clear();
      if (bar.contains(document.activeElement)) this.view.step(0);
      this.#show();
    };
    const bar = el("div", { class: "selection", role: "group", hidden: true, "aria-label": say("select.group") }, this.selectedCount,
      this.#tool("select.cite", () => this.#cite(ids())),
      this.selectionExtras.map(([key, action]) => this.#tool(key, (from) => action(ids(), from, clear))),
      this.#tool("select.all", () => {
        for (const { id } of this.ordered) if (!this.#hidden.has(id)) this.view.selected.add(id);
        this.#show();
      }),
      this.#tool("select.edit", () => this.#try(async () => (await late(import("./edit-many.js"))).editMany(this.list, ids(), clear))),
      this.#tool("select.remove", async () => {
        const chosen = ids();
        clear();
        await this.remove(chosen);
      }),
      this.#tool("select.clear", clear));
    byId("list").append(bar);
    return bar;
  }

  #selection() {
    const { size } = this.view.selected;
    this.bar.hidden = size === 0;
    if (size) this.selectedCount.textContent = count("select.count", size);
  }

  // Keys

  #keys() {
    /** @param {string} name */
    const current = (name) => () => this.view.current && this.#act(name, this.view.current);
    onKeys({
      "/": () => this.box.focus(),
      n: () => this.create(),
      j: () => this.view.step(this.view.contains(document.activeElement) ? 1 : 0),
      k: () => this.view.step(-1),
      c: current("cite"),
      b: current("copy"),
      x: current("select"),
      X: () => {
        this.view.selectRange();
        this.#show();
      },
      f: () => ListFilter.isWorthwhile(this.list.entries) && this.filter.toggle(true),
      "mod+z": undo,
    });
  }

  // Imports files dropped anywhere on the page.
  #drop() {
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      this.#try(() => this.#import(file));
    });
  }

  // A bibliography is added; what becomes of a document the reader decides.
  /** @param {File} file */
  async #import(file) {
    if (!DOCUMENT.test(file.name)) return this.box.import(file);
    return (await late(import("./document-drop.js"))).offerDocument(file, this.box);
  }
}
