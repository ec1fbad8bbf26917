// Short messages at the bottom of the page, and undo for all actions of this visit.

import { failureText } from "./api.js";
import { announce, byId, el } from "./dom.js";
import { say } from "./words.js";

// Display time in milliseconds; longer for messages with an action.
const STAY = 5000;
const STAY_WITH_ACTION = 12000;

export class ToastRegion extends HTMLElement {
  /** @param {string} text @param {() => unknown} [action] @param {string} [label] */
  show(text, action, label) {
    const dismiss = () => {
      if (toast.contains(document.activeElement)) byId("main").focus({ preventScroll: true });
      toast.remove();
    };
    const button = action && el("button", { type: "button", onclick: () => {
      dismiss();
      action();
    } }, label);
    const toast = el("div", { class: "toast" }, el("span", { dir: "auto" }, text), button,
      el("button", { type: "button", "aria-label": say("close"), onclick: dismiss }, "✕"));
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(toast);
    if (hadFocus) toast.querySelector("button")?.focus();
    announce(text);
    const stay = action ? STAY_WITH_ACTION : STAY;
    const leave = () => (toast.matches(":focus-within, :hover") ? setTimeout(leave, STAY) : dismiss());
    setTimeout(leave, stay);
    return toast;
  }
}

customElements.define("toast-region", ToastRegion);

/** @type {ToastRegion | undefined} */
let region;

// Above an open dialog too, since everything outside it is inert.
function toasts() {
  region ??= el("toast-region", { role: "region", "aria-label": say("messages") });
  const dialogs = document.querySelectorAll("dialog[open]");
  const top = dialogs[dialogs.length - 1];
  const foot = top?.querySelector(".actions");
  const host = foot ?? top ?? document.body;
  if (region.parentElement !== host) host[foot ? "prepend" : "append"](region);
  return region;
}

/** @param {string} text @param {() => unknown} [action] @param {string} [label] */
export const toast = (text, action, label) => toasts().show(text, action, label);

// A failure: the message names its cause and, if the session has ended, leads to the sign-in page.
/** @param {import("./api.js").Failure} failure @param {string} [text] */
export function complain(failure, text = failure.text) {
  if (failure.code !== "authentication_required") return toast(text);
  return toast(text, () => open(SIGN_IN, "_blank", "noopener"), say("sign-in.new-tab"));
}

// Where a reader whose session has ended signs in, without leaving the page.
export const SIGN_IN = "/auth/login?return_to=/library";

/** @typedef {{ change: Promise<Done> }} Step */

/** @type {Step[]} */
const history = [];

// Records a change while it is running, so that an early undo applies to it and not to the previous
// change. On completion shows a message with Undo. `change` resolves to the result with an `undo`
// function; `text` may be derived from it. Returns the result.
/** @template {Done} D @param {string | ((done: D) => string)} text @param {Promise<D>} change */
export async function undoable(text, change) {
  const step = { change };
  history.push(step);
  try {
    const done = await change;
    if (history.includes(step)) toast(typeof text === "function" ? text(done) : text, () => back(step), say("undo"));
    return done;
  } catch (failure) {
    forget(step);
    throw failure;
  }
}

/** @param {Step} step */
function forget(step) {
  const at = history.indexOf(step);
  if (at >= 0) history.splice(at, 1);
  return at >= 0;
}

let last = Promise.resolve();

// One after the other: undoing a step requires that the later ones are undone.
/** @param {Step} step */
function back(step) {
  if (!forget(step)) return undefined;
  last = last.then(() => reverse(step));
  return last;
}

/** @param {Step} step */
async function reverse(step) {
  // A failed change needs no undo; its caller reports the failure.
  const done = await step.change.catch(() => undefined);
  if (!done) return;
  try {
    await done.undo();
    announce(say("undone"));
  } catch (failure) {
    toast(failureText(failure));
  }
}

// Undoes the last action.
export async function undo() {
  const step = history.at(-1);
  if (!step) return announce(say("nothing-to-undo"));
  document.querySelector("toast-region")?.replaceChildren();
  await back(step);
  toast(say("undone"));
}
