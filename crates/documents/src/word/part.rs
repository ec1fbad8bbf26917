//! The edits of one part of a Word document.

use std::collections::BTreeMap;
use std::ops::Range;

use citation_exchange::correction::{Edits, apply};

use super::anchors::{anchors, is_replaceable};
use super::texts::FieldHandling;
use crate::docx::{Contents, FieldSource, ParagraphSource, RunSource, TextPiece};
use crate::error::DocumentError;
use crate::wordml::Markup;
use crate::xml::Xml;

/// The replacement of text in a piece.
pub(super) enum Insertion {
    Text(String),
    /// Elements beside the run.
    Runs(String),
}

/// A piece of text and its replacements.
type PieceEdits<'p> = (&'p TextPiece, Vec<(Range<usize>, Insertion)>);

/// The edits of one part.
pub(super) struct PartWriter<'p> {
    pub markup: Markup,
    pub text: &'p str,
    pub contents: &'p Contents,
    pub edits: Edits,
    /// The edits by replaced element.
    pieces: BTreeMap<usize, PieceEdits<'p>>,
    pub fields: FieldHandling,
}

impl<'p> PartWriter<'p> {
    pub fn new(
        text: &'p str,
        contents: &'p Contents,
        fields: FieldHandling,
    ) -> Result<PartWriter<'p>, DocumentError> {
        Ok(PartWriter {
            markup: Markup::of(text)?,
            text,
            contents,
            edits: Vec::new(),
            pieces: BTreeMap::new(),
            fields,
        })
    }

    pub fn replace(
        &mut self,
        source: &'p ParagraphSource,
        range: &Range<usize>,
        news: Vec<Insertion>,
    ) -> Option<()> {
        let pieces = source.pieces(range)?;
        let mut news = Some(news);
        for (piece, within) in pieces {
            let (_, edits) = self
                .pieces
                .entry(piece.element.start)
                .or_insert((piece, Vec::new()));
            for new in news.take().into_iter().flatten() {
                edits.push((within.start..within.start, new));
            }
            edits.push((within, Insertion::Text(String::new())));
        }
        Some(())
    }

    /// Replaces a field by elements.
    pub fn drop_field(&mut self, field: &FieldSource, new: String) -> Option<()> {
        if field.outer.is_empty() {
            return None;
        }
        let old = self.text.get(field.outer.clone())?;
        let new = format!("{new}{}", anchors(old, &new, &self.markup.prefix));
        let (place, new) = match &field.runs {
            None => (field.outer.clone(), new),
            Some(runs) => self.between_runs(&field.outer, runs, new)?,
        };
        self.edit(place, new)
    }

    /// Replaces markup; `None` if one end of an element is in it and the other is not.
    pub fn edit(&mut self, place: Range<usize>, new: String) -> Option<()> {
        let old = self.text.get(place.clone())?;
        is_replaceable(old, &new).then(|| self.edits.push((place, new)))
    }

    /// The elements of a field's result.
    pub fn result<'t>(&'t self, field: &FieldSource) -> Option<&'t str> {
        let result = self.text.get(field.result.clone())?;
        if !field.is_result_in_runs {
            return Some(result);
        }
        // It begins in the run of one field character and ends in that of another.
        let w = &self.markup.prefix;
        let (before, behind) = result.split_once(&format!("</{w}r>"))?;
        let last = [format!("<{w}r>"), format!("<{w}r ")];
        let end = { last.iter() }.filter_map(|tag| behind.rfind(tag)).max()?;
        let (inside, last) = behind.split_at_checked(end)?;
        let is_whole = before.trim().is_empty() && is_replaceable(inside, "");
        (is_whole && !last.contains(&format!("<{w}t"))).then_some(inside)
    }

    /// Replaces content that begins and ends within runs; whole runs if they contain nothing else.
    pub fn between_runs(
        &self,
        place: &Range<usize>,
        [first, last]: &[RunSource; 2],
        new: String,
    ) -> Option<(Range<usize>, String)> {
        let w = &self.markup.prefix;
        let close = format!("</{w}r>");
        let inside = first.tag.end.max(first.properties.end);
        let is_whole = self.text.get(inside..place.start)?.trim().is_empty();
        let (start, before) = if is_whole {
            (first.tag.start, "")
        } else {
            (place.start, close.as_str())
        };
        let behind = self.text.get(place.end..)?;
        let (end, after) = if behind.trim_start().starts_with(&close) {
            (
                place.end + behind.find(&close)? + close.len(),
                String::new(),
            )
        } else {
            (place.end, self.run_start(last)?)
        };
        Some((start..end, format!("{before}{new}{after}")))
    }

    /// The start of a run with the same properties.
    fn run_start(&self, run: &RunSource) -> Option<String> {
        let tag = self.text.get(run.tag.clone())?;
        let properties = self.text.get(run.properties.clone())?;
        Some(format!("{tag}{properties}"))
    }

    /// The text of the part; `None` if unchanged.
    pub fn finish(mut self) -> Result<Option<String>, DocumentError> {
        for (piece, news) in std::mem::take(&mut self.pieces).into_values() {
            let text = self.rewritten(piece, news);
            let text = text.ok_or_else(|| {
                DocumentError::broken("a piece of the text", "it cannot be replaced")
            })?;
            self.edits.push((piece.element.clone(), text));
        }
        if self.edits.is_empty() {
            Ok(None)
        } else {
            Ok(Some(apply(self.text, self.edits)?))
        }
    }

    /// The replacement of a piece. Its run is split around inserted elements.
    fn rewritten(
        &self,
        piece: &TextPiece,
        mut news: Vec<(Range<usize>, Insertion)>,
    ) -> Option<String> {
        let w = &self.markup.prefix;
        let mut xml = Xml::new(self.text.get(piece.element.clone())?, "a piece of the text");
        xml.next().ok()?;
        let text = xml.inner_text().ok()?;
        let run = self.run_start(&piece.run)?;
        news.sort_by_key(|(range, _)| range.start);
        let (mut out, mut plain, mut at) = (String::new(), String::new(), 0);
        for (range, new) in news {
            plain.push_str(text.get(at..range.start)?);
            at = range.end;
            match new {
                Insertion::Text(text) => plain.push_str(&text),
                Insertion::Runs(runs) => {
                    out.push_str(&self.markup.text(&std::mem::take(&mut plain)));
                    out.push_str(&format!("</{w}r>{runs}{run}"));
                }
            }
        }
        plain.push_str(text.get(at..)?);
        out.push_str(&self.markup.text(&plain));
        Some(out)
    }
}
