//! Collections themselves: list, create, read, describe, tag, delete, restore.

use std::collections::BTreeMap;

use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::dto::{self, Collection, CollectionSummary, FullCollection};
use super::history::{self, VersionReply};
use super::transaction::{self, WRITE_CODES, etag, known_collection, read, uid, versioned, write};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::Operation;
use crate::collections::CollectionAction;
use crate::collections::change::{CollectionPatch, NewCollection};
use crate::collections::draft::Draft;
use crate::collections::entry::Entry;
use crate::collections::snapshot::{EntriesPage, EntryFilter};
use crate::collections::{Change, CollectionError, Snapshot, input};
use crate::store::collections::{CollectionRow, Range};
use citation_exchange::metadata::CitationMetadata;
use citation_matching::normalize::fold;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/collections", Action::Read, list).documented(list_operation),
        route::post("/api/v1/collections", Action::Write, create)
            .idempotent()
            .documented(create_operation),
        route::get("/api/v1/collections/{id}", Action::Read, get).documented(get_operation),
        route::patch("/api/v1/collections/{id}", Action::Write, describe)
            .documented(describe_operation),
        route::delete("/api/v1/collections/{id}", Action::Write, delete)
            .documented(delete_operation),
        route::post("/api/v1/collections/{id}/restore", Action::Write, restore)
            .idempotent()
            .documented(restore_operation),
        route::patch("/api/v1/collections/{id}/tags", Action::Write, tag).documented(tag_operation),
    ]
}

/// The request body for a new collection.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CollectionRequest {
    /// 1 to 200 characters. Two collections may have the same name.
    #[schema(example = "Thesis", min_length = 1)]
    name: String,
    /// At most 2,000 characters.
    description: Option<String>,
    /// A style, by name or address.
    #[serde(alias = "default_style")]
    defaultstyle: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    /// Its first entries: metadata, or `{metadata, note?, tags?, review_status?}`.
    #[serde(default)]
    #[schema(value_type = Vec<CitationMetadata<'static>>)]
    entries: Vec<Value>,
}

/// Changes to a collection. Null clears `description` and `defaultstyle`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"description": "What I cite", "defaultstyle": "apa"}))]
pub struct CollectionChange {
    /// Not null: every collection has a name.
    #[serde(default, deserialize_with = "dto::present")]
    #[schema(value_type = String, required = false, min_length = 1)]
    name: Option<String>,
    #[serde(default, deserialize_with = "dto::present")]
    description: Option<Option<String>>,
    #[serde(default, alias = "default_style", deserialize_with = "dto::present")]
    defaultstyle: Option<Option<String>>,
    tags: Option<Vec<String>>,
}

/// The tags of a collection.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"tags": ["thesis"]}))]
pub struct TagsRequest {
    /// They replace the existing ones: at most 50, of at most 64 characters.
    tags: Vec<String>,
}

/// `GET /api/v1/collections`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let are_deleted = context.query.switch("deleted")?;
    let mut rows = read(context, |snapshot| {
        let mut rows = snapshot.collections(are_deleted)?;
        if !are_deleted {
            rows.extend(snapshot.granted_collections()?);
        }
        Ok(rows)
    })?;
    if let Some(tag) = context.query.get("tag") {
        let tag = tag.to_lowercase();
        rows.retain(|row| row.tags.iter().any(|other| other.to_lowercase() == tag));
    }
    if let Some(words) = context.query.get("q") {
        let words = fold(words);
        rows.retain(|row| {
            let text = fold(&format!(
                "{} {}",
                row.name,
                row.description.as_deref().unwrap_or_default()
            ));
            words.split_whitespace().all(|word| text.contains(word))
        });
    }
    if let Some(since) = context.query.get("since") {
        let since = dto::read_time("since", since)
            .map_err(|fault| ApiError::invalid_parameter("since", fault.sentence()))?;
        rows.retain(|row| row.updated_at >= since);
    }
    match context.query.get("sort") {
        None => {}
        Some("name") => rows.sort_by_cached_key(|row| fold(&row.name)),
        Some("updated_at") => rows.sort_by_key(|row| std::cmp::Reverse(row.updated_at)),
        Some(other) => {
            let message = format!("sort must be updated_at or name, not “{other}”.");
            return Err(ApiError::invalid_parameter("sort", message));
        }
    }
    let body: Vec<CollectionSummary> = rows.iter().map(|row| dto::summary(context, row)).collect();
    Ok(Reply::json(&body)
        .with_header("cache-control", "private, no-cache")
        .with_content_etag())
}

