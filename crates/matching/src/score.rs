//! Computes a score from evidence: the weighted sum of features gives the probability that reference and
//! record are the same work.
//!
//! The first weights were fitted by logistic regression with fixed signs: agreement never lowers a score,
//! contradiction never raises it. They were then adjusted one by one, with the same signs, where that saved
//! errors on references in many styles, clean and damaged; docs/matching.md documents the data.

use super::evidence::{Agreement, Evidence, Wording};

/// The subject of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Title,
    Authors,
    Year,
    Volume,
    Issue,
    Pages,
    Container,
    Identifier,
    /// Content of the text that the record lacks.
    Rest,
}

/// One argument for or against, and its weight.
pub struct Feature {
    pub name: &'static str,
    pub field: Field,
    /// In log-odds for a value of 1.
    pub weight: f64,
    /// 0 to 1; may be greater for counts of conflicts.
    pub value: fn(&FeatureVector) -> f64,
}

/// The evidence, with values shared by several features.
pub struct FeatureVector<'a> {
    pub e: &'a Evidence,
    /// How distinctive the title is: 0 for none, towards 1 for a long one.
    info: f64,
    /// 1 if the title is not in the text. Then everything else has to agree.
    untitled: f64,
    /// Numbers that contradict.
    conflicts: f64,
    /// The degree of damage in matches or text: 0 for a clean text, 1 if a third is damaged. In a noisy
    /// text a wrong number weighs less.
    noise: f64,
    /// How certainly the text gives the place of publication: first author, volume and first page together
    /// identify a work.
    located: f64,
    /// The same with the journal instead of the year, so that a different year may be an error.
    located_by_page: f64,
    /// 1 if the text gives neither volume nor page, as in a note or a search: what it leaves out is no evidence.
    informal: f64,
    /// How like memory's the error of the year is: 1 if it is one off, .4 if it is another.
    other_year: f64,
    /// How many further authors are found, as a measure towards 1; 0 if one from the record is missing in
    /// the text.
    company: f64,
    /// How distinctive the title is if the text has all of it and its first author; otherwise 0.
    whole: f64,
    /// 1 if other candidates have the same title (`Editorial`), which makes it uninformative.
    twin: f64,
    /// 1 if other candidates are in the same container.
    sibling: f64,
    /// The share of authors that an untitled text without `et al.` leaves out.
    short: f64,
    /// How much more of the place agrees than that of any other candidate: 0 to 1.
    lead: f64,
    /// 1 if the text names nobody.
    nobody: f64,
    /// 1 if the text names no more than a container.
    bare: f64,
    rivals: Rivals,
}

/// How much of the place of publication agrees: first author, container, year, volume and page, together 0 to 5.
pub fn place(e: &Evidence) -> f64 {
    let numbers = [e.year, e.volume, e.page].map(equal);
    e.people.first + e.container.share + numbers.into_iter().sum::<f64>()
}

/// Other candidates that resemble a candidate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rivals {
    /// How many have the same title.
    pub twins: usize,
    /// How many are in the same container; in the same volume, if the text has a volume.
    pub siblings: usize,
    /// How many are parts of it: its title is their container.
    pub parts: usize,
    /// How much more of the place agrees than that of any other candidate, see [`place`]; negative if less.
    pub lead: f64,
}

