//! What can go wrong when a provider is asked.

use std::time::Duration;

/// A failure of one provider. «No such work» is not among them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{provider} {kind}")]
pub struct ProviderError {
    /// Its id.
    pub provider: &'static str,
    pub kind: ProviderErrorKind,
}

/// How a provider failed. The sentences continue its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderErrorKind {
    #[error("did not answer within {after_ms} ms")]
    Timeout { after_ms: u64 },
    #[error("answered with status {status}")]
    Refused { status: u16 },
    #[error("asks to be asked less often")]
    RateLimited {
        /// As the provider says; nothing where it does not.
        retry_after: Option<Duration>,
    },
    #[error("gave an answer that cannot be read: {reason}")]
    Malformed { reason: String },
    #[error("could not be reached: {reason}")]
    Connection { reason: String },
    #[error("sent more than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    #[error("redirects to an address that is not followed: {reason}")]
    Redirect { reason: String },
    #[error("failed several times and is left alone for a while")]
    CircuitOpen { retry_after: Duration },
    #[error("is being asked by too many others at the moment")]
    Busy,
    #[error("is set up wrongly: {reason}")]
    Setup { reason: String },
}

impl ProviderError {
    /// After which time it makes sense to ask again, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match &self.kind {
            ProviderErrorKind::RateLimited { retry_after } => *retry_after,
            ProviderErrorKind::CircuitOpen { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}
