//! Page ranges (specification, appendix V).

use std::fmt::Write;

use crate::csl::compiled::Compiled;
use crate::csl::locale::term::{TermForm, TermId};
use crate::csl::style::PageRangeFormat;

/// The first page of a page value.
pub fn first(page: &str) -> &str {
    page.split(['-', '–', '&', ',', ' ']).next().unwrap_or(page)
}

/// A page or locator value with its ranges in the style's format and the locale's range mark.
/// Other values than pages only get the mark.
pub fn formatted(value: &str, compiled: &Compiled, is_page: bool) -> String {
    let mark = range_mark(compiled);
    let format = compiled.style.options.page_range_format.filter(|_| is_page);
    let mut out = String::with_capacity(value.len() + 4);
    let mut rest = value;
    while !rest.is_empty() {
        let end = rest.find([',', '&', ';']).map_or(rest.len(), |at| at);
        let (part, tail) = rest.split_at(end);
        range(part, format, mark, &mut out);
        let mut chars = tail.chars();
        if let Some(separator) = chars.next() {
            out.push(separator);
        }
        rest = chars.as_str();
    }
    out
}

/// What stands between the ends of a range.
pub fn range_mark(compiled: &Compiled) -> &str {
    compiled
        .locale
        .term(TermId::PAGE_RANGE_DELIMITER, TermForm::Long, false)
        .unwrap_or("–")
}

/// One value between commas. Outer blanks stay.
fn range(part: &str, format: Option<PageRangeFormat>, mark: &str, out: &mut String) {
    let trimmed = part.trim();
    let lead = &part[..part.len() - part.trim_start().len()];
    let tail = &part[part.trim_end().len()..];
    out.push_str(lead);
    match split_range(trimmed) {
        Some((from, to)) => {
            let to = match format {
                Some(format) => shortened(from, to, format),
                None => to.to_owned(),
            };
            out.push_str(from);
            out.push_str(mark);
            out.push_str(&to);
        }
        // A hyphen of the page's own name stands without blanks.
        None => out.push_str(&trimmed.replace("\\-", "-").replace(" - ", "-")),
    }
    out.push_str(tail);
}

/// `12-15` → (`12`, `15`): one hyphen or dash with a digit somewhere on both sides.
fn split_range(text: &str) -> Option<(&str, &str)> {
    let mut cuts = text
        .char_indices()
        .filter(|(at, c)| matches!(c, '-' | '–') && !text[..*at].ends_with('\\'));
    let (at, c) = cuts.next()?;
    let mut to_start = at + c.len_utf8();
    // A double hyphen is one dash.
    for (next, c) in cuts {
        if next != to_start {
            return None;
        }
        to_start = next + c.len_utf8();
    }
    let (from, to) = (text[..at].trim_end(), text[to_start..].trim_start());
    is_range(from, to).then_some((from, to))
}

/// Whether two values are ends of one range: numbers with the same letters before them, or Roman
/// numerals. Else what stands between them is a hyphen of a page's own name.
pub fn is_range(from: &str, to: &str) -> bool {
    match (parts(from), parts(to)) {
        (Some((a, _)), Some((b, _))) => a == b,
        (None, None) => is_roman(from) && is_roman(to),
        _ => false,
    }
}

/// `123N110` → (`123N`, `110`); a letter may follow (`110a`).
fn parts(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if text.len() > body.len() + 1 || !text.chars().all(char::is_alphanumeric) {
        return None;
    }
    split_number(body)
}

/// Whether a text can be a Roman numeral.
pub fn is_roman(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| {
            matches!(
                c.to_ascii_lowercase(),
                'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm'
            )
        })
}

/// Letters before the last run of digits, and the digits.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let digits = text.len() - text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (head, number) = text.split_at(digits);
    (!number.is_empty()).then_some((head, number))
}

fn shortened(from: &str, to: &str, format: PageRangeFormat) -> String {
    let (Some((head, first)), Some((to_head, last))) = (split_number(from), split_number(to))
    else {
        return to.to_owned();
    };
    if !to_head.is_empty() && to_head != head {
        return to.to_owned();
    }
    let last = completed(first, last);
    let (Ok(low), Ok(high)) = (first.parse::<u64>(), last.parse::<u64>()) else {
        return to.to_owned();
    };
    if high <= low || first.len() != last.len() && format != PageRangeFormat::Expanded {
        return if head.is_empty() {
            last
        } else {
            format!("{head}{last}")
        };
    }
    let mut out = String::new();
    let short = match format {
        PageRangeFormat::Expanded => {
            let _ = write!(out, "{head}{last}");
            return out;
        }
        PageRangeFormat::Minimal => minimal(first, &last, 1),
        PageRangeFormat::MinimalTwo => minimal(first, &last, 2),
        PageRangeFormat::Chicago15 => chicago(low, first, &last, true),
        PageRangeFormat::Chicago16 => chicago(low, first, &last, false),
    };
    short.to_owned()
}

/// `1234-5` means 1234 to 1235.
fn completed(first: &str, last: &str) -> String {
    if last.len() < first.len() {
        let (head, _) = first.split_at(first.len() - last.len());
        format!("{head}{last}")
    } else {
        last.to_owned()
    }
}

/// The digits of `last` that differ from `first`, but at least so many.
fn minimal<'n>(first: &str, last: &'n str, at_least: usize) -> &'n str {
    let same = first
        .bytes()
        .zip(last.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let keep = same.min(last.len().saturating_sub(at_least));
    &last[keep..]
}

fn chicago<'n>(low: u64, first: &str, last: &'n str, fifteenth: bool) -> &'n str {
    if low < 100 || low.is_multiple_of(100) {
        return last;
    }
    if (1..10).contains(&(low % 100)) {
        return minimal(first, last, 1);
    }
    let short = minimal(first, last, 2);
    // The fifteenth edition writes four-digit numbers out where three digits change.
    if fifteenth && first.len() == 4 && short.len() == 3 {
        return last;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: PageRangeFormat, input: &str, expected: &str) {
        let mut out = String::new();
        range(input, Some(format), "–", &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn ranges_in_every_format() {
        check(PageRangeFormat::Minimal, "321-328", "321–8");
        check(PageRangeFormat::MinimalTwo, "321-328", "321–28");
        check(PageRangeFormat::Expanded, "321-8", "321–328");
        check(PageRangeFormat::Chicago15, "100-104", "100–104");
        check(PageRangeFormat::Chicago15, "107-108", "107–8");
        check(PageRangeFormat::Chicago15, "321-325", "321–25");
        check(PageRangeFormat::Chicago15, "1496-1504", "1496–1504");
        check(PageRangeFormat::Chicago16, "1496-1504", "1496–504");
        check(PageRangeFormat::Minimal, "S101-S119", "S101–19");
    }
}
