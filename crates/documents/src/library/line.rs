//! A work in one line.

use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// Maximum number of authors before `et al.`
const MAX_AUTHORS: usize = 3;

/// The main facts of a work in one line, for display.
pub(crate) fn line(item: &Item) -> String {
    let authors = [NameVar::Author, NameVar::Editor]
        .iter()
        .map(|role| item.names(*role))
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let names: Vec<String> = authors
        .iter()
        .take(MAX_AUTHORS)
        .map(|name| name.display())
        .collect();
    let mut line = names.join(", ");
    if authors.len() > MAX_AUTHORS {
        line.push_str(" et al.");
    }
    if let Some(year) = item.year() {
        line.push_str(&format!(" ({year})"));
    }
    let mut sentences = vec![line.trim().to_owned()];
    sentences.extend(item.text(TextVar::Title).map(without_tags));
    let mut place = item
        .text(TextVar::ContainerTitle)
        .map(without_tags)
        .unwrap_or_default();
    if let Some(volume) = item.number(NumberVar::Volume) {
        place.push_str(&format!(" {volume}"));
    }
    if let Some(page) = item.number(NumberVar::Page) {
        place.push_str(&format!(", {page}"));
    }
    sentences.push(place.trim_start_matches([',', ' ']).to_owned());
    let identifier = item.doi().map(|doi| doi.url());
    sentences.extend(identifier.or_else(|| item.text(TextVar::Url).map(str::to_owned)));
    sentences.retain(|sentence| !sentence.is_empty());
    let mut line = sentences.join(". ").replace("?. ", "? ");
    if !line.ends_with('.') && item.doi().is_none() {
        line.push('.');
    }
    line
}

/// A text without CSL rich text tags.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let tags = ["i>", "b>", "sup>", "sub>", "sc>", "span"];
        let bare = behind.strip_prefix('/').unwrap_or(behind);
        match behind.split_once('>') {
            Some((_, tail)) if tags.iter().any(|tag| bare.starts_with(tag)) => rest = tail,
            _ => {
                out.push('<');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
