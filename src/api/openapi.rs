//! The OpenAPI 3.1 document, made of the route table and of the handlers' own types.

use std::collections::BTreeMap;

use http::Method;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, SchemaType};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use super::bounds;
use super::error::Code;
use super::gate::Action;
use super::route::Route;
use crate::config::Config;

/// What the document says of a route's body: whether there must be one, and its schema by content type.
struct Body {
    is_required: bool,
    schemas: Map<String, Value>,
}

/// What the document says of one route.
pub struct Operation {
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    parameters: Vec<Value>,
    body: Option<Body>,
    replies: BTreeMap<u16, Value>,
    codes: Vec<Code>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Operation {
    /// `id` is unique in the document; `tag` groups routes in the documentation.
    pub fn new(id: &'static str, tag: &'static str, summary: &'static str) -> Operation {
        Operation {
            id,
            tag,
            summary,
            description: "",
            parameters: Vec::new(),
            body: None,
            replies: BTreeMap::new(),
            codes: Vec::new(),
            schemas: Vec::new(),
        }
    }

    pub fn describe(mut self, text: &'static str) -> Operation {
        self.description = text;
        self
    }

    /// A variable part of the path.
    pub fn path(self, name: &str, text: &str) -> Operation {
        self.parameter("path", name, json!({"type": "string"}), text)
    }

    /// A variable part of the path that is one of `values`.
    pub fn path_choice(
        self,
        name: &str,
        values: impl IntoIterator<Item = &'static str>,
        text: &str,
    ) -> Operation {
        self.parameter("path", name, choice(values), text)
    }

    /// An optional text in the query.
    pub fn query(self, name: &str, text: &str) -> Operation {
        self.parameter("query", name, json!({"type": "string"}), text)
    }

    /// An optional text in the query that is one of `values`.
    pub fn query_choice(
        self,
        name: &str,
        values: impl IntoIterator<Item = &'static str>,
        text: &str,
    ) -> Operation {
        self.parameter("query", name, choice(values), text)
    }

    /// An optional moment in the query.
    pub fn query_time(self, name: &str, text: &str) -> Operation {
        let schema = json!({"type": "string", "format": "date-time"});
        self.parameter("query", name, schema, text)
    }

    /// An optional whole number in the query, of at least `least`.
    pub fn query_number(self, name: &str, least: u32, text: &str) -> Operation {
        let schema = json!({"type": "integer", "minimum": least});
        self.parameter("query", name, schema, text)
    }

    /// A switch in the query.
    pub fn query_switch(self, name: &str, text: &str) -> Operation {
        self.parameter("query", name, json!({"type": "boolean"}), text)
    }

    /// A text that the query must have.
    pub fn required_query(mut self, name: &str, text: &str) -> Operation {
        self = self.query(name, text);
        if let Some(parameter) = self.parameters.last_mut() {
            parameter["required"] = true.into();
        }
        self
    }

    fn parameter(mut self, place: &str, name: &str, schema: Value, text: &str) -> Operation {
        self.parameters.push(json!({
            "name": name, "in": place, "required": place == "path", "description": text,
            "schema": schema,
        }));
        self
    }

    /// A JSON body of the given type.
    pub fn body<T: ToSchema>(mut self) -> Operation {
        let schema = self.reference::<T>();
        self.add_body("application/json", schema);
        self
    }

    /// A JSON body of the given type, or none.
    pub fn optional_body<T: ToSchema>(self) -> Operation {
        let mut operation = self.body::<T>();
        operation.body = operation.body.map(|body| Body {
            is_required: false,
            ..body
        });
        operation
    }

    /// A file of one of these content types, in place of another body.
    pub fn body_files(mut self, content_types: &[&str]) -> Operation {
        for content_type in content_types {
            let schema = if content_type.ends_with("+json") {
                json!({"type": ["array", "object"]})
            } else {
                json!({"type": "string", "minLength": 1})
            };
            self.add_body(content_type, schema);
        }
        self
    }

    /// A form with the part `file`.
    pub fn body_form(mut self) -> Operation {
        let file = json!({"type": "string", "format": "binary"});
        let schema = json!({"type": "object", "required": ["file"], "properties": {"file": file}});
        self.add_body("multipart/form-data", schema);
        self
    }

    fn add_body(&mut self, content_type: &str, schema: Value) {
        let body = self.body.get_or_insert_with(|| Body {
            is_required: true,
            schemas: Map::new(),
        });
        body.schemas
            .insert(content_type.to_owned(), json!({"schema": schema}));
    }

    /// A JSON reply of the given type.
    pub fn reply<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = self.reference::<T>();
        self.json_reply(status, text, schema)
    }

