//! A formatted bibliography, whole and by entry.

use std::fmt::Write;

use serde::Serialize;
use utoipa::ToSchema;

use super::html::write_entry;
use super::markup::{Forms, MarkupForm, written};
use super::render::{ItemsToFormat, Rendered};
use crate::blocking::Job;
use citation_csl::{BibliographyParameters, CitationFormat, Formatted, Rich, SecondFieldAlign};
use citation_model::budget::Exceeded;

/// A formatted bibliography.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatReply {
    /// The bibliography as HTML.
    pub html: String,
    /// The bibliography as text, one line per entry.
    pub plain: String,
    /// One in-text citation for each entry, in input order.
    pub(super) citations: Vec<String>,
    /// In input order.
    pub entries: Vec<FormattedEntry>,
    pub style: String,
    /// The locale that was used.
    pub locale: String,
    /// Ids in the order of the bibliography.
    pub(super) order: Vec<String>,
    /// The same as positions in the input.
    #[serde(skip)]
    pub order_of_input: Vec<usize>,
    /// Whether the style sorts the bibliography. Otherwise entries
    /// keep their order.
    pub sorted: bool,
    /// One for each entry in input order, if requested and if the style sorts. They compare as texts like the
    /// entries, also with those of another request in the same style and locale.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sort_keys: Vec<String>,
    pub(super) citation_format: Option<&'static str>,
    pub layout: Option<LayoutParameters>,
    /// The requested further formats, by name.
    #[serde(skip_serializing_if = "Forms::is_empty")]
    #[schema(value_type = BTreeMap<String, MarkupForm>)]
    pub(super) formats: Forms<MarkupForm>,
    pub warnings: Vec<FormatWarning>,
}

/// One entry, in the text and in the bibliography.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormattedEntry {
    id: String,
    index: usize,
    pub in_text: String,
    pub in_text_html: String,
    /// Null for a style without a bibliography.
    pub bibliography: Option<String>,
    pub bibliography_html: Option<String>,
}

/// The bibliography layout of the style.
#[derive(Debug, Serialize, ToSchema)]
pub struct LayoutParameters {
    pub hanging_indent: bool,
    /// `flush`, `margin` or null.
    second_field_align: Option<&'static str>,
    /// Multiples of the line height.
    line_spacing: u32,
    /// Multiples of the line height.
    entry_spacing: u32,
    /// Characters in the widest first field.
    max_offset: u32,
}

/// A warning that did not prevent formatting.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatWarning {
    /// The entry concerned, counted from 0.
    pub index: Option<usize>,
    pub code: String,
    pub message: String,
}

pub fn reply(rendered: Rendered, annotated: bool, job: &Job) -> Result<FormatReply, Exceeded> {
    let Rendered {
        ready,
        items,
        formatted,
        mut warnings,
    } = rendered;
    let entries = in_input_order(&items, &formatted, job)?;
    warnings.extend(formatted.warnings.into_iter().map(|w| FormatWarning {
        index: w.index,
        code: w.code.to_owned(),
        message: w.message,
    }));
    let mut html = String::from("<div class=\"csl-bib-body\">");
    let mut plain = String::new();
    for entry in formatted.bibliography.iter().flatten() {
        if let (Some(item), Some(written)) =
            (items.items.get(entry.index), entries.get(entry.index))
        {
            let content = written.bibliography_html.as_deref().unwrap_or_default();
            write_entry(&mut html, item, &written.id, content);
            plain.push_str(written.bibliography.as_deref().unwrap_or_default());
            plain.push('\n');
        }
        if let Some(annotation) = items.annotation(entry.index, annotated) {
            let _ = write!(
                html,
                "<div class=\"csl-annotation\">{}</div>",
                annotation.html()
            );
            let _ = writeln!(plain, "    {}", annotation.text());
        }
    }
    html.push_str("</div>");
    job.budget().spend_bytes(html.len() + plain.len())?;
    Ok(FormatReply {
        html,
        plain,
        citations: entries.iter().map(|entry| entry.in_text.clone()).collect(),
        entries,
        style: ready.name(),
        locale: ready.locale.clone(),
        order_of_input: formatted.order.clone(),
        order: formatted
            .order
            .iter()
            .map(|index| items.id(*index))
            .collect(),
        sorted: ready.compiled.style().sorts_bibliography(),
        sort_keys: formatted.sort_keys,
        citation_format: ready.citation_format().map(CitationFormat::csl),
        layout: formatted
            .bibliography
            .is_some()
            .then(|| layout(&formatted.parameters)),
        formats: Forms::new(),
        warnings,
    })
}

pub fn in_input_order(
    items: &ItemsToFormat,
    formatted: &Formatted,
    job: &Job,
) -> Result<Vec<FormattedEntry>, Exceeded> {
    let mut contents: Vec<Option<&Rich>> = vec![None; items.items.len()];
    for entry in formatted.bibliography.iter().flatten() {
        if let Some(slot) = contents.get_mut(entry.index) {
            *slot = Some(&entry.content);
        }
    }
    job.map(&contents, |budget, index, content| {
        let write = |rich: Option<&Rich>, form: fn(&Rich) -> String| {
            rich.map(|rich| written(form(rich), budget)).transpose()
        };
        let marker = formatted.markers.get(index);
        Ok(FormattedEntry {
            id: items.id(index),
            index,
            in_text: write(marker, Rich::text)?.unwrap_or_default(),
            in_text_html: write(marker, Rich::html)?.unwrap_or_default(),
            bibliography: write(*content, Rich::text)?,
            bibliography_html: write(*content, Rich::html)?,
        })
    })
}

pub(super) fn layout(parameters: &BibliographyParameters) -> LayoutParameters {
    LayoutParameters {
        hanging_indent: parameters.hanging_indent,
        second_field_align: parameters.second_field_align.map(|align| match align {
            SecondFieldAlign::Flush => "flush",
            SecondFieldAlign::Margin => "margin",
        }),
        line_spacing: parameters.line_spacing,
        entry_spacing: parameters.entry_spacing,
        max_offset: parameters.max_offset,
    }
}
