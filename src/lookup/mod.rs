//! Layer 3: finds the work of an identifier or a reference, and checks whether the two
//! agree.

pub mod access;
pub mod batch;
pub mod corrections;
pub mod decisions;
pub mod input;
pub mod journals;
pub mod manuscript;
pub mod overrides;
pub mod page;
pub mod reference;
pub mod refresh;
pub mod resolve;
pub mod scope;
pub mod times;
pub mod verify;
