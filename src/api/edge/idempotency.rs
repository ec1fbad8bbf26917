//! `Idempotency-Key` (interface decisions, section 8): a repeated request is executed
//! once and gets the same answer.

use http::{HeaderMap, StatusCode, Uri};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::multipart;
use super::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::store::StoreError;

/// Characters of an `Idempotency-Key`.
const KEY_CHARS: usize = 255;

/// A request that must be executed only once.
pub struct Idempotent {
    /// The `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of the request, to detect another request with the same key.
    pub request: [u8; 32],
}

impl Idempotent {
    /// `None` without a key in the headers.
    pub fn of(headers: &HeaderMap, uri: &Uri, body: &[u8]) -> Result<Option<Idempotent>, ApiError> {
        let Some(value) = headers.get("idempotency-key") else {
            return Ok(None);
        };
        // The draft defines the key as a quoted string; plain ones are accepted.
        let key = value.to_str().unwrap_or_default().trim().trim_matches('"');
        if !(1..=KEY_CHARS).contains(&key.len()) {
            let message = format!("Idempotency-Key must have 1 to {KEY_CHARS} ASCII characters.");
            return Err(ApiError::new(Code::BadRequest, message));
        }
        Ok(Some(Idempotent {
            key: key.to_owned(),
            request: digest(headers, uri, body),
        }))
    }
}

/// The digest of a request: its target and body. Forms are digested by parts,
/// since clients use a new boundary each time.
fn digest(headers: &HeaderMap, uri: &Uri, body: &[u8]) -> [u8; 32] {
    let target = uri.path_and_query();
    let content_type = headers.get("content-type").and_then(|v| v.to_str().ok());
    let content_type = content_type.unwrap_or_default();
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(target.map_or("", |target| target.as_str()).as_bytes());
    match multipart::parts_of(content_type, body) {
        Some(Ok(parts)) => {
            for part in parts {
                add(part.name.as_bytes());
                add(part.file_name.unwrap_or_default().as_bytes());
                add(part.content_type.unwrap_or_default().as_bytes());
                add(part.content);
            }
        }
        // An invalid form is rejected, and its answer not stored.
        None | Some(Err(_)) => {
            add(content_type.as_bytes());
            add(body);
        }
    }
    hash.finalize().into()
}

/// A stored reply.
#[derive(Serialize, Deserialize)]
struct StoredReply {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// The headers that handlers of collections set.
const KEPT_HEADERS: [&str; 4] = ["content-type", "location", "etag", "last-modified"];

/// Serialises a reply for storing.
pub fn keep(reply: &Reply) -> Vec<u8> {
    let headers = reply.headers.iter();
    let kept = StoredReply {
        status: reply.status.as_u16(),
        headers: headers
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        body: String::from_utf8_lossy(&reply.body_bytes()).into_owned(),
    };
    // A struct of texts always has a JSON form.
    serde_json::to_vec(&kept).unwrap_or_default()
}

/// Parses a stored reply.
pub fn replay(kept: &[u8]) -> Result<Reply, StoreError> {
    let kept: StoredReply = serde_json::from_slice(kept)
        .map_err(|cause| StoreError::Corrupt(format!("a stored reply is unreadable: {cause}")))?;
    let mut reply = Reply::bytes("application/json", kept.body)
        .with_status(StatusCode::from_u16(kept.status).unwrap_or_default())
        .with_header("idempotent-replay", "true");
    for name in KEPT_HEADERS {
        let value = kept.headers.iter().find(|(kept, _)| kept == name);
        if let Some((_, value)) = value {
            reply = reply.with_header(name, value.clone());
        }
    }
    Ok(reply)
}
