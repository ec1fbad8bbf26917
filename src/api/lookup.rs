//! `POST /api/v1/lookup/doi` and `/lookup/isbn`: an identifier becomes metadata.

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::call::Call;
use super::error::{ApiError, Code};
use super::gate;
use super::operation::Operation;
use super::reply::Reply;
use crate::exchange::metadata::CitationMetadata;
use crate::lookup::resolve::{LookupError, Resolution, Tried};
use crate::model::identifier::{Doi, Identifier, IdentifierError, Isbn, ShortDoi};
use crate::model::work::Work;
use crate::provider::ProviderErrorKind;
use crate::quota::Priced;

/// The body of a DOI lookup.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DoiRequest {
    /// Bare, with `doi:`, or any address that holds it; a shortDOI too. At most 256 characters.
    #[schema(example = "10.1038/171737a0", min_length = 1)]
    doi: String,
}

/// The body of an ISBN lookup.
#[derive(Debug, Deserialize, ToSchema)]
pub struct IsbnRequest {
    /// 10 or 13 digits, with or without hyphens. At most 256 characters.
    #[schema(example = "978-0-19-852663-6", min_length = 1)]
    isbn: String,
}

/// `POST /api/v1/lookup/doi`.
pub fn doi(call: &Call) -> Result<Reply, ApiError> {
    let request: DoiRequest = call.json()?;
    let identifier = read_doi(call, &request.doi)?;
    find(call, &identifier, |work| Ok(metadata_reply(call, work)))
}

/// `POST /api/v1/lookup/isbn`.
pub fn isbn(call: &Call) -> Result<Reply, ApiError> {
    let request: IsbnRequest = call.json()?;
    let identifier = read_isbn(call, &request.isbn)?;
    find(call, &identifier, |work| Ok(metadata_reply(call, work)))
}

/// `POST /api/v1/lookup/doi`, where the work lies here.
pub fn doi_at_once(call: &Call) -> Result<Option<Reply>, ApiError> {
    let request: DoiRequest = call.json()?;
    let identifier = read_doi(call, &request.doi)?;
    find_at_once(call, &identifier)
}

/// `POST /api/v1/lookup/isbn`, where the book lies here.
pub fn isbn_at_once(call: &Call) -> Result<Option<Reply>, ApiError> {
    let request: IsbnRequest = call.json()?;
    let identifier = read_isbn(call, &request.isbn)?;
    find_at_once(call, &identifier)
}

fn find_at_once(call: &Call, identifier: &Identifier) -> Result<Option<Reply>, ApiError> {
    let app = &call.app;
    if !app.store.is_reader_free() || !app.quota.is_at_hand(call.caller.subject()) {
        return Ok(None);
    }
    let Some(known) = local(call, identifier)? else {
        return Ok(None);
    };
    let make = |work: &Work| Ok(metadata_reply(call, work));
    charge(call, identifier, Some(known), make).map(Some)
}

/// Finds the work and makes of it what is asked for. Costs a lookup where the work is found or
/// definitely unknown; what is in one of the caller's collections is free.
pub fn find<T>(
    call: &Call,
    identifier: &Identifier,
    make: impl FnOnce(&Work) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let known = local(call, identifier)?;
    charge(call, identifier, known, make)
}

/// What lies here: the caller's own entry, or the corpus's record.
pub fn local(call: &Call, identifier: &Identifier) -> Result<Option<Resolution>, ApiError> {
    let found = call.app.lookup.local(call.caller.user(), identifier);
    found.map_err(failed)
}

fn charge<T>(
    call: &Call,
    identifier: &Identifier,
    known: Option<Resolution>,
    make: impl FnOnce(&Work) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    if let Some(own) = known.as_ref().and_then(Resolution::own) {
        return make(own);
    }
    gate::charge(call, || {
        let resolution = match known {
            Some(known) => Ok(known),
            None => call.app.lookup.ask(identifier, &call.job),
        };
        match resolution {
            Ok(Resolution {
                work: Some(work), ..
            }) => {
                let made = make(&work);
                let costs = made.is_ok();
                Priced::new(made, costs)
            }
            Ok(missing) => Priced::Lookup(Err(not_found(identifier, &missing.tried))),
            Err(cause) => Priced::Free(Err(failed(cause))),
        }
    })?
}

fn metadata_reply(call: &Call, work: &Work) -> Reply {
    let with_abstract = call.query.get("include") == Some("abstract");
    let metadata = CitationMetadata::of_work(work).with_abstract(with_abstract);
    Reply::json(&metadata)
}

/// Reads a DOI or a shortDOI.
pub fn read_doi(call: &Call, text: &str) -> Result<Identifier, ApiError> {
    check_length(call, "/doi", text)?;
    if let Ok(short) = ShortDoi::parse(text) {
        return Ok(Identifier::ShortDoi(short));
    }
    Doi::parse(text)
        .map(Identifier::Doi)
        .map_err(|fault| invalid(Code::InvalidDoi, "/doi", text, &fault))
}

