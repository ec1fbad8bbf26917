//! Entries in biber's output for biblatex.

use citation_model::lookahead::Lookahead;

use super::plain::printed;
use super::syntax::{after_argument, braced, commands};
use crate::document::Place;
use crate::library::{CslRecord, LibraryEntry};

/// Maximum length of an address or identifier, in bytes.
const MAX_VERB: usize = 4_000;

/// `\entry{key}{type}{…} … \endentry` of biber.
pub(super) fn entry(rest: &str, ahead: &Lookahead<'_>) -> Option<LibraryEntry> {
    let key = braced(rest, ahead)?;
    let rest = rest.get(key.len() + 2..)?;
    let kind = braced(rest, ahead)?;
    let window = ahead.window(rest, usize::MAX);
    let end = window.find("\\endentry").unwrap_or(window.len());
    ahead.spend(end);
    let body = rest.get(..end)?;
    let mut record = CslRecord::new(item_type(kind));
    for at in commands(body, &["name", "field", "list", "verb"]) {
        let command = body.get(at + 1..)?;
        let name_end = command.find(|c: char| !c.is_ascii_alphabetic())?;
        let (command, rest) = command.split_at(name_end);
        let Some(name) = braced(rest, ahead) else {
            continue;
        };
        let rest = rest.get(name.len() + 2..).unwrap_or_default();
        match command {
            "name" if matches!(name, "author" | "editor") => {
                add_names(&mut record, name, rest, ahead);
            }
            "field" => {
                let value = printed(braced(rest, ahead).unwrap_or_default(), ahead);
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
                let values =
                    braced(after_argument(rest, ahead).trim_start(), ahead).unwrap_or_default();
                let first = values.trim_start_matches(['%', '\n', ' ']);
                let first = braced(first, ahead).unwrap_or(values);
                record.set(variable(name), printed(first, ahead));
            }
            "verb" => {
                let value = rest
                    .trim_start()
                    .strip_prefix("\\verb ")
                    .unwrap_or_default();
                let end = ahead.find(value, MAX_VERB, |window| window.find(['\n', '\r']));
                let value = value.get(..end.unwrap_or(0));
                record.set(variable(name), value.unwrap_or_default());
            }
            _ => {}
        }
    }
    let mut item = record.item()?;
    item.custom.clear();
    item.id = key.to_owned();
    Some(LibraryEntry::of_item(item, Place::default()))
}

/// `{count}{options}{{hash=…}{family={…},given={…}}…}` behind the name of a role.
fn add_names(record: &mut CslRecord, role: &str, rest: &str, ahead: &Lookahead<'_>) {
    let people = after_argument(after_argument(rest, ahead), ahead);
    let people = braced(people.trim_start(), ahead).unwrap_or_default();
    for person in people.split("hash=").skip(1) {
        let part = |name: &str| {
            let at = person.find(&format!("{name}={{"))? + name.len() + 1;
            Some(printed(braced(person.get(at..)?, ahead)?, ahead))
        };
        let family = part(" family")
            .or_else(|| part("\tfamily"))
            .unwrap_or_default();
        let given = part(" given").unwrap_or_default();
        if given.is_empty() {
            record.person(role, &family.replace(',', " "))
        } else {
            record.person(role, &format!("{family}, {given}"))
        }
    }
}

fn item_type(name: &str) -> &'static str {
    match name {
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
    }
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
