//! The order of the entries of a collection.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::transaction::{WRITE_CODES, known_collection, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::collections::CollectionAction;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::patch("/api/v1/collections/{id}/reorder", Action::Write, reorder)
            .documented(operation),
    ]
}

/// An order of entries.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"entry_ids": ["00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000001"]}))]
pub struct EntryOrder {
    /// UUIDs.
    entry_ids: Vec<String>,
}

/// `PATCH /api/v1/collections/{id}/reorder`.
pub fn reorder(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let request: EntryOrder = context.json()?;
    write(
        context,
        |change| change.reorder(&collection, &request.entry_ids),
        |(row, entry_ids)| versioned(Reply::json(&EntryOrder { entry_ids }), &row),
    )
}

pub fn operation() -> Operation {
    Operation::new("reorder_entries", "collections", "Reorder entries")
        .describe(
            "The listed entries come first, the others follow in their old order. An unknown or \
             repeated entry is an error, and nothing is changed.",
        )
        .path("id", "The collection's UUID.")
        .body::<EntryOrder>()
        .reply::<EntryOrder>(200, "All entries in the new order.")
        .codes(&WRITE_CODES)
}
