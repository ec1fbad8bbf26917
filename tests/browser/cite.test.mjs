// The first page with script: from something pasted to a bibliography that the browser keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, cite, entries, open, spent } from "./browser.mjs";

test("a pasted DOI becomes a citation in the chosen style", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await page.fill("#q", DOI);
  assert.equal(await page.textContent("#kind"), "DOI");
  await cite(page, DOI, 1);
  assert.equal(await page.textContent("#find"), "Cite");
  assert.match((await entries(page))[0], /^Watson, J\. D\., & Crick, F\. H\. C\. \(1953\)\./);
  await page.click("#style");
  await page.fill("#style", "nature");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("entry-list .text b")?.textContent === "171");
  assert.equal(await page.inputValue("#style"), "Nature");
  await close();
});

test("an ISBN, a wrong check digit and an unknown DOI are each told apart", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await cite(page, "978-0-262-03384-8", 1);
  await page.fill("#q", "978-0-262-03384-9");
  assert.match(await page.textContent("#kind"), /check digit/);
  await page.press("#q", "Enter");
  await page.getByText("Did you mean 9780262033848?").waitFor();
  await page.fill("#q", "10.5555/nothing-of-this-name");
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "Not in the sources searched" }).waitFor();
  await page.getByRole("button", { name: "Enter it by hand" }).click();
  assert.equal(await page.inputValue("dialog [name=doi]"), "10.5555/nothing-of-this-name");
  await close();
});

test("several lines are looked up one after the other, and a file is imported with its faults", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.fill("#q", "@article{good, title={A good one}, year={2001}}\n@article{bad, title={Broken\n@book{other, title={Another}, year=2002}");
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "What became of the file" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 5);
  assert.match(await page.textContent("#outcome"), /2:15.*bad.*never closed/);
  await close();
});

test("works are moved, removed and brought back by keys alone", async () => {
  const { page, close } = await open();
  await page.goto(`${base}/?style=ieee`);
  await cite(page, DOI, 1);
  await cite(page, "978-0-262-03384-8", 2);
  await page.keyboard.press("Tab");
  for (let tries = 0; tries < 40; tries += 1) {
    if (await page.evaluate(() => document.activeElement.classList.contains("entry"))) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Home");
  const before = await entries(page);
  await page.keyboard.press("Alt+ArrowDown");
  await page.waitForFunction((first) => document.querySelector("entry-list .text").textContent !== first, before[0]);
  assert.match((await entries(page))[1], /Watson/);
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 2);
  await page.waitForFunction(() => document.querySelectorAll("entry-list .text")[1].textContent.includes("Watson"));
  await close();
});

test("a work is edited beside its preview, and the change can be undone", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.fill("dialog [name=title]", "A title of my own");
  await page.waitForFunction(() => document.querySelector("dialog .preview").textContent.includes("A title of my own"));
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForFunction(() => document.querySelector("entry-list .text").textContent.includes("A title of my own"));
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("entry-list .text").textContent.includes("Molecular"));
  await close();
});

test("a citation has locator and affixes, alone and in a group, on the clipboard in two flavours", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.getByRole("button", { name: /^Copy citation: Molecular/ }).click();
  await page.getByLabel("Locator").fill("737");
  await page.getByLabel("Before").fill("see");
  await page.waitForFunction(() => document.querySelector("dialog .preview").textContent === "(see Watson & Crick, 1953, p. 737)");
  await page.getByRole("button", { name: "Copy", exact: true }).last().click();
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "(see Watson & Crick, 1953, p. 737)");
  for (const item of await page.locator("entry-list .entry").all()) {
    await item.focus();
    await page.keyboard.press("x");
  }
  await page.getByRole("button", { name: "Cite together" }).click();
  await page.waitForFunction(() => /Cormen et al\., 2009; Watson/.test(document.querySelector("dialog .preview").textContent));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear" }).last().click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("menuitem", { name: "Rich text" }).click();
  await page.getByText("Copied the bibliography.").first().waitFor();
  const flavours = await page.evaluate(async () => (await navigator.clipboard.read())[0].types);
  assert.deepEqual([...flavours].sort(), ["text/html", "text/plain"]);
  await close();
});

test("the list is exported in every format", async () => {
  const { page, close } = await open();
  await page.goto(base);
  await cite(page, DOI, 1);
  const signs = {
    BibTeX: /@article\{/, biblatex: /journaltitle/, RIS: /^TY {2}- JOUR/m, "CSL-JSON": /"article-journal"/,
    RTF: /^\{\\rtf1/, HTML: /csl-entry/, Markdown: /\*Nature\*/, Text: /Watson/,
  };
  for (const [name, sign] of Object.entries(signs)) {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name, exact: true }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    assert.match(Buffer.concat(chunks).toString(), sign, name);
  }
  await close();
});

test("two tabs show the same list", async () => {
  const { page, context, close } = await open();
  await page.goto(base);
  const other = await context.newPage();
  await other.goto(base);
  await other.waitForSelector("entry-list");
  await cite(page, DOI, 1);
  await other.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 1);
  await cite(other, "978-0-262-03384-8", 2);
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 2);
  await close();
});

test("the list stays readable without the network", async () => {
  const { page, context, close } = await open();
  await page.goto(base);
  await cite(page, DOI, 1);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => Boolean(await caches.match("/")));
  await context.setOffline(true);
  await page.reload();
  await page.waitForFunction(() => /Watson, J\. D\./.test(document.querySelector("entry-list .text")?.textContent ?? ""));
  await close();
});

test("used-up lookups are said with a clock that runs down, and what goes on working", async () => {
  const { page, close } = await open();
  await page.goto(spent);
  // Another test may have used the one lookup already.
  for (const text of [DOI, "978-0-262-03384-8"]) {
    await page.fill("#q", text);
    await page.press("#q", "Enter");
    await page.locator(".entry, #outcome section").first().waitFor();
  }
  await page.getByRole("heading", { name: /lookups are used up/ }).waitFor();
  const first = await page.textContent(".countdown");
  assert.match(first, /\d+:\d\d:\d\d/);
  await page.waitForFunction((text) => document.querySelector(".countdown").textContent !== text, first);
  await page.getByRole("link", { name: "Make a free account for more" }).waitFor();
  await close();
});

test("an address with a work in it puts that work into the list once", async () => {
  const { page, close } = await open();
  for (let visits = 0; visits < 2; visits += 1) {
    await page.goto(`${base}/cite?doi=${DOI}&style=nature`);
    await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 1);
  }
  assert.equal(new URL(page.url()).pathname, "/");
  assert.equal(await page.inputValue("#style"), "Nature");
  await close();
});

test("another style for a hundred works is there at once", async () => {
  const { page, close } = await open();
  await page.goto(base);
  const file = Array.from({ length: 100 }, (_, n) => `@article{k${n}, author={Author, A. and Writer, B.}, title={Work number ${n}}, journal={Journal}, year={${1900 + n}}, volume={${n}}}`);
  await page.fill("#q", file.join("\n"));
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 100);
  await page.waitForTimeout(500);
  const took = await page.evaluate(() => new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (document.querySelector("entry-list .text").textContent.startsWith("[1]")) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    document.querySelector("style-picker").dispatchEvent(new CustomEvent("choose", { detail: { id: "ieee", title: "IEEE" } }));
  }));
  console.log(`a hundred works in another style: ${took.toFixed(0)} ms`);
  await close();
});
