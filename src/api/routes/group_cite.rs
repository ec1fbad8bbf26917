//! `POST /api/v1/format/group-cite`: formats one citation of several entries.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::format::FormatRequest;
use crate::api::edge::action::Action;
use crate::api::edge::context::{RequestContext, read_members};
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::validation::kind_of;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::formatting::{self, FormatWarning, Forms};
use crate::styles::Ready;
use citation_csl::Options;
use citation_model::cite::{Citation, Cite, CiteMode, Locator, Position};
use citation_model::tidy;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/format/group-cite", Action::Format, group_cite)
            .heavy()
            .documented(group_cite_operation),
    ]
}

/// The request body for a grouped citation.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: of a flattened member serde does not say where it does not fit"
)]
pub struct GroupRequest {
    #[serde(flatten)]
    format: FormatRequest,
    #[serde(flatten)]
    cited: GroupCites,
}

/// The cited entries.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"indices": [0]}))]
pub struct GroupCites {
    /// Positions of the cited entries, from 0, at most 200.
    #[schema(value_type = Option<Vec<u32>>, min_items = 1)]
    indices: Option<Value>,
    /// The cites with locators and affixes, instead of `indices`.
    #[schema(min_items = 1)]
    items: Option<Vec<GroupItem>>,
    /// Where the citation stands among others of the same works, for styles that shorten later ones: `first` (the
    /// default), `subsequent`, or `following`, right after one.
    #[schema(max_length = 20)]
    position: Option<String>,
}

/// The position of cites by its name.
fn read_position(name: Option<&str>) -> Result<Option<Position>, ApiError> {
    match name {
        None | Some("first") => Ok(None),
        Some("subsequent") => Ok(Some(Position::Subsequent)),
        Some("following") => Ok(Some(Position::Ibid)),
        Some(_) => {
            let message = "must be first, subsequent or following";
            Err(ApiError::invalid_field("/position", message))
        }
    }
}

/// One cite of a grouped citation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GroupItem {
    #[schema(minimum = 0)]
    index: i64,
    /// A text or a number.
    #[schema(value_type = Option<String>)]
    locator: Option<LocatorValue>,
    /// The kind of locator, such as `chapter`; default `page`.
    label: Option<String>,
    #[serde(default)]
    prefix: String,
    #[serde(default)]
    suffix: String,
    #[serde(default)]
    suppress_author: bool,
    #[serde(default)]
    author_only: bool,
}

/// A locator may be sent as a number, `5`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum LocatorValue {
    Text(String),
    Number(serde_json::Number),
}

/// A grouped citation.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupReply {
    citation: String,
    citation_html: String,
    indices: Vec<usize>,
    style: String,
    locale: String,
    /// The requested further formats, by name.
    #[serde(skip_serializing_if = "Forms::is_empty")]
    #[schema(value_type = BTreeMap<String, String>)]
    formats: Forms<String>,
    warnings: Vec<FormatWarning>,
}

/// `POST /api/v1/format/group-cite`.
pub fn group_cite(context: &RequestContext) -> Result<Reply, ApiError> {
    let body = Value::Object(context.json_object()?);
    let job = read_members::<FormatRequest>(&body)?.read(&context.job)?;
    let cited: GroupCites = read_members(&body)?;
    let position = read_position(cited.position.as_deref())?;
    let mut cites = read_cites(&cited, job.items.len())?;
    for cite in &mut cites {
        cite.position = match (position, &cite.locator) {
            (Some(Position::Ibid), Some(_)) => Some(Position::IbidWithLocator),
            (position, _) => position,
        };
        cite.near_note = position.map(|_| true);
    }
    let indices = cites
        .iter()
        .filter_map(|cite| cite.id.parse().ok())
        .collect();
    let citation = Citation {
        cites,
        ..Citation::default()
    };
    let citations = [citation];
    let options = Options {
        bibliography: false,
        links: job.wanted.links,
        ..Options::default()
    };
    let rendered = context
        .formatter()
        .render(job.items, &citations, &job.choice, options)?;
    let ready = &rendered.ready;
    let mut warnings = job.warnings;
    warnings.extend(rendered.warnings);
    warnings.extend(unknown_labels(&citations, ready));
    let citation = rendered.formatted.citations.into_iter().next();
    let citation = citation.unwrap_or_default();
    Ok(Reply::json(&GroupReply {
        citation: citation.text(),
        citation_html: citation.html(),
        indices,
        style: ready.name(),
        locale: ready.locale.clone(),
        formats: formatting::citation(&citation, &job.wanted.dialects, &context.budget)?,
        warnings,
    }))
}

