//! What can go wrong with accounts and credentials.

use super::oidc::OidcError;
use super::passwords::PasswordError;
use crate::store::StoreError;

/// Why something was not done. The sentences are for the person who asked for it.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    #[error("“{0}” is not an e-mail address")]
    InvalidEmail(String),
    #[error("there is an account with this e-mail address already")]
    EmailTaken,
    #[error("the name must have 1 to {0} characters")]
    InvalidName(usize),
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Says the same for an account that does not exist and for a wrong password.
    #[error("the e-mail address or the password is wrong")]
    WrongPassword,
    #[error("too many sign-ins have failed; try again in {} minutes", retry_seconds.div_ceil(60))]
    TooManyAttempts { retry_seconds: u64 },
    #[error("the account is disabled; ask whoever runs this server")]
    Disabled,
    #[error(
        "new accounts are not open to everybody here; ask whoever runs this server for an invitation"
    )]
    SignUpClosed,
    #[error("this identity signs in to another account here")]
    IdentityTaken,
    #[error("this is the only way to sign in to the account; set a password first")]
    LastWayIn,
    #[error("the link is not valid: it was used, or its time is over, or a part of it is missing")]
    LinkInvalid,
    #[error("an account can have {0} API keys; revoke one that is not needed")]
    TooManyKeys(u64),
    #[error("the time of expiry must be in the future")]
    ExpiryPast,
    #[error(transparent)]
    Oidc(#[from] OidcError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the operating system gave no random numbers: {0}")]
    Random(String),
    #[error("the data directory cannot be written: {0}")]
    Io(#[from] std::io::Error),
}
