// A document dropped on the list: its references are added, or it is checked.

import { Failure, send } from "./api.js";
import { el, once } from "./dom.js";
import { keepRender } from "./local-store.js";
import "./more-words.js";
import { problem } from "./outcome.js";
import { say } from "./words.js";

// Where a file waits for the page that checks it.
export const HANDOVER = "handover";

// Works that a source has as they are cited.
const SURE = ["verified", "retracted"];

/** @param {File} file @param {import("./cite-box.js").CiteBox} box */
export function offerDocument(file, box) {
  const add = once(async () => {
    box.tell(el("section", { class: "panel", tabindex: "-1", role: "status" }, el("p", {}, say("drop.reading")), el("progress", { "aria-label": say("drop.reading") })));
    try {
      const { works, rest } = await references(file);
      await box.addFound(works, rest);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      box.tell(problem(failure, add));
    }
  });
  const check = once(async () => {
    await keepRender(HANDOVER, /** @type {any} */ ([file])); // `any`: files are kept as they are
    location.assign("/verify#file");
  });
  box.tell(el("section", { class: "panel", tabindex: "-1" }, el("h2", { dir: "auto" }, say("drop.title", { name: file.name })),
    el("div", { class: "row" }, el("button", { type: "button", class: "primary", onclick: add }, say("drop.add")),
      el("button", { type: "button", onclick: check }, say("drop.check")),
      el("button", { type: "button", class: "plain", onclick: () => box.tell() }, say("cancel")))));
}

// The works that a document cites, and the references that still need a decision.
/** @param {File} file */
async function references(file) {
  const body = new FormData();
  body.append("file", file, file.name);
  const response = await send("POST", "/api/v1/verify/document", { body });
  /** @type {{ results: Api.VerdictLine[] }} */
  const { results } = await response.json();
  const sure = results.filter(({ verdict, match }) => match && SURE.includes(verdict));
  const open = results.filter((one) => !sure.includes(one));
  return {
    works: sure.map(({ match }) => /** @type {Api.Metadata} */ (match)),
    rest: open.map(({ text, input }) => (text ?? input?.title ?? "").replace(/\s+/g, " ").trim()).filter(Boolean),
  };
}
