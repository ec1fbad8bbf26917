//! `POST /api/v1/format/batch`: formats identifiers, citation texts and metadata as one bibliography.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::allowance::{Allowance, NoLookup};
use super::context::RequestContext;
use super::error::{ApiError, Code, FieldFault};
use super::format::{self, StyleChoice};
use super::lookup;
use super::lookup_any::page_lookup;
use super::markup;
use super::operation::Operation;
use super::policy;
use super::reply::Reply;
use super::reverse::{check_text, rounded};
use super::validation::kind_of;
use crate::blocking::Job;
use crate::lookup::batch;
use crate::lookup::page::PageOutcome;
use crate::lookup::reference::{Candidate, SearchScope};
use crate::lookup::resolve::{LookupError, Resolution, ResolutionOrigin};
use crate::quota::Charge;
use citation_exchange::metadata::{self, CitationMetadata};
use citation_matching::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::identifier::input::Input;
use citation_model::item::Item;
use citation_model::work::Work;

/// The body of a batch request.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"items": [{"doi": "10.1038/171737a0"}], "style": "apa"}))]
pub struct FormatBatchRequest {
    /// Each `{doi}`, `{isbn}`, `{text}` or `{metadata}`, at most 100. A text that is an identifier of any
    /// kind, or the address of a page, is looked up as such.
    #[schema(value_type = Vec<super::schemas::FormatItem>, min_items = 1)]
    items: Vec<Value>,
    /// As for formatting entries.
    style: Option<String>,
    /// As for formatting entries.
    locale: Option<String>,
    /// The minimum score for accepting a work for a text; 0.8 unless configured otherwise.
    #[schema(minimum = 0, maximum = 1)]
    min_score: Option<f64>,
}

/// The result for one item.
#[derive(Serialize, ToSchema)]
pub struct FormatBatchResult {
    /// The position of the item in the request, from 0.
    index: usize,
    /// `ok`, `not_found`, `low_confidence`, `error` or `quota_exhausted`.
    pub status: &'static str,
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Value,
    /// How well the work matches the text, 0 to 1; null without a search.
    score: Option<f64>,
    source: Option<&'static str>,
    in_text: Option<String>,
    bibliography: Option<String>,
    pub bibliography_html: Option<String>,
    /// The reason for failure, as a code and a sentence.
    pub error: Option<BatchItemError>,
}

/// Why an item failed.
#[derive(Serialize, ToSchema)]
pub struct BatchItemError {
    error: &'static str,
    pub message: String,
}

/// A batch, formatted.
#[derive(Serialize, ToSchema)]
pub struct FormatBatchReply {
    /// In the order of the request.
    pub results: Vec<FormatBatchResult>,
    /// The bibliography of all successful items, as HTML.
    html: String,
    /// The same as text.
    plain: String,
    style: String,
    locale: String,
    /// Number of items by status.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    summary: Value,
    lookups_used: u32,
    /// Lookups left today.
    remaining: u64,
}

/// An item to format.
pub enum BatchItem {
    /// With the local work, if there is one.
    Identifier(Identifier, Option<Box<Resolution>>),
    /// The page at an address.
    Page(String),
    Text(String),
    Metadata(Box<Item>),
    /// Readable but not searchable.
    Refused(ApiError),
}

/// The state of an item before formatting.
enum ItemState {
    Given(Box<Item>),
    Work(Box<Work>, &'static str),
    Match(Box<Candidate>),
    LowConfidence(Box<Candidate>),
    NotFound,
    Failed(ApiError),
    QuotaExhausted,
}

/// `POST /api/v1/format/batch`.
pub fn batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: FormatBatchRequest = context.json()?;
    let items = read_items(context, &request.items)?;
    let choice = StyleChoice::named(request.style, request.locale);
    run(context, items, request.min_score, &choice).map(|reply| Reply::json(&reply))
}

