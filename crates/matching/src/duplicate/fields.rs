//! Weighs each field as evidence that two items are one work, in log-odds, and reports it.
//!
//! The weights are set by hand: a significant title, its first author and the year together pass;
//! any two of them fall clearly short; and a contradicting place outweighs one of them.

use super::super::align::{self, TextWithUse, TokenComparison};
use super::super::explain::{FieldReport, FieldVerdict};
use super::super::normalize::Token;
use super::kinds::{self, ClassFit, TypeClass};
use super::people;
use super::title::{Likeness, Numbers};
use super::traits::Traits;
use super::veto::{self, Veto};
use super::{Basis, VETOED, VETOED_UNDER_ONE_IDENTIFIER};
use crate::record::answerable;
use citation_model::identifier::Identifier;
use citation_model::name::Name;
use citation_model::variable::{NumberVar, TextVar};

/// The log-odds before any field.
const BIAS: f64 = -5.5;

/// At least this similar, two containers count as equal; at most as similar as the next, as different.
const SAME_CONTAINER: f64 = 0.75;
const OTHER_CONTAINER: f64 = 0.4;

/// The maximum number of names in a report.
const SHOWN_NAMES: usize = 20;

/// The result of weighing a pair.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub score: f64,
    pub basis: Basis,
    pub vetoes: Vec<Veto>,
    weights: Weights,
}

/// The contribution of each field and the similarity of its two values, 0 to 1; no similarity if
/// either value is missing.
#[derive(Clone, Debug, Default)]
struct Weights {
    identifier: Weighted,
    title: Weighted,
    authors: Weighted,
    year: Weighted,
    container: Weighted,
    volume: Weighted,
    issue: Weighted,
    pages: Weighted,
    edition: Weighted,
    publisher: Weighted,
    kind: Weighted,
}

#[derive(Clone, Copy, Debug, Default)]
struct Weighted {
    weight: f64,
    likeness: Option<f64>,
}

fn weighted(likeness: f64, weight: f64) -> Weighted {
    Weighted {
        weight,
        likeness: Some(likeness),
    }
}

pub fn judge(a: &Traits, b: &Traits) -> Judgement {
    let titles = !a.title.is_empty() && !b.title.is_empty();
    let likeness = titles.then(|| a.title.likeness(&b.title));
    let shared = shared_identifier(a, b);
    let vetoes = veto::against(a, b, likeness.as_ref());
    let weights = Weights {
        identifier: identifier(a, b, shared),
        title: title(likeness.as_ref()),
        authors: authors(a, b),
        year: year(a, b),
        container: container(a, b),
        volume: equal(&a.volume, &b.volume, 0.5, -2.5),
        issue: equal(&a.issue, &b.issue, 0.25, -2.0),
        pages: equal(&a.page, &b.page, 2.0, -3.5),
        edition: edition(a, b),
        publisher: publisher(a, b),
        kind: kind(a, b),
    };
    let probability = 1.0 / (1.0 + (-(BIAS + weights.sum())).exp());
    let most = match (vetoes.is_empty(), shared.is_some()) {
        (true, _) => 1.0,
        (false, true) => VETOED_UNDER_ONE_IDENTIFIER,
        (false, false) => VETOED,
    };
    Judgement {
        score: probability.min(most),
        basis: basis(shared, &weights),
        vetoes,
        weights,
    }
}

impl Weights {
    fn sum(&self) -> f64 {
        self.named().iter().map(|(_, field)| field.weight).sum()
    }

    fn named(&self) -> [(&'static str, Weighted); 11] {
        [
            ("identifier", self.identifier),
            ("title", self.title),
            ("authors", self.authors),
            ("year", self.year),
            ("container_title", self.container),
            ("volume", self.volume),
            ("issue", self.issue),
            ("pages", self.pages),
            ("edition", self.edition),
            ("publisher", self.publisher),
            ("entry_type", self.kind),
        ]
    }
}

fn shared_identifier<'a>(a: &'a Traits, b: &Traits) -> Option<&'a Identifier> {
    a.identifiers.iter().find(|id| b.identifiers.contains(id))
}

