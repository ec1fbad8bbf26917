//! The interface over HTTP, one file a route family.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod edge;
mod format;
mod lookup;
#[path = "../support/mod.rs"]
mod support;
