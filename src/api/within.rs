//! Requests that a page makes of the interface, inside the process. They take the way that a
//! client's requests take — route table, admission, quota, handler — so a page can do what any client
//! can and nothing else; only the burst limit is not charged a second time.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use serde_json::Value;

use super::call::{Call, Query};
use super::caller::Caller;
use super::error::ApiError;
use super::gate;
use super::reply::Reply;
use super::route::{self, Found, Route};

/// What the interface answered.
pub struct Answer {
    pub status: StatusCode,
    /// Null where the answer is not JSON.
    pub body: Value,
    pub reply: Reply,
}

impl Answer {
    pub fn is_ok(&self) -> bool {
        self.status.is_success()
    }

    /// The code of a failure; empty where it went well.
    pub fn error(&self) -> &str {
        self.body
            .get("error")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// A header of the answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.reply.header(name)
    }
}

/// Asks with a GET.
pub fn get(call: &Call, path: &str) -> Answer {
    ask(call, Method::GET, path, None, Bytes::new())
}

/// Asks with a body of JSON.
pub fn send(call: &Call, method: Method, path: &str, body: &Value) -> Answer {
    let body = Bytes::from(body.to_string());
    ask(call, method, path, Some("application/json"), body)
}

/// Asks with a body of any type.
pub fn ask(
    call: &Call,
    method: Method,
    path: &str,
    content_type: Option<&str>,
    body: Bytes,
) -> Answer {
    let reply = match inner(call, method, path, content_type, body) {
        Some((inner, row)) => match call.edge.routes.get(row) {
            Some(route) => {
                pass(inner, route).unwrap_or_else(|error| error.into_reply(&call.request_id, false))
            }
            None => nothing(call, path),
        },
        None => nothing(call, path),
    };
    let is_json = reply
        .header("content-type")
        .is_some_and(|kind| kind.contains("json"));
    let body = match is_json {
        true => serde_json::from_slice(&reply.body_bytes()).unwrap_or_default(),
        false => Value::Null,
    };
    Answer {
        status: reply.status,
        body,
        reply,
    }
}

/// Takes the request through its stations, in a place of the route's kind.
fn pass(mut inner: Call, route: &Route) -> Result<Reply, ApiError> {
    let job = inner.job.clone();
    let mut pass = |job| {
        inner.job = job;
        gate::pass_within(&mut inner, route.action, route.handler)
    };
    match route.pool {
        Some(kind) => job.run_in(kind, pass)?,
        None => pass(job),
    }
}

fn nothing(call: &Call, path: &str) -> Reply {
    route::no_such_route(path).into_reply(&call.request_id, false)
}

/// The request as its handler is to see it, and the row of its route.
fn inner(
    call: &Call,
    method: Method,
    path: &str,
    content_type: Option<&str>,
    body: Bytes,
) -> Option<(Call, usize)> {
    let uri: Uri = path.parse().ok()?;
    let Found::Route { index, path, .. } = route::find(&call.edge.routes, &method, uri.path())
    else {
        return None;
    };
    let mut headers = HeaderMap::new();
    for (name, value) in &call.headers {
        if matches!(name.as_str(), "cookie" | "user-agent" | "host") {
            headers.append(name, value.clone());
        }
    }
    if let Some(kind) = content_type.and_then(|kind| HeaderValue::from_str(kind).ok()) {
        headers.insert(HeaderName::from_static("content-type"), kind);
    }
    let inner = Call {
        edge: Arc::clone(&call.edge),
        app: Arc::clone(&call.app),
        row: Some(index),
        caller: Caller::unknown(call.client),
        method,
        query: Query::parse(uri.query().unwrap_or_default()),
        uri,
        headers,
        path,
        body,
        client: call.client,
        request_id: call.request_id.clone(),
        idempotent: None,
        budget: call.budget.clone(),
        job: call.job.clone(),
    };
    Some((inner, index))
}
