//! Usage for billing: the API calls of a month by account.

use std::collections::BTreeMap;

use serde::Serialize;

use super::calendar::{self, Month};
use super::counts::Newest;
use super::{JOURNAL_FOLDER, QuotaError, journal};
use crate::store::Store;
use crate::store::usage::CallsRow;
use crate::store::users::BillingRecipient;
use citation_model::inert::table;
use citation_model::plan::Plan;

/// The usage of a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MonthReport {
    /// `2026-11`.
    pub month: String,
    /// The first day, and the last.
    pub from: String,
    pub to: String,
    /// By account, the oldest account first.
    pub accounts: Vec<AccountUsage>,
    pub total_calls: u64,
    pub total_overage: u64,
}

/// The usage of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountUsage {
    /// UUID.
    pub user_id: String,
    /// `None` for accounts without an address, and for deleted ones.
    pub email: Option<String>,
    /// The plan at the last call of the month.
    pub plan: &'static str,
    /// The largest allowance of the month.
    pub included: u64,
    pub calls: u64,
    /// Calls beyond the allowance.
    pub overage: u64,
    pub days: Vec<DayUsage>,
}

/// The calls of one day, UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DayUsage {
    pub date: String,
    pub calls: u64,
}

/// Creates the report of a month, including the last acknowledged call, whether a server is running
/// on the data directory or not.
pub fn monthly(store: &Store, month: Month) -> Result<MonthReport, QuotaError> {
    // The journal first: a file folded meanwhile is then in the database.
    let mut newest = Newest::default();
    for (_, path) in journal::files(&store.directory().join(JOURNAL_FOLDER))? {
        newest.take(journal::read(&path)?);
    }
    let (_, fresh) = newest.into_rows();
    let mut rows: BTreeMap<(i64, i64), CallsRow> = BTreeMap::new();
    let days = month.days();
    let fresh = fresh.into_iter().filter(|row| days.contains(&row.day));
    for row in store.calls_on(days.clone())?.into_iter().chain(fresh) {
        let known = rows.entry((row.user, row.day)).or_insert_with(|| row);
        if row.calls >= known.calls {
            let included = known.included.max(row.included);
            *known = CallsRow { included, ..row };
        }
    }
    let mut accounts: Vec<AccountUsage> = Vec::new();
    let mut last_user = None;
    for ((user, _), row) in rows {
        if last_user != Some(user) {
            let payer = store.payer(user)?;
            accounts.push(new_account(user, payer));
            last_user = Some(user);
        }
        if let Some(account) = accounts.last_mut() {
            account.add(&row);
        }
    }
    Ok(MonthReport {
        month: month.to_string(),
        from: calendar::day_text(days.start),
        to: calendar::day_text(days.end - 1),
        total_calls: accounts.iter().map(|account| account.calls).sum(),
        total_overage: accounts.iter().map(|account| account.overage).sum(),
        accounts,
    })
}

fn new_account(user: i64, payer: Option<BillingRecipient>) -> AccountUsage {
    let (user_id, email) = payer.map_or_else(
        || (format!("number {user}"), None),
        |payer| (payer.uid, payer.email),
    );
    AccountUsage {
        user_id,
        email,
        plan: Plan::Free.as_str(),
        included: 0,
        calls: 0,
        overage: 0,
        days: Vec::new(),
    }
}

impl AccountUsage {
    /// Adds a day; days come in order.
    fn add(&mut self, row: &CallsRow) {
        self.plan = row.plan.as_str();
        self.included = self.included.max(row.included);
        self.calls += row.calls;
        self.overage = self.calls.saturating_sub(self.included);
        self.days.push(DayUsage {
            date: calendar::day_text(row.day),
            calls: row.calls,
        });
    }
}

impl MonthReport {
    /// The report as CSV (RFC 4180), one line per account.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "month,user_id,email,plan,included_calls,calls,overage,first_day,last_day\r\n",
        );
        for account in &self.accounts {
            let day = |day: Option<&DayUsage>| day.map(|day| day.date.clone()).unwrap_or_default();
            let fields = [
                self.month.clone(),
                account.user_id.clone(),
                account.email.clone().unwrap_or_default(),
                account.plan.to_owned(),
                account.included.to_string(),
                account.calls.to_string(),
                account.overage.to_string(),
                day(account.days.first()),
                day(account.days.last()),
            ];
            csv.push_str(&table::row(fields));
            csv.push_str("\r\n");
        }
        csv
    }

    /// The report as CSV, one line for each account and day.
    pub fn to_daily_csv(&self) -> String {
        let mut csv = String::from("date,user_id,email,plan,calls\r\n");
        for account in &self.accounts {
            for day in &account.days {
                let email = account.email.as_deref().unwrap_or_default();
                let calls = day.calls.to_string();
                let fields = [&day.date, &account.user_id, email, account.plan, &calls];
                csv.push_str(&table::row(fields));
                csv.push_str("\r\n");
            }
        }
        csv
    }
}
