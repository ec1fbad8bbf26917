//! Finds fields letter by letter in a text whose words are misread, torn or joined.
//!
//! A second look at what no word of the text is, only where other fields point at the record: letters alone are
//! found in many texts by chance.

use std::ops::Range;

use super::super::align::{self, FieldAlignment, TokenMatch};
use super::super::normalize::{Token, TokenShape};
use super::super::reference::Role;
use super::super::similar;
use super::Agreement;
use super::comparison::ComparedPair;

/// The maximum length of a text searched letter by letter, in bytes of its tokens.
const MAX_TEXT_LENGTH: usize = 600;

/// The maximum length of a field, in bytes.
const MAX_FIELD_LENGTH: usize = 120;

/// The letters of a text without its spaces.
pub struct LetterStream {
    letters: Vec<u8>,
    /// The token of each letter.
    owners: Vec<usize>,
}

/// A field in a stream.
pub struct LetterMatch {
    /// The tokens that it covers by half or more; the first one of all if there are none.
    pub tokens: Vec<usize>,
    /// 0 to 1.
    pub similarity: f64,
}

impl LetterStream {
    /// The letters of the tokens that a search may use; others end every match.
    pub fn of(tokens: &[Token], is_usable: impl Fn(usize) -> bool) -> LetterStream {
        let mut stream = LetterStream {
            letters: Vec::new(),
            owners: Vec::new(),
        };
        for (at, token) in tokens.iter().enumerate() {
            if stream.letters.len() + token.text.len() > MAX_TEXT_LENGTH {
                break;
            }
            // Pairs of characters overlap.
            let is_usable = token.shape != TokenShape::Bigram && is_usable(at);
            let letters: &[u8] = if is_usable {
                token.text.as_bytes()
            } else {
                &[BARRIER]
            };
            stream.letters.extend(letters);
            stream.owners.resize(stream.letters.len(), at);
        }
        stream
    }

    /// The stretch that equals a field but for at most so many edits; the first of the best ones.
    ///
    /// Where the text has as many words as the field, they are compared as words: a stretch of such is no match.
    pub fn find(&self, field: &[Token], most: usize) -> Option<LetterMatch> {
        let words = field.len();
        let field = joined(field);
        if field.is_empty() || field.len() > MAX_FIELD_LENGTH || !field.is_ascii() {
            return None;
        }
        let (place, edits) = similar::best_stretch_of(&self.letters, field.as_bytes(), most)?;
        let owner = |at: usize| self.owners.get(at);
        let before = place.start.checked_sub(1).and_then(owner);
        let begins_word = before != owner(place.start);
        let ends_word = owner(place.end) != owner(place.end - 1);
        let owners = self.owners.get(place)?;
        let covered = |at: usize| owners.iter().filter(|owner| **owner == at).count();
        let whole = |at: usize| self.owners.iter().filter(|owner| **owner == at).count();
        let mut tokens: Vec<usize> = owners.to_vec();
        tokens.dedup();
        let first = tokens.first().copied()?;
        if begins_word && ends_word && tokens.len() == words {
            return None;
        }
        tokens.retain(|at| covered(*at) * 2 >= whole(*at));
        if tokens.is_empty() {
            tokens.push(first);
        }
        Some(LetterMatch {
            tokens,
            similarity: 1.0 - edits as f64 / field.len() as f64,
        })
    }
}

/// Between letters that do not adjoin; no field has it.
const BARRIER: u8 = 0;

/// The letters of tokens without spaces.
fn joined(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

impl ComparedPair<'_> {
    /// The letters of some tokens, which other fields may use too.
    pub fn letters_of(&self, tokens: Range<usize>) -> LetterStream {
        LetterStream::of(&self.reference.tokens, |at| {
            let is_silent = matches!(self.reference.role(at), Role::Identifier | Role::Marker);
            tokens.contains(&at) && !is_silent
        })
    }

    /// Searches author and container letter by letter, if two other fields are those of the record.
    pub fn look_closer(&mut self) {
        const FOUND: f64 = 0.6;
        const ENOUGH: usize = 2;
        let e = &self.evidence;
        let is_equal = |agreement| matches!(agreement, Agreement::Equal(_));
        let signs = [
            e.title.share >= FOUND,
            e.container.share >= FOUND,
            e.people.first >= FOUND,
            is_equal(e.year),
            is_equal(e.volume),
            is_equal(e.page),
        ];
        if signs.into_iter().filter(|sign| *sign).count() < ENOUGH {
            return;
        }
        self.people_by_letters();
        self.container_by_letters();
    }

    fn container_by_letters(&mut self) {
        const FOUND: f64 = 0.95;
        const MIN_LENGTH: usize = 6;
        const LETTERS_AN_ERROR: usize = 5;
        if self.evidence.container.share >= FOUND {
            return;
        }
        let old: Vec<usize> = self.evidence.container.tokens().collect();
        let stream = LetterStream::of(&self.reference.tokens, |at| {
            let is_silent = matches!(self.reference.role(at), Role::Identifier | Role::Marker);
            !is_silent && (!self.is_taken(at) || old.contains(&at))
        });
        let record = self.record;
        for (n, container) in record.containers.iter().enumerate() {
            let length = container
                .iter()
                .map(|token| token.text.len())
                .sum::<usize>();
            if length < MIN_LENGTH {
                continue;
            }
            let Some(found) = stream.find(container, length / LETTERS_AN_ERROR) else {
                continue;
            };
            if found.similarity <= self.evidence.container.share {
                continue;
            }
            let Some(first) = found.tokens.first().copied() else {
                continue;
            };
            let width = found.tokens.last().map_or(1, |last| last + 1 - first);
            let place = TokenMatch {
                at: first,
                width,
                similarity: found.similarity,
            };
            for at in first..first + width {
                self.take(at);
            }
            self.evidence.container_index = Some(n);
            self.evidence.container = FieldAlignment {
                share: found.similarity,
                weight: align::total_weight(container),
                misspelt: 1.0,
                order: 1.0,
                missing_words: 0,
                places: vec![Some(place); container.len()],
            };
        }
    }
}
