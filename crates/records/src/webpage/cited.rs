//! The lines of a page that cite its work, `Journal 48 (2), 2021: 10–20 doi:…`, read by the parser of references.

use citation_matching::reference::{Reference, Role};
use citation_model::item_type::ItemType;
use citation_model::lists::phrases;

use super::claims::Claims;
use super::marks::Part;
use super::page::Page;
use super::{dates, metas};

/// Number of lines before and after the heading in which a citation line is expected.
const BEFORE: usize = 16;
const BEHIND: usize = 60;

/// The longest citation line, in bytes.
const MAX_LENGTH: usize = 320;

/// Maximum number of lines that are parsed as a reference.
const PARSED: usize = 48;

/// The citation lines near the heading, in the order of the page.
pub(super) fn lines(page: &Page, heading: Option<usize>) -> Vec<Claims> {
    let from = heading.unwrap_or(0).saturating_sub(BEFORE);
    let to = heading.unwrap_or(0) + BEHIND;
    let own = page.lines.iter().enumerate().filter(|(_, line)| {
        line.part != Part::Others && line.heading != 1 && line.text.len() <= MAX_LENGTH
    });
    let may_cite = own.filter(|(at, line)| (from..=to).contains(at) && has_numbers(&line.text));
    may_cite
        .take(PARSED)
        .filter_map(|(at, line)| match parse(&line.text) {
            Some(claims) if claims.container.is_some() => Some(claims),
            read => laid_out(page, at).or(read),
        })
        .collect()
}

/// A citation on up to three short lines, of which the first is the journal: `Sea Studies`, `Volume 83, February
/// 2015, Pages 56–71`.
fn laid_out(page: &Page, at: usize) -> Option<Claims> {
    const SHORT: usize = 80;
    let lines = page.lines.get(at.saturating_sub(2)..=at)?;
    (1..lines.len()).rev().find_map(|from| {
        let parts = lines.get(from - 1..)?;
        let name = parts.first()?;
        let is_name = name.heading != 1 && !name.text.contains(|c: char| c.is_ascii_digit());
        let is_short = parts
            .iter()
            .all(|line| line.part != Part::Others && line.text.len() <= SHORT);
        // On a line of their own numbers are those of a journal only by their labels.
        let is_marked = parts.iter().skip(1).any(|line| has_mark(&line.text));
        if !is_name || !is_short || !is_marked {
            return None;
        }
        let texts: Vec<&str> = parts.iter().map(|line| line.text.as_str()).collect();
        parse(&texts.join(", ")).filter(|claims| claims.container.is_some())
    })
}

/// Whether a text has two numbers and a word: a year and a volume, or a volume and a page.
fn has_numbers(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let numbers = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.take(2).count() == 2 && text.chars().any(char::is_alphabetic)
}

/// Words before the name of a journal on a citation line.
const LEADS: [&str; 29] = phrases(
    "published in|published in:|in:|in|source:|source|journal:|appears in|appears in:|citation:|erschienen in:|\
     article|artigo|artículo|research article|original article|journal article|original paper|from:|from|quelle:|\
     review article|cite this article as:|cite this article as|cite as:|cite as|to cite this article:|\
     how to cite:|citation",
);

/// Parses a line that begins with the name of a journal and has its volume and a year or pages; `None` for
/// others.
pub(super) fn parse(text: &str) -> Option<Claims> {
    let reference = Reference::parse(text);
    let volume = reference.volume.clone()?;
    let is_dated = !reference.years.is_empty();
    let is_range = reference
        .pages
        .as_deref()
        .is_some_and(|pages| pages.contains('–') || pages.starts_with(char::is_alphabetic));
    let is_issued = reference.issue.is_some() && (text.contains('(') || has_label(text));
    let is_cited = is_range && (is_dated || is_issued)
        || is_issued && is_dated
        || is_dated && !reference.identifiers.is_empty();
    if !is_cited || !(has_mark(text) || has_shape(text)) || has_time(text) || text.contains('©') {
        return None;
    }
    // The name is everything before the first number.
    let is_number = |at: &usize| {
        let role = reference.role(*at);
        let is_digits = reference.token(*at).is_some_and(|token| token.is_digits());
        is_digits
            || matches!(
                role,
                Role::Year | Role::Volume | Role::Issue | Role::FirstPage
            )
    };
    let until = (0..reference.tokens.len()).find(is_number)?;
    let head = reference.slice(0..until);
    let container = name(head);
    let is_bare = container.is_none();
    if is_bare && !(is_dated && reference.pages.is_some() && is_only_labels(head)) {
        return None;
    }
    let year = reference.year().map(|year| year.to_string());
    let near_year = year.as_deref().and_then(|year| around(text, year));
    let date = near_year.and_then(dates::parse).filter(|date| {
        let found = date.start.map(|start| start.year.to_string());
        found == year && dates::precision(date) >= 2
    });
    let date = date.or_else(|| dates::parse(year.as_deref()?));
    let issue = reference
        .issue
        .clone()
        .map(|issue| whole_range(text, &issue));
    Some(Claims {
        kind: Some(ItemType::Article),
        date,
        container,
        volume: Some(volume),
        issue,
        pages: reference.pages.as_deref().and_then(crate::clean::pages),
        doi: metas::doi(text),
        ..Claims::default()
    })
}

