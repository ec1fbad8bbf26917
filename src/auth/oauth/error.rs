//! Why a program gets no access.

use crate::auth::AuthError;
use crate::store::StoreError;

/// A refusal, by the names of RFC 6749, 7591 and 8707. The texts are for developers of programs.
#[derive(Debug, thiserror::Error)]
pub enum OAuthError {
    #[error("{0}")]
    InvalidRequest(String),
    #[error("{0}")]
    InvalidClient(String),
    #[error("{0}")]
    InvalidGrant(&'static str),
    #[error("only `authorization_code` and `refresh_token` are supported")]
    UnsupportedGrantType,
    #[error("only `code` is supported")]
    UnsupportedResponseType,
    #[error("the scopes are `read` and `write`")]
    InvalidScope,
    #[error("`resource` is none of this server, or not that of the earlier request")]
    InvalidTarget,
    #[error("{0}")]
    InvalidRedirectUri(String),
    #[error("{0}")]
    InvalidClientMetadata(String),
    #[error("the user does not let the program in")]
    AccessDenied,
    #[error("this address has registered the maximum number of programs per day")]
    TooManyClients { retry_seconds: u64 },
    #[error("this server knows as many programs as it may")]
    Full,
    #[error(transparent)]
    Auth(#[from] AuthError),
}

impl From<StoreError> for OAuthError {
    fn from(cause: StoreError) -> OAuthError {
        OAuthError::Auth(cause.into())
    }
}

impl OAuthError {
    pub(super) fn missing(name: &str) -> OAuthError {
        OAuthError::InvalidRequest(format!("`{name}` is missing"))
    }
}
