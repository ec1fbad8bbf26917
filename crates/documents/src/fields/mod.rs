//! Parses what citation programs store in fields of word processors: CSL-JSON of Zotero and Mendeley, XML
//! of EndNote, JSON of Citavi, tags of Word's own sources.

mod citation;
mod citavi;
mod csl_json;
mod encoded;
mod endnote;
mod word;

pub(crate) use citation::FieldCitation;
pub(crate) use csl_json::with_text;
pub use csl_json::{CitationCode, CodeCite, citation_code};
pub(crate) use word::word_sources;

use std::collections::HashMap;

use crate::error::DocumentError;
use crate::xml::{Node, Xml};

/// The meaning of a field for references.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Citation(FieldCitation),
    /// A citation whose works cannot be read.
    Unread,
    Bibliography,
    /// A table of contents: its headings are not headings of the text.
    Contents,
    Other,
}

impl From<Option<FieldCitation>> for Field {
    fn from(citation: Option<FieldCitation>) -> Field {
        match citation.filter(|citation| !citation.items.is_empty()) {
            Some(citation) => Field::Citation(citation),
            None => Field::Unread,
        }
    }
}

/// Programs whose citations are recognised, but not read.
const UNREAD_PROGRAMS: [&str; 7] = [
    "REFMGR.CITE",
    "RW.CITE",
    "PROCITE",
    "PAPERS2_CITATIONS",
    "CITAVI.PLACEHOLDER",
    "EN.JS.CITE",
    "BIBLIOSCAPE",
];

/// Reads the instruction of a field or the name of a mark. `data` are the binary data of the field and of
/// fields in its code, the best first.
pub(crate) fn read(instruction: &str, data: &[String]) -> Field {
    let code = instruction.trim();
    let code = code.strip_prefix("ADDIN").unwrap_or(code).trim_start();
    let first = code.split_whitespace().next().unwrap_or_default();
    let first = first.split(['{', '<']).next().unwrap_or_default();
    match first {
        "EN.CITE" => {
            let own = code.get("EN.CITE".len()..).unwrap_or_default().trim();
            let inline = own.starts_with('<').then(|| own.to_owned());
            let encoded = data.iter().filter_map(|data| encoded::text(data));
            let mut read = { inline.into_iter().chain(encoded) }.map(|xml| endnote::citation(&xml));
            read.find_map(|citation| citation).into()
        }
        "EN.REFLIST" | "BIBLIOGRAPHY" | "ZOTERO_BIBL" | "BIBL" => Field::Bibliography,
        "CITATION" => word::citation(code.get("CITATION".len()..).unwrap_or_default()).into(),
        "TOC" => Field::Contents,
        "CitaviPlaceholder" => citavi::citation(code).into(),
        "CITAVI.BIBLIOGRAPHY" | "CitaviBibliography" => Field::Bibliography,
        "CITAVI" if code.contains("BIBLIOGRAPHY") => Field::Bibliography,
        _ if UNREAD_PROGRAMS.iter().any(|name| first.starts_with(name)) => Field::Unread,
        // Mendeley's fields before version 1.0 name its records only.
        "Mendeley" if code.contains("Citation{") => Field::Unread,
        _ if code.contains("CSL_BIBLIOGRAPHY") => Field::Bibliography,
        _ if code.contains("CSL_CITATION") || first.starts_with("ZOTERO_") || first == "ITEM" => {
            match code.find(['{', '[']).and_then(|at| code.get(at..)) {
                Some(json) => csl_json::citation(json).into(),
                None if code.contains("CSL_CITATION") || first == "ZOTERO_ITEM" => Field::Unread,
                None => Field::Other,
            }
        }
        _ => Field::Other,
    }
}

/// The tag of a content control of Mendeley Cite.
pub(crate) fn read_tag(tag: &str) -> Field {
    if tag.starts_with("MENDELEY_BIBLIOGRAPHY") {
        return Field::Bibliography;
    }
    match tag.strip_prefix("MENDELEY_CITATION") {
        Some(rest) => {
            let code = rest.rsplit_once("v3_").map_or(rest, |(_, code)| code);
            let json = encoded::text(code);
            json.and_then(|json| csl_json::citation(&json)).into()
        }
        None => Field::Other,
    }
}

/// The codes that Zotero stores in document properties if its citations are bookmarks; in pieces:
/// `ZOTERO_BREF_x_1`, `…_2`.
pub(crate) fn bookmark_codes(
    text: &str,
    property: &str,
) -> Result<HashMap<String, String>, DocumentError> {
    let mut pieces: HashMap<String, Vec<(usize, String)>> = HashMap::new();
    let mut xml = Xml::new(text, "the properties");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == property
            && let Some(name) = element.attribute("name")
            && let Some((bookmark, number)) = name.rsplit_once('_')
            && bookmark.starts_with("ZOTERO_BREF")
            && let Ok(number) = number.parse()
        {
            let piece = (number, xml.inner_text()?);
            pieces.entry(bookmark.to_owned()).or_default().push(piece);
        }
    }
    let joined = pieces.into_iter().map(|(bookmark, mut pieces)| {
        pieces.sort();
        (bookmark, pieces.into_iter().map(|(_, text)| text).collect())
    });
    Ok(joined.collect())
}
