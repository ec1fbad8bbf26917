//! `GET /api/v1/me`, `/api/v1/quota-policy` and `/api/v1/limits`: the caller's status, and the limits
//! of the service.

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::policy::{self, MonthlyUsage, QuotaPolicy};
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::auth::principal::Credential;
use crate::clock;
use crate::config::LimitSettings;
use citation_model::plan::Plan;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/me", Action::Public, me).documented(me_operation),
        route::get("/api/v1/quota-policy", Action::Public, quota_policy)
            .documented(quota_policy_operation),
        route::get("/api/v1/limits", Action::Public, limits).documented(limits_operation),
    ]
}

/// The caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    authenticated: bool,
    /// `anonymous`, `session`, `api_key` or `access_token`.
    auth_method: &'static str,
    /// Null for anonymous callers.
    user: Option<MeUser>,
    /// `Anonymous`, `Free`, `Academic` or `Business`.
    plan: &'static str,
    lookups_remaining: u64,
    lookups: MeLookups,
    /// Null for plans without a monthly allowance.
    monthly: Option<MonthlyUsage>,
    limits: MeLimits,
    /// The plan's features besides lookups and collections.
    features: Vec<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MeUser {
    /// UUID.
    id: String,
    name: Option<String>,
    email: Option<String>,
}

/// Lookups in 24 hours.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeLookups {
    limit: u64,
    used: u64,
    remaining: u64,
    /// Seconds until the count is reset; 86400 before the first lookup.
    reset_seconds: u64,
    /// The same as a time, ISO 8601, UTC.
    reset_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MeLimits {
    collections: u64,
    entries_per_collection: u64,
    collections_used: u64,
    /// Maximum bytes stored for the account: entries, including deleted ones, their earlier versions,
    /// stored replies and own styles.
    account_bytes: u64,
    account_bytes_used: u64,
}

/// The features of paid plans (interface specification, section 5.5).
const PAID_FEATURES: [&str; 5] = [
    "citation_keys",
    "journal_expand",
    "batch",
    "merge",
    "batch_move",
];

/// `GET /api/v1/me`: 200 for anonymous callers too.
pub fn me(context: &RequestContext) -> Result<Reply, ApiError> {
    let caller = &context.caller;
    let status = policy::quota_status(context)?;
    let rules = context.app.quota.plans().rules(caller.plan);
    let collections = &context.app.collections;
    let (collections_used, account_bytes_used) = match caller.account() {
        Some(account) => (
            collections.count(account.id)?,
            collections.bytes_kept(account.id)?,
        ),
        None => (0, 0),
    };
    let body = Me {
        authenticated: caller.principal.is_some(),
        auth_method: match caller
            .principal
            .as_ref()
            .map(|principal| principal.credential)
        {
            None => "anonymous",
            Some(Credential::Session { .. } | Credential::Server) => "session",
            Some(Credential::ApiKey { .. }) => "api_key",
            Some(Credential::AccessToken { .. }) => "access_token",
        },
        user: caller.account().map(|account| MeUser {
            id: account.uid.clone(),
            name: account.name.clone(),
            email: account.email.clone(),
        }),
        plan: caller.plan.as_str(),
        lookups_remaining: status.remaining,
        lookups: MeLookups {
            limit: status.limit,
            used: status.used,
            remaining: status.remaining,
            reset_seconds: status.reset_seconds,
            reset_at: clock::iso8601(status.reset_at),
        },
        monthly: policy::monthly(context)?,
        limits: MeLimits {
            collections: rules.collections,
            entries_per_collection: rules.entries_per_collection,
            collections_used,
            account_bytes: rules.account_bytes,
            account_bytes_used,
        },
        features: if caller.plan.is_paid() {
            PAID_FEATURES.to_vec()
        } else {
            Vec::new()
        },
    };
    Ok(personal(Reply::json(&body)))
}

/// `GET /api/v1/quota-policy`.
pub fn quota_policy(context: &RequestContext) -> Result<Reply, ApiError> {
    let status = policy::quota_status(context)?;
    Ok(personal(Reply::json(&policy::of(context, &status)?)))
}

/// Every limit of this server, by section of its configuration.
#[derive(Serialize, ToSchema)]
pub struct ServerLimits<'a> {
    plans: Vec<PlanRules<'a>>,
    /// The section `limits`, by key.
    #[schema(value_type = BTreeMap<String, u64>)]
    requests: &'a LimitSettings,
    format: FormatLimits,
    time: TimeLimits,
}

/// The limits of a plan.
#[derive(Serialize, ToSchema)]
struct PlanRules<'a> {
    plan: &'static str,
    daily_lookups: u64,
    /// Null for plans without an allowance.
    monthly_calls: Option<u64>,
    /// Null if it is free.
    price: Option<&'a str>,
    collections: u64,
    entries_per_collection: u64,
    account_bytes: u64,
    burst_per_minute: u32,
}

#[derive(Serialize, ToSchema)]
struct FormatLimits {
    max_entries: u32,
    max_indices: u32,
    max_style_bytes: u64,
}

#[derive(Serialize, ToSchema)]
struct TimeLimits {
    request_ms: u64,
    providers_ms: u64,
}

/// `GET /api/v1/limits`.
pub fn limits(context: &RequestContext) -> Result<Reply, ApiError> {
    let config = &context.app.config;
    let plans = Plan::ALL.into_iter().map(|plan| {
        let rules = context.app.quota.plans().rules(plan);
        PlanRules {
            plan: plan.as_str(),
            daily_lookups: rules.daily_lookups,
            monthly_calls: rules.monthly_calls,
            price: rules.price.as_deref(),
            collections: rules.collections,
            entries_per_collection: rules.entries_per_collection,
            account_bytes: rules.account_bytes,
            burst_per_minute: rules.burst_per_minute,
        }
    });
    let body = ServerLimits {
        plans: plans.collect(),
        requests: &config.limits,
        format: FormatLimits {
            max_entries: config.format.max_entries,
            max_indices: config.format.max_indices,
            max_style_bytes: config.format.max_style_bytes,
        },
        time: TimeLimits {
            request_ms: config.server.request_timeout_ms,
            providers_ms: config.lookup.budget_ms,
        },
    };
    Ok(Reply::json(&body).with_content_etag())
}

/// A private answer for this caller.
fn personal(reply: Reply) -> Reply {
    reply.with_header("cache-control", "no-store")
}

pub fn me_operation() -> Operation {
    Operation::new("get_me", "account", "The caller, and the remaining quota")
        .reply::<Me>(200, "The caller.")
}

pub fn quota_policy_operation() -> Operation {
    Operation::new("get_quota_policy", "account", "The lookup quota: limit, remaining, reset")
        .describe(
            "A lookup counts if it finds a work, and if every source asked says that \
             there is none; a reverse lookup also counts if it finds nothing. Invalid input, refusals \
             and failing providers are free, and so is a DOI or ISBN in one of \
             your collections. The 24 hours start with the first counted lookup.",
        )
        .reply::<QuotaPolicy>(200, "The policy.")
}

pub fn limits_operation() -> Operation {
    Operation::new("get_limits", "account", "All limits of this server")
        .reply::<ServerLimits>(200, "Plans, sizes and times.")
        .conditional()
}
