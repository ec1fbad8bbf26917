//! Errors of providers.

use std::time::Duration;

/// A failure of one provider. A missing work is not a failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{provider} {kind}")]
pub struct ProviderError {
    /// Its id.
    pub provider: &'static str,
    pub kind: ProviderErrorKind,
}

pub type ProviderResult<T> = Result<T, ProviderError>;

/// How a provider failed. The messages follow its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderErrorKind {
    #[error("did not answer within {after_ms} ms")]
    Timeout { after_ms: u64 },
    #[error("answered with status {status}")]
    Refused { status: u16 },
    #[error("limits requests")]
    RateLimited {
        /// From the provider, if sent.
        retry_after: Option<Duration>,
    },
    #[error("sent an unreadable answer: {reason}")]
    Malformed { reason: String },
    #[error("could not be reached: {reason}")]
    Connection { reason: String },
    #[error("sent more than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    #[error("redirects to an address that is not followed: {reason}")]
    Redirect { reason: String },
    #[error("failed repeatedly and is paused")]
    CircuitOpen { retry_after: Duration },
    #[error("has too many concurrent requests")]
    Busy,
    #[error("is configured incorrectly: {reason}")]
    Setup { reason: String },
}
