// Verification, batch and styles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, counts, isReady, open, reads, signIn, visit } from "./browser.mjs";

const LIST = `The following works were used.

1. Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171(4356):737-738. doi:10.1038/171737a0
2. Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1963;171(4356):737-738. doi:10.1038/171737a0
3. Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.`;

async function verify(page) {
  await visit(page, "/verify");
  await page.fill("#list", LIST);
  await page.click("#check");
  await page.waitForFunction(() => document.querySelectorAll(".verdict").length === 3 && !document.querySelector(".verdict[aria-busy]"));
}

test("a reference list becomes a table of verdicts, and is taken along mended", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await verify(page);
  const verdicts = await page.locator(".verdict .badge").allTextContents();
  assert.equal(verdicts[0], "Verified");
  assert.equal(await page.textContent("#around li"), "The following works were used.");
  assert.equal(verdicts[1], "Differs");
  assert.equal(verdicts.at(-1), "Not in the sources searched");
  assert.equal(await page.locator(".verdict.mismatch del").first().textContent(), "6");
  assert.equal(await page.locator(".verdict.mismatch ins").first().textContent(), "5");
  await page.locator(".verdict.mismatch").getByRole("button", { name: /^Replace/ }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download .bib" }).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const bib = Buffer.concat(chunks).toString();
  assert.equal(bib.match(/year = \{?1953/g)?.length, 2, bib);
  assert.doesNotMatch(await page.textContent("main"), /fake/i);
  await page.getByRole("button", { name: /^Differs/ }).click();
  assert.equal(await page.locator(".verdict:visible").count(), 1);
  await close();
});

test("whoever has no paid plan learns what it takes", async () => {
  const { page, close } = await open();
  await visit(page, "/verify");
  await page.fill("#list", LIST);
  await page.click("#check");
  await page.getByText("part of the Academic and Business plans").first().waitFor();
  assert.ok(await page.locator("#results a[href='/auth/login']").count());
  assert.equal(await page.inputValue("#list"), LIST);
  await close();
});

test("a paid plan's list streams", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  const streamed = page.waitForRequest((request) => request.url().endsWith("/verify/batch"));
  await verify(page);
  assert.equal((await streamed).headers().accept, "application/x-ndjson");
  assert.equal(await page.locator(".verdict.verified").count(), 1);
  await close();
});

test("a manuscript is checked with the bibliography that it names, and each verdict says where", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await visit(page, "/verify");
  const paper = "---\nbibliography: refs.bib\n---\n\nAs @watson and @gone say.\n";
  const bib = `@article{watson, doi = {${DOI}}, year = {1963}, title = {Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid}}\n`;
  await page.setInputFiles("#file", [
    { name: "refs.bib", mimeType: "text/plain", buffer: Buffer.from(bib) },
    { name: "paper.md", mimeType: "text/markdown", buffer: Buffer.from(paper) },
  ]);
  await page.locator(".verdict.mismatch").waitFor();
  assert.equal(await page.locator(".verdict .place").textContent(), "refs.bib, line 1");
  assert.equal(await page.locator("#lacks li").textContent(), "line 5: “gone” is cited, but no file defines it.");
  assert.equal(await page.textContent("#progress"), "1 of 1 checked");
  await close();
});

test("a list of identifiers becomes a bibliography", async () => {
  const { page, close } = await open();
  await visit(page, "/batch");
  await page.fill("#list", `${DOI}\n978-0-262-03384-8\n10.5555/nothing-of-this-name`);
  await page.click("#run");
  await page.waitForFunction(() => document.querySelectorAll(".verdict").length === 3);
  assert.equal(await page.locator(".verdict.ok").count(), 2);
  assert.equal(await page.locator(".verdict.not_found").count(), 1);
  await page.getByRole("button", { name: "Put all into the bibliography" }).click();
  await page.getByText("Put 2 works into your bibliography.").first().waitFor();
  await visit(page);
  await counts(page, 2);
  await close();
});

test("styles are found while typing", async () => {
  const { page, close } = await open();
  await visit(page, "/styles");
  await page.fill("#q", "vancouver");
  await page.waitForFunction(() => /vancouver/i.test(document.querySelector(".card b")?.textContent ?? ""));
  await page.fill("#q", "no such style anywhere");
  await page.getByText("No style matches.").first().waitFor();
  await page.goto(`${base}/styles/apa`);
  await page.getByRole("link", { name: "Cite in this style" }).click();
  await page.waitForSelector("entry-list", { state: "attached" });
  await close();
});
