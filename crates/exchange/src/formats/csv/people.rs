//! Splits the names in one cell.

use citation_fields::latex::leftover;
use citation_fields::names;
use citation_model::name::Name;

use crate::syntax::tagged::inverted;

/// Supported forms: `Doe, J.; Roe, A.`, `Doe, J., Roe, A.`, `Doe J, Roe A`, `Jane Doe, Al Roe`, `Doe, J.
/// and Roe, A.`, `Doe J | Roe A`, one name per line.
pub fn names_of(cell: &str) -> Vec<Name> {
    let cell = &*leftover::without_escapes(cell);
    if let Some(parts) = with_braces(cell) {
        return parts.into_iter().flat_map(names_of_part).collect();
    }
    // Google Scholar leaves out the names at either end of a long list.
    let cut = |c: char| matches!(c, '…' | '.' | ',' | ' ');
    let whole = cell.trim();
    if let Some(rest) = whole.strip_prefix(['…']).or(whole.strip_prefix("...")) {
        return and_others(names_of(rest.trim_start_matches(cut)));
    }
    if let Some(rest) = whole.strip_suffix(['…']).or(whole.strip_suffix(", ...")) {
        return and_others(names_of(rest.trim_end_matches([',', ' '])));
    }
    // Scopus: `[No author name available]`.
    if cell.starts_with("[No author") {
        return Vec::new();
    }
    if let Some(names) = quoted_list(cell) {
        return names;
    }
    let cell = without_end(cell);
    let separator = ["||", ";", "|", "\n", " and ", " & "]
        .into_iter()
        .find(|separator| cell.contains(separator));
    match separator {
        // Institutions have conjunctions as well.
        Some(conjunction @ (" and " | " & ")) if !cell.split(conjunction).all(may_be_person) => {
            by_commas(bare(cell))
        }
        Some(separator) => {
            let parts = cell.split(separator).map(bare);
            { parts }
                .filter(|part| !part.is_empty())
                .flat_map(|part| {
                    names::several(part).unwrap_or_else(|| vec![names::in_any_order(part)])
                })
                .collect()
        }
        None => by_commas(bare(cell)),
    }
}

/// The text in a cell of one name, such that the name is read back. Braces as in BibTeX keep an institution whole.
pub fn cell_of(name: &Name) -> String {
    let text = inverted(name);
    match &name.literal {
        Some(literal) if names_of(&text) != [name.clone()] => {
            let whole = format!("{{{literal}}}");
            let comes_back = names_of(&whole) == [name.clone()];
            if comes_back { whole } else { text }
        }
        _ => text,
    }
}

/// The parts of a list of which at least one is in braces, separated by semicolons.
fn with_braces(cell: &str) -> Option<Vec<&str>> {
    if !cell.contains('{') {
        return None;
    }
    let mut depth = 0_usize;
    let parts = cell.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ';' && depth == 0
    });
    let parts: Vec<&str> = parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    parts
        .iter()
        .any(|part| names::in_braces(part).is_some())
        .then_some(parts)
}

/// An institution in braces, unless they hold persons; or what is between the semicolons.
fn names_of_part(part: &str) -> Vec<Name> {
    match names::in_braces(part) {
        Some(whole) => names::several(whole).unwrap_or_else(|| vec![Name::literal(whole)]),
        None => names_of(part),
    }
}

/// Names before the mark of further ones.
fn and_others(mut names: Vec<Name>) -> Vec<Name> {
    names.push(Name::literal("et al."));
    names
}

/// The names of a list as Python and JSON write it: `['Jane Doe', 'Al Roe']`.
fn quoted_list(cell: &str) -> Option<Vec<Name>> {
    let inside = cell.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let quote = inside.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inside = inside.strip_prefix(quote)?.strip_suffix(quote)?;
    let between = format!("{quote}, {quote}");
    let parts = inside.split(between.as_str()).map(str::trim);
    let names = parts.filter(|part| !part.is_empty());
    Some(names.map(names::in_any_order).collect())
}

/// Removes the full stop that ends a list, but not that of an initial or of an abbreviation.
fn without_end(cell: &str) -> &str {
    let last = cell.rsplit([' ', ',']).next().unwrap_or_default();
    if last.chars().filter(|c| c.is_lowercase()).count() > 2 {
        cell.strip_suffix('.').unwrap_or(cell)
    } else {
        cell
    }
}

/// Removes an author id in brackets: `Liu, Fengyuan (60410297700)`.
fn bare(name: &str) -> &str {
    let name = name.trim().trim_end_matches(',');
    match name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once('('))
    {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name.trim(),
        _ => name,
    }
}

