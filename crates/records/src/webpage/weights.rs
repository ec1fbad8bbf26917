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
const WEIGHTS: [(Trait, [f32; 6]); 89] = [
    (Trait::Given, [0.00, 2.30, 2.65, 1.77, -3.48, -1.30]),
    (Trait::Highwire, [5.61, 0.00, 8.15, 4.29, 5.03, 6.00]),
    (Trait::DublinCore, [3.53, 0.00, 3.89, 4.80, 2.43, 4.01]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 4.00, 5.00]),
    (Trait::Coins, [1.81, 0.00, 4.43, 1.23, 2.84, 3.00]),
    (Trait::Schema, [1.15, 3.17, 4.94, 2.64, 0.00, 3.45]),
    (Trait::SchemaPart, [0.00, 3.28, 0.00, 0.00, 4.02, 0.00]),
    (Trait::OpenGraph, [2.53, 8.94, 3.21, 1.52, 0.00, 0.00]),
    (Trait::Meta, [1.41, 3.61, 2.77, -0.02, 0.00, 0.00]),
    (Trait::SocialTag, [-1.43, -0.22, -1.81, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [0.73, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [0.42, 0.33, 0.00, 1.17, 1.27, 0.00]),
    (Trait::TagPart, [0.30, 1.15, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.33, 0.00, 0.00, 0.62, 0.00, 0.00]),
    (Trait::LowerHeading, [0.43, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [2.01, 0.00, 1.18, 2.75, 0.00, 0.00]),
    (Trait::Marked, [1.34, 0.00, 1.03, 1.55, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 0.78, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 2.03, 1.12, 0.00, 2.49]),
    (Trait::LabelInText, [0.00, 0.60, 0.75, -0.07, 0.00, 0.00]),
    (Trait::LabelValue, [3.38, -0.87, -0.68, 1.97, 1.60, 1.74]),
    (Trait::BareLine, [0.00, 0.36, 0.00, 0.16, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -1.26, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, -0.01, 0.00, 0.00, 0.00]),
    (Trait::Listed, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 1.33, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 0.89, -0.12, 0.98]),
    (Trait::OwnCitation, [0.00, 0.00, 2.01, 3.02, 3.01, 6.41]),
    (Trait::InAddress, [0.00, 0.11, 0.00, 1.93, 0.00, 5.84]),
    (Trait::Host, [-4.56, -0.30, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, 0.58, 0.00, 0.13, 0.00, 0.00]),
    (Trait::Feed, [0.00, 2.03, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Logo, [0.00, 0.47, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.11, 0.00, 0.00, 0.00, -0.19]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.53, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, 0.34, 1.13, 0.00, 2.48]),
    (Trait::Beside, [0.00, 0.00, 1.33, 0.60, 0.00, 0.00]),
    (Trait::Above, [0.00, 0.00, -0.44, -0.34, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, -0.57, -0.59, 0.00, -0.10]),
    (Trait::Aside, [0.00, 0.00, -1.85, -0.31, 0.00, -1.57]),
    (Trait::First, [1.14, 0.00, 1.64, 1.95, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.32, -1.03, 0.00, 0.00]),
    (Trait::Late, [-0.35, 0.00, 1.37, -0.14, 0.00, 0.00]),
    (Trait::Agreed, [2.00, 1.17, -1.78, 0.18, 1.24, 1.00]),
    (Trait::AgreedTwice, [0.86, 1.47, -1.39, -1.32, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.10, 1.87, 1.43, 0.77, -1.26]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.90, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.62, 4.21, -1.29, 0.00]),
    (Trait::IsSite, [-1.76, 0.00, -0.94, 0.00, 2.74, 0.00]),
    (Trait::KeepsSite, [-2.20, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-0.37, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -2.53, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [-0.31, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.06, -0.23, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [1.67, 0.31, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.96, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [-0.06, 0.00, -0.22, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [1.34, 2.21, 0.00, 0.00, 0.78, 0.00]),
    (Trait::InTag, [-1.01, 0.71, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.28, -0.30, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-0.70, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [0.80, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.16, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-2.33, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-2.02, -0.73, 0.00, 0.00, -1.85, 0.00]),
    (Trait::InSlug, [1.44, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.38, 0.00, 0.00, 0.00, 0.00]),
    (Trait::SpellsHost, [0.00, 1.01, 0.00, 0.00, 0.00, 0.00]),
    (Trait::AbbreviatesToHost, [0.00, 2.84, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeriodical, [0.00, 0.00, 0.00, 0.00, 1.19, 0.00]),
    (Trait::HasPlainWord, [0.00, 0.00, -1.95, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.45, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -1.01, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-1.71, 0.00, 0.25, 0.00, 0.21, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, -0.04, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.82, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.18, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, 1.26, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -2.09, 0.00, 0.12, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 1.20, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.64, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.19, 2.09, 2.80]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -2.44]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, -0.45]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.61]),
    (Trait::OfArticle, [0.00, 0.00, 0.46, 0.36, 3.50, 0.43]),
    (Trait::OfStory, [0.00, 0.00, 0.80, 0.39, -2.02, -3.02]),
];
