//! Access to the `<meta>` tags of a page by name.

use citation_model::date::Date;
use citation_model::identifier::Doi;

use super::dates;
use super::page::Page;
use crate::clean;

/// The tags of a page.
#[derive(Clone, Copy)]
pub(super) struct Metas<'p>(pub &'p Page);

impl<'p> Metas<'p> {
    /// The values in order of `names`, without placeholders.
    pub fn all<'n>(self, names: &'n [&'n str]) -> impl Iterator<Item = &'p str> + use<'p, 'n> {
        let under = move |wanted: &'n str| {
            let metas = self.0.metas.iter();
            metas
                .filter(move |(name, _)| name == wanted)
                .map(|(_, value)| value.as_str())
        };
        let values = names.iter().flat_map(move |name| under(name));
        values.filter(|value| !is_blank(value))
    }

    /// Whether Open Graph calls the page an article, in any case.
    pub fn is_article(self) -> bool {
        self.first(&["og:type"])
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("article"))
    }

    pub fn first(self, names: &[&str]) -> Option<&'p str> {
        self.all(names).next()
    }

    /// The first value as plain text.
    pub fn plain(self, names: &[&str]) -> Option<String> {
        let text = self.first(names).map(clean::plain)?;
        (!text.is_empty()).then_some(text)
    }

    /// The first value as rich text.
    pub fn rich(self, names: &[&str]) -> Option<String> {
        let text = self.first(names).map(clean::rich)?;
        (!text.is_empty()).then_some(text)
    }

    /// The values of the first name that has any.
    pub fn list(self, names: &[&str]) -> Vec<&'p str> {
        let lists = names.iter().map(|name| self.all(&[name]).collect());
        lists
            .into_iter()
            .find(|list: &Vec<_>| !list.is_empty())
            .unwrap_or_default()
    }

    /// The raw values of the names.
    pub fn owned(self, names: &[&str]) -> Vec<String> {
        self.all(names).map(str::to_owned).collect()
    }

    pub fn date(self, names: &[&str]) -> Option<Date> {
        let lang = self.0.lang.as_deref();
        self.all(names)
            .find_map(|text| dates::parse(&dates::with_stops(text, lang)))
    }

    pub fn doi(self, names: &[&str]) -> Option<String> {
        self.all(names).find_map(doi)
    }
}

/// Unfilled placeholders of templates.
fn is_blank(value: &str) -> bool {
    let value = value.trim();
    value.is_empty()
        || value == "-"
        || value.starts_with("{{")
        || ["null", "none", "undefined", "n/a"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
}

/// The DOI in a longer text.
pub(super) fn doi(text: &str) -> Option<String> {
    let text = text.get(text.find("10.")?..)?;
    let end =
        text.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '?' | '#' | '|'));
    let text = text.get(..end.unwrap_or(text.len()))?;
    Doi::parse(text).ok().map(|doi| doi.as_str().to_owned())
}

/// First and last page as a range.
pub(super) fn pages(first: Option<String>, last: Option<String>) -> Option<String> {
    // The extent of a thesis, `284 p. : ill., maps`, is no page.
    let first = first.filter(|first| !first.contains(" : "))?;
    let pages = match last {
        Some(last) if last != first => format!("{first}-{last}"),
        _ => first,
    };
    clean::pages(&pages)
}
