//! Locates a field in a text: the matched words and those beside them, up to the punctuation that
//! ends the field. Part of `ComparedPair`; a separate file because of its length.

use std::ops::Range;

use super::super::align::FieldAlignment;
use super::super::normalize::{Token, TokenShape};
use super::super::reference::{Reference, Role};
use super::comparison::ComparedPair;

/// The minimum share of a field that determines its place.
const RECOGNISED: f64 = 0.5;

/// The share of a container that an abbreviation of all its words covers.
const WHOLE: f64 = 0.75;

impl ComparedPair<'_> {
    /// The place of the title; `None` if its start and end are not clear from the text.
    pub fn title_place(&self) -> Option<Range<usize>> {
        let cover = &self.evidence.title;
        if cover.share < RECOGNISED || is_scattered(cover) {
            return None;
        }
        if let Some(quoted) = self.quoted_title(cover) {
            return Some(quoted);
        }
        let span = cover.core(&self.reference.tokens)?;
        let foreign = |at| matches!(self.reference.role(at), Role::Name | Role::Identifier);
        let strange = || span.clone().filter(|at| !self.is_taken(*at));
        let parted = (span.start + 1..span.end).any(|at| is_full_stop(self.reference, at));
        // A full stop starts another field, which may contain words of the title too.
        if (parted && strange().next().is_some()) || strange().any(foreign) {
            return None;
        }
        let end = self.end(span.end);
        // An ISBN or address within a title is not among the compared words.
        if cover.lacks_a_word() && self.reference.role(end) == Role::Identifier {
            return None;
        }
        Some(self.begin(span.start)..self.subtitle_end(end))
    }

    /// The start of a subtitle, within the title's place, that the record lacks.
    pub fn added_subtitle(&self, place: Range<usize>) -> Option<usize> {
        let core = self.evidence.title.core(&self.reference.tokens)?;
        (core.end..place.end).find(|at| begins_subtitle(self.reference.gap(*at)))
    }

    /// The end of a subtitle that begins here, if no field explains its words.
    fn subtitle_end(&self, at: usize) -> usize {
        let is_open = self.is_stray(at) && !self.is_bound(at);
        if is_open && begins_subtitle(self.reference.gap(at)) {
            self.end(at + 1)
        } else {
            at
        }
    }

    /// The place of the container, if all of it was found.
    pub fn container_place(&self) -> Option<Range<usize>> {
        let cover = &self.evidence.container;
        let is_whole = cover.share >= WHOLE && !cover.lacks_a_word();
        let span = cover.core(&self.reference.tokens).filter(|_| is_whole)?;
        let parted = (span.start + 1..span.end).any(|at| !is_soft(self.reference.gap(at)));
        if parted && span.len() > cover.tokens().count() {
            return Some(span);
        }
        Some(self.begin(span.start)..self.end(span.end))
    }

    /// The text in quotation marks, if it contains nearly all of the title matches.
    fn quoted_title(&self, cover: &FieldAlignment) -> Option<Range<usize>> {
        const MARKS: [char; 11] = ['“', '”', '„', '‟', '"', '«', '»', '「', '」', '『', '』'];
        let place = self.reference.title_tokens.clone();
        let bounded = |at: usize| self.reference.gap(at).contains(MARKS);
        let (within, all) = (
            cover.tokens().filter(|at| place.contains(at)).count(),
            cover.tokens().count(),
        );
        let holds = !place.is_empty() && within * 5 >= all * 4;
        (holds && bounded(place.start) && bounded(place.end)).then_some(place)
    }

    /// Extends a field backwards from its first match. Words adjoining another field's are
    /// ambiguous and excluded.
    fn begin(&self, found: usize) -> usize {
        let mut at = found;
        while let Some(before) = at.checked_sub(1) {
            if !is_soft(self.reference.gap(at)) || self.is_bound(before) {
                return at;
            }
            if !self.is_stray(before) {
                return found;
            }
            at = before;
        }
        at
    }

    /// Like [`ComparedPair::begin`], but forwards.
    fn end(&self, found: usize) -> usize {
        let mut at = found;
        while at < self.reference.tokens.len() {
            if !is_soft(self.reference.gap(at)) || self.is_bound(at) || self.leads_on(at) {
                return at;
            }
            if !self.is_stray(at) {
                return found;
            }
            at += 1;
        }
        at
    }

    /// Whether a token has a role in the reference other than title or container.
    fn is_bound(&self, at: usize) -> bool {
        !matches!(self.reference.role(at), Role::Open | Role::Furniture)
    }

    /// Whether no value of the record explains the token.
    fn is_stray(&self, at: usize) -> bool {
        !self.is_taken(at)
    }

    /// Whether an `in` before a capital introduces a container that is not the record's.
    fn leads_on(&self, at: usize) -> bool {
        let container = &self.evidence.container;
        let capital = self.reference.token(at + 1).is_some_and(is_capital);
        let leads = self.reference.token(at).is_some_and(|t| t.text == "in");
        leads && capital && container.share < RECOGNISED
    }
}

/// The tokens of a place outside brackets. Text in brackets is a note: an edition, a form, a
/// translation.
pub fn outside_brackets(reference: &Reference, place: Range<usize>) -> Vec<usize> {
    let mut depth = 0_i32;
    let mut found = Vec::new();
    for at in place {
        for c in reference.gap(at).chars() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = (depth - 1).max(0),
                _ => {}
            }
        }
        if depth == 0 {
            found.push(at);
        }
    }
    found
}

/// Whether no punctuation separates two words.
fn is_soft(gap: &str) -> bool {
    let joins = |c: char| matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '’');
    gap.chars().all(|c| c.is_whitespace() || joins(c))
}

fn begins_subtitle(gap: &str) -> bool {
    let gap = gap.trim();
    matches!(gap, ":" | "–" | "—" | "-" | "--" | ";") || gap.ends_with(['?', '!'])
}

/// Whether a full stop precedes a token, other than one behind an abbreviation.
fn is_full_stop(reference: &Reference, at: usize) -> bool {
    const MIN_LENGTH: usize = 4;
    let before = at.checked_sub(1).and_then(|at| reference.token(at));
    let word = before.is_some_and(|token| token.text.chars().count() >= MIN_LENGTH);
    word && reference.gap(at).contains(". ")
}

fn is_capital(token: &Token) -> bool {
    matches!(token.shape, TokenShape::Capital | TokenShape::Upper)
}

/// Whether the words of a longer title are out of order.
fn is_scattered(cover: &FieldAlignment) -> bool {
    const ORDER: f64 = 0.6;
    const ENOUGH: usize = 4;
    cover.places.iter().flatten().count() >= ENOUGH && cover.order < ORDER
}
