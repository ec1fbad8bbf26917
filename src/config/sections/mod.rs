//! Every section and key of the configuration: name, type, default, range, description. The source of
//! `citation.toml`, of error messages and of the program's settings.

mod accounts;
mod data;
mod limits;
mod lookup;
mod server;

pub use accounts::*;
pub use data::*;
pub use limits::*;
pub use lookup::*;
pub use server::*;

/// The largest count of any key.
const COUNT: i64 = 1_000_000_000;

/// The largest size of any key: one tebibyte.
const TEBIBYTE: i64 = 1 << 40;

/// The longest path of any key, in characters.
const PATH: usize = 4096;

fn text(text: &str) -> String {
    text.to_owned()
}
