//! A bibliography as a file: the forms that there are, by name and by extension, and their text.

use super::call::Call;
use super::error::ApiError;
use super::format::{self, StyleChoice};
use crate::csl::OutputFormat;
use crate::exchange::{self, Format, Target, WriteOptions};
use crate::model::item::Item;

/// The media types of the bibliography files that can be read.
pub const READABLE: [&str; 3] = [
    "application/x-bibtex",
    "application/x-research-info-systems",
    "application/vnd.citationstyles.csl+json",
];

/// A form that a bibliography can be had in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// The records themselves.
    Records(Target),
    /// Formatted in a style.
    Text,
    Html,
    Rtf,
    Markdown,
}

impl FileForm {
    pub const ALL: [FileForm; 9] = [
        FileForm::Records(Target::Format(Format::Bibtex)),
        FileForm::Records(Target::Format(Format::Biblatex)),
        FileForm::Records(Target::Format(Format::Ris)),
        FileForm::Records(Target::Format(Format::CslJson)),
        FileForm::Records(Target::Hayagriva),
        FileForm::Text,
        FileForm::Html,
        FileForm::Rtf,
        FileForm::Markdown,
    ];

    /// `bibtex`, `biblatex`, `ris`, `csl-json`, `hayagriva`, `text`, `html`, `rtf`, `markdown`.
    pub fn name(self) -> &'static str {
        match self {
            FileForm::Records(target) => target.name(),
            FileForm::Text => "text",
            FileForm::Html => "html",
            FileForm::Rtf => "rtf",
            FileForm::Markdown => "markdown",
        }
    }

    /// What stands behind `export.` in an address: the extension, but for biblatex, which shares
    /// BibTeX's.
    pub fn ending(self) -> &'static str {
        match self {
            FileForm::Records(Target::Format(Format::Biblatex)) => "biblatex.bib",
            other => other.extension(),
        }
    }

    /// The extension of a file, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            FileForm::Records(target) => target.extension(),
            FileForm::Text => "txt",
            FileForm::Html => "html",
            FileForm::Rtf => "rtf",
            FileForm::Markdown => "md",
        }
    }

    /// The media type to send it under.
    pub fn media_type(self) -> &'static str {
        match self {
            FileForm::Records(target) => target.media_type(),
            FileForm::Text => "text/plain; charset=utf-8",
            FileForm::Html => "text/html; charset=utf-8",
            FileForm::Rtf => "application/rtf",
            FileForm::Markdown => "text/markdown; charset=utf-8",
        }
    }

    /// Whether the records themselves are written, so that no style matters.
    pub fn is_records(self) -> bool {
        matches!(self, FileForm::Records(_))
    }

    pub fn named(name: &str) -> Option<FileForm> {
        FileForm::ALL.into_iter().find(|form| form.name() == name)
    }

    pub fn with_ending(ending: &str) -> Option<FileForm> {
        let mut forms = FileForm::ALL.into_iter();
        forms.find(|form| form.ending() == ending)
    }

    /// Writes a bibliography. HTML is the list alone, without a page around it.
    pub fn write(
        self,
        call: &Call,
        items: Vec<Item>,
        options: &WriteOptions,
        choice: &StyleChoice,
    ) -> Result<String, ApiError> {
        match self {
            FileForm::Records(target) => {
                Ok(exchange::write(&items, target, options, &call.budget)?)
            }
            FileForm::Text => format::whole(call, items, choice).map(|(_, plain)| plain),
            FileForm::Html => format::whole(call, items, choice).map(|(html, _)| html),
            FileForm::Rtf => format::in_dialect(call, items, choice, OutputFormat::Rtf),
            FileForm::Markdown => format::in_dialect(call, items, choice, OutputFormat::Markdown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_a_name_and_an_ending_of_its_own() {
        for form in FileForm::ALL {
            assert_eq!(FileForm::named(form.name()), Some(form));
            assert_eq!(FileForm::with_ending(form.ending()), Some(form));
        }
    }
}
