//! The API reference: the OpenAPI document as a page. It is in English; only the frame is in the reader's
//! language.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use askama::Template;

/// An error code in the reference.
#[derive(Clone, Copy, Debug)]
pub struct ErrorView {
    pub code: &'static str,
    pub status: u16,
    pub meaning: &'static str,
}

/// The first page, with every operation by subject, or the page of one subject.
#[derive(Template)]
#[template(path = "docs.html")]
pub struct DocsPage<'d> {
    document: &'d Value,
    failures: &'d [ErrorView],
    operations: Vec<OperationView<'d>>,
    /// Its name; None for the first page.
    subject: Option<&'d str>,
}

impl<'d> DocsPage<'d> {
    /// `examples` has a recorded request and its answer by operation.
    pub fn new(
        document: &'d Value,
        examples: &'d Value,
        failures: &'d [ErrorView],
        subject: Option<&'d str>,
    ) -> DocsPage<'d> {
        let mut operations = operations(document, examples);
        if let Some(subject) = subject {
            operations.retain(|operation| operation.tag() == subject);
        }
        DocsPage {
            document,
            failures,
            operations,
            subject,
        }
    }

    /// The operations of one tag.
    fn groups(&self) -> impl Iterator<Item = &[OperationView<'d>]> {
        self.operations.chunk_by(|a, b| a.tag() == b.tag())
    }

    /// What a subject is about, one line.
    fn about(&self, subject: &str) -> &str {
        let mut tags = items(&self.document["tags"]);
        let tag = tags.find(|tag| tag["name"] == subject);
        tag.map_or("", |tag| text(&tag["description"]))
    }

    /// The schemas that the operations use, and those that these use.
    fn schemas(&self) -> Vec<(&'d str, &'d Value)> {
        let mut names = BTreeSet::new();
        for operation in &self.operations {
            references(operation.value, &mut names);
        }
        let all = &self.document["components"]["schemas"];
        let mut open: Vec<&str> = names.iter().copied().collect();
        while let Some(name) = open.pop() {
            let mut inner = BTreeSet::new();
            references(&all[name], &mut inner);
            open.extend(inner.into_iter().filter(|inner| names.insert(inner)));
        }
        // Every operation can fail: that schema is described once, with the errors.
        names.remove("Error");
        names.into_iter().map(|name| (name, &all[name])).collect()
    }
}

/// Collects the names of the schemas that a value refers to.
fn references<'d>(value: &'d Value, names: &mut BTreeSet<&'d str>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                names.extend(reference.rsplit('/').next());
            }
            for member in members.values() {
                references(member, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

struct OperationView<'d> {
    method: String,
    path: &'d str,
    value: &'d Value,
    /// `{"path", "body", "type", "status", "answer"}`; null if there is none.
    example: &'d Value,
    base: &'d str,
}

impl OperationView<'_> {
    fn id(&self) -> &str {
        text(&self.value["operationId"])
    }

    /// The example as a command.
    fn curl(&self) -> String {
        let mut command = String::from("curl");
        if self.method != "GET" {
            command.push_str(&format!(" -X {}", self.method));
        }
        if self.example["key"] == true {
            command.push_str(" -H 'Authorization: Bearer ck_…'");
        }
        let body = self.body();
        if !body.is_empty() {
            command.push_str(" -H 'Content-Type: application/json' \\\n  -d '");
            command.push_str(&body.replace('\'', r"'\''"));
            command.push('\'');
        }
        let address = format!("{}{}", self.base, text(&self.example["path"]));
        format!("{command} \\\n  '{address}'")
    }

    /// The body of the example; empty if it has none.
    fn body(&self) -> String {
        match &self.example["body"] {
            Value::Null => String::new(),
            body => body.to_string(),
        }
    }

    /// The answer of the example.
    fn answer(&self) -> String {
        match &self.example["answer"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            answer => serde_json::to_string_pretty(answer).unwrap_or_default(),
        }
    }

    /// Whether the page can send it: its body is JSON or none.
    fn can_be_tried(&self) -> bool {
        let body = &self.value["requestBody"]["content"];
        !body.is_object() || body["application/json"].is_object()
    }

    fn tag(&self) -> &str {
        text(&self.value["tags"][0])
    }
}

/// All operations grouped by tag, in the order of the tags' first use.
fn operations<'d>(document: &'d Value, examples: &'d Value) -> Vec<OperationView<'d>> {
    let base = text(&document["servers"][0]["url"]);
    let paths = members(&document["paths"]);
    let mut all: Vec<OperationView<'_>> = paths
        .flat_map(|(path, item)| {
            members(item).map(move |(method, value)| OperationView {
                method: method.to_uppercase(),
                path,
                value,
                example: &examples[text(&value["operationId"])],
                base,
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
