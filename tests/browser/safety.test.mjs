// No content of a record, note, tag, name or file ever becomes markup, and no request leaves the
// site. `open` fails a test on any dialog, policy violation or external request.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base, choose, counts, find, isFormatted, isIdle, open, reads, signIn, visit } from "./browser.mjs";

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
  "\u2067\u2066isolated\u2069 \u200Fmarks\u200E",
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

// A module of the open page.
const module = (page, name) => page.evaluateHandle((file) => {
  const words = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));
  return import(words.href.replace(/words\/.*/, file));
}, name);

test("children of an element may stand in lists of lists", async () => {
  const { page, close } = await open();
  await visit(page);
  const html = await (await module(page, "dom.js")).evaluate(({ el }) =>
    el("p", {}, "a", ["b", [el("b", {}, "c"), ["d", null, [""]]]], undefined).outerHTML);
  assert.equal(html, "<p>ab<b>c</b>d</p>");
  await close();
});

test("hostile records are text in the list, the editor, the dialogs and the print", async () => {
  const { page, close } = await open();
  await visit(page);
  await (await module(page, "local-store.js")).evaluate(async ({ LocalList }, items) => {
    const list = await LocalList.open();
    await list.add(items.map((metadata) => ({ metadata, note: metadata.note, tags: [metadata.volume] })));
  }, works);
  await counts(page, works.length);
  await isFormatted(page);
  assert.deepEqual(await elements(page), SAFE);
  await reads(page, "entry-list", /<script>alert\(1\)<\/script>/);
  await page.getByRole("button", { name: /^Edit:/ }).first().click();
  await page.locator("dialog .preview:not(:empty)").waitFor();
  assert.deepEqual(await elements(page), SAFE);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Cite:/ }).first().click();
  await page.locator("dialog .preview:not(:empty)").waitFor();
  assert.deepEqual(await elements(page), SAFE);
  await page.keyboard.press("Escape");
  await find(page);
  await page.getByRole("combobox", { name: "All tags" }).selectOption(HOSTILE[0]);
  assert.deepEqual(await elements(page), SAFE);
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await elements(page), SAFE);
  await close();
});

test("hostile names, descriptions, tags and notes are text in the library, a collection, an entry, a shared list", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  const made = await page.evaluate(async ({ texts, metadata }) => {
    const send = async (path, body) => {
      const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return response.json();
    };
    const name = texts.join(" ").slice(0, 200);
    const { id } = await send("/api/v1/collections", { name, description: texts.join(" "), tags: texts.map((text) => text.slice(0, 50)) });
    const entries = metadata.map((one, n) => ({ metadata: one, note: texts[n], tags: [texts[n].slice(0, 50)] }));
    const { added } = await send(`/api/v1/collections/${id}/entries/batch`, { entries });
    const changed = await fetch(`/api/v1/collections/${id}/entries/${added[0].id}/metadata`, {
      method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...metadata[0], title: texts.join(" "), abstract: texts.join(" ") }),
    });
    if (!changed.ok) throw new Error(await changed.text());
    const { share_url: link } = await send(`/api/v1/collections/${id}/share`, { include_notes: true });
    return { id, entry: added[0].id, token: link.split("/").pop(), added: added.length };
  }, { texts: HOSTILE, metadata: works });
  assert.equal(made.added, works.length);
  const paths = ["/library", `/c/${made.id}`, `/c/${made.id}/e/${made.entry}`, `/c/${made.id}/import`, `/s/${made.token}`, "/account/keys", "/status"];
  for (const path of paths) {
    await page.goto(base + path);
    await isIdle(page);
    assert.deepEqual(await elements(page), SAFE, path);
  }
  // The same without script, where the server writes all HTML.
  const plain = await open({ javaScriptEnabled: false });
  await signIn(plain.page, "scholar@example.org");
  for (const path of paths) {
    await plain.page.goto(base + path);
    assert.equal(await plain.page.locator("main :is(img, svg, iframe, style), [onerror], [onload], [onmouseover]").count(), 0, path);
    assert.equal(await plain.page.locator("script:not([src], [type='application/json'])").count(), 0, path);
  }
  await plain.close();
  await visit(page, `/c/${made.id}`);
  for (const name of ["Share", "Settings"]) {
    if (name === "Share") await page.getByRole("button", { name, exact: true }).click();
    else await choose(page, name);
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await elements(page), SAFE, name);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: /^Edit: <script/ }).click();
  await page.getByText("Earlier versions").click();
  await page.locator(".versions > li").waitFor();
  assert.deepEqual(await elements(page), SAFE, "what a work said before");
  await page.keyboard.press("Escape");
  await choose(page, "Duplicates");
  await page.locator("dialog[open], .toast").first().waitFor();
  assert.deepEqual(await elements(page), SAFE, "duplicates");
  await close();
});

test("hostile style titles and file names are text", async () => {
  const { page, close } = await open();
  await visit(page, "/styles?q=hostile");
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  assert.deepEqual(await elements(page), SAFE);
  await page.goto(`${base}/styles/hostile`);
  assert.deepEqual(await elements(page), SAFE);
  await visit(page);
  await page.fill("#q", "@book{a, title={A title}, year={2001}}");
  await page.press("#q", "Enter");
  await counts(page, 1);
  await page.click("#style");
  await page.keyboard.type("hostile");
  await page.keyboard.press("Enter");
  await reads(page, "entry-list .text", "<script>alert(1)</script>");
  assert.deepEqual(await elements(page), SAFE);
  await page.locator("input[type=file]").setInputFiles({
    name: "\"><img src=x onerror=alert(1)>\u202Egnp.bib", mimeType: "application/x-bibtex",
    buffer: Buffer.from(`@article{a"><script>alert(1)</script>, title={<img src=x onerror=alert(1)>\n@book{b, title={Closed}, year=2002}`),
  });
  await page.getByRole("heading", { name: "Import report" }).waitFor();
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
    await visit(page, path);
    await page.fill("#list", HOSTILE.map((text) => `Author A. ${text} in a title of some length. Journal. 2001;1:2.`).join("\n"));
    await page.click(button);
    await page.waitForFunction(() => document.querySelector(".verdict, .candidates") && !document.querySelector("[aria-busy=true], .busy"));
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
