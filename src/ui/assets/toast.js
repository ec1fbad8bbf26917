// Short messages at the foot of the page, and undo for everything that was done in this visit.

import { failureText } from "./api.js";
import { announce, byId, el } from "./dom.js";
import { say } from "./words.js";

// Milliseconds that a message stays; one that can be acted on stays longer.
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

// Above a dialog too: what stands beside an open one cannot be reached.
function toasts() {
  region ??= el("toast-region", { role: "region", "aria-label": say("messages") });
  const host = document.querySelector("dialog[open]") ?? document.body;
  if (region.parentElement !== host) host.append(region);
  return region;
}

/** @param {string} text @param {() => unknown} [action] @param {string} [label] */
export const toast = (text, action, label) => toasts().show(text, action, label);

/** @typedef {{ change: Promise<Done> }} Step */

/** @type {Step[]} */
const history = [];

// Takes a change while it is being made, so that an undo which comes before the answer is meant for
// this change and not for the one before it. When it is made, says so and offers to undo it.
// `change` promises what was done, with an `undo` that puts things back as they were; `text` may be
// made from it. Gives what was done.
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

// One after the other: a step is undone on what the steps after it have left.
/** @param {Step} step */
function back(step) {
  if (!forget(step)) return undefined;
  last = last.then(() => reverse(step));
  return last;
}

/** @param {Step} step */
async function reverse(step) {
  // What was never made needs no undoing; whoever made the change is told of its failure.
  const done = await step.change.catch(() => undefined);
  if (!done) return;
  try {
    await done.undo();
    announce(say("undone"));
  } catch (failure) {
    toast(failureText(failure));
  }
}

// Undoes the last thing that was done.
export async function undo() {
  const step = history.at(-1);
  if (!step) return announce(say("nothing-to-undo"));
  document.querySelector("toast-region")?.replaceChildren();
  await back(step);
  toast(say("undone"));
}
