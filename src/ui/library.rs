//! The library: the account's collections, and the lists kept only in this browser.

use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The page.
#[derive(Debug, Default, Template)]
#[template(path = "library.html")]
pub struct LibraryPage {
    pub words: Words,
    /// Whether somebody has signed in; otherwise only the browser's lists are shown.
    pub is_signed_in: bool,
    pub collections: Vec<CollectionView>,
    /// The plan's number of collections.
    pub limit: u64,
    /// Whether plans are shown.
    pub sells_plans: bool,
    pub problem: Option<String>,
    /// The id of a collection just deleted.
    pub deleted: Option<String>,
    /// The words searched in all collections; None without a search.
    pub query: Option<String>,
    /// The tag whose works are shown.
    pub tag: Option<String>,
    /// The works that match the words and the tag.
    pub found: Vec<FoundWorkView>,
    /// Whether more works match.
    pub is_cut_off: bool,
    /// Each tag and its number of works.
    pub tags: Vec<(String, u64)>,
    /// The works added last.
    pub recent: Vec<FoundWorkView>,
}

impl LibraryPage {
    /// The address of a tag's works.
    fn tagged(tag: &str) -> String {
        format!("/library?tag={}", percent_encode(tag))
    }

    fn is_chosen(&self, tag: &str) -> bool {
        let chosen = self.tag.as_ref();
        chosen.is_some_and(|chosen| chosen.to_lowercase() == tag.to_lowercase())
    }
}

/// A work of any collection.
#[derive(Clone, Debug, Default)]
pub struct FoundWorkView {
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    pub about: String,
    pub tags: Vec<String>,
}

/// A collection in the list.
#[derive(Clone, Debug, Default)]
pub struct CollectionView {
    pub id: String,
    pub name: String,
    pub entries: u64,
    pub tags: Vec<String>,
    /// A day: `2026-11-21`.
    pub updated: String,
    pub is_shared: bool,
}