fn basis(shared: Option<&Identifier>, weights: &Weights) -> Basis {
    match shared {
        Some(Identifier::Doi(_)) => return Basis::Doi,
        Some(Identifier::Isbn(_)) => return Basis::Isbn,
        Some(Identifier::Pmid(_)) => return Basis::Pmid,
        Some(Identifier::Pmcid(_)) => return Basis::Pmcid,
        Some(Identifier::Arxiv(_)) => return Basis::Arxiv,
        _ => {}
    }
    let agrees = |field: Weighted, least: f64| field.likeness.is_some_and(|l| l >= least);
    let all =
        agrees(weights.title, 0.8) && agrees(weights.authors, 0.5) && agrees(weights.year, 1.0);
    if all {
        Basis::TitleAuthorYear
    } else {
        Basis::TitleSimilar
    }
}

fn identifier(a: &Traits, b: &Traits, shared: Option<&Identifier>) -> Weighted {
    match shared {
        // Several volumes may share a publisher's ISBN.
        Some(Identifier::Isbn(_)) => weighted(1.0, 5.0),
        Some(_) => weighted(1.0, 9.0),
        None if a.identifiers.is_empty() || b.identifiers.is_empty() => Weighted::default(),
        None => {
            let comparable = a
                .identifiers
                .iter()
                .any(|x| b.identifiers.iter().any(|y| x.kind() == y.kind()));
            if comparable {
                weighted(0.0, -1.0)
            } else {
                Weighted::default()
            }
        }
    }
}

fn title(likeness: Option<&Likeness>) -> Weighted {
    let Some(title) = likeness else {
        return Weighted::default();
    };
    let numbers = if title.numbers == Numbers::Same {
        0.0
    } else {
        -3.0
    };
    let agreement = if title.share < 0.5 {
        -6.0
    } else {
        6.0 * title.telling * title.share
            - 4.0 * title.replaced.min(1.5)
            - 1.5 * title.extra.min(2.0)
    };
    weighted(title.share, agreement + numbers)
}

fn authors(a: &Traits, b: &Traits) -> Weighted {
    let Some(people) = people::agreement(&a.people, &b.people) else {
        // Front covers, news and tables of contents have no authors, and their titles recur.
        let anonymous = a.people.is_empty() && b.people.is_empty();
        let weight = if anonymous { -1.5 } else { 0.0 };
        return Weighted {
            weight,
            likeness: None,
        };
    };
    match people {
        p if p.first => weighted(0.5 + p.overlap / 2.0, 2.0 + p.overlap / 2.0),
        p if p.initials_differ => weighted(0.3, -3.0),
        p if p.overlap >= 0.5 => weighted(p.overlap * 0.8, -0.5),
        p => weighted(p.overlap / 2.0, -5.0),
    }
}

fn year(a: &Traits, b: &Traits) -> Weighted {
    match (
        a.year.is_some() && b.year.is_some(),
        veto::years_between(a, b),
    ) {
        (false, _) => Weighted::default(),
        (true, 0) => weighted(1.0, 1.0),
        (true, 1) => weighted(0.7, -1.0),
        (true, _) => weighted(0.0, -3.0),
    }
}

fn container(a: &Traits, b: &Traits) -> Weighted {
    let all = a
        .containers
        .iter()
        .flat_map(|x| b.containers.iter().map(move |y| (x, y)));
    let Some(best) = all.map(|(x, y)| container_likeness(x, y)).reduce(f64::max) else {
        return Weighted::default();
    };
    let weight = if best >= SAME_CONTAINER {
        1.0
    } else if best <= OTHER_CONTAINER {
        -2.5
    } else {
        -0.5
    };
    weighted(best, weight)
}

/// The share of the longer title that is in the shorter one, possibly abbreviated.
fn container_likeness(x: &[Token], y: &[Token]) -> f64 {
    let length = |tokens: &[Token]| tokens.iter().map(|t| t.text.len()).sum::<usize>();
    if x.iter().map(|t| &t.text).eq(y.iter().map(|t| &t.text)) {
        return 1.0;
    }
    let (field, tokens) = if length(x) >= length(y) {
        (x, y)
    } else {
        (y, x)
    };
    let taken = vec![false; tokens.len()];
    let page = TextWithUse {
        tokens,
        taken: &taken,
    };
    let share = align::align(field, page, TokenComparison::Abbreviated).share;
    match tokens {
        [single] if is_acronym(&single.text, field) => 0.9,
        _ => share,
    }
}

fn is_acronym(word: &str, title: &[Token]) -> bool {
    let initials = |all: bool| -> String {
        title
            .iter()
            .filter(|t| all || !super::super::words::is_function_word(&t.text))
            .filter_map(|t| t.text.chars().next())
            .collect()
    };
    word.len() >= 3 && (initials(false) == word || initials(true) == word)
}

