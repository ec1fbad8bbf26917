//! From a request to its reply, in one fixed order: request id → preflight → route → burst →
//! body → admission and handler (off the async threads) → common headers → compression → count
//! and log.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};

use super::call::{Call, Query};
use super::caller::Caller;
use super::error::{ApiError, Code};
use super::reply::{Body, Reply};
use super::route::{self, BodyCap, Found, Route};
use super::{Edge, compress, cors, gate, pages};
use crate::blocking::BlockingError;
use crate::model::budget::Budget;

/// What the accept loop knows of a request before warp sees it.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub peer: IpAddr,
    pub uri: Uri,
    pub at: Instant,
}

/// Stops the work for a request that nobody waits for any more.
struct CancelOnDrop(Budget);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The longest request id that a client may choose, in characters.
const REQUEST_ID_CHARS: usize = 64;

/// Answers one request. Never fails: every failure is a reply.
pub async fn respond<S, B, E>(
    edge: Arc<Edge>,
    arrival: Arrival,
    method: Method,
    headers: HeaderMap,
    body: S,
) -> warp::reply::Response
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Buf,
{
    let request_id = request_id(&headers);
    let found = route::find(&edge.routes, &method, arrival.uri.path());
    let index = match &found {
        Found::Route { index, .. } => Some(*index),
        _ => None,
    };
    let reply = if cors::is_preflight(&method, &headers) {
        preflight(&edge, &headers, &found)
    } else {
        let deadline = edge.app.config.server.request_timeout();
        let answer = answer(&edge, &arrival, &method, &headers, &request_id, found, body);
        match tokio::time::timeout(deadline, answer).await {
            Ok(reply) => reply,
            Err(_) => failure(&edge, too_slow(deadline), &headers, &request_id),
        }
    };
    let status = reply.status;
    let took = arrival.at.elapsed();
    edge.metrics.count(index, status.as_u16(), took);
    log(
        &method,
        arrival.uri.path(),
        status,
        took,
        &request_id,
        arrival.peer,
    );
    into_response(reply, &method, &request_id)
}

/// Finds the route's answer; common headers and compression are already on it.
async fn answer<S, B, E>(
    edge: &Arc<Edge>,
    arrival: &Arrival,
    method: &Method,
    headers: &HeaderMap,
    request_id: &str,
    found: Found<'_>,
    body: S,
) -> Reply
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Buf,
{
    let missing = pages::missing();
    let (route, row, path) = match found {
        Found::Route { route, index, path } => (route, Some(index), path),
        Found::Nothing if wants_page(arrival, method, headers) => (&missing, None, Vec::new()),
        Found::OtherMethods(allowed) if *method == Method::OPTIONS => {
            return Reply::empty().with_header("allow", allowed);
        }
        Found::OtherMethods(allowed) => {
            let error = route::wrong_method(method, allowed);
            return failure(edge, error, headers, request_id);
        }
        Found::Nothing => {
            let error = route::no_such_route(arrival.uri.path());
            return failure(edge, error, headers, request_id);
        }
    };
    let body = match read_body(edge, route, headers, body).await {
        Ok(body) => body,
        Err(error) => return failure(edge, error, headers, request_id),
    };
    let client = edge.site.client(arrival.peer, headers);
    let limits = &edge.app.config.limits;
    let budget = Budget::new(limits.request_steps, limits.request_bytes);
    let mut call = Call {
        edge: Arc::clone(edge),
        app: Arc::clone(&edge.app),
        row,
        caller: Caller::unknown(client),
        method: method.clone(),
        uri: arrival.uri.clone(),
        headers: headers.clone(),
        query: Query::parse(arrival.uri.query().unwrap_or_default()),
        path,
        body,
        client,
        request_id: request_id.to_owned(),
        budget: budget.clone(),
    };
    // A time-out and a client that goes away drop this future.
    let _cancel = CancelOnDrop(budget);
    let (action, handler) = (route.action, route.handler);
    let is_admitted = match route.at_once {
        Some(at_once) => match answer_at_once(&mut call, action, at_once) {
            Some(reply) => return reply,
            None => true,
        },
        None => false,
    };
    let done = edge
        .app
        .blocking
        .run(move || {
            let result = if is_admitted {
                gate::pass_admitted(&call, action, handler)
            } else {
                gate::pass(&mut call, action, handler)
            };
            conclude(&call, result)
        })
        .await;
    match done {
        Ok(reply) => reply,
        Err(BlockingError::Full) => {
            edge.metrics.overloads.fetch_add(1, Relaxed);
            failure(edge, ApiError::overloaded(), headers, request_id)
        }
        Err(BlockingError::Panicked) => {
            let error = ApiError::internal("the handler panicked");
            failure(edge, error, headers, request_id)
        }
    }
}

