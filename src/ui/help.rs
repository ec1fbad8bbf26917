//! How to use the pages, and their keyboard shortcuts.

use super::words::Words;
use askama::Template;

/// Keys and their actions. `keys-help.js` has the same list.
const KEYS: [(&str, &str); 22] = [
    ("/", "key.box"),
    ("n", "key.new"),
    ("f", "key.find"),
    ("j ↓", "key.next"),
    ("k ↑", "key.previous"),
    ("Enter", "key.edit"),
    ("c", "key.copy-citation"),
    ("b", "key.copy-entry"),
    ("x", "key.select"),
    ("Shift+x", "key.range"),
    ("Alt+↑ Alt+↓", "key.move"),
    ("t", "key.tag"),
    ("m", "key.to"),
    ("f w o", "key.decide"),
    ("Delete", "key.remove"),
    ("Ctrl+Z", "key.undo"),
    ("g c", "key.go-cite"),
    ("g l", "key.go-library"),
    ("g v", "key.go-verify"),
    ("g s", "key.go-styles"),
    ("?", "key.help"),
    ("Esc", "key.close"),
];

/// The page.
#[derive(Template)]
#[template(path = "help.html")]
pub struct HelpPage {
    pub words: Words,
}

/// The page that replaces others without a network.
#[derive(Template)]
#[template(path = "offline.html")]
pub struct OfflinePage {
    pub words: Words,
}
