// A collection of the account: the same list, kept on the server, with tags, sharing and moving.

import { SAVED } from "./account.js";
import { addresses } from "./address.js";
import { ask, failureText, get, post } from "./api.js";
import { copy } from "./copy.js";
import { byId, el, field, once, openDialog, openMenu, select } from "./dom.js";
import { compare } from "./duplicates.js";
import { readTags } from "./editor-fields.js";
import { onKeys } from "./keys.js";
import "./more-words.js";
import { newest } from "./pace.js";
import { RemoteList } from "./remote-store.js";
import { toast, undoable } from "./toast.js";
import { count, moment, say } from "./words.js";
import { Workbench } from "./workbench.js";

/** @type {{ collection: Api.PageCollection, etag: string, is_shared: boolean, edit_links: boolean }} */
const given = JSON.parse(byId("data").textContent);
const list = new RemoteList(given.collection, given.etag);
const { id } = list.collection;

const bench = new Workbench(list, {
  name: `collection-${id}`,
  hasState: true,
  mains: [["tool.share", share]],
  extras: [["tool.duplicates", duplicates], ["tool.verify", () => location.assign(`/verify?collection=${id}`)], ["tool.settings", settings]],
  remedies: { duplicates: () => attempt(duplicates) },
  selectionExtras: [["select.move", moveTo], ["select.tag", tag]],
});

if (given.is_shared) list.watch();

// Keys act on the selected works, else on the current one.
const chosen = () => (bench.view.selected.size ? [...bench.view.selected] : [bench.view.current]).filter((known) => known !== undefined);
const unselect = () => {
  bench.view.selected.clear();
  bench.refresh();
};
onKeys({
  t: () => bench.view.item && tag(chosen(), bench.view.item, unselect),
  m: () => bench.view.item && moveTo(chosen(), bench.view.item, unselect),
});

