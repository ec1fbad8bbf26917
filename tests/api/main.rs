//! The interface over HTTP, one file a route family.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod edge;
mod format;
#[path = "../support/http_stand_in.rs"]
mod http_stand_in;
mod lookup;
mod providers;
#[path = "../support/mod.rs"]
mod support;
