//! Parses the entries of a request's body into items.

use serde_json::Value;

use crate::api::edge::validation::kind_of;
use crate::api::error::{ApiError, FieldFault};
use crate::blocking::Job;
use citation_exchange::metadata::{self, Warning};
use citation_model::item::Item;

/// Parses the list of entries at `/entries`, in order, each with its warnings, on the threads that the
/// job may have. Returns all errors of all entries.
pub fn read(job: &Job, entries: &Value) -> Result<Vec<(Item, Vec<Warning>)>, ApiError> {
    let Value::Array(entries) = entries else {
        let message = format!("must be a list of entries, not {}", kind_of(entries));
        return Err(ApiError::invalid_field("/entries", message));
    };
    let results = job.map(entries, |_, _, entry| Ok(metadata::read_value(entry)))?;
    let mut read = Vec::with_capacity(entries.len());
    let mut faults = Vec::new();
    for (index, result) in results.into_iter().enumerate() {
        match result {
            Ok(item) => read.push(item),
            Err(found) => {
                faults.extend(FieldFault::of_metadata(&format!("/entries/{index}"), found));
            }
        }
    }
    if faults.is_empty() {
        Ok(read)
    } else {
        Err(ApiError::invalid_fields(faults))
    }
}
