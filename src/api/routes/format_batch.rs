//! `POST /api/v1/format/batch`: formats identifiers, citation texts and metadata as one bibliography.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::lookup::{self, ItemFailure};
use super::lookup_any::refusal;
use super::reverse::check_text;
use crate::api::edge::action::Action;
use crate::api::edge::allowance::{Allowance, NoLookup};
use crate::api::edge::context::RequestContext;
use crate::api::edge::policy;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::validation::kind_of;
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::Operation;
use crate::blocking::Job;
use crate::formatting::{FormatReply, MarkupOptions, StyleChoice};
use crate::lookup::batch;
use crate::lookup::input::{Answer, BegunLookup, FoundWork, Lookup};
use crate::lookup::reference::Candidate;
use crate::quota::Charge;
use citation_exchange::metadata::{self, CitationMetadata};
use citation_matching::certainty::rounded;
use citation_model::identifier::Identifier;
use citation_model::identifier::input::Input;
use citation_model::item::Item;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/format/batch", Action::PaidLookup, batch)
            .heavy()
            .documented(operation),
    ]
}

/// The body of a batch request.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"items": [{"doi": "10.1038/171737a0"}], "style": "apa"}))]
pub struct FormatBatchRequest {
    /// Each `{doi}`, `{isbn}`, `{text}` or `{metadata}`, at most 100. A text that is an identifier of any
    /// kind, or the address of a page, is looked up as such.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FormatItem>, min_items = 1)]
    pub items: Vec<Value>,
    /// As for formatting entries.
    pub style: Option<String>,
    /// As for formatting entries.
    pub locale: Option<String>,
    /// The minimum score for accepting a work for a text; 0.8 unless configured otherwise.
    #[schema(minimum = 0, maximum = 1)]
    pub min_score: Option<f64>,
}

/// The result for one item.
#[derive(Serialize, ToSchema)]
pub struct FormatBatchResult<'a> {
    /// The position of the item in the request, from 0.
    index: usize,
    /// `ok`, `not_found`, `low_confidence`, `error` or `quota_exhausted`.
    pub status: &'static str,
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Option<CitationMetadata<'a>>,
    /// How well the work matches the text, 0 to 1; null without a search.
    score: Option<f64>,
    source: Option<&'static str>,
    in_text: Option<&'a str>,
    bibliography: Option<&'a str>,
    pub bibliography_html: Option<&'a str>,
    /// The reason for failure, as a code and a sentence.
    pub error: Option<ItemFailure>,
}

/// A batch, formatted.
#[derive(Serialize, ToSchema)]
pub struct FormatBatchReply<'a> {
    /// In the order of the request.
    #[schema(value_type = Vec<FormatBatchResult<'static>>)]
    pub results: Vec<FormatBatchResult<'a>>,
    /// The bibliography of all successful items, as HTML.
    html: &'a str,
    /// The same as text.
    plain: &'a str,
    style: &'a str,
    locale: &'a str,
    /// Number of items by status.
    summary: BTreeMap<&'static str, u64>,
    lookups_used: u32,
    /// Lookups left today.
    remaining: u64,
}

/// An item to format.
pub enum BatchItem {
    /// A work to be found, and the text that names it.
    Lookup(String, BegunLookup),
    Metadata(Box<Item>),
}

/// The state of an item before formatting.
enum ItemState {
    Given(Box<Item>),
    Answered(String, Box<Answer>),
    Failed(ApiError),
    QuotaExhausted,
}

/// `POST /api/v1/format/batch`.
pub fn batch(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: FormatBatchRequest = context.json()?;
    let items = read_items(context, &request.items)?;
    let choice = StyleChoice::named(request.style, request.locale);
    let batch = run(context, items, request.min_score, &choice)?;
    Ok(Reply::json(&batch.reply()))
}

