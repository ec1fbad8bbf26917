//! JSON-RPC 2.0, the parts that the Model Context Protocol uses (<https://www.jsonrpc.org/specification>).

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;

/// A client's message.
pub enum Message {
    Request(Request),
    /// Needs no answer.
    Notification,
    /// Answers a request of ours. We send none.
    Response,
}

pub struct Request {
    pub id: Value,
    pub method: String,
    pub params: Map<String, Value>,
}

/// Why a request has no result.
#[derive(Debug)]
pub struct RpcError {
    pub code: RpcCode,
    pub message: String,
    pub data: Option<Value>,
    /// The answer by which a client of HTTP is asked to sign in, or for more scopes.
    pub challenge: Option<Box<ApiError>>,
}

/// The codes of JSON-RPC and of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RpcCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    HeaderMismatch = -32020,
    UnsupportedVersion = -32022,
}

impl RpcError {
    pub fn new(code: RpcCode, message: impl Into<String>) -> RpcError {
        RpcError {
            code,
            message: message.into(),
            data: None,
            challenge: None,
        }
    }

    pub fn with(mut self, data: Value) -> RpcError {
        self.data = Some(data);
        self
    }

    /// The request is answered by `refusal` instead, if it is the only one in its body.
    pub fn challenging(self, refusal: ApiError) -> RpcError {
        RpcError {
            challenge: Some(Box::new(refusal)),
            ..self
        }
    }

    /// The error response. Null stands for an unreadable id.
    pub fn response(self, id: Value) -> Value {
        let mut error = json!({"code": self.code as i32, "message": self.message});
        if let Some(data) = self.data {
            error["data"] = data;
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }

    /// The response to a message that is answered alone.
    pub fn reply(self, status: StatusCode, id: Value) -> Reply {
        Reply::json_value(&self.response(id)).with_status(status)
    }
}

/// An API error, if the protocol has no result for it.
impl From<ApiError> for RpcError {
    fn from(error: ApiError) -> RpcError {
        RpcError::new(RpcCode::InternalError, error.message.clone()).with(failure(&error))
    }
}

impl Message {
    pub fn read(message: Value) -> Result<Message, RpcError> {
        let Value::Object(mut members) = message else {
            return Err(invalid("A message must be a JSON object."));
        };
        if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(invalid("`jsonrpc` must be \"2.0\"."));
        }
        let method = match members.remove("method") {
            Some(Value::String(method)) => method,
            None if members.contains_key("result") || members.contains_key("error") => {
                return Ok(Message::Response);
            }
            _ => return Err(invalid("`method` is missing, or not a text.")),
        };
        let id = match members.remove("id") {
            None => return Ok(Message::Notification),
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(_) => return Err(invalid("`id` must be a text or a number.")),
        };
        let params = match members.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(invalid("`params` must be an object.")),
        };
        Ok(Message::Request(Request { id, method, params }))
    }
}

/// The response to a request that has a result.
pub fn result(id: Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn invalid(message: &str) -> RpcError {
    RpcError::new(RpcCode::InvalidRequest, message)
}

/// An API error.
pub fn failure(error: &ApiError) -> Value {
    let mut told = json!({"error": error.code.as_str(), "message": error.message});
    for name in ["field", "suggestions", "actions", "limit", "tried"] {
        if let Some(value) = error.extra.get(name) {
            told[name] = value.clone();
        }
    }
    if let Some(seconds) = error.retry_after {
        told["retry_after"] = seconds.into();
    }
    told
}
