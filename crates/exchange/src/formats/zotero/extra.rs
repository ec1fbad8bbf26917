//! The field `extra`, whose lines hold data without a Zotero field: `PMID: 123`, `original-date: 1900`,
//! `Type: dataset`, `Editor: Doe || Jane`. Other lines are a note. Zotero exports the field as a note, so such
//! lines are also in the notes of other formats, whose writers use them for variables without a field.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::record;
use super::{fields, types};
use citation_fields::identifiers;
use citation_fields::parts::person;
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

/// Sets variables from the lines unless the item has them already; other lines become its note.
pub fn read(text: &str, item: &mut Item) {
    let mut note = String::new();
    for line in text.lines() {
        if !take(line, item) {
            note.push_str(line);
            note.push('\n');
        }
    }
    item.set_text(TextVar::Note, note);
}

/// Sets variables from the lines of an item's note and removes these lines. In a note of any program, only
/// identifiers, compound names (`original-date`, `Event Place`) and people (`Director: Doe || Jane`) are
/// surely meant as fields.
pub(crate) fn read_note(item: &mut Item) {
    let note = match item.text(TextVar::Note) {
        Some(note) if note.lines().any(is_sure) => note.to_owned(),
        _ => return,
    };
    let mut left: Vec<&str> = Vec::new();
    for line in note.lines() {
        if !is_sure(line) || !take_sure(line, item) {
            left.push(line);
        }
    }
    item.text.remove(TextVar::Note);
    item.set_text(TextVar::Note, left.join("\n"));
}

/// `PMID: 123` or `PMID: 123; PMCID: PMC123`.
fn take_sure(line: &str, item: &mut Item) -> bool {
    let parts: Vec<&str> = line.split(';').map(str::trim).collect();
    let variables: Vec<TextVar> = parts
        .iter()
        .filter_map(|part| valid_identifier(part))
        .collect();
    if let ([part], [variable]) = (parts.as_slice(), variables.as_slice()) {
        return take_identifier(part, *variable, item);
    }
    // Only identifiers share a line.
    if parts.len() == 1 || variables.is_empty() {
        return !is_identifier(line) && take(line, item);
    }
    // A second value of a variable would be lost.
    let is_new = |(at, variable): (usize, &TextVar)| {
        item.text(*variable).is_none()
            && !variables.iter().take(at).any(|before| before == variable)
    };
    let are_new = variables.len() < 8 && variables.iter().enumerate().all(is_new);
    let mut both = parts.iter().zip(&variables);
    are_new
        && variables.len() == parts.len()
        && both.all(|(part, variable)| take_identifier(part, *variable, item))
}

/// Sets a valid identifier. A line that repeats what the item has is not kept.
fn take_identifier(text: &str, variable: TextVar, item: &mut Item) -> bool {
    let value = text.split_once(':').map_or("", |(_, value)| value.trim());
    let value = match variable {
        TextVar::ArxivId => value.split_whitespace().next().unwrap_or_default(),
        _ => value,
    };
    let Some(Ok(value)) = identifiers::canonical(variable, value) else {
        return false;
    };
    match item.text(variable) {
        Some(known) => known == value,
        None => {
            item.set_text(variable, value);
            true
        }
    }
}

/// The variable of a text that is a valid identifier behind its name.
fn valid_identifier(text: &str) -> Option<TextVar> {
    let (name, value) = text.split_once(':').filter(|_| is_identifier(text))?;
    let variable = match variable(&fold(name)) {
        Some(Variable::Text(variable)) => variable,
        _ => TextVar::ArxivId,
    };
    let value = match variable {
        TextVar::ArxivId => value.split_whitespace().next()?,
        _ => value.trim(),
    };
    let canonical = identifiers::canonical(variable, value);
    canonical
        .is_some_and(|canonical| canonical.is_ok())
        .then_some(variable)
}

/// Whether a text is an identifier behind its name.
fn is_identifier(text: &str) -> bool {
    let name = text.split_once(':').map_or("", |(name, _)| name.trim());
    matches!(
        name.to_ascii_lowercase().as_str(),
        "pmid" | "pmcid" | "doi" | "isbn" | "issn" | "arxiv"
    )
}

