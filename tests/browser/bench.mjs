// The cost of a list of 1,000 works, or of WORKS, in a browser: the time to its first painted rows, frames while
// scrolling, and the time from choosing a style to the painted list. Prints figures and asserts nothing. For valid
// figures use an optimised build:
//
//     cargo build --release && npm run bench --prefix tests/browser

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const WORKS = Number(process.env.WORKS ?? 1000);
const ROUNDS = 3;
// Upper limits in milliseconds. Beyond one request's works a change of style takes several, and has no limit.
const FIRST = 1000;
const FRAME = WORKS > 1000 ? 100 : 50;
const SWITCH = WORKS > 1000 ? Infinity : 350;
// Author-date and numeric, sorted and not, with and without small capitals.
const STYLES = ["ieee", "apa", "nature", "modern-language-association", "vancouver", "chicago-author-date"];

const program = resolve(process.env.CITATION ?? new URL("../../target/release/citation", import.meta.url).pathname);
const folder = await mkdtemp(join(tmpdir(), "citation-bench-"));
const server = spawn(program, ["--data", folder, "--init", "serve", "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
const base = await new Promise((found, failed) => {
  server.on("exit", () => failed(new Error(`${program} ended`)));
  createInterface({ input: server.stdout }).on("line", (line) => {
    const address = line.match(/^listening on (\S+)/)?.[1];
    if (address) found(address);
  });
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, locale: "en-US" });

const isFormatted = () => page.waitForFunction((n) => {
  const texts = [...document.querySelectorAll("entry-list .in-text")];
  return texts.length === n && texts.every((text) => text.textContent);
}, WORKS, { timeout: 120_000 });

await page.goto(base);
await page.waitForSelector("html[data-script=ready]");
await page.evaluate(async (n) => {
  const words = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));
  const { LocalList } = await import(words.href.replace(/words\/.*/, "local-store.js"));
  const names = ["Watson", "Crick", "Franklin", "Wilkins", "Shannon", "Noether", "Curie", "Turing", "Hopper", "Hodgkin"];
  const list = await LocalList.open();
  await list.add(Array.from({ length: n }, (_, at) => ({
    metadata: {
      entry_type: "Article", title: `On the <i>structure</i> of things, part ${at}`, journal: `Journal of Parts ${at % 40}`,
      authors: Array.from({ length: 1 + at % 4 }, (_, more) => ({ family: names[(at + 3 * more) % names.length], given: `A. ${at % 26}` })),
      date: { year: 1950 + at % 70 }, volume: String(at % 90), pages: `${at}-${at + 9}`, doi: `10.1000/parts.${at}`,
    },
    tags: [`tag ${at % 7}`],
  })));
}, WORKS);
// Milliseconds from a visit to the first painted rows.
await page.addInitScript(() => {
  const seen = new MutationObserver(() => {
    if (!document.querySelector("entry-list .entry")) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.rowsAt = performance.now())));
  });
  seen.observe(document, { childList: true, subtree: true });
});
const firsts = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await page.reload();
  await page.waitForFunction(() => window.rowsAt);
  firsts.push(await page.evaluate(() => window.rowsAt));
}
console.log(`${WORKS} works, first rows painted after ${firsts.map(Math.round).join(", ")} ms (at most ${FIRST} wanted)`);
await isFormatted();

// Milliseconds of work of the page's thread since the last call, independent of other load on the machine.
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });
let before = 0;
async function worked() {
  const { metrics } = await session.send("Performance.getMetrics");
  const now = 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  const spent = now - before;
  before = now;
  return spent;
}

// Milliseconds of each frame while the list scrolls from start to end.
const scrolled = () => page.evaluate(() => new Promise((done) => {
  scrollTo(0, 0);
  const frames = [];
  let last = performance.now();
  const step = (now) => {
    frames.push(now - last);
    last = now;
    const before = scrollY;
    scrollBy(0, 400);
    if (scrollY > before) requestAnimationFrame(step);
    else done(frames.slice(2));
  };
  requestAnimationFrame(step);
}));

// Milliseconds from choosing a style until every entry is painted, and the server's share of them.
const switched = (style) => page.evaluate((id) => new Promise((done) => {
  const picker = /** @type {any} `any`: an element of the page */ (document.querySelector("style-picker"));
  const list = document.querySelector("entry-list ol");
  performance.clearResourceTimings();
  const began = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => {
      const asked = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/v1/format"));
      done({ all: performance.now() - began, server: asked.reduce((sum, { duration }) => sum + duration, 0) });
    }));
  });
  seen.observe(list, { childList: true, subtree: true, characterData: true });
  picker.dispatchEvent(new CustomEvent("choose", { detail: { id, title: id } }));
}), style);

const rounded = (values) => values.map((value) => Math.round(value)).join(", ");

for (let round = 1; round <= ROUNDS; round += 1) {
  await worked();
  const frames = (await scrolled()).sort((a, b) => a - b);
  const late = frames.filter((frame) => frame > FRAME);
  console.log(`${WORKS} works, scrolled in ${frames.length} frames: p50 ${rounded([frames[frames.length >> 1]])} ms, ` +
    `longest ${rounded(frames.slice(-3))} ms; ${late.length} over ${FRAME} ms (none wanted); worked ${(await worked() / frames.length).toFixed(1)} ms a frame`);
  const times = [];
  for (const style of STYLES) {
    const { all, server } = await switched(style);
    times.push({ all, server, worked: await worked() });
    await isFormatted();
    await worked();
  }
  console.log(`another style, ${STYLES.join(", ")}: ${rounded(times.map(({ all }) => all))} ms ${SWITCH === Infinity ? "" : `(at most ${SWITCH} wanted)`}, ` +
    `without the server ${rounded(times.map(({ all, server }) => all - server))} ms; worked ${rounded(times.map((time) => time.worked))} ms`);
}

await browser.close();
server.removeAllListeners("exit");
server.kill();
await rm(folder, { recursive: true, force: true });
