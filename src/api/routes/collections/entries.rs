//! Entries: add, read, change, replace, merge.

use std::collections::BTreeMap;

use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::dto::{self, CollectionEntry, DuplicateReply, SameWork};
use super::transaction::{
    ON_CONFLICT, WRITE_CODES, known_collection, known_entry, read, uid, versioned, write,
};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::validation::kind_of;
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::{Operation, one_of};
use crate::collections::CollectionAction;
use crate::collections::changes::FieldChange;
use crate::collections::combine::{IncomingRecord, Side, Strategy};
use crate::collections::compared::Compared;
use crate::collections::draft::{Annotations, Draft, Metadata};
use crate::collections::entries::{EntryPatch, OnDuplicate};
use crate::collections::entry::{Duplicate, Entry};
use crate::collections::input;
use crate::collections::{Change, CollectionError};
use crate::store::collections::CollectionRow;
use citation_exchange::metadata::{self, CitationMetadata};
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::variable::TextVar;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/collections/{id}/entries", Action::Write, add)
            .idempotent()
            .documented(add_operation),
        route::post(
            "/api/v1/collections/{id}/entries/batch",
            Action::Write,
            add_batch,
        )
        .idempotent()
        .documented(add_batch_operation),
        route::get("/api/v1/collections/{id}/entries/{eid}", Action::Read, get)
            .documented(get_operation),
        route::patch(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            annotate,
        )
        .documented(annotate_operation),
        route::put(
            "/api/v1/collections/{id}/entries/{eid}/metadata",
            Action::Write,
            replace,
        )
        .documented(replace_operation),
        route::post(
            "/api/v1/collections/{id}/entries/{eid}/undo",
            Action::Write,
            undo,
        )
        .idempotent()
        .documented(undo_operation),
        route::post(
            "/api/v1/collections/{id}/entries/{eid}/merge",
            Action::Write,
            merge,
        )
        .idempotent()
        .documented(merge_operation),
    ]
}

/// The request body for a new entry.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: metadata may also be the body itself"
)]
#[schema(example = json!({"metadata": {"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}, "note": "To read", "tags": ["theory"]}))]
pub struct EntryRequest {
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: Value,
    /// At most 10,000 characters.
    note: Option<String>,
    tags: Option<Vec<String>>,
    /// Default: `retracted` or `possible_duplicate` if known, `needs_review`
    /// if there are warnings, else `clean`.
    #[schema(schema_with = review_statuses)]
    review_status: Option<String>,
}

/// A new entry, and similar ones.
#[derive(Serialize, ToSchema)]
pub struct AddedReply {
    #[serde(flatten)]
    #[schema(value_type = CollectionEntry)]
    entry: BTreeMap<String, Box<RawValue>>,
    /// Similar entries of the collection, best first.
    duplicates: Vec<DuplicateReply>,
    /// Corrected values: `{code, field, message}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::EntryWarning>)]
    warnings: Vec<Value>,
}

/// The entries to add.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}]}))]
pub struct EntryBatchRequest {
    /// Metadata, or `{metadata, note?, tags?, review_status?}`; at most 1,000.
    #[schema(value_type = Vec<CitationMetadata<'static>>, min_items = 1)]
    entries: Vec<Value>,
}

/// The result of a batch.
#[derive(Serialize, ToSchema)]
pub struct EntryBatchReply {
    #[schema(value_type = Vec<CollectionEntry>)]
    added: Vec<Box<RawValue>>,
    count: usize,
    /// The entries that could not be added.
    errors: Vec<BatchError>,
    /// The works that already have an entry.
    duplicates: Vec<SameWork>,
}

#[derive(Serialize, ToSchema)]
pub struct BatchError {
    /// Position in the request, from 0.
    index: usize,
    error: &'static str,
    message: String,
    /// JSON pointer of the first error.
    field: String,
}

/// Changes to an entry besides its metadata. Null clears the note.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"note": "Read", "tags": ["theory"]}))]
pub struct EntryChange {
    #[serde(default, deserialize_with = "dto::present")]
    pub note: Option<Option<String>>,
    pub tags: Option<Vec<String>>,
    #[schema(schema_with = review_statuses)]
    pub review_status: Option<String>,
}

fn review_statuses() -> Object {
    one_of(ReviewStatus::ALL.map(ReviewStatus::as_str))
}

