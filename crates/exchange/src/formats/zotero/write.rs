//! Writes items as an array for the API. Data without a Zotero field go into `extra`.

use serde_json::{Map, Value, json};

use super::record::{written_date, written_name};
use super::{extra, fields, types};
use crate::cost::spend_written;
use citation_fields::keywords;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{TextVar, Variable};

/// Writes items as an array, indented by two blanks.
pub(super) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::from("[");
    for (at, item) in items.iter().enumerate() {
        let before = out.len();
        out.push_str(if at == 0 { "\n" } else { ",\n" });
        // Items contain nothing that JSON cannot express, so serialising to memory cannot fail.
        let text =
            serde_json::to_string_pretty(&api_object(item, Blanks::LeftOut)).unwrap_or_default();
        out.extend(text.lines().flat_map(|line| ["  ", line, "\n"]));
        out.pop();
        spend_written(budget, out.len() - before)?;
    }
    out.push_str(if items.is_empty() { "]\n" } else { "\n]\n" });
    Ok(out)
}

/// Whether an object includes fields without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blanks {
    LeftOut,
    /// As empty texts, as in the API, so that programs find every field of the type.
    Written,
}

/// An item in API form, without library properties: key, version, dates.
pub fn api_object(item: &Item, blanks: Blanks) -> Map<String, Value> {
    let item = &as_read(item);
    let (row, is_exact) = types::written(item.kind);
    let mut writer = ZoteroWriter {
        row,
        object: Map::new(),
        lines: Vec::new(),
    };
    writer.object.insert("itemType".to_owned(), row.name.into());
    if !is_exact {
        writer.lines.push(format!("Type: {}", item.kind.csl()));
    }
    for (variable, text) in item.text.iter() {
        if !matches!(variable, TextVar::Keyword | TextVar::Note) {
            writer.set(Variable::Text(variable), text);
        }
    }
    for (variable, text) in item.number.iter() {
        writer.set(Variable::Number(variable), text);
    }
    for (variable, date) in item.date.iter() {
        writer.set(Variable::Date(variable), &written_date(date, variable));
    }
    if item.text(TextVar::CitationKey).is_none() && !item.id.is_empty() {
        writer.set(Variable::Text(TextVar::CitationKey), &item.id);
    }
    writer.creators(item);
    writer
        .lines
        .extend(item.text(TextVar::Note).map(str::to_owned));
    let ZoteroWriter {
        mut object, lines, ..
    } = writer;
    if !lines.is_empty() {
        object.insert("extra".to_owned(), lines.join("\n").into());
    }
    let words = item.text(TextVar::Keyword).unwrap_or_default();
    let tags: Vec<Value> = keywords::split(words)
        .map(|word| json!({ "tag": word }))
        .collect();
    object.insert("tags".to_owned(), tags.into());
    object.insert("collections".to_owned(), json!([]));
    object.insert("relations".to_owned(), json!({}));
    if blanks == Blanks::Written {
        let own = row.fields.split(' ').chain(types::COMMON.split(' '));
        for field in own.chain(["extra"]) {
            object.entry(field).or_insert_with(|| "".into());
        }
    }
    object
}

/// The item with the lines of its note that are fields in `extra`.
pub(crate) fn as_read(item: &Item) -> Item {
    let mut read = item.clone();
    if let Some(note) = read.text.remove(TextVar::Note) {
        extra::read(&note, &mut read);
    }
    read
}

struct ZoteroWriter {
    row: &'static types::Type,
    object: Map<String, Value>,
    lines: Vec<String>,
}

impl ZoteroWriter {
    /// Sets the field of a variable, or adds a line to `extra`.
    fn set(&mut self, variable: Variable, value: &str) {
        let mut own = self.row.fields.split(' ').chain(types::COMMON.split(' '));
        match own.find(|field| fields::variable(field) == Some(variable)) {
            Some(field) => {
                self.object.insert(field.to_owned(), value.into());
            }
            None => self.lines.push(extra::line(variable, value)),
        }
    }

    fn creators(&mut self, item: &Item) {
        let mut creators = Vec::new();
        for (variable, names) in item.names.iter() {
            let mut own = self.row.creators.split(' ');
            let role = own.find(|creator| fields::creator(creator) == variable);
            for name in names {
                match role {
                    Some(role) => creators.push(creator(role, name)),
                    None => self.lines.push(extra::name_line(variable, name)),
                }
            }
        }
        self.object.insert("creators".to_owned(), creators.into());
    }
}

fn creator(role: &str, name: &Name) -> Value {
    match &name.literal {
        Some(literal) => json!({ "creatorType": role, "name": literal }),
        None => {
            let (family, given) = written_name(name);
            json!({ "creatorType": role, "firstName": given, "lastName": family })
        }
    }
}
