//! Formatted output in further markup languages on request.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use citation_csl::{self as csl, Formatted, OutputFormat, Rich};
use citation_model::budget::{Budget, Exceeded};

/// A bibliography and its citations in one markup language.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarkupForm {
    /// All entries, one paragraph each, in RTF as a document; null for a style without a
    /// bibliography.
    bibliography: Option<String>,
    /// One in-text citation for each entry, in input order.
    citations: Vec<String>,
}

/// By the name of the language.
pub type Forms<T> = BTreeMap<&'static str, T>;

/// The requested languages besides HTML and text.
#[derive(Clone, Debug, Default)]
pub struct MarkupOptions {
    pub dialects: Vec<OutputFormat>,
    pub links: bool,
    /// Whether to return the sort keys.
    pub sort_keys: bool,
}

/// The markup languages that are named, each once, in their order; the position of an unknown name is an
/// error.
pub fn dialects(names: &[String]) -> Result<Vec<OutputFormat>, usize> {
    let mut dialects = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let dialect = OutputFormat::parse(name).ok_or(at)?;
        if !dialects.contains(&dialect) {
            dialects.push(dialect);
        }
    }
    dialects.sort_unstable();
    Ok(dialects)
}

/// A bibliography with its citations in each language.
pub fn forms(
    formatted: &Formatted,
    dialects: &[OutputFormat],
    budget: &Budget,
) -> Result<Forms<MarkupForm>, Exceeded> {
    let form = |dialect: OutputFormat| {
        let bibliography = formatted.bibliography.as_ref().map(|entries| {
            let contents = entries.iter().map(|entry| &entry.content);
            let hanging = formatted.parameters.hanging_indent;
            written(csl::write_all(contents, dialect, hanging), budget)
        });
        let markers = formatted.markers.iter();
        let citations = markers.map(|marker| written(marker.markup(dialect), budget));
        let form = MarkupForm {
            bibliography: bibliography.transpose()?,
            citations: citations.collect::<Result<_, _>>()?,
        };
        Ok((dialect.name(), form))
    };
    dialects.iter().map(|dialect| form(*dialect)).collect()
}

/// One citation in each language.
pub fn citation(
    rich: &Rich,
    dialects: &[OutputFormat],
    budget: &Budget,
) -> Result<Forms<String>, Exceeded> {
    let form =
        |dialect: &OutputFormat| Ok((dialect.name(), written(rich.markup(*dialect), budget)?));
    dialects.iter().map(form).collect()
}

/// Charges the bytes of a text in the answer.
pub fn written(text: String, budget: &Budget) -> Result<String, Exceeded> {
    budget.spend_bytes(text.len())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_formats_count_once() {
        let names = vec!["rtf".to_owned(); 1000];
        assert_eq!(dialects(&names), Ok(vec![OutputFormat::Rtf]));
    }
}
