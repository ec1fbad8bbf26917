// Formatted citations as elements. Only the formatter's tags are recognised; everything else is
// text, so no record can inject an element.

/** @type {Record<string, string | undefined>} */
const CLASSES = {
  "font-style:normal;": "csl-upright",
  "font-variant:small-caps;": "csl-small-caps",
  "text-decoration:underline;": "csl-underline",
  "font-weight:normal;": "csl-regular",
  "font-weight:lighter;": "csl-regular",
};
const PLAIN = new Set(["i", "em", "b", "sup", "sub"]);
/** @type {Record<string, string>} */
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const TAG = /<(\/?)(i|em|b|sup|sub|span|a|div)((?: (?:class|style|href)="[^"]*")*)>/g;

/** @param {string} text */
const decode = (text) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);

// The formatter's HTML as a fragment.
/** @param {string | null} [html] */
export function rich(html) {
  const fragment = document.createDocumentFragment();
  /** @type {[ParentNode, ...ParentNode[]]} */
  const open = [fragment];
  const text = html ?? "";
  let from = 0;
  for (const tag of text.matchAll(TAG)) {
    open[0].append(decode(text.slice(from, tag.index)));
    from = tag.index + tag[0].length;
    const [, isEnd, name, attributes] = tag;
    if (isEnd) {
      if (open.length > 1) open.shift();
      continue;
    }
    const element = make(name, attributes);
    open[0].append(element);
    open.unshift(element);
  }
  open[0].append(decode(text.slice(from)));
  return fragment;
}

/** @param {string} name @param {string} attributes */
function make(name, attributes) {
  /** @param {string} attribute */
  const value = (attribute) => attributes.match(new RegExp(`${attribute}="([^"]*)"`))?.[1];
  if (PLAIN.has(name)) return document.createElement(name);
  const href = decode(value("href") ?? "");
  if (name === "a" && /^(https?:\/\/|ftp:\/\/|mailto:)/i.test(href)) {
    const link = document.createElement("a");
    link.href = href;
    link.rel = "noreferrer";
    link.tabIndex = -1;
    return link;
  }
  const span = document.createElement("span");
  const known = CLASSES[value("style") ?? ""] ?? value("class");
  if (known?.startsWith("csl-")) span.className = known;
  return span;
}

// A work's title without tags.
/** @param {Pick<Api.Metadata, "title"> | null} [metadata] */
export const plainTitle = (metadata) =>
  (metadata?.title ?? "").replace(/<\/?(?:i|b|sup|sub|span)(?: class="[^"]*")?>/g, "");

/** @param {Api.Name} author */
export function nameOf(author) {
  if (author.literal) return author.literal;
  return [author.non_dropping_particle, author.family].filter(Boolean).join(" ");
}

// Authors, container and year in one line.
/** @param {Api.Metadata} metadata */
export function about(metadata) {
  const names = (metadata.authors ?? []).slice(0, 3).map(nameOf);
  if ((metadata.authors ?? []).length > 3) names.push("…");
  return [names.join(", "), metadata.journal ?? metadata.container_title, metadata.publisher, metadata.date?.year]
    .filter(Boolean)
    .join(" · ");
}

// A title with its italics and superscripts.
/** @param {Pick<Api.Metadata, "title">} metadata */
export const richTitle = (metadata) =>
  rich((metadata?.title ?? "").replace(/&(?!amp;|lt;|gt;)/g, "&amp;").replace(/<span class="nocase">/g, "<span>"));
