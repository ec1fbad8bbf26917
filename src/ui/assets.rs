//! Style sheets and modules of the pages, served under a hash of all of them. The address changes
//! with any file, so browsers cache them forever.

use citation_model::hex::hex;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::words::{self, ScriptPart};

/// A file.
#[derive(Debug)]
pub struct Asset {
    pub name: String,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

/// All files, and the hash in their addresses.
#[derive(Debug)]
pub struct Assets {
    pub hash: String,
    pub files: Vec<Asset>,
}

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("assets/", $name)))),*]
    };
}

const EMBEDDED: [(&str, &str); FILES] = embedded![
    "account.js",
    "address.js",
    "api.js",
    "batch.js",
    "candidates-table.js",
    "cite-box.js",
    "cite-dialog.js",
    "collection.js",
    "common.js",
    "copy.js",
    "detect.js",
    "diff.js",
    "docs.js",
    "document-drop.js",
    "dom.js",
    "drag.js",
    "duplicates.js",
    "early.js",
    "edit-many.js",
    "editor-fields.js",
    "embed.js",
    "entry-editor.js",
    "entry-list.js",
    "fields.js",
    "history.js",
    "home.js",
    "icon.svg",
    "import-report.js",
    "import.js",
    "job.js",
    "jobs.js",
    "keys-help.js",
    "keys.js",
    "library.js",
    "list-filter.js",
    "local-lists.js",
    "local-store.js",
    "long-lists.js",
    "marks.js",
    "merge.js",
    "more-words.js",
    "names-field.js",
    "new-key.js",
    "outcome.js",
    "pace.js",
    "permalink.js",
    "read-reference.js",
    "remote-store.js",
    "review.js",
    "rich.js",
    "samples.js",
    "share.js",
    "signed-out.js",
    "style-compare.js",
    "style-editor.js",
    "style-picker.js",
    "styles.js",
    "target-menu.js",
    "target.js",
    "title-case.js",
    "toast.js",
    "toolbar.js",
    "trash.js",
    "verify-outputs.js",
    "verify-report.js",
    "verify.js",
    "word-codes.js",
    "word-document.js",
    "word-style.js",
    "word.js",
    "words.js",
    "workbench.js",
];

const FILES: usize = 72;

/// The style sheet: each part is a cascade layer, in ascending order.
const STYLE: [(&str, &str); 8] = embedded![
    "style/tokens.css",
    "style/ground.css",
    "style/controls.css",
    "style/content.css",
    "style/list.css",
    "style/review.css",
    "style/overlays.css",
    "style/media.css",
];

/// The service worker; must be served from the site's root.
pub const WORKER: &str = include_str!("assets/worker.js");

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let file = |name: &str, body: String| Asset {
        name: name.to_owned(),
        content_type: content_type(name),
        body: body.into_bytes(),
    };
    let embedded = EMBEDDED
        .iter()
        .map(|(name, text)| file(name, sent(name, &source(name, text))));
    let words = words::LANGUAGES.iter().flat_map(|language| {
        [("", ScriptPart::First), (".more", ScriptPart::More)].map(|(ending, part)| {
            let name = format!("words/{}{ending}.js", language.tag);
            file(&name, words::script_module(language, part))
        })
    });
    let layers = STYLE.map(|(name, css)| {
        let layer = name.trim_start_matches("style/").trim_end_matches(".css");
        format!("@layer {layer} {{\n{}}}\n", source(name, css))
    });
    let style = file("style.css", sent("style.css", &layers.concat()));
    let files: Vec<Asset> = embedded.chain(words).chain([style]).collect();
    let mut digest = Sha256::new();
    for file in &files {
        digest.update(file.name.as_bytes());
        digest.update(&file.body);
    }
    let digest = digest.finalize();
    Assets {
        hash: hex(digest.iter().take(8)),
        files,
    }
});

pub fn assets() -> &'static Assets {
    &ASSETS
}

