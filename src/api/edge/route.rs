//! A route, and how a path finds its route. The table itself is in `table`.
//! Own code: permission, limits, idempotency and the OpenAPI description belong to the row of the table, and
//! warp's filters have no such rows.

use std::borrow::Cow;
use std::cmp::Ordering;

use http::Method;

use super::action::Action;
use super::context::RequestContext;
use super::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::blocking::PoolKind;
use citation_model::identifier::percent_decode;

/// A handler: reads input, calls one function of a lower layer, builds a reply. It may block.
pub type Handler = fn(&RequestContext) -> Result<Reply, ApiError>;

/// Answers a request from local data, within microseconds, or leaves it to the handler. It runs on an
/// async thread, so it must not block.
pub type AtOnce = fn(&RequestContext) -> Result<Option<Reply>, ApiError>;

/// One row of the route table: the only source for dispatch, the methods of a path,
/// admission, body limits, and the OpenAPI document.
pub struct Route {
    pub method: Method,
    /// Segments in braces are variable; a last `{name…}` matches the rest of the path.
    pub path: &'static str,
    /// The part of the path before its first variable: most rows differ there already.
    prefix: &'static str,
    pub action: Action,
    pub body: BodyCap,
    /// The pool of the handler. `None`: an async thread, from memory only.
    pub pool: Option<PoolKind>,
    pub handler: Handler,
    /// Whether an `Idempotency-Key` makes the request execute only once.
    pub is_idempotent: bool,
    /// Answers from local data before the handler.
    pub at_once: Option<AtOnce>,
    /// The OpenAPI description; `None` for routes outside the API, such as the
    /// liveness probe.
    pub operation: Option<fn() -> Operation>,
}

impl Route {
    /// The route is CPU-bound: it must not block others.
    pub fn heavy(mut self) -> Route {
        self.pool = Some(PoolKind::Heavy);
        self
    }

    /// The route is answered under any load.
    pub fn always_answered(mut self) -> Route {
        self.pool = None;
        self
    }

    /// Honours an `Idempotency-Key`. The handler writes through `collections::transaction`, or stores
    /// its reply together with its changes.
    pub fn idempotent(mut self) -> Route {
        self.is_idempotent = true;
        self
    }

    /// The path in the OpenAPI document's form.
    pub fn described_path(&self) -> String {
        self.path.replace('…', "")
    }

    /// Sets a fast path.
    pub fn at_once(mut self, at_once: AtOnce) -> Route {
        self.at_once = Some(at_once);
        self
    }

    /// Puts the route into the OpenAPI document.
    pub fn documented(mut self, operation: fn() -> Operation) -> Route {
        self.operation = Some(operation);
        self
    }
}

/// A read-only route.
pub fn get(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::GET, path, action, BodyCap::None, handler)
}

/// A route whose body may be a file.
pub fn import(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::POST, path, action, BodyCap::Import, handler)
}

/// A route whose body may be a file that is answered in the background.
pub fn job(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::POST, path, action, BodyCap::Job, handler)
}

pub fn post(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::POST, path, action, BodyCap::Json, handler)
}

pub fn patch(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::PATCH, path, action, BodyCap::Json, handler)
}

pub fn put(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::PUT, path, action, BodyCap::Json, handler)
}

pub fn delete(path: &'static str, action: Action, handler: Handler) -> Route {
    row(Method::DELETE, path, action, BodyCap::None, handler)
}

fn row(
    method: Method,
    path: &'static str,
    action: Action,
    body: BodyCap,
    handler: Handler,
) -> Route {
    Route {
        method,
        path,
        prefix: path.split('{').next().unwrap_or(path),
        action,
        body,
        pool: Some(PoolKind::Light),
        handler,
        is_idempotent: false,
        at_once: None,
        operation: None,
    }
}

/// Variable parts of paths that open something to everybody who knows them.
const SECRETS: [&str; 2] = ["{token}", "{key}"];

impl Route {
    /// Whether the path contains a secret: then it is a credential.
    pub fn has_secret(&self) -> bool {
        SECRETS.iter().any(|secret| self.path.contains(secret))
    }
}

