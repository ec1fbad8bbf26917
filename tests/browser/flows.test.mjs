// The step counts of docs/design.md: clicks, pastes and keys from arrival to the result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, cite, clipboard, counts, holds, isFormatted, open, reads, visit } from "./browser.mjs";

const ISBN = "978-0-262-03384-8";

// Acts like a reader and counts the steps.
function counted(page) {
  const done = { steps: 0 };
  const step = (action) => async (...values) => {
    done.steps += 1;
    await action(...values);
  };
  return Object.assign(done, {
    paste: step(async (text) => {
      await page.evaluate((value) => navigator.clipboard.writeText(value), text);
      await page.keyboard.press("Control+v");
    }),
    type: step((text) => page.keyboard.type(text)),
    key: step((key) => page.keyboard.press(key)),
    click: step((name) => page.getByRole("button", { name, exact: typeof name === "string" }).click()),
    choose: step((place) => page.locator(place).click()),
  });
}

const copied = (page) => page.getByText("Copied the bibliography.").first().waitFor();

/** @type {[name: string, text: string, expected: RegExp][]} */
const SINGLE = [
  ["a DOI", DOI, /^Watson, J\. D\./], ["an ISBN", ISBN, /^Cormen, T\. H\./], ["a link", `https://doi.org/${DOI}`, /^Watson, J\. D\./],
];
for (const [name, text, expected] of SINGLE) {
  test(`${name} becomes a copied entry in three steps`, async () => {
    const { page, close } = await open();
    await visit(page);
    const reader = counted(page);
    await reader.paste(text);
    await reader.key("Enter");
    await counts(page, 1);
    await isFormatted(page);
    await reader.click("Copy");
    await copied(page);
    await holds(async () => assert.match(await clipboard(page), expected));
    assert.ok(reader.steps <= 3, `${reader.steps} steps`);
    await close();
  });
}

test("by keys alone it takes eight", async () => {
  const { page, close } = await open();
  await visit(page);
  const reader = counted(page);
  await reader.paste(DOI);
  await reader.key("Enter");
  await counts(page, 1);
  await isFormatted(page);
  const isCopy = () => page.evaluate(() => document.activeElement.textContent === "Copy");
  while (reader.steps < 8 && !(await isCopy())) await reader.key("Tab");
  await reader.key("Enter");
  await copied(page);
  await holds(async () => assert.match(await clipboard(page), /^Watson/));
  assert.ok(reader.steps <= 8, `${reader.steps} steps`);
  await close();
});

test("six mixed references are copied in three steps, and none is lost", async () => {
  const { page, close } = await open();
  await visit(page);
  const reader = counted(page);
  const given = [
    `Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737. doi:${DOI}`,
    ISBN,
    "10.1002/j.1538-7305.1948.tb01338.x",
    "10.5555/nothing-of-this-name",
    "978-0-262-03384-9",
    "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.",
  ];
  await reader.paste(given.join("\n"));
  await reader.key("Enter");
  await counts(page, 3);
  await isFormatted(page);
  await page.locator(".candidates").waitFor();
  const said = await page.locator("#outcome").innerText();
  const left = await page.inputValue("#q");
  for (const text of given.slice(3)) {
    assert.ok(said.includes(text) || left.includes(text), `${text} is lost: ${said} / ${left}`);
  }
  await reader.click("Copy");
  await copied(page);
  await holds(async () => assert.equal((await clipboard(page)).trim().split("\n").length, 3));
  assert.ok(reader.steps <= 3, `${reader.steps} steps`);
  await close();
});

test("another style takes three steps", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  const reader = counted(page);
  await reader.choose("#style");
  await reader.type("nature");
  await reader.key("Enter");
  await reads(page, "entry-list .text b", /^171$/);
  assert.ok(reader.steps <= 3, `${reader.steps} steps`);
  await close();
});

test("a citation with its page takes three steps", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  const reader = counted(page);
  await reader.click(/^Cite: Molecular/);
  await page.locator("dialog .preview:not(:empty)").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog input"));
  await reader.type("738");
  await reader.key("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await holds(async () => assert.equal(await clipboard(page), "(Watson & Crick, 1953, p. 738)"));
  assert.ok(reader.steps <= 3, `${reader.steps} steps`);
  await close();
});

test("the list goes to a word processor in one step", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  const reader = counted(page);
  await reader.click("Copy");
  await copied(page);
  await holds(async () => {
    const types = await page.evaluate(async () => (await navigator.clipboard.read())[0].types);
    assert.ok(types.includes("text/html"));
  });
  assert.equal(reader.steps, 1);
  await close();
});
