//! Size limits of requests, in one table: the OpenAPI document publishes them, and bodies,
//! queries and paths are validated against the document.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use http::Method;
use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::error::{ApiError, Code, FieldFault};
use super::multipart::MOST_PARTS;
use crate::config::Config;
use citation_exchange::exact::long_integers_as_texts;
use citation_model::budget::{Budget, is_longer};
use citation_model::variable::NameVar;

/// Maximum nesting of lists and objects, including the body. The JSON reader itself stops at
/// 128.
const MOST_DEEP: usize = 64;

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

/// The maximum of each member: characters of a text, items of a list, or the value of a number. A
/// name is a member's, prefixed by its schema's if it is ambiguous; `[]` is a list's
/// item. The schema of a work's metadata has its own limits.
fn most(config: &Config) -> HashMap<String, u64> {
    let limits = &config.limits;
    let file = limits.import_bytes;
    let entries = u64::from(config.format.max_entries);
    let batch = u64::from(limits.batch_entries);
    let table: [(&str, u64); _] = [
        ("doi", limits.identifier_chars.into()),
        ("isbn", limits.identifier_chars.into()),
        ("issn", limits.identifier_chars.into()),
        ("text", limits.reference_chars.into()),
        ("LookupRequest.query", limits.reference_chars.into()),
        ("UrlRequest.url", limits.reference_chars.into()),
        ("UrlRequest.html", 500_000),
        ("references", limits.batch_items.into()),
        ("references[]", limits.reference_chars.into()),
        ("companion", MOST_PARTS as u64),
        ("filename", 1_000),
        ("FormatBatchRequest.items", limits.batch_items.into()),
        ("FormatRequest.entries", entries),
        ("ExportRequest.entries", entries),
        (
            "CitationKeysRequest.entries",
            limits.citation_key_entries.into(),
        ),
        ("GroupCites.items", config.format.max_indices.into()),
        ("indices", config.format.max_indices.into()),
        ("indices[]", entries),
        ("index", entries),
        ("locator", 1_000),
        ("label", 100),
        ("prefix", 10_000),
        ("suffix", 10_000),
        ("formats", 100),
        ("style", limits.name_chars.into()),
        ("defaultstyle", limits.name_chars.into()),
        ("locale", 100),
        ("language", 100),
        ("style_xml", config.format.max_style_bytes),
        ("limit", u32::MAX.into()),
        ("offset", u32::MAX.into()),
        ("abbreviation", 1_000),
        ("title", 10_000),
        ("AbbreviateRequest.title", 1_000),
        ("pattern", 200),
        ("name", limits.name_chars.into()),
        ("description", limits.description_chars.into()),
        ("note", limits.note_chars.into()),
        ("tags", limits.tags.into()),
        ("tags[]", limits.tag_chars.into()),
        ("add", limits.tags.into()),
        ("add[]", limits.tag_chars.into()),
        ("remove", limits.tags.into()),
        ("remove[]", limits.tag_chars.into()),
        ("entries", batch),
        ("LocalCollection.entries", most_entries(config)),
        (
            "PermalinkRequest.entries",
            config.sharing.anonymous_entries.into(),
        ),
        ("collections", 1_000),
        ("client_id", 200),
        ("entry_ids", batch),
        ("EntryOrder.entry_ids", most_entries(config)),
        ("scopes", 10),
        ("scopes[]", 100),
        ("created_at", 100),
        ("q", limits.query_chars.into()),
        ("query", limits.query_chars.into()),
        ("query.bibliographic", limits.reference_chars.into()),
        ("query.title", limits.query_chars.into()),
        ("query.author", limits.query_chars.into()),
        ("query.container-title", limits.query_chars.into()),
        ("query.publisher-name", limits.query_chars.into()),
        ("filter", 2_000),
        ("rows", u32::MAX.into()),
        ("cursor", 200),
        ("sort", 100),
        ("order", 100),
        ("columns", 4_000),
        ("select", 1_000),
        ("mailto", 1_000),
        ("tag", limits.tag_chars.into()),
        ("TagName.name", limits.tag_chars.into()),
        ("token", 100),
        ("field", 100),
        ("include", 200),
        ("format", 100),
        ("single", 100),
        ("WebSelection.url", limits.reference_chars.into()),
        ("session", 100),
        ("key", 200),
        ("user", 100),
        ("item", 100),
        ("collection", 100),
        ("itemKey", 1_000),
        ("itemType", 1_000),
        ("direction", 10),
        ("start", u32::MAX.into()),
        ("since", u32::MAX.into()),
        ("file", file),
    ];
    let uuids = [
        "id",
        "eid",
        "entry_ids[]",
        "delete_entry_id",
        "source_collection_id",
        "target_collection_id",
    ];
    let names = NameVar::ALL.iter().map(|variable| {
        let member = format!("CitationMetadata.{}", variable.json_name());
        (member, limits.authors.into())
    });
    let own = table
        .into_iter()
        .chain(uuids.map(|name| (name, UUID_CHARS)));
    own.map(|(name, most)| (name.to_owned(), most))
        .chain(names)
        .collect()
}

