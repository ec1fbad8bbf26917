//! The tool that formats works.

use serde_json::{Value, json};

use super::arguments::{FormatArguments, TextForm};
use super::lookup::works;
use crate::api::edge::context::RequestContext;
use crate::api::edge::validation;
use crate::api::error::ApiError;
use crate::api::routes::mcp::brief;
use crate::api::routes::mcp::outputs::{self, Formatted};
use crate::api::routes::mcp::route_call::RouteCall;

pub(super) fn format(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: FormatArguments = validation::read(arguments)?;
    let entries = match (&given.collection, given.entries.is_empty()) {
        (None, false) => works(context, given.entries)?,
        (Some(id), true) => {
            let call = RouteCall::get("/api/v1/collections/{id}").path("id", id);
            let found = call.json(context)?;
            let entries = brief::items(&found, "entries");
            entries
                .filter_map(|entry| brief::member(entry, "metadata"))
                .collect()
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
    let body = json!({
        "entries": entries,
        "formats": dialect.into_iter().collect::<Vec<_>>(),
        "style": given.style,
        "locale": given.locale,
    });
    let formatted = RouteCall::post("/api/v1/format", &outputs::value(&body)).json(context)?;
    let dialect = dialect.and_then(|dialect| formatted.get("formats")?.get(dialect));
    let (form, text) = match (given.form, dialect) {
        (TextForm::Html, _) => (&formatted, "html"),
        (_, Some(form)) => (form, "bibliography"),
        _ => (&formatted, "plain"),
    };
    let text = form.get(text).and_then(Value::as_str).unwrap_or_default();
    let end = text.floor_char_boundary(brief::DOCUMENT_BYTES);
    let left_out = text.len() - end;
    let (in_text, more) = brief::fitting(brief::items(form, "citations").cloned());
    Ok(outputs::value(&Formatted {
        style: brief::member(&formatted, "style"),
        locale: brief::member(&formatted, "locale"),
        warnings: brief::details(&formatted, "warnings"),
        bibliography: text.get(..end).unwrap_or_default().to_owned(),
        bibliography_bytes_left_out: (left_out > 0).then_some(left_out),
        in_text,
        more,
    }))
}
