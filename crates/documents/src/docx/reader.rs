//! Reads the elements of a text into paragraphs and citations.

use std::collections::HashSet;
use std::ops::Range;

use citation_model::budget::Budget;

use super::fields::{OpenControl, OpenField};
use super::paragraphs::OpenParagraph;
use super::parts::Parts;
use super::story::{NoteKey, RunSource, Story};
use crate::document::Block;
use crate::error::DocumentError;
use crate::xml::{Element, Node, Xml};

pub(super) struct StoryReader<'a> {
    pub parts: &'a Parts,
    pub note: NoteKey,
    pub budget: &'a Budget,
    pub out: Story,
    pub paragraphs: Vec<OpenParagraph>,
    /// A paragraph with a deleted end.
    pub joined: Option<OpenParagraph>,
    pub runs: Vec<RunSource>,
    /// Nesting of tracked insertions.
    pub insertions: usize,
    pub fields: Vec<OpenField>,
    pub controls: Vec<OpenControl>,
    /// The cells of the current row of each open table.
    pub tables: Vec<Vec<Vec<Block>>>,
    pub count: usize,
    pub called: HashSet<NoteKey>,
    /// The type of the open `w:fldChar`.
    pub field_char: String,
}

impl<'a> StoryReader<'a> {
    pub fn new(parts: &'a Parts, note: NoteKey, budget: &'a Budget) -> StoryReader<'a> {
        StoryReader {
            parts,
            note,
            budget,
            out: Story::default(),
            paragraphs: Vec::new(),
            joined: None,
            runs: Vec::new(),
            insertions: 0,
            fields: Vec::new(),
            controls: Vec::new(),
            tables: Vec::new(),
            count: 0,
            called: HashSet::new(),
            field_char: String::new(),
        }
    }

    /// Reads to the end of the note or part.
    pub fn run(mut self, xml: &mut Xml<'_>) -> Result<Story, DocumentError> {
        while let Some(node) = xml.next()? {
            self.budget.spend(2)?;
            match node {
                Node::Open(element) => self.open(&element, xml)?,
                Node::Close(name) if name == self.note.0 => break,
                Node::Close(name) => self.close(&name, xml.place())?,
                Node::Text(_) => {}
            }
        }
        while !self.paragraphs.is_empty() {
            self.end_paragraph(xml.place())?;
        }
        while !self.tables.is_empty() {
            self.end_row();
            self.tables.pop();
        }
        Ok(self.out)
    }

    fn open(&mut self, element: &Element<'_>, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        match element.name.as_str() {
            "p" => self.begin_paragraph(xml.place()),
            "pPr" => self.paragraph_properties(xml)?,
            "r" => self.runs.push(RunSource {
                tag: xml.place(),
                properties: 0..0,
            }),
            "rPr" => self.run_properties(xml)?,
            "ins" | "moveTo" => self.insertions += 1,
            "t" => {
                let start = xml.place().start;
                let text = xml.inner_text()?;
                self.write_piece(&text, start..xml.place().end);
            }
            "tab" | "ptab" => self.write(" "),
            "br" | "cr" => self.write("\n"),
            "noBreakHyphen" => self.write("-"),
            "fldChar" => self.field_character_begins(element, xml.place().start)?,
            "fldData" => self.field_data(&xml.inner_text()?),
            "instrText" => self.instruction(&xml.inner_text()?),
            "fldSimple" => self.begin_simple_field(element, xml.place())?,
            "bookmarkStart" => self.begin_bookmark(element, xml.place())?,
            "bookmarkEnd" => self.end_bookmark(element, xml.place()),
            "sdt" => self.begin_control(xml.place().start)?,
            "sdtPr" => self.control_properties(xml)?,
            "sdtContent" => self.begin_control_content(xml.place().end),
            "footnoteReference" => self.note_called("footnote", element),
            "endnoteReference" => self.note_called("endnote", element),
            "tbl" => self.tables.push(Vec::new()),
            "tr" => {
                if let Some(row) = self.tables.last_mut() {
                    row.clear();
                }
            }
            "tc" => {
                if let Some(row) = self.tables.last_mut() {
                    row.push(Vec::new());
                }
            }
            // Deleted, moved away, an alternative of content already read, or not text.
            "del" | "moveFrom" | "Fallback" | "sectPr" | "tblPr" | "trPr" | "tcPr" | "delText"
            | "delInstrText" | "annotation" => {
                if element.name == "sectPr" && self.paragraphs.is_empty() {
                    self.out.end = xml.place().start;
                }
                xml.skip()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str, place: Range<usize>) -> Result<(), DocumentError> {
        match name {
            "p" => self.end_paragraph(place)?,
            "r" => {
                self.runs.pop();
            }
            "ins" | "moveTo" => self.insertions = self.insertions.saturating_sub(1),
            "fldChar" => self.field_character_ends(place.end),
            "fldSimple" => self.end_simple_field(place),
            "sdtContent" => self.end_control_content(place.start),
            "sdt" => self.end_control(place.end),
            "tr" => self.end_row(),
            "tbl" => {
                self.tables.pop();
            }
            "body" if self.out.end == 0 => self.out.end = place.start,
            _ => {}
        }
        Ok(())
    }

    fn run_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let start = xml.place().start;
        xml.skip()?;
        if let Some(run) = self.runs.last_mut() {
            run.properties = start..xml.place().end;
        }
        Ok(())
    }

    fn end_row(&mut self) {
        let Some(cells) = self.tables.last_mut().map(std::mem::take) else {
            return;
        };
        let above = self.tables.len().checked_sub(2);
        let outer = above.and_then(|n| self.tables.get_mut(n)?.last_mut());
        outer
            .unwrap_or(&mut self.out.blocks)
            .extend(Block::of_row(cells));
    }
}
