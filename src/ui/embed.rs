//! A cite box for the pages of others, such as a library's: one thing is looked up, and its entry shown.

use super::html::Html;
use super::page::Theme;
use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The whole page.
#[derive(Default, Template)]
#[template(path = "embed.html")]
pub struct Embed<'p> {
    pub words: Words,
    pub query: &'p str,
    /// As the address names it; may be empty.
    pub style: &'p str,
    pub theme: Theme,
    /// The work that was found, as the style has it: in the bibliography and in the text.
    pub entry: Option<(Html, Html)>,
    pub problem: Option<String>,
}
