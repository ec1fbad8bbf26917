//! Tools for collections.

use serde_json::{Value, json};

use super::arguments::{AddArguments, CreateArguments, ListArguments, ReadArguments};
use super::lookup::works;
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::mcp::route_call::RouteCall;
use crate::api::mcp::{brief, resources};
use crate::api::validation;

pub(super) fn list_collections(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: ListArguments = validation::read(arguments)?;
    let call = RouteCall::get("/api/v1/collections");
    let call = match &given.query {
        Some(words) => call.query("q", words),
        None => call,
    };
    let found = call.json(context)?;
    let mut reply = json!({});
    let collections = found.as_array().into_iter().flatten().map(|collection| {
        json!({
            "id": collection["id"], "name": collection["name"], "tags": collection["tags"],
            "entry_count": collection["entry_count"], "updated_at": collection["updated_at"],
        })
    });
    brief::put(&mut reply, "collections", collections);
    Ok(reply)
}

pub(super) fn read_collection(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: ReadArguments = validation::read(arguments)?;
    let mut query = vec![("offset", given.offset.unwrap_or(0).to_string())];
    query.extend(given.query.map(|words| ("q", words)));
    resources::collection(context, &given.id, &query)
}

pub(super) fn create_collection(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: CreateArguments = validation::read(arguments)?;
    let body = json!({"name": given.name, "description": given.description});
    let made = RouteCall::post("/api/v1/collections", &body).json(context)?;
    Ok(json!({"id": made["id"], "name": made["name"]}))
}

pub(super) fn add_to_collection(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: AddArguments = validation::read(arguments)?;
    let body = json!({"entries": works(context, given.entries)?});
    let done = RouteCall::post("/api/v1/collections/{id}/entries/batch", &body)
        .path("id", &given.collection)
        .query("on_duplicate", "skip")
        .json(context)?;
    let mut reply = json!({
        "count": done["count"],
        "errors": brief::list(&done["errors"]),
        "duplicates": brief::list(&done["duplicates"]),
    });
    let added = done["added"].as_array().into_iter().flatten();
    let added =
        added.map(|entry| json!({"id": entry["id"], "work": brief::work(&entry["metadata"])}));
    brief::put(&mut reply, "added", added);
    Ok(reply)
}
