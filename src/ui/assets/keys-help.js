// The dialog that lists all keys.

import { el, openDialog } from "./dom.js";
import "./more-words.js";
import { say } from "./words.js";

const LIST = [
  ["/", "key.box"], ["n", "key.new"], ["f", "key.find"], ["j ↓", "key.next"], ["k ↑", "key.previous"], ["Enter", "key.edit"],
  ["c", "key.copy-citation"], ["b", "key.copy-entry"], ["x", "key.select"], ["Shift+x", "key.range"], ["Alt+↑ Alt+↓", "key.move"],
  ["t", "key.tag"], ["m", "key.to"], ["f w o", "key.decide"], ["Delete", "key.remove"], ["Ctrl+Z", "key.undo"], ["g c", "key.go-cite"], ["g l", "key.go-library"],
  ["g v", "key.go-verify"], ["g s", "key.go-styles"], ["?", "key.help"], ["Esc", "key.close"],
];

export function showKeys() {
  openDialog(say("keys.title"), (heading, dialog) => el("div", { tabindex: "-1", autofocus: true }, heading,
    el("dl", {}, LIST.flatMap(([keys, does]) => [
      el("dt", {}, keys.split(" ").flatMap((key, at) => [at ? " " : "", el("kbd", {}, key)])),
      el("dd", {}, say(does)),
    ])),
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => dialog.close() }, say("close")))), { address: "keys" });
}