/// `POST /api/v1/collections`: 201 with the collection.
pub fn create(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: CollectionRequest = context.json()?;
    let new = new_collection(context, &request)?;
    check_default_style(context, new.style.as_deref())?;
    let drafts = read_drafts(context, &request.entries)?;
    let same = read(context, |snapshot| snapshot.compare_new(&drafts))?;
    let job = |change: &Change<'_>| change.create_with(&new, &drafts, &same);
    write(context, job, |(row, entries)| {
        let body = dto::full(&dto::collection(context, &row), &entries);
        let reply = Reply::bytes("application/json", body).with_status(StatusCode::CREATED);
        versioned(reply, &row).with_header("location", dto::path_of(&row))
    })
}

fn new_collection(
    context: &RequestContext,
    request: &CollectionRequest,
) -> Result<NewCollection, input::Fault> {
    let limits = context.app.collections.limits();
    Ok(NewCollection {
        name: input::name("/name", &request.name, limits)?,
        description: input::description("/description", request.description.as_deref(), limits)?,
        style: input::style("/defaultstyle", request.defaultstyle.as_deref(), limits)?,
        tags: input::tags("/tags", &request.tags, limits)?,
        created_at: None,
    })
}

/// Checks that a collection's default style exists.
pub fn check_default_style(context: &RequestContext, style: Option<&str>) -> Result<(), ApiError> {
    style.map_or(Ok(()), |style| {
        context
            .formatter()
            .check_style(style)
            .map_err(|error| ApiError::from(error).with("field", "/defaultstyle"))
    })
}

/// The first entries of a collection: all of them, or every error in them.
fn read_drafts(context: &RequestContext, entries: &[Value]) -> Result<Vec<Draft>, ApiError> {
    let (mut drafts, mut faults): (Vec<Draft>, Vec<FieldFault>) = (Vec::new(), Vec::new());
    for (index, value) in entries.iter().enumerate() {
        match dto::read_entry(context, &format!("/entries/{index}"), value) {
            Ok(given) => drafts.push(
                context
                    .app
                    .collections
                    .draft(given.item, given.annotations)?,
            ),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() {
        Ok(drafts)
    } else {
        Err(ApiError::invalid_fields(faults))
    }
}

/// A collection with all its entries. The items are those of the entries.
pub struct WholeCollection {
    pub row: CollectionRow,
    pub entries: Vec<Entry>,
    pub items: Vec<Item>,
}

/// One of the caller's collections.
pub fn find_whole(context: &RequestContext, uid: &str) -> Result<WholeCollection, ApiError> {
    read(context, |snapshot| {
        let row = snapshot.collection(uid)?;
        let page = snapshot.entries(&row, &EntryFilter::default(), Range::ALL)?;
        Ok(WholeCollection {
            items: snapshot.items(&row, false)?,
            entries: page.entries,
            row,
        })
    })
}

/// The entity tag of a collection shown with entries: the notices about their works change
/// independently.
pub fn etag_with_notices(row: &CollectionRow, entries: &[Entry]) -> String {
    match dto::notices_tag(entries) {
        Some(tag) => format!("\"{}-{tag}\"", row.version),
        None => etag(row.version),
    }
}

/// `GET /api/v1/collections/{id}`. Only the owner sees deleted entries.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    let mut view = EntryView::of(context)?;
    view.filter.are_deleted = context.query.switch("deleted")?;
    let uid = uid(context, "id");
    read(context, |snapshot| {
        let row = snapshot.collection(&uid)?;
        let page = view.page(snapshot, &row)?;
        let body = dto::full(&dto::collection(context, &row), &page.entries);
        let reply = Reply::bytes("application/json", body);
        Ok(view.finish(context, versioned(reply, &row), &row, &page))
    })
}

/// A collection in the export of an account.
#[derive(Serialize)]
pub struct ExportedCollection {
    #[serde(flatten)]
    collection: Collection,
    entries: Vec<ExportedEntry>,
}

/// An entry with its earlier versions.
#[derive(Serialize)]
struct ExportedEntry {
    // Raw, so that the stored metadata is sent unchanged.
    #[serde(flatten)]
    entry: BTreeMap<String, Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<VersionReply>,
}

/// All data of an account, with earlier versions and restorable deleted
/// collections.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Vec<ExportedCollection>, ApiError> {
    let collections = context.app.collections.read(user, |snapshot| {
        let mut rows = snapshot.collections(false)?;
        rows.extend(snapshot.collections(true)?);
        let exported = rows.iter().map(|row| {
            let mut page = snapshot.entries(row, &EntryFilter::default(), Range::ALL)?;
            snapshot.add_abstracts(&mut page)?;
            let entries = page.entries.iter().map(|entry| {
                Ok(ExportedEntry {
                    entry: dto::members(entry)?,
                    history: history::versions(snapshot.history_of(&entry.stored.row)?),
                })
            });
            Ok(ExportedCollection {
                collection: dto::collection(context, row),
                entries: entries.collect::<Result<_, CollectionError>>()?,
            })
        });
        exported.collect()
    });
    collections.map_err(|error| transaction::refused(context, error))
}

