//! OpenDocument texts (ODF 1.3): paragraphs, tables and notes, and citations of Zotero, JabRef and
//! LibreOffice.

use std::collections::HashMap;

use citation_fields::names::people_in_any_order;
use citation_model::budget::Budget;
use citation_model::identifier::{Doi, Identifier};
use citation_model::variable::NameVar;

use crate::document::{
    Block, BlockKind, Cited, Document, Finding, ManuscriptCitation, Place, PlacedText,
};
use crate::error::DocumentError;
use crate::fields::{self, Field};
use crate::library::CslRecord;
use crate::list;
use crate::normalize::tidy;
use crate::package::Package;
use crate::xml::{Element, Node, Xml};

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "<text:p>",
    "</text:p>",
    "<text:span>",
    "</text:span>",
    "<text:h>",
    "<text:list>",
    "<text:list-item>",
    "<text:note>",
    "<text:note-body>",
    "<text:reference-mark-start text:name=\"ZOTERO_ITEM CSL_CITATION {",
    "<text:reference-mark-end text:name=\"a\"/>",
    "<text:bibliography-mark text:identifier=\"a\">",
    "<text:s/>",
    "<text:tab/>",
    "<table:table>",
    "References",
    "[@a]",
    "(Doe 2001)",
    "&amp;",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (meta, text) = match bytes.starts_with(b"PK") {
        true => parts(bytes, budget)?,
        false => {
            budget.spend_bytes(bytes.len())?;
            let text = citation_exchange::decode(bytes).0.into_owned();
            (text.clone(), text)
        }
    };
    let codes = fields::bookmark_codes(&meta, "user-defined")?;
    let mut xml = Xml::new(&text, "content.xml");
    let mut walk = OdtReader {
        codes,
        budget,
        blocks: Vec::new(),
        citations: Vec::new(),
        unread: Vec::new(),
        paragraphs: Vec::new(),
        marks: Vec::new(),
        rows: Vec::new(),
        sections: Vec::new(),
        notes: Vec::new(),
        count: 0,
        note_count: 0,
        items: 0,
        since_mark: None,
    };
    while let Some(node) = xml.next()? {
        budget.spend(2)?;
        match node {
            Node::Open(element) => walk.open(&element, &mut xml)?,
            Node::Close(name) => walk.close(&name),
            Node::Text(text) => walk.write_blanks(&text),
        }
    }
    let mut document = list::assemble(walk.blocks, walk.citations, Vec::new(), budget)?;
    let unread = walk.unread.into_iter().map(Finding::from);
    document.findings.extend(unread);
    Ok(document)
}

/// The properties and the text of a package.
fn parts(bytes: &[u8], budget: &Budget) -> Result<(String, String), DocumentError> {
    let mut package = Package::open(bytes, budget)?;
    let manifest = package.text("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(DocumentError::Encrypted("the document".to_owned()));
    }
    let meta = package.text("meta.xml")?.unwrap_or_default();
    let text = package
        .text("content.xml")?
        .ok_or_else(|| DocumentError::broken("content.xml", "it is not there"))?;
    Ok((meta, text))
}

struct OpenParagraph {
    kind: BlockKind,
    text: String,
    notes: Vec<Block>,
}

/// An open mark or bookmark.
struct OpenMark {
    name: String,
    /// Empty if they cannot be read.
    items: Vec<Cited>,
    text: String,
}

struct OdtReader<'a> {
    codes: HashMap<String, String>,
    budget: &'a Budget,
    blocks: Vec<Block>,
    citations: Vec<ManuscriptCitation>,
    unread: Vec<PlacedText>,
    paragraphs: Vec<OpenParagraph>,
    marks: Vec<OpenMark>,
    /// The cells of the current row of each open table.
    rows: Vec<Vec<Vec<Block>>>,
    /// Whether each open section, index or table of contents is the reference list.
    sections: Vec<(String, Field)>,
    /// The number of each open note.
    notes: Vec<usize>,
    count: usize,
    note_count: usize,
    /// Open entries of lists.
    items: usize,
    /// Whether anything but blanks follows the last LibreOffice bibliography mark.
    since_mark: Option<bool>,
}

