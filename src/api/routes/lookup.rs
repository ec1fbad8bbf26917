//! `POST /api/v1/lookup/doi` and `/lookup/isbn`: metadata of an identifier.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::lookup::resolve::{LookupError, Resolution, SourceResult};
use crate::provider::ProviderErrorKind;
use crate::quota::Charge;
use citation_exchange::metadata::CitationMetadata;
use citation_model::access::TextAccess;
use citation_model::identifier::address::is_address;
use citation_model::identifier::{Doi, Identifier, IdentifierError, Isbn, percent_encode_path};
use citation_model::work::Work;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/lookup/doi", Action::Lookup, doi)
            .at_once(doi_at_once)
            .documented(doi_operation),
        route::post("/api/v1/lookup/isbn", Action::Lookup, isbn)
            .at_once(isbn_at_once)
            .documented(isbn_operation),
    ]
}

/// The request body of a DOI lookup.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DoiRequest {
    /// Bare, with `doi:`, or any address that contains it; also a shortDOI. At most 256 characters.
    #[schema(example = "10.1038/171737a0", min_length = 1)]
    doi: String,
}

/// The request body of an ISBN lookup.
#[derive(Debug, Deserialize, ToSchema)]
pub struct IsbnRequest {
    /// 10 or 13 digits, with or without hyphens. At most 256 characters.
    #[schema(example = "978-0-19-852663-6", min_length = 1)]
    isbn: String,
}

/// A source that was asked, and its outcome.
#[derive(Serialize, ToSchema)]
pub struct SourceTried {
    source: &'static str,
    /// `found`, `not_found`, `timeout`, or another reason for a missing answer.
    outcome: &'static str,
}

/// An identifier, in its canonical form.
#[derive(Serialize, ToSchema)]
pub struct IdentifierFound {
    kind: &'static str,
    value: String,
}

impl IdentifierFound {
    pub fn of(identifier: &Identifier) -> IdentifierFound {
        IdentifierFound {
            kind: identifier.kind(),
            value: identifier.as_str().to_owned(),
        }
    }
}

/// A code and a sentence.
#[derive(Serialize, ToSchema)]
pub struct CodedMessage {
    pub code: &'static str,
    pub message: String,
}

/// Why one of several has no answer.
#[derive(Serialize, ToSchema)]
pub struct ItemFailure {
    /// An error code.
    error: &'static str,
    pub message: String,
}

impl ItemFailure {
    pub fn of(error: &ApiError) -> ItemFailure {
        ItemFailure {
            error: error.code.as_str(),
            message: error.message.clone(),
        }
    }
}

/// `POST /api/v1/lookup/doi`.
pub fn doi(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: DoiRequest = context.json()?;
    let identifier = read_doi(context, &request.doi)?;
    find(context, &identifier, |work, found_by| {
        Ok(metadata_reply(context, work, found_by))
    })
}

/// `POST /api/v1/lookup/isbn`.
pub fn isbn(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: IsbnRequest = context.json()?;
    let identifier = read_isbn(context, &request.isbn)?;
    find(context, &identifier, |work, found_by| {
        Ok(metadata_reply(context, work, found_by))
    })
}

/// `POST /api/v1/lookup/doi`, for local works.
pub fn doi_at_once(context: &RequestContext) -> Result<Option<Reply>, ApiError> {
    let request: DoiRequest = context.json()?;
    let identifier = read_doi(context, &request.doi)?;
    let make =
        |work: &Work, found_by: Option<&Identifier>| Ok(metadata_reply(context, work, found_by));
    find_at_once(context, &identifier, make)
}

/// `POST /api/v1/lookup/isbn`, for local books.
pub fn isbn_at_once(context: &RequestContext) -> Result<Option<Reply>, ApiError> {
    let request: IsbnRequest = context.json()?;
    let identifier = read_isbn(context, &request.isbn)?;
    let make =
        |work: &Work, found_by: Option<&Identifier>| Ok(metadata_reply(context, work, found_by));
    find_at_once(context, &identifier, make)
}

