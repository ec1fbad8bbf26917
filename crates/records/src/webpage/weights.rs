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

/// Fitted by `examples/fit_webpages`, which writes this table; the columns are those of [`Field::ALL`].
///
/// The columns of the site and of the authors are fitted with and without tags, the others with tags only; of the
/// title, the rows of kickers are fitted with the others fixed. Those of `EndsTitleTag`, of a date `BesideOther`, of
/// `IsPeriodical`, of a title in `OwnCitation`, and of authors in `SocialTag`, `IsNamedInTitle`, `IsContinued`,
/// `IsUnlikeByline`, `IsOneOfFar`, `IsElsewhere`, `IsStatedPerson` and `IsOwnerOfSite` are set by hand.
#[rustfmt::skip]
const WEIGHTS: [(Trait, [f32; 6]); 108] = [
    (Trait::Given, [0.00, 2.35, -0.97, 0.42, -2.34, -1.60]),
    (Trait::Highwire, [6.05, 0.00, 8.49, 4.11, 5.38, 6.05]),
    (Trait::DublinCore, [2.81, 0.00, 4.38, 5.08, 2.47, 4.04]),
    (Trait::Eprints, [2.50, 0.00, 4.50, 3.50, 4.00, 5.00]),
    (Trait::Coins, [0.20, 0.00, 2.69, 1.50, 2.03, 3.00]),
    (Trait::Schema, [2.83, 3.15, 4.60, 3.45, 0.00, 4.00]),
    (Trait::SchemaPart, [0.00, 3.63, 0.00, 0.00, 4.00, 0.00]),
    (Trait::OpenGraph, [3.73, 9.09, 5.13, 3.75, 0.00, 0.00]),
    (Trait::Meta, [-0.24, 3.06, 2.20, 2.74, 0.00, 0.00]),
    (Trait::SocialTag, [-0.49, -0.14, -0.10, 0.00, 0.00, 0.00]),
    (Trait::TitleTag, [0.37, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::TitlePart, [0.64, -0.04, 0.00, 1.00, 1.01, 0.00]),
    (Trait::TagPart, [0.54, 1.23, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Heading, [0.96, 0.00, 0.00, 1.51, 0.00, 0.00]),
    (Trait::LowerHeading, [-0.35, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MarkedSure, [0.80, 0.00, 2.40, 2.65, 0.00, 0.00]),
    (Trait::Marked, [-0.82, 0.00, 2.19, 1.72, 0.00, 0.00]),
    (Trait::Profile, [0.00, 0.00, 1.63, 0.00, 0.00, 0.00]),
    (Trait::LabelledLine, [0.00, 0.00, 2.40, 0.71, 0.00, 0.46]),
    (Trait::LabelInText, [0.00, 0.60, 2.46, 0.85, 0.00, 0.00]),
    (Trait::LabelValue, [2.33, -0.84, 3.57, 2.49, 0.94, 2.52]),
    (Trait::BareLine, [0.00, 0.33, -0.33, 0.27, 0.00, 0.00]),
    (Trait::DatedLine, [0.00, 0.00, -0.01, 0.00, 0.00, 0.00]),
    (Trait::NameList, [0.00, 0.00, 0.38, 0.00, 0.00, 0.00]),
    (Trait::Listed, [0.00, 0.00, 0.29, 0.00, 0.00, 0.00]),
    (Trait::Bracketed, [0.00, 0.00, 2.80, 0.00, 0.00, 0.00]),
    (Trait::Signature, [0.00, 0.00, 2.53, 0.00, 0.00, 0.00]),
    (Trait::CitationLine, [0.00, 0.00, 1.50, 2.25, 1.18, 2.65]),
    (Trait::OwnCitation, [0.50, 0.00, 2.09, 2.12, 3.62, 4.09]),
    (Trait::InAddress, [0.00, -0.02, 0.00, 2.55, 0.00, 5.35]),
    (Trait::Host, [-3.09, -0.09, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Copyright, [0.00, 0.55, 0.59, -0.63, 0.00, 0.00]),
    (Trait::Feed, [0.00, 1.87, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Logo, [0.00, 0.60, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Link, [0.00, -0.10, 0.00, 0.00, 0.00, -0.33]),
    (Trait::Modified, [0.00, 0.00, 0.00, 0.34, 0.00, 0.00]),
    (Trait::Near, [0.00, 0.00, -0.71, 0.42, 0.00, 1.76]),
    (Trait::Beside, [0.00, 0.00, 1.78, 0.00, 0.00, 0.00]),
    (Trait::BesideOther, [0.00, 0.00, 1.45, 0.50, 0.00, 0.00]),
    (Trait::Above, [0.00, 0.00, -1.74, -0.95, 0.00, 0.00]),
    (Trait::Far, [0.00, 0.00, -0.63, -1.18, 0.00, -1.46]),
    (Trait::Aside, [0.00, 0.00, -0.82, 0.29, 0.00, -0.60]),
    (Trait::First, [-0.30, 0.00, 0.53, 1.65, 0.00, 0.00]),
    (Trait::Behind, [0.00, 0.00, -0.19, -0.89, 0.00, 0.00]),
    (Trait::Late, [-1.18, 0.00, -0.42, -1.33, 0.00, 0.00]),
    (Trait::Closing, [0.00, 0.00, 0.29, 0.00, 0.00, 0.00]),
    (Trait::BehindKicker, [4.33, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::BehindElement, [1.91, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Agreed, [4.28, 1.04, -0.26, 1.80, 0.89, 1.20]),
    (Trait::AgreedTwice, [2.27, 1.66, 0.26, 1.34, 1.20, 1.00]),
    (Trait::Alone, [0.00, 0.11, 0.80, 1.03, -0.88, -0.89]),
    (Trait::Finer, [0.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::Superset, [0.00, 0.00, 0.98, 0.00, 0.00, 0.00]),
    (Trait::Subset, [0.00, 0.00, 0.24, -2.47, -1.97, 0.00]),
    (Trait::IsSite, [-3.59, 0.00, -0.92, 0.00, 2.05, 0.00]),
    (Trait::KeepsSite, [-2.61, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::HasHeading, [-1.62, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsTitle, [0.00, -2.56, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsSite, [-0.26, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::RestIsOther, [-0.75, 0.45, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsHeading, [0.98, 0.44, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsOnlyHeading, [0.31, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLowerHeading, [1.37, 0.00, 0.25, 0.00, 0.00, 0.00]),
    (Trait::InTitleTag, [0.31, 2.06, 0.00, 0.00, 1.07, 0.00]),
    (Trait::InTag, [-1.37, 1.02, 0.00, 0.00, 0.00, 0.00]),
    (Trait::InHeading, [-0.40, -0.04, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsCutShort, [-3.72, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLonger, [0.99, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsGeneric, [-4.19, -2.00, -2.84, 0.00, 0.00, 0.00]),
    (Trait::EndsTitleTag, [-3.00, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsShort, [-1.25, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsLong, [-1.21, -0.66, 0.00, 0.00, -1.11, 0.00]),
    (Trait::InSlug, [1.45, 0.00, 0.00, 0.00, 0.00, 0.00]),
    (Trait::MatchesHost, [0.00, 1.39, 0.00, 0.00, 0.00, 0.00]),
    (Trait::SpellsHost, [0.00, 0.90, 0.00, 0.00, 0.00, 0.00]),
    (Trait::AbbreviatesToHost, [0.00, 2.86, 0.00, 0.00, 0.00, 0.00]),
    (Trait::IsPeriodical, [0.00, 0.00, 0.00, 0.00, 0.50, 0.00]),
    (Trait::HasPlainWord, [0.00, 0.00, -0.65, 0.00, 0.00, 0.00]),
    (Trait::IsPeople, [0.00, 0.00, 0.87, 0.00, 0.00, 0.00]),
    (Trait::HasPerson, [0.00, 0.00, -2.08, 0.00, 0.00, 0.00]),
    (Trait::HasGivenName, [0.00, 0.00, 1.97, 0.00, 0.00, 0.00]),
    (Trait::IsFullName, [0.00, 0.00, -0.47, 0.00, 0.00, 0.00]),
    (Trait::IsOwner, [0.00, 0.00, -2.07, 0.00, 0.00, 0.00]),
    (Trait::IsInMenu, [0.00, 0.00, -0.07, 0.00, 0.00, 0.00]),
    (Trait::IsInByline, [0.00, 0.00, -1.68, 0.00, 0.00, 0.00]),
    (Trait::IsUnlikeByline, [0.00, 0.00, -8.00, 0.00, 0.00, 0.00]),
    (Trait::IsOneOfFar, [0.00, 0.00, -2.00, 0.00, 0.00, 0.00]),
    (Trait::IsElsewhere, [0.00, 0.00, -4.00, 0.00, 0.00, 0.00]),
    (Trait::IsStatedPerson, [0.00, 0.00, 1.50, 0.00, 0.00, 0.00]),
    (Trait::IsOwnerOfSite, [0.00, 0.00, 1.50, 0.00, 0.00, 0.00]),
    (Trait::IsSingleWord, [-0.24, 0.00, -1.71, 0.00, -1.10, 0.00]),
    (Trait::IsAccount, [0.00, 0.00, 2.66, 0.00, 0.00, 0.00]),
    (Trait::IsSingle, [0.00, 0.00, 0.10, 0.00, 0.00, 0.00]),
    (Trait::IsNamedInTitle, [0.00, 0.00, -2.60, 0.00, 0.00, 0.00]),
    (Trait::IsContinued, [0.00, 0.00, -2.50, 0.00, 0.00, 0.00]),
    (Trait::IsDay, [0.00, 0.00, 0.00, 0.68, 0.00, 0.00]),
    (Trait::IsMonth, [0.00, 0.00, 0.00, 1.85, 0.00, 0.00]),
    (Trait::IsYear, [0.00, 0.00, 0.00, -0.69, 0.00, 0.00]),
    (Trait::IsOther, [0.00, 0.00, 0.00, -2.58, 0.00, 0.00]),
    (Trait::IsLatest, [0.00, 0.00, 0.00, 0.19, 0.00, 0.00]),
    (Trait::IsEarliest, [0.00, 0.00, 0.00, 0.62, 0.00, 0.00]),
    (Trait::IsWork, [0.00, 0.00, 0.00, -0.23, 1.93, 1.58]),
    (Trait::IsOtherWork, [0.00, 0.00, 0.00, 0.00, 0.00, -3.10]),
    (Trait::IsOnly, [0.00, 0.00, 0.00, 0.00, 0.00, -0.09]),
    (Trait::IsOwnLine, [0.00, 0.00, 0.00, 0.00, 0.00, 2.71]),
    (Trait::OfThread, [0.00, 0.00, -0.38, 0.00, 0.00, 0.00]),
    (Trait::OfArticle, [0.00, 0.00, 0.84, 0.27, 3.10, 1.80]),
    (Trait::OfStory, [0.00, 0.00, -0.38, 0.36, -2.08, -1.74]),
];
