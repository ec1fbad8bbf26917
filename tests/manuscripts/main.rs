//! Manuscripts keep everything but their citations: what is outside of an edit stays byte for byte, and
//! every citation is formatted or reported.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod generated;
mod projects;
mod support;
mod word;
