// Verification, batch and styles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, collection, counts, holds, isReady, open, reads, send, signIn, spent, visit } from "./browser.mjs";

const LIST = `The following works were used.

1. Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171(4356):737-738. doi:10.1038/171737a0
2. Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1963;171(4356):737-738. doi:10.1038/171737a0
3. Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.`;

async function verify(page) {
  await visit(page, "/verify");
  await page.fill("#list", LIST);
  await page.click("#check");
  await page.waitForFunction(() => document.querySelectorAll(".verdict").length === 3 && !document.querySelector(".verdict[aria-busy], .box.busy"));
}

// The text of a file downloaded by a click.
async function downloaded(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const row = (page, n) => page.locator(".verdict").nth(n - 1).locator(".pick");

// Waits until a row's evidence is shown.
const isCurrent = (page, n) => holds(async () => assert.equal(await row(page, n).getAttribute("aria-current"), "true"));

// Waits until the whole check is over, not only the results.
const isOver = (page) => page.waitForFunction(() => !document.querySelector(".verdict[aria-busy], .box.busy"));

test("a reference list is worked through by keys, and what was decided is taken along", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await verify(page);
  assert.deepEqual(await page.locator(".verdict .badge").allTextContents(), ["Verified", "Differs", "Not in the sources searched"]);
  // Inside a folded list, so it is not visible.
  await holds(async () => assert.equal(await page.textContent("#around li"), "The following works were used."));
  await reads(page, "#progress", /^3 of 3 checked · 1 of 3 decided$/);
  // The most urgent decision is shown first.
  await isCurrent(page, 2);
  await reads(page, ".evidence del", /^6$/);
  await reads(page, ".evidence ins", /^5$/);
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await page.keyboard.press("j");
  await isCurrent(page, 3);
  await page.keyboard.press("k");
  await isCurrent(page, 2);
  await page.keyboard.press("f");
  await reads(page, "#progress", /^3 of 3 checked · 2 of 3 decided$/);
  await isCurrent(page, 3);
  await holds(async () => assert.ok(await row(page, 3).evaluate((button) => button === document.activeElement)));
  await page.keyboard.press("o");
  await row(page, 3).filter({ hasText: /left out/ }).waitFor();
  const bib = await downloaded(page, () => page.getByRole("button", { name: "Download .bib" }).click());
  assert.equal(bib.match(/year = \{?1953/g)?.length, 2, bib);
  assert.doesNotMatch(bib, /Nobody/);
  assert.doesNotMatch(await page.textContent("main"), /fake/i);
  await page.getByRole("button", { name: /^Differs 1/ }).click();
  await holds(async () => assert.equal(await page.locator(".verdict:visible").count(), 1));
  await page.keyboard.press("?");
  await page.getByText("verification: use the found work").waitFor();
  await close();
});

test("verified references are the found works, and the others are asked about", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await visit(page, "/verify");
  await page.fill("#list", "Cormen TH, Leiserson CE, Rivest RL, Stein C. Introduction to Algorithms. Vol. 3rd. 2009. ISBN 978-0-262-03384-8\nNobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.");
  await page.click("#check");
  await reads(page, "#progress", "2 of 2 checked");
  await isOver(page);
  const save = () => page.getByRole("button", { name: "Download .bib" }).click();
  await save();
  const dialog = page.locator("dialog");
  await dialog.getByText("Some references are still undecided").waitFor();
  await dialog.getByRole("button", { name: "Decide one by one" }).click();
  await dialog.waitFor({ state: "detached" });
  await save();
  // Undecided rows are not left out.
  await dialog.getByRole("button", { name: "Continue" }).click();
  await holds(async () => assert.ok(await dialog.getByLabel("Leave out").evaluate((radio) => radio.matches(":invalid"))));
  await dialog.getByLabel("Leave out").check();
  const bib = await downloaded(page, () => dialog.getByRole("button", { name: "Continue" }).click());
  assert.match(bib, /publisher = \{MIT Press/i, bib);
  assert.doesNotMatch(bib, /3rd|imaginary/);
  await page.getByRole("button", { name: "Add to bibliography" }).click();
  await dialog.getByLabel("Keep as written").check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Added 2 works to your bibliography.").first().waitFor();
  await close();
});

test("without a plan, references are checked row by row, and the page says so beforehand", async () => {
  const { page, close } = await open();
  await visit(page, "/verify");
  await page.getByText("Each reference costs one lookup.").waitFor();
  assert.doesNotMatch(await page.getAttribute("#file", "accept"), /docx/);
  await verify(page);
  assert.deepEqual(await page.locator(".verdict .badge").allTextContents(), ["Verified", "Differs", "Not in the sources searched"]);
  assert.equal(await page.locator(".problem").count(), 0);
  const file = { name: "refs.bib", mimeType: "text/plain", buffer: Buffer.from(`@article{watson, doi = {${DOI}}, title = {Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid}}\n`) };
  await page.setInputFiles("#file", file);
  await reads(page, "#progress", "1 of 1 checked");
  // Files are processed one after the other.
  await isOver(page);
  await page.setInputFiles("#file", { name: "paper.md", mimeType: "text/markdown", buffer: Buffer.from("A paper.") });
  await reads(page, "#results .panel", "Your account does not include this");
  await page.locator("#results").getByRole("link", { name: "Compare the plans" }).waitFor();
  await close();
});

test("where the lookups end, the rows that were not checked say so", async () => {
  const { page, close } = await open();
  await page.goto(`${spent}/verify`);
  await isReady(page);
  await page.fill("#list", LIST);
  await page.click("#check");
  await page.getByText("lookups for today are used").first().waitFor();
  await page.getByRole("link", { name: "Compare the plans" }).last().click();
  await page.getByRole("heading", { name: "Plans" }).waitFor();
  await reads(page, "tbody", /Without an account \(your plan\)/);
  await close();
});

test("the printed report has numbers, counts, sources, the date, and every reference", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await verify(page);
  await page.emulateMedia({ media: "print" });
  await page.locator(".report ol > li").nth(2).waitFor();
  await holds(async () => {
    const report = await page.locator(".report").innerText();
    for (const said of [/Checked\s+\w+ \d+, \d{4}/, /Sources and their answers\s+This server/, /3 · Differs: 1 · Not in the sources searched: 1 · Verified: 1/, /1963/, /Quite imaginary/]) assert.match(report, said);
  });
  assert.equal(await page.locator(".report ol").evaluate((list) => getComputedStyle(list).listStyleType), "decimal");
  await page.locator(".review").waitFor({ state: "hidden" });
  await close();
});