/// Metadata to merge into an entry.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: metadata may also be the body itself"
)]
#[schema(example = json!({"metadata": {"doi": "10.1002/j.1538-7305.1948.tb01338.x"}, "strategy": {"doi": "theirs"}}))]
pub struct EntryMergeRequest {
    /// Optional if `delete_entry_id` names an entry to take it from.
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Option<Value>,
    /// `fill` (only missing fields), `overwrite`, or `theirs` and `ours` by field:
    /// `{"title": "theirs"}`; other fields are filled.
    #[schema(schema_with = crate::api::openapi::schemas::strategies)]
    strategy: Option<Value>,
    /// Another entry of the collection, which is deleted. Its note and tags are appended.
    delete_entry_id: Option<String>,
}

/// The result of a merge.
#[derive(Serialize, ToSchema)]
pub struct EntryMergeReply {
    #[schema(value_type = CollectionEntry)]
    entry: Box<RawValue>,
    changes: Vec<ChangeReply>,
}

/// One differing field. Null: absent.
#[derive(Serialize, ToSchema)]
pub struct ChangeReply {
    field: String,
    /// `entry` for the entry's own `note` and `tags`; absent for fields of the metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    from: Value,
    to: Value,
}

impl From<FieldChange> for ChangeReply {
    fn from(change: FieldChange) -> ChangeReply {
        ChangeReply {
            field: change.field,
            of: None,
            from: change.from,
            to: change.to,
        }
    }
}

/// `POST /api/v1/collections/{id}/entries`: 201 with the entry.
pub fn add(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let body = Value::Object(context.json_object()?);
    let on_duplicate = on_duplicate(context)?;
    let given = dto::read_entry(context, "", &body).map_err(ApiError::invalid_fields)?;
    let new = prepare(context, &collection, given.item, given.annotations)?;
    let job =
        |change: &Change<'_>| change.add(&collection, &new.draft, &new.compared, on_duplicate);
    write(context, job, |(row, added)| {
        let entry = dto::entry(&added.entry);
        let body = AddedReply {
            entry: serde_json::from_str(entry.get()).unwrap_or_default(),
            duplicates: dto::duplicates(&added.duplicates),
            warnings: given.warnings,
        };
        let reply = versioned(Reply::json(&body), &row);
        if !added.is_new {
            return reply;
        }
        let location = format!(
            "{}/entries/{}",
            dto::path_of(&row),
            added.entry.stored.row.uid
        );
        reply
            .with_status(StatusCode::CREATED)
            .with_header("location", location)
    })
}

/// An entry ready to be added, and the similar entries of the collection.
pub struct PreparedEntry {
    pub draft: Draft,
    pub compared: Compared<Vec<Duplicate>>,
}

/// Prepares an entry.
pub fn prepare(
    context: &RequestContext,
    collection: &str,
    item: Item,
    annotations: Annotations,
) -> Result<PreparedEntry, ApiError> {
    let draft = context.app.collections.draft(item, annotations)?;
    let compared = read(context, |snapshot| {
        snapshot.compare_one(collection, &draft.item)
    })?;
    Ok(PreparedEntry { draft, compared })
}

/// The values of `on_duplicate`.
pub const ON_DUPLICATE: [&str; 3] = ["add", "skip", "error"];

/// How to handle works that already have an entry.
pub fn on_duplicate(context: &RequestContext) -> Result<OnDuplicate, ApiError> {
    match context.query.get("on_duplicate") {
        None | Some("add") => Ok(OnDuplicate::Add),
        Some("skip") => Ok(OnDuplicate::Skip),
        Some("error") => Ok(OnDuplicate::Refuse),
        Some(other) => {
            let message = format!("on_duplicate is add, skip or error, not “{other}”.");
            Err(ApiError::invalid_parameter("on_duplicate", message))
        }
    }
}

