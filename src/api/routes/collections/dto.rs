//! The bodies of collections and entries (interface decisions, section 8).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::api::edge::context::RequestContext;
use crate::api::edge::validation::{self, kind_of};
use crate::api::error::{ApiError, FieldFault};
use crate::api::routes::verify::notices;
use crate::clock::iso8601;
use crate::collections::CollectionAction;
use crate::collections::changes::Conflict;
use crate::collections::draft::{Annotations, check_metadata, metadata_limits};
use crate::collections::entry::{Duplicate, Entry};
use crate::collections::input::{self, Fault};
use crate::collections::policy::allows;
use crate::store::StoreError;
use crate::store::collections::CollectionRow;
use citation_exchange::metadata::{self, CitationMetadata};
use citation_model::hex::hex;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::variable::TextVar;

/// A collection in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionSummary {
    /// UUID.
    pub id: String,
    pub name: String,
    /// ISO 8601, UTC.
    pub created_at: String,
    /// ISO 8601, UTC; the last change of the collection or of anything in it.
    pub updated_at: String,
    pub entry_count: u64,
    pub tags: Vec<String>,
    /// The caller's role: `reader`, `editor` or `owner`.
    #[schema(schema_with = super::members::roles)]
    pub role: &'static str,
    /// Null unless the collection is shared; only shown to its owner.
    pub share_token: Option<String>,
    /// When it was deleted; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<String>,
}

/// A collection without its entries.
#[derive(Debug, Serialize, ToSchema)]
pub struct Collection {
    #[serde(flatten)]
    pub summary: CollectionSummary,
    pub description: Option<String>,
    /// The collection's default style.
    pub defaultstyle: Option<String>,
    /// The public page of the collection; null unless it is shared.
    pub share_url: Option<String>,
    /// Whether whoever has the link may change the entries; only while the link is shown and the server allows links
    /// that edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_can_edit: Option<bool>,
}

/// A collection with its entries. Only for the schema: see [`full`].
#[derive(Serialize, ToSchema)]
#[allow(dead_code, reason = "only described here")]
pub struct FullCollection {
    #[serde(flatten)]
    collection: Collection,
    entries: Vec<CollectionEntry>,
}

/// An entry of a collection. Only for the schema: see [`push_entry`].
#[derive(Serialize, ToSchema)]
#[allow(dead_code, reason = "only described here")]
pub struct CollectionEntry {
    /// UUID.
    id: String,
    /// ISO 8601, UTC.
    added_at: String,
    /// ISO 8601, UTC.
    updated_at: String,
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: Value,
    note: Option<String>,
    tags: Vec<String>,
    /// Position in the collection, from 0, without gaps.
    sort_order: u64,
    /// `clean`, `needs_review`, `possible_duplicate`, `verified`, `mismatch` or `retracted`.
    review_status: String,
    citation_key: Option<String>,
    /// Notices about the work: `{type, relation, doi, date, source}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::UpdateNotice>)]
    updates: Value,
}

/// An entry without its metadata.
#[derive(Serialize)]
struct Head<'e> {
    id: &'e str,
    added_at: String,
    updated_at: String,
    note: Option<&'e str>,
    tags: &'e [String],
    sort_order: u64,
    review_status: &'static str,
    citation_key: Option<&'e str>,
    updates: Value,
}

/// An entry similar to a work.
#[derive(Debug, Serialize, ToSchema)]
pub struct DuplicateReply {
    entry_id: String,
    /// The confidence that both are the same work, 0 to 1; 0.8 and more means a duplicate.
    score: f64,
    /// The strongest evidence for the same work: `doi`, `isbn`, `pmid`, `pmcid`, `arxiv`,
    /// `title_author_year` or `title_similar`.
    match_type: &'static str,
    matched_fields: Vec<&'static str>,
    conflicting_fields: Vec<&'static str>,
    /// The reason why it is no duplicate, such as two different DOIs.
    #[schema(value_type = Vec<String>)]
    vetoes: Value,
    /// Every field that either has: `{field, given, found, similarity, weight, verdict}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FieldComparison>)]
    explanation: Value,
    #[schema(value_type = CollectionEntry)]
    entry: Box<RawValue>,
}