/// Whether a line can only be meant as a field.
fn is_sure(line: &str) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let name = name.trim();
    if name.is_empty() || name.len() > MAX_NAME_LENGTH {
        return false;
    }
    is_identifier(line)
        || match variable(&fold(name)) {
            Some(Variable::Names(_)) if value.contains(" || ") || value.ends_with(" ||") => true,
            Some(Variable::Text(TextVar::Annote)) => name.eq_ignore_ascii_case("annote"),
            // Zotero shows `original-date` as `Original Date`.
            Some(variable) => {
                let csl = variable.csl().replace('_', "-");
                csl.contains('-') && csl.eq_ignore_ascii_case(&name.replace([' ', '_'], "-"))
            }
            None => false,
        }
}

/// Variables that few formats have a field for, with a name that can only be meant as a field.
pub(crate) const RARE: [Variable; 12] = [
    Variable::Text(TextVar::Annote),
    Variable::Date(DateVar::AvailableDate),
    Variable::Date(DateVar::OriginalDate),
    Variable::Number(NumberVar::PartNumber),
    Variable::Number(NumberVar::PrintingNumber),
    Variable::Number(NumberVar::SupplementNumber),
    Variable::Text(TextVar::ArchivePlace),
    Variable::Text(TextVar::EventPlace),
    Variable::Text(TextVar::OriginalPublisher),
    Variable::Text(TextVar::OriginalPublisherPlace),
    Variable::Text(TextVar::PartTitle),
    Variable::Text(TextVar::VolumeTitle),
];

/// The lines of all names of an item except those of some roles.
pub(crate) fn other_names(item: &Item, written: &[NameVar]) -> Vec<String> {
    let others = item
        .names
        .iter()
        .filter(|(role, _)| !written.contains(role));
    others
        .flat_map(|(role, names)| names.iter().map(move |name| sure_name_line(role, name)))
        .collect()
}

/// The lines of those of some variables that an item has, in a form that [`read_note`] reads.
pub(crate) fn lines(item: &Item, variables: &[Variable]) -> Vec<String> {
    let mut lines = Vec::new();
    for &variable in variables {
        match variable {
            Variable::Text(text) => {
                lines.extend(item.text(text).map(|value| line(variable, value)));
            }
            Variable::Number(number) => {
                lines.extend(item.number(number).map(|value| line(variable, value)));
            }
            Variable::Date(date) => {
                lines.extend(item.date(date).map(|date| line(variable, &date.edtf())));
            }
            Variable::Names(names) => {
                let names = item
                    .names(names)
                    .iter()
                    .map(|name| sure_name_line(names, name));
                lines.extend(names);
            }
        }
    }
    lines
}

/// Maximum length of a field name, in bytes.
const MAX_NAME_LENGTH: usize = 40;

fn take(line: &str, item: &mut Item) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let value = value.trim();
    let name = name.trim();
    if name.is_empty() || name.len() > MAX_NAME_LENGTH || value.is_empty() {
        return false;
    }
    let folded = fold(name);
    match folded.as_str() {
        "type" => set_kind(item, value),
        "arxiv" => {
            let id = value.split_whitespace().next().unwrap_or_default();
            set(item, Variable::Text(TextVar::ArxivId), id)
        }
        _ => match variable(&folded) {
            Some(Variable::Text(TextVar::Note)) | None => false,
            Some(variable) => set(item, variable, value),
        },
    }
}

fn set_kind(item: &mut Item, value: &str) -> bool {
    let zotero = types::TYPES
        .iter()
        .find(|row| row.name.eq_ignore_ascii_case(value));
    let kind = zotero
        .map(|row| row.kind)
        .or_else(|| ItemType::from_csl(value));
    item.kind = kind.unwrap_or(item.kind);
    kind.is_some()
}

