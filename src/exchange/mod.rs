//! Layer 1: text and items. Reads BibTeX, biblatex, RIS and CSL-JSON into items and writes items
//! in those formats and in Hayagriva's YAML; pure, without I/O. Every record of an input is either read or listed as a
//! problem with its place, and a broken record never costs its neighbours.

pub mod bibtex;
pub mod csl_json;
pub mod encoding;
pub mod format;
pub mod hayagriva;
pub mod identifiers;
pub mod key_pattern;
pub mod keys;
pub mod keywords;
pub mod languages;
pub mod metadata;
pub mod pages;
pub mod problem;
pub mod ris;

pub use encoding::{Encoding, decode, is_text};
pub use format::{Format, ReadItem, Reading, Target, detect};
pub use problem::{Problem, Severity};

use crate::model::item::Item;
use bibtex::kinds::Dialect;

/// Reads a text in a format.
pub fn read(text: &str, format: Format) -> Reading {
    match format {
        Format::Bibtex | Format::Biblatex => bibtex::read::read(text),
        Format::Ris => ris::read::read(text),
        Format::CslJson => csl_json::read(text),
    }
}

/// How to write items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// BibTeX and biblatex: whether characters outside of ASCII become LaTeX commands, as far as
    /// LaTeX has one. Default false: UTF-8.
    pub latex: bool,
    /// BibTeX and biblatex: whether words of a title with capitals behind their first letter
    /// (`mRNA`) are put in braces, lest a style lower them. They are read as protected then. What
    /// an item itself marks as protected always is. Default true.
    pub protect_capitals: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            latex: false,
            protect_capitals: true,
        }
    }
}

/// Writes items in a format, in their order; the text ends with a line break. BibTeX, biblatex and
/// Hayagriva's entries get unique keys: an item's own where it is valid, else one made of name and year ([`keys`]).
pub fn write(items: &[Item], target: impl Into<Target>, options: &WriteOptions) -> String {
    match target.into() {
        Target::Format(Format::Bibtex) => bibtex::write::write(items, Dialect::Bibtex, options),
        Target::Format(Format::Biblatex) => bibtex::write::write(items, Dialect::Biblatex, options),
        Target::Format(Format::Ris) => ris::write::write(items),
        Target::Format(Format::CslJson) => csl_json::write(items),
        Target::Hayagriva => hayagriva::write(items),
    }
}
