//! Replies: what a handler gives back, before the common headers are added.

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;
use tokio::sync::mpsc;

/// A reply. The dispatcher adds what every reply carries (request id, CORS, compression).
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    /// Names in lower case; a later one of the same name replaces an earlier one, but for cookies.
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

/// The body of a reply.
#[derive(Debug)]
pub enum Body {
    Whole(Bytes),
    /// Chunks as they are made. Dropping the sender ends the body.
    Stream(mpsc::Receiver<Bytes>),
}

impl Reply {
    /// No content, status 204.
    pub fn empty() -> Reply {
        Reply {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            body: Body::Whole(Bytes::new()),
        }
    }

    /// A body of the given content type, status 200.
    pub fn bytes(content_type: &str, body: impl Into<Bytes>) -> Reply {
        Reply {
            status: StatusCode::OK,
            headers: vec![("content-type", content_type.to_owned())],
            body: Body::Whole(body.into()),
        }
    }

    /// A JSON body, status 200.
    pub fn json<T: Serialize>(value: &T) -> Reply {
        match serde_json::to_vec(value) {
            Ok(body) => Reply::bytes("application/json", body),
            // Only a map with keys that are not text can fail, and no reply has one.
            Err(cause) => {
                tracing::error!(%cause, "a reply could not be written as JSON");
                Reply::bytes("application/json", "{\"error\":\"internal_error\"}")
                    .with_status(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// A JSON body from a value.
    pub fn json_value(value: &serde_json::Value) -> Reply {
        Reply::bytes("application/json", value.to_string())
    }

    pub fn with_status(mut self, status: StatusCode) -> Reply {
        self.status = status;
        self
    }

    /// Sets a header, replacing one of the same name.
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.retain(|(present, _)| *present != name);
        self.headers.push((name, value.into()));
        self
    }

    /// Names a header of the request that the reply depends on, beside those that are named.
    pub fn varying(self, on: &str) -> Reply {
        let vary = match self.header("vary") {
            Some(vary) => format!("{vary}, {on}"),
            None => on.to_owned(),
        };
        self.with_header("vary", vary)
    }

    /// Sets a cookie. A reply can set several.
    pub fn with_cookie(mut self, cookie: String) -> Reply {
        self.headers.push(("set-cookie", cookie));
        self
    }

    /// A strong entity tag made of the body, for representations without a version of their own.
    pub fn with_content_etag(self) -> Reply {
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(self.body_bytes());
        let tag: String = digest
            .iter()
            .take(12)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.with_header("etag", format!("\"{tag}\""))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(present, _)| *present == name)
            .map(|(_, value)| value.as_str())
    }

    /// The body where it is whole; empty for a stream.
    pub fn body_bytes(&self) -> Bytes {
        match &self.body {
            Body::Whole(bytes) => bytes.clone(),
            Body::Stream(_) => Bytes::new(),
        }
    }
}
