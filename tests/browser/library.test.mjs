// Data on the server: collections, entries, imports, sharing, and moving the browser's list at
// sign-in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, collection, counts, entries, find, gate, holds, isFormatted, isIdle, isReady, open, person, reads, send, signIn, visit } from "./browser.mjs";

test("a bibliography is merged on signing in with a provider, shared, opened elsewhere, revoked", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.goto(`${base}/auth/login?return_to=/library`);
  await page.getByRole("link", { name: /Sign in with university/i }).click();
  await page.waitForURL(`${base}/library`);
  await page.getByRole("button", { name: "Save to your account" }).click();
  await page.waitForURL(/\/c\//);
  const address = page.url();
  await counts(page, 2);
  // The browser keeps no copy of the account's works, and later citations go to the account.
  await visit(page, "/library");
  await isIdle(page);
  await holds(async () => assert.equal(await page.getByRole("button", { name: "Save to your account" }).count(), 0));
  await visit(page);
  await page.getByRole("button", { name: "Saving to: Bibliography" }).waitFor();
  await cite(page, "10.1002/j.1538-7305.1948.tb01338.x", 3);
  await page.goto(address);
  await counts(page, 3);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await holds(async () => {
    const address = await page.inputValue("#share-url");
    assert.match(address, /\/s\//);
    return address;
  });
  const guest = await open();
  await guest.page.goto(link);
  await isReady(guest.page);
  await holds(async () => assert.equal(await guest.page.locator(".entry").count(), 3));
  await guest.page.getByRole("button", { name: "Save a copy in this browser" }).click();
  await guest.page.getByText("Saved a copy in this browser.").first().waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("The link is revoked.").first().waitFor();
  const gone = await guest.page.goto(link);
  assert.equal(gone.status(), 404);
  await guest.close();
  await close();
});

test("a collection is filled, ordered, annotated, and undone, on the server", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Thesis <b>one</b>");
  assert.equal(await page.textContent("h1"), "Thesis <b>one</b>");
  await cite(page, DOI, 1);
  await cite(page, "978-0-262-03384-8", 2);
  await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
  await page.locator("dialog").getByLabel("Note").fill("Read this <i>first</i>.");
  await page.locator("dialog").getByLabel("Tags").fill("genes, <u>classic</u>");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByText("Read this <i>first</i>.").waitFor();
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("Delete");
  await counts(page, 1);
  await page.keyboard.press("Control+z");
  await counts(page, 2);
  await page.reload();
  await counts(page, 2);
  await reads(page, "entry-list", /genes.*<u>classic<\/u>/);
  await close();
});

test("an undo that comes before the server's answer undoes what was done last", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "In haste");
  await cite(page, DOI, 1);
  await cite(page, "978-0-262-03384-8", 2);
  const held = gate();
  await page.route("**/entries/batch-delete", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("Delete");
  await counts(page, 1);
  await page.keyboard.press("Control+z");
  held.resolve();
  await counts(page, 2);
  await close();
});

test("a change made elsewhere in the meantime is not overwritten", async () => {
  const { page, context, close } = await open();
  await signIn(page, person);
  await collection(page, "Twice open");
  await cite(page, DOI, 1);
  await page.reload();
  await page.waitForSelector("entry-list .entry");
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForSelector("entry-list .entry");
  await cite(other, "978-0-262-03384-8", 2);
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("Delete");
  await page.getByText("changed somewhere else").first().waitFor();
  await counts(page, 2);
  await close();
});

test("a broken file is imported as far as it goes, and its faults are named with their lines", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Imported");
  await page.goto(`${page.url()}/import`);
  const text = "@article{one, title={The first}, year={2001}}\n\n@article{two\n\n@book{three, title={The third <b>}, year={2003}}\n@comment{x}\n@article{, }\n";
  await page.setInputFiles("#file", { name: "<img src=x>.bib", mimeType: "application/x-bibtex", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { name: "Import report" }).waitFor();
  await reads(page, "#report", /\d:\d/);
  await page.getByRole("link", { name: "Open the collection" }).click();
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length >= 2);
  await close();
});

