//! `GET /api/v1/operator`: what whoever runs the server wants to know of it: accounts, this month's
//! calls, what lies on the disk. For the accounts that `auth.operators` names; the gate sees to that.

use std::path::Path;

use serde::Serialize;
use utoipa::ToSchema;

use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::operation::Operation;
use super::reply::Reply;
use crate::clock;
use crate::quota::calendar::Month;
use crate::quota::report;
use crate::store::users::User;

/// Accounts in the list of the newest.
const NEWEST: u64 = 20;

/// The service as its operator sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorView {
    pub accounts: Accounts,
    pub month: MonthView,
    pub disk: Disk,
    /// Copies of the database that were made before migrations, the newest first.
    pub backups: Vec<Backup>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Accounts {
    pub total: u64,
    pub disabled: u64,
    pub plans: Vec<PlanAccounts>,
    /// The twenty newest, the newest first.
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
    /// Calls over what the plans include.
    pub overage: u64,
    /// Accounts that made a call.
    pub accounts: u64,
}

/// Bytes on the disk.
#[derive(Debug, Serialize, ToSchema)]
pub struct Disk {
    /// The database with its log.
    pub database_bytes: u64,
    /// Everything in the data folder.
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

/// The service as its operator sees it now.
pub fn view_of(context: &RequestContext) -> Result<OperatorView, ApiError> {
    let store = context.app.auth.store();
    let counts = store.users_by_plan()?;
    let month = report::monthly(store, Month::of(context.app.clock.unix()));
    let month = month.map_err(ApiError::internal)?;
    let directory = store.directory();
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
            database_bytes: files(directory)
                .filter(|file| file.name.starts_with("citation.db"))
                .map(|file| file.bytes)
                .sum(),
            total_bytes: total(directory),
        },
        backups: backups(&directory.join("backups")),
    })
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

struct File {
    name: String,
    bytes: u64,
    /// Unix seconds.
    changed_at: i64,
}

/// The files right in a folder. What cannot be read, or has gone meanwhile, is left out.
fn files(folder: &Path) -> impl Iterator<Item = File> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let changed = metadata.modified().ok()?;
        let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(File {
            name: entry.file_name().to_string_lossy().into_owned(),
            bytes: metadata.len(),
            changed_at: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        })
    })
}

/// The bytes of everything in a folder.
fn total(folder: &Path) -> u64 {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let below: u64 = folders.map(|entry| total(&entry.path())).sum();
    below + files(folder).map(|file| file.bytes).sum::<u64>()
}

fn backups(folder: &Path) -> Vec<Backup> {
    let mut found: Vec<File> = files(folder)
        .filter(|file| file.name.ends_with(".db"))
        .collect();
    found.sort_by_key(|file| std::cmp::Reverse(file.changed_at));
    let backup = |file: File| Backup {
        name: file.name,
        bytes: file.bytes,
        made_at: clock::iso8601(file.changed_at),
    };
    found.into_iter().map(backup).collect()
}

pub fn operation() -> Operation {
    Operation::new(
        "get_operator_view",
        "service",
        "What the operator wants to know",
    )
    .describe(
        "For accounts that `auth.operators` of the configuration names, signed in with a \
             browser.",
    )
    .reply::<OperatorView>(200, "Accounts, this month’s calls, the disk.")
    .codes(&[Code::AuthenticationRequired, Code::Forbidden])
}
