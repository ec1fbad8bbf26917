//! `POST /api/v1/titles/sentence-case`: converts a title in Title Case to sentence case.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use citation_csl as csl;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post(
            "/api/v1/titles/sentence-case",
            Action::Format,
            sentence_case,
        )
        .heavy()
        .documented(operation),
    ]
}

/// A title, with optional markup (`<i>`, `<span class="nocase">`).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SentenceCaseRequest {
    #[schema(example = "A Mathematical Theory of Communication")]
    title: String,
    /// The language of the title (BCP 47), if known.
    #[schema(example = "en")]
    language: Option<String>,
}

/// The suggestion.
#[derive(Debug, Serialize, ToSchema)]
pub struct SentenceCaseReply {
    /// The title in sentence case; null if it is not in Title Case, or not English.
    #[schema(example = "A mathematical theory of communication")]
    suggestion: Option<String>,
}

/// `POST /api/v1/titles/sentence-case`.
pub fn sentence_case(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: SentenceCaseRequest = context.json()?;
    let suggestion = csl::sentence_case(&request.title, request.language.as_deref());
    Ok(Reply::json(&SentenceCaseReply { suggestion }))
}

pub fn operation() -> Operation {
    Operation::new("suggest_sentence_case", "utilities", "Suggest sentence case for a title")
        .describe(
            "Titles are best kept in sentence case, which styles can convert to Title Case; the opposite \
             cannot be done by rule. So this is a suggestion: acronyms, words with capitals or \
             digits inside, known names, and text in italics or `nocase` stay, and the first \
             word of a subtitle keeps its capital, but unknown names may lose theirs.",
        )
        .body::<SentenceCaseRequest>()
        .reply::<SentenceCaseReply>(200, "The suggestion.")
}
