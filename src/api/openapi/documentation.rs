//! `/api/docs`, `/api/openapi.json` and `/api/openapi.yaml`, generated on first use.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::Value;

use super::TAGS;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::negotiate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::routes::pages::frame::{self, words};
use crate::ui::docs::{DocsPage, ErrorView};
use crate::ui::html::Html;
use crate::ui::page::Frame;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/docs", Action::Public, page),
        route::get("/api/docs/{subject}", Action::Public, subject),
        route::get("/api/openapi.json", Action::Public, json),
        route::get("/api/openapi.yaml", Action::Public, yaml),
    ]
}

/// The representations of the OpenAPI document.
pub struct Documentation {
    json: Bytes,
    yaml: Bytes,
    html: Html,
    /// The pages of the subjects.
    subjects: BTreeMap<String, Html>,
}

/// A recorded request and its answer for each operation that can be sent in a test. Written by
/// `CITATION_WRITE_EXAMPLES=1 cargo test -p citation --test service -- description::recorded`.
const EXAMPLES: &str = include_str!("examples.json");

impl Documentation {
    pub fn new(document: &Value) -> Documentation {
        let failures = Code::ALL.iter().map(|code| ErrorView {
            code: code.as_str(),
            status: code.status().as_u16(),
            meaning: code.description(),
        });
        let failures: Vec<ErrorView> = failures.collect();
        let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
        let page = |subject| DocsPage::new(document, &examples, &failures, subject).into();
        let subjects = TAGS
            .iter()
            .map(|(tag, _)| ((*tag).to_owned(), page(Some(*tag))));
        Documentation {
            html: page(None),
            subjects: subjects.collect(),
            json: document.to_string().into(),
            yaml: yaml_of(document).into(),
        }
    }
}

/// `GET /api/docs`: a page for browsers, the OpenAPI document for everything else.
pub fn page(context: &RequestContext) -> Result<Reply, ApiError> {
    let wanted = negotiate::choose(context.header("accept"), &["application/json", "text/html"]);
    let reply = match wanted {
        Some(("text/html", _)) => shown(context, context.edge.documentation().html.clone()),
        _ => document(context).with_content_etag(),
    };
    Ok(reply.with_header("vary", "Accept"))
}

fn shown(context: &RequestContext, html: Html) -> Reply {
    let frame = Frame {
        title: words(context).get("nav.interface"),
        has_heading: true,
        is_listed: true,
        script: Some("docs.js"),
        ..Frame::default()
    };
    frame::show(context, &frame, html)
}

/// `GET /api/docs/{subject}`: the operations of one subject.
pub fn subject(context: &RequestContext) -> Result<Reply, ApiError> {
    let subjects = &context.edge.documentation().subjects;
    match subjects.get(context.param("subject")) {
        Some(html) => Ok(shown(context, html.clone())),
        None => Err(ApiError::not_found(
            "subject",
            "/api/docs lists the subjects of the interface.",
        )),
    }
}

/// `GET /api/openapi.json`.
pub fn json(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(document(context).with_content_etag())
}

/// `GET /api/openapi.yaml`.
pub fn yaml(context: &RequestContext) -> Result<Reply, ApiError> {
    let text = context.edge.documentation().yaml.clone();
    Ok(Reply::bytes("application/yaml", text).with_content_etag())
}

fn document(context: &RequestContext) -> Reply {
    Reply::bytes(
        "application/json",
        context.edge.documentation().json.clone(),
    )
}

/// A document as YAML in block style. Scalars and keys stay in JSON syntax, which is valid YAML 1.2
/// (section 1.2).
fn yaml_of(document: &Value) -> String {
    let mut text = String::new();
    write_block(document, 0, &mut text);
    text
}

fn write_block(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                text.push_str(&format!("{:depth$}{}:", "", Value::from(name.as_str())));
                write_below(member, depth + 2, text);
            }
        }
        Value::Array(items) => {
            for item in items {
                text.push_str(&format!("{:depth$}-", ""));
                write_below(item, depth + 2, text);
            }
        }
        scalar => text.push_str(&format!("{scalar}\n")),
    }
}

/// A value after its key or dash: on the same line if it is a scalar or empty.
fn write_below(value: &Value, depth: usize, text: &mut String) {
    let is_block = match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        text.push('\n');
        write_block(value, depth, text);
    } else {
        text.push_str(&format!(" {value}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn yaml_nests_by_indentation() {
        let document = json!({"a": {"b: c": [1, {"d": "x\ny"}, []]}, "e": {}});
        let expected =
            "\"a\":\n  \"b: c\":\n    - 1\n    -\n      \"d\": \"x\\ny\"\n    - []\n\"e\": {}\n";
        assert_eq!(yaml_of(&document), expected);
    }
}
