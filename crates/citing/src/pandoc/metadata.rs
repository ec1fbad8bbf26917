//! Citation settings in the metadata of pandoc's document.

use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::Variable;
use serde_json::{Map, Value, json};

use super::ast;
use super::markup::Kept;

/// A text of the metadata; `None` if absent.
pub fn text(meta: &Value, names: &[&str]) -> Option<String> {
    let value = names.iter().find_map(|name| meta.get(name))?;
    Some(text_of(value)).filter(|text| !text.is_empty())
}

/// The texts of a value or of a list of them.
pub fn texts(value: &Value) -> Vec<String> {
    match ast::name(value) {
        "MetaList" => ast::list(value.get("c")).iter().flat_map(texts).collect(),
        _ => Some(text_of(value))
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
    }
}

pub fn text_of(value: &Value) -> String {
    match ast::name(value) {
        "MetaString" => ast::content_text(value).to_owned(),
        "MetaInlines" => ast::text(ast::inlines(value)),
        "MetaBlocks" => {
            let blocks = ast::list(value.get("c")).iter();
            blocks.map(|block| ast::text(ast::inlines(block))).collect()
        }
        "MetaBool" if value.get("c") == Some(&json!(true)) => "true".to_owned(),
        _ => String::new(),
    }
}

/// Whether an option is set; `unset` is the default.
pub fn is_set(meta: &Value, name: &str, unset: bool) -> bool {
    match meta.get(name) {
        None => unset,
        Some(value) => matches!(text_of(value).to_lowercase().as_str(), "t" | "true" | "yes"),
    }
}

/// The inlines of a text.
pub fn inlines(value: &Value) -> Vec<Value> {
    match ast::name(value) {
        "MetaString" => vec![ast::str(ast::content_text(value))],
        "MetaInlines" => ast::inlines(value).to_vec(),
        "MetaBlocks" => {
            let blocks = ast::list(value.get("c")).iter();
            blocks.flat_map(ast::inlines).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// The works that `references` holds.
pub fn references(list: &Value, kept: &mut Kept) -> Vec<Item> {
    let items = ast::list(list.get("c")).iter();
    items.filter_map(|value| item(value, kept)).collect()
}

fn item(value: &Value, kept: &mut Kept) -> Option<Item> {
    let fields = value.get("c")?.as_object()?;
    let mut members = Map::new();
    for (name, value) in fields {
        let name = match name.as_str() {
            "url" | "doi" | "isbn" | "issn" | "pmid" | "pmcid" => &name.to_uppercase(),
            _ => name,
        };
        let value = match Variable::from_csl(name) {
            Some(Variable::Date(_)) => date(value),
            Some(Variable::Names(_)) => names(value),
            Some(Variable::Text(_)) if !is_plain(name) => {
                Value::String(kept.markup(&inlines(value)))
            }
            _ => json(value),
        };
        members.insert(name.clone(), value);
    }
    // Without a type, pandoc's processor uses the last branch of a style, which is that of books.
    members
        .entry("type")
        .or_insert_with(|| Value::from(ItemType::Book.csl()));
    serde_json::from_value(Value::Object(members)).ok()
}

/// Whether a variable never has markup.
fn is_plain(name: &str) -> bool {
    matches!(
        name,
        "DOI" | "URL" | "ISBN" | "ISSN" | "PMID" | "PMCID" | "language" | "citation-key"
    )
}

fn json(value: &Value) -> Value {
    let content = value.get("c");
    match ast::name(value) {
        "MetaMap" => {
            let members = content.and_then(Value::as_object).into_iter().flatten();
            members
                .map(|(name, value)| (name.clone(), json(value)))
                .collect()
        }
        "MetaList" => ast::list(content).iter().map(json).collect(),
        "MetaBool" => content.cloned().unwrap_or_default(),
        _ => Value::String(text_of(value)),
    }
}

/// `{year: 2012, month: 9}`, a list of these for a range, `date-parts`, or a text.
fn date(value: &Value) -> Value {
    let mut date = json(value);
    match &mut date {
        // Older versions of pandoc wrote ranges this way.
        Value::String(text) => Value::String(text.replace('_', "/")),
        Value::Object(members) if members.get("literal").is_some_and(is_range) => members
            .remove("literal")
            .map(|text| range(&text))
            .unwrap_or_default(),
        Value::Array(parts) if parts.iter().any(Value::is_object) => {
            let parts: Vec<Value> = parts.iter().map(date_parts).collect();
            let mut whole = value
                .get("c")
                .and_then(|list| list.get(0))
                .map(json)
                .unwrap_or_default();
            if let Some(members) = whole.as_object_mut() {
                members.retain(|name, _| !DATE_PARTS.contains(&name.as_str()));
                if parts
                    .iter()
                    .all(|part| part.as_array().is_some_and(|p| !p.is_empty()))
                {
                    members.insert("date-parts".to_owned(), Value::Array(parts));
                }
            }
            whole
        }
        Value::Object(members) if members.contains_key("year") => {
            let parts = json!([date_parts(&Value::Object(members.clone()))]);
            members.retain(|name, _| !matches!(name.as_str(), "year" | "month" | "day"));
            members.insert("date-parts".to_owned(), parts);
            date
        }
        _ => date,
    }
}

const DATE_PARTS: [&str; 4] = ["year", "month", "day", "season"];

/// `1996_2004`
fn is_range(literal: &Value) -> bool {
    let text = literal.as_str().unwrap_or_default();
    text.contains('_') && text.chars().all(|c| c.is_ascii_digit() || "_-".contains(c))
}

fn range(literal: &Value) -> Value {
    Value::String(literal.as_str().unwrap_or_default().replace('_', "/"))
}

fn date_parts(date: &Value) -> Value {
    let part = |name: &str| {
        let text = date.get(name)?.as_str()?;
        text.trim().parse::<i64>().ok()
    };
    // In date parts, seasons are the months after the last cycle of those.
    let season = part("season").filter(|season| (1..=4).contains(season));
    let month = part("month").or(season.map(|season| 20 + season));
    let parts = [part("year"), month, part("day")];
    parts
        .into_iter()
        .map_while(|n| n.map(Value::from))
        .collect()
}

/// A name, or a list of names; a value that is not a mapping is a literal name.
fn names(value: &Value) -> Value {
    let one = |value: &Value| match json(value) {
        Value::Object(mut members) => {
            for part in members.values_mut() {
                // Given names may be a list.
                if let Value::Array(texts) = part {
                    let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
                    *part = Value::String(texts.join(" "));
                }
                if let Value::String(text) = part
                    && matches!(text.as_str(), "true" | "false")
                {
                    *part = Value::Bool(text == "true");
                }
            }
            Value::Object(members)
        }
        other => json!({"literal": other}),
    };
    match ast::name(value) {
        "MetaList" => ast::list(value.get("c")).iter().map(one).collect(),
        _ => json!([one(value)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_dates() {
        let check = |value: Value, expected: Value| assert_eq!(date(&value), expected);
        let text = |text: &str| json!({"t": "MetaString", "c": text});
        let season = |year: &str, season: &str| json!({"t": "MetaMap", "c": {"year": text(year), "season": text(season)}});
        check(
            json!({"t": "MetaList", "c": [season("1964", "1"), season("1965", "4")]}),
            json!({"date-parts": [[1964, 21], [1965, 24]]}),
        );
        check(
            json!({"t": "MetaMap", "c": {"literal": text("1996_2004")}}),
            json!("1996/2004"),
        );
        check(
            json!({"t": "MetaMap", "c": {"literal": text("in_press")}}),
            json!({"literal": "in_press"}),
        );
    }
}
