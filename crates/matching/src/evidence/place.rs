//! Where a text has a field, whatever stands there: the words that were found, and those beside
//! them up to the mark that ends the field. A part of `Comparison`, in a file of its own for its length.

use std::ops::Range;

use super::super::align::FieldAlignment;
use super::super::normalize::{Shape, Token};
use super::super::reference::{Reference, Role};
use super::comparison::Comparison;

/// The share of a field from which on its place can be told.
const RECOGNISED: f64 = 0.5;

/// The share of a container that an abbreviation of all its words covers.
const WHOLE: f64 = 0.75;

impl Comparison<'_> {
    /// The place of the title; nothing where the text does not tell where it begins and ends.
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
        // Behind a full stop another field begins, in which words of the title may stand as well.
        if (parted && strange().next().is_some()) || strange().any(foreign) {
            return None;
        }
        let end = self.end(span.end);
        // What a title says of an ISBN or an address is not among the words that are compared.
        if cover.lacks_a_word() && self.reference.role(end) == Role::Identifier {
            return None;
        }
        Some(self.begin(span.start)..self.subtitle_end(end))
    }

    /// Where a subtitle begins in the place of the title that the record does not have.
    pub fn added_subtitle(&self, place: Range<usize>) -> Option<usize> {
        let core = self.evidence.title.core(&self.reference.tokens)?;
        (core.end..place.end).find(|at| begins_subtitle(self.reference.gap(*at)))
    }

    /// Behind the words of a subtitle that begins here and that no field explains.
    fn subtitle_end(&self, at: usize) -> usize {
        let is_open = self.is_stray(at) && !self.is_bound(at);
        if is_open && begins_subtitle(self.reference.gap(at)) {
            self.end(at + 1)
        } else {
            at
        }
    }

    /// The place of the container, where all of it was found.
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

    /// What stands in quotation marks, where nearly all of the title was found there.
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

    /// From where a field goes that was found from this token on. Words that run into those of
    /// another field may be either's, and are left out.
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

    /// As [`Comparison::begin`], to where it goes.
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

    /// Whether a token belongs to the reference rather than to a title or a container.
    fn is_bound(&self, at: usize) -> bool {
        !matches!(self.reference.role(at), Role::Open | Role::Furniture)
    }

    /// Whether nothing that the record says explains the token.
    fn is_stray(&self, at: usize) -> bool {
        !self.is_taken(at)
    }

    /// Whether an `in` before a capital leads on to a container that is not the record's.
    fn leads_on(&self, at: usize) -> bool {
        let container = &self.evidence.container;
        let capital = self.reference.token(at + 1).is_some_and(is_capital);
        let leads = self.reference.token(at).is_some_and(|t| t.text == "in");
        leads && capital && container.share < RECOGNISED
    }
}

/// The tokens of a place that stand in no brackets there. What stands in brackets is a note: an
/// edition, a form, a translation.
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

/// Whether no mark parts two words.
fn is_soft(gap: &str) -> bool {
    let joins = |c: char| matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '’');
    gap.chars().all(|c| c.is_whitespace() || joins(c))
}

fn begins_subtitle(gap: &str) -> bool {
    let gap = gap.trim();
    matches!(gap, ":" | "–" | "—" | "-" | "--" | ";") || gap.ends_with(['?', '!'])
}

/// Whether a full stop behind a word, and not one behind an abbreviation, stands before a token.
fn is_full_stop(reference: &Reference, at: usize) -> bool {
    const SHORTEST: usize = 4;
    let before = at.checked_sub(1).and_then(|at| reference.token(at));
    let word = before.is_some_and(|token| token.text.chars().count() >= SHORTEST);
    word && reference.gap(at).contains(". ")
}

fn is_capital(token: &Token) -> bool {
    matches!(token.shape, Shape::Capital | Shape::Upper)
}

/// Whether the words of a title of some length stand in another order than their own.
fn is_scattered(cover: &FieldAlignment) -> bool {
    const ORDER: f64 = 0.6;
    const ENOUGH: usize = 4;
    cover.places.iter().flatten().count() >= ENOUGH && cover.order < ORDER
}