/// Like [`find`], for local works that need no waiting; else `None`.
pub fn find_at_once<T>(
    context: &RequestContext,
    identifier: &Identifier,
    make: impl FnOnce(&Work, Option<&Identifier>) -> Result<T, ApiError>,
) -> Result<Option<T>, ApiError> {
    let app = &context.app;
    let is_quick = app.store.is_reader_free() && app.quota.is_cached(&context.caller.payer());
    if !is_quick || includes(context, OPEN_ACCESS) {
        return Ok(None);
    }
    let Some(known) = local(context, identifier)? else {
        return Ok(None);
    };
    let found = charge(context, identifier, Some(known), make)?;
    known_work(identifier, found).map(Some)
}

/// Finds the work and builds the reply; returns also the identifier that found it,
/// if it differs from the requested one. Costs a lookup if the work is found or
/// definitely unknown; works in the caller's collections are free, and local ones with
/// `quota.local_works_free`.
pub fn find<T>(
    context: &RequestContext,
    identifier: &Identifier,
    make: impl FnOnce(&Work, Option<&Identifier>) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    known_work(identifier, ask(context, identifier, make)?)
}

/// Like [`find`], for a DOI in a path. There a `?` or `#` was encoded, so it belongs to the DOI, and the work
/// of the DOI before it is another one.
pub fn find_of_path<T>(
    context: &RequestContext,
    identifier: &Identifier,
    make: impl FnOnce(&Work) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let is_whole = identifier.as_str().contains(QUERY_MARKS);
    find(context, identifier, |work, found_by| match found_by {
        Some(_) if is_whole => Err(not_found(identifier, &Resolution::unknown().tried)),
        _ => make(work),
    })
}

/// The same, with the sources asked if none has the work.
pub fn ask<T>(
    context: &RequestContext,
    identifier: &Identifier,
    make: impl FnOnce(&Work, Option<&Identifier>) -> Result<T, ApiError>,
) -> Result<Result<T, Vec<SourceResult>>, ApiError> {
    let known = local(context, identifier)?;
    charge(context, identifier, known, make)
}

fn known_work<T>(
    identifier: &Identifier,
    found: Result<T, Vec<SourceResult>>,
) -> Result<T, ApiError> {
    found.map_err(|tried| not_found(identifier, &tried))
}

/// The local work: the caller's own entry, or the corpus's record.
pub fn local(
    context: &RequestContext,
    identifier: &Identifier,
) -> Result<Option<Resolution>, ApiError> {
    let found = context.app.lookup.local(context.scope(false), identifier);
    found.map_err(failed)
}

fn charge<T>(
    context: &RequestContext,
    identifier: &Identifier,
    known: Option<Resolution>,
    make: impl FnOnce(&Work, Option<&Identifier>) -> Result<T, ApiError>,
) -> Result<Result<T, Vec<SourceResult>>, ApiError> {
    if let Some(free) = known.as_ref().and_then(Resolution::free) {
        return make(free, None).map(Ok);
    }
    gate::charge(context, || {
        let resolution = match known {
            Some(known) => Ok(known),
            None => context.app.lookup.ask(identifier, &context.job),
        };
        match resolution {
            Ok(Resolution {
                work: Some(work),
                found_by,
                ..
            }) => {
                let made = make(&work, found_by.as_ref()).map(Ok);
                let costs = made.is_ok();
                Charge::new(made, costs)
            }
            Ok(missing) => Charge::Lookup(Ok(Err(missing.tried))),
            Err(cause) => Charge::Free(Err(failed(cause))),
        }
    })?
}

/// Adds `Content-Location` to a work found by a shorter form of the DOI.
fn metadata_reply(context: &RequestContext, work: &Work, found_by: Option<&Identifier>) -> Reply {
    let reply = Reply::json(&metadata(context, work, false));
    match found_by {
        Some(identifier) => {
            let path = percent_encode_path(identifier.as_str());
            reply.with_header("content-location", format!("/api/v1/works/{path}"))
        }
        None => reply,
    }
}

/// What a caller may request beside the fields of a work, for the documentation.
pub const INCLUDE: &str = "`abstract` adds the abstract, if known; `open_access` the ways to the text \
                           (`open_access`, `library_url`). Several are separated by commas.";

