// What every page runs: keys that lead elsewhere, the service worker, and on the help page the
// switch for single-letter keys.

import { byId } from "./dom.js";
import { onKeys, singleKeys } from "./keys.js";
import { toast, undo } from "./toast.js";

onKeys({ "mod+z": undo });
document.addEventListener("waiting", (event) => toast(event.detail.text));

const box = byId("single-keys");
if (box) {
  box.checked = singleKeys.on;
  box.addEventListener("change", () => (singleKeys.on = box.checked));
}

// The address of the worker is the only one that ever becomes a script's (Trusted Types).
const WORKER = "/worker.js";
const policy = globalThis.trustedTypes?.createPolicy("worker", {
  createScriptURL: (address) => (address === WORKER ? address : ""),
});

async function keepFiles() {
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER) : WORKER);
  const { active } = await navigator.serviceWorker.ready;
  const used = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  active.postMessage([...new Set(used)].filter((path) => path.startsWith("/assets/")));
}

// Without a service worker, as in a private window, the page works all the same.
const begin = () => navigator.serviceWorker && keepFiles().catch(() => {});
if (document.readyState === "complete") begin();
else addEventListener("load", begin);
