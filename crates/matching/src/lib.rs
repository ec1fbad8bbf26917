#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - `split` splits a pasted list, `reference` parses one reference (with `identifiers`, `numbers`,
//!   `people`, `notes` and `words`), `people_style` compares the references of a list
//! - `parse` has the parsing steps
//! - `query` builds the index queries
//! - `record` prepares a candidate, `align` and `similar` find its fields in the text, `evidence`
//!   determines what agrees, `score` weighs it, `certainty` names the thresholds, `rank` orders candidates, `explain` gives the reasons (with
//!   `container` and `pages`)
//! - `duplicate` compares two records and finds the duplicates of a list
//! - `normalize` folds and tokenizes text for all of them

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

pub mod align;
mod authors;
pub mod certainty;
mod container;
pub mod duplicate;
pub mod evidence;
pub mod explain;
mod given;
mod identifiers;
pub mod journals;
pub mod normalize;
mod notes;
mod numbers;
mod pages;
mod parse;
mod people;
mod people_style;
pub mod query;
pub mod rank;
pub mod record;
pub mod reference;
pub mod score;
pub mod similar;
mod split;
mod words;

pub use people_style::mark_cut_people;
pub use split::{LeftOutLine, Piece, Reason, Split, TOKENS, TextPosition, split};
