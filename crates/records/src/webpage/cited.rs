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
const LONGEST: usize = 320;

/// Maximum number of lines that are parsed as a reference.
const PARSED: usize = 48;

/// A citation line.
#[derive(Clone, Debug)]
pub(super) struct Cited {
    pub claims: Claims,
    /// Whether it is near the heading.
    pub is_near: bool,
}

/// The citation lines near the heading, in the order of the page.
pub(super) fn lines(page: &Page, heading: Option<usize>) -> Vec<Cited> {
    let from = heading.unwrap_or(0).saturating_sub(BEFORE);
    let to = heading.unwrap_or(0) + BEHIND;
    let own = page.lines.iter().enumerate().filter(|(_, line)| {
        line.part != Part::Others && line.heading != 1 && line.text.len() <= LONGEST
    });
    let may_cite = own.filter(|(at, line)| (from..=to).contains(at) && has_numbers(&line.text));
    let read = may_cite.take(PARSED).filter_map(|(_, line)| {
        Some(Cited {
            claims: parse(&line.text)?,
            is_near: true,
        })
    });
    read.collect()
}

/// Whether a text has two numbers and a word: a year and a volume, or a volume and a page.
fn has_numbers(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let numbers = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.take(2).count() == 2 && text.chars().any(char::is_alphabetic)
}

/// Words before the name of a journal on a citation line.
const LEADS: [&str; 22] = phrases(
    "published in|published in:|in:|in|source:|source|journal:|appears in|appears in:|citation:|erschienen in:|\
     article|artigo|artículo|research article|original article|journal article|original paper|from:|from|quelle:|\
     review article",
);

/// Parses a line that begins with the name of a journal and has its volume and a year or pages; `None` for
/// others.
pub(super) fn parse(text: &str) -> Option<Claims> {
    let reference = Reference::parse(text);
    let volume = reference.volume.clone()?;
    let is_located = reference.pages.is_some() || reference.issue.is_some();
    let is_dated = !reference.years.is_empty();
    if !is_located && !(is_dated && reference.identifiers.len() == 1) {
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
    let date = dates::parse(text).filter(|date| {
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
    let is_name = (1..=14).contains(&words)
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
        check("In 2015 we saw 12 of 30 boats", ["", "", "", "", ""]);
    }
}