    /// A JSON reply that is a list of the given type.
    pub fn reply_list<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = json!({"type": "array", "items": self.reference::<T>()});
        self.json_reply(status, text, schema)
    }

    /// A JSON reply of one of two types.
    pub fn reply_either<T: ToSchema, U: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = json!({"anyOf": [self.reference::<T>(), self.reference::<U>()]});
        self.json_reply(status, text, schema)
    }

    /// A JSON reply that is an object of no fixed type.
    pub fn reply_object(self, status: u16, text: &str) -> Operation {
        self.json_reply(status, text, json!({"type": "object"}))
    }

    fn json_reply(mut self, status: u16, text: &str, schema: Value) -> Operation {
        let content = json!({"application/json": {"schema": schema}});
        self.replies
            .insert(status, json!({"description": text, "content": content}));
        self
    }

    /// A reply of other content types.
    pub fn reply_text(
        mut self,
        status: u16,
        text: &str,
        content_types: impl IntoIterator<Item = &'static str>,
    ) -> Operation {
        let content: Map<String, Value> = content_types
            .into_iter()
            .map(|content_type| {
                let essence = content_type.split(';').next().unwrap_or_default();
                // What these hold is not text once it is read.
                let is_structured = essence.ends_with("json") || essence.ends_with("yaml");
                let schema = if is_structured {
                    json!({})
                } else {
                    json!({"type": "string"})
                };
                (essence.to_owned(), json!({"schema": schema}))
            })
            .collect();
        self.replies
            .insert(status, json!({"description": text, "content": content}));
        self
    }

    /// A reply without a body.
    pub fn reply_empty(mut self, status: u16, text: &str) -> Operation {
        self.replies.insert(status, json!({"description": text}));
        self
    }

    /// The failures beyond those that every route can have.
    pub fn codes(mut self, codes: &[Code]) -> Operation {
        self.codes.extend_from_slice(codes);
        self
    }

    fn reference<T: ToSchema>(&mut self) -> Value {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        json!({"$ref": format!("#/components/schemas/{}", T::name())})
    }

    fn into_value(self, action: Action, method: &Method) -> Value {
        let mut operation = json!({
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
        });
        if !self.description.is_empty() {
            operation["description"] = self.description.into();
        }
        if !self.parameters.is_empty() {
            operation["parameters"] = self.parameters.into();
        }
        if let Some(body) = self.body {
            operation["requestBody"] =
                json!({"required": body.is_required, "content": body.schemas});
        }
        let mut replies: Map<String, Value> = self
            .replies
            .into_iter()
            .map(|(status, reply)| (status.to_string(), reply))
            .collect();
        let mut codes = self.codes;
        codes.extend(common_codes(action, method));
        for (status, reply) in failure_replies(&codes) {
            replies.entry(status).or_insert(reply);
        }
        operation["responses"] = Value::Object(replies);
        operation
    }
}

fn choice(values: impl IntoIterator<Item = &'static str>) -> Value {
    let values: Vec<&str> = values.into_iter().collect();
    json!({"type": "string", "enum": values})
}

/// The schema of a member that is one of `names`, or null.
pub fn one_of(names: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(names.into_iter().map(Some).chain([None])))
        .build()
}

