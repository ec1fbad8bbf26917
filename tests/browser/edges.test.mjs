// Where work could be lost or a reader could get stuck: long lists, answers of the editor, works entered by hand,
// the account's limits, tags, own styles, and pages without script.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DOI, base, choose, cite, clipboard, collection, counts, entries, find, holds, isFormatted, isReady, open, person, reads, send, signIn, visit } from "./browser.mjs";

const LONG = 1203;
const NAMES = ["Watson", "Crick", "Franklin", "Wilkins", "Shannon", "Noether", "Curie"];
// Works of which several share author and year, on both sides of the border of the parts.
const works = (n) => Array.from({ length: n }, (_, at) => ({
  metadata: {
    entry_type: "Article", title: `On things ${String(at).padStart(5, "0")}`, journal: `Journal ${at % 40}`,
    authors: [{ family: NAMES[at % NAMES.length], given: "A." }], date: { year: 1900 + at % 120 },
  },
}));

// Works that have nothing in common: comparing them for duplicates is quick.
const different = (n) => works(n).map(({ metadata }, at) => {
  const word = [...String(at)].map((digit) => "bcdfghjklm"[Number(digit)] + "a").join("");
  return { metadata: { ...metadata, title: `${word} ${word}ne ${word}th`, authors: [{ family: `${word}son`, given: "A." }] } };
});

// Puts works into this browser's list, as other visits would have.
async function fill(page, items) {
  await page.evaluate(async (given) => {
    const words = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));
    const { LocalList } = await import(words.href.replace(/words\/.*/, "local-store.js"));
    await (await LocalList.open()).add(given);
  }, items);
}

const texts = (page) => page.locator("entry-list .entry .text").allTextContents();

test("a list above the limit of one request is formatted, copied and exported whole", async () => {
  const { page, close } = await open();
  await visit(page);
  await fill(page, works(LONG));
  await visit(page);
  await counts(page, LONG);
  await isFormatted(page);
  const shown = await texts(page);
  const authors = shown.map((text) => text.split(",")[0]);
  assert.deepEqual(authors, [...authors].sort());
  // The years of one author's works ascend, across the parts.
  const years = shown.filter((text) => text.startsWith("Watson")).map((text) => Number(text.match(/\((\d{4})/)[1]));
  assert.deepEqual(years, [...years].sort());
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied the bibliography.").first().waitFor();
  assert.equal((await clipboard(page)).trim().split("\n").length, LONG);
  /** @type {[string, RegExp][]} */
  const formats = [["BibTeX", /^@article\{/gm], ["RIS", /^TY {2}-/gm], ["HTML", /class="csl-entry"/g], ["RTF", /\\par\b/g], ["Markdown", /^Watson|^Crick|^Franklin|^Wilkins|^Shannon|^Noether|^Curie/gm]];
  for (const [format, pattern] of formats) {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menuitem", { name: format, exact: true }).click();
    const text = await readFile(await (await downloading).path(), "utf8");
    assert.equal(text.match(pattern)?.length, LONG, format);
    if (format === "BibTeX") assert.equal(new Set(text.match(/^@article\{[^,]+/gm)).size, LONG);
    if (format === "RTF") assert.equal(text.match(/\{\\rtf1/g).length, 1);
  }
  // Numbers go on from part to part.
  await page.click("style-picker input");
  await page.keyboard.type("ieee");
  await reads(page, "[role=option]:first-child", /IEEE/);
  await page.keyboard.press("Enter");
  await holds(async () => assert.match((await texts(page)).at(-1), new RegExp(`^\\[${LONG}\\]`)));
  await close();
});

test("a long file is added to a collection in parts, or nothing of it and why", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Nearly full");
  await page.evaluate(async (items) => {
    await fetch(`/api/v1/collections/${location.pathname.split("/")[2]}/entries/batch`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ entries: items }) });
  }, different(600));
  await page.reload();
  await isReady(page);
  await counts(page, 600);
  const file = works(LONG).map(({ metadata: { title, authors, date } }, at) => `@article{k${at}, title={${title}}, author={${authors[0].family}, A.}, year={${date.year}}}`).join("\n");
  await page.locator("#tools input[type=file]").setInputFiles({ name: "long.bib", mimeType: "text/plain", buffer: Buffer.from(file) });
  await page.getByText("A collection can have 1,000 works.").first().waitFor();
  await counts(page, 600);
  await close();
});

