// A work of a collection: the editor, the page without script, and earlier versions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, collection, counts, holds, open, person, reads, send, signIn, visit } from "./browser.mjs";

// Adds a work to the current collection through the API, and shows it.
async function put(page, metadata) {
  const path = new URL(page.url()).pathname;
  const id = await page.evaluate(async ([api, body]) => {
    const response = await fetch(`${api}/entries`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    return (await response.json()).id;
  }, [`/api/v1/collections${path.slice(2)}`, { metadata }]);
  await page.goto(`${base}${path}`);
  await counts(page, 1);
  return `/api/v1/collections${path.slice(2)}/entries/${id}`;
}

const stored = async (page, path) => (await page.evaluate(async (api) => (await fetch(`${api}?include=abstract`)).json(), path)).metadata;

// Changes a field in the editor.
async function edit(page, title, label, value) {
  await page.getByRole("button", { name: `Edit: ${title}` }).click();
  await page.locator("dialog").getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
}

test("an edit leaves what the editor does not show, and so does its undo", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "With an abstract");
  const path = await put(page, { title: "Long", abstract: "All that it says.", entry_type: "Book", shelf: "top" });
  await edit(page, "Long", "Title", "Longer");
  await holds(async () => {
    const { title, abstract, extra } = await stored(page, path);
    assert.deepEqual([title, abstract, extra.shelf], ["Longer", "All that it says.", "top"]);
  });
  await page.getByRole("button", { name: "Edit: Longer" }).waitFor();
  await page.keyboard.press("Control+z");
  await holds(async () => {
    const undone = await stored(page, path);
    assert.deepEqual([undone.title, undone.abstract], ["Long", "All that it says."]);
  });
  await close();
});

test("what a work said before is shown, put back, and that is undone", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Rewritten");
  const path = await put(page, { title: "First", entry_type: "Book", abstract: "Kept." });
  await edit(page, "First", "Title", "<b>Second</b>");
  await edit(page, "Second", "Publisher", "Press");
  await page.getByRole("button", { name: "Edit: Second" }).click();
  await page.getByText("Earlier versions").click();
  const versions = page.locator(".versions > li");
  await versions.nth(1).waitFor();
  await holds(async () => {
    assert.match(await versions.nth(0).textContent(), /Changed .*Publisher.*Press/);
    assert.deepEqual(await versions.nth(1).locator("del, ins").allTextContents(), ["First", "<b>Second</b>"]);
  });
  await versions.nth(1).getByRole("button", { name: /^Restore previous version/ }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit: First" }).waitFor();
  await holds(async () => assert.equal((await stored(page, path)).publisher, undefined));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Edit: Second" }).waitFor();
  await page.getByRole("button", { name: "Edit: Second" }).click();
  await page.getByText("Earlier versions").press("Enter");
  await versions.nth(3).waitFor();
  await holds(async () => assert.match(await versions.nth(0).textContent(), /^Restored/));
  const exported = await page.evaluate(async () => (await fetch("/account/export")).json());
  const { entries } = exported.collections.find(({ name }) => name === "Rewritten");
  assert.equal(entries[0].history.length, 4);
  await close();
});

