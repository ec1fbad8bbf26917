//! A list in a style: what it is formatted with, what there is to choose from, and the list as a file.

use http::Method;
use serde_json::{Value, json};

use super::answers::{failed, text};
use crate::api::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
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
pub fn choices(context: &RequestContext, style: &str) -> Vec<(String, String)> {
    let mut choices = match context.caller.session() {
        Some(_) => own_styles(context),
        None => Vec::new(),
    };
    choices.extend(named(&subrequest::get(context, "/api/v1/styles").body));
    if !style.is_empty() && !choices.iter().any(|(id, _)| id == style) {
        let path = format!("/api/v1/styles/{}", query_value(style));
        let found = subrequest::get(context, &path);
        if found.is_ok() {
            choices.insert(0, item(&found.body));
        }
    }
    choices
}

/// Name and title of each style of the caller's own.
pub fn own_styles(context: &RequestContext) -> Vec<(String, String)> {
    named(&subrequest::get(context, "/api/v1/me/styles").body).collect()
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
pub fn locales(context: &RequestContext) -> Vec<String> {
    let listed = subrequest::get(context, "/api/v1/locales").body;
    let tags = listed.as_array().map_or(&[][..], Vec::as_slice).iter();
    tags.map(|item| text(item, "id").to_owned()).collect()
}

/// Formats entries; the answer is that of `POST /api/v1/format`.
pub fn format(context: &RequestContext, entries: &[Value], setting: &Setting) -> Answer {
    let mut body = json!({"entries": entries});
    for (name, value) in [("style", &setting.style), ("locale", &setting.locale)] {
        if !value.is_empty()
            && let Some(members) = body.as_object_mut()
        {
            members.insert(name.to_owned(), value.as_str().into());
        }
    }
    subrequest::send(context, Method::POST, "/api/v1/format", &body)
}

/// The entries as a file in one of the formats of `POST /api/v1/export`.
pub fn file(
    context: &RequestContext,
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
    let answer = subrequest::send(context, Method::POST, "/api/v1/export", &body);
    match answer.is_ok() {
        true => Ok(answer.reply.with_header("cache-control", "no-store")),
        false => Err(failed(&answer)),
    }
}
