//! Takes a request to its reply, in a fixed order: request id → preflight → route → admission by
//! headers → body → handler (off the async threads, but for `at_once` ones) → common headers → compression → memory for the
//! answer → what caches may keep → metrics and log.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};

use super::action::Action;
use super::body::{self, Chunks, ReceivedBody};
use super::caching::{self, Audience};
use super::caller::{self, Caller};
use super::connection::Exchange;
use super::context::{Query, RequestContext};
use super::host::HostFault;
use super::idempotency::Idempotent;
use super::reply::{Body, CancelOnDrop, Events, Reply};
use super::route::{self, Handler, Route, RouteMatch};
use super::{compress, cors, gate};
use crate::api::Edge;
use crate::api::error::{ApiError, Code};
use crate::api::routes::collections::transaction;
use crate::api::routes::pages::frame;
use crate::api::routes::{compat, pages};
use crate::blocking::{BlockingError, Job, PoolKind};
use citation_model::budget::Budget;

/// What the accept loop knows of a request before warp sees it.
#[derive(Clone, Debug)]
pub struct IncomingRequest {
    pub peer: IpAddr,
    pub method: Method,
    pub uri: Uri,
    pub headers: Arc<HeaderMap>,
    pub at: Instant,
    pub exchange: Arc<Exchange>,
    /// Why it is rejected unread.
    pub fault: Option<HostFault>,
}

/// The longest request id that a client may choose, in characters.
const REQUEST_ID_CHARS: usize = 64;

/// Answers one request. Never fails: every error is a reply.
pub async fn respond(
    edge: Arc<Edge>,
    arrival: IncomingRequest,
    body: Chunks,
) -> warp::reply::Response {
    let (method, headers) = (&arrival.method, &arrival.headers);
    let request_id = request_id(headers);
    let found = route::find(&edge.routes, method, arrival.uri.path());
    let index = match &found {
        RouteMatch::Route { index, .. } => Some(*index),
        _ => None,
    };
    let audience = audience(&edge, &arrival, &found);
    let shown_path = route::without_secrets(&found, arrival.uri.path());
    let reply = if let Some(fault) = arrival.fault {
        failure(&edge, fault.into(), headers, &request_id)
    } else if arrival.exchange.is_surplus() {
        failure(&edge, ApiError::overloaded(), headers, &request_id)
    } else if cors::is_preflight(method, headers) {
        preflight(&edge, headers, &found)
    } else {
        let deadline = edge.app.config.server.request_timeout();
        let answer = answer(&edge, &arrival, &request_id, found, body);
        match tokio::time::timeout(deadline, answer).await {
            Ok(reply) => reply,
            Err(_) => failure(&edge, too_slow(deadline), headers, &request_id),
        }
    };
    let reply = match make_room(&edge, reply).await {
        Some(reply) => reply,
        None => failure(&edge, ApiError::overloaded(), headers, &request_id),
    };
    let reply = caching::finish(reply, audience);
    let status = reply.status;
    let took = arrival.at.elapsed();
    edge.metrics.count(index, status.as_u16(), took);
    log(
        method,
        &shown_path,
        status,
        took,
        &request_id,
        edge.site.client(arrival.peer, headers),
    );
    into_response(reply, method, &request_id)
}

/// Whom the answer to a request is for.
fn audience(edge: &Edge, arrival: &IncomingRequest, found: &RouteMatch<'_>) -> Audience {
    let headers = compat::with_key_of_query(&arrival.uri, &arrival.headers);
    let is_secret = matches!(found, RouteMatch::Route { route, .. } if route.has_secret());
    if is_secret || caller::presents_credential(&edge.site, &headers) {
        Audience::Owner
    } else {
        Audience::Everybody
    }
}

/// Answers up to this many bytes do not count against the memory for all answers.
const UNCOUNTED_BYTES: usize = 64 << 10;

/// How long an answer waits for memory after unread answers were closed.
const ROOM_WAIT: Duration = Duration::from_millis(100);

/// Reserves memory for an answer until it has been sent; `None` if there is
/// not enough.
async fn make_room(edge: &Edge, mut reply: Reply) -> Option<Reply> {
    let Body::Whole(bytes) = &mut reply.body else {
        return Some(reply);
    };
    if bytes.len() > UNCOUNTED_BYTES {
        // An answer above the limit is sent alone.
        let length = bytes.len().min(edge.answers.limit());
        let share = match edge.answers.take(length, 0) {
            Some(share) => share,
            None => {
                edge.connections.close_stalled();
                let room = tokio::time::timeout(ROOM_WAIT, edge.answers.wait(length));
                room.await.ok().flatten()?
            }
        };
        *bytes = share.bind(std::mem::take(bytes));
    }
    Some(reply)
}