test("on a phone the evidence stands below its reference", async () => {
  const { page, close } = await open({ viewport: { width: 390, height: 844 } });
  await verify(page);
  await row(page, 1).click();
  await page.locator(".verdict").first().locator(".evidence").waitFor();
  await page.locator(".evidence").getByRole("button", { name: "Next" }).click();
  await page.locator(".verdict").nth(1).locator(".evidence").waitFor();
  await close();
});

test("a paid plan's list streams", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  const streamed = page.waitForRequest((request) => request.url().endsWith("/verify/batch"));
  await verify(page);
  assert.equal((await streamed).headers().accept, "application/x-ndjson");
  await holds(async () => assert.equal(await page.locator(".verdict.verified").count(), 1));
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
  await reads(page, ".evidence .place", /^refs\.bib, line 1$/);
  await reads(page, "#lacks li", /^line 5: “gone” is cited but not defined in any file\.$/);
  await reads(page, "#progress", "1 of 1 checked");
  await close();
});

test("a list of identifiers becomes a bibliography", async () => {
  const { page, close } = await open();
  await visit(page, "/batch");
  await page.fill("#list", `${DOI}\n978-0-262-03384-8\n10.5555/nothing-of-this-name`);
  await page.click("#run");
  await page.getByRole("heading", { name: "One reference needs a decision" }).waitFor();
  await holds(async () => assert.equal(await page.locator(".verdict.ok").count(), 2));
  await reads(page, ".candidates tbody", /10.5555.*Not in the sources searched/);
  await page.getByRole("button", { name: "Add all to bibliography" }).click();
  await page.getByText("Added 2 works to your bibliography.").first().waitFor();
  await visit(page);
  await counts(page, 2);
  await close();
});

