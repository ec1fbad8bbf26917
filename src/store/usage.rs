//! Usage: the daily windows of callers, and the API calls by user and day.

use std::ops::Range;

use rusqlite::Row;

use super::jobs::{ResultKey, mark_counted};
use super::{Store, StoreError};
use citation_model::plan::Plan;

/// The daily window of one caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowRow {
    /// `user:12`, `203.0.113.7` or `2001:db8:1:2::/64`.
    pub subject: String,
    pub opened_at: i64,
    pub used: u64,
}

/// The API calls of one user on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallsRow {
    pub user: i64,
    /// Days since 1970-01-01, UTC.
    pub day: i64,
    /// The plan at the last of the calls.
    pub plan: Plan,
    pub calls: u64,
    /// The monthly allowance at that time.
    pub included: u64,
}

impl Store {
    /// The stored window of a caller: when it opened, and its number of lookups.
    pub fn window(&self, subject: &str) -> Result<Option<(i64, u64)>, StoreError> {
        let sql = "SELECT opened_at, used FROM daily_windows WHERE subject = ?1";
        self.first(sql, [subject], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))
        })
    }

    /// The calls of one user in a range of days.
    pub fn calls_of(&self, user: i64, days: Range<i64>) -> Result<Vec<CallsRow>, StoreError> {
        let sql = "SELECT user, day, plan, calls, included FROM api_calls
            WHERE user = ?1 AND day >= ?2 AND day < ?3 ORDER BY day";
        self.all(sql, (user, days.start, days.end), read_calls)
    }

    /// The calls of all users in a range of days, by user and day.
    pub fn calls_on(&self, days: Range<i64>) -> Result<Vec<CallsRow>, StoreError> {
        let sql = "SELECT user, day, plan, calls, included FROM api_calls
            WHERE day >= ?1 AND day < ?2 ORDER BY user, day";
        self.all(sql, (days.start, days.end), read_calls)
    }

    /// Stores new values, and marks the results of jobs that they count. A window replaces the stored one;
    /// a day's calls never decrease.
    pub fn save_usage(
        &self,
        windows: &[WindowRow],
        calls: &[CallsRow],
        results: &[ResultKey],
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO daily_windows (subject, opened_at, used) VALUES (?1, ?2, ?3)
                 ON CONFLICT (subject) DO UPDATE
                 SET opened_at = excluded.opened_at, used = excluded.used",
            )?;
            for row in windows {
                statement.execute((&row.subject, row.opened_at, row.used as i64))?;
            }
            let mut statement = transaction.prepare_cached(
                "INSERT INTO api_calls (user, day, plan, calls, included)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (user, day) DO UPDATE
                 SET plan = excluded.plan, calls = max(calls, excluded.calls),
                     included = max(included, excluded.included)",
            )?;
            for row in calls {
                let (calls, included) = (row.calls as i64, row.included as i64);
                statement.execute((row.user, row.day, row.plan.number(), calls, included))?;
            }
            mark_counted(transaction, results)
        })
    }

    /// When the newest window opened; 0 if there is none.
    pub fn newest_window(&self) -> Result<i64, StoreError> {
        self.read(|connection| {
            let sql = "SELECT coalesce(max(opened_at), 0) FROM daily_windows";
            Ok(connection.query_row(sql, [], |row| row.get(0))?)
        })
    }

    /// Deletes windows that opened before a time, at most `most` of them. Returns the number.
    pub fn drop_windows(&self, opened_before: i64, most: usize) -> Result<usize, StoreError> {
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached(
                "DELETE FROM daily_windows WHERE subject IN
                 (SELECT subject FROM daily_windows WHERE opened_at < ?1 LIMIT ?2)",
            )?;
            Ok(statement.execute((opened_before, most as i64))?)
        })
    }
}

fn read_calls(row: &Row<'_>) -> Result<CallsRow, StoreError> {
    Ok(CallsRow {
        user: row.get(0)?,
        day: row.get(1)?,
        // A number that this version does not know cannot be billed as another plan.
        plan: Plan::from_number(row.get(2)?).unwrap_or(Plan::Free),
        calls: row.get::<_, i64>(3)? as u64,
        included: row.get::<_, i64>(4)? as u64,
    })
}
