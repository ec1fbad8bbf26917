//! Formats the citations of Word documents and OpenDocument texts: markers in the text of Word, and the fields of
//! citation programs.

mod library;
pub mod runs;

use std::collections::HashSet;

use citation_csl::{Options, Rich};
use citation_documents::{
    CitationChange, DocumentError, FieldHandling, LeftCause, LeftPart, OfficeDocument, StyleName,
    WordCitation, list_heading,
};
use citation_model::budget::Budget;
use citation_model::cite::Citation;
use citation_model::item::Item;

use self::library::CitedWorks;
use self::runs::{citation_text, place, word_list};
use crate::document::{CitingDocument, DocumentCitation, FieldText, SetDocument, is_note_style};
use crate::format::{FormattedCitation, unknown_text};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A Word document with its citations formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub bytes: Vec<u8>,
    /// Keys without a known work.
    pub unknown: Vec<String>,
    /// Citations that stay as they are.
    pub left: Vec<LeftPart>,
    /// The reference list, if the new one is shorter: the old one has works that nobody cites.
    pub shortened: Option<ShortenedList>,
}

/// The number of entries of a reference list before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortenedList {
    pub before: usize,
    pub after: usize,
}

/// How the fields of a document are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordOptions {
    pub fields: FieldHandling,
    pub incomplete_list: IncompleteList,
}

/// Whether a reference list is replaced if the new one lacks cited works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IncompleteList {
    #[default]
    Refuse,
    Replace,
}

impl From<DocumentError> for CitingError {
    fn from(cause: DocumentError) -> CitingError {
        match cause {
            DocumentError::Exceeded(cause) => CitingError::Exceeded(cause),
            cause => CitingError::Document(cause.to_string()),
        }
    }
}

/// Formats the citations of a Word document or an OpenDocument text. Works that it does not embed come from `bibliographies` or
/// from the caller.
pub fn cite_word(
    bytes: &[u8],
    bibliographies: &[String],
    options: WordOptions,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Word, CitingError> {
    let compiled = sources.style(None, None).map_err(CitingError::Style)?;
    let is_note_style = is_note_style(&compiled);
    let document = OfficeDocument::open(bytes, budget)?;
    let mut works = Works::default();
    let names = bibliographies.iter().map(String::as_str);
    works.add_files(names, sources, budget)?;
    let mut library = CitedWorks::new(works, sources);
    let citations = citations(&document, &mut library);
    library.list(document.listed());
    let engine_options = Options {
        links: false,
        budget: budget.clone(),
        ..Options::default()
    };
    let citing = CitingDocument {
        citations,
        works: library.items,
    };
    let SetDocument {
        citations,
        keep_case,
        works,
        set,
    } = citing.set(&compiled, &engine_options, None)?;
    let roles = roles(&document, &citations, &works);
    let unread = unread(&document, &roles);
    if !unread.is_empty()
        && document.has_list()
        && options.incomplete_list == IncompleteList::Refuse
    {
        return Err(CitingError::IncompleteList(unread));
    }
    let shown = set.citations.iter().zip(&keep_case);
    let changes: Vec<CitationChange> = { document.citations().zip(&roles).zip(shown) }
        .map(|((found, role), (shown, keeps_case))| {
            let text = |rich: &Rich, keeps_case| {
                let field = FieldText::new(rich, keeps_case, place(&found), is_note_style);
                CitationChange::Set(citation_text(rich, &field))
            };
            match (role, shown) {
                (CitationRole::Unread, _) => CitationChange::Leave,
                (CitationRole::ByHand, _) => CitationChange::KeepText,
                (CitationRole::Styled, FormattedCitation::Known(rich)) => text(rich, *keeps_case),
                (CitationRole::Styled, FormattedCitation::Unknown(keys)) => {
                    text(&unknown_text(&compiled, keys), false)
                }
            }
        })
        .collect();
    let fixed = |found| printed(found, LeftCause::Fixed);
    let fixed: Vec<LeftPart> = document.citations().map(fixed).collect();
    let by_hand = { document.citations().zip(&roles) }
        .filter(|(_, role)| **role == CitationRole::ByHand)
        .map(|(found, _)| printed(found, LeftCause::ByHand));
    let mut left: Vec<LeftPart> = unread.into_iter().chain(by_hand).collect();
    // Without a citation, nothing is known about the works of a list, and the package stays byte for byte.
    if fixed.is_empty() {
        return Ok(Word {
            bytes: bytes.to_vec(),
            unknown: set.unknown,
            left,
            shortened: None,
        });
    }
    let list = word_list(&set.formatted, list_heading(compiled.lang()));
    let (before, after) = (document.list_length(), list.entries.len());
    let shortened = (0 < after && after < before).then_some(ShortenedList { before, after });
    let style = StyleName {
        id: &compiled.style().info.id,
        is_note: is_note_style,
        has_bibliography: set.formatted.bibliography.is_some(),
    };
    let done = document.format(&changes, Some(&list), style, options.fields)?;
    left.extend(done.left.iter().filter_map(|n| fixed.get(*n).cloned()));
    Ok(Word {
        bytes: done.bytes,
        unknown: set.unknown,
        left,
        shortened,
    })
}

/// What is done with a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CitationRole {
    Styled,
    ByHand,
    /// A field of which not all works are known.
    Unread,
}

fn roles(
    document: &OfficeDocument<'_>,
    citations: &[Citation],
    items: &[Item],
) -> Vec<CitationRole> {
    let known: HashSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let is_known = |citation: &Citation| {
        let mut ids = citation.cites.iter().map(|cite| cite.id.as_str());
        ids.all(|id| known.contains(id))
    };
    { document.citations().zip(citations) }
        .map(|(found, citation)| match () {
            () if !found.is_marker && !is_known(citation) => CitationRole::Unread,
            () if found.is_by_hand => CitationRole::ByHand,
            () => CitationRole::Styled,
        })
        .collect()
}

/// The fields whose works cannot be read, and those whose works are not known.
fn unread(document: &OfficeDocument<'_>, roles: &[CitationRole]) -> Vec<LeftPart> {
    let unknown = { document.citations().zip(roles) }
        .filter(|(_, role)| **role == CitationRole::Unread)
        .map(|(found, _)| printed(found, LeftCause::Field));
    document.unread().iter().cloned().chain(unknown).collect()
}

fn printed(found: WordCitation<'_>, cause: LeftCause) -> LeftPart {
    LeftPart {
        place: found.citation.place.clone(),
        text: found.citation.text.clone(),
        cause,
    }
}

/// The citations as the operation takes them.
fn citations(document: &OfficeDocument<'_>, library: &mut CitedWorks<'_>) -> Vec<DocumentCitation> {
    let mut citations: Vec<DocumentCitation> = Vec::new();
    for found in document.citations() {
        let mut citation = Citation::default();
        for cited in &found.citation.items {
            library.add(cited);
            let mut cite = cited.cite.clone();
            cite.suffix = suffix(&cite.suffix, found.is_marker);
            citation.cites.push(cite);
        }
        citations.push(DocumentCitation {
            citation,
            place: place(&found),
            is_by_hand: found.is_by_hand,
        });
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
mod odt_tests;
#[cfg(test)]
mod tests;
