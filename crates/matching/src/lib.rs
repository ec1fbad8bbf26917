#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - `split` takes a pasted list apart, `reference` reads one reference (with `identifiers`,
//!   `numbers`, `people` and `words`)
//! - `parse` has the steps of reading it
//! - `query` says what to ask an index for
//! - `record` prepares a candidate, `align` and `similar` find its fields in the text, `evidence`
//!   says what agrees, `score` weighs it, `rank` puts candidates in order, `explain` tells why
//!   (with `container` and `pages`)
//! - `duplicate` compares two records, and finds those of a list that are one work
//! - `normalize` is how all of them see text

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
mod container;
pub mod duplicate;
pub mod evidence;
pub mod explain;
mod given;
mod identifiers;
pub mod journals;
pub mod normalize;
mod numbers;
mod pages;
mod parse;
mod people;
pub mod query;
pub mod rank;
pub mod record;
pub mod reference;
pub mod score;
pub mod similar;
mod split;
mod words;

pub use split::{LeftOut, Piece, Reason, Split, TextPosition, split};
