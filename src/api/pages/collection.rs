//! `/c/{id}`: a collection.

use http::Method;
use serde_json::{Value, json};

use super::answers::{failed, list, said, text};
use super::cite::plain_title;
use super::formatted::{self, choices, format, locales, setting};
use super::frame::{self, encode_query, form, redirect, words};
use crate::api::call::{Call, Query};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within::{self, Answer};
use crate::model::identifier::{Doi, Isbn};
use crate::ui::bibliography::{Choice, Line};
use crate::ui::collection::{self as view, Collection};
use crate::ui::page::{Frame, query_value};
use crate::ui::rich::rich;
use crate::ui::words::Words;

/// `GET /c/{id}?style=&locale=`.
pub fn show(call: &Call) -> Result<Reply, ApiError> {
    page(call, None)
}

fn page(call: &Call, problem: Option<String>) -> Result<Reply, ApiError> {
    let answer = ask(call)?;
    let etag = answer.header("etag").unwrap_or_default().to_owned();
    let collection = answer.body;
    let mut wanted = setting(&call.query);
    if wanted.style.is_empty() {
        wanted.style = text(&collection, "defaultstyle").to_owned();
    }
    let answer = format(call, &metadata_of(&collection), &wanted);
    let words = words(call);
    let style = match text(&answer.body, "style") {
        "" => wanted.style.clone(),
        style => style.to_owned(),
    };
    let indent = answer.body.pointer("/layout/hanging_indent");
    let tags: Vec<&str> = list(&collection, "tags")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let share = collection.get("share_url").and_then(Value::as_str);
    let main = view::collection(
        words,
        &Collection {
            id: text(&collection, "id").to_owned(),
            name: text(&collection, "name").to_owned(),
            description: text(&collection, "description").to_owned(),
            tags: tags.join(", "),
            choice: Choice {
                styles: choices(call, &style),
                style,
                locales: locales(call),
                locale: wanted.locale,
            },
            lines: lines(
                words,
                &collection,
                &answer.body,
                Some(text(&collection, "id")),
            ),
            has_hanging_indent: indent.and_then(Value::as_bool).unwrap_or(false),
            share_url: share.map(str::to_owned),
            problem: problem.or_else(|| (!answer.is_ok()).then(|| said(words, &answer))),
            notice: None,
            data: json!({"collection": collection, "etag": etag}),
        },
    );
    let frame = Frame {
        title: text(&collection, "name"),
        current: "/library",
        script: Some("collection.js"),
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(call, &frame, main))
}

/// `POST /c/{id}`: one change, then the page anew.
pub fn change(call: &Call) -> Result<Reply, ApiError> {
    let form = form(call);
    let path = format!("/api/v1/collections/{}", query_value(call.param("id")));
    let action = form.get("do").unwrap_or("add");
    let (action, entry) = action.split_once(':').unwrap_or((action, ""));
    let entry = query_value(entry);
    let send = |method, path: &str, body: Value| within::send(call, method, path, &body);
    let answer = match action {
        "save" => save(call, &path, &form),
        "format" => return Ok(redirect(&with_setting(call, &form))),
        "remove" => send(
            Method::DELETE,
            &format!("{path}/entries/{entry}"),
            json!({}),
        ),
        "up" => move_up(call, &path, &entry)?,
        "share" => send(Method::POST, &format!("{path}/share"), json!({})),
        "unshare" => send(Method::DELETE, &format!("{path}/share"), json!({})),
        "delete" => {
            let answer = send(Method::DELETE, &path, json!({}));
            if answer.is_ok() {
                let deleted = encode_query(&[("deleted", call.param("id"))]);
                return Ok(redirect(&format!("/library?{deleted}")));
            }
            answer
        }
        _ => add(call, &path, form.get("q").unwrap_or_default()),
    };
    match answer.is_ok() {
        true => Ok(redirect(&format!("/c/{}", query_value(call.param("id"))))),
        false => {
            let said = said(words(call), &answer);
            Ok(page(call, Some(said))?.with_status(answer.status))
        }
    }
}

/// The page's address with the style and locale that the form names.
fn with_setting(call: &Call, form: &Query) -> String {
    let wanted = setting(form);
    let query = [
        ("style", wanted.style.as_str()),
        ("locale", wanted.locale.as_str()),
    ];
    format!(
        "/c/{}?{}",
        query_value(call.param("id")),
        encode_query(&query)
    )
}

