//! The OpenAPI 3.1 document, made of the route table and of the handlers' own types.

use std::collections::BTreeMap;

use http::Method;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::error::Code;
use super::gate::Action;
use super::route::Route;

/// What the document says of one route.
pub struct Operation {
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    parameters: Vec<Value>,
    body: Option<(&'static str, Value)>,
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
    pub fn path(self, name: &'static str, text: &'static str) -> Operation {
        self.parameter("path", name, "string", text, true)
    }

    /// An optional text in the query.
    pub fn query(self, name: &'static str, text: &'static str) -> Operation {
        self.parameter("query", name, "string", text, false)
    }

    /// A whole number in the query.
    pub fn query_number(self, name: &'static str, text: &'static str) -> Operation {
        self.parameter("query", name, "integer", text, false)
    }

    /// A switch in the query.
    pub fn query_switch(self, name: &'static str, text: &'static str) -> Operation {
        self.parameter("query", name, "boolean", text, false)
    }

    /// A text that the query must have.
    pub fn required_query(self, name: &'static str, text: &'static str) -> Operation {
        self.parameter("query", name, "string", text, true)
    }

    fn parameter(
        mut self,
        place: &str,
        name: &str,
        kind: &str,
        text: &str,
        required: bool,
    ) -> Operation {
        self.parameters.push(json!({
            "name": name, "in": place, "required": required, "description": text,
            "schema": {"type": kind},
        }));
        self
    }

    /// A JSON body of the given type.
    pub fn body<T: ToSchema>(mut self) -> Operation {
        self.body = Some(("application/json", self.reference::<T>()));
        self
    }

    /// A JSON reply of the given type.
    pub fn reply<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = self.reference::<T>();
        let content = json!({"application/json": {"schema": schema}});
        self.replies
            .insert(status, json!({"description": text, "content": content}));
        self
    }

    /// A JSON reply that is a list of the given type.
    pub fn reply_list<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = json!({"type": "array", "items": self.reference::<T>()});
        let content = json!({"application/json": {"schema": schema}});
        self.replies
            .insert(status, json!({"description": text, "content": content}));
        self
    }

    /// A reply of other content types.
    pub fn reply_text(mut self, status: u16, text: &str, content_types: &[&str]) -> Operation {
        let content: Map<String, Value> = content_types
            .iter()
            .map(|t| ((*t).to_owned(), json!({"schema": {"type": "string"}})))
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
        if let Some((content_type, schema)) = self.body {
            operation["requestBody"] = json!({
                "required": true,
                "content": {content_type: {"schema": schema}},
            });
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

/// What every route of an action can answer.
fn common_codes(action: Action, method: &Method) -> Vec<Code> {
    let mut codes = vec![
        Code::BadRequest,
        Code::InternalError,
        Code::ServiceUnavailable,
    ];
    if method != Method::GET {
        codes.extend([
            Code::InvalidJson,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
        ]);
    }
    if action != Action::Probe {
        codes.extend([Code::InvalidApiKey, Code::RateLimited]);
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
pub fn document(table: &[Route], base_url: &str) -> Value {
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
        let path = route.path.replace('…', "");
        let method = route.method.as_str().to_ascii_lowercase();
        let value = operation.into_value(route.action, &route.method);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = value;
    }
    schemas.insert("Error".into(), error_schema());
    json!({
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
    })
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
