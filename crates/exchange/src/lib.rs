#![doc = include_str!("../README.md")]
//!
//! # Where things are
//!
//! [`read`] and [`write()`](fn@write) are the way in and out; each format has a module of its own. [`metadata`]
//! is the JSON form of one item, [`keys`] and [`key_pattern`] make citation keys, and a [`Problem`] says
//! what could not be read.

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
mod csl_json;
pub mod encoding;
pub mod exact;
mod format;
mod hayagriva;
pub mod identifiers;
pub mod key_pattern;
pub mod keys;
mod keywords;
mod languages;
pub mod metadata;
mod pages;
mod problem;
mod ris;

pub use encoding::{Encoding, decode, is_text};
pub use format::{Format, ReadItem, Reading, Target, detect};
pub use problem::{Problem, Severity};

use bibtex::kinds::Dialect;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// Reads a text in a format. Work and memory are linear in the text whatever it holds; where they are
/// to be less still, the budget says how much.
pub fn read(text: &str, format: Format, budget: &Budget) -> Result<Reading, Exceeded> {
    match format {
        Format::Bibtex | Format::Biblatex => bibtex::read::read(text, budget),
        Format::Ris => ris::read::read(text, budget),
        Format::CslJson => csl_json::read(text, budget),
    }
}

/// How to write items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// BibTeX and biblatex: whether characters outside of ASCII become LaTeX commands, as far as
    /// LaTeX has one. Default false: UTF-8.
    pub latex: bool,
}

impl WriteOptions {
    /// The letters that citation keys may have.
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
    target: impl Into<Target>,
    options: &WriteOptions,
) -> Vec<keys::ChangedKey> {
    match target.into() {
        Target::Format(Format::Bibtex | Format::Biblatex) => {
            keys::changed(items, options.key_letters())
        }
        Target::Hayagriva => keys::changed(items, keys::Letters::Any),
        Target::Format(Format::Ris | Format::CslJson) => Vec::new(),
    }
}

/// Writes items in a format, in their order; the text ends with a line break. BibTeX, biblatex and
/// Hayagriva's entries get unique keys: an item's own where it is valid, else one made of name and year ([`keys`]).
pub fn write(
    items: &[Item],
    target: impl Into<Target>,
    options: &WriteOptions,
    budget: &Budget,
) -> Result<String, Exceeded> {
    match target.into() {
        Target::Format(Format::Bibtex) => {
            bibtex::write::write(items, Dialect::Bibtex, options, budget)
        }
        Target::Format(Format::Biblatex) => {
            bibtex::write::write(items, Dialect::Biblatex, options, budget)
        }
        Target::Format(Format::Ris) => ris::write::write(items, budget),
        Target::Format(Format::CslJson) => csl_json::write(items, budget),
        Target::Hayagriva => hayagriva::write(items, budget),
    }
}

/// Spends what reading or writing so much text costs: 8 bytes are a step.
fn spend_text(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(bytes as u64 / 8 + 1)?;
    budget.spend_bytes(bytes)
}

/// Spends what writing one item costs, whose keys were made before.
fn spend_written(budget: &Budget, bytes: usize) -> Result<(), Exceeded> {
    budget.spend(STEPS_OF_ITEM)?;
    spend_text(budget, bytes)
}

/// What an item costs beside its text: looking for each of some 150 fields.
const STEPS_OF_ITEM: u64 = 40;
