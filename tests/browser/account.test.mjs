// Sign-out: the browser's account data is deleted, its own lists stay.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, cite, clipboard, collection, holds, open, person, signIn, visit } from "./browser.mjs";

// Everything the site stores in this browser, as one text.
const kept = (page) => page.evaluate(async () => {
  const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.includes("/assets/")) texts.push(await (await cache.match(request)).text());
    }
  }
  const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const place = database.transaction(store).objectStore(store);
      texts.push(name, JSON.stringify(await asked(place.getAllKeys())), JSON.stringify(await asked(place.getAll())));
    }
    database.close();
  }
  return texts.join("\n");
});

const shell = (page) => page.waitForFunction(async () => Boolean(await caches.match("/")));
const signOut = async (page) => {
  await page.locator("form[action='/auth/logout'] button").click();
  await page.waitForURL(`${base}/auth/signed-out`);
};

test("signing out leaves nothing of the account in the browser", async () => {
  const { page, context, close } = await open();
  await signIn(page, person);
  await collection(page, "Secret thesis");
  const id = page.url().split("/").pop();
  await cite(page, DOI, 1);
  await page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "citation-account"));
  await page.evaluate((made) => localStorage.setItem("account.merged-collection", made), id);
  const other = await context.newPage();
  await visit(other, `/c/${id}`);
  await visit(page);
  await shell(page);
  await holds(async () => {
    const before = await kept(page);
    assert.ok(before.includes(id), "the browser keeps something of the account while it is signed in");
    assert.ok(!before.includes(person), "the page that is kept is nobody's");
  });
  await signOut(page);
  // An account page open in another tab is left.
  await other.waitForURL(/\/auth\/login/);
  await page.waitForFunction(async () => !(await indexedDB.databases()).some(({ name }) => name === "citation-account"));
  await holds(async () => {
    const after = await kept(page);
    for (const text of [id, person, "Secret thesis"]) assert.ok(!after.includes(text), text);
  });
  await page.goBack();
  await holds(async () => assert.ok(!(await page.textContent("body")).includes(person)));
  await close();
});

test("an end of the session elsewhere has the same effect", async () => {
  const { page, context, close } = await open();
  await signIn(page, person);
  await collection(page, "Ended elsewhere");
  const id = page.url().split("/").pop();
  await cite(page, DOI, 1);
  await page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "citation-account"));
  await context.clearCookies();
  await visit(page);
  await page.waitForFunction(async () => !(await indexedDB.databases()).some(({ name }) => name === "citation-account"));
  await holds(async () => assert.ok(!(await kept(page)).includes(id)));
  await close();
});

test("the browser's own list outlives the session, and can be removed afterwards", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await signIn(page, person);
  await signOut(page);
  await page.getByText("1 work saved only in this browser.").waitFor();
  assert.ok((await kept(page)).includes("Watson"));
  await page.getByRole("button", { name: "Remove from this browser" }).click();
  await page.getByText("Removed from this browser.").waitFor();
  await holds(async () => assert.ok(!(await kept(page)).includes("Watson")));
  await close();
});

test("the page that is kept speaks the reader's language", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await page.locator(".preferences-menu > summary").click();
  // A chosen appearance needs no new page, a language does; neither needs a button.
  await page.selectOption("select[name=theme]", "dark");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  const loaded = page.waitForEvent("load");
  await page.selectOption("select[name=language]", "de");
  await loaded;
  assert.equal(await page.getAttribute("html", "lang"), "de");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await visit(page);
  await page.waitForFunction(async () => (await (await caches.match("/"))?.text())?.includes('lang="de"'));
  await context.setOffline(true);
  await page.reload();
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await close();
});

test("a key is copied at a click and is not made again by loading the page again", async () => {
  const { page, close } = await open();
  await signIn(page, person, "/account/keys");
  await page.getByLabel("Name").fill("Copied");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator(".secret").textContent();
  await page.getByRole("button", { name: "Copy the key" }).click();
  await page.getByText("Copied the key.").last().waitFor();
  await holds(async () => assert.equal(await clipboard(page), key));
  await page.reload();
  await page.getByRole("button", { name: "Revoke: Copied" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Revoke: Copied" }).count(), 1);
  await page.getByRole("button", { name: "Revoke: Copied" }).click();
  await close();
});

test("sessions go by browser and system", async () => {
  const { page, close } = await open({ userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0" });
  await signIn(page, person, "/account/sessions");
  await page.getByRole("rowheader", { name: "Firefox on Windows (this session)" }).waitFor();
  await close();
});

test("whoever runs the server is shown no price for it", async () => {
  const { page, close } = await open();
  await signIn(page, person, "/account");
  assert.match(await page.textContent("main"), /academic/i);
  assert.doesNotMatch(await page.textContent("main"), /EUR/);
  await close();
});