impl<'a> FeatureVector<'a> {
    pub fn new(e: &'a Evidence, rivals: Rivals) -> FeatureVector<'a> {
        let conflicts = [e.year, e.volume, e.issue, e.page]
            .into_iter()
            .map(|agreement| match agreement {
                Agreement::Different => 1.0,
                Agreement::Near | Agreement::Misprint => 0.5,
                _ => 0.0,
            })
            .sum();
        let untitled = flag(e.title.share < 0.4);
        let nobody = flag(!e.people.given && e.people.count == 0);
        let info = 1.0 - (-e.title.weight / 3.0).exp();
        FeatureVector {
            e,
            info,
            nobody,
            untitled,
            conflicts,
            noise: (e
                .title
                .misspelt
                .max(e.container.misspelt)
                .max(e.damage)
                .max(e.misread)
                * 3.0)
                .min(1.0),
            located: e.people.first * equal(e.volume) * equal(e.page) * equal(e.year),
            located_by_page: e.people.first * equal(e.volume) * equal(e.page) * e.container.share,
            informal: flag(
                [e.volume, e.page]
                    .iter()
                    .all(|place| matches!(place, Agreement::NotGiven | Agreement::Absent)),
            ),
            other_year: is(e.year, Agreement::Near)
                + 0.4 * (is(e.year, Agreement::Misprint) + is(e.year, Agreement::Different)),
            company: if e.people.found > 0.9 {
                1.0 - (-(e.people.count.saturating_sub(1) as f64) / 2.0).exp()
            } else {
                0.0
            },
            whole: flag(e.title.share > 0.95) * info * e.people.first,
            twin: flag(rivals.twins > 0),
            sibling: flag(rivals.siblings > 0),
            short: untitled * flag(e.people.known > 0 && !e.people.et_al) * (1.0 - e.people.found),
            bare: untitled * flag(e.title.weight > 0.0) * nobody * flag(equal(e.page) <= 0.0),
            rivals,
            lead: (rivals.lead / 2.0).clamp(0.0, 1.0),
        }
    }
}

fn flag(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn equal(agreement: Agreement) -> f64 {
    match agreement {
        Agreement::Equal(fit) => fit,
        _ => 0.0,
    }
}

fn is(agreement: Agreement, other: Agreement) -> f64 {
    flag(agreement == other)
}

const fn feature(
    field: Field,
    name: &'static str,
    weight: f64,
    value: fn(&FeatureVector) -> f64,
) -> Feature {
    Feature {
        name,
        field,
        weight,
        value,
    }
}

/// The log-odds before any feature.
pub const BIAS: f64 = 0.05;

/// All features.
pub static FEATURES: [Feature; 89] = {
    use Agreement::{Absent, Different, Misprint, Near, NotGiven, NotKnown};
    use Field::{Authors, Container, Identifier, Issue, Pages, Rest, Title, Volume, Year};
    [
        // Set by hand, because the fitting data have no identifiers. An identifier outweighs some
        // disagreement, but not a different title with different authors.
        feature(Identifier, "identifier", 6.00, |f| equal(f.e.identifier)),
        feature(Identifier, "identifier and nothing else", 12.00, |f| {
            equal(f.e.identifier) * flag(f.e.identifier_alone)
        }),
        feature(Identifier, "other identifier", -4.00, |f| {
            is(f.e.identifier, Different)
        }),
        feature(Title, "whole title", 0.98, |f| {
            flag(f.e.title.share > 0.95) * f.info
        }),
        feature(Title, "title in order", 1.92, |f| {
            (1.0 - f.untitled) * f.e.title.order * f.e.title.share
        }),
        feature(Title, "title incomplete", -7.97, |f| {
            (1.0 - f.untitled) * (1.0 - f.noise) * (1.0 - f.e.title.share)
        }),
        feature(Title, "title incomplete in noise", -4.94, |f| {
            (1.0 - f.untitled) * f.noise * (1.0 - f.e.title.share)
        }),
        feature(Title, "title cut short", 4.12, |f| {
            flag(f.e.title_cut_short) * (1.0 - f.e.title.share)
        }),
        feature(Title, "no subtitle", -3.16, |f| flag(f.e.subtitle_missing)),
        // A record's title often ends where its markup was lost: “Isolation of” for “Isolation of <i>S.
        // flexneri</i> from …”.
        feature(Title, "title goes on, but the place agrees", 2.49, |f| {
            flag(f.e.title.share > 0.95 && !f.e.companion_differs)
                * f.located
                * f.e.unexplained.longest.min(8.0)
                / 8.0
        }),
        feature(Authors, "untitled, but every author", 1.19, |f| {
            f.untitled * f.company
        }),
        feature(Pages, "page misprinted under a misspelt name", 0.64, |f| {
            (is(f.e.page, Misprint) + is(f.e.page, Different)) * flag(f.e.people.misread > 0)
        }),
        feature(Title, "number of the title missing", -1.92, |f| {
            flag(f.e.title_number_missing) * (1.0 - f.noise)
        }),
        feature(Title, "correction or reply", -2.14, |f| {
            flag(f.e.companion_differs)
        }),
        feature(Title, "another title", -1.83, |f| {
            (1.0 - f.noise) * (1.0 - f.e.title_explained)
        }),
        feature(Title, "another title in noise", -2.92, |f| {
            f.noise * (1.0 - f.e.title_explained)
        }),
        feature(Title, "another title, ours missing", -2.05, |f| {
            f.untitled * (1.0 - f.noise) * (1.0 - f.e.title_explained)
        }),
        // Sources often return the book for a chapter, and chapters for a book.
        feature(Title, "same title elsewhere", -1.93, |f| {
            f.twin * (1.0 - f.untitled)
        }),
        feature(Authors, "first author leads", 0.25, |f| {
            flag(f.e.people.leads)
        }),
        feature(Authors, "first author missing", -0.84, |f| {
            flag(f.e.people.known > 0 && f.e.people.given) * (1.0 - f.e.people.first)
        }),
        feature(
            Authors,
            "unmatched authors, first author missing",
            -3.58,
            |f| f.e.people.unmatched * (1.0 - f.e.people.first) * (1.0 - f.noise),
        ),
        feature(
            Authors,
            "unmatched authors, first author missing, in noise",
            -2.27,
            |f| f.e.people.unmatched * (1.0 - f.e.people.first) * f.noise,
        ),
        feature(Authors, "untitled, unmatched authors", -2.97, |f| {
            f.untitled * f.e.people.unmatched * (1.0 - f.noise)
        }),
        feature(
            Authors,
            "untitled, unmatched authors, in noise",
            -2.35,
            |f| f.untitled * f.e.people.unmatched * f.noise,
        ),
        feature(Authors, "untitled, another author leads", -5.36, |f| {
            f.untitled * flag(f.e.people.first > 0.0 && !f.e.people.leads)
        }),
        feature(Authors, "untitled, authors short", -3.72, |f| {
            f.short * (1.0 - f.noise)
        }),
        feature(Authors, "untitled, authors short, in noise", -2.81, |f| {
            f.short * f.noise
        }),
        feature(Year, "year one off, but volume and page agree", 6.87, |f| {
            f.located_by_page * is(f.e.year, Near) * f.e.title_explained
        }),
        feature(Year, "untitled, other year", -1.19, |f| {
            f.untitled * is(f.e.year, Different)
        }),
        feature(
            Volume,
            "untitled, no volume, but page and year agree",
            0.29,
            |f| {
                f.untitled
                    * is(f.e.volume, NotGiven)
                    * f.e.people.first
                    * equal(f.e.page)
                    * equal(f.e.year)
                    * f.e.container.share
            },
        ),
        feature(Year, "year", 1.11, |f| equal(f.e.year)),
        feature(Year, "year one off", -5.26, |f| is(f.e.year, Near)),
        feature(Year, "year misprinted", -3.06, |f| {
            is(f.e.year, Misprint) * (1.0 - f.noise)
        }),
        feature(Year, "other year", -4.69, |f| is(f.e.year, Different)),
        feature(Volume, "volume", 0.91, |f| equal(f.e.volume)),
        feature(Volume, "volume misprinted", -3.84, |f| {
            is(f.e.volume, Misprint) * (1.0 - f.noise)
        }),
        feature(Volume, "volume unknown", -1.52, |f| {
            is(f.e.volume, NotKnown)
        }),
        feature(Issue, "issue misprinted", -1.63, |f| {
            is(f.e.issue, Misprint) * (1.0 - f.noise)
        }),
        feature(Issue, "other issue", -0.69, |f| is(f.e.issue, Different)),
        feature(Pages, "last page", 0.79, |f| equal(f.e.last_page)),
        feature(Pages, "page misprinted", -6.03, |f| {
            is(f.e.page, Misprint) * (1.0 - f.noise)
        }),
        feature(Pages, "page misprinted in noise", -3.27, |f| {
            is(f.e.page, Misprint) * f.noise
        }),
        feature(Pages, "other page", -3.34, |f| {
            is(f.e.page, Different) * (1.0 - f.noise)
        }),
        feature(Pages, "other page in noise", -2.73, |f| {
            is(f.e.page, Different) * f.noise
        }),
        feature(Pages, "page unknown", -1.34, |f| is(f.e.page, NotKnown)),
        feature(Pages, "volume without page", -1.63, |f| {
            is(f.e.page, NotGiven) * flag(!matches!(f.e.volume, Agreement::Absent | NotGiven))
        }),
        feature(Pages, "no page under a common title", -1.29, |f| {
            is(f.e.page, NotGiven) * f.twin.max(1.0 - f.info)
        }),
        feature(Pages, "untitled without page", -0.19, |f| {
            f.untitled * (1.0 - equal(f.e.page))
        }),
        feature(Pages, "untitled with another page", -1.54, |f| {
            f.untitled * is(f.e.page, Different)
        }),
        feature(Container, "container", 0.67, |f| f.e.container.share),
        feature(Container, "other container", -1.39, |f| {
            flag(f.e.container.share < 0.4 && f.e.container.weight > 0.0)
                * flag(f.e.unexplained.longest >= 1.0)
        }),
        feature(Container, "no container under a common title", -0.74, |f| {
            flag(f.e.container.share < 0.4) * f.twin.max(1.0 - f.info)
        }),
        feature(Rest, "conflicts under a short title", -1.15, |f| {
            f.conflicts * (1.0 - f.info)
        }),
        feature(Rest, "strange words in a row", -5.64, |f| {
            (1.0 - f.noise) * f.e.unexplained.longest.min(8.0) / 8.0
        }),
        feature(Rest, "strange words in a row in noise", -6.15, |f| {
            f.noise * f.e.unexplained.longest.min(8.0) / 8.0
        }),
        feature(Rest, "a strange title", -3.33, |f| {
            flag(f.e.unexplained.longest > 3.0) * f.untitled * (1.0 - f.noise)
        }),
        feature(Rest, "a strange title in noise", -4.13, |f| {
            flag(f.e.unexplained.longest > 3.0) * f.untitled * f.noise
        }),
        feature(Title, "the text is about a part of it", -3.00, |f| {
            flag(f.e.is_host)
        }),
        // `Dictionary of Rings (2011)` means the dictionary, not one of its entries, unless no other one is of its year.
        feature(
            Container,
            "nothing but a container of several works",
            -0.84,
            |f| f.bare * f.sibling,
        ),
        feature(
            Container,
            "nothing but a container, but ahead of the others",
            2.18,
            |f| f.bare * f.sibling * f.lead,
        ),
        feature(Title, "others are parts of it", -1.47, |f| {
            flag(f.rivals.parts > 0) * (1.0 - f.untitled)
        }),
        feature(
            Title,
            "others are parts of it, and a page is given",
            -1.30,
            |f| flag(f.rivals.parts > 0) * (1.0 - f.untitled) * is(f.e.page, NotKnown),
        ),
        feature(
            Title,
            "others are parts of it, and its people are others",
            -2.10,
            |f| flag(f.rivals.parts > 0) * (1.0 - f.untitled) * f.e.people.unmatched,
        ),
        feature(
            Title,
            "title incomplete in noise, with strange words",
            -2.82,
            |f| {
                f.noise
                    * (1.0 - f.untitled)
                    * (1.0 - f.e.title.share)
                    * (f.e.unexplained.longest / 2.0).min(1.0)
            },
        ),
        feature(Pages, "untitled, page misprinted", -1.03, |f| {
            f.untitled * is(f.e.page, Misprint)
        }),
        feature(
            Pages,
            "the text may be about the whole container",
            -3.87,
            |f| {
                f.untitled
                    * is(f.e.page, NotGiven)
                    * (1.0 - equal(f.e.volume))
                    * flag(!f.e.container_introduced)
            },
        ),
        feature(Container, "untitled, but in its container", 0.44, |f| {
            f.untitled * flag(f.e.container_introduced) * f.e.container.share
        }),
        feature(
            Title,
            "title goes on, but container and page agree",
            1.03,
            |f| {
                flag(f.e.title.share > 0.95 && !f.e.companion_differs)
                    * f.e.people.first
                    * equal(f.e.page)
                    * equal(f.e.year)
                    * f.e.container.share
                    * f.e.unexplained.longest.min(8.0)
                    / 8.0
            },
        ),
        feature(
            Pages,
            "no page, but title, volume and year agree",
            0.77,
            |f| f.whole * is(f.e.page, NotGiven) * equal(f.e.volume) * equal(f.e.year),
        ),
        feature(Year, "year one off, but title and page agree", 1.97, |f| {
            f.whole * is(f.e.year, Near) * equal(f.e.page)
        }),
        feature(Year, "year one off under another volume", -3.05, |f| {
            is(f.e.year, Near) * is(f.e.volume, Different)
        }),
        feature(Volume, "other volume", -0.85, |f| is(f.e.volume, Different)),
        feature(
            Pages,
            "page misprinted, but title, volume and year agree",
            1.98,
            |f| f.whole * is(f.e.page, Misprint) * equal(f.e.volume) * equal(f.e.year),
        ),
        feature(Pages, "both pages differ", -1.88, |f| {
            is(f.e.page, Different) * is(f.e.last_page, NotGiven) * (1.0 - f.noise)
        }),
        feature(Title, "title worded otherwise", -4.10, |f| {
            flag(f.e.title_wording == Wording::Other) * (1.0 - f.noise)
        }),
        feature(
            Rest,
            "untitled without page, with strange words",
            -0.18,
            |f| {
                f.untitled
                    * (1.0 - f.noise)
                    * flag(f.e.unexplained.longest >= 0.8)
                    * (1.0 - equal(f.e.page))
                    * (1.0 - equal(f.e.volume))
            },
        ),
        feature(Pages, "book, but the text has a page", -2.11, |f| {
            is(f.e.page, NotKnown) * is(f.e.volume, Absent) * flag(f.e.container.weight <= 0.0)
        }),
        feature(Rest, "untitled, ahead of the others", 3.33, |f| {
            f.untitled * f.lead
        }),
        feature(Rest, "untitled in noise, ahead of the others", 1.75, |f| {
            f.untitled * f.noise * f.lead
        }),
        feature(Title, "words of the title without order", 1.54, |f| {
            flag(f.e.title.share > 0.95) * f.info * (1.0 - f.e.title.order)
        }),
        feature(
            Title,
            "no subtitle, but first author and year agree",
            1.51,
            |f| flag(f.e.subtitle_missing) * f.e.people.first * equal(f.e.year),
        ),
        feature(Title, "no subtitle in an informal text", 1.27, |f| {
            flag(f.e.subtitle_missing) * f.informal
        }),
        feature(
            Rest,
            "nothing but a short title of an article",
            -2.50,
            |f| {
                flag(f.e.title.share > 0.95)
                    * (1.0 - f.info)
                    * is(f.e.page, NotGiven)
                    * f.nobody
                    * is(f.e.year, NotGiven)
            },
        ),
        // Books are reprinted.
        feature(Year, "other year of a book", 1.50, |f| {
            f.whole * is(f.e.year, Different) * is(f.e.page, Absent) * is(f.e.volume, Absent)
        }),
        // Typed from memory.
        feature(Year, "other year in an informal text", 3.80, |f| {
            (1.0 - f.untitled)
                * (1.0 - f.noise)
                * f.informal
                * f.e.title.share
                * f.e.people.first
                * f.other_year
        }),
        feature(
            Year,
            "other year in an informal text without authors",
            4.00,
            |f| {
                (1.0 - f.untitled)
                    * (1.0 - f.noise)
                    * f.informal
                    * f.e.title.share
                    * f.info
                    * f.nobody
                    * f.other_year
            },
        ),
        feature(Rest, "nothing against an informal text", 0.81, |f| {
            (1.0 - f.untitled)
                * f.informal
                * flag(f.conflicts <= 0.0 && f.e.unexplained.longest <= 0.0)
        }),
        feature(Pages, "no page in a formal text", -0.40, |f| {
            is(f.e.page, NotGiven) * (1.0 - f.informal)
        }),
        feature(Rest, "strange numbers", -3.58, |f| {
            f.e.unexplained.numbers.min(4) as f64 / 4.0
        }),
    ]
};

/// The probability that reference and record are the same work.
pub fn probability(facts: &FeatureVector) -> f64 {
    let sum: f64 = FEATURES
        .iter()
        .map(|feature| feature.weight * (feature.value)(facts))
        .sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}
