//! What comes out of a manuscript: its paragraphs, citations and references, and where each stands.

use std::ops::Range;

use citation_model::cite::{Cite, CiteMode};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::Format;
use crate::library;

/// A manuscript that was read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub format: Format,
    /// Headings, paragraphs and notes in reading order; notes stand where they are called. Empty for TeX,
    /// Markdown and Typst, whose citations name keys.
    pub blocks: Vec<Block>,
    /// In reading order. Empty where the format marks none and none is told from what is printed.
    pub citations: Vec<Citation>,
    /// Whether the format marks citations at all; a printed `(Doe 2001)` is no mark.
    pub marks_citations: bool,
    /// The works of the reference list as it is printed; where the file holds none, the works cited in the
    /// order of their first citation.
    pub references: Vec<Reference>,
    /// Entries of the bibliographies beside the document that it does not cite.
    pub uncited: Vec<Reference>,
    pub findings: Vec<Finding>,
    /// The front matter of Markdown; null where there is none.
    pub metadata: Value,
}

/// A paragraph or what stands for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Lines that the document itself breaks are parted by line feeds.
    pub text: String,
    pub place: Place,
    /// Whether the document says that this is part of its reference list: a field, a style, a role.
    pub is_reference: bool,
    /// What links point to, and the key that the document gives the entry.
    pub anchors: Vec<String>,
    /// A DOI that stands in a link of the block.
    pub doi: Option<Doi>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// With its level, from 1.
    Heading(u8),
    #[default]
    Paragraph,
    /// An entry of a list.
    ListItem,
    /// A row of a table, its cells joined by blanks.
    Row,
    /// A paragraph of a footnote or an endnote.
    Note,
}

/// Where something stands. What a format does not have is unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, where it is not the document itself.
    pub file: Option<String>,
    /// From 1, in formats whose source has lines.
    pub line: Option<usize>,
    /// From 1, in formats without lines; of a note, the paragraph that calls it.
    pub paragraph: Option<usize>,
    /// The number of the note, from 1.
    pub note: Option<usize>,
    /// The page of the file, from 1, in formats that have pages.
    pub page: Option<usize>,
}

impl Place {
    pub fn line(line: usize) -> Place {
        Place {
            line: Some(line),
            ..Place::default()
        }
    }
}

/// The works that are cited together in one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Citation {
    pub items: Vec<Cited>,
    /// As it is printed; empty where the source does not print it.
    pub text: String,
    pub place: Place,
    /// Where its marker stands in the text of the document, in bytes; in Markdown, TeX and Typst.
    pub span: Option<Range<usize>>,
}

/// One work of a citation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cited {
    /// Its id is the document's own key; empty where it has none.
    pub cite: Cite,
    pub doi: Option<Doi>,
    /// The work as the document carries it.
    pub item: Option<Item>,
    /// The entry of the list, from 0, where the citation is one that the document does not mark but prints.
    pub reference: Option<usize>,
}

impl Cited {
    pub(crate) fn key(key: impl Into<String>) -> Cited {
        Cited {
            cite: Cite {
                id: key.into(),
                ..Cite::default()
            },
            ..Cited::default()
        }
    }

    pub(crate) fn of_item(key: impl Into<String>, item: Item) -> Cited {
        Cited {
            doi: item.doi(),
            item: Some(item),
            ..Cited::key(key)
        }
    }

    /// The work, or that which its DOI names.
    pub fn known(&self) -> Option<Item> {
        known(self.item.as_ref(), self.doi.as_ref())
    }

    pub(crate) fn without_author(mut self, is_without: bool) -> Cited {
        if is_without {
            self.cite.mode = CiteMode::SuppressAuthor;
        }
        self
    }
}

/// One work of the reference list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// As it is printed, without its number; where it is not, the main facts of the work in one line.
    pub text: String,
    pub doi: Option<Doi>,
    /// The document's own key.
    pub key: Option<String>,
    /// The number or mark that is printed before it, without its brackets.
    pub label: Option<String>,
    /// The work as the document or a file beside it carries it.
    pub item: Option<Item>,
    pub place: Place,
}

fn known(item: Option<&Item>, doi: Option<&Doi>) -> Option<Item> {
    item.cloned().or_else(|| {
        let mut named = Item::default();
        named.set_text(TextVar::Doi, doi?.to_string());
        Some(named)
    })
}

impl Reference {
    /// The work, or that which its DOI names.
    pub fn known(&self) -> Option<Item> {
        known(self.item.as_ref(), self.doi.as_ref())
    }

    /// Whether the text is printed in the document, and not made from the work or its key.
    pub fn is_printed(&self) -> bool {
        let is_key = self.key.as_ref() == Some(&self.text);
        let item = self.item.as_ref();
        item.is_none_or(|item| !is_key && self.text != library::line(item))
    }
}

/// Something about the citations and references that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// One sentence.
    pub message: String,
    /// The keys concerned; texts of the entries where they have none.
    pub keys: Vec<String>,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// The text cites a key that no file defines.
    UndefinedKey,
    /// Nobody cites an entry.
    UncitedEntry,
    /// Two entries are one work.
    DuplicateWork,
    /// A file that the document names is not there or cannot be read.
    MissingFile,
}

impl FindingKind {
    /// `undefined_key`, `uncited_entry`, `duplicate_work`, `missing_file`.
    pub fn as_str(self) -> &'static str {
        match self {
            FindingKind::UndefinedKey => "undefined_key",
            FindingKind::UncitedEntry => "uncited_entry",
            FindingKind::DuplicateWork => "duplicate_work",
            FindingKind::MissingFile => "missing_file",
        }
    }
}