pub fn summary(context: &RequestContext, row: &CollectionRow) -> CollectionSummary {
    CollectionSummary {
        id: row.uid.clone(),
        name: row.name.clone(),
        created_at: iso8601(row.created_at),
        updated_at: iso8601(row.updated_at),
        entry_count: row.entries,
        tags: row.tags.clone(),
        role: row.role.as_str(),
        share_token: open_token(context, row).map(str::to_owned),
        deleted_at: row.deleted_at.map(iso8601),
    }
}

pub fn collection(context: &RequestContext, row: &CollectionRow) -> Collection {
    Collection {
        summary: summary(context, row),
        description: row.description.clone(),
        defaultstyle: row.style.clone(),
        share_url: open_token(context, row).map(|token| share_url(context, token)),
        link_can_edit: open_token(context, row).and_then(|_| link_can_edit(context, row)),
    }
}

/// The token of a collection's link, if it has one that has not expired and the caller may see it.
fn open_token<'r>(context: &RequestContext, row: &'r CollectionRow) -> Option<&'r str> {
    let share = row.share.as_ref()?;
    let is_shown = allows(row.role, CollectionAction::Share);
    (is_shown && share.is_open(context.app.clock.unix())).then_some(share.token.as_str())
}

/// Whether whoever has the collection's link may change the entries. `None`: it has none, or the server allows no links
/// that edit.
pub fn link_can_edit(context: &RequestContext, row: &CollectionRow) -> Option<bool> {
    let share = row.share.as_ref()?;
    let edit_links = context.app.collections.sharing().edit_links;
    edit_links.then_some(share.can_edit)
}

/// The address of a collection.
pub fn path_of(row: &CollectionRow) -> String {
    format!("/api/v1/collections/{}", row.uid)
}

/// The address of a shared collection's page.
pub fn share_url(context: &RequestContext, token: &str) -> String {
    context.edge.site.base_url.join(&format!("/s/{token}"))
}

/// The body of a collection with entries.
pub fn full(collection: &Collection, entries: &[Entry]) -> Vec<u8> {
    let mut body = serde_json::to_vec(collection).unwrap_or_default();
    body.pop();
    body.extend_from_slice(b",\"entries\":[");
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        push_entry(&mut body, entry);
    }
    body.extend_from_slice(b"]}");
    body
}

/// Writes an entry: its own members, then the stored metadata.
fn push_entry(body: &mut Vec<u8>, entry: &Entry) {
    let (stored, row) = (&entry.stored, &entry.stored.row);
    let head = Head {
        id: &row.uid,
        added_at: iso8601(row.added_at),
        updated_at: iso8601(row.updated_at),
        note: row.note.as_deref(),
        tags: &row.tags,
        sort_order: stored.position,
        review_status: row.review_status.as_str(),
        citation_key: row.citation_key.as_deref(),
        updates: notices(&entry.updates),
    };
    // Serialising into memory only fails for maps with non-text keys; there are none.
    if serde_json::to_writer(&mut *body, &head).is_err() {
        return;
    }
    body.pop();
    body.extend_from_slice(b",\"metadata\":");
    body.extend_from_slice(stored.shown.as_bytes());
    body.push(b'}');
}

/// An entry as JSON, as part of another body.
pub fn entry(entry: &Entry) -> Box<RawValue> {
    let mut body = Vec::new();
    push_entry(&mut body, entry);
    String::from_utf8(body)
        .ok()
        .and_then(|text| RawValue::from_string(text).ok())
        .unwrap_or_default()
}

/// The members of an entry, to add to others.
pub fn members(entry: &Entry) -> Result<BTreeMap<String, Box<RawValue>>, StoreError> {
    let mut body = Vec::new();
    push_entry(&mut body, entry);
    serde_json::from_slice(&body)
        .map_err(|e| StoreError::Corrupt(format!("entry {}: {e}", entry.stored.row.uid)))
}

pub fn duplicates(found: &[Duplicate]) -> Vec<DuplicateReply> {
    let reply = |found: &Duplicate| DuplicateReply {
        entry_id: found.entry.stored.row.uid.clone(),
        score: found.comparison.score,
        match_type: found.comparison.basis.as_str(),
        matched_fields: found.comparison.matched_fields(),
        conflicting_fields: found.comparison.conflicting_fields(),
        vetoes: serde_json::to_value(&found.comparison.vetoes).unwrap_or_default(),
        explanation: serde_json::to_value(&found.comparison.fields).unwrap_or_default(),
        entry: entry(&found.entry),
    };
    found.iter().map(reply).collect()
}