/// The value of `include` for the ways to the text.
const OPEN_ACCESS: &str = "open_access";

/// The metadata of a work, with its abstract and the ways to its text if requested.
pub fn metadata<'w>(
    context: &RequestContext,
    work: &'w Work,
    local_only: bool,
) -> CitationMetadata<'w> {
    CitationMetadata::of_work(work)
        .with_abstract(includes(context, "abstract"))
        .with_access(access(context, work, local_only))
}

/// Whether the caller requests a part that is mostly left out.
fn includes(context: &RequestContext, part: &str) -> bool {
    let wanted = context.query.get("include").unwrap_or_default();
    wanted.split(',').any(|wanted| wanted.trim() == part)
}

/// The ways to the text, if requested. A work is found even if they cannot be read.
fn access(context: &RequestContext, work: &Work, local_only: bool) -> Option<TextAccess> {
    if !includes(context, OPEN_ACCESS) {
        return None;
    }
    let lookup = &context.app.lookup;
    let found = lookup.access_or_ask(work, context.scope(local_only), &context.job);
    Some(found.unwrap_or_else(|cause| {
        tracing::error!(%cause, "the ways to a text cannot be read");
        TextAccess::default()
    }))
}

/// Parses a DOI or a shortDOI.
pub fn read_doi(context: &RequestContext, text: &str) -> Result<Identifier, ApiError> {
    check_length(context, "/doi", text)?;
    match Identifier::parse(text) {
        // arXiv ids have DOIs, and an address may contain one.
        Ok(identifier @ (Identifier::Doi(_) | Identifier::ShortDoi(_))) => return Ok(identifier),
        Ok(Identifier::Arxiv(id)) if is_address(text) => return Ok(Identifier::Doi(id.doi())),
        _ => {}
    }
    Doi::parse(text)
        .map(Identifier::Doi)
        .map_err(|fault| invalid(Code::InvalidDoi, "/doi", text, &fault))
}

/// Marks that end the path of an address unless they are encoded.
const QUERY_MARKS: [char; 2] = ['?', '#'];

/// Parses a DOI in a path, whose parts are decoded.
pub fn read_doi_of_path(context: &RequestContext, text: &str) -> Result<Identifier, ApiError> {
    // In an address these marks would start its query.
    if is_address(text) && text.contains(QUERY_MARKS) {
        read_doi(context, &text.replace('?', "%3F").replace('#', "%23"))
    } else {
        read_doi(context, text)
    }
}

pub fn read_isbn(context: &RequestContext, text: &str) -> Result<Identifier, ApiError> {
    check_length(context, "/isbn", text)?;
    if let Ok(isbn @ Identifier::Isbn(_)) = Identifier::parse(text) {
        return Ok(isbn);
    }
    Isbn::parse(text)
        .map(Identifier::Isbn)
        .map_err(|fault| invalid(Code::InvalidIsbn, "/isbn", text, &fault))
}

fn check_length(context: &RequestContext, pointer: &str, text: &str) -> Result<(), ApiError> {
    let limit = context.app.config.limits.identifier_chars as usize;
    if text.chars().count() <= limit {
        return Ok(());
    }
    let message = format!("is longer than {limit} characters, so it is not an identifier");
    Err(ApiError::invalid_field(pointer, message))
}

pub fn invalid(code: Code, pointer: &str, input: &str, fault: &IdentifierError) -> ApiError {
    let input: String = input.chars().take(256).collect();
    let mut message = fault.to_string();
    message.push('.');
    let error = ApiError::new(code, message)
        .with("field", pointer)
        .with("input", input);
    match fault {
        IdentifierError::Shape { .. } => error
            .with("normalized", Value::Null)
            .with("suggestion", Value::Null),
        IdentifierError::CheckDigit {
            normalized,
            suggestion,
            ..
        } => error
            .with("normalized", normalized.as_str())
            .with("suggestion", suggestion.as_str()),
    }
}

pub fn not_found(identifier: &Identifier, tried: &[SourceResult]) -> ApiError {
    let sources: Vec<&str> = tried.iter().map(|t| t.source).collect();
    ApiError::new(
        Code::WorkNotFound,
        format!(
            "No source searched has a work with this identifier: {}.",
            sources.join(", ")
        ),
    )
    .with("identifier", identifier.as_str())
    .with("sources_tried", json!(tried_list(tried)))
}

