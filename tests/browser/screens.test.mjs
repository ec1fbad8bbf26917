// Screenshots of the main pages for review, light and dark, wide and narrow.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { DOI, base, choose, cite, isFormatted, isIdle, isReady, open, reads, signIn, visit } from "./browser.mjs";

const SIZES = { wide: { width: 1366, height: 768 }, narrow: { width: 390, height: 844 } };
const WORKS = `${DOI}\n978-0-262-03384-8\n10.1002/j.1538-7305.1948.tb01338.x`;
const MANY = Array.from({ length: 19 }, (_, n) => `@article{k${n}, author={Writer, A. and Other, B.}, title={Work number ${n}}, journal={Journal}, year={${1980 + n}}}`).join("\n");
const LIST = [
  `Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171:737-738. doi:${DOI}`,
  `Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1963;171:737-738. doi:${DOI}`,
  "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.",
];
const BROKEN = "@article{one, title={The first}, year={2001}}\n@article{two, title={Broken\n@book{three, title={The third}, year={2003}}\n";

// The address of a sample collection.
const seminar = (page) => page.evaluate(async () => {
  const works = [
    ["Book", "On Growth and Form", "Thompson", "D. W.", 1917, "biology", "clean"],
    ["Article", "The Chemical Basis of Morphogenesis", "Turing", "A. M.", 1952, "biology", "verified"],
    ["Book", "The Origins of Order", "Kauffman", "S. A.", 1993, "complexity", "needs_review"],
    ["Article", "More Is Different", "Anderson", "P. W.", 1972, "complexity", "clean"],
    ["Book", "Cybernetics", "Wiener", "N.", 1948, "control", "clean"],
    ["Article", "Requisite Variety", "Ashby", "W. R.", 1958, "control", "mismatch"],
  ];
  const entries = works.map(([entry_type, title, family, given, year, tag, review_status]) => ({
    metadata: { entry_type, title, authors: [{ family, given }], date: { year }, publisher: "Cambridge University Press", journal: "Journal" },
    tags: [tag], review_status,
  }));
  const response = await fetch("/api/v1/collections", {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Reading for the seminar", description: "How form comes about.", tags: ["seminar"], entries }),
  });
  return `/c/${(await response.json()).id}`;
});

// A screenshot without temporary messages.
async function picture(page, name) {
  await page.evaluate(() => document.querySelector("toast-region")?.replaceChildren());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(process.env.SCREENS, `${name}.png`) });
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`pictures, ${size} and ${colorScheme}`, async () => {
      await mkdir(process.env.SCREENS, { recursive: true });
      const { page, close } = await open({ viewport, colorScheme });
      const take = (name) => picture(page, `${name}-${size}-${colorScheme}`);
      await visit(page);
      await take("empty");
      await cite(page, DOI, 1);
      await take("one");
      await page.keyboard.press("Control+z");
      await cite(page, WORKS, 3);
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
      await take("cite");
      await page.click("#style");
      await page.keyboard.type("chicago");
      await reads(page, "[role=option]:first-child", /Chicago/);
      await page.keyboard.press("ArrowDown");
      await reads(page, ".sample-line", /Watson/);
      await take("styles");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^More: Molecular/ }).click();
      await take("menu");
      await page.keyboard.press("Escape");
      for (const name of ["Copy as", "Export", "More"]) {
        await page.getByRole("button", { name, exact: true }).click();
        await take(`tool-${name.toLowerCase().replace(" ", "-")}`);
        await page.keyboard.press("Escape");
      }
      await page.fill("#q", "978-0-262-03384-9");
      await take("typing");
      await page.fill("#q", "");
      await page.getByRole("button", { name: /^Cite: Molecular/ }).click();
      await reads(page, "dialog .preview", /Watson/);
      await take("citation");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
      await reads(page, "dialog .preview", /Watson/);
      await take("editor");
      await page.keyboard.press("Escape");
      await cite(page, MANY, 22);
      await page.evaluate(() => scrollTo(0, 0));
      await take("many");
      await page.fill("#q", BROKEN);
      await page.press("#q", "Enter");
      await page.getByRole("heading", { name: "Import report" }).waitFor();
      await take("import");
      await choose(page, "Remove all works");
      await choose(page, "Trash");
      await take("trash");
      await page.keyboard.press("Escape");
      await page.goto(`${base}/offline`);
      await take("offline");
      await signIn(page, "scholar@example.org", "/verify");
      await isReady(page);
      await page.fill("#list", LIST.join("\n"));
      await page.click("#check");
      await reads(page, "#progress", "3 of 3");
      await page.evaluate(() => document.querySelector("#results").scrollIntoView());
      await take("verify");
      const address = await seminar(page);
      await page.goto(`${base}/library`);
      await isIdle(page);
      await take("library");
      await visit(page, address);
      await isFormatted(page);
      await page.locator("entry-list .entry").first().focus();
      await page.keyboard.press("x");
      await take("collection");
      for (const path of ["account", "status", "help"]) {
        await page.goto(`${base}/${path}`);
        await isIdle(page);
        await page.evaluate(() => document.querySelector("#operator, #all-keys")?.scrollIntoView());
        await take(path);
      }
      await close();
    });
  }
}

test("a picture from right to left", async () => {
  await mkdir(process.env.SCREENS, { recursive: true });
  const { page, close } = await open({ locale: "ar" });
  await visit(page);
  await cite(page, WORKS, 3);
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await picture(page, "cite-arabic");
  await close();
});
