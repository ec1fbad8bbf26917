//! Parses a reference from raw text in steps: identifiers, words of the citation form, numbers,
//! people, title and container.

use std::ops::Range;

use citation_fields::clean::without_formulas;

use super::identifiers;
use super::normalize::{Token, TokenShape, tokens};
use super::notes;
use super::numbers;
use super::people;
use super::reference::{MAX_TEXT_LENGTH, Reference, Role, cut};
use super::words;

impl Reference {
    /// Parses a reference. Any text gives a reference; an empty text has no tokens.
    pub fn parse(text: &str) -> Reference {
        let text = without_formulas(cut(text, MAX_TEXT_LENGTH));
        let text = text.as_ref();
        let tokens = tokens(text);
        let mut reference = Reference {
            text: text.to_owned(),
            roles: vec![Role::Open; tokens.len()],
            tokens,
            ..Reference::default()
        };
        identifiers::read(&mut reference);
        mark_furniture(&mut reference);
        notes::mark(&mut reference);
        numbers::read(&mut reference);
        let title_from = people::read(&mut reference);
        read_title(&mut reference, title_from);
        reference.damage = damage(&reference);
        reference
    }
}

fn mark_furniture(reference: &mut Reference) {
    for (token, role) in reference.tokens.iter().zip(&mut reference.roles) {
        if *role == Role::Open && words::is_furniture(&token.text) {
            *role = Role::Furniture;
        }
    }
}

/// Guesses title and container. The title is the quoted text, otherwise the first sentence behind
/// the names and the year; the container extends from there to the first number with a role.
fn read_title(reference: &mut Reference, from: usize) {
    let title = quoted(reference).or_else(|| first_sentence(reference, from));
    // `doi:10.1000/1` has no title, although a word is in its place.
    let is_form = |at| matches!(reference.role(at), Role::Furniture | Role::Identifier);
    let Some(title) = title.filter(|title| !title.clone().all(is_form)) else {
        return;
    };
    let container = container_after(reference, title.end);
    let text_of = |range: Range<usize>| {
        let text = reference
            .slice(range)
            .split_whitespace()
            .collect::<Vec<_>>();
        (!text.is_empty()).then(|| text.join(" "))
    };
    let (guess, container) = (text_of(title.clone()), text_of(container));
    reference.title_tokens = title;
    reference.title = guess;
    reference.container = container;
}

/// The tokens between the first pair of quotation marks with at least two tokens inside.
fn quoted(reference: &Reference) -> Option<Range<usize>> {
    let opens = |at: usize| {
        reference
            .gap(at)
            .contains(['“', '«', '„', '"', '‟', '「', '『'])
    };
    let closes = |at: usize| {
        reference
            .gap(at)
            .contains(['”', '»', '“', '"', '‟', '」', '』'])
    };
    let start = (0..reference.tokens.len()).find(|at| opens(*at))?;
    let end = (start + 1..=reference.tokens.len()).find(|at| closes(*at))?;
    (end - start >= 2).then_some(start..end)
}

fn first_sentence(reference: &Reference, from: usize) -> Option<Range<usize>> {
    let opening = |at: usize| {
        matches!(
            reference.role(at),
            Role::Marker | Role::Year | Role::Name | Role::Identifier
        )
    };
    let start =
        (from..reference.tokens.len()).find(|at| !opening(*at) && !is_month(reference, *at))?;
    let end = (start + 1..=reference.tokens.len())
        .find(|at| ends_sentence(reference, *at))
        .unwrap_or(reference.tokens.len());
    Some(start..end)
}

fn is_month(reference: &Reference, at: usize) -> bool {
    reference
        .token(at)
        .is_some_and(|token| words::is_month(&token.text))
}

/// Whether a sentence ends before this token. A full stop behind a single letter or an abbreviation
/// of the container does not end it.
fn ends_sentence(reference: &Reference, at: usize) -> bool {
    if at >= reference.tokens.len() || is_numbered_tail(reference, at) {
        return true;
    }
    let gap = reference.gap(at);
    if gap.contains(['?', '!']) {
        return true;
    }
    let before = at.checked_sub(1).and_then(|at| reference.token(at));
    let long_enough = before.is_some_and(|token| {
        let short_word = token.shape == TokenShape::Lower && token.text.len() == 2;
        short_word || token.text.chars().count() > 2
    });
    let behind_is_new = reference
        .token(at)
        .is_some_and(|token| token.shape != TokenShape::Lower);
    gap.starts_with('.') && gap.len() > 1 && long_enough && behind_is_new
}

