//! `/api/v1/api-keys`: the API keys of a signed-in user.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::collections::transaction::answered;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::idempotency::keep;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::auth::AuthError;
use crate::auth::accounts::Actor;
use crate::auth::principal::Scopes;
use crate::clock;
use crate::store::StoreError;
use crate::store::api_keys::{ApiKeyRow, Repeatable};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/api-keys", Action::Session, list).documented(list_operation),
        route::post("/api/v1/api-keys", Action::Session, create)
            .idempotent()
            .documented(create_operation),
        route::delete("/api/v1/api-keys/{id}", Action::Session, revoke)
            .documented(revoke_operation),
    ]
}

/// An existing key.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKey {
    /// UUID.
    id: String,
    name: String,
    /// The first characters, to distinguish keys.
    prefix: String,
    /// `read`, `write`.
    scopes: Vec<&'static str>,
    /// ISO 8601, UTC.
    created_at: String,
    /// ISO 8601, UTC; null: never.
    expires_at: Option<String>,
    /// ISO 8601, UTC, to the minute; null: never.
    last_used_at: Option<String>,
}

/// A new key.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewApiKey {
    #[serde(flatten)]
    shown: ApiKey,
    /// The key itself. It is not stored and cannot be shown again.
    key: String,
}

/// The request body for a new key.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ApiKeyRequest {
    /// At most 200 characters.
    #[schema(example = "laptop", min_length = 1)]
    name: String,
    /// ISO 8601 with a time zone; absent or null: the key does not expire.
    #[serde(default)]
    #[schema(example = "2027-01-01T00:00:00Z", format = DateTime)]
    expires_at: Option<String>,
    /// `read`, `write` or both; absent: both.
    #[serde(default)]
    scopes: Option<Vec<String>>,
}

/// `GET /api/v1/api-keys`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let keys = context.app.auth.api_keys(context.account()?.id)?;
    let keys: Vec<ApiKey> = keys.into_iter().map(shown).collect();
    Ok(Reply::json(&keys).with_header("cache-control", "no-store"))
}

/// `POST /api/v1/api-keys`: 201 with the key, shown once.
pub fn create(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ApiKeyRequest = context.json()?;
    let scopes = match &request.scopes {
        None => Scopes::ALL,
        Some(names) => Scopes::parse(names)
            .ok_or_else(|| ApiError::invalid_field("/scopes", "must be “read”, “write” or both"))?,
    };
    let expires_at = request.expires_at.as_deref().map(read_time).transpose()?;
    let owner = context.account()?;
    let actor = Actor::user(&owner.uid, context.client);
    let (auth, name) = (&context.app.auth, request.name.as_str());
    let made = match &context.idempotent {
        None => auth.create_api_key(owner.id, &owner.uid, name, scopes, expires_at, &actor),
        Some(request) => {
            let request = Repeatable {
                key: &request.key,
                request: request.request,
                since: context.app.collections.replies_since(),
                reply: &|row| keep(&known(row.clone())),
            };
            auth.create_api_key_once(owner, name, scopes, expires_at, &request, &actor)
        }
    };
    let (row, token) = match made {
        // The same request was answered while this one was running.
        Err(AuthError::Store(StoreError::Conflict(_))) => {
            return answered(context)?.ok_or_else(ApiError::overloaded);
        }
        made => made?,
    };
    let location = location(&row);
    let body = NewApiKey {
        shown: shown(row),
        key: token.reveal().to_owned(),
    };
    Ok(Reply::json(&body)
        .with_status(http::StatusCode::CREATED)
        .with_header("location", location)
        .with_header("cache-control", "no-store"))
}

/// The reply to a repeated request: the key itself is not stored.
fn known(row: ApiKeyRow) -> Reply {
    let location = location(&row);
    Reply::json(&shown(row)).with_header("location", location)
}

fn location(row: &ApiKeyRow) -> String {
    format!("/api/v1/api-keys/{}", row.uid)
}

/// `DELETE /api/v1/api-keys/{id}`: 204; the key becomes invalid.
pub fn revoke(context: &RequestContext) -> Result<Reply, ApiError> {
    let owner = context.account()?;
    let actor = Actor::user(&owner.uid, context.client);
    let auth = &context.app.auth;
    let revoked = auth.revoke_api_key(owner, context.param("id"), &actor)?;
    if revoked {
        return Ok(Reply::empty());
    }
    Err(ApiError::not_found(
        "api_key",
        "You have no API key with this id.",
    ))
}

fn shown(row: ApiKeyRow) -> ApiKey {
    ApiKey {
        id: row.uid,
        name: row.name,
        prefix: row.prefix,
        scopes: Scopes::from_bits(row.scopes).names(),
        created_at: clock::iso8601(row.created_at),
        expires_at: row.expires_at.map(clock::iso8601),
        last_used_at: row.last_used_at.map(clock::iso8601),
    }
}

fn read_time(text: &str) -> Result<i64, ApiError> {
    let moment: Result<jiff::Timestamp, _> = text.trim().parse();
    moment.map(|moment| moment.as_second()).map_err(|_| {
        ApiError::invalid_field("/expires_at", "must be a time such as 2027-01-01T00:00:00Z")
    })
}

pub fn list_operation() -> Operation {
    Operation::new("list_api_keys", "account", "Your API keys")
        .reply_list::<ApiKey>(200, "The keys, newest first.")
}

pub fn create_operation() -> Operation {
    Operation::new("create_api_key", "account", "A new API key")
        .describe(
            "Only for users signed in with a browser: a key cannot create keys. \
             `Idempotency-Key` makes retries safe: no second key is created. If the first \
             answer was lost, revoke its key and create another.",
        )
        .body::<ApiKeyRequest>()
        .reply::<NewApiKey>(201, "The key, shown only once.")
        .reply::<ApiKey>(
            200,
            "The key that an earlier request with the same `Idempotency-Key` created.",
        )
}

pub fn revoke_operation() -> Operation {
    Operation::new("revoke_api_key", "account", "Revoke an API key")
        .path("id", "The key's id.")
        .reply_empty(204, "The key is revoked.")
        .codes(&[Code::NotFound])
}