/// Characters of a UUID, in the longest form (`urn:uuid:{…}`), with a margin.
const UUID_CHARS: u64 = 64;

/// Entries of the largest collection of any plan.
fn most_entries(config: &Config) -> u64 {
    let limits = &config.limits;
    let plans = [
        limits.free_entries,
        limits.academic_entries,
        limits.business_entries,
    ];
    u64::from(
        plans
            .into_iter()
            .max()
            .unwrap_or_default()
            .max(limits.batch_entries),
    )
}

/// Writes the limits of all requests into an OpenAPI document.
pub fn describe(document: &mut Value, config: &Config) {
    let mut bounding = Bounding {
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
            bounding.bound(&mut parameter["schema"], &name);
        }
        let contents = operation.1.pointer_mut("/requestBody/content");
        for (_, content) in contents
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            bounding.bound(&mut content["schema"], "file");
        }
    }
    let mut done: Vec<String> = Vec::new();
    while let Some(name) = bounding.referred.pop() {
        let schema = document.pointer_mut(&format!("/components/schemas/{name}"));
        if let Some(schema) = schema.filter(|_| !done.contains(&name)) {
            bounding.bound(schema, &name);
            done.push(name);
        }
    }
}

struct Bounding {
    most: HashMap<String, u64>,
    /// The referenced schemas.
    referred: Vec<String>,
}

impl Bounding {
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
const ALTERNATIVES: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Types that only occur in answers, including lists of them.
fn is_read_only(schema: &Map<String, Value>) -> bool {
    let items = schema.get("items").and_then(Value::as_object);
    schema.get("readOnly") == Some(&Value::Bool(true)) || items.is_some_and(is_read_only)
}

/// Whether a schema accepts every value of a kind.
fn is_open(schema: &Map<String, Value>, kind: &str) -> bool {
    let is_kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|k| k == kind),
        Some(one) => one == kind,
        None => false,
    };
    is_kind && !schema.contains_key("enum")
}

/// The limits of one route.
#[derive(Debug, Default, PartialEq)]
pub struct Bounds {
    parameters: Vec<Parameter>,
    /// A body of JSON.
    body: Shape,
}

#[derive(Debug, PartialEq)]
struct Parameter {
    name: String,
    is_in_path: bool,
    shape: Shape,
}

/// The limits of one value, by kind; kinds that the schema does not accept have none.
#[derive(Debug, Default, PartialEq)]
struct Shape {
    /// In characters.
    text: Option<(u64, u64)>,
    items: Option<(u64, u64)>,
    number: Option<(f64, f64)>,
    /// The limits of list items.
    each: Option<Arc<Shape>>,
    members: HashMap<String, Arc<Shape>>,
}

/// No limits.
static UNBOUNDED: LazyLock<Shape> = LazyLock::new(Shape::default);

impl Bounds {
    /// The limits of a path and a method in a document.
    pub fn of(document: &Value, path: &str, method: &Method) -> Bounds {
        let method = method.as_str().to_ascii_lowercase();
        let operation = &document["paths"][path][method];
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let parameter = |parameter: &Value| Parameter {
            name: parameter["name"].as_str().unwrap_or_default().to_owned(),
            is_in_path: parameter["in"] == "path",
            shape: Shape::of(document, &parameter["schema"]),
        };
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        Bounds {
            parameters: parameters.map(parameter).collect(),
            body: Shape::of(document, body),
        }
    }