/// The result for the item at a position of a request, which is found and formatted by itself: its status, and
/// its JSON. Refuses with the daily quota's 429 if it needs a lookup and none is left.
pub fn run_one(
    context: &RequestContext,
    index: usize,
    value: &Value,
    min_score: Option<f64>,
    choice: &StyleChoice,
) -> Result<(&'static str, Value), ApiError> {
    let item = read_item(context, &format!("/items/{index}"), value)?;
    let batch = run(context, vec![item], min_score, choice)?;
    let mut reply = batch.reply();
    let Some(result) = reply.results.first_mut() else {
        return Err(ApiError::internal("an item of a batch has no result"));
    };
    result.index = index;
    let value = serde_json::to_value(&*result).map_err(ApiError::internal)?;
    Ok((result.status, value))
}

/// Finds the works of a batch and formats them.
pub fn run(
    context: &RequestContext,
    items: Vec<BatchItem>,
    min_score: Option<f64>,
    choice: &StyleChoice,
) -> Result<FormattedBatch, ApiError> {
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
    let formatter = context.formatter();
    formatter.choose(choice)?;
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
            let costs = outcome.as_ref().is_some_and(ItemState::costs);
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
    let outcomes: Vec<ItemState> = outcomes.into_iter().flatten().collect();
    let items = outcomes
        .iter()
        .filter_map(ItemState::item)
        .cloned()
        .collect();
    Ok(FormattedBatch {
        formatted: formatter.bibliography(items, choice, &MarkupOptions::default())?,
        outcomes,
        lookups_used: context.caller.cost.lookups(),
        remaining: policy::quota_status(context)?.remaining,
    })
}

/// A batch whose works are formatted.
pub struct FormattedBatch {
    /// In the order of the request.
    outcomes: Vec<ItemState>,
    /// The works that were found.
    formatted: FormatReply,
    lookups_used: u32,
    remaining: u64,
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
        let text = identifier.to_string();
        BatchItem::named(context, pointer, &text, &Input::Identifier(identifier))
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
        let input = Input::parse(citation);
        return BatchItem::named(context, &format!("{pointer}/text"), citation, &input);
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
    /// A work that a text names: its identifier, its page, or a reference to it.
    pub fn named(
        context: &RequestContext,
        pointer: &str,
        text: &str,
        input: &Input,
    ) -> Result<BatchItem, ApiError> {
        check_text(context, pointer, text)?;
        let begun = context.lookup(false, &context.job).begin(text, input);
        let begun = begun.map_err(lookup::failed)?;
        Ok(BatchItem::Lookup(text.to_owned(), begun))
    }

    /// Whether it needs no lookup, or a free one.
    fn is_free(&self) -> bool {
        match self {
            BatchItem::Metadata(_) => true,
            BatchItem::Lookup(_, begun) => begun.is_free(),
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

/// Finds the work of an item, in the worker slot of `job`.
fn resolve(context: &RequestContext, item: BatchItem, certain_from: f64, job: &Job) -> ItemState {
    let (text, begun) = match item {
        BatchItem::Metadata(item) => return ItemState::Given(item),
        BatchItem::Lookup(text, begun) => (text, begun),
    };
    let lookup = Lookup {
        certain_from,
        ..context.lookup(false, job)
    };
    let answer = match begun {
        BegunLookup::Answered(answer) => Ok(*answer),
        BegunLookup::Open(open) => lookup.finish(*open),
    };
    match answer {
        Ok(answer) => ItemState::Answered(text, Box::new(answer)),
        Err(cause) => ItemState::Failed(lookup::failed(cause)),
    }
}

impl ItemState {
    /// Whether it has used a lookup.
    fn costs(&self) -> bool {
        matches!(self, ItemState::Answered(_, answer) if answer.costs())
    }

    /// The work that was found.
    fn found(&self) -> Option<&FoundWork> {
        match self {
            ItemState::Answered(_, answer) => match &**answer {
                Answer::Work(found) => Some(found),
                _ => None,
            },
            _ => None,
        }
    }

    /// The best candidate of a text: the work itself, or one that is not certain.
    fn candidate(&self) -> Option<&Candidate> {
        match self {
            ItemState::Answered(_, answer) => match &**answer {
                Answer::Work(found) => found.candidate(),
                Answer::Candidates(search) => search.candidates.first().map(|(_, best)| best),
                _ => None,
            },
            _ => None,
        }
    }

    /// The item to format.
    fn item(&self) -> Option<&Item> {
        match self {
            ItemState::Given(item) => Some(item),
            _ => self.found().map(|found| &found.work.item),
        }
    }

    fn status(&self) -> &'static str {
        match self {
            ItemState::Given(_) => "ok",
            ItemState::Failed(_) => "error",
            ItemState::QuotaExhausted => "quota_exhausted",
            ItemState::Answered(_, answer) => match &**answer {
                Answer::Work(_) => "ok",
                Answer::Candidates(_) => "low_confidence",
                Answer::Missing(_) => "not_found",
                Answer::Several(_) | Answer::Mistyped(_) | Answer::Unread { .. } => "error",
            },
        }
    }

    fn metadata(&self) -> Option<CitationMetadata<'_>> {
        if let ItemState::Given(item) = self {
            return Some(CitationMetadata::of_item(item));
        }
        let work = self.found().map(|found| &found.work);
        let work = work.or_else(|| self.candidate().map(|candidate| &candidate.work));
        work.map(CitationMetadata::of_work)
    }

    fn source(&self) -> Option<&'static str> {
        let found = self.found().map(|found| found.source);
        found.or_else(|| self.candidate().map(Candidate::source))
    }

