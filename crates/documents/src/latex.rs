//! LaTeX's printed lists: `thebibliography` and biber's output for biblatex.

use citation_exchange::bibtex::plain_text;
use citation_model::budget::{Budget, Exceeded};

use crate::document::Place;
use crate::library::{Entry, Record};
use crate::list;

/// The entries of a printed list, in order. `place` is the position of the first line.
pub(crate) fn entries(text: &str, place: &Place, budget: &Budget) -> Result<Vec<Entry>, Exceeded> {
    budget.spend(text.len() as u64)?;
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
            bibitem(rest, budget)?
        } else {
            behind("entry").and_then(biblatex_entry)
        };
        entries.extend(entry.map(|entry| Entry {
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

/// The positions of the commands with these names.
fn commands<'a>(text: &'a str, names: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    text.match_indices('\\')
        .map(|(at, _)| at)
        .filter(move |at| {
            let rest = text.get(at + 1..).unwrap_or_default();
            names.iter().any(|name| {
                rest.strip_prefix(name)
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            })
        })
}

/// `\bibitem[label]{key} text`
fn bibitem(rest: &str, budget: &Budget) -> Result<Option<Entry>, Exceeded> {
    let rest = rest.trim_start_matches(['%', '\n', ' ']);
    let label = bracketed(rest);
    let rest = match label {
        Some(label) => rest.get(label.len() + 2..).unwrap_or_default(),
        None => rest,
    };
    let rest = rest.trim_start_matches(['%', '\n', ' ']);
    let Some(key) = braced(rest) else {
        return Ok(None);
    };
    let body = rest.get(key.len() + 2..).unwrap_or_default();
    let body = body
        .strip_prefix("{}")
        .map_or(body, |body| body.trim_start_matches(['}', '%']));
    let ends = |at: &usize| {
        let line = body
            .get(*at..)
            .and_then(|rest| rest.strip_prefix("\\leavevmode"));
        line.is_none_or(|rest| rest.starts_with("\\vadjust") || rest.starts_with("\\hypertarget"))
    };
    let end = commands(body, &ENTRY_ENDS).find(ends);
    let end = end.unwrap_or(body.len());
    let body = body.get(..end).unwrap_or_default();
    budget.spend_bytes(2 * body.len())?;
    let text = printed(body);
    let doi = match list::doi(&text, budget)? {
        Some(doi) => Some(doi),
        // In a link: `\href{https://doi.org/10.1000/x}{…}`.
        None => {
            let link = body
                .find("doi.org/")
                .and_then(|at| body.get(at + "doi.org/".len()..));
            let link = link.map(|rest| rest.split(['}', ' ', '\n']).next().unwrap_or(rest));
            match link {
                Some(link) => list::doi(&link.replace("\\_", "_"), budget)?,
                None => None,
            }
        }
    };
    Ok((!text.is_empty()).then(|| Entry {
        key: key.trim().to_owned(),
        text: Some(text),
        item: None,
        doi,
        place: Place::default(),
    }))
}

/// LaTeX as plain printed text.
pub(crate) fn printed(text: &str) -> String {
    /// Commands that print their last argument, and the number of arguments before it.
    const LAST: [(&str, usize); 14] = [
        ("href", 1),
        ("bibinfo", 1),
        ("bibfield", 1),
        ("bibfnamefont", 0),
        ("bibnamefont", 0),
        ("citenamefont", 0),
        ("natexlab", 0),
        ("BIBforeignlanguage", 1),
        ("foreignlanguage", 1),
        ("textcolor", 1),
        ("Eprint", 1),
        ("enquote", 0),
        ("doi", 0),
        ("url", 0),
    ];
    /// Commands that print nothing, with their number of arguments.
    const UNPRINTED: [(&str, usize); 8] = [
        ("bibAnnoteFile", 1),
        ("label", 1),
        ("hskip", 0),
        ("Eprint", 0),
        ("providecommand", 2),
        ("bibAnnote", 2),
        ("SelectLanguage", 1),
        ("selectlanguage", 1),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '%']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        if let Some(comment) = behind.strip_prefix('%') {
            let end = comment.find('\n').map_or(comment.len(), |end| end + 1);
            rest = comment.get(end..).unwrap_or_default();
            continue;
        }
        let name_end = behind
            .get(1..)
            .and_then(|name| name.find(|c: char| !c.is_ascii_alphabetic()))
            .map_or(behind.len(), |end| end + 1);
        let name = behind.get(1..name_end).unwrap_or_default();
        let mut arguments = behind.get(name_end..).unwrap_or_default();
        if name.is_empty() {
            // `\&`, `\"o`
            let length = 1 + behind.chars().nth(1).map_or(0, char::len_utf8);
            out.push_str(behind.get(..length).unwrap_or_default());
            rest = behind.get(length..).unwrap_or_default();
            continue;
        }
        if let Some((_, before)) = LAST.iter().find(|(known, _)| *known == name) {
            for _ in 0..*before {
                arguments = behind_argument(arguments);
            }
            // The braces of the last argument stay as a group.
            rest = arguments.trim_start();
            continue;
        }
        if let Some((_, count)) = UNPRINTED.iter().find(|(known, _)| *known == name) {
            for _ in 0..*count {
                arguments = behind_argument(arguments);
            }
            rest = arguments;
            continue;
        }
        match name {
            "newblock" | "par" | "quad" | "qquad" | "space" | "bibrangedash" | "bibinitperiod"
            | "bibinitdelim" | "bibnamedelima" | "bibnamedelimb" | "bibnamedelimc"
            | "bibnamedelimd" | "bibnamedelimi" => {
                out.push_str(match name {
                    "bibrangedash" => "--",
                    "bibinitperiod" => ".",
                    _ => " ",
                });
                rest = arguments
                    .strip_prefix("{}")
                    .unwrap_or(arguments)
                    .trim_start();
            }
            // A penalty is a number terminated by one blank.
            "penalty" => {
                let behind = arguments.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
                rest = behind.strip_prefix(' ').unwrap_or(behind);
            }
            _ if name.starts_with("BIB")
                || name.starts_with("Bibitem")
                || matches!(
                    name,
                    "urlprefix"
                        | "urlstyle"
                        | "relax"
                        | "bibnodot"
                        | "em"
                        | "it"
                        | "bf"
                        | "sc"
                        | "rm"
                        | "sl"
                        | "tt"
                        | "bgroup"
                        | "egroup"
                ) =>
            {
                rest = arguments.trim_start();
            }
            _ => {
                out.push_str(behind.get(..name_end).unwrap_or_default());
                rest = arguments;
            }
        }
    }
    out.push_str(rest);
    let plain = plain_text(&out);
    without_commands(&plain)
}

/// A text without unknown commands.
fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{', '}']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let length = match behind.strip_prefix('\\') {
            Some(name) => {
                let end = name.find(|c: char| !c.is_ascii_alphabetic());
                1 + end.unwrap_or(name.len())
            }
            None => 1,
        };
        rest = behind.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    let words: Vec<&str> = out.split_whitespace().collect();
    words.join(" ").replace(" ,", ",").replace(" .", ".")
}

