//! The pages of accounts. Every one works without script.

mod agent;
pub mod identities;
pub mod keys;
pub mod overview;
pub mod sessions;
pub mod sign_in;

use super::page;
use crate::clock;

/// `2026-11-21 04:00 UTC`.
pub(super) fn moment(unix_seconds: i64) -> String {
    page::moment(&clock::iso8601(unix_seconds))
}
