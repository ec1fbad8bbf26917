//! Pandoc's JSON document: elements are objects with a name `t` and content `c`.

use serde_json::{Value, json};

/// The name of an element; empty if the value is not an element.
pub fn name(element: &Value) -> &str {
    element.get("t").and_then(Value::as_str).unwrap_or_default()
}

/// Part of an element's content.
pub fn part(element: &Value, at: usize) -> Option<&Value> {
    element.get("c")?.get(at)
}

pub fn part_mut(element: &mut Value, at: usize) -> Option<&mut Value> {
    element.get_mut("c")?.get_mut(at)
}

/// The inlines of emphasis and similar elements, spans, links and paragraphs; `None` for other elements.
pub fn inlines(element: &Value) -> &[Value] {
    let held = match name(element) {
        "Emph" | "Underline" | "Strong" | "Strikeout" | "Superscript" | "Subscript"
        | "SmallCaps" | "Para" | "Plain" | "MetaInlines" => element.get("c"),
        "Quoted" | "Cite" | "Span" | "Link" | "Image" => part(element, 1),
        "Header" => part(element, 2),
        _ => None,
    };
    list(held)
}

/// The same, mutable.
pub fn inlines_mut(element: &mut Value) -> Option<&mut Vec<Value>> {
    let held = match name(element) {
        "Emph" | "Underline" | "Strong" | "Strikeout" | "Superscript" | "Subscript"
        | "SmallCaps" | "Para" | "Plain" => element.get_mut("c"),
        "Quoted" | "Cite" | "Span" | "Link" | "Image" => part_mut(element, 1),
        "Header" => part_mut(element, 2),
        _ => None,
    };
    held.and_then(Value::as_array_mut)
}

pub fn list(value: Option<&Value>) -> &[Value] {
    value
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

pub fn str(text: impl Into<String>) -> Value {
    json!({"t": "Str", "c": text.into()})
}

pub fn space() -> Value {
    json!({"t": "Space"})
}

/// An element that contains only inlines: `Emph`, `Strong`, `Para`.
pub fn element(name: &str, inlines: Vec<Value>) -> Value {
    json!({"t": name, "c": inlines})
}

pub fn attributes(id: &str, classes: &[&str]) -> Value {
    json!([id, classes, []])
}

pub fn span(classes: &[&str], inlines: Vec<Value>) -> Value {
    json!({"t": "Span", "c": [attributes("", classes), inlines]})
}

pub fn is_space(inline: &Value) -> bool {
    matches!(name(inline), "Space" | "SoftBreak")
}

/// The id of an element with attributes, which are its first or second content.
pub fn id(element: &Value) -> &str {
    attribute_list(element)
        .and_then(|attributes| attributes.get(0))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

pub fn has_class(element: &Value, class: &str) -> bool {
    let classes = attribute_list(element).and_then(|attributes| attributes.get(1));
    list(classes).iter().any(|known| known == class)
}

fn attribute_list(element: &Value) -> Option<&Value> {
    part(element, usize::from(name(element) == "Header"))
}

/// The text of inlines without formatting; notes are skipped.
pub fn text(inlines: &[Value]) -> String {
    let mut out = String::new();
    add_text(inlines, &mut out);
    out
}

fn add_text(inlines: &[Value], out: &mut String) {
    for inline in inlines {
        match name(inline) {
            "Str" => out.push_str(content_text(inline)),
            "Space" | "SoftBreak" | "LineBreak" => out.push(' '),
            "Code" | "Math" => out.push_str(part(inline, 1).and_then(Value::as_str).unwrap_or("")),
            "Quoted" => {
                let (open, close) = quotes(inline);
                out.push(open);
                add_text(self::inlines(inline), out);
                out.push(close);
            }
            _ => add_text(self::inlines(inline), out),
        }
    }
}

/// The marks of a quotation.
pub fn quotes(quoted: &Value) -> (char, char) {
    match part(quoted, 0).map(name) {
        Some("SingleQuote") => ('‘', '’'),
        _ => ('“', '”'),
    }
}

/// The content of an element if it is a text.
pub fn content_text(element: &Value) -> &str {
    element.get("c").and_then(Value::as_str).unwrap_or_default()
}

/// Visits every list of elements below a value, deepest first.
pub fn each_list(value: &mut Value, change: &mut dyn FnMut(&mut Vec<Value>)) {
    match value {
        Value::Array(elements) => {
            for element in elements.iter_mut() {
                each_list(element, change);
            }
            change(elements);
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                each_list(member, change);
            }
        }
        _ => {}
    }
}

/// Visits every citation below a value in reading order.
pub fn each_cite<'v>(value: &'v Value, visit: &mut dyn FnMut(&'v Value)) {
    match value {
        Value::Array(elements) => {
            for element in elements {
                each_cite(element, visit);
            }
        }
        Value::Object(_) if name(value) == "Cite" => visit(value),
        Value::Object(members) => {
            for member in members.values() {
                each_cite(member, visit);
            }
        }
        _ => {}
    }
}

/// The same, mutable.
pub fn each_cite_mut(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    if name(value) == "Cite" {
        return visit(value);
    }
    match value {
        Value::Array(elements) => {
            for element in elements {
                each_cite_mut(element, visit);
            }
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                each_cite_mut(member, visit);
            }
        }
        _ => {}
    }
}
