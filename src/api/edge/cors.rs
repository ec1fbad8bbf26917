//! Which other origins may call from a browser (Fetch standard, CORS protocol).
//!
//! Every origin may read without credentials; the origins that the operator lists may also call with
//! an API key. Cookies never cross origins.

use http::{HeaderMap, Method};

use super::caller::KEY_HEADERS;
use super::reply::Reply;
use crate::config::CorsSettings;

/// Headers that scripts of other origins may read.
const EXPOSED: &str = "ETag, Link, Location, Total-Results, Retry-After, X-RateLimit-Limit, \
                       X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, \
                       X-Rate-Limit-Limit, X-Rate-Limit-Interval, X-Lookup-Cost, \
                       X-Request-Id, Idempotent-Replay, Sources-Tried, Last-Modified-Version, \
                       Zotero-API-Version, Zotero-Translator-ID, WWW-Authenticate";

/// Headers that scripts of every origin may send.
const ACCEPTED: &str = "Content-Type, X-Request-Id, If-Match, If-None-Match, If-Unmodified-Since, \
                        Idempotency-Key, Accept, If-Modified-Since-Version, Zotero-API-Version, \
                        MCP-Protocol-Version, Mcp-Method, Mcp-Name";

/// Adds the headers that let the caller's origin read the reply. Replies to a credential are
/// only for listed origins.
pub fn add_headers(reply: Reply, request: &HeaderMap, settings: &CorsSettings) -> Reply {
    let reply = reply.varying("Origin");
    let has_credential = KEY_HEADERS.iter().any(|name| request.contains_key(*name));
    let granted = match origin(request).filter(|origin| !is_own(origin, request)) {
        Some(origin) if is_listed(origin, settings) => origin,
        Some(_) if !has_credential => "*",
        _ => return reply,
    };
    reply
        .with_header("access-control-allow-origin", granted)
        .with_header("access-control-expose-headers", EXPOSED)
}

/// Whether a request is a preflight, which is answered without calling the route.
pub fn is_preflight(method: &Method, request: &HeaderMap) -> bool {
    method == Method::OPTIONS
        && origin(request).is_some()
        && request.contains_key("access-control-request-method")
}

/// The answer to a preflight. `methods` are those of the path.
pub fn preflight(request: &HeaderMap, methods: &str, settings: &CorsSettings) -> Reply {
    let is_listed = origin(request).is_some_and(|origin| is_listed(origin, settings));
    // Scripts of listed origins may also send a key.
    let accepted = if is_listed {
        format!("{ACCEPTED}, {}", KEY_HEADERS.join(", "))
    } else {
        ACCEPTED.to_owned()
    };
    add_headers(Reply::empty(), request, settings)
        .with_header("access-control-allow-methods", methods)
        .with_header("access-control-allow-headers", accepted)
        .with_header(
            "access-control-max-age",
            settings.max_age_seconds.to_string(),
        )
}

fn origin(request: &HeaderMap) -> Option<&str> {
    request.get("origin")?.to_str().ok()
}

/// Whether an origin is this site's own, whose modules and writes also send it.
fn is_own(origin: &str, request: &HeaderMap) -> bool {
    let host = request.get("host").map(|host| host.as_bytes());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    host.is_some() && host == authority.map(str::as_bytes)
}

/// Whether the operator lists the origin. Others get the open grant, which never includes a
/// credential.
pub fn is_listed(origin: &str, settings: &CorsSettings) -> bool {
    let mut listed = settings.allowed_origins.iter();
    listed.any(|listed| listed.trim_end_matches('/').eq_ignore_ascii_case(origin))
}
