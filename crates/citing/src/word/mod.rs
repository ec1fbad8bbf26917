//! Formats the citations of Word documents: markers in the text, and the fields of citation programs.

mod library;
mod runs;

use citation_csl::{Class, Options};
use citation_documents::{
    CitationText, DocumentError, FieldHandling, StyleName, WordDocument, list_heading,
};
use citation_model::budget::Budget;
use citation_model::cite::Citation;

use self::library::CitedWorks;
use self::runs::{citation_text, is_in_note, word_list};
use crate::format::{FormattedCitation, format, split_note, unknown_text};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A Word document with its citations formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub bytes: Vec<u8>,
    /// Keys without a known work.
    pub unknown: Vec<String>,
    /// Citations, as printed, at places that cannot be replaced.
    pub left: Vec<String>,
}

impl From<DocumentError> for CitingError {
    fn from(cause: DocumentError) -> CitingError {
        match cause {
            DocumentError::Exceeded(cause) => CitingError::Exceeded(cause),
            cause => CitingError::Document(cause.to_string()),
        }
    }
}

/// Formats the citations of a Word document. Works that it does not embed come from `bibliographies` or
/// from the caller.
pub fn cite_word(
    bytes: &[u8],
    bibliographies: &[String],
    fields: FieldHandling,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Word, CitingError> {
    let compiled = sources.style(None, None).map_err(CitingError::Style)?;
    let is_note_style = compiled.style().options.class == Class::Note;
    let document = WordDocument::open(bytes, budget)?;
    let mut works = Works::default();
    for name in bibliographies {
        works.add_file(name, sources, budget)?;
    }
    let mut library = CitedWorks::new(works, sources);
    let citations = citations(&document, &mut library, is_note_style);
    let options = Options {
        links: false,
        budget: budget.clone(),
        ..Options::default()
    };
    let set = format(&compiled, &library.items, citations, &options)?;
    let texts: Vec<Option<CitationText>> = { document.citations() }
        .zip(&set.citations)
        .map(|(found, formatted)| match formatted {
            FormattedCitation::Known(rich) => Some(citation_text(rich, &found, is_note_style)),
            // A field without data about its works stays unchanged.
            FormattedCitation::Unknown(_) if !found.is_marker => None,
            FormattedCitation::Unknown(keys) => {
                let text = unknown_text(&compiled, keys);
                Some(citation_text(&text, &found, is_note_style))
            }
        })
        .collect();
    let printed: Vec<String> = { document.citations() }
        .map(|found| found.citation.text.clone())
        .collect();
    let list = word_list(&set.formatted, list_heading(compiled.lang()));
    let style = StyleName {
        id: &compiled.style().info.id,
        is_note: is_note_style,
        has_bibliography: set.formatted.bibliography.is_some(),
    };
    let done = document.format(&texts, &list, style, fields)?;
    let left = { done.left.iter() }
        .filter_map(|n| printed.get(*n).cloned())
        .collect();
    Ok(Word {
        bytes: done.bytes,
        unknown: set.unknown,
        left,
    })
}

/// The citations as the processor takes them.
fn citations(
    document: &WordDocument<'_>,
    library: &mut CitedWorks<'_>,
    is_note_style: bool,
) -> Vec<Citation> {
    let mut citations: Vec<Citation> = Vec::new();
    let mut new_notes = 0;
    for found in document.citations() {
        let mut citation = Citation::default();
        for cited in &found.citation.items {
            let mut cite = cited.cite.clone();
            cite.id = library.id(cited);
            cite.suffix = suffix(&cite.suffix, found.is_marker);
            citation.cites.push(cite);
        }
        if is_note_style {
            split_note(&mut citation);
            new_notes += u32::from(!is_in_note(&found));
            let before = u32::try_from(found.notes_before).unwrap_or(u32::MAX);
            citation.note_number = before.saturating_add(new_notes);
        }
        citations.push(citation);
    }
    citations
}

/// A space separates a suffix of words from its cite.
fn suffix(text: &str, is_marker: bool) -> String {
    match text.chars().next() {
        Some(c) if c.is_alphanumeric() && is_marker => format!(", {text}"),
        Some(c) if c.is_alphanumeric() => format!(" {text}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
