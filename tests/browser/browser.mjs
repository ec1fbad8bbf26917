// Shared by the tests: a browser, and pages that record unexpected events.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

export const base = process.env.BASE;
export const spent = process.env.SPENT;
export const password = process.env.PASSWORD;

// CPU throttling factor: CITATION_BROWSER_SLOW=6 shows whether a page or a test depends on speed.
const slow = Number(process.env.CITATION_BROWSER_SLOW ?? 1);

export const program = {
  executablePath: process.env.CHROMIUM,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
};
// CITATION_PAGE_FILES=src/ui/assets takes the scripts from that folder, so that an edit of one needs no build. Pages then
// have no service worker, whose requests do not come from them.
const files = process.env.CITATION_PAGE_FILES;

/** @param {import("playwright-core").BrowserContext} context */
const fromFiles = (context) => context.route("**/assets/**/*.js", (route) => {
  const path = join(files ?? "", basename(new URL(route.request().url()).pathname));
  return existsSync(path) ? route.fulfill({ path, contentType: "text/javascript" }) : route.continue();
});

const browser = await chromium.launch(program);
after(() => browser.close());

// Error statuses that the tests provoke.
const EXPECTED = /status of (40[14]|403|412|422|429|50[234])/;

// A private window of a given size. `faults` collects requests that leave the site, violations of
// the security policy, and script errors; `close` fails on any.
export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, locale: "en-US", ...(files && { serviceWorkers: "block" }), ...options });
  if (files) await fromFiles(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // No short timeouts, for slow machines: a test fails by what it sees, or by never seeing it.
  context.setDefaultTimeout(60_000);
  const faults = [];
  const watch = (page) => {
    const requests = new Set();
    underWay.set(page, requests);
    page.on("request", (request) => requests.add(request));
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => requests.delete(request));
    page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !EXPECTED.test(message.text())) faults.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      const isOwn = [base, spent, process.env.ISSUER].some((known) => known && new URL(known).origin === origin);
      if (!isOwn && protocol !== "data:" && protocol !== "blob:") faults.push(`elsewhere: ${request.url()}`);
    });
  };
  context.on("page", watch);
  if (options.javaScriptEnabled !== false) context.on("page", settleFirst);
  if (slow > 1) {
    context.on("page", async (page) => {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
    });
  }
  const page = await context.newPage();
  return {
    context,
    page,
    faults,
    close: async () => {
      await context.close();
      const real = faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|Failed to load resource: net::/.test(fault));
      assert.deepEqual(real, []);
    },
  };
}

export const DOI = "10.1038/171737a0";

// A closed dialog goes back in the history a moment later. Readers do not navigate within that moment;
// tests must not either.
function settleFirst(page) {
  for (const way of ["goto", "reload"]) {
    const go = page[way].bind(page);
    page[way] = async (...given) => {
      await page.evaluate(() => new Promise((done) => setTimeout(done)));
      await page.waitForSelector("html:not([data-leaving])", { state: "attached" });
      return go(...given);
    };
  }
}

// Goes to a page and waits until its modules are ready.
export async function visit(page, path = "/") {
  await page.goto(base + path);
  await isReady(page);
}

// The requests of each page that have not ended.
/** @type {WeakMap<object, Set<object>>} */
const underWay = new WeakMap();

// Waits until a page asks for nothing: no request under way, twice in a row. Quicker than Playwright's
// "networkidle", which waits half a second more for each page.
export async function isIdle(page) {
  await page.waitForLoadState("load");
  const end = performance.now() + 60_000;
  for (let quiet = 0; quiet < 2;) {
    assert.ok(performance.now() < end, `${page.url()} still asks after a minute`);
    await new Promise((done) => setTimeout(done, 60));
    quiet = underWay.get(page)?.size ? 0 : quiet + 1;
  }
}

export const isReady = (page) => page.waitForSelector("html[data-script=ready]");

// A promise and its resolver.
export function gate() {
  /** @type {(value?: unknown) => void} */
  let resolve;
  const promise = new Promise((open) => (resolve = open));
  return { promise, resolve };
}

// Retries assertions until they hold, for changes that take a moment.
export async function holds(check) {
  const end = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (!(failure instanceof assert.AssertionError) || performance.now() > end) throw failure;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

// Waits until an element has this text.
export const reads = (page, place, text) => page.locator(place).filter({ hasText: text }).first().waitFor();

// Submits a form without script and waits for the response page.
export async function send(page, button) {
  const answered = page.waitForEvent("load");
  await button.click();
  await answered;
}

// Waits until the list has this number of works.
export const counts = (page, n) =>
  page.waitForFunction((wanted) => document.querySelectorAll("entry-list .entry").length === wanted, n);

// Waits until every work of the list is formatted.
export const isFormatted = (page) =>
  page.waitForFunction(() => [...document.querySelectorAll("entry-list .in-text")].every((place) => place.textContent));

// Cites something on the first page and waits until the list has this number of works.
export async function cite(page, text, count) {
  await page.fill("#q", text);
  await page.press("#q", "Enter");
  await counts(page, count);
  await isFormatted(page);
}

// Chooses from the menu of the list's tools.
export async function choose(page, name) {
  await page.locator("#tools").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

// Opens the filter of a long list.
export async function find(page) {
  const button = page.getByRole("button", { name: "Find", exact: true });
  await button.waitFor();
  if (!(await page.getByRole("searchbox", { name: "Find in this list" }).isVisible())) await button.click();
}

export const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

export const entries = (page) => page.locator("entry-list .entry .text").allTextContents();

export async function signIn(page, email, from = "/library") {
  await page.goto(`${base}/auth/login?return_to=${encodeURIComponent(from)}`);
  await page.fill("#email", email);
  await page.fill("#password", password);
  await page.click("main form[action='/auth/login'] button");
  await page.waitForURL((url) => url.pathname === from);
}

// The account that owns the tests' collections.
export const person = "scholar@example.org";

// Creates a collection and stays on its page.
export async function collection(page, name) {
  await page.goto(`${base}/library`);
  await page.fill("#name", name);
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/c\//);
  if (await page.evaluate(() => "script" in document.documentElement.dataset)) await isReady(page);
}
