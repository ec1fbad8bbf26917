//! Citation: a self-hosted citation service in one binary.
//!
//! # The map
//!
//! Imports point down.
//!
//! - Layer 0, the field's words: [`citation_model`] (items, names, dates, identifiers, works), [`clock`],
//!   [`histogram`].
//! - Layer 1, pure engines, each a crate (text in, values out): [`citation_csl`] (the CSL 1.0.2
//!   processor), [`citation_exchange`] (bibliography files, the REST interface's metadata),
//!   [`citation_records`] (foreign records → works), [`citation_matching`] (references and records
//!   compared, journal titles and their short forms), [`citation_documents`] (manuscripts → citations and
//!   reference lists), [`citation_citing`] (formats the citations of manuscripts).
//! - Layer 2, the world: [`store`] (SQLite), [`corpus`] (local works and their index), [`provider`]
//!   (outside services), [`styles`] and [`citation_embedded`] (styles, locales and works in
//!   the binary), [`manuscript`] (documents; PDF in a separate process).
//! - Layer 3, policy: [`lookup`] (what was pasted → work), [`formatting`] (items in a chosen style), [`collections`] (users' libraries), [`auth`]
//!   (accounts and credentials), [`quota`] (allowances and rate limits), [`jobs`] (work in the background), [`webhooks`] (events for programs).
//! - Layer 4, the edges: [`api`] (HTTP), [`ui`] (pages), [`cli`] (commands).
//!
//! [`config`] is plain data. [`app`] builds the parts once. [`blocking`] is the one step from async into the
//! core. [`background`] runs periodic tasks, [`disk`] measures files, [`backups`] makes scheduled backups,
//! [`recovery`] restores them, [`updates`] fetches lists, and
//! [`harvest`] harvests repositories.
//!
//! # Two walks
//!
//! A DOI lookup: `api::server` accepts → `api::dispatch` finds the row of the route table →
//! `api::gate` admits by the headers → `api::body` reads the body → off the async threads
//! `api::lookup` parses a `Doi` → `lookup::resolve` asks `corpus`, then each `provider` in turn, and
//! stores the result in the corpus → `exchange::metadata` writes the reply.
//!
//! A bibliography: `api::format` reads entries into items → `formatting` chooses the style → `styles` gives the style compiled for a
//! locale → `csl` numbers, sorts, evaluates, disambiguates, collapses and writes → reply.
//!
//! # Deliberately absent
//!
//! `csl`, `exchange` and `records` never read a file, a clock or the network. Nothing below `api`
//! is async or knows a status code. No provider sees the store; the corpus sees no provider.

#![warn(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod api;
pub mod app;
pub mod auth;
pub mod background;
pub mod backups;
pub mod blocking;
pub mod cli;
pub mod clock;
pub mod collections;
pub mod config;
pub mod corpus;
pub mod disk;
pub mod formatting;
pub mod harvest;
pub mod histogram;
pub mod jobs;
pub mod lookup;
pub mod mail;
pub mod manuscript;
pub mod provider;
pub mod quota;
pub mod recovery;
pub mod store;
pub mod styles;
pub mod ui;
pub mod updates;
pub mod webhooks;
