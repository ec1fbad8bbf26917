//! The caller's status in bodies and headers: quotas, plans, limits (interface
//! specification, parts 2, 7 and 8).

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::clock;
use crate::quota::{Monthly, QuotaStatus};
use citation_model::plan::Plan;

/// The caller's limits and remaining quota.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuotaPolicy {
    pub anonymous_daily_limit: u64,
    pub free_daily_limit: u64,
    pub academic_daily_limit: u64,
    pub business_daily_limit: u64,
    /// `Anonymous`, `Free`, `Academic` or `Business`.
    pub active_plan: &'static str,
    /// Lookups in 24 hours.
    pub limit: u64,
    /// Lookups counted since the first one of the last 24 hours, and running ones.
    pub used: u64,
    pub remaining: u64,
    /// Seconds until the count is reset; 86400 before the first lookup.
    pub reset_seconds: u64,
    /// The same as a time, ISO 8601, UTC.
    pub reset_at: String,
    /// Ways to get more: `sign_in`, `create_free_account`, `view_plans`.
    pub actions: Vec<&'static str>,
    /// The month's API calls; null for plans without an allowance.
    pub monthly: Option<MonthlyUsage>,
    pub limits: PlanLimits,
}

/// API calls in a calendar month, UTC. Calls beyond the allowance are recorded, never refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct MonthlyUsage {
    pub included: u64,
    pub used: u64,
    pub overage: u64,
    /// ISO 8601, UTC.
    pub resets_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanLimits {
    pub collections: u64,
    pub entries_per_collection: u64,
    /// Requests per minute.
    pub burst_per_minute: u32,
}

impl From<Monthly> for MonthlyUsage {
    fn from(monthly: Monthly) -> MonthlyUsage {
        MonthlyUsage {
            included: monthly.included,
            used: monthly.used,
            overage: monthly.overage,
            resets_at: clock::iso8601(monthly.resets_at),
        }
    }
}

/// The policy for the caller.
pub fn of(context: &RequestContext, status: &QuotaStatus) -> Result<QuotaPolicy, ApiError> {
    let plans = context.app.quota.plans();
    let daily = |plan| plans.rules(plan).daily_lookups;
    let plan = context.caller.plan;
    let rules = plans.rules(plan);
    Ok(QuotaPolicy {
        anonymous_daily_limit: daily(Plan::Anonymous),
        free_daily_limit: daily(Plan::Free),
        academic_daily_limit: daily(Plan::Academic),
        business_daily_limit: daily(Plan::Business),
        active_plan: plan.as_str(),
        limit: status.limit,
        used: status.used,
        remaining: status.remaining,
        reset_seconds: status.reset_seconds,
        reset_at: clock::iso8601(status.reset_at),
        actions: actions(plan),
        monthly: monthly(context)?,
        limits: PlanLimits {
            collections: rules.collections,
            entries_per_collection: rules.entries_per_collection,
            burst_per_minute: burst_per_minute(context),
        },
    })
}

/// The caller's daily lookups.
pub fn quota_status(context: &RequestContext) -> Result<QuotaStatus, ApiError> {
    let caller = &context.caller;
    context
        .app
        .quota
        .status(caller.subject(), caller.plan)
        .map_err(ApiError::from)
}

/// The caller's requests per minute.
pub fn burst_per_minute(context: &RequestContext) -> u32 {
    let caller = &context.caller;
    let quota = &context.app.quota;
    quota.burst_per_minute(caller.subject(), caller.plan)
}

/// The month's API calls of the caller.
pub fn monthly(context: &RequestContext) -> Result<Option<MonthlyUsage>, ApiError> {
    let Some(account) = context.caller.account() else {
        return Ok(None);
    };
    let monthly = context.app.quota.monthly(account.id, account.plan)?;
    Ok(monthly.map(MonthlyUsage::from))
}

/// The caller's ways to get more.
fn actions(plan: Plan) -> Vec<&'static str> {
    match plan {
        Plan::Anonymous => vec!["sign_in", "create_free_account", "view_plans"],
        Plan::Free => vec!["view_plans"],
        Plan::Academic | Plan::Business => Vec::new(),
    }
}

/// The headers about the caller's daily lookups.
pub fn lookup_headers(context: &RequestContext) -> Result<Vec<(&'static str, String)>, ApiError> {
    Ok(headers_of(&quota_status(context)?))
}

fn headers_of(status: &QuotaStatus) -> Vec<(&'static str, String)> {
    vec![
        ("x-ratelimit-limit", status.limit.to_string()),
        ("x-ratelimit-remaining", status.remaining.to_string()),
        ("x-ratelimit-reset", status.reset_seconds.to_string()),
        ("x-ratelimit-scope", "daily".to_owned()),
    ]
}

/// The daily lookups are used up: the body and headers of the specification's part 7.
pub fn quota_exhausted(context: &RequestContext, status: &QuotaStatus) -> ApiError {
    let policy = match of(context, status) {
        Ok(policy) => policy,
        Err(error) => return error,
    };
    let advice = match context.caller.plan {
        Plan::Anonymous => " A free account has more.",
        Plan::Free => " A paid plan has more.",
        Plan::Academic | Plan::Business => "",
    };
    let message = format!(
        "All {} lookups of 24 hours are used up; the count resets in {}.{advice}",
        status.limit,
        duration(status.reset_seconds)
    );
    let mut error = ApiError::new(Code::QuotaExhausted, message).retry_after(status.reset_seconds);
    error.extra = members(&policy);
    // At the very end of the window both have the same minimum wait.
    let reset = status.reset_seconds.max(1);
    error.extra.insert("reset_seconds".to_owned(), reset.into());
    error.headers = headers_of(&QuotaStatus {
        reset_seconds: reset,
        ..*status
    });
    error
}

/// Tells free accounts which plans include a feature.
pub fn plan_required(context: &RequestContext) -> ApiError {
    let plans = context.app.quota.plans();
    let with_price = |plan, name: &str| match plans.rules(plan).price.as_deref() {
        Some(price) => format!("the {name} plan ({price} a month)"),
        None => format!("the {name} plan"),
    };
    let message = format!(
        "This is part of {} and {}.",
        with_price(Plan::Academic, "Academic"),
        with_price(Plan::Business, "Business")
    );
    ApiError::new(Code::PlanRequired, message)
        .with("upgrade_url", context.edge.site.account_url.as_str())
}

fn members(policy: &QuotaPolicy) -> Map<String, Value> {
    match serde_json::to_value(policy) {
        Ok(Value::Object(members)) => members,
        // A struct of numbers and texts is always an object.
        _ => Map::new(),
    }
}

/// `5 minutes`, `3 hours`.
fn duration(seconds: u64) -> String {
    match seconds {
        0..=90 => format!("{} seconds", seconds.max(1)),
        91..=5_400 => format!("{} minutes", seconds.div_ceil(60)),
        _ => format!("{} hours", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded() {
        let check = |seconds, expected: &str| assert_eq!(duration(seconds), expected);
        check(0, "1 seconds");
        check(60, "60 seconds");
        check(600, "10 minutes");
        check(86_400, "24 hours");
    }
}
