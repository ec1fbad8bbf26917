//! Requests for one record, and conditional ones for a record that is stored (RFC 9110, section 13).

use ureq::http::{HeaderMap, HeaderName, header};

use super::{Client, ProviderAnswer, Wanted, finish, http_url};
use crate::provider::{Deadline, ProviderErrorKind, ProviderResult};
use citation_model::work::{Validator, Work};
use citation_records::RecordError;

/// The request for a record, of a service whose answer is that record and nothing else.
pub struct RecordRequest {
    /// Below the base address, with its query.
    pub path: String,
    pub accept: &'static str,
    pub read: fn(&[u8]) -> Result<Work, RecordError>,
}

impl RecordRequest {
    /// The path without its query, which may name the operator.
    fn name(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// The answer about a record that is stored.
#[derive(Debug)]
pub enum Refreshed {
    /// The service says that it has not changed.
    Unchanged,
    Work(Box<Work>),
    NotFound,
}

impl From<Option<Work>> for Refreshed {
    fn from(work: Option<Work>) -> Refreshed {
        work.map_or(Refreshed::NotFound, |work| Refreshed::Work(Box::new(work)))
    }
}

impl Client {
    /// The record, fetched now; only whether it has changed, if `known` came with the stored one. A validator
    /// of another request says nothing.
    pub fn record(
        &self,
        request: &RecordRequest,
        known: Option<&Validator>,
        deadline: &Deadline,
    ) -> ProviderResult<Refreshed> {
        let base = self.base.as_ref().map_err(|reason| {
            let reason = reason.clone();
            self.error(ProviderErrorKind::Setup { reason })
        })?;
        let wanted = Wanted {
            accept: request.accept,
            known: known.filter(|known| known.request == request.name()),
        };
        let url = http_url::with_path(base, &request.path);
        let body = match self.ask(&url, wanted, deadline)? {
            ProviderAnswer::NotFound => return Ok(Refreshed::NotFound),
            ProviderAnswer::NotModified => return Ok(Refreshed::Unchanged),
            ProviderAnswer::Body(body) => body,
        };
        let (etag, last_modified) = (body.etag.clone(), body.last_modified.clone());
        let mut work = finish(self.parse(body, deadline, request.read)?);
        if etag.is_some() || last_modified.is_some() {
            work.validator = Some(Validator {
                request: request.name().to_owned(),
                etag,
                last_modified,
            });
        }
        Ok(Refreshed::Work(Box::new(work)))
    }
}

/// The conditions of a request. A service that knows entity tags ignores the time.
pub(super) fn headers(known: Option<&Validator>) -> impl Iterator<Item = (HeaderName, &str)> {
    let etag = known.and_then(|known| known.etag.as_deref());
    let modified = known.and_then(|known| known.last_modified.as_deref());
    [
        (header::IF_NONE_MATCH, etag),
        (header::IF_MODIFIED_SINCE, modified),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
}

/// The longest value that is kept, in bytes.
const MAX_LENGTH: usize = 500;

/// The entity tag and the time of an answer.
pub(super) fn validators(headers: &HeaderMap) -> (Option<String>, Option<String>) {
    let value = |name: HeaderName| {
        let value = headers.get(name)?.to_str().ok()?.trim();
        (!value.is_empty() && value.len() <= MAX_LENGTH).then(|| value.to_owned())
    };
    (value(header::ETAG), value(header::LAST_MODIFIED))
}