test("collections are managed without script", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await signIn(page, person);
  await collection(page, "Plain");
  await page.fill("#q", DOI);
  await send(page, page.locator("#find"));
  await page.fill("#q", "978-0-262-03384-8");
  await send(page, page.locator("#find"));
  assert.equal(await page.locator(".entry").count(), 2);
  await send(page, page.getByRole("link", { name: /^Edit: Molecular/ }));
  await page.fill("#title", "Another title");
  await page.fill("#note", "A note");
  await send(page, page.getByRole("button", { name: "Save" }));
  assert.match(await page.textContent(".entries"), /Another title/);
  await send(page, page.getByRole("button", { name: "Create link" }));
  const link = await page.locator("section a[href*='/s/']").textContent();
  await page.goto(link);
  assert.equal(await page.locator(".entry").count(), 2);
  await page.locator(".export-menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "BibTeX" }).click()]);
  assert.match(download.suggestedFilename(), /\.bib$/);
  await send(page, page.getByRole("button", { name: "Save a copy" }));
  await page.waitForURL(/\/c\//);
  await send(page, page.getByRole("link", { name: "Import a file" }));
  await page.setInputFiles("#file", { name: "a.ris", mimeType: "application/x-research-info-systems", buffer: Buffer.from("TY  - JOUR\nTI  - From a file\nPY  - 2001\nER  - \n") });
  await send(page, page.getByRole("button", { name: "Import", exact: true }));
  await page.getByText("1 imported").waitFor();
  await send(page, page.getByRole("link", { name: "Open the collection" }));
  assert.equal(await page.locator(".entry").count(), 3);
  await send(page, page.getByRole("button", { name: "Delete this collection" }));
  await page.waitForURL(/\/library\?deleted=/);
  await send(page, page.getByRole("button", { name: "Restore" }));
  await page.waitForURL(/\/c\//);
  assert.equal(await page.locator(".entry").count(), 3);
  await close();
});

// Fills the open list with its own works.
async function fill(page, works) {
  const file = works.map(([kind, author, title, year, publisher = "Press"], n) =>
    `@${kind}{k${n}, author={${author}}, title={${title}}, year={${year}}, publisher={${publisher}}}`);
  await page.fill("#q", file.join("\n"));
  await page.press("#q", "Enter");
  await counts(page, works.length);
  await isFormatted(page);
}

const WORKS = [
  ["book", "Young, Y.", "Cats", 1999], ["book", "Adams, A.", "Dogs", 2005], ["book", "Moore, M.", "Ants", 2001],
  ["book", "Baker, B.", "Eels", 1990], ["book", "Zorn, Z.", "Bees", 2010], ["book", "Clark, C.", "Foxes", 1985],
];
const titles = async (page) => (await entries(page)).map((text) => text.match(/Cats|Dogs|Ants|Eels|Bees|Foxes/)?.[0]).join(" ");

test("a whole collection is cleared in one request, and brought back in one", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "To be cleared");
  await fill(page, WORKS);
  const asked = [];
  page.on("request", (request) => request.method() !== "GET" && request.url().includes("/collections/") && asked.push(request.url().split("/").pop()));
  await choose(page, "Remove all works");
  await counts(page, 0);
  await page.getByText("Removed 6 works.").first().waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await counts(page, 6);
  await page.reload();
  await counts(page, 6);
  const removals = asked.filter((name) => name !== "check-duplicates");
  assert.deepEqual(removals, ["batch-delete", "batch-restore"]);
  await close();
});

test("several works are tagged in one request, and have their own tags back in another", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "To be tagged");
  await fill(page, WORKS.slice(0, 3));
  const asked = [];
  page.on("request", (request) => request.method() !== "GET" && request.url().includes("/entries/") && asked.push(request.url().split("/").pop()));
  const shows = (expected) => page.waitForFunction(([wanted]) =>
    [...document.querySelectorAll("entry-list .entry")].map((work) => [...work.querySelectorAll(".tag")].map((tag) => tag.textContent).join(" ")).join("|") === wanted, [expected]);
  const select = async (...places) => {
    await page.locator("dialog").waitFor({ state: "detached" });
    for (const place of places) {
      await page.locator("entry-list .entry").nth(place).focus();
      await page.keyboard.press("x");
    }
    await page.getByRole("button", { name: "Tag…" }).click();
  };
  await select(0);
  await page.locator("dialog").getByLabel("Tags", { exact: true }).fill("own");
  await page.keyboard.press("Enter");
  await shows("own||");
  asked.length = 0;
  await select(0, 1);
  await holds(async () => assert.ok(await page.getByLabel("own").evaluate((/** @type {HTMLInputElement} */ box) => box.indeterminate)));
  await page.locator("dialog").getByLabel("Tags", { exact: true }).fill("own, <b>new</b>");
  await page.keyboard.press("Enter");
  await shows("own <b>new</b>|own <b>new</b>|");
  await holds(async () => assert.deepEqual(asked, ["batch-tag"]));
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await shows("own||");
  await select(0, 1);
  await page.getByLabel("own").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await shows("own|own|");
  await select(0, 1);
  await page.getByLabel("own").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await shows("||");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await shows("own|own|");
  await page.reload();
  // The list arrives in stored order, then in the style's order.
  await shows("own|own|");
  await close();
});

