//! The pages. A handler asks the interface what it needs ([`super::within`]), gives it to a view of
//! `ui`, and shows what comes back. Forms post and are answered with a page or a redirect, so nothing
//! needs script.

mod batch;
mod cite;
mod collection;
mod facts;
mod import;
mod library;
mod shared;
mod styles;
mod verify;

use http::{Method, StatusCode};
use serde_json::Value;

use super::auth::own_path;
use super::call::{Call, Query};
use super::caller::cookie;
use super::error::{ApiError, Code};
use super::gate::Action;
use super::reply::Reply;
use super::route::{BodyCap, Handler, Route};
use super::within::Answer;
use super::{compress, route};
use crate::ui::assets::{self, Asset};
use crate::ui::html::Html;
use crate::ui::page::{self, Frame, Theme};
use crate::ui::words::Words;

/// How long a browser keeps the choice of language and theme, in seconds: a year.
const PREFERENCE_SECONDS: i64 = 365 * 24 * 60 * 60;

/// The pages' rows of the route table.
pub fn routes() -> Vec<Route> {
    let page = |path, handler: Handler| super::get(path, Action::Page, handler);
    let form = |path, handler: Handler| super::post(path, Action::Page, handler);
    let own = |path, handler: Handler| super::get(path, Action::AccountPage, handler);
    let own_form = |path, handler: Handler| super::post(path, Action::AccountPage, handler);
    let upload = |path, handler: Handler| {
        super::row(
            Method::POST,
            path,
            Action::AccountPage,
            BodyCap::Import,
            handler,
        )
    };
    vec![
        page("/", cite::home),
        page("/cite", cite::link),
        form("/cite", cite::change),
        form("/cite/export", cite::export),
        page("/verify", verify::empty),
        form("/verify", verify::check),
        page("/batch", batch::empty),
        form("/batch", batch::format),
        page("/styles", styles::search),
        page("/styles/{id…}", styles::one),
        page("/help", facts::help),
        page("/status", facts::status),
        page("/library", library::list),
        own_form("/library", library::change),
        own("/c/{id}", collection::show),
        own_form("/c/{id}", collection::change),
        own("/c/{id}/import", import::ask),
        upload("/c/{id}/import", import::run),
        own("/c/{id}/export.{format}", collection::export),
        own("/c/{id}/e/{eid}", collection::entry),
        own_form("/c/{id}/e/{eid}", collection::change_entry),
        page("/s/{token}", shared::show),
        page("/s/{token}/export.{format}", shared::export),
        form("/preferences", preferences),
        super::get("/assets/{set}/{name…}", Action::Probe, asset),
        super::get("/worker.js", Action::Probe, worker),
    ]
}

/// Puts a main part into the frame, with the headers of every page. The reader's language, theme and
/// name are the caller's, whatever `frame` says.
pub fn show(call: &Call, frame: &Frame<'_>, main: Html) -> Reply {
    let account = call
        .caller
        .account()
        .filter(|_| call.caller.session().is_some());
    let person = account.map(|account| {
        let names = [&account.name, &account.email];
        names
            .into_iter()
            .flatten()
            .next()
            .map_or(account.uid.as_str(), String::as_str)
    });
    let here = call.uri.path_and_query().map_or("/", |here| here.as_str());
    let frame = Frame {
        person,
        words: words(call),
        theme: theme(call),
        here: if call.method == Method::GET {
            here
        } else {
            call.uri.path()
        },
        ..*frame
    };
    Reply::bytes(
        "text/html; charset=utf-8",
        page::page(&frame, main).into_string(),
    )
    .with_header("content-security-policy", page::SECURITY_POLICY)
    // “no-referrer” would make browsers send forms of our own with a null origin.
    .with_header("referrer-policy", "same-origin")
    .with_header("x-frame-options", "DENY")
    .with_header("cross-origin-opener-policy", "same-origin")
    .with_header("content-language", frame.words.language().tag)
    .with_header("cache-control", "no-store")
}

