//! `POST /api/v1/lookup` and `/lookup/url`: metadata for any identifier, address or text.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::gate;
use super::lookup;
use super::operation::Operation;
use super::reply::Reply;
use super::reverse::{self, ReverseLookupCandidate};
use crate::blocking::Job;
use crate::lookup::page::{PageLookup, PageOutcome};
use crate::lookup::reference::{Candidate, SearchScope};
use crate::lookup::resolve::{LookupError, Resolution, SourceResult};
use crate::quota::Charge;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::score;
use citation_model::identifier::input::Input;
use citation_model::identifier::{Identifier, IdentifierError, address};
use citation_model::item::Item;
use citation_model::work::Work;

/// Maximum number of identifiers and addresses in one query. More of them are a batch.
pub const MOST_INPUTS: usize = 20;

/// The request body of a lookup of anything.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LookupRequest {
    /// An identifier in any spelling, an address, several of them, or the text of a reference. At most 2,000
    /// characters.
    #[schema(example = "https://www.nature.com/articles/171737a0", min_length = 1)]
    query: String,
    /// Whether only the local corpus is asked and no page is fetched; default false.
    #[serde(default)]
    local_only: bool,
}

/// The request body of a lookup by address.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UrlRequest {
    /// The address of a page, at most 2,000 characters.
    #[schema(example = "https://www.nature.com/articles/171737a0", min_length = 1)]
    url: String,
    /// The page as loaded by a browser, at most 500,000 characters: it is read instead of fetched.
    html: Option<String>,
    /// Whether only the local corpus is asked and no page is fetched; default false.
    #[serde(default)]
    local_only: bool,
}

/// The interpretation of a query, and the result.
#[derive(Default, Serialize, ToSchema)]
pub struct LookupReply {
    /// `doi`, `shortdoi`, `isbn`, `issn`, `pmid`, `pmcid`, `arxiv`, `openalex`, `handle`, `pii`, `oclc`,
    /// `openlibrary`, `url`, `several`, `mistyped` or `text`.
    taken_for: &'static str,
    /// The identifier in its canonical form, the address, or the text.
    looked_up: String,
    /// `{kind, value}`: the identifier that found the work, if it differs from the one looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<super::schemas::IdentifierFound>)]
    found_by: Option<Value>,
    /// The work. For a text, the certain match, if there is one.
    #[serde(skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Value,
    /// The work that `metadata` is of.
    #[serde(skip)]
    item: Option<Item>,
    #[serde(skip)]
    found_how: Option<FoundBy>,
    /// The candidates for a text, best first, as in a reverse lookup.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<ReverseLookupCandidate<'static>>>)]
    candidates: Option<Value>,
    /// `[{source, outcome}]`: the sources asked for a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<super::schemas::SourceTried>>)]
    sources_tried: Option<Value>,
    /// The results for several inputs, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    results: Option<Vec<LookupReply>>,
    /// `{error, message}`: why one of several has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<super::schemas::ItemFailure>)]
    error: Option<Value>,
    /// Each `{code, message}`: `shorter_doi`, `found_on_page`, `page_not_fetched`, `page_lacks`.
    #[schema(value_type = Vec<super::schemas::CodedMessage>)]
    notices: Vec<Value>,
}

/// How a work was found, for our own pages.
enum FoundBy {
    /// By another identifier than the given one, with the code of the notice.
    By(&'static str, String),
    /// Not found: the page could not be read.
    Unread,
}

impl LookupReply {
    fn of(input: &Input) -> LookupReply {
        LookupReply {
            taken_for: input.kind(),
            looked_up: input.to_string(),
            ..LookupReply::default()
        }
    }

    fn with_work(mut self, context: &RequestContext, work: &Work) -> LookupReply {
        self.metadata = json!(lookup::metadata(context, work));
        self.item = Some(work.item.clone());
        self
    }

    fn found_by(
        mut self,
        identifier: &Identifier,
        code: &'static str,
        message: String,
    ) -> LookupReply {
        self.found_how = Some(FoundBy::By(code, identifier.to_string()));
        let found_by = json!({"kind": identifier.kind(), "value": identifier.as_str()});
        self.found_by = Some(found_by);
        self.with_notice(code, message)
    }

