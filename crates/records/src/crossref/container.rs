//! The container titles of a work: journal, book, proceedings, and their series.

use citation_model::item_type::ItemType;

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
                let is_second = match (is_series(first), is_series(second)) {
                    (false, true) => true,
                    (true, _) => false,
                    (false, false) => second.len() * 2 <= first.len(),
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

/// Whether a title looks like that of a book series.
fn is_series(title: &str) -> bool {
    const MARKS: [&str; 14] = [
        "series",
        "lecture notes",
        "briefs",
        "studies in",
        "advances in",
        "topics in",
        "schriften",
        "reihe",
        "collection",
        "communications in",
        "progress in",
        "contributions to",
        "library of",
        "springer proceedings",
    ];
    let lower = title.to_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
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
