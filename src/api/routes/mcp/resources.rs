//! Styles and the caller's collections as resources.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use serde_json::{Map, Value, json};

use super::brief;
use super::outputs::{self, Entries, Entry};
use super::route_call::RouteCall;
use super::rpc::{RpcCode, RpcError};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::{self, ApiError};

const STYLES: &str = "citation://styles/";
const COLLECTIONS: &str = "citation://collections/";

/// Resources per page.
const PAGE: usize = 50;

/// The caller's collections, then the most used styles. Unlisted styles can be read
/// too.
pub fn list(context: &RequestContext, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let start = match params.get("cursor") {
        None => 0,
        Some(cursor) => { cursor.as_str().and_then(|cursor| cursor.parse().ok()) }
            .ok_or_else(|| RpcError::new(RpcCode::InvalidParams, "The cursor is invalid."))?,
    };
    let resources = all(context).map_err(RpcError::from)?;
    let rest = resources.len().saturating_sub(start);
    let page: Vec<Value> = resources.into_iter().skip(start).take(PAGE).collect();
    let mut result = json!({"resources": page});
    if rest > PAGE {
        result["nextCursor"] = (start + PAGE).to_string().into();
    }
    Ok(result)
}

fn all(context: &RequestContext) -> Result<Vec<Value>, ApiError> {
    let mut resources = Vec::new();
    if context.caller.account().is_some() {
        let collections = RouteCall::get("/api/v1/collections").json(context);
        // A key without permission has none to list.
        let collections = collections.or_else(|error| match error.code {
            error::Code::Forbidden => Ok(json!([])),
            _ => Err(error),
        })?;
        for collection in collections.as_array().into_iter().flatten() {
            resources.push(json!({
                "uri": format!("{COLLECTIONS}{}", text(&collection["id"])),
                "name": text(&collection["name"]),
                "description": format!("A collection of {} entries", collection["entry_count"]),
                "mimeType": "application/json",
            }));
        }
    }
    let styles = RouteCall::get("/api/v1/styles").json(context)?;
    for style in styles.as_array().into_iter().flatten() {
        resources.push(json!({
            "uri": format!("{STYLES}{}", text(&style["id"])),
            "name": text(&style["id"]),
            "title": text(&style["title"]),
            "description": "A citation style, with a sample",
            "mimeType": "application/json",
        }));
    }
    Ok(resources)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub fn templates() -> Value {
    json!({"resourceTemplates": [
        {
            "uriTemplate": format!("{STYLES}{{id}}"), "name": "style", "title": "Citation style",
            "description": "A style's description, and a sample. {id} is its short name: apa.",
            "mimeType": "application/json",
        },
        {
            "uriTemplate": format!("{STYLES}{{id}}.csl"), "name": "style file",
            "title": "Citation style, the CSL file itself",
            "mimeType": crate::api::routes::styles::STYLE,
        },
        {
            "uriTemplate": format!("{COLLECTIONS}{{id}}"), "name": "collection", "title": "Collection",
            "description": "One of your collections with its first entries, shortened.",
            "mimeType": "application/json",
        },
        {
            "uriTemplate": format!("{COLLECTIONS}{{id}}/export.{{format}}"), "name": "collection file",
            "title": "Collection as a file",
            "description": "All entries: {format} is bib, ris, json, md, txt or another export format.",
        },
    ]})
}

pub fn read(context: &RequestContext, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| RpcError::new(RpcCode::InvalidParams, "`uri` is missing."))?;
    let reply = fetch(context, uri).map_err(|error| match error.code {
        error::Code::NotFound => missing(uri),
        _ => RpcError::from(error),
    })?;
    let reply = reply.ok_or_else(|| missing(uri))?;
    let media_type = reply.header("content-type").unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default();
    let body = reply.body_bytes();
    let text = String::from_utf8_lossy(&body);
    Ok(json!({"contents": [{"uri": uri, "mimeType": media_type, "text": text}]}))
}

/// The resource of an address; `None` if it is not ours.
fn fetch(context: &RequestContext, uri: &str) -> Result<Option<Reply>, ApiError> {
    if let Some(id) = uri.strip_prefix(STYLES) {
        let call = RouteCall::get("/api/v1/styles/{id…}").path("id", id);
        return call.switch("preview", true).send(context).map(Some);
    }
    let Some(path) = uri.strip_prefix(COLLECTIONS) else {
        return Ok(None);
    };
    match path.split_once("/export.") {
        Some((id, format)) => RouteCall::get("/api/v1/collections/{id}/export.{format}")
            .path("id", id)
            .path("format", format)
            .send(context)
            .map(Some),
        None => collection(context, path, &[])
            .map(|found| Some(Reply::json_value(&outputs::value(&found)))),
    }
}

/// Number of entries of a collection shown at once.
const ENTRIES: usize = 20;

/// A collection with some of its entries, each shortened.
pub fn collection(
    context: &RequestContext,
    id: &str,
    query: &[(&str, String)],
) -> Result<Entries, ApiError> {
    let mut call = RouteCall::get("/api/v1/collections/{id}").path("id", id);
    for (name, value) in query {
        call = call.query(name, value);
    }
    // The first parameter of a name counts.
    let reply = call.query("limit", &ENTRIES.to_string()).send(context)?;
    let total = reply.header("total-results").map(str::to_owned);
    let found: Value = serde_json::from_slice(&reply.body_bytes()).map_err(ApiError::internal)?;
    let field = |value: &Value, name: &str| match value.get(name) {
        Some(Value::String(text)) => Some(brief::cut(text).into()),
        other => other.cloned(),
    };
    let one = |entry: &Value| Entry {
        id: brief::member(entry, "id").unwrap_or_default(),
        work: entry.get("metadata").and_then(brief::work),
        note: field(entry, "note"),
        tags: field(entry, "tags"),
        review_status: field(entry, "review_status"),
        citation_key: field(entry, "citation_key"),
        sort_order: field(entry, "sort_order"),
    };
    let (entries, more) = brief::fitting(brief::items(&found, "entries").map(one));
    Ok(Entries {
        id: brief::member(&found, "id"),
        name: brief::member(&found, "name"),
        description: brief::member(&found, "description"),
        defaultstyle: brief::member(&found, "defaultstyle"),
        tags: brief::member(&found, "tags"),
        entry_count: brief::member(&found, "entry_count"),
        entries,
        matching: total.and_then(|total| total.parse().ok()),
        more,
    })
}

fn missing(uri: &str) -> RpcError {
    RpcError::new(RpcCode::InvalidParams, "Resource not found")
        .with(json!({"uri": brief::cut(uri)}))
}
