//! Importing a file into a collection, with a report on each record.

use super::words::Words;
use askama::Template;
use citation_exchange::Problem;

/// The page.
#[derive(Debug, Default, Template)]
#[template(path = "import.html")]
pub struct ImportPage {
    pub words: Words,
    pub collection: String,
    pub collection_name: String,
    /// Bytes of a file that is imported at once; larger ones become jobs.
    pub max_bytes: u64,
    pub report: Option<ImportView>,
    pub problem: Option<String>,
}

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportView {
    pub imported: u64,
    pub skipped: u64,
    pub failed: u64,
    pub errors: Vec<Problem>,
    pub warnings: Vec<Problem>,
}
