//! Which terms an index holds for a work, and which of a reference's terms to ask it for.

use super::normalize;
use super::reference::{Reference, Role};
use crate::model::item::Item;
use crate::model::name::Name;
use crate::model::variable::{NameVar, NumberVar, TextVar};

/// Terms of a text that are looked at. A reference has some forty.
const MOST_TERMS: usize = 200;

/// A term of a reference and in how many works it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    pub term: String,
    pub works: u64,
}

/// How widely to search.
#[derive(Clone, Copy, Debug)]
pub struct Breadth {
    /// Terms at most.
    pub terms: usize,
    /// Works that all chosen terms together may occur in; the cost of a search grows with it.
    /// The rarest [`FEWEST_TERMS`] are chosen whatever they cost.
    pub postings: u64,
}

/// Terms that are always asked for, however common they are.
pub const FEWEST_TERMS: usize = 3;

impl Breadth {
    /// Enough for a reference in which a few words are rare.
    pub const NARROW: Breadth = Breadth {
        terms: 10,
        postings: 60_000,
    };

    /// For one in which the rare words are misspelt, or there are none.
    pub const WIDE: Breadth = Breadth {
        terms: 24,
        postings: 600_000,
    };
}

/// The terms that an index holds for a work: titles, names, containers, publisher, and numbers.
pub fn terms_of(item: &Item) -> Vec<String> {
    const TEXTS: [TextVar; 7] = [
        TextVar::Title,
        TextVar::OriginalTitle,
        TextVar::ContainerTitle,
        TextVar::ContainerTitleShort,
        TextVar::CollectionTitle,
        TextVar::EventTitle,
        TextVar::Publisher,
    ];
    const NUMBERS: [NumberVar; 4] = [
        NumberVar::Volume,
        NumberVar::Issue,
        NumberVar::Page,
        NumberVar::Number,
    ];
    const NAMES: [NameVar; 3] = [NameVar::Author, NameVar::Editor, NameVar::Translator];
    let texts = TEXTS.into_iter().filter_map(|variable| item.text(variable));
    let numbers = NUMBERS
        .into_iter()
        .filter_map(|variable| item.number(variable));
    let mut terms: Vec<String> = texts.chain(numbers).flat_map(normalize::terms).collect();
    let names = NAMES.into_iter().flat_map(|variable| item.names(variable));
    terms.extend(
        names
            .map(Name::display)
            .flat_map(|name| normalize::terms(&name).collect::<Vec<_>>()),
    );
    terms.extend(item.year().map(|year| year.to_string()));
    terms
}

/// The distinct terms of a reference that some work has, rarest first.
pub fn rate(reference: &Reference, works_with: impl Fn(&str) -> u64) -> Vec<Rated> {
    let mut rated: Vec<Rated> = Vec::new();
    for (at, token) in reference.tokens.iter().enumerate().take(MOST_TERMS) {
        let silent = matches!(reference.role(at), Role::Identifier | Role::Marker)
            || token.shape == normalize::Shape::Letter;
        if silent || rated.iter().any(|r| r.term == token.text) {
            continue;
        }
        let works = works_with(&token.text);
        rated.push(Rated {
            term: token.text.clone(),
            works,
        });
    }
    rated.retain(|r| r.works > 0);
    rated.sort_by_key(|r| r.works);
    rated
}

/// The terms to ask for: the rarest, as many as the breadth allows.
pub fn choose(rated: &[Rated], breadth: Breadth) -> &[Rated] {
    let mut postings = 0_u64;
    let count = rated
        .iter()
        .take(breadth.terms)
        .enumerate()
        .take_while(|(n, r)| {
            postings = postings.saturating_add(r.works);
            *n < FEWEST_TERMS || postings <= breadth.postings
        })
        .count();
    rated.get(..count).unwrap_or(rated)
}
