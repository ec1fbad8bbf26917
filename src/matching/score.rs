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
    /// 1 where other candidates have the same title (`Editorial`), so that it tells nothing.
    twin: f64,
}

impl<'a> Facts<'a> {
    pub fn new(e: &'a Evidence, twins: usize) -> Facts<'a> {
        let conflicts = [e.year, e.volume, e.issue, e.page]
            .into_iter()
            .map(|agreement| match agreement {
                Agreement::Different => 1.0,
                Agreement::Near => 0.5,
                _ => 0.0,
            })
            .sum();
        Facts {
            e,
            info: 1.0 - (-e.title.weight / 3.0).exp(),
            untitled: flag(e.title.share < 0.4),
            conflicts,
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
pub const BIAS: f64 = 0.0;

/// Every clue there is.
pub static CLUES: [Clue; 56] = {
    use Agreement::{Different, Near, NotGiven, NotKnown};
    use Field::{Authors, Container, Issue, Pages, Rest, Title, Volume, Year};
    [
        clue(Title, "title found", 1.0, |f| f.info * f.e.title.share),
        clue(Title, "whole title", 1.0, |f| flag(f.e.title.share > 0.95) * f.info),
        clue(Title, "title in order", 1.0, |f| (1.0 - f.untitled) * f.e.title.order * f.e.title.share),
        clue(Title, "title incomplete", -1.0, |f| (1.0 - f.untitled) * (1.0 - f.e.title.share)),
        clue(Title, "title not found", -1.0, |f| f.untitled),
        clue(Title, "title goes on", -1.0, |f| flag(f.e.title_goes_on)),
        clue(Title, "short title goes on", -1.0, |f| flag(f.e.title_goes_on) * (1.0 - f.info)),
        clue(Title, "number of the title missing", -1.0, |f| flag(f.e.title_number_missing)),
        clue(Title, "correction or reply", -1.0, |f| flag(f.e.companion_differs)),
        clue(Title, "another title", -1.0, |f| 1.0 - f.e.title_explained),
        clue(Title, "another title, ours missing", -1.0, |f| f.untitled * (1.0 - f.e.title_explained)),
        clue(Title, "same title elsewhere", -1.0, |f| f.twin * (1.0 - f.untitled)),
        clue(Authors, "first author", 1.0, |f| f.e.people.first),
        clue(Authors, "authors found", 1.0, |f| f.e.people.found),
        clue(Authors, "first author leads", 1.0, |f| flag(f.e.people.leads)),
        clue(Authors, "other initials", -1.0, |f| flag(f.e.people.first_initials_differ)),
        clue(Authors, "first author missing", -1.0, |f| flag(f.e.people.known > 0 && f.e.people.given) * (1.0 - f.e.people.first)),
        clue(Authors, "no author found", -1.0, |f| flag(f.e.people.known > 0 && f.e.people.given && f.e.people.count == 0)),
        clue(Authors, "authors unknown", -1.0, |f| flag(f.e.people.known == 0 && f.e.people.given)),
        clue(Authors, "strangers", -1.0, |f| f.e.people.strangers),
        clue(Authors, "strangers, first author missing", -1.0, |f| f.e.people.strangers * (1.0 - f.e.people.first)),
        clue(Authors, "no authors given", -1.0, |f| flag(f.e.people.known > 0 && !f.e.people.given) * (1.0 - f.e.people.first)),
        clue(Authors, "only one of several", -1.0, |f| flag(f.e.people.several && f.e.people.known > 1 && f.e.people.count == 1)),
        clue(Authors, "untitled without author", -1.0, |f| f.untitled * (1.0 - f.e.people.first)),
        clue(Authors, "untitled, authors short", -1.0, |f| f.untitled * flag(f.e.people.known > 0) * (1.0 - f.e.people.found)),
        clue(Year, "year", 1.0, |f| equal(f.e.year)),
        clue(Year, "year one off", -1.0, |f| is(f.e.year, Near)),
        clue(Year, "other year", -1.0, |f| is(f.e.year, Different)),
        clue(Year, "no year", -1.0, |f| is(f.e.year, NotGiven) + is(f.e.year, NotKnown)),
        clue(Volume, "volume", 1.0, |f| equal(f.e.volume)),
        clue(Volume, "other volume", -1.0, |f| is(f.e.volume, Different)),
        clue(Volume, "volume unknown", -1.0, |f| is(f.e.volume, NotKnown)),
        clue(Volume, "no volume", -1.0, |f| is(f.e.volume, NotGiven)),
        clue(Issue, "issue", 1.0, |f| equal(f.e.issue)),
        clue(Issue, "other issue", -1.0, |f| is(f.e.issue, Different)),
        clue(Issue, "issue unknown", -1.0, |f| is(f.e.issue, NotKnown)),
        clue(Pages, "page", 1.0, |f| equal(f.e.page)),
        clue(Pages, "last page", 1.0, |f| equal(f.e.last_page)),
        clue(Pages, "other page", -1.0, |f| is(f.e.page, Different)),
        clue(Pages, "page unknown", -1.0, |f| is(f.e.page, NotKnown)),
        clue(Pages, "no page", -1.0, |f| is(f.e.page, NotGiven)),
        clue(Pages, "untitled without page", -1.0, |f| f.untitled * (1.0 - equal(f.e.page))),
        clue(Pages, "untitled with another page", -1.0, |f| f.untitled * is(f.e.page, Different)),
        clue(Container, "container", 1.0, |f| f.e.container.share),
        clue(Container, "container exactly", 1.0, |f| flag(f.e.container.share > 0.97)),
        clue(Container, "container not found", -1.0, |f| flag(f.e.container.share < 0.4 && f.e.container.weight > 0.0)),
        clue(Container, "untitled without container", -1.0, |f| f.untitled * (1.0 - f.e.container.share)),
        clue(Rest, "conflicts under a short title", -1.0, |f| f.conflicts * (1.0 - f.info)),
        clue(Rest, "conflicts under a common title", -1.0, |f| f.conflicts * f.twin),
        clue(Rest, "untitled with conflicts", -1.0, |f| f.conflicts * f.untitled),
        clue(Rest, "several conflicts", -1.0, |f| (f.conflicts - 1.0).max(0.0)),
        clue(Rest, "strange words in a row", -1.0, |f| f.e.unexplained.longest.min(8.0) / 8.0),
        clue(Rest, "strange words", -1.0, |f| f.e.unexplained.share),
        clue(Rest, "untitled with strange words", -1.0, |f| f.untitled * f.e.unexplained.share),
        clue(Rest, "a strange title", -1.0, |f| flag(f.e.unexplained.longest > 3.0) * f.untitled),
        clue(Rest, "strange numbers", -1.0, |f| f.e.unexplained.numbers.min(4) as f64 / 4.0),
    ]
};

/// The probability that reference and record are the same work.
pub fn probability(facts: &Facts) -> f64 {
    let sum: f64 = CLUES.iter().map(|clue| clue.weight * (clue.value)(facts)).sum();
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
