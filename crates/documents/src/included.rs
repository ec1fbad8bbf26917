//! The files of a document that includes others.

use crate::error::DocumentError;

/// Maximum nesting of included files.
const DEEPEST: usize = 16;
const MOST_FILES: usize = 500;

/// Counts the files that were read.
#[derive(Default)]
pub(crate) struct IncludedFiles(usize);

impl IncludedFiles {
    /// Counts a file; `depth` is the number of files around it.
    pub fn add(&mut self, file: Option<&str>, depth: usize) -> Result<(), DocumentError> {
        self.0 += 1;
        match depth > DEEPEST || self.0 > MOST_FILES {
            true => Err(DocumentError::TooDeep {
                what: file.unwrap_or("the document").to_owned(),
                limit: DEEPEST,
            }),
            false => Ok(()),
        }
    }
}
