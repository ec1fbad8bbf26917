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

pub mod bibtex;
mod bookmarks;
mod cff;
mod citavi;
mod code_pages;
mod coins;
mod content;
mod context_object;
pub mod correction;
mod crossref;
mod csl_json;
mod csl_record;
mod csl_yaml;
mod csv;
pub mod encoding;
mod endnote_xml;
pub mod exact;
mod format;
mod hayagriva;
mod jats;
pub mod key_pattern;
pub mod keys;
mod kinds;
pub mod linked;
mod marc;
mod mend;
pub mod metadata;
mod mods;
mod msbib;
mod nbib;
mod ovid;
mod paragraphs;
mod problem;
mod pubmed_xml;
mod rdf;
mod reading;
mod refer;
mod refworks;
mod registry;
pub mod reword;
mod ris;
mod tagged;
mod tei;
#[cfg(test)]
mod testing;
pub mod tokens;
mod unreadable;
mod wikipedia;
mod wos;
mod xml;
mod yaml;
pub mod zotero;

pub use bibtex::{BIBLATEX, BIBTEX};
pub use bookmarks::{BOOKMARKS, BROWSER_BOOKMARKS};
pub use cff::CFF;
pub use citavi::CITAVI;
pub use coins::{COINS, openurl_item};
pub use content::Content;
pub use context_object::CONTEXT_OBJECT;
pub use crossref::{Abstracts, CrossrefRecord};
pub use csl_json::CSL_JSON;
pub use csl_record::{CslRecord, csl_record, registry_record};
pub use csl_yaml::CSL_YAML;
pub use csv::{CSV, Column, UNKNOWN_COLUMNS, read_table, table};
pub use encoding::{Encoding, EncodingSource, decode, is_text};
pub use endnote_xml::ENDNOTE_XML;
pub use format::{Format, KeyRule};
pub use hayagriva::HAYAGRIVA;
pub use jats::JATS;
pub use marc::{CatalogueRecord, MARC21, MARCXML, catalogue_records};
pub use mods::MODS;
pub use msbib::MSBIB;
pub use problem::{Problem, ReadError, Severity};
pub use pubmed_xml::{PUBMED_XML, PubmedRecord, pubmed_record};
pub use rdf::{DUBLIN_CORE, RDF};
pub use reading::{ReadItem, Reading};
pub use refer::REFER;
pub use refworks::REFWORKS;
pub use registry::{FORMATS, Hints, recognise};
pub use ris::RIS;
pub use tei::TEI;
pub use unreadable::Unreadable;
pub use wikipedia::WIKIPEDIA;
pub use xml::each_record;
pub use xml::tree::{Element, Markup};
pub use zotero::ZOTERO_JSON;

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// Reads a file in a format; returns nothing for a write-only format. Work and memory are linear in the
/// length of the text; the budget limits them further.
pub fn read(content: &Content<'_>, format: &Format, budget: &Budget) -> Result<Reading, Exceeded> {
    let Some(read) = format.read else {
        return Ok(Reading::default());
    };
    let mut reading = read(content, budget)?;
    reading.problems.splice(..0, content.assumed_encoding());
    Ok(reading)
}

/// Reads files of BibTeX that belong together: the strings of earlier files apply in later ones, and entries
/// inherit from entries of any file.
pub fn read_together(contents: &[&Content<'_>], budget: &Budget) -> Result<Vec<Reading>, Exceeded> {
    let texts: Vec<&str> = contents.iter().map(|content| content.text()).collect();
    let mut readings = bibtex::read::read_together(&texts, budget)?;
    for (reading, content) in readings.iter_mut().zip(contents) {
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
        match self.latex {
            true => keys::Letters::Ascii,
            false => keys::Letters::Any,
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

/// Spends the cost of reading or writing text: one step per 8 bytes.
fn spend_text(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(bytes as u64 / 8 + 1)?;
    budget.spend_bytes(bytes)
}

/// Spends the cost of writing one item, without making its keys.
fn spend_written(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(STEPS_OF_ITEM)?;
    spend_text(budget, bytes)
}

/// The cost of an item apart from its text: looking up some 150 fields.
const STEPS_OF_ITEM: u64 = 40;