/// A field that two people have changed differently.
#[derive(Serialize, ToSchema)]
pub struct ConflictReply {
    field: String,
    /// `entry` for the entry's own `note`, `tags` and `review_status`; absent for fields of the metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    /// The value that both started from; null: absent, or unknown for the entry's own fields.
    base: Value,
    /// The stored value; null: absent.
    theirs: Value,
    /// The value of the refused request; null: absent.
    yours: Value,
}

/// The conflicts of an error.
pub fn conflicts_value(conflicts: Vec<Conflict>) -> Value {
    let replies = conflicts.into_iter().map(|conflict| ConflictReply {
        field: conflict.field,
        of: conflict.is_of_entry.then_some("entry"),
        base: conflict.base,
        theirs: conflict.theirs,
        yours: conflict.yours,
    });
    serde_json::to_value(replies.collect::<Vec<_>>()).unwrap_or_default()
}

pub fn duplicates_value(found: &[Duplicate]) -> Value {
    serde_json::to_value(duplicates(found)).unwrap_or_default()
}

/// One of several works that has an existing entry.
#[derive(Serialize, ToSchema)]
pub struct SameWork {
    /// Position in the request or the file, from 0.
    index: usize,
    entry_id: String,
}

/// Positions with the UUIDs of the entries for the same works.
pub fn same_works(found: impl IntoIterator<Item = (usize, String)>) -> Vec<SameWork> {
    let found = found.into_iter();
    found
        .map(|(index, entry_id)| SameWork { index, entry_id })
        .collect()
}

pub fn same_works_value(found: Vec<(usize, String)>) -> Value {
    serde_json::to_value(same_works(found)).unwrap_or_default()
}

/// An entity tag for the notices of a reply, since they change without the collection.
pub fn notices_tag(entries: &[Entry]) -> Option<String> {
    use sha2::{Digest, Sha256};
    let shown = entries.iter().filter(|entry| !entry.updates.is_empty());
    let mut hash = None;
    for entry in shown {
        let hash = hash.get_or_insert_with(Sha256::new);
        hash.update(notices(&entry.updates).to_string());
    }
    let digest = hash?.finalize();
    Some(hex(digest.iter().take(8)))
}

/// For members that may be null, as opposed to absent.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl From<Fault> for FieldFault {
    fn from(fault: Fault) -> FieldFault {
        FieldFault::new(&fault.field, fault.code, fault.message)
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> ApiError {
        FieldFault::from(fault).into()
    }
}

/// An entry sent by a client.
pub struct GivenEntry {
    pub item: Item,
    pub annotations: Annotations,
    pub warnings: Vec<Value>,
}

/// Reads `{metadata, note?, tags?, review_status?, added_at?}`, or metadata alone.
pub fn read_entry(
    context: &RequestContext,
    pointer: &str,
    value: &Value,
) -> Result<GivenEntry, Vec<FieldFault>> {
    let given = read_kept_entry(context, pointer, value)?;
    let inner = match value.get("metadata") {
        None => pointer.to_owned(),
        Some(_) => format!("{pointer}/metadata"),
    };
    check_key(&inner, &given.item, &[]).map_err(|fault| vec![fault])?;
    Ok(given)
}

/// The same for entries from a browser, which may come from a file with any citation key.
pub fn read_kept_entry(
    context: &RequestContext,
    pointer: &str,
    value: &Value,
) -> Result<GivenEntry, Vec<FieldFault>> {
    let members = as_object(pointer, value)?;
    let (item, warnings, annotations) = match members.get("metadata") {
        None => {
            let (item, warnings) = read_metadata(context, pointer, members)?;
            (item, warnings, Annotations::default())
        }
        Some(metadata) => {
            let inner = format!("{pointer}/metadata");
            let (item, warnings) = read_metadata(context, &inner, as_object(&inner, metadata)?)?;
            let annotations =
                read_annotations(context, pointer, members).map_err(|fault| vec![fault])?;
            (item, warnings, annotations)
        }
    };
    // A corrected value needs a review.
    let annotations = Annotations {
        is_doubtful: !warnings.is_empty(),
        ..annotations
    };
    Ok(GivenEntry {
        item,
        annotations,
        warnings,
    })
}

