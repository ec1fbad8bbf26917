//! Reads the text of an OpenDocument text, and where its citations and its list lie in the XML.

use std::collections::HashMap;
use std::ops::Range;

use citation_fields::names::{in_any_order, is_full_name, people_in_any_order};
use citation_model::budget::Budget;
use citation_model::identifier::{Doi, Identifier};
use citation_model::name::Name;
use citation_model::variable::NameVar;

use crate::document::{Block, BlockKind, Cited, LeftPart, ManuscriptCitation, Place};
use crate::error::DocumentError;
use crate::fields::{self, Field, FieldCitation};
use crate::library::CslRecord;
use crate::normalize::tidy;
use crate::xml::{Element, Node, Xml};

/// What a text contains.
#[derive(Default)]
pub(super) struct Contents {
    pub blocks: Vec<Block>,
    pub citations: Vec<FoundCitation>,
    pub unread: Vec<LeftPart>,
    pub list: Option<ListSource>,
    /// The position of the end of the text.
    pub end: usize,
    /// The place of `automatic-styles`.
    pub styles: Option<Range<usize>>,
}

/// A citation and its markup.
pub(super) struct FoundCitation {
    pub citation: ManuscriptCitation,
    /// Whether a person wrote its text.
    pub is_by_hand: bool,
    /// From the first mark to the last.
    pub outer: Range<usize>,
    /// What is between the marks of Zotero or JabRef; LibreOffice's own mark is a part of `outer` only.
    pub inner: Option<Range<usize>>,
    /// The name of the marks.
    pub name: String,
    /// The number of notes that begin before it.
    pub notes_before: usize,
}

/// The list of a citation program, or LibreOffice's own.
#[derive(Clone)]
pub(super) struct ListSource {
    pub outer: Range<usize>,
    /// Between its tags.
    pub inner: Range<usize>,
    /// The paragraphs of its title, if it has one.
    pub title: Option<Range<usize>>,
    /// Whether it is a field of Word, whose marks are inside of its paragraphs.
    pub is_field: bool,
}

impl Contents {
    /// Reads a text without its headers and footers.
    pub fn read(text: &str, meta: &str, budget: &Budget) -> Result<Contents, DocumentError> {
        Contents::read_part(text, meta, false, budget)
    }

    /// Reads a part of a text, with the headers and footers in it.
    pub fn read_all(text: &str, meta: &str, budget: &Budget) -> Result<Contents, DocumentError> {
        Contents::read_part(text, meta, true, budget)
    }

    fn read_part(
        text: &str,
        meta: &str,
        reads_margins: bool,
        budget: &Budget,
    ) -> Result<Contents, DocumentError> {
        let mut xml = Xml::new(text, "content.xml");
        let mut walk = OdtReader {
            codes: fields::bookmark_codes(meta, "user-defined")?,
            budget,
            out: Contents::default(),
            paragraphs: Vec::new(),
            marks: Vec::new(),
            word_fields: Vec::new(),
            paragraph_start: 0,
            ending_list: None,
            rows: Vec::new(),
            sections: Vec::new(),
            notes: Vec::new(),
            count: 0,
            note_count: 0,
            items: 0,
            since_mark: None,
            reads_margins,
        };
        while let Some(node) = xml.next()? {
            budget.spend(2)?;
            match node {
                Node::Open(element) => walk.open(&element, &mut xml)?,
                Node::Close(name) => walk.close(&name, xml.place()),
                Node::Text(text) => walk.write_blanks(&text),
            }
        }
        Ok(walk.out)
    }
}

struct OpenParagraph {
    kind: BlockKind,
    text: String,
    notes: Vec<Block>,
}

/// An open mark or bookmark.
struct OpenMark {
    name: String,
    /// `None` if it cannot be read.
    citation: Option<FieldCitation>,
    text: String,
    start: Range<usize>,
}

/// An open field of Word, as LibreOffice keeps it. Its end has no name.
struct OpenWordField {
    start: Range<usize>,
    code: String,
    kind: WordFieldKind,
}

/// The list of a field of Word whose end was found.
struct EndingList {
    /// Where its first paragraph starts.
    start: usize,
    /// The length of the text of its last paragraph.
    length: usize,
}

const WORD_LIST: &str = "list of a field";

