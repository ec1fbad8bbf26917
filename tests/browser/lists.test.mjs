// Several bibliographies kept by this browser, without an account.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, counts, holds, isReady, open, person, reads, signIn, spent, visit } from "./browser.mjs";

const BOOK = "978-0-262-03384-8";

const chip = (page, name) => page.getByRole("button", { name: `Saving to: ${name}`, exact: true });

// Chooses from the menu of the save-to chip, and waits if the page reloads.
async function pick(page, from, name) {
  await chip(page, from).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function make(page, from, name) {
  await pick(page, from, "New bibliography…");
  await page.locator("dialog").getByLabel("Name").fill(name);
  await page.locator("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await chip(page, name).waitFor();
  await isReady(page);
}

test("bibliographies are made, renamed, switched and deleted without an account", async () => {
  const { page, close } = await open();
  await visit(page);
  // The previous list is one of them.
  await cite(page, DOI, 1);
  await make(page, "This browser", "Thesis");
  await counts(page, 0);
  await cite(page, BOOK, 1);
  await page.getByRole("heading", { name: "Thesis" }).waitFor();
  await pick(page, "Thesis", "Rename this bibliography…");
  await page.locator("dialog").getByLabel("Name").fill("Master thesis");
  await page.keyboard.press("Enter");
  await chip(page, "Master thesis").waitFor();
  await page.keyboard.press("Control+z");
  await chip(page, "Thesis").waitFor();
  await pick(page, "Thesis", "This browser");
  await chip(page, "This browser").waitFor();
  await counts(page, 1);
  await reads(page, "entry-list .text", /Watson/);
  await isReady(page);
  await pick(page, "This browser", "Thesis");
  await chip(page, "Thesis").waitFor();
  await isReady(page);
  // Each keeps its own style.
  await pick(page, "Thesis", "Delete this bibliography");
  await page.getByText("Deleted “Thesis”.").first().waitFor();
  await chip(page, "This browser").waitFor();
  await counts(page, 1);
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await chip(page, "Thesis").waitFor();
  await counts(page, 1);
  await isReady(page);
  // It is in the trash too, with its works.
  await pick(page, "Thesis", "Delete this bibliography");
  await chip(page, "This browser").waitFor();
  await isReady(page);
  await choose(page, "Trash");
  await page.getByRole("button", { name: "Restore: Thesis" }).click();
  await page.getByText("Restored “Thesis”.").first().waitFor();
  await page.keyboard.press("Escape");
  await pick(page, "This browser", "Thesis");
  await chip(page, "Thesis").waitFor();
  await counts(page, 1);
  await reads(page, "entry-list .text", /Introduction to Algorithms/i);
  await close();
});

test("the list of a browser that knew one alone is still there", async () => {
  const { page, close } = await open();
  await page.goto(`${base}/help`);
  await page.evaluate(() => new Promise((resolve, reject) => {
    const request = indexedDB.open("citation", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lists");
      request.result.createObjectStore("renders");
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const write = request.result.transaction("lists", "readwrite");
      write.objectStore("lists").put({ entries: [{ id: "a", metadata: { title: "Kept before", entry_type: "Book" } }], style: "", locale: "", revision: 7, trash: [] }, "main");
      write.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  }));
  await visit(page);
  await counts(page, 1);
  await chip(page, "This browser").waitFor();
  await make(page, "This browser", "Second");
  await pick(page, "Second", "This browser");
  await chip(page, "This browser").waitFor();
  await counts(page, 1);
  await close();
});

test("other windows keep up with a bibliography's name and end, and what is done there brings it back", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await make(page, "This browser", "Essay");
  await cite(page, DOI, 1);
  const other = await context.newPage();
  await visit(other);
  await counts(other, 1);
  await pick(page, "Essay", "Rename this bibliography…");
  await page.locator("dialog").getByLabel("Name").fill("Long essay");
  await page.keyboard.press("Enter");
  await chip(other, "Long essay").waitFor();
  await pick(page, "Long essay", "Delete this bibliography");
  await other.getByText("Deleted “Long essay”.").first().waitFor();
  await cite(other, BOOK, 2);
  await visit(page);
  await chip(page, "This browser").click();
  await page.getByRole("menuitem", { name: "Long essay" }).waitFor();
  await close();
});

test("signing in takes over every bibliography", async () => {
  const { page, close } = await open();
  await visit(page);
  const stamp = `Taken over ${Date.now()}`;
  await cite(page, DOI, 1);
  await make(page, "This browser", stamp);
  await cite(page, BOOK, 1);
  await page.goto(`${base}/library`);
  await page.getByText("2 works saved only in this browser.").waitFor();
  await page.getByRole("link", { name: new RegExp(stamp) }).waitFor();
  await signIn(page, person);
  await page.getByText("2 works saved only in this browser.").waitFor();
  await page.getByRole("button", { name: "Save to your account" }).click();
  await page.waitForURL(/\/c\//);
  await page.goto(`${base}/library`);
  await page.locator(".cards").getByRole("link", { name: stamp }).waitFor();
  await page.getByText("saved only in this browser").waitFor({ state: "detached" });
  await close();
});

test("bibliographies are switched without the network", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await make(page, "This browser", "On the train");
  await cite(page, BOOK, 1);
  // The menu's files are cached after its first use.
  await page.waitForFunction(async () => Boolean(await caches.match("/")));
  await page.waitForFunction(async () => {
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) if (url.endsWith("/target-menu.js")) return true;
    }
    return false;
  });
  await context.setOffline(true);
  await page.reload();
  await counts(page, 1);
  await isReady(page);
  await pick(page, "On the train", "This browser");
  await chip(page, "This browser").waitFor();
  await counts(page, 1);
  await reads(page, "entry-list .text", /Watson/);
  await close();
});

