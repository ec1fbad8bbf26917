//! Data embedded in the service: citation styles, locales, journal titles and the starter corpus. The build
//! script packs them once; each is decompressed on request.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

use std::io;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

static STYLE_PACK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/styles.bin"));
static LOCALE_PACK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/locales.bin"));
static STARTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/starter.json.zst"));
static NOTICES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/notices.json.zst"));

static JOURNALS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/journals.tsv.zst"));

/// An embedded text.
struct Embedded {
    /// The name of a style's file (`apa`), or a locale's language tag (`en-US`).
    name: &'static str,
    /// Position in the pack, compressed: byte offset and length.
    offset: usize,
    length: usize,
    /// Length of the text in bytes.
    size: usize,
}

/// The name and the XML of every style, ordered by name. The name is the last segment of the style's id:
/// `apa` of `http://www.zotero.org/styles/apa`.
pub fn styles() -> impl Iterator<Item = (&'static str, String)> {
    STYLES
        .iter()
        .filter_map(|style| Some((style.name, style.unpack(STYLE_PACK)?)))
}

/// The XML of the style with exactly this name.
pub fn style(name: &str) -> Option<String> {
    find(STYLES, name)?.unpack(STYLE_PACK)
}

/// The language tag of every locale, in order.
pub fn locale_tags() -> Vec<String> {
    LOCALES
        .iter()
        .map(|locale| locale.name.to_owned())
        .collect()
}

/// The XML of the locale with exactly this language tag, such as `en-US`.
pub fn locale(tag: &str) -> Option<String> {
    find(LOCALES, tag)?.unpack(LOCALE_PACK)
}

fn find<'a>(table: &'a [Embedded], name: &str) -> Option<&'a Embedded> {
    let at = table.binary_search_by_key(&name, |text| text.name).ok()?;
    table.get(at)
}

impl Embedded {
    /// The text. The build created the pack, so decompression does not fail.
    fn unpack(&self, pack: &[u8]) -> Option<String> {
        let frame = pack.get(self.offset..)?.get(..self.length)?;
        let bytes = zstd::bulk::decompress(frame, self.size).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// The works of the starter corpus: a JSON array of CSL-JSON items.
pub fn starter() -> io::Result<Vec<u8>> {
    zstd::stream::decode_all(STARTER)
}

/// The retractions and corrections of the starter corpus: a JSON array.
pub fn notices() -> io::Result<Vec<u8>> {
    zstd::stream::decode_all(NOTICES)
}

/// Titles of journals and their short forms, one pair per line, separated by a tab.
pub fn journals() -> io::Result<String> {
    io::read_to_string(zstd::stream::Decoder::new(JOURNALS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMESPACE: &str = "http://purl.org/net/xbiblio/csl";

    #[test]
    fn every_style_is_xml_with_its_own_id() {
        assert_eq!(styles().count(), 80);
        for (name, xml) in styles() {
            assert!(
                xml.starts_with(&format!("<style xmlns=\"{NAMESPACE}\"")),
                "{name}"
            );
            assert!(xml.ends_with("</style>"), "{name}");
            assert!(xml.contains(&format!("/{name}</id>")), "{name}");
            assert_eq!(style(name), Some(xml));
        }
    }

    #[test]
    fn every_locale_is_xml_of_its_language() {
        assert_eq!(locale_tags().len(), 63);
        for tag in locale_tags() {
            let xml = locale(&tag).unwrap();
            assert!(
                xml.starts_with(&format!("<locale xmlns=\"{NAMESPACE}\"")),
                "{tag}"
            );
            assert!(xml.ends_with("</locale>"), "{tag}");
            assert!(xml.contains(&format!("xml:lang=\"{tag}\"")), "{tag}");
        }
    }

    /// The source archive spells some names differently and writes defaults explicitly.
    #[test]
    fn files_are_spelt_as_the_language_has_it() {
        let odd = [
            "&#32;",
            "name=\"sub verbo\"",
            "term=\"sub verbo\"",
            "name=\"and-others\"",
            "name=\"printing-number\"",
            "term=\"et al\"",
            "strip-periods=\"false\"",
            "match=\"all\"",
        ];
        let locales = locale_tags()
            .into_iter()
            .filter_map(|tag| Some((tag.clone(), locale(&tag)?)));
        for (name, xml) in styles()
            .map(|(name, xml)| (name.to_owned(), xml))
            .chain(locales)
        {
            assert_eq!(odd.iter().find(|odd| xml.contains(**odd)), None, "{name}");
        }
        let english = locale("en-US").unwrap();
        for term in [
            "and others",
            "sub-verbo",
            "printing",
            "editor-translator",
            "editortranslator",
        ] {
            assert!(
                english.contains(&format!("<term name=\"{term}\">")),
                "{term}"
            );
        }
    }

    #[test]
    fn unknown_names_have_no_file() {
        for name in [
            "",
            "APA",
            "no-such-style",
            "http://www.zotero.org/styles/apa",
        ] {
            assert_eq!(style(name), None, "{name}");
        }
        assert_eq!(locale("de"), None);
    }

    #[test]
    fn the_starter_corpus_is_one_array() {
        let items: Vec<serde_json::Value> = serde_json::from_slice(&starter().unwrap()).unwrap();
        assert!(items.iter().all(serde_json::Value::is_object));
        let notices: Vec<serde_json::Value> = serde_json::from_slice(&notices().unwrap()).unwrap();
        assert!(notices.iter().all(serde_json::Value::is_object));
    }

    #[test]
    fn more_than_16_000_short_forms_of_journals_come_with_the_program() {
        let journals = journals().unwrap();
        let shorts: std::collections::HashSet<&str> = journals
            .lines()
            .map(|line| line.split_once('\t').expect("a pair").1)
            .collect();
        assert!(shorts.len() > 16_000, "{}", shorts.len());
    }
}
