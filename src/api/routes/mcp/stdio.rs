//! The protocol on standard input and output: one message per line.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use crate::api::{self, Edge};

/// Maximum number of lines read ahead.
const LINES_AHEAD: usize = 16;

/// Answers messages until the end of input. Every message passes the route table and the gate with this
/// API key, as over HTTP.
pub async fn serve(
    edge: Arc<Edge>,
    api_key: Option<String>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) {
    let (sender, mut lines) = mpsc::channel(LINES_AHEAD);
    std::thread::spawn(move || {
        for line in input.split(b'\n') {
            let Ok(line) = line else { break };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    let output = Arc::new(Mutex::new(output));
    let mut tasks = JoinSet::new();
    let mut running: HashMap<String, AbortHandle> = HashMap::new();
    while let Some(line) = lines.recv().await {
        while tasks.try_join_next().is_some() {}
        running.retain(|_, task| !task.is_finished());
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        if message["method"] == "notifications/cancelled" {
            let cancelled = running.remove(&message["params"]["requestId"].to_string());
            // Dropping the request stops its work.
            cancelled.inspect(AbortHandle::abort);
            continue;
        }
        let id = message["id"].clone();
        let answered = answer(Arc::clone(&edge), api_key.clone(), line);
        let (output, answered_id) = (Arc::clone(&output), id.clone());
        let task = tasks.spawn(async move {
            if let Some(text) = line_of(&answered.await, answered_id) {
                let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                // A client that is gone has closed the input as well.
                let _ = writeln!(output, "{text}").and_then(|()| output.flush());
            }
        });
        if !id.is_null() {
            running.insert(id.to_string(), task);
        }
    }
    while tasks.join_next().await.is_some() {}
}

async fn answer(edge: Arc<Edge>, api_key: Option<String>, line: Vec<u8>) -> Response<Bytes> {
    let mut request = Request::new(Bytes::from(line));
    *request.method_mut() = http::Method::POST;
    *request.uri_mut() = http::Uri::from_static("/mcp");
    let json = http::HeaderValue::from_static("application/json");
    request
        .headers_mut()
        .insert(http::header::CONTENT_TYPE, json);
    if let Some(key) = api_key.and_then(|key| key.parse().ok()) {
        request.headers_mut().insert("x-api-key", key);
    }
    api::answer(edge, IpAddr::V4(Ipv4Addr::LOCALHOST), request).await
}

/// The line of a reply; `None` without an answer. Refusals of the gate become errors of the
/// protocol, with the status as their code.
fn line_of(reply: &Response<Bytes>, id: Value) -> Option<String> {
    let body: Value = serde_json::from_slice(reply.body()).ok()?;
    if body.is_array() || body["jsonrpc"] == "2.0" {
        return Some(body.to_string());
    }
    let error = json!({
        "code": reply.status().as_u16(), "message": body["message"], "data": body,
    });
    Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
}
