//! `POST /api/v1/collections/merge`: merges collections kept in a browser into the account.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::dto;
use super::transaction::{WRITE_CODES, read, write, write_dry};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::{Operation, one_of};
use crate::collections::browser::{ClientCollection, ClientEntry, MergeStrategy, MergedCollection};
use crate::collections::change::NewCollection;
use crate::collections::compared::{Compared, Same};
use crate::collections::{Change, CollectionError, input};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/collections/merge", Action::PaidWrite, merge)
            .idempotent()
            .heavy()
            .documented(operation),
    ]
}

/// The collections of a browser.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"collections": [{"name": "Kept here", "entries": [{"metadata": {"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}, "note": "To read"}]}], "dry_run": true}))]
pub struct BrowserMergeRequest {
    #[schema(min_items = 1)]
    collections: Vec<LocalCollection>,
    /// `merge_by_name` (the default) or `create_new`.
    #[schema(schema_with = strategies)]
    strategy: Option<String>,
    /// Whether to only preview the result.
    #[serde(default)]
    dry_run: bool,
}

fn strategies() -> Object {
    one_of(["merge_by_name", "create_new"])
}

/// A collection that a browser kept.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LocalCollection {
    /// The browser's id of it. A repeated id is not added again.
    client_id: Option<String>,
    name: String,
    description: Option<String>,
    #[serde(alias = "default_style")]
    defaultstyle: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    /// ISO 8601.
    created_at: Option<String>,
    /// `{client_id?, metadata, note?, tags?, added_at?}`.
    #[serde(default)]
    #[schema(value_type = Vec<crate::api::openapi::schemas::LocalEntry>)]
    entries: Vec<Value>,
}

/// The result of a merge.
#[derive(Serialize, ToSchema)]
pub struct BrowserMergeReply {
    collections: Vec<MergedReply>,
    totals: Totals,
    dry_run: bool,
}

/// The result for one collection.
#[derive(Serialize, ToSchema)]
pub struct MergedReply {
    client_id: Option<String>,
    /// UUID; null for a collection that a dry run did not create.
    id: Option<String>,
    name: String,
    /// `created` or `merged`.
    action: &'static str,
    added: usize,
    skipped_duplicates: usize,
    /// The skipped entries, and the entries that replace them. Note and tags are merged into those, unless
    /// the entry was merged before.
    skipped: Vec<SkippedReply>,
    /// Errors: `{index, error, field, message}`, for entries by their position.
    errors: Vec<EntryFault>,
}

