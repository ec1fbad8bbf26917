//! `/verify`: a list of references, each checked. Without script the first few of a list are; the
//! page's module checks them all and shows each as it comes.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, list, text};
use super::cite::{about, plain_title};
use super::frame::{form, show, words};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest;
use crate::ui::cite::source_name;
use crate::ui::page::Frame;
use crate::ui::verify::{self, Difference, Row, Verify};

/// References that one form checks, so that the answer comes within the time of a request.
const MOST_REFERENCES: usize = 10;

/// `GET /verify`.
pub fn empty(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(page(context, Verify::default()))
}

/// `POST /verify`.
pub fn check(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let pasted = form.get("list").unwrap_or_default();
    let mut view = Verify {
        list: pasted,
        ..Verify::default()
    };
    let read = subrequest::ask(
        context,
        Method::POST,
        "/api/v1/import",
        Some("text/plain"),
        Bytes::from(pasted.to_owned()),
    );
    if !read.is_ok() {
        view.problem = Some(error_message(words(context), &read));
        return Ok(page(context, view));
    }
    let entries = list(&read.body, "entries").iter();
    let given = entries.map(|entry| json!({"metadata": entry.get("metadata")}));
    let texts = list(&read.body, "references").iter();
    let references: Vec<Value> = given
        .chain(texts.map(|text| json!({"text": text})))
        .collect();
    let around = list(&read.body, "left_out").iter();
    view.around = around.map(|line| text(line, "text").to_owned()).collect();
    view.left_out = references.len().saturating_sub(MOST_REFERENCES) as u64;
    for reference in references.iter().take(MOST_REFERENCES) {
        let answer = subrequest::send(context, Method::POST, "/api/v1/verify", reference);
        if !answer.is_ok() {
            view.problem = Some(error_message(words(context), &answer));
            break;
        }
        view.rows.push(row(context, reference, &answer.body));
    }
    Ok(page(context, view))
}

fn page(context: &RequestContext, mut view: Verify<'_>) -> Reply {
    let me = subrequest::get(context, "/api/v1/me").body;
    let number = |pointer: &str| me.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    view.lookups = (number("/lookups/remaining"), number("/lookups/limit"));
    let words = words(context);
    let frame = Frame {
        title: words.get("verify.title"),
        current: "/verify",
        script: Some("verify.js"),
        is_listed: true,
        ..Frame::default()
    };
    show(context, &frame, verify::verify(words, &view))
}

fn row(context: &RequestContext, reference: &Value, body: &Value) -> Row {
    let matched = body.get("match").filter(|found| found.is_object());
    let shown = |value: Option<&Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    let differences = list(body, "diffs").iter().map(|diff| Difference {
        field: text(diff, "field").to_owned(),
        given: shown(diff.get("given")),
        found: shown(diff.get("found")),
    });
    let verdict = text(body, "verdict");
    let tried = list(body, "sources_tried").iter().map(|tried| {
        let source = source_name(words(context), text(tried, "source"));
        (source.to_owned(), text(tried, "outcome").to_owned())
    });
    let given = match text(reference, "text") {
        "" => reference
            .get("metadata")
            .map(|m| format!("{} {}", about(m), plain_title(m))),
        text => Some(text.to_owned()),
    };
    Row {
        verdict: verdict.to_owned(),
        given: given.unwrap_or_default(),
        found: matched.map(|found| (plain_title(found), about(found))),
        doi: matched
            .map(|found| text(found, "doi").to_owned())
            .filter(|doi| !doi.is_empty()),
        source: text(body, "source").to_owned(),
        differences: differences.collect(),
        tried: match verdict {
            "not_found" | "not_checked" => tried.collect(),
            _ => Vec::new(),
        },
    }
}
