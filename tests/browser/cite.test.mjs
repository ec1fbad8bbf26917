// The first page with script: from a pasted text to a bibliography kept by the browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOI, base, choose, cite, clipboard, counts, entries, find, gate, holds, isFormatted, isReady, open, reads, signIn, spent, visit } from "./browser.mjs";

test("the box has the focus on arrival", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.keyboard.type(DOI);
  await page.keyboard.press("Enter");
  await counts(page, 1);
  await close();
});

test("a pasted DOI becomes a citation in the chosen style", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.fill("#q", DOI);
  await reads(page, "#kind", /^DOI$/);
  await cite(page, DOI, 1);
  await reads(page, "#find", /^Cite$/);
  await reads(page, ".toast", /^Added: Molecular structure .* · This server/);
  assert.match((await entries(page))[0], /^Watson, J\. D\., & Crick, F\. H\. C\. \(1953\)\./);
  await page.click("#style");
  await page.keyboard.type("nature");
  // At once, before any response.
  await page.keyboard.press("Enter");
  await reads(page, "entry-list .text b", /^171$/);
  await holds(async () => assert.equal(await page.inputValue("#style"), "Nature"));
  await close();
});

test("an ISBN, a wrong check digit and an unknown DOI are each told apart", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, "978-0-262-03384-8", 1);
  await page.fill("#q", "978-0-262-03384-9");
  await reads(page, "#kind", /check digit/);
  await page.press("#q", "Enter");
  await page.getByText("Did you mean 9780262033848?").waitFor();
  await page.fill("#q", "10.5555/nothing-of-this-name");
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "Not in the sources searched" }).waitFor();
  await page.getByRole("button", { name: "Enter it by hand" }).click();
  await holds(async () => assert.equal(await page.inputValue("dialog [name=doi]"), "10.5555/nothing-of-this-name"));
  await close();
});

test("several lines are looked up one after the other, and a file is imported with its faults", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.fill("#q", "@article{good, title={A good one}, year={2001}}\n@article{bad, title={Broken\n@book{other, title={Another}, year=2002}");
  await page.press("#q", "Enter");
  await page.getByRole("heading", { name: "Import report" }).waitFor();
  await counts(page, 5);
  await reads(page, "#outcome", /2:15.*bad.*never closed/);
  await close();
});

test("a reference, a link and an ISBN below each other are three rows, and a wrong ISBN is corrected in its row", async () => {
  const { page, close } = await open();
  await visit(page);
  const lines = [
    "Nobody N. Quite imaginary musings upon an unwritten subject. Journal of Nowhere. 2019;1:1-2.",
    "https://newspaper.example/2019/may/03/an-unwritten-subject",
    "ISBN 978-0-262-03384-9",
  ];
  await page.fill("#q", lines.join("\n"));
  await reads(page, "#kind", /^3 references$/);
  await page.press("#q", "Enter");
  await page.locator(".candidates").waitFor();
  assert.deepEqual(await page.locator(".candidates th[scope=row]").allInnerTexts(), lines);
  const row = page.locator(".candidates tbody tr").nth(2);
  assert.match(await row.innerText(), /Did you mean 9780262033848\?/);
  await row.getByRole("button", { name: /^9780262033848/ }).click();
  await counts(page, 1);
  await reads(page, "entry-list .text", "Introduction to Algorithms");
  await holds(async () => assert.equal(await page.locator(".candidates tbody tr").count(), 2));
  assert.equal(await page.inputValue("#q"), lines.slice(0, 2).join("\n"));
  await close();
});

test("the references of a wrapped list are counted, not its lines", async () => {
  const { page, close } = await open();
  await visit(page);
  const one = "Watson, J. D., & Crick, F. H. C. (1953). Molecular structure of nucleic\nacids. Nature, 171, 737–738.";
  await page.fill("#q", one);
  await reads(page, "#kind", /^1 reference$/);
  await page.fill("#q", `${one}\nShannon, C. E. (1948). A mathematical theory of\ncommunication. Bell System Technical Journal, 27, 379–423.`);
  await reads(page, "#kind", /^2 references$/);
  await close();
});

