// The scripts' messages in the page's language.

export const language = document.documentElement.lang || "en";
/** @type {{ default: Record<string, string> }} */
const { default: table } = await import(`./words/${language}.js`);
const rules = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

// Adds the messages of `more-words.js`.
/** @param {Record<string, string>} more */
export const add = (more) => Object.assign(table, more);

/** @param {string} key */
export const has = (key) => Object.hasOwn(table, key);

// A message with its placeholders filled: say("quota.left", {left: 3, limit: 20}).
/** @param {string} key @param {object} places */
export function say(key, places = {}) {
  const text = has(key) ? table[key] : key;
  return text.replace(/\{([a-z_]+)\}/g, (whole, name) => {
    const value = /** @type {Record<string, string | number | undefined>} */ (places)[name];
    return typeof value === "number" ? numbers.format(value) : value ?? whole;
  });
}

// The message for a count.
/** @param {string} key @param {number} n @param {object} places */
export function count(key, n, places = {}) {
  const form = `${key}.${rules.select(n)}`;
  return say(has(form) ? form : `${key}.other`, { n, ...places });
}

// 75 seconds as “1:15”, 4000 as “1:06:40”.
/** @param {number} seconds */
export function clock(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}

const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// An ISO 8601 time in the reader's time zone.
/** @param {string} text */
export function moment(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : moments.format(time);
}

// Names the languages of a select in the reader's own and sorts them; unknown ones keep their names. The
// country is shown only to distinguish two.
/** @param {HTMLSelectElement} choice */
export function nameLanguages(choice) {
  const names = new Intl.DisplayNames([language], { type: "language", fallback: "none" });
  /** @param {string} tag */
  const bare = (tag) => tag.split("-")[0];
  const options = [...choice.options].filter((option) => option.value);
  for (const option of options) {
    const tongue = bare(option.value);
    const isAlone = options.filter(({ value }) => bare(value) === tongue).length < 2;
    option.text = names.of(isAlone ? tongue : option.value) ?? option.text;
  }
  const { compare } = new Intl.Collator(language);
  choice.append(...options.sort((one, other) => compare(one.text, other.text)));
}
