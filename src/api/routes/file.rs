//! Bibliographies as files: the available formats, by name and by extension, and their text.

use std::collections::HashSet;

use crate::api::edge::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::formatting::{MarkupOptions, StyleChoice};
use citation_csl::OutputFormat;
use citation_exchange::{self as exchange, Content, Format, Hints, Reading, WriteOptions};
use citation_model::budget::Exceeded;
use citation_model::item::Item;

/// The media types of the readable bibliography formats.
pub fn readable() -> Vec<&'static str> {
    let types = Format::readable().filter_map(|format| format.media_types.first().copied());
    let mut types: Vec<&str> = types.collect();
    let mut seen = HashSet::new();
    types.retain(|media_type| seen.insert(*media_type));
    types
}

/// Detects the format of a file; `None` for plain text. Unsupported formats are rejected
/// by name. A file with named columns is a table.
pub fn recognise(
    context: &RequestContext,
    content: &Content<'_>,
    hints: Hints<'_>,
) -> Result<Option<&'static Format>, ApiError> {
    if context.query.get("columns").is_some() {
        return Ok(Some(&exchange::CSV));
    }
    let told = exchange::recognise(content, hints, &context.budget).map_err(too_complex)?;
    told.map_err(|unreadable| {
        ApiError::new(Code::UnsupportedMediaType, unreadable.to_string())
            .with("supported", readable())
    })
}

/// Reads a file in a format.
pub fn read(
    context: &RequestContext,
    content: &Content<'_>,
    format: &Format,
) -> Result<Reading, ApiError> {
    match context.query.get("columns") {
        Some(columns) if *format == exchange::CSV => {
            exchange::read_table(content, columns, &context.budget)
                .map_err(too_complex)?
                .map_err(|fault| ApiError::invalid_parameter("columns", fault))
        }
        _ => exchange::read(content, format, &context.budget).map_err(too_complex),
    }
}

/// A file that exceeds the request's budget.
pub fn too_complex(cause: Exceeded) -> ApiError {
    ApiError::from(cause).with("field", "/file")
}

/// The description of the parameter `columns`.
pub const COLUMNS: &str = "The meaning of a table's columns, if its header does not say: \
    `Titel=title,Jahr=year,Nr=`. A variable of CSL, or `type`, `citation-key`, `year`, `page-last`; \
    empty to skip a column.";

/// An output format of a bibliography.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// The records themselves.
    Records(&'static Format),
    /// Formatted in a style.
    Text,
    Html,
    Rtf,
    Markdown,
}

impl FileForm {
    pub fn all() -> impl Iterator<Item = FileForm> + Clone {
        let formatted = [
            FileForm::Text,
            FileForm::Html,
            FileForm::Rtf,
            FileForm::Markdown,
        ];
        Format::writable().map(FileForm::Records).chain(formatted)
    }

    /// The id of a format, or `text`, `html`, `rtf`, `markdown`.
    pub fn name(self) -> &'static str {
        match self {
            FileForm::Records(format) => format.id,
            FileForm::Text => "text",
            FileForm::Html => "html",
            FileForm::Rtf => "rtf",
            FileForm::Markdown => "markdown",
        }
    }

    /// The part after `export.` in an address: the extension, or, if several formats share one,
    /// prefixed by the name for all but the first.
    pub fn ending(self) -> String {
        let extension = self.extension();
        match FileForm::all().find(|form| form.extension() == extension) {
            Some(first) if first != self => format!("{}.{extension}", self.name()),
            _ => extension.to_owned(),
        }
    }

    /// The extension of a file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            FileForm::Records(format) => format.extension(),
            FileForm::Text => "txt",
            FileForm::Html => "html",
            FileForm::Rtf => "rtf",
            FileForm::Markdown => "md",
        }
    }

    /// The media type of the file.
    pub fn media_type(self) -> String {
        let essence = match self {
            FileForm::Records(format) => format.media_type(),
            FileForm::Text => "text/plain",
            FileForm::Html => "text/html",
            FileForm::Rtf => return "application/rtf".to_owned(),
            FileForm::Markdown => "text/markdown",
        };
        format!("{essence}; charset=utf-8")
    }

    /// Whether records are written, independent of the style.
    pub fn is_records(self) -> bool {
        matches!(self, FileForm::Records(_))
    }

    pub fn named(name: &str) -> Option<FileForm> {
        FileForm::all().find(|form| form.name() == name)
    }

    pub fn with_ending(ending: &str) -> Option<FileForm> {
        FileForm::all().find(|form| form.ending() == ending)
    }

    /// Writes a bibliography. HTML is only the list, without a page around it.
    pub fn write(
        self,
        context: &RequestContext,
        items: Vec<Item>,
        options: &WriteOptions,
        choice: &StyleChoice,
    ) -> Result<String, ApiError> {
        let (formatter, plain) = (context.formatter(), MarkupOptions::default());
        match self {
            FileForm::Records(format) => {
                Ok(exchange::write(&items, format, options, &context.budget)?)
            }
            FileForm::Text => Ok(formatter.bibliography(items, choice, &plain)?.plain),
            FileForm::Html => Ok(formatter.bibliography(items, choice, &plain)?.html),
            FileForm::Rtf => Ok(formatter.in_dialect(items, choice, OutputFormat::Rtf)?),
            FileForm::Markdown => {
                Ok(formatter.in_dialect(items, choice, OutputFormat::Markdown)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_formats_have_distinct_names_and_extensions() {
        let biblatex = FileForm::Records(&exchange::BIBLATEX);
        assert_eq!(biblatex.ending(), "biblatex.bib");
        for form in FileForm::all() {
            assert_eq!(FileForm::named(form.name()), Some(form));
            assert_eq!(FileForm::with_ending(&form.ending()), Some(form));
        }
    }
}