/// The sources and their outcomes, in the order of the requests.
pub fn tried_list(tried: &[SourceResult]) -> Vec<SourceTried> {
    let list = tried.iter().map(|tried| SourceTried {
        source: tried.source,
        outcome: tried.outcome.as_str(),
    });
    list.collect()
}

/// The sources as the header `Sources-Tried`: `local=not_found, crossref=timeout`, a dictionary of
/// tokens (RFC 9651). A source that was asked several times has its last answer.
pub fn tried_header(tried: &[SourceResult]) -> String {
    let mut list: Vec<(&str, &str)> = Vec::new();
    for tried in tried {
        list.retain(|(source, _)| *source != tried.source);
        list.push((tried.source, tried.outcome.as_str()));
    }
    let list: Vec<String> = list
        .into_iter()
        .map(|(source, outcome)| format!("{source}={outcome}"))
        .collect();
    list.join(", ")
}

/// Maps a failed lookup to an error: time-outs, unusable answers and paused
/// providers differ, and none of them means that the work does not exist.
pub fn failed(error: LookupError) -> ApiError {
    let (cause, tried) = match error {
        LookupError::Corpus(cause) => return ApiError::internal(cause),
        LookupError::TooComplex(cause) => return cause.into(),
        LookupError::Provider { cause, tried } => (cause, tried),
    };
    let name = cause.provider;
    let error = match &cause.kind {
        ProviderErrorKind::Timeout { after_ms } => ApiError::new(
            Code::UpstreamTimeout,
            format!("{name} did not answer in time, so the work may exist; try again."),
        )
        .with("timeout_ms", *after_ms),
        ProviderErrorKind::CircuitOpen { retry_after } => ApiError::new(
            Code::ServiceUnavailable,
            format!("{name} has failed repeatedly and is not asked for now; try again later."),
        )
        .retry_after(retry_after.as_secs()),
        ProviderErrorKind::Busy => ApiError::new(
            Code::ServiceUnavailable,
            format!("The limit of requests to {name} is reached; try again in a moment."),
        )
        .retry_after(1),
        ProviderErrorKind::RateLimited { retry_after } => {
            let error = ApiError::new(
                Code::UpstreamError,
                format!("{name} limits requests; try again later."),
            );
            match retry_after {
                Some(wait) => error.retry_after(wait.as_secs()),
                None => error,
            }
        }
        _ => ApiError::new(
            Code::UpstreamError,
            format!(
                "{name} did not return a usable answer, so the work may exist; try again later."
            ),
        ),
    };
    error
        .with("source", name)
        .with("sources_tried", json!(tried_list(&tried)))
}

const LOOKUP_CODES: [Code; 6] = [
    Code::ValidationFailed,
    Code::WorkNotFound,
    Code::QuotaExhausted,
    Code::UpstreamError,
    Code::UpstreamTimeout,
    Code::ServiceUnavailable,
];

/// The cost of a lookup, for the documentation.
const COST: &str = "The caller's own entry is returned unchanged, for free. \
                    Otherwise the local corpus is asked first, then the providers in turn. Costs one \
                    lookup if the work is found or definitely unknown; invalid input and failing \
                    providers are free.";

pub fn doi_operation() -> Operation {
    Operation::new("lookup_doi", "lookup", "Look up a work by DOI")
        .describe(COST)
        .query("include", INCLUDE)
        .body::<DoiRequest>()
        .reply::<CitationMetadata<'static>>(200, "The work.")
        .codes(&LOOKUP_CODES)
        .codes(&[Code::InvalidDoi])
}

pub fn isbn_operation() -> Operation {
    Operation::new("lookup_isbn", "lookup", "Look up a book by ISBN")
        .describe(COST)
        .query("include", INCLUDE)
        .body::<IsbnRequest>()
        .reply::<CitationMetadata<'static>>(200, "The book.")
        .codes(&LOOKUP_CODES)
        .codes(&[Code::InvalidIsbn])
}
