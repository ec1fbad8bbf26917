//! YAML as a tree of JSON values. Aliases are ignored, so that no text expands.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use citation_model::budget::Budget;

use crate::error::DocumentError;

const DEEPEST: usize = 64;

/// An open node, and for a mapping the key that waits for its value.
enum OpenNode {
    Sequence(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

/// Reads the first document of a text.
pub(crate) fn parse(what: &str, text: &str, budget: &Budget) -> Result<Value, DocumentError> {
    let mut open: Vec<OpenNode> = Vec::new();
    let mut root = Value::Null;
    for event in Parser::new_from_str(text) {
        budget.spend(4)?;
        let (event, _) = event.map_err(|cause| DocumentError::broken(what, cause))?;
        let value = match event {
            Event::SequenceStart(..) => {
                open.push(OpenNode::Sequence(Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                open.push(OpenNode::Mapping(Map::new(), None));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|node| match node {
                OpenNode::Sequence(values) => Value::Array(values),
                OpenNode::Mapping(values, _) => Value::Object(values),
            }),
            Event::Scalar(text, style, ..) => {
                budget.spend_bytes(text.len())?;
                Some(scalar(&text, style))
            }
            Event::Alias(_) => Some(Value::Null),
            Event::DocumentEnd => break,
            _ => None,
        };
        if open.len() > DEEPEST {
            return Err(DocumentError::TooDeep {
                what: what.to_owned(),
                limit: DEEPEST,
            });
        }
        if let Some(value) = value {
            match open.last_mut() {
                Some(OpenNode::Sequence(values)) => values.push(value),
                Some(OpenNode::Mapping(values, key)) => match key.take() {
                    Some(key) => {
                        values.insert(key, value);
                    }
                    None => *key = Some(text_of(&value)),
                },
                None => root = value,
            }
        }
    }
    Ok(root)
}

/// The entries of a mapping that can be read alone, of a text that cannot be read whole.
pub(crate) fn readable_entries(text: &str, budget: &Budget) -> Result<Value, DocumentError> {
    let mut entries = Map::new();
    let mut entry = String::new();
    let is_start = |line: &str| line.starts_with(|c: char| c.is_alphabetic() || c == '"');
    for line in text.lines().map(Some).chain([None]) {
        if line.is_none_or(is_start) {
            match parse("an entry", &entry, budget) {
                Ok(Value::Object(read)) => entries.extend(read),
                Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
                _ => {}
            }
            entry.clear();
        }
        entry.push_str(line.unwrap_or_default());
        entry.push('\n');
    }
    Ok(Value::Object(entries))
}

/// Numbers stay text: `1.10` is a volume, and leading zeros matter.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    match (style, text) {
        (ScalarStyle::Plain, "" | "~" | "null") => Value::Null,
        (ScalarStyle::Plain, "true") => Value::Bool(true),
        (ScalarStyle::Plain, "false") => Value::Bool(false),
        _ => Value::String(text.to_owned()),
    }
}

/// A scalar as text; empty for other values.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// The texts of a scalar or a list of them.
pub(crate) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(texts_of).collect(),
        Value::Object(values) => values.values().flat_map(texts_of).collect(),
        other => Some(text_of(other))
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
    }
}
