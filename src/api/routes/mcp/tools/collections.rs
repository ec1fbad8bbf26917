//! Tools for collections.

use serde_json::{Value, json};

use super::arguments::{AddArguments, CreateArguments, ListArguments, ReadArguments};
use super::lookup::works;
use crate::api::edge::context::RequestContext;
use crate::api::edge::validation;
use crate::api::error::ApiError;
use crate::api::routes::mcp::outputs::{self, Added, AddedEntry, Collection, Collections, Created};
use crate::api::routes::mcp::route_call::RouteCall;
use crate::api::routes::mcp::{brief, resources};

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
    let one = |collection: &Value| Collection {
        id: brief::member(collection, "id").unwrap_or_default(),
        name: brief::member(collection, "name").unwrap_or_default(),
        tags: brief::member(collection, "tags"),
        entry_count: brief::member(collection, "entry_count").unwrap_or_default(),
        updated_at: brief::member(collection, "updated_at"),
    };
    let collections = found.as_array().into_iter().flatten().map(one);
    let (collections, more) = brief::fitting(collections);
    Ok(outputs::value(&Collections { collections, more }))
}

pub(super) fn read_collection(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: ReadArguments = validation::read(arguments)?;
    let mut query = vec![("offset", given.offset.unwrap_or(0).to_string())];
    query.extend(given.query.map(|words| ("q", words)));
    resources::collection(context, &given.id, &query).map(|found| outputs::value(&found))
}

pub(super) fn create_collection(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: CreateArguments = validation::read(arguments)?;
    let body = json!({"name": given.name, "description": given.description});
    let made = RouteCall::post("/api/v1/collections", &body).json(context)?;
    Ok(outputs::value(&Created {
        id: brief::member(&made, "id").unwrap_or_default(),
        name: brief::member(&made, "name").unwrap_or_default(),
    }))
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
    let one = |entry: &Value| AddedEntry {
        id: brief::member(entry, "id").unwrap_or_default(),
        work: entry.get("metadata").and_then(brief::work),
    };
    let (added, more) = brief::fitting(brief::items(&done, "added").map(one));
    Ok(outputs::value(&Added {
        added,
        count: brief::member(&done, "count").unwrap_or_default(),
        errors: brief::details(&done, "errors"),
        duplicates: brief::details(&done, "duplicates"),
        more,
    }))
}
