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
    (Trait::Given, [0.00, 0.63, 1.03, 0.41, -2.26, -1.53]),
    (Trait::Highwire, [5.92, 0.00, 8.25, 4.13, 5.34, 6.09]),
    (Trait::DublinCore, [3.23, 0.00, 4.42, 4.75, 2.67, 4.08]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 3.99, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.01, 1.50, 2.04, 3.00]),
    (Trait::Schema, [1.37, 2.05, 5.10, 4.18, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 1.09, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [4.47, 6.68, 3.94, 3.72, 0.00, 0.00]),
    (Trait::Meta, [0.05, 0.33, 2.09, 2.60, 0.00, 0.00]),
    (Trait::SocialTag, [2.46, 1.19, -0.22, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [1.10, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [0.16, 1.06, 0.00, 1.00, 0.61, 0.00]),
    (Trait::TagPart, [0.75, 0.38, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.55, 0.00, 0.00, 1.35, 0.00, 0.00]),
    (Trait::LowerHeading, [0.17, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [0.96, 0.00, 2.31, 2.80, 0.00, 0.00]),
    (Trait::Marked, [-1.49, 0.00, 2.35, 1.29, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.57, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 3.04, 0.80, 0.00, 0.42]),
    (Trait::LabelInText, [0.00, 0.60, 2.65, 0.97, 0.00, 0.00]),
    (Trait::LabelValue, [2.59, 0.60, 3.99, 2.32, 1.12, 2.78]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 0.51, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -0.45, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 0.85, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 2.16, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.31, 1.22, 2.65]),
    (Trait::OwnCitation, [0.00, 0.00, 2.04, 2.06, 3.64, 4.05]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.54, 0.00, 5.00]),
    (Trait::Host, [-3.44, -0.32, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, -0.03, 0.00, -0.65, 0.00, 0.00]),
    (Trait::Feed, [0.00, -0.02, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.55, 0.00, 0.00, 0.00, -0.47]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.08, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, -0.10, 0.72, 0.00, 1.59]),
    (Trait::Above, [0.00, 0.00, -1.74, -0.99, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, 0.44, -1.05, 0.00, -1.53]),
    (Trait::Aside, [0.00, 0.00, 0.14, -0.72, 0.00, -0.54]),
    (Trait::First, [-0.39, 0.00, 1.03, 1.36, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.36, -0.74, 0.00, 0.00]),
    (Trait::Late, [-1.62, 0.00, -1.63, -1.40, 0.00, 0.00]),
    (Trait::Agreed, [2.03, 0.71, 0.10, 1.65, 0.91, 0.90]),
    (Trait::AgreedTwice, [1.85, 2.41, 1.21, 1.20, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.00, 1.36, 1.09, -0.92, -0.88]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.73, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.73, -2.51, -2.09, 0.00]),
    (Trait::IsSite, [-3.20, 0.00, -1.35, 0.00, 0.45, 0.00]),
    (Trait::KeepsSite, [-2.08, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-1.22, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -6.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [-1.11, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.11, -0.06, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [0.55, -0.79, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.27, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [1.01, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [1.34, 0.26, 0.00, 0.00, 1.17, 0.00]),
    (Trait::InTag, [-1.41, -1.15, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-1.36, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-4.23, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.26, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.30, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-1.07, -1.63, 0.00, 0.00, -1.10, 0.00]),
    (Trait::InSlug, [0.93, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.51, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.38, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -0.83, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.51, 0.00, -1.85, 0.00, -0.67, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, -0.05, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.62, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.87, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.67, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -4.61, 0.00, -2.72, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.42, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.39, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.14, 1.99, 1.54]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.19]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, -0.08]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.63]),
    (Trait::OfArticle, [0.00, 0.00, 0.43, 0.27, 3.17, 1.83]),
    (Trait::OfStory, [0.00, 0.00, 0.51, 0.27, -2.92, -1.56]),
];
