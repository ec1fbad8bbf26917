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
const WEIGHTS: [(Trait, [f32; 6]); 82] = [
    (Trait::Given, [0.00, 0.79, 1.03, 0.41, -2.25, -1.54]),
    (Trait::Highwire, [6.16, 0.00, 8.25, 4.13, 5.35, 6.09]),
    (Trait::DublinCore, [3.07, 0.00, 4.42, 4.75, 2.61, 4.08]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 3.99, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.01, 1.50, 2.04, 3.00]),
    (Trait::Schema, [1.32, 2.06, 5.10, 4.18, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 1.07, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [4.55, 5.88, 3.94, 3.72, 0.00, 0.00]),
    (Trait::Meta, [-0.06, 0.67, 2.09, 2.60, 0.00, 0.00]),
    (Trait::SocialTag, [2.42, 0.62, -0.22, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [1.15, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [0.47, 0.84, 0.00, 1.00, 0.66, 0.00]),
    (Trait::TagPart, [0.74, 0.34, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.57, 0.00, 0.00, 1.35, 0.00, 0.00]),
    (Trait::LowerHeading, [0.19, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [0.97, 0.00, 2.31, 2.80, 0.00, 0.00]),
    (Trait::Marked, [-1.38, 0.00, 2.35, 1.29, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.57, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 3.04, 0.80, 0.00, 0.46]),
    (Trait::LabelInText, [0.00, 0.60, 2.65, 0.97, 0.00, 0.00]),
    (Trait::LabelValue, [2.59, 0.60, 3.99, 2.32, 1.13, 2.78]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 0.51, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -0.45, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 0.85, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 2.16, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.31, 1.24, 2.66]),
    (Trait::OwnCitation, [0.00, 0.00, 2.04, 2.06, 3.65, 4.06]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.54, 0.00, 5.00]),
    (Trait::Host, [-3.37, 0.72, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, -0.02, 0.00, -0.65, 0.00, 0.00]),
    (Trait::Feed, [0.00, 0.39, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -1.04, 0.00, 0.00, 0.00, -0.51]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.08, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, -0.10, 0.72, 0.00, 1.57]),
    (Trait::Above, [0.00, 0.00, -1.74, -0.99, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, 0.44, -1.05, 0.00, -1.50]),
    (Trait::Aside, [0.00, 0.00, 0.14, -0.72, 0.00, -0.51]),
    (Trait::First, [-0.28, 0.00, 1.03, 1.36, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.36, -0.74, 0.00, 0.00]),
    (Trait::Late, [-1.55, 0.00, -1.63, -1.40, 0.00, 0.00]),
    (Trait::Agreed, [2.15, 0.31, 0.10, 1.65, 0.91, 0.90]),
    (Trait::AgreedTwice, [2.05, 1.69, 1.21, 1.20, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.01, 1.36, 1.09, -0.98, -0.91]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.73, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.73, -2.51, -2.11, 0.00]),
    (Trait::IsSite, [-3.04, 0.00, -1.35, 0.00, 0.80, 0.00]),
    (Trait::KeepsSite, [-2.12, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-0.77, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -6.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [-1.38, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.31, -0.10, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [0.57, -0.34, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.32, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [0.98, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [1.39, 0.09, 0.00, 0.00, 1.11, 0.00]),
    (Trait::InTag, [-1.17, -1.14, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-1.24, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-4.19, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.26, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.27, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-0.81, -1.57, 0.00, 0.00, -1.09, 0.00]),
    (Trait::InSlug, [0.91, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.73, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.38, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -0.83, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.41, 0.00, -1.85, 0.00, -0.62, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, -0.05, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.62, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.87, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.67, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -3.89, 0.00, -2.72, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.42, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.39, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.14, 1.87, 1.56]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.17]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, -0.11]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.66]),
    (Trait::OfArticle, [0.00, 0.00, 0.43, 0.27, 3.14, 1.84]),
    (Trait::OfStory, [0.00, 0.00, 0.51, 0.27, -3.01, -1.62]),
];
