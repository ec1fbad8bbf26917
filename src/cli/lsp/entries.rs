//! The entries of a bibliography with the places of their keys.

use std::ops::Range;
use std::sync::Arc;

use citation_exchange::{self as exchange, Content, Hints, Problem};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};

use super::text::SourceText;
use super::uses::{KEY_FIELDS, KeyUse, is_key_char};

/// A bibliography file.
#[derive(Clone, Debug, Default)]
pub struct Bibliography {
    pub entries: Vec<Entry>,
    /// Keys that entries name in their fields.
    pub uses: Vec<KeyUse>,
    pub problems: Vec<Problem>,
}

/// An entry.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    /// The place of the key, in bytes.
    pub range: Range<usize>,
    pub item: Arc<Item>,
    /// `Doe & Roe (2001)`.
    pub summary: String,
    /// Key, names, title and year in lower case, to search in.
    pub words: String,
}

/// The extensions of bibliographies, without a dot.
const EXTENSIONS: [&str; 5] = ["bib", "json", "yaml", "yml", "ris"];
/// The most characters of a title that are searched.
const MAX_TITLE: usize = 120;

pub fn is_bibliography(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

impl Bibliography {
    /// Reads a file; `None` if it is no bibliography with keys.
    pub fn read(name: &str, text: &SourceText) -> Option<Bibliography> {
        let content = Content::new(text.as_str().as_bytes());
        let hints = Hints {
            file_name: Some(name),
            ..Hints::default()
        };
        let budget = Budget::unlimited();
        let is_bibtex = name.ends_with(".bib");
        let format = match exchange::recognise(&content, hints, &budget) {
            Ok(Ok(Some(format))) => format,
            // A file that is still empty.
            _ if is_bibtex => return Some(Bibliography::default()),
            _ => return None,
        };
        let reading = exchange::read(&content, format, &budget).ok()?;
        let mut entries = Vec::with_capacity(reading.items.len());
        for read in reading.items {
            let key = if read.citation_key.is_empty() {
                read.item.id.clone()
            } else {
                read.citation_key
            };
            let from = text.line_start(read.line.saturating_sub(1));
            if let Some(range) = key_range(text.as_str(), &key, from, is_bibtex) {
                entries.push(Entry::new(key, range, read.item));
            }
        }
        let uses = if is_bibtex {
            field_uses(text.as_str())
        } else {
            Vec::new()
        };
        Some(Bibliography {
            entries,
            uses,
            problems: reading.problems,
        })
    }
}

/// The place of a key in its record, which starts at `from`.
fn key_range(text: &str, key: &str, from: usize, is_bibtex: bool) -> Option<Range<usize>> {
    if key.is_empty() {
        return None;
    }
    let rest = text.get(from..)?;
    let mut at = 0;
    if is_bibtex {
        at = rest.find(['{', '('])? + 1;
        at += rest.get(at..)?.find(|c: char| !c.is_whitespace())?;
    }
    let start = from + at + rest.get(at..)?.find(key)?;
    Some(start..start + key.len())
}

/// The keys in fields of BibTeX that name other entries.
fn field_uses(text: &str) -> Vec<KeyUse> {
    let mut uses = Vec::new();
    for (at, _) in text.match_indices('=') {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let tail = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let field = before.get(tail.len()..).unwrap_or_default();
        if !KEY_FIELDS
            .iter()
            .any(|known| field.eq_ignore_ascii_case(known))
        {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let value = rest.trim_start();
        let Some(inside) = value.strip_prefix(['{', '"']) else {
            continue;
        };
        let from = at + 1 + rest.len() - inside.len();
        let length = inside.find(['}', '"']).unwrap_or_default();
        let mut start = from;
        for part in inside.get(..length).unwrap_or_default().split(',') {
            let key = part.trim();
            let begin = start + part.find(key).unwrap_or_default();
            if !key.is_empty() && key.chars().all(is_key_char) {
                uses.push(KeyUse {
                    key: key.to_owned(),
                    range: begin..begin + key.len(),
                    is_certain: true,
                });
            }
            start += part.len() + 1;
        }
    }
    uses
}

impl Entry {
    fn new(key: String, range: Range<usize>, item: Item) -> Entry {
        let summary = summary(&item);
        let title: String = { item.text(TextVar::Title).unwrap_or_default().chars() }
            .take(MAX_TITLE)
            .collect();
        let words = format!("{key} {summary} {title}").to_lowercase();
        Entry {
            key,
            range,
            summary,
            words,
            item: Arc::new(item),
        }
    }
}

/// The authors and the year of a work.
pub fn summary(item: &Item) -> String {
    let authors = item.names(NameVar::Author);
    let names = if authors.is_empty() {
        item.names(NameVar::Editor)
    } else {
        authors
    };
    let family = |name: &citation_model::name::Name| {
        let family = name.family.as_ref().or(name.literal.as_ref());
        family.cloned().unwrap_or_default()
    };
    let mut text = match names {
        [] => item.text(TextVar::Title).unwrap_or_default().to_owned(),
        [one] => family(one),
        [one, other] => format!("{} & {}", family(one), family(other)),
        [one, ..] => format!("{} et al.", family(one)),
    };
    if let Some(year) = item.year() {
        text.push_str(&format!(" ({year})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_entries_have_their_places() {
        let text = "% a comment\n@book{emma,\n title={Emma}, author={Austen, Jane}, year=1815}\n@inbook(\n  part, crossref = {emma}, author={A and B and C})\n@book{emma, title={Again}}\n";
        let text = SourceText::new(text.to_owned());
        let read = Bibliography::read("r.bib", &text).unwrap();
        let found: Vec<(&str, &str)> = { read.entries.iter() }
            .map(|entry| {
                (
                    entry.key.as_str(),
                    text.as_str().get(entry.range.clone()).unwrap(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [("emma", "emma"), ("part", "part"), ("emma", "emma")]
        );
        assert_eq!(read.entries[0].summary, "Austen (1815)");
        assert_eq!(read.uses.len(), 1);
        let used = text.as_str().get(read.uses[0].range.clone());
        assert_eq!(used, Some("emma"));
    }
}