test("a collection is looked at in other orders, and takes the one that is kept", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "In order");
  await fill(page, WORKS);
  await reads(page, "entry-list .hint", "The style sets the order.");
  await find(page);
  const order = page.getByRole("combobox", { name: "Order" });
  const check = async (choice, expected) => {
    await order.selectOption({ label: choice });
    await holds(async () => assert.equal(await titles(page), expected, choice));
  };
  await holds(async () => assert.equal(await titles(page), "Dogs Eels Foxes Ants Cats Bees"));
  await check("As arranged", "Cats Dogs Ants Eels Bees Foxes");
  await check("By author", "Dogs Eels Foxes Ants Cats Bees");
  await check("Newest first", "Bees Dogs Ants Cats Eels Foxes");
  await check("By title", "Ants Bees Cats Dogs Eels Foxes");
  await page.getByRole("button", { name: "Keep this order" }).click();
  await page.getByText("The list keeps this order now.").first().waitFor();
  await holds(async () => assert.equal(await order.inputValue(), "own"));
  await page.reload();
  await isReady(page);
  await isFormatted(page);
  await find(page);
  await check("As arranged", "Ants Bees Cats Dogs Eels Foxes");
  await close();
});

test("works that are in a collection twice are pointed out and merged", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Twice");
  await fill(page, [["book", "Cormen, Thomas H.", "Introduction to Algorithms", 2009, ""], ["book", "Cormen, Thomas H.", "Introduction to Algorithms", 2009, "MIT Press"]]);
  await page.getByText("One work may be a duplicate.").waitFor();
  const api = page.url().replace("/c/", "/api/v1/collections/");
  await page.evaluate(async (path) => {
    const { entries } = await (await fetch(path)).json();
    const remarks = [{ note: "first", tags: ["a"] }, { note: "second", tags: ["A", "b"] }];
    await Promise.all(remarks.map((body, at) => fetch(`${path}/entries/${entries[at].id}`, {
      method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    })));
  }, api);
  await page.reload();
  await page.getByText("One work may be a duplicate.").waitFor();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForURL(/#duplicates$/);
  const dialog = page.locator("dialog");
  await holds(async () => assert.deepEqual(await dialog.locator("tbody th").allTextContents(), ["Citation key", "Publisher"]));
  await dialog.getByRole("button", { name: "Merge 2 works into one" }).click();
  await counts(page, 1);
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByText("One work may be a duplicate.").waitFor({ state: "detached" });
  const kept = async () => (await page.evaluate(async (path) => (await fetch(path)).json(), api))
    .entries.map(({ metadata, note, tags }) => [metadata.publisher ?? "-", note, tags.join()]);
  await holds(async () => assert.deepEqual(await kept(), [["MIT Press", "first\n\nsecond", "a,b"]]));
  await page.getByText("Merged one duplicate.").first().waitFor();
  const back = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await page.keyboard.press("Control+z");
  await back;
  await counts(page, 2);
  await page.getByText("One work may be a duplicate.").waitFor();
  await holds(async () => assert.deepEqual(await kept(), [["-", "first", "a"], ["MIT Press", "second", "A,b"]]));
  await close();
});

test("a shared link can have an end", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "For a week");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByLabel("Link expires").selectOption("in 7 days");
  const asked = page.waitForRequest((request) => request.url().endsWith("/share"));
  await page.getByRole("button", { name: "Create link" }).click();
  const days = (Date.parse((await asked).postDataJSON().expires_at) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7, `${days} days`);
  await page.getByText("The link expires").waitFor();
  await close();
});

