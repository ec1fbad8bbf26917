// Runs in the page: returns its address, and the metadata of its loaded head as HTML.

(() => {
  // Maximum length of an address, in characters.
  const MOST = 60_000;
  const copy = document.createElement("html");
  copy.lang = document.documentElement.lang;
  const head = document.createElement("head");
  copy.append(head);
  const parts = document.querySelectorAll("title, meta[name], meta[property], meta[itemprop], link[rel~=canonical], script[type='application/ld+json']");
  let size = 0;
  for (const part of parts) {
    size += part.outerHTML.length;
    if (size < MOST) head.append(part.cloneNode(true));
  }
  // Catalogues mark the works that they list in the body.
  const body = document.createElement("body");
  for (const span of [...document.querySelectorAll("span.Z3988[title]")].slice(0, 1)) body.append(span.cloneNode());
  copy.append(body);
  return { url: location.href, html: `<!doctype html>${copy.outerHTML}` };
})();
