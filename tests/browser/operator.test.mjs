// The pages for operators, and the reference of the interface.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base, holds, open, signIn, visit } from "./browser.mjs";

test("an operator has a checklist, with a button or the line for each step", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org", "/operator");
  const steps = page.locator(".setup > li");
  assert.equal(await steps.count(), 6);
  for (const step of await steps.all()) assert.ok((await step.locator(".lines, .button").count()) > 0, await step.textContent());
  await page.getByText("[quota]").first().waitFor();
  await close();
});

test("an operator invites somebody, changes a plan, and disables the account", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org", "/operator/accounts");
  await page.getByLabel("E-mail address (may be empty)").fill("guest@example.org");
  await page.getByRole("button", { name: "Make an invitation" }).click();
  const link = await page.locator(".secret").textContent();
  assert.match(link, /\/auth\/link\?token=/);
  const guest = await open();
  await guest.page.goto(link);
  await guest.page.locator("input[type=password]").fill("another long password");
  await guest.page.locator("main form button").first().click();
  await guest.page.waitForURL(/\/account/);
  await page.goto(`${base}/operator/accounts?q=guest`);
  await page.getByRole("link", { name: "guest@example.org" }).click();
  await page.locator("#plan").selectOption("Business");
  await page.getByRole("button", { name: "Change the plan" }).click();
  await page.getByText("The plan is changed.").waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("The account is disabled").waitFor();
  await guest.page.goto(`${base}/account`);
  await guest.page.waitForURL(/\/auth\/login/);
  await guest.close();
  // Nobody shuts themselves out.
  await page.goto(`${base}/operator/accounts?q=scholar`);
  await page.locator("#main").getByRole("link", { name: "scholar@example.org" }).click();
  await page.getByRole("button", { name: "Make a sign-in link" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Disable" }).count(), 0);
  await close();
});

test("a backup is made on demand, and a directory that is not there is refused", async () => {
  const { page, close } = await open();
  await signIn(page, "scholar@example.org", "/operator/backups");
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await holds(async () => {
    await page.reload();
    assert.match(await page.textContent("main"), /Done:.*citation-\d{8}T\d{6}Z\.db/s);
  });
  await page.goto(`${base}/operator/styles`);
  await page.getByLabel("Directory").fill("/no/such/directory");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  await page.getByText("There is no such directory on the server.").waitFor();
  await close();
});

test("the pages of operators are for operators alone", async () => {
  const { page, close } = await open();
  await page.goto(`${base}/operator`);
  await page.waitForURL(/\/auth\/login\?return_to=%2Foperator/);
  await close();
});

test("the reference is searched, and sends the example of an operation", async () => {
  const { page, close } = await open();
  await visit(page, "/api/docs");
  await page.getByLabel("Search").fill("citation keys");
  await holds(async () => assert.equal(await page.locator("[data-subject]:visible").count(), 1));
  await page.getByLabel("Search").fill("nothing like this");
  await page.getByText("No operation has these words.").waitFor();
  await visit(page, "/api/docs/lookup#lookup_doi");
  const section = page.locator("#lookup_doi");
  await section.getByText("curl").first().waitFor();
  await section.getByRole("button", { name: "Try it" }).click();
  await section.getByRole("button", { name: "Send POST" }).click();
  await section.locator("pre").getByText(/^200/).waitFor();
  await close();
});