// A collection with one work that no other test looks up.
async function withOneWork(page, name) {
  await signIn(page, person);
  await collection(page, name);
  await page.evaluate(async () => {
    const entry = { metadata: { entry_type: "Article", title: "Notes on the margin", journal: "Journal", date: { year: 2001 } } };
    await fetch(`/api/v1/collections/${location.pathname.split("/")[2]}/entries`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(entry) });
  });
  await page.reload();
  await isReady(page);
  await counts(page, 1);
  await isFormatted(page);
}

const above = async (page, place, other) => {
  const [one, two] = await Promise.all([page.locator(place).boundingBox(), page.locator(other).boundingBox()]);
  const height = page.viewportSize().height;
  assert.ok(one.y >= 0 && one.y + one.height <= two.y + 1 && two.y + two.height <= height, `${JSON.stringify(one)} above ${JSON.stringify(two)} in ${height}`);
};

test("a conflict is answered above Save, with what to do about it", async () => {
  const { page, close } = await open({ viewport: { width: 900, height: 600 } });
  await withOneWork(page, "In two windows");
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.locator("dialog").getByLabel("Title", { exact: true }).fill("Mine");
  await page.evaluate(async () => {
    const path = `/api/v1/collections/${location.pathname.split("/")[2]}`;
    const { entries: [entry] } = await (await fetch(path)).json();
    await fetch(`${path}/entries/${entry.id}/metadata`, { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...entry.metadata, title: "Theirs", volume: "999" }) });
  });
  const saving = page.getByRole("button", { name: "Save", exact: true });
  await saving.click();
  await page.locator("dialog [role=alert]").filter({ hasText: "changed somewhere else" }).waitFor();
  await above(page, "dialog .answers", "dialog .actions > .row");
  await page.getByRole("button", { name: "Show the other" }).click();
  await reads(page, "dialog .diff", "999");
  await page.getByRole("button", { name: "Use: Volume" }).click();
  await saving.click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await reads(page, "entry-list .text", "Mine");
  await reads(page, "entry-list .text", "999");
  await close();
});

test("an ended session is named as the cause, and leads to signing in without losing the edit", async () => {
  const { page, context, close } = await open();
  await withOneWork(page, "For too long");
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.locator("dialog").getByLabel("Title", { exact: true }).fill("Kept");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog [role=alert]").filter({ hasText: "Your session has ended" }).waitFor();
  const link = page.locator("dialog").getByRole("link", { name: "Sign in in a new tab" });
  await above(page, "dialog .answers", "dialog .actions > .row");
  const opening = context.waitForEvent("page");
  await link.click();
  const other = await opening;
  await other.fill("#email", person);
  await other.fill("#password", process.env.PASSWORD);
  await other.click("main form[action='/auth/login'] button");
  await other.waitForURL(/\/library/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await reads(page, "entry-list .text", "Kept");
  await close();
});

test("a message never covers a control of the editor, and a complaint goes with its cause", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await choose(page, "Add by hand");
  const dialog = page.locator("dialog");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: "Enter at least a title" }).waitFor();
  await dialog.getByLabel("Title", { exact: true }).fill("A");
  await dialog.getByRole("alert").waitFor({ state: "hidden" });
  await close();
});

const UNKNOWN = "Nobody, N., & Noone, O. (2019). Quite imaginary musings upon an unwritten subject. Journal of Nowhere, 12(3), 45-67.";

test("what is entered by hand leaves the pile and the box", async () => {
  const { page, close } = await open();
  await visit(page);
  const other = "Zeta, Z. (2001). Unheard-of thoughts about nothing at all. Annals of Silence, 4, 1-9.";
  await page.fill("#q", `${UNKNOWN}\n${other}`);
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "2 references need a decision" }).waitFor();
  await page.locator(".candidates tbody tr").first().getByRole("button", { name: /^Enter it by hand/ }).click();
  const dialog = page.locator("dialog");
  await dialog.locator(".preview").waitFor();
  // It opens with what the reference says.
  assert.equal(await dialog.getByLabel("Title", { exact: true }).inputValue(), "Quite imaginary musings upon an unwritten subject");
  assert.equal(await dialog.getByLabel("Journal").inputValue(), "Journal of Nowhere");
  assert.equal(await dialog.getByLabel("Date", { exact: true }).inputValue(), "2019");
  assert.match(await dialog.locator("names-field input").first().inputValue(), /Nobody/);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await counts(page, 1);
  await page.getByRole("heading", { name: "One reference needs a decision" }).waitFor();
  assert.equal(await page.inputValue("#q"), other);
  await page.locator(".candidates tbody tr").getByRole("button", { name: /^Enter it by hand/ }).click();
  await page.locator("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await counts(page, 2);
  await page.locator(".candidates").waitFor({ state: "detached" });
  assert.equal(await page.inputValue("#q"), "");
  await close();
});

