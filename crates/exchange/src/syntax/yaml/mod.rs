//! YAML: a bounded tree for reading, and a minimal writer.

mod outline;
mod read;
pub(crate) mod write;

pub(crate) use outline::{Line, outline};
pub(crate) use read::{Node, Value, read};
