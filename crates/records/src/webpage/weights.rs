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
    (Trait::Given, [0.00, 0.58, 0.91, 0.45, -2.33, -1.33]),
    (Trait::Highwire, [6.05, 0.00, 8.41, 4.11, 5.37, 6.04]),
    (Trait::DublinCore, [2.80, 0.00, 4.35, 5.08, 2.47, 4.04]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 4.00, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.00, 1.50, 2.03, 3.00]),
    (Trait::Schema, [2.75, 2.07, 5.73, 3.47, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 1.02, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [3.44, 6.43, 4.52, 3.75, 0.00, 0.00]),
    (Trait::Meta, [-0.49, 1.56, 2.50, 2.74, 0.00, 0.00]),
    (Trait::SocialTag, [0.03, 1.33, -0.48, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [0.19, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [0.46, 0.84, 0.00, 1.00, 1.02, 0.00]),
    (Trait::TagPart, [0.29, 0.37, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.90, 0.00, 0.00, 1.51, 0.00, 0.00]),
    (Trait::LowerHeading, [-0.47, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [0.67, 0.00, 2.34, 2.65, 0.00, 0.00]),
    (Trait::Marked, [-0.84, 0.00, 2.09, 1.70, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.14, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 3.40, 0.72, 0.00, 0.55]),
    (Trait::LabelInText, [0.00, 0.60, 2.92, 0.87, 0.00, 0.00]),
    (Trait::LabelValue, [2.31, 0.60, 3.91, 2.48, 0.95, 2.41]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 0.29, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -0.08, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 0.30, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 2.50, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.25, 1.18, 2.90]),
    (Trait::OwnCitation, [0.00, 0.00, 2.03, 2.12, 3.62, 4.24]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.55, 0.00, 5.40]),
    (Trait::Host, [-3.09, 0.71, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, 0.03, 0.00, -0.63, 0.00, 0.00]),
    (Trait::Feed, [0.00, -0.18, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.30, 0.00, 0.00, 0.00, -0.43]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.35, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, 0.16, 0.39, 0.00, 1.50]),
    (Trait::Above, [0.00, 0.00, -2.34, -0.96, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, 0.09, -1.10, 0.00, -1.03]),
    (Trait::Aside, [0.00, 0.00, -0.14, 0.30, 0.00, -0.49]),
    (Trait::First, [-0.43, 0.00, 0.85, 1.66, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.50, -0.91, 0.00, 0.00]),
    (Trait::Late, [-1.24, 0.00, -1.41, -1.31, 0.00, 0.00]),
    (Trait::Agreed, [4.27, 0.95, 0.65, 1.80, 0.89, 1.25]),
    (Trait::AgreedTwice, [2.59, 2.19, 1.21, 1.33, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.01, 1.12, 1.02, -0.88, -0.77]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.87, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.86, -2.51, -1.98, 0.00]),
    (Trait::IsSite, [-3.64, 0.00, -0.72, 0.00, 2.04, 0.00]),
    (Trait::KeepsSite, [-1.93, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-1.89, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -6.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [-0.37, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.74, 0.14, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [0.93, -0.54, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.12, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [1.05, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [0.20, 0.35, 0.00, 0.00, 1.07, 0.00]),
    (Trait::InTag, [-1.58, -0.95, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.59, -2.05, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-3.70, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [0.99, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.20, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.22, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-1.33, -1.94, 0.00, 0.00, -0.98, 0.00]),
    (Trait::InSlug, [1.29, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.98, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.54, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -0.72, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.31, 0.00, -1.80, 0.00, -1.02, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, 0.08, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.69, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.89, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.71, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -3.37, 0.00, -2.57, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.18, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.62, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.24, 1.93, 1.15]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.16]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, 0.03]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.68]),
    (Trait::OfArticle, [0.00, 0.00, 0.47, 0.27, 3.09, 1.32]),
    (Trait::OfStory, [0.00, 0.00, 0.68, 0.35, -2.13, -2.00]),
];