/// The route's answer, with common headers and compression.
async fn answer(
    edge: &Arc<Edge>,
    arrival: &IncomingRequest,
    request_id: &str,
    found: RouteMatch<'_>,
    body: Chunks,
) -> Reply {
    let missing = pages::missing();
    let (route, row, path) = match found {
        RouteMatch::Route { route, index, path } => (route, Some(index), path),
        RouteMatch::Nothing if wants_page(arrival) => (&missing, None, Vec::new()),
        RouteMatch::Nothing => {
            let error = route::no_such_route(arrival.uri.path());
            return failure(edge, error, &arrival.headers, request_id);
        }
        RouteMatch::OtherMethods(allowed) if arrival.method == Method::OPTIONS => {
            return Reply::empty().with_header("allow", allowed);
        }
        RouteMatch::OtherMethods(allowed) => {
            let error = route::wrong_method(&arrival.method, allowed);
            return failure(edge, error, &arrival.headers, request_id);
        }
    };
    let context = new_context(edge, arrival, request_id, row, path);
    // A time-out and a disconnected client drop this future.
    let cancel = CancelOnDrop::new(context.budget.clone());
    let answered = match admit(context, route.action).await {
        Ok((context, None)) => execute(route, context, &arrival.exchange, body).await,
        Ok((context, Some(refusal))) => {
            body::discard(&context, body);
            return refusal;
        }
        Err(error) => Err(error),
    };
    match answered {
        Ok(reply) => {
            if let Body::Stream(_) = &reply.body {
                // From here on its chunks show whether somebody waits.
                cancel.release();
            }
            reply
        }
        Err(error) => unanswered(edge, error, &arrival.headers, request_id),
    }
}

/// Reads the body of an admitted request and runs its handler: on this thread from memory, else in a pool.
async fn execute(
    route: &Route,
    mut context: RequestContext,
    exchange: &Exchange,
    body: Chunks,
) -> Result<Reply, BlockingError> {
    let action = route.action;
    let Some(pool) = route.pool else {
        body::discard(&context, body);
        let pass = || gate::pass(&mut context, action, |context| (route.handler)(context));
        let result = contained(pass);
        return Ok(conclude(&context, action, result));
    };
    let packed = match body::read(&context, route.body, exchange, body).await {
        Ok(packed) => packed,
        Err(error) => return Ok(conclude(&context, action, Err(error))),
    };
    let pool = if packed.is_large() {
        PoolKind::Heavy
    } else {
        pool
    };
    let packed = match packed.plain() {
        Ok(plain) => {
            context.body = plain;
            if let Some(at_once) = route.at_once {
                // The only reads of the database on an async thread: one work by its key, while a reader is
                // free. In a pool such a lookup took up to 1.4 times the processor time (not optimised).
                let result =
                    contained(|| gate::pass_at_once(&context, action, at_once).transpose());
                if let Some(result) = result.transpose() {
                    return Ok(conclude(&context, action, result));
                }
            }
            None
        }
        Err(packed) => Some(packed),
    };
    run(route, pool, context, packed).await
}

