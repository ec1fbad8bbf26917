//! Crossref's REST API, read-only (<https://api.crossref.org/swagger-ui>): works by DOI and by
//! query, agencies, transforms, types, with its envelope and errors.

mod filter;
mod list_request;
mod operations;
mod reply;
mod types;
mod work;
mod works;

pub use operations::{
    journal_operation, type_operation, types_operation, work_operation, works_of_journal_operation,
    works_operation,
};
pub use types::{types, work_type};
pub use work::work;
pub use works::{journal, works, works_of_journal};
