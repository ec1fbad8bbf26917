//! What is formatted, in further markup languages where a request asks for them.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use crate::csl::output::other;
use crate::csl::{Dialect, Formatted, Rich};

/// A bibliography and its markers in one markup language.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarkupForm {
    /// All entries, a paragraph each, in RTF a document of its own; null for a style without a
    /// bibliography.
    bibliography: Option<String>,
    /// One in-text marker for each entry, in input order.
    citations: Vec<String>,
}

/// By the name of the language.
pub type Forms<T> = BTreeMap<&'static str, T>;

/// What a request wants beside HTML and text.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub dialects: Vec<Dialect>,
    pub links: bool,
}

impl Wanted {
    /// Reads the languages that a request names in `formats`.
    pub fn read(formats: Option<&[String]>, links: bool) -> Result<Wanted, ApiError> {
        let dialects = dialects(formats.unwrap_or_default())?;
        Ok(Wanted { dialects, links })
    }
}

/// The languages that are named, each once.
fn dialects(names: &[String]) -> Result<Vec<Dialect>, ApiError> {
    let mut dialects = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let dialect = Dialect::parse(name).ok_or_else(|| {
            let known: Vec<&str> = Dialect::ALL.iter().map(|d| d.name()).collect();
            ApiError::invalid_field(
                &format!("/formats/{at}"),
                format!("must be one of {}", known.join(", ")),
            )
        })?;
        if !dialects.contains(&dialect) {
            dialects.push(dialect);
        }
    }
    Ok(dialects)
}

/// A bibliography with its markers in each language.
pub fn forms(formatted: &Formatted, dialects: &[Dialect]) -> Forms<MarkupForm> {
    let form = |dialect: Dialect| {
        let entries = formatted.bibliography.as_ref();
        MarkupForm {
            bibliography: entries.map(|entries| {
                other::write_all(
                    entries.iter().map(|entry| &entry.content),
                    dialect,
                    formatted.parameters.hanging_indent,
                )
            }),
            citations: formatted
                .markers
                .iter()
                .map(|m| m.markup(dialect))
                .collect(),
        }
    };
    dialects.iter().map(|d| (d.name(), form(*d))).collect()
}

/// One citation in each language.
pub fn citation(rich: &Rich, dialects: &[Dialect]) -> Forms<String> {
    dialects
        .iter()
        .map(|d| (d.name(), rich.markup(*d)))
        .collect()
}
