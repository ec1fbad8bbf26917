//! `/help` and `/status`.

use serde_json::Value;

use super::answers::{list, text};
use super::frame::{show, words};
use crate::api::call::Call;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within;
use crate::ui::page::Frame;
use crate::ui::status::{Account, Limits, Operator, Provider, Status};
use crate::ui::{help, status as view};

/// `GET /help`.
pub fn help(call: &Call) -> Result<Reply, ApiError> {
    let words = words(call);
    let frame = Frame {
        title: words.get("help.title"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(call, &frame, help::help(words)))
}

/// `GET /status`.
pub fn status(call: &Call) -> Result<Reply, ApiError> {
    let body = within::get(call, "/api/health").body;
    let number = |pointer: &str| body.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let providers = list(&body, "providers").iter().map(|provider| Provider {
        name: text(provider, "name").to_owned(),
        circuit: text(provider, "circuit").to_owned(),
        requests: provider
            .get("requests")
            .and_then(Value::as_u64)
            .unwrap_or(0),
        failures: provider
            .get("failures")
            .and_then(Value::as_u64)
            .unwrap_or(0),
    });
    let ingest = body.get("ingest").unwrap_or(&Value::Null);
    let last = text(ingest, "last_success_at");
    let status = Status {
        status: text(&body, "status").to_owned(),
        problems: list(&body, "problems")
            .iter()
            .filter_map(|problem| problem.as_str().map(str::to_owned))
            .collect(),
        version: format!("{} ({})", text(&body, "version"), text(&body, "commit")),
        works: number("/managed_counts/corpus_records"),
        documents: number("/search/documents"),
        is_search_ready: body
            .get("search_ready")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        ingest: text(ingest, "status").to_owned(),
        last_ingest: (!last.is_empty()).then(|| last.to_owned()),
        uptime_seconds: number("/uptime_seconds"),
        providers: providers.collect(),
        operator: operator(call),
    };
    let words = words(call);
    let frame = Frame {
        title: words.get("status.title"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(call, &frame, view::status(words, &status)))
}

/// What the operator sees besides; nothing for everybody else.
fn operator(call: &Call) -> Option<Operator> {
    call.caller.session()?;
    let answer = within::get(call, "/api/v1/operator");
    let body = answer.is_ok().then_some(answer.body)?;
    let number = |value: &Value, pointer: &str| value.pointer(pointer).and_then(Value::as_u64);
    let count = |pointer: &str| number(&body, pointer).unwrap_or(0);
    let inner = |name: &str| body.get(name).unwrap_or(&Value::Null);
    let accounts = inner("accounts");
    let plans = list(accounts, "plans").iter().map(|plan| {
        let accounts = number(plan, "/accounts").unwrap_or(0);
        (text(plan, "plan").to_owned(), accounts)
    });
    let newest = list(accounts, "newest").iter().map(|account| {
        let names = ["email", "name", "id"].map(|name| text(account, name));
        Account {
            name: names
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default()
                .to_owned(),
            plan: text(account, "plan").to_owned(),
            created_at: text(account, "created_at").to_owned(),
            is_disabled: account
                .get("disabled")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        }
    });
    let backups = list(&body, "backups").iter().map(|backup| {
        let bytes = number(backup, "/bytes").unwrap_or(0);
        (
            text(backup, "name").to_owned(),
            bytes,
            text(backup, "made_at").to_owned(),
        )
    });
    let rules = within::get(call, "/api/v1/limits").body;
    let limits = list(&rules, "plans").iter().map(|rules| Limits {
        plan: text(rules, "plan").to_owned(),
        daily_lookups: number(rules, "/daily_lookups").unwrap_or(0),
        monthly_calls: number(rules, "/monthly_calls"),
        collections: number(rules, "/collections").unwrap_or(0),
        entries: number(rules, "/entries_per_collection").unwrap_or(0),
        burst: number(rules, "/burst_per_minute").unwrap_or(0),
    });
    Some(Operator {
        accounts: count("/accounts/total"),
        disabled: count("/accounts/disabled"),
        plans: plans.collect(),
        newest: newest.collect(),
        month: text(inner("month"), "month").to_owned(),
        calls: count("/month/calls"),
        overage: count("/month/overage"),
        database_bytes: count("/disk/database_bytes"),
        total_bytes: count("/disk/total_bytes"),
        backups: backups.collect(),
        limits: limits.collect(),
    })
}
