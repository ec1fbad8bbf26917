//! `citation audit`: who did what to accounts, and when.

use clap::Args;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::clock;
use crate::store::audit::{AuditFilter, AuditRow};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation audit --since 2026-11-01
  citation audit --user a@example.org --action sign_in --json")]
pub struct AuditCommand {
    /// Only events of this account, by e-mail address or id
    #[arg(long)]
    user: Option<String>,
    /// Only this action, such as sign_in or user.plan
    #[arg(long)]
    action: Option<String>,
    /// Not before this day or time (UTC), such as 2026-11-01
    #[arg(long, value_parser = read_moment)]
    since: Option<i64>,
    /// The number of newest events to show
    #[arg(long, default_value_t = 100)]
    limit: u64,
}

impl AuditCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let store = open::store(&config)?;
        let account = match &self.user {
            // A deleted account is known by its id only.
            Some(user) => Some(
                store
                    .user_by_email(user)?
                    .map_or_else(|| user.clone(), |user| user.uid),
            ),
            None => None,
        };
        let rows = store.audit(&AuditFilter {
            account,
            action: self.action.clone(),
            since: self.since,
            limit: self.limit,
        })?;
        for row in &rows {
            print(row, global.json);
        }
        Ok(Status::Done)
    }
}

/// A text line, or a JSON object per line.
fn print(row: &AuditRow, as_json: bool) {
    let at = clock::iso8601(row.at);
    if as_json {
        let line = json!({
            "id": row.id, "at": at, "actor": row.actor, "action": row.action,
            "subject": row.subject, "address": row.address, "details": row.details,
        });
        terminal::print_json(&line);
        return;
    }
    let subject = row.subject.as_deref().unwrap_or("–");
    let address = row.address.as_deref().unwrap_or("–");
    say!(
        "{at}  {:<18}  {}  about {subject}  from {address}  {}",
        row.action,
        row.actor,
        row.details
    );
}

fn read_moment(text: &str) -> Result<i64, String> {
    let whole = if text.len() == 10 {
        format!("{text}T00:00:00Z")
    } else {
        text.to_owned()
    };
    let moment: Result<jiff::Timestamp, _> = whole.parse();
    moment.map(|moment| moment.as_second()).map_err(|_| {
        Failure(format!(
            "“{text}” is not a time; write 2026-11-01 or 2026-11-01T12:00:00Z"
        ))
        .0
    })
}
