//! `POST /api/v1/citation-keys`: a key for each entry, from first author and year.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::entries;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use citation_exchange::key_pattern::Pattern;
use citation_exchange::keys;
use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/citation-keys", Action::PaidRead, citation_keys)
            .heavy()
            .documented(operation),
    ]
}

/// The request body for citation keys.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}]}))]
pub struct CitationKeysRequest {
    /// The entries, at most 4,000; title, authors and date are used.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// The pattern of the keys, `[auth][year]` by default; at most 200 characters. Fields are `auth`,
    /// `authors`, `year`, `shortyear`, `word` and `title` (the first one and three significant words of the
    /// title), `journal` (its initials), `volume` and `firstpage`. `:lower`, `:upper` and a number of
    /// characters may follow: `[auth:lower][shortyear]_[word:5]`.
    #[schema(example = "[auth:lower][shortyear]")]
    pattern: Option<String>,
}

/// Citation keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct CitationKeysReply {
    /// One unique key for each entry, in input order.
    keys: Vec<String>,
}

/// `POST /api/v1/citation-keys`.
pub fn citation_keys(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: CitationKeysRequest = context.json()?;
    let pattern = match &request.pattern {
        None => Pattern::default(),
        Some(text) => Pattern::parse(text)
            .map_err(|fault| ApiError::invalid_field("/pattern", fault.to_string()))?,
    };
    let items: Vec<Item> = entries::read(&context.job, &request.entries)?
        .into_iter()
        .map(|(item, _)| item)
        .collect();
    Ok(Reply::json(&CitationKeysReply {
        keys: keys::assign(&items, &pattern),
    }))
}

pub fn operation() -> Operation {
    Operation::new("make_citation_keys", "utilities", "Make citation keys")
        .describe(
            "Creates a BibTeX-compatible key for each entry, from `pattern` or else from the first author's \
             family name and the year, in ASCII (`Müller` 2020 is `Muller2020`), the first significant word of the title \
             if there is no author, `nd` if there is no year. The first entry with a name \
             and year keeps it bare; the next ones get `a`, `b`, … `z`, `aa`, so that an entry \
             added later never changes the key of another. For paid plans.",
        )
        .body::<CitationKeysRequest>()
        .reply::<CitationKeysReply>(200, "The keys, in input order.")
}
