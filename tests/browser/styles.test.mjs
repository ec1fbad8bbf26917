// Styles of an account: stored, chosen, replaced, deleted and restored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, cite, collection, isFormatted, open, person, reads, send, signIn, visit } from "./browser.mjs";

const style = (name, title, prefix) => `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>${title}</title><id>http://example.org/${name}</id><category citation-format="author-date"/><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout prefix="${prefix}"><text variable="title"/></layout></bibliography>
</style>`;

const HOSTILE = "&lt;img src=x onerror=alert(1)&gt; &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;";

async function keep(page, text) {
  await page.goto(`${base}/styles`);
  await page.getByText("Add a style").click();
  await page.getByLabel("Or paste it here").fill(text);
  await send(page, page.getByRole("button", { name: "Save style" }));
}

test("a style of one's own is kept and chosen like any other", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await keep(page, style("scripted", `House ${HOSTILE}`, "Own: "));
  assert.equal(new URL(page.url()).pathname, "/styles/own%3Ascripted");
  assert.match(await page.textContent(".sample"), /Own: Molecular/);
  await collection(page, "In my style");
  await cite(page, DOI, 1);
  await page.click("style-picker input");
  await page.keyboard.type("house");
  await page.getByRole("option", { name: /House <img/ }).waitFor();
  await page.keyboard.press("Enter");
  await reads(page, "entry-list .text", /^Own: Molecular/);
  await page.reload();
  await isFormatted(page);
  await reads(page, "entry-list .text", /^Own: Molecular/);
  const exported = await page.evaluate(async () => (await fetch("/account/export")).json());
  assert.match(exported.styles.find(({ id }) => id === "own:scripted").xml, /prefix="Own: "/);
  await close();
});

test("without script a style is kept, mended, replaced, deleted and brought back", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await page.goto(`${base}/styles`);
  await page.locator("#own").getByRole("link", { name: "Sign in" }).waitFor();
  await signIn(page, person, "/styles");
  await page.getByText("Add a style").click();
  const broken = style("plain", "Plain", "P ").replace("<text variable", "<txet variable");
  await page.locator("#own-file").setInputFiles({ name: "plain.csl", mimeType: "text/xml", buffer: Buffer.from(broken) });
  await send(page, page.getByRole("button", { name: "Save style" }));
  assert.match(await page.textContent("#own .problem"), /line 3, column \d+: <txet> is not allowed/);
  assert.equal(await page.inputValue("#own-text"), broken);
  await page.fill("#own-text", style("plain", `Plain ${HOSTILE}`, "P "));
  await send(page, page.getByRole("button", { name: "Save style" }));
  assert.match(await page.textContent("h1"), /^Plain <img/);
  await keep(page, style("plain", `Plainer ${HOSTILE}`, "Q "));
  await page.goto(`${base}/cite?q=${DOI}&style=own:plain`);
  assert.match(await page.textContent(".entry .text"), /^Q Molecular/);
  assert.equal(await page.locator("#style option[selected]").getAttribute("value"), "own:plain");
  await page.goto(`${base}/styles`);
  await send(page, page.getByRole("button", { name: /^Delete: Plainer/ }));
  await page.getByText("Deleted: Plainer <img").waitFor();
  assert.equal(await page.locator("main :is(img, svg), main script:not([src])").count(), 0);
  await send(page, page.getByRole("button", { name: "Undo" }));
  assert.match(await page.textContent("h1"), /^Plainer/);
  await page.goto(`${base}/styles`);
  await send(page, page.getByRole("button", { name: /^Delete: Plainer/ }));
  await close();
});

test("a language is named in words, in order, and with its country where that tells two apart", async () => {
  const { page, close } = await open();
  await visit(page);
  const names = await page.locator("#locale option").allTextContents();
  assert.deepEqual(names.filter((name) => /^[a-z]{2,3}\b/.test(name)), []);
  for (const name of ["Estonian", "American English", "Austrian German"]) assert.ok(names.includes(name), name);
  assert.deepEqual(names.slice(1), names.slice(1).sort(new Intl.Collator("en").compare));
  await close();
});