test("names and dates are read as people write them", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.getByRole("button", { name: "Add by hand" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Type").selectOption("Blog post");
  await dialog.getByLabel("Title", { exact: true }).fill("On names");
  const last = dialog.getByLabel("Authors: Last name or institution");
  const first = dialog.getByLabel("Authors: First name");
  await last.fill("Jane Q. Doe; Smith, John and Ludwig van Beethoven; World Health Organization");
  await last.press("Tab");
  await last.nth(3).waitFor();
  const values = (boxes) => boxes.evaluateAll((inputs) => inputs.map((input) => input.value));
  await holds(async () => {
    assert.deepEqual(await values(last), ["Doe", "Smith", "van Beethoven", "World Health Organization"]);
    assert.deepEqual(await values(first), ["Jane Q.", "John", "Ludwig", ""]);
  });
  await dialog.getByRole("button", { name: "Remove this name" }).nth(2).click();
  await dialog.getByLabel("Date").fill("12 March 2021");
  await dialog.getByLabel("Published in").fill("The Blog");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await reads(page, "entry-list .text", "Doe, J. Q., Smith, J., & World Health Organization. (2021, March 12). On names. The Blog.");
  await close();
});

test("whoever asked in an interview has a row and stands in its citation", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.getByRole("button", { name: "Add by hand" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Type").selectOption("Interview");
  await dialog.getByLabel("Title", { exact: true }).fill("On rings");
  await dialog.getByLabel("Authors: Last name or institution").fill("Jane Q. Doe");
  await dialog.getByLabel("Interviewers: Last name or institution").fill("Ann Roe");
  await dialog.getByLabel("Date").fill("12 March 2021");
  await dialog.getByLabel("Published in").fill("The Ring");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("entry-list .text", { hasText: "A. Roe" }).waitFor();

  // A role that its type lacks by default stays with the work and is shown.
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await dialog.getByLabel("Type").selectOption("Book");
  await holds(async () => assert.equal(await dialog.getByLabel("Interviewers: Last name or institution").inputValue(), "Roe"));
  await close();
});

test("what keeps a work from being saved is said beside the button", async () => {
  const { page, close } = await open({ viewport: { width: 390, height: 700 } });
  await visit(page);
  await cite(page, DOI, 1);
  await choose(page, "Add by hand");
  const dialog = page.locator("dialog");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const problem = dialog.getByText("Enter at least a title");
  await problem.waitFor();
  await holds(async () => {
    const { y, height } = await problem.boundingBox();
    assert.ok(y > 0 && y + height < 700, `${y}`);
  });
  await close();
});

test("names that are still being typed are saved as those that they name", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.getByRole("button", { name: "Add by hand" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Title", { exact: true }).fill("In haste");
  await dialog.getByLabel("Date").fill("12 March 2021");
  await dialog.getByLabel("Authors: Last name or institution").fill("Jane Q. Doe; John Smith");
  await page.keyboard.press("Control+Enter");
  await reads(page, "entry-list .text", "Doe, J. Q., & Smith, J. (2021). In haste.");
  await close();
});

test("a name that is left as it was keeps all that is known of it", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Names");
  const writer = { family: "Writer", given: "Ann", orcid: "0000-0002-1825-0097" };
  const path = await put(page, { title: "Known", entry_type: "Book", authors: [writer, { literal: "Smith, Wesson and Sons" }] });
  await page.getByRole("button", { name: "Edit: Known" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByRole("button", { name: "Add a name" }).first().click();
  await page.waitForFunction(() => document.activeElement?.matches("dialog input"));
  await page.keyboard.type("Bob Builder");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await holds(async () => {
    const { authors } = await stored(page, path);
    assert.equal(authors[0].orcid, writer.orcid);
    assert.equal(authors[1].literal, "Smith, Wesson and Sons");
    assert.deepEqual([authors[2]?.family, authors[2]?.given], ["Builder", "Bob"]);
  });
  await close();
});

test("sentence case is suggested for a title, and taken by a button alone", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.getByRole("button", { name: "Add by hand" }).click();
  const dialog = page.locator("dialog");
  const title = dialog.getByLabel("Title", { exact: true });
  await title.fill("The Role of <i>Escherichia coli</i> in <b>DNA</b> Research: A Short <u>View</u>");
  const suggested = dialog.locator(".notice > b");
  await suggested.waitFor();
  await reads(page, "dialog .notice > b", "The role of Escherichia coli in DNA research: A short <u>view</u>");
  assert.match(await title.inputValue(), /^The Role of/);
  await dialog.getByRole("button", { name: "Use this title" }).press("Enter");
  await holds(async () => assert.equal(await title.inputValue(), "The role of <i>Escherichia coli</i> in <b>DNA</b> research: A short <u>view</u>"));
  await suggested.waitFor({ state: "detached" });
  // No suggestion for a title in another language or in sentence case.
  await title.fill("Die Rolle Der Bakterien In Der Forschung");
  await dialog.getByText("More fields").click();
  await dialog.getByLabel("Language").fill("de");
  const answered = page.waitForResponse("**/titles/sentence-case");
  await title.press("End");
  await title.press("s");
  assert.equal((await (await answered).json()).suggestion, null);
  await suggested.waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await close();
});

test("without script a work is changed, and an earlier version put back", async () => {
  const scripted = await open();
  await signIn(scripted.page, person);
  await collection(scripted.page, "Plain");
  const path = await put(scripted.page, { title: "Before", entry_type: "Book", abstract: "Kept." });
  const { page, close } = await open({ javaScriptEnabled: false });
  await signIn(page, person);
  const address = `${base}${path.replace("/api/v1/collections", "/c").replace("/entries/", "/e/")}`;
  await page.goto(address);
  await page.getByText("has not been changed yet").waitFor();
  assert.equal(await page.locator(".notice").count(), 0);
  await page.fill("#title", "After <i>All</i> of the Long and Cold Years");
  await send(page, page.getByRole("button", { name: "Save", exact: true }));
  assert.equal((await stored(scripted.page, path)).abstract, "Kept.");
  await page.goto(address);
  assert.deepEqual(await page.locator(".versions del, .versions ins").allTextContents(), ["Before", "After <i>All</i> of the Long and Cold Years"]);
  await send(page, page.getByRole("button", { name: "Restore previous version" }));
  assert.equal(await page.inputValue("#title"), "Before");
  assert.equal(await page.locator(".versions > li").count(), 2);
  await send(page, page.getByRole("button", { name: "Restore previous version" }).first());
  await page.getByText("Title in sentence case: After All of the long and cold years").waitFor();
  await send(page, page.getByRole("button", { name: "Use this title" }));
  assert.equal(await page.inputValue("#title"), "After <i>All</i> of the long and cold years");
  assert.equal(await page.locator(".notice").count(), 0);
  assert.equal((await stored(scripted.page, path)).abstract, "Kept.");
  await scripted.close();
  await close();
});