/// Finds the works of a batch and formats them.
pub fn run(
    context: &RequestContext,
    items: Vec<BatchItem>,
    min_score: Option<f64>,
    choice: &StyleChoice,
) -> Result<FormatBatchReply, ApiError> {
    let config = &context.app.config;
    if items.len() > config.limits.batch_items as usize {
        let most = config.limits.batch_items.into();
        return Err(ApiError::too_many_items("/items", most));
    }
    let least = min_score.unwrap_or(config.format.batch_min_score);
    if !(0.0..=1.0).contains(&least) {
        return Err(ApiError::invalid_field(
            "/min_score",
            "must be between 0 and 1",
        ));
    }
    // Errors in the request must be found before its lookups are charged.
    format::check_choice(context, choice)?;
    let allowance = reserve_lookups(context, &items)?;
    let items = in_turn(items);
    let mut outcomes: Vec<Option<ItemState>> = items.iter().map(|_| None).collect();
    let helpers = context.job.helper_permits(batch::WORKERS - 1);
    let find = |_, turn: ItemWithLookup| {
        let job = context.job.fork();
        let resolve = || {
            let resolve = || resolve(context, turn.item, least, &job);
            job.with_slot(Duration::MAX, resolve).ok()
        };
        let Some(turn) = turn.lookup else {
            return resolve();
        };
        // An item that waits for its turn must not hold a worker slot that earlier items need.
        let charged = allowance.charge(turn, || {
            let outcome = resolve();
            let costs = !matches!(outcome, None | Some(ItemState::Failed(_)));
            Charge::new(outcome, costs)
        });
        charged.unwrap_or_else(|refused| {
            Some(match refused {
                NoLookup::Exhausted => ItemState::QuotaExhausted,
                NoLookup::Uncountable | NoLookup::GivenUp => {
                    ItemState::Failed(ApiError::overloaded())
                }
            })
        })
    };
    context.job.without_slot(|| {
        batch::run(items, 1 + helpers.len(), find, |n, outcome| {
            let is_there = outcome.is_some();
            if let Some(slot) = outcomes.get_mut(n) {
                *slot = outcome;
            }
            is_there
        });
    });
    context.budget.check()?;
    let outcomes = outcomes.into_iter().flatten().collect();
    write(context, outcomes, choice)
}

fn read_items(context: &RequestContext, values: &[Value]) -> Result<Vec<BatchItem>, ApiError> {
    values
        .iter()
        .enumerate()
        .map(|(n, value)| read_item(context, &format!("/items/{n}"), value))
        .collect()
}

fn read_item(
    context: &RequestContext,
    pointer: &str,
    value: &Value,
) -> Result<BatchItem, ApiError> {
    let Value::Object(members) = value else {
        let message = format!("must be an object, not {}", kind_of(value));
        return Err(ApiError::invalid_field(pointer, message));
    };
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let named = |identifier: Result<Identifier, ApiError>| {
        let identifier = identifier.map_err(|error| error.below(pointer))?;
        BatchItem::named(context, identifier)
    };
    // With a title, an identifier is a metadata field and needs no lookup.
    let bare = !members.contains_key("title") && !members.contains_key("metadata");
    if let Some(doi) = text("doi").filter(|_| bare) {
        return named(lookup::read_doi(context, doi));
    }
    if let Some(isbn) = text("isbn").filter(|_| bare) {
        return named(lookup::read_isbn(context, isbn));
    }
    if let Some(citation) = text("text").filter(|_| bare) {
        return BatchItem::cited(context, &format!("{pointer}/text"), citation);
    }
    let (metadata, pointer) = match members.get("metadata") {
        Some(metadata) => (metadata, &*format!("{pointer}/metadata")),
        None => (value, pointer),
    };
    match metadata::read_value(metadata) {
        Ok((item, _)) if item.says_nothing() => Err(ApiError::invalid_field(
            pointer,
            "is empty: send `doi`, `isbn`, `text`, or the fields of the work",
        )),
        Ok((item, _)) => Ok(BatchItem::Metadata(Box::new(item))),
        Err(errors) => {
            let faults = FieldFault::of_metadata(pointer, errors);
            Err(ApiError::invalid_fields(faults))
        }
    }
}

/// An item, and its lookup number in the batch; `None` if it needs none.
struct ItemWithLookup {
    item: BatchItem,
    lookup: Option<usize>,
}

fn in_turn(items: Vec<BatchItem>) -> Vec<ItemWithLookup> {
    let mut turns = 0..;
    items
        .into_iter()
        .map(|item| ItemWithLookup {
            lookup: if item.is_free() { None } else { turns.next() },
            item,
        })
        .collect()
}

impl BatchItem {
    /// A work by its identifier.
    pub fn named(context: &RequestContext, identifier: Identifier) -> Result<BatchItem, ApiError> {
        let known = lookup::local(context, &identifier)?;
        Ok(BatchItem::Identifier(identifier, known.map(Box::new)))
    }

