//! Errors and warnings of reading metadata.

/// A member that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// JSON pointer to the value, relative to the metadata object: `/authors/0/family`. Empty for the
    /// object itself.
    pub field: String,
    /// `not_an_object`, `wrong_type`, `not_an_integer`, `out_of_range`, `invalid_date`,
    /// `too_long`, `too_many`, `too_large`.
    pub code: &'static str,
    /// One sentence for the caller.
    pub message: String,
}

impl FieldError {
    pub(super) fn new(field: &str, code: &'static str, message: &str) -> FieldError {
        FieldError {
            field: field.to_owned(),
            code,
            message: message.to_owned(),
        }
    }
}

/// A value that was accepted with a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// `unknown_entry_type`, `invalid_doi`, `invalid_isbn` and similar ones, `invalid_date`,
    /// `conflicting_fields`, `duplicate_field`.
    pub code: &'static str,
    /// JSON pointer to the value.
    pub field: String,
    /// One sentence for the caller.
    pub message: String,
}
