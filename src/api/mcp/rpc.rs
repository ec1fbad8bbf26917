//! JSON-RPC 2.0, as far as the Model Context Protocol uses it (https://www.jsonrpc.org/specification).

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::error::ApiError;
use crate::api::reply::Reply;

/// What a client sends.
pub enum Message {
    Request(Request),
    /// Wants no answer.
    Notification,
    /// Answers a request of ours. We make none.
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
    pub code: Code,
    pub message: String,
    pub data: Option<Value>,
}

/// The codes of JSON-RPC and of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    HeaderMismatch = -32020,
    UnsupportedVersion = -32022,
}

impl RpcError {
    pub fn new(code: Code, message: impl Into<String>) -> RpcError {
        RpcError {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub fn with(mut self, data: Value) -> RpcError {
        self.data = Some(data);
        self
    }

    /// The response that tells it. Null stands for an id that could not be read.
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

/// A failure of the interface, where the protocol has no result to tell it in.
impl From<ApiError> for RpcError {
    fn from(error: ApiError) -> RpcError {
        RpcError::new(Code::InternalError, error.message.clone()).with(failure(&error))
    }
}

impl Message {
    pub fn read(message: Value) -> Result<Message, RpcError> {
        let Value::Object(mut members) = message else {
            return Err(invalid("A message is a JSON object."));
        };
        if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(invalid("`jsonrpc` is not \"2.0\"."));
        }
        let method = match members.remove("method") {
            Some(Value::String(method)) => method,
            None if members.contains_key("result") || members.contains_key("error") => {
                return Ok(Message::Response);
            }
            _ => return Err(invalid("`method` is missing, or no text.")),
        };
        let id = match members.remove("id") {
            None => return Ok(Message::Notification),
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(_) => return Err(invalid("`id` is neither text nor a number.")),
        };
        let params = match members.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(invalid("`params` is no object.")),
        };
        Ok(Message::Request(Request { id, method, params }))
    }
}

/// The response to a request that has a result.
pub fn result(id: Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn invalid(message: &str) -> RpcError {
    RpcError::new(Code::InvalidRequest, message)
}

/// A failure as the interface tells it.
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
