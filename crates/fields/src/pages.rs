//! Page ranges in one normal form.

/// A range with one hyphen without blanks: `12 -- 34` and `12–34` become `12-34`.
pub fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending_blank = false;
    for c in text.chars() {
        match c {
            '-' | '\u{2010}'..='\u{2015}' | '−' => {
                if !out.ends_with('-') {
                    out.push('-');
                }
                pending_blank = false;
            }
            ' ' | '\u{a0}' | '\u{2009}' => pending_blank = !out.is_empty() && !out.ends_with('-'),
            _ => {
                if std::mem::take(&mut pending_blank) {
                    out.push(' ');
                }
                out.push(c);
            }
        }
    }
    out
}

/// A range without the word for pages before it: `pp. 12-15`, `pp.12`, `S. 3`. `None` if there is none.
pub fn without_page_label(text: &str) -> Option<&str> {
    const LABELS: [&str; 9] = [
        "pages", "page", "Pages", "Page", "pp", "Pp", "p", "S.", "s.",
    ];
    let is_page = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit());
    LABELS.iter().find_map(|label| {
        let rest = text.strip_prefix(label)?;
        // Letters directly before a number belong to it: `p53`, `S12`.
        let behind = rest.strip_prefix('.').unwrap_or(rest).trim_start();
        let is_apart = behind.len() < rest.len() || label.ends_with('.');
        Some(behind).filter(|_| is_apart).filter(is_page)
    })
}

/// The range that a text repeats, as in `12-15-12-15` or `12-15, 12-15`.
pub fn once(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let separators = text.match_indices(['-', ',', ';']);
    let mut halves = separators.map(|(at, _)| (text.get(..at), text.get(at + 1..)));
    halves.find_map(|half| match half {
        (Some(first), Some(second)) if first.contains('-') && first == second.trim_start() => {
            Some(first)
        }
        _ => None,
    })
}

/// The range of two ends in normal form, of which either may be blank and the first may be the whole range.
/// `1` and `1+` are `1+`.
pub fn range(first: &str, last: &str) -> String {
    match (first, last) {
        (first, "") => first.to_owned(),
        ("", last) => last.to_owned(),
        (first, last) if first == last || first.contains('-') => first.to_owned(),
        (first, last) if last.strip_prefix(first) == Some("+") => last.to_owned(),
        (first, last) => format!("{first}-{last}"),
    }
}

/// The ends of a range; a list of pages or a single page is the first.
pub fn ends(page: &str) -> (&str, &str) {
    match page.split_once(['-', '–']) {
        Some((first, last)) if !last.contains(['-', '–', ',']) => (first, last),
        _ => (page, ""),
    }
}

/// The number of pages of a whole work: `389` of `389`, `389 S.`, `xvii, 389`, `xvii, 389 p. : ill.`.
pub fn count(text: &str) -> Option<&str> {
    let before_unit = count_before_unit(text);
    before_unit.or_else(|| {
        let mut words = text
            .rsplit([' ', ',', '[', ']'])
            .filter(|word| !word.is_empty());
        let last = words.next()?;
        let is_roman = |word: &str| word.to_lowercase().chars().all(|c| "ivxlcdm".contains(c));
        // `xl+545`
        if let Some((front, number)) = last.split_once('+')
            && is_roman(front)
            && is_number(number)
        {
            return Some(last);
        }
        (last.bytes().all(|byte| byte.is_ascii_digit()) && words.all(is_roman)).then_some(last)
    })
}

/// `389` of `xvii, 389 p. : ill. ; 24 cm.`: the number before the word for pages. Pages without a number, in
/// brackets behind the others, do not count: `166, [4] p.`
pub fn count_before_unit(extent: &str) -> Option<&str> {
    const UNITS: [&str; 16] = [
        "p", "pp", "pages", "page", "s", "seiten", "seite", "páginas", "pagine", "str", "blz",
        "sider", "стр", "с", "leaves", "blätter",
    ];
    let is_unit = |word: &str| {
        let word = word
            .trim_end_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        UNITS.contains(&word.as_str())
    };
    let words: Vec<&str> = extent.split_whitespace().take(20).collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let number = word.trim_matches(['[', ']', ',', '(']);
        let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
        let unit = match number.get(digits.len()..) {
            Some("") => words.get(at + 1)?,
            unit => unit?,
        };
        if !is_number(digits) || !is_unit(unit) {
            return None;
        }
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let numbered = before
            .and_then(|before| before.strip_suffix(','))
            .filter(|before| word.starts_with('[') && is_number(before));
        numbered.or(Some(digits))
    })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_one_hyphen() {
        let check = |input: &str, expected: &str| assert_eq!(normal(input), expected);
        check("12--34", "12-34");
        check("12 – 34, 40", "12-34, 40");
        check("e123", "e123");
    }

    #[test]
    fn pages_of_a_whole_work_are_counted() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(count(text), expected, "{text}");
        check("389", Some("389"));
        check("xvii, 389 p. : ill. ; 24 cm.", Some("389"));
        check("XX, 327", Some("327"));
        check("166, [4] s. : ill.", Some("166"));
        check("[12], 235 p.", Some("235"));
        check("[4] p.", Some("4"));
        check("123 S.", Some("123"));
        check("123S.", Some("123"));
        check("34 pages", Some("34"));
        check("xii, 200 leaves", Some("200"));
        check("162-168", None);
        check("e123", None);
        check("3 vol.", None);
    }

    #[test]
    fn ranges_have_two_ends() {
        assert_eq!(range("1", "9"), "1-9");
        assert_eq!(range("1", ""), "1");
        assert_eq!(range("1-9", "9"), "1-9");
        assert_eq!(range("1", "1+"), "1+");
    }

    #[test]
    fn labels_of_pages_are_no_page() {
        let check = |text: &str, expected| assert_eq!(without_page_label(text), expected, "{text}");
        check("pp. 12-15", Some("12-15"));
        check("pp.12", Some("12"));
        check("Pages 3", Some("3"));
        check("S. 3", Some("3"));
        check("p53", None);
        check("S12", None);
        check("pp. n/a", None);
    }

    #[test]
    fn doubled_range_is_seen() {
        assert_eq!(once("12-15-12-15"), Some("12-15"));
        assert_eq!(once("12-15, 12-15"), Some("12-15"));
        assert_eq!(once("12-12"), None);
        assert_eq!(once("12-15, 17-20"), None);
    }
}