/// The answer of a route that needs nothing that could make it wait; nothing where it does. Handing
/// such a request to another thread and back costs as much as answering it.
fn answer_at_once(call: &mut Call, action: gate::Action, at_once: route::AtOnce) -> Option<Reply> {
    let passed = AssertUnwindSafe(|| gate::pass_at_once(call, action, at_once));
    let result = match std::panic::catch_unwind(passed) {
        Ok(result) => result?,
        Err(_) => Err(ApiError::internal("the handler panicked")),
    };
    Some(conclude(call, result))
}

/// What a handler came to, as a reply.
fn conclude(call: &Call, result: Result<Reply, ApiError>) -> Reply {
    let reply = result
        .unwrap_or_else(|error| error.into_reply(&call.request_id, wants_problem(&call.headers)));
    finish(&call.edge, reply, &call.headers)
}

fn failure(edge: &Edge, error: ApiError, headers: &HeaderMap, request_id: &str) -> Reply {
    finish(
        edge,
        error.into_reply(request_id, wants_problem(headers)),
        headers,
    )
}

/// Answers a conditional request, adds the headers that depend on the request, compresses.
fn finish(edge: &Edge, mut reply: Reply, request: &HeaderMap) -> Reply {
    if is_unchanged(&reply, request) {
        reply.status = StatusCode::NOT_MODIFIED;
        reply.body = Body::Whole(Bytes::new());
    }
    cors::add_headers(
        &mut reply.headers,
        request,
        &edge.app.config.server.cors.allowed_origins,
    );
    let accept = request.get("accept-encoding").and_then(|v| v.to_str().ok());
    let Body::Whole(body) = &reply.body else {
        return reply;
    };
    let content_type = reply.header("content-type").unwrap_or_default();
    let coded = reply.header("content-encoding").is_some();
    if coded
        || !edge.app.config.server.compression
        || !compress::is_worthwhile(content_type, body.len())
    {
        return reply;
    }
    let coding = accept.and_then(compress::preferred);
    let packed = coding.and_then(|coding| Some((coding, compress::compress(coding, body)?)));
    let vary = match reply.header("vary") {
        Some(vary) => format!("{vary}, Accept-Encoding"),
        None => "Accept-Encoding".to_owned(),
    };
    reply = reply.with_header("vary", vary);
    if let Some((coding, packed)) = packed {
        reply = reply.with_header("content-encoding", coding.as_str());
        reply.body = Body::Whole(packed);
    }
    reply
}

/// RFC 9110, section 13.1.2: a GET whose entity tag the client names is answered with 304.
fn is_unchanged(reply: &Reply, request: &HeaderMap) -> bool {
    let Some(tag) = reply.header("etag") else {
        return false;
    };
    let named = request.get("if-none-match").and_then(|v| v.to_str().ok());
    reply.status == StatusCode::OK
        && named.is_some_and(|list| {
            list.split(',')
                .map(|t| t.trim().trim_start_matches("W/"))
                .any(|t| t == tag || t == "*")
        })
}

/// Reads the body up to the route's cap.
async fn read_body<S, B, E>(
    edge: &Edge,
    route: &Route,
    headers: &HeaderMap,
    mut body: S,
) -> Result<Bytes, ApiError>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Buf,
{
    let limits = &edge.app.config.limits;
    let cap = match route.body {
        // A body where none belongs is read and thrown away, so that the connection can go on.
        BodyCap::None | BodyCap::Json => limits.json_body_bytes,
        BodyCap::Import => limits.import_bytes,
    };
    let announced = headers
        .get("content-length")
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.parse::<u64>().ok());
    let deadline = tokio::time::Instant::now() + edge.app.config.server.body_timeout();
    if announced.is_some_and(|length| length > cap) {
        // Who asks before sending is told at once.
        if !headers.contains_key("expect") {
            pass_over(body, deadline).await;
        }
        return Err(ApiError::too_many_bytes(cap));
    }
    let mut whole = BytesMut::new();
    loop {
        let chunk = tokio::time::timeout_at(deadline, body.next())
            .await
            .map_err(|_| ApiError::new(Code::RequestTimeout, "The body did not arrive in time."))?;
        match chunk {
            None => return Ok(whole.freeze()),
            Some(Err(_)) => {
                return Err(ApiError::new(
                    Code::BadRequest,
                    "The body broke off before its end.",
                ));
            }
            Some(Ok(mut chunk)) => {
                if (whole.len() + chunk.remaining()) as u64 > cap {
                    pass_over(body, deadline).await;
                    return Err(ApiError::too_many_bytes(cap));
                }
                let part = chunk.copy_to_bytes(chunk.remaining());
                whole.extend_from_slice(&part);
            }
        }
    }
}

