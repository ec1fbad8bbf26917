//! `/api/docs` and `/api/openapi.json`. Both are written once, when the server starts.

use bytes::Bytes;
use serde_json::Value;

use super::call::Call;
use super::error::ApiError;
use super::reply::Reply;
use super::{docs, negotiate};

/// The two representations of the OpenAPI document.
pub struct Documentation {
    json: Bytes,
    html: Bytes,
}

impl Documentation {
    pub fn new(document: &Value) -> Documentation {
        Documentation {
            html: docs::page(document).into(),
            json: document.to_string().into(),
        }
    }
}

/// `GET /api/docs`: a page for browsers, the OpenAPI document for everything else.
pub fn page(call: &Call) -> Result<Reply, ApiError> {
    let wanted = negotiate::choose(call.header("accept"), &["application/json", "text/html"]);
    let reply = match wanted {
        Some(("text/html", _)) => Reply::bytes(
            "text/html; charset=utf-8",
            call.edge.documentation.html.clone(),
        )
        .with_header(
            "content-security-policy",
            "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
        ),
        _ => document(call),
    };
    Ok(reply.with_header("vary", "Accept").with_content_etag())
}

/// `GET /api/openapi.json`.
pub fn json(call: &Call) -> Result<Reply, ApiError> {
    Ok(document(call).with_content_etag())
}

/// The style sheet of the page.
pub fn style(_call: &Call) -> Result<Reply, ApiError> {
    Ok(Reply::bytes("text/css; charset=utf-8", docs::STYLE)
        .with_header("cache-control", "max-age=3600")
        .with_content_etag())
}

fn document(call: &Call) -> Reply {
    Reply::bytes("application/json", call.edge.documentation.json.clone())
}
