//! Which other origins may call from a browser (Fetch standard, CORS protocol).
//!
//! Reading is open to every origin without credentials, and so is calling with an API key from
//! the origins that the operator lists. Cookies never cross origins.

use http::{HeaderMap, Method};

use crate::config::CorsSettings;

/// Headers that scripts of other origins may read.
const EXPOSED: &str = "ETag, Link, Location, Total-Results, Retry-After, X-RateLimit-Limit, \
                       X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, \
                       X-Lookup-Cost, X-Request-Id, Idempotent-Replay, Sources-Tried";

/// Headers that scripts of other origins may send.
const ACCEPTED: &str = "Authorization, Content-Type, X-API-Key, X-Request-Id, If-Match, \
                        If-None-Match, If-Unmodified-Since, Idempotency-Key, Accept";

/// Adds the headers that let the caller's origin read the reply.
pub fn add_headers(
    headers: &mut Vec<(&'static str, String)>,
    request: &HeaderMap,
    allowed: &[String],
) {
    let Some(origin) = origin(request) else {
        return;
    };
    headers.push(("access-control-allow-origin", granted(origin, allowed)));
    headers.push(("access-control-expose-headers", EXPOSED.to_owned()));
    headers.push(("vary", "Origin".to_owned()));
}

/// Whether a request is a preflight, which is answered without asking the route.
pub fn is_preflight(method: &Method, request: &HeaderMap) -> bool {
    method == Method::OPTIONS
        && origin(request).is_some()
        && request.contains_key("access-control-request-method")
}

/// The headers of a preflight's answer. `methods` is what the path takes.
pub fn preflight_headers(
    request: &HeaderMap,
    methods: &str,
    settings: &CorsSettings,
) -> Vec<(&'static str, String)> {
    let mut headers = Vec::new();
    add_headers(&mut headers, request, &settings.allowed_origins);
    headers.push(("access-control-allow-methods", methods.to_owned()));
    headers.push(("access-control-allow-headers", ACCEPTED.to_owned()));
    headers.push((
        "access-control-max-age",
        settings.max_age_seconds.to_string(),
    ));
    headers
}

fn origin(request: &HeaderMap) -> Option<&str> {
    request.get("origin")?.to_str().ok()
}

/// A listed origin is named, every other one gets the open grant: it never includes credentials.
fn granted(origin: &str, allowed: &[String]) -> String {
    if allowed
        .iter()
        .any(|listed| listed.trim_end_matches('/') == origin)
    {
        origin.to_owned()
    } else {
        "*".to_owned()
    }
}
