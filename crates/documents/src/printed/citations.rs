//! The citations found in a text, and what they say about the list.

use std::collections::HashSet;

use crate::document::{Block, Cited, Finding, FindingKind, ListedReference, ManuscriptCitation};
use crate::normalize::letters;

/// Maximum number of letters in brackets.
pub(super) const MAX_GROUP_LENGTH: usize = 400;

/// The citations of the text.
#[derive(Default)]
pub(super) struct PrintedCitations {
    pub citations: Vec<ManuscriptCitation>,
    /// Possible citations without an entry, with the first word that the entry would have.
    pub undefined: Vec<(String, ManuscriptCitation)>,
    pub is_by_label: bool,
}

impl PrintedCitations {
    pub(super) fn cited(&self) -> HashSet<usize> {
        let items = self.citations.iter().flat_map(|citation| &citation.items);
        items.filter_map(|cited| cited.reference).collect()
    }

    /// Missing entries are reported only if nearly everything else matches, because otherwise the text may
    /// be misread.
    pub fn findings(
        &self,
        body: &[&Block],
        references: &[ListedReference],
        list: &str,
    ) -> Vec<Finding> {
        let cited = self.cited();
        let left = references.len() - cited.len().min(references.len());
        let mut findings = Vec::new();
        if references.len() < 3 || left * 10 > references.len() {
            return findings;
        }
        let text: Vec<&str> = body.iter().map(|block| block.text.as_str()).collect();
        let text = text.join("\n");
        let words: HashSet<String> = words(&text).map(|(_, word)| letters(word)).collect();
        for (n, reference) in references.iter().enumerate() {
            let name = if self.is_by_label {
                reference.label.clone()
            } else {
                first_words(reference).first().cloned()
            };
            let is_named = |name: &String| {
                if self.is_by_label {
                    is_number_in(&text, name)
                } else {
                    words.contains(name)
                }
            };
            if !cited.contains(&n) && name.is_some_and(|name| !is_named(&name)) {
                findings.push(Finding::uncited(reference));
            }
        }
        let known: HashSet<String> = self::words(list).map(|(_, word)| letters(word)).collect();
        for (name, citation) in &self.undefined {
            let is_known = if self.is_by_label {
                is_number_in(list, name)
            } else {
                known.contains(name)
            };
            if !is_known {
                let text = &citation.text;
                findings.push(Finding {
                    kind: FindingKind::UndefinedKey,
                    message: format!("No entry of the list is what “{text}” cites."),
                    keys: vec![text.clone()],
                    place: citation.place.clone(),
                });
            }
        }
        findings
    }
}

/// Whether a number occurs in a text on its own.
fn is_number_in(text: &str, number: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(number).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + number.len()..)
            .and_then(|rest| rest.chars().next());
        !is_digit(before) && !is_digit(behind)
    })
}

pub(super) fn citation(block: &Block, items: Vec<Cited>, text: &str) -> ManuscriptCitation {
    ManuscriptCitation {
        items,
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        place: block.place.clone(),
        ..ManuscriptCitation::default()
    }
}

pub(super) fn cited(references: &[ListedReference], n: usize) -> Cited {
    Cited {
        doi: references
            .get(n)
            .and_then(|reference| reference.doi.clone()),
        reference: Some(n),
        ..Cited::default()
    }
}

/// Words of letters with their offsets.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '‐' | '\u{301}');
    text.split(move |c: char| !is_part(c))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The first words of an entry, which contain its first author.
pub(super) fn first_words(reference: &ListedReference) -> Vec<String> {
    const WORDS: usize = 5;
    let is_name = |word: &&str| word.chars().count() > 1 && word.chars().any(char::is_uppercase);
    let words = words(&reference.text).map(|(_, word)| word).filter(is_name);
    words.take(WORDS).map(letters).collect()
}
