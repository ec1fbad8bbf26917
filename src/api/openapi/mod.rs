//! The OpenAPI 3.1 document, generated from the route table and the handlers' types.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

pub(in crate::api) mod documentation;
pub(in crate::api) mod operation;
pub(in crate::api) mod schemas;

use std::collections::BTreeMap;

use http::Method;
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};

use crate::api::edge::action::Action;
use crate::api::edge::bounds;
use crate::api::edge::route::Route;
use crate::api::error::Code;
use crate::config::Config;
use operation::Operation;

/// An operation in the document's form.
fn described(operation: Operation, route: &Route) -> Value {
    let mut described = json!({
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
    });
    if !operation.description.is_empty() {
        described["description"] = operation.description.into();
    }
    if !operation.parameters.is_empty() {
        described["parameters"] = operation.parameters.into();
    }
    if let Some(body) = operation.body {
        described["requestBody"] = json!({"required": body.is_required, "content": body.schemas});
    }
    let mut replies: Map<String, Value> = operation
        .replies
        .into_iter()
        .map(|(status, reply)| (status.to_string(), reply))
        .collect();
    let mut codes = operation.codes;
    codes.extend(common_codes(route));
    for (status, reply) in failure_replies(&codes) {
        let own = replies.entry(status).or_insert_with(|| reply.clone());
        add_failure(own, &reply);
    }
    described["responses"] = Value::Object(replies);
    described
}

/// An error of the service with the same status as a text reply of the operation.
fn add_failure(own: &mut Value, failure: &Value) {
    let Some(content) = own.get_mut("content").and_then(Value::as_object_mut) else {
        return;
    };
    if !content.keys().any(|kind| kind.starts_with("application/")) {
        let kind = "application/json";
        content.insert(kind.to_owned(), failure["content"][kind].clone());
    }
}

/// The errors that follow from a row of the table.
fn common_codes(route: &Route) -> Vec<Code> {
    let (action, method) = (route.action, &route.method);
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
    if route.is_idempotent {
        codes.push(Code::IdempotencyMismatch);
    }
    codes
}

/// One reply per status, with its codes.
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
                .map(|code| format!("`{}`: {}", code.as_str(), code.description()))
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

/// The groups of operations.
const TAGS: [(&str, &str); 13] = [
    ("lookup", "Works by identifier, address or text"),
    ("verify", "Checks of references and documents"),
    (
        "formatting",
        "Bibliographies, citations and files; nothing is stored",
    ),
    ("utilities", "Citation keys, journals and titles"),
    ("styles", "Citation styles and locales"),
    ("collections", "Collections of accounts, and sharing"),
    ("jobs", "Long work, answered in the background"),
    ("webhooks", "Events, posted to programs of an account"),
    ("account", "The caller, keys, plans and limits"),
    ("oauth", "Programs that accounts let in"),
    ("service", "The state of the service"),
    ("mcp", "For language models"),
    ("compat", "Interfaces of other services"),
];

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
        let value = described(operation, route);
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
        "tags": TAGS.map(|(name, about)| json!({"name": name, "description": about})),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "apiKey": {"type": "http", "scheme": "bearer", "description": "An API key, `ck_…`, or an access token, `ca_…`."},
                "apiKeyHeader": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
                "session": {"type": "apiKey", "in": "cookie", "name": "__Host-session"},
            },
        },
        "security": [{}, {"apiKey": []}, {"apiKeyHeader": []}, {"session": []}],
    });
    bounds::describe(&mut document, config);
    document
}

/// The body of every error.
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
            "details": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["field", "code", "message"],
                    "properties": {
                        "field": {"type": "string", "description": "JSON pointer."},
                        "code": {"type": "string"},
                        "message": {"type": "string"},
                    },
                },
            },
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
    use crate::api::routes::routes;

    #[test]
    fn schema_names_are_unique() {
        let mut seen: BTreeMap<String, Value> = BTreeMap::new();
        for operation in routes(&crate::config::CompatSettings::default())
            .iter()
            .filter_map(|route| route.operation)
        {
            for (name, schema) in operation().schemas {
                let schema = to_value(&schema);
                let known = seen.entry(name.clone()).or_insert_with(|| schema.clone());
                assert_eq!(*known, schema, "{name}");
            }
        }
        assert!(seen.len() > 50, "{}", seen.len());
    }

    #[test]
    fn operation_ids_are_consistent() {
        let mut ids: Vec<&str> = Vec::new();
        for operation in routes(&crate::config::CompatSettings::default())
            .iter()
            .filter_map(|route| route.operation)
        {
            let Operation { id, tag, .. } = operation();
            let is_word = |word: &str| {
                !word.is_empty()
                    && word
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            };
            assert!(id.split('_').all(is_word), "{id}");
            assert!(
                TAGS.iter().any(|(known, _)| *known == tag),
                "the tag {tag} of {id} is not in TAGS"
            );
            assert!(!ids.contains(&id), "{id} is there twice");
            ids.push(id);
        }
    }

    /// The limits of requests are enforced from their description.
    #[test]
    fn routes_of_the_interface_are_documented() {
        let table = routes(&crate::config::CompatSettings::default());
        let bare = table
            .iter()
            .filter(|route| route.path.starts_with("/api/v1/") && route.operation.is_none());
        let bare: Vec<String> = bare
            .map(|route| format!("{} {}", route.method, route.path))
            .collect();
        assert!(bare.is_empty(), "no .documented(…) in the rows of {bare:?}");
    }

    /// A generated client has a type for everything.
    #[test]
    fn schema_objects_have_members() {
        let table = routes(&crate::config::CompatSettings::default());
        let document = document(&table, &Config::default(), "http://localhost");
        let mut bare: Vec<String> = Vec::new();
        let mut open: Vec<(String, &Value)> = vec![(String::new(), &document)];
        while let Some((place, value)) = open.pop() {
            match value {
                Value::Array(items) => {
                    open.extend(items.iter().map(|item| (place.clone(), item)));
                }
                Value::Object(members) => {
                    let is_object = members.get("type").is_some_and(|kind| {
                        kind == "object"
                            || kind
                                .as_array()
                                .is_some_and(|k| k.contains(&"object".into()))
                    });
                    let says = [
                        "properties",
                        "additionalProperties",
                        "allOf",
                        "oneOf",
                        "anyOf",
                    ];
                    if is_object && !says.iter().any(|keyword| members.contains_key(*keyword)) {
                        bare.push(place.clone());
                    }
                    let inner = members.iter().filter(|(name, _)| *name != "example");
                    open.extend(inner.map(|(name, value)| (format!("{place}/{name}"), value)));
                }
                _ => {}
            }
        }
        assert_eq!(bare, Vec::<String>::new());
    }
}
