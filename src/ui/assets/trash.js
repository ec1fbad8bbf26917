// Removed works that can be restored; in this browser, deleted lists too.

import { el, once, openDialog } from "./dom.js";
import { deleted } from "./local-lists.js";
import { LocalList } from "./local-store.js";
import "./more-words.js";
import { about, plainTitle } from "./rich.js";
import { undoable } from "./toast.js";
import { count, moment, say } from "./words.js";

/** @param {WorkList} list */
export async function openTrash(list) {
  const removed = await list.removed();
  const gone = list instanceof LocalList ? await deleted() : [];
  openDialog(say("trash.title"), (heading, dialog) => {
    const body = el("div");
    const close = el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"));
    const restore = (/** @type {string[]} */ ids) => once(async () => {
      await undoable(count("trash.restored", ids.length), list.restore(ids));
      const at = removed.filter(({ entry }) => !ids.includes(entry.id));
      removed.splice(0, removed.length, ...at);
      show();
      (body.querySelector("button") ?? close).focus();
    });
    const row = (/** @type {Removed} */ { entry, removed_at: time }) => el("li", { class: "hit" },
      el("div", {}, el("b", { dir: "auto" }, plainTitle(entry.metadata) || say("entry.untitled")), el("br"),
        el("span", { class: "quiet", dir: "auto" }, about(entry.metadata)), el("br"),
        time ? el("span", { class: "quiet small" }, say("trash.removed", { time: moment(time) })) : ""),
      el("button", {
        type: "button", "aria-label": `${say("trash.restore")}: ${plainTitle(entry.metadata)}`, onclick: restore([entry.id]),
      }, say("trash.restore")));
    const bring = (/** @type {import("./local-lists.js").Listed} */ { id, name }) => once(async () => {
      const back = await LocalList.open(id);
      await undoable(say("trash.list-restored", { name: name || say("target.browser") }), back.bringBack().then(() => ({ undo: () => back.discard() })));
      gone.splice(gone.findIndex((one) => one.id === id), 1);
      show();
      (body.querySelector("button") ?? close).focus();
    });
    const goneRow = (/** @type {import("./local-lists.js").Listed} */ one) => el("li", { class: "hit" },
      el("div", {}, el("b", { dir: "auto" }, one.name || say("target.browser")), " ", el("span", { class: "quiet" }, count("list.count", one.works)), el("br"),
        el("span", { class: "quiet small" }, say("trash.list-deleted", { time: moment(one.deleted_at ?? "") }))),
      el("button", { type: "button", "aria-label": `${say("trash.restore")}: ${one.name || say("target.browser")}`, onclick: bring(one) }, say("trash.restore")));
    const all = el("button", { type: "button", onclick: (event) => restore(removed.map(({ entry }) => entry.id))(event) }, say("trash.all"));
    const show = () => {
      body.replaceChildren(...(removed.length ? [
        el("p", { class: "quiet" }, say("trash.text")), el("ul", { class: "hits" }, removed.map(row)),
      ] : [el("p", { class: "quiet" }, say("trash.empty"))]),
      ...(gone.length ? [el("h3", {}, say("trash.lists")), el("ul", { class: "hits" }, gone.map(goneRow))] : []));
      all.hidden = removed.length < 2;
    };
    show();
    return el("div", {}, heading, body, el("div", { class: "row" }, all, close));
  }, { address: "trash" });
}
