//! The field `extra`, whose lines hold data without a Zotero field: `PMID: 123`, `original-date: 1900`,
//! `Type: dataset`, `Editor: Doe || Jane`. Other lines are a note.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::record;
use super::{fields, types};
use crate::parts::person;
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

/// Maximum length of a field name, in bytes.
const LONGEST_NAME: usize = 40;

fn take(line: &str, item: &mut Item) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let value = value.trim();
    let name = name.trim();
    if name.is_empty() || name.len() > LONGEST_NAME || value.is_empty() {
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
                Some((family, given)) => person(family, given, ""),
                None => Name::literal(value),
            };
            let all = [item.names(names), &[name]].concat();
            item.set_names(names, all);
            true
        }
        Variable::Text(text) if item.text(text).is_some() => false,
        Variable::Number(number) if item.number(number).is_some() => false,
        Variable::Date(date) => match Date::parse(value) {
            Some(value) if value.start.is_some() => {
                item.set_date(date, value);
                true
            }
            _ => false,
        },
        _ => {
            record::set(item, variable, value);
            true
        }
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