/// The words of a text around a year: `2013 Feb` of a line with several dates.
fn around<'t>(text: &'t str, year: &str) -> Option<&'t str> {
    let at = text.find(year)?;
    let from = text.floor_char_boundary(at.saturating_sub(14));
    let to = text.floor_char_boundary(at + year.len() + 8);
    let part = text.get(from..to)?;
    // Other numbers beside it are no days.
    let stops = ['(', ')', ';', ':', '•'];
    let place = part.find(year)?;
    let start = part.get(..place)?.rfind(stops).unwrap_or(0);
    let rest = part.get(place..)?;
    let end = place + rest.find(stops).unwrap_or(rest.len());
    part.get(start..end)
}

fn has_label(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["issue", "no.", "number", "nr.", "heft", "iss."]
        .iter()
        .any(|label| lower.contains(label))
}

/// Whether a word of a text marks its numbers as those of a journal.
fn has_mark(text: &str) -> bool {
    const MARKS: [&str; 17] =
        phrases("volume|vol|issue|iss|pages|pp|bd|band|heft|jg|jahrgang|tome|tomo|núm|n°|№|doi");
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| c.is_whitespace() || ",.;:()/".contains(c));
    words.any(|word| MARKS.contains(&word))
        || ["no.", "nr.", "卷", "期", "巻", "号", "المجلد", "العدد"]
            .iter()
            .any(|mark| lower.contains(mark))
}

/// Whether the numbers of a text have the shape of a volume with an issue or pages: `48 (2)`, `70: 195`, or pages with
/// the year in brackets.
fn has_shape(text: &str) -> bool {
    let mut is_behind_digit = false;
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let next = rest.trim_start().chars().next();
        let has_digit = next.is_some_and(|next| next.is_ascii_digit());
        let inner = rest.split_once(')').map_or("", |(inner, _)| inner.trim());
        let is_year = inner.len() == 4 && inner.bytes().all(|byte| byte.is_ascii_digit());
        match c {
            '(' if is_year || is_behind_digit && has_digit && inner.len() <= 12 => return true,
            ':' if is_behind_digit && has_digit => return true,
            ' ' => {}
            _ => is_behind_digit = c.is_ascii_digit(),
        }
    }
    false
}

/// Whether a text has a time of day: `03:21`.
fn has_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (text.match_indices(':')).any(|(at, _)| {
        let before = at >= 1 && digit(at - 1) && (at < 3 || !digit(at - 3));
        let is_two = digit(at + 1) && digit(at + 2) && !digit(at + 3);
        let is_range = bytes
            .get(at + 3)
            .is_some_and(|byte| matches!(byte, b'-' | 0xe2));
        before && is_two && !is_range
    })
}

/// `2-3` for the `2` of `Issue 2-3 (October 2007)`.
fn whole_range(text: &str, issue: &str) -> String {
    let places = text.match_indices(issue);
    let mut ranges = places.filter_map(|(at, _)| {
        let before = text.get(..at)?;
        let is_begun = before
            .to_lowercase()
            .trim_end_matches([' ', '.', ':', '('])
            .ends_with(|c: char| !c.is_ascii_digit());
        let rest = text.get(at + issue.len()..)?;
        let after = rest.strip_prefix(['-', '–', '/'])?;
        let digits = after
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(after.len());
        let is_marked = before.trim_end_matches([' ', '.', ':']).to_lowercase();
        let is_marked = ["issue", "number", "no", "nr", "(", "heft"]
            .iter()
            .any(|word| is_marked.ends_with(word));
        let last = after
            .get(..digits)
            .filter(|last| (1..=3).contains(&last.len()))?;
        (is_begun && is_marked).then(|| format!("{issue}-{last}"))
    });
    ranges.next().unwrap_or_else(|| issue.to_owned())
}