fn equal(a: &Option<String>, b: &Option<String>, same: f64, other: f64) -> Weighted {
    match (a, b) {
        (Some(x), Some(y)) if x == y => weighted(1.0, same),
        (Some(_), Some(_)) => weighted(0.0, other),
        _ => Weighted::default(),
    }
}

/// If only one book names an edition, and it is a later one, they are probably different editions.
fn edition(a: &Traits, b: &Traits) -> Weighted {
    match (&a.edition, &b.edition) {
        (Some(one), None) | (None, Some(one)) if one != "1" && a.class == TypeClass::Whole => {
            Weighted {
                weight: -1.0,
                likeness: None,
            }
        }
        (x, y) => equal(x, y, 0.5, -3.0),
    }
}

fn publisher(a: &Traits, b: &Traits) -> Weighted {
    let (Some(x), Some(y)) = (&a.publisher, &b.publisher) else {
        return Weighted::default();
    };
    if x.contains(y.as_str()) || y.contains(x.as_str()) {
        weighted(1.0, 0.5)
    } else {
        weighted(
            0.0,
            if a.class == TypeClass::Whole {
                -1.0
            } else {
                0.0
            },
        )
    }
}

fn kind(a: &Traits, b: &Traits) -> Weighted {
    match kinds::fit(a.class, b.class) {
        ClassFit::Fits => weighted(1.0, 0.0),
        ClassFit::Doubtful => weighted(0.5, -2.0),
        _ => weighted(0.0, -4.0),
    }
}

/// Reports every field that either item has, with both values as stored.
pub fn report(a: &Traits, b: &Traits, judgement: &Judgement) -> Vec<FieldReport> {
    let fields = judgement.weights.named().into_iter();
    let reports = fields.map(|(field, value)| FieldReport {
        field,
        given: shown(a, b, field),
        found: shown(b, a, field),
        similarity: round(value.likeness.unwrap_or_default()),
        weight: round(value.weight),
        verdict: verdict(value.likeness),
    });
    reports
        .filter(|report| report.given.is_some() || report.found.is_some())
        .collect()
}

fn verdict(likeness: Option<f64>) -> FieldVerdict {
    match likeness {
        None => FieldVerdict::Missing,
        Some(l) if l > 0.97 => FieldVerdict::Equal,
        Some(l) if l >= 0.5 => FieldVerdict::Similar,
        Some(_) => FieldVerdict::Different,
    }
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The value of a field as stored in its item.
fn shown(traits: &Traits, other: &Traits, field: &str) -> Option<String> {
    let item = traits.item;
    let text = |variable| item.text(variable).map(str::to_owned);
    let number = |variable| item.number(variable).map(str::to_owned);
    match field {
        "identifier" => shared_identifier(traits, other)
            .or_else(|| comparable_identifier(traits, other))
            .or(traits.identifiers.first())
            .map(|id| id.as_str().to_owned()),
        "title" => text(TextVar::Title),
        "authors" => names(answerable(item)),
        "year" => traits.year.map(|year| year.to_string()),
        "container_title" => {
            text(TextVar::ContainerTitle).or_else(|| text(TextVar::ContainerTitleShort))
        }
        "volume" => number(NumberVar::Volume),
        "issue" => number(NumberVar::Issue),
        "pages" => traits.page.as_ref().and_then(|_| {
            number(NumberVar::Page)
                .or_else(|| number(NumberVar::PageFirst))
                .or_else(|| number(NumberVar::Number))
        }),
        "edition" => number(NumberVar::Edition).or_else(|| number(NumberVar::Version)),
        "publisher" => text(TextVar::Publisher),
        _ => Some(item.kind.json_name().to_owned()),
    }
}

fn comparable_identifier<'a>(traits: &'a Traits, other: &Traits) -> Option<&'a Identifier> {
    let kinds: Vec<&str> = other.identifiers.iter().map(Identifier::kind).collect();
    let identifiers = &traits.identifiers;
    identifiers.iter().find(|id| kinds.contains(&id.kind()))
}

fn names(list: &[Name]) -> Option<String> {
    let shown: Vec<String> = list.iter().take(SHOWN_NAMES).map(Name::display).collect();
    (!shown.is_empty()).then(|| shown.join("; "))
}
