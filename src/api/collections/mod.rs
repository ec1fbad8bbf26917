//! `/api/v1/collections` and `/api/v1/shared`: users' collections.
//!
//! - `lists`: collections · `entries`, `removal`, `order`, `tagging`, `tags`: their entries · `history` ·
//!   `duplicates`
//! - `files`: import · `export` · `sharing`, `shared`: read-only links
//! - `moving`: between collections · `browser`: collections kept in browsers
//! - `transaction`: conditions and errors · `dto`: bodies

pub mod browser;
pub mod dto;
pub mod duplicates;
pub mod entries;
pub mod export;
pub mod files;
pub mod history;
pub mod lists;
pub mod moving;
pub mod order;
pub mod removal;
pub mod shared;
pub mod sharing;
pub mod tagging;
pub mod tags;
pub mod transaction;

use super::action::Action;
use super::route::{Route, delete, get, import, patch, post, put};

/// The rows of the route table.
pub fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/collections", Action::Read, lists::list).documented(lists::list_operation),
        post("/api/v1/collections", Action::Write, lists::create)
            .idempotent()
            .documented(lists::create_operation),
        get("/api/v1/collections/{id}", Action::Read, lists::get).documented(lists::get_operation),
        patch("/api/v1/collections/{id}", Action::Write, lists::describe)
            .documented(lists::describe_operation),
        delete("/api/v1/collections/{id}", Action::Write, lists::delete)
            .documented(lists::delete_operation),
        post(
            "/api/v1/collections/{id}/restore",
            Action::Write,
            lists::restore,
        )
        .idempotent()
        .documented(lists::restore_operation),
        patch("/api/v1/collections/{id}/tags", Action::Write, lists::tag)
            .documented(lists::tag_operation),
        patch(
            "/api/v1/collections/{id}/reorder",
            Action::Write,
            order::reorder,
        )
        .documented(order::operation),
        post(
            "/api/v1/collections/{id}/entries",
            Action::Write,
            entries::add,
        )
        .idempotent()
        .documented(entries::add_operation),
        post(
            "/api/v1/collections/{id}/entries/batch",
            Action::Write,
            entries::add_batch,
        )
        .idempotent()
        .documented(entries::add_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-delete",
            Action::Write,
            removal::delete_batch,
        )
        .idempotent()
        .documented(removal::delete_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-restore",
            Action::Write,
            removal::restore_batch,
        )
        .idempotent()
        .documented(removal::restore_batch_operation),
        post(
            "/api/v1/collections/{id}/entries/batch-tag",
            Action::Write,
            tagging::tag_batch,
        )
        .idempotent()
        .documented(tagging::operation),
        get(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Read,
            entries::get,
        )
        .documented(entries::get_operation),
        patch(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            entries::remark,
        )
        .documented(entries::remark_operation),
        delete(
            "/api/v1/collections/{id}/entries/{eid}",
            Action::Write,
            removal::delete,
        )
        .documented(removal::delete_operation),
        get(
            "/api/v1/collections/{id}/entries/{eid}/history",
            Action::Read,
            history::list,
        )
        .documented(history::operation),
        post(
            "/api/v1/collections/{id}/entries/{eid}/restore",
            Action::Write,
            removal::restore,
        )
        .idempotent()
        .documented(removal::restore_operation),
        put(
            "/api/v1/collections/{id}/entries/{eid}/metadata",
            Action::Write,
            entries::replace,
        )
        .documented(entries::replace_operation),
        post(
            "/api/v1/collections/{id}/entries/{eid}/merge",
            Action::Write,
            entries::merge,
        )
        .idempotent()
        .documented(entries::merge_operation),
        post(
            "/api/v1/collections/batch-move",
            Action::PaidWrite,
            moving::batch_move,
        )
        .idempotent()
        .documented(moving::operation),
        import(
            "/api/v1/collections/merge",
            Action::PaidWrite,
            browser::merge,
        )
        .idempotent()
        .heavy()
        .documented(browser::operation),
        post(
            "/api/v1/collections/{id}/check-duplicates",
            Action::Read,
            duplicates::check,
        )
        .heavy()
        .documented(duplicates::operation),
        import(
            "/api/v1/collections/{id}/import",
            Action::Write,
            files::import,
        )
        .idempotent()
        .heavy()
        .documented(files::operation),
        get(
            "/api/v1/collections/{id}/export.{format}",
            Action::Read,
            export::export,
        )
        .heavy()
        .documented(export::operation),
        post(
            "/api/v1/collections/{id}/share",
            Action::Write,
            sharing::share,
        )
        .idempotent()
        .documented(sharing::share_operation),
        delete(
            "/api/v1/collections/{id}/share",
            Action::Write,
            sharing::revoke,
        )
        .documented(sharing::revoke_operation),
        get("/api/v1/tags", Action::Read, tags::list).documented(tags::list_operation),
        patch("/api/v1/tags/{tag…}", Action::Write, tags::rename)
            .documented(tags::rename_operation),
        delete("/api/v1/tags/{tag…}", Action::Write, tags::remove)
            .documented(tags::remove_operation),
    ]
}
