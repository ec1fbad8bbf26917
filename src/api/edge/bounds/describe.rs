//! Writes the maxima into the OpenAPI document.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::maxima::most;
use crate::config::Config;

/// Writes the limits of all requests into an OpenAPI document.
pub fn describe(document: &mut Value, config: &Config) {
    let mut writer = SchemaWriter {
        most: most(config),
        referred: Vec::new(),
    };
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let operations = paths.into_iter().flatten();
    for operation in operations.flat_map(|(_, path)| path.as_object_mut().into_iter().flatten()) {
        let parameters = operation
            .1
            .get_mut("parameters")
            .and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            writer.bound(&mut parameter["schema"], &name);
        }
        let contents = operation.1.pointer_mut("/requestBody/content");
        for (_, content) in contents
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            writer.bound(&mut content["schema"], "file");
        }
    }
    let mut done: Vec<String> = Vec::new();
    while let Some(name) = writer.referred.pop() {
        let schema = document.pointer_mut(&format!("/components/schemas/{name}"));
        if let Some(schema) = schema.filter(|_| !done.contains(&name)) {
            writer.bound(schema, &name);
            done.push(name);
        }
    }
}

struct SchemaWriter {
    most: HashMap<String, u64>,
    /// The referenced schemas.
    referred: Vec<String>,
}

impl SchemaWriter {
    /// Adds limits to a schema and its parts. Its own limits have priority.
    fn bound(&mut self, schema: &mut Value, name: &str) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            self.referred
                .extend(reference.rsplit('/').next().map(str::to_owned));
        }
        let Some(schema) = schema
            .as_object_mut()
            .filter(|schema| !is_read_only(schema))
        else {
            return;
        };
        let last = name.rsplit('.').next().unwrap_or(name);
        let most = self.most.get(name).or_else(|| self.most.get(last));
        for (kind, keyword) in [
            ("string", "maxLength"),
            ("array", "maxItems"),
            ("integer", "maximum"),
        ] {
            if let (true, Some(most)) = (is_open(schema, kind), most) {
                schema.entry(keyword).or_insert_with(|| json!(most));
            }
        }
        if let Some(items) = schema.get_mut("items") {
            self.bound(items, &format!("{name}[]"));
        }
        let members = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (member, schema) in members.into_iter().flatten() {
            self.bound(schema, &format!("{name}.{member}"));
        }
        for keyword in ALTERNATIVES {
            let alternatives = schema.get_mut(keyword).and_then(Value::as_array_mut);
            for alternative in alternatives.into_iter().flatten() {
                self.bound(alternative, name);
            }
        }
    }
}

/// Keywords of a schema whose value is a list of schemas.
pub(super) const ALTERNATIVES: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Types that only occur in answers, including lists of them.
pub(super) fn is_read_only(schema: &Map<String, Value>) -> bool {
    let items = schema.get("items").and_then(Value::as_object);
    schema.get("readOnly") == Some(&Value::Bool(true)) || items.is_some_and(is_read_only)
}

/// Whether a schema accepts every value of a kind.
pub(super) fn is_open(schema: &Map<String, Value>, kind: &str) -> bool {
    let is_kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|k| k == kind),
        Some(one) => one == kind,
        None => false,
    };
    is_kind && !schema.contains_key("enum")
}