/// `POST /api/v1/collections/{id}/entries/batch`.
pub fn add_batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let request: EntryBatchRequest = context.json()?;
    let on_duplicate = on_duplicate(context)?;
    let (mut drafts, mut places, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (index, value) in request.entries.iter().enumerate() {
        match dto::read_entry(context, &format!("/entries/{index}"), value) {
            Ok(given) => {
                drafts.push(
                    context
                        .app
                        .collections
                        .draft(given.item, given.annotations)?,
                );
                places.push(index);
            }
            Err(found) => faults.push((index, found)),
        }
    }
    if drafts.is_empty() {
        let all = faults.into_iter().flat_map(|(_, found)| found).collect();
        return Err(ApiError::invalid_fields(all));
    }
    let compared = read(context, |snapshot| snapshot.compare(&collection, &drafts))?;
    // Positions refer to the request, including unreadable entries.
    let place = |(index, uid): (usize, String)| (places.get(index).copied().unwrap_or(index), uid);
    let job = |change: &Change<'_>| {
        let result = change.add_many(&collection, &drafts, &compared, on_duplicate);
        result.map_err(|error| match error {
            CollectionError::Duplicates(found) => {
                CollectionError::Duplicates(found.into_iter().map(place).collect())
            }
            other => other,
        })
    };
    write(context, job, |(row, result)| {
        let body = EntryBatchReply {
            count: result.added.len(),
            added: result.added.iter().map(dto::entry).collect(),
            errors: faults.iter().filter_map(batch_error).collect(),
            duplicates: dto::same_works(result.duplicates.into_iter().map(place)),
        };
        versioned(Reply::json(&body).with_status(StatusCode::CREATED), &row)
    })
}

fn batch_error((index, faults): &(usize, Vec<FieldFault>)) -> Option<BatchError> {
    let first = faults.first()?;
    Some(BatchError {
        index: *index,
        error: Code::ValidationFailed.as_str(),
        message: first.sentence(),
        field: first.field.clone(),
    })
}

/// `GET /api/v1/collections/{id}/entries/{eid}`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = (uid(context, "id"), uid(context, "eid"));
    read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        let mut entry = snapshot.entry(&row, &entry)?;
        if context.query.get("include") == Some("abstract") {
            snapshot.add_abstract(&mut entry)?;
        }
        Ok(entry_reply(&row, &entry))
    })
}

/// An entry, with the version of its collection.
pub fn entry_reply(row: &CollectionRow, entry: &Entry) -> Reply {
    versioned(Reply::json(&dto::entry(entry)), row)
}

/// `PATCH /api/v1/collections/{id}/entries/{eid}`.
pub fn annotate(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = known_entry(context)?;
    let request: EntryChange = context.json()?;
    let patch = read_patch(context, &request)?;
    write(
        context,
        |change| change.annotate(&collection, &entry, patch),
        |(row, entry)| entry_reply(&row, &entry),
    )
}

/// Reads the changes to an entry besides its metadata.
pub fn read_patch(
    context: &RequestContext,
    request: &EntryChange,
) -> Result<EntryPatch, FieldFault> {
    let limits = context.app.collections.limits();
    let status = request.review_status.as_deref();
    Ok(EntryPatch {
        note: request
            .note
            .as_ref()
            .map(|text| input::note("/note", text.as_deref(), limits))
            .transpose()?,
        tags: request
            .tags
            .as_ref()
            .map(|tags| input::tags("/tags", tags, limits))
            .transpose()?,
        review_status: status
            .map(|text| dto::read_status("/review_status", text))
            .transpose()?,
    })
}

/// `PUT /api/v1/collections/{id}/entries/{eid}/metadata`.
pub fn replace(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = known_entry(context)?;
    let metadata = read_metadata(context, (&collection, &entry), &context.json_object()?)?;
    let collections = &context.app.collections;
    write(
        context,
        |change| change.replace(collections, (&collection, &entry), &metadata),
        |(row, entry)| entry_reply(&row, &entry),
    )
}

/// A change to take back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"version": 1}))]
pub struct UndoRequest {
    /// The number, in the entry's history, of the version that the change replaced.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    version: i64,
}

/// `POST /api/v1/collections/{id}/entries/{eid}/undo`.
pub fn undo(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = known_entry(context)?;
    let request: UndoRequest = context.json()?;
    let collections = &context.app.collections;
    write(
        context,
        |change| change.undo(collections, (&collection, &entry), request.version),
        |(row, entry)| entry_reply(&row, &entry),
    )
}

pub fn undo_operation() -> Operation {
    Operation::new("undo_entry_change", "collections", "Take back one change of an entry")
        .describe(
            "The fields of the change get their earlier values; what was changed later stays. If a later \
             change touched the same fields, the answer is 412 with the conflicts.",
        )
        .path("id", "The collection's UUID.")
        .path("eid", "The entry's UUID.")
        .body::<UndoRequest>()
        .reply::<CollectionEntry>(200, "The entry.")
        .codes(&WRITE_CODES)
}

