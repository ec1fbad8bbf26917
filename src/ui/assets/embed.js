// The embedded cite box: copies the result.

import { copy } from "./copy.js";
import { byId, ready } from "./dom.js";
import { say } from "./words.js";

const entry = byId("entry");
byId("copy")?.addEventListener("click", () => copy(entry.textContent, entry.innerHTML, say("copy.entry")));
ready();
