//! Errors of accounts and credentials.

use super::oidc::OidcError;
use super::passwords::PasswordError;
use crate::store::StoreError;

/// Why a request was refused. The messages are for the user.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    #[error("“{0}” is not an e-mail address")]
    InvalidEmail(String),
    #[error("an account with this e-mail address already exists")]
    EmailTaken,
    #[error("the name must have 1 to {0} characters")]
    InvalidName(usize),
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Identical for an unknown account and a wrong password.
    #[error("the e-mail address or the password is wrong")]
    WrongPassword,
    #[error("too many failed sign-ins; try again in {} minutes", retry_seconds.div_ceil(60))]
    TooManyAttempts { retry_seconds: u64 },
    #[error("the account is disabled; ask the operator of this server")]
    Disabled,
    #[error("sign-up is not open here; ask the operator of this server for an invitation")]
    SignUpClosed,
    #[error("this identity is linked to another account")]
    IdentityTaken,
    #[error("this is the only way to sign in to the account; set a password first")]
    LastWayIn,
    #[error("the link is not valid: it was used, has expired, or is incomplete")]
    LinkInvalid,
    #[error("an account can have {0} API keys; revoke one first")]
    TooManyKeys(u64),
    #[error("the expiry must be in the future")]
    ExpiryPast,
    #[error(transparent)]
    Oidc(#[from] OidcError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot get random numbers from the operating system: {0}")]
    Random(String),
    #[error("cannot write the data directory: {0}")]
    Io(#[from] std::io::Error),
}
