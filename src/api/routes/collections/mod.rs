//! `/api/v1/collections` and `/api/v1/shared`: users' collections.
//!
//! - `lists`: collections · `entries`, `removal`, `order`, `tagging`, `tags`: their entries · `history` ·
//!   `duplicates`
//! - `files`: import · `export` · `sharing`, `shared`, `shared_entries`: links · `feed`
//! - `members`, `invitations`, `groups`: who has access · `changes`: what has changed
//! - `moving`: between collections · `browser`: collections kept in browsers
//! - `transaction`: conditions and errors · `dto`: bodies

pub mod browser;
pub mod changes;
pub mod dto;
pub mod duplicates;
pub mod entries;
pub mod export;
pub mod feed;
pub mod files;
pub mod groups;
pub mod history;
pub mod invitations;
pub mod lists;
pub mod members;
pub mod moving;
pub mod order;
pub mod removal;
pub mod shared;
pub mod shared_entries;
pub mod sharing;
pub mod tagging;
pub mod tags;
pub mod transaction;

use crate::api::edge::route::Route;

/// The rows of each file.
const FILES: [fn() -> Vec<Route>; 20] = [
    lists::routes,
    order::routes,
    entries::routes,
    removal::routes,
    tagging::routes,
    history::routes,
    moving::routes,
    browser::routes,
    duplicates::routes,
    files::routes,
    export::routes,
    sharing::routes,
    shared::routes,
    shared_entries::routes,
    feed::routes,
    tags::routes,
    members::routes,
    invitations::routes,
    groups::routes,
    changes::routes,
];

/// The rows of the route table.
pub fn routes() -> Vec<Route> {
    FILES.iter().flat_map(|rows| rows()).collect()
}
