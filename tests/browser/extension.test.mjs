// The browser extension and the bookmarklet of `examples/extension`: the page that they read is cited.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { base, counts, holds, open, program, reads } from "./browser.mjs";

const folder = new URL("../../examples/extension/", import.meta.url);
const text = (name) => readFile(new URL(name, folder), "utf8");

// Goes to a page of this site with the metadata of a publisher's page.
async function publisher(page) {
  await page.goto(`${base}/help`);
  await page.evaluate(() => {
    const says = { citation_title: "On pages <b>", citation_author: "Doe, Jane", citation_publication_date: "2020/03/01", citation_journal_title: "Journal of Pages" };
    for (const [name, content] of Object.entries(says)) document.head.append(Object.assign(document.createElement("meta"), { name, content }));
  });
}

async function cited(page, read) {
  await page.goto(`${base}/#page/${encodeURIComponent(JSON.stringify(read))}`);
  await counts(page, 1);
  await reads(page, "entry-list .text", "Doe, J. (2020");
  await reads(page, "entry-list .text", "Journal of Pages");
  await holds(async () => assert.equal(new URL(page.url()).hash, ""));
}

test("what the extension reads of a page is cited as the page has it", async () => {
  const { page, close } = await open();
  await publisher(page);
  const read = await page.evaluate(await text("page.js"));
  assert.equal(read.url, `${base}/help`);
  await cited(page, read);
  await close();
});

// A browser with the extension; undefined if the browser cannot load one from a folder.
async function extended(t) {
  const path = fileURLToPath(folder);
  const profile = await mkdtemp(join(tmpdir(), "citation-extension-"));
  const context = await chromium.launchPersistentContext(profile, {
    ...program,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [...program.args, `--load-extension=${path}`, `--disable-extensions-except=${path}`, "--enable-unsafe-extension-debugging"],
  });
  t.after(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  });
  const worker = context.serviceWorkers()[0] ?? await context.waitForEvent("serviceworker", { timeout: 20_000 }).catch(() => undefined);
  return worker && { context, id: new URL(worker.url()).host };
}

test("a press of the extension's button asks for the server once, and then cites the page", async (t) => {
  const browser = await extended(t);
  if (!browser) return t.skip("this browser loads no extension from a folder");
  const { context, id } = browser;
  const session = await context.browser().newBrowserCDPSession();
  const page = await context.newPage();
  await publisher(page);
  // Like a click, this grants access to the open page only.
  const press = async () => {
    const opened = context.waitForEvent("page");
    const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "tab" }] });
    const { targetId } = targetInfos.find(({ url }) => url === page.url());
    await session.send("Extensions.triggerAction", { id, targetId });
    return opened;
  };
  const options = await press();
  await options.getByLabel("Address of your server").fill(`${base}/`);
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("Saved.").waitFor();
  await options.close();
  const cited = await press();
  await counts(cited, 1);
  await reads(cited, "entry-list .text", "Doe, J. (2020");
  await reads(cited, "entry-list .text", "Journal of Pages");
  return undefined;
});

test("the bookmarklet reads the same", async () => {
  const { page, context, close } = await open();
  await publisher(page);
  const [, code] = (await text("README.md")).match(/^javascript:(.*)$/m);
  const opened = context.waitForEvent("page");
  await page.evaluate(code.replace("https://cite.example.org", base));
  const other = await opened;
  await counts(other, 1);
  await reads(other, "entry-list .text", "Journal of Pages");
  await close();
});

test("the extension names only files that it has, and asks for no more than the open page", async () => {
  const manifest = JSON.parse(await text("manifest.json"));
  assert.equal(manifest.manifest_version, 3);
  assert.deepEqual(manifest.permissions, ["activeTab", "scripting", "storage"]);
  for (const name of [manifest.options_ui.page, manifest.background.service_worker, ...manifest.background.scripts, "page.js", "options.js"]) await text(name);
});
