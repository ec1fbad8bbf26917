//! Crossref's envelope and errors.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::edge::context::RequestContext;
use crate::api::edge::policy;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};

/// The envelope of every response.
pub(super) fn enveloped(kind: &str, message: Value) -> Reply {
    Reply::json_value(&json!({
        "status": "ok",
        "message-type": kind,
        "message-version": "1.0.0",
        "message": message,
    }))
}

pub(super) fn resource_not_found() -> Reply {
    Reply::bytes("text/plain; charset=utf-8", "Resource not found.")
        .with_status(StatusCode::NOT_FOUND)
}

/// Responses in the form that Crossref clients expect: rate limit headers, a text for 404,
/// a list of messages for invalid input. Errors of quota and service stay our own.
pub(super) fn crossref_reply(
    context: &RequestContext,
    reply: Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    let reply = reply.or_else(|error| match error.code {
        Code::WorkNotFound | Code::InvalidDoi => Ok(resource_not_found()),
        Code::InvalidParameter => {
            let message = json!([{
                "type": "parameter-not-allowed",
                "value": "",
                "message": error.message,
            }]);
            let body = json!({
                "status": "failed", "message-type": "validation-failure", "message": message,
            });
            Ok(Reply::json_value(&body).with_status(StatusCode::BAD_REQUEST))
        }
        _ => Err(error),
    })?;
    let per_minute = policy::burst_per_minute(context);
    Ok(reply
        .with_header("x-api-pool", "polite")
        .with_header("x-rate-limit-limit", per_minute.to_string())
        .with_header("x-rate-limit-interval", "60s"))
}
