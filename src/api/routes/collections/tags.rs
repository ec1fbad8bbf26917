//! The tags of all of the caller's entries.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::transaction::{WRITE_CODES, read, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::collections::input;
use crate::collections::tagging::{RetaggedEntries, TagCount};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/tags", Action::Read, list).documented(list_operation),
        route::patch("/api/v1/tags/{tag…}", Action::Write, rename).documented(rename_operation),
        route::delete("/api/v1/tags/{tag…}", Action::Write, remove).documented(remove_operation),
    ]
}

/// A tag, and the number of entries with it.
#[derive(Serialize, ToSchema)]
pub struct Tag {
    tag: String,
    entries: u64,
}

/// The new name of a tag.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "theory"}))]
pub struct TagName {
    /// The name of another tag merges the two.
    #[schema(min_length = 1)]
    name: String,
}

/// The changed entries.
#[derive(Serialize, ToSchema)]
pub struct RetagReply {
    /// Number of entries.
    entries: u64,
    collections: Vec<RetaggedCollection>,
}

/// The changed entries of one collection.
#[derive(Serialize, ToSchema)]
pub struct RetaggedCollection {
    /// UUID.
    collection_id: String,
    /// UUIDs.
    entry_ids: Vec<String>,
    /// UUIDs of the entries that already had the other tag.
    merged_entry_ids: Vec<String>,
}

/// `GET /api/v1/tags`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let tags = read(context, |snapshot| Ok(snapshot.tags()?))?.into_iter();
    let body: Vec<Tag> = tags
        .map(|TagCount { tag, entries }| Tag { tag, entries })
        .collect();
    Ok(Reply::json(&body)
        .with_header("cache-control", "private, no-cache")
        .with_content_etag())
}

/// `PATCH /api/v1/tags/{tag…}`.
pub fn rename(context: &RequestContext) -> Result<Reply, ApiError> {
    let tag = context.param("tag");
    read(context, |snapshot| snapshot.has_tag(tag))?;
    let request: TagName = context.json()?;
    let name = new_name(context, &request.name)?;
    write(context, |change| change.retag(tag, Some(&name)), reply)
}

/// The stored form of a tag's name.
pub fn new_name(context: &RequestContext, given: &str) -> Result<String, ApiError> {
    let limits = context.app.collections.limits();
    let names = input::tags("/name", &[given.to_owned()], limits)?;
    let name = names.into_iter().next();
    name.ok_or_else(|| ApiError::invalid_field("/name", "is empty"))
}

/// `DELETE /api/v1/tags/{tag…}`.
pub fn remove(context: &RequestContext) -> Result<Reply, ApiError> {
    write(
        context,
        |change| change.retag(context.param("tag"), None),
        reply,
    )
}

fn reply(retagged: Vec<RetaggedEntries>) -> Reply {
    let collections = retagged.into_iter().map(|found| RetaggedCollection {
        collection_id: found.collection,
        entry_ids: found.entries,
        merged_entry_ids: found.merged,
    });
    let collections: Vec<RetaggedCollection> = collections.collect();
    let entries = collections.iter().map(|found| found.entry_ids.len() as u64);
    Reply::json(&RetagReply {
        entries: entries.sum(),
        collections,
    })
}

pub fn list_operation() -> Operation {
    Operation::new("list_tags", "collections", "List the tags of all entries")
        .describe("By name, in all of the caller's collections. Case is ignored.")
        .reply_list::<Tag>(200, "The tags.")
        .conditional()
}

pub fn rename_operation() -> Operation {
    Operation::new(
        "rename_tag",
        "collections",
        "Rename a tag of all entries, or merge it with another",
    )
    .describe("One change of all collections with the tag.")
    .path("tag", "The tag, in any case.")
    .body::<TagName>()
    .reply::<RetagReply>(200, "The changed entries.")
    .codes(&WRITE_CODES)
}

pub fn remove_operation() -> Operation {
    Operation::new("remove_tag", "collections", "Remove a tag from all entries")
        .describe("One change of all collections with the tag.")
        .path("tag", "The tag, in any case.")
        .reply::<RetagReply>(200, "The changed entries.")
        .codes(&WRITE_CODES)
}
