//! `GET /api/v1/shared/{token}`: what those see who have the link to a collection.

use super::export;
use super::lists::EntryView;
use super::transaction::{refused, versioned};
use super::wire::{self, FullCollection};
use crate::api::call::Call;
use crate::api::error::{ApiError, Code};
use crate::api::operation::Operation;
use crate::api::reply::Reply;
use crate::collections::{CollectionError, Reading};
use crate::model::review::ReviewStatus;
use crate::store::collections::CollectionRow;
use crate::styles::own::own_name;

/// `GET /api/v1/shared/{token}`.
pub fn get(call: &Call) -> Result<Reply, ApiError> {
    let view = EntryView::of(call)?;
    read(call, |reading| {
        let row = opened(call, reading)?;
        let mut page = view.page(reading, &row)?;
        let with_notes = row.share.as_ref().is_some_and(|share| share.with_notes);
        reading.make_public(&mut page.entries, with_notes, view.with_abstract)?;
        let mut collection = wire::collection(call, &row);
        collection.summary.share_token = None;
        let body = wire::full(&collection, &page.entries);
        let reply = versioned(Reply::bytes("application/json", body), &row);
        Ok(unlisted(view.finish(call, reply, &row, &page)))
    })
}

/// `GET /api/v1/shared/{token}/export.{format}`.
pub fn export(call: &Call) -> Result<Reply, ApiError> {
    let wanted = export::Wanted::of(call)?;
    let (row, items) = read(call, |reading| {
        let row = opened(call, reading)?;
        let items = reading.public_items(&row, wanted.is_keyed())?;
        Ok((row, items))
    })?;
    export::file(call, &row, items, wanted).map(unlisted)
}

/// The collection that the token opens, without a style that only its owner can use.
fn opened(call: &Call, reading: &Reading<'_>) -> Result<CollectionRow, CollectionError> {
    let row = reading.shared(call.param("token"))?;
    let style = row.style.filter(|style| own_name(style).is_none());
    Ok(CollectionRow { style, ..row })
}

/// Whoever has the link may read, and nobody's credentials matter.
fn read<T>(
    call: &Call,
    job: impl FnOnce(&Reading<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    const NOBODY: i64 = 0;
    let result = call.app.collections.read(NOBODY, job);
    result.map_err(|error| refused(call, error))
}

/// Keeps a page out of search engines, and the link out of the logs of pages that it leads to.
fn unlisted(reply: Reply) -> Reply {
    reply
        .with_header("x-robots-tag", "noindex, nofollow")
        .with_header("referrer-policy", "no-referrer")
}

pub fn operation() -> Operation {
    Operation::new("get_shared", "collections", "A shared collection")
        .describe(
            "Open to everybody who has the link; nothing says whose the collection is. Notes are null \
             unless they are shared.",
        )
        .path("token", "The share token.")
        .query_number("limit", 1, "Entries at most.")
        .query_number("offset", 0, "Entries to leave out before the first.")
        .query("q", "Only entries with these words.")
        .query("tag", "Only entries with this tag.")
        .query_choice("review_status", ReviewStatus::ALL.map(ReviewStatus::as_str), "Only entries with this status.")
        .query("include", "`abstract` to have the abstracts too.")
        .reply::<FullCollection>(200, "The collection.")
        .codes(&[Code::NotFound, Code::InvalidParameter])
}