    fn with_notice(mut self, code: &str, message: String) -> LookupReply {
        self.notices.push(json!({"code": code, "message": message}));
        self
    }
}

/// The result for a text, for our own pages.
pub enum LookupResult {
    /// One work.
    Work {
        metadata: Value,
        item: Box<Item>,
        /// The identifier that found it, if it differs from the given one, and the notice's code.
        found_by: Option<(&'static str, String)>,
    },
    /// A page that could not be read: an entry to be filled in.
    Unread { metadata: Value, item: Box<Item> },
    /// Candidates, best first.
    Candidates(Vec<Candidate>),
    /// Unknown to the sources asked.
    Nothing(Vec<SourceResult>),
}

impl LookupResult {
    pub fn of_work(work: &Work) -> LookupResult {
        LookupResult::Work {
            metadata: json!(CitationMetadata::of_work(work)),
            item: Box::new(work.item.clone()),
            found_by: None,
        }
    }
}

/// Looks up one identifier or address, or searches for a text. Costs a lookup, like the route.
pub fn meaning(
    context: &RequestContext,
    given: &str,
    input: &Input,
) -> Result<LookupResult, ApiError> {
    reverse::check_text(context, "/query", given)?;
    if let Input::Text(text) = input {
        let found = reverse::search(context, text, None, SearchScope::Everywhere)?;
        if found.candidates.is_empty() {
            return Ok(LookupResult::Nothing(found.tried));
        }
        let candidates = found.candidates.into_iter();
        let candidates = candidates.map(|(_, candidate)| candidate).collect();
        return Ok(LookupResult::Candidates(candidates));
    }
    let reply = match answer(context, input, given, SearchScope::Everywhere, "/query")? {
        Ok(reply) => reply,
        Err(missing) => return Ok(LookupResult::Nothing(missing.tried)),
    };
    let (metadata, item) = (reply.metadata, Box::new(reply.item.unwrap_or_default()));
    Ok(match reply.found_how {
        Some(FoundBy::Unread) => LookupResult::Unread { metadata, item },
        Some(FoundBy::By(code, identifier)) => LookupResult::Work {
            metadata,
            item,
            found_by: Some((code, identifier)),
        },
        None => LookupResult::Work {
            metadata,
            item,
            found_by: None,
        },
    })
}

/// An identifier that no source knows.
struct Missing {
    identifier: Identifier,
    tried: Vec<SourceResult>,
}

impl From<Missing> for ApiError {
    fn from(missing: Missing) -> ApiError {
        lookup::not_found(&missing.identifier, &missing.tried)
    }
}

/// `POST /api/v1/lookup`.
pub fn any(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: LookupRequest = context.json()?;
    reverse::check_text(context, "/query", &request.query)?;
    let scope = scope_of(request.local_only);
    let input = Input::parse(&request.query);
    let Input::Several(inputs) = &input else {
        let reply = answer(context, &input, &request.query, scope, "/query")??;
        return Ok(Reply::json(&reply));
    };
    if inputs.len() > MOST_INPUTS {
        let message = format!("contains more than {MOST_INPUTS} identifiers; send them as a batch");
        return Err(ApiError::invalid_field("/query", message));
    }
    let mut results = Vec::with_capacity(inputs.len());
    let mut exhausted = None;
    for input in inputs {
        context.budget.check()?;
        let given = input.to_string();
        let found = answer(context, input, &given, scope, "/query");
        results.push(match found.and_then(|found| Ok(found?)) {
            Ok(reply) => reply,
            Err(error) => {
                let failure = json!({"error": error.code.as_str(), "message": error.message});
                if error.code == Code::QuotaExhausted {
                    exhausted = Some(error);
                }
                LookupReply {
                    error: Some(failure),
                    ..LookupReply::of(input)
                }
            }
        });
    }
    // Nothing was looked up, and later it can be.
    if let Some(exhausted) = exhausted
        && results.iter().all(|result| result.error.is_some())
    {
        return Err(exhausted);
    }
    Ok(Reply::json(&LookupReply {
        results: Some(results),
        ..LookupReply::of(&input)
    }))
}

/// `POST /api/v1/lookup/url`.
pub fn url(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: UrlRequest = context.json()?;
    reverse::check_text(context, "/url", &request.url)?;
    let Some(page) = address::page(&request.url) else {
        return Err(ApiError::invalid_field(
            "/url",
            "is not the address of a page",
        ));
    };
    let identifier = Identifier::parse(&request.url).ok();
    let input = identifier.map_or(Input::Url(page), Input::Identifier);
    let scope = scope_of(request.local_only);
    let reply = match (&input, &request.html) {
        (Input::Url(address), Some(html)) => gate::charge(context, || {
            let outcome = page_lookup(context, &context.job).look_up_html(html, address);
            page_reply(context, outcome, LookupReply::of(&input))
        })??,
        _ => answer(context, &input, &request.url, scope, "/url")??,
    };
    Ok(Reply::json(&reply))
}

fn scope_of(local_only: bool) -> SearchScope {
    match local_only {
        true => SearchScope::LocalOnly,
        false => SearchScope::Everywhere,
    }
}

/// Looks up one input.
fn answer(
    context: &RequestContext,
    input: &Input,
    given: &str,
    scope: SearchScope,
    pointer: &'static str,
) -> Result<Result<LookupReply, Missing>, ApiError> {
    let reply = LookupReply::of(input);
    match input {
        Input::Identifier(identifier) => {
            let page = identifier.page().or_else(|| address::page(given));
            find(context, identifier, page, scope, reply)
        }
        Input::Url(address) => {
            gate::charge(context, || read_page(context, address, scope, reply))?.map(Ok)
        }
        Input::Mistyped(fault) => Err(mistyped(pointer, given, fault)),
        Input::Text(text) => search(context, text, scope, reply).map(Ok),
        Input::Several(_) => Err(ApiError::invalid_field(pointer, "contains several of them")),
    }
}

fn mistyped(pointer: &'static str, given: &str, fault: &IdentifierError) -> ApiError {
    lookup::invalid(Code::InvalidIsbn, pointer, given, fault)
}

/// Looks up an identifier, like the lookups of one kind; if no source has the work, reads the page
/// that the identifier was taken from.
fn find(
    context: &RequestContext,
    identifier: &Identifier,
    page: Option<String>,
    scope: SearchScope,
    reply: LookupReply,
) -> Result<Result<LookupReply, Missing>, ApiError> {
    let known = lookup::local(context, identifier)?;
    if let Some(own) = known.as_ref().and_then(Resolution::own) {
        return Ok(Ok(reply.with_work(context, own)));
    }
    gate::charge(context, || {
        let resolution = match (known, scope) {
            (Some(known), _) => known,
            (None, SearchScope::LocalOnly) => Resolution::unknown(),
            (None, SearchScope::Everywhere) => {
                match context.app.lookup.ask(identifier, &context.job) {
                    Ok(resolution) => resolution,
                    Err(cause) => return Charge::Free(Err(lookup::failed(cause))),
                }
            }
        };
        if let Some(work) = &resolution.work {
            let reply = reply.with_work(context, work);
            return Charge::Lookup(Ok(Ok(match &resolution.found_by {
                Some(shorter) => reply.found_by(
                    shorter,
                    "shorter_doi",
                    format!("{identifier} is unknown; this is {shorter}."),
                ),
                None => reply,
            })));
        }
        let missing = || {
            Ok(Err(Missing {
                identifier: identifier.clone(),
                tried: resolution.tried.clone(),
            }))
        };
        let Some(page) = page else {
            return Charge::Lookup(missing());
        };
        match read_page(context, &page, scope, reply) {
            Charge::Lookup(answer) => Charge::Lookup(answer.map(Ok)),
            // Only the address is known of works without a source.
            Charge::Free(answer) if identifier.page().is_some() => Charge::Free(answer.map(Ok)),
            Charge::Free(_) => Charge::Lookup(missing()),
        }
    })?
}

/// A lookup of a page for the caller, in the worker slot of a job.
pub fn page_lookup<'a>(context: &'a RequestContext, job: &'a Job) -> PageLookup<'a> {
    PageLookup {
        resolver: &context.app.lookup,
        pages: context.app.pages.as_ref(),
        user: context.caller.user(),
        now: context.app.clock.unix(),
        job,
    }
}

/// Reads the page at an address. Free if it is not read.
fn read_page(
    context: &RequestContext,
    address: &str,
    scope: SearchScope,
    reply: LookupReply,
) -> Charge<Result<LookupReply, ApiError>> {
    let mut lookup = page_lookup(context, &context.job);
    lookup.pages = lookup.pages.filter(|_| scope == SearchScope::Everywhere);
    let outcome = lookup.look_up(address);
    page_reply(context, outcome, reply)
}

/// The result of a page, as a reply.
fn page_reply(
    context: &RequestContext,
    outcome: Result<PageOutcome, LookupError>,
    reply: LookupReply,
) -> Charge<Result<LookupReply, ApiError>> {
    match outcome {
        Err(cause) => Charge::Free(Err(lookup::failed(cause))),
        Ok(PageOutcome::Named {
            identifier,
            resolution,
        }) => {
            let own = resolution.own().is_some();
            let message = format!("The page is about {identifier}, which was looked up.");
            let reply = match &resolution.work {
                Some(work) => reply.with_work(context, work),
                None => reply,
            };
            let named = resolution.found_by.as_ref().unwrap_or(&identifier);
            Charge::new(Ok(reply.found_by(named, "found_on_page", message)), !own)
        }
        Ok(PageOutcome::Read { work, missing }) => {
            let reply = reply.with_work(context, &work);
            let lacking: Vec<&str> = missing.iter().map(|fact| fact.as_str()).collect();
            Charge::Lookup(Ok(match lacking.is_empty() {
                true => reply,
                false => {
                    let message = format!("The page lacks: {}.", lacking.join(", "));
                    reply.with_notice("page_lacks", message)
                }
            }))
        }
        Ok(PageOutcome::Unread { work, reason }) => {
            let message = format!("The page {reason}; fill in the metadata manually.");
            let reply = LookupReply {
                found_how: Some(FoundBy::Unread),
                ..reply.with_work(context, &work)
            };
            Charge::Free(Ok(reply.with_notice("page_not_fetched", message)))
        }
    }
}

/// Searches for a text as a reverse lookup does.
fn search(
    context: &RequestContext,
    text: &str,
    scope: SearchScope,
    mut reply: LookupReply,
) -> Result<LookupReply, ApiError> {
    let found = reverse::search(context, text, None, scope)?;
    let sure =
        |(_, candidate): &&(usize, Candidate)| reverse::rounded(candidate.score) >= score::ACCEPTED;
    reply.candidates = Some(json!(found.replies()));
    reply.sources_tried = Some(lookup::tried_list(&found.tried));
    Ok(match found.candidates.first().filter(sure) {
        Some((_, best)) => reply.with_work(context, &best.work),
        None => reply,
    })
}

const CODES: [Code; 7] = [
    Code::ValidationFailed,
    Code::InvalidIsbn,
    Code::WorkNotFound,
    Code::QuotaExhausted,
    Code::UpstreamError,
    Code::UpstreamTimeout,
    Code::ServiceUnavailable,
];

pub fn any_operation() -> Operation {
    Operation::new("lookup", "lookup", "Look up anything: an identifier, an address, a text")
        .describe(
            "Accepts any pasted text and reports how it was interpreted. Identifiers of every kind are accepted in \
             any spelling, and so are addresses of pages about one work; if a DOI is \
             unknown, it is retried without a possible suffix. Any other \
             address is handled like the lookup by address. Several identifiers are \
             answered one by one, at most 20, and a text like a reverse lookup. Costs one lookup for each.",
        )
        .query("include", "`abstract` adds the abstract, if known.")
        .body::<LookupRequest>()
        .reply::<LookupReply>(200, "The result.")
        .codes(&CODES)
}

pub fn url_operation() -> Operation {
    Operation::new("lookup_url", "lookup", "Look up the work of a web page, or the page as a work")
        .describe(
            "If the address contains an identifier, that is looked up. Otherwise the page is fetched once, \
             only from the open internet, and its metadata is read; a DOI, PubMed id or ISBN \
             there is looked up and returned. A page that the caller has loaded can be sent \
             as `html` and is read instead. Tracking parameters are removed from the \
             address, and today is the day of access. If the page cannot be fetched, the answer says so \
             in `notices` and contains a web page entry to fill in. Costs one lookup; a page that \
             could not be read is free.",
        )
        .query("include", "`abstract` adds the abstract, if known.")
        .body::<UrlRequest>()
        .reply::<LookupReply>(200, "The result.")
        .codes(&CODES)
}
