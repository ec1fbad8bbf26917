//! One reference, read from its raw text: identifiers, names, year, volume, issue, pages, and a
//! guess at title and container. Any style; what cannot be told stays unset.

use std::ops::Range;

use super::identifiers;
use super::normalize::{Shape, Token, tokens};
use super::numbers;
use super::people;
use super::words;
use citation_model::identifier::Identifier;
use citation_model::name::Name;

/// The longest text that is read, in bytes. What stands behind is cut off.
pub const LONGEST_TEXT: usize = 8_000;

/// A reference taken apart.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The text that was read.
    pub text: String,
    /// Its words and numbers in reading order.
    pub tokens: Vec<Token>,
    /// What each token is, as far as the text alone tells. As long as `tokens`.
    pub roles: Vec<Role>,
    /// The identifiers in the text, each once, in reading order.
    pub identifiers: Vec<Identifier>,
    /// The authors in reading order.
    pub names: Vec<Name>,
    /// Every number that may be the year, the likeliest first.
    pub years: Vec<i32>,
    pub volume: Option<String>,
    pub issue: Option<String>,
    /// First page, or first and last joined by an en dash.
    pub pages: Option<String>,
    pub title: Option<String>,
    pub container: Option<String>,
    /// The tokens of the guessed title; empty where there is none.
    pub title_tokens: Range<usize>,
    /// The share of the words that show by themselves that they were damaged, 0 to 1.
    pub damage: f64,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A word or number whose part the text alone does not tell.
    #[default]
    Open,
    /// The number of the reference in its list.
    Marker,
    /// A word that belongs to the form: `vol`, `pp`, a month.
    Furniture,
    /// Part of an identifier or an address.
    Identifier,
    /// Part of an author's name.
    Name,
    Year,
    Volume,
    Issue,
    FirstPage,
    LastPage,
}

impl Reference {
    /// What reading a text costs, in steps of a budget.
    pub fn steps(text: &str) -> u64 {
        10 + 4 * text.len().min(LONGEST_TEXT) as u64
    }

    /// Reads a reference. Any text gives a reference; an empty one has no tokens.
    pub fn parse(text: &str) -> Reference {
        let text = cut(text, LONGEST_TEXT);
        let tokens = tokens(text);
        let mut reference = Reference {
            text: text.to_owned(),
            roles: vec![Role::Open; tokens.len()],
            tokens,
            ..Reference::default()
        };
        identifiers::read(&mut reference);
        mark_furniture(&mut reference);
        numbers::read(&mut reference);
        let title_from = people::read(&mut reference);
        read_title(&mut reference, title_from);
        reference.damage = damage(&reference);
        reference
    }

    /// The likeliest year.
    pub fn year(&self) -> Option<i32> {
        self.years.first().copied()
    }

    pub fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub fn role(&self, at: usize) -> Role {
        self.roles.get(at).copied().unwrap_or_default()
    }

    /// The text between a token and the one before it; for the first token what stands before it,
    /// for the index behind the last what stands after it.
    pub fn gap(&self, at: usize) -> &str {
        let from = at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .map_or(0, |token| token.span.end);
        let to = self
            .tokens
            .get(at)
            .map_or(self.text.len(), |token| token.span.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// The text from one token to before another, without outer punctuation.
    pub fn slice(&self, tokens: Range<usize>) -> &str {
        let from = self.tokens.get(tokens.start).map(|t| t.span.start);
        let to = tokens
            .end
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map(|t| t.span.end);
        match (from, to) {
            (Some(from), Some(to)) => self.text.get(from..to).unwrap_or_default(),
            _ => "",
        }
    }

    /// The values of the tokens with a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &Token> {
        self.tokens
            .iter()
            .zip(&self.roles)
            .filter(move |(_, r)| **r == role)
            .map(|(token, _)| token)
    }
}

/// The start of a text, at most so many bytes, cut between characters.
pub fn cut(text: &str, longest: usize) -> &str {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The end of a text, at most so many bytes, cut between characters.
pub fn cut_front(text: &str, longest: usize) -> &str {
    let mut start = text.len().saturating_sub(longest);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

fn mark_furniture(reference: &mut Reference) {
    for (token, role) in reference.tokens.iter().zip(&mut reference.roles) {
        if *role == Role::Open && words::is_furniture(&token.text) {
            *role = Role::Furniture;
        }
    }
}

/// Guesses the title: what stands in quotation marks, else the first sentence behind the names
/// and the year; and the container: what follows up to the first number that has a role.
fn read_title(reference: &mut Reference, from: usize) {
    let title = quoted(reference).or_else(|| first_sentence(reference, from));
    // `doi:10.1000/1` has no title, though a word stands in its place.
    let is_form = |at| matches!(reference.role(at), Role::Furniture | Role::Identifier);
    let Some(title) = title.filter(|title| !title.clone().all(is_form)) else {
        return;
    };
    let container = container_behind(reference, title.end);
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

/// The tokens between the first pair of quotation marks that hold two tokens or more.
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

/// Whether a sentence ends before this token. A full stop behind a single letter or an
/// abbreviation of the container does not end one.
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
        let short_word = token.shape == Shape::Lower && token.text.len() == 2;
        short_word || token.text.chars().count() > 2
    });
    let behind_is_new = reference
        .token(at)
        .is_some_and(|token| token.shape != Shape::Lower);
    gap.starts_with('.') && gap.len() > 1 && long_enough && behind_is_new
}

fn is_numbered_tail(reference: &Reference, at: usize) -> bool {
    matches!(
        reference.role(at),
        Role::Volume | Role::Issue | Role::FirstPage | Role::Year
    )
}

fn container_behind(reference: &Reference, from: usize) -> Range<usize> {
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

/// The share of damaged words. A single one may be a name of its own, such as `SpringerReference`.
fn damage(reference: &Reference) -> f64 {
    let is_word = |at: &usize| reference.token(*at).is_some_and(Token::is_word);
    let words = (0..reference.tokens.len()).filter(is_word).count();
    let damaged = (0..reference.tokens.len())
        .filter(|at| reference.role(*at) != Role::Identifier && is_damaged(reference, *at))
        .count();
    damaged.saturating_sub(1) as f64 / words.max(1) as f64
}

/// Whether a word has a digit in it, a capital behind small letters (`XingLiu`, `ofExperimental`),
/// or no blank behind the comma or full stop before it: marks of recognition and of lost blanks.
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
    small_then_capital || close || raw.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Title and container as guessed.
    fn check(text: &str, title: &str, container: &str) {
        let reference = Reference::parse(text);
        let shown = |field: &Option<String>| field.clone().unwrap_or_default();
        assert_eq!(shown(&reference.title), title, "{text:?}");
        assert_eq!(shown(&reference.container), container, "{text:?}");
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
        let long = "é".repeat(LONGEST_TEXT);
        assert!(Reference::parse(&long).text.len() <= LONGEST_TEXT);
    }
}
