//! The task pane in Word, and the manifest by which Word adds it.

use super::bibliography::Choice;
use super::page::Theme;
use super::words::Words;
use askama::Template;
use citation_model::hex::hex;
use sha2::{Digest, Sha256};

/// The pane. Without Word it shows how to add it.
#[derive(Default, Template)]
#[template(path = "word.html")]
pub struct WordPane<'p> {
    pub words: Words,
    pub choice: Choice,
    pub theme: Theme,
    /// The server's address, without a slash at its end.
    pub base: &'p str,
}

/// The manifest: an add-in of the server at `base`.
#[derive(Template)]
#[template(path = "word.xml", escape = "html")]
pub struct WordManifest<'p> {
    pub words: Words,
    /// The server's address, without a slash at its end.
    pub base: &'p str,
    /// Its part that names the host: the pane may open no other.
    pub origin: &'p str,
}

impl WordManifest<'_> {
    /// The id of the add-in, a UUID of version 8 (RFC 9562): the same for one server, and another for each.
    fn id(&self) -> String {
        let digest = Sha256::digest(format!("citation word {}", self.base).as_bytes());
        let text: String = hex(&digest).chars().take(32).collect();
        let mut id = String::with_capacity(36);
        for (at, digit) in text.chars().enumerate() {
            if matches!(at, 8 | 12 | 16 | 20) {
                id.push('-');
            }
            id.push(match at {
                12 => '8',
                16 => 'a',
                _ => digit,
            });
        }
        id
    }

    /// The version of the program, as a manifest numbers it.
    fn version(&self) -> String {
        concat!(env!("CARGO_PKG_VERSION"), ".0").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(base: &str) -> WordManifest<'_> {
        WordManifest {
            words: Words::default(),
            base,
            origin: "https://cite.test",
        }
    }

    #[test]
    fn ids_are_uuids_of_their_server() {
        let id = manifest("https://cite.test").id();
        assert_eq!(id, manifest("https://cite.test").id());
        assert_ne!(id, manifest("https://cite.test/other").id());
        let parts: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
        assert!(id.get(14..15) == Some("8") && id.get(19..20) == Some("a"));
    }

    #[test]
    fn manifest_names_the_pane_of_its_server() {
        let text = manifest("https://cite.test/a&b").to_string();
        assert!(text.contains("DefaultValue=\"https://cite.test/a&#38;b/word/\""));
        assert!(text.contains("<AppDomain>https://cite.test</AppDomain>"));
        let mut reader = quick_xml::Reader::from_str(&text);
        while reader.read_event().expect("well-formed") != quick_xml::events::Event::Eof {}
    }
}
