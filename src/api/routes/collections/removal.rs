//! Deleting and restoring entries, one or many.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto::CollectionEntry;
use super::entries::entry_reply;
use super::transaction::{WRITE_CODES, known_collection, named_entries, uid, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::collections::CollectionAction;
use crate::collections::removal::Changed;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post(
            "/api/v1/collections/{id}/entries/batch-delete",
            Action::Write,
            delete_batch,
        )
        .idempotent()
        .documented(delete_batch_operation),
        route::post(
            "/api/v1/collections/{id}/entries/batch-restore",
            Action::Write,
            restore_batch,
        )
        .idempotent()
        .documented(restore_batch_operation),
        route::delete(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            delete,
        )
        .documented(delete_operation),
        route::post(
            "/api/v1/collections/{id}/entries/{eid}/restore",
            Action::Write,
            restore,
        )
        .idempotent()
        .documented(restore_operation),
    ]
}

/// The entries of the request.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entry_ids": ["00000000-0000-4000-8000-000000000002"]}))]
pub struct EntriesRequest {
    /// UUIDs, at most 1,000.
    #[schema(min_items = 1)]
    entry_ids: Vec<String>,
}

/// The result.
#[derive(Serialize, ToSchema)]
pub struct EntriesReply {
    /// UUIDs of the deleted or restored entries.
    entry_ids: Vec<String>,
    /// UUIDs of unknown entries, or of entries that cannot be restored.
    missing: Vec<String>,
}

/// `DELETE /api/v1/collections/{id}/entries/{eid}`: 204. It can be restored for some time.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = (uid(context, "id"), uid(context, "eid"));
    write(
        context,
        |change| change.remove(&collection, &entry),
        |row| versioned(Reply::empty(), &row),
    )
}

/// `POST /api/v1/collections/{id}/entries/{eid}/restore`.
pub fn restore(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = (uid(context, "id"), uid(context, "eid"));
    write(
        context,
        |change| change.restore_entry(&collection, &entry),
        |(row, entry)| entry_reply(&row, &entry),
    )
}

/// `POST /api/v1/collections/{id}/entries/batch-delete`.
pub fn delete_batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, uids) = read_entries(context)?;
    write(
        context,
        |change| change.remove_many(&collection, &uids),
        changed_reply,
    )
}

/// `POST /api/v1/collections/{id}/entries/batch-restore`.
pub fn restore_batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, uids) = read_entries(context)?;
    write(
        context,
        |change| change.restore_many(&collection, &uids),
        changed_reply,
    )
}

/// The collection, and the entries named in the body.
fn read_entries(context: &RequestContext) -> Result<(String, Vec<String>), ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let request: EntriesRequest = context.json()?;
    Ok((collection, named_entries(&request.entry_ids)))
}

fn changed_reply(changed: Changed) -> Reply {
    let body = EntriesReply {
        entry_ids: changed.entries.into_iter().map(|row| row.uid).collect(),
        missing: changed.missing,
    };
    versioned(Reply::json(&body), &changed.collection)
}

pub fn delete_operation() -> Operation {
    Operation::new("delete_entry", "collections", "Delete an entry")
        .describe("It can be restored for 30 days.")
        .path("id", "The collection's UUID.")
        .path("eid", "The entry's UUID.")
        .reply_empty(204, "Deleted.")
        .codes(&WRITE_CODES)
}

pub fn restore_operation() -> Operation {
    Operation::new("restore_entry", "collections", "Restore a deleted entry")
        .path("id", "The collection's UUID.")
        .path("eid", "The entry's UUID.")
        .reply::<CollectionEntry>(200, "The entry.")
        .codes(&WRITE_CODES)
        .codes(&[Code::EntryLimitReached])
}

pub fn delete_batch_operation() -> Operation {
    Operation::new(
        "delete_entries",
        "collections",
        "Delete up to 1,000 entries",
    )
    .describe("One change: the collection gets one new version. They can be restored for 30 days.")
    .path("id", "The collection's UUID.")
    .body::<EntriesRequest>()
    .reply::<EntriesReply>(200, "The deleted entries.")
    .codes(&WRITE_CODES)
}

pub fn restore_batch_operation() -> Operation {
    Operation::new(
        "restore_entries",
        "collections",
        "Restore up to 1,000 deleted entries",
    )
    .describe("If the plan's limit does not allow all of them, none is restored.")
    .path("id", "The collection's UUID.")
    .body::<EntriesRequest>()
    .reply::<EntriesReply>(200, "The restored entries.")
    .codes(&WRITE_CODES)
    .codes(&[Code::EntryLimitReached])
}