test("on a page from right to left, references keep their own direction", async () => {
  const { page, close } = await open({ locale: "ar" });
  await visit(page);
  /** @param {string} place @param {"direction" | "unicodeBidi"} property */
  const styled = (place, property) => page.locator(place).first().evaluate((element, name) => getComputedStyle(element)[name], property);
  assert.equal(await styled("#q", "unicodeBidi"), "plaintext");
  await page.goto(`${base}/styles/apa`);
  assert.equal(await styled(".sample .text", "direction"), "ltr");
  assert.equal(await styled(".sample bdi", "direction"), "ltr");
  await page.goto(`${base}/help`);
  assert.equal(await styled("kbd", "direction"), "ltr");
  await close();
});

test("works are moved, removed and brought back by keys alone", async () => {
  const { page, close } = await open();
  await visit(page, "/?style=ieee");
  await cite(page, DOI, 1);
  await cite(page, "978-0-262-03384-8", 2);
  await page.keyboard.press("Tab");
  for (let tries = 0; tries < 40; tries += 1) {
    if (await page.evaluate(() => document.activeElement.classList.contains("entry"))) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Home");
  await page.keyboard.press("Alt+ArrowDown");
  await reads(page, "entry-list .entry:nth-child(2)", "Watson");
  await page.keyboard.press("Delete");
  await counts(page, 1);
  await page.keyboard.press("Control+z");
  await counts(page, 2);
  await reads(page, "entry-list .entry:nth-child(2)", "Watson");
  await close();
});

test("a work is edited beside its preview, and the change can be undone", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.fill("dialog [name=title]", "A title of my own");
  await reads(page, "dialog .preview", "A title of my own");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await reads(page, "entry-list .text", "A title of my own");
  await page.keyboard.press("Control+z");
  await reads(page, "entry-list .text", "Molecular");
  await close();
});

test("a citation has locator and affixes, alone and in a group, on the clipboard in two flavours", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.getByRole("button", { name: /^Cite: Molecular/ }).click();
  await page.getByLabel("Before").fill("see");
  await page.getByLabel("Page or place").fill("12");
  await page.getByLabel("Page or place").fill("737");
  await reads(page, "dialog .preview", /^\(see Watson & Crick, 1953, p\. 737\)$/);
  await page.getByLabel("Page or place").fill("738");
  // Copies what the form says, whatever the preview still shows.
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await holds(async () => assert.equal(await clipboard(page), "(see Watson & Crick, 1953, p. 738)"));
  for (const item of await page.locator("entry-list .entry").all()) {
    await item.focus();
    await page.keyboard.press("x");
  }
  await page.getByRole("button", { name: "Cite together" }).click();
  await reads(page, "dialog .preview", "Cormen et al., 2009; Watson");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Clear" }).last().click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied the bibliography.").first().waitFor();
  await holds(async () => {
    const flavours = await page.evaluate(async () => (await navigator.clipboard.read())[0].types);
    assert.deepEqual([...flavours].sort(), ["text/html", "text/plain"]);
  });
  await close();
});

test("a citation is copied in the markup that is chosen, which is remembered", async () => {
  const { page, close } = await open();
  await visit(page, "/?style=nature");
  await cite(page, DOI, 1);
  for (const [form, expected] of [["Text", "1"], ["LaTeX", "\\textsuperscript{1}"], ["HTML", "<sup>1</sup>"]]) {
    await page.getByRole("button", { name: /^Cite: / }).click();
    await page.locator("dialog").getByLabel("Copy as").selectOption(form);
    await page.locator("dialog").getByRole("button", { name: "Copy", exact: true }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await holds(async () => assert.equal(await clipboard(page), expected, form));
  }
  await page.getByRole("button", { name: /^Cite: / }).click();
  assert.equal(await page.locator("dialog").getByLabel("Copy as").inputValue(), "html");
  await close();
});

test("the list is exported in every format", async () => {
  const { page, close } = await open();
  await visit(page);
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
  await visit(page);
  const other = await context.newPage();
  await visit(other);
  await other.waitForSelector("entry-list", { state: "attached" });
  await cite(page, DOI, 1);
  await counts(other, 1);
  await cite(other, "978-0-262-03384-8", 2);
  await counts(page, 2);
  await close();
});

test("the list stays readable without the network", async () => {
  const { page, context, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const needed = ["/", ...files.filter((path) => path.startsWith("/assets/"))];
    return (await Promise.all(needed.map((path) => caches.match(path)))).every(Boolean);
  });
  await context.setOffline(true);
  await page.reload();
  await reads(page, "entry-list .text", "Watson, J. D.");
  await close();
});

