//! `POST /api/v1/collections/{id}/check-duplicates`: finds a work, or all duplicates, in a collection.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::dto::{self, DuplicateReply};
use super::transaction::{known_collection, read};
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
    ]
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
