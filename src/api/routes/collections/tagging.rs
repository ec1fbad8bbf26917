//! Changes the tags of many entries at once.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::transaction::{WRITE_CODES, known_collection, named_entries, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::collections::CollectionAction;
use crate::collections::input;
use crate::collections::removal::Changed;
use crate::collections::tagging::TagChange;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post(
            "/api/v1/collections/{id}/entries/batch-tag",
            Action::Write,
            tag_batch,
        )
        .idempotent()
        .documented(operation),
    ]
}

/// The entries, and the tags to add and remove. Case is ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"entry_ids": ["00000000-0000-4000-8000-000000000001"], "add": ["theory"]}))]
pub struct TagEntriesRequest {
    /// UUIDs, at most 1,000.
    #[schema(min_items = 1)]
    entry_ids: Vec<String>,
    /// Appended to an entry's tags.
    #[serde(default)]
    add: Vec<String>,
    /// Removed before the others are added.
    #[serde(default)]
    remove: Vec<String>,
}

/// The result.
#[derive(Serialize, ToSchema)]
pub struct TagEntriesReply {
    entries: Vec<TaggedEntry>,
    /// UUIDs of unknown entries.
    missing: Vec<String>,
}

/// The entry's tags after the change.
#[derive(Serialize, ToSchema)]
pub struct TaggedEntry {
    id: String,
    tags: Vec<String>,
}

/// `POST /api/v1/collections/{id}/entries/batch-tag`.
pub fn tag_batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let request: TagEntriesRequest = context.json()?;
    let uids = named_entries(&request.entry_ids);
    let limits = context.app.collections.limits();
    let tags = TagChange {
        add: input::tags("/add", &request.add, limits)?,
        remove: input::tags("/remove", &request.remove, limits)?,
        most: limits.tags as usize,
    };
    if tags.add.is_empty() && tags.remove.is_empty() {
        return Err(ApiError::invalid_field(
            "/add",
            "names no tag, nor does `remove`",
        ));
    }
    write(
        context,
        |change| change.tag_many(&collection, &uids, &tags),
        reply,
    )
}

fn reply(changed: Changed) -> Reply {
    let entries = changed.entries.into_iter().map(|row| TaggedEntry {
        id: row.uid,
        tags: row.tags,
    });
    let body = TagEntriesReply {
        entries: entries.collect(),
        missing: changed.missing,
    };
    versioned(Reply::json(&body), &changed.collection)
}

pub fn operation() -> Operation {
    Operation::new("tag_entries", "collections", "Tag up to 1,000 entries")
        .describe(
            "One change: all of the entries are tagged, or none if one would have too many tags, \
             and the collection gets one new version.",
        )
        .path("id", "The collection's UUID.")
        .body::<TagEntriesRequest>()
        .reply::<TagEntriesReply>(200, "The entries' tags after the change.")
        .codes(&WRITE_CODES)
}
