//! Layer 4: pages. Pure: values in, HTML out; the handlers that serve them are in `api`.
//!
//! - `html`: text and markup, told apart by type · `page`: the frame that every page shares
//! - `account`: signing in, and what people see of their account

pub mod account;
pub mod html;
pub mod page;

/// The style sheet of every page.
pub const STYLE: &str = include_str!("assets/style.css");
