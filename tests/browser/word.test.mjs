// The pane in Word: cites, sets the document in styles of the text and of notes, and leaves alone what a person wrote. Word
// itself cannot run here; `word-host.js` stands in for Office.js.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DOI, base, open } from "./browser.mjs";

const OFFICE = "https://appsforoffice.microsoft.com/";
const ITEM = { id: "z", type: "book", title: "Emma", author: [{ family: "Austen", given: "Jane" }], issued: { "date-parts": [[1815]] } };
const zotero = (citation, text) => ({ kind: "field", runs: [{ text }], code: ` ADDIN ZOTERO_ITEM CSL_CITATION ${JSON.stringify({
  citationID: "z1", properties: { formattedCitation: text, plainCitation: text, noteIndex: 0 }, citationItems: [{ id: 1, uris: ["http://zotero.org/users/1/items/Z"], itemData: ITEM }], ...citation,
})} ` });

async function pane(body) {
  const window = await open({ viewport: { width: 340, height: 900 } });
  const host = await readFile(new URL("word-host.js", import.meta.url), "utf8");
  await window.context.route(`${OFFICE}**`, (route) => route.fulfill({
    contentType: "text/javascript", body: `globalThis.wordBody = ${JSON.stringify(body)};\n${host}`,
  }));
  await window.page.goto(`${base}/word/`);
  await window.page.waitForSelector("html[data-script=ready]");
  const held = () => window.page.evaluate(() => wordHeld.body);
  const told = (pattern) => window.page.locator("#pane .notice", { hasText: pattern }).waitFor();
  const press = (name) => window.page.getByRole("button", { name, exact: true }).click();
  const style = async (name, option) => {
    await window.page.getByLabel("Style", { exact: true }).fill(name);
    await window.page.getByRole("option", { name: option }).first().click();
  };
  const close = () => {
    const own = window.faults.filter((fault) => !fault.startsWith(`elsewhere: ${OFFICE}`));
    window.faults.splice(0, window.faults.length, ...own);
    return window.close();
  };
  return { ...window, held, told, press, style, close };
}

const textOf = ({ runs, text }) => (runs ? runs.map((run) => run.text).join("") : text);
const decoded = ({ tag }) => JSON.parse(Buffer.from(tag.replace("MENDELEY_CITATION_v3_", ""), "base64").toString());

async function citeWatson({ page, press }) {
  await page.getByLabel("Identifier, link, title or author").fill(DOI);
  await press("Search");
  await page.locator("#word-cite li button").first().click();
  await page.getByLabel("Page or place").fill("737");
  await press("Insert the citation");
}

test("a work is cited in Word, listed, and set in another style", async () => {
  const { page, held, told, press, style, close } = await pane([{ kind: "text", text: "As shown " }]);
  await citeWatson({ page, press });
  await told("One citation is set.");
  const [, cited] = await held();
  assert.equal(textOf(cited), "(Watson & Crick, 1953, p. 737)");
  const code = decoded(cited);
  assert.equal(code.manualOverride.citeprocText, textOf(cited));
  assert.equal(code.citationItems[0].itemData.DOI, DOI);
  await press("List of works");
  await page.waitForFunction(() => wordHeld.body.some(({ tag }) => tag === "MENDELEY_BIBLIOGRAPHY"));
  await told("One citation is set.");
  const list = (await held()).find(({ tag }) => tag === "MENDELEY_BIBLIOGRAPHY");
  assert.match(textOf(list), /^Watson, J\. D\., & Crick, F\. H\. C\. \(1953\)\. /);
  assert.ok(list.runs.some(({ italic }) => italic) && list.format.width > 0, JSON.stringify(list));
  await style("ieee", /^IEEE/);
  await page.waitForFunction(() => wordHeld.body[1].runs?.[0]?.text.startsWith("[1"));
  await told("One citation is set.");
  assert.match(textOf((await held()).find(({ tag }) => tag === "MENDELEY_BIBLIOGRAPHY")), /^\[1\]/);
  const preferences = await page.evaluate(() => [...wordHeld.properties.values()].join(""));
  assert.match(preferences, /id="http:\/\/www\.zotero\.org\/styles\/ieee"/);
  await press("Make plain text");
  await told("One citation is plain text now.");
  assert.ok((await held()).every(({ kind }) => kind === "text"));
  await close();
});

