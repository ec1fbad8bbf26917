//! `/api/v1/shared/{token}/entries`: changes of entries by whoever has a link that allows them.

use http::StatusCode;
use serde_json::{Map, Value};

use super::dto::{self, CollectionEntry};
use super::entries::{EntryChange, EntryRequest, read_patch};
use super::transaction::{change_by_link, known_by_link, uid, versioned};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::collections::compared::Compared;
use crate::collections::entries::OnDuplicate;
use crate::collections::entry::Entry;
use crate::collections::{Change, CollectionAction, CollectionError};
use crate::store::collections::CollectionRow;
use citation_exchange::metadata::CitationMetadata;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/shared/{token}/entries", Action::Public, add)
            .documented(add_operation),
        route::patch(
            "/api/v1/shared/{token}/entries/{eid}",
            Action::Public,
            annotate,
        )
        .documented(annotate_operation),
        route::put(
            "/api/v1/shared/{token}/entries/{eid}/metadata",
            Action::Public,
            replace,
        )
        .documented(replace_operation),
        route::delete(
            "/api/v1/shared/{token}/entries/{eid}",
            Action::Public,
            delete,
        )
        .documented(delete_operation),
        route::post(
            "/api/v1/shared/{token}/entries/{eid}/restore",
            Action::Public,
            restore,
        )
        .documented(restore_operation),
    ]
}

/// `POST /api/v1/shared/{token}/entries`: 201 with the entry.
pub fn add(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known(context)?;
    let body = Value::Object(context.json_object()?);
    let has_note = body.get("metadata").is_some() && body.get("note").is_some_and(Value::is_string);
    check_note(&row, has_note)?;
    let given = dto::read_entry(context, "", &body).map_err(ApiError::invalid_fields)?;
    let collections = &context.app.collections;
    let draft = collections.draft(given.item, given.annotations)?;
    let (row, entry) = change_by_link(context, |change| {
        let nothing = Compared::nothing();
        let (row, added) = change.add(&row.uid, &draft, &nothing, OnDuplicate::Add)?;
        Ok((row, change.shown_by_link(added.entry)?))
    })?;
    Ok(entry_reply(&row, &entry).with_status(StatusCode::CREATED))
}

/// `PATCH /api/v1/shared/{token}/entries/{eid}`.
pub fn annotate(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known(context)?;
    let request: EntryChange = context.json()?;
    check_note(&row, request.note.is_some())?;
    let patch = read_patch(context, &request)?;
    changed(context, |change, entry| {
        change.annotate(&row.uid, entry, patch)
    })
}

/// `PUT /api/v1/shared/{token}/entries/{eid}/metadata`.
pub fn replace(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known(context)?;
    let members = context.json_object()?;
    let (pointer, metadata) = match members.get("metadata") {
        None => ("", &members),
        Some(Value::Object(metadata)) => ("/metadata", metadata),
        Some(_) => return Err(ApiError::invalid_field("/metadata", "must be an object")),
    };
    let metadata = read_metadata(context, pointer, metadata)?;
    changed(context, |change, entry| {
        change.replace(&context.app.collections, (&row.uid, entry), &metadata)
    })
}

fn read_metadata(
    context: &RequestContext,
    pointer: &str,
    members: &Map<String, Value>,
) -> Result<crate::collections::draft::Metadata, ApiError> {
    let given = dto::read_metadata(context, pointer, members);
    let (item, _) = given.map_err(ApiError::invalid_fields)?;
    Ok(context.app.collections.metadata(item)?)
}

/// `DELETE /api/v1/shared/{token}/entries/{eid}`: 204. It can be restored for some time.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let (row, entry) = (known(context)?, uid(context, "eid"));
    let row = change_by_link(context, |change| change.remove(&row.uid, &entry))?;
    Ok(versioned(Reply::empty(), &row))
}

/// `POST /api/v1/shared/{token}/entries/{eid}/restore`.
pub fn restore(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known(context)?;
    changed(context, |change, entry| {
        change.restore_entry(&row.uid, entry)
    })
}

fn known(context: &RequestContext) -> Result<CollectionRow, ApiError> {
    known_by_link(context, CollectionAction::EditEntries)
}

/// A note is written only by a link that shows notes.
fn check_note(row: &CollectionRow, has_note: bool) -> Result<(), ApiError> {
    if has_note && !row.share.as_ref().is_some_and(|share| share.with_notes) {
        return Err(ApiError::invalid_field(
            "/note",
            "cannot be set by this link, which does not show notes",
        ));
    }
    Ok(())
}

/// Changes the entry in the path, and shows it.
fn changed(
    context: &RequestContext,
    job: impl FnOnce(&Change<'_>, &str) -> Result<(CollectionRow, Entry), CollectionError>,
) -> Result<Reply, ApiError> {
    let entry = uid(context, "eid");
    let (row, entry) = change_by_link(context, |change| {
        let (row, entry) = job(change, &entry)?;
        Ok((row, change.shown_by_link(entry)?))
    })?;
    Ok(entry_reply(&row, &entry))
}

fn entry_reply(row: &CollectionRow, entry: &Entry) -> Reply {
    versioned(Reply::json(&dto::entry(entry)), row)
}

/// The errors of changes by a link.
const LINK_CODES: [Code; 5] = [
    Code::Forbidden,
    Code::CsrfFailed,
    Code::NotFound,
    Code::PreconditionFailed,
    Code::ValidationFailed,
];

fn operation(id: &'static str, summary: &'static str) -> Operation {
    Operation::new(id, "collections", summary)
        .describe(
            "Open to everyone with a link that allows changes (`can_edit`, if `sharing.edit_links` is on). The \
             limits are those of the owner, and the history names nobody. Parts that the link does not show \
             stay as they are.",
        )
        .path("token", "The share token.")
        .codes(&LINK_CODES)
}

pub fn add_operation() -> Operation {
    operation("add_shared_entry", "Add an entry by a link")
        .body::<EntryRequest>()
        .reply::<CollectionEntry>(201, "The entry.")
        .codes(&[Code::EntryLimitReached])
}

pub fn annotate_operation() -> Operation {
    operation(
        "update_shared_entry",
        "Change tags, review status or note by a link",
    )
    .path("eid", "The entry's UUID.")
    .body::<EntryChange>()
    .reply::<CollectionEntry>(200, "The entry.")
}

pub fn replace_operation() -> Operation {
    operation(
        "replace_shared_metadata",
        "Replace an entry's metadata by a link",
    )
    .path("eid", "The entry's UUID.")
    .body::<CitationMetadata<'static>>()
    .reply::<CollectionEntry>(200, "The entry.")
}

pub fn delete_operation() -> Operation {
    operation("delete_shared_entry", "Delete an entry by a link")
        .path("eid", "The entry's UUID.")
        .reply_empty(204, "Deleted. It can be restored for 30 days.")
}

pub fn restore_operation() -> Operation {
    operation("restore_shared_entry", "Restore a deleted entry by a link")
        .path("eid", "The entry's UUID.")
        .reply::<CollectionEntry>(200, "The entry.")
        .codes(&[Code::EntryLimitReached])
}
