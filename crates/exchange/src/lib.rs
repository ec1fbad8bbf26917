#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`FORMATS`] is the registry of formats, each with its own module. [`recognise`] detects the format of a
//! file; [`read`] and [`write()`](fn@write) convert. [`metadata`] is the JSON form of one item, [`keys`]
//! and [`key_pattern`] make citation keys, and a [`Problem`] describes what could not be read.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod content;
pub mod correction;
mod cost;
pub mod exact;
mod format;
mod formats;
pub mod key_pattern;
pub mod keys;
mod kinds;
mod mend;
pub mod metadata;
mod problem;
mod reading;
mod registry;
pub mod reword;
mod rows;
mod syntax;
#[cfg(test)]
mod testing;
mod unreadable;

pub use content::Content;
pub use format::{Format, KeyRule};
pub use formats::bibtex::{BIBLATEX, BIBTEX};
pub use formats::bookmarks::{BOOKMARKS, BROWSER_BOOKMARKS};
pub use formats::cff::CFF;
pub use formats::citavi::CITAVI;
pub use formats::coins::{COINS, openurl_item};
pub use formats::context_object::CONTEXT_OBJECT;
pub use formats::crossref::{Abstracts, CrossrefRecord};
pub use formats::csl_json::CSL_JSON;
pub use formats::csl_record::{CslRecord, csl_record, registry_record};
pub use formats::csl_yaml::CSL_YAML;
pub use formats::csv::{CSV, Column, UNKNOWN_COLUMNS, read_table, table};
pub use formats::endnote_xml::ENDNOTE_XML;
pub use formats::hayagriva::HAYAGRIVA;
pub use formats::jats::JATS;
pub use formats::marc::{CatalogueRecord, MARC21, MARCXML, catalogue_records};
pub use formats::mods::MODS;
pub use formats::msbib::MSBIB;
pub use formats::pubmed_xml::{PUBMED_XML, PubmedRecord, pubmed_record};
pub use formats::rdf::{DUBLIN_CORE, RDF};
pub use formats::refer::REFER;
pub use formats::refworks::REFWORKS;
pub use formats::ris::RIS;
pub use formats::tei::TEI;
pub use formats::wikipedia::WIKIPEDIA;
pub use formats::zotero::ZOTERO_JSON;
pub use formats::{bibtex, linked, zotero};
pub use problem::{Problem, ReadError, Severity};
pub use reading::{ReadItem, Reading};
pub use registry::{FORMATS, Hints, recognise};
pub use syntax::encoding::{Encoding, EncodingSource, decode, is_text};
pub use syntax::xml::each_record;
pub use syntax::xml::tree::{Element, Markup};
pub use syntax::xml::write::escaped as escaped_xml;
pub use syntax::{encoding, tokens};
pub use unreadable::Unreadable;

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// Reads a file in a format; returns nothing for a write-only format. Work and memory are linear in the
/// length of the text; the budget limits them further.
pub fn read(content: &Content<'_>, format: &Format, budget: &Budget) -> Result<Reading, Exceeded> {
    let Some(read) = format.read else {
        return Ok(Reading::default());
    };
    let mut reading = read(content, budget)?;
    for read in &mut reading.items {
        mend::read_leftover_tex(&mut read.item, format.keys == KeyRule::Latex);
    }
    reading.problems.splice(..0, content.assumed_encoding());
    Ok(reading)
}

/// Reads files of BibTeX that belong together: the strings of earlier files apply in later ones, and entries
/// inherit from entries of any file.
pub fn read_together(contents: &[&Content<'_>], budget: &Budget) -> Result<Vec<Reading>, Exceeded> {
    let texts: Vec<&str> = contents.iter().map(|content| content.text()).collect();
    let mut readings = formats::bibtex::read::read_together(&texts, budget)?;
    for (reading, content) in readings.iter_mut().zip(contents) {
        for read in &mut reading.items {
            mend::read_leftover_tex(&mut read.item, true);
        }
        reading.problems.splice(..0, content.assumed_encoding());
    }
    Ok(readings)
}

/// Options for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// BibTeX and biblatex: whether non-ASCII characters become LaTeX commands, if LaTeX has one. Default
    /// false: UTF-8.
    pub latex: bool,
}

impl WriteOptions {
    /// The letters allowed in citation keys.
    pub fn key_letters(self) -> keys::Letters {
        if self.latex {
            keys::Letters::Ascii
        } else {
            keys::Letters::Any
        }
    }
}

/// The items' own keys that [`write()`] cannot keep.
pub fn changed_keys(
    items: &[Item],
    format: &Format,
    options: &WriteOptions,
) -> Vec<keys::ChangedKey> {
    match format.keys {
        KeyRule::Latex => keys::changed(items, options.key_letters()),
        KeyRule::Unicode => keys::changed(items, keys::Letters::Any),
        KeyRule::AnyText | KeyRule::Optional => Vec::new(),
    }
}

/// Writes items in order; the text ends with a line break and is empty for a read-only format. If the
/// format has citation keys, they are unique: the item's own if valid, otherwise one made from name and
/// year ([`keys`]).
pub fn write(
    items: &[Item],
    format: &Format,
    options: &WriteOptions,
    budget: &Budget,
) -> Result<String, Exceeded> {
    match format.write {
        Some(write) => write(items, options, budget),
        None => Ok(String::new()),
    }
}
