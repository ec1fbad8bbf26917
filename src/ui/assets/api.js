// The API client.

import { has, say } from "./words.js";

// A failed request: the API's error code and body.
export class Failure extends Error {
  /** @param {number} status @param {Api.Problem} body */
  constructor(status, body) {
    super(body.message ?? "");
    this.status = status;
    this.code = body.error ?? "network";
    this.body = body;
  }

  // In the reader's language if there is a message.
  get text() {
    // Unreachable sources are not this server's fault.
    const code = this.code === "service_unavailable" && this.body.sources_tried ? "upstream_error" : this.code;
    const key = `error.${code}`;
    const text = has(key) ? say(key, this.body) : this.message;
    const suggestion = this.body.suggestion;
    return suggestion ? `${text} ${say("error.suggestion", { suggestion })}` : text;
  }
}

// The text of a failure. Anything but an API error is a bug of ours.
/** @param {unknown} failure */
export function failureText(failure) {
  if (!(failure instanceof Failure)) throw failure;
  return failure.text;
}

/** @param {number} seconds @param {AbortSignal} [signal] @returns {Promise<void>} */
const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/**
 * @typedef {{ signal?: AbortSignal, headers?: Record<string, string>, onEtag?: (etag?: string) => void }} Options
 */

// Sends a request and returns the response. Waits out a burst limit, and says so.
/** @param {string} method @param {string} path @param {Options & { body?: BodyInit, type?: string }} options */
export async function send(method, path, { body, type, signal, headers = {} } = {}) {
  for (let tries = 0; ; tries += 1) {
    let response;
    try {
      response = await fetch(path, {
        method,
        body,
        signal,
        headers: type ? { "content-type": type, ...headers } : headers,
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new Failure(0, { error: "network" });
    }
    noteQuota(response.headers);
    if (response.ok) return response;
    const failure = new Failure(response.status, await read(response));
    // One's own styles exist only while signed in.
    if (failure.code === "unknown_style" && failure.body.style?.startsWith("own:") && !(await isSignedIn())) failure.code = "authentication_required";
    if (failure.code === "quota_exhausted") noteQuota(response.headers, true);
    if (failure.code !== "rate_limited" || tries > 2) throw failure;
    const wait = failure.body.retry_after ?? 1;
    tell("waiting", { seconds: wait });
    await pause(wait, signal);
  }
}

/** @param {Response} response @returns {Promise<Api.Problem>} */
async function read(response) {
  try {
    return await response.json();
  } catch {
    return { error: "internal_error", message: response.statusText };
  }
}

// Sends and receives JSON.
/** @param {string} method @param {string} path @param {unknown} [value] @param {Options} options @returns {Promise<any>} `any`: what the caller knows the interface to answer */
export async function ask(method, path, value, options = {}) {
  const hasBody = value !== undefined;
  const response = await send(method, path, {
    ...options,
    body: hasBody ? JSON.stringify(value) : undefined,
    type: hasBody ? "application/json" : undefined,
  });
  options.onEtag?.(response.headers.get("etag") ?? undefined);
  return response.status === 204 ? null : response.json();
}

/** @param {string} path @param {Options} [options] */
export const get = (path, options) => ask("GET", path, undefined, options);
/** @param {string} path @param {unknown} value @param {Options} [options] */
export const post = (path, value, options) => ask("POST", path, value, options);

// The lowest number of look-ups left in the current window: answers may arrive in another order than they were
// counted, and a refused one was not counted.
/** @type {{ left: number, limit: number, reset: number } | undefined} */
let quota;

/** @param {Headers} headers @param {boolean} isSpent */
function noteQuota(headers, isSpent = false) {
  if (headers.get("x-ratelimit-scope") !== "daily") return;
  const [left, limit, reset] = ["remaining", "limit", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
  const isSame = quota && quota.limit === limit && Math.abs(quota.reset - reset) < 60;
  quota = { left: isSpent ? 0 : Math.min(left, isSame && quota ? quota.left : left), limit, reset };
  tell("quota", quota);
}

/** @param {string} name @param {object} detail */
export function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** @type {Promise<Api.Me> | undefined} */
let known;

// The caller and the remaining quota; requested once per page.
/** @returns {Promise<Api.Me>} */
export function me() {
  known ??= get("/api/v1/me").catch((failure) => {
    known = undefined;
    throw failure;
  });
  return known;
}

// Asked anew: the session may have ended since the page was loaded.
const isSignedIn = () => fetch("/api/v1/me").then((response) => response.json()).then(({ authenticated }) => Boolean(authenticated), () => true);

// A lazily loaded module; loading can fail like any request.
/** @template Module @param {Promise<Module>} module @returns {Promise<Module>} */
export const late = (module) => module.catch(() => Promise.reject(new Failure(0, { error: "network" })));

// Maximum number of works in one request, and of bytes of their JSON.
export const MAX_WORKS = 1000;
export const MAX_BYTES = 1_900_000;

// Whether a list may exceed one request: a character has at most three bytes.
/** @param {unknown[]} values */
export const isLong = (values) => values.length > MAX_WORKS || JSON.stringify(values).length > MAX_BYTES / 3;

// Formats works; a list that exceeds one request in parts, with progress.
/** @param {Api.Metadata[]} entries @param {import("./long-lists.js").Wanted} wanted @param {import("./long-lists.js").Ways} [ways] @returns {Promise<Api.Formatted>} */
export async function format(entries, wanted, ways = {}) {
  if (!isLong(entries)) return post("/api/v1/format", { ...wanted, entries }, { signal: ways.signal });
  return (await late(import("./long-lists.js"))).formatLong(entries, wanted, ways);
}

// Runs a task for each value with limited concurrency, in order of the values.
/** @template Value @param {Value[]} values @param {number} width @param {(value: Value, at: number) => Promise<unknown>} task */
export async function pool(values, width, task) {
  let next = 0;
  const worker = async () => {
    while (next < values.length) {
      const at = next;
      next += 1;
      await task(values[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, values.length) }, worker));
}