fn new_context(
    edge: &Arc<Edge>,
    arrival: &IncomingRequest,
    request_id: &str,
    row: Option<usize>,
    path: Vec<(&'static str, String)>,
) -> RequestContext {
    let client = edge.site.client(arrival.peer, &arrival.headers);
    let limits = &edge.app.config.limits;
    let budget = Budget::new(limits.request_steps, limits.request_bytes);
    RequestContext {
        edge: Arc::clone(edge),
        app: Arc::clone(&edge.app),
        row,
        caller: Caller::unknown(&edge.app.quota, client),
        method: arrival.method.clone(),
        uri: arrival.uri.clone(),
        headers: compat::with_key_of_query(&arrival.uri, &arrival.headers),
        query: Query::parse(arrival.uri.query().unwrap_or_default()),
        path,
        body: Bytes::new(),
        client,
        request_id: request_id.to_owned(),
        idempotent: None,
        job: Job::unbounded(budget.clone()),
        budget,
    }
}

/// Runs the handler in a pool. `packed` is the body if it must be decompressed first.
async fn run(
    route: &Route,
    pool: PoolKind,
    mut context: RequestContext,
    packed: Option<ReceivedBody>,
) -> Result<Reply, BlockingError> {
    let patience = context.app.config.server.request_timeout();
    let (caller, budget) = (context.caller.burst_key(), context.budget.clone());
    let (action, handler, is_idempotent) = (route.action, route.handler, route.is_idempotent);
    let blocking = context.app.blocking.clone();
    let done = blocking.run(pool, caller, budget, move |job, answer| {
        context.job = job;
        let result = match packed.map(|packed| packed.unpack(&context)).transpose() {
            Ok(unpacked) => {
                context.body = unpacked.unwrap_or(std::mem::take(&mut context.body));
                gate::pass(&mut context, action, |context| {
                    if is_idempotent {
                        idempotently(context, handler)
                    } else {
                        handler(context)
                    }
                })
            }
            Err(error) => Err(error),
        };
        let (reply, rest) = conclude(&context, action, result).start(&context.job, patience);
        // The client is gone.
        let _ = answer.send(reply);
        if let Some(rest) = rest {
            rest();
        }
    });
    done.await
}

/// What the headers decide: the request, or a final answer. An async thread decides only what is in
/// memory.
async fn admit(
    mut context: RequestContext,
    action: Action,
) -> Result<(RequestContext, Option<Reply>), BlockingError> {
    let decided = move |context: RequestContext, admitted: Result<(), ApiError>| {
        let refusal = admitted.err();
        let refusal = refusal.map(|error| conclude(&context, action, Err(error)));
        (context, refusal)
    };
    if let Some(admitted) = gate::admit_at_once(&mut context, action) {
        return Ok(decided(context, admitted));
    }
    let blocking = context.app.blocking.clone();
    let (caller, budget) = (context.caller.burst_key(), context.budget.clone());
    let run = blocking.run(PoolKind::Light, caller, budget, move |_, answer| {
        let admitted = gate::admit(&mut context, action);
        let _ = answer.send(decided(context, admitted));
    });
    run.await
}

/// The reply to a request that was not executed.
fn unanswered(edge: &Edge, cause: BlockingError, headers: &HeaderMap, request_id: &str) -> Reply {
    if cause == BlockingError::Full {
        edge.metrics.overloads.fetch_add(1, Relaxed);
    }
    failure(edge, cause.into(), headers, request_id)
}

/// The answer of a handler that runs on this thread.
fn contained<T>(answer: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    std::panic::catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|_| Err(BlockingError::Panicked.into()))
}

/// The stored answer to the same request, else the handler's.
fn idempotently(context: &mut RequestContext, handler: Handler) -> Result<Reply, ApiError> {
    context.idempotent = Idempotent::of(&context.headers, &context.uri, &context.body)?;
    match transaction::answered(context)? {
        Some(reply) => Ok(reply),
        None => handler(context),
    }
}

/// A handler's result as a reply.
fn conclude(context: &RequestContext, action: Action, result: Result<Reply, ApiError>) -> Reply {
    let mut reply = result.unwrap_or_else(|error| {
        context.edge.metrics.count_error(error.code);
        if action.is_page() {
            frame::failure(context, action, error)
        } else {
            error.into_reply(&context.request_id, wants_problem(&context.headers))
        }
    });
    if matches!(context.method, Method::GET | Method::HEAD)
        && is_unchanged(&reply, &context.headers)
    {
        reply.status = StatusCode::NOT_MODIFIED;
        reply.body = Body::Whole(Bytes::new());
    }
    finish(&context.edge, reply, &context.headers)
}

fn failure(edge: &Edge, error: ApiError, headers: &HeaderMap, request_id: &str) -> Reply {
    edge.metrics.count_error(error.code);
    finish(
        edge,
        error.into_reply(request_id, wants_problem(headers)),
        headers,
    )
}

/// Adds the headers that depend on the request, compresses.
fn finish(edge: &Edge, mut reply: Reply, request: &HeaderMap) -> Reply {
    reply = cors::add_headers(reply, request, &edge.app.config.server.cors);
    reply = add_security_headers(edge, reply);
    let accept = request.get("accept-encoding").and_then(|v| v.to_str().ok());
    if reply.header("content-encoding").is_some() {
        return reply.varying("Accept-Encoding");
    }
    let Body::Whole(body) = &reply.body else {
        return reply;
    };
    let content_type = reply.header("content-type").unwrap_or_default();
    if !edge.app.config.server.compression || !compress::is_worthwhile(content_type, body.len()) {
        return reply;
    }
    let coding = accept.and_then(compress::preferred);
    let packed = coding.and_then(|coding| Some((coding, compress::compress(coding, body)?)));
    reply = reply.varying("Accept-Encoding");
    if let Some((coding, packed)) = packed {
        reply = reply.with_header("content-encoding", coding.as_str());
        reply.body = Body::Whole(packed);
    }
    reply
}

