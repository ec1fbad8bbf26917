//! The registry of bibliographic file formats: one table with a row per format. Import, export, conversion,
//! verification and the command line use it; the formats are listed nowhere else.

use super::formats::{
    bibtex, bookmarks, cff, citavi, coins, context_object, csl_json, csl_yaml, csv, endnote_xml,
    hayagriva, jats, marc, mods, msbib, nbib, ovid, pubmed_xml, rdf, refer, refworks, ris, tei,
    wikipedia, wos, zotero,
};
use crate::content::Content;
use crate::format::Format;
use crate::unreadable::{self, Unreadable};
use citation_model::budget::{Budget, Exceeded};

/// All formats. If several recognise a file, the first is used unless the file name or media type selects
/// another of them, so more specific formats come first.
pub static FORMATS: &[&Format] = &[
    &bibtex::BIBTEX,
    &bibtex::BIBLATEX,
    &ris::RIS,
    &nbib::NBIB,
    &ovid::OVID_TAGGED,
    &wos::WOS_TAGGED,
    &refworks::REFWORKS,
    &refer::REFER,
    &csl_json::CSL_JSON,
    &zotero::ZOTERO_JSON,
    &citavi::CITAVI,
    &cff::CFF,
    &hayagriva::HAYAGRIVA,
    &csl_yaml::CSL_YAML,
    &pubmed_xml::PUBMED_XML,
    &endnote_xml::ENDNOTE_XML,
    &msbib::MSBIB,
    &mods::MODS,
    &marc::MARCXML,
    &marc::MARC21,
    &context_object::CONTEXT_OBJECT,
    &jats::JATS,
    &tei::TEI,
    &coins::COINS,
    &rdf::RDF,
    &rdf::DUBLIN_CORE,
    &wikipedia::WIKIPEDIA,
    &csv::SCOPUS_CSV,
    &csv::ZOTERO_CSV,
    &csv::WOS_TAB,
    &csv::CSV,
    &bookmarks::BROWSER_BOOKMARKS,
    &bookmarks::BOOKMARKS,
];

impl Format {
    /// The formats that can be read.
    pub fn readable() -> impl Iterator<Item = &'static Format> + Clone {
        FORMATS
            .iter()
            .copied()
            .filter(|format| format.is_readable())
    }

    /// The formats that can be written.
    pub fn writable() -> impl Iterator<Item = &'static Format> + Clone {
        FORMATS
            .iter()
            .copied()
            .filter(|format| format.is_writable())
    }

    /// The format with an id, file extension or media type, case-insensitively. A shared extension selects
    /// the first format.
    pub fn named(text: &str) -> Option<&'static Format> {
        let lower = text.trim().trim_start_matches('.').to_ascii_lowercase();
        let bare = lower.split(';').next().unwrap_or_default().trim();
        let by = |has: fn(&Format, &str) -> bool| {
            FORMATS.iter().copied().find(|format| has(format, bare))
        };
        by(|format, text| format.id == text)
            .or_else(|| by(|format, text| format.extensions.contains(&text)))
            .or_else(|| by(|format, text| format.media_types.contains(&text)))
    }
}

/// Hints about a file apart from its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    pub file_name: Option<&'a str>,
    pub media_type: Option<&'a str>,
}

impl Hints<'_> {
    fn name(&self, format: &Format) -> bool {
        self.file_name.is_some_and(|name| format.has_name(name))
            || self
                .media_type
                .is_some_and(|text| format.has_media_type(text))
    }
}

/// Detects the format of a file. The content decides; name and media type decide only between formats that
/// look alike, or if the content matches none. Returns `None` for plain text. An unsupported format is the
/// inner error, with advice.
pub fn recognise(
    content: &Content<'_>,
    hints: Hints<'_>,
    budget: &Budget,
) -> Result<Result<Option<&'static Format>, &'static Unreadable>, Exceeded> {
    let mut seen = Vec::new();
    for format in Format::readable() {
        if format.recognises(content, budget)? {
            seen.push(format);
        }
    }
    if let Some(first) = seen.first() {
        // A format without its own extension is a variant of a more general format, so that format's
        // extension does not contradict it.
        let is_special = first.extensions.is_empty();
        let hinted = { seen.iter() }.find(|format| is_special || hints.name(format));
        return Ok(Ok(Some(hinted.unwrap_or(first))));
    }
    Ok(match unreadable::recognise(content, budget)? {
        Some(unreadable) => Err(unreadable),
        None => Ok(Format::readable().find(|format| hints.name(format))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BIBLATEX, BIBTEX, CSL_JSON, RIS};
    use std::collections::HashSet;

    fn recognised(
        text: &str,
        file_name: Option<&str>,
        media_type: Option<&str>,
    ) -> Option<&'static Format> {
        let hints = Hints {
            file_name,
            media_type,
        };
        recognise(&Content::of_text(text), hints, &Budget::unlimited())
            .unwrap()
            .unwrap()
    }

    #[test]
    fn ids_are_unique_and_lead_back() {
        let ids: HashSet<&str> = FORMATS.iter().map(|format| format.id).collect();
        assert_eq!(ids.len(), FORMATS.len());
        for format in FORMATS {
            assert_eq!(Format::named(format.id), Some(*format));
            let has_name = !format.extensions.is_empty() && !format.media_types.is_empty();
            assert!(
                !format.is_writable() || has_name,
                "{format:?} is written, and has no file ending or no media type"
            );
            for name in format.extensions.iter().chain(format.media_types) {
                let named = Format::named(name).unwrap();
                let known = named.extensions.iter().chain(named.media_types);
                assert!(
                    { known }.any(|known| known == name) || named.id == *name,
                    "“{name}” of {format:?} means {named:?}"
                );
            }
        }
    }

    #[test]
    fn json_means_csl_json() {
        assert_eq!(Format::named("json"), Some(&CSL_JSON));
    }

    #[test]
    fn content_decides_before_name_and_media_type() {
        let bibtex = "% Mine\n@book{doe, title={A}}";
        assert_eq!(recognised(bibtex, None, None), Some(&BIBTEX));
        assert_eq!(
            recognised(bibtex, Some("x.ris"), Some("application/json")),
            Some(&BIBTEX)
        );
        assert_eq!(
            recognised(bibtex, None, Some("application/x-biblatex")),
            Some(&BIBLATEX)
        );
        assert_eq!(
            recognised("\u{feff}TY  - BOOK\nER  - ", None, None),
            Some(&RIS)
        );
        assert_eq!(recognised("nothing", Some("x.RIS"), None), Some(&RIS));
        assert_eq!(recognised("[1] Doe J. A of it. 2001.", None, None), None);
    }

    #[test]
    fn csl_json_is_what_looks_so() {
        for text in [
            "[{\"title\": \"A\"}]",
            " {\n\"id\": \"a\", \"type\": \"book\"}",
            "{\"items\": [{\"id\": \"a\", \"type\": \"book\"}]}",
            "[]",
        ] {
            assert_eq!(recognised(text, None, None), Some(&CSL_JSON), "{text}");
        }
        for text in [
            "{\"name\": \"x\", \"version\": \"1\", \"author\": \"me\"}",
            "[{\"key\": \"A\", \"version\": 1, \"data\": {\"itemType\": \"book\", \"title\": \"A\"}}]",
            "{\"@context\": \"https://schema.org\", \"@type\": \"Article\"}",
        ] {
            let told = recognise(
                &Content::of_text(text),
                Hints::default(),
                &Budget::unlimited(),
            )
            .unwrap();
            assert_ne!(told.ok().flatten(), Some(&CSL_JSON), "{text}");
        }
    }
}
