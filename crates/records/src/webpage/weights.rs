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
    (Trait::Given, [0.00, 0.51, 0.25, 0.15, -2.16, -1.60]),
    (Trait::Highwire, [5.33, 0.00, 6.84, 4.11, 5.16, 6.05]),
    (Trait::DublinCore, [3.32, 0.00, 3.87, 4.45, 2.63, 4.04]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 3.99, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.01, 1.50, 2.04, 3.00]),
    (Trait::Schema, [1.57, 2.04, 4.78, 4.04, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 1.15, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [4.26, 6.45, 3.20, 3.67, 0.00, 0.00]),
    (Trait::Meta, [-0.26, 0.35, 2.05, 2.58, 0.00, 0.00]),
    (Trait::SocialTag, [2.00, 1.00, 0.37, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [1.87, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [-0.09, 1.03, 0.00, 1.00, 0.75, 0.00]),
    (Trait::TagPart, [0.83, 0.38, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.65, 0.00, 0.00, 1.30, 0.00, 0.00]),
    (Trait::LowerHeading, [0.31, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [1.01, 0.00, 2.39, 2.74, 0.00, 0.00]),
    (Trait::Marked, [-1.11, 0.00, 2.19, 1.31, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.55, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 2.99, 1.04, 0.00, 0.34]),
    (Trait::LabelInText, [0.00, 0.60, 2.28, 0.99, 0.00, 0.00]),
    (Trait::LabelValue, [2.48, 0.60, 3.24, 2.31, 1.26, 2.91]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 0.74, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, 0.12, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 1.20, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 1.98, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.34, 1.36, 2.46]),
    (Trait::OwnCitation, [0.00, 0.00, 2.02, 2.05, 3.49, 3.88]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.54, 0.00, 5.00]),
    (Trait::Host, [-3.23, -0.33, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, -0.08, 0.00, -0.61, 0.00, 0.00]),
    (Trait::Feed, [0.00, 0.10, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.41, 0.00, 0.00, 0.00, -0.36]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.08, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, -0.13, 0.73, 0.00, 1.42]),
    (Trait::Above, [0.00, 0.00, -1.23, -0.75, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, 0.32, -0.94, 0.00, -1.43]),
    (Trait::Aside, [0.00, 0.00, -0.15, -0.81, 0.00, -0.66]),
    (Trait::First, [-0.01, 0.00, 0.73, 1.18, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.40, -0.71, 0.00, 0.00]),
    (Trait::Late, [-1.63, 0.00, -1.32, -1.26, 0.00, 0.00]),
    (Trait::Agreed, [1.86, 0.75, 0.20, 1.52, 0.88, 0.86]),
    (Trait::AgreedTwice, [1.88, 2.28, 1.21, 1.20, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.00, 1.01, 0.94, -0.81, -0.73]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.39, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.32, -2.51, -1.92, 0.00]),
    (Trait::IsSite, [-2.63, 0.00, -2.26, 0.00, 0.28, 0.00]),
    (Trait::KeepsSite, [-3.23, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-1.73, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -6.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [0.23, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.75, -0.07, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [0.65, -1.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.29, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [1.39, 0.30, 0.00, 0.00, 0.98, 0.00]),
    (Trait::InTag, [0.73, -1.02, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.90, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-4.19, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [1.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.26, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.29, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-0.58, -1.60, 0.00, 0.00, -1.08, 0.00]),
    (Trait::InSlug, [1.23, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.54, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.05, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -0.22, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.42, 0.00, -1.49, 0.00, -0.52, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, 0.24, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.63, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.54, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.61, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -4.70, 0.00, -2.66, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.34, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.29, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.10, 1.76, 1.74]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.00]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, 0.07]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.49]),
    (Trait::OfArticle, [0.00, 0.00, 0.27, 0.24, 2.79, 1.65]),
    (Trait::OfStory, [0.00, 0.00, 0.35, 0.23, -2.84, -1.56]),
];
