//! Layer 3: from an identifier or a reference to the work that it means, and whether the two
//! agree.

pub mod batch;
pub mod journals;
pub mod manuscript;
pub mod page;
pub mod reference;
pub mod resolve;
pub mod times;
pub mod verify;
