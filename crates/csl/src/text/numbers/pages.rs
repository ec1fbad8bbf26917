//! Page ranges (specification, appendix V).

use super::ParsedNumber;
use super::shape::{is_digits, leading};
use crate::style::PageRangeFormat;

/// The first page of a page value.
pub fn first(page: &str) -> &str {
    let mut ends: Vec<usize> = page
        .char_indices()
        .filter(|(_, c)| matches!(c, '-' | '–' | '&'))
        .map(|(at, _)| at)
        .collect();
    ends.extend(page.find(", "));
    let end = ends.into_iter().min().unwrap_or(page.len());
    page.get(..end).unwrap_or(page).trim_end()
}

/// The end of a page range in a format: the letters before the number, and the number. A range with a page that
/// is more than digits (`162a-165d`) stays as it is.
pub fn shortened(
    from: &ParsedNumber,
    to: &ParsedNumber,
    format: Option<PageRangeFormat>,
) -> (String, String) {
    let (first, last) = (&*from.value, &*to.value);
    let whole = |value: String| (to.particle.clone(), value);
    if !is_digits(first) || !is_digits(last) {
        return whole(to.value.clone());
    }
    let last = completed(first, last);
    let (Some(low), Some(high)) = (leading(first), leading(&last)) else {
        return whole(last);
    };
    if low >= high {
        return whole(to.value.clone());
    }
    let bare = |value: String| (String::new(), value);
    match format {
        None | Some(PageRangeFormat::Expanded) => whole(last),
        Some(PageRangeFormat::Minimal) => bare(minimal(first, &last, 0).to_owned()),
        Some(PageRangeFormat::MinimalTwo) => bare(minimal(first, &last, 2).to_owned()),
        Some(PageRangeFormat::Chicago15) => bare(chicago_15(low, high, &last)),
        Some(PageRangeFormat::Chicago16) => bare(chicago_16(low, high, &last)),
    }
}

/// Completes the end of a range: `1234-5` means 1234 to 1235.
fn completed(first: &str, last: &str) -> String {
    match first
        .len()
        .checked_sub(last.len())
        .and_then(|cut| first.get(..cut))
    {
        Some(head) => format!("{head}{last}"),
        None => last.to_owned(),
    }
}

/// The digits of `last` that differ from `first`, but at least `at_least`.
fn minimal<'n>(first: &str, last: &'n str, at_least: usize) -> &'n str {
    if first.len() != last.len() {
        return last;
    }
    let same = first
        .bytes()
        .zip(last.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let keep = same.min(last.len().saturating_sub(at_least));
    last.get(keep..).unwrap_or(last)
}

/// The fifteenth edition abbreviates within a hundred, and five-digit numbers to the digits that change.
fn chicago_15(low: u64, high: u64, last: &str) -> String {
    if low > 100 && !low.is_multiple_of(100) && low / 100 == high / 100 {
        (high % 100).to_string()
    } else if low >= 10_000 {
        changed(low, high, last)
    } else {
        last.to_owned()
    }
}

/// The sixteenth edition abbreviates to the digits that change, at least two.
fn chicago_16(low: u64, high: u64, last: &str) -> String {
    if low <= 100 || low.is_multiple_of(100) {
        last.to_owned()
    } else {
        changed(low, high, last)
    }
}

/// The digits from the first that changes on, or the last two without leading zeros.
fn changed(low: u64, high: u64, last: &str) -> String {
    let mut divisor = 100;
    while divisor <= high {
        if low / divisor == high / divisor {
            return (high % divisor).to_string();
        }
        divisor = divisor.saturating_mul(10);
    }
    last.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: PageRangeFormat, from: &str, to: &str, expected: &str) {
        let page = |value: &str| ParsedNumber {
            value: value.into(),
            ..ParsedNumber::default()
        };
        let (_, end) = shortened(&page(from), &page(to), Some(format));
        assert_eq!(end, expected);
    }

    #[test]
    fn ranges_in_every_format() {
        check(PageRangeFormat::Minimal, "321", "328", "8");
        check(PageRangeFormat::MinimalTwo, "321", "328", "28");
        check(PageRangeFormat::Expanded, "321", "8", "328");
        check(PageRangeFormat::Chicago15, "100", "104", "104");
        check(PageRangeFormat::Chicago15, "107", "108", "8");
        check(PageRangeFormat::Chicago15, "321", "325", "25");
        check(PageRangeFormat::Chicago15, "1496", "1504", "1504");
        check(PageRangeFormat::Chicago15, "13792", "13803", "803");
        check(PageRangeFormat::Chicago15, "12991", "13001", "3001");
        check(PageRangeFormat::Chicago16, "1496", "1504", "504");
    }

    #[test]
    fn pages_with_letters_stay() {
        use PageRangeFormat::*;
        for format in [Minimal, MinimalTwo, Expanded, Chicago15, Chicago16] {
            for (from, to) in [
                ("162a", "165d"),
                ("162a", "165"),
                ("162", "5b"),
                ("12i", "14"),
            ] {
                check(format, from, to, to);
            }
        }
    }

    #[test]
    fn the_first_page() {
        assert_eq!(first("12-15"), "12");
        assert_eq!(first("A1, B2"), "A1");
    }
}
