// The places that works can be saved to: this browser, each collection of the account, a new one.

import { failureText, get, post } from "./api.js";
import { openMenu } from "./dom.js";
import "./more-words.js";
import { choose } from "./target.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

/** @param {string} [id] */
function go(id) {
  choose(id);
  location.assign("/");
}

async function make() {
  const { id } = await post("/api/v1/collections", { name: say("target-menu.untitled") });
  choose(id);
  location.assign(`/c/${id}#settings`);
}

// `current` is the collection that works go to now; nothing for this browser.
/** @param {HTMLElement} chip @param {string | null | undefined} current @param {boolean} isSignedIn */
export async function targetMenu(chip, current, isSignedIn) {
  /** @type {Api.Collection[]} */
  const all = isSignedIn ? await get("/api/v1/collections").catch(() => []) : [];
  const others = all.filter(({ id }) => id !== current);
  openMenu(chip, say("target-menu.title"), [
    current && [say("target.browser"), () => go()],
    ...others.map((other) => /** @type {Choice} */ ([other.name, () => go(other.id)])),
    isSignedIn && [say("target-menu.new"), () => make().catch((failure) => toast(failureText(failure)))],
    !isSignedIn && [say("target-menu.sign-in"), () => location.assign("/auth/login?return_to=/")],
    current && location.pathname === "/" && [say("target-menu.open"), () => location.assign(`/c/${current}`)],
  ], isSignedIn ? undefined : say("target-menu.why"));
}
