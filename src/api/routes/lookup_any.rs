//! `POST /api/v1/lookup` and `/lookup/url`: metadata for any identifier, address or text.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::lookup::{self, CodedMessage, IdentifierFound, ItemFailure, SourceTried};
use super::reverse::{self, ReverseLookupCandidate};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::lookup::input::{Answer, BegunLookup, FoundBy, FoundWork, Missing, TextSearch};
use crate::lookup::resolve::LookupError;
use crate::quota::Charge;
use citation_exchange::metadata::CitationMetadata;
use citation_model::identifier::input::Input;
use citation_model::identifier::{Identifier, address};
use citation_model::work::Work;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/lookup", Action::Lookup, any)
            .heavy()
            .documented(any_operation),
        route::post("/api/v1/lookup/url", Action::Lookup, url)
            .heavy()
            .documented(url_operation),
    ]
}

/// Maximum number of identifiers and addresses in one query. More of them are a batch.
pub const MAX_INPUTS: usize = 20;

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
pub struct LookupReply<'a> {
    /// `doi`, `shortdoi`, `isbn`, `issn`, `pmid`, `pmcid`, `arxiv`, `openalex`, `handle`, `pii`, `oclc`,
    /// `openlibrary`, `url`, `several`, `mistyped` or `text`.
    taken_for: &'static str,
    /// The identifier in its canonical form, the address, or the text.
    looked_up: String,
    /// `{kind, value}`: the identifier that found the work, if it differs from the one looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<IdentifierFound>,
    /// The work. For a text, the certain match, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Option<CitationMetadata<'a>>,
    /// The candidates for a text, best first, as in a reverse lookup.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<ReverseLookupCandidate<'static>>>)]
    candidates: Option<Vec<ReverseLookupCandidate<'a>>>,
    /// `[{source, outcome}]`: the sources asked for a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources_tried: Option<Vec<SourceTried>>,
    /// The results for several inputs, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<LookupReply<'static>>>, no_recursion)]
    results: Option<Vec<LookupReply<'a>>>,
    /// `{error, message}`: why one of several has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ItemFailure>,
    /// Each `{code, message}`: `shorter_doi`, `found_on_page`, `page_not_fetched`, `page_lacks`.
    notices: Vec<CodedMessage>,
}

impl<'a> LookupReply<'a> {
    fn of(input: &Input) -> LookupReply<'a> {
        LookupReply {
            taken_for: input.kind(),
            looked_up: input.to_string(),
            ..LookupReply::default()
        }
    }

    /// The reply for one input. An unknown identifier and input that cannot be looked up are errors.
    fn of_answer(
        context: &RequestContext,
        asked: Asked<'_>,
        answer: &'a Answer,
    ) -> Result<LookupReply<'a>, ApiError> {
        let reply = LookupReply::of(asked.input);
        match answer {
            Answer::Work(found) => Ok(reply.with_found(context, asked, found)),
            Answer::Candidates(search) => Ok(reply.with_search(context, search)),
            Answer::Missing(Missing {
                unlikely: Some(search),
                ..
            }) => Ok(reply.with_search(context, search)),
            Answer::Unread { work, reason } => {
                let message = format!("The page {reason}; fill in the metadata manually.");
                let reply = reply.with_work(context, asked, work);
                Ok(reply.with_notice("page_not_fetched", message))
            }
            Answer::Missing(_) | Answer::Several(_) | Answer::Mistyped(_) => {
                Err(refusal(asked.pointer, asked.given, answer))
            }
        }
    }

    fn with_found(
        self,
        context: &RequestContext,
        asked: Asked<'_>,
        found: &'a FoundWork,
    ) -> LookupReply<'a> {
        let reply = self.with_work(context, asked, &found.work);
        match &found.by {
            FoundBy::Identifier => reply,
            FoundBy::ShorterDoi(shorter) => {
                let message = format!("{} is unknown; this is {shorter}.", asked.input);
                reply.found_by(shorter).with_notice("shorter_doi", message)
            }
            FoundBy::NamedOnPage(named) => {
                let message = format!("The page is about {named}, which was looked up.");
                reply.found_by(named).with_notice("found_on_page", message)
            }
            FoundBy::Page(lacking) if lacking.is_empty() => reply,
            FoundBy::Page(lacking) => {
                let lacking: Vec<&str> = lacking.iter().map(|fact| fact.as_str()).collect();
                let message = format!("The page lacks: {}.", lacking.join(", "));
                reply.with_notice("page_lacks", message)
            }
            FoundBy::Text(search) => reply.with_search(context, search),
        }
    }

    fn with_work(
        self,
        context: &RequestContext,
        asked: Asked<'_>,
        work: &'a Work,
    ) -> LookupReply<'a> {
        LookupReply {
            metadata: Some(lookup::metadata(context, work, asked.local_only)),
            ..self
        }
    }

    fn with_search(self, context: &RequestContext, search: &'a TextSearch) -> LookupReply<'a> {
        LookupReply {
            candidates: Some(reverse::candidates(context, search, None)),
            sources_tried: Some(lookup::tried_list(&search.tried)),
            ..self
        }
    }

    fn found_by(self, identifier: &Identifier) -> LookupReply<'a> {
        LookupReply {
            found_by: Some(IdentifierFound::of(identifier)),
            ..self
        }
    }

    fn with_notice(mut self, code: &'static str, message: String) -> LookupReply<'a> {
        self.notices.push(CodedMessage { code, message });
        self
    }
}

