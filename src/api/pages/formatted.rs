//! A list in a style: what it is formatted with, what there is to choose from, and the list as a file.

use http::Method;
use serde_json::{Value, json};

use super::answers::{failed, text};
use crate::api::call::{Call, Query};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within::{self, Answer};
use crate::ui::page::query_value;

/// What a list is formatted with.
pub struct Setting {
    pub style: String,
    pub locale: String,
}

/// The style and locale that a form or an address names; the service's own where it names none.
pub fn setting(query: &Query) -> Setting {
    let given = |name: &str| query.get(name).unwrap_or_default().trim().to_owned();
    let other = given("other_style");
    Setting {
        style: if other.is_empty() {
            given("style")
        } else {
            other
        },
        locale: given("locale"),
    }
}

/// The style picker's contents, the caller's own styles first.
pub fn choices(call: &Call, style: &str) -> Vec<(String, String)> {
    let mut choices = match call.caller.session() {
        Some(_) => own_styles(call),
        None => Vec::new(),
    };
    choices.extend(named(&within::get(call, "/api/v1/styles").body));
    if !style.is_empty() && !choices.iter().any(|(id, _)| id == style) {
        let path = format!("/api/v1/styles/{}", query_value(style));
        let found = within::get(call, &path);
        if found.is_ok() {
            choices.insert(0, item(&found.body));
        }
    }
    choices
}

/// Name and title of each style of the caller's own.
pub fn own_styles(call: &Call) -> Vec<(String, String)> {
    named(&within::get(call, "/api/v1/me/styles").body).collect()
}

fn named(styles: &Value) -> impl Iterator<Item = (String, String)> {
    let styles = styles.as_array().map_or(&[][..], Vec::as_slice);
    styles.iter().map(item)
}

fn item(style: &Value) -> (String, String) {
    (
        text(style, "id").to_owned(),
        text(style, "title").to_owned(),
    )
}

/// The tags of the locales that one can format with.
pub fn locales(call: &Call) -> Vec<String> {
    let listed = within::get(call, "/api/v1/locales").body;
    let tags = listed.as_array().map_or(&[][..], Vec::as_slice).iter();
    tags.map(|item| text(item, "id").to_owned()).collect()
}

/// Formats entries; the answer is that of `POST /api/v1/format`.
pub fn format(call: &Call, entries: &[Value], setting: &Setting) -> Answer {
    let mut body = json!({"entries": entries});
    for (name, value) in [("style", &setting.style), ("locale", &setting.locale)] {
        if !value.is_empty()
            && let Some(members) = body.as_object_mut()
        {
            members.insert(name.to_owned(), value.as_str().into());
        }
    }
    within::send(call, Method::POST, "/api/v1/format", &body)
}

/// The entries as a file in one of the formats of `POST /api/v1/export`.
pub fn file(
    call: &Call,
    entries: &[Value],
    format: &str,
    setting: &Setting,
) -> Result<Reply, ApiError> {
    let named = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let body = json!({
        "entries": entries,
        "format": format,
        "style": named(&setting.style),
        "locale": named(&setting.locale),
    });
    let answer = within::send(call, Method::POST, "/api/v1/export", &body);
    match answer.is_ok() {
        true => Ok(answer.reply.with_header("cache-control", "no-store")),
        false => Err(failed(&answer)),
    }
}
