//! `/styles` and `/styles/{id}`.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, failed, list, text};
use super::formatted;
use super::frame::{encode_query, form, redirect, show, words};
use crate::api::collections::files::find_upload;
use crate::api::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
use crate::ui::own_styles::{self, OwnStyles};
use crate::ui::page::{Frame, query_value};
use crate::ui::rich::rich;
use crate::ui::styles::{self, Card, Search, Style};

/// `GET /styles?q=&citation_format=&field=`.
pub fn search(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, OwnStyles::default())
}

/// `POST /styles`: a style of one's own, as a file or as text. The form goes on to the interface as it
/// came.
pub fn keep(context: &RequestContext) -> Result<Reply, ApiError> {
    let content_type = context.header("content-type");
    let answer = subrequest::ask(
        context,
        Method::POST,
        OWN,
        content_type,
        context.body.clone(),
    );
    let given = find_upload(context).map(|upload| upload.content);
    kept(
        context,
        &answer,
        &String::from_utf8_lossy(given.unwrap_or_default()),
    )
}

/// `POST /styles/own`: one of them is deleted, or kept again.
pub fn change_own(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    if let Some(name) = form.get("do").and_then(|wish| wish.strip_prefix("remove:")) {
        return remove(context, name);
    }
    let text = form.get("xml").unwrap_or_default();
    let body = Bytes::from(text.to_owned());
    let answer = subrequest::ask(context, Method::POST, OWN, Some("application/xml"), body);
    kept(context, &answer, text)
}

const OWN: &str = "/api/v1/me/styles";

/// The page of a style that was kept, or what is wrong with it beside its text.
fn kept(context: &RequestContext, answer: &Answer, given: &str) -> Result<Reply, ApiError> {
    if answer.is_ok() {
        let address = query_value(text(&answer.body, "id"));
        return Ok(redirect(&format!("/styles/{address}")));
    }
    let fault = list(&answer.body, "details").first();
    let fault = fault.map(|fault| text(fault, "message").to_owned());
    let own = OwnStyles {
        text: given.to_owned(),
        problem: Some(fault.unwrap_or_else(|| error_message(words(context), answer))),
        ..OwnStyles::default()
    };
    Ok(page(context, own)?.with_status(answer.status))
}

fn remove(context: &RequestContext, name: &str) -> Result<Reply, ApiError> {
    let path = format!("{OWN}/{}", query_value(name));
    let described = subrequest::get(context, &style_path(name));
    let file = subrequest::get(context, &path);
    let answer = subrequest::send(context, Method::DELETE, &path, &json!({}));
    if !answer.is_ok() {
        return Err(failed(&answer));
    }
    let xml = String::from_utf8_lossy(&file.reply.body_bytes()).into_owned();
    let own = OwnStyles {
        removed: Some((text(&described.body, "title").to_owned(), xml)),
        ..OwnStyles::default()
    };
    page(context, own)
}

/// The page with the caller's own styles.
fn page(context: &RequestContext, own: OwnStyles) -> Result<Reply, ApiError> {
    let given = |name: &str| context.query.get(name).unwrap_or_default();
    let (query, format, field) = (given("q"), given("citation_format"), given("field"));
    let mut asked = vec![("q", query), ("limit", "60")];
    for (name, value) in [("citation_format", format), ("field", field)] {
        if !value.is_empty() {
            asked.push((name, value));
        }
    }
    let path = format!("/api/v1/styles/search?{}", encode_query(&asked));
    let answer = subrequest::get(context, &path);
    if !answer.is_ok() {
        return Err(failed(&answer));
    }
    let listed = subrequest::get(context, "/api/v1/styles");
    let total = listed.header("total-results").and_then(|n| n.parse().ok());
    let words = words(context);
    let found = answer.body.as_array().map_or(&[][..], Vec::as_slice);
    let nearest = match found.is_empty() && !query.trim().is_empty() {
        true => nearest(&subrequest::get(context, &style_path(query))),
        false => Vec::new(),
    };
    let main = styles::search(
        words,
        &Search {
            query,
            format,
            field,
            found: found.iter().map(card).collect(),
            nearest,
            total: total.unwrap_or(0),
            own: own_styles::part(words, &with_styles(context, own)),
        },
    );
    let frame = Frame {
        title: words.get("styles.title"),
        current: "/styles",
        script: Some("styles.js"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, main))
}

fn with_styles(context: &RequestContext, own: OwnStyles) -> OwnStyles {
    let is_signed_in = context.caller.session().is_some();
    let styles = match is_signed_in {
        true => formatted::own_styles(context),
        false => Vec::new(),
    };
    OwnStyles {
        is_signed_in,
        styles,
        ..own
    }
}

/// `GET /styles/{id}`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let path = style_path(context.param("id"));
    let answer = subrequest::get(context, &format!("{path}?preview=1"));
    if answer.error() == Code::NotFound.as_str() {
        return Ok(missing(context, &answer));
    }
    if !answer.is_ok() {
        return Err(failed(&answer));
    }
    let body = &answer.body;
    let named = |name: &str| {
        Some(text(body, name))
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
    };
    let sample = list(body, "preview").iter().map(|sample| {
        let entry = rich(text(sample, "bibliography_html"));
        (
            text(sample, "entry_type").to_owned(),
            text(sample, "in_text").to_owned(),
            entry,
        )
    });
    let style = Style {
        card: card(body),
        updated: named("updated").map(|at| at.chars().take(10).collect()),
        license: named("license"),
        sample: sample.collect(),
    };
    let words = words(context);
    let frame = Frame {
        title: &style.card.title,
        current: "/styles",
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, styles::style(words, &style)))
}

/// The page of a style that there is not, with those that are spelt alike.
fn missing(context: &RequestContext, answer: &Answer) -> Reply {
    let words = words(context);
    let frame = Frame {
        title: words.get("error.unknown_style"),
        current: "/styles",
        ..Frame::default()
    };
    let main = styles::none(words, &nearest(answer));
    show(context, &frame, main).with_status(answer.status)
}

fn style_path(id: &str) -> String {
    format!("/api/v1/styles/{}", query_value(id))
}

/// The short names that the interface suggests for one that no style has.
fn nearest(answer: &Answer) -> Vec<String> {
    let names = list(&answer.body, "suggestions").iter();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn card(item: &Value) -> Card {
    let fields = list(item, "fields").iter().filter_map(Value::as_str);
    Card {
        id: text(item, "id").to_owned(),
        title: text(item, "title").to_owned(),
        format: text(item, "citation_format").to_owned(),
        parent: Some(text(item, "parent"))
            .filter(|p| !p.is_empty())
            .map(str::to_owned),
        fields: fields.map(str::to_owned).collect(),
    }
}