test("used-up lookups are said with a clock that runs down, and what goes on working", async () => {
  const { page, close } = await open();
  await page.goto(spent);
  // Another test may have used the only look-up.
  for (const text of [DOI, "978-0-262-03384-8"]) {
    await page.fill("#q", text);
    await page.press("#q", "Enter");
    await page.locator(".entry, #outcome section").first().waitFor();
  }
  await page.getByRole("heading", { name: /lookups for today are used/ }).waitFor();
  const first = await page.textContent(".countdown");
  assert.match(first, /\d+:\d\d:\d\d/);
  await page.waitForFunction((text) => ![undefined, text].includes(document.querySelector(".countdown")?.textContent), first);
  await page.getByRole("link", { name: "Create a free account for more" }).waitFor();
  await close();
});

test("an address with a work in it puts that work into the list once", async () => {
  const { page, close } = await open();
  for (let visits = 0; visits < 2; visits += 1) {
    await page.goto(`${base}/cite?doi=${DOI}&style=nature`);
    await isReady(page);
    await counts(page, 1);
    await page.waitForURL(`${base}/`);
    await page.locator(".toast").first().waitFor();
  }
  await counts(page, 1);
  await holds(async () => assert.equal(await page.inputValue("#style"), "Nature"));
  await close();
});

test("another style for a hundred works is there at once", async () => {
  const { page, close } = await open();
  await visit(page);
  const file = Array.from({ length: 100 }, (_, n) => `@article{k${n}, author={Author, A. and Writer, B.}, title={Work number ${n}}, journal={Journal}, year={${1900 + n}}, volume={${n}}}`);
  await page.fill("#q", file.join("\n"));
  await page.press("#q", "Enter");
  await page.waitForFunction(() => document.querySelectorAll("entry-list .entry").length === 100);
  await isFormatted(page);
  // From the choice to the frame that shows it, with a style not used before in this visit.
  const change = (style) => page.evaluate(({ id, title, begins }) => new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (document.querySelector("entry-list .text")?.textContent.startsWith(begins)) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    document.querySelector("style-picker").dispatchEvent(new CustomEvent("choose", { detail: { id, title } }));
  }), style);
  const styles = [["ieee", "[1]"], ["nature", "1."], ["modern-language-association", "Author, A., and"], ["vancouver", "1."], ["apa", "Author, A., &"]];
  for (const [id, begins] of styles) {
    console.log(`a hundred works in another style, ${id}: ${(await change({ id, title: id, begins })).toFixed(0)} ms`);
    await isFormatted(page);
  }
  await close();
});

