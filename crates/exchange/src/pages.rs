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
    fn doubled_range_is_seen() {
        assert_eq!(once("12-15-12-15"), Some("12-15"));
        assert_eq!(once("12-15, 12-15"), Some("12-15"));
        assert_eq!(once("12-12"), None);
        assert_eq!(once("12-15, 17-20"), None);
    }
}
