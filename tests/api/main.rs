//! The interface over HTTP, one file a route family.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod auth;
mod collections;
mod convert;
mod edge;
mod format;
mod gate;
#[path = "../support/http_stand_in.rs"]
mod http_stand_in;
#[path = "../support/identity_provider.rs"]
mod identity_provider;
mod lookup;
mod matching;
mod own_styles;
mod pages;
mod providers;
mod quota;
mod scheduling;
#[path = "../support/mod.rs"]
mod support;
mod utilities;
