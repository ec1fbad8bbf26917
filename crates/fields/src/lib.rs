#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`item_builder`] builds an item from fields in any order, [`set`] sets single variables from raw values,
//!   and [`notice`] describes what was changed
//! - [`names`], [`roles`], [`parts`], [`catalogue`] and [`statement`] read people, roles and dates
//! - [`pages`], [`languages`], [`identifiers`] and [`keywords`] read these fields
//! - [`clean`], [`markup`], `mathml`, [`latex`] and [`rich_text`] turn markup into rich text
//! - [`lenient`] reads JSON values of the wrong type

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod access;
pub mod catalogue;
pub mod clean;
pub mod identifiers;
pub mod item_builder;
pub mod keywords;
pub mod languages;
pub mod latex;
pub mod lenient;
pub mod markup;
mod mathml;
pub mod names;
pub mod notice;
pub mod pages;
pub mod parts;
pub mod rich_text;
pub mod roles;
pub mod set;
pub mod statement;
pub mod tags;