/// What a field of Word opened.
enum WordFieldKind {
    Other,
    /// The last mark.
    Citation,
    /// A section, and where its first paragraph starts.
    List(usize),
}

/// An open section, index or title of an index.
struct OpenSection {
    name: String,
    kind: Field,
    /// Its start tag.
    start: Range<usize>,
    title: Option<Range<usize>>,
}

struct OdtReader<'a> {
    codes: HashMap<String, String>,
    budget: &'a Budget,
    out: Contents,
    paragraphs: Vec<OpenParagraph>,
    marks: Vec<OpenMark>,
    word_fields: Vec<OpenWordField>,
    /// Where the last paragraph starts.
    paragraph_start: usize,
    /// The list of a field, which ends with the paragraph that is open.
    ending_list: Option<EndingList>,
    /// The cells of the current row of each open table.
    rows: Vec<Vec<Vec<Block>>>,
    sections: Vec<OpenSection>,
    /// The number of each open note.
    notes: Vec<usize>,
    count: usize,
    note_count: usize,
    /// Open entries of lists.
    items: usize,
    /// Whether anything but blanks follows the last LibreOffice bibliography mark.
    since_mark: Option<bool>,
    /// Whether the headers and footers in the styles of pages are read.
    reads_margins: bool,
}

impl OdtReader<'_> {
    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        match element.name.as_str() {
            "p" => {
                self.paragraph_start = xml.place().start;
                self.begin(BlockKind::Paragraph);
            }
            "h" => {
                let level = element.attribute("outline-level");
                let level = level.and_then(|level| level.parse().ok()).unwrap_or(1);
                self.begin(BlockKind::Heading(level));
            }
            "s" | "tab" => self.write(" "),
            "line-break" => self.write("\n"),
            "list-item" => self.items += 1,
            "note" => {
                self.note_count += 1;
                self.notes.push(self.note_count);
            }
            "section" => {
                let name = element.attribute("name").unwrap_or_default();
                let kind = if name.starts_with("JR_bib") || name.starts_with("JABREF_bib") {
                    Field::Bibliography
                } else {
                    fields::read(&name, &[])
                };
                self.begin_section(element.name.clone(), kind, xml.place());
            }
            "bibliography" => {
                self.begin_section(element.name.clone(), Field::Bibliography, xml.place());
            }
            "index-title" => {
                self.begin_section(element.name.clone(), Field::Other, xml.place());
            }
            "reference-mark-start" | "bookmark-start" => self.begin_mark(element, xml.place())?,
            "reference-mark-end" | "bookmark-end" => {
                let name = element.attribute("name").unwrap_or_default();
                self.sections.retain(|open| open.name != name);
                if let Some(position) = self.marks.iter().rposition(|mark| mark.name == name) {
                    let mark = self.marks.remove(position);
                    self.end_mark(mark, xml.place());
                }
            }
            "fieldmark-start" => self.word_fields.push(OpenWordField {
                start: xml.place(),
                code: String::new(),
                kind: WordFieldKind::Other,
            }),
            "param"
                if element
                    .attribute("name")
                    .is_some_and(|name| name.ends_with("field.code")) =>
            {
                if let Some(field) = self.word_fields.last_mut() {
                    field.code = element.attribute("value").unwrap_or_default();
                }
            }
            "fieldmark-separator" => self.begin_word_field(xml.place())?,
            "fieldmark-end" => self.end_word_field(xml.place()),
            "bibliography-mark" => {
                let cited = own_mark(element);
                let start = xml.place().start;
                let text = xml.inner_text()?;
                self.join_or_cite(cited, &text, start..xml.place().end);
                self.write(&text);
                self.since_mark = Some(false);
            }
            "table-row" => self.rows.push(Vec::new()),
            "table-cell" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(Vec::new());
                }
            }
            "automatic-styles" => {
                let start = xml.place().start;
                xml.skip()?;
                self.out.styles = Some(start..xml.place().end);
            }
            "master-styles" if self.reads_margins => {}
            "master-styles" => xml.skip()?,
            // Tracked deletions are stored here, not in the text.
            "tracked-changes"
            | "note-citation"
            | "table-of-content"
            | "annotation"
            | "bibliography-source"
            | "forms"
            | "meta"
            | "alphabetical-index"
            | "illustration-index"
            | "desc"
            | "title" => xml.skip()?,
            _ => {}
        }
        Ok(())
    }

    fn begin_section(&mut self, name: String, kind: Field, start: Range<usize>) {
        self.sections.push(OpenSection {
            name,
            kind,
            start,
            title: None,
        });
    }

    fn end_section(&mut self, end: Range<usize>) {
        let Some(section) = self.sections.pop() else {
            return;
        };
        if section.name == "index-title" {
            if let Some(outer) = self.sections.last_mut() {
                outer.title = Some(section.start.end..end.start);
            }
            return;
        }
        if section.kind == Field::Bibliography {
            self.out.list = Some(ListSource {
                outer: section.start.start..end.end,
                inner: section.start.end..end.start.max(section.start.end),
                title: section.title,
                is_field: false,
            });
        }
    }

    fn close(&mut self, name: &str, place: Range<usize>) {
        match name {
            "text" => self.out.end = place.start,
            "p" | "h" => {
                let length = self.text_length();
                self.end();
                if let Some(list) = self.ending_list.take() {
                    self.sections.retain(|open| open.name != WORD_LIST);
                    // Text behind it would be lost with it.
                    if length == list.length {
                        self.out.list = Some(ListSource {
                            outer: list.start..place.end,
                            inner: list.start..place.end,
                            title: None,
                            is_field: true,
                        });
                    }
                }
            }
            "list-item" => self.items = self.items.saturating_sub(1),
            "note" => {
                self.notes.pop();
            }
            "section" | "bibliography" | "index-title"
                if self.sections.last().is_some_and(|open| open.name == name) =>
            {
                self.end_section(place);
            }
            "table-row" => {
                if let Some(cells) = self.rows.pop() {
                    self.open_blocks().extend(Block::of_row(cells));
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, kind: BlockKind) {
        if self.notes.is_empty() {
            self.count += 1;
        }
        self.since_mark = None;
        let kind = match kind {
            BlockKind::Paragraph if self.items > 0 => BlockKind::ListItem,
            kind => kind,
        };
        self.paragraphs.push(OpenParagraph {
            kind,
            text: String::new(),
            notes: Vec::new(),
        });
    }

    fn place(&self) -> Place {
        Place {
            paragraph: Some(self.count),
            note: self.notes.last().copied(),
            ..Place::default()
        }
    }

    fn end(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        let is_note = !self.notes.is_empty();
        let is_title = self
            .sections
            .last()
            .is_some_and(|open| open.name == "index-title");
        let block = Block {
            kind: match paragraph.kind {
                _ if is_note => BlockKind::Note,
                BlockKind::Paragraph if is_title => BlockKind::Heading(1),
                kind => kind,
            },
            text: tidy(&paragraph.text),
            place: self.place(),
            is_reference: !is_title
                && !is_note
                && self
                    .sections
                    .iter()
                    .any(|open| open.kind == Field::Bibliography),
            ..Block::default()
        };
        let is_empty = block.text.is_empty();
        let blocks = match self.paragraphs.last_mut() {
            Some(calling) if is_note => &mut calling.notes,
            _ => self.open_blocks(),
        };
        blocks.extend((!is_empty).then_some(block));
        blocks.extend(paragraph.notes);
    }

    /// The target of blocks: the open cell, or the text.
    fn open_blocks(&mut self) -> &mut Vec<Block> {
        let cell = self.rows.last_mut().and_then(|row| row.last_mut());
        cell.unwrap_or(&mut self.out.blocks)
    }

    /// White space in the source is one blank.
    fn write_blanks(&mut self, text: &str) {
        let mut written = String::with_capacity(text.len());
        for c in text.chars() {
            match c.is_ascii_whitespace() {
                true if written.ends_with(' ') => {}
                true => written.push(' '),
                false => written.push(c),
            }
        }
        self.write(&written);
    }

    fn write(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
        if !text.trim().is_empty() {
            self.since_mark = self.since_mark.map(|_| true);
        }
        const MAX_CITATION_LENGTH: usize = 2_000;
        for mark in &mut self.marks {
            if mark.text.len() < MAX_CITATION_LENGTH {
                mark.text.push_str(text);
            }
        }
    }

    fn begin_mark(
        &mut self,
        element: &Element<'_>,
        start: Range<usize>,
    ) -> Result<(), DocumentError> {
        self.open_mark(element.attribute("name").unwrap_or_default(), start)
    }

    /// Opens a mark by its name, which is the code of a citation or leads to it.
    fn open_mark(&mut self, name: String, start: Range<usize>) -> Result<(), DocumentError> {
        const MAX_OPEN: usize = 40;
        let code = self.codes.get(&name).map_or(name.as_str(), String::as_str);
        let citation = match jabref(code) {
            Some(keys) => Some(FieldCitation {
                items: keys.into_iter().map(Cited::key).collect(),
                ..FieldCitation::default()
            }),
            None => match fields::read(code, &[]) {
                Field::Citation(citation) => Some(citation),
                Field::Unread => None,
                kind => {
                    // Zotero's list as a bookmark: its range is marked at the end of the paragraph.
                    if kind == Field::Bibliography && self.sections.len() < MAX_OPEN {
                        self.begin_section(name, kind, start);
                    }
                    return Ok(());
                }
            },
        };
        if self.marks.len() >= MAX_OPEN {
            return Err(DocumentError::TooDeep {
                what: "a mark".to_owned(),
                limit: MAX_OPEN,
            });
        }
        let items = citation.as_ref().map_or(0, |citation| citation.items.len());
        self.budget.spend(items as u64)?;
        self.marks.push(OpenMark {
            name,
            citation: citation.filter(|citation| !citation.items.is_empty()),
            text: String::new(),
            start,
        });
        Ok(())
    }

    /// The text of a field of Word begins.
    fn begin_word_field(&mut self, separator: Range<usize>) -> Result<(), DocumentError> {
        let Some(field) = self.word_fields.last() else {
            return Ok(());
        };
        let code = field.code.trim().to_owned();
        let start = field.start.start..separator.end;
        let kind = match fields::read(&code, &[]) {
            Field::Citation(_) | Field::Unread => {
                self.open_mark(code, start)?;
                WordFieldKind::Citation
            }
            Field::Bibliography
                if self.notes.is_empty() && self.rows.is_empty() && self.text_length() == 0 =>
            {
                self.begin_section(WORD_LIST.to_owned(), Field::Bibliography, start);
                WordFieldKind::List(self.paragraph_start)
            }
            _ => WordFieldKind::Other,
        };
        if let Some(field) = self.word_fields.last_mut() {
            field.kind = kind;
        }
        Ok(())
    }

    /// The length of the text of the open paragraph.
    fn text_length(&self) -> usize {
        let open = self.paragraphs.last();
        open.map_or(0, |open| open.text.trim().len())
    }

    fn end_word_field(&mut self, end: Range<usize>) {
        let Some(field) = self.word_fields.pop() else {
            return;
        };
        match field.kind {
            WordFieldKind::Other => {}
            WordFieldKind::Citation => {
                let code = field.code.trim();
                let open = self.marks.iter().rposition(|mark| mark.name == code);
                if let Some(position) = open {
                    let mark = self.marks.remove(position);
                    self.end_mark(mark, end);
                }
            }
            WordFieldKind::List(start) => {
                // The paragraph that ends the list is still a part of it.
                let length = self.text_length();
                self.ending_list = Some(EndingList { start, length });
            }
        }
    }

    fn end_mark(&mut self, mark: OpenMark, end: Range<usize>) {
        let (text, place) = (tidy(&mark.text), self.place());
        let Some(citation) = mark.citation else {
            self.out.unread.push(LeftPart::field(text, place));
            return;
        };
        self.out.citations.push(FoundCitation {
            is_by_hand: citation.wording.is_by_hand(&text),
            citation: ManuscriptCitation {
                items: citation.items,
                text,
                place,
                ..ManuscriptCitation::default()
            },
            outer: mark.start.start..end.end,
            inner: Some(mark.start.end..end.start),
            name: mark.name,
            notes_before: self.note_count,
        });
    }

    /// LibreOffice marks cite one work each; adjacent ones form one citation.
    fn join_or_cite(&mut self, cited: Cited, text: &str, place: Range<usize>) {
        let is_beside = self.since_mark == Some(false);
        match self.out.citations.last_mut() {
            Some(found) if is_beside => {
                found.citation.items.push(cited);
                found.citation.text.push_str(text);
                found.outer.end = place.end;
            }
            _ => {
                let citation = ManuscriptCitation {
                    items: vec![cited],
                    text: tidy(text),
                    place: self.place(),
                    ..ManuscriptCitation::default()
                };
                self.out.citations.push(FoundCitation {
                    citation,
                    is_by_hand: false,
                    outer: place,
                    inner: None,
                    name: String::new(),
                    notes_before: self.note_count,
                });
            }
        }
    }
}

/// The people of a field that takes any text: `Doe, Jane; Roe, Rik`, `Jane Doe, Pat Poe and Rik Roe`.
fn people(text: &str) -> Vec<Name> {
    const JOINTS: [&str; 7] = [" and ", " & ", " und ", " et ", " y ", " e ", " och "];
    let has_words = |part: &&str| part.split_whitespace().count() > 1;
    let mut people = Vec::new();
    for part in text.split([';', '|']) {
        let mut parts = vec![part];
        for joint in JOINTS {
            parts = parts.iter().flat_map(|part| part.split(joint)).collect();
        }
        // `Jane Doe, Pat Poe` are two people, `Doe, Jane` is one.
        let names: Vec<&str> = { parts.iter() }
            .flat_map(|part| {
                let names: Vec<&str> = part
                    .split(',')
                    .filter(|name| !name.trim().is_empty())
                    .collect();
                if names.iter().all(has_words) {
                    names
                } else {
                    vec![*part]
                }
            })
            .collect();
        let is_person = |name: &&str| name.contains(',') || is_full_name(name.trim());
        let are_people = names.len() > 1 && names.iter().all(is_person);
        if are_people {
            people.extend(names.iter().map(|name| in_any_order(name.trim())))
        } else {
            people.extend(people_in_any_order(part))
        }
    }
    people
}

/// The keys of a JabRef mark: `JABREF_doe CID_1, JABREF_roe CID_2 abc`, or in old versions
/// `JR_cite_1_doe,roe`.
fn jabref(name: &str) -> Option<Vec<String>> {
    let keys: Vec<&str> = if name.starts_with("JABREF_") {
        let parts = name.split("JABREF_").skip(1);
        parts
            .filter_map(|part| part.split(" CID_").next())
            .collect()
    } else {
        let rest = name.strip_prefix("JR_cite")?;
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix('_')?;
        vec![rest.split_once('_').map_or(rest, |(_, keys)| keys)]
    };
    let keys = keys.into_iter().flat_map(|keys| keys.split(','));
    let keys = keys.map(|key| key.trim().to_owned());
    Some(keys.filter(|key| !key.is_empty()).collect())
}

/// A `text:bibliography-mark` (ODF 1.3 part 3, 7.1.4), which contains the whole record.
fn own_mark(element: &Element<'_>) -> Cited {
    let get = |name: &str| element.attribute(name).unwrap_or_default();
    let mut record = CslRecord::new(match get("bibliography-type").as_str() {
        "article" => "article-journal",
        "book" => "book",
        "booklet" => "pamphlet",
        "conference" | "inproceedings" | "proceedings" => "paper-conference",
        "inbook" | "incollection" => "chapter",
        "journal" => "article-journal",
        "manual" | "techreport" => "report",
        "mastersthesis" | "phdthesis" => "thesis",
        "unpublished" => "manuscript",
        "www" => "webpage",
        _ => "document",
    });
    for (from, to) in [
        ("title", "title"),
        ("journal", "container-title"),
        ("booktitle", "container-title"),
        ("volume", "volume"),
        ("number", "issue"),
        ("pages", "page"),
        ("publisher", "publisher"),
        ("address", "publisher-place"),
        ("edition", "edition"),
        ("isbn", "ISBN"),
        ("issn", "ISSN"),
        ("url", "URL"),
    ] {
        record.set(to, get(from));
    }
    record.year(&get("year"));
    let customs = [
        "url", "custom1", "custom2", "custom3", "custom4", "custom5", "note",
    ];
    let doi = customs
        .iter()
        .find_map(|name| match Identifier::parse(&get(name)) {
            Ok(Identifier::Doi(doi)) => Some(doi),
            _ => None,
        });
    if let Some(doi) = doi {
        record.set("DOI", Doi::as_str(&doi));
    }
    let key = get("identifier");
    match record.item() {
        Some(mut item) => {
            for (role, variable) in [("author", NameVar::Author), ("editor", NameVar::Editor)] {
                item.set_names(variable, people(&get(role)));
            }
            Cited::of_item(key, item)
        }
        None => Cited::key(key),
    }
}
