//! Compares the pages in a text with a record's.

use super::normalize::squeeze;

/// The relation between two page ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// A single page within the known range, as notes cite it.
    Within,
    /// The same first page, but a different last page.
    OtherEnd,
    /// Anything else, including equal pages.
    Unknown,
}

/// Compares given with known pages: `84` is within `83-90`, and `436–54` ends differently than
/// `436-444`. Skips numbers with letters.
pub fn compare(given: &str, known: &str) -> Paging {
    let (Some(given), Some(known)) = (page_range(given), page_range(known)) else {
        return Paging::Unknown;
    };
    match (given.last, known.last) {
        (None, Some(last)) if known.first < given.first && given.first <= last => Paging::Within,
        (Some(given_last), Some(last)) if given.first == known.first && given_last != last => {
            Paging::OtherEnd
        }
        _ => Paging::Unknown,
    }
}

/// The number of a supplement: `1` of `Suppl 1`; `None` for other issues.
pub fn supplement(issue: &str) -> Option<String> {
    let folded = squeeze(issue);
    let number = folded.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let label = folded.get(..folded.len() - number.len())?;
    let is_label = matches!(label, "suppl" | "supplement" | "sup" | "s");
    (is_label && !number.is_empty()).then(|| number.to_owned())
}

struct PageRange {
    first: u64,
    last: Option<u64>,
}

/// One or two plain numbers. The last page may be shortened to its end: `436–44`.
fn page_range(text: &str) -> Option<PageRange> {
    let mut ends = text
        .split(['-', '–', '—', '−'])
        .map(str::trim)
        .filter(|end| !end.is_empty());
    let first = ends.next()?;
    let last = match ends.next() {
        Some(last) => {
            let head = first.len().saturating_sub(last.len());
            Some(format!("{}{last}", first.get(..head)?).parse().ok()?)
        }
        None => None,
    };
    if ends.next().is_some() {
        return None;
    }
    let first: u64 = first.parse().ok()?;
    // A last page before the first is a misprint and gives no information.
    (last.is_none_or(|last| last >= first)).then_some(PageRange { first, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_compared_as_numbers() {
        let check = |given: &str, known: &str, expected: Paging| {
            assert_eq!(compare(given, known), expected, "{given} for {known}");
        };
        check("84", "83-90", Paging::Within);
        check("83", "83-90", Paging::Unknown);
        check("91", "83-90", Paging::Unknown);
        check("436–44", "436-444", Paging::Unknown);
        check("436–54", "436-444", Paging::OtherEnd);
        check("e12", "e10-e14", Paging::Unknown);
        check("12–9", "12-19", Paging::Unknown);
        check("", "-", Paging::Unknown);
    }

    #[test]
    fn supplements_are_known_by_their_label() {
        assert_eq!(supplement("Suppl 1").as_deref(), Some("1"));
        assert_eq!(supplement("S2").as_deref(), Some("2"));
        assert_eq!(supplement("12"), None);
        assert_eq!(supplement("suppl"), None);
    }
}
