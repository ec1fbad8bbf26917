//! `POST /api/v1/journal/expand` and `/journal/abbreviate`: converts between journal titles and
//! short forms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::lookup::journals::{full_title, short_form};
use citation_matching::journals;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/journal/expand", Action::PaidRead, expand)
            .documented(expand_operation),
        route::post("/api/v1/journal/abbreviate", Action::PaidRead, abbreviate)
            .documented(abbreviate_operation),
    ]
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ExpandRequest {
    /// A journal's short form: `J. Am. Chem. Soc.`
    #[schema(example = "J. Am. Chem. Soc.", min_length = 1, max_length = 1000)]
    abbreviation: String,
}

/// The title that a short form stands for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Expansion {
    /// The text of the request.
    abbreviation: String,
    /// The title; the text of the request if none is certain.
    full_name: String,
    found: bool,
    /// All possible titles, best first.
    candidates: Vec<JournalTitle>,
}

/// A possible title.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalTitle {
    full_name: String,
    /// `operator`, `imported`, `built-in`, or the source of the record with both.
    source: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct AbbreviateRequest {
    /// A journal's title.
    #[schema(example = "Physical Review Letters", min_length = 1, max_length = 1000)]
    title: String,
}

/// The short form of a title.
#[derive(Debug, Serialize, ToSchema)]
pub struct Abbreviation {
    /// The text of the request.
    title: String,
    /// The short form; the title itself if none is known, or if it is one word.
    abbreviation: String,
    found: bool,
    /// All short forms in use, best first.
    candidates: Vec<JournalShortForm>,
}

/// A short form in use.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalShortForm {
    abbreviation: String,
    /// As for titles.
    source: String,
}

/// `POST /api/v1/journal/expand`.
pub fn expand(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ExpandRequest = context.json()?;
    check(&request.abbreviation, "/abbreviation")?;
    let answer = full_title(&context.app.store, &request.abbreviation)?;
    let title = |candidate: journals::TitleCandidate| JournalTitle {
        full_name: candidate.text,
        source: candidate.origin.as_str().to_owned(),
    };
    Ok(Reply::json(&Expansion {
        found: answer.certain.is_some(),
        full_name: answer
            .certain
            .unwrap_or_else(|| request.abbreviation.clone()),
        candidates: answer.candidates.into_iter().map(title).collect(),
        abbreviation: request.abbreviation,
    }))
}

/// `POST /api/v1/journal/abbreviate`.
pub fn abbreviate(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: AbbreviateRequest = context.json()?;
    check(&request.title, "/title")?;
    let answer = short_form(&context.app.store, &request.title)?;
    let short = |candidate: journals::TitleCandidate| JournalShortForm {
        abbreviation: candidate.text,
        source: candidate.origin.as_str().to_owned(),
    };
    Ok(Reply::json(&Abbreviation {
        found: answer.certain.is_some(),
        abbreviation: answer.certain.unwrap_or_else(|| request.title.clone()),
        candidates: answer.candidates.into_iter().map(short).collect(),
        title: request.title,
    }))
}

fn check(text: &str, pointer: &str) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(ApiError::invalid_field(pointer, "is blank; name a journal"));
    }
    Ok(())
}

pub fn expand_operation() -> Operation {
    Operation::new(
        "expand_journal",
        "utilities",
        "Expand a journal's short form",
    )
    .describe(
        "Returns the title of a short form. Case, full stops, spaces, accents and \
             `&` or `and` are ignored. A text that is already a title is returned. If \
             no list knows the short form, titles are searched by the prefixes of its words, \
             and accepted only if exactly one matches; otherwise `found` is false, and \
             `candidates` has what may be meant. For paid plans.",
    )
    .body::<ExpandRequest>()
    .reply::<Expansion>(200, "The title, if known.")
}

pub fn abbreviate_operation() -> Operation {
    Operation::new(
        "abbreviate_journal",
        "utilities",
        "Abbreviate a journal's title",
    )
    .describe(
        "Returns the listed short form of a journal's title. A title of one word is \
             not shortened. For paid plans.",
    )
    .body::<AbbreviateRequest>()
    .reply::<Abbreviation>(200, "The short form, if known.")
}
