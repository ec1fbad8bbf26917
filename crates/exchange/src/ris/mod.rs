//! RIS: tagged lines, read leniently and written plainly.

mod fields;
mod kinds;
pub mod parse;
pub mod read;
pub mod write;