/// The variable of a normalised CSL or field name.
fn variable(folded: &str) -> Option<Variable> {
    static VARIABLES: LazyLock<HashMap<String, Variable>> = LazyLock::new(|| {
        let fields = types::TYPES.iter().flat_map(|row| row.fields.split(' '));
        let fields = fields.chain(types::COMMON.split(' '));
        let fields = fields.filter_map(|field| Some((field, fields::variable(field)?)));
        let texts = TextVar::ALL.iter().map(|v| Variable::Text(*v));
        let numbers = NumberVar::ALL.iter().map(|v| Variable::Number(*v));
        let dates = DateVar::ALL.iter().map(|v| Variable::Date(*v));
        let names = NameVar::ALL.iter().map(|v| Variable::Names(*v));
        let variables = texts.chain(numbers).chain(dates).chain(names);
        // If a word is both, the CSL meaning wins.
        let all = fields.chain(variables.map(|variable| (variable.csl(), variable)));
        all.map(|(name, variable)| (fold(name), variable)).collect()
    });
    VARIABLES.get(folded).copied()
}

fn fold(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, ' ' | '-' | '_'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Sets a variable; returns false if it already has a value or the value is empty.
fn set(item: &mut Item, variable: Variable, value: &str) -> bool {
    match variable {
        Variable::Names(names) => {
            let name = match value.split_once("||") {
                Some((family, given)) if !given.trim().is_empty() => person(family, given, ""),
                Some((literal, _)) => Name::literal(literal),
                None => Name::literal(value),
            };
            match item.names.get_mut(names) {
                Some(list) => list.push(name),
                None => item.set_names(names, vec![name]),
            }
            true
        }
        Variable::Text(text) if item.text(text).is_some() => false,
        Variable::Number(number) if item.number(number).is_some() => false,
        Variable::Date(date) if item.date(date).is_some() => false,
        Variable::Date(date) => match Date::parse(value) {
            Some(value) => {
                item.set_date(date, value);
                true
            }
            None => false,
        },
        _ => {
            record::set(item, variable, value);
            true
        }
    }
}

/// A line that reads back as this name.
pub fn name_line(variable: NameVar, name: &Name) -> String {
    let value = match record::written_name(name) {
        _ if name.literal.is_some() => name.heading(),
        (family, given) if given.trim().is_empty() => family,
        (family, given) => format!("{family} || {given}"),
    };
    line(Variable::Names(variable), &value)
}

/// As [`name_line`], for a note of any program: a line of a role without the bars may be a sentence.
fn sure_name_line(variable: NameVar, name: &Name) -> String {
    let line = name_line(variable, name);
    if line.contains(" || ") {
        line
    } else {
        line + " ||"
    }
}

/// A line that reads back as this variable.
pub fn line(variable: Variable, value: &str) -> String {
    // A value with line breaks would be read as several fields.
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    match variable {
        Variable::Text(TextVar::ArxivId) => format!("arXiv: {value}"),
        _ => format!("{}: {value}", variable.csl()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(note: &str, left: Option<&str>, expected: &[(Variable, &str)]) {
        let mut item = Item::default();
        item.set_text(TextVar::Note, note);
        read_note(&mut item);
        assert_eq!(item.text(TextVar::Note), left, "{note}");
        for (variable, value) in expected {
            let lines = lines(&item, &[*variable]);
            let found = lines.first().and_then(|line| line.split_once(": "));
            assert_eq!(found.map(|(_, value)| value), Some(*value), "{note}");
        }
    }

    #[test]
    fn lines_of_notes_are_fields_where_they_are_surely_meant() {
        let pmid = Variable::Text(TextVar::Pmid);
        check(
            "PMID: 123\nMine.\nOriginal Date: 1900\nevent-place: Rome",
            Some("Mine."),
            &[
                (pmid, "123"),
                (Variable::Date(DateVar::OriginalDate), "1900"),
                (Variable::Text(TextVar::EventPlace), "Rome"),
            ],
        );
        check(
            "PMID: 123; PMCID: PMC45",
            None,
            &[(pmid, "123"), (Variable::Text(TextVar::Pmcid), "PMC45")],
        );
        check(
            "reviewed-author: Roe || Al",
            None,
            &[(Variable::Names(NameVar::ReviewedAuthor), "Roe || Al")],
        );
        let plain = "Title: mine\nPMID: unknown\nSee: also\nSource: a shop\nvolume: too long";
        check(plain, Some(plain), &[]);
    }
}