/// The reader's language.
pub fn words(call: &Call) -> Words {
    let accepted = call.header("accept-language").unwrap_or_default();
    Words::choose(cookie(call, "language"), accepted)
}

fn theme(call: &Call) -> Theme {
    cookie(call, "theme")
        .and_then(Theme::parse)
        .unwrap_or_default()
}

/// `POST /preferences`: the language and the theme are kept in the browser.
fn preferences(call: &Call) -> Result<Reply, ApiError> {
    let form = form(call);
    let mut reply = redirect(own_path(form.get("return_to")).unwrap_or("/"));
    let site = &call.edge.site;
    if let Some(words) = form.get("language").and_then(Words::of) {
        let tag = words.language().tag;
        reply = reply.with_cookie(site.cookie("language", tag, PREFERENCE_SECONDS));
    }
    if let Some(theme) = form.get("theme").and_then(Theme::parse) {
        reply = reply.with_cookie(site.cookie("theme", theme.name(), PREFERENCE_SECONDS));
    }
    Ok(reply)
}

/// `GET /assets/{set}/{name}`: never changes, since its address would.
fn asset(call: &Call) -> Result<Reply, ApiError> {
    let assets = assets::assets();
    let name = call.param("name");
    let file = assets.files.iter().find(|file| file.name == name);
    match file.filter(|_| call.param("set") == assets.hash) {
        Some(file) => Ok(packed(call, file)
            .with_header("cache-control", "public, max-age=31536000, immutable")
            .with_header("vary", "Accept-Encoding")),
        None => Err(route::no_such_route(call.uri.path())),
    }
}

/// A file in the coding that the browser prefers, compressed once and kept.
fn packed(call: &Call, file: &'static Asset) -> Reply {
    let accepted = call.header("accept-encoding").unwrap_or_default();
    let coding = compress::preferred(accepted)
        .filter(|_| call.app.config.server.compression)
        .filter(|_| compress::is_worthwhile(file.content_type, file.body.len()));
    match coding.and_then(|coding| {
        Some((
            coding,
            compress::packed_once(coding, &file.name, &file.body)?,
        ))
    }) {
        Some((coding, body)) => {
            Reply::bytes(file.content_type, body).with_header("content-encoding", coding.as_str())
        }
        None => Reply::bytes(file.content_type, file.body.as_slice()),
    }
}

/// `GET /worker.js`: the service worker. It knows the addresses of the files that it keeps.
fn worker(_call: &Call) -> Result<Reply, ApiError> {
    let files: Vec<String> = assets::assets()
        .files
        .iter()
        .map(|file| assets::address(&file.name))
        .collect();
    let head = format!(
        "const SET = {};\nconst FILES = {};\n",
        Value::from(assets::assets().hash.as_str()),
        Value::from(files)
    );
    Ok(
        Reply::bytes("text/javascript; charset=utf-8", head + assets::WORKER)
            .with_header("cache-control", "no-cache")
            .with_content_etag(),
    )
}

/// Sends somebody who has not signed in to do so, and back afterwards.
pub fn to_sign_in(call: &Call) -> Reply {
    let target = match call.method {
        Method::GET => call
            .uri
            .path_and_query()
            .map_or("/account", |path| path.as_str()),
        _ => "/account",
    };
    let query = [("return_to", target)];
    redirect(&format!("/auth/login?{}", encode_query(&query)))
}

/// The page that stands for a failure.
pub fn failure(call: &Call, error: ApiError) -> Reply {
    let words = words(call);
    let title = words.get(match error.code {
        Code::NotFound => "failure.not-found",
        Code::Forbidden | Code::CsrfFailed => "failure.forbidden",
        Code::RateLimited => "failure.rate-limited",
        Code::InternalError => "failure.internal",
        Code::ServiceUnavailable => "failure.busy",
        _ => "failure.other",
    });
    let own = words.find(&format!("error.{}", error.code.as_str()));
    let text = own.unwrap_or(&error.message);
    let frame = Frame {
        title,
        ..Frame::default()
    };
    let main = page::failure(words, text, &call.request_id);
    let mut reply = show(call, &frame, main).with_status(error.code.status());
    if let Some(seconds) = error.retry_after {
        reply = reply.with_header("retry-after", seconds.to_string());
    }
    reply.headers.extend(error.headers);
    reply
}

