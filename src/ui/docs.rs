//! The API reference: the OpenAPI document as a page. It is in English; only the frame is in the reader's
//! language.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use serde_json::{Map, Value};

use askama::Template;

/// An error code in the reference.
#[derive(Clone, Copy, Debug)]
pub struct ErrorView {
    pub code: &'static str,
    pub status: u16,
    pub meaning: &'static str,
}

/// The page.
#[derive(Template)]
#[template(path = "docs.html")]
pub struct DocsPage<'d> {
    document: &'d Value,
    failures: &'d [ErrorView],
    operations: Vec<OperationView<'d>>,
}

impl<'d> DocsPage<'d> {
    pub fn new(document: &'d Value, failures: &'d [ErrorView]) -> DocsPage<'d> {
        DocsPage {
            document,
            failures,
            operations: operations(document),
        }
    }

    /// The operations of one tag.
    fn groups(&self) -> impl Iterator<Item = &[OperationView<'d>]> {
        self.operations.chunk_by(|a, b| a.tag() == b.tag())
    }
}

struct OperationView<'d> {
    method: String,
    path: &'d str,
    value: &'d Value,
}

impl OperationView<'_> {
    fn id(&self) -> &str {
        text(&self.value["operationId"])
    }

    fn tag(&self) -> &str {
        text(&self.value["tags"][0])
    }
}

/// All operations grouped by tag, in the order of the tags' first use.
fn operations(document: &Value) -> Vec<OperationView<'_>> {
    let paths = members(&document["paths"]);
    let mut all: Vec<OperationView<'_>> = paths
        .flat_map(|(path, item)| {
            members(item).map(move |(method, value)| OperationView {
                method: method.to_uppercase(),
                path,
                value,
            })
        })
        .collect();
    let mut tags: Vec<String> = Vec::new();
    for operation in &all {
        if !tags.iter().any(|tag| tag == operation.tag()) {
            tags.push(operation.tag().to_owned());
        }
    }
    all.sort_by_key(|operation| tags.iter().position(|tag| tag == operation.tag()));
    all
}

fn is_required(schema: &Value, member: &str) -> bool {
    items(&schema["required"]).any(|required| required == member)
}

/// A part of a type description: words, or a named schema.
#[derive(Debug, PartialEq, Eq)]
enum Part<'d> {
    Text(&'d str),
    Schema(&'d str),
}

/// The type of a schema in words: `list of Work or null`.
fn kind(schema: &Value) -> Vec<Part<'_>> {
    if let Some(reference) = schema["$ref"].as_str() {
        return vec![Part::Schema(
            reference.rsplit('/').next().unwrap_or_default(),
        )];
    }
    let choices = ["oneOf", "anyOf", "allOf"].into_iter();
    if let Some(choices) = choices
        .filter_map(|member| schema[member].as_array())
        .next()
    {
        return either(choices.iter().map(kind));
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => {
            let items = kind(&schema["items"]);
            std::iter::once(Part::Text("list of "))
                .chain(items)
                .collect()
        }
        Value::String(name) => vec![Part::Text(name)],
        Value::Array(names) => either(names.iter().map(|name| vec![Part::Text(text(name))])),
        _ => vec![Part::Text("anything")],
    }
}

fn either<'d>(kinds: impl Iterator<Item = Vec<Part<'d>>>) -> Vec<Part<'d>> {
    let mut parts = Vec::new();
    for kind in kinds {
        if !parts.is_empty() {
            parts.push(Part::Text(" or "));
        }
        parts.extend(kind);
    }
    parts
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members: Option<&Map<String, Value>> = value.as_object();
    let members = members.into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
