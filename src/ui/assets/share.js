// A shared list: in a chosen style, and a copy for the browser to keep.

import { get } from "./api.js";
import { byId, el, once, ready } from "./dom.js";
import { LocalList } from "./local-store.js";
import "./more-words.js";
import "./style-picker.js";
import { undoable } from "./toast.js";
import { nameLanguages, say } from "./words.js";

const token = location.pathname.split("/")[2];
nameLanguages(byId("locale"));
/** @param {string} style */
const go = (style) => location.assign(`/s/${token}?${new URLSearchParams({ style, locale: byId("locale").value })}`);
/** @type {Api.Collection} */
const { entries = [] } = await get(`/api/v1/shared/${token}`);
const picker = document.createElement("style-picker");
picker.begin(byId("style"), () => entries[0]?.metadata);
await picker.choose(byId("settings").dataset.style ?? "");
picker.addEventListener("choose", ({ detail }) => go(detail.id));
byId("locale").addEventListener("change", () => go(picker.chosen.id));

// A copy never replaces the browser's works; it is appended.
document.querySelector("form.workbench")?.after(el("p", {}, el("button", { type: "button", onclick: once(async () => {
  const list = await LocalList.open();
  await undoable(say("local.copied"), list.add(entries.map(({ metadata, tags }) => ({ metadata, tags }))));
}) }, say("local.copy"))));
ready();
