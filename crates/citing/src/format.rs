//! Formats citations together: known works by the processor, unknown keys as `key?`.

use std::collections::{HashMap, HashSet};

use citation_csl::{Compiled, Formatted, Options, Rich};
use citation_model::budget::Exceeded;
use citation_model::cite::{Citation, Cite, CiteMode};
use citation_model::item::Item;
use citation_model::spread::Run;
use citation_model::variable::NameVar;

/// All citations of a document, and its bibliography.
pub struct FormattedCitations {
    pub citations: Vec<FormattedCitation>,
    pub formatted: Formatted,
    /// Keys without a known work, without duplicates.
    pub unknown: Vec<String>,
}

/// How a citation is shown.
pub enum FormattedCitation {
    Known(Rich),
    /// None of its keys has a work.
    Unknown(Vec<String>),
}

pub fn format(
    compiled: &Compiled,
    items: &[Item],
    citations: Vec<Citation>,
    options: &Options,
    run: Option<&Run>,
) -> Result<FormattedCitations, Exceeded> {
    let known: HashSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let [_, delimiter, _] = compiled.citation_affixes();
    let mut unknown: Vec<String> = Vec::new();
    let mut missing: Vec<Vec<String>> = Vec::with_capacity(citations.len());
    let mut whole: Vec<Citation> = Vec::with_capacity(citations.len());
    for citation in citations {
        let keys = { citation.cites.iter() }
            .map(|cite| &cite.id)
            .filter(|id| !known.contains(id.as_str()));
        let keys: Vec<String> = keys.cloned().collect();
        for key in &keys {
            if !unknown.contains(key) {
                unknown.push(key.clone());
            }
        }
        whole.push(if keys.is_empty() {
            citation
        } else {
            without_unknown(citation, &known, delimiter)
        });
        missing.push(keys);
    }
    let mut formatted = match run {
        Some(run) => citation_csl::format_spread(compiled, items, &whole, options, run)?,
        None => citation_csl::format(compiled, items, &whole, options)?,
    };
    let richs = std::mem::take(&mut formatted.citations);
    let shown = richs.into_iter().zip(whole).zip(missing);
    let citations = shown.map(|((rich, citation), keys)| {
        if citation.cites.is_empty() && !keys.is_empty() {
            FormattedCitation::Unknown(keys)
        } else {
            FormattedCitation::Known(rich)
        }
    });
    Ok(FormattedCitations {
        citations: citations.collect(),
        formatted,
        unknown,
    })
}

/// The text of a citation none of whose keys has a work: `(key?)`.
pub fn unknown_text(compiled: &Compiled, keys: &[String]) -> Rich {
    let keys: Vec<String> = keys.iter().map(|key| format!("{key}?")).collect();
    let [prefix, delimiter, suffix] = compiled.citation_affixes();
    Rich::plain(&format!("{prefix}{}{suffix}", keys.join(delimiter)))
}

/// Separates the author named in the text from the rest, which becomes a note.
pub const SPLIT: char = '\u{10fffd}';

/// Marks where the note of a citation starts that names its author in the text.
pub fn split_note(citation: &mut Citation) {
    if let Some(first) = citation.cites.first_mut()
        && first.mode == CiteMode::Composite
    {
        first.prefix.insert(0, SPLIT);
    }
}

/// Whether a citation begins with a name that is written in lower case, and so does its note.
pub fn keeps_case(citation: &Citation, items: &HashMap<&str, &Item>) -> bool {
    let shows_names = |cite: &&Cite| cite.prefix.is_empty() && cite.mode == CiteMode::Normal;
    let Some(first) = citation.cites.first().filter(shows_names) else {
        return false;
    };
    let item = items.get(first.id.as_str());
    let names = item
        .map(|item| item.names(NameVar::Author))
        .unwrap_or_default();
    let is_small = |text: &Option<String>| {
        let letter = text
            .as_ref()
            .and_then(|text| text.chars().find(|c| c.is_alphabetic()));
        letter.is_some_and(char::is_lowercase)
    };
    let starts = names.first();
    starts.is_some_and(|name| {
        let particles = [&name.non_dropping_particle, &name.dropping_particle];
        let parts = [&name.family, &name.given, &name.literal];
        parts.into_iter().chain(particles).any(is_small)
    })
}

/// The items by their ids.
pub fn by_id(items: &[Item]) -> HashMap<&str, &Item> {
    items.iter().map(|item| (item.id.as_str(), item)).collect()
}

/// Keys without a work become affixes of the adjacent cites.
fn without_unknown(citation: Citation, known: &HashSet<&str>, delimiter: &str) -> Citation {
    let mut cites: Vec<Cite> = Vec::with_capacity(citation.cites.len());
    let mut before = String::new();
    for mut cite in citation.cites {
        if known.contains(cite.id.as_str()) {
            cite.prefix.insert_str(0, &std::mem::take(&mut before));
            cites.push(cite);
            continue;
        }
        let text = format!("{}<b>{}?</b>{}", cite.prefix, cite.id, cite.suffix);
        match cites.last_mut() {
            Some(last) => last.suffix.push_str(&format!("{delimiter}{text}")),
            None => before.push_str(&format!("{text}{delimiter}")),
        }
    }
    Citation { cites, ..citation }
}
