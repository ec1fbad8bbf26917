// Jobs: requests that the server answers in the background. Starts one and follows it until it ends.

import { get, send } from "./api.js";
import "./more-words.js";
import { say } from "./words.js";

// Seconds between two looks, and the number of results asked for at once.
const PAUSE = 1;
const RESULTS = 1_000;

/** @param {{ state: string }} job */
export const hasEnded = ({ state }) => ["done", "failed", "canceled"].includes(state);

// How much is done, and of how much: files if there are several.
/** @param {Api.Job} job */
export function progressOf(job) {
  const [value, all] = job.files > 1 ? [job.files_done, job.files] : [doneOf(job), job.items];
  return { value, max: Math.max(all, value, 1) };
}

/** @param {Api.Job} job */
const doneOf = ({ summary }) => Object.values(summary).reduce((sum, n) => sum + n, 0);

// The progress as a text.
/** @param {Api.Job} job */
export function said(job) {
  const of = (/** @type {number} */ done, /** @type {number} */ all) => say("jobs.of", { done, all });
  return [job.files > 1 && say("jobs.files", { n: of(job.files_done, job.files) }), job.items && of(doneOf(job), job.items)].filter(Boolean).join(" · ");
}

// Stores a job; its files go on being read there.
/** @param {string} address @param {FormData | string} body @param {AbortSignal} [signal] @returns {Promise<Api.Job>} */
export async function startJob(address, body, signal) {
  const type = typeof body === "string" ? "application/json" : undefined;
  const response = await send("POST", address, { body, type, signal, headers: { "idempotency-key": crypto.randomUUID() } });
  return response.json();
}

// Ends a job's work. Its results so far stay, also if it ended meanwhile.
/** @param {string} id */
export const cancelJob = (id) => fetch("/account/jobs", { method: "POST", body: new URLSearchParams({ do: `cancel:${id}` }), redirect: "manual" });

// Passes on each result as it comes, and the job's state, until it has ended. Returns its last state.
/** @param {string} id @param {{ take: (result: Api.JobResult) => void, told: (job: Api.Job) => void, signal?: AbortSignal }} ways @returns {Promise<Api.Job>} */
export async function followJob(id, { take, told, signal }) {
  let after = 0;
  for (;;) {
    // The state first: the results of a job that has ended are then complete.
    /** @type {Api.Job} */
    const job = await get(`/api/v1/jobs/${id}`, { signal });
    for (;;) {
      /** @type {{ results: Api.JobResult[], next_after: number }} */
      const { results, next_after } = await get(`/api/v1/jobs/${id}/results?after=${after}&limit=${RESULTS}`, { signal });
      results.forEach(take);
      after = next_after;
      if (results.length < RESULTS) break;
    }
    told(job);
    if (hasEnded(job)) return job;
    await new Promise((done) => setTimeout(done, PAUSE * 1000));
    signal?.throwIfAborted();
  }
}
