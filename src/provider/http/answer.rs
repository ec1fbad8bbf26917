//! The answers of providers.

use ureq::http::{HeaderMap, header};

use crate::provider::gate::GatePermit;

/// A provider's answer.
#[derive(Debug)]
pub enum ProviderAnswer<'c> {
    Body(AnswerBody<'c>),
    /// 404 or 410: not found.
    NotFound,
    /// 304: the same as before. Only if a validator was sent.
    NotModified,
}

/// A complete answer, unpacked.
#[derive(Debug, Default)]
pub struct AnswerBody<'c> {
    pub(super) bytes: Vec<u8>,
    /// In lower case, without parameters; empty if absent.
    pub content_type: String,
    /// The encoding in the header.
    pub charset: Option<String>,
    /// What to send back to learn later whether the answer has changed.
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    /// The address after all redirects.
    pub url: String,
    /// Counts as a concurrent request until it has been read: their number times the size limit
    /// of an answer is the maximum memory.
    pub(super) place: Option<GatePermit<'c>>,
    /// Counts as one of the huge answers of all providers until it has been read.
    pub(super) huge: Option<GatePermit<'static>>,
}

impl AnswerBody<'_> {
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The content type of an answer and its charset.
pub(super) fn content_type(headers: &HeaderMap) -> (String, Option<String>) {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let mut parts = value.unwrap_or_default().split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"').to_owned())
    });
    (essence, charset)
}
