//! `POST /api/v1/reverse`: finds the works that a citation text may refer to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::lookup::{self, IdentifierFound};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::lookup::input::TextSearch;
use crate::lookup::reference::Candidate;
use crate::quota::Charge;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::certainty::rounded;
use citation_matching::explain::FieldReport;
use citation_matching::reference::Reference;
use citation_model::budget::is_longer;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/reverse", Action::Lookup, reverse)
            .heavy()
            .documented(operation),
    ]
}

/// The request body of a reverse lookup.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ReverseRequest {
    /// A citation in any style and language, at most 2,000 characters.
    #[schema(
        example = "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.",
        min_length = 1
    )]
    text: String,
    /// Number of candidates; default 5, at most 20.
    #[schema(minimum = 1)]
    limit: Option<usize>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// A candidate.
#[derive(Serialize, ToSchema)]
pub struct ReverseLookupCandidate<'a> {
    /// The probability that it is the right work, 0 to 1; 0.95 and above: the same work.
    pub score: f64,
    /// `local`, or the provider, as named by `GET /api/health`: `crossref`, for example.
    source: &'static str,
    #[schema(value_type = CitationMetadata<'static>)]
    pub metadata: CitationMetadata<'a>,
    explanation: Explanation<'a>,
    /// The fields parsed from the text.
    #[schema(value_type = ParsedReference<'static>)]
    parsed: ParsedReference<'a>,
}

/// The fields parsed from a reference.
#[derive(Serialize, ToSchema)]
pub struct ParsedReference<'a> {
    text: Option<&'a str>,
    identifiers: Vec<IdentifierFound>,
    authors: Vec<String>,
    title: Option<&'a str>,
    container_title: Option<&'a str>,
    year: Option<i32>,
    volume: Option<&'a str>,
    issue: Option<&'a str>,
    pages: Option<&'a str>,
}

/// The explanation of the score.
#[derive(Serialize, ToSchema)]
pub struct Explanation<'a> {
    /// How the score was computed: `evidence`, the sum of the evidence of every field.
    method: &'static str,
    /// Each `{field, given, found, similarity, weight, verdict}`: similarity 0 to 1, weight in
    /// log-odds, verdict `equal`, `similar`, `different` or `missing`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FieldComparison>)]
    fields: &'a [FieldReport],
}

/// `POST /api/v1/reverse`.
pub fn reverse(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ReverseRequest = context.json()?;
    let found = search(context, &request.text, request.local_only)?;
    let candidates = candidates(context, &found, request.limit);
    let tried = lookup::tried_header(&found.tried);
    Ok(Reply::json(&candidates).with_header("sources-tried", tried))
}

/// Searches for a text. Costs a lookup.
pub fn search(
    context: &RequestContext,
    text: &str,
    local_only: bool,
) -> Result<TextSearch, ApiError> {
    check_text(context, "/text", text)?;
    let lookup = context.lookup(local_only, &context.job);
    let found = gate::charge(context, || {
        let found = lookup.search(text);
        let local_works_are_free = context.app.lookup.local_works_are_free();
        let is_free = |search: &TextSearch| {
            local_works_are_free && search.certain().is_some_and(|best| best.is_local)
        };
        let costs = found.as_ref().is_ok_and(|found| !is_free(found));
        Charge::new(found, costs)
    })?;
    found.map_err(lookup::failed)
}

/// The candidates in replies, at most `limit` of them.
pub fn candidates<'a>(
    context: &RequestContext,
    found: &'a TextSearch,
    limit: Option<usize>,
) -> Vec<ReverseLookupCandidate<'a>> {
    let candidates = found.candidates.iter().take(read_limit(context, limit));
    let replies = candidates.filter_map(|(reference, candidate)| {
        let reference = found.references.get(*reference)?;
        Some(ReverseLookupCandidate {
            score: rounded(candidate.score),
            source: candidate.source(),
            metadata: CitationMetadata::of_work(&candidate.work),
            explanation: explanation(candidate),
            parsed: parsed(reference),
        })
    });
    replies.collect()
}

/// Rejects blank text and text over the limit.
pub fn check_text(context: &RequestContext, pointer: &str, text: &str) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(ApiError::invalid_field(pointer, "is blank"));
    }
    let most = context.app.config.limits.reference_chars as usize;
    if is_longer(text, most) {
        return Err(ApiError::invalid_field(
            pointer,
            format!("is longer than {most} characters"),
        ));
    }
    Ok(())
}

fn read_limit(context: &RequestContext, given: Option<usize>) -> usize {
    let limits = &context.app.config.limits;
    let most = limits.reverse_candidates_max as usize;
    given.map_or(limits.reverse_candidates as usize, |limit| limit.min(most))
}

pub fn explanation(candidate: &Candidate) -> Explanation<'_> {
    Explanation {
        method: "evidence",
        fields: &candidate.fields,
    }
}

/// The fields parsed from a text.
pub fn parsed(reference: &Reference) -> ParsedReference<'_> {
    ParsedReference {
        text: Some(&reference.text),
        identifiers: reference
            .identifiers
            .iter()
            .map(IdentifierFound::of)
            .collect(),
        authors: reference.names.iter().map(|name| name.display()).collect(),
        title: reference.title.as_deref(),
        container_title: reference.container.as_deref(),
        year: reference.year(),
        volume: reference.volume.as_deref(),
        issue: reference.issue.as_deref(),
        pages: reference.pages.as_deref(),
    }
}

pub fn operation() -> Operation {
    Operation::new(
        "reverse_lookup",
        "lookup",
        "Find the works of a citation text",
    )
    .describe(
        "The local corpus is asked first, and the providers if its best candidate is not \
             good enough. Identifiers in the text are looked up, and the other fields are compared \
             as well. Without a match the list is empty; the header `Sources-Tried` lists the sources \
             asked and their outcomes. Costs one lookup; blank text and failing \
             providers are free.",
    )
    .body::<ReverseRequest>()
    .reply_list::<ReverseLookupCandidate<'static>>(200, "The candidates, best first.")
        .codes(&[Code::UpstreamError, Code::UpstreamTimeout])
}
