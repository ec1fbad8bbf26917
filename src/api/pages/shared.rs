//! `/s/{token}`: a collection that somebody shares.

use http::Method;
use serde_json::{Value, json};

use super::collection::{lines, metadata_of};
use super::{Setting, choices, download, failed, format, locales, said, setting, text, words};
use crate::api::call::Call;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within;
use crate::ui::bibliography::Choice;
use crate::ui::page::{Frame, query_value};
use crate::ui::shared::{self, Shared};

/// `GET /s/{token}?style=&locale=`.
pub fn show(call: &Call) -> Result<Reply, ApiError> {
    let (collection, wanted) = read(call)?;
    let entries = metadata_of(&collection);
    let formatted = format(call, &entries, &wanted);
    let words = words(call);
    let indent = formatted.body.pointer("/layout/hanging_indent");
    let style = match text(&formatted.body, "style") {
        "" => wanted.style.clone(),
        style => style.to_owned(),
    };
    let view = Shared {
        token: call.param("token").to_owned(),
        name: text(&collection, "name").to_owned(),
        description: text(&collection, "description").to_owned(),
        choice: Choice {
            styles: choices(call, &style),
            style,
            locales: locales(call),
            locale: wanted.locale,
        },
        lines: lines(words, &collection, &formatted.body, None),
        has_hanging_indent: indent.and_then(Value::as_bool).unwrap_or(false),
        problem: (!formatted.is_ok()).then(|| said(words, &formatted)),
        is_signed_in: call.caller.session().is_some(),
    };
    let frame = Frame {
        title: &view.name,
        script: Some("share.js"),
        has_heading: true,
        ..Frame::default()
    };
    let reply = super::show(call, &frame, shared::shared(words, &view));
    // The address is the secret: it must not be passed on to whatever the page links to.
    Ok(reply
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex"))
}

/// `GET /s/{token}/export.{format}?style=&locale=`.
pub fn export(call: &Call) -> Result<Reply, ApiError> {
    let (collection, wanted) = read(call)?;
    let body = json!({
        "entries": metadata_of(&collection),
        "format": call.param("format"),
        "style": Some(wanted.style).filter(|style| !style.is_empty()),
        "locale": Some(wanted.locale).filter(|locale| !locale.is_empty()),
    });
    let answer = within::send(call, Method::POST, "/api/v1/export", &body);
    match answer.is_ok() {
        true => Ok(download(answer)),
        false => Err(failed(&answer)),
    }
}

/// The collection, and what to format it with: what the address asks for, else its own style.
fn read(call: &Call) -> Result<(Value, Setting), ApiError> {
    let token = query_value(call.param("token"));
    let answer = within::get(call, &format!("/api/v1/shared/{token}"));
    if !answer.is_ok() {
        return Err(failed(&answer));
    }
    let mut wanted = setting(&call.query);
    if wanted.style.is_empty() {
        wanted.style = text(&answer.body, "defaultstyle").to_owned();
    }
    Ok((answer.body, wanted))
}
