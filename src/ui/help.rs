//! How to use the pages, and the keys that do so without a mouse.

use super::html::{Html, Template};
use super::words::Words;

/// Keys and what they do. The scripts' list (`keys-help.js`) has the same.
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

const HELP: Template = Template(
    r#"<p class="lede">{~help.lede}</p>
<h2>{~help.start}</h2>
<ol class="steps"><li>{~help.paste}</li><li>{~help.style}</li><li>{~help.copy}</li></ol>
<h2>{~help.where}</h2><p>{~help.kept}</p>
<h2>{~help.verify}</h2><p>{~help.verdicts}</p>
<h2>{~help.quota}</h2><p>{~help.counts}</p>
<h2 id="all-keys">{~help.keys}</h2><p>{~help.keys-off}</p>
<p class="scripted"><label class="check"><input type="checkbox" id="single-keys"> {~help.single-keys}</label></p>
<div class="wide"><table><thead><tr><th scope="col">{~help.key}</th><th scope="col">{~help.does}</th></tr></thead><tbody>{keys}</tbody></table></div>"#,
);

const OFFLINE: Template = Template(
    r#"<p class="lede">{~offline.text}</p>
<p><a class="button primary" href="/">{~offline.home}</a> <a class="button" href="">{~offline.retry}</a></p>"#,
);

/// The main part of the page that stands for others where there is no network.
pub fn offline(words: Words) -> Html {
    OFFLINE.say(words, &[])
}

const KEY: Template = Template(r#"<tr><th scope="row">{keys}</th><td>{does}</td></tr>"#);

const CAP: Template = Template("<kbd>{key}</kbd> ");

/// The main part of the page.
pub fn help(words: Words) -> Html {
    let caps = |keys: &'static str| {
        let keys = keys.split_whitespace();
        Html::join(keys.map(|key| CAP.fill(&[("key", key.into())])))
    };
    let keys = KEYS.iter().map(|(keys, does)| {
        KEY.fill(&[
            ("keys", caps(keys).into()),
            ("does", words.get(does).into()),
        ])
    });
    HELP.say(words, &[("keys", Html::join(keys).into())])
}
