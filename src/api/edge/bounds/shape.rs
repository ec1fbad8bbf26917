//! The limits of one value.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::describe::ALTERNATIVES;

/// The limits of one value, by kind; kinds that the schema does not accept have none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// In characters.
    pub text: Option<(u64, u64)>,
    pub items: Option<(u64, u64)>,
    pub number: Option<(f64, f64)>,
    /// The limits of list items.
    pub each: Option<Arc<Shape>>,
    pub members: HashMap<String, Arc<Shape>>,
}

impl Shape {
    pub fn of(document: &Value, schema: &Value) -> Shape {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return Shape::of(
                document,
                document
                    .pointer(name.trim_start_matches('#'))
                    .unwrap_or(&Value::Null),
            );
        }
        let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let range = |least: &str, most: &str| {
            let (least, most) = (
                schema.get(least).and_then(Value::as_u64),
                schema.get(most).and_then(Value::as_u64),
            );
            (least.is_some() || most.is_some())
                .then(|| (least.unwrap_or(0), most.unwrap_or(u64::MAX)))
        };
        let values = (number("minimum"), number("maximum"));
        let mut shape = Shape {
            text: range("minLength", "maxLength"),
            items: range("minItems", "maxItems"),
            number: (values != (None, None))
                .then(|| (values.0.unwrap_or(f64::MIN), values.1.unwrap_or(f64::MAX))),
            each: schema
                .get("items")
                .map(|items| Arc::new(Shape::of(document, items))),
            members: HashMap::new(),
        };
        let members = schema.get("properties").and_then(Value::as_object);
        for (name, schema) in members.into_iter().flatten() {
            shape
                .members
                .insert(name.clone(), Arc::new(Shape::of(document, schema)));
        }
        let alternatives = ALTERNATIVES
            .iter()
            .filter_map(|keyword| schema.get(*keyword)?.as_array());
        for alternative in alternatives.flatten() {
            shape.take(Shape::of(document, alternative));
        }
        shape
    }

    /// Adds the limits of an alternative, unless there are some. The API's schemas have one
    /// alternative of each kind: a value, or null.
    fn take(&mut self, other: Shape) {
        self.text = self.text.or(other.text);
        self.items = self.items.or(other.items);
        self.number = self.number.or(other.number);
        self.each = self.each.take().or(other.each);
        self.members.extend(other.members);
    }
}
