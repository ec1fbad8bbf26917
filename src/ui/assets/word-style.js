// The style and the locale of a document, in Zotero's document preferences: properties of the document of at most 255
// characters, so that Zotero and the extension for LibreOffice go on with the same style.

const PREFIX = "ZOTERO_PREF_";
const PIECE = 255;
const STYLES = "http://www.zotero.org/styles/";

/** @param {Word.RequestContext} context */
async function pieces(context) {
  const { customProperties } = context.document.properties;
  customProperties.load("items/key,items/value");
  await context.sync();
  const own = customProperties.items.filter(({ key }) => /^ZOTERO_PREF_\d+$/.test(key));
  return own.sort((a, b) => Number(a.key.slice(PREFIX.length)) - Number(b.key.slice(PREFIX.length)));
}

// Undefined if there are none that can be read.
/** @param {Word.RequestContext} context @returns {Promise<{ style: string, locale: string } | undefined>} */
export async function savedStyle(context) {
  const text = (await pieces(context)).map(({ value }) => value).join("");
  const { id, locale } = text.startsWith("{") ? ofJson(text) : ofXml(text);
  return id ? { style: id.startsWith(STYLES) ? id.slice(STYLES.length) : id, locale: locale ?? "" } : undefined;
}

/** @param {string} text @returns {{ id?: string | null, locale?: string | null }} */
function ofJson(text) {
  try {
    const { style } = JSON.parse(text);
    return { id: style.styleID, locale: style.locale };
  } catch {
    return {};
  }
}

/** @param {string} text @returns {{ id?: string | null, locale?: string | null }} */
function ofXml(text) {
  if (!text) return {};
  const style = new DOMParser().parseFromString(text, "text/xml").querySelector("data > style");
  return { id: style?.getAttribute("id"), locale: style?.getAttribute("locale") };
}

// Writes a style and a locale where they differ; what else Zotero keeps stays.
/** @param {Word.RequestContext} context @param {string} style @param {string} locale @param {boolean} isNote @param {boolean} hasList */
export async function saveStyle(context, style, locale, isNote, hasList) {
  const before = await pieces(context);
  const old = before.map(({ value }) => value).join("");
  const id = style.includes("/") ? style : STYLES + style;
  const text = old.startsWith("{") ? changedJson(old, id, locale, isNote, hasList) : changedXml(old, id, locale, isNote, hasList);
  if (text === old) return;
  for (const property of before) property.delete();
  const { customProperties } = context.document.properties;
  for (let at = 0; at < text.length; at += PIECE) customProperties.add(`${PREFIX}${at / PIECE + 1}`, text.slice(at, at + PIECE));
}

/** @param {string} text @param {string} style @param {string} locale @param {boolean} isNote @param {boolean} hasList */
function changedJson(text, style, locale, isNote, hasList) {
  const { style: before, prefs, ...others } = JSON.parse(text);
  return JSON.stringify({
    ...others,
    style: { ...before, styleID: style, locale, hasBibliography: hasList },
    prefs: { ...prefs, noteType: Number(isNote) },
  });
}

/** @param {string} text @param {string} style @param {string} locale @param {boolean} isNote @param {boolean} hasList */
function changedXml(text, style, locale, isNote, hasList) {
  const parsed = new DOMParser().parseFromString(text || NEW, "text/xml");
  const root = parsed.querySelector("data > style") ? parsed : new DOMParser().parseFromString(NEW, "text/xml");
  const list = String(Number(hasList));
  const wanted = { id: style, locale, hasBibliography: list, bibliographyStyleHasBeenSet: list };
  for (const [name, value] of Object.entries(wanted)) root.querySelector("data > style")?.setAttribute(name, value);
  root.querySelector("pref[name=noteType]")?.setAttribute("value", String(Number(isNote)));
  return new XMLSerializer().serializeToString(root);
}

const NEW = '<data data-version="3"><session id="citation"/><style/><prefs><pref name="fieldType" value="Field"/>'
  + '<pref name="noteType" value="0"/></prefs></data>';
