// The service worker: the first page and the files that pages have used stay readable without the
// network, and other pages say that they need it. The server writes SET, the hash of the files, above.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = `citation-${SET}`;
const HOME = "/";
// What stands for every other page without the network.
const OFFLINE = "/offline";

// What is kept is the same for every request, whether the browser names an origin (as for modules) or not.
const ANY = { ignoreVary: true };

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// One message after the other, so that the page in the language chosen last is the one that is kept.
/** @type {Promise<unknown>} */
let done = Promise.resolve();
worker.addEventListener("message", (event) => {
  done = done.then(() => keep(event.data)).catch(() => {});
  event.waitUntil(done);
});

// A page tells which files it was made with; the browser has them at hand. The first page comes
// behind its files, so that it is never kept without them, and once a page: with the first message,
// which says its language. It is kept as those see it who have not signed in: nothing of an account
// outlives its session here.
/** @param {{ files: string[], language?: string }} message */
async function keep({ files, language }) {
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  if (!language) return;
  for (const page of [HOME, OFFLINE]) {
    const response = await fetch(page, { credentials: "omit", headers: { "accept-language": language } });
    if (response.ok) await cache.put(page, response);
  }
}

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("citation-") && name !== CACHE) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request, address.pathname === HOME ? HOME : OFFLINE));
});

// A file that is used later than the page is kept too.
/** @param {Request} request */
async function file(request) {
  const kept = await caches.match(request, ANY);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

/** @param {Request} request @param {string} instead */
async function page(request, instead) {
  try {
    const response = await fetch(request);
    // The first page gives place to the one that is kept where it breaks off on its way.
    if (instead === HOME) await response.clone().arrayBuffer();
    return response;
  } catch (cause) {
    const kept = await (await caches.open(CACHE)).match(instead, ANY);
    if (kept) return kept;
    throw cause;
  }
}
