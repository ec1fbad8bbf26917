// Runs on every page: navigation keys, the service worker, and on the help page the switch for
// single-letter keys.

import { watch } from "./account.js";
import { byId } from "./dom.js";
import { onKeys, singleKeys } from "./keys.js";
import { toast, undo } from "./toast.js";
import { clock, say } from "./words.js";

onKeys({ "mod+z": undo });
watch();

// A chosen appearance or language applies at once; only a language needs the page anew.
const preferences = /** @type {Form<{ language: HTMLSelectElement, theme: HTMLSelectElement }> | null} */ (document.querySelector("form.preferences"));
preferences?.addEventListener("change", (event) => {
  const { language, theme } = preferences.elements;
  if (event.target === language) return preferences.requestSubmit();
  document.documentElement.dataset.theme = theme.value;
  return fetch("/preferences", { method: "POST", body: new URLSearchParams({ theme: theme.value }), redirect: "manual" });
});
// Escape and a click elsewhere close the menu.
const menu = document.querySelector("details.preferences-menu");
const shut = (/** @type {Event} */ event) => {
  const isOutside = event.target instanceof Node && !menu?.contains(event.target);
  if (menu?.hasAttribute("open") && (isOutside || event instanceof KeyboardEvent && event.key === "Escape")) menu.removeAttribute("open");
};
addEventListener("click", shut);
addEventListener("keydown", shut);

// Counts down until a request delayed by a burst limit continues.
document.addEventListener("waiting", ({ detail }) => {
  /** @param {number} left */
  const text = (left) => say("burst.wait", { time: clock(left) });
  const until = Date.now() + detail.seconds * 1000;
  const said = /** @type {HTMLElement} */ (toast(text(detail.seconds)).querySelector("span"));
  const tick = setInterval(() => {
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    if (left && said.isConnected) said.textContent = text(left);
    else clearInterval(tick);
  }, 1000);
});

const box = byId("single-keys");
if (box) {
  box.checked = singleKeys.on;
  box.addEventListener("change", () => (singleKeys.on = box.checked));
}

// Only the worker's address may become a script URL (Trusted Types).
const WORKER = "/worker.js";
const policy = globalThis.trustedTypes?.createPolicy("worker", {
  createScriptURL: (address) => (address === WORKER ? address : ""),
});

async function keepFiles() {
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER) : WORKER);
  const { active } = await navigator.serviceWorker.ready;
  // Messages and dialogs load after the page's files, some before the worker sees their requests.
  const sent = new Set();
  new PerformanceObserver((seen) => {
    const used = seen.getEntries().map(({ name }) => new URL(name).pathname);
    const files = [...new Set(used)].filter((path) => path.startsWith("/assets/") && !sent.has(path));
    if (!files.length) return;
    const language = sent.size ? undefined : document.documentElement.lang;
    for (const path of files) sent.add(path);
    active?.postMessage({ files, language });
  }).observe({ type: "resource", buffered: true });
}

// Without a service worker, as in a private window, the page still works.
const begin = () => navigator.serviceWorker && keepFiles().catch(() => {});
if (document.readyState === "complete") begin();
else addEventListener("load", begin);