/// The maximum size of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyCap {
    /// The route takes no body.
    None,
    /// `limits.json_body_bytes`.
    Json,
    /// `limits.import_bytes`.
    Import,
    /// `jobs.max_bytes`.
    Job,
}

/// The result of looking up a path and a method.
pub enum RouteMatch<'t> {
    Route {
        route: &'t Route,
        index: usize,
        path: Vec<(&'static str, String)>,
    },
    /// The path exists for the listed methods, in the form of an `Allow` header.
    OtherMethods(String),
    Nothing,
}

/// Finds the route. `GET` routes also answer `HEAD`. A literal row has priority over rows in which the same
/// path matches a variable.
pub fn find<'t>(table: &'t [Route], method: &Method, path: &str) -> RouteMatch<'t> {
    let wanted = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    let mut allowed: Vec<&str> = Vec::new();
    let mut fewest_variables = usize::MAX;
    let candidates = table.iter().enumerate();
    for (index, route) in candidates.filter(|(_, route)| path.starts_with(route.prefix)) {
        let Some(path) = match_path(route.path, path) else {
            continue;
        };
        if route.method == *wanted {
            return RouteMatch::Route { route, index, path };
        }
        match path.len().cmp(&fewest_variables) {
            Ordering::Greater => continue,
            Ordering::Less => allowed.clear(),
            Ordering::Equal => {}
        }
        fewest_variables = path.len();
        allowed.push(route.method.as_str());
        if route.method == Method::GET {
            allowed.push("HEAD");
        }
    }
    if allowed.is_empty() {
        return RouteMatch::Nothing;
    }
    allowed.push("OPTIONS");
    allowed.dedup();
    RouteMatch::OtherMethods(allowed.join(", "))
}

/// Matches segment by segment; variable segments are percent-decoded after the split, so an
/// encoded slash stays inside its segment. One trailing slash is ignored.
fn match_path(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    if !pattern.contains('{') {
        let path = if path.len() > 1 {
            path.strip_suffix('/').unwrap_or(path)
        } else {
            path
        };
        return (pattern == path).then(Vec::new);
    }
    let mut found = Vec::new();
    let mut rest = path;
    for segment in pattern.split('/').skip(1) {
        rest = rest.strip_prefix('/')?;
        if let Some((before, name)) = segment.strip_suffix("…}").and_then(|s| s.split_once('{')) {
            let value = rest.strip_prefix(before)?;
            if value.is_empty() {
                return None;
            }
            found.push((name, percent_decode(value)));
            return Some(found);
        }
        let end = rest.find('/').unwrap_or(rest.len());
        let (head, tail) = rest.split_at(end);
        match variable_part(segment) {
            Some((before, name, after)) => {
                let value = head.strip_prefix(before)?.strip_suffix(after)?;
                if value.is_empty() {
                    return None;
                }
                found.push((name, percent_decode(value)));
            }
            None if segment == head => {}
            None => return None,
        }
        rest = tail;
    }
    (rest.is_empty() || rest == "/").then_some(found)
}

/// `export.{format}` is `export.`, `format` and nothing.
fn variable_part(segment: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let (before, rest) = segment.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The fewest characters of a secret in a path.
const MIN_SECRET_CHARS: usize = 16;

/// A path without its secrets, for logs, whose readers may not open what they open. Nobody knows what an
/// unknown path means, so all its long segments are left out.
pub fn without_secrets<'p>(found: &RouteMatch<'_>, path: &'p str) -> Cow<'p, str> {
    match found {
        RouteMatch::Route { route, .. } if !route.has_secret() => Cow::Borrowed(path),
        RouteMatch::Route { route, .. } => {
            // A trailing slash is no part of the pattern.
            let pattern = route.path.split('/').chain(std::iter::repeat(""));
            let is_secret = |part: &str| SECRETS.contains(&part);
            redact(path.split('/').zip(pattern.map(is_secret)))
        }
        RouteMatch::OtherMethods(_) | RouteMatch::Nothing => {
            let segments = path.split('/');
            redact(segments.map(|segment| (segment, segment.len() >= MIN_SECRET_CHARS)))
        }
    }
}

/// Joins the segments of a path, without the secret ones.
fn redact<'p>(segments: impl Iterator<Item = (&'p str, bool)>) -> Cow<'p, str> {
    let shown = segments.map(|(segment, is_secret)| if is_secret { "…" } else { segment });
    Cow::Owned(shown.collect::<Vec<_>>().join("/"))
}

