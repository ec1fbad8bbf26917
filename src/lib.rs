//! Citation.

pub mod model;