test("where works go is said and changed, and removed ones are in the trash of their list", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Thesis to save to");
  await visit(page);
  await page.getByRole("button", { name: "Saving to: This browser" }).click();
  await page.getByRole("menuitem", { name: "Thesis to save to" }).click();
  await page.getByRole("button", { name: "Saving to: Thesis to save to" }).waitFor();
  await cite(page, DOI, 1);
  await page.getByRole("link", { name: "Thesis to save to" }).click();
  await page.waitForURL(/\/c\//);
  await isReady(page);
  await counts(page, 1);
  await choose(page, "Remove all works");
  await counts(page, 0);
  await page.reload();
  await isReady(page);
  await choose(page, "Trash");
  await page.getByRole("button", { name: /^Restore: Molecular/ }).click();
  await counts(page, 1);
  await page.keyboard.press("Escape");
  // Verified works go there too.
  await visit(page, "/verify");
  await page.fill("#list", "Shannon CE. A mathematical theory of communication. Bell System Technical Journal. 1948;27:379-423.");
  await page.click("#check");
  await reads(page, "#progress", "1 of 1 checked");
  await page.getByRole("button", { name: "Add to bibliography" }).click();
  await page.getByText("Added one work to your bibliography.").first().waitFor();
  await visit(page);
  await counts(page, 2);
  await page.getByRole("button", { name: "Saving to: Thesis to save to" }).click();
  await page.getByRole("menuitem", { name: "This browser" }).click();
  await page.getByRole("button", { name: "Saving to: This browser" }).waitFor();
  await counts(page, 0);
  await close();
});

test("the dialogs of a collection have addresses", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Addressed");
  await cite(page, DOI, 1);
  const address = page.url();
  for (const [name, fragment] of [["Share", "share"], ["Settings", "settings"]]) {
    if (name === "Share") await page.getByRole("button", { name, exact: true }).click();
    else await choose(page, name);
    await page.waitForURL(`${address}#${fragment}`);
    await page.goBack();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.waitForURL(address);
    await page.goForward();
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(address);
  }
  await page.goto(`${address}#share`);
  await page.reload();
  await page.getByRole("button", { name: "Create link" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL(address);
  await close();
});

test("of duplicates one chooses which is kept, and field by field whose value", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Compared");
  await fill(page, [["book", "Cormen, Thomas H.", "Introduction to Algorithms", 2009, "MIT"], ["book", "Cormen, Thomas H.", "Introduction to algorithms", 2009, "MIT Press"]]);
  await page.getByRole("button", { name: "Compare" }).click();
  const dialog = page.locator("dialog");
  await dialog.locator("tbody th").first().waitFor();
  await holds(async () => assert.deepEqual((await dialog.locator("tbody th").allTextContents()).sort(), ["Citation key", "Publisher", "Title"]));
  await dialog.getByLabel("Keep work 2").check();
  await holds(async () => assert.ok(await dialog.getByLabel("MIT Press").isChecked()));
  await dialog.getByLabel("MIT", { exact: true }).check();
  await dialog.getByRole("button", { name: "Merge 2 works into one" }).click();
  await counts(page, 1);
  const api = page.url().split("#")[0].replace("/c/", "/api/v1/collections/");
  await holds(async () => {
    const kept = (await page.evaluate(async (path) => (await fetch(path)).json(), api)).entries;
    const read = kept.map(({ metadata, review_status: state }) => [metadata.title, metadata.publisher, state]);
    assert.deepEqual(read, [["Introduction to algorithms", "MIT", "clean"]]);
  });
  await close();
});

test("neither the banner nor a notice is printed with a collection", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Printed");
  await fill(page, [["book", "Cormen, Thomas H.", "Introduction to Algorithms", 2009, ""], ["book", "Cormen, Thomas H.", "Introduction to Algorithms", 2009, "MIT Press"]]);
  const banner = page.getByText("One work may be a duplicate.");
  await banner.waitFor();
  await page.emulateMedia({ media: "print" });
  await banner.waitFor({ state: "hidden" });
  await close();
});

test("what is shared stands in the order of its style, its DOIs are links, and tags and doubts are not told", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  const link = await page.evaluate(async () => {
    const send = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const work = (family, state) => ({
      metadata: { entry_type: "Book", title: `By ${family}`, authors: [{ family, given: "A." }], date: { year: 2001 }, doi: "10.1234/x", publisher: "P" },
      tags: ["private"], review_status: state,
    });
    const made = await send("/api/v1/collections", { name: "Strangers", defaultstyle: "apa" });
    await send(`/api/v1/collections/${made.id}/entries/batch`, { entries: [work("Zorn", "possible_duplicate"), work("Adams", "retracted")] });
    return (await send(`/api/v1/collections/${made.id}/share`, {})).share_url;
  });
  const guest = await open({ javaScriptEnabled: false });
  await guest.page.goto(link);
  assert.deepEqual((await guest.page.locator(".entry .text").allTextContents()).map((text) => text.slice(0, 4)), ["Adam", "Zorn"]);
  const list = await guest.page.locator(".entries").innerText();
  assert.doesNotMatch(list, /private|duplicate/i);
  assert.match(list, /retracted/i);
  assert.equal(await guest.page.locator(".entry .text a").first().getAttribute("href"), "https://doi.org/10.1234/x");
  await guest.close();
  await close();
});

