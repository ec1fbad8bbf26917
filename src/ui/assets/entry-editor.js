// Creates and edits a work by hand: the fields of its type, a live preview, and a comparison with
// its source.

import { Failure, failureText, post } from "./api.js";
import { lookUp } from "./cite-box.js";
import { one } from "./detect.js";
import { el, field, once, openDialog, select } from "./dom.js";
import { MORE, NAMES, ROLES, doubt, fieldsOf, fromText, isDate, isNames, labelOf, readTags, toText } from "./editor-fields.js";
import { fieldName, missing } from "./fields.js";
import { history } from "./history.js";
import "./more-words.js";
import { marks } from "./marks.js";
import { NamesField } from "./names-field.js";
import { newest } from "./pace.js";
import { plainTitle, rich } from "./rich.js";
import { titleCase } from "./title-case.js";
import { SIGN_IN, toast } from "./toast.js";
import { has, moment, say } from "./words.js";

// The common types; the others follow.
const TYPES = [
  "Article", "Book", "Chapter", "ConferencePaper", "Thesis", "Report", "Preprint", "Webpage",
  "NewspaperArticle", "MagazineArticle", "Dataset", "Software", "Standard", "Patent", "MotionPicture", "Document",
];
const OTHER_TYPES = [
  "BlogPost", "Post", "Broadcast", "Speech", "Interview", "PersonalCommunication", "EncyclopediaEntry", "DictionaryEntry",
  "Entry", "Review", "BookReview", "Manuscript", "Pamphlet", "Periodical", "Collection", "Classic", "Graphic", "Figure", "Map",
  "Song", "MusicalScore", "Performance", "Event", "LegalCase", "Legislation", "Bill", "Regulation", "Hearing", "Treaty",
];

const STATES = ["clean", "needs_review", "possible_duplicate", "verified", "mismatch", "retracted"];

// `entry` is the work, or {metadata} of a new one, with `why` it is entered by hand. `save` receives {metadata,
// note, tags, review_status}; after a conflict also the `current` work, which it replaces. `addAgain` adds
// a work that was removed meanwhile. `versions` (optional) loads earlier versions and `restore` receives one's metadata.
// `draft` is the unsaved input of the last close.
/**
 * @typedef {object} Options
 * @property {Setting} setting
 * @property {boolean} [isNew]
 * @property {boolean} [hasState]
 * @property {string} [why]
 * @property {(item: Api.Item, before?: Api.Entry) => Promise<unknown>} save
 * @property {() => Promise<Api.Entry>} [current]
 * @property {(item: Api.Item) => Promise<unknown>} [addAgain]
 * @property {() => Promise<Api.Version[]>} [versions]
 * @property {(metadata: Api.Metadata) => Promise<unknown>} [restore]
 *
 * @param {Api.Item & Partial<Api.Entry>} entry
 * @param {Options} options
 * @param {Api.Item} [draft]
 */
