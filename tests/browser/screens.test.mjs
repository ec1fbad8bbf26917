// Pictures of the main pages, light and dark, wide and narrow, to be looked at.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { DOI, base, cite, isFormatted, isReady, open, signIn, visit } from "./browser.mjs";

const SIZES = { wide: { width: 1200, height: 860 }, narrow: { width: 390, height: 844 } };
const WORKS = `${DOI}\n978-0-262-03384-8\n10.1002/j.1538-7305.1948.tb01338.x`;

async function settle(page) {
  await page.evaluate(() => document.querySelector("toast-region")?.replaceChildren());
  await page.mouse.move(0, 0);
  await page.waitForTimeout(150);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`pictures, ${size} and ${colorScheme}`, async () => {
      await mkdir(process.env.SCREENS, { recursive: true });
      const { page, close } = await open({ viewport, colorScheme });
      const picture = async (name) => {
        await settle(page);
        await page.screenshot({ path: join(process.env.SCREENS, `${name}-${size}-${colorScheme}.png`) });
      };
      await visit(page);
      await page.waitForSelector("entry-list");
      await picture("empty");
      await cite(page, WORKS, 3);
      await page.evaluate(() => document.activeElement.blur());
      await picture("cite");
      await page.click("#style");
      await page.fill("#style", "chicago");
      await page.waitForTimeout(500);
      await page.keyboard.press("ArrowDown");
      await page.waitForTimeout(700);
      await picture("styles");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
      await page.waitForTimeout(600);
      await picture("editor");
      await signIn(page, "scholar@example.org", "/verify");
      await page.fill("#list", [
        `Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171:737-738. doi:${DOI}`,
        `Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1963;171:737-738. doi:${DOI}`,
        "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.",
      ].join("\n"));
      await page.click("#check");
      await page.waitForFunction(() => document.querySelector(".verdict") && !document.querySelector("[aria-busy=true]"));
      await page.evaluate(() => document.querySelector("#results").scrollIntoView());
      await picture("verify");
      await page.evaluate(() => fetch("/api/v1/collections", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          name: "Reading for the seminar",
          tags: ["seminar"],
          entries: [{ entry_type: "Book", title: "On Growth and Form", authors: [{ family: "Thompson", given: "D. W." }], date: { year: 1917 }, publisher: "Cambridge University Press" }],
        }),
      }));
      await page.goto(`${base}/library`);
      await page.waitForTimeout(300);
      await picture("library");
      await page.locator(".card a").first().click().catch(() => {});
      await page.waitForSelector("entry-list");
      await page.waitForTimeout(600);
      await picture("collection");
      await page.goto(`${base}/account`);
      await picture("account");
      await close();
    });
  }
}

test("a picture from right to left", async () => {
  const { page, close } = await open({ locale: "ar" });
  await visit(page);
  await cite(page, WORKS, 3);
  await settle(page);
  await page.screenshot({ path: join(process.env.SCREENS, "cite-arabic.png") });
  await close();
});