test("tags are browsed, renamed, merged and removed over everything one has", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  const stamp = `t${Date.now()}`;
  const [old, other] = [`${stamp} old`, `${stamp} Other`];
  await page.evaluate(async ([first, second]) => {
    const send = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const entry = (tags) => ({ metadata: { title: "Tagged" }, tags });
    await send("/api/v1/collections", { name: "Tags A", entries: [entry([first]), entry([first, second])] });
    await send("/api/v1/collections", { name: "Tags B", entries: [entry([first.toUpperCase()])] });
  }, [old, other]);
  await visit(page, "/library");
  await page.getByRole("heading", { name: "Recently added" }).waitFor();
  const tags = page.getByRole("navigation", { name: "Tags" });
  await tags.getByRole("link", { name: `${old} 3` }).click();
  await page.getByRole("heading", { name: "3 works found" }).waitFor();
  await isReady(page);
  const change = async (name, button) => {
    await page.getByText("Rename or remove this tag").click();
    if (name) await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: button }).click();
  };
  await change(other.toUpperCase(), "Rename");
  await page.getByText("Renamed the tag on 3 works.").first().waitFor();
  await tags.getByRole("link", { name: new RegExp(`${other} 3`, "i") }).waitFor();
  await tags.getByRole("link", { name: new RegExp(old) }).waitFor({ state: "detached" });
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await tags.getByRole("link", { name: `${old} 3` }).waitFor();
  await tags.getByRole("link", { name: `${other} 1` }).waitFor();
  await isReady(page);
  await change("", "Remove from all works");
  await page.getByText("Removed the tag from 3 works.").first().waitFor();
  await tags.getByRole("link", { name: new RegExp(old) }).waitFor({ state: "detached" });
  await close();
});

test("without script too, a tag is renamed and removed", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await signIn(page, person);
  const tag = `plain ${Date.now()}`;
  await page.context().request.post(`${base}/api/v1/collections`, {
    headers: { origin: base }, data: { name: "Plain tags", entries: [{ metadata: { title: "Plainly tagged" }, tags: [tag] }] },
  });
  await page.goto(`${base}/library?${new URLSearchParams({ tag })}`);
  await page.getByText("Rename or remove this tag").click();
  await page.locator("#tag-name").fill(`${tag} anew`);
  await send(page, page.getByRole("button", { name: "Rename" }));
  await page.getByRole("heading", { name: `Tagged “${tag} anew”` }).waitFor();
  await page.getByRole("link", { name: "Plainly tagged" }).waitFor();
  await page.getByText("Rename or remove this tag").click();
  await send(page, page.getByRole("button", { name: "Remove from all works" }));
  await page.getByRole("heading", { name: "Recently added" }).waitFor();
  assert.equal(await page.getByText(`${tag} anew`).count(), 0);
  await close();
});

test("the tags of a library stand below its collections, however many there are", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Much tagged");
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
  await page.locator("dialog").getByLabel("Tags").fill(Array.from({ length: 15 }, (_, n) => `subject ${n}`).join(", "));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await visit(page, "/library");
  await holds(async () => {
    const tags = await page.locator("nav.tags").boundingBox();
    const collections = await page.locator(".cards").boundingBox();
    assert.ok(tags.y >= collections.y + collections.height, "the tags push the collections down");
  });
  await close();
});

test("tags are parted by the commas of the reader's script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, close } = await open({ javaScriptEnabled });
    await signIn(page, person);
    await collection(page, "标签");
    const address = page.url();
    if (javaScriptEnabled) {
      await cite(page, DOI, 1);
      await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
      await page.locator("dialog").getByLabel("Tags").fill("基因，经典、وراثة، علم");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator("dialog").waitFor({ state: "detached" });
    } else {
      await page.fill("#q", DOI);
      await send(page, page.locator("#find"));
      await send(page, page.getByRole("link", { name: /^Edit: Molecular/ }));
      await page.fill("#tags", "基因，经典、وراثة، علم");
      await send(page, page.getByRole("button", { name: "Save" }));
      await page.goto(address);
    }
    await holds(async () => assert.deepEqual(await page.locator(".entry .tag").allTextContents(), ["基因", "经典", "وراثة", "علم"]));
    await close();
  }
});

