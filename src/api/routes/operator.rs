//! `GET /api/v1/operator`: statistics for operators: accounts, this month's
//! calls, disk usage. Only for the accounts in `auth.operators`, as checked by the gate.

use std::path::Path;

use serde::Serialize;
use utoipa::ToSchema;

use super::health;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::backups;
use crate::clock;
use crate::disk::{FolderFile, Sizes, files, total};
use crate::histogram::Times;
use crate::quota::calendar::Month;
use crate::quota::report;
use crate::store::users::User;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![route::get("/api/v1/operator", Action::Operator, view).documented(operation)]
}

/// Number of newest accounts listed.
const NEWEST: u64 = 20;

/// The service for its operator.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorView {
    pub accounts: Accounts,
    pub month: MonthView,
    pub disk: Disk,
    /// Backups in the backup folder, newest first.
    pub backups: Vec<Backup>,
    /// Changes that are not indexed yet.
    pub not_indexed: u64,
    /// Counters since the start.
    pub counts: Vec<OperatorCount>,
    /// Problems of the database with their causes, one sentence each.
    pub problems: Vec<String>,
    /// The enabled providers.
    pub providers: Vec<ProviderCounts>,
}

/// The requests to a provider since the start.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ProviderCounts {
    pub name: &'static str,
    pub requests: u64,
    pub failures: u64,
}

/// One counter since the start.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorCount {
    /// `lookup`, `reference`, `provider`, `cache` or `error`.
    pub of: &'static str,
    /// The source of a lookup or a search for a reference (`collection`, `corpus`, `provider`,
    /// `not_found`, `not_found_remembered`, `failed`), the provider, the cache, or the
    /// error code, such as `quota_exhausted`.
    pub label: &'static str,
    pub count: u64,
    /// Milliseconds; null if not measured.
    pub mean_ms: Option<f64>,
    /// Number of cache hits; null for other kinds.
    pub hits: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Accounts {
    pub total: u64,
    pub disabled: u64,
    pub plans: Vec<PlanAccounts>,
    /// The twenty newest, newest first.
    pub newest: Vec<AccountView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanAccounts {
    pub plan: &'static str,
    pub accounts: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AccountView {
    /// UUID.
    pub id: String,
    pub email: Option<String>,
    pub name: Option<String>,
    pub plan: &'static str,
    /// ISO 8601, UTC.
    pub created_at: String,
    pub disabled: bool,
}

/// API calls of this calendar month, UTC.
#[derive(Debug, Serialize, ToSchema)]
pub struct MonthView {
    /// `2026-11`.
    pub month: String,
    pub calls: u64,
    /// Calls beyond the plans' allowances.
    pub overage: u64,
    /// Accounts with at least one call.
    pub accounts: u64,
}

/// Bytes on the disk.
#[derive(Debug, Serialize, ToSchema)]
pub struct Disk {
    /// The database with its log.
    pub database_bytes: u64,
    /// The search index.
    pub index_bytes: u64,
    /// The whole data folder.
    pub total_bytes: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Backup {
    pub name: String,
    pub bytes: u64,
    /// ISO 8601, UTC.
    pub made_at: String,
}

/// `GET /api/v1/operator`.
pub fn view(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&view_of(context)?).with_header("cache-control", "no-store"))
}

/// The current state of the service for its operator.
pub fn view_of(context: &RequestContext) -> Result<OperatorView, ApiError> {
    let store = context.app.auth.store();
    let counts = store.users_by_plan()?;
    let month = report::monthly(store, Month::of(context.app.clock.unix()));
    let month = month.map_err(ApiError::internal)?;
    let directory = store.directory();
    let sizes = Sizes::of(directory);
    Ok(OperatorView {
        accounts: Accounts {
            total: counts.iter().map(|count| count.accounts).sum(),
            disabled: counts.iter().map(|count| count.disabled).sum(),
            plans: counts
                .iter()
                .map(|count| PlanAccounts {
                    plan: count.plan.as_str(),
                    accounts: count.accounts,
                })
                .collect(),
            newest: store
                .newest_users(NEWEST)?
                .into_iter()
                .map(account)
                .collect(),
        },
        month: MonthView {
            month: month.month,
            calls: month.total_calls,
            overage: month.total_overage,
            accounts: month.accounts.len() as u64,
        },
        disk: Disk {
            database_bytes: sizes.database + sizes.log,
            index_bytes: sizes.index,
            total_bytes: total(directory),
        },
        backups: backups_in(&backups::folder(&context.app.config.backup, directory)),
        not_indexed: context.edge.vitals.now().pending,
        counts: counts_of(context),
        problems: health::details(&context.app),
        providers: provider_counts(context),
    })
}

fn provider_counts(context: &RequestContext) -> Vec<ProviderCounts> {
    let stats = context.app.provider_stats().into_iter();
    let counts = stats.map(|stats| ProviderCounts {
        name: stats.name,
        requests: stats.requests,
        failures: stats.failed,
    });
    counts.collect()
}

/// A summary of the metrics.
fn counts_of(context: &RequestContext) -> Vec<OperatorCount> {
    let app = &context.app;
    let timed = |of, label, times: &Times| OperatorCount {
        of,
        label,
        count: times.count(),
        mean_ms: Some((times.mean_ms() * 10.0).round() / 10.0),
        hits: None,
    };
    let lookups = app.lookup.times();
    let references = app.references.times();
    let providers = app.provider_stats();
    let asked = providers.iter().filter(|stats| stats.times.count() > 0);
    let answers = { lookups.iter() }.map(|(answer, times)| timed("lookup", answer.as_str(), times));
    let searches =
        { references.iter() }.map(|(answer, times)| timed("reference", answer.as_str(), times));
    let providers = asked.map(|stats| timed("provider", stats.name, &stats.times));
    let caches = app
        .caches()
        .into_iter()
        .map(|(label, (hits, misses))| OperatorCount {
            of: "cache",
            label,
            count: hits + misses,
            mean_ms: None,
            hits: Some(hits),
        });
    let metrics = &context.edge.metrics;
    let errors = metrics.errors().map(|(code, count)| OperatorCount {
        of: "error",
        label: code.as_str(),
        count,
        mean_ms: None,
        hits: None,
    });
    let all = answers.chain(searches).chain(providers);
    all.chain(caches).chain(errors).collect()
}

fn account(user: User) -> AccountView {
    AccountView {
        id: user.uid,
        email: user.email,
        name: user.name,
        plan: user.plan.as_str(),
        created_at: clock::iso8601(user.created_at),
        disabled: user.disabled_at.is_some(),
    }
}

/// The backups of a folder, newest first.
pub fn backups_in(folder: &Path) -> Vec<Backup> {
    let mut found: Vec<FolderFile> = files(folder)
        .filter(|file| file.name.ends_with(".db"))
        .collect();
    found.sort_by_key(|file| std::cmp::Reverse(file.changed_at));
    let backup = |file: FolderFile| Backup {
        name: file.name,
        bytes: file.bytes,
        made_at: clock::iso8601(file.changed_at),
    };
    found.into_iter().map(backup).collect()
}

pub fn operation() -> Operation {
    Operation::new("get_operator_view", "service", "Statistics for operators")
        .describe(
            "For accounts in `auth.operators` of the configuration, signed in with a \
             browser.",
        )
        .reply::<OperatorView>(200, "Accounts, this month’s calls, the disk.")
}
