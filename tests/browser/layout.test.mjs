// Every page in every language, from a small phone to a laptop: nothing overlaps, no text is cut, no page
// scrolls sideways. Judged by the boxes of texts and controls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, isIdle, open, signIn } from "./browser.mjs";

const LANGUAGES = ["en", "de", "fr", "es", "zh-CN", "ar"];
const WIDTHS = [320, 375, 768, 1366];
const PAGES = ["/", "/verify", "/batch", "/styles?q=nature", "/styles/apa", "/help", "/offline", "/status", "/plans", "/tools", "/library", "/auth/login", "/auth/sign-up", "/nothing", `/cite?q=${DOI}`, "/cite?q=quite+imaginary+musings"];
const OWN = ["/library", "/styles", "/account", "/account/jobs", "/account/groups", "/account/keys", "/account/webhooks", "/account/reviews", "/account/sessions", "/account/delete", "/status", "/operator", "/operator/accounts", "/operator/sources", "/operator/styles", "/operator/backups"];

// What is wrong in the current window, in words.
export const faults = (page) => page.evaluate(() => {
  const wide = document.documentElement.clientWidth;
  const found = [];
  const name = (element) => `<${element.localName}${element.id ? `#${element.id}` : ""}${element.className && typeof element.className === "string" ? `.${element.className.trim().replaceAll(/\s+/g, ".")}` : ""}> “${(element.textContent || element.value || "").trim().replaceAll(/\s+/g, " ").slice(0, 40)}”`;
  if (document.scrollingElement.scrollWidth > wide) found.push(`scrolls sideways: ${document.scrollingElement.scrollWidth} px`);
  const dialog = document.querySelector("dialog[open]");
  const root = dialog ?? document.body;
  const style = (element) => getComputedStyle(element);
  // Boxes above the page, and those that scroll by themselves, are judged only among themselves.
  const layer = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      const { position, overflowX, clipPath } = style(at);
      if (clipPath !== "none") return null;
      if (position === "fixed" || position === "sticky" || /auto|scroll/.test(overflowX)) return at;
    }
    return root;
  };
  // What is left of a box inside those that clip it.
  const clipped = (element, rect) => {
    let { left, right, top, bottom } = rect;
    for (let at = element; at && at !== root; at = at.parentElement) {
      if (style(at).overflowX === "visible") continue;
      const own = at.getBoundingClientRect();
      [left, right, top, bottom] = [Math.max(left, own.left), Math.min(right, own.right), Math.max(top, own.top), Math.min(bottom, own.bottom)];
    }
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  };
  const boxes = [];
  const add = (element, whole, isText) => {
    const rect = clipped(element, whole);
    if (rect.width < 1 || rect.height < 1 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    const own = layer(element);
    if (own) boxes.push({ element, rect, layer: own, isText });
  };
  const controls = "button, .button, input:not([type=hidden]), select, textarea";
  for (const element of root.querySelectorAll(controls)) add(element, element.getBoundingClientRect(), false);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: element } = texts.currentNode;
    if (!texts.currentNode.textContent?.trim() || !element || element.closest(`option, script, style, textarea, svg, ${controls}`)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const rect of range.getClientRects()) add(element, rect, true);
  }
  for (const { element, rect, layer: own } of boxes) {
    const scrolls = own !== root && /auto|scroll/.test(style(own).overflowX) && own.scrollWidth > own.clientWidth;
    if (!scrolls && (rect.left < -1 || rect.right > wide + 1)) found.push(`off the screen at ${Math.round(rect.left)}–${Math.round(rect.right)}: ${name(element)}`);
  }
  for (const element of root.querySelectorAll("button, .button, label, h1, h2, h3, .chip, .badge, .kind, nav a")) {
    if (!element.checkVisibility() || !layer(element)) continue;
    const { overflowX, textOverflow } = style(element);
    const isCut = element.scrollWidth > element.clientWidth + 1 && (overflowX !== "visible" || element.matches("button, .button"));
    if (element.clientWidth && isCut && textOverflow !== "ellipsis" && !element.querySelector(".short, .long")) found.push(`cut: ${name(element)}`);
  }
  const common = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const commonHeight = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  for (const [at, one] of boxes.entries()) {
    for (const other of boxes.slice(at + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element) || one.layer !== other.layer) continue;
      // Lines of text may touch; a field and the chip inside it are one control.
      if (common(one.rect, other.rect) <= 2 || commonHeight(one.rect, other.rect) <= (one.isText || other.isText ? 5 : 2)) continue;
      found.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
    }
  }
  return [...new Set(found)].slice(0, 6);
});

