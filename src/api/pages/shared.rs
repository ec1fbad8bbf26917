//! `/s/{token}`: a collection that somebody shares.

use serde_json::Value;

use super::answers::{error_message, failed, text};
use super::collection::{lines, metadata_of};
use super::formatted::{self, Setting, choices, format, locales, setting};
use super::frame::{self, words};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest;
use crate::ui::bibliography::Choice;
use crate::ui::page::{Frame, query_value};
use crate::ui::shared::{self, Shared};

/// `GET /s/{token}?style=&locale=`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, wanted) = read(context)?;
    let entries = metadata_of(&collection);
    let answer = format(context, &entries, &wanted);
    let words = words(context);
    let indent = answer.body.pointer("/layout/hanging_indent");
    let style = match text(&answer.body, "style") {
        "" => wanted.style.clone(),
        style => style.to_owned(),
    };
    let view = Shared {
        token: context.param("token").to_owned(),
        name: text(&collection, "name").to_owned(),
        description: text(&collection, "description").to_owned(),
        choice: Choice {
            styles: choices(context, &style),
            style,
            locales: locales(context),
            locale: wanted.locale,
        },
        lines: lines(words, &collection, &answer.body, None),
        has_hanging_indent: indent.and_then(Value::as_bool).unwrap_or(false),
        problem: (!answer.is_ok()).then(|| error_message(words, &answer)),
        is_signed_in: context.caller.session().is_some(),
    };
    let frame = Frame {
        title: &view.name,
        script: Some("share.js"),
        has_heading: true,
        ..Frame::default()
    };
    let reply = frame::show(context, &frame, shared::shared(words, &view));
    // The address is the secret: it must not be passed on to whatever the page links to.
    Ok(reply
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex"))
}

/// `GET /s/{token}/export.{format}?style=&locale=`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let (collection, wanted) = read(context)?;
    formatted::file(
        context,
        &metadata_of(&collection),
        context.param("format"),
        &wanted,
    )
}

/// The collection, and what to format it with: what the address asks for, else its own style.
fn read(context: &RequestContext) -> Result<(Value, Setting), ApiError> {
    let token = query_value(context.param("token"));
    let answer = subrequest::get(context, &format!("/api/v1/shared/{token}"));
    if !answer.is_ok() {
        return Err(failed(&answer));
    }
    let mut wanted = setting(&context.query);
    if wanted.style.is_empty() {
        wanted.style = text(&answer.body, "defaultstyle").to_owned();
    }
    Ok((answer.body, wanted))
}
