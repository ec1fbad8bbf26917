// Accessibility: axe on each page in light and dark, keyboard access, narrow windows, right-to-left
// text, and the size of the first page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { DOI, base, choose, cite, find, holds, isIdle, isReady, open, reads, signIn, visit } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["/", "/verify", "/batch", "/styles?q=nature", "/styles/apa", "/help", "/offline", "/status", "/plans", "/tools", "/library", "/auth/login", "/auth/sign-up", "/nothing"];
// The API reference has a link for each of its operations.
const DOCS = ["/api/docs", "/api/docs/lookup"];
const EMBED = `/embed?q=${DOI}`;

const OWN_STYLE = `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Access</title><id>http://example.org/access</id><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout><text variable="title"/></layout></citation></style>`;

// Creates a collection with works in every state; returns the pages only its owner sees, and the
// shared one.
async function ownPages(page) {
  await signIn(page, "scholar@example.org");
  const [collection, entry, token] = await page.evaluate(async (own) => {
    const send = async (path, body) => {
      const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      return response.json();
    };
    const states = ["clean", "needs_review", "possible_duplicate", "verified", "mismatch", "retracted"];
    const entries = states.map((state, n) => ({
      metadata: { entry_type: n % 2 ? "Book" : "Article", title: `Work ${n}`, authors: [{ family: "Writer", given: "W." }], date: { year: 2000 + n } },
      review_status: state, tags: [`tag ${n % 3}`], note: n ? undefined : "A note",
    }));
    const made = await send("/api/v1/collections", { name: "Everything", description: "What there is", tags: ["one", "two"] });
    await send(`/api/v1/collections/${made.id}/entries/batch`, { entries });
    const { share_url: link } = await send(`/api/v1/collections/${made.id}/share`, {});
    await fetch("/api/v1/me/styles", { method: "POST", headers: { "content-type": "application/xml" }, body: own });
    const whole = await (await fetch(`/api/v1/collections/${made.id}`)).json();
    await fetch(`/api/v1/collections/${made.id}/entries/${whole.entries[0].id}/metadata`, {
      method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...whole.entries[0].metadata, volume: "7" }),
    });
    return [made.id, whole.entries[0].id, link.split("/").pop()];
  }, OWN_STYLE);
  return [
    "/library", `/library?deleted=${collection}`, `/c/${collection}`, `/c/${collection}/e/${entry}`, `/c/${collection}/import`, `/s/${token}`,
    "/styles", "/styles/own:access", "/account", "/account/jobs", "/account/groups", "/account/keys", "/account/webhooks", "/account/reviews", "/account/sessions", "/account/delete", "/status", "/operator", "/operator/accounts", "/operator/sources", "/operator/styles", "/operator/backups",
  ];
}

const formatted = (page) => page.waitForFunction(() =>
  [...document.querySelectorAll("entry-list .entry .in-text")].every((place) => place.textContent));

async function violations(page) {
  // Elements that are fading in have too little contrast.
  await page.evaluate(() => Promise.allSettled(document.getAnimations()
    .filter((animation) => Number(animation.effect.getComputedTiming().endTime) < Infinity)
    .map((animation) => animation.finished)));
  // The page's policy blocks foreign scripts, so axe is injected by the debugger.
  await page.evaluate(axe);
  // A dark page differs from the light one in its colours alone.
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: matchMedia("(prefers-color-scheme: dark)").matches ? ["color-contrast", "link-in-text-block"] : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

const isStill = async (page) => {
  await isIdle(page);
  await formatted(page);
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing on any page, ${colorScheme}`, async () => {
    const { page, close } = await open({ colorScheme });
    for (const path of [...PAGES, ...DOCS, EMBED]) {
      await page.goto(base + path);
      await isStill(page);
      assert.deepEqual(await violations(page), [], path);
    }
    await visit(page);
    await cite(page, DOI, 1);
    assert.deepEqual(await violations(page), [], "a list");
    await page.getByRole("button", { name: /^Edit:/ }).click();
    await reads(page, "dialog .preview", /Watson/);
    assert.deepEqual(await violations(page), [], "the editor");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Cite:/ }).click();
    await reads(page, "dialog .preview", /Watson/);
    assert.deepEqual(await violations(page), [], "a citation");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^More:/ }).click();
    await page.locator(".menu").waitFor();
    assert.deepEqual(await violations(page), [], "a work's menu");
    await page.keyboard.press("Escape");
    for (const name of ["Copy as", "Export", "More", "Saving to: This browser"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator(".menu").waitFor();
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press("Escape");
    }
    await choose(page, "Trash");
    await page.getByText("The trash is empty.").waitFor();
    assert.deepEqual(await violations(page), [], "the trash");
    await page.keyboard.press("Escape");
    await page.click("#style");
    await page.keyboard.press("ArrowDown");
    await page.locator(".sample-line").waitFor();
    assert.deepEqual(await violations(page), [], "the styles");
    await page.keyboard.press("Escape");
    await page.locator("entry-list .entry").focus();
    await page.keyboard.press("x");
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByRole("term").filter({ hasText: /^Alt\+↑ Alt\+↓$/ }).waitFor();
    assert.deepEqual(await violations(page), [], "the keys, with a work selected behind");
    await close();
  });

  test(`axe finds nothing on the pages of an account, ${colorScheme}`, async () => {
    const { page, close } = await open({ colorScheme });
    const own = await ownPages(page);
    for (const path of own) {
      await page.goto(base + path);
      await isStill(page);
      assert.deepEqual(await violations(page), [], path);
    }
    await visit(page, own[2]);
    await isStill(page);
    await page.locator(".sign.retracted").click();
    await page.locator(".menu").waitFor();
    assert.deepEqual(await violations(page), [], "what a sign says");
    await page.keyboard.press("Escape");
    await find(page);
    await page.getByRole("searchbox").fill("work 5");
    await page.getByText("1 of 6 works").waitFor();
    assert.deepEqual(await violations(page), [], "a narrowed list");
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("button", { name: "Edit: Work 0" }).click();
    await page.getByText("Earlier versions").click();
    await page.locator(".versions > li").waitFor();
    assert.deepEqual(await violations(page), [], "what a work said before");
    await page.keyboard.press("Escape");
    for (const name of ["Share", "Settings"]) {
      if (name === "Share") await page.getByRole("button", { name, exact: true }).click();
      else await choose(page, name);
      await page.locator("dialog[open]").waitFor();
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press("Escape");
    }
    await visit(page, `/verify#check/${encodeURIComponent(`Watson JD, Crick FHC. Molecular structure. Nature 1963;171:737. doi:${DOI}`)}`);
    await page.locator(".verdict .badge.mismatch, .verdict .badge.verified").waitFor();
    assert.deepEqual(await violations(page), [], "verdicts");
    await page.click("#unfold");
    await page.fill("#list", "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.");
    await page.click("#check");
    await reads(page, "#progress", "1 of 1 checked");
    await page.getByRole("button", { name: "Add to bibliography" }).click();
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await violations(page), [], "what is to become of the others");
    await page.keyboard.press("Escape");
    await visit(page);
    await page.fill("#q", "Shannon Mathematical theory communication 1949\nNobody N. Quite imaginary musings. Journal of Nowhere. 2019;1:1-2.");
    await page.press("#q", "Enter");
    await page.locator(".candidates").waitFor();
    assert.deepEqual(await violations(page), [], "a list's candidates");
    await close();
  });
}