/// The default CSP of a page: a bibliography contains its styles.
const SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                               form-action 'none'; frame-ancestors 'none'";

/// How long a browser uses only https, in seconds: a year.
const HTTPS_SECONDS: u32 = 365 * 24 * 60 * 60;

fn add_security_headers(edge: &Edge, mut reply: Reply) -> Reply {
    let is_html = reply
        .header("content-type")
        .is_some_and(|content_type| content_type.starts_with("text/html"));
    if is_html && reply.header("content-security-policy").is_none() {
        reply = reply.with_header("content-security-policy", SECURITY_POLICY);
    }
    if edge.site.base_url.is_https() {
        let lasting = format!("max-age={HTTPS_SECONDS}");
        reply = reply.with_header("strict-transport-security", lasting);
    }
    reply
}

/// RFC 9110, section 13.1.2: a GET with a matching entity tag is answered with 304.
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

fn preflight(edge: &Edge, headers: &HeaderMap, found: &RouteMatch<'_>) -> Reply {
    let methods = match found {
        RouteMatch::Route { route, .. } => route.method.as_str().to_owned(),
        RouteMatch::OtherMethods(allowed) => allowed.clone(),
        RouteMatch::Nothing => "GET, HEAD, OPTIONS".to_owned(),
    };
    cors::preflight(headers, &methods, &edge.app.config.server.cors)
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

/// The client's request id if valid, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get("x-request-id").and_then(|v| v.to_str().ok());
    given
        .filter(|id| {
            (1..=REQUEST_ID_CHARS).contains(&id.len())
                && id
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        })
        .map_or_else(new_request_id, str::to_owned)
}

/// A UUID of version 7. Its random part distinguishes requests of one millisecond and is not a secret, so
/// the operating system is asked for randomness only once.
pub fn new_request_id() -> String {
    static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.map_or(0, |since| since.as_millis() as u64);
    let mut random = [0; 10];
    let hashed = [false, true].map(|half| SEED.hash_one((count, half)).to_le_bytes());
    for (byte, hashed) in random.iter_mut().zip(hashed.as_flattened()) {
        *byte = *hashed;
    }
    let id = uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid();
    id.simple().encode_lower(&mut [0; 32]).to_owned()
}

/// Whether the client is a browser that requests a page, not an API client.
fn wants_page(arrival: &IncomingRequest) -> bool {
    let accept = arrival.headers.get("accept").and_then(|v| v.to_str().ok());
    matches!(arrival.method, Method::GET | Method::HEAD)
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
        Body::Producer(_) | Body::Stream(_) | Body::Events(_) => None,
    };
    let mut response = match reply.body {
        _ if method == Method::HEAD => http::Response::new(Bytes::new()).into_response(),
        Body::Whole(body) => http::Response::new(body).into_response(),
        Body::Producer(_) => http::Response::new(Bytes::new()).into_response(),
        Body::Events(Events(events)) => {
            let events = events.map(Ok::<Bytes, std::convert::Infallible>);
            warp::reply::stream(events).into_response()
        }
        Body::Stream(chunks) => {
            let chunks = futures_util::stream::unfold(chunks, |mut chunks| async {
                let chunk = chunks.receiver.recv().await?;
                Some((Ok::<Bytes, std::convert::Infallible>(chunk), chunks))
            });
            warp::reply::stream(chunks).into_response()
        }
    };
    *response.status_mut() = reply.status;
    // What caches keep for ever is not the answer to one request.
    let is_immutable = reply
        .headers
        .iter()
        .any(|(name, value)| *name == "cache-control" && value.ends_with("immutable"));
    let headers = response.headers_mut();
    if let (Some(length), true) = (length, *method == Method::HEAD) {
        headers.insert(http::header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    for (name, value) in reply.headers {
        // A value that is invalid in a header is dropped; it can only come from a bug of ours.
        let Ok(value) = HeaderValue::from_str(&value) else {
            continue;
        };
        // Only cookies may occur several times in a reply, one header each (RFC 6265, section 3).
        match name {
            "set-cookie" => headers.append(name, value),
            _ => headers.insert(name, value).is_some(),
        };
    }
    if let (Ok(id), false) = (HeaderValue::from_str(request_id), is_immutable) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    headers.insert(
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    );
    response
}
