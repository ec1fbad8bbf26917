//! The library: every collection of the account, and the lists that only this browser has.

use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

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
    /// The tag whose works are shown.
    pub tag: Option<String>,
    /// The works that have the words and the tag.
    pub found: Vec<Found>,
    /// Whether there is more than is shown.
    pub is_cut_off: bool,
    /// Each tag, and how many works have it.
    pub tags: Vec<(String, u64)>,
    /// The works that came last.
    pub recent: Vec<Found>,
}

impl Library {
    /// The address of the works that have a tag.
    fn tagged(tag: &str) -> String {
        format!("/library?tag={}", percent_encode(tag))
    }

    fn is_chosen(&self, tag: &str) -> bool {
        let chosen = self.tag.as_ref();
        chosen.is_some_and(|chosen| chosen.to_lowercase() == tag.to_lowercase())
    }
}

/// A work of some collection.
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
