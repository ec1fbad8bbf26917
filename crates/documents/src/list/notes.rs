//! References in notes, of documents without a list.

use std::collections::HashSet;

use citation_model::budget::{Budget, Exceeded};

use super::entries::reference;
use super::evidence::numbered;
use crate::document::{Block, BlockKind, ListedReference};
use crate::headings::names_notes;
use crate::normalize::letters;
use crate::shape::{LIKELY, has_year, last_year, score, without_label};

/// The works cited in full in notes, at the foot of pages or behind the text. Short forms and `ibid.` refer to works of earlier notes.
pub(super) fn in_notes(
    blocks: &[Block],
    budget: &Budget,
) -> Result<Vec<ListedReference>, Exceeded> {
    let mut found: Vec<ListedReference> = Vec::new();
    let mut seen = HashSet::new();
    for note in notes(blocks) {
        for piece in note_pieces(&note.text) {
            let text = without_signal(without_label(piece));
            let is_full = score(text) > LIKELY && has_year(text) && text.len() > 30;
            if is_full && seen.insert(letters(text)) {
                found.push(reference(text, Some(note), budget)?);
            }
        }
    }
    Ok(found)
}

/// The notes of a document, or the numbered paragraphs under a heading of notes.
fn notes(blocks: &[Block]) -> Vec<&Block> {
    let notes: Vec<&Block> = { blocks.iter() }
        .filter(|block| block.kind == BlockKind::Note)
        .collect();
    let Some(heading) = blocks.iter().rposition(|block| names_notes(&block.text)) else {
        return notes;
    };
    let behind: Vec<&Block> = blocks.iter().skip(heading + 1).collect();
    let numbers = numbered(behind.iter().map(|block| block.text.as_str()));
    if notes.is_empty() {
        numbers
            .iter()
            .filter_map(|n| behind.get(*n))
            .copied()
            .collect()
    } else {
        notes
    }
}

/// Splits the cites of a note at semicolons between possible full cites.
fn note_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let last_year = last_year(text);
    for (at, _) in text.match_indices("; ") {
        let before = text.get(start..at).unwrap_or_default();
        let behind = text.get(at + 2..).unwrap_or_default();
        if score(before) >= LIKELY || behind.len() < 30 || last_year.is_none_or(|year| year < at) {
            pieces.push(before);
            start = at + 2;
        }
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

/// A cite without its introductory words.
fn without_signal(text: &str) -> &str {
    let mut text = text.trim();
    for signal in [
        "See also ",
        "see also ",
        "See, e.g., ",
        "See ",
        "see ",
        "Cf. ",
        "cf. ",
        "Vgl. ",
        "vgl. ",
        "Voir ",
        "Siehe ",
        "Compare ",
        "compare ",
    ] {
        text = text.strip_prefix(signal).unwrap_or(text);
    }
    text
}
