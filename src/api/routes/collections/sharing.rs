//! Creating and revoking the link to a collection.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto;
use super::transaction::{WRITE_CODES, known_collection, uid, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use crate::collections::Change;
use crate::collections::CollectionAction;
use crate::collections::share::ShareOptions;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/collections/{id}/share", Action::Write, share)
            .idempotent()
            .documented(share_operation),
        route::delete("/api/v1/collections/{id}/share", Action::Write, revoke)
            .documented(revoke_operation),
    ]
}

/// Settings of a link. Absent members stay as they are.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({"include_notes": false}))]
pub struct ShareRequest {
    /// Whether the link also shows the notes; initially not.
    include_notes: Option<bool>,
    /// Whether whoever has the link may add, change and delete entries; initially not. Only if
    /// `sharing.edit_links` is on.
    can_edit: Option<bool>,
    /// ISO 8601; null: never, the initial value.
    #[schema(format = DateTime)]
    #[serde(default, deserialize_with = "dto::present")]
    expires_at: Option<Option<String>>,
    /// Whether to create a new link and revoke the current one.
    #[serde(default)]
    rotate: bool,
}

/// The link to a collection.
#[derive(Serialize, ToSchema)]
pub struct ShareReply {
    share_token: String,
    /// The page of the collection.
    share_url: String,
    /// ISO 8601, UTC.
    created_at: String,
    /// ISO 8601, UTC; null: never.
    expires_at: Option<String>,
    include_notes: bool,
    can_edit: bool,
}

/// `POST /api/v1/collections/{id}/share`: 201 with a new link, 200 with the existing one.
pub fn share(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::Share)?;
    let request: ShareRequest = context.json_or_default()?;
    let expires_at = match request.expires_at {
        None => None,
        Some(None) => Some(None),
        Some(Some(text)) => Some(Some(read_future(context, &text)?)),
    };
    let edit_links = context.app.collections.sharing().edit_links;
    if request.can_edit == Some(true) && !edit_links {
        let message = "is off on this server: its operator sets `sharing.edit_links`";
        return Err(ApiError::invalid_field("/can_edit", message));
    }
    let options = ShareOptions {
        with_notes: request.include_notes,
        can_edit: request.can_edit,
        expires_at,
        rotate: request.rotate,
    };
    let job = |change: &Change<'_>| change.share(&collection, options);
    write(context, job, |shared| {
        let body = ShareReply {
            share_url: dto::share_url(context, &shared.share.token),
            created_at: iso8601(shared.share.created_at),
            expires_at: shared.share.expires_at.map(iso8601),
            include_notes: shared.share.with_notes,
            can_edit: shared.share.can_edit && edit_links,
            share_token: shared.share.token,
        };
        let status = if shared.is_new {
            StatusCode::CREATED
        } else {
            StatusCode::OK
        };
        let reply = Reply::json(&body).with_status(status);
        versioned(reply, &shared.collection)
    })
}

fn read_future(context: &RequestContext, text: &str) -> Result<i64, ApiError> {
    let at = dto::read_time("/expires_at", text)?;
    if at <= context.app.clock.unix() {
        return Err(ApiError::invalid_field("/expires_at", "has passed"));
    }
    Ok(at)
}

/// `DELETE /api/v1/collections/{id}/share`: 204, also if there was no link.
pub fn revoke(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = uid(context, "id");
    write(
        context,
        |change| change.revoke_share(&collection),
        |row| versioned(Reply::empty(), &row),
    )
}

pub fn share_operation() -> Operation {
    Operation::new(
        "share_collection",
        "collections",
        "Share a collection by a link",
    )
    .path("id", "The collection's UUID.")
    .optional_body::<ShareRequest>()
    .reply::<ShareReply>(201, "The new link.")
    .reply::<ShareReply>(200, "The existing link.")
    .codes(&WRITE_CODES)
}

pub fn revoke_operation() -> Operation {
    Operation::new(
        "revoke_share",
        "collections",
        "Revoke the link to a collection",
    )
    .path("id", "The collection's UUID.")
    .reply_empty(204, "Revoked.")
    .codes(&WRITE_CODES)
}
