// Classifies a pasted text without a request: identifier, list, file or words. The server decides;
// this selects the request and the hint while typing.

const DOI = /^(doi:\s*)?(\S*doi\.org\/|https?:\S+?)?10(\.\d{4,9})?\/\S+$/i;

// BibTeX, RIS, JSON and XML. Other formats have several lines; the server detects them.
const FILE = [/^@\w+\s*[{(]/m, /^TY {2}- /m, /^(\[\s*)?\{/, /^<[?!a-z]/i];

// {kind, value}: `doi`, `isbn`, `isbn-bad`, `url`, `text`, `many` with `lines`, `file`, `none`.
/** @param {string} text @returns {Detected} */
export function detect(text) {
  const trimmed = text.trim();
  if (!trimmed) return { kind: "none", value: "" };
  if (FILE.some((sign) => sign.test(trimmed))) return { kind: "file", value: trimmed };
  const lines = trimmed.split(/\n+/).map((line) => line.trim()).filter(Boolean);
  if (lines.length > 1) return { kind: "many", value: trimmed, lines };
  return one(trimmed);
}

/** @param {string} text @returns {Detected} */
export function one(text) {
  if (DOI.test(text)) return { kind: "doi", value: text };
  if (/^(https?:\/\/|www\.)\S+$/i.test(text)) return { kind: "url", value: text };
  const isbn = text.replace(/^isbn(?:-1[03])?:?\s*/i, "").replace(/[\s‐-–-]/g, "").toUpperCase();
  if (/^(?:97[89]\d{10}|\d{9}[\dX])$/.test(isbn)) {
    return { kind: checks(isbn) ? "isbn" : "isbn-bad", value: text };
  }
  return { kind: "text", value: text };
}

/** @param {string} isbn */
function checks(isbn) {
  const digits = [...isbn].map((digit) => (digit === "X" ? 10 : Number(digit)));
  const weight = (/** @type {number} */ at) => (isbn.length === 13 ? (at % 2 ? 3 : 1) : 10 - at);
  const sum = digits.reduce((total, digit, at) => total + digit * weight(at), 0);
  return sum % (isbn.length === 13 ? 10 : 11) === 0;
}
