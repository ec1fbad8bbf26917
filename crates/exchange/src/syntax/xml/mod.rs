//! XML support for the formats: reads a file record by record, each as a small tree, and writes documents.
//! Namespace prefixes are ignored. Document types are skipped and entities never expanded; depth and size
//! are bounded, and work is linear in the text. quick-xml tokenises; the tree is our own, because DOM
//! crates hold a whole file in memory.

pub mod records;
pub mod runs;
pub mod tree;
pub mod write;

use records::Layout;
use tree::Element;

use crate::problem::ReadError;
use citation_model::budget::Budget;

/// Calls `take` with every record of a text: an element of which `is_record` says so by its name and its
/// parent's. The error is the problem of a broken record; those before it have been taken.
pub fn each_record(
    text: &str,
    budget: &Budget,
    is_record: fn(&str, &str) -> bool,
    mut take: impl FnMut(Element<'_>),
) -> Result<(), ReadError> {
    let layout = Layout {
        is_record,
        is_skipped: |_| false,
    };
    let walked = records::walk(text, budget, &layout, |record, _, _| take(record))?;
    ReadError::of_loss(&walked.finish().problems)
}
