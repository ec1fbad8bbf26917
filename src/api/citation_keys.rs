//! `POST /api/v1/citation-keys`: a key for each entry, made of first author and year.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::context::RequestContext;
use super::entries;
use super::error::{ApiError, Code};
use super::operation::Operation;
use super::reply::Reply;
use citation_exchange::key_pattern::Pattern;
use citation_exchange::keys;
use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;

/// The body of a request for citation keys.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}]}))]
pub struct CitationKeysRequest {
    /// What to make keys for, at most 4,000: title, authors and date are looked at.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// What keys are made of, in place of `[auth][year]`; at most 200 characters. Fields are `auth`,
    /// `authors`, `year`, `shortyear`, `word` and `title` (the first one and three telling words of the
    /// title), `journal` (its initials), `volume` and `firstpage`. `:lower`, `:upper` and a number of
    /// characters may follow: `[auth:lower][shortyear]_[word:5]`.
    #[schema(example = "[auth:lower][shortyear]")]
    pattern: Option<String>,
}

/// Citation keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct CitationKeysReply {
    /// One key for each entry, in input order, no two alike.
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
    let items: Vec<Item> = entries::read(&request.entries)?
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
            "Makes a BibTeX-compatible key for each entry, by `pattern` or else of the first author's \
             family name and the year, in ASCII (`Müller` 2020 is `Muller2020`), the first telling word of the title \
             where there is no author, `nd` where there is no year. The first entry with a name \
             and year keeps it bare; the next ones get `a`, `b`, … `z`, `aa`, so that an entry \
             added later never changes the key of another. For paid plans.",
        )
        .body::<CitationKeysRequest>()
        .reply::<CitationKeysReply>(200, "The keys, in input order.")
        .codes(&[Code::ValidationFailed, Code::PayloadTooLarge])
}