test("what is sent before the modules are there is not lost", async () => {
  const { page, close } = await open({ serviceWorkers: "block" });
  const held = gate();
  await page.route("**/home.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(base, { waitUntil: "commit" });
  await page.fill("#q", DOI);
  await page.press("#q", "Enter");
  held.resolve();
  await counts(page, 1);
  await holds(async () => assert.equal(await page.inputValue("#q"), ""));
  await close();
});

test("whoever is quick is not punished: Enter twice, a second look-up during the first, keys before answers", async () => {
  const { page, close } = await open();
  await visit(page, "/?style=ieee");
  const held = gate();
  await page.route("**/api/v1/lookup", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.fill("#q", DOI);
  await page.press("#q", "Enter");
  await page.press("#q", "Enter");
  await page.fill("#q", "978-0-262-03384-8");
  await page.press("#q", "Enter");
  held.resolve();
  await counts(page, 2);
  await page.fill("#q", "@book{third, title={A third one}, year={2003}}");
  await page.press("#q", "Enter");
  await counts(page, 3);
  // Twice down and once up, with no formatter response in between.
  const formatter = gate();
  await page.route("**/api/v1/format", async (route) => {
    await formatter.promise;
    await route.continue().catch(() => {});
  });
  await page.locator("entry-list .entry").first().focus();
  for (const key of ["Alt+ArrowDown", "Alt+ArrowDown", "Alt+ArrowUp", "Delete"]) await page.keyboard.press(key);
  await counts(page, 2);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  formatter.resolve();
  await counts(page, 3);
  await reads(page, "entry-list .entry:nth-child(3)", "Watson");
  await close();
});

test("typing for long stays below the limit of requests in a minute", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  let requests = 0;
  page.on("request", (request) => (requests += request.url().includes("/api/v1/") ? 1 : 0));
  const start = performance.now();
  await page.click("#style");
  for (let turn = 0; turn < 6; turn += 1) {
    await page.keyboard.type("journal of the american", { delay: 5 });
    for (let back = 0; back < 23; back += 1) await page.keyboard.press("Backspace");
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.locator("dialog [name=title]").pressSequentially(" and so on and so on and so on and so on", { delay: 20 });
  await reads(page, "dialog .preview", /and so on$|so on and/);
  // A burst of twelve, then one per second and a half, plus requests not caused by typing; at any typing
  // speed.
  const seconds = (performance.now() - start) / 1000;
  assert.ok(requests < 24 + seconds / 1.5, `${requests} requests in ${seconds.toFixed(0)} s`);
  await close();
});

test("a list is narrowed by words and type, and what is hidden stays out of exports", async () => {
  const { page, close } = await open();
  await visit(page);
  const works = ["Ants", "Bees", "Cats", "Dogs", "Eels", "Foxes"].map((name, n) => `@${n % 2 ? "book" : "article"}{k${n}, title={${name}}, author={Writer, W.}, year={200${n}}}`);
  await cite(page, works.join("\n"), 6);
  await find(page);
  await page.getByRole("searchbox", { name: "Find in this list" }).fill("bee");
  await page.getByText("1 of 6 works").waitFor();
  await holds(async () => assert.equal(await page.locator("entry-list .entry:visible").count(), 1));
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "BibTeX" }).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString().match(/^@/gm).length, 1);
  await page.getByRole("searchbox", { name: "Find in this list" }).fill("zebra");
  await page.getByText("No work matches.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("combobox", { name: "All types" }).selectOption("Book");
  await page.getByText("3 of 6 works").waitFor();
  await close();
});

test("a work is dragged to another place", async () => {
  const { page, close } = await open();
  await visit(page, "/?style=ieee");
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  const [grip, target] = [page.locator("entry-list .grip").first(), page.locator("entry-list .entry").nth(1)];
  // Appears as soon as works can be dragged.
  await grip.waitFor();
  const [from, to] = [await grip.boundingBox(), await target.boundingBox()];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x, to.y + to.height - 4, { steps: 4 });
  await page.mouse.up();
  await reads(page, "entry-list .entry:nth-child(2)", "Watson");
  await page.getByRole("button", { name: "Undo" }).click();
  await reads(page, "entry-list .entry:nth-child(1)", "Watson");
  // A style with its own order leaves nothing to drag.
  await page.click("#style");
  await page.keyboard.type("american psychological association 7");
  await page.keyboard.press("Enter");
  await reads(page, "entry-list .entry:nth-child(1)", "Cormen");
  await grip.waitFor({ state: "hidden" });
  await close();
});

test("the styles are narrowed by class and field", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.click("#style");
  await page.getByRole("combobox", { name: "Class" }).selectOption("note");
  await page.waitForFunction(() => {
    const lines = [...document.querySelectorAll("[role=option] .quiet")];
    return lines.length > 3 && lines.every((line) => line.textContent.startsWith("Notes"));
  });
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement.id === "style");
  await close();
});

test("what was written is not lost when the editor is closed", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, DOI, 1);
  await page.getByRole("button", { name: /^Edit:/ }).click();
  await page.fill("dialog [name=title]", "Half a title");
  await page.mouse.click(5, 300);
  assert.equal(await page.locator("dialog").count(), 1, "a click beside it leaves it open");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Continue editing" }).click();
  await holds(async () => assert.equal(await page.inputValue("dialog [name=title]"), "Half a title"));
  const save = page.getByRole("button", { name: "Save" });
  await save.dblclick();
  await reads(page, "entry-list .text", "Half a title");
  await counts(page, 1);
  await close();
});

