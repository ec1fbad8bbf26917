// Possible duplicates side by side: which one to keep, and which value each differing field takes.

import { failureText } from "./api.js";
import { el, once, openDialog, unique } from "./dom.js";
import { toText } from "./editor-fields.js";
import { fieldName } from "./fields.js";
import "./more-words.js";
import { plainTitle } from "./rich.js";
import { toast, undoable } from "./toast.js";
import { count, has, moment, say } from "./words.js";

// Shown elsewhere in the editor, not among the fields.
const BESIDE = ["identifier", "note", "tags", "review_status", "year"];

// Shows groups of entries, each to be merged into one.
/** @param {Api.Entry[][]} groups @param {import("./remote-store.js").RemoteList} list */
export function compare(groups, list) {
  openDialog(say("duplicates.title"), (heading, dialog) => {
    /** @param {HTMLElement} panel */
    const gone = (panel) => {
      panel.remove();
      if (!dialog.querySelector("form")) dialog.close();
    };
    const panels = groups.map((group) => comparison(group, list, gone));
    // Groups whose works differ in nothing that is shown need no decision.
    const same = groups.flatMap((group, at) => (differing(group).length ? [] : [{ group, panel: panels[at] }]));
    const mergeAll = once(async () => {
      /** @type {Done[]} */
      const all = [];
      const merging = async () => {
        for (const { group: [kept, ...others], panel } of same) {
          if (!panel.isConnected) continue;
          all.push(await list.merge(kept.id, others.map(({ id }) => id), () => ({})));
          gone(panel);
        }
        return { undo: async () => {
          for (const one of all.toReversed()) await one.undo();
        } };
      };
      try {
        await undoable(() => count("collection.merged", all.length), merging());
        button?.remove();
      } catch (failure) {
        toast(failureText(failure));
      }
    });
    const button = same.length > 1 ? el("button", { type: "button", class: "primary", onclick: mergeAll }, count("duplicates.all", same.length)) : undefined;
    return el("div", {}, heading, button, panels,
      el("div", { class: "row" }, el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"))));
  }, { address: "duplicates", class: "wide-dialog" });
}

/** @param {Api.Entry[]} entries @param {import("./remote-store.js").RemoteList} list @param {(panel: HTMLElement) => void} gone */
function comparison(entries, list, gone) {
  const name = unique("d");
  // The entry whose value a field takes, by id; by default the one that is kept.
  /** @type {Map<string, string>} */
  const chosen = new Map();
  let kept = entries[0].id;
  /** @param {Api.Entry | undefined} entry @param {string} field */
  const value = (entry, field) => toText(field, entry?.metadata[field]);
  const fields = differing(entries);
  /** @param {string} field */
  const source = (field) => {
    const own = entries.find(({ id }) => id === (chosen.get(field) ?? kept));
    return (value(own, field) ? own : entries.find((entry) => value(entry, field)))?.id;
  };
  /** @type {{ field: string, id: string, box: HTMLInputElement }[]} */
  const boxes = [];
  const refresh = () => boxes.forEach(({ field, id, box }) => (box.checked = source(field) === id));
  /** @param {string} field @param {Api.Entry} entry */
  const choice = (field, entry) => {
    const text = value(entry, field);
    if (!text) return el("td", { class: "quiet" }, "–");
    const box = el("input", { type: "radio", name: `${name}-${field}`, onchange: () => chosen.set(field, entry.id) });
    boxes.push({ field, id: entry.id, box });
    return el("td", {}, el("label", { class: "check" }, box, el("span", { dir: "auto" }, text)));
  };
  /** @param {Api.Entry} entry @param {number} at */
  const keep = (entry, at) => el("th", { scope: "col" }, el("label", { class: "check" },
    el("input", { type: "radio", name, checked: at === 0, onchange: () => {
      kept = entry.id;
      chosen.clear();
      refresh();
    } }), say("duplicates.keep", { n: at + 1 })), entry.added_at ? el("span", { class: "quiet" }, say("editor.added", { time: moment(entry.added_at) })) : "");
  const merge = async () => {
    const others = entries.map(({ id }) => id).filter((id) => id !== kept);
    /** @param {string} other */
    const sides = (other) => Object.fromEntries(fields.map((field) => [field, source(field) === other ? "theirs" : "ours"]));
    await undoable(count("collection.merged", others.length), list.merge(kept, others, sides));
    gone(form);
  };
  /** @type {HTMLFormElement} */
  const form = el("form", { class: "panel", onsubmit: (event) => {
    event.preventDefault();
    submit();
  } }, el("h3", { dir: "auto" }, plainTitle(entries[0].metadata)),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("duplicates.title") }, el("table", { class: "compared" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("history.field")), entries.map(keep))),
      el("tbody", {}, fields.map((field) => el("tr", {}, el("th", { scope: "row" }, fieldName(field)), entries.map((entry) => choice(field, entry))))))),
    el("p", { class: "hint" }, say(fields.length ? "duplicates.what" : "duplicates.same")),
    el("div", { class: "row" }, el("button", { class: "primary" }, count("duplicates.merge", entries.length)),
      el("button", { type: "button", onclick: once(() => distinct()) }, say("duplicates.distinct"))));
  const distinct = async () => {
    const ids = entries.map(({ id }) => id);
    try {
      await undoable(say("duplicates.noted"), list.distinguish(ids));
      gone(form);
    } catch (failure) {
      toast(failureText(failure));
    }
  };
  const submit = once(async () => {
    try {
      await merge();
    } catch (failure) {
      toast(failureText(failure));
    }
  });
  refresh();
  return form;
}

// The fields shown to readers whose values differ.
/** @param {Api.Entry[]} entries */
function differing(entries) {
  const names = [...new Set(entries.flatMap(({ metadata }) => Object.keys(metadata)))];
  // Both names of a journal.
  /** @param {string} name */
  const isSecond = (name) => name === "container_title" && names.includes("journal");
  return names.filter((name) => has(`field.${name}`) && !BESIDE.includes(name) && !isSecond(name))
    .filter((name) => new Set(entries.map(({ metadata }) => toText(name, metadata[name]))).size > 1);
}
