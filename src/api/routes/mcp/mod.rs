//! `POST /mcp`: the Model Context Protocol for language model clients
//! (<https://modelcontextprotocol.io/specification>). Own code: the protocol of a server without
//! sessions and notifications is a table of eight methods; the available crates bring a server, a
//! runtime and their own schemas.
//!
//! `rpc` parses messages, `version` determines the revision of a request, `methods` answers it;
//! `tools` are the tools, on top of the API's handlers called through `route_call`, `brief` shortens
//! their answers, `citing` formats the citations of a text, and `stdio` serves standard input.

mod brief;
mod citing;
mod methods;
mod outputs;
mod resources;
mod route_call;
mod rpc;
pub mod stdio;
mod tools;
mod version;

use std::net::IpAddr;
use std::path::PathBuf;

use http::{StatusCode, Uri};
use serde_json::{Value, json};

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::cors;
use crate::api::edge::gate;
use crate::api::edge::negotiate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{Route, import};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::openapi::schemas::{JsonRpcMessage, JsonRpcResponse};
use rpc::{Message, RpcError};

/// The client at the other end of standard input.
#[derive(Clone, Debug, Default)]
pub struct LocalClient {
    /// The folder whose documents it may verify by path.
    pub files: Option<PathBuf>,
}

/// Maximum number of requests in one batch.
const MAX_REQUESTS: usize = 10;

/// A message may contain a document, so the body may be as large as a file.
pub fn routes() -> Vec<Route> {
    vec![
        import("/mcp", Action::Lookup, post)
            .heavy()
            .documented(operation),
        import("/mcp/account", Action::AccountLookup, post)
            .heavy()
            .documented(account_operation),
    ]
}

/// `POST /mcp`.
fn post(context: &RequestContext) -> Result<Reply, ApiError> {
    check_origin(context)?;
    if negotiate::choose(context.header("accept"), &["application/json"]).is_none() {
        let message = "Answers are application/json, which the client does not accept.";
        return Err(ApiError::new(Code::NotAcceptable, message));
    }
    let message = match context.json_value()? {
        Ok(message) => message,
        Err(fault) => {
            let error = RpcError::new(
                rpc::RpcCode::ParseError,
                format!("The message is not JSON: {fault}."),
            );
            return Ok(error.reply(StatusCode::BAD_REQUEST, Value::Null));
        }
    };
    match message {
        Value::Array(messages) => Ok(batch(context, messages)),
        message => single(context, message),
    }
}

fn single(context: &RequestContext, message: Value) -> Result<Reply, ApiError> {
    let request = match Message::read(message) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification | Message::Response) => return Ok(accepted()),
        Err(error) => return Ok(error.reply(StatusCode::BAD_REQUEST, Value::Null)),
    };
    let revision = match version::of(context, &request) {
        Ok(revision) => revision,
        Err(error) => return Ok(error.reply(StatusCode::BAD_REQUEST, request.id)),
    };
    Ok(match methods::answer(context, revision, &request) {
        Ok(result) => Reply::json_value(&rpc::result(request.id, result)),
        Err(RpcError {
            challenge: Some(refusal),
            ..
        }) => return Err(*refusal),
        Err(error) => {
            let status = match error.code {
                rpc::RpcCode::MethodNotFound if revision.is_stateless() => StatusCode::NOT_FOUND,
                _ => StatusCode::OK,
            };
            error.reply(status, request.id)
        }
    })
}

