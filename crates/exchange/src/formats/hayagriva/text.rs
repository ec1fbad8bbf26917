//! Hayagriva's values: formattable strings, dates, addresses, languages.

use citation_fields::rich_text::tag_at;
use citation_model::date::{Date, DateParts};

/// A text with CSL tags as a formattable string: case protection becomes braces, other formatting is
/// dropped because the format lacks it.
pub fn formattable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // For each open `<span>`, whether it became a brace.
    let mut spans: Vec<bool> = Vec::new();
    while let Some(c) = rest.chars().next() {
        let tag = if c == '<' { tag_at(rest) } else { None };
        match tag {
            Some(tag) => {
                match (tag, spans.last()) {
                    ("</span>", Some(true)) => out.push('}'),
                    (tag, _) if tag.contains("nocase") => out.push('{'),
                    _ => {}
                }
                if tag == "</span>" {
                    spans.pop();
                } else if tag.starts_with("<span") {
                    spans.push(tag.contains("nocase"));
                }
                rest = rest.get(tag.len()..).unwrap_or_default();
            }
            None => {
                push_char(c, &mut out);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out.extend(
        spans
            .into_iter()
            .filter(|in_braces| *in_braces)
            .map(|_| '}'),
    );
    out
}

fn push_char(c: char, out: &mut String) {
    if matches!(c, '\\' | '{' | '}' | '$') {
        out.push('\\');
    }
    out.push(c);
}

/// Converts a formattable string to rich text: braces protect case, a backslash escapes.
pub fn rich_text(text: &str) -> String {
    if !text.contains(['{', '}', '\\', '$']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut open = 0_usize;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '{' => {
                open += 1;
                out.push_str("<span class=\"nocase\">");
            }
            '}' if open > 0 => {
                open -= 1;
                out.push_str("</span>");
            }
            _ => out.push(c),
        }
    }
    out.extend(std::iter::repeat_n("</span>", open));
    out
}

/// A date; a leading `~` means approximate. Year numbering includes a year 0.
pub fn read_date(text: &str) -> Option<Date> {
    let text = text.trim();
    let bare = text.trim_start_matches('~').trim_end_matches('~');
    let mut date = Date::parse(bare)?;
    date.circa |= bare.len() < text.len();
    if let Some(start) = date.start.as_mut().filter(|start| start.year <= 0) {
        start.year -= 1;
    }
    Some(date)
}

/// `2001-02-03`, with a leading `~` if approximate. A range is written as its start.
pub fn date(date: &Date) -> Option<String> {
    let start = date.start?;
    let circa = if date.circa { "~" } else { "" };
    Some(format!("{circa}{}", date_parts(start)?))
}

/// Years have four digits and include a year 0, so 44 BC is -43.
fn date_parts(parts: DateParts) -> Option<String> {
    let year = if parts.year < 0 {
        parts.year + 1
    } else {
        parts.year
    };
    if year.unsigned_abs() > 9999 {
        return None;
    }
    let sign = if year < 0 { "-" } else { "" };
    let mut text = format!("{sign}{:04}", year.unsigned_abs());
    if let Some(month) = parts.month {
        text.push_str(&format!("-{month:02}"));
        if let Some(day) = parts.day.filter(|day| *day <= days(parts.year, month)) {
            text.push_str(&format!("-{day:02}"));
        }
    }
    Some(text)
}

fn days(year: i32, month: u8) -> u8 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// An address with an unambiguous host.
pub fn is_web_address(text: &str) -> bool {
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    let after = ["https://", "http://"]
        .into_iter()
        .find(|scheme| lower.starts_with(scheme))
        .and_then(|scheme| text.get(scheme.len()..));
    let host = after.and_then(|rest| rest.split(['/', '?', '#']).next());
    let Some(host) = host else { return false };
    let (host, port) = host.split_once(':').unwrap_or((host, "80"));
    let labels = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').all(labels)
        && !host.to_ascii_lowercase().contains("xn--")
        && last.starts_with(|c: char| c.is_ascii_alphabetic())
        && port.parse::<u16>().is_ok()
        && !text.contains(char::is_whitespace)
}

/// A language tag with script and region, if the text is one.
pub fn language(text: &str) -> Option<String> {
    let mut parts = text.split(['-', '_']);
    let language = parts.next().filter(|part| {
        matches!(part.len(), 2 | 3) && part.bytes().all(|b| b.is_ascii_alphabetic())
    })?;
    let mut tag = language.to_ascii_lowercase();
    for part in parts {
        let alphabetic = part.bytes().all(|b| b.is_ascii_alphabetic());
        match part.len() {
            4 if alphabetic && tag.len() == language.len() => {}
            2 if alphabetic => {}
            _ => break,
        }
        tag.push('-');
        tag.push_str(part);
    }
    Some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_protection_stays_of_formatting() {
        let check = |text: &str, expected: &str| assert_eq!(formattable(text), expected);
        check("A <i>b</i> & H<sub>2</sub>O", "A b & H2O");
        check("The <span class=\"nocase\">DNA</span> x", "The {DNA} x");
        check(
            "<span class=\"nocase\">a <span style=\"x\">b</span> c",
            "{a b c}",
        );
        check("5$ {a} \\x 1 < 2 > 0", "5\\$ \\{a\\} \\\\x 1 < 2 > 0");
    }

    #[test]
    fn dates_are_those_that_exist() {
        let check = |text: &str, expected: Option<&str>| {
            let found = Date::parse_iso(text).and_then(|parsed| date(&parsed));
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("2001-02-03", Some("2001-02-03"));
        check("2001-02-30", Some("2001-02"));
        check("1984~", Some("~1984"));
        check("-0044-03", Some("-0043-03"));
        check("2001/2003", Some("2001"));
        check("2001-21", Some("2001"));
        assert_eq!(date(&Date::literal("long ago")), None);
        assert_eq!(date(&DateParts::year(10_000).into()), None);
    }

    #[test]
    fn addresses_are_of_the_web() {
        for good in ["https://example.org", "HTTP://a.b:8080/x?y=[z]#w"] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "example.org",
            "ftp://example.org",
            "http://",
            "http://a b.org",
            "http://[::1",
            "http://1.2.3.4.5/",
            "http://a..b",
            "http://a:99999",
            "http://ä.org",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }

    #[test]
    fn languages_are_as_much_as_is_known() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(language(text).as_deref(), expected, "{text}");
        };
        check("en-US", Some("en-US"));
        check("zh_Hans-CN", Some("zh-Hans-CN"));
        check("de-1996", Some("de"));
        check("English", None);
        check("", None);
    }
}
