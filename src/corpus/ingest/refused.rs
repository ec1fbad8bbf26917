//! Why a record is not taken.

/// Why a record is not taken, and its line where the format has lines.
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
