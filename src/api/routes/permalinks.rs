//! Links to lists without an account, if the operator allows them (`[sharing]`).

use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::collections::transaction::refused;
use super::collections::{dto, lists};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, FieldFault, sentence};
use crate::api::openapi::operation::Operation;
use crate::collections::input;
use crate::collections::permalink::{LinkedWork, Permalink, PermalinkError};
use crate::quota::address::Address;
use crate::styles::own::own_name;
use citation_exchange::metadata::CitationMetadata;
use citation_model::variable::TextVar;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/permalinks", Action::Public, make).documented(make_operation),
        route::delete("/api/v1/permalinks/{token}", Action::Public, delete)
            .documented(delete_operation),
    ]
}

/// A list to share as a snapshot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Reading list", "entries": [{"title": "A work", "date": {"year": 2001}}]}))]
pub struct PermalinkRequest {
    /// The title of the page.
    #[schema(min_length = 1)]
    name: String,
    /// A style, by name or address; not an own style.
    style: Option<String>,
    /// Metadata, or `{metadata, note?}`. Notes are shown.
    #[schema(value_type = Vec<CitationMetadata<'static>>, min_items = 1)]
    entries: Vec<Value>,
}

/// A link, and the key that deletes it.
#[derive(Serialize, ToSchema)]
pub struct PermalinkReply {
    share_token: String,
    /// The page of the list.
    share_url: String,
    /// Deletes the link. It is only returned once.
    delete_key: String,
    /// Days without a visit until the link expires.
    days: u32,
}

/// The proof of ownership of a link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"delete_key": "4eZ0OqYw1kPbXn3m9R2sTd"}))]
pub struct PermalinkDeletion {
    /// The key returned with the link. Signed-in operators need none.
    #[schema(max_length = 100)]
    delete_key: Option<String>,
}

/// `POST /api/v1/permalinks`: 201 with the link.
pub fn make(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: PermalinkRequest = context.json()?;
    let sharing = context.app.collections.sharing();
    if !sharing.anonymous {
        return Err(ApiError::new(
            Code::Forbidden,
            "Sharing requires an account here: sign in and store the list as a collection.",
        ));
    }
    let limits = context.app.collections.limits();
    let name = input::name("/name", &request.name, limits)?;
    let style = input::style("/style", request.style.as_deref(), limits)?;
    let style = style.filter(|style| own_name(style).is_none());
    lists::check_default_style(context, style.as_deref())?;
    let list = Permalink {
        name,
        style,
        works: read_works(context, &request.entries)?,
        created_at: context.app.clock.unix(),
    };
    let quota = &context.app.quota;
    let taken = quota.take_link(Address::of(context.client), sharing.anonymous_per_day);
    if !taken.allowed {
        let message = "This address has created the maximum number of links per day.";
        let seconds = taken.retry_ms.div_ceil(1000);
        return Err(ApiError::new(Code::RateLimited, message).retry_after(seconds));
    }
    let made = context.app.collections.make_permalink(&list);
    let made = made.map_err(refusal)?;
    let body = PermalinkReply {
        share_url: dto::share_url(context, &made.token),
        share_token: made.token,
        delete_key: made.key,
        days: sharing.anonymous_days,
    };
    Ok(Reply::json(&body)
        .with_status(StatusCode::CREATED)
        .with_header("cache-control", "no-store"))
}

/// The works of a list: all of them, or every error in them. Unknown members are removed,
/// since programs store folders and names there.
fn read_works(context: &RequestContext, entries: &[Value]) -> Result<Vec<LinkedWork>, ApiError> {
    let (mut works, mut faults): (Vec<LinkedWork>, Vec<FieldFault>) = (Vec::new(), Vec::new());
    for (index, value) in entries.iter().enumerate() {
        match dto::read_kept_entry(context, &format!("/entries/{index}"), value) {
            Ok(mut given) => {
                given.item.custom.clear();
                given.item.text.remove(TextVar::Annote);
                works.push(LinkedWork {
                    item: given.item,
                    note: given.annotations.note,
                });
            }
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() {
        Ok(works)
    } else {
        Err(ApiError::invalid_fields(faults))
    }
}

fn refusal(error: PermalinkError) -> ApiError {
    let message = sentence(&error);
    match error {
        PermalinkError::Store(cause) => cause.into(),
        PermalinkError::TooLarge { most, .. } => {
            ApiError::new(Code::PayloadTooLarge, message).with("limit", most)
        }
        PermalinkError::Full => ApiError::new(Code::StorageLimitReached, message),
    }
}

/// `DELETE /api/v1/permalinks/{token}`: 204.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let deletion: PermalinkDeletion = context.json_or_default()?;
    if deletion.delete_key.is_none() && gate::admit_operation(context, Action::Operator).is_err() {
        return Err(ApiError::invalid_field("/delete_key", "is missing"));
    }
    let key = deletion.delete_key.as_deref();
    let collections = &context.app.collections;
    let deleted = collections.delete_permalink(context.param("token"), key);
    deleted.map_err(|error| refused(context, error))?;
    Ok(Reply::empty())
}

pub fn make_operation() -> Operation {
    Operation::new(
        "make_permalink",
        "collections",
        "Share a list without an account",
    )
    .describe(
        "If the operator allows it (`sharing.anonymous`): shares a snapshot of the list with everyone who has \
         the link, at `/s/{token}` and `GET /api/v1/shared/{token}`, until it has not been opened for some time.",
    )
    .body::<PermalinkRequest>()
    .reply::<PermalinkReply>(201, "The link.")
        .codes(&[Code::Forbidden, Code::StorageLimitReached, Code::UnknownStyle])
}

pub fn delete_operation() -> Operation {
    Operation::new(
        "delete_permalink",
        "collections",
        "Delete a link created without an account",
    )
    .path("token", "The share token.")
    .optional_body::<PermalinkDeletion>()
    .reply_empty(204, "Deleted.")
    .codes(&[Code::NotFound])
}