/// The answer to an unknown path.
pub fn no_such_route(path: &str) -> ApiError {
    let shown: String = path.chars().take(100).collect();
    ApiError::not_found(
        "route",
        format!("{shown} does not exist; /api/docs lists all routes."),
    )
}

/// The answer to an unsupported method.
pub fn wrong_method(method: &Method, allowed: String) -> ApiError {
    ApiError::new(
        Code::MethodNotAllowed,
        format!("This path does not support {method}; it supports {allowed}."),
    )
    .with_header("allow", allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &'static str, path: &str, expected: Option<&[(&str, &str)]>) {
        let found = match_path(pattern, path);
        let found: Option<Vec<(&str, &str)>> = found
            .as_ref()
            .map(|pairs| pairs.iter().map(|(n, v)| (*n, v.as_str())).collect());
        assert_eq!(found.as_deref(), expected, "{pattern} against {path}");
    }

    #[test]
    fn logged_path_has_no_secrets() {
        let table = crate::api::routes::routes(&crate::config::CompatSettings::default());
        let token = "2hX9aQ0bcdEFGHijklMNop";
        let check = |method: Method, path: &str, expected: &str| {
            let path = path.replace("TOKEN", token);
            let found = find(&table, &method, &path);
            assert_eq!(without_secrets(&found, &path), expected, "{path}");
        };
        for path in ["/api/v1/shared/", "/s/", "/zotero/keys/"] {
            check(Method::GET, &format!("{path}TOKEN"), &format!("{path}…"));
            check(Method::GET, &format!("{path}TOKEN/"), &format!("{path}…/"));
            check(Method::PUT, &format!("{path}TOKEN"), &format!("{path}…"));
        }
        check(Method::GET, "/s/TOKEN/export.bib", "/s/…/export.bib");
        check(
            Method::DELETE,
            "/api/v1/permalinks/TOKEN",
            "/api/v1/permalinks/…",
        );
        check(
            Method::GET,
            "/api/v1/permalinks/TOKEN",
            "/api/v1/permalinks/…",
        );
        check(Method::GET, "//s//TOKEN", "//s//…");
        check(Method::GET, "/elsewhere/S/TOKEN", "/elsewhere/S/…");
        check(Method::GET, "/api/v1/styles/apa", "/api/v1/styles/apa");
        check(Method::GET, "/wp-login.php", "/wp-login.php");
        for route in table.iter().filter(|route| route.has_secret()) {
            let path = SECRETS.iter().fold(route.path.to_owned(), |path, secret| {
                path.replace(secret, token)
            });
            let found = find(&table, &route.method, &path);
            assert!(!without_secrets(&found, &path).contains(token), "{path}");
        }
    }

    #[test]
    fn paths_match_by_segment() {
        check("/api/health", "/api/health", Some(&[]));
        check("/api/health", "/api/health/", Some(&[]));
        check("/api/health", "/api/healthy", None);
        check("/c/{id}", "/c/7", Some(&[("id", "7")]));
        check("/c/{id}", "/c/", None);
        check(
            "/c/{id}/e/{eid}",
            "/c/7/e/8",
            Some(&[("id", "7"), ("eid", "8")]),
        );
        check(
            "/c/{id}/export.{format}",
            "/c/7/export.bib",
            Some(&[("id", "7"), ("format", "bib")]),
        );
        check("/c/{id}", "/c/a%2Fb", Some(&[("id", "a/b")]));
        check(
            "/w/{doi…}",
            "/w/10.1000/a%2Fb/c",
            Some(&[("doi", "10.1000/a/b/c")]),
        );
        check("/10.{doi…}", "/10.1000%2Fa/b", Some(&[("doi", "1000/a/b")]));
        check("/10.{doi…}", "/about", None);
        check("/", "/", Some(&[]));
    }
}
