// The interface, as any client speaks it.

import { has, say } from "./words.js";

// Why a request came to nothing: the interface's code and body.
export class Failure extends Error {
  constructor(status, body) {
    super(body.message ?? "");
    this.status = status;
    this.code = body.error ?? "network";
    this.body = body;
  }

  // In the reader's language where there are words for it.
  get text() {
    const key = `error.${this.code}`;
    const text = has(key) ? say(key, this.body) : this.message;
    const suggestion = this.body.suggestion;
    return suggestion ? `${text} ${say("error.suggestion", { suggestion })}` : text;
  }
}

const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

// Sends a request and gives the response. A burst limit is waited out, and said.
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
    if (failure.code !== "rate_limited" || tries > 2) throw failure;
    const wait = failure.body.retry_after ?? 1;
    tell("waiting", { seconds: wait });
    await pause(wait, signal);
  }
}

async function read(response) {
  try {
    return await response.json();
  } catch {
    return { error: "internal_error", message: response.statusText };
  }
}

// Sends and receives JSON.
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

export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, value, options) => ask("POST", path, value, options);

function noteQuota(headers) {
  if (headers.get("x-ratelimit-scope") !== "daily") return;
  tell("quota", {
    left: Number(headers.get("x-ratelimit-remaining")),
    limit: Number(headers.get("x-ratelimit-limit")),
    reset: Number(headers.get("x-ratelimit-reset")),
  });
}

export function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

let known;

// Who is calling and what is left; asked once a page.
export function me() {
  known ??= get("/api/v1/me").catch((failure) => {
    known = undefined;
    throw failure;
  });
  return known;
}

// Runs a task for each value, so many at a time, in order of the values.
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
