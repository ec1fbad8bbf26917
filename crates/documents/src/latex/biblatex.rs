//! Entries in biber's output for biblatex.

use super::plain::printed;
use super::syntax::{behind_argument, braced, commands};
use crate::document::Place;
use crate::library::{CslRecord, LibraryEntry};

/// `\entry{key}{type}{…} … \endentry` of biber.
pub(super) fn entry(rest: &str) -> Option<LibraryEntry> {
    let key = braced(rest)?;
    let rest = rest.get(key.len() + 2..)?;
    let kind = braced(rest)?;
    let end = rest.find("\\endentry").unwrap_or(rest.len());
    let body = rest.get(..end)?;
    let mut record = CslRecord::new(item_type(kind));
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
                add_names(&mut record, name, rest);
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
    Some(LibraryEntry::of_item(item, Place::default()))
}

/// `{count}{options}{{hash=…}{family={…},given={…}}…}` behind the name of a role.
fn add_names(record: &mut CslRecord, role: &str, rest: &str) {
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
            true => record.person(role, &family.replace(',', " ")),
            false => record.person(role, &format!("{family}, {given}")),
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