export function editEntry(entry, options, draft = undefined) {
  const { setting, isNew = false, hasState = false, why, save, current, addAgain, versions, restore } = options;
  const address = isNew ? "new" : `edit/${entry.id}`;
  const keep = `draft:${location.pathname}#${address}`;
  // The page was reloaded during the edit.
  if (location.hash === `#${address}`) draft ??= kept(keep);
  /** @type {Api.Metadata} */
  const metadata = { entry_type: "Article", ...(draft ?? entry).metadata };
  const preview = el("div", { class: "preview", "aria-label": say("editor.preview"), role: "group", dir: "auto" });
  const problem = el("div", { class: "problem", role: "alert", hidden: true });
  const body = el("div");
  const source = el("div", { "aria-live": "polite" });
  /** @typedef {HTMLInputElement | HTMLTextAreaElement | NamesField} Control */
  /** @type {Map<string, { control: Control, text: string }>} */
  const texts = new Map();

  const show = newest(250, async (signal) => {
    keepDraft();
    // An empty work has no preview.
    preview.hidden = !Object.keys(read()).some((name) => !["entry_type", "csl_type"].includes(name));
    if (preview.hidden) return;
    try {
      const body = { entries: [read()], style: setting.style || undefined, locale: setting.locale || undefined };
      const [first] = (await post("/api/v1/format", body, { signal })).entries;
      preview.replaceChildren(rich(first.bibliography_html ?? first.in_text_html));
    } catch (failure) {
      if (!signal.aborted) preview.textContent = failureText(failure);
    }
  });

  // The metadata in the form. Unchanged fields keep their values.
  function read() {
    const result = { ...metadata };
    for (const [name, { control, text }] of texts) {
      if (textOf(control) === text) continue;
      const value = control instanceof NamesField ? control.names : fromText(control.value);
      if (!value?.length) delete result[name];
      else result[name] = value;
    }
    if (result.entry_type !== entry.metadata.entry_type) delete result.csl_type;
    return result;
  }

  /** @param {string} name */
  function control(name) {
    if (isNames(name)) {
      const names = new NamesField().begin(fieldName(name), show);
      names.names = /** @type {Api.Name[] | undefined} */ (metadata[name]) ?? [];
      texts.set(name, { control: names, text: textOf(names) });
      return names;
    }
    const text = toText(name, metadata[name] ?? (name === "journal" ? metadata.container_title : undefined));
    const isLong = name === "abstract";
    const input = el(isLong ? "textarea" : "input", {
      name, dir: "auto", autocomplete: "off", oninput: show, value: text,
      ...(isLong && { rows: "2" }),
      ...(["doi", "isbn", "url"].includes(name) && { dir: "ltr", spellcheck: "false" }),
    });
    texts.set(name, { control: input, text });
    const place = field(labelOf(name, metadata.entry_type), input, isDate(name) ? say("editor.date-hint") : undefined);
    const said = el("p", { class: "hint doubt", "aria-live": "polite" });
    const look = () => {
      const key = doubt(name, input.value);
      said.textContent = key ? say(key) : "";
      input.toggleAttribute("aria-invalid", Boolean(key));
    };
    input.addEventListener("input", look);
    look();
    place.append(said);
    return place;
  }

  // The control of a text field.
  /** @param {string} name */
  const text = (name) => /** @type {HTMLInputElement} */ (texts.get(name)?.control);

  function build() {
    texts.clear();
    const type = metadata.entry_type;
    const main = ["title", "authors", ...(NAMES[type ?? ""] ?? []), "date", ...fieldsOf(type)];
    const known = [...main, ...MORE];
    const others = [...ROLES, "volume", "issue", "pages", "publisher", "doi", "isbn", "url"].filter((name) =>
      !known.includes(name) && metadata[name] !== undefined && !(name === "journal"));
    const extra = [...others, ...MORE.filter((name) => !main.includes(name))];
    const [title, ...rest] = main.map(control);
    const language = () => text("language").value || undefined;
    title.append(marks(text("title")));
    body.replaceChildren(title, titleCase(text("title"), language), ...rest,
      el("details", { open: others.length > 0 }, el("summary", {}, say("editor.more")), extra.map(control)));
  }

  /** @type {HTMLSelectElement} */
  const kind = select(types(), metadata.entry_type, {
    onchange: () => {
      Object.assign(metadata, read(), { entry_type: kind.value });
      build();
      show();
    },
  });
  const { note: noted, tags: tagged, review_status: status } = draft ?? entry;
  const note = el("textarea", { rows: "2", dir: "auto", value: noted ?? "" });
  const tags = el("input", { dir: "auto", value: (tagged ?? []).join(", ") });
  const state = select(STATES.map((name) => /** @type {[string, string]} */ ([name, say(`review.${name}`)])), status ?? "clean");

  const written = () => ({
    metadata: read(),
    note: note.value.trim() || null,
    tags: readTags(tags.value),
    ...(hasState && { review_status: state.value }),
  });

  // Looks the source up again and shows the fields that differ.
  async function compare() {
    const now = read();
    const identifier = now.doi ? { kind: "doi", value: now.doi } : now.isbn ? { kind: "isbn", value: now.isbn } : one(plainTitle(now));
    source.replaceChildren(el("p", {}, say("find.busy")));
    try {
      const { works, candidates } = await lookUp(identifier);
      const found = works[0] ?? candidates[0]?.metadata;
      source.replaceChildren(...(found ? differences(found, say("editor.differs"), say("editor.same")) : [el("p", { class: "notice" }, say("nothing.title"))]));
    } catch (failure) {
      source.replaceChildren(el("p", { class: "problem" }, failureText(failure)));
    }
  }

  // The fields in which another record differs, each with a button that takes its value.
  /** @param {Api.Metadata} found @param {string} intro @param {string} same */
  function differences(found, intro, same) {
    const places = [...texts].filter(([name, { control }]) => found[name] !== undefined && toText(name, found[name]) !== textOf(control));
    if (!places.length) return [el("p", { class: "notice" }, same)];
    return [el("p", {}, intro), el("table", { class: "diff" }, el("tbody", {}, places.map(([name, place]) => {
      /** @type {HTMLElement} */
      const row = el("tr", {}, el("th", { scope: "row" }, fieldName(name)), el("td", { dir: "auto" }, toText(name, found[name])),
        el("td", {}, el("button", { type: "button", "aria-label": `${say("editor.take")}: ${fieldName(name)}`, onclick: () => {
          const { control } = place;
          if (control instanceof NamesField) control.names = /** @type {Api.Name[]} */ (found[name]);
          else control.value = toText(name, found[name]);
          metadata[name] = found[name];
          place.text = textOf(place.control);
          row.remove();
          show();
        } }, say("editor.take"))));
      return row;
    })))];
  }

  build();
  const begun = JSON.stringify(written());
  const isDirty = () => Boolean(draft) || JSON.stringify(written()) !== begun;
  let isSaved = false;
  let isSaving = false;
  // What the next save replaces, after a conflict.
  /** @type {Api.Entry | undefined} */
  let before;
  const keepDraft = () => {
    try {
      if (!isSaved && isDirty()) sessionStorage.setItem(keep, JSON.stringify(written()));
    } catch {
      // Without storage a reload loses the draft.
    }
  };
  openDialog(isNew ? say("editor.new") : plainTitle(metadata) || say("editor.edit"), (heading, dialog) => {
    const form = el("form", { method: "dialog" }, heading, why ? el("p", { class: "notice warn" }, why) : "", preview, field(say("field.entry_type"), kind), body,
      field(fieldName("note"), note), field(fieldName("tags"), tags, say("editor.tags-hint")),
      hasState ? field(fieldName("review_status"), state) : "",
      past(entry), versions && restore ? history({ versions, restore: (former) => goBack(former, restore) }) : "",
      el("div", { class: "actions" }, el("div", { class: "answers" }, problem, source), el("div", { class: "row" }, el("button", { class: "primary" }, say("save")),
        el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("cancel")),
        isNew ? "" : el("button", { type: "button", class: "plain", onclick: compare }, say("editor.refresh")))));
    form.addEventListener("input", () => problem.dataset.kind === "input" && (problem.hidden = true));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (isSaving) return;
      const result = written();
      const hasName = ["title", "doi", "isbn", "url"].some((name) => result.metadata[name]);
      if (!hasName) return complain(say("editor.required"), [], "input");
      isSaving = true;
      form.setAttribute("aria-busy", "true");
      try {
        await save(result, before);
        end();
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        explain(failure, result);
      } finally {
        isSaving = false;
        form.removeAttribute("aria-busy");
      }
    });
    const end = () => {
      isSaved = true;
      dialog.close();
    };
    // A refused save: its cause, and what to do about it.
    /** @param {Failure} failure @param {Api.Item} result */
    const explain = (failure, result) => {
      /** @param {string} key @param {() => unknown} action */
      const way = (key, action) => el("button", { type: "button", onclick: once(action) }, say(key));
      if (failure.code === "precondition_failed") {
        // The fields that both have changed, where the server could tell.
        const fields = (failure.body.conflicts ?? []).map(({ field }) => (has(`field.${field}`) ? say(`field.${field}`) : field));
        complain([say("editor.conflict"), fields.join(", ")].filter(Boolean).join(" "), [way("editor.keep-mine", () => form.requestSubmit()), current ? way("editor.show-other", showOther) : ""]);
      } else if (failure.code === "authentication_required") {
        complain(failure.text, [el("a", { class: "button", href: SIGN_IN, target: "_blank", rel: "noopener" }, say("sign-in.new-tab"))]);
      } else if (failure.code === "not_found" && addAgain) {
        complain(say("editor.removed"), [way("editor.add-again", async () => {
          await addAgain(result);
          end();
        })]);
      } else complain(failure.text);
    };
    const showOther = async () => {
      try {
        before = await current?.();
        if (before) source.replaceChildren(...differences(before.metadata, say("editor.other"), say("editor.other-same")));
      } catch (failure) {
        complain(failureText(failure));
      }
    };
    // Closing keeps unsaved input.
    dialog.addEventListener("close", () => {
      sessionStorage.removeItem(keep);
      if (isSaved || isSaving || !isDirty()) return;
      const left = written();
      toast(say("editor.closed"), () => editEntry(entry, options, left), say("editor.reopen"));
    });
    // Input typed meanwhile is kept: closing offers to continue with it.
    /** @param {Api.Metadata} former @param {NonNullable<typeof restore>} restore */
    const goBack = async (former, restore) => {
      try {
        await restore(former);
        dialog.close();
      } catch (failure) {
        complain(failureText(failure));
      }
    };
    /** @param {string} text @param {Child[]} ways @param {string} kind */
    const complain = (text, ways = [], kind = "") => {
      if (!dialog.open) return toast(text, () => editEntry(entry, options, written()), say("editor.reopen"));
      problem.hidden = false;
      problem.dataset.kind = kind;
      problem.replaceChildren(el("p", {}, text), ways.length ? el("div", { class: "row" }, ways) : "");
      source.replaceChildren();
      return undefined;
    };
    return form;
  }, { class: "sheet", isDirty, address });
  // An unreadable page is known by its address; other new works start with the type.
  const [lacking] = isNew && !metadata.url ? [] : missing(metadata);
  if (lacking) texts.get(lacking)?.control.focus();
  show();
}