/// The filter and page of a request for entries.
pub struct EntryView {
    filter: EntryFilter,
    range: Range,
    is_paged: bool,
    pub with_abstract: bool,
}

impl EntryView {
    /// Reads `limit`, `offset`, `q`, `tag`, `review_status` and `include`.
    pub fn of(context: &RequestContext) -> Result<EntryView, ApiError> {
        let query = &context.query;
        let most = u32::MAX as usize;
        let status = query.get("review_status");
        let text = |name: &str| query.given(name).map(str::to_owned);
        Ok(EntryView {
            filter: EntryFilter {
                words: text("q"),
                tag: text("tag"),
                review_status: status
                    .map(|text| dto::read_status("review_status", text))
                    .transpose()
                    .map_err(|fault| {
                        let message = format!("review_status {}.", fault.message);
                        ApiError::invalid_parameter("review_status", message)
                    })?,
                are_deleted: false,
            },
            range: Range {
                limit: query.number("limit", most, 1, most)? as u32,
                offset: query.number("offset", 0, 0, most)? as u32,
            },
            is_paged: ["limit", "offset", "q", "tag", "review_status"]
                .iter()
                .any(|name| query.get(name).is_some()),
            with_abstract: query.get("include") == Some("abstract"),
        })
    }

    /// The entries wanted.
    pub fn page(
        &self,
        snapshot: &Snapshot<'_>,
        row: &CollectionRow,
    ) -> Result<EntriesPage, CollectionError> {
        let mut page = snapshot.entries(row, &self.filter, self.range)?;
        if self.with_abstract {
            snapshot.add_abstracts(&mut page)?;
        }
        Ok(page)
    }

    /// Adds the entity tag, which covers the notices, and the link to the next page.
    pub fn finish(
        &self,
        context: &RequestContext,
        reply: Reply,
        row: &CollectionRow,
        page: &EntriesPage,
    ) -> Reply {
        let reply = reply.with_header("etag", etag_with_notices(row, &page.entries));
        if !self.is_paged {
            return reply;
        }
        let reply = reply.with_header("total-results", page.total.to_string());
        let next = u64::from(self.range.offset) + page.entries.len() as u64;
        if next >= page.total || page.entries.is_empty() {
            return reply;
        }
        let kept = context.uri.query().unwrap_or_default().split('&');
        let mut query: Vec<&str> = kept
            .filter(|pair| !pair.is_empty() && !pair.starts_with("offset="))
            .collect();
        let offset = format!("offset={next}");
        query.push(&offset);
        let target = format!("{}?{}", context.uri.path(), query.join("&"));
        let link = format!(
            "<{}>; rel=\"next\"",
            context.edge.site.base_url.join(&target)
        );
        reply.with_header("link", link)
    }
}

/// `PATCH /api/v1/collections/{id}`.
pub fn describe(context: &RequestContext) -> Result<Reply, ApiError> {
    let uid = known_collection(context, CollectionAction::Describe)?;
    let request: CollectionChange = context.json()?;
    let patch = read_patch(context, &request)?;
    check_default_style(context, patch.style.as_ref().and_then(Option::as_deref))?;
    write(
        context,
        |change| change.describe(&uid, patch),
        |row| versioned(Reply::json(&dto::collection(context, &row)), &row),
    )
}

fn read_patch(
    context: &RequestContext,
    request: &CollectionChange,
) -> Result<CollectionPatch, input::Fault> {
    let limits = context.app.collections.limits();
    let name = request.name.as_deref();
    let (description, style) = (&request.description, &request.defaultstyle);
    Ok(CollectionPatch {
        name: name
            .map(|text| input::name("/name", text, limits))
            .transpose()?,
        description: description
            .as_ref()
            .map(|text| input::description("/description", text.as_deref(), limits))
            .transpose()?,
        style: style
            .as_ref()
            .map(|text| input::style("/defaultstyle", text.as_deref(), limits))
            .transpose()?,
        tags: request
            .tags
            .as_ref()
            .map(|tags| input::tags("/tags", tags, limits))
            .transpose()?,
    })
}

