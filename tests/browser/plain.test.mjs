// Everything that must work without script.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, open, send, signIn, spent } from "./browser.mjs";

const plain = () => open({ javaScriptEnabled: false });

test("looking up, another style, order, removal and export", async () => {
  const { page, close } = await plain();
  await page.goto(base);
  await page.fill("#q", DOI);
  await send(page, page.locator("#find"));
  await page.fill("#q", "978-0-262-03384-8");
  await send(page, page.locator("#find"));
  assert.equal(await page.locator(".entry").count(), 2);
  await page.selectOption("#style", "ieee");
  await send(page, page.locator("button[value=format]"));
  assert.match(await page.textContent(".entry .text"), /^\[1\]/);
  await send(page, page.getByRole("button", { name: /^Move up: Introduction/ }));
  assert.match((await page.locator(".entry .text").allTextContents())[0], /Cormen/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "RIS" }).click()]);
  assert.equal(download.suggestedFilename(), "bibliography.ris");
  await send(page, page.getByRole("button", { name: /^Remove: Introduction/ }));
  assert.equal(await page.locator(".entry").count(), 1);
  await close();
});

test("a bibliography file and a reference list can be pasted", async () => {
  const { page, close } = await plain();
  await page.goto(base);
  await page.fill("#q", "@article{a, title={From a file}, year={2001}}\n@book{b, title={Another}}");
  await send(page, page.locator("#find"));
  assert.equal(await page.locator(".entry").count(), 2);
  await page.fill("#q", `1. Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737. doi:${DOI}\n2. Shannon CE. A mathematical theory of communication. Bell Syst Tech J. 1948;27:379-423.`);
  await send(page, page.locator("#find"));
  assert.equal(await page.locator(".entry").count(), 4);
  await close();
});

test("several candidates are offered, and one is taken", async () => {
  const { page, close } = await plain();
  await page.goto(`${base}/cite?q=mathematical+theory+of+communication`);
  if ((await page.locator(".entry").count()) === 0) {
    await send(page, page.getByRole("button", { name: /^Add: A mathematical theory/ }).first());
  }
  assert.match(await page.textContent(".entry .text"), /Shannon/);
  await close();
});

test("nothing found and used-up lookups are said", async () => {
  const { page, close } = await plain();
  await page.goto(`${base}/cite?q=10.5555/nothing-of-this-name`);
  await page.getByRole("heading", { name: "Not in the sources searched" }).waitFor();
  await page.goto(`${spent}/cite?q=978-0-262-03384-8`);
  await page.goto(`${spent}/cite?q=10.5555/nothing-of-this-name`);
  await page.getByText("lookups for today are used").first().waitFor();
  await close();
});

test("a list is verified, styles are searched, language and theme are kept", async () => {
  const { page, close } = await plain();
  await signIn(page, "scholar@example.org");
  await page.goto(`${base}/verify`);
  await page.fill("#list", `The following works were used.\n\n1. Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature. 1963;171:737-738. doi:${DOI}`);
  await send(page, page.locator("#check"));
  assert.equal(await page.textContent(".verdict .badge"), "Differs");
  assert.equal(await page.textContent("#around li"), "The following works were used.");
  assert.equal(await page.locator("del").first().textContent(), "6");
  await page.goto(`${base}/styles?q=nature`);
  assert.ok((await page.locator(".card").count()) > 0);
  await page.locator(".preferences-menu > summary").click();
  await page.selectOption("select[name=language]", "de");
  await page.selectOption("select[name=theme]", "dark");
  await send(page, page.locator(".preferences button"));
  assert.equal(await page.getAttribute("html", "lang"), "de");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  assert.equal(new URL(page.url()).search, "?q=nature");
  await close();
});

test("names are told apart by semicolons, and works stand in the order of the style", async () => {
  const { page, close } = await plain();
  await page.goto(base);
  await page.fill("#q", "@book{z, author={Zorn, Z.}, title={Late}, year={2001}}\n@book{a, author={Adams, A.}, title={Early}, year={2002}}");
  await send(page, page.locator("#find"));
  assert.deepEqual((await page.locator(".entry .text").allTextContents()).map((text) => text.slice(0, 4)), ["Adam", "Zorn"]);
  await send(page, page.getByRole("button", { name: "Remove: Late" }));
  assert.match(await page.textContent(".entry .text"), /^Adams/);
  await signIn(page, "scholar@example.org");
  await page.fill("#name", "By hand");
  await send(page, page.getByRole("button", { name: "Create" }));
  await page.fill("#q", DOI);
  await send(page, page.locator("#find"));
  await send(page, page.getByRole("link", { name: /^Edit: Molecular/ }));
  await page.fill("#authors", "Jane Q. Doe; John Smith");
  await page.fill("#date", "12 March 2021");
  await send(page, page.getByRole("button", { name: "Save", exact: true }));
  assert.match(await page.textContent(".entry .text"), /^Doe, J. Q., & Smith, J. \(2021/);
  await close();
});

test("the reference of the interface is a page of the site", async () => {
  const { page, close } = await plain();
  await page.goto(`${base}/api/docs`);
  await page.getByRole("heading", { name: "API reference" }).waitFor();
  await page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: "POST /api/v1/verify", exact: true }).click();
  await page.waitForURL(/\/api\/docs\/verify#verify$/);
  await page.getByRole("link", { name: "Library" }).first().click();
  await page.waitForURL(`${base}/library`);
  await close();
});
