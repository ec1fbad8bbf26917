//! XML for the formats that are written in it: the records of a file one by one, each as a small tree,
//! and a writer. Names count without their prefixes. Document types are passed over and their entities
//! never expanded; depth and size are bounded, and work is linear in the text.
//! quick-xml reads the tokens; the trees are our own, since those of the DOM crates hold a whole file.

pub mod records;
pub mod tree;
pub mod write;
