//! From evidence to a score: each clue for or against adds its weight, and the sum becomes the
//! probability that reference and record are the same work.
//!
//! The weights were fitted by logistic regression, with the sign of every weight given beforehand:
//! agreement never lowers a score, contradiction never raises it.

use super::evidence::{Agreement, Evidence};

/// From here on a candidate is accepted as the work that is meant.
pub const ACCEPTED: f64 = 0.6;

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
pub const BIAS: f64 = 1.96;

/// Every clue there is.
pub static CLUES: [Clue; 51] = {
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
        clue(Title, "whole title", 0.96, |f| {
            flag(f.e.title.share > 0.95) * f.info
        }),
        clue(Title, "title in order", 0.42, |f| {
            (1.0 - f.untitled) * f.e.title.order * f.e.title.share
        }),
        clue(Title, "title incomplete", -7.86, |f| {
            (1.0 - f.untitled) * (1.0 - f.noise) * (1.0 - f.e.title.share)
        }),
        clue(Title, "title incomplete in noise", -3.79, |f| {
            (1.0 - f.untitled) * f.noise * (1.0 - f.e.title.share)
        }),
        clue(Title, "title goes on", -0.76, |f| flag(f.e.title_goes_on)),
        clue(Title, "number of the title missing", -2.44, |f| {
            flag(f.e.title_number_missing) * (1.0 - f.noise)
        }),
        clue(Title, "correction or reply", -1.24, |f| {
            flag(f.e.companion_differs)
        }),
        clue(Title, "another title", -1.95, |f| 1.0 - f.e.title_explained),
        clue(Title, "another title, ours missing", -1.98, |f| {
            f.untitled * (1.0 - f.e.title_explained)
        }),
        clue(Container, "nothing but the container", -0.47, |f| {
            f.untitled
                * (1.0 - f.e.people.first)
                * (1.0 - equal(f.e.page))
                * (1.0 - equal(f.e.volume))
        }),
        clue(Title, "same title elsewhere", -0.91, |f| {
            f.twin * (1.0 - f.untitled)
        }),
        clue(Title, "short title", -0.87, |f| {
            (1.0 - f.untitled) * (1.0 - f.info)
        }),
        clue(Authors, "first author leads", 0.71, |f| {
            flag(f.e.people.leads)
        }),
        clue(Authors, "other initials", -0.43, |f| {
            flag(f.e.people.first_initials_differ)
        }),
        clue(Authors, "first author missing", -1.13, |f| {
            flag(f.e.people.known > 0 && f.e.people.given) * (1.0 - f.e.people.first)
        }),
        clue(Authors, "strangers, first author missing", -1.59, |f| {
            f.e.people.strangers * (1.0 - f.e.people.first)
        }),
        clue(Authors, "untitled with strangers", -2.01, |f| {
            f.untitled * f.e.people.strangers
        }),
        clue(Authors, "untitled, another author leads", -3.44, |f| {
            f.untitled * flag(f.e.people.first > 0.0 && !f.e.people.leads)
        }),
        clue(Authors, "untitled, authors short", -3.03, |f| {
            f.untitled * flag(f.e.people.known > 0) * (1.0 - f.e.people.found)
        }),
        clue(Year, "year", 0.39, |f| equal(f.e.year)),
        clue(Year, "year one off", -3.05, |f| is(f.e.year, Near)),
        clue(Year, "year misprinted", -2.39, |f| {
            is(f.e.year, Misprint) * (1.0 - f.noise)
        }),
        clue(Year, "other year", -2.81, |f| is(f.e.year, Different)),
        clue(Volume, "volume", 0.87, |f| equal(f.e.volume)),
        clue(Volume, "volume misprinted", -1.82, |f| {
            is(f.e.volume, Misprint) * (1.0 - f.noise)
        }),
        clue(Volume, "volume unknown", -1.50, |f| {
            is(f.e.volume, NotKnown)
        }),
        clue(Issue, "issue misprinted", -1.27, |f| {
            is(f.e.issue, Misprint) * (1.0 - f.noise)
        }),
        clue(Issue, "other issue", -1.15, |f| is(f.e.issue, Different)),
        clue(Pages, "page", 0.33, |f| equal(f.e.page)),
        clue(Pages, "last page", 0.79, |f| equal(f.e.last_page)),
        clue(Pages, "page misprinted", -3.43, |f| {
            is(f.e.page, Misprint) * (1.0 - f.noise)
        }),
        clue(Pages, "page misprinted in noise", -0.75, |f| {
            is(f.e.page, Misprint) * f.noise
        }),
        clue(Pages, "other page", -4.44, |f| {
            is(f.e.page, Different) * (1.0 - f.noise)
        }),
        clue(Pages, "other page in noise", -2.45, |f| {
            is(f.e.page, Different) * f.noise
        }),
        clue(Pages, "page unknown", -1.77, |f| is(f.e.page, NotKnown)),
        clue(Pages, "no page", -2.20, |f| is(f.e.page, NotGiven)),
        clue(Pages, "no page under a common title", -1.16, |f| {
            is(f.e.page, NotGiven) * f.twin.max(1.0 - f.info)
        }),
        clue(Pages, "untitled without page", -1.40, |f| {
            f.untitled * (1.0 - equal(f.e.page))
        }),
        clue(Pages, "untitled with another page", -0.76, |f| {
            f.untitled * is(f.e.page, Different)
        }),
        clue(Container, "container", 0.59, |f| f.e.container.share),
        clue(Container, "other container", -1.45, |f| {
            flag(f.e.container.share < 0.4 && f.e.container.weight > 0.0)
                * flag(f.e.unexplained.longest >= 1.0)
        }),
        clue(Container, "no container under a common title", -0.75, |f| {
            flag(f.e.container.share < 0.4) * f.twin.max(1.0 - f.info)
        }),
        clue(Rest, "conflicts under a short title", -1.50, |f| {
            f.conflicts * (1.0 - f.info)
        }),
        clue(Rest, "untitled with conflicts", -0.96, |f| {
            f.conflicts * f.untitled
        }),
        clue(Rest, "strange words in a row", -3.32, |f| {
            f.e.unexplained.longest.min(8.0) / 8.0
        }),
        clue(Rest, "strange words", -0.39, |f| f.e.unexplained.share),
        clue(Rest, "a strange title", -3.54, |f| {
            flag(f.e.unexplained.longest > 3.0) * f.untitled
        }),
        clue(Rest, "strange numbers", -2.46, |f| {
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
