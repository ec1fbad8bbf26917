// Work in the background, people in groups, and programs that are told: the account's other pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { base, collection, counts, holds, isReady, open, person, reads, send, signIn, visit } from "./browser.mjs";

const TRUE = "Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171(4356):737-738. doi:10.1038/171737a0";
const FALSE = "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.";
const paper = (name, ...references) => ({ name, mimeType: "text/x-tex", buffer: Buffer.from(`\\documentclass{article}\\begin{document}A\\cite{r0}.\\begin{thebibliography}{9}
${references.map((one, n) => `\\bibitem{r${n}} ${one}\n`).join("")}\\end{thebibliography}\\end{document}`) });

// An archive of stored files (APPNOTE, 4.3).
function zip(files) {
  const records = files.map(({ name, buffer }) => {
    const head = Buffer.alloc(26);
    [20, 0, 0, 0, 0].forEach((value, at) => head.writeUInt16LE(value, at * 2));
    head.writeUInt32LE(crc32(buffer), 10);
    head.writeUInt32LE(buffer.length, 14);
    head.writeUInt32LE(buffer.length, 18);
    head.writeUInt16LE(name.length, 22);
    return { name: Buffer.from(name), head, buffer };
  });
  const local = records.map(({ name, head, buffer }) => Buffer.concat([Buffer.from("PK\x03\x04"), head, name, buffer]));
  let offset = 0;
  const central = records.map(({ name, head }, at) => {
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    offset += local[at].length;
    return Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), head, tail, name]);
  });
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(central).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, ...central, Buffer.from("PK\x05\x06"), end]);
}

const verdicts = (page) => page.locator(".verdict .badge").allTextContents();

test("several manuscripts are checked in the background, and the page can be closed meanwhile", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await visit(page, "/verify");
  await page.setInputFiles("#file", [paper("one.tex", TRUE), paper("two.tex", FALSE)]);
  await page.waitForURL(/\/verify\?job=/);
  await visit(page, "/account/jobs");
  await reads(page, "#jobs .badge", "Done");
  await page.locator("#jobs").getByText("Verified: 1").first().waitFor();
  await page.getByRole("link", { name: /^Verification/ }).first().click();
  await page.getByRole("link", { name: "Decide about each reference" }).click();
  await holds(async () => assert.deepEqual((await verdicts(page)).sort(), ["Not in the sources searched", "Verified"]));
  await page.locator(".evidence .place").filter({ hasText: /\.tex/ }).waitFor();
  await close();
});

test("an archive is checked like its files", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await visit(page, "/verify");
  const files = [paper("a.tex", TRUE), paper("b.tex", TRUE)];
  await page.setInputFiles("#file", { name: "all.zip", mimeType: "application/zip", buffer: zip(files) });
  await holds(async () => assert.deepEqual(await verdicts(page), ["Verified", "Verified"]));
  await page.waitForURL(/\/verify\?job=/);
  await close();
});

test("several files are imported as a job, each with its report", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Many files");
  const address = page.url();
  await page.goto(`${address}/import`);
  await isReady(page);
  const bib = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.setInputFiles("#file", [bib("a.bib", "@book{a, title={One}, year=2001}"), bib("b.bib", "@book{b, title={Two}, year=2002}")]);
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("link", { name: "Open the collection" }).click();
  await isReady(page);
  await counts(page, 2);
  await close();
});

test("without script files are checked, and a collection becomes a file", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await signIn(page, person);
  await collection(page, "As a file");
  await page.goto(`${base}/account/jobs`);
  await page.setInputFiles("#file", paper("plain.tex", TRUE));
  await send(page, page.locator("form[action='/account/jobs/verify'] button"));
  assert.equal(await page.textContent("#jobs .card b"), "Verification");
  await page.selectOption("#collection", { label: "As a file" });
  await send(page, page.locator("button[value=export]"));
  await holds(async () => {
    await page.goto(`${base}/account/jobs`);
    assert.match(await page.textContent("#jobs"), /Export[\s\S]*Done[\s\S]*Download the file/);
    assert.match(await page.textContent("#jobs"), /Verified: 1/);
  });
  await page.locator("#jobs a", { hasText: "Verification" }).first().click();
  assert.match(await page.textContent(".verdicts"), /Watson/);
  await page.goto(`${base}/account/jobs`);
  const n = await page.locator("#jobs .card").count();
  await send(page, page.locator("#jobs button").first());
  assert.equal(await page.locator("#jobs .card").count(), n - 1);
  await close();
});

test("a group is made, joined by a link, and left", async () => {
  const { page, close } = await open();
  await signIn(page, person, "/account/groups");
  await page.fill("#name", "Rivers lab");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Rivers lab" }).waitFor();
  const address = page.url();
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.textContent(".secret");
  const other = await open();
  await other.page.goto(`${base}/auth/login?return_to=${encodeURIComponent(new URL(link).pathname)}`);
  await other.page.getByRole("link", { name: /Sign in with university/i }).click();
  await other.page.getByRole("button", { name: "Accept" }).click();
  await other.page.getByRole("heading", { name: "Rivers lab" }).waitFor();
  assert.equal(await other.page.getByRole("button", { name: "Remove" }).count(), 0);
  await page.goto(address);
  await reads(page, "main", /1|@/);
  assert.equal(await page.locator("tbody tr").count(), 1);
  await other.page.getByRole("button", { name: "Leave the group" }).click();
  await other.page.waitForURL(`${base}/account/groups`);
  await other.close();
  await page.goto(address);
  await page.getByText("Nobody has joined yet.").waitFor();
  await page.fill("#name", "Seas lab");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "Seas lab" }).waitFor();
  await page.getByRole("button", { name: "Delete the group" }).click();
  await page.waitForURL(`${base}/account/groups`);
  assert.doesNotMatch(await page.textContent("main"), /Seas lab/);
  await close();
});

test("a webhook is added, tested, given a new secret, told again, and removed", async () => {
  const { page, close } = await open();
  await signIn(page, person, "/account/webhooks");
  const add = page.getByRole("button", { name: "Add", exact: true });
  await page.fill("#url", "https://hook.invalid/citation");
  await add.click();
  // No event was chosen: what was typed stays.
  await page.locator(".problem").waitFor();
  assert.equal(await page.inputValue("#url"), "https://hook.invalid/citation");
  await page.getByLabel("A job ended").check();
  await add.click();
  const first = await page.textContent(".secret");
  await page.getByRole("button", { name: /^New secret/ }).click();
  await holds(async () => assert.notEqual(await page.textContent(".secret"), first));
  await page.getByText("The secret before this one signs too").waitFor();
  await page.getByRole("button", { name: /^Send a test/ }).click();
  await holds(async () => {
    await page.goto(`${base}/account/webhooks`);
    assert.match(await page.textContent("main"), /given up/);
  });
  await page.getByRole("button", { name: /^Send again/ }).click();
  await page.getByText("It is sent again in a moment.").waitFor();
  await page.getByRole("button", { name: /^Turn off/ }).click();
  await page.getByRole("button", { name: /^Turn on/ }).waitFor();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByText("No webhooks yet.").waitFor();
  await close();
});
