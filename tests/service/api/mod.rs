//! The HTTP API, one file per route family.

mod auth;
mod cited_document;
pub mod collections;
mod compat;
mod compat_translate;
pub mod compat_zotero;
mod convert;
mod description;
mod documents;
mod edge;
mod format;
mod gate;
mod lookup;
mod lookup_any;
mod matching;
mod mcp;
mod oauth;
mod own_styles;
pub mod pages;
mod pastes;
mod providers;
mod quota;
mod scheduling;
mod utilities;