/// Parses `indices` or `items` into cites whose ids are positions.
fn read_cites(request: &GroupCites, count: usize) -> Result<Vec<Cite>, ApiError> {
    let mut cites: Vec<Cite> = Vec::new();
    match (&request.items, &request.indices) {
        (Some(items), _) => {
            for (at, item) in items.iter().enumerate() {
                let index = check_index(item.index, count, &format!("/items/{at}/index"))?;
                cites.push(read_cite(item, index));
            }
        }
        (None, Some(Value::Array(indices))) => {
            for (at, index) in indices.iter().enumerate() {
                let pointer = format!("/indices/{at}");
                let whole = index.as_i64().or_else(|| {
                    index
                        .as_f64()
                        .filter(|f| f.fract() == 0.0)
                        .map(|f| f as i64)
                });
                let index = whole.ok_or_else(|| {
                    ApiError::invalid_field(
                        &pointer,
                        format!("must be a whole number, not {}", kind_of(index)),
                    )
                })?;
                let id = check_index(index, count, &pointer)?.to_string();
                if !cites.iter().any(|cite| cite.id == id) {
                    cites.push(Cite {
                        id,
                        ..Cite::default()
                    });
                }
            }
        }
        (None, Some(other)) => {
            let message = format!("must be a list of positions, not {}", kind_of(other));
            return Err(ApiError::invalid_field("/indices", message));
        }
        (None, None) => {
            return Err(ApiError::invalid_field(
                "/indices",
                "is missing: it lists the positions of the entries to cite",
            ));
        }
    }
    if cites.is_empty() {
        return Err(ApiError::invalid_field(
            "/indices",
            "is empty; name at least one entry to cite",
        ));
    }
    Ok(cites)
}

fn check_index(index: i64, count: usize, pointer: &str) -> Result<usize, ApiError> {
    usize::try_from(index)
        .ok()
        .filter(|index| *index < count)
        .ok_or_else(|| {
            let message = match count {
                0 => format!("is {index}, but there are no entries"),
                _ => format!("is {index}, but positions go from 0 to {}", count - 1),
            };
            ApiError::invalid_field(pointer, message)
        })
}

fn read_cite(item: &GroupItem, index: usize) -> Cite {
    let locator = item.locator.as_ref().map(|locator| match locator {
        LocatorValue::Text(text) => tidy::number(text).trim().to_owned(),
        LocatorValue::Number(number) => number.to_string(),
    });
    Cite {
        id: index.to_string(),
        locator: locator
            .filter(|value| !value.is_empty())
            .map(|value| Locator {
                label: read_label(item.label.as_deref()),
                value,
            }),
        prefix: tidy::text(&item.prefix).into_owned(),
        suffix: tidy::text(&item.suffix).into_owned(),
        mode: match (item.author_only, item.suppress_author) {
            (true, _) => CiteMode::AuthorOnly,
            (false, true) => CiteMode::SuppressAuthor,
            (false, false) => CiteMode::Normal,
        },
        ..Cite::default()
    }
}

/// The label in CSL's spelling, from any case.
fn read_label(label: Option<&str>) -> String {
    let label = label.unwrap_or_default().trim().to_lowercase();
    match label.as_str() {
        "" => "page".to_owned(),
        _ => label,
    }
}

/// Warns about unknown locator labels, which are omitted.
fn unknown_labels(citations: &[Citation], ready: &Ready) -> Vec<FormatWarning> {
    let labelled = citations
        .iter()
        .flat_map(|citation| &citation.cites)
        .filter_map(|cite| Some((cite, cite.locator.as_ref()?)));
    labelled
        .filter(|(_, locator)| !ready.compiled.has_label(&locator.label))
        .map(|(cite, locator)| FormatWarning {
            index: cite.id.parse().ok(),
            code: "unknown_label".to_owned(),
            message: format!(
                "The locator label “{}” does not exist; “{}” is used without one.",
                locator.label, locator.value
            ),
        })
        .collect()
}

pub fn group_cite_operation() -> Operation {
    Operation::new("cite_groups", "formatting", "Cite several entries together")
        .describe(
            "Numbers and disambiguation follow from all entries, not only from the cited ones.",
        )
        .body::<GroupRequest>()
        .reply::<GroupReply>(200, "The citation.")
        .codes(&[Code::UnknownStyle])
}
