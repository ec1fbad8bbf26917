//! RIS: tagged lines, read leniently and written plainly.

pub mod fields;
pub mod kinds;
pub mod parse;
pub mod read;
pub mod write;
