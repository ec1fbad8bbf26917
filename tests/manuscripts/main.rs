//! What formatting does to manuscripts: nothing outside the citations and the reference list.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod word;