/// Reads metadata that replaces an entry's.
pub fn read_metadata(
    context: &RequestContext,
    (collection, entry): (&str, &str),
    members: &Map<String, Value>,
) -> Result<Metadata, ApiError> {
    let given = match members.get("metadata") {
        None => dto::read_metadata(context, "", members),
        Some(Value::Object(metadata)) => dto::read_metadata(context, "/metadata", metadata),
        Some(other) => return Err(not_metadata(other)),
    };
    let (item, _) = given.map_err(ApiError::invalid_fields)?;
    check_key(context, (collection, entry), members, &item)?;
    Ok(context.app.collections.metadata(item)?)
}

/// Whether the citation key of new metadata is the entry's own, or may be set.
fn check_key(
    context: &RequestContext,
    (collection, entry): (&str, &str),
    members: &Map<String, Value>,
    item: &Item,
) -> Result<(), ApiError> {
    let pointer = match members.get("metadata") {
        None => "",
        Some(_) => "/metadata",
    };
    if dto::check_key(pointer, item, &[]).is_ok() {
        return Ok(());
    }
    let (present, formers) = read(context, |snapshot| {
        let row = snapshot.collection(collection)?;
        Ok((snapshot.entry(&row, entry)?, snapshot.history(&row, entry)?))
    })?;
    let formers = formers.iter().map(|former| &former.version.item);
    let known: Vec<&str> = formers
        .filter_map(|item| item.text(TextVar::CitationKey))
        .chain(present.stored.row.citation_key.as_deref())
        .collect();
    Ok(dto::check_key(pointer, item, &known)?)
}

fn not_metadata(value: &Value) -> ApiError {
    let message = format!("must be an object, not {}", kind_of(value));
    ApiError::invalid_field("/metadata", message)
}

/// `POST /api/v1/collections/{id}/entries/{eid}/merge`.
pub fn merge(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = known_entry(context)?;
    let mut members = context.json_object()?;
    let strategy = match members.remove("strategy") {
        None | Some(Value::Null) => Strategy::Fill,
        Some(value) => read_strategy(&value)?,
    };
    let other = match members.remove("delete_entry_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(uid)) => Some(uid.to_ascii_lowercase()),
        Some(_) => return Err(ApiError::invalid_field("/delete_entry_id", "must be text")),
    };
    let theirs = read_incoming(context, &members, other.is_some())?;
    if let Some(theirs) = &theirs {
        check_key(context, (&collection, &entry), &members, &theirs.item)?;
    }
    let job = |change: &Change<'_>| {
        change.combine(
            &context.app.collections,
            (&collection, &entry),
            theirs.as_ref(),
            &strategy,
            other.as_deref(),
        )
    };
    write(context, job, |combined| {
        let changes = combined.changes.into_iter().map(ChangeReply::from);
        let beside = combined.beside.into_iter().map(|change| ChangeReply {
            of: Some("entry"),
            ..ChangeReply::from(change)
        });
        let body = EntryMergeReply {
            entry: dto::entry(&combined.entry),
            changes: changes.chain(beside).collect(),
        };
        versioned(Reply::json(&body), &combined.collection)
    })
}

/// The metadata to merge; it may be incomplete.
fn read_incoming(
    context: &RequestContext,
    members: &Map<String, Value>,
    has_other: bool,
) -> Result<Option<IncomingRecord>, ApiError> {
    let (pointer, metadata) = match members.get("metadata") {
        Some(Value::Object(metadata)) => ("/metadata", metadata),
        Some(Value::Null) | None
            if members.len() <= usize::from(members.contains_key("metadata")) =>
        {
            if has_other {
                return Ok(None);
            }
            return Err(ApiError::invalid_field("/metadata", "is missing"));
        }
        None => ("", members),
        Some(other) => return Err(not_metadata(other)),
    };
    let given = dto::read_part(context, pointer, metadata);
    let (item, _) = given.map_err(ApiError::invalid_fields)?;
    Ok(Some(IncomingRecord {
        item,
        names_type: metadata::names_type(metadata),
    }))
}

