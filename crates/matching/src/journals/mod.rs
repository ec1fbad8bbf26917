//! Layer 1: journal titles and their abbreviations, in either direction. Pure: takes tables, returns
//! answers.
//!
//! - `key` folds spelling variants to one key
//! - `beginnings` checks whether a short form may abbreviate a title (`J. Am. Chem. Soc.`)
//! - `pair` is a table entry, `builtin` the embedded table, `list` reads other tables
//! - `question` queries tables, `answer` orders the results

pub mod answer;
pub mod beginnings;
pub mod builtin;
pub mod key;
pub mod list;
pub mod pair;
pub mod question;

pub use answer::{TitleCandidate, TitleLookup};
pub use pair::{Pair, PairOrigin};
pub use question::{Tables, abbreviate, expand};
