//! XML support for the formats: reads a file record by record, each as a small tree, and writes documents.
//! Namespace prefixes are ignored. Document types are skipped and entities never expanded; depth and size
//! are bounded, and work is linear in the text. quick-xml tokenises; the tree is our own, because DOM
//! crates hold a whole file in memory.

pub mod records;
pub mod runs;
pub mod tree;
pub mod write;