/// `PATCH /api/v1/collections/{id}/tags`.
pub fn tag(context: &RequestContext) -> Result<Reply, ApiError> {
    let uid = known_collection(context, CollectionAction::Describe)?;
    let request: TagsRequest = context.json()?;
    let limits = context.app.collections.limits();
    let patch = CollectionPatch {
        tags: Some(input::tags("/tags", &request.tags, limits)?),
        ..CollectionPatch::default()
    };
    write(
        context,
        |change| change.describe(&uid, patch),
        |row| versioned(Reply::json(&dto::summary(context, &row)), &row),
    )
}

/// `DELETE /api/v1/collections/{id}`: 204. It can be restored for some time.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let uid = uid(context, "id");
    write(context, |change| change.delete(&uid), |_| Reply::empty())
}

/// `POST /api/v1/collections/{id}/restore`.
pub fn restore(context: &RequestContext) -> Result<Reply, ApiError> {
    let uid = uid(context, "id");
    write(
        context,
        |change| change.restore(&uid),
        |row| versioned(Reply::json(&dto::collection(context, &row)), &row),
    )
}

/// Conditional and repeated requests, for the documentation.
const CONDITIONS: &str = "`If-Match` with the collection's `ETag` makes a write fail with 412 if somebody \
                          else has changed it since. `Idempotency-Key` makes retries safe.";

pub fn list_operation() -> Operation {
    Operation::new("list_collections", "collections", "Your collections")
        .query("tag", "Only collections with this tag.")
        .query(
            "q",
            "Only collections with these words in name or description.",
        )
        .query_time(
            "since",
            "Only collections changed at this time or later, ISO 8601.",
        )
        .query_choice(
            "sort",
            ["name", "updated_at"],
            "`name`, or `updated_at` with the latest first; default: the oldest collection first.",
        )
        .query_switch(
            "deleted",
            "List deleted collections that can be restored instead.",
        )
        .reply_list::<CollectionSummary>(200, "The collections.")
        .codes(&[Code::InvalidParameter])
        .conditional()
}

pub fn create_operation() -> Operation {
    Operation::new("create_collection", "collections", "A new collection")
        .describe(CONDITIONS)
        .body::<CollectionRequest>()
        .reply::<FullCollection>(201, "The collection; `Location` has its address.")
        .codes(&WRITE_CODES)
        .codes(&[
            Code::CollectionLimitReached,
            Code::EntryLimitReached,
            Code::UnknownStyle,
        ])
}

pub fn get_operation() -> Operation {
    Operation::new(
        "get_collection",
        "collections",
        "Read a collection with its entries",
    )
    .describe(
        "All entries, in their order, unless `limit` is given. With paging or a filter \
             `Total-Results` says how many there are, and `Link` where the next page is.",
    )
    .path("id", "The collection's UUID.")
    .query_number("limit", 1, "Maximum number of entries.")
    .query_number("offset", 0, "Number of entries to skip.")
    .query(
        "q",
        "Only entries with these words, in any visible field, including note and tags.",
    )
    .query("tag", "Only entries with this tag.")
    .query_choice(
        "review_status",
        ReviewStatus::ALL.map(ReviewStatus::as_str),
        "Only entries with this status.",
    )
    .query_switch(
        "deleted",
        "List deleted entries that can be restored instead, most recent first.",
    )
    .query("include", "`abstract` adds the abstracts.")
    .reply::<FullCollection>(200, "The collection.")
    .codes(&[Code::InvalidParameter, Code::NotFound])
    .conditional()
}

pub fn describe_operation() -> Operation {
    Operation::new("update_collection", "collections", "Change a collection")
        .describe(CONDITIONS)
        .path("id", "The collection's UUID.")
        .body::<CollectionChange>()
        .reply::<dto::Collection>(200, "The collection.")
        .codes(&WRITE_CODES)
        .codes(&[Code::UnknownStyle])
}

pub fn tag_operation() -> Operation {
    Operation::new(
        "tag_collection",
        "collections",
        "Replace the tags of a collection",
    )
    .path("id", "The collection's UUID.")
    .body::<TagsRequest>()
    .reply::<CollectionSummary>(200, "The collection.")
    .codes(&WRITE_CODES)
}

pub fn delete_operation() -> Operation {
    Operation::new("delete_collection", "collections", "Delete a collection")
        .describe("It can be restored for 30 days.")
        .path("id", "The collection's UUID.")
        .reply_empty(204, "Deleted.")
        .codes(&WRITE_CODES)
}

pub fn restore_operation() -> Operation {
    Operation::new(
        "restore_collection",
        "collections",
        "Restore a deleted collection",
    )
    .path("id", "The collection's UUID.")
    .reply::<dto::Collection>(200, "The collection.")
    .codes(&WRITE_CODES)
    .codes(&[Code::CollectionLimitReached])
}
