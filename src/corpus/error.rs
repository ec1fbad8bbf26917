//! Errors of the corpus.

use crate::store::StoreError;

/// An error of the corpus. The index is derived from the database, so an index error never
/// means that works are lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CorpusError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search index failed.
    #[error("the search index failed: {0}; `citation index rebuild` rebuilds it")]
    Index(String),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(String),
}

impl From<tantivy::TantivyError> for CorpusError {
    fn from(error: tantivy::TantivyError) -> CorpusError {
        match error {
            tantivy::TantivyError::IoError(error) if is_full(&error) => StoreError::Full.into(),
            error => CorpusError::Index(error.to_string()),
        }
    }
}

impl From<std::io::Error> for CorpusError {
    fn from(error: std::io::Error) -> CorpusError {
        if is_full(&error) {
            StoreError::Full.into()
        } else {
            CorpusError::Io(error.to_string())
        }
    }
}

fn is_full(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::StorageFull
}
