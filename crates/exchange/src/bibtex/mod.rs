//! BibTeX and biblatex, read alike and written each in its own way.
//!
//! `raw` cuts a text into entries, `resolve` puts strings and inherited fields in, `fields` makes
//! items with the help of `latex`, `names` and `dates`; `lent` is for texts that are read piece by piece;
//! `write` goes the way back with `encode`.

pub mod dates;
pub mod encode;
pub mod fields;
pub mod kinds;
pub mod latex;
pub mod lent;
pub mod names;
pub mod raw;
pub mod read;
pub mod resolve;
pub mod symbols;
pub mod verbatim;
pub mod write;