/// Name, description and tags.
fn save(call: &Call, path: &str, form: &Query) -> Answer {
    let body = json!({
        "name": form.get("name").unwrap_or_default(),
        "description": form.get("description").filter(|text| !text.trim().is_empty()),
    });
    let answer = within::send(call, Method::PATCH, path, &body);
    if !answer.is_ok() {
        return answer;
    }
    let body = json!({"tags": split_tags(form.get("tags").unwrap_or_default())});
    within::send(call, Method::PATCH, &format!("{path}/tags"), &body)
}

pub fn split_tags(text: &str) -> Vec<&str> {
    text.split(',')
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .collect()
}

/// Puts an entry before the one above it.
fn move_up(call: &Call, path: &str, entry: &str) -> Result<Answer, ApiError> {
    let collection = read(call)?;
    let ids = list(&collection, "entries")
        .iter()
        .map(|entry| text(entry, "id"));
    let mut ids: Vec<&str> = ids.collect();
    if let Some(at) = ids.iter().position(|id| *id == entry).filter(|at| *at > 0) {
        ids.swap(at, at - 1);
    }
    let body = json!({"entry_ids": ids});
    Ok(within::send(
        call,
        Method::PATCH,
        &format!("{path}/reorder"),
        &body,
    ))
}

/// Looks something up and puts the likeliest work into the collection.
fn add(call: &Call, path: &str, query: &str) -> Answer {
    let query = query.trim();
    let (lookup, body) = if Doi::parse(query).is_ok() {
        ("/api/v1/lookup/doi", json!({"doi": query}))
    } else if Isbn::parse(query).is_ok() {
        ("/api/v1/lookup/isbn", json!({"isbn": query}))
    } else {
        ("/api/v1/reverse", json!({"text": query, "limit": 1}))
    };
    let found = within::send(call, Method::POST, lookup, &body);
    if !found.is_ok() {
        return found;
    }
    let metadata = match &found.body {
        Value::Array(candidates) => candidates.first().and_then(|best| best.get("metadata")),
        metadata => Some(metadata),
    };
    // A text that no source knows is kept as it is, to be completed by hand.
    let body = match metadata {
        Some(metadata) => json!({"metadata": metadata}),
        None => json!({"metadata": {"title": query}, "review_status": "needs_review"}),
    };
    within::send(call, Method::POST, &format!("{path}/entries"), &body)
}

/// `GET /c/{id}/export.{format}?style=&locale=`.
pub fn export(call: &Call) -> Result<Reply, ApiError> {
    let collection = read(call)?;
    let wanted = setting(&call.query);
    formatted::file(
        call,
        &metadata_of(&collection),
        call.param("format"),
        &wanted,
    )
}

fn read(call: &Call) -> Result<Value, ApiError> {
    ask(call).map(|answer| answer.body)
}

fn ask(call: &Call) -> Result<Answer, ApiError> {
    let answer = within::get(
        call,
        &format!("/api/v1/collections/{}", query_value(call.param("id"))),
    );
    match answer.is_ok() {
        true => Ok(answer),
        false => Err(failed(&answer)),
    }
}

/// The metadata of a collection's entries, in their order.
pub fn metadata_of(collection: &Value) -> Vec<Value> {
    let entries = list(collection, "entries").iter();
    entries
        .map(|entry| entry.get("metadata").cloned().unwrap_or_default())
        .collect()
}

/// The lines of a collection's list; with buttons where it is one's own.
pub fn lines(words: Words, collection: &Value, formatted: &Value, own: Option<&str>) -> Vec<Line> {
    let rendered = list(formatted, "entries");
    let entries = list(collection, "entries").iter().enumerate();
    entries
        .map(|(index, entry)| {
            let metadata = entry.get("metadata").unwrap_or(&Value::Null);
            let title = plain_title(metadata);
            let rendered = rendered.get(index).unwrap_or(&Value::Null);
            let html = match text(rendered, "bibliography_html") {
                "" => text(rendered, "in_text_html"),
                html => html,
            };
            let tags = list(entry, "tags").iter().filter_map(Value::as_str);
            let tags: Vec<String> = tags.map(str::to_owned).collect();
            let id = text(entry, "id");
            Line {
                entry: rich(html),
                in_text: rich(text(rendered, "in_text_html")),
                beside: view::entry_badges(words, text(entry, "review_status"), &tags),
                buttons: own
                    .map(|own| view::entry_buttons(words, own, id, &title, index == 0))
                    .unwrap_or_default(),
                note: text(entry, "note").to_owned(),
                title,
            }
        })
        .collect()
}
