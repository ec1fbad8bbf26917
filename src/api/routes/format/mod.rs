//! `POST /api/v1/format`: formats entries as a bibliography and in-text citations.

mod request;

pub use request::{FormatRequest, read_entries};

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::formatting::{FormatError, FormatReply, StyleChoice};
use crate::styles::StyleProblem;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/format", Action::Format, format)
            .heavy()
            .documented(format_operation),
    ]
}

/// A sample entry in a style.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewEntry {
    pub entry_type: &'static str,
    pub in_text: String,
    pub bibliography: Option<String>,
    pub bibliography_html: Option<String>,
}

/// `POST /api/v1/format`.
pub fn format(context: &RequestContext) -> Result<Reply, ApiError> {
    let job = FormatRequest::of(context.json_object()?)?.read(&context.job)?;
    let formatter = context.formatter();
    let mut formatted = formatter.bibliography(job.items, &job.choice, &job.wanted)?;
    let mut warnings = job.warnings;
    warnings.append(&mut formatted.warnings);
    formatted.warnings = warnings;
    Ok(Reply::json(&formatted))
}

/// Renders the sample entries in a style.
pub fn preview(
    context: &RequestContext,
    choice: &StyleChoice,
) -> Result<Vec<PreviewEntry>, ApiError> {
    let sample = context.formatter().preview(choice)?.into_iter();
    let entries = sample.map(|(item, entry)| PreviewEntry {
        entry_type: item.kind.json_name(),
        in_text: entry.in_text,
        bibliography: entry.bibliography,
        bibliography_html: entry.bibliography_html,
    });
    Ok(entries.collect())
}

impl From<FormatError> for ApiError {
    fn from(error: FormatError) -> ApiError {
        match error {
            FormatError::Style {
                problem: problem @ StyleProblem::ParentMissing { .. },
                is_inline: true,
            } => ApiError::invalid_field("/style_xml", problem.to_string()),
            FormatError::Style { problem, .. } => problem.into(),
            FormatError::StyleTooLong(most) => {
                ApiError::too_many_bytes(most).with("field", "/style_xml")
            }
            FormatError::TooManyItems(most) => ApiError::too_many_items("/entries", most.into()),
            FormatError::TooComplex { cause, is_inline } => {
                let field = if is_inline { "/style_xml" } else { "/entries" };
                ApiError::from(cause).with("field", field)
            }
        }
    }
}

impl From<StyleProblem> for ApiError {
    fn from(problem: StyleProblem) -> ApiError {
        match problem {
            StyleProblem::Unknown { name, nearest } => ApiError::new(
                Code::UnknownStyle,
                format!("The style “{name}” does not exist; /api/v1/styles/search finds styles."),
            )
            .with("style", name)
            .with("field", "/style")
            .with("suggestions", nearest),
            StyleProblem::ParentMissing { ref name, .. } => {
                let message = problem.to_string();
                ApiError::new(Code::UnknownStyle, message)
                    .with("style", name.as_str())
                    .with("suggestions", Vec::<String>::new())
            }
            StyleProblem::Broken { .. } => {
                ApiError::invalid_field("/style_xml", problem.to_string())
            }
            StyleProblem::BadLocale { .. } => {
                ApiError::invalid_field("/locale", problem.to_string())
            }
            StyleProblem::Store(cause) => ApiError::internal(cause),
        }
    }
}

pub fn format_operation() -> Operation {
    Operation::new("format_entries", "formatting", "Format entries")
        .describe("Returns the bibliography as HTML and as text, and for every entry the in-text citation that it has if cited alone. Costs no lookup. No field of an entry is required: missing fields cause warnings.")
        .body::<FormatRequest>()
        .reply::<FormatReply>(200, "The bibliography.")
        .codes(&[Code::UnknownStyle])
}