pub fn read_isbn(call: &Call, text: &str) -> Result<Identifier, ApiError> {
    check_length(call, "/isbn", text)?;
    Isbn::parse(text)
        .map(Identifier::Isbn)
        .map_err(|fault| invalid(Code::InvalidIsbn, "/isbn", text, &fault))
}

fn check_length(call: &Call, pointer: &str, text: &str) -> Result<(), ApiError> {
    let limit = call.app.config.limits.identifier_chars as usize;
    if text.chars().count() <= limit {
        return Ok(());
    }
    let message = format!("is longer than {limit} characters, which no identifier is");
    Err(ApiError::invalid_field(pointer, message))
}

fn invalid(code: Code, pointer: &str, input: &str, fault: &IdentifierError) -> ApiError {
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

fn not_found(identifier: &Identifier, tried: &[Tried]) -> ApiError {
    let sources: Vec<&str> = tried.iter().map(|t| t.source).collect();
    ApiError::new(
        Code::WorkNotFound,
        format!(
            "No work with this identifier is in the sources searched: {}.",
            sources.join(", ")
        ),
    )
    .with("identifier", identifier.as_str())
    .with("sources_tried", tried_list(tried))
}

/// `[{source, outcome}]`.
pub fn tried_list(tried: &[Tried]) -> Value {
    let list: Vec<Value> = tried
        .iter()
        .map(|t| json!({"source": t.source, "outcome": t.outcome.as_str()}))
        .collect();
    Value::Array(list)
}

/// The sources as the header `Sources-Tried`: `local=not_found, crossref=timeout`, a dictionary of
/// tokens (RFC 9651). A source that was asked several times stands with its last answer.
pub fn tried_header<'t>(tried: impl Iterator<Item = &'t Tried>) -> String {
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

/// Turns a lookup that came to no answer into a reply: time-outs, bad answers and resting
/// providers differ, and none of them says that the work does not exist.
pub fn failed(error: LookupError) -> ApiError {
    let (cause, tried) = match error {
        LookupError::Corpus(cause) => return ApiError::internal(cause),
        LookupError::Provider { cause, tried } => (cause, tried),
    };
    let name = cause.provider;
    let error = match &cause.kind {
        ProviderErrorKind::Timeout { after_ms } => ApiError::new(
            Code::UpstreamTimeout,
            format!("{name} did not answer in time, so it is not known whether the work exists; try again."),
        )
        .with("timeout_ms", *after_ms),
        ProviderErrorKind::CircuitOpen { retry_after } => ApiError::new(
            Code::ServiceUnavailable,
            format!("{name} has failed repeatedly and is given a rest; try again later."),
        )
        .retry_after(retry_after.as_secs()),
        ProviderErrorKind::Busy => ApiError::new(
            Code::ServiceUnavailable,
            format!("As much is being asked of {name} as is allowed; try again in a moment."),
        )
        .retry_after(1),
        ProviderErrorKind::RateLimited { retry_after } => {
            let error = ApiError::new(
                Code::UpstreamError,
                format!("{name} asks to be left alone for a while; try again later."),
            );
            match retry_after {
                Some(wait) => error.retry_after(wait.as_secs()),
                None => error,
            }
        }
        _ => ApiError::new(
            Code::UpstreamError,
            format!("{name} did not give a usable answer, so it is not known whether the work exists; try again later."),
        ),
    };
    error
        .with("source", name)
        .with("sources_tried", tried_list(&tried))
}

const LOOKUP_CODES: [Code; 6] = [
    Code::ValidationFailed,
    Code::WorkNotFound,
    Code::QuotaExhausted,
    Code::UpstreamError,
    Code::UpstreamTimeout,
    Code::ServiceUnavailable,
];

/// What a lookup costs, for the documentation.
const COST: &str = "What the caller has in a collection is given as it stands there, for nothing. \
                    Else the local corpus is asked first, then the providers in turn. Costs one \
                    lookup when the work is found or definitely unknown; bad input and failing \
                    providers cost nothing.";

pub fn doi_operation() -> Operation {
    Operation::new(
        "lookup_doi",
        "lookup",
        "Metadata of the work that a DOI names",
    )
    .describe(COST)
    .query(
        "include",
        "`abstract` to have the abstract too, where one is known.",
    )
    .body::<DoiRequest>()
    .reply::<CitationMetadata<'static>>(200, "The work.")
    .codes(&LOOKUP_CODES)
    .codes(&[Code::InvalidDoi])
}

pub fn isbn_operation() -> Operation {
    Operation::new(
        "lookup_isbn",
        "lookup",
        "Metadata of the book that an ISBN names",
    )
    .describe(COST)
    .query(
        "include",
        "`abstract` to have the abstract too, where one is known.",
    )
    .body::<IsbnRequest>()
    .reply::<CitationMetadata<'static>>(200, "The book.")
    .codes(&LOOKUP_CODES)
    .codes(&[Code::InvalidIsbn])
}
