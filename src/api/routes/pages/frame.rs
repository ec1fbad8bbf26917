//! Helpers shared by the pages' handlers: the frame, the reader's language and theme, forms and
//! redirects, and the error page.

use http::{Method, StatusCode};

use crate::api::edge::action::Action;
use crate::api::edge::caller::cookie;
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::ui::html::Html;
use crate::ui::page::{self, FailurePage, Frame, Page, Theme};
use crate::ui::words::Words;

/// Maximum length of a path to return to, in characters.
const RETURN_CHARS: usize = 2_000;

/// How long a browser keeps the language and theme, in seconds: a year.
const PREFERENCE_SECONDS: i64 = 365 * 24 * 60 * 60;

/// Puts a main part into the frame and sets the headers of every page. The reader's language, theme
/// and name come from the request and override those of `frame`.
pub fn show(context: &RequestContext, frame: &Frame<'_>, main: impl Into<Html>) -> Reply {
    let account = context
        .caller
        .account()
        .filter(|_| context.caller.session().is_some());
    let person = account.map(|account| {
        let names = [&account.name, &account.email];
        names
            .into_iter()
            .flatten()
            .next()
            .map_or(account.uid.as_str(), String::as_str)
    });
    let uri = &context.uri;
    let here = uri.path_and_query().map_or("/", |here| here.as_str());
    let frame = Frame {
        person,
        words: words(context),
        theme: theme(context),
        sells_plans: context.app.config.quota.sells_plans,
        here: if context.method == Method::GET {
            here
        } else {
            context.uri.path()
        },
        ..*frame
    };
    Reply::bytes(
        "text/html; charset=utf-8",
        Page::new(&frame, main).to_string(),
    )
    .with_header("content-security-policy", page::SECURITY_POLICY)
    // With “no-referrer” browsers would send our own forms with a null origin.
    .with_header("referrer-policy", "same-origin")
    .with_header("x-frame-options", "DENY")
    .with_header("cross-origin-opener-policy", "same-origin")
    .with_header("content-language", frame.words.language().tag)
    .with_header("cache-control", "no-store")
}

/// Puts a main part into the frame, with a message as its title.
pub fn show_titled(
    context: &RequestContext,
    title: &str,
    current: &str,
    main: impl Into<Html>,
) -> Reply {
    let frame = Frame {
        title: words(context).get(title),
        current,
        ..Frame::default()
    };
    show(context, &frame, main)
}

/// The reader's language.
pub fn words(context: &RequestContext) -> Words {
    let accepted = context.header("accept-language").unwrap_or_default();
    Words::choose(cookie(&context.headers, "language"), accepted)
}

pub fn theme(context: &RequestContext) -> Theme {
    cookie(&context.headers, "theme")
        .and_then(Theme::parse)
        .unwrap_or_default()
}

/// `POST /preferences`: stores language and theme in the browser.
pub fn preferences(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let mut reply = redirect(own_path(form.get("return_to")).unwrap_or("/"));
    let site = &context.edge.site;
    if let Some(words) = form.get("language").and_then(Words::of) {
        let tag = words.language().tag;
        reply = reply.with_cookie(site.cookie("language", tag, PREFERENCE_SECONDS));
    }
    if let Some(theme) = form.get("theme").and_then(Theme::parse) {
        reply = reply.with_cookie(site.cookie("theme", theme.name(), PREFERENCE_SECONDS));
    }
    Ok(reply)
}

/// Redirects to the sign-in page, and back afterwards.
fn to_sign_in(context: &RequestContext) -> Reply {
    let target = match context.method {
        Method::GET => context
            .uri
            .path_and_query()
            .map_or("/account", |path| path.as_str()),
        _ => "/account",
    };
    let query = [("return_to", target)];
    redirect(&format!("/auth/login?{}", encode_query(&query)))
}

/// The error page, or the sign-in page if the request needs an account.
pub fn failure(context: &RequestContext, action: Action, error: ApiError) -> Reply {
    let is_personal = matches!(action, Action::AccountPage | Action::OperatorPage);
    if is_personal && error.code == Code::AuthenticationRequired {
        let mut reply = to_sign_in(context);
        reply.headers.extend(error.headers);
        return reply;
    }
    let words = words(context);
    let title = words.get(match error.code {
        Code::NotFound => "failure.not-found",
        Code::Forbidden | Code::CsrfFailed => "failure.forbidden",
        Code::RateLimited => "failure.rate-limited",
        Code::InternalError => "failure.internal",
        Code::ServiceUnavailable => "failure.busy",
        _ => "failure.other",
    });
    let text = error_message(words, &error);
    let frame = Frame {
        title,
        ..Frame::default()
    };
    let main = FailurePage {
        words,
        text: &text,
        request_id: &context.request_id,
    };
    let mut reply = show(context, &frame, main).with_status(error.code.status());
    if let Some(seconds) = error.retry_after {
        reply = reply.with_header("retry-after", seconds.to_string());
    }
    reply.headers.extend(error.headers);
    reply
}

/// The message of an error: in the reader's language if its code has one, otherwise the API's text.
pub fn error_message(words: Words, error: &ApiError) -> String {
    let own = words.find(&format!("error.{}", error.code.as_str()));
    own.unwrap_or(&error.message).to_owned()
}

/// Redirects the browser to a GET.
pub fn redirect(location: &str) -> Reply {
    Reply::empty()
        .with_status(StatusCode::SEE_OTHER)
        .with_header("location", location)
        .with_header("cache-control", "no-store")
}

/// The fields of a form.
pub fn form(context: &RequestContext) -> Query {
    Query::parse(&String::from_utf8_lossy(&context.body))
}

/// Names as typed into a field: one per line, or separated by semicolons.
pub fn written_names(text: &str) -> Vec<&str> {
    let names = text.split(['\n', ';']).map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}

/// Encodes a query string.
pub fn encode_query(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}

/// A path of this site. Rejects what a browser could take for another site: `//host`, `/\host`, and
/// anything with a character that browsers drop.
pub fn own_path(text: Option<&str>) -> Option<&str> {
    let path = text?;
    let is_plain = path
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if path.starts_with('/') && !path.starts_with("//") && is_plain && path.len() <= RETURN_CHARS {
        return Some(path);
    }
    None
}
