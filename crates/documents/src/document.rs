//! The content of a manuscript: paragraphs, citations and references with their positions.

use citation_model::cite::{Cite, CiteMode};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::ManuscriptFormat;
use crate::library;
use crate::sources::{SourceFiles, SourceSpan};

/// A parsed manuscript.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub format: ManuscriptFormat,
    /// Headings, paragraphs and notes in reading order; notes are placed at their call. Empty for TeX,
    /// Markdown and Typst, which cite by key.
    pub blocks: Vec<Block>,
    /// In reading order. Empty if the format does not mark citations and none are recognised in print.
    pub citations: Vec<ManuscriptCitation>,
    /// Bare keys of Markdown without a bibliography: they cite if another file defines them.
    pub possible: Vec<PossibleCitation>,
    /// Whether the format marks citations; a printed `(Doe 2001)` is not marked.
    pub marks_citations: bool,
    /// The works of the printed reference list; if there is none, the cited works in order of first
    /// citation.
    pub references: Vec<ListedReference>,
    /// Entries of the accompanying bibliographies that are not cited.
    pub uncited: Vec<ListedReference>,
    pub findings: Vec<Finding>,
    /// The front matter of Markdown; null if absent.
    pub metadata: Value,
    /// The text files of TeX, Markdown, Typst and HTML; ranges of citations are ranges of these.
    pub sources: SourceFiles,
    /// Where the reference list goes, in TeX, Markdown and Typst.
    pub list_place: Option<ListPlace>,
    /// Commands that only add works to the list.
    pub additions: Vec<SourceSpan>,
    /// Parts that were not read and may cite.
    pub unread: Vec<LeftPart>,
    /// How a document that cites by key and names no bibliography can name one, in its markup.
    pub naming: Option<&'static str>,
}

/// The place of the reference list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPlace {
    pub span: SourceSpan,
    pub kind: ListPlaceKind,
    pub heading: ListHeading,
}

/// The heading that a command of TeX or Typst gives its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListHeading {
    /// That of the language.
    #[default]
    Default,
    None,
    /// In the markup of the document.
    Title(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPlaceKind {
    /// A command that prints the list.
    Command,
    /// Inside an element made for the list.
    Element,
    /// The end of the text.
    End,
}

/// A part of a manuscript whose citations stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftPart {
    /// The name of a file, the markup, or the text as printed.
    pub text: String,
    pub place: Place,
    pub cause: LeftCause,
}

/// Why a part stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftCause {
    /// The included file is missing.
    MissingFile,
    /// Its markup may cite and is not read.
    Markup,
    /// It is a list beside the first, of a part of the document or of some of its works.
    FurtherList,
    /// It is a field whose works cannot be read or are not known.
    Field,
    /// It is in a place where text cannot be replaced.
    Fixed,
    /// A person wrote it, or no style has its form.
    ByHand,
}

impl LeftPart {
    /// A field whose works cannot be read.
    pub(crate) fn field(text: String, place: Place) -> LeftPart {
        LeftPart {
            text,
            place,
            cause: LeftCause::Field,
        }
    }
}

/// A paragraph or equivalent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Explicit line breaks of the document are line feeds.
    pub text: String,
    pub place: Place,
    /// Whether the document marks it as part of the reference list: by a field, a style, a role.
    pub is_reference: bool,
    /// Link targets, and the document's key of the entry.
    pub anchors: Vec<String>,
    /// A DOI in a link of the block.
    pub doi: Option<Doi>,
}

impl Block {
    /// The blocks of a table row. It is one block, unless the table is only used for layout.
    pub(crate) fn of_row(cells: Vec<Vec<Block>>) -> Vec<Block> {
        const MAX_PARAGRAPHS: usize = 2;
        let is_row = cells.iter().all(|cell| cell.len() <= MAX_PARAGRAPHS);
        let blocks: Vec<Block> = cells.into_iter().flatten().collect();
        let Some(first) = blocks.first().filter(|_| is_row) else {
            return blocks;
        };
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        vec![Block {
            kind: BlockKind::Row,
            text: texts.join(" "),
            place: first.place.clone(),
            is_reference: blocks.iter().any(|block| block.is_reference),
            anchors: blocks
                .iter()
                .flat_map(|block| block.anchors.clone())
                .collect(),
            doi: blocks.iter().find_map(|block| block.doi.clone()),
        }]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// With its level, from 1.
    Heading(u8),
    #[default]
    Paragraph,
    /// A list item.
    ListItem,
    /// A table row, its cells joined by blanks.
    Row,
    /// A paragraph of a footnote or an endnote.
    Note,
}

/// A position. What a format lacks is unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, unless it is the document itself.
    pub file: Option<String>,
    /// From 1, in formats whose source has lines.
    pub line: Option<usize>,
    /// From 1, in formats without lines; for a note, the paragraph that calls it.
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

/// The works cited together in one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ManuscriptCitation {
    pub items: Vec<Cited>,
    /// As printed; empty if the source does not contain it.
    pub text: String,
    pub place: Place,
    /// Its marker in the sources, for Markdown, TeX and Typst.
    pub span: Option<SourceSpan>,
    /// What a macro of the document writes around it, for TeX.
    pub frame: CitationFrame,
    pub form: CitationForm,
    pub setting: CitationSetting,
}

