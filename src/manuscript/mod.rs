//! Layer 2: reads manuscripts of every format. A PDF is untrusted, and reading it takes code of others, which
//! has no budget. So a separate process reads it. The other formats are read by our own code, which stops when
//! the request's budget is spent.

#[cfg(feature = "pdf")]
mod apart;

use citation_documents::{self as documents, Companions, Document, DocumentError};
use citation_model::budget::Budget;

#[cfg(feature = "pdf")]
pub use apart::{READER, serve_reader};

/// Reads a manuscript. The file name decides the format if the content does not.
pub fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    read_waiting(name, bytes, companions, budget, |apart| Ok(apart(budget)))
}

/// What a separate process has read of a document. It waits for the process.
pub type ReadApart<'a> = &'a (dyn Fn(&Budget) -> Result<Vec<u8>, DocumentError> + Sync);

/// Like [`read`]; `wait` calls the reading in a separate process, if the format needs one.
pub fn read_waiting<E: From<DocumentError>>(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
    wait: impl FnOnce(ReadApart<'_>) -> Result<Result<Vec<u8>, DocumentError>, E>,
) -> Result<Document, E> {
    #[cfg(feature = "pdf")]
    if documents::detect(name, bytes)? == documents::ManuscriptFormat::Pdf {
        let output = wait(&|budget| apart::read(name, bytes, budget))??;
        return Ok(documents::pdf::document(name, &output, budget)?);
    }
    #[cfg(not(feature = "pdf"))]
    drop(wait);
    Ok(documents::read(name, bytes, companions, budget)?)
}
