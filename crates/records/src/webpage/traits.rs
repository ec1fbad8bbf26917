//! The evidence for a claim: where it stands, who else makes it, and what it looks like.

use super::evidence::evidence;

evidence! {
    /// A trait of a candidate. Its weights are in `weights`.
    Trait,
    /// A set of traits.
    Traits,

    // Every candidate has it; its weight is what a value must outweigh to be given at all.
    Given = "given",

    // Sources.
    Highwire = "Highwire tag",
    DublinCore = "Dublin Core or PRISM tag",
    Eprints = "EPrints tag",
    Coins = "COinS",
    Schema = "schema.org",
    SchemaPart = "stated whole of the work",
    OpenGraph = "Open Graph tag",
    Meta = "meta tag",
    SocialTag = "social network's tag",
    TitleTag = "title tag",
    TitlePart = "part of the title tag",
    TagPart = "part of another tag",
    Heading = "top heading",
    LowerHeading = "lower heading",
    MarkedSure = "element marked as the field",
    Marked = "element with a class of the field",
    Profile = "link to a profile",
    LabelledLine = "line with a label",
    LabelInText = "label inside a text",
    LabelValue = "label and value",
    BareLine = "line of its own",
    DatedLine = "line beside a date",
    NameList = "line of names below the heading",
    Listed = "elements of one class",
    Bracketed = "signature in brackets",
    Signature = "signature at the end",
    CitationLine = "citation line",
    OwnCitation = "citation of the page",
    InAddress = "address",
    Host = "host",
    Copyright = "copyright line",
    Feed = "feed",
    Logo = "logo",
    Link = "link",
    Modified = "date of a change",

    // Places.
    Near = "near the heading",
    Beside = "next to the heading",
    BesideOther = "next to the other field of a byline",
    Above = "above the heading",
    Far = "far from the heading",
    Aside = "beside the work",
    First = "first of its kind",
    Behind = "behind another heading",
    Late = "not the first of its kind",
    Closing = "line behind the text",
    BehindKicker = "behind a kicker in its heading",
    BehindElement = "behind the first element of its heading",

    // Agreement.
    Agreed = "two kinds of sources agree",
    AgreedTwice = "three kinds of sources agree",
    Alone = "no other candidate",
    Finer = "more precise than another",
    Superset = "has all names of another",
    Subset = "another has all its names",

    // Values.
    IsSite = "the site's name",
    KeepsSite = "has the site's name at an end",
    HasHeading = "has a top heading as a part",
    IsTitle = "equals a stated title",
    RestIsSite = "what is cut off is the site's name",
    RestIsOther = "what is cut off is something else",
    IsHeading = "equals a top heading",
    IsOnlyHeading = "equals the only top heading",
    IsLowerHeading = "equals a lower heading",
    InTitleTag = "inside the title tag",
    InTag = "inside another stated title",
    InHeading = "inside a top heading",
    IsCutShort = "cut short",
    IsLonger = "continues another that is cut short",
    IsGeneric = "word of a template",
    EndsTitleTag = "ends the title tag behind another heading",
    IsShort = "short",
    IsLong = "long",
    InSlug = "words of the address",
    MatchesHost = "matches the host",
    SpellsHost = "spells the host",
    AbbreviatesToHost = "has the initials of the host",
    IsPeriodical = "has a word of periodicals",
    HasPlainWord = "has a word that the text has in lower case",
    IsPeople = "names of people",
    HasPerson = "has a person",
    HasGivenName = "begins with a common given name",
    IsFullName = "whole names of people",
    IsOwner = "the site or its staff, not a person",
    IsInMenu = "text of a menu",
    IsInByline = "part of a labelled byline",
    IsUnlikeByline = "other people than a labelled byline",
    IsOneOfFar = "one of several far from the heading",
    IsElsewhere = "elsewhere than the work of which tags state the people",
    IsStatedPerson = "person whom a tag states, with a given name that is not common",
    IsOwnerOfSite = "person whose name the site has",
    IsSingleWord = "single word",
    IsAccount = "name of an account",
    IsSingle = "single name",
    IsNamedInTitle = "named in the title",
    IsContinued = "line that the next one continues",
    IsDay = "a day",
    IsMonth = "a month",
    IsYear = "a year",
    IsOther = "has the label of another date",
    IsLatest = "latest date of the page",
    IsEarliest = "earliest date of the page",
    IsWork = "has the label of the work",
    IsOtherWork = "has the label of another work",
    IsOnly = "only one on the page",
    IsOwnLine = "line with nothing else",

    // What the page is.
    OfThread = "on a page of posts",
    OfArticle = "on a page of a scholarly work",
    OfStory = "on a page of a story",
}

impl Traits {
    pub fn of(traits: &[Trait]) -> Traits {
        (traits.iter()).fold(Traits::default(), |set, one| set.with(*one))
    }

    #[must_use]
    pub fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    pub fn has_any(self, of: &[Trait]) -> bool {
        of.iter().any(|one| self.has(*one))
    }

    /// The number of kinds of sources: scholarly tags, schema.org, tags of the web, title tag, visible text,
    /// address.
    pub fn kinds_of_sources(self) -> usize {
        use Trait as T;
        const KINDS: [&[Trait]; 6] = [
            &[T::Highwire, T::DublinCore, T::Eprints, T::Coins],
            &[T::Schema, T::SchemaPart],
            &[T::OpenGraph, T::Meta, T::SocialTag, T::Feed],
            &[T::TitleTag, T::TitlePart],
            &[
                T::Heading,
                T::LowerHeading,
                T::MarkedSure,
                T::Marked,
                T::Profile,
                T::LabelledLine,
                T::LabelInText,
                T::LabelValue,
                T::BareLine,
                T::DatedLine,
                T::NameList,
                T::Bracketed,
                T::Signature,
                T::Closing,
                T::CitationLine,
                T::OwnCitation,
                T::Copyright,
                T::Logo,
                T::Link,
            ],
            &[T::InAddress, T::Host],
        ];
        KINDS.iter().filter(|kind| self.has_any(kind)).count()
    }
}