// Walks through a page with the tab key and returns the controls never reached.
async function walk(page, path) {
  const isControl = "a[href], button, input:not([type=hidden]), select, textarea, [tabindex='0']";
  const all = await page.evaluate((selector) => {
    const isReachable = (control) => control.checkVisibility() && control.tabIndex >= 0;
    return [...document.querySelectorAll(selector)].filter(isReachable).length;
  }, isControl);
  for (let presses = 0; presses < all + 10; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const control = /** @type {HTMLInputElement} */ (document.activeElement);
      if (control === document.body) return null;
      control.dataset.walked = "";
      const name = control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.textContent || control.title;
      return { name: name.trim(), outline: getComputedStyle(control).outlineStyle };
    });
    if (!at) continue;
    assert.ok(at.name, `${path}: a control without a name`);
    assert.notEqual(at.outline, "none", `${path}: ${at.name} does not show the focus`);
  }
  return page.evaluate((selector) => [...document.querySelectorAll(selector)]
    .filter((control) => control.checkVisibility() && control.tabIndex >= 0 && !("walked" in control.dataset))
    .map((control) => control.outerHTML.slice(0, 160)), isControl);
}

test("the tab key reaches every control of every page, and each has a name", async () => {
  const { page, close } = await open();
  for (const path of PAGES) {
    await page.goto(base + path);
    await isStill(page);
    assert.deepEqual(await walk(page, path), [], path);
  }
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  assert.deepEqual(await walk(page, "a list"), []);
  await close();
});

test("the tab key reaches every control of the pages of an account", async () => {
  const { page, close } = await open();
  for (const path of await ownPages(page)) {
    await page.goto(base + path);
    await isStill(page);
    assert.deepEqual(await walk(page, path), [], path);
  }
  await close();
});

test("a collection's list is ordered, narrowed and selected by keys alone", async () => {
  const { page, close } = await open();
  const [, , path] = await ownPages(page);
  await visit(page, path);
  await isStill(page);
  // A style that keeps the list's order.
  await page.locator("#style").focus();
  await page.keyboard.type("ieee");
  await page.keyboard.press("Enter");
  await reads(page, "entry-list .entry:nth-child(1)", "[1]");
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await reads(page, "entry-list .entry:nth-child(3)", "Work 0");
  await holds(async () => assert.match(await page.evaluate(() => document.activeElement.textContent), /Work 0/, "the focus goes along"));
  await page.keyboard.press("x");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("x");
  await reads(page, ".selection", "2 selected");
  await page.keyboard.press("Control+z");
  await reads(page, "entry-list .entry:nth-child(2)", "Work 0");
  await page.reload();
  await isReady(page);
  await reads(page, "entry-list .entry:nth-child(2)", "Work 0");
  await close();
});

test("at 320 pixels nothing has to be scrolled sideways", async () => {
  const { page, close } = await open({ viewport: { width: 320, height: 640 } });
  for (const path of [...PAGES, ...DOCS, EMBED, ...(await ownPages(page))]) {
    await page.goto(base + path);
    await isStill(page);
    await holds(async () => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 320, `${path} is ${wide} wide`);
    });
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
  await holds(async () => {
    const shown = await page.evaluate(() => document.body.innerText.trim().split("\n").map((line) => line.trim()).filter(Boolean));
    assert.equal(shown.length, 2, shown.join(" / "));
    assert.match(shown[1], /^Watson/);
  });
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
