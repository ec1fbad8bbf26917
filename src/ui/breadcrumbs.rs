//! Where a page stands: the pages above it, as links.

use super::html::{Html, Template};
use super::words::Words;

const TRAIL: Template =
    Template(r#"<nav class="trail" aria-label="{~trail.label}"><ol>{links}</ol></nav>"#);

const LINK: Template = Template(r#"<li><a href="{address}" dir="auto">{name}</a></li>"#);

/// The library, and the pages below it that are named: address and name.
pub fn below_library(words: Words, pages: &[(&str, &str)]) -> Html {
    let library = ("/library", words.get("library.title"));
    let links = std::iter::once(&library).chain(pages);
    let links = links.map(|(address, name)| {
        LINK.fill(&[("address", (*address).into()), ("name", (*name).into())])
    });
    TRAIL.say(words, &[("links", Html::join(links).into())])
}
