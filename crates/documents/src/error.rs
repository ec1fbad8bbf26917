//! Why a document could not be read.

use citation_exchange::correction::OverlappingEdits;
use citation_model::budget::Exceeded;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// A file or part exceeds a limit of this crate, in bytes.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge { what: String, limit: usize },
    /// Nesting of elements, or of files that include each other.
    #[error("{what} nests deeper than {limit} levels")]
    TooDeep { what: String, limit: usize },
    #[error("{kind} is not read; {hint}")]
    Unsupported {
        kind: &'static str,
        hint: &'static str,
    },
    #[error("{0} is encrypted; save it without a password")]
    Encrypted(String),
    /// Pages without text, or with text that has no character mapping.
    #[error("{0} holds pictures of pages and no text; recognise its text first")]
    Scanned(String),
    /// The separate process that reads the file ended prematurely, or left out every page.
    #[error("{what} is not read: {cause}")]
    Stopped { what: String, cause: String },
    /// The file does not have the expected format.
    #[error("{what} cannot be read: {cause}")]
    Broken { what: String, cause: String },
}

impl From<OverlappingEdits> for DocumentError {
    fn from(cause: OverlappingEdits) -> DocumentError {
        DocumentError::broken("the text", cause)
    }
}

impl DocumentError {
    pub(crate) fn broken(what: &str, cause: impl ToString) -> DocumentError {
        DocumentError::Broken {
            what: what.to_owned(),
            cause: cause.to_string(),
        }
    }
}