async function judge(page, title, all) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 700 ? 700 : 800 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const fault of await faults(page)) all.push(`${title}, ${width} px: ${fault}`);
  }
}

// Reads in a language whatever its name of a button is.
const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.script !== "on" || !document.querySelector("[data-scripted]"));

async function goTo(page, path) {
  await page.goto(base + path);
  await isIdle(page);
  await ready(page);
}

for (const locale of LANGUAGES) {
  test(`pages fit in ${locale}`, async () => {
    const { page, close } = await open({ locale });
    const all = [];
    for (const path of PAGES) {
      await goTo(page, path);
      await judge(page, path, all);
    }
    await goTo(page, "/");
    await page.fill("#q", `${DOI}\n978-0-262-03384-8\n10.1002/j.1538-7305.1948.tb01338.x`);
    await judge(page, "several lines typed", all);
    await page.press("#q", "Enter");
    await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length >= 3);
    await isIdle(page);
    await page.evaluate(() => document.querySelector("toast-region")?.replaceChildren());
    await judge(page, "a list", all);
    await page.locator("entry-list .entry").first().focus();
    await page.keyboard.press("x");
    await judge(page, "a list with a selection", all);
    await page.keyboard.press("x");
    await page.keyboard.press("Enter");
    await page.locator("dialog .preview").waitFor();
    await isIdle(page);
    await judge(page, "the editor", all);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator("entry-list .entry").first().focus();
    await page.keyboard.press("c");
    await page.locator("dialog .preview").waitFor();
    await judge(page, "a citation", all);
    await page.keyboard.press("Escape");
    assert.deepEqual(all, []);
    await close();
  });

  test(`pages of an account fit in ${locale}`, async () => {
    const { page, close } = await open({ locale });
    await signIn(page, "scholar@example.org");
    const made = await page.evaluate(async () => {
      const send = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
      const entries = ["clean", "needs_review", "possible_duplicate", "verified", "mismatch", "retracted"].map((review_status, n) => ({
        metadata: { entry_type: n % 2 ? "Book" : "Article", title: `Investigations into the ${n + 1} kinds of incomprehensibly long compound words`, authors: [{ family: "Featherstonehaugh-Cholmondeley", given: "Wilhelmina" }], date: { year: 2000 + n } },
        review_status, tags: ["methodology", `chapter ${n}`], note: n ? undefined : "A note",
      }));
      const { id } = await send("/api/v1/collections", { name: "Dissertation: sources of the second part", description: "What there is", tags: ["one", "two"] });
      const { added } = await send(`/api/v1/collections/${id}/entries/batch`, { entries });
      const { share_url } = await send(`/api/v1/collections/${id}/share`, {});
      return { id, entry: added[0].id, token: share_url.split("/").pop() };
    });
    // What the last backup printed stands on the page: the name of its file is long and has no blanks.
    await goTo(page, "/operator/backups");
    await page.locator("form[action='/operator/backups'] button").click();
    await page.locator(".notice").waitFor();
    const all = [];
    for (const path of [...OWN, `/c/${made.id}`, `/c/${made.id}/e/${made.entry}`, `/c/${made.id}/import`, `/s/${made.token}`]) {
      await goTo(page, path);
      await judge(page, path, all);
    }
    assert.deepEqual(all, []);
    await close();
  });
}
