//! `POST /api/v1/collections/{id}/check-duplicates`: finds a work, or all duplicates, in a collection.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::dto::{self, DuplicateReply};
use super::transaction::{WRITE_CODES, change, known_collection, named_entries, read, versioned};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::collections::CollectionAction;
use citation_exchange::metadata::CitationMetadata;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post(
            "/api/v1/collections/{id}/check-duplicates",
            Action::Read,
            check,
        )
        .heavy()
        .documented(operation),
        route::post(
            "/api/v1/collections/{id}/not-duplicates",
            Action::Write,
            mark_distinct,
        )
        .documented(distinct_operation),
    ]
}

/// The most entries of one request: each pair is noted.
const MAX_DISTINCT: usize = 20;

/// Entries that are different works, although they look the same.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"entry_ids": ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]}))]
pub struct DistinctRequest {
    /// UUIDs; each is another work than each other.
    #[schema(min_items = 2, max_items = 20)]
    entry_ids: Vec<String>,
    /// Whether this is taken back; default false.
    #[serde(default)]
    undo: bool,
}

/// `POST /api/v1/collections/{id}/not-duplicates`.
pub fn mark_distinct(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let request: DistinctRequest = context.json()?;
    let mut uids = named_entries(&request.entry_ids);
    uids.sort_unstable();
    uids.dedup();
    if !(2..=MAX_DISTINCT).contains(&uids.len()) {
        let message = format!("must name 2 to {MAX_DISTINCT} different entries");
        return Err(ApiError::invalid_field("/entry_ids", &message));
    }
    change(context, |change| {
        change.set_distinct(&collection, &uids, !request.undo)
    })
    .map(|row| versioned(Reply::empty(), &row))
}

/// The work to find. Without a body, all duplicates of the collection are listed.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: metadata may also be the body itself"
)]
#[schema(example = json!({"metadata": {"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}}))]
pub struct DuplicateRequest {
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: Value,
}

/// The entries similar to a work.
#[derive(Serialize, ToSchema)]
pub struct DuplicatesReply {
    /// Whether one of them is the same work.
    is_duplicate: bool,
    /// Best first.
    duplicates: Vec<DuplicateReply>,
}

/// The works that a collection has more than once.
#[derive(Serialize, ToSchema)]
pub struct GroupsReply {
    /// UUIDs of the entries of each.
    groups: Vec<Vec<String>>,
}

/// `POST /api/v1/collections/{id}/check-duplicates`.
pub fn check(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::Read)?;
    let is_empty = context.body.iter().all(u8::is_ascii_whitespace);
    let members = if is_empty {
        Default::default()
    } else {
        context.json_object()?
    };
    let given = match members.get("metadata") {
        Some(Value::Object(metadata)) => dto::read_part(context, "/metadata", metadata),
        None | Some(Value::Null)
            if members.len() <= usize::from(members.contains_key("metadata")) =>
        {
            return read(context, |snapshot| {
                let row = snapshot.collection(&collection)?;
                let groups = snapshot.duplicate_groups(&row, &context.budget)?;
                Ok(Reply::json(&GroupsReply { groups }))
            });
        }
        Some(_) if members.contains_key("metadata") => {
            return Err(ApiError::invalid_field("/metadata", "must be an object"));
        }
        _ => dto::read_part(context, "", &members),
    };
    let (item, _) = given.map_err(ApiError::invalid_fields)?;
    read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        let found = snapshot.duplicates_of(&row, &item)?;
        Ok(Reply::json(&DuplicatesReply {
            is_duplicate: found.iter().any(|found| found.is_duplicate()),
            duplicates: dto::duplicates(&found),
        }))
    })
}

pub fn distinct_operation() -> Operation {
    Operation::new(
        "mark_not_duplicates",
        "collections",
        "Mark entries as different works",
    )
    .describe("`check-duplicates` no longer reports them as one work, until `undo`.")
    .path("id", "The collection's UUID.")
    .body::<DistinctRequest>()
    .reply_empty(204, "Noted.")
    .codes(&WRITE_CODES)
}

pub fn operation() -> Operation {
    Operation::new(
        "check_duplicates",
        "collections",
        "Find a work, or all duplicates",
    )
    .describe(
        "With metadata: the entries that may be the same work, with reasons. Without a \
             body the reply is `{groups}`: the works that the collection has more than once.",
    )
    .path("id", "The collection's UUID.")
    .optional_body::<DuplicateRequest>()
    .reply_either::<DuplicatesReply, GroupsReply>(200, "The similar entries, or the duplicates.")
    .codes(&[Code::NotFound])
}
