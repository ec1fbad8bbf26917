//! `POST /api/v1/collections/batch-move`: moves entries from one collection to another.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::dto::{self, CollectionSummary};
use super::transaction::{WRITE_CODES, named_entries, read, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::{Operation, one_of};
use crate::collections::Change;
use crate::collections::moving::Move;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post(
            "/api/v1/collections/batch-move",
            Action::PaidWrite,
            batch_move,
        )
        .idempotent()
        .documented(operation),
    ]
}

/// The entries, the source and the target of a move.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"source_collection_id": "00000000-0000-4000-8000-00000000000a", "target_collection_id": "00000000-0000-4000-8000-00000000000b", "entry_ids": ["00000000-0000-4000-8000-000000000001"], "copy": true}))]
pub struct MoveRequest {
    #[serde(alias = "from")]
    source_collection_id: String,
    #[serde(alias = "to")]
    target_collection_id: String,
    /// UUIDs, in their order in the target; at most 1,000.
    #[schema(min_items = 1)]
    entry_ids: Vec<String>,
    /// `move` (the default), or `skip` to skip works that the target already has.
    #[schema(schema_with = on_duplicate)]
    on_duplicate: Option<String>,
    /// Whether the source keeps the entries.
    #[serde(default)]
    copy: bool,
}

fn on_duplicate() -> Object {
    one_of(["move", "skip"])
}

/// The result of a move.
#[derive(Serialize, ToSchema)]
pub struct MoveReply {
    moved: usize,
    skipped: Vec<SkippedEntry>,
    source: CollectionSummary,
    target: CollectionSummary,
}

/// An entry that was not moved.
#[derive(Serialize, ToSchema)]
pub struct SkippedEntry {
    entry_id: String,
    /// `not_found`, `repeated` or `duplicate`.
    reason: &'static str,
}

/// `POST /api/v1/collections/batch-move`.
pub fn batch_move(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: MoveRequest = context.json()?;
    let entries = named_entries(&request.entry_ids);
    let skip_duplicates = match request.on_duplicate.as_deref() {
        None | Some("move") => false,
        Some("skip") => true,
        Some(_) => {
            return Err(ApiError::invalid_field(
                "/on_duplicate",
                "must be “move” or “skip”",
            ));
        }
    };
    let order = Move {
        source: request.source_collection_id.to_ascii_lowercase(),
        target: request.target_collection_id.to_ascii_lowercase(),
        entries,
        skip_duplicates,
        copy: request.copy,
    };
    let compared = read(context, |snapshot| snapshot.compare_move(&order))?;
    let job = |change: &Change<'_>| change.move_entries(&order, &compared);
    write(context, job, |moved| {
        let skipped = moved.skipped.into_iter();
        Reply::json(&MoveReply {
            moved: moved.moved,
            skipped: skipped
                .map(|(entry_id, reason)| SkippedEntry { entry_id, reason })
                .collect(),
            source: dto::summary(context, &moved.source),
            target: dto::summary(context, &moved.target),
        })
    })
}

pub fn operation() -> Operation {
    Operation::new(
        "move_entries",
        "collections",
        "Move or copy entries to another collection",
    )
    .describe(
        "Entries are appended to the target, in the order given. If the plan's limit does not \
             allow all of them, none is moved. `If-Match` refers to the source.",
    )
    .body::<MoveRequest>()
    .reply::<MoveReply>(200, "The moved entries, and both collections.")
    .codes(&WRITE_CODES)
    .codes(&[Code::EntryLimitReached])
}
