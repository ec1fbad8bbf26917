//! Paragraphs: their text and its source, their properties, and markers in the text.

use std::ops::Range;

use super::fields::MAX_CITATION_LENGTH;
use super::reader::StoryReader;
use super::story::{FoundCitation, ParagraphSource, TextPiece};
use super::styles::{ParagraphStyle, level, spaced, style_named};
use crate::document::{Block, BlockKind, Place};
use crate::error::DocumentError;
use crate::fields::Field;
use crate::markdown;
use crate::normalize::tidy;
use crate::xml::{Node, Xml};

#[derive(Default)]
pub(super) struct OpenParagraph {
    pub text: String,
    pub pieces: Vec<TextPiece>,
    /// With their offsets, or those of their note calls, in its text.
    pub citations: Vec<(usize, FoundCitation)>,
    /// Start of its start tag.
    pub tag: usize,
    pub properties: Range<usize>,
    /// End of its properties.
    pub start: usize,
    pub style: ParagraphStyle,
    pub is_reference: bool,
    pub is_contents: bool,
    /// Its end is a tracked deletion, so the next paragraph continues it.
    pub is_joined: bool,
    pub notes: Vec<Block>,
    /// Offsets of note calls in its text.
    pub notes_called: Vec<usize>,
}

impl StoryReader<'_> {
    /// `tag` is its start tag.
    pub fn begin_paragraph(&mut self, tag: Range<usize>) {
        let start = tag.end;
        self.count += 1;
        if let Some(control) = self.controls.last_mut()
            && control.depth == self.paragraphs.len()
        {
            control.source.holds_paragraphs = true;
        }
        let joined = self.joined.take().unwrap_or_default();
        self.paragraphs.push(OpenParagraph {
            text: joined.text,
            pieces: joined.pieces,
            citations: joined.citations,
            tag: tag.start,
            properties: start..start,
            start,
            is_reference: self.is_within(&Field::Bibliography),
            is_contents: self.is_within(&Field::Contents),
            ..OpenParagraph::default()
        });
    }

    pub fn paragraph_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let start = xml.place().start;
        let mut found = OpenParagraph::default();
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close(name) if name == "pPr" => break,
                _ => continue,
            };
            let value = || element.attribute("val").unwrap_or_default();
            match element.name.as_str() {
                "pStyle" => {
                    let style = self.parts.styles.get(&value()).cloned();
                    found.style = style.unwrap_or_else(|| style_named(&spaced(&value())));
                }
                "outlineLvl" => found.style.level = level(&value()).or(found.style.level),
                "numId" => found.style.is_item = value() != "0",
                "del" | "moveFrom" => found.is_joined = true,
                "pPrChange" | "rPrChange" | "sectPr" => xml.skip()?,
                _ => {}
            }
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.style = found.style;
            paragraph.is_joined = found.is_joined;
            paragraph.start = xml.place().end;
            paragraph.properties = start..xml.place().end;
        }
        Ok(())
    }

    /// `end` is its end tag.
    pub fn end_paragraph(&mut self, end: Range<usize>) -> Result<(), DocumentError> {
        let Some(mut paragraph) = self.paragraphs.pop() else {
            return Ok(());
        };
        if paragraph.is_joined {
            self.joined = Some(paragraph);
            return Ok(());
        }
        let is_contents = paragraph.is_contents || paragraph.style.is_contents;
        if !is_contents && paragraph.text.contains('@') {
            self.add_markers(&mut paragraph)?;
        }
        for (_, mut found) in std::mem::take(&mut paragraph.citations) {
            if found.note == self.note {
                found.source = self.out.sources.len();
            }
            self.out.citations.push(found);
        }
        let style = paragraph.style;
        let block = Block {
            kind: match style.level {
                Some(level) => BlockKind::Heading(level),
                None if style.is_item => BlockKind::ListItem,
                None => BlockKind::Paragraph,
            },
            text: tidy(&paragraph.text),
            place: self.place(),
            is_reference: paragraph.is_reference || style.is_reference && style.level.is_none(),
            ..Block::default()
        };
        let is_printed = !block.text.is_empty() && !is_contents;
        let blocks = match self.tables.last_mut().and_then(|row| row.last_mut()) {
            Some(cell) => cell,
            None => &mut self.out.blocks,
        };
        blocks.extend(is_printed.then_some(block));
        blocks.extend(paragraph.notes);
        self.out.sources.push(ParagraphSource {
            paragraph: self.count,
            text: paragraph.text,
            pieces: paragraph.pieces,
            properties: paragraph.properties,
            inside: paragraph.start..end.start,
            start: paragraph.tag,
            end: end.end,
            is_contents,
        });
        Ok(())
    }

    /// `[@doi:10.1000/x, p. 3]` in the text, as in Markdown; not in field results.
    fn add_markers(&mut self, paragraph: &mut OpenParagraph) -> Result<(), DocumentError> {
        for marker in markdown::markers(&paragraph.text, self.budget)? {
            let markdown::Marker {
                range: text,
                mut citation,
            } = marker;
            let others = &paragraph.citations;
            let is_within = |(_, other): &(usize, FoundCitation)| {
                other.note == self.note
                    && other.text.start < text.end
                    && text.start < other.text.end
            };
            if others.iter().any(is_within) {
                continue;
            }
            citation.place = self.place();
            let at = others.partition_point(|(at, _)| *at <= text.start);
            let called = paragraph
                .notes_called
                .partition_point(|at| *at <= text.start);
            let found = FoundCitation {
                citation,
                note: self.note.clone(),
                source: 0,
                notes_before: self.called.len() - paragraph.notes_called.len() + called,
                text,
                field: None,
                is_by_hand: false,
            };
            paragraph.citations.insert(at, (found.text.start, found));
        }
        Ok(())
    }

    pub fn place(&self) -> Place {
        Place {
            paragraph: Some(self.count),
            ..Place::default()
        }
    }

    /// The length of the current paragraph's text.
    pub fn text_length(&self) -> usize {
        { self.paragraphs.last() }.map_or(0, |paragraph| paragraph.text.len())
    }

    /// Appends the text of an element and records its origin.
    pub fn write_piece(&mut self, text: &str, element: Range<usize>) {
        let start = self.text_length();
        self.write(text);
        let end = self.text_length();
        if let (Some(paragraph), Some(run)) = (self.paragraphs.last_mut(), self.runs.last())
            && start < end
        {
            paragraph.pieces.push(TextPiece {
                text: start..end,
                element,
                run: run.clone(),
                is_inserted: self.insertions > 0,
            });
        }
    }

    /// Appends text if it is printed, that is, not in a field code.
    pub fn write(&mut self, text: &str) {
        if self.fields.iter().any(|field| field.kind.is_none()) {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
        let results = self.fields.iter_mut().map(|field| &mut field.result);
        let texts = self.controls.iter_mut().map(|control| &mut control.text);
        for kept in results.chain(texts) {
            if kept.len() < MAX_CITATION_LENGTH {
                kept.push_str(text);
            }
        }
    }
}
