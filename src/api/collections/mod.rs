//! `/api/v1/collections` and `/api/v1/shared`: what users keep.
//!
//! - `lists`: collections themselves · `entries`, `order`: what is in them · `duplicates`
//! - `files`, `multipart`: import · `export` · `sharing`, `shared`: read-only links
//! - `moving`: between collections · `browser`: what browsers kept
//! - `transaction`: conditions, repeated requests and refusals · `wire`: bodies

pub mod entries;
pub mod lists;
pub mod order;
mod transaction;
mod wire;