test("a wrong ISBN in a list of identifiers is corrected in its row", async () => {
  const { page, close } = await open();
  await visit(page, "/batch");
  await page.fill("#list", `${DOI}\n978-0-262-03384-9`);
  await page.click("#run");
  await page.locator(".candidates").getByRole("button", { name: /^9780262033848/ }).click();
  await reads(page, ".verdict.ok:nth-child(2)", "Introduction to Algorithms");
  await page.locator(".candidates tbody tr").waitFor({ state: "detached" });
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

const VAGUE = "Shannon Mathematical theory communication 1949";

test("in a list too, a reference that may mean several works offers them", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.fill("#q", `${DOI}\n${VAGUE}\nNobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.`);
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "2 references need a decision" }).waitFor();
  await counts(page, 1);
  const open_ = page.locator(".candidates tr").filter({ has: page.getByRole("rowheader", { name: VAGUE }) });
  await open_.getByRole("button", { name: /^Add: A mathematical theory/i }).first().click();
  await counts(page, 2);
  // Unsettled lines stay in the box.
  await holds(async () => assert.match(await page.inputValue("#q"), /^Nobody N[^\n]*$/));
  await page.getByRole("button", { name: /^Leave out: Nobody/ }).click();
  await page.locator(".candidates").waitFor({ state: "detached" });
  await holds(async () => assert.equal(await page.inputValue("#q"), ""));
  await visit(page, "/batch");
  await page.fill("#list", `${DOI}\n${VAGUE}`);
  await page.click("#run");
  await page.locator(".candidates").getByRole("button", { name: /^Add: A mathematical theory/i }).first().click();
  await page.locator(".verdict.ok").nth(1).waitFor();
  await close();
});

test("after a check the box folds, and one button opens it again", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await verify(page);
  await page.locator("#list").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Check something else" }).click();
  assert.ok(await page.locator("#list").evaluate((box) => box === document.activeElement));
  await close();
});

test("a report is a file with problems first, and a link that is revoked", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await verify(page);
  const html = await downloaded(page, () => page.getByRole("button", { name: "Download the report" }).click());
  assert.ok(html.indexOf("Quite imaginary") < html.indexOf("1953;171"), html);
  assert.doesNotMatch(html, /src=|<link/);
  await page.getByRole("button", { name: "Share the report…" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.locator("dialog .links input").first().inputValue();
  const guest = await open();
  await guest.page.goto(link);
  assert.match(await guest.page.textContent("main"), /scholar@example.org[\s\S]*Quite imaginary/);
  await page.locator("dialog").getByRole("button", { name: "Revoke" }).first().click();
  await page.locator("dialog .links").waitFor({ state: "detached" });
  assert.equal((await guest.page.goto(link)).status(), 404);
  await guest.close();
  await close();
});

test("a decision is kept with who, when and why, and holds for the next check", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  const check = async () => {
    await visit(page, "/verify");
    await page.fill("#list", "Somebody S. A pamphlet that only one library keeps. Press of Nowhere; 1977.");
    await page.click("#check");
    await isOver(page);
  };
  const badge = () => page.locator(".verdict .badge").textContent();
  await check();
  assert.equal(await badge(), "Not in the sources searched");
  await page.getByText("Keep a decision").click();
  await page.getByLabel("Reason").fill("Seen on paper.");
  await page.getByRole("button", { name: "I looked, it is real" }).click();
  await holds(async () => assert.equal(await badge(), "Verified"));
  await check();
  assert.equal(await badge(), "Verified");
  await page.getByText(/scholar@example.org found it right on .*: Seen on paper\./).first().waitFor();
  await page.getByRole("button", { name: "Withdraw the decision" }).click();
  await holds(async () => assert.equal(await badge(), "Not in the sources searched"));
  await check();
  assert.equal(await badge(), "Not in the sources searched");
  await close();
});

test("all works of a collection are checked, also without script", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org");
  await collection(page, "To be checked");
  const address = page.url();
  await cite(page, DOI, 1);
  await choose(page, "Verify all works");
  await page.waitForURL(/\/verify\?collection=/);
  await holds(async () => assert.deepEqual(await page.locator(".verdict .badge").allTextContents(), ["Verified"]));
  await close();
  const plain = await open({ javaScriptEnabled: false });
  await signIn(plain.page, "scholar@example.org");
  await plain.page.goto(address);
  await send(plain.page, plain.page.getByRole("button", { name: "Verify all works" }));
  assert.match(plain.page.url(), /\/account\/jobs\//);
  const job = plain.page.url();
  await holds(async () => {
    await plain.page.goto(job);
    assert.match(await plain.page.textContent("main"), /Verified: 1/);
  });
  await plain.close();
});
