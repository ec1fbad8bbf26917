//! Reasons why two items cannot be one work, regardless of other agreement.

use super::kinds::{self, ClassFit, TypeClass};
use super::title::{Likeness, Numbers};
use super::traits::Traits;

/// Below this similarity, titles are clearly different.
const OTHER_TITLE: f64 = 0.4;

/// Records of one work may differ by at most this many years (online and in print).
const YEARS_APART: u32 = 1;

/// A reason why two items are two works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Veto {
    /// Both have a DOI (or a PMID, a PMCID, an arXiv id), but different ones.
    OtherIdentifier,
    /// One identifier on two clearly different titles, as on chapters with their book's identifier.
    OtherTitle,
    /// One is a part of the other.
    PartAndWhole,
    /// Parts or volumes of a series, or reports with different numbers.
    OtherPart,
    OtherEdition,
    /// One corrects, retracts, answers or comments on the other.
    Notice,
    PreprintAndArticle,
    /// Types that are never the same work: a review and a book.
    OtherKind,
    YearsApart,
    /// The same heading in another volume or issue, on another page.
    OtherPlace,
    OtherLanguage,
}

impl Veto {
    /// The API spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Veto::OtherIdentifier => "other_identifier",
            Veto::OtherTitle => "other_title",
            Veto::PartAndWhole => "part_and_whole",
            Veto::OtherPart => "other_part",
            Veto::OtherEdition => "other_edition",
            Veto::Notice => "notice",
            Veto::PreprintAndArticle => "preprint_and_article",
            Veto::OtherKind => "other_kind",
            Veto::YearsApart => "years_apart",
            Veto::OtherPlace => "other_place",
            Veto::OtherLanguage => "other_language",
        }
    }
}

/// All vetoes of a pair; `title` is `None` if either has no title.
pub fn against(a: &Traits, b: &Traits, title: Option<&Likeness>) -> Vec<Veto> {
    let shared = shares_identifier(a, b);
    let mut found = Vec::new();
    let mut veto = |holds: bool, veto: Veto| {
        if holds {
            found.push(veto);
        }
    };
    veto(has_other_identifier(a, b, shared), Veto::OtherIdentifier);
    veto(
        shared && title.is_some_and(|t| t.share < OTHER_TITLE),
        Veto::OtherTitle,
    );
    match kinds::fit(a.class, b.class) {
        ClassFit::PartAndWhole => veto(true, Veto::PartAndWhole),
        ClassFit::PreprintAndArticle => veto(true, Veto::PreprintAndArticle),
        // One identifier under two types means that a type is wrong.
        ClassFit::Never => veto(!shared, Veto::OtherKind),
        ClassFit::Fits | ClassFit::Doubtful => {}
    }
    veto(a.title.notices != b.title.notices, Veto::Notice);
    veto(is_other_part(a, b, title), Veto::OtherPart);
    veto(unlike(&a.edition, &b.edition), Veto::OtherEdition);
    if !shared {
        veto(years_between(a, b) > YEARS_APART, Veto::YearsApart);
        let moved = unlike(&a.volume, &b.volume) || unlike(&a.issue, &b.issue);
        veto(moved && unlike(&a.page, &b.page), Veto::OtherPlace);
        veto(unlike(&a.language, &b.language), Veto::OtherLanguage);
    }
    found
}

/// Whether both have a common identifier.
fn shares_identifier(a: &Traits, b: &Traits) -> bool {
    a.identifiers.iter().any(|id| b.identifiers.contains(id))
}

/// Different DOIs always separate two items; other identifiers only if none is shared. An ISBN
/// separates nothing, because print and electronic editions have their own.
fn has_other_identifier(a: &Traits, b: &Traits, shared: bool) -> bool {
    if let (Some(x), Some(y)) = (&a.doi, &b.doi) {
        return x != y;
    }
    let other = |kind: &str| {
        let of = |traits: &Traits| traits.identifiers.iter().any(|id| id.kind() == kind);
        of(a) && of(b)
    };
    !shared && ["pmid", "pmcid", "arxiv"].into_iter().any(other)
}

fn is_other_part(a: &Traits, b: &Traits, title: Option<&Likeness>) -> bool {
    let whole = matches!((a.class, b.class), (TypeClass::Whole, TypeClass::Whole));
    let other_volume = whole && unlike(&a.volume, &b.volume);
    let other_numbers = title.is_some_and(|t| t.numbers == Numbers::Different);
    other_volume || other_numbers || unlike(&a.number, &b.number)
}

/// Whether both are known and different.
fn unlike(x: &Option<String>, y: &Option<String>) -> bool {
    x.is_some() && y.is_some() && x != y
}

pub fn years_between(a: &Traits, b: &Traits) -> u32 {
    match (a.year, b.year) {
        (Some(x), Some(y)) => x.abs_diff(y),
        _ => 0,
    }
}