/// The name of the journal at the start of a line.
fn name(head: &str) -> Option<String> {
    // A bullet separates the kind of the article from it.
    let head = head
        .rsplit(['•', '|', '·', '>', '»', '\n'])
        .map(trim)
        .find(|part| !part.is_empty())?;
    let mut head = head;
    while let Some(rest) = LEADS.iter().find_map(|lead| {
        let (first, rest) = head.split_at_checked(lead.len())?;
        let is_lead = first.to_lowercase() == **lead && rest.starts_with([' ', ':']);
        is_lead.then_some(rest)
    }) {
        head = trim(rest);
    }
    let head = without_labels(head);
    let words = head.split_whitespace().count();
    let is_label = super::labels::is_any(head)
        || super::labels::date_role(head).is_some()
        || head.split_whitespace().any(dates::is_weekday);
    let is_name = !is_label
        && (1..=14).contains(&words)
        && head.starts_with(|c: char| {
            c.is_uppercase()
                || super::people::is_east_asian(&c.to_string())
                || head.starts_with("e") && head.chars().nth(1).is_some_and(char::is_uppercase)
        })
        && head.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !head.contains(['?', '!', '@', '"', '“'])
        && !head.contains("://");
    is_name.then(|| head.to_owned())
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ",;:-–—(".contains(c))
}

/// The labels of numbers, and months.
const LABELS: [&str; 18] =
    phrases("volume|vol|issue|number|no|nr|pages|page|pp|p|band|bd|heft|tome|jg|year|p.|№");

/// A text without labels of numbers and months at its end.
fn without_labels(text: &str) -> &str {
    let mut text = trim(text);
    while let Some(last) = text.split([' ', '/', ',']).next_back() {
        let bare = last
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        let is_label = bare.is_empty() || LABELS.contains(&bare.as_str()) || dates::is_month(&bare);
        if last.is_empty() || !is_label {
            break;
        }
        text = trim(text.get(..text.len() - last.len()).unwrap_or_default());
        text = text.trim_end_matches(['.', '/']);
    }
    text
}

fn is_only_labels(text: &str) -> bool {
    without_labels(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: [&str; 5]) {
        let read = parse(text).unwrap_or_default();
        let date = read.date.map(|date| date.edtf());
        let fields = [read.container, read.volume, read.issue, read.pages, date];
        assert_eq!(fields.map(Option::unwrap_or_default), expected, "{text}");
    }

    #[test]
    fn citation_lines_are_read() {
        check(
            "Acta Exemplorum 68 (4), 2023: 709-718 doi:10.5555/app.01105.2023",
            ["Acta Exemplorum", "68", "4", "709-718", "2023"],
        );
        check(
            "Artigo • Rev. Exemplo 48 (2) • 2021 • https://doi.org/10.5555/2236-8906-127",
            ["Rev. Exemplo", "48", "2", "", "2021"],
        );
        check(
            "Coastal Letters, Volume 7, Issue 2-3 (October 2007), Pages: 268-278",
            ["Coastal Letters", "7", "2-3", "268-278", "2007-10"],
        );
        check(
            "J Examples. 2013 Feb;195(3):502-9. doi: 10.5555/JX.01321-12.",
            ["J Examples", "195", "3", "502-9", "2013-02"],
        );
        check(
            "Volume 70, February 2015, Pages 11-20",
            ["", "70", "", "11-20", "2015-02"],
        );
        check(
            "Nature of Things 450, 1001–1005 (2007)",
            ["Nature of Things", "450", "", "1001-1005", "2007"],
        );
        check("In 2015 we saw 12 of 30 boats", ["", "", "", "", ""]);
        check(
            "Transversal 18Q Bis 36-85, Pasto 2015",
            ["", "", "", "", ""],
        );
    }
}
