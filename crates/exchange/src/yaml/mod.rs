//! YAML: a bounded tree of what is read, and as much of a writer as is needed.

mod read;
pub(crate) mod write;

pub(crate) use read::{Node, Value, read};