    fn error(&self, pointer: &str) -> Option<ItemFailure> {
        match self {
            ItemState::Given(_) => None,
            ItemState::Failed(error) => Some(ItemFailure::of(error)),
            ItemState::QuotaExhausted => Some(ItemFailure::of(&ApiError::new(
                Code::QuotaExhausted,
                "The daily lookups were used up before this item.",
            ))),
            ItemState::Answered(given, answer) => match &**answer {
                Answer::Work(_) | Answer::Candidates(_) => None,
                Answer::Missing(_) => Some(ItemFailure::of(&ApiError::new(
                    Code::WorkNotFound,
                    "No source searched has the work.",
                ))),
                answer => Some(ItemFailure::of(&refusal(pointer, given, answer))),
            },
        }
    }
}

impl FormattedBatch {
    /// Each item with its entry.
    pub fn reply(&self) -> FormatBatchReply<'_> {
        let mut entries = self.formatted.entries.iter();
        let mut summary = BTreeMap::from(STATUSES.map(|status| (status, 0)));
        let mut results = Vec::with_capacity(self.outcomes.len());
        for (index, outcome) in self.outcomes.iter().enumerate() {
            let entry = outcome.item().and_then(|_| entries.next());
            let status = outcome.status();
            *summary.entry(status).or_default() += 1;
            results.push(FormatBatchResult {
                index,
                status,
                metadata: outcome.metadata(),
                score: outcome
                    .candidate()
                    .map(|candidate| rounded(candidate.score)),
                source: outcome.source(),
                in_text: entry.map(|entry| entry.in_text.as_str()),
                bibliography: entry.and_then(|entry| entry.bibliography.as_deref()),
                bibliography_html: entry.and_then(|entry| entry.bibliography_html.as_deref()),
                error: outcome.error(&format!("/items/{index}")),
            });
        }
        FormatBatchReply {
            results,
            html: &self.formatted.html,
            plain: &self.formatted.plain,
            style: &self.formatted.style,
            locale: &self.formatted.locale,
            summary,
            lookups_used: self.lookups_used,
            remaining: self.remaining,
        }
    }
}

/// Every status is in the summary.
const STATUSES: [&str; 5] = [
    "ok",
    "not_found",
    "low_confidence",
    "error",
    "quota_exhausted",
];

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
    .reply::<FormatBatchReply<'static>>(200, "A result for each item, and the bibliography.")
    .codes(&[Code::InvalidDoi, Code::InvalidIsbn, Code::UnknownStyle])
}
