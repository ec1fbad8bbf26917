//! The audit log: changes to accounts, by whom and when. Rows are only added; the database itself
//! rejects changes and deletions.

use rusqlite::Transaction;

use super::{Store, StoreError, query};

/// An event. It must not contain secrets or e-mail addresses, since rows are never
/// deleted; accounts are named by UUID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Unix seconds.
    pub at: i64,
    /// `user:UUID`, `command line`, `anonymous` or `server`.
    pub actor: String,
    /// `sign_in`, `api_key.create`, `user.plan`, ….
    pub action: &'static str,
    /// The UUID of the account concerned.
    pub subject: Option<String>,
    /// The address of the request; `None` on the command line.
    pub address: Option<String>,
    /// Further details: `plan=academic`.
    pub details: String,
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    pub id: i64,
    pub at: i64,
    pub actor: String,
    pub action: String,
    pub subject: Option<String>,
    pub address: Option<String>,
    pub details: String,
}

/// A filter for rows.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// The UUID of the account concerned, or of the one that acted.
    pub account: Option<String>,
    pub action: Option<String>,
    /// Earliest time, Unix seconds.
    pub since: Option<i64>,
    /// Maximum number of newest rows.
    pub limit: u64,
}

impl Event {
    pub fn new(at: i64, actor: impl Into<String>, action: &'static str) -> Event {
        Event {
            at,
            actor: actor.into(),
            action,
            subject: None,
            address: None,
            details: String::new(),
        }
    }

    pub fn about(mut self, subject: impl Into<String>) -> Event {
        self.subject = Some(subject.into());
        self
    }

    pub fn from_address(mut self, address: impl Into<String>) -> Event {
        self.address = Some(address.into());
        self
    }

    pub fn with(mut self, details: impl Into<String>) -> Event {
        self.details = details.into();
        self
    }
}

impl Store {
    /// Adds a row in its own transaction.
    pub fn record(&self, event: &Event) -> Result<(), StoreError> {
        self.write(|transaction| insert(transaction, event))
    }

    /// The newest matching rows, oldest first.
    pub fn audit(&self, filter: &AuditFilter) -> Result<Vec<AuditRow>, StoreError> {
        let sql = "SELECT id, at, actor, action, subject, address, details FROM audit
             WHERE (?1 IS NULL OR subject = ?1 OR actor = 'user:' || ?1)
               AND (?2 IS NULL OR action = ?2) AND (?3 IS NULL OR at >= ?3)
             ORDER BY id DESC LIMIT ?4";
        let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
        let parameters = (&filter.account, &filter.action, filter.since, limit);
        let mut rows = self.all(sql, parameters, |row| {
            Ok(AuditRow {
                id: row.get(0)?,
                at: row.get(1)?,
                actor: row.get(2)?,
                action: row.get(3)?,
                subject: row.get(4)?,
                address: row.get(5)?,
                details: row.get(6)?,
            })
        })?;
        rows.reverse();
        Ok(rows)
    }
}

/// Adds a row to the transaction of its change.
pub fn insert(transaction: &Transaction<'_>, event: &Event) -> Result<(), StoreError> {
    query::execute(
        transaction,
        "INSERT INTO audit (at, actor, action, subject, address, details)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            event.at,
            &event.actor,
            event.action,
            &event.subject,
            &event.address,
            &event.details,
        ),
    )?;
    Ok(())
}
