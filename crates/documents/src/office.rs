//! A document of a word processor whose citations can be formatted: Word's or OpenDocument's.

use citation_model::budget::Budget;
use citation_model::item::Item;

use crate::document::LeftPart;
use crate::error::DocumentError;
use crate::format::{ManuscriptFormat, detect};
use crate::odt::OdtDocument;
use crate::preferences::StyleName;
use crate::word::{
    CitationChange, FieldHandling, FormattedDocument, WordCitation, WordDocument, WordList,
};

/// A document of a word processor whose citations can be formatted.
pub enum OfficeDocument<'b> {
    Word(Box<WordDocument<'b>>),
    Odt(Box<OdtDocument<'b>>),
}

impl<'b> OfficeDocument<'b> {
    pub fn open(bytes: &'b [u8], budget: &'b Budget) -> Result<OfficeDocument<'b>, DocumentError> {
        Ok(match detect("", bytes)? {
            ManuscriptFormat::Odt => {
                OfficeDocument::Odt(Box::new(OdtDocument::open(bytes, budget)?))
            }
            _ => OfficeDocument::Word(Box::new(WordDocument::open(bytes, budget)?)),
        })
    }

    /// In reading order.
    pub fn citations(&self) -> Box<dyn Iterator<Item = WordCitation<'_>> + '_> {
        match self {
            OfficeDocument::Word(document) => Box::new(document.citations()),
            OfficeDocument::Odt(document) => Box::new(document.citations()),
        }
    }

    /// Fields that cite works which cannot be read. They stay as they are.
    pub fn unread(&self) -> &[LeftPart] {
        match self {
            OfficeDocument::Word(document) => document.unread(),
            OfficeDocument::Odt(document) => document.unread(),
        }
    }

    /// Whether a citation program maintains a reference list in the document.
    pub fn has_list(&self) -> bool {
        match self {
            OfficeDocument::Word(document) => document.has_list(),
            OfficeDocument::Odt(document) => document.has_list(),
        }
    }

    /// The number of paragraphs with text in that list.
    pub fn list_length(&self) -> usize {
        match self {
            OfficeDocument::Word(document) => document.list_length(),
            OfficeDocument::Odt(document) => document.list_length(),
        }
    }

    /// Works that the list has although nobody may cite them.
    pub fn listed(&self) -> &[Item] {
        match self {
            OfficeDocument::Word(document) => document.listed(),
            OfficeDocument::Odt(_) => &[],
        }
    }

    /// Formats the citations, with one change each in order, and the list unless it is `None`.
    pub fn format(
        self,
        changes: &[CitationChange],
        list: Option<&WordList>,
        style: StyleName<'_>,
        fields: FieldHandling,
    ) -> Result<FormattedDocument, DocumentError> {
        match self {
            OfficeDocument::Word(document) => document.format(changes, list, style, fields),
            OfficeDocument::Odt(document) => document.format(changes, list, fields),
        }
    }
}
