//! `/c/{id}` and `/c/{id}/e/{eid}`: a collection and its entries.

use http::Method;
use serde_json::{Value, json};

use super::answers::{failed, list, said, text};
use super::cite::plain_title;
use super::formatted::{self, Setting, choices, format, locales, setting};
use super::frame::{self, encode_query, form, redirect, words};
use crate::api::call::{Call, Query};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within::{self, Answer};
use crate::model::identifier::{Doi, Isbn};
use crate::ui::bibliography::{Choice, Line};
use crate::ui::collection::{self as view, Collection, Entry};
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

fn split_tags(text: &str) -> Vec<&str> {
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
pub fn entry(call: &Call) -> Result<Reply, ApiError> {
    entry_page(call, None)
}

fn entry_page(call: &Call, problem: Option<String>) -> Result<Reply, ApiError> {
    let collection = read(call)?;
    let entry = find_entry(call, &collection)?;
    let metadata = entry.get("metadata").cloned().unwrap_or_default();
    let wanted = Setting {
        style: text(&collection, "defaultstyle").to_owned(),
        locale: String::new(),
    };
    let formatted = format(call, std::slice::from_ref(&metadata), &wanted).body;
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
        problem,
        title,
    };
    let frame = Frame {
        title: &view.title,
        current: "/library",
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(call, &frame, view::entry(words(call), &view)))
}

fn find_entry(call: &Call, collection: &Value) -> Result<Value, ApiError> {
    let wanted = call.param("eid");
    let found = list(collection, "entries")
        .iter()
        .find(|entry| text(entry, "id") == wanted);
    found
        .cloned()
        .ok_or_else(|| ApiError::not_found("entry", "This collection has no such entry."))
}

/// `POST /c/{id}/e/{eid}`.
pub fn change_entry(call: &Call) -> Result<Reply, ApiError> {
    let form = form(call);
    let home = format!("/c/{}", query_value(call.param("id")));
    let path = format!(
        "/api/v1/collections/{}/entries/{}",
        query_value(call.param("id")),
        query_value(call.param("eid"))
    );
    let answer = match form.get("do") {
        Some("remove") => within::send(call, Method::DELETE, &path, &json!({})),
        _ => save_entry(call, &path, &form)?,
    };
    match answer.is_ok() {
        true => Ok(redirect(&home)),
        false => {
            let said = said(words(call), &answer);
            Ok(entry_page(call, Some(said))?.with_status(answer.status))
        }
    }
}

/// Writes the fields of the form over those of the entry; what the form does not have stays.
fn save_entry(call: &Call, path: &str, form: &Query) -> Result<Answer, ApiError> {
    let entry = find_entry(call, &read(call)?)?;
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
    let replaced = within::send(
        call,
        Method::PUT,
        &format!("{path}/metadata"),
        &Value::Object(metadata),
    );
    if !replaced.is_ok() {
        return Ok(replaced);
    }
    let body = json!({
        "note": given("note"),
        "tags": split_tags(form.get("tags").unwrap_or_default()),
        "review_status": given("review_status").unwrap_or("clean"),
    });
    Ok(within::send(call, Method::PATCH, path, &body))
}

/// A field as text: dates as ISO 8601, as far as they go.
fn field(metadata: &Value, name: &str) -> String {
    let value = metadata.get(name).unwrap_or(&Value::Null);
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Object(date) => {
            let part = |name: &str| date.get(name).and_then(Value::as_i64);
            match (part("year"), part("month"), part("day")) {
                (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
                (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
                (Some(year), None, _) => format!("{year:04}"),
                _ => text(value, "literal").to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// A line a name: `Family, Given`, or an institution as it is.
fn authors(metadata: &Value) -> String {
    let names = list(metadata, "authors").iter().map(|author| {
        let particle = text(author, "non_dropping_particle");
        let family = [particle, text(author, "family")]
            .join(" ")
            .trim()
            .to_owned();
        match (family.as_str(), text(author, "given")) {
            ("", _) => text(author, "literal").to_owned(),
            (family, "") => family.to_owned(),
            (family, given) => format!("{family}, {given}"),
        }
    });
    names.collect::<Vec<_>>().join("\n")
}