/// What answers a browser that asks for a page that there is not.
pub fn missing() -> Route {
    super::get("", Action::Page, |call| {
        Err(route::no_such_route(call.uri.path()))
    })
}

/// Sends the browser on with a GET.
pub fn redirect(location: &str) -> Reply {
    Reply::empty()
        .with_status(StatusCode::SEE_OTHER)
        .with_header("location", location)
        .with_header("cache-control", "no-store")
}

/// The fields of a form.
pub fn form(call: &Call) -> Query {
    Query::parse(&String::from_utf8_lossy(&call.body))
}

/// Writes a query.
pub fn encode_query(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", page::query_value(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// What a failed answer says to the reader: in the reader's language where the code has a message
/// there, else in the interface's own words.
fn said(words: Words, answer: &Answer) -> String {
    let own = words.find(&format!("error.{}", answer.error()));
    let text = match own {
        Some(own) => own,
        None => text(&answer.body, "message"),
    };
    text.to_owned()
}

/// A failed answer of the interface as a failure of the page.
fn failed(answer: &Answer) -> ApiError {
    let code = Code::ALL
        .iter()
        .find(|code| code.as_str() == answer.error());
    let code = code.copied().unwrap_or(Code::InternalError);
    ApiError::new(code, text(&answer.body, "message"))
}

/// A member that is text; empty where it is none.
fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The members of a list; none where it is no list.
fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// What a list is formatted with.
struct Setting {
    style: String,
    locale: String,
}

/// The style and locale that a form or an address names; the service's own where it names none.
fn setting(query: &Query) -> Setting {
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

/// The style picker's contents.
fn choices(call: &Call, style: &str) -> Vec<(String, String)> {
    let item = |item: &Value| (text(item, "id").to_owned(), text(item, "title").to_owned());
    let listed = super::within::get(call, "/api/v1/styles").body;
    let mut choices: Vec<(String, String)> = listed
        .as_array()
        .map(|items| items.iter().map(item).collect())
        .unwrap_or_default();
    if !style.is_empty() && !choices.iter().any(|(id, _)| id == style) {
        let path = format!("/api/v1/styles/{}", page::query_value(style));
        let found = super::within::get(call, &path);
        if found.is_ok() {
            choices.insert(0, item(&found.body));
        }
    }
    choices
}

/// The tags of the locales that one can format with.
fn locales(call: &Call) -> Vec<String> {
    let listed = super::within::get(call, "/api/v1/locales").body;
    let tags = listed.as_array().map_or(&[][..], Vec::as_slice).iter();
    tags.map(|item| text(item, "id").to_owned()).collect()
}

/// Formats entries; the answer is that of `POST /api/v1/format`.
fn format(call: &Call, entries: &[Value], setting: &Setting) -> Answer {
    let mut body = serde_json::json!({"entries": entries});
    for (name, value) in [("style", &setting.style), ("locale", &setting.locale)] {
        if !value.is_empty()
            && let Some(members) = body.as_object_mut()
        {
            members.insert(name.to_owned(), value.as_str().into());
        }
    }
    super::within::send(call, Method::POST, "/api/v1/format", &body)
}

/// A reply of the interface as a file for the browser to keep.
fn download(answer: Answer) -> Reply {
    let mut reply = answer.reply;
    if reply.header("content-disposition").is_none() {
        reply = reply.with_header("content-disposition", "attachment");
    }
    reply.with_header("cache-control", "no-store")
}
