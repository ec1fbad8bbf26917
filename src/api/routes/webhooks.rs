//! `/api/v1/webhooks`: addresses of an account that are told what happens.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::collections::transaction::uid;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, sentence};
use crate::api::openapi::operation::Operation;
use crate::clock;
use crate::store::webhooks::{DeliveryRow, WebhookRow};
use crate::webhooks::{WebhookChange, WebhookError};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/webhooks", Action::Read, list).documented(list_operation),
        route::post("/api/v1/webhooks", Action::Write, create).documented(create_operation),
        route::get("/api/v1/webhooks/{id}", Action::Read, one).documented(one_operation),
        route::patch("/api/v1/webhooks/{id}", Action::Write, change).documented(change_operation),
        route::delete("/api/v1/webhooks/{id}", Action::Write, remove).documented(remove_operation),
        route::post("/api/v1/webhooks/{id}/secret", Action::Write, rotate)
            .documented(rotate_operation),
        route::post("/api/v1/webhooks/{id}/test", Action::Write, test).documented(test_operation),
        route::get("/api/v1/webhooks/{id}/deliveries", Action::Read, deliveries)
            .documented(deliveries_operation),
        route::post(
            "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
            Action::Write,
            redeliver,
        )
        .documented(redeliver_operation),
    ]
}

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct Webhook {
    /// UUID.
    id: String,
    url: String,
    events: Value,
    enabled: bool,
    /// ISO 8601, UTC, as the other times.
    created_at: String,
    /// Until when the secret before the last rotation signs too; null if none does.
    old_secret_until: Option<String>,
}

/// A webhook with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookWithSecret {
    #[serde(flatten)]
    shown: Webhook,
    /// The secret of the signatures. It is not shown again.
    secret: String,
}

/// A webhook to add.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"url": "https://example.org/citation", "events": ["job.done"]}))]
pub struct WebhookRequest {
    /// An http or https address on the open internet.
    #[schema(max_length = 2000)]
    url: String,
    /// Some of `collection.changed`, `work.updated`, `work.retracted`, `job.done`, `quota.low`.
    #[schema(max_items = 20, min_items = 1)]
    events: Vec<String>,
}

/// What to change; absent members stay.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"enabled": false}))]
pub struct WebhookPatch {
    #[schema(max_length = 2000)]
    url: Option<String>,
    #[schema(max_items = 20)]
    events: Option<Vec<String>>,
    /// A disabled webhook is sent nothing; events meanwhile are not kept.
    enabled: Option<bool>,
}

/// One event for a webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct Delivery {
    id: String,
    event: String,
    /// `pending`, `delivered` or `dead`.
    state: String,
    attempts: u32,
    /// The status of the last answer.
    status: Option<u16>,
    /// Why the last attempt failed.
    error: Option<String>,
    /// ISO 8601, UTC, as the other times.
    created_at: String,
    /// When it is sent next; null if it is not.
    next_at: Option<String>,
    ended_at: Option<String>,
}

fn shown(row: &WebhookRow) -> Webhook {
    Webhook {
        id: row.uid.clone(),
        url: row.url.clone(),
        events: serde_json::from_str(&row.events).unwrap_or_default(),
        enabled: row.is_enabled,
        created_at: clock::iso8601(row.created_at),
        old_secret_until: row
            .old_secret
            .as_ref()
            .map(|(_, until)| clock::iso8601(*until)),
    }
}

fn with_secret(row: &WebhookRow) -> Reply {
    let body = WebhookWithSecret {
        shown: shown(row),
        secret: row.secret.clone(),
    };
    Reply::json(&body).with_header("cache-control", "no-store")
}

/// The webhook in the path. One of another account does not exist.
fn known_webhook(context: &RequestContext) -> Result<WebhookRow, ApiError> {
    find(context, &uid(context, "id"))
}

/// A webhook of the caller.
pub fn find(context: &RequestContext, uid: &str) -> Result<WebhookRow, ApiError> {
    let found = context.app.webhooks.find(context.account()?.id, uid)?;
    found.ok_or_else(|| ApiError::not_found("webhook", "The webhook does not exist."))
}

