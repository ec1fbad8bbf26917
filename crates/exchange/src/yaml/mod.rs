//! YAML: a bounded tree of what is read, and as much of a writer as is needed.

mod outline;
mod read;
pub(crate) mod write;

pub(crate) use outline::{Line, outline};
pub(crate) use read::{Node, Value, read};
