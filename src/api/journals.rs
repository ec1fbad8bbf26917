//! `POST /api/v1/journal/expand` and `/journal/abbreviate`: the title that a short form stands for,
//! and the short form of a title.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::operation::Operation;
use super::reply::Reply;
use crate::lookup::journals::{full_title, short_form};
use citation_matching::journals;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ExpandRequest {
    /// A journal's short form: `J. Am. Chem. Soc.`
    #[schema(example = "J. Am. Chem. Soc.", min_length = 1, max_length = 1000)]
    abbreviation: String,
}

/// The title that a short form stands for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Expansion {
    /// As it was given.
    abbreviation: String,
    /// The title; the text as it was given where none is certain.
    full_name: String,
    found: bool,
    /// Every title that may be meant, best first.
    candidates: Vec<JournalTitle>,
}

/// A title that may be meant.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalTitle {
    full_name: String,
    /// `operator`, `imported`, `built-in`, or the source of the record that names both.
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
    /// As it was given.
    title: String,
    /// The short form; the title as it was given where none is known, or where it is one word.
    abbreviation: String,
    found: bool,
    /// Every short form that is in use, best first.
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
    let title = |candidate: journals::Candidate| JournalTitle {
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
    let short = |candidate: journals::Candidate| JournalShortForm {
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
        "Gives the title that a short form stands for. Case, full stops, spaces, accents and \
             `&` or `and` do not matter. A text that is a title already stands for itself. Where \
             no list knows the short form, titles are searched by the beginnings of its words, \
             and taken only where one title alone fits; otherwise `found` is false, and \
             `candidates` has what may be meant. For paid plans.",
    )
    .body::<ExpandRequest>()
    .reply::<Expansion>(
        200,
        "What the short form stands for, as far as it is known.",
    )
    .codes(&[Code::ValidationFailed])
}

pub fn abbreviate_operation() -> Operation {
    Operation::new(
        "abbreviate_journal",
        "utilities",
        "Abbreviate a journal's title",
    )
    .describe(
        "Gives the short form of a journal's title as lists have it. A title of one word is \
             not shortened. For paid plans.",
    )
    .body::<AbbreviateRequest>()
    .reply::<Abbreviation>(200, "The short form, as far as one is known.")
    .codes(&[Code::ValidationFailed])
}
