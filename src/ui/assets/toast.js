// Short messages at the foot of the page, and undo for everything that was done in this visit.

import { announce, el } from "./dom.js";
import { say } from "./words.js";

// Milliseconds that a message stays; one that can be acted on stays longer.
const STAY = 5000;
const STAY_WITH_ACTION = 12000;

class ToastRegion extends HTMLElement {
  show(text, action, label) {
    const dismiss = () => toast.remove();
    const button = action && el("button", { type: "button", onclick: () => {
      dismiss();
      action();
    } }, label);
    const toast = el("div", { class: "toast" }, el("span", { dir: "auto" }, text), button,
      el("button", { type: "button", "aria-label": say("close"), onclick: dismiss }, "✕"));
    this.replaceChildren(toast);
    announce(text);
    const stay = action ? STAY_WITH_ACTION : STAY;
    const leave = () => (toast.matches(":focus-within, :hover") ? setTimeout(leave, STAY) : dismiss());
    setTimeout(leave, stay);
    return toast;
  }
}

customElements.define("toast-region", ToastRegion);

let region;

function toasts() {
  if (!region?.isConnected) {
    region = el("toast-region", { role: "region", "aria-label": say("messages") });
    document.body.append(region);
  }
  return region;
}

export const toast = (text, action, label) => toasts().show(text, action, label);

const history = [];

// Says what was done and offers to undo it. `undo` puts things back as they were.
export function undoable(text, undo) {
  const step = { undo };
  history.push(step);
  toast(text, () => back(step), say("undo"));
}

async function back(step) {
  const at = history.indexOf(step);
  if (at < 0) return;
  history.splice(at, 1);
  await step.undo();
  announce(say("undone"));
}

// Undoes the last thing that was done.
export async function undo() {
  const step = history.at(-1);
  if (!step) return announce(say("nothing-to-undo"));
  document.querySelector("toast-region")?.replaceChildren();
  await back(step);
  toast(say("undone"));
}
