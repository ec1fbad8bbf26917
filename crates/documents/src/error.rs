//! Why a document could not be read.

use citation_model::budget::Exceeded;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// A file or a part of it passes a limit of this crate, in bytes.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge { what: String, limit: usize },
    /// Elements inside each other, or files that include each other.
    #[error("{what} nests deeper than {limit} levels")]
    TooDeep { what: String, limit: usize },
    #[error("{kind} is not read; {hint}")]
    Unsupported {
        kind: &'static str,
        hint: &'static str,
    },
    #[error("{0} is encrypted; save it without a password")]
    Encrypted(String),
    /// Pages without text, or with text that nothing says the letters of.
    #[error("{0} holds pictures of pages and no text; recognise its text first")]
    Scanned(String),
    /// What reads the file in a process of its own ended before its time.
    #[error("{what} is not read: {cause}")]
    Stopped { what: String, cause: &'static str },
    /// The file is not what it says it is.
    #[error("{what} cannot be read: {cause}")]
    Broken { what: String, cause: String },
}

impl DocumentError {
    pub(crate) fn broken(what: &str, cause: impl ToString) -> DocumentError {
        DocumentError::Broken {
            what: what.to_owned(),
            cause: cause.to_string(),
        }
    }
}
