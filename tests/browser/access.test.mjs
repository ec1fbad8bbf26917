// For everyone: what axe finds on each page in light and dark, the keyboard's way through each page,
// narrow windows, right to left, and the weight of the first page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { DOI, base, cite, isReady, open, signIn, visit } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["/", "/verify", "/batch", "/styles?q=nature", "/styles/apa", "/help", "/status", "/library", "/auth/login", "/auth/sign-up", "/nothing"];

async function violations(page) {
  // The page's own policy lets no foreign script in, so axe goes in by the debugger.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing on any page, ${colorScheme}`, async () => {
    const { page, close } = await open({ colorScheme });
    for (const path of PAGES) {
      await page.goto(base + path);
      await page.waitForLoadState("networkidle");
      assert.deepEqual(await violations(page), [], path);
    }
    await visit(page);
    await cite(page, DOI, 1);
    await page.waitForTimeout(300);
    assert.deepEqual(await violations(page), [], "a list");
    await page.getByRole("button", { name: /^Edit:/ }).click();
    await page.waitForTimeout(400);
    assert.deepEqual(await violations(page), [], "the editor");
    await page.keyboard.press("Escape");
    await page.click("#style");
    await page.waitForTimeout(400);
    assert.deepEqual(await violations(page), [], "the styles");
    await signIn(page, "scholar@example.org");
    await page.goto(`${base}/verify#${encodeURIComponent(`Watson JD, Crick FHC. Molecular structure. Nature 1963;171:737. doi:${DOI}`)}`);
    await page.waitForFunction(() => document.querySelector(".verdict .badge.mismatch, .verdict .badge.verified"));
    assert.deepEqual(await violations(page), [], "verdicts");
    await close();
  });
}

test("the tab key reaches every control of every page, and each has a name", async () => {
  const { page, close } = await open();
  for (const path of PAGES) {
    await page.goto(base + path);
    await page.waitForLoadState("networkidle");
    const all = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")]
      .filter((control) => control.checkVisibility() && control.tabIndex >= 0).length);
    const seen = new Set();
    for (let presses = 0; presses < all + 10; presses += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const control = document.activeElement;
        if (control === document.body) return null;
        globalThis.order ??= new Map();
        if (!globalThis.order.has(control)) globalThis.order.set(control, globalThis.order.size);
        const name = control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.textContent || control.title;
        return { id: globalThis.order.get(control), name: name.trim(), outline: getComputedStyle(control).outlineStyle };
      });
      if (!at) continue;
      assert.ok(at.name, `${path}: a control without a name`);
      assert.notEqual(at.outline, "none", `${path}: ${at.name} does not show the focus`);
      seen.add(at.id);
    }
    assert.ok(seen.size >= all, `${path}: ${seen.size} of ${all} controls are reached`);
  }
  await close();
});

test("at 320 pixels nothing has to be scrolled sideways", async () => {
  const { page, close } = await open({ viewport: { width: 320, height: 640 } });
  for (const path of PAGES) {
    await page.goto(base + path);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 320, `${path} is ${wide} wide`);
  }
  await close();
});

test("Arabic reads from right to left, and each language names the page", async () => {
  const titles = new Set();
  for (const locale of ["en", "de", "fr", "es", "zh-CN", "ar"]) {
    const { page, close } = await open({ locale });
    await visit(page);
    assert.equal(await page.getAttribute("html", "lang"), locale);
    assert.equal(await page.getAttribute("html", "dir"), locale === "ar" ? "rtl" : "ltr");
    titles.add(await page.textContent("h1"));
    await close();
  }
  assert.equal(titles.size, 6);
});

test("print shows the bibliography alone", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate(() => document.body.innerText.trim().split("\n").map((line) => line.trim()).filter(Boolean));
  assert.equal(shown.length, 2, shown.join(" / "));
  assert.match(shown[1], /^Watson/);
  await close();
});

test("the first page weighs less than 60 kB", async () => {
  const { page, context, close } = await open({ serviceWorkers: "block" });
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  const rows = new Map();
  session.on("Network.responseReceived", ({ requestId, response }) => rows.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    console.log(`${String(encodedDataLength).padStart(7)}  ${new URL(rows.get(requestId)).pathname.split("/").pop() || "/"}`);
  });
  await visit(page);
  await page.waitForLoadState("networkidle");
  console.log(`the first page: ${bytes} bytes transferred`);
  assert.ok(bytes < 60_000, `${bytes} bytes`);
  await close();
});
