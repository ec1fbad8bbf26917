//! Layer 3: from an identifier to the work it names.

pub mod resolve;
