//! What the stages of one file share, and how reading it ends.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::format::RecordFormat;
use super::map::Mapper;
use crate::corpus::error::CorpusError;
use crate::corpus::fresh::Fresh;
use crate::store::Store;

/// The state shared by the stages of one file.
pub struct FileJob<'a> {
    pub store: &'a Store,
    /// Hands new works to the indexer.
    pub fresh: &'a Fresh,
    pub path: &'a Path,
    /// The caller's format; otherwise each member's is detected.
    pub format: Option<RecordFormat>,
    pub mapper: &'a (dyn Fn(RecordFormat) -> Result<Mapper, CorpusError> + Sync),
    pub threads: usize,
    /// The last ingest of a file at this path, whose records are not read again.
    pub earlier: Option<i64>,
    /// Set when the caller wants to stop.
    pub stop: &'a AtomicBool,
}

/// How reading a file ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// At its end, except for a number of records that exceed the size limit.
    Finished { too_long: u64 },
    /// The caller wanted to stop; the next run resumes.
    Stopped,
    /// It contains no known format.
    Unknown,
    /// It broke off. The records before are in the corpus.
    Broken(String),
}