/// Batches, which only revision 2025-03-26 has.
fn batch(context: &RequestContext, messages: Vec<Value>) -> Reply {
    let refused = |message: &str| {
        RpcError::new(rpc::RpcCode::InvalidRequest, message)
            .reply(StatusCode::BAD_REQUEST, Value::Null)
    };
    if !version::allows_batches(context) {
        return refused("This revision of the protocol does not support batches.");
    }
    if messages.is_empty() {
        return refused("The batch is empty.");
    }
    let mut responses = Vec::new();
    for message in messages {
        let answer = match Message::read(message) {
            Ok(Message::Request(request)) => {
                // The gate has admitted the first one, and counts it unless this has.
                let admitted = if responses.is_empty() {
                    Ok(())
                } else {
                    gate::begin_call(context)
                };
                let answer = admitted.map_err(RpcError::from).and_then(|()| {
                    methods::answer(context, version::ProtocolRevision::BATCHED, &request)
                });
                if answer.is_ok() {
                    gate::count_answered(context);
                }
                match answer {
                    Ok(result) => rpc::result(request.id, result),
                    Err(error) => error.response(request.id),
                }
            }
            Ok(Message::Notification | Message::Response) => continue,
            Err(error) => error.response(Value::Null),
        };
        responses.push(answer);
    }
    if responses.is_empty() {
        accepted()
    } else {
        Reply::json_value(&Value::Array(responses))
    }
}

fn accepted() -> Reply {
    Reply::empty().with_status(StatusCode::ACCEPTED)
}

/// Rejects requests that another site makes a browser send. A DNS name that its owner points at this machine
/// (DNS rebinding) is the same in `Origin` and `Host`, so equality only proves something for IP addresses and
/// `localhost`.
fn check_origin(context: &RequestContext) -> Result<(), ApiError> {
    let Some(origin) = context.header("origin") else {
        return Ok(());
    };
    let site = &context.edge.site.base_url;
    let is_own = origin == site.origin()
        || is_address(origin) && authority(origin) == context.header("host").map(str::to_owned);
    if is_own || cors::is_listed(origin, &context.app.config.server.cors) {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Forbidden,
        "The request comes from the page of another site; `server.cors.allowed_origins` lists the allowed ones.",
    ))
}

fn authority(origin: &str) -> Option<String> {
    let uri: Uri = origin.parse().ok()?;
    uri.authority().map(ToString::to_string)
}

/// Whether an origin is an IP address, or this machine by name.
fn is_address(origin: &str) -> bool {
    let uri: Option<Uri> = origin.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok()
}

fn operation() -> Operation {
    let message = json!({"$ref": "#/components/schemas/JsonRpcMessage"});
    let batch = json!({"type": "array", "items": message, "maxItems": MAX_REQUESTS});
    let response = json!({"$ref": "#/components/schemas/JsonRpcResponse"});
    let responses = json!({"oneOf": [response, {"type": "array", "items": response}]});
    let failure = json!({"anyOf": [response, {"$ref": "#/components/schemas/Error"}]});
    Operation::new(
        "send_mcp_message",
        "mcp",
        "Send a message of the Model Context Protocol",
    )
    .describe(
        "Streamable HTTP without a session and without a stream: revisions 2025-03-26, 2025-06-18, \
             2025-11-25 and 2026-07-28. `tools/list` lists the tools. A tool costs as much as its \
             route, and accepts the same credentials.",
    )
    .schema::<JsonRpcMessage>()
    .schema::<JsonRpcResponse>()
    .body_schema("application/json", json!({"oneOf": [message, batch]}))
    .reply_schema(200, "The response, or the responses to a batch.", responses)
    .reply_empty(202, "The message needs no answer.")
    .reply_schema(
        400,
        "Not a message of the protocol, or an unknown revision.",
        failure.clone(),
    )
    .reply_schema(404, "The method does not exist.", failure)
    .codes(&[Code::Forbidden, Code::NotAcceptable])
}

fn account_operation() -> Operation {
    Operation {
        id: "send_mcp_account_message",
        summary: "Send a message of the Model Context Protocol, signed in",
        description: "The same as `/mcp`, for accounts only: a request without a credential is 401, which makes \
             clients of OAuth sign in before they do anything else.",
        ..operation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_trusted_only_by_loopback_address() {
        let check = |origin: &str, expected: bool| assert_eq!(is_address(origin), expected);
        check("http://127.0.0.1:8080", true);
        check("http://[::1]:8080", true);
        check("http://localhost:8080", true);
        check("http://rebound.example:8080", false);
        check("null", false);
        assert_eq!(authority("http://[::1]:80").as_deref(), Some("[::1]:80"));
    }
}
