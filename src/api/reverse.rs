//! `POST /api/v1/reverse`: finds the works that a citation text may refer to.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::gate;
use super::lookup;
use super::operation::Operation;
use super::reply::Reply;
use crate::lookup::reference::{Candidate, SearchOutcome, SearchScope};
use crate::lookup::resolve::SourceResult;
use crate::quota::Charge;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::explain::FieldReport;
use citation_matching::reference::Reference;
use citation_matching::{Piece, split};
use citation_model::budget::is_longer;

/// Maximum number of references looked up in one text. More of them are a list, for verification.
const MOST_REFERENCES: usize = 5;

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
    #[schema(value_type = super::schemas::ParsedReference)]
    parsed: &'a Value,
}

/// The explanation of the score.
#[derive(Serialize, ToSchema)]
pub struct Explanation<'a> {
    /// How the score was computed: `evidence`, the sum of the evidence of every field.
    method: &'static str,
    /// Each `{field, given, found, similarity, weight, verdict}`: similarity 0 to 1, weight in
    /// log-odds, verdict `equal`, `similar`, `different` or `missing`.
    #[schema(value_type = Vec<super::schemas::FieldComparison>)]
    fields: &'a [FieldReport],
}

/// `POST /api/v1/reverse`.
pub fn reverse(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ReverseRequest = context.json()?;
    let scope = if request.local_only {
        SearchScope::LocalOnly
    } else {
        SearchScope::Everywhere
    };
    let found = search(context, &request.text, request.limit, scope)?;
    let candidates = found.replies();
    let tried = lookup::tried_header(&found.tried);
    Ok(Reply::json(&candidates).with_header("sources-tried", tried))
}

/// The result for a text.
pub struct ReverseOutcome {
    /// The fields parsed from each reference of the text.
    references: Vec<Value>,
    /// Best first, each with the index of its reference.
    pub candidates: Vec<(usize, Candidate)>,
    pub tried: Vec<SourceResult>,
}

impl ReverseOutcome {
    /// The candidates in replies.
    pub fn replies(&self) -> Vec<ReverseLookupCandidate<'_>> {
        let found = self.candidates.iter();
        let replies = found.filter_map(|(reference, candidate)| {
            Some(reply_candidate(candidate, self.references.get(*reference)?))
        });
        replies.collect()
    }
}

/// Searches for a text. Costs a lookup.
pub fn search(
    context: &RequestContext,
    text: &str,
    limit: Option<usize>,
    scope: SearchScope,
) -> Result<ReverseOutcome, ApiError> {
    check_text(context, "/text", text)?;
    let answers = gate::charge(context, || {
        let answers = search_all(context, text, scope);
        let costs = answers.is_ok();
        Charge::new(answers, costs)
    })??;
    let mut outcome = ReverseOutcome {
        references: Vec::with_capacity(answers.len()),
        candidates: Vec::new(),
        tried: Vec::new(),
    };
    for (at, (reference, found)) in answers.into_iter().enumerate() {
        outcome.references.push(parsed(&reference));
        let candidates = found.candidates.into_iter().map(|found| (at, found));
        outcome.candidates.extend(candidates);
        outcome.tried.extend(found.tried);
    }
    let score = |(_, candidate): &(usize, Candidate)| rounded(candidate.score);
    let candidates = &mut outcome.candidates;
    candidates.retain(|candidate| score(candidate) > 0.0);
    candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
    candidates.truncate(read_limit(context, limit));
    Ok(outcome)
}

/// Searches for every reference in the text.
fn search_all(
    context: &RequestContext,
    text: &str,
    scope: SearchScope,
) -> Result<Vec<(Reference, SearchOutcome)>, ApiError> {
    let pieces = split(text, &context.budget)?.pieces;
    let texts: Vec<&str> = match pieces.as_slice() {
        several if several.iter().filter(|piece| is_whole(piece)).count() > 1 => several
            .iter()
            .take(MOST_REFERENCES)
            .map(|piece| piece.text.as_str())
            .collect(),
        _ => vec![text],
    };
    let mut answers = Vec::with_capacity(texts.len());
    for text in texts {
        context.budget.spend(Reference::steps(text))?;
        let reference = Reference::parse(text);
        let found = context
            .app
            .references
            .find(
                &context.app.lookup,
                &reference,
                context.caller.user(),
                scope,
                &context.job,
            )
            .map_err(lookup::failed)?;
        answers.push((reference, found));
    }
    // No plausible candidate while a source failed is not an answer.
    if !answers.iter().any(|(_, found)| found.is_possible())
        && let Some(failure) = answers
            .iter_mut()
            .find_map(|(_, found)| found.failure.take())
    {
        return Err(lookup::failed(failure));
    }
    Ok(answers)
}

/// Whether a part of a text has a year or an identifier, as a reference does. The lines of a single
/// reference, its title in one and its journal in another, are searched together.
fn is_whole(piece: &Piece) -> bool {
    let reference = Reference::parse(&piece.text);
    reference.year().is_some() || !reference.identifiers.is_empty()
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

fn reply_candidate<'a>(candidate: &'a Candidate, parsed: &'a Value) -> ReverseLookupCandidate<'a> {
    ReverseLookupCandidate {
        score: rounded(candidate.score),
        source: candidate.source(),
        metadata: CitationMetadata::of_work(&candidate.work),
        explanation: explanation(candidate),
        parsed,
    }
}

pub fn explanation(candidate: &Candidate) -> Explanation<'_> {
    Explanation {
        method: "evidence",
        fields: &candidate.fields,
    }
}

/// Four decimals: more would suggest a precision that does not exist.
pub fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}

/// The fields parsed from a text.
pub fn parsed(reference: &Reference) -> Value {
    let identifiers: Vec<Value> = reference
        .identifiers
        .iter()
        .map(|id| json!({"kind": id.kind(), "value": id.as_str()}))
        .collect();
    let authors: Vec<String> = reference.names.iter().map(|name| name.display()).collect();
    json!({
        "text": reference.text,
        "identifiers": identifiers,
        "authors": authors,
        "title": reference.title,
        "container_title": reference.container,
        "year": reference.year(),
        "volume": reference.volume,
        "issue": reference.issue,
        "pages": reference.pages,
    })
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
