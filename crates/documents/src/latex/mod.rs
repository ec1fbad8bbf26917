//! LaTeX's printed lists: `thebibliography` and biber's output for biblatex.

mod biblatex;
mod plain;
pub(crate) mod syntax;

pub(crate) use plain::printed;

use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::Doi;
use citation_model::lookahead::Lookahead;

use self::syntax::{braced, bracketed, commands};
use crate::document::Place;
use crate::library::LibraryEntry;
use crate::list;

/// The entries of a printed list, in order. `place` is the position of the first line.
pub(crate) fn entries(
    text: &str,
    place: &Place,
    budget: &Budget,
) -> Result<Vec<LibraryEntry>, Exceeded> {
    budget.spend(text.len() as u64)?;
    let ahead = Lookahead::new(text.len(), budget);
    let mut entries = Vec::new();
    let mut lines = Place::clone(place);
    let mut counted = 0;
    let first = place.line.unwrap_or(1);
    for at in commands(text, &ENTRY_STARTS) {
        budget.spend(200)?;
        let passed = text.get(counted..at).unwrap_or_default();
        lines.line = Some(lines.line.unwrap_or(first) + passed.matches('\n').count());
        counted = at;
        let rest = text.get(at..).unwrap_or_default();
        let behind = |name: &str| rest.strip_prefix('\\')?.strip_prefix(name);
        let of_pandoc = || behind("hypertarget").filter(|rest| rest.starts_with("{ref-"));
        let entry = if let Some(rest) = behind("bibitem").or_else(of_pandoc) {
            bibitem(rest, &ahead, budget)?
        } else {
            behind("entry").and_then(|rest| biblatex::entry(rest, &ahead))
        };
        entries.extend(entry.map(|entry| LibraryEntry {
            place: lines.clone(),
            ..entry
        }));
    }
    Ok(entries)
}

/// The start of entries; `\leavevmode\vadjust pre{\hypertarget{ref-doe}{}}%` is pandoc's.
const ENTRY_STARTS: [&str; 3] = ["bibitem", "entry", "hypertarget"];
/// The commands that end an entry.
const ENTRY_ENDS: [&str; 3] = ["bibitem", "leavevmode", "end"];

/// `\bibitem[label]{key} text`
fn bibitem(
    rest: &str,
    ahead: &Lookahead<'_>,
    budget: &Budget,
) -> Result<Option<LibraryEntry>, Exceeded> {
    let rest = rest.trim_start_matches(['%', '\n', ' ']);
    let label = bracketed(rest, ahead);
    let rest = match label {
        Some(label) => rest.get(label.len() + 2..).unwrap_or_default(),
        None => rest,
    };
    let rest = rest.trim_start_matches(['%', '\n', ' ']);
    let Some(key) = braced(rest, ahead) else {
        return Ok(None);
    };
    let body = rest.get(key.len() + 2..).unwrap_or_default();
    let body = body
        .strip_prefix("{}")
        .map_or(body, |body| body.trim_start_matches(['}', '%']));
    let body = ahead.window(body, usize::MAX);
    let ends = |at: &usize| {
        let line = body
            .get(*at..)
            .and_then(|rest| rest.strip_prefix("\\leavevmode"));
        line.is_none_or(|rest| rest.starts_with("\\vadjust") || rest.starts_with("\\hypertarget"))
    };
    let end = commands(body, &ENTRY_ENDS).find(ends);
    let end = end.unwrap_or(body.len());
    let body = body.get(..end).unwrap_or_default();
    ahead.spend(body.len());
    budget.spend_bytes(2 * body.len())?;
    let text = printed(body, ahead);
    let doi = match list::doi(&text, budget)? {
        Some(doi) => Some(doi),
        None => linked_doi(body, budget)?,
    };
    Ok((!text.is_empty()).then(|| LibraryEntry {
        key: key.trim().to_owned(),
        text: Some(text),
        item: None,
        doi,
        place: Place::default(),
    }))
}

/// The DOI of a link: `\href{https://doi.org/10.1000/x}{…}`.
fn linked_doi(text: &str, budget: &Budget) -> Result<Option<Doi>, Exceeded> {
    const RESOLVER: &str = "doi.org/";
    let link = text
        .find(RESOLVER)
        .and_then(|at| text.get(at + RESOLVER.len()..));
    let link = link.map(|rest| rest.split(['}', ' ', '\n']).next().unwrap_or(rest));
    match link {
        Some(link) => list::doi(&link.replace("\\_", "_"), budget),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pandoc_bibliography_is_read_as_printed_list() {
        let list = "{1}{0}\n\\leavevmode\\vadjust pre{\\hypertarget{ref-roe}{}}%\nRoe, R. 2001. {``On X.''}\n\n\\leavevmode\\hypertarget{ref-poe}{}%\nPoe.\n\n\\bibitem[\\citeproctext]{ref-doe}\nDoe.\n";
        let entries = entries(list, &Place::line(1), &Budget::unlimited()).unwrap();
        let found: Vec<(&str, &str)> = { entries.iter() }
            .map(|entry| (entry.key.as_str(), entry.text.as_deref().unwrap()))
            .collect();
        let expected = [
            ("ref-roe", "Roe, R. 2001. “On X.”"),
            ("ref-poe", "Poe."),
            ("ref-doe", "Doe."),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bibitems_become_plain_text() {
        let list = "\\bibitem[Roe et~al.(2001)Roe,\n  Doe]{roe}\nR.~Roe and \\'E.~D\\\"oe.\n\\newblock On {X} \\& Y.\n\\newblock \\emph{Ring}, 4\\penalty0 (6):\\penalty0 9--20, 2001.\n\n\\bibitem{poe}\nPoe.\n\\end{thebibliography}";
        let entries = entries(list, &Place::line(1), &Budget::unlimited()).unwrap();
        let texts: Vec<&str> = entries.iter().filter_map(|e| e.text.as_deref()).collect();
        assert_eq!(
            texts,
            [
                "R. Roe and É. Döe. On X & Y. Ring, 4(6):9–20, 2001.",
                "Poe."
            ]
        );
        assert_eq!(entries[0].key, "roe");
        assert_eq!(entries[1].place.line, Some(7));
    }
}
