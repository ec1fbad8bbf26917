//! `/batch`: many identifiers and citation texts become one bibliography.

use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, list, text};
use super::formatted::{choices, locales, setting};
use super::frame::{form, show, words};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest;
use crate::ui::batch::{self, Batch, Row};
use crate::ui::bibliography::Choice;
use crate::ui::page::Frame;
use crate::ui::rich::rich;

/// `GET /batch`.
pub fn empty(context: &RequestContext) -> Result<Reply, ApiError> {
    let style = context.app.config.format.style.clone();
    Ok(page(context, Batch::default(), style, String::new()))
}

/// `POST /batch`: a line a reference.
pub fn format(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let pasted = form.get("list").unwrap_or_default();
    let lines: Vec<&str> = pasted
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let items = lines.iter().map(|line| json!({"text": line}));
    let setting = setting(&form);
    let named = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let body = json!({
        "items": items.collect::<Vec<Value>>(),
        "style": named(&setting.style),
        "locale": named(&setting.locale),
    });
    let answer = subrequest::send(context, Method::POST, "/api/v1/format/batch", &body);
    let mut view = Batch {
        list: pasted,
        ..Batch::default()
    };
    match answer.is_ok() {
        true => {
            let results = list(&answer.body, "results").iter();
            view.rows = results
                .zip(&lines)
                .map(|(result, line)| row(result, line))
                .collect();
        }
        false => view.problem = Some(error_message(words(context), &answer)),
    }
    Ok(page(context, view, setting.style, setting.locale))
}

fn row(result: &Value, line: &str) -> Row {
    let message = result.pointer("/error/message").and_then(Value::as_str);
    Row {
        status: text(result, "status").to_owned(),
        given: line.to_owned(),
        entry: rich(text(result, "bibliography_html")),
        failure: message.unwrap_or_default().to_owned(),
    }
}

fn page(context: &RequestContext, mut view: Batch<'_>, style: String, locale: String) -> Reply {
    let words = words(context);
    view.is_included = context.caller.plan.is_paid();
    view.choice = Choice {
        styles: choices(context, &style),
        style,
        locales: locales(context),
        locale,
    };
    let frame = Frame {
        title: words.get("batch.title"),
        current: "/batch",
        script: Some("batch.js"),
        is_listed: true,
        ..Frame::default()
    };
    show(context, &frame, batch::batch(words, &view))
}