pub fn refused(error: WebhookError) -> ApiError {
    let message = sentence(&error);
    match error {
        WebhookError::Store(cause) => cause.into(),
        WebhookError::Address(_) => ApiError::invalid_field("/url", message),
        WebhookError::Event => ApiError::invalid_field("/events", message),
        WebhookError::TooMany(limit) => {
            ApiError::new(Code::WebhookLimitReached, message).with("limit", limit)
        }
        WebhookError::Random(cause) => ApiError::internal(cause),
    }
}

/// `GET /api/v1/webhooks`.
fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&all_of(context, context.account()?.id)?))
}

/// The webhooks of an account.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Vec<Webhook>, ApiError> {
    let rows = context.app.webhooks.list(user)?;
    Ok(rows.iter().map(shown).collect())
}

/// `GET /api/v1/webhooks/{id}`.
fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&shown(&known_webhook(context)?)))
}

/// `POST /api/v1/webhooks`.
fn create(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: WebhookRequest = context.json()?;
    let change = WebhookChange {
        url: request.url,
        events: request.events,
        is_enabled: true,
    };
    let webhooks = &context.app.webhooks;
    let row = webhooks
        .add(context.account()?.id, &change)
        .map_err(refused)?;
    let location = format!("/api/v1/webhooks/{}", row.uid);
    Ok(with_secret(&row)
        .with_status(StatusCode::CREATED)
        .with_header("location", location))
}

/// `PATCH /api/v1/webhooks/{id}`.
fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_webhook(context)?;
    let patch: WebhookPatch = context.json()?;
    let events = serde_json::from_str(&row.events).map_err(ApiError::internal)?;
    let change = WebhookChange {
        url: patch.url.unwrap_or_else(|| row.url.clone()),
        events: patch.events.unwrap_or(events),
        is_enabled: patch.enabled.unwrap_or(row.is_enabled),
    };
    let row = context.app.webhooks.change(row, &change).map_err(refused)?;
    Ok(Reply::json(&shown(&row)))
}

/// `DELETE /api/v1/webhooks/{id}`.
fn remove(context: &RequestContext) -> Result<Reply, ApiError> {
    context.app.webhooks.remove(&known_webhook(context)?)?;
    Ok(Reply::empty())
}

/// `POST /api/v1/webhooks/{id}/secret`.
fn rotate(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_webhook(context)?;
    let row = context.app.webhooks.rotate(row).map_err(refused)?;
    Ok(with_secret(&row))
}

/// What was queued.
#[derive(Debug, Serialize, ToSchema)]
struct QueuedDelivery {
    /// The id of the delivery.
    id: String,
}

/// `POST /api/v1/webhooks/{id}/test`.
fn test(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_webhook(context)?;
    let id = context.app.webhooks.test(&row)?;
    Ok(Reply::json(&QueuedDelivery { id }).with_status(StatusCode::ACCEPTED))
}

/// The states of deliveries.
const STATES: [&str; 3] = ["pending", "delivered", "dead"];

/// The default and the maximum number of deliveries in one reply.
const DEFAULT: usize = 100;
const MOST: usize = 1_000;

/// `GET /api/v1/webhooks/{id}/deliveries`.
fn deliveries(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_webhook(context)?;
    let state = context.query.given("state");
    if state.is_some_and(|state| !STATES.contains(&state)) {
        let message = format!("state must be one of {}.", STATES.join(", "));
        return Err(ApiError::invalid_parameter("state", message));
    }
    let most = context.query.number("limit", DEFAULT, 1, MOST)? as u64;
    let rows = context.app.webhooks.deliveries(&row, state, most)?;
    Ok(Reply::json(
        &rows.into_iter().map(delivery).collect::<Vec<_>>(),
    ))
}

fn delivery(row: DeliveryRow) -> Delivery {
    let is_pending = row.state == "pending";
    let next = row.next_at.max(row.created_at);
    Delivery {
        id: row.uid,
        event: row.event,
        state: row.state,
        attempts: row.attempts,
        status: row.status,
        error: row.error,
        created_at: clock::iso8601(row.created_at),
        next_at: is_pending.then(|| clock::iso8601(next)),
        ended_at: row.ended_at.map(clock::iso8601),
    }
}

/// `POST /api/v1/webhooks/{id}/deliveries/{delivery}/redeliver`.
fn redeliver(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_webhook(context)?;
    let id = context.param("delivery");
    send_again(context, &row, id)?;
    let queued = QueuedDelivery { id: id.to_owned() };
    Ok(Reply::json(&queued).with_status(StatusCode::ACCEPTED))
}