// The unsaved input of an edit during which the page was reloaded.
/** @param {string} name @returns {Api.Item | undefined} */
function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

// The common types first, the others by name.
function types() {
  const named = (/** @type {string[]} */ list) => list.map((type) => /** @type {[string, string]} */ ([type, say(`type.${type}`)]));
  const others = named(OTHER_TYPES).sort(([, one], [, other]) => one.localeCompare(other, document.documentElement.lang));
  return [...named(TYPES), ...others];
}

/** @param {HTMLInputElement | HTMLTextAreaElement | NamesField} control */
const textOf = (control) => (control instanceof NamesField ? toText("authors", control.names) : control.value);

// When the work was added and last changed, and its source.
/** @param {Partial<Api.Entry>} entry */
function past({ added_at: added, updated_at: updated, metadata }) {
  const { source, fetched_at: fetched } = metadata?.provenance ?? {};
  const parts = [
    added && say("editor.added", { time: moment(added) }),
    updated && updated !== added && say("editor.changed", { time: moment(updated) }),
    source && say("editor.found", { source: has(`source.${source}`) ? say(`source.${source}`) : source, time: fetched ? moment(fetched) : "–" }),
  ].filter(Boolean);
  return parts.length ? el("p", { class: "hint" }, parts.join(" ")) : "";
}
