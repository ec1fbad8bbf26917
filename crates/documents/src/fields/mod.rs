//! Parses what citation programs store in fields of word processors: CSL-JSON of Zotero and Mendeley, XML
//! of EndNote, tags of Word's own sources.

mod csl_json;
mod encoded;
mod endnote;
mod word;

pub(crate) use csl_json::with_text;
pub(crate) use word::word_sources;

use std::collections::HashMap;

use crate::document::Cited;
use crate::error::DocumentError;
use crate::xml::{Node, Xml};

/// The meaning of a field for references.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Citation(Vec<Cited>),
    Bibliography,
    /// A table of contents: its headings are not headings of the text.
    Contents,
    Other,
}

/// Reads the instruction of a field or the name of a mark, with EndNote's data.
pub(crate) fn read(instruction: &str, fld_data: &str) -> Field {
    let code = instruction.trim();
    let code = code.strip_prefix("ADDIN").unwrap_or(code).trim_start();
    let first = code.split_whitespace().next().unwrap_or_default();
    match first {
        "EN.CITE" => {
            let own = code.get("EN.CITE".len()..).unwrap_or_default().trim();
            let xml = match own.starts_with('<') {
                true => Some(own.to_owned()),
                false => encoded::text(fld_data),
            };
            Field::Citation(xml.map(|xml| endnote::cites(&xml)).unwrap_or_default())
        }
        "EN.REFLIST" | "BIBLIOGRAPHY" | "ZOTERO_BIBL" | "BIBL" => Field::Bibliography,
        "CITATION" => Field::Citation(word::cites(
            code.get("CITATION".len()..).unwrap_or_default(),
        )),
        "TOC" => Field::Contents,
        _ if code.contains("CSL_BIBLIOGRAPHY") => Field::Bibliography,
        _ if code.contains("CSL_CITATION") || first.starts_with("ZOTERO_") || first == "ITEM" => {
            match code.find('{').and_then(|at| code.get(at..)) {
                Some(json) => Field::Citation(csl_json::cites(json)),
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
            Field::Citation(
                encoded::text(code)
                    .map(|json| csl_json::cites(&json))
                    .unwrap_or_default(),
            )
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