/// What may be a citation, and the number of citations before it.
#[derive(Clone, Debug, PartialEq)]
pub struct PossibleCitation {
    pub before: usize,
    pub citation: ManuscriptCitation,
}

/// What a citation prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CitationForm {
    /// What the style prints.
    #[default]
    Styled,
    /// The same without the signs around it: natbib's `\citealp`.
    Bare,
    /// The year without signs around it.
    Year,
    /// The names of all authors.
    Authors,
    Title,
    Url,
    /// The entry of the reference list.
    Entry,
}

/// Where a citation stands in TeX, which has no notes in some places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CitationSetting {
    #[default]
    Text,
    /// In the title of a section.
    Heading(HeadingArgument),
    /// Apart from the text: in a note, a caption, a table, a box.
    Apart,
}

/// The title of a section, as the argument of its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadingArgument {
    /// What is inside of the braces.
    pub span: SourceSpan,
    /// Whether the title is also printed elsewhere, such as in a table of contents.
    pub is_listed: bool,
}

/// Markup around a citation that replaces the call of a macro.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationFrame {
    pub before: String,
    pub after: String,
}

/// One work of a citation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cited {
    /// Its id is the document's own key; empty if there is none.
    pub cite: Cite,
    pub doi: Option<Doi>,
    /// The work embedded in the document.
    pub item: Option<Item>,
    /// Ids of the work's record in the libraries of its program, unique everywhere.
    pub records: Vec<String>,
    /// Index of the list entry, from 0, if the citation is recognised in print.
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

    pub(crate) fn without_author(mut self, is_without: bool) -> Cited {
        if is_without {
            self.cite.mode = CiteMode::SuppressAuthor;
        }
        self
    }

    /// The work, or one with only its DOI.
    pub fn known(&self) -> Option<Item> {
        known(self.item.as_ref(), self.doi.as_ref())
    }
}

/// One work of the reference list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedReference {
    /// As printed, without its number; otherwise the main facts of the work in one line.
    pub text: String,
    pub doi: Option<Doi>,
    /// The document's own key.
    pub key: Option<String>,
    /// The printed number or mark, without brackets.
    pub label: Option<String>,
    /// The work embedded in the document or in an accompanying file.
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

impl ListedReference {
    /// The work, or one with only its DOI.
    pub fn known(&self) -> Option<Item> {
        known(self.item.as_ref(), self.doi.as_ref())
    }

    /// Its name in a message: its key, or the start of its text.
    pub(crate) fn name(&self) -> String {
        const MAX_LENGTH: usize = 80;
        match &self.key {
            Some(key) => key.clone(),
            None => self.text.chars().take(MAX_LENGTH).collect(),
        }
    }

    /// Whether the text is printed in the document, not made from the work or its key.
    pub fn is_printed(&self) -> bool {
        let is_key = self.key.as_ref() == Some(&self.text);
        let item = self.item.as_ref();
        item.is_none_or(|item| !is_key && self.text != library::line(item))
    }
}

/// An inconsistency in citations or references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// One sentence.
    pub message: String,
    /// The affected keys; texts of entries without key; numbers of pages.
    pub keys: Vec<String>,
    pub place: Place,
}

impl Finding {
    pub(crate) fn uncited(reference: &ListedReference) -> Finding {
        let name = reference.name();
        Finding {
            kind: FindingKind::UncitedEntry,
            message: format!("Nobody cites “{name}”."),
            keys: vec![name],
            place: reference.place.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// The text cites a key that no file defines.
    UndefinedKey,
    /// An entry is never cited.
    UncitedEntry,
    /// Two entries are the same work.
    DuplicateWork,
    /// The numbers of a printed list leave one out.
    MissingNumber,
    /// A file named by the document is missing or cannot be read.
    MissingFile,
    /// A page takes too much work to read, or its letters have no characters.
    UnreadPage,
    /// A field cites works that cannot be read.
    UnreadField,
}

impl FindingKind {
    /// `undefined_key`, `uncited_entry`, `duplicate_work`, `missing_number`, `missing_file`, `unread_page`,
    /// `unread_field`.
    pub fn as_str(self) -> &'static str {
        match self {
            FindingKind::UndefinedKey => "undefined_key",
            FindingKind::UncitedEntry => "uncited_entry",
            FindingKind::DuplicateWork => "duplicate_work",
            FindingKind::MissingNumber => "missing_number",
            FindingKind::MissingFile => "missing_file",
            FindingKind::UnreadPage => "unread_page",
            FindingKind::UnreadField => "unread_field",
        }
    }
}

/// A field that cites works which cannot be read.
impl From<LeftPart> for Finding {
    fn from(field: LeftPart) -> Finding {
        let text = field.text;
        Finding {
            kind: FindingKind::UnreadField,
            message: format!("The works cited by the field “{text}” cannot be read."),
            keys: vec![text],
            place: field.place,
        }
    }
}
