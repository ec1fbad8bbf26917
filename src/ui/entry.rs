//! One entry of a collection: its fields and earlier versions.

use super::html::Html;
use super::page::Moment;
use super::words::Words;
use askama::Template;
use citation_model::access::TextAccess;

/// The page.
#[derive(Template)]
#[template(path = "entry.html")]
pub struct EntryPage {
    pub words: Words,
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    /// Name and value of each field, in order.
    pub fields: Vec<(&'static str, String)>,
    pub kind: &'static str,
    pub authors: String,
    pub note: String,
    pub tags: String,
    pub status: &'static str,
    pub preview: Html,
    /// The ways to the text.
    pub access: TextAccess,
    /// The title in sentence case, if suggested.
    pub sentence_case: Option<String>,
    /// Newest first.
    pub versions: Vec<VersionView>,
    pub problem: Option<String>,
}

/// An earlier version of an entry and its changes.
#[derive(Clone, Debug, Default)]
pub struct VersionView {
    /// Version number, from 1.
    pub number: i64,
    /// `edited`, `merged` or `restored`.
    pub cause: &'static str,
    /// When it was replaced.
    pub time: Moment,
    /// Name, old and new value of each changed field.
    pub changes: Vec<(String, String, String)>,
}

/// The types that the page offers, by their API names.
pub const KINDS: [&str; 16] = [
    "Article",
    "Book",
    "Chapter",
    "ConferencePaper",
    "Thesis",
    "Report",
    "Preprint",
    "Webpage",
    "NewspaperArticle",
    "MagazineArticle",
    "Dataset",
    "Software",
    "Standard",
    "Patent",
    "MotionPicture",
    "Document",
];

/// The review states of an entry.
const STATES: [&str; 6] = [
    "clean",
    "needs_review",
    "possible_duplicate",
    "verified",
    "mismatch",
    "retracted",
];

impl EntryPage {
    /// The selectable types; the entry's own comes first if the page does not offer it.
    fn kinds(&self) -> impl Iterator<Item = &'static str> {
        let own = (!KINDS.contains(&self.kind)).then_some(self.kind);
        own.into_iter().chain(KINDS)
    }
}

impl VersionView {
    fn heading(&self, words: &Words) -> String {
        words.fill(&format!("history.{}", self.cause), &[("time", &self.time)])
    }
}
