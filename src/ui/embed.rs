//! A cite box for other sites, such as a library's: looks up one thing and shows its entry.

use super::html::Html;
use super::page::Theme;
use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The whole page.
#[derive(Default, Template)]
#[template(path = "embed.html")]
pub struct EmbedPage<'p> {
    pub words: Words,
    pub query: &'p str,
    /// As given in the address; may be empty.
    pub style: &'p str,
    pub theme: Theme,
    /// The work found, formatted as bibliography entry and in-text citation.
    pub entry: Option<(Html, Html)>,
    pub problem: Option<String>,
}