impl OdtReader<'_> {
    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        match element.name.as_str() {
            "p" => self.begin(BlockKind::Paragraph),
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
                let kind = match name.starts_with("JR_bib") || name.starts_with("JABREF_bib") {
                    true => Field::Bibliography,
                    false => fields::read(&name, &[]),
                };
                self.sections.push((element.name.clone(), kind));
            }
            "bibliography" => self
                .sections
                .push((element.name.clone(), Field::Bibliography)),
            "index-title" => self.sections.push((element.name.clone(), Field::Other)),
            "reference-mark-start" | "bookmark-start" => self.begin_mark(element)?,
            "reference-mark-end" | "bookmark-end" => {
                let name = element.attribute("name").unwrap_or_default();
                self.sections.retain(|(open, _)| *open != name);
                if let Some(position) = self.marks.iter().rposition(|mark| mark.name == name) {
                    let mark = self.marks.remove(position);
                    self.cite(mark.items, mark.text);
                }
            }
            "bibliography-mark" => {
                let cited = own_mark(element);
                let text = xml.inner_text()?;
                self.cite_beside(cited, &text);
                self.write(&text);
                self.since_mark = Some(false);
            }
            "table-row" => self.rows.push(Vec::new()),
            "table-cell" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(Vec::new());
                }
            }
            // Tracked deletions are stored here, not in the text.
            "tracked-changes"
            | "note-citation"
            | "table-of-content"
            | "annotation"
            | "bibliography-source"
            | "forms"
            | "automatic-styles"
            | "master-styles"
            | "meta"
            | "alphabetical-index"
            | "illustration-index"
            | "desc"
            | "title" => xml.skip()?,
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" => self.end(),
            "list-item" => self.items = self.items.saturating_sub(1),
            "note" => {
                self.notes.pop();
            }
            "section" | "bibliography" | "index-title"
                if self.sections.last().is_some_and(|(open, _)| open == name) =>
            {
                self.sections.pop();
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
            .is_some_and(|(name, _)| name == "index-title");
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
                    .any(|(_, kind)| *kind == Field::Bibliography),
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
        cell.unwrap_or(&mut self.blocks)
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
        const LONGEST_CITATION: usize = 2_000;
        for mark in &mut self.marks {
            if mark.text.len() < LONGEST_CITATION {
                mark.text.push_str(text);
            }
        }
    }

    fn begin_mark(&mut self, element: &Element<'_>) -> Result<(), DocumentError> {
        const MOST_OPEN: usize = 40;
        let name = element.attribute("name").unwrap_or_default();
        let code = self.codes.get(&name).map_or(name.as_str(), String::as_str);
        let items = match jabref(code) {
            Some(keys) => keys.into_iter().map(Cited::key).collect(),
            None => match fields::read(code, &[]) {
                Field::Citation(citation) => citation.items,
                Field::Unread => Vec::new(),
                kind => {
                    // Zotero's list as a bookmark: its range is marked at the end of the paragraph.
                    if kind == Field::Bibliography && self.sections.len() < MOST_OPEN {
                        self.sections.push((name, kind));
                    }
                    return Ok(());
                }
            },
        };
        if self.marks.len() >= MOST_OPEN {
            return Err(DocumentError::TooDeep {
                what: "a mark".to_owned(),
                limit: MOST_OPEN,
            });
        }
        self.budget.spend(items.len() as u64)?;
        self.marks.push(OpenMark {
            name,
            items,
            text: String::new(),
        });
        Ok(())
    }

    fn cite(&mut self, items: Vec<Cited>, text: String) {
        let (text, place) = (tidy(&text), self.place());
        match items.is_empty() {
            true => self.unread.push(PlacedText { place, text }),
            false => self.citations.push(ManuscriptCitation {
                items,
                text,
                place,
                ..ManuscriptCitation::default()
            }),
        }
    }

    /// LibreOffice marks cite one work each; adjacent ones form one citation.
    fn cite_beside(&mut self, cited: Cited, text: &str) {
        let is_beside = self.since_mark == Some(false);
        match self.citations.last_mut() {
            Some(citation) if is_beside => {
                citation.items.push(cited);
                citation.text.push_str(text);
            }
            _ => self.cite(vec![cited], text.to_owned()),
        }
    }
}

/// The keys of a JabRef mark: `JABREF_doe CID_1, JABREF_roe CID_2 abc`, or in old versions
/// `JR_cite_1_doe,roe`.
fn jabref(name: &str) -> Option<Vec<String>> {
    let keys: Vec<&str> = match name.starts_with("JABREF_") {
        true => {
            let parts = name.split("JABREF_").skip(1);
            parts
                .filter_map(|part| part.split(" CID_").next())
                .collect()
        }
        false => {
            let rest = name.strip_prefix("JR_cite")?;
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let rest = rest.strip_prefix('_')?;
            vec![rest.split_once('_').map_or(rest, |(_, keys)| keys)]
        }
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
                let names = get(role).replace('|', ";");
                item.set_names(variable, people_in_any_order(&names));
            }
            Cited::of_item(key, item)
        }
        None => Cited::key(key),
    }
}
