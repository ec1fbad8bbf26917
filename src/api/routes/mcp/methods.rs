//! The methods of the protocol.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use serde_json::{Value, json};

use super::resources;
use super::rpc::{Request, RpcCode, RpcError, failure};
use super::tools::{self, Tool};
use super::version::{self, ProtocolRevision};
use crate::api::edge::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::auth::principal::Credential;

/// The instructions for models about all tools.
const INSTRUCTIONS: &str = "Bibliographic metadata, checks of references, and formatted citations. Look \
    works up instead of recalling them. A verdict of `verify` reports what the sources searched know, and no \
    more: `not_found` is no proof that a work does not exist, `ambiguous` and a score below 0.95 do not \
    say which work is meant. Cite a work in a style with `format`, the markers of a text with `cite`. \
    Lists are shortened; `more` is the number of omitted items.";

/// How long a client may cache public results, in milliseconds.
const PUBLIC_MS: u64 = 3_600_000;

/// Answers a request.
pub fn answer(
    context: &RequestContext,
    revision: ProtocolRevision,
    request: &Request,
) -> Result<Value, RpcError> {
    let (result, kept) = match (request.method.as_str(), revision.is_stateless()) {
        ("initialize", false) => (initialize(request)?, None),
        ("ping", false) => (json!({}), None),
        ("server/discover", true) => (discover(), Some("public")),
        ("tools/list", _) => (tools::list(context), Some("public")),
        ("tools/call", _) => (call(context, request)?, None),
        ("resources/list", _) => (resources::list(context, &request.params)?, Some("private")),
        ("resources/templates/list", _) => (resources::templates(), Some("public")),
        ("resources/read", _) => (resources::read(context, &request.params)?, Some("private")),
        _ => {
            let method: String = request.method.chars().take(100).collect();
            let message = format!("The method “{method}” does not exist.");
            return Err(RpcError::new(RpcCode::MethodNotFound, message));
        }
    };
    Ok(if revision.is_stateless() {
        complete(result, kept)
    } else {
        result
    })
}

fn initialize(request: &Request) -> Result<Value, RpcError> {
    let params = &request.params;
    let Some(asked) = params.get("protocolVersion").and_then(Value::as_str) else {
        let message = "`protocolVersion` is missing.";
        return Err(RpcError::new(RpcCode::InvalidParams, message));
    };
    Ok(json!({
        "protocolVersion": ProtocolRevision::negotiated(asked).as_str(),
        "capabilities": capabilities(),
        "serverInfo": server(),
        "instructions": INSTRUCTIONS,
    }))
}

fn discover() -> Value {
    json!({
        "supportedVersions": version::names(),
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
    })
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}})
}

fn server() -> Value {
    json!({"name": "citation", "title": "Citation", "version": env!("CARGO_PKG_VERSION")})
}

/// Caching hints of the revisions without a handshake. `kept` is who may cache the result.
fn complete(mut result: Value, kept: Option<&str>) -> Value {
    result["resultType"] = "complete".into();
    result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": server()});
    if let Some(scope) = kept {
        result["cacheScope"] = scope.into();
        result["ttlMs"] = if scope == "public" { PUBLIC_MS } else { 0 }.into();
    }
    result
}

/// Whether a client of HTTP can mend an error by OAuth: by signing in, or by asking for another scope.
fn asks_to_sign_in(context: &RequestContext, error: &ApiError) -> bool {
    let has_token = matches!(
        context.caller.credential(),
        Some(Credential::AccessToken { .. })
    );
    let is_mended = match error.code {
        Code::AuthenticationRequired => true,
        Code::Forbidden => has_token && error.extra.contains_key("scope"),
        _ => false,
    };
    is_mended && context.edge.local.is_none() && context.app.auth.lets_programs_in()
}

/// A tool's failure is a result, so that the model reads it and can act on it.
fn call(context: &RequestContext, request: &Request) -> Result<Value, RpcError> {
    let name = request.params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| RpcError::new(RpcCode::InvalidParams, "`name` is missing."))?;
    let tool = Tool::named(name).ok_or_else(|| {
        let name: String = name.chars().take(100).collect();
        RpcError::new(RpcCode::InvalidParams, format!("Unknown tool: {name}"))
    })?;
    let none = json!({});
    let arguments = request.params.get("arguments").unwrap_or(&none);
    let (content, is_error) = match (tool.call)(context, arguments) {
        Ok(content) => (content, false),
        Err(error) if asks_to_sign_in(context, &error) => {
            return Err(RpcError::from(error.clone()).challenging(error));
        }
        Err(error) => (failure(&error), true),
    };
    Ok(json!({
        "content": [{"type": "text", "text": content.to_string()}],
        "structuredContent": content,
        "isError": is_error,
    }))
}
