//! Reads JSON within limits, and stops at the first violation.

use std::cell::RefCell;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::number::{is_long_integer, short, whole};
use super::shape::Shape;
use crate::api::error::{ApiError, Code, FieldFault};
use citation_exchange::exact::long_integers_as_texts;
use citation_model::budget::{Budget, is_longer};

/// Maximum nesting of lists and objects, including the body. The JSON reader itself stops at
/// 128.
pub(super) const MAX_DEPTH: usize = 64;

/// Lists that can be split over several requests.
const BATCHES: [&str; 6] = [
    "entries",
    "items",
    "references",
    "indices",
    "entry_ids",
    "collections",
];

/// Memory of one value, and of an object with its first members.
const VALUE_BYTES: usize = 64;
const OBJECT_BYTES: usize = 640;

/// Reads JSON, keeping every digit of long numbers. The inner error is that of text that is not JSON.
pub fn read(
    shape: &Shape,
    body: &[u8],
    budget: &Budget,
) -> Result<Result<Value, serde_json::Error>, ApiError> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => long_integers_as_texts(text),
        Err(_) => return Ok(serde_json::from_slice(body)),
    };
    let reading = Reading {
        budget,
        fault: RefCell::new(None),
    };
    let mut json = serde_json::Deserializer::from_str(&text);
    let seed = BoundedValue {
        reading: &reading,
        shape,
        place: &ValuePath::Body,
        depth: 1,
    };
    let read = seed
        .deserialize(&mut json)
        .and_then(|value| json.end().map(|()| value));
    match reading.fault.into_inner() {
        Some(fault) => Err(fault),
        None => Ok(read),
    }
}

/// No limits.
static UNBOUNDED: LazyLock<Shape> = LazyLock::new(Shape::default);

/// Reading a whole body.
struct Reading<'r> {
    budget: &'r Budget,
    /// A violated limit, as opposed to a JSON error.
    fault: RefCell<Option<ApiError>>,
}

/// The position of a value.
enum ValuePath<'p> {
    Body,
    Member(&'p ValuePath<'p>, &'p str),
    Item(&'p ValuePath<'p>, u64),
}

impl fmt::Display for ValuePath<'_> {
    /// Writes a JSON pointer (RFC 6901).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuePath::Body => Ok(()),
            ValuePath::Member(above, name) => {
                write!(f, "{above}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            ValuePath::Item(above, index) => write!(f, "{above}/{index}"),
        }
    }
}

/// A value of a body to read.
#[derive(Clone, Copy)]
struct BoundedValue<'r> {
    reading: &'r Reading<'r>,
    shape: &'r Shape,
    place: &'r ValuePath<'r>,
    depth: usize,
}

impl BoundedValue<'_> {
    /// Stops reading.
    fn refuse<T, E: de::Error>(self, fault: ApiError) -> Result<T, E> {
        *self.reading.fault.borrow_mut() = Some(fault);
        Err(E::custom("out of bounds"))
    }

    fn invalid<T, E: de::Error>(
        self,
        code: &str,
        message: String,
        limit: impl Into<Value>,
    ) -> Result<T, E> {
        let fault = FieldFault::new(&self.place.to_string(), code, message);
        self.refuse(ApiError::invalid_fields(vec![fault]).with("limit", limit))
    }

    fn spend<E: de::Error>(self, bytes: usize) -> Result<(), E> {
        match self.reading.budget.spend_bytes(bytes) {
            Ok(()) => Ok(()),
            Err(exceeded) => {
                self.refuse(ApiError::from(exceeded).with("field", self.place.to_string()))
            }
        }
    }

    fn number<E: de::Error>(self, number: f64, value: Value) -> Result<Value, E> {
        self.spend(VALUE_BYTES)?;
        match self.shape.number {
            Some((least, _)) if number < least => self.invalid(
                "out_of_range",
                format!("must be at least {least}, not {value}"),
                whole(least),
            ),
            Some((_, most)) if number > most => self.invalid(
                "out_of_range",
                format!("must be at most {most}, not {value}"),
                whole(most),
            ),
            _ => Ok(value),
        }
    }

    fn too_many<T, E: de::Error>(self, most: u64) -> Result<T, E> {
        match self.place {
            ValuePath::Member(_, name) if BATCHES.contains(name) => {
                self.refuse(ApiError::too_many_items(&self.place.to_string(), most))
            }
            _ => self.invalid("too_many", format!("has more than {most} items"), most),
        }
    }

    /// Limits the nesting of lists and objects.
    fn check_depth<E: de::Error>(self) -> Result<(), E> {
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        let message =
            format!("The body nests lists and objects more than {MAX_DEPTH} levels deep.");
        let fault = ApiError::new(Code::InvalidJson, message);
        self.refuse(
            fault
                .with("field", self.place.to_string())
                .with("limit", MAX_DEPTH),
        )
    }
}

impl<'de> DeserializeSeed<'de> for BoundedValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        self.spend(VALUE_BYTES)?;
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        self.spend(VALUE_BYTES)?;
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        self.number(value as f64, value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        self.number(value as f64, value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        self.number(value, value.into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        self.spend(VALUE_BYTES + text.len())?;
        match (self.shape.text, self.shape.number) {
            (Some((_, most)), _) if is_longer(text, most as usize) => self.invalid(
                "too_long",
                format!("is longer than {most} characters"),
                most,
            ),
            (Some((least, _)), _) if least > 0 && text.is_empty() => {
                self.invalid("too_short", "is empty".to_owned(), least)
            }
            // A whole number beyond 64 bits arrives as a text of its digits.
            (None, Some((least, most))) if is_long_integer(text) => {
                let message = format!("must be between {least} and {most}, not {}", short(text));
                self.invalid("out_of_range", message, whole(most))
            }
            _ => Ok(Value::String(text.to_owned())),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let (least, most) = self.shape.items.unwrap_or((0, u64::MAX));
        let mut list = Vec::new();
        let mut count = 0;
        loop {
            let item = BoundedValue {
                shape: self.shape.each.as_deref().unwrap_or(&UNBOUNDED),
                place: &ValuePath::Item(self.place, count),
                depth: self.depth + 1,
                ..self
            };
            let Some(value) = items.next_element_seed(item)? else {
                break;
            };
            if count == most {
                return self.too_many(most);
            }
            list.push(value);
            count += 1;
        }
        if count < least {
            let items = if least == 1 { "item" } else { "items" };
            return self.invalid("too_few", format!("needs at least {least} {items}"), least);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        self.spend(OBJECT_BYTES)?;
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let member = BoundedValue {
                shape: self
                    .shape
                    .members
                    .get(&name)
                    .map_or(&UNBOUNDED, |shape| shape),
                place: &ValuePath::Member(self.place, &name),
                depth: self.depth + 1,
                ..self
            };
            let value = members.next_value_seed(member)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
