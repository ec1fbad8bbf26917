//! The container titles of a work: journal, book, proceedings, and their series.

use std::cmp::Ordering;

use citation_model::item_type::ItemType;
use citation_model::lists::phrases;

/// The meaning of the one or two container titles of a record.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Containers<'a> {
    pub(super) title: Option<&'a str>,
    pub(super) series: Option<&'a str>,
    pub(super) short: Option<&'a str>,
}

impl<'a> Containers<'a> {
    pub(super) fn of(kind: ItemType, titles: &'a [String]) -> Containers<'a> {
        let first = titles.first().map(String::as_str);
        let second = titles.get(1).map(String::as_str);
        match (kind, first, second) {
            (ItemType::Periodical, _, _) => Containers::default(),
            // The container of a book is its series.
            (ItemType::Book, series, _) => Containers {
                series,
                ..Containers::default()
            },
            (_, title, None) => Containers {
                title,
                ..Containers::default()
            },
            (_, Some(first), Some(second)) if kind.is_in_periodical() => in_journal(first, second),
            (_, Some(first), Some(second)) => {
                // Crossref's order says nothing. Without a mark, the title of a book is much longer.
                let is_second = match mark_of_series(first).cmp(&mark_of_series(second)) {
                    Ordering::Less => true,
                    Ordering::Greater => false,
                    Ordering::Equal if mark_of_series(first) > 0 => {
                        has_year(first) && !has_year(second)
                    }
                    Ordering::Equal => second.len() * 2 <= first.len(),
                };
                let (series, title) = if is_second {
                    (second, first)
                } else {
                    (first, second)
                };
                Containers {
                    title: Some(title),
                    series: Some(series),
                    short: None,
                }
            }
            (_, None, Some(_)) => Containers::default(),
        }
    }
}

/// Two titles of a journal: in old records one may abbreviate the other.
fn in_journal<'a>(first: &'a str, second: &'a str) -> Containers<'a> {
    let (title, short) = if abbreviates(first, second) {
        (second, Some(first))
    } else {
        (
            first,
            Some(second).filter(|short| abbreviates(short, first)),
        )
    };
    Containers {
        title: Some(title),
        series: None,
        short,
    }
}

/// Whether each word of `short` is the start of a word of `long`, in order.
fn abbreviates(short: &str, long: &str) -> bool {
    if short.len() >= long.len() {
        return false;
    }
    let fold = |text: &str| text.to_lowercase().replace('.', " ");
    let (short, long) = (fold(short), fold(long));
    let mut words = long.split_whitespace();
    short
        .split_whitespace()
        .all(|part| words.any(|word| word.starts_with(part)))
}

/// How plainly a title is that of a book series: 2, 1, or 0 if it may be any title. Some books have the words
/// of a series as well, as `Advances in Engines`.
fn mark_of_series(title: &str) -> u8 {
    const PLAIN: [&str; 6] = [
        "series",
        "lecture notes",
        "briefs",
        "schriften",
        "communications in",
        "springer proceedings",
    ];
    const POSSIBLE: [&str; 8] = phrases(
        "studies in|advances in|topics in|reihe|collection|progress in|contributions to|\
         library of",
    );
    let lower = title.to_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    match (has(&PLAIN), has(&POSSIBLE)) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Whether a title has the year of a conference.
fn has_year(title: &str) -> bool {
    title
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_containers_are_told_apart() {
        let check = |kind, titles: [&str; 2], title: &str, series: &str, short: &str| {
            let titles = titles.map(str::to_owned);
            let found = Containers::of(kind, &titles);
            let found = [found.title, found.series, found.short].map(Option::unwrap_or_default);
            assert_eq!(found, [title, series, short]);
        };
        let chapter = ItemType::Chapter;
        check(
            chapter,
            ["Lecture Notes in X", "Proc. of Y"],
            "Proc. of Y",
            "Lecture Notes in X",
            "",
        );
        check(
            chapter,
            [
                "Engines and Other Things in Several Parts",
                "Recent Engines",
            ],
            "Engines and Other Things in Several Parts",
            "Recent Engines",
            "",
        );
        check(
            chapter,
            ["Lecture Notes in Engines", "Advances in X"],
            "Advances in X",
            "Lecture Notes in Engines",
            "",
        );
        check(
            chapter,
            ["Advances in Engines", "Lecture Notes in X"],
            "Advances in Engines",
            "Lecture Notes in X",
            "",
        );
        check(
            chapter,
            ["Advances in Engines 2017", "Advances in Machines"],
            "Advances in Engines 2017",
            "Advances in Machines",
            "",
        );
        check(
            chapter,
            ["Robots", "SpringerBriefs in X"],
            "Robots",
            "SpringerBriefs in X",
            "",
        );
        check(
            ItemType::Article,
            [
                "J Investig Dermatol",
                "Journal of Investigative Dermatology",
            ],
            "Journal of Investigative Dermatology",
            "",
            "J Investig Dermatol",
        );
    }
}
