// The list on the page: its position, its rows, and undo for every change.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, clipboard, counts, entries, gate, holds, isFormatted, open, reads, visit } from "./browser.mjs";

const ISBN = "978-0-262-03384-8";
const LAPTOP = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };
const many = (n) => Array.from({ length: n }, (_, at) =>
  `@article{k${at}, author={Writer${at}, A. and Other, B.}, title={Work number ${at} on a matter}, journal={Journal}, year={${1980 + at}}, volume={${at + 1}}}`).join("\n");
const box = (page, place) => page.locator(place).first().boundingBox();

// Waits until a fade has ended.
const shows = (page, place, opacity) =>
  page.waitForFunction(([selector, wanted]) => {
    const element = document.querySelector(selector);
    return element && Number(getComputedStyle(element).opacity) === wanted;
  }, [place, opacity]);

for (const [name, viewport] of Object.entries({ laptop: LAPTOP, phone: PHONE })) {
  for (const [locale, n] of [["en", 1], ["en", 20], ["de", 3], ["ar", 3]]) {
    test(`the first of ${n} entries stands in the upper third of a ${name}, ${locale}`, async () => {
      const { page, close } = await open({ viewport, locale });
      await visit(page);
      await cite(page, many(n), n);
      // Like the next visit, which starts with the list and without the introduction.
      await page.reload();
      await isFormatted(page);
      await counts(page, n);
      await holds(async () => {
        const { y } = await box(page, "entry-list .entry");
        assert.ok(y < viewport.height / 3, `${y} of ${viewport.height}`);
        assert.ok((await box(page, ".ask")).height < 60, "the box is one line");
        assert.ok((await box(page, ".intro")).height <= 1, "the introduction is gone");
      });
      await close();
    });
  }
}

test("a row is quiet until it is pointed at or has the focus, and not under a finger", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n${ISBN}`, 2);
  const buttons = "entry-list .entry:nth-child(1) .buttons";
  const pick = "entry-list .entry:nth-child(1) .pick";
  await page.mouse.move(0, 0);
  await shows(page, buttons, 0);
  await shows(page, pick, 0);
  await page.locator("entry-list .entry").first().focus();
  await shows(page, buttons, 1);
  await page.focus("#q");
  await page.locator("entry-list .entry").first().hover();
  await shows(page, pick, 1);
  await close();
  const touch = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await visit(touch.page);
  await cite(touch.page, DOI, 1);
  await shows(touch.page, buttons, 1);
  await shows(touch.page, pick, 1);
  await touch.close();
});

test("the box of a work stands beside its text, not on it", async () => {
  for (const viewport of [LAPTOP, PHONE]) {
    const { page, close } = await open({ viewport });
    await visit(page);
    await cite(page, DOI, 1);
    const [pick, text] = [await box(page, ".entry .pick"), await box(page, ".entry .text")];
    assert.ok(pick.x + pick.width <= text.x, `${pick.x} + ${pick.width} and ${text.x}`);
    await close();
  }
});

test("only the box of the first page shrinks to a line once there is a list", async () => {
  const { page, close } = await open({ viewport: LAPTOP });
  await visit(page);
  await cite(page, DOI, 1);
  await visit(page, "/verify");
  assert.ok((await box(page, "label[for=list]")).height > 10, "the label is there");
  assert.ok((await box(page, "textarea#list")).height > 100, "a list fits in");
  await close();
});

test("works are selected by their boxes", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n${ISBN}`, 2);
  await page.getByRole("checkbox", { name: "Select: Introduction to Algorithms" }).click();
  await reads(page, ".selection", "1 selected");
  // The other rows show their checkboxes.
  await shows(page, "entry-list .entry:nth-child(2) .pick", 1);
  await page.getByRole("checkbox", { name: /^Select: Molecular/ }).focus();
  await page.keyboard.press("Space");
  await reads(page, ".selection", "2 selected");
  await page.getByRole("checkbox", { name: /^Select: Molecular/ }).uncheck();
  await reads(page, ".selection", "1 selected");
  await close();
});

