// The service worker: the first page and the files that pages have used stay readable without the
// network. The server writes SET, the hash of the files, above.

const CACHE = `citation-${SET}`;
const HOME = "/";

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

// A page tells which files it was made with; the browser has them at hand.
self.addEventListener("message", (event) => {
  event.waitUntil((async () => (await caches.open(CACHE)).addAll(event.data))());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("citation-") && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
    // The page that brought the worker was loaded without it.
    await keep(await fetch(HOME)).catch(() => {});
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && address.pathname === HOME) event.respondWith(home(request));
});

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function home(request) {
  try {
    const response = await fetch(request);
    keep(response.clone());
    return response;
  } catch (cause) {
    const kept = await (await caches.open(CACHE)).match(HOME);
    if (kept) return kept;
    throw cause;
  }
}

async function keep(response) {
  if (response.ok) await (await caches.open(CACHE)).put(HOME, response);
}