test("a link that cannot be read opens with its site, a guessed type and the reason", async () => {
  const { page, close } = await open();
  await visit(page);
  for (const [address, type, site] of [
    ["https://www.youtube.com/watch?v=abcdefghijk", "MotionPicture", "youtube.com"], ["https://de.wikipedia.org/wiki/Berlin", "EncyclopediaEntry", "de.wikipedia.org"],
    ["https://www.nytimes.com/2024/01/02/world/story.html", "NewspaperArticle", "nytimes.com"], ["https://mastodon.social/@someone/1", "Post", "mastodon.social"],
  ]) {
    await page.fill("#q", address);
    await page.press("#q", "Enter");
    const dialog = page.locator("dialog");
    await dialog.getByText("The page could not be read.").waitFor();
    assert.equal(await dialog.getByLabel("Type").inputValue(), type);
    assert.equal(await dialog.locator("input[name=container_title], input[name=journal]").first().inputValue(), site);
    assert.equal(await dialog.getByLabel("Accessed").inputValue(), new Date().toISOString().slice(0, 10));
    await dialog.getByLabel("Title", { exact: true }).fill(`About ${site}`);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await holds(async () => assert.equal(await page.inputValue("#q"), ""));
  }
  await counts(page, 4);
  await close();
});

test("an identifier that no source answers for is kept when the work is entered by hand", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.route("**/api/v1/lookup", (route) => route.fulfill({ status: 503, json: { error: "service_unavailable", message: "No.", sources_tried: [{ source: "crossref", outcome: "timeout" }] } }));
  await page.fill("#q", "https://doi.org/10.5555/unreachable");
  await page.press("#q", "Enter");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(await page.locator("#outcome .bad").count(), 0);
  await page.getByRole("button", { name: "Enter it by hand" }).click();
  assert.equal(await page.locator("dialog").getByLabel("DOI").inputValue(), "10.5555/unreachable");
  await page.locator("dialog").getByLabel("Title", { exact: true }).fill("Known by its number");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await counts(page, 1);
  assert.equal(await page.inputValue("#q"), "");
  await close();
});

test("what was saved to the account is reported on the next page, stays, and can be undone", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  const name = `Saved ${Date.now()}`;
  const made = await page.evaluate(async (called) => {
    const entry = { metadata: { entry_type: "Article", title: "Saved twice", doi: "10.5555/saved.twice" } };
    const post = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const { id } = await post("/api/v1/collections", { name: called });
    await post(`/api/v1/collections/${id}/entries/batch`, { entries: [entry] });
    return id;
  }, name);
  await page.goto(`${base}/library`);
  await isReady(page);
  await page.evaluate(async (called) => {
    const words = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));
    const { LocalList } = await import(words.href.replace(/words\/.*/, "local-store.js"));
    const list = await LocalList.open();
    await list.rename(called);
    await list.add([{ metadata: { entry_type: "Article", title: "Saved twice", doi: "10.5555/saved.twice" }, note: "n" }, { metadata: { entry_type: "Book", title: "New" } }, { metadata: { entry_type: "Book", title: "x".repeat(20_000) } }]);
  }, name);
  await page.reload();
  await page.getByRole("button", { name: "Save to your account" }).click();
  await page.waitForURL(/\/c\//);
  assert.ok(page.url().endsWith(made));
  await reads(page, "#saved", `Saved one work to “${name}”.`);
  await reads(page, "#saved", "One was there already");
  await reads(page, "#saved", "One was refused");
  await page.goto(`${base}/library`);
  await page.locator("#saved").waitFor();
  await page.locator("#saved").getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(`${base}/`);
  await counts(page, 3);
  const left = await page.evaluate(async (id) => (await (await fetch(`/api/v1/collections/${id}`)).json()).entries.length, made);
  assert.equal(left, 1);
  await close();
});

