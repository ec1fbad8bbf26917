// Nothing that a record, a note, a tag, a name or a file holds ever becomes markup, and nothing
// leaves the site. `open` fails a test on any dialog, any refusal by the security policy and any
// request to elsewhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base, counts, isFormatted, open, signIn, visit } from "./browser.mjs";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "\"><svg onload=alert(1)>",
  "'-alert(1)-'",
  "</textarea><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "<i onmouseover=alert(1)>italic</i>",
  "<a href=\"javascript:alert(1)\">link</a>",
  "<style>*{display:none}</style>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<!--<script>alert(1)//-->",
  "\u202Etfel ot thgir\u202C",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
];

const works = HOSTILE.map((text) => ({
  title: `T ${text}`, authors: [{ family: text, given: text }], journal: text, publisher: text, volume: text,
  date: { year: 2001 }, note: text, url: `https://example.org/?${text}`, language: "en\" onx=\"", keywords: [text],
}));

const elements = (page) => page.evaluate(() => ({
  scripts: [...document.scripts].every((script) => script.src || script.type === "application/json"),
  strange: document.querySelectorAll("main img, main svg, main iframe, main style, [onerror], [onload], [onmouseover]").length,
  links: [...document.links].every((link) => /^(https?|blob):/.test(link.href)),
}));

const SAFE = { scripts: true, strange: 0, links: true };

test("hostile records are text in the list, the editor, the dialogs and the print", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.evaluate(async (items) => {
    const { LocalList } = await import(document.querySelector("link[rel=modulepreload]").href.replace(/words\/.*/, "local-store.js"));
    const list = await LocalList.open();
    await list.add(items.map((metadata) => ({ metadata, note: metadata.note, tags: [metadata.volume] })));
  }, works);
  await page.waitForFunction((n) => document.querySelectorAll("entry-list .entry").length === n, works.length);
  await page.waitForTimeout(1000);
  assert.deepEqual(await elements(page), SAFE);
  assert.match(await page.textContent("entry-list"), /<script>alert\(1\)<\/script>/);
  await page.getByRole("button", { name: /^Edit:/ }).first().click();
  await page.waitForTimeout(500);
  assert.deepEqual(await elements(page), SAFE);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Copy citation:/ }).first().click();
  await page.waitForTimeout(500);
  assert.deepEqual(await elements(page), SAFE);
  await page.keyboard.press("Escape");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await elements(page), SAFE);
  await close();
});

test("hostile texts are text wherever they are pasted, with script and without", async () => {
  const { page, context, close } = await open();
  for (const text of HOSTILE) {
    for (const path of ["/cite?q=", "/styles?q=", "/nothing/", "/styles/", "/auth/login?return_to=", "/?style="]) {
      const answer = await context.request.get(`${base}${path}${encodeURIComponent(text)}`, { headers: { accept: "text/html" } });
      assert.doesNotMatch(await answer.text(), /<script>alert|<img src="?x|<svg onload|<iframe|<style>/, `${path}${text}`);
    }
    await page.goto(`${base}/cite?q=${encodeURIComponent(text)}`);
    assert.deepEqual(await elements(page), SAFE, text);
  }
  await close();
});

test("hostile references are text in verification and batch", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  for (const [path, button] of [["/verify", "#check"], ["/batch", "#run"]]) {
    await page.goto(base + path);
    await page.fill("#list", HOSTILE.map((text) => `Author A. ${text} in a title of some length. Journal. 2001;1:2.`).join("\n"));
    await page.click(button);
    await page.waitForFunction(() => document.querySelector(".verdict") && !document.querySelector("[aria-busy=true]"));
    assert.deepEqual(await elements(page), SAFE);
  }
  await close();
});

test("every page says its policy", async () => {
  const { page, close } = await open();
  for (const path of ["/", "/verify", "/batch", "/styles", "/help", "/status", "/library", "/auth/login", "/nothing"]) {
    const response = await page.goto(base + path);
    const policy = response.headers()["content-security-policy"];
    assert.match(policy, /default-src 'none'.*require-trusted-types-for 'script'/, path);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, path);
  }
  await close();
});
