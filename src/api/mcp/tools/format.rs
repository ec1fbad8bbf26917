//! The tool that formats works.

use serde_json::{Value, json};

use super::arguments::{FormatArguments, TextForm};
use super::lookup::works;
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::mcp::brief;
use crate::api::mcp::route_call::RouteCall;
use crate::api::validation;

pub(super) fn format(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: FormatArguments = validation::read(arguments)?;
    let entries = match (&given.collection, given.entries.is_empty()) {
        (None, false) => works(context, given.entries)?,
        (Some(id), true) => {
            let call = RouteCall::get("/api/v1/collections/{id}").path("id", id);
            let mut found = call.json(context)?;
            let entries = found["entries"].as_array_mut().into_iter().flatten();
            entries.map(|entry| entry["metadata"].take()).collect()
        }
        _ => {
            let message = "contains nothing to format; send one of `entries` and `collection`";
            return Err(ApiError::invalid_field("", message));
        }
    };
    let dialect = match given.form {
        TextForm::Text | TextForm::Html => None,
        TextForm::Markdown => Some("markdown"),
        TextForm::Latex => Some("latex"),
        TextForm::Typst => Some("typst"),
    };
    let mut body = json!({"entries": entries, "formats": dialect.into_iter().collect::<Vec<_>>()});
    for (member, value) in [("style", given.style), ("locale", given.locale)] {
        if let Some(value) = value {
            body[member] = value.into();
        }
    }
    let formatted = RouteCall::post("/api/v1/format", &body).json(context)?;
    let (whole, markers) = match (given.form, dialect) {
        (TextForm::Html, _) => (&formatted["html"], &formatted["citations"]),
        (_, Some(dialect)) => {
            let form = &formatted["formats"][dialect];
            (&form["bibliography"], &form["citations"])
        }
        _ => (&formatted["plain"], &formatted["citations"]),
    };
    let mut reply = json!({
        "style": formatted["style"],
        "locale": formatted["locale"],
        "warnings": brief::list(&formatted["warnings"]),
    });
    let whole = whole.as_str().unwrap_or_default();
    let end = whole.floor_char_boundary(brief::DOCUMENT_BYTES);
    reply["bibliography"] = whole.get(..end).unwrap_or_default().into();
    if end < whole.len() {
        reply["bibliography_bytes_left_out"] = (whole.len() - end).into();
    }
    let markers = markers.as_array().into_iter().flatten();
    brief::put(&mut reply, "in_text", markers.cloned());
    Ok(reply)
}
