#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Each source has a module that returns a [`Work`](citation_model::work::Work). Shared are [`clean`] for texts,
//! `names`, `language`, `lenient` for JSON values of the wrong type, and [`json_scan`] to find JSON values
//! without parsing.
//!
//! `provenance.fetched_at` of a returned work is the time at which its source last changed the record, or 0 if
//! unknown. Of two versions of a record the later one is used. A caller that fetches a record over the network
//! replaces the time by that of the fetch.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod acl_anthology;
pub mod arxiv;
pub mod continuation;
pub mod crossref;
pub mod datacite;
pub mod dblp;
pub mod doi_csl;
pub mod europepmc;
pub mod json_scan;
pub mod marc;
pub mod oai;
pub mod openalex;
pub mod openlibrary;
pub mod pubmed;
pub mod resource_list;
pub mod retraction_watch;
pub mod semantic_scholar;
pub mod unpaywall;
pub mod webpage;
pub mod wikidata;

pub use citation_exchange::Abstracts;
pub use citation_fields::clean;
use citation_fields::{identifiers, lenient, names, roles, set as fields, statement};
use citation_model::language;

/// Why a record is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text is not JSON or XML, or is truncated.
    #[error("the record cannot be read: {0}")]
    Syntax(String),
    /// A required value is missing.
    #[error("the record has no {0}")]
    Missing(&'static str),
    /// A value that identifies the record is malformed.
    #[error("the record's {field} “{value}” is malformed")]
    Malformed { field: &'static str, value: String },
    /// The record is about something else: an author, a redirect, a deleted page.
    #[error("the record is not a work but {0}")]
    NotAWork(String),
}

impl RecordError {
    fn malformed(field: &'static str, value: &str) -> RecordError {
        RecordError::Malformed {
            field,
            value: value.chars().take(100).collect(),
        }
    }
}

impl From<serde_json::Error> for RecordError {
    fn from(error: serde_json::Error) -> RecordError {
        RecordError::Syntax(error.to_string())
    }
}

/// The text of an XML record: UTF-8, or Latin-1, which old files use.
fn xml_text(xml: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(xml) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::mem::decode_latin1(xml),
    }
}

/// Seconds since 1970 of an RFC 3339 time or of a date; 0 for other text.
fn unix_seconds(text: &str) -> i64 {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return time.as_second();
    }
    // `2022-04-05T01:02:03.456` without a zone, and a date alone, are in UTC.
    let moment = text.parse::<jiff::civil::DateTime>();
    let zoned = moment
        .ok()
        .and_then(|moment| moment.to_zoned(jiff::tz::TimeZone::UTC).ok());
    zoned.map_or(0, |zoned| zoned.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_a_zone() {
        assert_eq!(unix_seconds("1970-01-02T00:00:00Z"), 86_400);
        assert_eq!(unix_seconds("1970-01-02T00:00:00.000000"), 86_400);
        assert_eq!(unix_seconds("1970-01-02"), 86_400);
        assert_eq!(unix_seconds("yesterday"), 0);
    }
}
