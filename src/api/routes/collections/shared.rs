//! `GET /api/v1/shared/{token}`: public access to a collection by its link.

use super::dto::{self, FullCollection};
use super::export::{self, ExportFile};
use super::lists::{EntryView, WholeCollection};
use super::transaction::{refused, versioned};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::collections::permalink::LinkedCollection;
use crate::collections::snapshot::{EntriesPage, EntryFilter};
use crate::collections::{CollectionError, Snapshot};
use crate::store::collections::{CollectionRow, Range};
use crate::styles::own::own_name;
use citation_model::review::ReviewStatus;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/shared/{token}", Action::Public, get).documented(operation),
        route::get(
            "/api/v1/shared/{token}/export.{format}",
            Action::Public,
            export,
        )
        .heavy()
        .documented(super::export::shared_operation),
    ]
}

/// `GET /api/v1/shared/{token}`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let view = EntryView::of(context)?;
    let shared = read(context, |snapshot| {
        let row = find(snapshot, context.param("token"))?;
        let page = view.page(snapshot, &row)?;
        let page = public(snapshot, &row, page, view.with_abstract)?;
        Ok((row, page))
    });
    let (row, page) = or_linked(context, context.param("token"), shared, |linked| {
        let total = linked.row.entries;
        let entries = linked.entries;
        (linked.row, EntriesPage { entries, total })
    })?;
    let mut collection = dto::collection(context, &row);
    collection.share_url = Some(dto::share_url(context, context.param("token")));
    collection.link_can_edit = dto::link_can_edit(context, &row);
    let body = dto::full(&collection, &page.entries);
    let reply = versioned(Reply::bytes("application/json", body), &row);
    Ok(unlisted(view.finish(context, reply, &row, &page)))
}

/// The collection of a token, or else the list shared without an account.
fn or_linked<T>(
    context: &RequestContext,
    token: &str,
    shared: Result<T, ApiError>,
    linked: impl FnOnce(LinkedCollection) -> T,
) -> Result<T, ApiError> {
    match shared {
        Err(error) if error.code == Code::NotFound => {
            let found = context.app.collections.permalink(token);
            found.map(linked).map_err(|error| refused(context, error))
        }
        other => other,
    }
}

/// The public view of a token's collection.
pub fn find_whole(context: &RequestContext, token: &str) -> Result<WholeCollection, ApiError> {
    let shared = read(context, |snapshot| {
        let row = find(snapshot, token)?;
        let page = snapshot.entries(&row, &EntryFilter::default(), Range::ALL)?;
        Ok(WholeCollection {
            entries: public(snapshot, &row, page, false)?.entries,
            items: snapshot.public_items(&row, false)?,
            row,
        })
    });
    or_linked(context, token, shared, |linked| WholeCollection {
        row: linked.row,
        entries: linked.entries,
        items: linked.items,
    })
}

/// `GET /api/v1/shared/{token}/export.{format}`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    file(context, ExportFile::of(context)?)
}

/// The collection of the link, as a file.
pub fn file(context: &RequestContext, wanted: ExportFile) -> Result<Reply, ApiError> {
    let shared = read(context, |snapshot| {
        let row = find(snapshot, context.param("token"))?;
        let mut items = snapshot.public_items(&row, wanted.is_keyed())?;
        if wanted.has_notes() {
            let page = snapshot.entries(&row, &EntryFilter::default(), Range::ALL)?;
            export::annotate(&mut items, &public(snapshot, &row, page, false)?.entries);
        }
        Ok((row, items))
    });
    let (row, items) = or_linked(context, context.param("token"), shared, |linked| {
        let (row, entries) = (linked.row.clone(), linked.entries.clone());
        let mut items = if wanted.is_keyed() {
            linked.keyed_items()
        } else {
            linked.items
        };
        if wanted.has_notes() {
            export::annotate(&mut items, &entries);
        }
        (row, items)
    })?;
    export::write(context, &row, items, wanted).map(unlisted)
}

/// Entries without private parts.
fn public(
    snapshot: &Snapshot<'_>,
    row: &CollectionRow,
    mut page: EntriesPage,
    with_abstract: bool,
) -> Result<EntriesPage, CollectionError> {
    let with_notes = row.share.as_ref().is_some_and(|share| share.with_notes);
    snapshot.make_public(&mut page.entries, with_notes, with_abstract)?;
    Ok(page)
}

/// The collection of a token, without a style that only its owner can use.
fn find(snapshot: &Snapshot<'_>, token: &str) -> Result<CollectionRow, CollectionError> {
    let row = snapshot.shared(token)?;
    let style = row.style.filter(|style| own_name(style).is_none());
    Ok(CollectionRow { style, ..row })
}

/// Anyone with the link may read; credentials are ignored.
fn read<T>(
    context: &RequestContext,
    job: impl FnOnce(&Snapshot<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    const NOBODY: i64 = 0;
    let result = context.app.collections.read(NOBODY, job);
    result.map_err(|error| refused(context, error))
}

/// Keeps a page out of search engines, and its address out of the referrer of outgoing links.
fn unlisted(reply: Reply) -> Reply {
    reply
        .with_header("x-robots-tag", "noindex, nofollow")
        .with_header("referrer-policy", "no-referrer")
}

pub fn operation() -> Operation {
    Operation::new("get_shared", "collections", "A shared collection")
        .describe(
            "Open to everyone with the link; the owner is not shown. Notes are null \
             unless they are shared. A list shared without an account is returned in full; \
             filters are ignored.",
        )
        .path("token", "The share token.")
        .query_number("limit", 1, "Maximum number of entries.")
        .query_number("offset", 0, "Number of entries to skip.")
        .query("q", "Only entries with these words.")
        .query("tag", "Only entries with this tag.")
        .query_choice(
            "review_status",
            ReviewStatus::ALL.map(ReviewStatus::as_str),
            "Only entries with this status.",
        )
        .query("include", "`abstract` adds the abstracts.")
        .reply::<FullCollection>(200, "The collection.")
        .codes(&[Code::NotFound, Code::InvalidParameter])
        .conditional()
}
