//! Objects in attributes: microdata (`itemscope`, `itemprop`) and RDFa Lite (`typeof`, `property`), in the
//! form of JSON-LD.

use serde_json::{Map, Value};

use super::tokens::{Tag, attribute, element};

/// Maximum number of values per property, and of objects per page.
const VALUES: usize = 1_000;

/// Open objects and complete ones.
#[derive(Debug, Default)]
pub(super) struct Objects {
    open: Vec<Open>,
    done: Vec<Value>,
}

#[derive(Debug)]
struct Open {
    /// Number of open elements outside of it.
    depth: usize,
    object: Map<String, Value>,
    /// The properties of the enclosing object that have it as value.
    properties: String,
}

/// The properties that have an element as value, without prefixes (`schema:name`).
pub(super) fn properties(tag: &Tag) -> Option<&str> {
    let rdfa = || {
        tag.get(attribute::PROPERTY)
            .filter(|_| tag.name != element::META)
    };
    tag.get(attribute::ITEMPROP).or_else(rdfa)
}

/// Whether an element is an object.
pub(super) fn is_object(tag: &Tag) -> bool {
    tag.has(attribute::ITEMSCOPE) || tag.has(attribute::TYPEOF)
}

/// The value in attributes; otherwise the value is the text of the element.
pub(super) fn stated<'t>(property: &str, tag: &'t Tag) -> Option<&'t str> {
    let content = tag.get(attribute::CONTENT);
    match tag.name {
        element::TIME => tag.get(attribute::DATETIME).or(content),
        element::A | element::LINK | element::AREA if !NAMES.contains(&property) => {
            content.or_else(|| tag.get(attribute::HREF))
        }
        _ => content,
    }
}

/// Properties whose link text is the name of the target.
const NAMES: [&str; 4] = ["author", "creator", "name", "publisher"];

impl Objects {
    pub fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    pub fn open(&mut self, tag: &Tag, depth: usize) {
        let mut object = Map::new();
        if let Some(kind) = tag
            .get(attribute::ITEMTYPE)
            .or_else(|| tag.get(attribute::TYPEOF))
        {
            let kinds = kind
                .split_ascii_whitespace()
                .map(|kind| local_name(kind).into());
            object.insert("@type".to_owned(), Value::Array(kinds.take(8).collect()));
        }
        self.open.push(Open {
            depth,
            object,
            properties: properties(tag).unwrap_or_default().to_owned(),
        });
    }

    /// Ends objects whose elements are closed.
    pub fn close(&mut self, depth: usize) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            let Some(closed) = self.open.pop() else {
                break;
            };
            let object = Value::Object(closed.object);
            if closed.properties.is_empty() || self.open.is_empty() {
                self.done
                    .extend(Some(object).filter(|_| self.done.len() < VALUES));
            } else {
                self.add(&closed.properties, object);
            }
        }
    }

    /// Adds a value to the innermost object; several values of one property make a list.
    pub fn add(&mut self, properties: &str, value: Value) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        for property in properties.split_ascii_whitespace().map(local_name).take(8) {
            match open.object.get_mut(property) {
                Some(Value::Array(list)) if list.len() < VALUES => list.push(value.clone()),
                Some(Value::Array(_)) => {}
                Some(first) => *first = Value::Array(vec![first.take(), value.clone()]),
                None => {
                    open.object.insert(property.to_owned(), value.clone());
                }
            }
        }
    }

    pub fn into_values(mut self) -> Vec<Value> {
        self.close(0);
        self.done
    }
}

/// `name` of `schema:name`, `http://schema.org/name` and `name`.
fn local_name(name: &str) -> &str {
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}