test("a list over the plan's limit leaves no empty collection, and says what can be done", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  const name = `Too long ${Date.now()}`;
  await page.goto(`${base}/library`);
  await page.evaluate(async ([called, items]) => {
    const words = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));
    const { LocalList } = await import(words.href.replace(/words\/.*/, "local-store.js"));
    const list = await LocalList.open();
    await list.rename(called);
    await list.add(items);
  }, [name, different(1003)]);
  await page.reload();
  await page.getByRole("button", { name: "Save to your account" }).click();
  await page.getByText(`“${name}” has 1,003 works.`).waitFor();
  await page.getByText("What is not saved stays in this browser").waitFor();
  const made = () => page.evaluate(async (called) => (await (await fetch("/api/v1/collections")).json()).filter((one) => one.name === called).length, name);
  assert.equal(await made(), 0);
  await page.getByRole("button", { name: "Save the first 1,000 works" }).click();
  await page.waitForURL(/\/c\//);
  await reads(page, "#saved", `Saved 1,000 works to “${name}”.`);
  await counts(page, 1000);
  await page.locator("#saved").getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(`${base}/`);
  await counts(page, 1003);
  assert.equal(await made(), 0);
  await close();
});

test("keywords of a file are tags: seen, found, edited and exported", async () => {
  const { page, close } = await open();
  await visit(page);
  const records = Array.from({ length: 6 }, (_, n) => `@article{k${n}, title={Work ${n}}, year={2000}, keywords={ants${n ? "" : ", bees"}}}`).join("\n");
  await page.fill("#q", records);
  await page.press("#q", "Enter");
  await counts(page, 6);
  await reads(page, "entry-list .tag", "bees");
  await page.getByRole("button", { name: "Edit: Work 0" }).click();
  assert.equal(await page.locator("dialog").getByLabel("Tags").inputValue(), "ants, bees");
  await page.locator("dialog").getByLabel("Tags").fill("wasps");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await find(page);
  await page.getByRole("searchbox", { name: "Find in this list" }).fill("wasps");
  await page.getByText("1 of 6 works").waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: "RIS", exact: true }).click();
  const text = await readFile(await (await downloading).path(), "utf8");
  assert.deepEqual(text.match(/^KW {2}- .*$/gm), ["KW  - wasps"]);
  await close();
});

const style = (title, body) => `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>${title}</title><id>http://example.org/edges</id><category citation-format="author-date"/><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout>${body}</layout></bibliography>
</style>`;

test("a style of one's own is previewed while it is written, mended at its error, and edited in place", async () => {
  const { page, close } = await open();
  await signIn(page, person, "/styles");
  await page.getByText("Add a style").click();
  const text = page.locator("#own-text");
  await text.fill(style("Edges", '<txet variable="title"/>'));
  await reads(page, ".style-answer", /Line 4, column \d+/);
  await page.getByRole("button", { name: "Go to line 4" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "own-text");
  // Refused as a file, then mended: the second try works.
  await page.locator("#own-file").setInputFiles({ name: "edges.csl", mimeType: "text/xml", buffer: Buffer.from(style("Edges", '<txet variable="title"/>')) });
  await send(page, page.getByRole("button", { name: "Save style" }));
  const [problem, box] = await Promise.all([page.locator("#own-problem").boundingBox(), text.boundingBox()]);
  assert.ok(problem.y + problem.height <= box.y + 1 && problem.y >= 0 && problem.y < page.viewportSize().height, JSON.stringify(problem));
  await text.fill(style("Edges", '<text variable="title" prefix="First: "/>'));
  await reads(page, ".style-answer", "First: Molecular");
  await send(page, page.getByRole("button", { name: "Save style" }));
  assert.equal(await page.textContent("h1"), "Edges");
  await page.goto(`${base}/styles`);
  await page.getByRole("link", { name: "Edit: Edges" }).click();
  await isReady(page);
  await page.locator("#own-text").fill((await page.inputValue("#own-text")).replace("First", "Second"));
  await send(page, page.getByRole("button", { name: "Save style" }));
  await reads(page, ".sample", "Second: Molecular");
  await close();
});

test("two styles are compared on the reader's own works, and every card shows a sample", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await visit(page, "/styles?q=apa");
  await reads(page, ".card .sample-line", "Watson");
  await page.fill("#q", "nature");
  await reads(page, ".card .sample-line", "Watson");
  await visit(page, "/styles/apa");
  await page.getByLabel("Other style").fill("Nature");
  await holds(async () => assert.equal(await page.locator(".compared section").count(), 2));
  const [one, two] = await page.locator(".compared .text").allTextContents();
  assert.match(one, /Watson, J. D., & Crick/);
  assert.match(two, /^1\.?\s*Watson, J. D. & Crick/);
  await close();
});