/// The address of a file.
pub fn address(name: &str) -> String {
    format!("/assets/{}/{name}", ASSETS.hash)
}

/// The text of a file. In development builds `CITATION_ASSETS` names a directory whose files
/// replace the embedded ones at program start.
fn source(name: &str, embedded: &str) -> String {
    #[cfg(debug_assertions)]
    if let Some(directory) = std::env::var_os("CITATION_ASSETS")
        && let Ok(text) = std::fs::read_to_string(std::path::Path::new(&directory).join(name))
    {
        return text;
    }
    let _ = name;
    embedded.to_owned()
}

/// The file as sent: modules and style sheets without indentation, empty lines and comments, which
/// with the types in them would make up a quarter of the first page.
fn sent(name: &str, text: &str) -> String {
    let start = match name.rsplit_once('.') {
        Some((_, "css")) => "/*",
        Some((_, "js")) => "/**",
        _ => return text.to_owned(),
    };
    let parts = text.split(start).enumerate();
    let code = parts.filter_map(|(n, part)| match n {
        0 => Some(part),
        _ => part.split_once("*/").map(|(_, code)| code),
    });
    let code: String = code.collect();
    let lines = code.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_modules_exist() {
        for file in &assets().files {
            let text = String::from_utf8_lossy(&file.body);
            for place in text.split("\"./").skip(1) {
                let name = place.split('"').next().unwrap_or_default();
                assert!(
                    assets().files.iter().any(|file| file.name == name),
                    "{} imports {name}",
                    file.name
                );
            }
        }
    }

    /// [`sent`] must not change text that spans several lines.
    #[test]
    fn strings_of_modules_stay_on_one_line() {
        for (name, text) in EMBEDDED.iter().filter(|(name, _)| name.ends_with(".js")) {
            for line in text.lines() {
                assert!(line.matches('`').count() % 2 == 0, "{name}: {line}");
            }
        }
        assert_eq!(sent("a.js", "// a\n  b;\n  // c\n\n}\n"), "b;\n}\n");
        assert_eq!(
            sent(
                "a.js",
                "/**\n * @type {B}\n */\nb = /** @type {C} */ (c);\n"
            ),
            "b =  (c);\n"
        );
        assert_eq!(
            sent("a.css", "/* a\nb */\n\na {\n  b: c; /* d */\n}\n"),
            "a {\nb: c;\n}\n"
        );
    }

    /// Modules must import the messages that the first page does not load.
    #[test]
    fn modules_import_the_messages_they_use() {
        for (name, text) in EMBEDDED {
            let calls = ["say(\"", "say(`", "count(\"", "[\""];
            let says = |start: &str| {
                calls
                    .iter()
                    .any(|call| text.contains(&format!("{call}{start}")))
            };
            let said: Vec<&str> = words::MORE
                .into_iter()
                .filter(|start| says(start))
                .collect();
            let is_early = !text.contains("\"./more-words.js\"");
            assert!(!is_early || said.is_empty(), "{name} says {said:?}");
        }
    }

    /// Every message that a script uses is in the English file.
    #[test]
    fn messages_of_scripts_exist() {
        let english = [ScriptPart::First, ScriptPart::More]
            .map(|part| words::script_module(&words::LANGUAGES[0], part))
            .concat();
        for file in assets()
            .files
            .iter()
            .filter(|file| !file.name.contains('/'))
        {
            let text = String::from_utf8_lossy(&file.body);
            for call in ["say(\"", "count(\""] {
                for piece in text.split(call).skip(1) {
                    let key = piece.split('"').next().unwrap_or_default();
                    let plural = call.starts_with("count");
                    let wanted = if plural {
                        format!("\"{key}.other\":")
                    } else {
                        format!("\"{key}\":")
                    };
                    let is_prefix = key.ends_with('.');
                    assert!(
                        is_prefix || english.contains(&wanted),
                        "{}: {key}",
                        file.name
                    );
                }
            }
        }
    }
}