/// A skipped entry.
#[derive(Serialize, ToSchema)]
pub struct SkippedReply {
    /// Position in the collection as sent, from 0.
    index: usize,
    client_id: Option<String>,
    /// UUID of the entry that it became earlier, or that is the same work; null for one that a dry
    /// run did not create.
    entry_id: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EntryFault {
    /// Position in the collection as sent, from 0; null for the collection itself.
    index: Option<usize>,
    error: &'static str,
    field: String,
    message: String,
}

#[derive(Default, Serialize, ToSchema)]
pub struct Totals {
    collections_created: usize,
    collections_merged: usize,
    added: usize,
    skipped_duplicates: usize,
    errors: usize,
}

/// One parsed collection.
struct GivenCollection {
    client_id: Option<String>,
    from: ClientCollection,
    /// The position of each entry in the collection as sent.
    places: Vec<usize>,
    faults: Vec<EntryFault>,
}

/// Maximum number of characters of a browser's ids.
const CLIENT_ID_CHARS: usize = 200;

/// `POST /api/v1/collections/merge`.
pub fn merge(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: BrowserMergeRequest = context.json()?;
    let strategy = match request.strategy.as_deref() {
        None | Some("merge_by_name") => MergeStrategy::ByName,
        Some("create_new") => MergeStrategy::CreateNew,
        Some(_) => {
            let message = "must be “merge_by_name” or “create_new”";
            return Err(ApiError::invalid_field("/strategy", message));
        }
    };
    let given = request
        .collections
        .iter()
        .enumerate()
        .map(|(index, local)| read_collection(context, &format!("/collections/{index}"), local))
        .collect::<Result<Vec<GivenCollection>, ApiError>>()?;
    let compared = read(context, |snapshot| {
        let given = given.iter();
        given
            .map(|one| snapshot.compare_merge(&one.from, strategy))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let given: Vec<_> = given.into_iter().zip(compared).collect();
    let job = |change: &Change<'_>| merge_all(change, &given, strategy);
    let reply = |merged| merge_reply(&given, merged, request.dry_run);
    if request.dry_run {
        write_dry(context, job, reply)
    } else {
        write(context, job, reply)
    }
}

fn merge_all(
    change: &Change<'_>,
    given: &[(GivenCollection, Compared<Same>)],
    strategy: MergeStrategy,
) -> Result<Vec<MergedCollection>, CollectionError> {
    let given = given.iter();
    given
        .map(|(one, compared)| change.merge(&one.from, compared, strategy))
        .collect()
}

fn merge_reply(
    given: &[(GivenCollection, Compared<Same>)],
    merged: Vec<MergedCollection>,
    dry_run: bool,
) -> Reply {
    let mut totals = Totals::default();
    let mut collections = Vec::with_capacity(given.len());
    for ((one, _), merged) in given.iter().zip(merged) {
        totals.collections_created += usize::from(merged.is_new);
        totals.collections_merged += usize::from(!merged.is_new);
        totals.added += merged.added;
        totals.skipped_duplicates += merged.skipped.len();
        totals.errors += one.faults.len();
        collections.push(merged_reply(one, merged, dry_run));
    }
    Reply::json(&BrowserMergeReply {
        collections,
        totals,
        dry_run,
    })
}

fn merged_reply(one: &GivenCollection, merged: MergedCollection, dry_run: bool) -> MergedReply {
    let skipped = merged.skipped.into_iter().map(|skipped| SkippedReply {
        index: one.places.get(skipped.index).copied().unwrap_or_default(),
        client_id: client_id_at(one, skipped.index),
        entry_id: (!dry_run || !skipped.is_new).then_some(skipped.entry),
    });
    let skipped: Vec<SkippedReply> = skipped.collect();
    MergedReply {
        client_id: one.client_id.clone(),
        id: (!dry_run || !merged.is_new).then_some(merged.collection.uid),
        name: merged.collection.name,
        action: if merged.is_new { "created" } else { "merged" },
        added: merged.added,
        skipped_duplicates: skipped.len(),
        skipped,
        errors: one.faults.clone(),
    }
}

/// The browser's id of an entry, if it has one.
fn client_id_at(one: &GivenCollection, index: usize) -> Option<String> {
    let entry = one.from.entries.get(index)?;
    (!entry.client_id.is_empty()).then(|| entry.client_id.clone())
}

fn read_collection(
    context: &RequestContext,
    pointer: &str,
    local: &LocalCollection,
) -> Result<GivenCollection, ApiError> {
    let client_id = read_client_id(pointer, local.client_id.as_deref())?;
    let mut new = new_collection(context, pointer, local)?;
    let (mut entries, mut places, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    // A style that no longer exists must not prevent the merge.
    let field = format!("{pointer}/defaultstyle");
    if let Some(style) = new.style.clone()
        && let Err(error) = context.formatter().check_style(&style)
    {
        let error = ApiError::from(error);
        new.style = None;
        faults.push(EntryFault {
            index: None,
            error: error.code.as_str(),
            field,
            message: error.message,
        });
    }
    for (index, value) in local.entries.iter().enumerate() {
        let pointer = format!("{pointer}/entries/{index}");
        let name = value.get("client_id").and_then(Value::as_str);
        let given = dto::read_kept_entry(context, &pointer, value).and_then(|given| {
            let client_id = read_client_id(&pointer, name).map_err(|fault| vec![fault])?;
            Ok((client_id, given))
        });
        match given {
            Ok((client_id, given)) => {
                places.push(index);
                entries.push(ClientEntry {
                    client_id,
                    draft: context
                        .app
                        .collections
                        .draft(given.item, given.annotations)?,
                });
            }
            Err(found) => faults.extend(found.into_iter().next().map(|fault| EntryFault {
                index: Some(index),
                error: Code::ValidationFailed.as_str(),
                message: fault.sentence(),
                field: fault.field,
            })),
        }
    }
    Ok(GivenCollection {
        client_id: local.client_id.clone(),
        from: ClientCollection {
            client_id,
            new,
            entries,
        },
        places,
        faults,
    })
}

fn new_collection(
    context: &RequestContext,
    pointer: &str,
    local: &LocalCollection,
) -> Result<NewCollection, FieldFault> {
    let limits = context.app.collections.limits();
    let field = |name: &str| format!("{pointer}/{name}");
    let (description, style) = (local.description.as_deref(), local.defaultstyle.as_deref());
    let created_at = local.created_at.as_deref();
    Ok(NewCollection {
        name: input::name(&field("name"), &local.name, limits)?,
        description: input::description(&field("description"), description, limits)?,
        style: input::style(&field("defaultstyle"), style, limits)?,
        tags: input::tags(&field("tags"), &local.tags, limits)?,
        created_at: created_at
            .map(|text| dto::read_time(&field("created_at"), text))
            .transpose()?,
    })
}

fn read_client_id(pointer: &str, given: Option<&str>) -> Result<String, FieldFault> {
    let text = given.unwrap_or_default().trim();
    if text.chars().count() <= CLIENT_ID_CHARS {
        return Ok(text.to_owned());
    }
    let message = format!("is longer than {CLIENT_ID_CHARS} characters");
    let field = format!("{pointer}/client_id");
    Err(FieldFault::new(&field, "too_long", message))
}

pub fn operation() -> Operation {
    Operation::new(
        "merge_collections",
        "collections",
        "Merge a browser's collections into the account",
    )
    .describe(
        "A collection is merged into the same collection as before, else into the one with its \
             name, else a new one. Existing works are skipped, and their notes and \
             tags are merged into the existing entries. If the plan's limits are exceeded, \
             nothing is added.",
    )
    .body::<BrowserMergeRequest>()
    .reply::<BrowserMergeReply>(200, "The result for each collection.")
    .codes(&WRITE_CODES)
    .codes(&[Code::CollectionLimitReached, Code::EntryLimitReached])
}
