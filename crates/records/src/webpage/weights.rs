//! The weights of traits, one row a trait, one column a field.

use super::traits::Trait;

/// A field that is chosen among candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Title,
    Site,
    Authors,
    Date,
    Container,
    Doi,
}

impl Field {
    pub const ALL: [Field; 6] = [
        Field::Title,
        Field::Site,
        Field::Authors,
        Field::Date,
        Field::Container,
        Field::Doi,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Site => "site",
            Field::Authors => "authors",
            Field::Date => "date",
            Field::Container => "container",
            Field::Doi => "doi",
        }
    }

    /// Whether the best candidate is given however weak it is: every page has a title.
    pub(super) fn is_always_given(self) -> bool {
        self == Field::Title
    }
}

/// The weight of a trait for a field.
pub(super) fn weight(one: Trait, field: Field) -> f32 {
    let row = WEIGHTS.get(one as usize);
    let weight = row.and_then(|(_, weights)| weights.get(field as usize));
    weight.copied().unwrap_or_default()
}

/// Fitted by `examples/fit_webpages.rs`, which writes this table; the columns are those of [`Field::ALL`].
#[rustfmt::skip]
const WEIGHTS: [(Trait, [f32; 6]); 80] = [
    (Trait::Given, [0.00, -0.50, -1.50, -1.50, -1.50, -2.00]),
    (Trait::Highwire, [3.50, 0.00, 5.00, 4.00, 4.00, 6.00]),
    (Trait::DublinCore, [2.50, 0.00, 3.00, 3.00, 2.50, 4.00]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 4.00, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.00, 1.50, 2.00, 3.00]),
    (Trait::Schema, [2.20, 2.00, 3.50, 3.20, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 1.00, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [2.20, 2.50, 2.50, 3.50, 0.00, 0.00]),
    (Trait::Meta, [0.50, 0.50, 2.00, 2.50, 0.00, 0.00]),
    (Trait::SocialTag, [1.20, 0.50, 1.00, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [1.00, 0.60, 0.00, 1.00, 1.50, 0.00]),
    (Trait::TagPart, [0.50, 0.30, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [1.50, 0.00, 0.00, 1.00, 0.00, 0.00]),
    (Trait::LowerHeading, [0.40, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [1.00, 0.00, 2.50, 2.50, 0.00, 0.00]),
    (Trait::Marked, [0.80, 0.00, 2.00, 2.00, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.40, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 2.30, 2.50, 0.00, 0.00]),
    (Trait::LabelInText, [0.00, 0.60, 1.60, 0.70, 0.00, 0.00]),
    (Trait::LabelValue, [1.20, 0.60, 2.30, 2.20, 2.00, 3.50]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 2.00, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, 1.60, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 2.00, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.20, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 1.80, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 1.80, 2.50, 2.00]),
    (Trait::OwnCitation, [0.00, 0.00, 2.00, 2.00, 3.00, 3.00]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.50, 0.00, 5.00]),
    (Trait::Host, [0.00, -0.50, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, 0.20, 0.00, -0.50, 0.00, 0.00]),
    (Trait::Feed, [0.00, 0.50, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, 0.00, 0.00, 0.00, 0.00, 0.20]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.30, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, 0.80, 0.80, 0.00, 0.60]),
    (Trait::Above, [0.00, 0.00, 0.00, -0.20, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, -0.40, -0.40, 0.00, -0.60]),
    (Trait::Aside, [0.00, 0.00, -1.00, -1.20, 0.00, -1.50]),
    (Trait::First, [0.50, 0.00, 0.40, 0.40, 0.00, 0.00]),
    (Trait::Late, [-0.60, 0.00, -0.60, -0.50, 0.00, 0.00]),
    (Trait::Agreed, [0.60, 0.80, 0.80, 0.80, 0.80, 0.80]),
    (Trait::AgreedTwice, [1.20, 1.50, 1.20, 1.20, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 0.50, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, -0.60, -2.50, 0.00, 0.00]),
    (Trait::IsSite, [-4.00, 0.00, -3.00, 0.00, -0.80, 0.00]),
    (Trait::KeepsSite, [-2.50, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [1.20, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-1.00, -0.20, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [1.50, -2.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.80, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [0.70, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [0.80, 0.60, 0.00, 0.00, 0.50, 0.00]),
    (Trait::InTag, [0.20, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.30, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-4.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.00, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-0.80, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-1.00, -1.50, 0.00, 0.00, -1.00, 0.00]),
    (Trait::InSlug, [1.20, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.80, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 0.80, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, 0.60, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.60, 0.00, -1.20, 0.00, 0.00, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.50, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.60, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -1.50, 0.00, -2.50, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, -0.30, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, 0.20, 1.00, 2.50]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -2.50]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, 0.80]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 1.60]),
    (Trait::OfArticle, [0.00, 0.00, 0.00, 0.00, 0.80, 1.00]),
    (Trait::OfStory, [0.00, 0.00, 0.00, 0.00, -1.50, -1.50]),
    (Trait::OfWiki, [0.00, 0.00, -4.00, 0.00, 0.00, 0.00]),
];
