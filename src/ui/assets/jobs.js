// The account's jobs: their progress is shown until they end.

import { Failure, get } from "./api.js";
import { announce, byId, el, ready } from "./dom.js";
import { hasEnded, progressOf, said } from "./job.js";
import "./more-words.js";
import { has, say } from "./words.js";

// Milliseconds between two looks.
const LOOK = 1_000;

/** @type {HTMLElement[]} */
const shown = [...document.querySelectorAll("[data-job]")].flatMap((one) => (one instanceof HTMLElement ? [one] : []));
byId("jobs-more")?.remove();
ready();
look();

// The jobs of the page that have not ended.
function open() {
  return shown.filter((place) => !hasEnded({ state: place.dataset.state ?? "" }));
}

async function look() {
  while (open().length) {
    await new Promise((done) => setTimeout(done, LOOK));
    if (document.visibilityState === "visible") await update();
  }
}

async function update() {
  try {
    /** @type {Api.Job[]} */
    const jobs = await get("/api/v1/jobs");
    for (const place of open()) {
      const job = jobs.find(({ id }) => id === place.dataset.job);
      if (job) show(place, job);
      else place.remove();
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
  }
}

// An outcome is a verdict, or the state of a formatted or an imported item.
/** @param {string} outcome */
function nameOf(outcome) {
  const key = ["verdict", "status", "jobs.outcome"].map((kind) => `${kind}.${outcome}`).find(has);
  return key ? say(key) : outcome;
}

/** @param {HTMLElement} place @param {Api.Job} job */
function show(place, job) {
  /** @param {string} name */
  const part = (name) => place.querySelector(`[data-part="${name}"]`);
  const state = say(`jobs.state.${job.state}`);
  if (place.dataset.state !== job.state) announce(state);
  place.dataset.state = job.state;
  part("state")?.replaceChildren(state);
  part("said")?.replaceChildren(said(job));
  part("counts")?.replaceChildren(Object.entries(job.summary).map(([outcome, n]) => `${nameOf(outcome)}: ${n}`).join(" · "));
  const meter = place.querySelector("progress");
  if (meter) Object.assign(meter, progressOf(job));
  if (!hasEnded(job)) return;
  meter?.remove();
  part("state")?.classList.add(job.state === "done" ? "ok" : job.state);
  const button = place.querySelector("button");
  if (!button) return;
  button.value = `remove:${job.id}`;
  const about = button.getAttribute("aria-label")?.split(": ").slice(1).join(": ");
  button.textContent = say("jobs.remove");
  if (about) button.setAttribute("aria-label", `${say("jobs.remove")}: ${about}`);
  if (job.state === "done" && ["format", "export"].includes(job.kind)) {
    button.before(el("a", { class: "button", href: `/api/v1/jobs/${job.id}/result`, download: true }, say("jobs.download")), " ");
  }
}
