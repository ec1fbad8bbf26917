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
    (Trait::Given, [0.00, 0.75, 0.97, 0.42, -2.24, -1.46]),
    (Trait::Highwire, [5.57, 0.00, 7.28, 4.15, 5.40, 6.08]),
    (Trait::DublinCore, [4.16, 0.00, 4.11, 4.67, 2.70, 4.08]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 3.99, 5.00]),
    (Trait::Coins, [1.50, 0.00, 2.01, 1.50, 2.02, 3.00]),
    (Trait::Schema, [1.20, 2.09, 4.73, 4.09, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 0.96, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [4.41, 6.19, 3.24, 3.69, 0.00, 0.00]),
    (Trait::Meta, [-0.16, 0.49, 1.99, 2.62, 0.00, 0.00]),
    (Trait::SocialTag, [2.42, 1.44, 0.09, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [1.92, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [-0.51, 0.87, 0.00, 1.00, 0.83, 0.00]),
    (Trait::TagPart, [1.28, 0.40, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [1.01, 0.00, 0.00, 1.54, 0.00, 0.00]),
    (Trait::LowerHeading, [0.12, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [0.92, 0.00, 2.51, 2.76, 0.00, 0.00]),
    (Trait::Marked, [-1.28, 0.00, 2.10, 1.42, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.80, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 3.12, 0.91, 0.00, 0.44]),
    (Trait::LabelInText, [0.00, 0.60, 2.30, 1.04, 0.00, 0.00]),
    (Trait::LabelValue, [2.72, 0.60, 3.51, 2.31, 1.22, 2.77]),
    (Trait::BareLine, [0.00, 0.00, 0.00, 0.31, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -0.13, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 1.45, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.20, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 1.84, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.46, 1.08, 2.65]),
    (Trait::OwnCitation, [0.00, 0.00, 2.06, 2.17, 3.60, 4.07]),
    (Trait::InAddress, [0.00, 0.00, 0.00, 2.51, 0.00, 5.00]),
    (Trait::Host, [-3.25, -0.09, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, -0.02, 0.00, -0.64, 0.00, 0.00]),
    (Trait::Feed, [0.00, 0.01, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.79, 0.00, 0.00, 0.00, -0.43]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, -0.54, 0.34, 0.00, 1.61]),
    (Trait::Above, [0.00, 0.00, -0.85, -0.58, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, 0.80, -1.14, 0.00, -1.53]),
    (Trait::Aside, [0.00, 0.00, -0.13, -0.81, 0.00, -0.59]),
    (Trait::First, [-0.16, 0.00, 0.96, 1.39, 0.00, 0.00]),
    (Trait::Late, [-1.36, 0.00, -1.67, -1.44, 0.00, 0.00]),
    (Trait::Agreed, [2.17, 0.41, 0.10, 1.62, 0.91, 0.89]),
    (Trait::AgreedTwice, [2.15, 2.37, 1.21, 1.20, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.01, 1.01, 1.11, -0.96, -0.91]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 1.46, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.62, -2.51, -1.88, 0.00]),
    (Trait::IsSite, [-3.18, 0.00, -1.45, 0.00, 0.83, 0.00]),
    (Trait::KeepsSite, [-2.61, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [0.71, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-1.67, -0.25, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [1.01, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.19, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [0.70, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [0.86, 0.30, 0.00, 0.00, 1.35, 0.00]),
    (Trait::InTag, [1.31, -1.16, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.79, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-3.84, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [0.91, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.48, -2.00, -3.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.33, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-0.66, -1.59, 0.00, 0.00, -1.13, 0.00]),
    (Trait::InSlug, [0.13, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.21, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 1.19, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -0.81, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [0.25, 0.00, -1.77, 0.00, -0.51, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, 0.18, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.72, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.85, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.73, 0.00, 0.00]),
    (Trait::IsOther, [0.00, -1.27, 0.00, -2.63, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.33, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.52, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.29, 1.69, 1.56]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.24]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, -0.11]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.68]),
    (Trait::OfArticle, [0.00, 0.00, 0.29, 0.22, 2.75, 1.79]),
    (Trait::OfStory, [0.00, 0.00, 0.37, 0.31, -2.94, -1.62]),
    (Trait::OfWiki, [0.00, 0.00, -3.39, 0.00, 0.00, 0.00]),
];