fn behind_argument(text: &str) -> &str {
    let text = text.trim_start();
    match braced(text) {
        Some(argument) => text.get(argument.len() + 2..).unwrap_or_default(),
        None => text,
    }
}

/// The content of the braces at the start of a text.
pub(crate) fn braced(text: &str) -> Option<&str> {
    enclosed(text, '{', '}')
}

/// The content of the square brackets at the start of a text.
pub(crate) fn bracketed(text: &str) -> Option<&str> {
    enclosed(text, '[', ']')
}

fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    /// The longest real case: the authors of a work in biber's output.
    const LONGEST: usize = 100_000;
    let inside = text.strip_prefix(open)?;
    let (mut braces, mut own) = (0_usize, 0_usize);
    let mut is_escaped = false;
    for (at, c) in inside.char_indices().take(LONGEST) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == close && braces == 0 && own == 0 => return inside.get(..at),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            c if c == open => own += 1,
            c if c == close && braces == 0 => own = own.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// `\entry{key}{type}{…} … \endentry` of biber.
fn biblatex_entry(rest: &str) -> Option<Entry> {
    let key = braced(rest)?;
    let rest = rest.get(key.len() + 2..)?;
    let kind = braced(rest)?;
    let end = rest.find("\\endentry").unwrap_or(rest.len());
    let body = rest.get(..end)?;
    let mut record = Record::new(match kind {
        "article" | "suppperiodical" => "article-journal",
        "book" | "mvbook" | "collection" | "mvcollection" | "proceedings" => "book",
        "incollection" | "inbook" | "bookinbook" | "suppbook" | "inreference" => "chapter",
        "inproceedings" => "paper-conference",
        "thesis" => "thesis",
        "report" => "report",
        "online" => "webpage",
        "software" => "software",
        "dataset" => "dataset",
        "patent" => "patent",
        _ => "document",
    });
    for at in commands(body, &["name", "field", "list", "verb"]) {
        let command = body.get(at + 1..)?;
        let name_end = command.find('{')?;
        let (command, rest) = command.split_at(name_end);
        let Some(name) = braced(rest) else {
            continue;
        };
        let rest = rest.get(name.len() + 2..).unwrap_or_default();
        match command {
            "name" if matches!(name, "author" | "editor") => {
                let people = behind_argument(behind_argument(rest));
                let people = braced(people.trim_start()).unwrap_or_default();
                for person in people.split("hash=").skip(1) {
                    let part = |name: &str| {
                        let at = person.find(&format!("{name}={{"))? + name.len() + 1;
                        Some(printed(braced(person.get(at..)?)?))
                    };
                    let family = part(" family")
                        .or_else(|| part("\tfamily"))
                        .unwrap_or_default();
                    let given = part(" given").unwrap_or_default();
                    match given.is_empty() {
                        true => record.person(name, &family.replace(',', " ")),
                        false => record.person(name, &format!("{family}, {given}")),
                    }
                }
            }
            "field" => {
                let value = printed(braced(rest).unwrap_or_default());
                match name {
                    "year" => record.year(&value),
                    _ => record.set(variable(name), value),
                }
            }
            "list"
                if matches!(
                    name,
                    "publisher" | "institution" | "organization" | "location"
                ) =>
            {
                let values = braced(behind_argument(rest).trim_start()).unwrap_or_default();
                let first = braced(values.trim_start_matches(['%', '\n', ' '])).unwrap_or(values);
                record.set(variable(name), printed(first));
            }
            "verb" => {
                let value = rest.trim_start().strip_prefix("\\verb ");
                let value = value.and_then(|value| value.split(['\n', '\r']).next());
                record.set(variable(name), value.unwrap_or_default());
            }
            _ => {}
        }
    }
    let mut item = record.item()?;
    item.custom.clear();
    item.id = key.to_owned();
    Some(Entry::of_item(item, Place::default()))
}

/// The CSL variable of a biblatex field; fields without one are kept separately.
fn variable(field: &str) -> &'static str {
    match field {
        "title" => "title",
        "journaltitle" | "booktitle" | "maintitle" | "eventtitle" => "container-title",
        "volume" => "volume",
        "number" => "issue",
        "pages" => "page",
        "edition" => "edition",
        "publisher" | "institution" | "organization" => "publisher",
        "location" => "publisher-place",
        "doi" => "DOI",
        "isbn" => "ISBN",
        "url" => "URL",
        _ => "unread",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_pandoc_are_printed() {
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
    fn bibitems_are_printed() {
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
