//! Size limits of requests, in one table: the OpenAPI document publishes them, and bodies,
//! queries and paths are validated against the document.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

mod describe;
mod maxima;
mod number;
mod reading;
mod shape;

pub use describe::describe;
pub use number::{is_long_integer, short};

use http::Method;
use serde_json::Value;

use self::number::{is_above, whole};
use self::shape::Shape;
use crate::api::error::ApiError;
use citation_model::budget::{Budget, is_longer};

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
            let text = &shape.text;
            if let Some((_, most)) = text.filter(|(_, most)| is_longer(value, *most as usize)) {
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

    /// Reads JSON within the limits, keeping every digit of long numbers. The inner error is that of text
    /// that is not JSON.
    pub fn read(
        &self,
        body: &[u8],
        budget: &Budget,
    ) -> Result<Result<Value, serde_json::Error>, ApiError> {
        reading::read(&self.body, body, budget)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::describe::{ALTERNATIVES, is_open, is_read_only};
    use super::reading::MAX_DEPTH;
    use super::*;
    use crate::api::openapi;
    use crate::api::routes::routes;
    use crate::config::Config;

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
    fn single_route_has_the_same_bounds_as_the_document() {
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
    fn request_members_are_all_bounded() {
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
            "without a limit; give each a row in `maxima`, or #[schema(max_length = …)], max_items, or minimum and \
             maximum at its field:\n{}",
            unbounded.join("\n")
        );
    }

    #[test]
    fn messages_name_the_place_and_the_limit() {
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
    fn nesting_is_bounded_within_free_form_members() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            format!(r#"{{"entries": [{{"extra": {{"a": {open}{close}}}}}]}}"#)
        };
        let found = refused("/api/v1/format", &nested(MAX_DEPTH));
        assert_eq!(found["error"], "invalid_json", "{found}");
        assert_eq!(found["limit"], MAX_DEPTH, "{found}");
        let bounds = Bounds::default();
        let read = bounds.read(nested(MAX_DEPTH - 4).as_bytes(), &Budget::unlimited());
        assert!(read.unwrap().is_ok());
    }

    #[test]
    fn bodies_spend_their_memory() {
        let nothing = format!(r#"{{"x": [{}{{"":0}}]}}"#, r#"{"":0},"#.repeat(10_000));
        assert_eq!(refused("/api/v1/format", &nothing)["error"], "too_complex");
    }
}
