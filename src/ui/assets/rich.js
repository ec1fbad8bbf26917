// Formatted citations as elements. The formatter's tags are known; everything else is text, so
// nothing that a record holds can become an element.

const CLASSES = {
  "font-style:normal;": "csl-upright",
  "font-variant:small-caps;": "csl-small-caps",
  "text-decoration:underline;": "csl-underline",
  "font-weight:normal;": "csl-regular",
  "font-weight:lighter;": "csl-regular",
};
const PLAIN = new Set(["i", "em", "b", "sup", "sub"]);
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const TAG = /<(\/?)(i|em|b|sup|sub|span|a|div)((?: (?:class|style|href)="[^"]*")*)>/g;

const decode = (text) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);

// HTML of the formatter as a fragment.
export function rich(html) {
  const fragment = document.createDocumentFragment();
  const open = [fragment];
  let from = 0;
  for (const tag of (html ?? "").matchAll(TAG)) {
    open.at(-1).append(decode(html.slice(from, tag.index)));
    from = tag.index + tag[0].length;
    const [, isEnd, name, attributes] = tag;
    if (isEnd) {
      if (open.length > 1) open.pop();
      continue;
    }
    const element = make(name, attributes);
    open.at(-1).append(element);
    open.push(element);
  }
  open.at(-1).append(decode((html ?? "").slice(from)));
  return fragment;
}

function make(name, attributes) {
  const value = (attribute) => attributes.match(new RegExp(`${attribute}="([^"]*)"`))?.[1];
  if (PLAIN.has(name)) return document.createElement(name);
  const href = decode(value("href") ?? "");
  if (name === "a" && /^https?:\/\//.test(href)) {
    const link = document.createElement("a");
    link.href = href;
    link.rel = "noreferrer";
    link.tabIndex = -1;
    return link;
  }
  const span = document.createElement("span");
  const known = CLASSES[value("style")] ?? value("class");
  if (known?.startsWith("csl-")) span.className = known;
  return span;
}

// The title of a work without its tags.
export const plainTitle = (metadata) =>
  (metadata?.title ?? "").replace(/<\/?(?:i|b|sup|sub|span)(?: class="[^"]*")?>/g, "");

export function nameOf(author) {
  if (author.literal) return author.literal;
  return [author.non_dropping_particle, author.family].filter(Boolean).join(" ");
}

// Authors, container and year in one line.
export function about(metadata) {
  const names = (metadata.authors ?? []).slice(0, 3).map(nameOf);
  if ((metadata.authors ?? []).length > 3) names.push("…");
  return [names.join(", "), metadata.journal ?? metadata.container_title, metadata.publisher, metadata.date?.year]
    .filter(Boolean)
    .join(" · ");
}

// A title with its italics and raised letters.
export const richTitle = (metadata) =>
  rich((metadata?.title ?? "").replace(/&(?!amp;|lt;|gt;)/g, "&amp;").replace(/<span class="nocase">/g, "<span>"));
