//! From evidence to a score: each clue for or against adds its weight, and the sum becomes the
//! probability that reference and record are the same work.
//!
//! The weights were fitted by logistic regression, with the sign of every weight given beforehand:
//! agreement never lowers a score, contradiction never raises it.

use super::evidence::{Agreement, Evidence};

/// From here on a candidate is accepted as the work that is meant.
pub const ACCEPTED: f64 = 0.5;

/// From here on a candidate is taken for the same work without any doubt worth showing.
pub const CERTAIN: f64 = 0.95;

/// What a clue speaks about.
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
    /// What the text says beyond the record.
    Rest,
}

/// One thing that speaks for or against, and how much.
pub struct Clue {
    pub name: &'static str,
    pub field: Field,
    /// In log-odds for a value of 1.
    pub weight: f64,
    /// 0 to 1; for counts of conflicts more.
    pub value: fn(&Facts) -> f64,
}

/// The evidence, with what several clues need of it.
pub struct Facts<'a> {
    pub e: &'a Evidence,
    /// How telling the title is: 0 for none, towards 1 for a long one.
    info: f64,
    /// 1 where the title is not in the text. Then everything else has to agree.
    untitled: f64,
    /// Numbers that contradict.
    conflicts: f64,
    /// How much of what was found was misspelt: 0 for a clean text, 1 where a third is. In a noisy
    /// text a wrong number means less.
    noise: f64,
    /// 1 where other candidates have the same title (`Editorial`), so that it tells nothing.
    twin: f64,
}