/// Sends a delivery that has ended again.
pub fn send_again(context: &RequestContext, row: &WebhookRow, id: &str) -> Result<(), ApiError> {
    if context.app.webhooks.redeliver(row, id)? {
        return Ok(());
    }
    let message = "The webhook has no delivery with this id that has ended.";
    Err(ApiError::not_found("delivery", message))
}

/// The common errors of these routes.
const CODES: [Code; 4] = [
    Code::AuthenticationRequired,
    Code::Forbidden,
    Code::CsrfFailed,
    Code::NotFound,
];

fn list_operation() -> Operation {
    Operation::new("list_webhooks", "webhooks", "The account's webhooks")
        .reply_list::<Webhook>(200, "The webhooks, oldest first.")
        .codes(&[Code::AuthenticationRequired, Code::Forbidden])
}

fn one_operation() -> Operation {
    Operation::new("get_webhook", "webhooks", "A webhook")
        .path("id", "The webhook's UUID.")
        .reply::<Webhook>(200, "The webhook.")
        .codes(&CODES)
}

fn create_operation() -> Operation {
    Operation::new("create_webhook", "webhooks", "Add a webhook")
        .describe(
            "Each event is posted as `{id, event, created_at, data}` with the headers `Citation-Event`, \
             `Citation-Delivery` (the id, the same in each attempt) and `Citation-Signature`: \
             `t=TIME,v1=HEX`, HMAC-SHA256 with the secret over the time, a dot and the body; while two secrets are \
             valid there are two `v1`. An answer other than 2xx, and a redirect, is tried again \
             with growing pauses, then the delivery is `dead`. An event that waits unsent is not added again, and \
             at most 1,000 deliveries of a webhook wait.",
        )
        .body::<WebhookRequest>()
        .reply::<WebhookWithSecret>(201, "The webhook, with its secret, which is shown only once.")
        .codes(&CODES)
        .codes(&[Code::ValidationFailed, Code::WebhookLimitReached])
}

fn change_operation() -> Operation {
    Operation::new("change_webhook", "webhooks", "Change a webhook")
        .path("id", "The webhook's UUID.")
        .body::<WebhookPatch>()
        .reply::<Webhook>(200, "The webhook.")
        .codes(&CODES)
        .codes(&[Code::ValidationFailed])
}

fn remove_operation() -> Operation {
    Operation::new("delete_webhook", "webhooks", "Remove a webhook")
        .path("id", "The webhook's UUID.")
        .reply_empty(204, "Removed, with its deliveries.")
        .codes(&CODES)
}

fn rotate_operation() -> Operation {
    Operation::new(
        "rotate_webhook_secret",
        "webhooks",
        "Give a webhook a new secret",
    )
    .describe("For a day each delivery is signed with both secrets, the new one first.")
    .path("id", "The webhook's UUID.")
    .reply::<WebhookWithSecret>(
        200,
        "The webhook, with its new secret, which is shown only once.",
    )
    .codes(&CODES)
}

fn test_operation() -> Operation {
    Operation::new("test_webhook", "webhooks", "Send a test to a webhook")
        .path("id", "The webhook's UUID.")
        .reply::<QueuedDelivery>(
            202,
            "An event `test` is sent in a moment; see the deliveries.",
        )
        .codes(&CODES)
}

fn deliveries_operation() -> Operation {
    Operation::new(
        "list_webhook_deliveries",
        "webhooks",
        "The deliveries of a webhook",
    )
    .describe("Newest first. Those that have ended are kept for 30 days.")
    .path("id", "The webhook's UUID.")
    .query_choice("state", STATES, "Only those in a state.")
    .query_number("limit", 1, "Maximum number; default 100, at most 1,000.")
    .reply_list::<Delivery>(200, "The deliveries.")
    .codes(&CODES)
}

fn redeliver_operation() -> Operation {
    Operation::new(
        "redeliver_webhook_delivery",
        "webhooks",
        "Send a delivery again",
    )
    .path("id", "The webhook's UUID.")
    .path("delivery", "The delivery's id.")
    .reply::<QueuedDelivery>(202, "It is sent in a moment.")
    .codes(&CODES)
}