test("without script a line that is no reference stays with its reason", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await page.goto(base);
  await page.fill("#q", `My reading list for the spring\n${DOI}\n978-0-262-03384-8\nWatson JD, Crick FHC. Molecular structure of nucleic acids. Nature. 1953;171:737-738.`);
  await send(page, page.locator("#find"));
  assert.match(await page.inputValue("#q"), /My reading list for the spring/);
  assert.match(await page.textContent("#outcome"), /My reading list for the spring: No reference was recognised/);
  await close();
});

test("a reload in the middle of an edit keeps the draft", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
  await page.locator("dialog").getByLabel("Title", { exact: true }).fill("Half written");
  await reads(page, "dialog .preview", "Half written");
  await page.reload();
  await isReady(page);
  await page.locator("dialog .preview").waitFor();
  assert.equal(await page.locator("dialog").getByLabel("Title", { exact: true }).inputValue(), "Half written");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await reads(page, "entry-list .text", "Half written");
  await close();
});

test("a work that another tab removed is not “Saved”", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
  await page.locator("dialog").getByLabel("Title", { exact: true }).fill("Still wanted");
  const other = await context.newPage();
  await visit(other);
  await counts(other, 1);
  await choose(other, "Remove all works");
  await counts(other, 0);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog [role=alert]").filter({ hasText: "removed somewhere else" }).waitFor();
  await page.getByRole("button", { name: "Add it again" }).click();
  await counts(page, 1);
  await reads(page, "entry-list .text", "Still wanted");
  assert.deepEqual((await entries(page)).length, 1);
  await close();
});

test("authors are moved, identifiers checked and italics kept in the editor", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.getByRole("button", { name: "Add by hand" }).click();
  const dialog = page.locator("dialog");
  await dialog.locator("names-field input").first().fill("Watson, James; Crick, Francis");
  await dialog.getByLabel("Title", { exact: true }).focus();
  await dialog.getByRole("button", { name: "Move this name up" }).first().click();
  assert.equal(await dialog.locator("names-field input").first().inputValue(), "Crick");
  const title = dialog.getByLabel("Title", { exact: true });
  await title.fill("The role of Escherichia coli in CO");
  await title.evaluate((input) => /** @type {HTMLInputElement} */ (input).setSelectionRange(12, 28));
  await dialog.getByRole("button", { name: "Italic" }).click();
  assert.equal(await title.inputValue(), "The role of <i>Escherichia coli</i> in CO");
  await title.evaluate((element) => {
    const input = /** @type {HTMLInputElement} */ (element);
    input.setSelectionRange(input.value.length, input.value.length);
    const data = new DataTransfer();
    data.setData("text/html", "<meta charset='utf-8'><b style='x'><!--StartFragment--><sub>2</sub> &amp; <em>more</em><!--EndFragment--></b>");
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  assert.equal(await title.inputValue(), "The role of <i>Escherichia coli</i> in CO<sub>2</sub> & <i>more</i>");
  await dialog.getByLabel("DOI").fill("doi-of-nothing");
  await dialog.getByText("A DOI begins with “10.”").waitFor();
  await dialog.getByLabel("DOI").fill("10.5555/1");
  await dialog.getByText("A DOI begins with “10.”").waitFor({ state: "hidden" });
  await dialog.getByLabel("Date", { exact: true }).fill("soon");
  await dialog.getByText("no year was recognised").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await close();
});

test("a shared list is copied, searched and exported at its head, in the reader's style", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  const link = await page.evaluate(async () => {
    const post = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const { id } = await post("/api/v1/collections", { name: "For all" });
    const entries = Array.from({ length: 7 }, (_, n) => ({ metadata: { entry_type: "Book", title: `Work ${n}`, authors: [{ family: "Writer", given: "W." }], date: { year: 2000 + n } } }));
    await post(`/api/v1/collections/${id}/entries/batch`, { entries });
    return (await post(`/api/v1/collections/${id}/share`, {})).share_url;
  });
  await visit(page, `${new URL(link).pathname}?style=ieee`);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied the bibliography.").first().waitFor();
  assert.match(await clipboard(page), /^\[1\] ?W\. Writer, Work 0/);
  await page.getByRole("button", { name: "Copy the link in this style" }).click();
  await holds(async () => assert.match(await clipboard(page), /\/s\/.*style=ieee/));
  await page.getByRole("searchbox", { name: "Find in this list" }).fill("2003");
  await page.getByText("1 of 7 works").waitFor();
  await page.getByText("Export", { exact: true }).click();
  const exports = await page.locator(".export-menu a").allTextContents();
  for (const name of ["BibTeX", "RIS", "CSL-JSON", "RTF", "Markdown"]) assert.ok(exports.includes(name), name);
  await close();
});

