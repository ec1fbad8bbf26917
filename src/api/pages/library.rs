//! `/library?deleted=ID`: the collections of whoever has signed in, and the one deleted just now.

use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, list as members, text};
use super::frame::{form, redirect, show, words};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
use crate::ui::library::{self, Card, Library};
use crate::ui::page::{Frame, query_value};

/// `GET /library`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(page(context, None))
}

/// `POST /library`: a new collection, a copy of one that somebody shares, or a deleted one again.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let answer = match form.get("do") {
        Some("copy") => copy(context, form.get("token").unwrap_or_default()),
        Some("restore") => {
            let id = query_value(form.get("id").unwrap_or_default());
            let path = format!("/api/v1/collections/{id}/restore");
            subrequest::send(context, Method::POST, &path, &json!({}))
        }
        _ => {
            let body = json!({"name": form.get("name").unwrap_or_default()});
            subrequest::send(context, Method::POST, "/api/v1/collections", &body)
        }
    };
    match answer.is_ok() {
        true => Ok(redirect(&format!(
            "/c/{}",
            query_value(text(&answer.body, "id"))
        ))),
        false => {
            let error_message = error_message(words(context), &answer);
            Ok(page(context, Some(error_message)).with_status(answer.status))
        }
    }
}

fn copy(context: &RequestContext, token: &str) -> Answer {
    let shared = subrequest::get(context, &format!("/api/v1/shared/{}", query_value(token)));
    if !shared.is_ok() {
        return shared;
    }
    let entries = members(&shared.body, "entries").iter();
    let entries: Vec<Value> = entries
        .map(|entry| json!({"metadata": entry.get("metadata"), "tags": entry.get("tags")}))
        .collect();
    let body = json!({
        "name": text(&shared.body, "name"),
        "description": shared.body.get("description"),
        "defaultstyle": shared.body.get("defaultstyle"),
        "entries": entries,
    });
    subrequest::send(context, Method::POST, "/api/v1/collections", &body)
}

fn page(context: &RequestContext, problem: Option<String>) -> Reply {
    let words = words(context);
    let is_signed_in = context.caller.session().is_some();
    let mut view = Library {
        is_signed_in,
        problem,
        deleted: context.query.get("deleted").map(str::to_owned),
        ..Library::default()
    };
    if is_signed_in {
        let answer = subrequest::get(context, "/api/v1/collections");
        match answer.body.as_array() {
            Some(collections) => view.collections = collections.iter().map(card).collect(),
            None => view.problem = Some(error_message(words, &answer)),
        }
        let me = subrequest::get(context, "/api/v1/me").body;
        let limit = me.pointer("/limits/collections").and_then(Value::as_u64);
        view.limit = limit.unwrap_or(0);
    }
    let frame = Frame {
        title: words.get("library.title"),
        current: "/library",
        script: Some("library.js"),
        ..Frame::default()
    };
    show(context, &frame, library::library(words, &view))
}

fn card(summary: &Value) -> Card {
    let tags = members(summary, "tags").iter().filter_map(Value::as_str);
    Card {
        id: text(summary, "id").to_owned(),
        name: text(summary, "name").to_owned(),
        entries: summary
            .get("entry_count")
            .and_then(Value::as_u64)
            .unwrap_or(0),
        tags: tags.map(str::to_owned).collect(),
        updated: text(summary, "updated_at")
            .get(..10)
            .unwrap_or_default()
            .to_owned(),
        is_shared: summary.get("share_token").is_some_and(Value::is_string),
    }
}