/// Whether a text has the form of a name of a person: with a comma, with initials, or some capitalised words
/// of which none belongs to an institution.
fn may_be_person(text: &str) -> bool {
    text.contains(',') || names::with_initials(text).is_some() || names::is_full_name(text)
}

fn by_commas(cell: &str) -> Vec<Name> {
    let parts: Vec<&str> = cell
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let persons = parts.iter().map(|part| names::with_initials(part));
    let persons: Option<Vec<Name>> = persons.collect();
    if let Some(names) = persons.filter(|_| parts.len() > 1) {
        return names;
    }
    if let Some(names) = names::pairs(&parts).or_else(|| glued(cell)) {
        return names;
    }
    let are_whole = parts.iter().all(|part| part.contains(' '));
    match parts.as_slice() {
        [_] => names_of_one(cell),
        _ if are_whole => parts.into_iter().map(names::in_any_order).collect(),
        _ => vec![names::inverted(cell)],
    }
}

/// The editors of old exports of Scopus, which have nothing between them: `Doe J.Roe A.`
fn glued(cell: &str) -> Option<Vec<Name>> {
    let mut names = Vec::new();
    let mut start = 0;
    for (at, _) in cell.match_indices('.') {
        let behind = cell.get(at + 1..).unwrap_or_default();
        let mut letters = behind.chars();
        let begins_name = letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase);
        if begins_name {
            names.push(names::with_initials(cell.get(start..=at)?.trim())?);
            start = at + 1;
        }
    }
    let last = cell.get(start..).filter(|_| start > 0)?.trim();
    names.push(names::with_initials(last)?);
    Some(names)
}

fn names_of_one(cell: &str) -> Vec<Name> {
    vec![names::in_any_order(cell)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, expected: &[&str]) {
        let names: Vec<String> = names_of(cell)
            .iter()
            .map(|name| {
                format!(
                    "{}|{}",
                    name.heading(),
                    name.given.as_deref().unwrap_or_default()
                )
            })
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn names_are_parted_as_programs_part_them() {
        check("…, GC Doe, P Roe", &["Doe|GC", "Roe|P", "et al.|"]);
        check("P Roe, GC Doe, ...", &["Roe|P", "Doe|GC", "et al.|"]);
        check(
            "McMurdie, Paul J.; Holmes, Susan",
            &["McMurdie|Paul J.", "Holmes|Susan"],
        );
        check(
            "Liu, Fengyuan (60410297700); Li, Chunyun (588)",
            &["Liu|Fengyuan", "Li|Chunyun"],
        );
        check(
            "Pan, Y., Yu, C., Zhang, X.-Y.",
            &["Pan|Y.", "Yu|C.", "Zhang|X.-Y."],
        );
        check("['Jane Doe', 'Al Roe']", &["Doe|Jane", "Roe|Al"]);
        check("[\"Doe, Jane\", \"O'Roe, Al\"]", &["Doe|Jane", "O'Roe|Al"]);
        check("Smith A, Walter B", &["Smith|A.", "Walter|B."]);
        check("Jane Doe, Al van der Roe", &["Doe|Jane", "van der Roe|Al"]);
        check("Doe, Jane and Roe, Al", &["Doe|Jane", "Roe|Al"]);
        check("Doe, Jane", &["Doe|Jane"]);
        check("Jane Doe", &["Doe|Jane"]);
        check("Roe, R. (1)", &["Roe|R."]);
        check("[No author name available]", &[]);
        check("Doe J, Readers Group.", &["Doe|J.", "Readers Group|"]);
        check("Tang F.-C., Xi Y.-M.", &["Tang|F.-C.", "Xi|Y.-M."]);
        check("Garcia-Poe A.Roe L.", &["Garcia-Poe|A.", "Roe|L."]);
        check("Town Museum & Art Gallery", &["Town Museum & Art Gallery|"]);
        check(
            "Ministry for Culture and Heritage",
            &["Ministry for Culture and Heritage|"],
        );
        check(
            "{Doe, J. and Roe, K.}; Poe, L.",
            &["Doe|J.", "Roe|K.", "Poe|L."],
        );
        check("", &[]);
    }

    #[test]
    fn literal_names_come_back() {
        for literal in [
            "Roe, Doe, and Company",
            "Ministry of Ants, Section of Bees; Office 4",
            "Ants and Bees",
            "World Health Organization",
            "Plato",
        ] {
            let names = [Name::literal(literal), Name::person("Doe", "Jane")];
            let cell: Vec<String> = names.iter().map(cell_of).collect();
            assert_eq!(names_of(&cell.join("; ")), names, "{cell:?}");
        }
    }
}