test("going back closes a dialog, and its address opens it", async () => {
  const { page, close } = await open();
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  await page.getByRole("button", { name: /^Edit: Molecular/ }).click();
  await page.locator("dialog [name=title]").waitFor();
  await page.waitForURL((url) => url.hash.startsWith("#edit/"));
  const address = page.url();
  assert.match(new URL(address).hash, /^#edit\/[\w-]+$/);
  await page.goBack();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.waitForURL(`${base}/`);
  await page.goForward();
  await reads(page, "dialog h2", /Molecular/);
  await page.reload();
  await reads(page, "dialog h2", /Molecular/);
  await page.keyboard.press("Escape");
  await page.waitForURL(`${base}/`);
  // Dialogs in quick succession, faster than the browser goes back.
  for (const { key, isLeaving } of [{ key: "?", isLeaving: false }, { key: "c", isLeaving: false }, { key: "?", isLeaving: true }]) {
    await page.locator("entry-list .entry").first().focus();
    await page.keyboard.press("c");
    await page.locator("dialog .preview").waitFor();
    await page.evaluate(async ({ key, isLeaving }) => {
      const dialog = document.querySelector("dialog");
      const closed = new Promise((done) => dialog.addEventListener("close", done));
      dialog.close();
      if (isLeaving) await closed;
      document.querySelector(".entry").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }, { key, isLeaving });
    await page.locator("dialog[open]").waitFor();
    await page.waitForURL((url) => url.hash.startsWith(key === "?" ? "#keys" : "#cite/"));
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.waitForURL(`${base}/`);
  }
  await page.goto(`${base}/help#keys`);
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await close();
});

test("a source that failed can be asked again", async () => {
  const { page, close } = await open();
  await visit(page);
  let asked = 0;
  await page.route("**/api/v1/lookup", (route) => {
    asked += 1;
    return asked > 1 ? route.continue() : route.fulfill({ status: 404, json: {
      error: "work_not_found", message: "No.", sources_tried: [{ source: "local", outcome: "not_found" }, { source: "crossref", outcome: "timeout" }],
    } });
  });
  await page.fill("#q", DOI);
  await page.press("#q", "Enter");
  await reads(page, "#outcome", "Crossref: did not answer in time");
  await page.getByRole("button", { name: "Try again" }).click();
  await counts(page, 1);
  await close();
});

test("a work that is looked up has a place at once, which goes when the answer comes", async () => {
  const { page, close } = await open();
  await visit(page);
  const held = gate();
  await page.route("**/api/v1/lookup", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.fill("#q", DOI);
  await page.press("#q", "Enter");
  await page.locator(".skeleton").waitFor();
  await reads(page, "#find", /^Cancel$/);
  held.resolve();
  await counts(page, 1);
  await page.locator(".skeleton").waitFor({ state: "detached" });
  await close();
});

test("in a narrow window the tools are at the foot, and all of them can be reached", async () => {
  const { page, close } = await open({ viewport: { width: 360, height: 700 } });
  await visit(page);
  await cite(page, `${DOI}\n978-0-262-03384-8`, 2);
  const bar = await page.locator("#tools").boundingBox();
  assert.ok(bar.y + bar.height <= 700 && bar.y > 600 && bar.width === 360, JSON.stringify(bar));
  assert.equal(await page.getByRole("button", { name: "Print", exact: true }).count(), 0);
  await choose(page, "Remove all works");
  await counts(page, 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await counts(page, 2);
  // The focused element is never behind the bar.
  await page.locator("entry-list .entry").last().focus();
  await page.keyboard.press("Tab");
  await holds(async () => {
    const at = await page.evaluate(() => document.activeElement.getBoundingClientRect().bottom);
    assert.ok(at <= bar.y, `${at} is behind the bar at ${bar.y}`);
  });
  await close();
});

test("a source that fails for one reference of several does not hide what became of the others", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.route("**/api/v1/lookup", (route) => (route.request().postDataJSON().query.includes("Unreachable")
    ? route.fulfill({ status: 503, json: { error: "service_unavailable", message: "No.", sources_tried: [{ source: "crossref", outcome: "unavailable" }] } })
    : route.continue()));
  const lost = "Unreachable U. A paper of which nobody can tell. Journal of Doubt. 2019;1:1-2.";
  await page.fill("#q", `${lost}\n${DOI}\n978-0-262-03384-9\n10.1002/j.1538-7305.1948.tb01338.x`);
  await page.press("#q", "Enter");
  await counts(page, 2);
  await reads(page, "#outcome", "978-0-262-03384-9");
  await reads(page, "#outcome", "An external source did not give a usable answer");
  const said = await page.locator("#outcome").innerText();
  assert.match(said, /Unreachable U\./);
  assert.match(said, /An external source did not give a usable answer/);
  assert.doesNotMatch(said, /busy/);
  assert.ok((await page.inputValue("#q")).includes(lost));
  await close();
});

test("works that are nothing like the best match are not offered beside it", async () => {
  const { page, close } = await open();
  await visit(page);
  const candidate = (title, score) => ({ score, source: "local", metadata: { title, entry_type: "Book" } });
  await page.route("**/api/v1/lookup", (route) => route.fulfill({ json: {
    taken_for: "text", looked_up: "t", notices: [], candidates: [candidate("The near one", 0.93), candidate("The far one", 0.03)],
  } }));
  await page.fill("#q", "the near one, or so");
  await page.press("#q", "Enter");
  await reads(page, "#outcome", "The near one");
  assert.doesNotMatch(await page.locator("#outcome").innerText(), /The far one/);
  await close();
});

test("by hand a page that could not be read begins with its title", async () => {
  const { page, close } = await open();
  await visit(page);
  await page.route("**/api/v1/lookup", (route) => route.fulfill({ json: {
    taken_for: "url", looked_up: "https://page.example/", notices: [{ code: "page_not_fetched", message: "No." }],
    metadata: { entry_type: "Webpage", url: "https://page.example/" },
  } }));
  await page.fill("#q", "https://page.example/");
  await page.press("#q", "Enter");
  await page.locator("dialog").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog textarea, dialog input"));
  await page.keyboard.type("Bees");
  await holds(async () => assert.equal(await page.locator("dialog").getByLabel("Title", { exact: true }).inputValue(), "Bees"));
  await close();
});

test("a page that could not be read is told of in the reader's language", async () => {
  const { page, close } = await open({ locale: "de" });
  await visit(page);
  await page.route("**/api/v1/lookup", (route) => (route.request().postDataJSON().query.startsWith("https")
    ? route.fulfill({ json: {
      taken_for: "url", looked_up: "https://page.example/", metadata: { entry_type: "Webpage", url: "https://page.example/" },
      notices: [{ code: "page_not_fetched", message: "The page could not be reached: failed to lookup address information" }],
    } })
    : route.continue()));
  await page.fill("#q", `https://page.example/\n${DOI}`);
  await page.press("#q", "Enter");
  await reads(page, "#outcome", "Die Seite konnte nicht gelesen werden");
  assert.doesNotMatch(await page.locator("#outcome").innerText(), /failed to lookup/);
  await close();
});

test("a document dropped on the list adds its references, or goes on to be checked", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org", "/");
  await isReady(page);
  const drop = () => page.evaluate(() => {
    const text = `\\documentclass{article}\\begin{document}A\\cite{a}.\\begin{thebibliography}{9}
\\bibitem{a} Watson JD, Crick FHC. Molecular structure of nucleic acids: a structure for deoxyribose nucleic acid. Nature. 1953;171(4356):737-738. doi:10.1038/171737a0
\\end{thebibliography}\\end{document}`;
    const data = new DataTransfer();
    data.items.add(new File([text], "paper.tex", { type: "text/x-tex" }));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await drop();
  await page.getByRole("button", { name: "Add its references" }).click();
  await counts(page, 1);
  await drop();
  await page.getByRole("button", { name: "Check it" }).click();
  await page.waitForURL(/\/verify/);
  await holds(async () => assert.deepEqual(await page.locator(".verdict .badge").allTextContents(), ["Verified"]));
  await close();
});

test("styles of notes offer short and following notes", async () => {
  const { page, close } = await open();
  await visit(page, `/cite?q=${DOI}&style=chicago-notes-bibliography`);
  await counts(page, 1);
  await page.getByRole("button", { name: /^Cite: / }).first().click();
  const dialog = page.locator("dialog");
  const preview = dialog.locator(".preview");
  await holds(async () => assert.match(await preview.textContent(), /1953/));
  await dialog.getByLabel("Note", { exact: true }).selectOption("subsequent");
  await holds(async () => assert.doesNotMatch(await preview.textContent(), /1953/));
  await close();
});
