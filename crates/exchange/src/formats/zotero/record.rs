//! A Zotero item field by field, and its conversion to CSL. The lines of `extra` are also fields, so this
//! module and `extra` use each other.

use serde_json::Value as Json;

use super::{extra, fields, types};
use citation_fields::names::joined;
use citation_fields::{keywords, languages, pages};
use citation_model::date::Date;
use citation_model::identifier::ArxivId;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NumberVar, TextVar, Variable};

/// An item in Zotero's terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ZoteroRecord {
    /// `journalArticle`, `attachment`, …
    pub kind: String,
    /// By Zotero's names. The first of two fields with the same meaning counts.
    pub fields: Vec<(String, String)>,
    pub creators: Vec<(String, Name)>,
    pub tags: Vec<String>,
}

impl ZoteroRecord {
    /// The value of a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(name, _)| name == field);
        found.map(|(_, value)| value.as_str())
    }

    pub fn set(&mut self, field: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.fields.push((field.to_owned(), value.to_owned()));
        }
    }

    /// The item; `None` for a note, an attachment or an annotation.
    pub fn into_item(self) -> Option<Item> {
        let mut item = Item::new("", types::kind(&self.kind)?);
        let mut note = "";
        for (field, value) in &self.fields {
            match fields::variable(field) {
                Some(variable) => set(&mut item, variable, value),
                None if field == "extra" => note = value,
                None => {
                    item.custom
                        .insert(field.clone(), Json::String(value.clone()));
                }
            }
        }
        for (creator, name) in self.creators {
            let variable = fields::creator(&creator);
            match item.names.get_mut(variable).filter(|_| !name.is_empty()) {
                Some(names) => names.push(name),
                None if name.is_empty() => {}
                None => item.set_names(variable, vec![name]),
            }
        }
        item.set_text(
            TextVar::Keyword,
            keywords::join(self.tags.iter().map(String::as_str)),
        );
        extra::read(note, &mut item);
        arxiv(&mut item);
        item.id = item
            .text(TextVar::CitationKey)
            .unwrap_or_default()
            .to_owned();
        Some(item)
    }
}

/// Sets a variable unless it is set.
pub(super) fn set(item: &mut Item, variable: Variable, value: &str) {
    match variable {
        Variable::Text(text) if item.text(text).is_none() => match text {
            TextVar::Language => item.set_text(text, languages::tag_of(value)),
            _ => item.set_text(text, value),
        },
        Variable::Number(number) if item.number(number).is_none() => match number {
            NumberVar::Page => item.set_number(number, pages::normal(value)),
            _ => item.set_number(number, value),
        },
        Variable::Date(date) if item.date(date).is_none() => {
            if let Some(value) = read_date(value) {
                item.set_date(date, value);
            }
        }
        _ => {}
    }
}

/// An arXiv id is among the numbers of a preprint, after its name.
fn arxiv(item: &mut Item) {
    let number = item.number(NumberVar::Number).unwrap_or_default();
    let is_named = number
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("arxiv:"));
    if let (true, None, Ok(id)) = (
        is_named,
        item.text(TextVar::ArxivId),
        ArxivId::parse(number),
    ) {
        item.set_text(TextVar::ArxivId, id.as_str());
    }
}

/// A date in free text. Zotero stores it after its parsed form: `2001-05-00 May 2001`.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    let text = text.trim();
    if matches!(text, "CURRENT_TIMESTAMP" | "0000-00-00") {
        return None;
    }
    let ends_number =
        |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '-');
    let stored = text
        .split_at_checked(10)
        .filter(|(day, rest)| is_day(day) && (ends_number(rest) || rest.starts_with('T')));
    if let Some(date) = stored.and_then(|(day, _)| Date::parse_iso(day)) {
        return Some(date);
    }
    let date = Date::parse(text)?;
    if date.start.is_some() {
        return Some(date);
    }
    // The time of day is ignored.
    let is_time = |word: &&str| {
        word.contains(':')
            || matches!(
                word.to_ascii_lowercase().as_str(),
                "am" | "pm" | "a.m." | "p.m."
            )
    };
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !is_time(word))
        .collect();
    let without = Date::parse(&words.join(" ")).filter(|date| date.start.is_some());
    Some(without.unwrap_or(date))
}

/// `2001-05-00`
fn is_day(text: &str) -> bool {
    let is = |at: usize, byte: u8| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(|(at, byte)| is(at, byte))
}

/// A date that Zotero reads back as the same.
pub(super) fn written_date(date: &Date, variable: DateVar) -> String {
    match (variable, date.start) {
        (DateVar::Accessed, Some(start)) => start.iso(),
        _ => date.edtf(),
    }
}

/// The last and first name that read back as the same name.
pub(super) fn written_name(name: &Name) -> (String, String) {
    let family = joined(&[&name.non_dropping_particle, &name.family]);
    let given = joined(&[&name.given, &name.dropping_particle]);
    match &name.suffix {
        Some(suffix) => (family, format!("{given}, {suffix}")),
        None => (family, given),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_people_write_them() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                read_date(text).map(|date| date.edtf()).unwrap_or_default(),
                expected,
                "{text}"
            );
        };
        check("2001-05-00 May 2001", "2001-05");
        check("2001-05-03 14:08:38", "2001-05-03");
        check("2021-07-15T16:37:56.246Z", "2021-07-15");
        check("2017-03-10, 4:33 pm", "2017-03-10");
        check("28/12/2012", "2012-12-28");
        check("March 3, 2012 4:33 PM", "2012-03-03");
        check("2001-05", "2001-05");
        check("2001/2003", "2001/2003");
        check("in press", "in press");
        check("CURRENT_TIMESTAMP", "");
    }
}
