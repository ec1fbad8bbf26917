// Creates elements and announces messages to screen readers. Never parses markup.

import { giveAddress } from "./address.js";

// el("button", {class: "plain", onclick: f, "aria-label": "…"}, "text", child). Children may be nested lists.
/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value" || name === "checked") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
const nodes = (children) => children.flatMap((child) => (Array.isArray(child) ? nodes(child) : child || []));

/** @template {keyof Ids} Id @param {Id} id */
export const byId = (id) => /** @type {Ids[Id]} */ (document.getElementById(id));

// Signals that the page's module is ready: `early.js` releases held-back actions.
export function ready() {
  document.documentElement.dataset.script = "ready";
  document.dispatchEvent(new Event("ready"));
}

// A handler that ignores events while its action runs, and the second click of a double click, which
// is never intended twice.
/** @template Result @param {(event?: any) => Result} action `any`: the event of whatever it hears */
export function once(action) {
  let isRunning = false;
  return async (/** @type {any} */ event = undefined) => {
    if (isRunning || event?.detail > 1) return undefined;
    isRunning = true;
    try {
      return await action(event);
    } finally {
      isRunning = false;
    }
  };
}

// Announces a text in the page's live regions (WCAG 2.2, 4.1.3).
/** @param {string} text */
export function announce(text, isUrgent = false) {
  const region = byId(isUrgent ? "assertive" : "polite");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 50);
}

let numbers = 0;
/** @param {string} stem */
export const unique = (stem) => `${stem}-${(numbers += 1)}`;

// A labelled control: a list of label and control for a form.
/** @param {string} label @param {HTMLElement} control @param {string} [hint] */
export function field(label, control, hint) {
  control.id ||= unique("f");
  const parts = [/** @type {HTMLElement} */ (el("label", { for: control.id }, label)), control];
  if (hint) {
    const id = unique("h");
    control.setAttribute("aria-describedby", id);
    parts.push(el("p", { class: "hint", id }, hint));
  }
  return el("div", {}, parts);
}

/** @param {[value: string, text: string][]} options @param {string | null | undefined} value @param {Properties} properties */
export function select(options, value, properties = {}) {
  const known = options.some(([name]) => name === value) || !value ? options : [[value, value], ...options];
  return el("select", properties, known.map(([name, text]) =>
    el("option", { value: name, selected: name === value }, text)));
}

// A dialog that is removed when closed and returns the focus. A click outside closes it, unless
// `isDirty` reports unsaved input. With an `address`, Back closes it too.
/** @param {string} title @param {(heading: HTMLElement, dialog: HTMLDialogElement) => Child} contents @param {Properties & {isDirty?: () => boolean, address?: string}} options */
export function openDialog(title, contents, { isDirty = () => false, address, ...properties } = {}) {
  const heading = unique("d");
  const dialog = el("dialog", { "aria-labelledby": heading, ...properties });
  const from = /** @type {HTMLElement | null} */ (document.activeElement);
  dialog.append(...nodes([contents(el("h2", { id: heading, dir: "auto" }, title), dialog)]));
  dialog.addEventListener("close", () => {
    document.body.append(...dialog.querySelectorAll("toast-region"));
    dialog.remove();
    if (from?.isConnected) from.focus();
  });
  // Selecting text with the mouse beyond the dialog's edge ends in a click there too.
  /** @type {EventTarget | null} */
  let pressed;
  dialog.addEventListener("pointerdown", (event) => (pressed = event.target));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressed === dialog && !isDirty()) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  if (address) giveAddress(dialog, address);
  return dialog;
}

// A menu below a button: [[text, action], …], skipping undefined items, with an optional sentence above.
// Arrow keys, Home, End and Escape work as in any menu.
/** @param {HTMLElement} button @param {string} label @param {(Choice | "" | false | null | undefined)[]} choices @param {string} [about] */
export function openMenu(button, label, choices, about = undefined) {
  const items = choices.filter((choice) => !!choice).map(([text, action]) => el("button", { type: "button", role: "menuitem", tabindex: "-1", onclick: () => {
    menu.hidePopover();
    action();
  } }, text));
  const id = about && unique("m");
  const menu = el("div", { class: "menu", popover: "auto" }, about ? el("p", { id }, about) : "",
    el("div", { role: "menu", "aria-label": label, "aria-describedby": id }, items));
  /** @type {Record<string, number | undefined>} */
  const step = { ArrowDown: 1, ArrowUp: -1 };
  menu.addEventListener("keydown", (event) => {
    const at = items.findIndex((item) => item === document.activeElement);
    const by = step[event.key];
    if (by) items[(at + by + items.length) % items.length].focus();
    else if (event.key === "Home") items[0].focus();
    else if (event.key === "End") items.at(-1)?.focus();
    else if (event.key === "Tab") menu.hidePopover();
    else return;
    event.preventDefault();
  });
  menu.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    button.setAttribute("aria-expanded", "false");
    const isInside = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (isInside && button.isConnected) button.focus();
  });
  byId("main").append(menu);
  menu.showPopover();
  place(menu, button);
  button.setAttribute("aria-expanded", "true");
  items[0]?.focus();
  return menu;
}

/** @param {HTMLElement} menu @param {HTMLElement} button */
function place(menu, button) {
  const from = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const fitsBelow = from.bottom + size.height + 8 < innerHeight;
  const top = fitsBelow ? from.bottom + 4 : Math.max(4, from.top - size.height - 4);
  // Opens in the button's half, so that the menu stays beside the button.
  const wanted = from.left + from.width / 2 > innerWidth / 2 ? from.right - size.width : from.left;
  const left = Math.min(Math.max(4, wanted), innerWidth - size.width - 4);
  menu.style.position = "fixed";
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
}