fn is_numbered_tail(reference: &Reference, at: usize) -> bool {
    matches!(
        reference.role(at),
        Role::Volume | Role::Issue | Role::FirstPage | Role::Year
    )
}

fn container_after(reference: &Reference, from: usize) -> Range<usize> {
    let is_in = |at: usize| reference.token(at).is_some_and(|token| token.text == "in");
    let start = if is_in(from) { from + 1 } else { from };
    let end = (start..reference.tokens.len())
        .find(|at| {
            is_numbered_tail(reference, *at)
                || matches!(reference.role(*at), Role::Furniture | Role::Identifier)
        })
        .unwrap_or(reference.tokens.len());
    start..end
}

/// The share of damaged words. A single one may be a real name, such as `SpringerReference`.
fn damage(reference: &Reference) -> f64 {
    let is_word = |at: &usize| reference.token(*at).is_some_and(Token::is_word);
    let words = (0..reference.tokens.len()).filter(is_word).count();
    let damaged = (0..reference.tokens.len())
        .filter(|at| reference.role(*at) != Role::Identifier && is_damaged(reference, *at))
        .count();
    damaged.saturating_sub(1) as f64 / words.max(1) as f64
}

/// Whether a word contains a digit, has a capital behind small letters (`XingLiu`, `ofExperimental`),
/// lacks the space behind the comma or full stop before it, or has one before the comma behind it: signs of text recognition and lost spaces.
fn is_damaged(reference: &Reference, at: usize) -> bool {
    const LONG: usize = 3;
    let Some(token) = reference.token(at).filter(|token| token.is_word()) else {
        return false;
    };
    let raw = reference.text.get(token.span.clone()).unwrap_or_default();
    let small_then_capital = raw
        .char_indices()
        .zip(raw.chars().skip(1))
        .any(|((start, a), b)| start > 0 && a.is_lowercase() && b.is_uppercase());
    let before = at.checked_sub(1).and_then(|at| reference.token(at));
    let close = matches!(reference.gap(at), "," | "." | ";")
        && token.text.len() >= LONG
        && before.is_some_and(|before| before.text.len() >= LONG);
    let apart = reference.gap(at + 1).starts_with([' ', '\u{a0}'])
        && reference.gap(at + 1).trim_start().starts_with([',', ';']);
    small_then_capital || close || apart || raw.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guessed title and container.
    fn check(text: &str, title: &str, container: &str) {
        let reference = Reference::parse(text);
        let shown = |field: &Option<String>| field.clone().unwrap_or_default();
        assert_eq!(shown(&reference.title), title, "{text:?}");
        assert_eq!(shown(&reference.container), container, "{text:?}");
    }

    #[test]
    fn formulas_are_their_letters() {
        check(
            "Doe J. On $\\alpha$-stable rings and the $L^p$ norm. Ring World. 2005;49:33.",
            "On α-stable rings and the Lp norm",
            "Ring World",
        );
        check(
            "Doe J. The cost of $5 meals. Ring World. 2005;49:33.",
            "The cost of $5 meals",
            "Ring World",
        );
    }

    #[test]
    fn title_and_container_are_guessed() {
        check(
            "Doe, J. (2018). A title of it. Ring World, 12(3), 45–67.",
            "A title of it",
            "Ring World",
        );
        check(
            "[3]J. Doe, “A title of it,” Ring World, vol. 6, 1998.",
            "A title of it",
            "Ring World",
        );
        check(
            "Doe J, Roe R. A title of it. Ring World. 2005;49:33.",
            "A title of it",
            "Ring World",
        );
    }

    #[test]
    fn any_text_is_read() {
        assert!(Reference::parse("").tokens.is_empty());
        let long = "é".repeat(MAX_TEXT_LENGTH);
        assert!(Reference::parse(&long).text.len() <= MAX_TEXT_LENGTH);
    }
}
