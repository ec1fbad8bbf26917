//! The body of a formatting request.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, SchemaType};
use utoipa::openapi::{ObjectBuilder, Type};

use crate::api::edge::context::read_members;
use crate::api::error::ApiError;
use crate::api::routes::entries;
use crate::blocking::Job;
use crate::formatting::{FormatWarning, MarkupOptions, StyleChoice, dialects};
use citation_csl::OutputFormat;
use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;

/// The body of a formatting request.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}], "style": "apa", "locale": "en-US"}))]
pub struct FormatRequest {
    /// The entries, at most 1,000.
    #[schema(value_type = Vec<CitationMetadata>)]
    entries: Value,
    /// Short name, address, former name or alias; default: `format.style` of the configuration.
    style: Option<String>,
    /// A language tag; default: the style's own, or `format.locale` of the configuration.
    locale: Option<String>,
    /// A CSL style to use instead of a named one, at most 256 KiB.
    #[schema(min_length = 1)]
    style_xml: Option<String>,
    /// Further output formats: `rtf`, `markdown`, `latex`, `typst`.
    #[schema(schema_with = further_forms)]
    formats: Option<Vec<String>>,
    /// Whether DOIs and URLs become links if the format has links; default false.
    #[serde(default)]
    links: bool,
    /// For a list that is formatted in parts: the number of the first entry in a style with numbers; default 1.
    #[serde(default)]
    first_number: u32,
    /// For a list that is formatted in parts: whether to return `sort_keys`, by which the parts are joined;
    /// default false.
    #[serde(default)]
    sort_keys: bool,
}

fn further_forms() -> Array {
    let names = OutputFormat::ALL.map(OutputFormat::name);
    ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .items(
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(names)),
        )
        .build()
}

/// A parsed request.
pub struct FormatJob {
    pub items: Vec<Item>,
    pub warnings: Vec<FormatWarning>,
    pub choice: StyleChoice,
    pub wanted: MarkupOptions,
}

impl FormatRequest {
    /// The entries are moved, not read again: they are nearly all of the body.
    pub fn of(mut members: Map<String, Value>) -> Result<FormatRequest, ApiError> {
        let entries = members.get_mut("entries").map(Value::take);
        let mut request: FormatRequest = read_members(&Value::Object(members))?;
        request.entries = entries.unwrap_or_default();
        Ok(request)
    }

    pub fn read(self, job: &Job) -> Result<FormatJob, ApiError> {
        let (items, warnings) = read_entries(job, &self.entries)?;
        Ok(FormatJob {
            items,
            warnings,
            wanted: MarkupOptions {
                dialects: read_dialects(self.formats.as_deref().unwrap_or_default())?,
                links: self.links,
                sort_keys: self.sort_keys,
            },
            choice: StyleChoice {
                style: self.style,
                locale: self.locale,
                style_xml: self.style_xml,
                annotated: false,
                first_number: self.first_number,
            },
        })
    }
}

fn read_dialects(names: &[String]) -> Result<Vec<OutputFormat>, ApiError> {
    dialects(names).map_err(|at| {
        let known: Vec<&str> = OutputFormat::ALL.iter().map(|d| d.name()).collect();
        let message = format!("must be one of {}", known.join(", "));
        ApiError::invalid_field(&format!("/formats/{at}"), message)
    })
}

/// Parses the entries of a body, with warnings.
pub fn read_entries(
    job: &Job,
    entries: &Value,
) -> Result<(Vec<Item>, Vec<FormatWarning>), ApiError> {
    let read = entries::read(job, entries)?;
    let (mut items, mut warnings) = (Vec::with_capacity(read.len()), Vec::new());
    for (index, (mut item, found)) in read.into_iter().enumerate() {
        if item.id.is_empty() {
            item.id = format!("item-{}", index + 1);
        }
        warnings.extend(found.into_iter().map(|w| FormatWarning {
            index: Some(index),
            code: w.code.to_owned(),
            message: w.message,
        }));
        items.push(item);
    }
    warnings.extend(repeated_ids(&items));
    Ok((items, warnings))
}

fn repeated_ids(items: &[Item]) -> Vec<FormatWarning> {
    let mut seen = HashSet::new();
    items
        .iter()
        .enumerate()
        .filter(|(_, item)| !seen.insert(item.id.as_str()))
        .map(|(index, item)| FormatWarning {
            index: Some(index),
            code: "repeated_id".to_owned(),
            message: format!(
                "Another entry has the same id “{}”; entries are matched by position.",
                item.id
            ),
        })
        .collect()
}