/// Whether an item's citation key may be set. Keys that an entry has or had stay valid,
/// whatever their origin.
pub fn check_key(pointer: &str, item: &Item, known: &[&str]) -> Result<(), FieldFault> {
    match item.text(TextVar::CitationKey) {
        Some(key) if !known.contains(&key) => Ok(input::citation_key(
            &format!("{pointer}/citation_key"),
            key,
        )?),
        _ => Ok(()),
    }
}

fn as_object<'v>(
    pointer: &str,
    value: &'v Value,
) -> Result<&'v Map<String, Value>, Vec<FieldFault>> {
    value.as_object().ok_or_else(|| {
        let message = format!("must be an object, not {}", kind_of(value));
        vec![FieldFault::new(pointer, "invalid", message)]
    })
}

/// Reads metadata that is sufficient to be stored.
pub fn read_metadata(
    context: &RequestContext,
    pointer: &str,
    members: &Map<String, Value>,
) -> Result<(Item, Vec<Value>), Vec<FieldFault>> {
    let (item, warnings) = read_part(context, pointer, members)?;
    let field = if pointer.is_empty() {
        "/metadata"
    } else {
        pointer
    };
    check_metadata(field, &item).map_err(|fault| vec![fault.into()])?;
    Ok((item, warnings))
}

/// Reads metadata that may be incomplete.
pub fn read_part(
    context: &RequestContext,
    pointer: &str,
    members: &Map<String, Value>,
) -> Result<(Item, Vec<Value>), Vec<FieldFault>> {
    let limits = metadata_limits(context.app.collections.limits());
    match metadata::read_with(members, &limits) {
        Ok((item, warnings)) => {
            let warnings = warnings.into_iter().map(|warning| {
                let field = format!("{pointer}{}", warning.field);
                json!({"code": warning.code, "field": field, "message": warning.message})
            });
            Ok((item, warnings.collect()))
        }
        Err(errors) => Err(FieldFault::of_metadata(pointer, errors)),
    }
}

/// The members besides the metadata.
#[derive(Deserialize)]
struct GivenAnnotations {
    note: Option<String>,
    tags: Option<Vec<String>>,
    review_status: Option<String>,
    added_at: Option<String>,
}

fn read_annotations(
    context: &RequestContext,
    pointer: &str,
    members: &Map<String, Value>,
) -> Result<Annotations, FieldFault> {
    let known = ["note", "tags", "review_status", "added_at"];
    let beside: Map<String, Value> = known
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), members.get(*name)?.clone())))
        .collect();
    let given: GivenAnnotations =
        validation::read(&Value::Object(beside)).map_err(|fault| FieldFault {
            field: format!("{pointer}{}", fault.field),
            ..fault
        })?;
    let limits = context.app.collections.limits();
    let field = |name: &str| format!("{pointer}/{name}");
    Ok(Annotations {
        note: input::note(&field("note"), given.note.as_deref(), limits)?,
        tags: input::tags(&field("tags"), &given.tags.unwrap_or_default(), limits)?,
        review_status: given
            .review_status
            .map(|text| read_status(&field("review_status"), &text))
            .transpose()?,
        is_doubtful: false,
        added_at: given
            .added_at
            .map(|text| read_time(&field("added_at"), &text))
            .transpose()?
            .map(|at| at.min(context.app.clock.unix())),
    })
}

/// A time sent by a client.
pub fn read_time(pointer: &str, text: &str) -> Result<i64, FieldFault> {
    let moment: Result<jiff::Timestamp, _> = text.trim().parse();
    moment.map(|moment| moment.as_second()).map_err(|_| {
        FieldFault::new(
            pointer,
            "invalid",
            "must be a time such as 2027-01-01T00:00:00Z",
        )
    })
}

pub fn read_status(pointer: &str, text: &str) -> Result<ReviewStatus, FieldFault> {
    ReviewStatus::parse(text).ok_or_else(|| {
        let names: Vec<&str> = ReviewStatus::ALL.iter().map(|s| s.as_str()).collect();
        FieldFault::new(
            pointer,
            "invalid",
            format!("must be one of {}", names.join(", ")),
        )
    })
}
