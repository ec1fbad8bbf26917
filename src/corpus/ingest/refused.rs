//! Why a record is rejected.

/// Why a record is rejected, and its line if the format has lines.
#[derive(Debug)]
pub struct RejectedRecord {
    pub reason: String,
    pub line: Option<u64>,
}

impl<E: std::error::Error> From<E> for RejectedRecord {
    fn from(error: E) -> RejectedRecord {
        RejectedRecord {
            reason: error.to_string(),
            line: None,
        }
    }
}
