//! The library: every collection of the account, and the lists that only this browser has.

use super::words::Words;
use askama::Template;

/// The page.
#[derive(Debug, Default, Template)]
#[template(path = "library.html")]
pub struct Library {
    pub words: Words,
    /// Whether somebody has signed in; without, only what the browser keeps is shown.
    pub is_signed_in: bool,
    pub collections: Vec<Card>,
    /// How many collections the plan has.
    pub limit: u64,
    pub problem: Option<String>,
    /// The id of a collection that was deleted just now.
    pub deleted: Option<String>,
    /// Words that are looked for in all collections; nothing: none are.
    pub query: Option<String>,
    pub found: Vec<Found>,
    /// Whether there is more than is shown.
    pub is_cut_off: bool,
}

/// A work that has the words.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    pub about: String,
    pub tags: Vec<String>,
}

/// A collection in the list.
#[derive(Clone, Debug, Default)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub entries: u64,
    pub tags: Vec<String>,
    /// A day: `2026-11-21`.
    pub updated: String,
    pub is_shared: bool,
}
