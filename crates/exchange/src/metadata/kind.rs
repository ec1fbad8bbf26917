//! The type of an item sent by a client, in any vocabulary, or inferred if absent.

use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{NumberVar, TextVar};

/// Reads a type. Lower-case `article` is BibTeX's journal article or CSL's preprint: a journal indicates
/// the first, a sign of a preprint the second. Without either, it is a journal article (interface
/// decisions, choice B).
pub(super) fn read_kind(text: &str, item: &Item) -> Option<ItemType> {
    let text = text.trim();
    if text == "article" {
        return Some(if looks_like_preprint(item) {
            ItemType::Preprint
        } else {
            ItemType::Article
        });
    }
    // Crossref uses `posted-content` for preprints and blog posts and distinguishes them in its subtype,
    // which is CSL's genre.
    if text.eq_ignore_ascii_case("posted-content") && genre_is(item, &["blog", "other"]) {
        return Some(ItemType::BlogPost);
    }
    if text.eq_ignore_ascii_case("unpublished") && looks_like_preprint(item) {
        return Some(ItemType::Preprint);
    }
    // The API's own `Collection` is CSL's; biblatex's `collection` is a book.
    if text == ItemType::Collection.json_name() {
        return Some(ItemType::Collection);
    }
    ItemType::parse(text).or_else(|| ItemType::from_csl(text))
}

fn looks_like_preprint(item: &Item) -> bool {
    if item.text(TextVar::ContainerTitle).is_some() {
        return false;
    }
    let archived = item
        .text(TextVar::Archive)
        .is_some_and(names_preprint_server)
        || item
            .text(TextVar::Publisher)
            .is_some_and(names_preprint_server);
    archived || item.text(TextVar::ArxivId).is_some() || genre_is(item, &["preprint"])
}

fn names_preprint_server(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "arxiv", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "ssrn", "preprint",
    ]
    .iter()
    .any(|server| lower.contains(server))
}

fn genre_is(item: &Item, genres: &[&str]) -> bool {
    item.text(TextVar::Genre)
        .is_some_and(|genre| genres.iter().any(|g| genre.eq_ignore_ascii_case(g)))
}

/// The most likely type of an item, from its variables.
pub(super) fn infer(item: &Item) -> ItemType {
    let has = |variable| item.text(variable).is_some();
    let in_periodical = has(TextVar::Issn)
        || has(TextVar::Pmid)
        || item.number(NumberVar::Volume).is_some() && item.number(NumberVar::Issue).is_some();
    if has(TextVar::ContainerTitle) {
        return if has(TextVar::EventTitle) {
            ItemType::ConferencePaper
        } else if has(TextVar::Isbn) || has(TextVar::Publisher) && !in_periodical {
            ItemType::Chapter
        } else {
            ItemType::Article
        };
    }
    if in_periodical {
        ItemType::Article
    } else if has(TextVar::ArxivId) {
        ItemType::Preprint
    } else if has(TextVar::Isbn) || item.number(NumberVar::Edition).is_some() {
        ItemType::Book
    } else if has(TextVar::Url) && !has(TextVar::Doi) && !has(TextVar::Publisher) {
        ItemType::Webpage
    } else {
        ItemType::Document
    }
}