test("where the operator allows it, a list is shared without an account, and deleted by the browser that made the link", async () => {
  const { page, context, close } = await open();
  await page.goto(`${spent}/`);
  await isReady(page);
  // There is nothing to share yet.
  await page.getByRole("button", { name: "Share", exact: true }).waitFor({ state: "hidden" });
  await page.fill("#q", "@book{z, title={Zebras}, author={Zed, Zoe}, year=2001}\n\n@book{a, title={Ants}, author={Ames, Ann}, year=2002}");
  await page.press("#q", "Enter");
  await counts(page, 2);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByText("when nobody has opened it for 180 days").waitFor();
  await page.getByRole("button", { name: "Create link" }).click();
  const address = await page.locator("dialog input[readonly]").inputValue();
  // Another reader.
  const other = await open();
  await other.page.goto(address);
  await isReady(other.page);
  await holds(async () => {
    const shown = await other.page.locator(".entries .text").allTextContents();
    assert.deepEqual(shown.map((text) => text.slice(0, 4)), ["Ames", "Zed,"]);
  });
  assert.equal(await other.page.locator("meta[name=robots]").getAttribute("content"), "noindex");
  await other.page.locator(".export-menu summary").click();
  await other.page.getByRole("link", { name: "BibTeX" }).first().waitFor();
  await other.page.locator(".export-menu summary").click();
  await other.page.getByRole("button", { name: "Save a copy in this browser" }).click();
  await other.page.getByText("Saved a copy in this browser.").first().waitFor();
  await other.page.goto(`${spent}/`);
  await counts(other.page, 2);
  // The browser that made it still has it after visiting other pages.
  await page.goto(`${spent}/`);
  await isReady(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Delete link" }).click();
  await page.getByText("The link is deleted.").first().waitFor();
  await holds(async () => assert.equal((await context.request.get(address)).status(), 404));
  await other.close();
  await close();
});

test("without the operator's leave there is nothing to share by", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  assert.equal(await page.getByRole("button", { name: "Share", exact: true }).count(), 0);
  await close();
});
