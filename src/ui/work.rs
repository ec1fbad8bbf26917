//! A work as a line of plain text.

use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, TextVar};

/// The title without its few permitted tags.
pub fn plain_title(item: &Item) -> String {
    without_tags(item.text(TextVar::Title).unwrap_or_default())
}

/// A title without its few permitted tags.
pub fn without_tags(title: &str) -> String {
    const TAGS: [&str; 10] = [
        "<i>",
        "</i>",
        "<b>",
        "</b>",
        "<sup>",
        "</sup>",
        "<sub>",
        "</sub>",
        "<span class=\"nocase\">",
        "</span>",
    ];
    let title = title.to_owned();
    TAGS.iter().fold(title, |title, tag| title.replace(tag, ""))
}

/// Authors, container, publisher and year, for a line below a title.
pub fn about(item: &Item) -> String {
    let authors = item.names(NameVar::Author);
    let name = |author: &Name| author.family.clone().or_else(|| author.literal.clone());
    let names: Vec<String> = authors.iter().take(3).filter_map(name).collect();
    let more = if authors.len() > 3 { ", …" } else { "" };
    let container = item.text(TextVar::ContainerTitle);
    let parts = [
        Some(names.join(", ") + more),
        container
            .filter(|_| item.kind.is_in_periodical())
            .map(str::to_owned),
        item.text(TextVar::Publisher).map(str::to_owned),
        item.year().map(|year| year.to_string()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let parts = parts.iter().map(String::as_str);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}
