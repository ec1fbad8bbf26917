//! The supported protocol revisions. Up to 2025-11-25 a client starts with a handshake and
//! names the revision in a header; from 2026-07-28 every request contains its revision.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::rpc::{Request, RpcCode, RpcError};
use crate::api::edge::context::RequestContext;

/// One revision, by its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolRevision(&'static str);

/// The newest first.
const ALL: [ProtocolRevision; 4] = [
    ProtocolRevision("2026-07-28"),
    ProtocolRevision("2025-11-25"),
    ProtocolRevision("2025-06-18"),
    ProtocolRevision::BATCHED,
];

const DECLARED: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

impl ProtocolRevision {
    /// The revision with batches, which is also the default for clients that name none.
    pub const BATCHED: ProtocolRevision = ProtocolRevision("2025-03-26");

    /// Whether requests are independent of a handshake.
    pub fn is_stateless(self) -> bool {
        self == ALL[0]
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }

    fn named(name: &str) -> Option<ProtocolRevision> {
        ALL.into_iter().find(|revision| revision.0 == name)
    }

    /// The result of a handshake: the requested revision, or the newest one with a handshake.
    pub fn negotiated(asked: &str) -> ProtocolRevision {
        let known = ProtocolRevision::named(asked).filter(|revision| !revision.is_stateless());
        known.unwrap_or(ALL[1])
    }
}

/// The names of all revisions.
pub fn names() -> [&'static str; 4] {
    ALL.map(ProtocolRevision::as_str)
}

/// Whether messages may come in batches. On standard input the revision is unknown.
pub fn allows_batches(context: &RequestContext) -> bool {
    header(context).is_none_or(|name| name == ProtocolRevision::BATCHED.0)
}

/// The revision of a request, if valid.
pub fn of(context: &RequestContext, request: &Request) -> Result<ProtocolRevision, RpcError> {
    let meta = request.params.get("_meta");
    let declared = meta.and_then(|meta| meta.get(DECLARED));
    let (header, is_http) = (header(context), context.edge.local.is_none());
    let Some(declared) = declared else {
        return match header {
            // The header belongs to requests after the handshake.
            _ if request.method == "initialize" => Ok(ProtocolRevision::BATCHED),
            None => Ok(ProtocolRevision::BATCHED),
            Some(name) => match ProtocolRevision::named(name) {
                Some(revision) if revision.is_stateless() => Err(lacking(DECLARED)),
                Some(revision) => Ok(revision),
                None => Err(unsupported(name)),
            },
        };
    };
    let declared = declared.as_str().unwrap_or_default();
    if is_http && header != Some(declared) {
        return Err(mismatch("MCP-Protocol-Version"));
    }
    let revision = ProtocolRevision::named(declared).filter(|revision| revision.is_stateless());
    let revision = revision.ok_or_else(|| unsupported(declared))?;
    if !meta.is_some_and(|meta| meta[CAPABILITIES].is_object()) {
        return Err(lacking(CAPABILITIES));
    }
    if is_http {
        check_headers(context, request)?;
    }
    Ok(revision)
}

fn header(context: &RequestContext) -> Option<&str> {
    context.header("mcp-protocol-version")
}

/// The method and the name of its target must also be in headers, for intermediaries.
fn check_headers(context: &RequestContext, request: &Request) -> Result<(), RpcError> {
    if context.header("mcp-method") != Some(&request.method) {
        return Err(mismatch("Mcp-Method"));
    }
    let named = match request.method.as_str() {
        "tools/call" | "prompts/get" => request.params.get("name"),
        "resources/read" => request.params.get("uri"),
        _ => return Ok(()),
    };
    let given = context.header("mcp-name").and_then(decoded);
    if given.as_deref() == named.and_then(Value::as_str) {
        Ok(())
    } else {
        Err(mismatch("Mcp-Name"))
    }
}

/// A header's value, which is encoded as `=?base64?…?=` unless it is plain ASCII.
fn decoded(value: &str) -> Option<String> {
    let packed = value.strip_prefix("=?base64?");
    match packed.and_then(|packed| packed.strip_suffix("?=")) {
        Some(packed) => String::from_utf8(STANDARD.decode(packed).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

fn lacking(member: &str) -> RpcError {
    let message = format!("`params._meta` lacks `{member}`.");
    RpcError::new(RpcCode::InvalidParams, message)
}

fn mismatch(header: &str) -> RpcError {
    let message = format!("The header {header} does not match the body.");
    RpcError::new(RpcCode::HeaderMismatch, message)
}

fn unsupported(requested: &str) -> RpcError {
    let requested: String = requested.chars().take(40).collect();
    RpcError::new(RpcCode::UnsupportedVersion, "Unsupported protocol version")
        .with(json!({"supported": names(), "requested": requested}))
}