    /// A work as a text cites it.
    pub fn cited(
        context: &RequestContext,
        pointer: &str,
        text: &str,
    ) -> Result<BatchItem, ApiError> {
        BatchItem::of_input(context, pointer, text, Input::parse(text))
    }

    /// The interpretation of a text.
    pub fn of_input(
        context: &RequestContext,
        pointer: &str,
        text: &str,
        input: Input,
    ) -> Result<BatchItem, ApiError> {
        check_text(context, pointer, text)?;
        Ok(match input {
            Input::Identifier(identifier) => return BatchItem::named(context, identifier),
            Input::Url(address) => BatchItem::Page(address),
            Input::Mistyped(fault) => {
                BatchItem::Refused(lookup::invalid(Code::InvalidIsbn, pointer, text, &fault))
            }
            Input::Several(_) => {
                let message = "contains several identifiers; send each as a separate item";
                BatchItem::Refused(ApiError::invalid_field(pointer, message))
            }
            Input::Text(text) => BatchItem::Text(text),
        })
    }

    /// Whether it needs no lookup, or a free one.
    fn is_free(&self) -> bool {
        match self {
            BatchItem::Metadata(_) | BatchItem::Refused(_) => true,
            BatchItem::Identifier(_, known) => known.as_ref().is_some_and(|k| k.own().is_some()),
            BatchItem::Page(_) | BatchItem::Text(_) => false,
        }
    }
}

/// The lookups of the batch, which is only refused if nothing can be done.
fn reserve_lookups(context: &RequestContext, items: &[BatchItem]) -> Result<Allowance, ApiError> {
    if items.iter().any(BatchItem::is_free) {
        Allowance::or_none(context)
    } else {
        Allowance::new(context)
    }
}

/// Finds the work of an item.
fn resolve(context: &RequestContext, item: BatchItem, least: f64, job: &Job) -> ItemState {
    match item {
        BatchItem::Metadata(item) => ItemState::Given(item),
        BatchItem::Identifier(_, Some(known)) => ItemState::of(Ok(*known)),
        BatchItem::Identifier(identifier, None) => {
            ItemState::of(context.app.lookup.ask(&identifier, job))
        }
        BatchItem::Page(address) => read_page(context, &address, job),
        BatchItem::Text(text) => search(context, &text, least, job),
        BatchItem::Refused(error) => ItemState::Failed(error),
    }
}

fn read_page(context: &RequestContext, address: &str, job: &Job) -> ItemState {
    match page_lookup(context, job).look_up(address) {
        Ok(PageOutcome::Named { resolution, .. }) => ItemState::of(Ok(*resolution)),
        Ok(PageOutcome::Read { work, .. }) => {
            let source = work.provenance.source.as_str();
            ItemState::Work(work, source)
        }
        Ok(PageOutcome::Unread { reason, .. }) => ItemState::Failed(ApiError::new(
            Code::UpstreamError,
            format!("The page {reason}; enter the metadata manually."),
        )),
        Err(cause) => ItemState::Failed(lookup::failed(cause)),
    }
}

fn search(context: &RequestContext, text: &str, least: f64, job: &Job) -> ItemState {
    let reference = Reference::parse(text);
    let (app, user) = (&context.app, context.caller.user());
    let found = app
        .references
        .find(&app.lookup, &reference, user, SearchScope::Everywhere, job);
    match found {
        Ok(found) => match (found.candidates.into_iter().next(), found.failure) {
            (Some(best), _) if best.score >= least => ItemState::Match(Box::new(best)),
            // A failed source may have the work.
            (_, Some(failure)) => ItemState::Failed(lookup::failed(failure)),
            (Some(best), None) if best.score >= least / 2.0 => {
                ItemState::LowConfidence(Box::new(best))
            }
            (_, None) => ItemState::NotFound,
        },
        Err(cause) => ItemState::Failed(lookup::failed(cause)),
    }
}

impl ItemState {
    fn of(resolution: Result<Resolution, LookupError>) -> ItemState {
        let resolution = match resolution {
            Ok(resolution) => resolution,
            Err(cause) => return ItemState::Failed(lookup::failed(cause)),
        };
        match (resolution.work, resolution.origin) {
            (None, _) => ItemState::NotFound,
            (Some(work), ResolutionOrigin::Corpus) => ItemState::Work(Box::new(work), "local"),
            (Some(work), _) => {
                let source = work.provenance.source.as_str();
                ItemState::Work(Box::new(work), source)
            }
        }
    }

