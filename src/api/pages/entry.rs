//! `/c/{id}/e/{eid}`: an entry of a collection, and what it said before.

use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, failed, list, text};
use super::cite::plain_title;
use super::collection::split_tags;
use super::formatted::{Setting, format};
use super::frame::{self, form, redirect, words};
use crate::api::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
use crate::ui::entry::{self as view, Entry, Version};
use crate::ui::page::{Frame, moment, query_value};
use crate::ui::rich::rich;

/// The fields that an entry's page has, beside type and authors: the interface's names.
const FIELDS: [&str; 16] = [
    "title",
    "date",
    "journal",
    "container_title",
    "volume",
    "issue",
    "pages",
    "publisher",
    "publisher_place",
    "edition",
    "doi",
    "isbn",
    "issn",
    "url",
    "language",
    "abstract",
];

/// `GET /c/{id}/e/{eid}`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let collection = ask(context, &format!("{}?limit=1", collection_path(context)))?;
    let entry = find(context)?;
    let metadata = entry.get("metadata").cloned().unwrap_or_default();
    let wanted = Setting {
        style: text(&collection, "defaultstyle").to_owned(),
        locale: String::new(),
    };
    let formatted = format(context, std::slice::from_ref(&metadata), &wanted).body;
    let rendered = formatted.pointer("/entries/0").unwrap_or(&Value::Null);
    let tags: Vec<&str> = list(&entry, "tags")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let title = plain_title(&metadata);
    let view = Entry {
        collection: text(&collection, "id").to_owned(),
        collection_name: text(&collection, "name").to_owned(),
        id: text(&entry, "id").to_owned(),
        fields: FIELDS
            .iter()
            .map(|name| (*name, field(&metadata, name)))
            .collect(),
        kind: text(&metadata, "entry_type").to_owned(),
        authors: authors(&metadata),
        note: text(&entry, "note").to_owned(),
        tags: tags.join(", "),
        status: text(&entry, "review_status").to_owned(),
        preview: rich(text(rendered, "bibliography_html")),
        sentence_case: sentence_case(context, &metadata)
            .map(|title| plain_title(&json!({"title": title}))),
        versions: history(context)?.iter().map(version).collect(),
        problem,
        title,
    };
    let frame = Frame {
        title: &view.title,
        current: "/library",
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(
        context,
        &frame,
        view::entry(words(context), &view),
    ))
}

/// The entry with its abstract, which is a field of the page.
fn find(context: &RequestContext) -> Result<Value, ApiError> {
    ask(context, &format!("{}?include=abstract", path(context)))
}

fn ask(context: &RequestContext, path: &str) -> Result<Value, ApiError> {
    let answer = subrequest::get(context, path);
    match answer.is_ok() {
        true => Ok(answer.body),
        false => Err(failed(&answer)),
    }
}

fn collection_path(context: &RequestContext) -> String {
    format!("/api/v1/collections/{}", query_value(context.param("id")))
}

fn path(context: &RequestContext) -> String {
    let entry = query_value(context.param("eid"));
    format!("{}/entries/{entry}", collection_path(context))
}

/// The versions that the entry had, newest first.
fn history(context: &RequestContext) -> Result<Vec<Value>, ApiError> {
    let mut versions = ask(context, &format!("{}/history", path(context)))?;
    Ok(versions
        .as_array_mut()
        .map(std::mem::take)
        .unwrap_or_default())
}

fn version(value: &Value) -> Version {
    let changes = list(value, "changes").iter().map(|change| {
        let side = |name: &str| shown(change.get(name).unwrap_or(&Value::Null));
        (text(change, "field").to_owned(), side("from"), side("to"))
    });
    Version {
        number: number(value),
        cause: text(value, "cause").to_owned(),
        time: moment(text(value, "replaced_at")),
        changes: changes.collect(),
    }
}

/// A value of any field as text.
fn shown(value: &Value) -> String {
    let text = written(value);
    match text.is_empty() && !value.is_null() {
        true => value.to_string(),
        false => text,
    }
}

fn number(version: &Value) -> i64 {
    let number = version.get("version").and_then(Value::as_i64);
    number.unwrap_or_default()
}

