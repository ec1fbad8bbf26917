// The service worker: keeps the first page and used files available offline; other pages show that they
// need a network. The server prepends SET, the hash of the files.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = `citation-${SET}`;
const HOME = "/";
// Replaces every other page without a network.
const OFFLINE = "/offline";

// Cached files match any request, with or without an origin (modules send one).
const ANY = { ignoreVary: true };

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// One message after the other, so that the last chosen language is kept.
/** @type {Promise<unknown>} */
let done = Promise.resolve();
worker.addEventListener("message", (event) => {
  done = done.then(() => keep(event.data)).catch(() => {});
  event.waitUntil(done);
});

// A page sends the files it uses; the browser has them cached. The first page follows its files, so
// that it is never cached without them, and only once per page: with the first message, which
// contains the language. It is fetched without credentials, so that no account data outlives the
// session here.
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

// Also caches files used after the page has loaded.
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
    // If the connection breaks during the first page, use the cached one.
    if (instead === HOME) await response.clone().arrayBuffer();
    return response;
  } catch (cause) {
    const kept = await (await caches.open(CACHE)).match(instead, ANY);
    if (kept) return kept;
    throw cause;
  }
}
