//! The styles: search, and one style with a sample.

use super::html::Html;
use super::own_styles::OwnStylesView;
use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The search page.
#[derive(Template)]
#[template(path = "styles.html")]
pub struct StylesPage<'p> {
    pub words: Words,
    pub query: &'p str,
    pub format: &'p str,
    pub field: &'p str,
    pub found: Vec<StyleView>,
    /// Short names with a similar spelling, if nothing is found.
    pub nearest: Vec<(String, String)>,
    /// Titles of styles that the public collection has.
    pub elsewhere: Vec<&'static str>,
    /// Number of all styles.
    pub total: u64,
    /// The part for the user's own styles.
    pub own: OwnStylesView,
}

/// A style in the list.
#[derive(Clone, Debug, Default)]
pub struct StyleView {
    pub id: String,
    pub title: String,
    /// `author-date`, `author`, `numeric`, `label`, `note`; empty if the style does not state it.
    pub format: &'static str,
    /// The style that it depends on.
    pub parent: Option<String>,
    /// The disciplines, by their names in styles.
    pub fields: Vec<String>,
    /// A sample entry, or citation if the style has no bibliography; empty if not made.
    pub sample: Html,
}

/// The disciplines that styles name (CSL 1.0.2, Appendix I, categories).
pub const FIELDS: [&str; 26] = [
    "anthropology",
    "astronomy",
    "biology",
    "botany",
    "chemistry",
    "communications",
    "engineering",
    "generic-base",
    "geography",
    "geology",
    "history",
    "humanities",
    "law",
    "linguistics",
    "literature",
    "math",
    "medicine",
    "philosophy",
    "physics",
    "political_science",
    "psychology",
    "science",
    "social_science",
    "sociology",
    "theology",
    "zoology",
];

/// The classes of styles.
pub const FORMATS: [&str; 5] = ["author-date", "author", "numeric", "label", "note"];

/// The page of an unknown style.
#[derive(Template)]
#[template(path = "no_style.html")]
pub struct NoStylePage {
    pub words: Words,
    /// Short names and titles of styles with a similar name.
    pub nearest: Vec<(String, String)>,
    /// Titles of styles that the public collection has.
    pub elsewhere: Vec<&'static str>,
}

impl StyleView {
    /// Class, fields and parent in one line.
    fn about(&self, words: &Words) -> String {
        let fields = self
            .fields
            .iter()
            .map(|field| words.name("discipline", field));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let parent = self.parent.as_deref().unwrap_or_default();
        let mut parts = vec![words.name("format", self.format), &fields, parent];
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }
}

/// The page of one style.
#[derive(Template)]
#[template(path = "style.html")]
pub struct StylePage {
    pub words: Words,
    pub card: StyleView,
    pub updated: Option<String>,
    pub license: Option<String>,
    /// Rendered works: type, in-text citation, entry.
    pub sample: Vec<(&'static str, String, Html)>,
}