    /// The item to format.
    fn item(&self) -> Option<&Item> {
        match self {
            ItemState::Given(item) => Some(item),
            ItemState::Work(work, _) => Some(&work.item),
            ItemState::Match(candidate) => Some(&candidate.work.item),
            _ => None,
        }
    }

    fn status(&self) -> &'static str {
        match self {
            ItemState::Given(_) | ItemState::Work(..) | ItemState::Match(_) => "ok",
            ItemState::LowConfidence(_) => "low_confidence",
            ItemState::NotFound => "not_found",
            ItemState::Failed(_) => "error",
            ItemState::QuotaExhausted => "quota_exhausted",
        }
    }

    fn metadata(&self) -> Value {
        let metadata = match self {
            ItemState::Given(item) => CitationMetadata::of_item(item),
            ItemState::Work(work, _) => CitationMetadata::of_work(work),
            ItemState::Match(c) | ItemState::LowConfidence(c) => CitationMetadata::of_work(&c.work),
            _ => return Value::Null,
        };
        serde_json::to_value(metadata).unwrap_or_default()
    }

    fn candidate(&self) -> Option<&Candidate> {
        match self {
            ItemState::Match(candidate) | ItemState::LowConfidence(candidate) => Some(candidate),
            _ => None,
        }
    }

    fn error(&self) -> Option<BatchItemError> {
        let (code, message) = match self {
            ItemState::Failed(error) => (error.code, error.message.as_str()),
            ItemState::QuotaExhausted => (
                Code::QuotaExhausted,
                "The daily lookups were used up before this item.",
            ),
            ItemState::NotFound => (Code::WorkNotFound, "No source searched has the work."),
            _ => return None,
        };
        Some(BatchItemError {
            error: code.as_str(),
            message: message.to_owned(),
        })
    }
}

/// Formats the works found and assigns the results to their items.
fn write(
    context: &RequestContext,
    outcomes: Vec<ItemState>,
    choice: &StyleChoice,
) -> Result<FormatBatchReply, ApiError> {
    let items: Vec<Item> = outcomes
        .iter()
        .filter_map(ItemState::item)
        .cloned()
        .collect();
    let formatted =
        format::format_items(context, items, choice, &markup::MarkupOptions::default())?;
    let mut entries = formatted.entries.into_iter();
    let results: Vec<FormatBatchResult> = outcomes
        .iter()
        .enumerate()
        .map(|(index, outcome)| {
            let entry = outcome.item().and_then(|_| entries.next());
            let (in_text, bibliography, bibliography_html) = match entry {
                Some(entry) => (
                    Some(entry.in_text),
                    entry.bibliography,
                    entry.bibliography_html,
                ),
                None => (None, None, None),
            };
            FormatBatchResult {
                index,
                status: outcome.status(),
                metadata: outcome.metadata(),
                score: outcome
                    .candidate()
                    .map(|candidate| rounded(candidate.score)),
                source: match outcome {
                    ItemState::Work(_, source) => Some(*source),
                    _ => outcome.candidate().map(|candidate| candidate.source()),
                },
                in_text,
                bibliography,
                bibliography_html,
                error: outcome.error(),
            }
        })
        .collect();
    Ok(FormatBatchReply {
        html: formatted.html,
        plain: formatted.plain,
        style: formatted.style,
        locale: formatted.locale,
        summary: summary(&results),
        results,
        lookups_used: context.caller.cost.lookups(),
        remaining: policy::quota_status(context)?.remaining,
    })
}

fn summary(results: &[FormatBatchResult]) -> Value {
    let mut members = serde_json::Map::new();
    for status in [
        "ok",
        "not_found",
        "low_confidence",
        "error",
        "quota_exhausted",
    ] {
        let count = results
            .iter()
            .filter(|result| result.status == status)
            .count();
        members.insert(status.to_owned(), count.into());
    }
    Value::Object(members)
}

pub fn operation() -> Operation {
    Operation::new(
        "format_batch",
        "formatting",
        "Format up to 100 identifiers, citation texts and entries",
    )
    .describe(
        "Metadata items and works in the caller's own collections are free; \
             the others cost one lookup each. An item that was \
             not found, or not with certainty, has an error in its result and is not in the \
             bibliography. If the quota ends within the batch, the rest is marked \
             `quota_exhausted`.",
    )
    .body::<FormatBatchRequest>()
    .reply::<FormatBatchReply>(200, "A result for each item, and the bibliography.")
    .codes(&[Code::InvalidDoi, Code::InvalidIsbn, Code::UnknownStyle])
}