/// An input, the text that it was parsed from, and the place of that text in the request.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub input: &'a Input,
    pub given: &'a str,
    pub pointer: &'a str,
    /// Whether no provider may be asked.
    pub local_only: bool,
}

/// The error for an answer that is no result; `given` is the text at `pointer` of the request.
pub fn refusal(pointer: &str, given: &str, answer: &Answer) -> ApiError {
    match answer {
        Answer::Missing(Missing {
            identifier: Some(identifier),
            tried,
            ..
        }) => lookup::not_found(identifier, tried),
        Answer::Mistyped(fault) => lookup::invalid(Code::InvalidIsbn, pointer, given, fault),
        Answer::Several(_) => {
            let message = "contains several identifiers; send each as a separate item";
            ApiError::invalid_field(pointer, message)
        }
        Answer::Unread { reason, .. } => ApiError::new(
            Code::UpstreamError,
            format!("The page {reason}; enter the metadata manually."),
        ),
        Answer::Missing(_) | Answer::Candidates(_) | Answer::Work(_) => {
            ApiError::new(Code::WorkNotFound, "No source searched has the work.")
        }
    }
}

/// Looks up one input for the caller, who pays for it.
pub fn look_up(context: &RequestContext, asked: Asked<'_>) -> Result<Answer, ApiError> {
    reverse::check_text(context, asked.pointer, asked.given)?;
    let lookup = context.lookup(asked.local_only, &context.job);
    let begun = lookup.begin(asked.given, asked.input);
    match begun.map_err(lookup::failed)? {
        BegunLookup::Answered(answer) => Ok(*answer),
        BegunLookup::Open(open) => {
            let answer = gate::charge(context, || priced(lookup.finish(*open)))?;
            answer.map_err(lookup::failed)
        }
    }
}

/// An answer with its price; failures are free.
pub fn priced(answer: Result<Answer, LookupError>) -> Charge<Result<Answer, LookupError>> {
    let costs = answer.as_ref().is_ok_and(Answer::costs);
    Charge::new(answer, costs)
}

/// `POST /api/v1/lookup`.
pub fn any(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: LookupRequest = context.json()?;
    let asked = Asked {
        input: &Input::parse(&request.query),
        given: &request.query,
        pointer: "/query",
        local_only: request.local_only,
    };
    let answer = look_up(context, asked)?;
    match &answer {
        Answer::Several(inputs) => several(context, asked.input, inputs, request.local_only),
        answer => LookupReply::of_answer(context, asked, answer).map(|reply| Reply::json(&reply)),
    }
}

/// Looks up each of several inputs.
fn several(
    context: &RequestContext,
    input: &Input,
    inputs: &[Input],
    local_only: bool,
) -> Result<Reply, ApiError> {
    if inputs.len() > MAX_INPUTS {
        let message = format!("contains more than {MAX_INPUTS} identifiers; send them as a batch");
        return Err(ApiError::invalid_field("/query", message));
    }
    let given: Vec<String> = inputs.iter().map(Input::to_string).collect();
    let mut answers = Vec::with_capacity(inputs.len());
    for (input, given) in inputs.iter().zip(&given) {
        context.budget.check()?;
        let asked = Asked {
            input,
            given,
            pointer: "/query",
            local_only,
        };
        answers.push((asked, look_up(context, asked)));
    }
    let mut exhausted = None;
    let mut failed = |error: ApiError, input: &Input| {
        let failure = ItemFailure::of(&error);
        if error.code == Code::QuotaExhausted {
            exhausted = Some(error);
        }
        LookupReply {
            error: Some(failure),
            ..LookupReply::of(input)
        }
    };
    let mut results = Vec::with_capacity(answers.len());
    for (asked, answer) in &answers {
        let reply = match answer {
            Ok(answer) => LookupReply::of_answer(context, *asked, answer),
            Err(error) => Err(error.clone()),
        };
        results.push(reply.unwrap_or_else(|error| failed(error, asked.input)));
    }
    // Nothing was looked up, and later it can be.
    if let Some(exhausted) = exhausted
        && results.iter().all(|result| result.error.is_some())
    {
        return Err(exhausted);
    }
    Ok(Reply::json(&LookupReply {
        results: Some(results),
        ..LookupReply::of(input)
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
    let asked = Asked {
        input: &input,
        given: &request.url,
        pointer: "/url",
        local_only: request.local_only,
    };
    let answer = match (&input, &request.html) {
        (Input::Url(address), Some(html)) => {
            let page = context.lookup(request.local_only, &context.job);
            let read = || page.page().look_up_html(html, address).map(Answer::of_page);
            gate::charge(context, || priced(read()))?.map_err(lookup::failed)?
        }
        _ => look_up(context, asked)?,
    };
    LookupReply::of_answer(context, asked, &answer).map(|reply| Reply::json(&reply))
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
        .query("include", lookup::INCLUDE)
        .body::<LookupRequest>()
        .reply::<LookupReply<'static>>(200, "The result.")
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
        .query("include", lookup::INCLUDE)
        .body::<UrlRequest>()
        .reply::<LookupReply<'static>>(200, "The result.")
        .codes(&CODES)
}
