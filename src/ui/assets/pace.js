// Requests that typing causes: the newest counts, and they come a handful at once and then now and
// then, so that nobody who types for minutes reaches the limit of requests in a minute (100 for an
// address, unless the server is configured otherwise).

const AT_ONCE = 12;
// Milliseconds for each further one: 40 a minute.
const GAP = 1500;

let left = AT_ONCE;
let counted = performance.now();

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Waits until a request may be sent; gives whether it is still wanted.
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

// An action of which only the newest call counts: it runs when no other has come for so many
// milliseconds, and its signal is aborted when another comes. A call that was overtaken gives nothing.
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