test("a sign says what it means and leads to what can be done", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, "@article{a, author={Anderson, P. W.}, title={More Is Different}, year={1972}}", 1);
  await page.getByRole("button", { name: "Add: Journal" }).click();
  await page.getByText("A complete entry in this style needs this.").waitFor();
  await page.getByRole("menuitem", { name: "Fill it in" }).click();
  await page.getByRole("dialog", { name: "More Is Different" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog input, dialog textarea"));
  await page.keyboard.type("Science");
  await holds(async () => assert.equal(await page.getByLabel("Journal").inputValue(), "Science"));
  await close();
});

test("Ctrl+Z undoes from the empty box, where the focus is after citing", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.waitForFunction(() => document.activeElement.id === "q" && !document.querySelector(".busy"));
  await page.keyboard.press("Control+z");
  await counts(page, 0);
  // Undo in a text field works as usual.
  await page.keyboard.type("abc");
  await page.keyboard.press("Control+z");
  await counts(page, 0);
  await close();
});

test("what was removed can be restored on a later visit, one or all", async () => {
  const { page, close } = await open();
  await visit(page, "/?style=ieee");
  await cite(page, `${DOI}\n${ISBN}`, 2);
  await choose(page, "Remove all works");
  await counts(page, 0);
  await page.reload();
  await choose(page, "Trash");
  await page.getByRole("button", { name: "Restore: Introduction to Algorithms" }).click();
  await counts(page, 1);
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: /^Restore: Molecular/ }).click();
  await page.getByText("The trash is empty.").waitFor();
  await page.keyboard.press("Escape");
  await counts(page, 2);
  await close();
});

