// A link to a list of this browser, if the operator allows links without an account. It shows the current
// list; the browser that made it can delete it.

import { ask, failureText, post } from "./api.js";
import { copy } from "./copy.js";
import { el, once, openDialog } from "./dom.js";
import "./more-words.js";
import { toast } from "./toast.js";
import { moment, say } from "./words.js";

/** @param {() => unknown} action */
const attempt = (action) => once(async () => {
  try {
    await action();
  } catch (failure) {
    toast(failureText(failure));
  }
});

// `name` is the title of the page, `days` the lifetime of a link without a visit.
/** @param {import("./local-store.js").LocalList} list @param {{ name: string, days: number, style?: string }} options */
export function openLinks(list, { name, days, style }) {
  const body = el("div", { "aria-live": "polite" });
  const notes = el("input", { type: "checkbox" });
  const make = async () => {
    const entries = list.entries.map(({ metadata, note }) => ({ metadata, note: notes.checked ? note : undefined }));
    const { share_token, share_url, delete_key } = await post("/api/v1/permalinks", { name, style: list.style || style || undefined, entries });
    await list.setLinks((links) => [{ share_token, share_url, delete_key, made_at: new Date().toISOString() }, ...links]);
    show();
    body.querySelector("button")?.focus();
  };
  /** @param {import("./local-store.js").Link} link */
  const remove = async ({ share_token, delete_key }) => {
    await ask("DELETE", `/api/v1/permalinks/${share_token}`, { delete_key }).catch((failure) => {
      // It has already expired.
      if (failure.status !== 404) throw failure;
    });
    await list.setLinks((links) => links.filter((other) => other.share_token !== share_token));
    toast(say("share.deleted"));
    show();
  };
  /** @param {import("./local-store.js").Link} link */
  const row = (link) => el("li", {},
    el("input", { readonly: true, value: link.share_url, "aria-label": say("share.title") }),
    el("p", { class: "hint" }, say("share.made", { time: moment(link.made_at) })),
    el("div", { class: "row" },
      el("button", { type: "button", class: "primary", onclick: () => copy(link.share_url, undefined, say("copy.link")) }, say("share.copy")),
      el("a", { class: "button", href: link.share_url, target: "_blank", rel: "noreferrer" }, say("share.open")),
      el("button", { type: "button", class: "danger", onclick: attempt(() => remove(link)) }, say("share.delete"))));
  const show = () => body.replaceChildren(
    list.links.length ? el("ul", { class: "links" }, list.links.map(row)) : "",
    el("p", {}, say("share.list-what", { days })),
    list.entries.some(({ note }) => note) ? el("label", { class: "check" }, notes, say("share.notes")) : "",
    el("div", { class: "row" }, el("button", { type: "button", class: list.links.length ? "" : "primary", onclick: attempt(make) },
      say(list.links.length ? "share.another" : "share.make"))));
  openDialog(say("share.title"), (heading, dialog) => {
    show();
    return el("div", {}, heading, body,
      el("div", { class: "row" }, el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("close"))));
  }, { address: "share" });
}
