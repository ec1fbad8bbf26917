// Copied and exported text in LibreOffice Writer: paragraphs, tabs, indents and italics. Skipped,
// with a printed line, if LibreOffice is missing.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { DOI, cite, open, visit } from "./browser.mjs";

const run = promisify(execFile);
const OFFICE = ["/usr/bin/soffice", "/usr/bin/libreoffice"].find((path) => existsSync(path));
const WORKS = `${DOI}\n978-0-262-03384-8\n10.1002/j.1538-7305.1948.tb01338.x`;
const STYLES = [
  { style: "ieee", hasLabels: true, first: /^\[1\]\t.*Watson/ },
  { style: "nature", hasLabels: true, first: /^1\.\t.*Watson/ },
  { style: "apa", hasLabels: false, first: /^Cormen/ },
  { style: "chicago-notes-bibliography", hasLabels: false, first: /^Cormen/ },
];

// Opens files in Writer, all with one filter.
async function convert(folder, names, filter = []) {
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const files = names.map((name) => join(folder, name));
  await run(OFFICE, [profile, "--headless", ...filter, "--convert-to", "fodt", "--outdir", folder, ...files], { timeout: 300_000 });
}

// The paragraphs of an opened file: text, indents in inches, and whether they contain italics.
async function paragraphs(folder, name) {
  const xml = await readFile(join(folder, name.replace(/\.\w+$/, ".fodt")), "utf8");
  const styles = new Map([...xml.matchAll(/<style:style style:name="([^"]+)"[^>]*?(?:\/>|>(.*?)<\/style:style>)/gs)].map(([, id, body]) => [id, body ?? ""]));
  const inches = (text) => Number.parseFloat(text ?? "0");
  const body = xml.slice(xml.indexOf("<office:text"));
  return [...body.matchAll(/<text:p text:style-name="([^"]+)"[^>]*>(.*?)<\/text:p>/gs)].map(([, id, inner]) => {
    const style = styles.get(id) ?? "";
    const spans = [...inner.matchAll(/<text:span text:style-name="([^"]+)">/g)].map(([, span]) => styles.get(span) ?? "");
    return {
      text: inner.replace(/<text:tab\/>/g, "\t").replace(/<text:s[^>]*\/>/g, " ").replace(/<[^>]+>/g, "").replace(/&amp;/g, "&"),
      margin: inches(style.match(/fo:margin-left="([^"]+)"/)?.[1]),
      indent: inches(style.match(/fo:text-indent="([^"]+)"/)?.[1]),
      isItalic: spans.some((span) => /fo:font-style="italic"/.test(span)),
    };
  }).filter(({ text }) => text.trim());
}

function check(found, { style, hasLabels, first }, what) {
  assert.equal(found.length, 3, `${what}: ${JSON.stringify(found)}`);
  assert.match(found[0].text, first, what);
  for (const { text, margin, indent } of found) {
    assert.equal(text.includes("\t"), hasLabels, `${what}: a tab behind the label of ${text}`);
    assert.ok(margin > 0.1 && Math.abs(margin + indent) < 0.01, `${what}: ${text} hangs by ${margin} and ${indent}`);
  }
  assert.ok(found.some(({ isItalic }) => isItalic), `${what}: italics, ${style}`);
}

// The clipboard's HTML after a click, as other programs receive it.
async function copiedHtml(page, button) {
  await page.evaluate(() => addEventListener("copy", (event) => (globalThis.copiedHtml = event.clipboardData.getData("text/html"))));
  await button.click();
  await page.getByText(/^Copied the/).first().waitFor();
  return page.evaluate(() => globalThis.copiedHtml);
}

test("what is copied and exported is whole in LibreOffice", { skip: !OFFICE && "there is no LibreOffice" }, async () => {
  const { page, close } = await open();
  const folder = await mkdtemp(join(tmpdir(), "citation-office-"));
  const pageOf = (html) => `<!doctype html><html><head><meta charset="utf-8"></head><body>${html}</body></html>`;
  try {
    for (const expected of STYLES) {
      const { style } = expected;
      await visit(page, `/?style=${style}`);
      if (expected === STYLES[0]) await cite(page, WORKS, 3);
      await page.waitForFunction(([text]) => new RegExp(text).test(document.querySelector("entry-list .text")?.textContent), [expected.first.source.replace("\\t", "\\s*")]);
      const html = await copiedHtml(page, page.getByRole("button", { name: "Copy", exact: true }));
      await writeFile(join(folder, `${style}.html`), pageOf(html));
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "RTF" }).click()]);
      await download.saveAs(join(folder, `${style}-file.rtf`));
    }
    // A single entry too.
    await visit(page, "/?style=ieee");
    await page.waitForFunction(() => document.querySelector("entry-list .text")?.textContent.startsWith("[1]"));
    const entry = await copiedHtml(page, page.getByRole("button", { name: /^Copy: Molecular/ }));
    await writeFile(join(folder, "entry.html"), pageOf(entry));
    await convert(folder, [...STYLES.map(({ style }) => `${style}.html`), "entry.html"], ["--infilter=HTML (StarWriter)"]);
    await convert(folder, STYLES.map(({ style }) => `${style}-file.rtf`));
    for (const expected of STYLES) {
      check(await paragraphs(folder, `${expected.style}.html`), expected, `${expected.style}, copied`);
      check(await paragraphs(folder, `${expected.style}-file.rtf`), expected, `${expected.style}, RTF`);
    }
    const [paragraph, ...others] = await paragraphs(folder, "entry.html");
    assert.deepEqual(others, []);
    assert.match(paragraph.text, /^\[1\]\t/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await close();
});
