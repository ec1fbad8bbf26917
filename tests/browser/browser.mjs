// What the tests share: a browser, and pages that note whatever should not happen.

import assert from "node:assert/strict";
import { after } from "node:test";
import { chromium } from "playwright-core";

export const base = process.env.BASE;
export const spent = process.env.SPENT;
export const password = process.env.PASSWORD;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});
after(() => browser.close());

// Statuses that a page may run into by what the tests ask for.
const EXPECTED = /status of (40[14]|403|412|422|429|50[234])/;

// A private window at a size. `faults` collects requests that leave the site, refusals by the
// security policy, and errors of scripts; `close` fails on any.
export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, locale: "en-US", ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const faults = [];
  const watch = (page) => {
    page.setDefaultTimeout(30_000);
    page.setDefaultNavigationTimeout(60_000);
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

// Cites something on the first page and waits until the list has so many works.
export async function cite(page, text, count) {
  await page.fill("#q", text);
  await page.press("#q", "Enter");
  await page.waitForFunction((n) => document.querySelectorAll("entry-list .entry").length === n, count);
  await page.waitForFunction(() => [...document.querySelectorAll(".in-text")].every((place) => place.textContent));
}

export const entries = (page) => page.locator("entry-list .entry .text").allTextContents();

export async function signIn(page, email, from = "/library") {
  await page.goto(`${base}/auth/login?return_to=${encodeURIComponent(from)}`);
  await page.fill("#email", email);
  await page.fill("#password", password);
  await page.click("main form[action='/auth/login'] button");
  await page.waitForURL((url) => url.pathname === from);
}