test("all works are shown page by page, folders come from names, and searches are kept", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  await signIn(page, person);
  await collection(page, "Folder F / Chapter one");
  await page.fill("#q", DOI);
  await send(page, page.locator("#find"));
  await page.goto(`${base}/library`);
  await page.getByRole("heading", { name: "Folder F" }).waitFor();
  await page.locator(".card", { hasText: "Chapter one" }).waitFor();
  await page.getByRole("link", { name: "All works" }).click();
  assert.match(await page.textContent(".hits"), /Molecular structure/);
  await page.fill("#words", "molecular structure");
  await send(page, page.getByRole("button", { name: "Search" }));
  await page.fill("#search-name", "DNA");
  await send(page, page.getByRole("button", { name: "Save this search" }));
  await page.goto(`${base}/library`);
  await page.getByRole("link", { name: "DNA", exact: true }).click();
  assert.match(await page.textContent(".hits"), /Molecular structure/);
  await send(page, page.getByRole("button", { name: "Forget this search" }));
  assert.equal(await page.getByRole("link", { name: "DNA", exact: true }).count(), 0);
  await close();
});

// Adds works to the open collection through the interface, and loads it again.
async function filled(page, entries) {
  const id = page.url().split("/").pop();
  await page.evaluate(async ([to, works]) => {
    await fetch(`/api/v1/collections/${to}/entries/batch`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ entries: works }) });
  }, [id, entries]);
  await page.reload();
  await isReady(page);
  await counts(page, entries.length);
  return id;
}

test("identical works are merged at once, and those that are none are left alone for good", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Twice and twice");
  const work = (title, more = {}) => ({ metadata: { entry_type: "Book", title, authors: [{ family: "Writer", given: "W." }], date: { year: 2001 }, ...more } });
  await filled(page, [work("A first book of many words"), work("A first book of many words"), work("Another quite different volume"), work("Another quite different volume"),
    work("Annual report of the bureau", { publisher: "North" }), work("Annual report of the bureau", { publisher: "South" })]);
  await choose(page, "Duplicates");
  await page.locator("dialog").getByRole("button", { name: "Merge all 2 identical groups" }).click();
  await counts(page, 4);
  await page.locator("dialog").getByRole("button", { name: "Not duplicates" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await counts(page, 4);
  await page.reload();
  await isReady(page);
  await choose(page, "Duplicates");
  await page.getByText("No duplicates were found.").waitFor();
  await close();
});

test("a field of all shown works is changed at once, and undone at once", async () => {
  const { page, close } = await open();
  await signIn(page, person);
  await collection(page, "Edited together");
  await filled(page, ["A Very Long Title About Growing Trees", "Another Study of Growing Plants and Their Roots"].map((title) => ({ metadata: { entry_type: "Document", title } })));
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Select all shown" }).click();
  await page.getByText("2 selected").first().waitFor();
  await page.getByRole("button", { name: "Edit…" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Type").selectOption("Article");
  await dialog.getByLabel("Journal").fill("Annals");
  await dialog.getByLabel("Titles in sentence case").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Changed 2 works.").first().waitFor();
  await holds(async () => assert.equal((await entries(page)).filter((text) => /growing (trees|plants).*Annals/.test(text)).length, 2));
  await page.keyboard.press("Control+z");
  await holds(async () => assert.ok((await entries(page)).every((text) => !/Annals/.test(text))));
  await close();
});

test("a change of one browser appears in another within a second", async () => {
  const one = await open();
  await signIn(one.page, person);
  await collection(one.page, "Seen by two");
  const address = one.page.url();
  // The stream is for collections of several people.
  const link = await one.page.evaluate(async (id) => {
    const response = await fetch(`/api/v1/collections/${id}/invitations`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ role: "editor" }) });
    return (await response.json()).url;
  }, address.split("/").pop());
  const other = await open();
  await other.page.goto(`${base}/auth/login?return_to=${encodeURIComponent(new URL(link, base).pathname)}`);
  await other.page.getByRole("link", { name: /Sign in with university/i }).click();
  await other.page.getByRole("button", { name: "Accept" }).click();
  await other.page.waitForURL(address);
  await isReady(other.page);
  await one.page.reload();
  await isReady(one.page);
  // Both are connected before anything changes.
  await one.page.waitForLoadState("load");
  await cite(one.page, DOI, 1);
  await counts(other.page, 1);
  await other.page.locator("entry-list .entry").first().focus();
  await other.page.keyboard.press("Delete");
  await counts(one.page, 0);
  await other.close();
  await one.close();
});
