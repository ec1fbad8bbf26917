// The library's part that only the browser knows: the list it keeps.

import { byId } from "./dom.js";
import { localPanel } from "./merge.js";

const panel = await localPanel();
if (panel) {
  byId("local").replaceChildren(panel);
  byId("here").hidden = false;
}
