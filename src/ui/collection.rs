//! A collection of the account.

use super::bibliography::{Choice, WorkView, export_links};
use super::html::Html;
use super::words::Words;
use askama::Template;

/// The page.
#[derive(Template)]
#[template(path = "collection.html")]
pub struct CollectionPage {
    pub words: Words,
    pub id: String,
    pub name: String,
    pub description: String,
    pub tags: String,
    pub choice: Choice,
    pub lines: Vec<WorkView>,
    pub has_hanging_indent: bool,
    /// The address of the shared page; None if not shared.
    pub share_url: Option<String>,
    /// Whether whoever has the link may change the works.
    pub link_can_edit: bool,
    /// Whether links may allow that.
    pub edit_links: bool,
    /// Whether the account's plan includes verification of lists.
    pub has_batches: bool,
    pub problem: Option<String>,
    /// The collection in API form, for the page's module: JSON.
    pub data: Html,
}

impl CollectionPage {
    fn exports(&self) -> Vec<(String, &'static str)> {
        export_links(&format!("/c/{}/export.", self.id), &self.choice)
    }
}
