//! From the raw text of a reference to the work that it means. Pure: text and candidate records
//! in, scores out.
//!
//! `split` takes a pasted list apart, `reference` reads one reference, `query` says which terms an
//! index should be asked for, `score` compares the reference with a candidate, and `explain` says
//! field by field how they agree. All of them see text through `normalize`, and so does whoever
//! fills the index.

pub mod align;
pub mod evidence;
mod identifiers;
pub mod normalize;
mod numbers;
mod people;
pub mod query;
pub mod record;
pub mod reference;
pub mod score;
mod similar;
mod words;
