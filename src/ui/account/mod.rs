//! The pages of accounts. Every one works without script.

pub mod keys;
pub mod overview;
pub mod sessions;
pub mod sign_in;

use crate::clock;

/// `2026-11-21 04:00 UTC`.
pub(super) fn moment(unix_seconds: i64) -> String {
    let text = clock::iso8601(unix_seconds);
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text,
    }
}
