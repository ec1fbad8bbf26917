//! Earlier versions of an entry's metadata.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::entries::ChangeReply;
use super::transaction::{read, uid, versioned};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::{Operation, one_of};
use crate::clock::iso8601;
use crate::collections::history::PreviousVersion;
use crate::collections::shown;
use crate::store::collections::Cause;
use citation_exchange::metadata::CitationMetadata;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get(
            "/api/v1/collections/{id}/entries/{eid}/history",
            Action::Read,
            list,
        )
        .documented(operation),
    ]
}

/// An earlier version of an entry's metadata.
#[derive(Serialize, ToSchema)]
pub struct VersionReply {
    /// The number of the version, from 1.
    version: i64,
    /// When the next version replaced it.
    replaced_at: String,
    /// The origin of the next version: replaced metadata, a merge, or a restored earlier
    /// version.
    #[schema(schema_with = causes)]
    cause: &'static str,
    /// The name of who replaced it; null: unknown, or an account that no longer exists.
    by: Option<String>,
    /// The changes of the next version, as in a merge.
    changes: Vec<ChangeReply>,
    /// The metadata of this version, with its abstract.
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: Box<RawValue>,
}

fn causes() -> Object {
    one_of(Cause::ALL.map(Cause::as_str))
}

/// `GET /api/v1/collections/{id}/entries/{eid}/history`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, entry) = (uid(context, "id"), uid(context, "eid"));
    read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        let history = snapshot.history(&row, &entry)?;
        Ok(versioned(Reply::json(&versions(history)), &row))
    })
}

pub fn versions(history: Vec<PreviousVersion>) -> Vec<VersionReply> {
    history.into_iter().map(VersionReply::from).collect()
}

impl From<PreviousVersion> for VersionReply {
    fn from(PreviousVersion { version, changes }: PreviousVersion) -> VersionReply {
        let metadata = shown::with_abstract(&version.item);
        VersionReply {
            version: version.number,
            replaced_at: iso8601(version.replaced_at),
            cause: version.cause.as_str(),
            by: version.by,
            changes: changes.into_iter().map(ChangeReply::from).collect(),
            metadata: RawValue::from_string(metadata).unwrap_or_default(),
        }
    }
}

pub fn operation() -> Operation {
    Operation::new("get_entry_history", "collections", "List the earlier versions of an entry")
        .describe(
            "Newest first: its metadata before each change, with the time of the change, its \
             origin and the differences. The newest 20 versions of an entry are kept, unless the server \
             is configured otherwise. To restore one, replace the entry's metadata with it.",
        )
        .path("id", "The collection's UUID.")
        .path("eid", "The entry's UUID.")
        .reply_list::<VersionReply>(200, "The earlier versions.")
        .codes(&[Code::NotFound])
        .conditional()
}
