//! The pages of accounts. All of them work without script.

mod agent;
pub mod identities;
pub mod keys;
pub mod overview;
pub mod programs;
pub mod reviews;
pub mod sessions;
pub mod sign_in;
pub mod webhooks;