/// Bytes of a body over the limit that are read all the same. A client that is still sending when the
/// connection closes never reads why.
const PASSED_OVER_BYTES: usize = 64 << 20;

/// Reads the rest of a body and throws it away.
async fn pass_over<S, B, E>(mut body: S, deadline: tokio::time::Instant)
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: Buf,
{
    let mut passed = 0;
    while passed <= PASSED_OVER_BYTES {
        match tokio::time::timeout_at(deadline, body.next()).await {
            Ok(Some(Ok(chunk))) => passed += chunk.remaining(),
            _ => return,
        }
    }
}

fn preflight(edge: &Edge, headers: &HeaderMap, found: &Found<'_>) -> Reply {
    let methods = match found {
        Found::Route { route, .. } => route.method.as_str().to_owned(),
        Found::OtherMethods(allowed) => allowed.clone(),
        Found::Nothing => "GET, HEAD, OPTIONS".to_owned(),
    };
    let mut reply = Reply::empty();
    reply.headers = cors::preflight_headers(headers, &methods, &edge.app.config.server.cors);
    reply
}

fn too_slow(deadline: Duration) -> ApiError {
    ApiError::new(
        Code::ServiceUnavailable,
        format!(
            "The answer took longer than {} seconds; try again.",
            deadline.as_secs()
        ),
    )
    .retry_after(1)
}

/// The client's own id where it sent a sensible one, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get("x-request-id").and_then(|v| v.to_str().ok());
    given
        .filter(|id| {
            (1..=REQUEST_ID_CHARS).contains(&id.len())
                && id
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        })
        .map_or_else(|| uuid::Uuid::now_v7().simple().to_string(), str::to_owned)
}

/// Whether it is a browser that looks for a page, and not a program at the interface.
fn wants_page(arrival: &Arrival, method: &Method, headers: &HeaderMap) -> bool {
    let accept = headers.get("accept").and_then(|v| v.to_str().ok());
    matches!(*method, Method::GET | Method::HEAD)
        && !arrival.uri.path().starts_with("/api/")
        && accept.is_some_and(|accept| accept.contains("text/html"))
}

fn wants_problem(headers: &HeaderMap) -> bool {
    headers
        .get("accept")
        .and_then(|v| v.to_str().ok())
        .is_some_and(|accept| accept.contains("application/problem+json"))
}

fn log(
    method: &Method,
    path: &str,
    status: StatusCode,
    took: Duration,
    request_id: &str,
    client: IpAddr,
) {
    let (status, ms) = (status.as_u16(), took.as_secs_f64() * 1e3);
    match status {
        500.. => {
            tracing::warn!(target: "citation::access", %method, path, status, ms, request_id, %client, "failed")
        }
        400.. => {
            tracing::info!(target: "citation::access", %method, path, status, ms, request_id, %client, "refused")
        }
        _ => {
            tracing::debug!(target: "citation::access", %method, path, status, ms, request_id, %client, "answered")
        }
    }
}

fn into_response(reply: Reply, method: &Method, request_id: &str) -> warp::reply::Response {
    use warp::Reply as _;
    let length = match &reply.body {
        Body::Whole(body) => Some(body.len()),
        Body::Stream(_) => None,
    };
    let mut response = match reply.body {
        _ if method == Method::HEAD => http::Response::new(Bytes::new()).into_response(),
        Body::Whole(body) => http::Response::new(body).into_response(),
        Body::Stream(chunks) => {
            let chunks = futures_util::stream::unfold(chunks, |mut chunks| async {
                let chunk = chunks.recv().await?;
                Some((Ok::<Bytes, std::convert::Infallible>(chunk), chunks))
            });
            warp::reply::stream(chunks).into_response()
        }
    };
    *response.status_mut() = reply.status;
    let headers = response.headers_mut();
    if let (Some(length), true) = (length, *method == Method::HEAD) {
        headers.insert(http::header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    for (name, value) in reply.headers {
        // A value that no header can hold is dropped; it can only come from a bug of ours.
        let Ok(value) = HeaderValue::from_str(&value) else {
            continue;
        };
        // Only cookies come several to a reply, a header each (RFC 6265, section 3).
        match name {
            "set-cookie" => headers.append(name, value),
            _ => headers.insert(name, value).is_some(),
        };
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    headers.insert(
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    );
    response
}
