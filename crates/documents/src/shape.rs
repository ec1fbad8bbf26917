//! Whether a text has the shape of a reference.

/// The evidence that a text is a reference: a year, identifiers, pages, volumes, names. 0 is none; from
/// [`LIKELY`] on it probably is one.
pub(crate) fn score(text: &str) -> u32 {
    const MIN_LENGTH: usize = 12;
    const MAX_LENGTH: usize = 1_500;
    if text.len() < MIN_LENGTH || text.len() > MAX_LENGTH {
        return 0;
    }
    let lower = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let year = u32::from(has_year(text)) * 2;
    let undated = u32::from(has(&[
        "n.d.",
        "in press",
        "forthcoming",
        "o. j.",
        "s. f.",
        "im druck",
        "to appear",
    ]));
    let identifier = u32::from(has(&["doi", "http", "www.", "arxiv", "isbn", "pmid"])) * 2;
    let numbers = u32::from(has_range(text) || has(&["pp.", "p. ", "s. ", "页"]));
    let volume = u32::from(has_volume(text) || has(&["vol.", "no.", "bd.", "nr.", "т."]));
    let names =
        u32::from(has_initials(text) || has(&["et al", "u. a.", " & ", "(ed", "(hrsg", "(ред"]));
    let quoted = u32::from(text.contains(['“', '”', '„', '«', '"', '《', '「', '『']));
    year.max(undated) + identifier + numbers + volume + names + quoted
}

/// The typical score of a reference.
pub(crate) const LIKELY: u32 = 3;

/// Whether it may be a reference, if others are around it.
pub(crate) fn may_be_reference(text: &str) -> bool {
    score(text) >= 2
}

fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| c.is_ascii_digit())?;
        let digits = text.get(start..)?;
        let length = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        at = start + length;
        Some((start, text.get(start..at)?))
    })
}

pub(crate) fn has_year(text: &str) -> bool {
    numbers(text).any(|(_, run)| is_year(run))
}

/// Where the last year begins.
pub(crate) fn last_year(text: &str) -> Option<usize> {
    let years = numbers(text).filter(|(_, run)| is_year(run));
    years.last().map(|(at, _)| at)
}

fn is_year(run: &str) -> bool {
    run.len() == 4
        && run
            .parse::<u32>()
            .is_ok_and(|year| (1450..2100).contains(&year))
}

fn has_range(text: &str) -> bool {
    numbers(text).any(|(start, run)| {
        let rest = text.get(start + run.len()..).unwrap_or_default();
        let rest = rest.strip_prefix(['-', '–', '—', '‐', '‑', '−']);
        rest.is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// `12(3)`, `12:345`
fn has_volume(text: &str) -> bool {
    numbers(text).any(|(start, run)| {
        let rest = text.get(start + run.len()..).unwrap_or_default();
        let rest = rest
            .strip_prefix([':', '('])
            .or_else(|| rest.strip_prefix(" ("));
        rest.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// `Doe, J.`, `J. Doe`, `Doe J,`
fn has_initials(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).take(4).collect();
        let marks = word.chars().filter(|c| !c.is_alphabetic()).count();
        (1..=3).contains(&letters.len())
            && marks > 0
            && letters.iter().all(|c| c.is_uppercase())
            && word.contains(['.', ',', ';'])
    })
}

/// A text without its number or bullet: `[12]`, `12.`, `(12)`, `12)`, `•`.
pub(crate) fn without_label(text: &str) -> &str {
    let text = text
        .trim()
        .trim_start_matches(['•', '·', '▪', '■', '‣', '●', '○'])
        .trim_start();
    label_length(text)
        .and_then(|length| text.get(length..))
        .map(without_mark)
        .filter(|rest| !rest.is_empty())
        .unwrap_or(text)
}

/// A text without the mark between a label in brackets and the entry: `[12]. Doe`, `[12]: Doe`.
fn without_mark(text: &str) -> &str {
    let text = text.trim_start();
    let bare = text.strip_prefix(['.', ':']).unwrap_or(text);
    if bare.starts_with(char::is_whitespace) {
        bare.trim_start()
    } else {
        text
    }
}

/// The key before the colon at the start of an entry: `Doe01: Jane Doe, Rings, 2001`, as LibreOffice prints the keys of
/// its index. The first words of other texts look the same, so only the keys of a whole list are certain.
pub(crate) fn entry_key(text: &str) -> Option<&str> {
    const MAX_LENGTH: usize = 32;
    let (key, rest) = text.split_once(": ")?;
    let is_key = (1..=MAX_LENGTH).contains(&key.len())
        && key.starts_with(char::is_alphanumeric)
        && key.contains(char::is_alphabetic)
        && !key.contains(|c: char| c.is_whitespace() || ".,;/()[]\"“”".contains(c))
        && rest.contains(char::is_alphanumeric);
    is_key.then_some(key)
}

/// The bytes of the label at the start of a text.
fn label_length(text: &str) -> Option<usize> {
    const MAX_LENGTH: usize = 14;
    const MAX_NAMED_LENGTH: usize = 48;
    let close = match text.chars().next()? {
        '[' => ']',
        '(' => ')',
        '［' => '］',
        '（' => '）',
        c if c.is_ascii_digit() => {
            let digits = text.find(|c: char| !c.is_ascii_digit())?;
            let behind = text.get(digits..)?;
            let mark = behind.chars().next().filter(|c| ".)]:\t".contains(*c))?;
            let rest = behind.get(mark.len_utf8()..)?;
            let parted = rest.starts_with(|c: char| !c.is_ascii_digit() && c != '/');
            return (digits <= 4 && parted).then_some(digits + mark.len_utf8());
        }
        _ => return None,
    };
    let end = text.find(close)?;
    let inside = text.get(1..end).unwrap_or_default();
    // `[Doe et al., 2001a]`
    let is_named = close == ']' && end <= MAX_NAMED_LENGTH && {
        inside.trim_end_matches(|c: char| c.is_ascii_lowercase())
    }
    .rsplit_once(' ')
    .is_some_and(|(_, year)| is_year(year));
    let is_label = (end <= MAX_LENGTH || is_named)
        && inside.chars().any(char::is_alphanumeric)
        && (close != ')' || inside.chars().all(|c| c.is_ascii_digit()));
    is_label.then_some(end + close.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_separates_references_from_prose() {
        let is = |text: &str| score(text) >= LIKELY;
        assert!(is("Doe, J. (2001). A title. Journal, 12(3), 1–9."));
        assert!(is("Doe J. A title. https://example.org/a"));
        assert!(!is("The scale runs from 1 (never) to 7 (always)."));
        assert!(!is("We thank two anonymous reviewers."));
    }

    #[test]
    fn labels_are_removed() {
        let check = |text: &str, expected: &str| assert_eq!(without_label(text), expected);
        check("[12] Doe", "Doe");
        check("12. Doe", "Doe");
        check("[12]. Doe", "Doe");
        check("[12] .NET Foundation", ".NET Foundation");
        check("(3) Doe", "Doe");
        check("[Doe01] Doe", "Doe");
        check("[Doe et al., 2001a] Doe, J.", "Doe, J.");
        check(
            "[Doe and others in the spring] Doe",
            "[Doe and others in the spring] Doe",
        );
        check("• Doe", "Doe");
        check("2001. A title", "A title");
        check("10.1000/x is a DOI", "10.1000/x is a DOI");
        check("(2001) A title", "A title");
    }
}
