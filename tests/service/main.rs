//! Integration tests of the service, in one binary: one file per subject, `api` over HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod access;
mod accounts;
mod api;
mod auth;
mod breakage;
mod browser;
mod checkpoint;
mod ci;
mod citing;
mod clients;
mod collections;
mod config;
mod convert;
mod corpus;
mod data_folder;
mod doctor;
mod formatting;
mod freshness;
mod harvest;
mod ingest;
mod jobs;
mod journals;
mod lsp;
#[cfg(feature = "mail")]
mod mail;
mod manuscripts;
mod many_machines;
mod matching;
mod metrics;
mod oidc;
mod pdf;
mod provider;
mod quota;
mod schemas;
mod shell;
mod sixty;
mod starter_corpus;
mod store;
mod style_store;
mod support;
mod terminal;
mod webhooks;
mod webpage;
