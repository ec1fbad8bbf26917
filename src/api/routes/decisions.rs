//! `/api/v1/verify/overrides`: what people of an account found about references: "I looked, it is real", "this
//! is not it". They hold wherever the reference is checked with this account.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use crate::lookup::decisions::MAX_DECISIONS;
use crate::lookup::overrides::{Decision, reference_key};
use crate::store::reviews::DecisionRow;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/verify/overrides", Action::Read, list).documented(list_operation),
        route::post("/api/v1/verify/overrides", Action::Write, keep).documented(keep_operation),
        route::delete("/api/v1/verify/overrides/{id}", Action::Write, withdraw)
            .documented(withdraw_operation),
    ]
}

/// A decision to keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reference": "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.", "decision": "real", "why": "Seen on paper."}))]
pub struct DecisionRequest {
    /// `reference_key` of a result; by default that of the text.
    #[schema(min_length = 32, max_length = 32)]
    reference_key: Option<String>,
    /// The reference as it was checked.
    #[schema(min_length = 1, max_length = 10000)]
    reference: String,
    /// `real`: the reference is right as it stands. `other_work`: the work found is not the cited one.
    #[schema(max_length = 20)]
    decision: String,
    /// The reason.
    #[schema(min_length = 1, max_length = 1000)]
    why: String,
}

/// A decision about a reference.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptDecision {
    /// Names the reference: `reference_key` of a result.
    reference_key: String,
    reference: String,
    /// `real` or `other_work`.
    decision: String,
    /// Who decided: the name or the address of the account.
    by: String,
    why: String,
    /// ISO 8601, UTC.
    made_at: String,
}

impl KeptDecision {
    fn of(row: DecisionRow) -> KeptDecision {
        KeptDecision {
            reference_key: row.key,
            reference: row.reference,
            decision: row.decision,
            by: row.made_by,
            why: row.why,
            made_at: iso8601(row.made_at),
        }
    }
}

/// `GET /api/v1/verify/overrides`.
fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&all_of(context, context.account()?.id)?))
}

/// The decisions of an account.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Vec<KeptDecision>, ApiError> {
    let rows = context.app.store.decisions(user)?;
    Ok(rows.into_iter().map(KeptDecision::of).collect())
}

/// `POST /api/v1/verify/overrides`: 201 with the decision.
fn keep(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: DecisionRequest = context.json()?;
    let account = context.account()?;
    let Some(decision) = Decision::parse(&request.decision) else {
        let message = "must be real or other_work";
        return Err(ApiError::invalid_field("/decision", message));
    };
    let why = request.why.trim();
    if why.is_empty() {
        return Err(ApiError::invalid_field("/why", "is blank"));
    }
    let key = request.reference_key.map(|key| key.to_ascii_lowercase());
    let key = key.unwrap_or_else(|| reference_key(&request.reference));
    if !key.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let message = "must be the reference_key of a result";
        return Err(ApiError::invalid_field("/reference_key", message));
    }
    let mut names = [&account.name, &account.email].into_iter().flatten();
    let row = DecisionRow {
        key,
        reference: request.reference,
        decision: decision.as_str().to_owned(),
        made_by: { names.next().cloned() }.unwrap_or_else(|| account.uid.clone()),
        why: why.to_owned(),
        made_at: context.app.clock.unix(),
    };
    if !(context.app.store).put_decision(account.id, &row, MAX_DECISIONS)? {
        let message = format!("An account may keep {MAX_DECISIONS} decisions; withdraw some.");
        return Err(ApiError::new(Code::Conflict, message).with("limit", MAX_DECISIONS));
    }
    Ok(Reply::json(&KeptDecision::of(row)).with_status(StatusCode::CREATED))
}

/// `DELETE /api/v1/verify/overrides/{id}`.
fn withdraw(context: &RequestContext) -> Result<Reply, ApiError> {
    let key = context.param("id").to_ascii_lowercase();
    let store = &context.app.store;
    if store.remove_decision(context.account()?.id, &key)? {
        return Ok(Reply::empty());
    }
    let message = "There is no decision about this reference.";
    Err(ApiError::not_found("decision", message))
}

fn list_operation() -> Operation {
    Operation::new(
        "list_overrides",
        "verify",
        "The account's decisions about references",
    )
    .reply_list::<KeptDecision>(200, "The decisions, newest first.")
    .codes(&[Code::AuthenticationRequired, Code::Forbidden])
}

fn keep_operation() -> Operation {
    Operation::new(
        "keep_override",
        "verify",
        "Keep a decision about a reference",
    )
    .describe(
        "From now on the reference has the verdict `verified` (`real`) or `not_found` (`other_work`) when it is \
         checked with this account, with who decided, when and why in `override`. A retraction stays one. It \
         replaces an earlier decision about the same reference; spaces and punctuation do not matter.",
    )
    .body::<DecisionRequest>()
    .reply::<KeptDecision>(201, "The decision.")
    .codes(&[
        Code::AuthenticationRequired,
        Code::Forbidden,
        Code::CsrfFailed,
        Code::Conflict,
        Code::ValidationFailed,
    ])
}

fn withdraw_operation() -> Operation {
    Operation::new("withdraw_override", "verify", "Withdraw a decision")
        .path("id", "`reference_key` of the decision.")
        .reply_empty(204, "Withdrawn.")
        .codes(&[
            Code::AuthenticationRequired,
            Code::Forbidden,
            Code::CsrfFailed,
            Code::NotFound,
        ])
}