test("look-ups left never rise, and what could not be checked is not counted as checked", async () => {
  const { page, close } = await open();
  await visit(page, "/verify");
  let n = 0;
  const quota = (left) => ({ "x-ratelimit-scope": "daily", "x-ratelimit-remaining": String(left), "x-ratelimit-limit": "20", "x-ratelimit-reset": "1900000000" });
  await page.route("**/api/v1/verify", (route) => {
    n += 1;
    if (n > 2) return route.fulfill({ status: 429, headers: quota(1), json: { error: "quota_exhausted", message: "No.", limit: 20, reset_seconds: 60 } });
    return route.fulfill({ status: 200, headers: quota(n === 1 ? 0 : 1), json: { verdict: n === 1 ? "verified" : "not_checked", diffs: [], others: [], updates: [], sources_tried: [{ source: "crossref", outcome: "timeout" }] } });
  });
  await page.fill("#list", ["A", "B", "C", "D"].map((name, at) => `${name}uthor, X. (200${at}). A title that is long enough to be one. Journal of Things, ${at + 1}, 1-9.`).join("\n"));
  await page.click("#check");
  await reads(page, "#progress", "1 of 4 checked");
  await holds(async () => assert.match(await page.textContent("#progress"), /3 could not be checked/));
  assert.match(await page.textContent("#quota"), /^0 of 20/);
  await page.getByRole("button", { name: /^Only problems/ }).click();
  assert.equal(await page.locator(".verdict:visible").count(), 3);
  await close();
});

test("a single candidate with exactly the title is added, and all best matches at once", async () => {
  const { page, close } = await open();
  await visit(page);
  const candidate = (title, score) => ({ metadata: { entry_type: "Book", title, date: { year: 2000 } }, score, source: "local" });
  await page.route("**/api/v1/lookup", (route) => {
    const { query } = route.request().postDataJSON();
    const candidates = query === "The only one" ? [candidate("The Only One", 0.8), candidate("Nothing like it", 0.01)] : [candidate(`Near to ${query.slice(0, 6)}`, 0.7), candidate("Another", 0.4)];
    return route.fulfill({ json: { taken_for: "text", looked_up: query, candidates, notices: [], sources_tried: [] } });
  });
  await cite(page, "The only one", 1);
  await reads(page, "entry-list .text", "The Only One");
  await page.fill("#q", ["A", "B", "C"].map((name, at) => `${name}uthor, X. (200${at}). A title that is long enough to be one. Journal of Things, ${at + 1}, 1-9.`).join("\n"));
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "3 references need a decision" }).waitFor();
  await page.getByRole("button", { name: "Add all best matches" }).click();
  await counts(page, 4);
  await page.locator(".candidates").waitFor({ state: "detached" });
  assert.equal(await page.inputValue("#q"), "");
  await close();
});

test("at 400 % zoom bars take at most a third of the height", async () => {
  const { page, close } = await open({ viewport: { width: 320, height: 256 } });
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("x");
  const tall = await page.evaluate(() => [...document.querySelectorAll(".selection, #tools")].map((bar) => bar.getBoundingClientRect().height));
  for (const height of tall) assert.ok(height <= 256 / 3 + 1, `${tall}`);
  await close();
});
