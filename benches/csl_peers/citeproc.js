// Formats one bibliography with citeproc-js: node run.js STYLE LOCALES ITEMS. Prints a line of JSON.

const fs = require("fs");
const path = require("path");
const CSL = require("citeproc");

const [style, locales, file] = process.argv.slice(2);
const xml = fs.readFileSync(style, "utf8");
const items = new Map(JSON.parse(fs.readFileSync(file, "utf8")).map((item) => [item.id, item]));
const ids = [...items.keys()];
const system = {
  retrieveItem: (id) => items.get(id),
  retrieveLocale: (tag) => {
    const name = path.join(locales, `locales-${tag}.xml`);
    return fs.existsSync(name) ? fs.readFileSync(name, "utf8") : null;
  },
};

const seconds = () => {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
};

// The engine caches formatted output, so every round gets a new one.
let best = { compile: Infinity, format: Infinity };
let entries = [];
const begin = seconds();
do {
  const start = seconds();
  const engine = new CSL.Engine(system, xml);
  const compiled = seconds();
  engine.updateItems(ids);
  const bibliography = engine.makeBibliography();
  entries = bibliography ? bibliography[1] : [];
  best.compile = Math.min(best.compile, compiled - start);
  best.format = Math.min(best.format, seconds() - compiled);
} while (seconds() - begin < 1);

console.log(
  JSON.stringify({
    compile_ms: best.compile * 1e3,
    seconds: best.format,
    entries: entries.length,
    bytes: entries.reduce((sum, entry) => sum + Buffer.byteLength(entry), 0),
    peak_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
