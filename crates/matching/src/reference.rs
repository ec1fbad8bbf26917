//! A parsed reference of any style: identifiers, names, year, volume, issue, pages, and a guess at title
//! and container. Unrecognised fields stay unset. `parse` does the parsing.

use std::ops::Range;

use super::normalize::{Token, TokenShape};
use super::words;
use citation_model::identifier::Identifier;
use citation_model::name::Name;

/// The maximum length of a text in bytes. Longer text is truncated.
pub const MAX_TEXT_LENGTH: usize = 8_000;

/// A parsed reference.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The text that was parsed.
    pub text: String,
    /// Its words and numbers in reading order.
    pub tokens: Vec<Token>,
    /// The role of each token, if the text alone shows it. As long as `tokens`.
    pub roles: Vec<Role>,
    /// The identifiers in the text, without duplicates, in reading order.
    pub identifiers: Vec<Identifier>,
    /// The addresses of web pages, in the form of [`super::record::Record`].
    pub addresses: Vec<String>,
    /// The authors in reading order.
    pub names: Vec<Name>,
    /// Whether the names are given as a list, and not only read from the text.
    pub names_listed: bool,
    /// Whether the list of names goes on: `and others`.
    pub has_others: bool,
    /// Whether the people named first are editors or the like, not authors.
    pub names_editors: bool,
    /// Every number that may be the year, most likely first.
    pub years: Vec<i32>,
    pub volume: Option<String>,
    pub issue: Option<String>,
    /// First page, or first and last joined by an en dash.
    pub pages: Option<String>,
    pub title: Option<String>,
    pub container: Option<String>,
    /// The tokens of the guessed title; empty if there is none.
    pub title_tokens: Range<usize>,
    /// The share of visibly damaged words, 0 to 1.
    pub damage: f64,
}

/// The role of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A word or number whose role the text alone does not show.
    #[default]
    Open,
    /// The number of the reference in its list.
    Marker,
    /// A word that belongs to the citation format: `vol`, `pp`, a month.
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
    /// The cost of parsing a text, in budget steps.
    pub fn steps(text: &str) -> u64 {
        10 + 4 * text.len().min(MAX_TEXT_LENGTH) as u64
    }

    /// The most likely year.
    pub fn year(&self) -> Option<i32> {
        self.years.first().copied()
    }

    pub fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub fn role(&self, at: usize) -> Role {
        self.roles.get(at).copied().unwrap_or_default()
    }

    /// Whether a capital letter begins a title and is no initial: `Berg, A new method`, `Roe R. A title`. No full
    /// stop follows it, but a word in lower case that neither joins names nor belongs to one.
    pub fn is_article(&self, at: usize) -> bool {
        let is_capital = self.token(at).is_some_and(|token| {
            let raw = self.text.get(token.span.clone()).unwrap_or_default();
            token.shape == TokenShape::Letter && raw.chars().all(char::is_uppercase)
        });
        let is_before_word = self.token(at + 1).is_some_and(|next| {
            let word = next.text.as_str();
            next.shape == TokenShape::Lower
                && !words::is_function_word(word)
                && !words::is_particle(word)
        });
        is_capital && is_before_word && self.gap(at + 1).trim().is_empty()
    }

    /// The text between a token and the previous one; for index 0 the text before the first token, for the
    /// index after the last the text after it.
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