    /// Whether the variable parts of the path are within their limits.
    pub fn check_address<'v>(
        &self,
        value: impl Fn(bool, &str) -> Option<&'v str>,
    ) -> Result<(), ApiError> {
        for Parameter {
            name,
            is_in_path,
            shape,
        } in &self.parameters
        {
            let Some(value) = value(*is_in_path, name) else {
                continue;
            };
            if let Some((_, most)) = shape
                .text
                .filter(|(_, most)| is_longer(value, *most as usize))
            {
                let message = format!("{name} is longer than {most} characters.");
                return Err(ApiError::invalid_parameter(name, message).with("limit", most));
            }
            if let Some((_, most)) = shape.number.filter(|(_, most)| is_above(value, *most)) {
                let message = format!("{name} is {}; at most {most} is allowed.", short(value));
                return Err(ApiError::invalid_parameter(name, message).with("limit", whole(most)));
            }
        }
        Ok(())
    }

    /// Reads JSON within the limits, keeping every digit of long numbers. `None`, with the error,
    /// if it is not JSON.
    pub fn read(
        &self,
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
            shape: &self.body,
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
}

impl Shape {
    fn of(document: &Value, schema: &Value) -> Shape {
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
        if self.depth <= MOST_DEEP {
            return Ok(());
        }
        let message =
            format!("The body nests lists and objects more than {MOST_DEEP} levels deep.");
        let fault = ApiError::new(Code::InvalidJson, message);
        self.refuse(
            fault
                .with("field", self.place.to_string())
                .with("limit", MOST_DEEP),
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

/// Whether a number in digits is above `most`.
fn is_above(digits: &str, most: f64) -> bool {
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits.parse().is_ok_and(|number: f64| number > most)
}

/// A limit in the schema's form: a whole number if possible.
fn whole(bound: f64) -> Value {
    match bound.fract() == 0.0 {
        true => Value::from(bound as i64),
        false => Value::from(bound),
    }
}

/// Whether a text is a whole number beyond 64 bits.
pub fn is_long_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 18 && digits.bytes().all(|b| b.is_ascii_digit()) && text.parse::<i64>().is_err()
}

/// The start of a long value, for a message.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{openapi, routes};

    fn document() -> Value {
        openapi::document(
            &routes(&crate::config::CompatSettings::default()),
            &Config::default(),
            "http://localhost",
        )
    }

    /// Reads the body of a `POST` to the path, and returns the error.
    #[track_caller]
    fn refused(path: &str, body: &str) -> Value {
        let document = document();
        let bounds = Bounds::of(&document, path, &Method::POST);
        let fault = bounds.read(body.as_bytes(), &Budget::new(1, 1 << 20));
        let reply = fault.unwrap_err().into_reply("", false);
        serde_json::from_slice(&reply.body_bytes()).unwrap()
    }

    /// The server reads the limits of each route by itself.
    #[test]
    fn route_alone_has_the_bounds_of_the_whole_document() {
        let document = document();
        for route in routes(&crate::config::CompatSettings::default()) {
            let of = |document| Bounds::of(document, &route.described_path(), &route.method);
            let alone = openapi::document(
                std::slice::from_ref(&route),
                &Config::default(),
                "http://localhost",
            );
            assert_eq!(of(&alone), of(&document), "{} {}", route.method, route.path);
        }
    }

    /// Every member of a request needs a limit.
    #[test]
    fn everything_that_requests_take_is_bounded() {
        let document = document();
        let mut open: Vec<(String, &Value)> = Vec::new();
        let operations = document["paths"].as_object().unwrap();
        for (path, methods) in operations {
            for (method, operation) in methods.as_object().unwrap() {
                let place = format!("{method} {path}");
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    let place = format!("{place}: {}", parameter["name"]);
                    open.push((place, &parameter["schema"]));
                }
                let contents = operation["requestBody"]["content"].as_object();
                for (kind, content) in contents.into_iter().flatten() {
                    open.push((format!("{place}: {kind}"), &content["schema"]));
                }
            }
        }
        let mut unbounded: Vec<String> = Vec::new();
        while let Some((place, schema)) = open.pop() {
            let members = schema.as_object().unwrap();
            if is_read_only(members) {
                continue;
            }
            if let Some(name) = schema["$ref"].as_str() {
                let schema = document.pointer(name.trim_start_matches('#')).unwrap();
                open.push((place.clone(), schema));
            }
            let has = |keyword: &str| members.contains_key(keyword);
            let is_bounded = !(is_open(members, "string") && !has("maxLength") && !has("format")
                || is_open(members, "array") && !has("maxItems")
                || ["integer", "number"]
                    .iter()
                    .any(|kind| is_open(members, kind))
                    && !(has("minimum") && has("maximum")));
            if !is_bounded {
                unbounded.push(place.clone());
            }
            open.extend(
                members
                    .get("items")
                    .map(|items| (format!("{place}[]"), items)),
            );
            for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                open.push((format!("{place}.{name}"), schema));
            }
            for schema in ALTERNATIVES
                .iter()
                .filter_map(|k| members.get(*k)?.as_array())
                .flatten()
            {
                open.push((place.clone(), schema));
            }
        }
        unbounded.sort();
        assert!(
            unbounded.is_empty(),
            "without a limit; give each a row of `most`, or #[schema(max_length = …)], max_items, or minimum and \
             maximum at its field:\n{}",
            unbounded.join("\n")
        );
    }

    #[test]
    fn auth_messages_name_the_place_and_the_limit() {
        let check = |path: &str, body: String, field: &str, code: &str, limit: u64| {
            let found = refused(path, &body);
            assert_eq!(found["field"], field, "{found}");
            assert_eq!(found["limit"].as_f64(), Some(limit as f64), "{found}");
            let told = found["details"][0]["code"].as_str();
            assert_eq!(
                told.unwrap_or(found["error"].as_str().unwrap()),
                code,
                "{found}"
            );
        };
        let format = "/api/v1/format";
        let long = json!({"entries": [{}, {"title": "x".repeat(10_001)}]}).to_string();
        check(format, long, "/entries/1/title", "too_long", 10_000);
        let long = json!({"entries": [{"authors": [{"family": "ä".repeat(10_001)}]}]}).to_string();
        check(
            format,
            long,
            "/entries/0/authors/0/family",
            "too_long",
            10_000,
        );
        let many = json!({"entries": vec![0; 1_001]}).to_string();
        check(format, many, "/entries", "payload_too_large", 1_000);
        let many = json!({"entries": [], "formats": vec!["rtf"; 101]}).to_string();
        check(format, many, "/formats", "too_many", 100);
        let few = r#"{"references": []}"#.to_owned();
        check("/api/v1/verify/batch", few, "/references", "too_few", 1);
        let large = r#"{"text": "x", "limit": 123456789012345678901234567890}"#.to_owned();
        check(
            "/api/v1/reverse",
            large,
            "/limit",
            "out_of_range",
            u32::MAX.into(),
        );
        let small = r#"{"text": "x", "limit": 0}"#.to_owned();
        check("/api/v1/reverse", small, "/limit", "out_of_range", 1);
    }

    #[test]
    fn nesting_is_bounded_within_free_members_too() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            format!(r#"{{"entries": [{{"extra": {{"a": {open}{close}}}}}]}}"#)
        };
        let found = refused("/api/v1/format", &nested(MOST_DEEP));
        assert_eq!(found["error"], "invalid_json", "{found}");
        assert_eq!(found["limit"], MOST_DEEP, "{found}");
        let bounds = Bounds::default();
        let read = bounds.read(nested(MOST_DEEP - 4).as_bytes(), &Budget::unlimited());
        assert!(read.unwrap().is_ok());
    }

    #[test]
    fn bodies_spend_the_memory_that_they_take() {
        let nothing = format!(r#"{{"x": [{}{{"":0}}]}}"#, r#"{"":0},"#.repeat(10_000));
        assert_eq!(refused("/api/v1/format", &nothing)["error"], "too_complex");
    }
}
