//! CitationMetadata: the JSON form of an item in the REST API (interface specification, part 2; interface
//! decisions, section 4). Reading is lenient and writing uses one canonical form. Members without a
//! variable are kept in `extra`.

mod date;
mod error;
mod fields;
mod kind;
mod limits;
mod read;
#[cfg(feature = "openapi")]
mod schema;
mod write;

pub use error::{FieldError, Warning};
pub use read::{Limits, names_type, read, read_value, read_with};
#[cfg(feature = "openapi")]
pub use schema::Author;
pub use write::{CitationMetadata, UpdatesView};

#[cfg(test)]
mod tests;