impl<'a> Facts<'a> {
    pub fn new(e: &'a Evidence, twins: usize) -> Facts<'a> {
        let conflicts = [e.year, e.volume, e.issue, e.page]
            .into_iter()
            .map(|agreement| match agreement {
                Agreement::Different => 1.0,
                Agreement::Near | Agreement::Misprint => 0.5,
                _ => 0.0,
            })
            .sum();
        Facts {
            e,
            info: 1.0 - (-e.title.weight / 3.0).exp(),
            untitled: flag(e.title.share < 0.4),
            conflicts,
            noise: (e.title.misspelt.max(e.container.misspelt) * 3.0).min(1.0),
            twin: flag(twins > 0),
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

const fn clue(field: Field, name: &'static str, weight: f64, value: fn(&Facts) -> f64) -> Clue {
    Clue {
        name,
        field,
        weight,
        value,
    }
}

/// The log-odds before any clue.
pub const BIAS: f64 = 1.32;

/// Every clue there is.
pub static CLUES: [Clue; 54] = {
    use Agreement::{Different, Misprint, Near, NotGiven, NotKnown};
    use Field::{Authors, Container, Identifier, Issue, Pages, Rest, Title, Volume, Year};
    [
        // Set by hand, since the strings that the others were fitted on have no identifiers: an
        // identifier outweighs some disagreement, but not another title with other authors.
        clue(Identifier, "identifier", 5.0, |f| equal(f.e.identifier)),
        clue(Identifier, "identifier and nothing else", 12.0, |f| {
            equal(f.e.identifier) * flag(f.e.identifier_alone)
        }),
        clue(Identifier, "other identifier", -4.0, |f| {
            is(f.e.identifier, Different)
        }),
        clue(Title, "whole title", 1.00, |f| {
            flag(f.e.title.share > 0.95) * f.info
        }),
        clue(Title, "title in order", 1.01, |f| {
            (1.0 - f.untitled) * f.e.title.order * f.e.title.share
        }),
        clue(Title, "title incomplete", -6.55, |f| {
            (1.0 - f.untitled) * (1.0 - f.noise) * (1.0 - f.e.title.share)
        }),
        clue(Title, "title incomplete in noise", -2.95, |f| {
            (1.0 - f.untitled) * f.noise * (1.0 - f.e.title.share)
        }),
        clue(Title, "title goes on", -1.72, |f| flag(f.e.title_goes_on)),
        clue(Title, "number of the title missing", -3.16, |f| {
            flag(f.e.title_number_missing) * (1.0 - f.noise)
        }),
        clue(Title, "correction or reply", -0.92, |f| {
            flag(f.e.companion_differs)
        }),
        clue(Title, "another title", -1.76, |f| 1.0 - f.e.title_explained),
        clue(Title, "another title, ours missing", -1.60, |f| {
            f.untitled * (1.0 - f.e.title_explained)
        }),
        clue(Title, "another title before ours", -1.0, |f| {
            (1.0 - f.untitled) * flag(f.e.title_explained < 0.3)
        }),
        clue(Container, "nothing but the container", -1.0, |f| {
            f.untitled
                * (1.0 - f.e.people.first)
                * (1.0 - equal(f.e.page))
                * (1.0 - equal(f.e.volume))
        }),
        clue(Title, "same title elsewhere", -0.99, |f| {
            f.twin * (1.0 - f.untitled)
        }),
        clue(Title, "short title", -0.75, |f| {
            (1.0 - f.untitled) * (1.0 - f.info)
        }),
        clue(Authors, "first author leads", 0.96, |f| {
            flag(f.e.people.leads)
        }),
        clue(Authors, "other initials", -0.26, |f| {
            flag(f.e.people.first_initials_differ)
        }),
        clue(Authors, "first author missing", -1.32, |f| {
            flag(f.e.people.known > 0 && f.e.people.given) * (1.0 - f.e.people.first)
        }),
        clue(Authors, "strangers", -0.82, |f| f.e.people.strangers),
        clue(Authors, "strangers, first author missing", -1.60, |f| {
            f.e.people.strangers * (1.0 - f.e.people.first)
        }),
        clue(Authors, "only one of several", -0.06, |f| {
            flag(f.e.people.several && f.e.people.known > 1 && f.e.people.count == 1)
        }),
        clue(Authors, "untitled, authors short", -2.80, |f| {
            f.untitled * flag(f.e.people.known > 0) * (1.0 - f.e.people.found)
        }),
        clue(Year, "year", 0.42, |f| equal(f.e.year)),
        clue(Year, "year one off", -2.86, |f| is(f.e.year, Near)),
        clue(Year, "year misprinted", -2.27, |f| {
            is(f.e.year, Misprint) * (1.0 - f.noise)
        }),
        clue(Year, "other year", -2.68, |f| is(f.e.year, Different)),
        clue(Volume, "volume", 1.04, |f| equal(f.e.volume)),
        clue(Volume, "volume misprinted", -1.52, |f| {
            is(f.e.volume, Misprint) * (1.0 - f.noise)
        }),
        clue(Volume, "other volume", -0.16, |f| is(f.e.volume, Different)),
        clue(Volume, "volume unknown", -1.60, |f| {
            is(f.e.volume, NotKnown)
        }),
        clue(Issue, "issue misprinted", -1.40, |f| {
            is(f.e.issue, Misprint) * (1.0 - f.noise)
        }),
        clue(Issue, "other issue", -0.55, |f| is(f.e.issue, Different)),
        clue(Pages, "page", 0.46, |f| equal(f.e.page)),
        clue(Pages, "last page", 0.81, |f| equal(f.e.last_page)),
        clue(Pages, "page misprinted", -3.19, |f| {
            is(f.e.page, Misprint) * (1.0 - f.noise)
        }),
        clue(Pages, "page misprinted in noise", -0.36, |f| {
            is(f.e.page, Misprint) * f.noise
        }),
        clue(Pages, "other page", -4.86, |f| {
            is(f.e.page, Different) * (1.0 - f.noise)
        }),
        clue(Pages, "other page in noise", -2.06, |f| {
            is(f.e.page, Different) * f.noise
        }),
        clue(Pages, "page unknown", -1.71, |f| is(f.e.page, NotKnown)),
        clue(Pages, "no page", -1.92, |f| is(f.e.page, NotGiven)),
        clue(Pages, "no page under a common title", -0.95, |f| {
            is(f.e.page, NotGiven) * f.twin.max(1.0 - f.info)
        }),
        clue(Pages, "untitled without page", -1.32, |f| {
            f.untitled * (1.0 - equal(f.e.page))
        }),
        clue(Pages, "untitled with another page", -0.55, |f| {
            f.untitled * is(f.e.page, Different)
        }),
        clue(Container, "container", 0.65, |f| f.e.container.share),
        clue(Container, "other container", -1.84, |f| {
            flag(f.e.container.share < 0.4 && f.e.container.weight > 0.0)
                * flag(f.e.unexplained.longest >= 1.0)
        }),
        clue(Container, "no container under a common title", -0.61, |f| {
            flag(f.e.container.share < 0.4) * f.twin.max(1.0 - f.info)
        }),
        clue(Rest, "conflicts under a short title", -2.30, |f| {
            f.conflicts * (1.0 - f.info)
        }),
        clue(Rest, "untitled with conflicts", -0.35, |f| {
            f.conflicts * f.untitled
        }),
        clue(Rest, "several conflicts", -0.82, |f| {
            (f.conflicts - 1.0).max(0.0)
        }),
        clue(Rest, "strange words in a row", -4.25, |f| {
            f.e.unexplained.longest.min(8.0) / 8.0
        }),
        clue(Rest, "strange words", -0.50, |f| f.e.unexplained.share),
        clue(Rest, "a strange title", -2.85, |f| {
            flag(f.e.unexplained.longest > 3.0) * f.untitled
        }),
        clue(Rest, "strange numbers", -2.24, |f| {
            f.e.unexplained.numbers.min(4) as f64 / 4.0
        }),
    ]
};

/// The probability that reference and record are the same work.
pub fn probability(facts: &Facts) -> f64 {
    let sum: f64 = CLUES
        .iter()
        .map(|clue| clue.weight * (clue.value)(facts))
        .sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}

/// A first, coarse order of candidates.
pub fn rough(e: &Evidence) -> f64 {
    3.0 * e.title.share * (1.0 - (-e.title.weight / 3.0).exp())
        + e.title.share
        + 1.5 * e.people.first
        + 0.5 * e.people.found
        + equal(e.year)
        + equal(e.volume)
        + 0.6 * equal(e.issue)
        + 1.3 * equal(e.page)
        + 1.2 * e.container.share
        - 2.0 * e.unexplained.share
        - 0.5 * flag(e.companion_differs)
}
