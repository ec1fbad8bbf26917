//! `POST /api/v1/format`: formats entries as a bibliography and in-text citations.

mod html;
mod render;
mod reply;
mod request;
mod style;

pub use render::render;
pub use reply::{FormatReply, FormatWarning, FormattedEntry};
pub use request::{FormatRequest, read_entries};
pub use style::{StyleChoice, check_choice, check_style, choose, style_error};

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

use self::html::write_entry;
use self::render::{markers, too_complex};
use self::reply::in_input_order;
use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::markup::{self, MarkupOptions};
use super::operation::Operation;
use super::reply::Reply;
use crate::styles::preview;
use citation_csl::{Options, OutputFormat, Rich, write_all};
use citation_model::item::Item;
use citation_model::work::Work;

/// One entry as HTML and as text.
pub struct OneEntry {
    pub html: String,
    pub plain: String,
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
    let mut formatted = format_items(context, job.items, &job.choice, &job.wanted)?;
    let mut warnings = job.warnings;
    warnings.append(&mut formatted.warnings);
    formatted.warnings = warnings;
    Ok(Reply::json(&formatted))
}

/// Checks the maximum number of items.
pub fn check_count(context: &RequestContext, items: &[Item]) -> Result<(), ApiError> {
    let most = context.app.config.format.max_entries;
    if items.len() > most as usize {
        return Err(ApiError::too_many_items("/entries", most.into()));
    }
    Ok(())
}

/// Formats items as a bibliography, in their order unless the style sorts.
pub fn format_items(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
    wanted: &MarkupOptions,
) -> Result<FormatReply, ApiError> {
    let options = Options {
        links: wanted.links,
        ..markers()
    };
    let rendered = render(context, items, &[], choice, options)?;
    let formats = markup::forms(&rendered.formatted, &wanted.dialects, &context.budget);
    let formats = formats.map_err(|cause| too_complex(cause, choice))?;
    let reply = reply::reply(rendered, choice.annotated, &context.job);
    let mut reply = reply.map_err(|cause| too_complex(cause, choice))?;
    reply.formats = formats;
    Ok(reply)
}

/// A bibliography as HTML and as text.
pub fn whole(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
) -> Result<(String, String), ApiError> {
    format_items(context, items, choice, &MarkupOptions::default())
        .map(|reply| (reply.html, reply.plain))
}

/// A bibliography in another markup language, one paragraph per entry.
pub fn in_dialect(
    context: &RequestContext,
    items: Vec<Item>,
    choice: &StyleChoice,
    dialect: OutputFormat,
) -> Result<String, ApiError> {
    let rendered = render(context, items, &[], choice, markers())?;
    let (formatted, items) = (&rendered.formatted, &rendered.items);
    let hanging = formatted.parameters.hanging_indent;
    let Some(entries) = &formatted.bibliography else {
        return Ok(write_all(&formatted.markers, dialect, hanging));
    };
    let paragraphs = entries.iter().flat_map(|entry| {
        let annotation = items.annotation(entry.index, choice.annotated);
        std::iter::once(Cow::Borrowed(&entry.content)).chain(annotation.map(Cow::Owned))
    });
    let paragraphs: Vec<Cow<'_, Rich>> = paragraphs.collect();
    Ok(write_all(
        paragraphs.iter().map(Cow::as_ref),
        dialect,
        hanging,
    ))
}

/// Formats one work as a bibliography entry, or as a citation if the style has no bibliography.
pub fn one_entry(
    context: &RequestContext,
    work: &Work,
    choice: &StyleChoice,
) -> Result<OneEntry, ApiError> {
    let formatted = render(context, vec![work.item.clone()], &[], choice, markers())?.formatted;
    let entry = formatted
        .bibliography
        .and_then(|entries| entries.into_iter().next());
    let content = match entry {
        Some(entry) => entry.content,
        None => formatted.markers.into_iter().next().unwrap_or_default(),
    };
    let mut html = String::from("<div class=\"csl-bib-body\">");
    write_entry(&mut html, &work.item, &work.item.id, &content.html());
    html.push_str("</div>\n");
    let mut plain = content.text();
    plain.push('\n');
    Ok(OneEntry { html, plain })
}

/// Renders the sample entries in a style.
pub fn preview(
    context: &RequestContext,
    choice: &StyleChoice,
) -> Result<Vec<PreviewEntry>, ApiError> {
    let rendered = render(context, preview::items(), &[], choice, markers())?;
    let entries = in_input_order(&rendered.items, &rendered.formatted, &context.job)?;
    let sample = entries.into_iter().zip(&rendered.items.items);
    Ok(sample
        .map(|(entry, item)| PreviewEntry {
            entry_type: item.kind.json_name(),
            in_text: entry.in_text,
            bibliography: entry.bibliography,
            bibliography_html: entry.bibliography_html,
        })
        .collect())
}

pub fn format_operation() -> Operation {
    Operation::new("format_entries", "formatting", "Format entries")
        .describe("Returns the bibliography as HTML and as text, and for every entry the in-text citation that it has if cited alone. Costs no lookup. No field of an entry is required: missing fields cause warnings.")
        .body::<FormatRequest>()
        .reply::<FormatReply>(200, "The bibliography.")
        .codes(&[Code::UnknownStyle])
}
