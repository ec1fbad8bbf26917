//! Layer 1: titles of journals and their short forms, in either direction. Pure: tables in,
//! answers out.
//!
//! - `key` folds both into what spellings of one have in common
//! - `beginnings` tells whether a short form may stand for a title (`J. Am. Chem. Soc.`)
//! - `pair` is what tables hold, `builtin` the table inside the program, `list` reads others
//! - `question` asks tables, `answer` puts in order what they know

pub mod answer;
pub mod beginnings;
pub mod builtin;
pub mod key;
pub mod list;
pub mod pair;
pub mod question;

pub use answer::{Answer, Candidate};
pub use pair::{Origin, Pair};
pub use question::{Tables, abbreviate, expand};