/** @param {HTMLDialogElement} dialog @param {Child[]} more */
function buttons(dialog, ...more) {
  return el("div", { class: "row" }, more, el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close")));
}

async function settings() {
  const { collection } = list;
  const name = el("input", { required: true, maxlength: "200", value: collection.name, dir: "auto" });
  const description = el("textarea", { rows: "2", maxlength: "2000", value: collection.description ?? "", dir: "auto" });
  const tags = el("input", { value: (collection.tags ?? []).join(", "), dir: "auto" });
  openDialog(say("tool.settings"), (heading, dialog) => {
    const remove = async () => {
      await ask("DELETE", list.path);
      location.assign(`/library?deleted=${id}`);
    };
    const form = el("form", { method: "dialog" }, heading, field(say("collection.name"), name),
      field(say("collection.description"), description), field(say("collection.tags"), tags, say("editor.tags-hint")),
      el("div", { class: "row" }, el("a", { class: "button plain", href: `/c/${id}/import` }, say("tool.import")),
        el("button", { type: "button", class: "danger", onclick: once(() => attempt(remove)) }, say("collection.delete"))),
      buttons(dialog, el("button", { class: "primary" }, say("save"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        await list.describe({
          name: name.value.trim(),
          description: description.value.trim() || null,
          tags: readTags(tags.value),
        });
        byId("name").textContent = name.value.trim();
        byId("description").textContent = description.value.trim();
        dialog.close();
        toast(say("saved"));
      });
    });
    return form;
  }, { address: "settings" });
}

/** @param {() => unknown} action */
async function attempt(action) {
  try {
    return await action();
  } catch (failure) {
    return toast(failureText(failure));
  }
}

// Milliseconds.
const DAY = 86_400_000;

function share() {
  const body = el("div", { "aria-live": "polite" });
  /** @param {HTMLDialogElement} dialog */
  const show = (dialog) => {
    const address = list.collection.share_url;
    const make = async () => {
      const expires_at = Number(ends.value) ? new Date(Date.now() + Number(ends.value) * DAY).toISOString() : null;
      const made = await list.write("POST", "/share", { include_notes: notes.checked, can_edit: edits.checked, expires_at });
      Object.assign(list.collection, { share_url: made.share_url, share_ends: made.expires_at, link_can_edit: made.can_edit });
      show(dialog);
    };
    const revoke = async () => {
      await list.write("DELETE", "/share");
      Object.assign(list.collection, { share_url: null, share_ends: null });
      show(dialog);
      toast(say("share.revoked"));
    };
    const notes = el("input", { type: "checkbox" });
    const edits = el("input", { type: "checkbox" });
    const ends = select([0, 7, 30, 365].map((days) => /** @type {[string, string]} */ ([String(days), days ? count("share.days", days) : say("share.never")])), "0");
    const { share_ends: end } = list.collection;
    const link = el("input", { readonly: true, value: address ?? "", "aria-label": say("share.title"), id: "share-url" });
    body.replaceChildren(...(address ? [
      link, end ? el("p", { class: "hint" }, say("share.until", { time: moment(end) })) : "",
      list.collection.link_can_edit ? el("p", { class: "hint" }, say("share.edits")) : "",
      el("div", { class: "row" },
        el("button", { type: "button", class: "primary", onclick: () => copy(address, undefined, say("copy.link")) }, say("share.copy")),
        typeof navigator.share === "function" ? el("button", { type: "button", onclick: () => navigator.share({ title: list.collection.name, url: address }).catch(() => {}) }, say("copy.share")) : "",
        el("a", { class: "button", href: address, target: "_blank", rel: "noreferrer" }, say("share.open")),
        el("button", { type: "button", class: "danger", onclick: once(() => attempt(revoke)) }, say("share.revoke"))),
      el("p", { class: "hint" }, say("share.feeds")), el("ul", { class: "inline-list" }, feeds(address)),
    ] : [
      el("p", {}, say("share.what")), el("label", { class: "check" }, notes, say("share.notes")),
      given.edit_links ? el("label", { class: "check" }, edits, say("share.can-edit")) : "", field(say("share.ends"), ends),
      el("div", { class: "row" }, el("button", { type: "button", class: "primary", onclick: once(() => attempt(make)) }, say("share.make"))),
    ]));
  };
  openDialog(say("share.title"), (heading, dialog) => {
    show(dialog);
    return el("div", {}, heading, body, buttons(dialog));
  }, { address: "share" });
}

// The feeds of a shared list: its new works, and the retracted ones.
/** @param {string} address of its page */
function feeds(address) {
  const feed = `/api/v1/shared/${address.split("/").pop()}/feed.`;
  const of = (/** @type {string} */ key, /** @type {string} */ query) => [["atom", "Atom"], ["json", "JSON Feed"]].map(([form, name]) =>
    el("li", {}, el("a", { href: `${feed}${form}${query}` }, `${say(key)} (${name})`)));
  return [of("share.feed-new", ""), of("share.feed-retractions", "?of=retractions")];
}

/** @param {string[]} ids @param {HTMLElement} button @param {() => void} clear */
async function moveTo(ids, button, clear) {
  /** @type {Api.Collection[]} */
  const all = await get("/api/v1/collections");
  const others = all.filter((other) => other.id !== id);
  if (!others.length) return toast(say("nothing.title"));
  /** @param {string} from @param {string} to @returns {Promise<Done & { moved: number }>} */
  const between = async (from, to) => {
    const body = { source_collection_id: from, target_collection_id: to, entry_ids: ids };
    const { moved } = await post("/api/v1/collections/batch-move", body);
    await list.reload();
    return { moved, undo: () => between(to, from) };
  };
  const move = (/** @type {Api.Collection} */ target) => attempt(async () => {
    await undoable((done) => count("collection.moved", done.moved), between(id, target.id));
    clear();
  });
  openMenu(button, say("collection.move-to"), others.map((other) => /** @type {Choice} */ ([other.name, () => move(other)])));
  return undefined;
}

// A checkbox for each tag of the works: checked if all have it, indeterminate if some do. A change
// applies to all.
/** @param {Api.Entry[]} works */
function tagBoxes(works) {
  const names = [...new Set(works.flatMap((entry) => entry.tags ?? []))];
  return names.map((name) => {
    const having = works.filter((entry) => entry.tags?.includes(name)).length;
    const box = el("input", { type: "checkbox", checked: having === works.length });
    box.indeterminate = having < works.length;
    return { name, box, wasOn: box.checked, wasSome: box.indeterminate };
  });
}

/** @param {string[]} ids @param {HTMLElement} button @param {() => void} clear */
function tag(ids, button, clear) {
  const input = el("input", { dir: "auto", autofocus: true });
  const boxes = tagBoxes(ids.flatMap((known) => list.find(known) ?? []));
  openDialog(say("select.tag"), (heading, dialog) => {
    const form = el("form", { method: "dialog" }, heading, field(say("collection.tags"), input, say("editor.tags-hint")),
      boxes.length ? el("fieldset", {}, el("legend", {}, say("select.tagged")),
        boxes.map(({ name, box }) => el("label", { class: "check" }, box, el("span", { dir: "auto" }, name)))) : "",
      buttons(dialog, el("button", { class: "primary" }, say("save"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = readTags(input.value);
      const touched = boxes.filter(({ box, wasOn, wasSome }) => !box.indeterminate && (wasSome || box.checked !== wasOn));
      const add = [...typed, ...touched.filter(({ box }) => box.checked).map(({ name }) => name)];
      const remove = touched.filter(({ box }) => !box.checked).map(({ name }) => name);
      if (!add.length && !remove.length) return dialog.close();
      return attempt(async () => {
        await undoable(say("saved"), list.tag(ids, { add, remove }));
        dialog.close();
        clear();
      });
    });
    return form;
  });
}

// Groups of possible duplicates.
async function twice() {
  /** @type {{ groups: string[][] }} */
  const { groups } = await post(`${list.path}/check-duplicates`, {});
  return groups.map((group) => group.flatMap((known) => list.find(known) ?? [])).filter((group) => group.length > 1);
}

async function duplicates() {
  const groups = await twice();
  if (!groups.length) return toast(say("collection.no-duplicates"));
  return compare(groups, list);
}

// The banner about possible duplicates. Checked after works were added; not shown again for groups
// for which it was closed.
const banner = el("div", { role: "status" });
byId("outcome").after(banner);
let seen = new Set();

// What was just saved from this browser.
if (sessionStorage.getItem(SAVED)) byId("outcome").before((await import("./merge.js")).savedReport() ?? "");

const look = newest(500, async () => {
  const groups = await twice().catch(() => []);
  const close = () => banner.replaceChildren();
  banner.replaceChildren(...(groups.length ? [el("p", { class: "notice warn" },
    count("duplicates.banner", groups.length), " ",
    el("button", { type: "button", class: "plain", onclick: () => attempt(duplicates) }, say("duplicates.compare")),
    el("button", { type: "button", class: "plain", onclick: close }, say("close")))] : []));
});

function lookWhenOthers() {
  const ids = new Set(list.entries.map((entry) => entry.id));
  const isDue = ids.size > 1 && [...ids].some((one) => !seen.has(one)) || banner.firstChild;
  seen = ids;
  if (isDue) look();
}

list.addEventListener("change", lookWhenOthers);
lookWhenOthers();
addresses({ share, settings, duplicates: () => attempt(duplicates) });