test("a style of notes moves citations into notes and back", async () => {
  const { page, held, told, press, style, close } = await pane([{ kind: "text", text: "As shown " }]);
  await citeWatson({ page, press });
  await told("One citation is set.");
  await style("chicago notes", /^Chicago Manual of Style.*[Nn]otes/);
  await page.waitForFunction(() => wordHeld.body.some(({ kind }) => kind === "note"));
  await told("One citation is set.");
  const note = (await held()).find(({ kind }) => kind === "note");
  assert.match(textOf(note.notes[0]), /Watson and .*Crick/);
  assert.ok((await held()).every(({ kind }) => kind !== "control"));
  await style("apa", /^APA Style/);
  await page.waitForFunction(() => wordHeld.body.every(({ kind }) => kind !== "note"));
  await told("One citation is set.");
  const back = (await held()).find(({ kind }) => kind === "control");
  assert.equal(textOf(back), "(Watson & Crick, 1953, p. 737)");
  await close();
});

test("fields of Zotero stay fields, and texts by hand stay", async () => {
  const body = [
    { kind: "text", text: "A " }, zotero({}, "(old)"), { kind: "text", text: " and " },
    zotero({ citationID: "z2", properties: { plainCitation: "(Austen, 1815)", formattedCitation: "(Austen, 1815)" } }, "as Austen said"),
  ];
  const { held, told, press, close } = await pane(body);
  await press("Refresh");
  await told("2 citations are set.");
  const [before, first, between, second] = await held();
  assert.deepEqual([textOf(before), textOf(first), textOf(between), textOf(second)], ["A ", "(Austen, 1815)", " and ", "as Austen said"]);
  assert.equal(first.kind, "field");
  assert.match(first.code, /"plainCitation":"\(Austen, 1815\)"/);
  assert.match(first.code, /"uris":\["http:\/\/zotero\.org\/users\/1\/items\/Z"\]/);
  assert.equal(second.code, body[3].code);
  await close();
});

test("a citation at the cursor is edited", async () => {
  const { page, held, told, press, close } = await pane([{ kind: "text", text: "A " }, zotero({}, "(Austen, 1815)")]);
  await press("Edit the citation here");
  await told("There is no citation at the cursor.");
  await page.evaluate(() => (wordHeld.selection = wordHeld.body[1]));
  await press("Edit the citation here");
  await page.getByLabel("Page or place").fill("9");
  await press("Change the citation");
  await told("One citation is set.");
  assert.equal(textOf((await held())[1]), "(Austen, 1815, p. 9)");
  await close();
});

test("the manifest names this server, and a browser shows how to add it", async () => {
  const { page, context, faults, close } = await open();
  await context.route(`${OFFICE}**`, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await page.goto(`${base}/word/`);
  await page.waitForSelector("html[data-script=ready]");
  assert.ok(await page.getByRole("link", { name: "Download the manifest" }).isVisible());
  assert.ok(await page.locator("#pane").isHidden());
  const answer = await page.request.get(`${base}/word/manifest.xml`);
  const addresses = [...(await answer.text()).matchAll(/DefaultValue="(https?:[^"]+)"/g)].map(([, address]) => address);
  assert.ok(addresses.length >= 8, addresses.join(" "));
  for (const address of addresses) {
    const { status } = await fetch(address.replace(/^https?:\/\/[^/]+/, base));
    assert.equal(status, 200, address);
  }
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.startsWith(`elsewhere: ${OFFICE}`)));
  await close();
});
