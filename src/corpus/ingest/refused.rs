//! Why a record is rejected.

/// Why a record is rejected, and its line if the format has lines.
#[derive(Debug)]
pub struct Refused {
    pub reason: String,
    pub line: Option<u64>,
}

impl<E: std::error::Error> From<E> for Refused {
    fn from(error: E) -> Refused {
        Refused {
            reason: error.to_string(),
            line: None,
        }
    }
}