/// What every route of an action can answer.
fn common_codes(action: Action, method: &Method) -> Vec<Code> {
    let mut codes = vec![
        Code::BadRequest,
        Code::InternalError,
        Code::ServiceUnavailable,
        Code::StorageFull,
    ];
    if method != Method::GET {
        codes.extend([
            Code::InvalidJson,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
            Code::ValidationFailed,
            Code::TooComplex,
            Code::RequestTimeout,
            Code::CsrfFailed,
        ]);
    }
    if method != Method::GET && matches!(action, Action::Write | Action::PaidWrite) {
        codes.push(Code::StorageLimitReached);
    }
    if action != Action::Probe {
        codes.extend([Code::InvalidApiKey, Code::RateLimited]);
    }
    if !matches!(action, Action::Probe | Action::Public) {
        codes.push(Code::Forbidden);
    }
    if action.needs_account() {
        codes.push(Code::AuthenticationRequired);
    }
    if action.needs_paid_plan() {
        codes.push(Code::PlanRequired);
    }
    if action.is_lookup() {
        codes.push(Code::QuotaExhausted);
    }
    codes
}

/// One reply a status, naming the codes that come with it.
fn failure_replies(codes: &[Code]) -> Vec<(String, Value)> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        let list = by_status.entry(code.status().as_u16()).or_default();
        if !list.contains(code) {
            list.push(*code);
        }
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let text: Vec<String> = codes
                .iter()
                .map(|code| format!("`{}`: {}", code.as_str(), code.meaning()))
                .collect();
            let schema = json!({"$ref": "#/components/schemas/Error"});
            let reply = json!({
                "description": text.join(" "),
                "content": {"application/json": {"schema": schema}},
            });
            (status.to_string(), reply)
        })
        .collect()
}

/// The whole document.
pub fn document(table: &[Route], config: &Config, base_url: &str) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    for route in table {
        let Some(operation) = route.operation else {
            continue;
        };
        let mut operation = operation();
        for (name, schema) in operation.schemas.drain(..) {
            schemas.entry(name).or_insert_with(|| to_value(&schema));
        }
        let path = route.described_path();
        let method = route.method.as_str().to_ascii_lowercase();
        let value = operation.into_value(route.action, &route.method);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = value;
    }
    schemas.insert("Error".into(), error_schema());
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Citation",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Finds bibliographic metadata, formats citations in any CSL style, \
                            checks references and keeps collections.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "apiKey": {"type": "http", "scheme": "bearer", "description": "An API key: `ck_…`."},
                "apiKeyHeader": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
                "session": {"type": "apiKey", "in": "cookie", "name": "__Host-session"},
            },
        },
        "security": [{}, {"apiKey": []}, {"apiKeyHeader": []}, {"session": []}],
    });
    bounds::describe(&mut document, config);
    document
}

/// The body of every failure.
fn error_schema() -> Value {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    json!({
        "type": "object",
        "required": ["error", "message", "request_id"],
        "properties": {
            "error": {"type": "string", "enum": codes, "description": "Stable; match on this."},
            "message": {"type": "string", "maxLength": 300},
            "request_id": {"type": "string"},
            "field": {"type": "string", "description": "JSON pointer of the first problem."},
            "details": {"type": "array", "items": {"type": "object"}},
            "docs": {"type": "string"},
            "retry_after": {"type": "integer", "description": "Seconds."},
        },
    })
}

fn to_value(schema: &RefOr<Schema>) -> Value {
    serde_json::to_value(schema).unwrap_or_else(|_| json!({}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::routes;

    #[test]
    fn no_two_types_have_one_name() {
        let mut seen: BTreeMap<String, Value> = BTreeMap::new();
        for operation in routes().iter().filter_map(|route| route.operation) {
            for (name, schema) in operation().schemas {
                let schema = to_value(&schema);
                let known = seen.entry(name.clone()).or_insert_with(|| schema.clone());
                assert_eq!(*known, schema, "{name}");
            }
        }
        assert!(seen.len() > 50, "{}", seen.len());
    }
}
