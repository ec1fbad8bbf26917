// Changes a field of several works at once: type, journal, language, the case of titles. Undone as one.

import { failureText, post } from "./api.js";
import { el, field, once, openDialog, select } from "./dom.js";
import "./more-words.js";
import { toast, undoable } from "./toast.js";
import { count, say } from "./words.js";

// The types offered, as in the editor the most common ones first.
const TYPES = ["Article", "Book", "Chapter", "ConferencePaper", "Thesis", "Report", "Preprint", "Webpage", "NewspaperArticle", "MagazineArticle", "Dataset", "Software", "Standard", "Patent"];

/** @param {WorkList} list @param {string[]} ids @param {() => void} done */
export function editMany(list, ids, done) {
  const type = select([["", say("edit-many.same")], ...TYPES.map((name) => /** @type {[string, string]} */ ([name, say(`type.${name}`)]))], "");
  const journal = el("input", { dir: "auto", maxlength: "1000", placeholder: say("edit-many.same") });
  const language = el("input", { dir: "ltr", maxlength: "100", placeholder: say("edit-many.same") });
  const lower = el("input", { type: "checkbox" });
  const meter = el("progress", { hidden: true, max: ids.length, value: 0, "aria-label": say("edit-many.title") });
  /** @param {Api.Metadata} metadata @returns {Promise<Api.Metadata>} */
  const changed = async (metadata) => {
    const made = { ...metadata };
    if (type.value) made.entry_type = type.value;
    if (journal.value.trim()) made.journal = made.container_title = journal.value.trim();
    if (language.value.trim()) made.language = language.value.trim();
    if (lower.checked && made.title) {
      const { suggestion } = await post("/api/v1/titles/sentence-case", { title: made.title, language: made.language });
      if (suggestion !== null) made.title = suggestion;
    }
    return made;
  };
  // One after the other: each builds on the version that the one before has made.
  const change = async () => {
    /** @type {Done[]} */
    const all = [];
    const undo = async () => {
      for (const one of all.toReversed()) await one.undo();
    };
    meter.hidden = false;
    try {
      for (const id of ids) {
        const entry = await list.whole(id);
        const metadata = await changed(entry.metadata);
        if (JSON.stringify(metadata) !== JSON.stringify(entry.metadata)) all.push(await list.update(id, { metadata }, entry));
        meter.value += 1;
      }
    } catch (failure) {
      await undo();
      throw failure;
    }
    return { undo, n: all.length };
  };
  openDialog(say("edit-many.title"), (heading, dialog) => {
    const submit = once(async () => {
      try {
        await undoable((/** @type {{ n: number }} */ { n }) => count("edit-many.done", n), change());
        dialog.close();
        done();
      } catch (failure) {
        meter.hidden = true;
        toast(failureText(failure));
      }
    });
    const form = el("form", { method: "dialog" }, heading, el("p", { class: "hint" }, count("select.count", ids.length), ". ", say("edit-many.what")),
      field(say("field.entry_type"), type), field(say("field.journal"), journal), field(say("field.language"), language),
      el("label", { class: "check" }, lower, say("edit-many.case")), meter,
      el("div", { class: "row" }, el("button", { class: "primary" }, say("save")),
        el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    return form;
  });
}