test("under a style that sorts, moving says so and moves nothing", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n${ISBN}`, 2);
  const before = await entries(page);
  await page.locator("entry-list .entry").first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await reads(page, ".toast", /APA.* sorts the list/);
  assert.equal(await page.locator(".toast").getByRole("button", { name: "Undo" }).count(), 0);
  assert.deepEqual(await entries(page), before);
  await close();
});

test("the entry is a few tabs away after citing, and one arrow", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  let tabs = 0;
  const isThere = () => page.evaluate(() => document.activeElement.classList.contains("entry"));
  await page.waitForFunction(() => document.activeElement.id === "q" && !document.querySelector(".busy"));
  for (; tabs < 12 && !(await isThere()); tabs += 1) await page.keyboard.press("Tab");
  assert.ok(tabs <= 6, `${tabs} tabs`);
  await page.focus("#q");
  await page.keyboard.press("ArrowDown");
  await holds(async () => assert.ok(await isThere()));
  await page.keyboard.press("b");
  await page.getByText("Copied the entry.").first().waitFor();
  await holds(async () => assert.match(await clipboard(page), /^Watson/));
  await close();
});

test("the tools are one stop of the tab key, and arrows go through them", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: "Copy", exact: true }).focus();
  const name = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  for (const expected of ["Copy as", "Export", "More", "Copy"]) {
    await page.keyboard.press("ArrowRight");
    await holds(async () => assert.equal(await name(), expected));
  }
  await page.keyboard.press("End");
  await holds(async () => assert.equal(await name(), "More"));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#tools")), null);
  await close();
});

test("on a phone the new entry is in front of the tools and the message", async () => {
  const { page, close } = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await visit(page, "/?style=ieee");
  await cite(page, many(12), 12);
  await cite(page, DOI, 13);
  await holds(async () => {
    const entry = await page.locator("entry-list .entry").last().boundingBox();
    const toast = await box(page, ".toast");
    const tools = await box(page, "#tools");
    assert.ok(entry.y + entry.height <= toast.y, `${JSON.stringify(entry)} and the message at ${toast.y}`);
    assert.ok(toast.y + toast.height <= tools.y, "the message is not over the tools");
    assert.ok(toast.height < 70, `the message is ${toast.height} high`);
  });
  // The selection bar is not behind a message either.
  await page.locator("entry-list .pick").last().tap();
  await holds(async () => {
    // Copied each time, since the message goes by itself.
    await page.locator("entry-list .entry").last().getByRole("button", { name: /^Copy:/ }).tap();
    await page.getByText("Copied the entry.").first().waitFor();
    const [bar, said, tools] = [await box(page, ".selection"), await box(page, ".toast"), await box(page, "#tools")];
    assert.ok(said.y + said.height <= bar.y && bar.y + bar.height <= tools.y, `${JSON.stringify(said)} ${JSON.stringify(bar)}`);
  });
  await close();
});

test("on a phone the message covers neither of two new entries", async () => {
  const { page, close } = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await visit(page, "/?style=ieee");
  await cite(page, many(12), 12);
  await page.evaluate(() => scrollTo(0, 0));
  await cite(page, `${DOI}\n${ISBN}`, 14);
  await reads(page, ".toast", "Added 2 works.");
  await holds(async () => {
    const toast = await box(page, ".toast");
    for (const at of [12, 13]) {
      const entry = await page.locator("entry-list .entry").nth(at).boundingBox();
      assert.ok(entry.y >= 0 && entry.y + entry.height <= toast.y, `${JSON.stringify(entry)} and the message at ${toast.y}`);
    }
  });
  await close();
});

test("a citation begins with its page, in a librarian's words", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Cite: Molecular/ }).click();
  await page.locator("dialog .preview:not(:empty)").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog input"));
  await page.keyboard.type("738");
  for (const label of ["Page or place", "Unit", "Before", "After", "Author"]) await page.getByLabel(label, { exact: true }).waitFor();
  await holds(async () => assert.equal(await page.getByLabel("Page or place").inputValue(), "738"));
  await close();
});

test("the choice of style looks like one and names no files", async () => {
  const { page, close } = await open();
  await visit(page);
  await holds(async () => {
    const arrow = await page.evaluate(() => getComputedStyle(document.querySelector("style-picker"), "::after").borderBottomWidth);
    assert.notEqual(arrow, "0px");
  });
  await page.click("#style");
  await page.keyboard.type("chicago");
  await reads(page, "[role=option]", "Chicago");
  await holds(async () => {
    const subtitles = await page.locator("[role=option] .quiet").allTextContents();
    assert.ok(subtitles.length && subtitles.every((text) => !/[a-z]+-[a-z]+-/.test(text)), subtitles.join(" | "));
  });
  await close();
});

test("without the server the choices say what the list shows, and it is copied all the same", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n${ISBN}`, 2);
  const shown = await entries(page);
  const style = await page.inputValue("#style");
  await page.route("**/api/**", (route) => route.abort());
  await page.evaluate(() => document.querySelector("style-picker").dispatchEvent(new CustomEvent("choose", { detail: { id: "nature", title: "Nature" } })));
  await page.getByText("You are offline.").first().waitFor();
  await holds(async () => assert.equal(await page.inputValue("#style"), style));
  assert.deepEqual(await entries(page), shown);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied the bibliography.").first().waitFor();
  await holds(async () => assert.equal((await clipboard(page)).trim(), shown.join("\n")));
  // Once the server is back, the list takes the chosen style.
  await page.unroute("**/api/**");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await reads(page, "entry-list .text b", /^171$/);
  await holds(async () => assert.equal(await page.inputValue("#style"), "Nature"));
  await close();
});

test("without the network another page is ours, not the browser's", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await holds(async () => {
    const kept = await page.evaluate(async () => Boolean(await caches.match("/offline") && await caches.match("/")));
    assert.ok(kept, "both pages are kept");
  });
  await context.setOffline(true);
  await page.goto(`${base}/library`);
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  await page.getByRole("link", { name: "Go to your bibliography" }).click();
  await page.getByRole("heading", { name: "Cite anything" }).waitFor();
  await close();
});

test("a look-up that is under way does not keep the list from being read", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  const held = gate();
  await page.route("**/api/v1/lookup", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.fill("#q", ISBN);
  await reads(page, "#kind", "ISBN ✓");
  await page.press("#q", "Enter");
  await page.locator(".skeleton").waitFor();
  await page.locator("entry-list .entry").waitFor();
  held.resolve();
  await counts(page, 2);
  await close();
});

test("with works selected by their boxes, Delete removes them all", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8\n10.1002/j.1538-7305.1948.tb01338.x`, 3);
  for (const at of [0, 1]) await page.locator("entry-list .entry .pick").nth(at).check();
  await page.keyboard.press("Delete");
  await counts(page, 1);
  await page.keyboard.press("Control+z");
  await counts(page, 3);
  await close();
});