/// `POST /c/{id}/e/{eid}`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let home = format!("/c/{}", query_value(context.param("id")));
    let own = format!("{home}/e/{}", query_value(context.param("eid")));
    let wanted = form.get("do").unwrap_or_default();
    let (answer, next) = match wanted.strip_prefix("restore:") {
        Some(number) => (restore(context, number)?, &own),
        None if wanted == "sentence-case" => (take_sentence_case(context)?, &own),
        None if wanted == "remove" => {
            let answer = subrequest::send(context, Method::DELETE, &path(context), &json!({}));
            (answer, &home)
        }
        None => (save(context, &form)?, &home),
    };
    match answer.is_ok() {
        true => Ok(redirect(next)),
        false => {
            let error_message = error_message(words(context), &answer);
            Ok(page(context, Some(error_message))?.with_status(answer.status))
        }
    }
}

/// Writes the fields of the form over those of the entry; what the form does not have stays.
fn save(context: &RequestContext, form: &Query) -> Result<Answer, ApiError> {
    let entry = find(context)?;
    let stored = entry.get("metadata").unwrap_or(&Value::Null);
    let mut metadata = stored.as_object().cloned().unwrap_or_default();
    let mut set = |name: &str, value: Value| match value {
        Value::Null => {
            metadata.remove(name);
        }
        value => {
            metadata.insert(name.to_owned(), value);
        }
    };
    let given = |name: &str| {
        form.get(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    set("entry_type", given("entry_type").into());
    for name in FIELDS {
        // A field that is shown as it was is left as it was: a date may hold more than its text.
        if given(name).unwrap_or_default() != field(stored, name) {
            set(name, given(name).into());
        }
    }
    if given("authors").unwrap_or_default() != authors(stored) {
        let lines = given("authors").unwrap_or_default().lines();
        let names: Vec<&str> = lines
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        set("authors", json!(names));
    }
    let replaced = put(context, &Value::Object(metadata));
    if !replaced.is_ok() {
        return Ok(replaced);
    }
    let body = json!({
        "note": given("note"),
        "tags": split_tags(form.get("tags").unwrap_or_default()),
        "review_status": given("review_status").unwrap_or("clean"),
    });
    Ok(subrequest::send(
        context,
        Method::PATCH,
        &path(context),
        &body,
    ))
}

/// The title in sentence case, where the interface suggests that.
fn sentence_case(context: &RequestContext, metadata: &Value) -> Option<String> {
    let body = json!({"title": text(metadata, "title"), "language": metadata.get("language")});
    let answer = subrequest::send(context, Method::POST, "/api/v1/titles/sentence-case", &body);
    let suggestion = answer.body.get("suggestion").and_then(Value::as_str);
    suggestion.map(str::to_owned)
}

/// Gives the entry the title that was suggested. One that is no longer suggested changes nothing.
fn take_sentence_case(context: &RequestContext) -> Result<Answer, ApiError> {
    let mut metadata = find(context)?.get("metadata").cloned().unwrap_or_default();
    if let Some(title) = sentence_case(context, &metadata) {
        metadata["title"] = title.into();
    }
    Ok(put(context, &metadata))
}

/// Puts an earlier version back.
fn restore(context: &RequestContext, wanted: &str) -> Result<Answer, ApiError> {
    let versions = history(context)?;
    let found = versions
        .iter()
        .find(|version| number(version).to_string() == wanted)
        .and_then(|version| version.get("metadata"));
    let gone = || ApiError::not_found("version", "This version is no longer kept.");
    Ok(put(context, found.ok_or_else(gone)?))
}

fn put(context: &RequestContext, metadata: &Value) -> Answer {
    let path = format!("{}/metadata", path(context));
    subrequest::send(context, Method::PUT, &path, metadata)
}

/// A field as text: dates as ISO 8601, as far as they go.
fn field(metadata: &Value, name: &str) -> String {
    written(metadata.get(name).unwrap_or(&Value::Null))
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => values
            .iter()
            .map(one_of_many)
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(date) => {
            let part = |name: &str| date.get(name).and_then(Value::as_i64);
            match (part("year"), part("month"), part("day")) {
                (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
                (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
                (Some(year), None, _) => format!("{year:04}"),
                _ => text(value, "literal").to_owned(),
            }
        }
        Value::Bool(_) | Value::Null => String::new(),
    }
}

/// A line a name: `Family, Given`, or an institution as it is.
fn authors(metadata: &Value) -> String {
    written(metadata.get("authors").unwrap_or(&Value::Null))
}

/// A name, or a keyword.
fn one_of_many(value: &Value) -> String {
    let particle = text(value, "non_dropping_particle");
    let family = [particle, text(value, "family")].join(" ");
    match (family.trim(), text(value, "given")) {
        ("", "") => written(value),
        ("", given) => given.to_owned(),
        (family, "") => family.to_owned(),
        (family, given) => format!("{family}, {given}"),
    }
}
