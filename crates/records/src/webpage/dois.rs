//! Finds the DOIs visible on a page that belong to its work.

use citation_model::identifier::address;
use citation_model::lists::phrases;

use super::marks::Part;
use super::metas;
use super::page::{Line, Page};

/// Maximum number of lines after the heading in which a DOI belongs to the work.
const BEHIND: usize = 25;

/// Labels before the work's own DOI.
const LABELS: [&str; 12] = phrases(
    "published in|published as|published version|cite as|cite this|how to cite|to cite|\
     citation:|suggested citation|digital object identifier|version of record|引用",
);

/// The DOI that a page prints for itself: one after a label, or the only one on a separate line.
pub(super) fn printed(page: &Page, heading: Option<usize>) -> Option<String> {
    let until = heading.unwrap_or(0) + BEHIND;
    let lines = page.lines.iter().enumerate();
    let own = lines.filter(|(_, line)| line.part == Part::Main && line.text.contains("10."));
    let found: Vec<(usize, &Line, String)> = own
        .filter_map(|(at, line)| Some((at, line, metas::doi(&line.text)?)))
        .take(200)
        .collect();
    let is_labelled = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| page.lines.get(before));
        let mut near = [page.lines.get(at), before].into_iter().flatten();
        near.any(|line| {
            let text = line.text.to_lowercase();
            line.text.len() <= 400 && LABELS.iter().any(|label| text.contains(label))
        })
    };
    let labelled = found.iter().find(|(at, _, _)| is_labelled(*at));
    if let Some((_, _, doi)) = labelled {
        return Some(doi.clone());
    }
    let is_alone = |line: &Line, doi: &str| {
        let says_doi = line.text.to_ascii_lowercase().contains("doi");
        says_doi && line.text.len() <= doi.len() + 40
    };
    let alone = || found.iter().filter(|(_, line, doi)| is_alone(line, doi));
    only(
        alone()
            .filter(|(at, _, _)| *at <= until)
            .map(|(_, _, doi)| doi),
    )
    .or_else(|| only(alone().map(|(_, _, doi)| doi)))
}

/// The DOI that a page links near its heading, if there is exactly one.
pub(super) fn linked(page: &Page, heading: Option<usize>) -> Option<String> {
    let until = heading.unwrap_or(0) + BEHIND;
    let near = page
        .doi_links
        .iter()
        .filter(|link| link.part == Part::Main && link.line <= until);
    let dois: Vec<String> = near
        .filter_map(|link| address::doi(&link.text))
        .map(|doi| doi.as_str().to_owned())
        .collect();
    only(dois.iter())
}

/// The value that all share.
fn only<'t>(values: impl Iterator<Item = &'t String>) -> Option<String> {
    let mut values = values.peekable();
    let first = *values.peek()?;
    values.all(|value| value == first).then(|| first.clone())
}
