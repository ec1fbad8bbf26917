//! `/help` and `/status`.

use serde_json::Value;

use super::answers::{list, text};
use super::frame::{show, words};
use crate::api::call::Call;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within;
use crate::ui::page::Frame;
use crate::ui::status::{Provider, Status};
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
    };
    let words = words(call);
    let frame = Frame {
        title: words.get("status.title"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(call, &frame, view::status(words, &status)))
}
