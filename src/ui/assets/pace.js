// Limits requests caused by typing: only the newest counts; after a burst they are throttled, so
// that long typing never reaches the rate limit (100 per minute and address by default).

const AT_ONCE = 12;
// Milliseconds per further request: 40 a minute.
const GAP = 1500;

let left = AT_ONCE;
let counted = performance.now();

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Waits until a request may be sent; returns whether it is still wanted.
/** @param {AbortSignal} signal */
async function turn(signal) {
  while (!signal.aborted) {
    const now = performance.now();
    left = Math.min(AT_ONCE, left + (now - counted) / GAP);
    counted = now;
    if (left >= 1) {
      left -= 1;
      return true;
    }
    await pause((1 - left) * GAP);
  }
  return false;
}

// Debounces an action: it runs after `wait` milliseconds without a newer call; a newer call aborts its
// signal. Superseded calls return undefined.
/**
 * @template {unknown[]} Values
 * @template Result
 * @param {number} wait
 * @param {(signal: AbortSignal, ...values: Values) => Promise<Result> | Result} action
 */
export function newest(wait, action) {
  /** @type {AbortController | undefined} */
  let running;
  return async (/** @type {Values} */ ...values) => {
    running?.abort();
    const { signal } = (running = new AbortController());
    if (wait) await pause(wait);
    return (await turn(signal)) ? action(signal, ...values) : undefined;
  };
}
