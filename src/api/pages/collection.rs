//! `/c/{id}`: a collection.

use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, failed, list, text};
use super::cite::plain_title;
use super::formatted::{self, choices, format, locales, setting};
use super::frame::{self, encode_query, form, redirect, words};
use crate::api::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
use crate::ui::bibliography::{Choice, Line};
use crate::ui::collection::{self as view, Collection};
use crate::ui::page::{Frame, query_value};
use crate::ui::rich::rich;
use crate::ui::words::Words;

/// `GET /c/{id}?style=&locale=`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let answer = ask(context)?;
    let etag = answer.header("etag").unwrap_or_default().to_owned();
    let collection = answer.body;
    let mut wanted = setting(&context.query);
    if wanted.style.is_empty() {
        wanted.style = text(&collection, "defaultstyle").to_owned();
    }
    let answer = format(context, &metadata_of(&collection), &wanted);
    let words = words(context);
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
                styles: choices(context, &style),
                style,
                locales: locales(context),
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
            problem: problem.or_else(|| (!answer.is_ok()).then(|| error_message(words, &answer))),
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
    Ok(frame::show(context, &frame, main))
}

/// `POST /c/{id}`: one change, then the page anew.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let path = format!("/api/v1/collections/{}", query_value(context.param("id")));
    let action = form.get("do").unwrap_or("add");
    let (action, entry) = action.split_once(':').unwrap_or((action, ""));
    let entry = query_value(entry);
    let send = |method, path: &str, body: Value| subrequest::send(context, method, path, &body);
    let answer = match action {
        "save" => save(context, &path, &form),
        "format" => return Ok(redirect(&with_setting(context, &form))),
        "remove" => send(
            Method::DELETE,
            &format!("{path}/entries/{entry}"),
            json!({}),
        ),
        "up" => move_up(context, &path, &entry)?,
        "share" => send(Method::POST, &format!("{path}/share"), json!({})),
        "unshare" => send(Method::DELETE, &format!("{path}/share"), json!({})),
        "delete" => {
            let answer = send(Method::DELETE, &path, json!({}));
            if answer.is_ok() {
                let deleted = encode_query(&[("deleted", context.param("id"))]);
                return Ok(redirect(&format!("/library?{deleted}")));
            }
            answer
        }
        _ => add(context, &path, form.get("q").unwrap_or_default()),
    };
    match answer.is_ok() {
        true => Ok(redirect(&format!(
            "/c/{}",
            query_value(context.param("id"))
        ))),
        false => {
            let error_message = error_message(words(context), &answer);
            Ok(page(context, Some(error_message))?.with_status(answer.status))
        }
    }
}

/// The page's address with the style and locale that the form names.
fn with_setting(context: &RequestContext, form: &Query) -> String {
    let wanted = setting(form);
    let query = [
        ("style", wanted.style.as_str()),
        ("locale", wanted.locale.as_str()),
    ];
    format!(
        "/c/{}?{}",
        query_value(context.param("id")),
        encode_query(&query)
    )
}

/// Name, description and tags.
fn save(context: &RequestContext, path: &str, form: &Query) -> Answer {
    let body = json!({
        "name": form.get("name").unwrap_or_default(),
        "description": form.get("description").filter(|text| !text.trim().is_empty()),
    });
    let answer = subrequest::send(context, Method::PATCH, path, &body);
    if !answer.is_ok() {
        return answer;
    }
    let body = json!({"tags": split_tags(form.get("tags").unwrap_or_default())});
    subrequest::send(context, Method::PATCH, &format!("{path}/tags"), &body)
}

pub fn split_tags(text: &str) -> Vec<&str> {
    text.split(',')
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .collect()
}

/// Puts an entry before the one above it.
fn move_up(context: &RequestContext, path: &str, entry: &str) -> Result<Answer, ApiError> {
    let collection = read(context)?;
    let ids = list(&collection, "entries")
        .iter()
        .map(|entry| text(entry, "id"));
    let mut ids: Vec<&str> = ids.collect();
    if let Some(at) = ids.iter().position(|id| *id == entry).filter(|at| *at > 0) {
        ids.swap(at, at - 1);
    }
    let body = json!({"entry_ids": ids});
    Ok(subrequest::send(
        context,
        Method::PATCH,
        &format!("{path}/reorder"),
        &body,
    ))
}

/// Looks something up and puts the likeliest work into the collection.
fn add(context: &RequestContext, path: &str, query: &str) -> Answer {
    let query = query.trim();
    let body = json!({"query": query});
    let found = subrequest::send(context, Method::POST, "/api/v1/lookup", &body);
    if !found.is_ok() {
        return found;
    }
    let likeliest = || found.body.pointer("/candidates/0/metadata");
    let metadata = found.body.get("metadata").or_else(likeliest);
    // A text that no source knows is kept as it is, to be completed by hand.
    let body = match metadata {
        Some(metadata) => json!({"metadata": metadata}),
        None => json!({"metadata": {"title": query}, "review_status": "needs_review"}),
    };
    subrequest::send(context, Method::POST, &format!("{path}/entries"), &body)
}

/// `GET /c/{id}/export.{format}?style=&locale=`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = read(context)?;
    let wanted = setting(&context.query);
    formatted::file(
        context,
        &metadata_of(&collection),
        context.param("format"),
        &wanted,
    )
}

fn read(context: &RequestContext) -> Result<Value, ApiError> {
    ask(context).map(|answer| answer.body)
}

fn ask(context: &RequestContext) -> Result<Answer, ApiError> {
    let answer = subrequest::get(
        context,
        &format!("/api/v1/collections/{}", query_value(context.param("id"))),
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
