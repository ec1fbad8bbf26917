//! BibTeX and biblatex, read alike and written each in its own way.
//!
//! `raw` cuts a text into entries, `resolve` puts strings and inherited fields in, `fields` makes
//! items with the help of `latex`, `names` and `dates`; `inheritance` is for texts that are read piece by piece;
//! `write` goes the way back with `encode`.

mod dates;
mod encode;
mod fields;
pub mod inheritance;
pub(crate) mod kinds;
mod latex;
mod names;
mod raw;
pub mod read;
mod resolve;
mod symbols;
mod verbatim;
pub(crate) mod write;
