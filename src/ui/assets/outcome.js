// The result of a look-up that added nothing: candidates, sources without a match, used-up quota.

import { el } from "./dom.js";
import { about, plainTitle, richTitle } from "./rich.js";
import { clock, count, has, say } from "./words.js";

/** @param {string} source */
export const sourceName = (source) => (has(`source.${source}`) ? say(`source.${source}`) : source);

// Lower scores, and scores below a tenth of the best, are noise; beside a near certain one so are those below
// half of it.
const LEAST = 0.02;
const NEAR_CERTAIN = 0.9;

/** @param {Api.Candidate[]} candidates */
export const plausible = (candidates) => {
  const best = Math.max(0, ...candidates.map(({ score }) => score));
  const least = Math.max(LEAST, best >= NEAR_CERTAIN ? best / 2 : best / 10);
  return candidates.filter(({ score }) => score >= least);
};

/** @param {string} text */
const bare = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

// The only candidate, if the text is exactly its title.
/** @param {string} text @param {Api.Candidate[]} candidates */
export function exact(text, candidates) {
  const [only, other] = plausible(candidates);
  const title = bare(plainTitle(only?.metadata));
  return only && !other && title && title === bare(text) ? only : undefined;
}

// Candidates. `take` receives the chosen one.
/** @param {Api.Candidate[]} candidates @param {(candidate: Api.Candidate) => unknown} take @param {() => unknown} dismiss */
export function hits(candidates, take, dismiss) {
  const items = candidates.map((candidate, at) => el("li", { class: "hit" },
    at < 9 ? el("kbd", { "aria-hidden": "true" }, String(at + 1)) : "",
    el("div", { class: "grow" },
      el("b", { dir: "auto" }, richTitle(candidate.metadata)), el("br"),
      el("span", { class: "quiet", dir: "auto" }, about(candidate.metadata)), el("br"),
      el("span", { class: "quiet" }, say("hits.likeness", {
        percent: Math.round(candidate.score * 100), source: sourceName(candidate.source),
      }))),
    el("button", {
      type: "button", "aria-label": `${say("hits.take")}: ${plainTitle(candidate.metadata)}`,
      onclick: () => take(candidate),
    }, say("hits.take"))));
  const panel = el("section", { class: "panel", tabindex: "-1", "aria-label": count("hits.title", candidates.length) },
    el("h2", {}, count("hits.title", candidates.length)), el("p", {}, say("hits.which")),
    el("ol", { class: "hits" }, items),
    el("button", { type: "button", class: "plain", onclick: dismiss }, say("hits.none")));
  panel.addEventListener("keydown", (event) => {
    // Enter on the panel itself takes the first.
    const candidate = event.key === "Enter" && event.target === panel ? candidates[0] : candidates[Number(event.key) - 1];
    if (candidate && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      take(candidate);
    }
  });
  return panel;
}

// Sources that may have it, since they did not answer.
const UNSURE = ["timeout", "error", "unavailable"];

// No source has it: the sources asked, their answers, and what to do next.
/** @param {string} query @param {Api.Tried[]} tried @param {() => unknown} byHand @param {() => unknown} retry */
export function nothing(query, tried = [], byHand, retry) {
  return el("section", { class: "panel", tabindex: "-1" },
    el("h2", {}, say("nothing.title")), el("p", {}, say("nothing.text")), sources(tried),
    el("div", { class: "row" },
      el("button", { type: "button", class: "primary", onclick: byHand }, say("nothing.manual")),
      tried.some(({ outcome }) => UNSURE.includes(outcome)) ? el("button", { type: "button", onclick: retry }, say("retry")) : "",
      el("a", { class: "button", href: `/verify#check/${encodeURIComponent(query)}` }, say("nothing.verify"))));
}

/** @param {Api.Tried[]} tried */
export function sources(tried = []) {
  if (!tried.length) return "";
  return el("ul", { class: "sources" }, tried.map(({ source, outcome }) =>
    el("li", {}, el("b", {}, sourceName(source)), ": ", has(`tried.${outcome}`) ? say(`tried.${outcome}`) : outcome)));
}

/** @type {Record<string, string>} */
const ADDRESSES = { sign_in: "/auth/login", create_free_account: "/auth/sign-up", view_plans: "/plans" };

// Plans are shown only where the operator sells them.
export const sellsPlans = () => "sellsPlans" in document.body.dataset;

// The actions offered by an API error.
/** @param {Api.Problem} body */
const ways = (body) => (body.actions ?? []).filter((action) => ADDRESSES[action] && (action !== "view_plans" || sellsPlans())).map((action) =>
  el("a", { class: "button", href: ADDRESSES[action] }, say(`quota.${action}`)));

// An error, or a used-up quota with a countdown. `take` receives the API's suggestion, if any; `byHand`
// continues without the sources.
/** @param {import("./api.js").Failure} failure @param {() => unknown} retry @param {(text: string) => unknown} [take] @param {() => unknown} [byHand] */
export function problem(failure, retry, take = undefined, byHand = undefined) {
  const { suggestion } = failure.body;
  if (failure.code === "quota_exhausted") return spent(failure.body);
  // Sources that do not answer are nobody's fault.
  const isQuiet = /^(upstream|service|network)/.test(failure.code);
  return el("section", { class: isQuiet ? "panel" : "panel bad", tabindex: "-1" },
    el("p", { dir: "auto" }, failure.text), sources(failure.body.sources_tried),
    el("div", { class: "row" }, ways(failure.body),
      take && suggestion ? el("button", { type: "button", class: "primary", onclick: () => take(suggestion) }, suggestion) : "",
      /^(invalid|plan_required)/.test(failure.code) ? "" : el("button", { type: "button", onclick: retry }, say("retry")),
      byHand ? el("button", { type: "button", onclick: byHand }, say("nothing.manual")) : ""));
}

/** @param {Api.Problem} body */
function spent(body) {
  const until = Date.now() + (body.reset_seconds ?? 0) * 1000;
  const time = el("span", { class: "countdown" });
  const panel = el("section", { class: "panel bad", tabindex: "-1" },
    el("h2", {}, say("quota.spent", { limit: body.limit })), el("p", {}, time),
    el("div", { class: "row" }, ways(body)));
  const tick = () => {
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    time.textContent = say("quota.when", { time: clock(left) });
    if (left && (panel.isConnected || !panel.dataset.shown)) setTimeout(tick, 1000);
    if (panel.isConnected) panel.dataset.shown = "1";
  };
  tick();
  return panel;
}