fn read_strategy(value: &Value) -> Result<Strategy, ApiError> {
    let side = |value: &Value| match value.as_str() {
        Some("theirs") => Some(Side::IncomingRecord),
        Some("ours") => Some(Side::Ours),
        _ => None,
    };
    let strategy = match value {
        Value::String(text) if text == "fill" => Some(Strategy::Fill),
        Value::String(text) if text == "overwrite" => Some(Strategy::Overwrite),
        Value::Object(fields) => fields
            .iter()
            .map(|(field, value)| Some((field.clone(), side(value)?)))
            .collect::<Option<BTreeMap<_, _>>>()
            .map(Strategy::Fields),
        _ => None,
    };
    strategy.ok_or_else(|| {
        let message = "must be “fill”, “overwrite”, or “theirs” and “ours” by field";
        ApiError::invalid_field("/strategy", message)
    })
}

pub fn add_operation() -> Operation {
    Operation::new("add_entry", "collections", "Add an entry")
        .describe(
            "The metadata must have a title, a DOI, an ISBN or an address. A work that \
             already exists is also added, as `possible_duplicate` unless `review_status` is given, \
             and similar entries are listed.",
        )
        .path("id", "The collection's UUID.")
        .query_choice(
            "on_duplicate",
            ON_DUPLICATE,
            "`skip` returns the existing entry instead, with 200; `error` fails with 409.",
        )
        .body::<EntryRequest>()
        .reply::<AddedReply>(201, "The entry.")
        .codes(&WRITE_CODES)
        .codes(&[Code::EntryLimitReached, Code::Conflict])
}

pub fn add_batch_operation() -> Operation {
    Operation::new("add_entries", "collections", "Add up to 1,000 entries")
        .describe(
            "Invalid entries are listed, the others added. If the plan's limit does not allow all of \
             them, none is added.",
        )
        .path("id", "The collection's UUID.")
        .query_choice("on_duplicate", ON_DUPLICATE, "`skip` skips existing works; `error` fails with 409.")
        .body::<EntryBatchRequest>()
        .reply::<EntryBatchReply>(201, "The entries.")
        .codes(&WRITE_CODES)
        .codes(&[Code::EntryLimitReached, Code::Conflict])
}

pub fn get_operation() -> Operation {
    Operation::new("get_entry", "collections", "One entry")
        .path("id", "The collection's UUID.")
        .path("eid", "The entry's UUID.")
        .query("include", "`abstract` adds the abstract.")
        .reply::<CollectionEntry>(200, "The entry.")
        .codes(&[Code::NotFound])
        .conditional()
}

pub fn annotate_operation() -> Operation {
    Operation::new(
        "update_entry",
        "collections",
        "Change note, tags or review status",
    )
    .path("id", "The collection's UUID.")
    .path("eid", "The entry's UUID.")
    .query_choice(
        "on_conflict",
        ON_CONFLICT,
        "If `If-Match` names an older version: `refuse` (default), or `merge` if nobody else has changed \
         the same fields; if somebody has, the error 412 lists them in `conflicts`.",
    )
    .body::<EntryChange>()
    .reply::<CollectionEntry>(200, "The entry.")
    .codes(&WRITE_CODES)
}

pub fn replace_operation() -> Operation {
    Operation::new(
        "replace_metadata",
        "collections",
        "Replace an entry's metadata",
    )
    .describe("The body is the metadata, or `{metadata}`.")
    .path("id", "The collection's UUID.")
    .path("eid", "The entry's UUID.")
    .query_choice(
        "on_conflict",
        ON_CONFLICT,
        "If `If-Match` names an older version: `refuse` (default), or `merge` if nobody else has changed \
         the same fields; if somebody has, the error 412 lists them in `conflicts`.",
    )
    .body::<CitationMetadata<'static>>()
    .reply::<CollectionEntry>(200, "The entry.")
    .codes(&WRITE_CODES)
    .codes(&[Code::InvalidParameter])
}

pub fn merge_operation() -> Operation {
    Operation::new(
        "merge_metadata",
        "collections",
        "Merge metadata into an entry",
    )
    .describe(
        "A type that the metadata does not name is not merged. `changes` lists the changes to the \
         metadata and, if another entry was merged in, to `note` and `tags`.",
    )
    .path("id", "The collection's UUID.")
    .path("eid", "The entry's UUID.")
    .body::<EntryMergeRequest>()
    .reply::<EntryMergeReply>(200, "The entry, and the changes.")
    .codes(&WRITE_CODES)
}
