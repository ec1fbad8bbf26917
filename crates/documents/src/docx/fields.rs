//! Fields, and what citation programs use like fields: bookmarks and content controls.

use std::ops::Range;

use super::reader::StoryReader;
use super::story::{FieldSource, FoundCitation, RunSource};
use crate::document::{LeftPart, ManuscriptCitation};
use crate::error::DocumentError;
use crate::fields::{self, Field, FieldCitation};
use crate::normalize::tidy;
use crate::xml::{Element, Node, Xml};

/// Maximum nesting of fields and content controls.
const DEEPEST: usize = 40;
/// Maximum bytes kept of a citation's printed text.
pub(super) const MAX_CITATION_LENGTH: usize = 2_000;

/// An open field or equivalent.
#[derive(Default)]
pub(super) struct OpenField {
    pub code: String,
    /// The data of the field, then those of EndNote's fields in its code.
    pub data: Vec<String>,
    /// Unset until the code is complete; the result is printed, the code is not.
    pub kind: Option<Field>,
    pub result: String,
    /// The id of the bookmark that is the field.
    pub bookmark: Option<String>,
    /// Its start: the paragraph and the offset in its text.
    pub paragraph: usize,
    pub text_start: usize,
    pub source: FieldSource,
}

/// A content control.
#[derive(Default)]
pub(super) struct OpenControl {
    pub kind: Option<Field>,
    pub text: String,
    /// Whether Word put it around a field of its own.
    pub is_frame: bool,
    /// Number of open paragraphs around it.
    pub depth: usize,
    pub text_start: usize,
    pub source: FieldSource,
}

/// Fields.
impl StoryReader<'_> {
    pub fn field_character_begins(
        &mut self,
        element: &Element<'_>,
        start: usize,
    ) -> Result<(), DocumentError> {
        self.field_char = element.attribute("fldCharType").unwrap_or_default();
        match (self.field_char.as_str(), self.fields.last_mut()) {
            ("begin", _) => {
                let first = self.runs.last().cloned().unwrap_or_default();
                self.begin_field(String::new(), None, start)?;
                if let Some(field) = self.fields.last_mut() {
                    field.source.runs = Some([first, RunSource::default()]);
                    field.source.is_result_in_runs = true;
                }
            }
            ("separate", Some(field)) => {
                if let Some((place, _)) = &mut field.source.code {
                    place.end = start;
                }
            }
            (_, Some(field)) => field.source.result.end = start,
            (_, None) => {}
        }
        Ok(())
    }

    pub fn field_character_ends(&mut self, end: usize) {
        match (self.field_char.as_str(), self.fields.last_mut()) {
            ("begin", Some(field)) => field.source.code = Some((end..end, String::new())),
            ("separate", _) => self.begin_result(end),
            ("end", Some(field)) => {
                let run = self.runs.last().cloned().unwrap_or_default();
                if let Some([_, last]) = &mut field.source.runs {
                    *last = run;
                }
                self.end_field(end);
            }
            _ => {}
        }
    }

    pub fn field_data(&mut self, data: &str) {
        let Some(field) = self.fields.last_mut() else {
            return;
        };
        match field.data.first_mut() {
            Some(before) => before.push_str(data),
            None => field.data.push(data.to_owned()),
        }
        // The code of a simple field is before its data.
        if field.kind.is_some() {
            field.kind = Some(fields::read(&field.code, &field.data));
        }
    }

    pub fn instruction(&mut self, code: &str) {
        if let Some(field) = self.fields.last_mut().filter(|field| field.kind.is_none()) {
            field.code.push_str(code);
        }
    }

    pub fn begin_simple_field(
        &mut self,
        element: &Element<'_>,
        tag: Range<usize>,
    ) -> Result<(), DocumentError> {
        let code = element.attribute("instr").unwrap_or_default();
        self.begin_field(code, None, tag.start)?;
        self.begin_result(tag.end);
        Ok(())
    }

    pub fn end_simple_field(&mut self, tag: Range<usize>) {
        if let Some(field) = self.fields.last_mut() {
            field.source.result.end = tag.start;
        }
        self.end_field(tag.end);
    }

    pub fn begin_bookmark(
        &mut self,
        element: &Element<'_>,
        tag: Range<usize>,
    ) -> Result<(), DocumentError> {
        let name = element.attribute("name").unwrap_or_default();
        if let Some(code) = self.parts.codes.get(&name) {
            self.begin_field(code.clone(), element.attribute("id"), tag.start)?;
            self.begin_result(tag.end);
        }
        Ok(())
    }

    pub fn end_bookmark(&mut self, element: &Element<'_>, tag: Range<usize>) {
        let id = element.attribute("id");
        let is_it = |field: &OpenField| field.bookmark.is_some() && field.bookmark == id;
        if let Some(position) = self.fields.iter().rposition(is_it) {
            let mut field = self.fields.remove(position);
            field.source.result.end = tag.start;
            self.finish_field(field, tag.end);
        }
    }

    fn begin_field(
        &mut self,
        code: String,
        bookmark: Option<String>,
        start: usize,
    ) -> Result<(), DocumentError> {
        check_depth(self.fields.len())?;
        self.fields.push(OpenField {
            code,
            bookmark,
            paragraph: self.count,
            text_start: self.text_length(),
            source: FieldSource {
                outer: start..start,
                ..FieldSource::default()
            },
            ..OpenField::default()
        });
        Ok(())
    }

    fn begin_result(&mut self, start: usize) {
        let Some(field) = self.fields.last_mut() else {
            return;
        };
        let kind = fields::read(&field.code, &field.data);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.is_reference |= kind == Field::Bibliography;
            paragraph.is_contents |= kind == Field::Contents;
        }
        field.kind = Some(kind);
        field.source.result.start = start;
    }

    fn end_field(&mut self, end: usize) {
        let is_it = |field: &OpenField| field.bookmark.is_none();
        if let Some(position) = self.fields.iter().rposition(is_it) {
            let field = self.fields.remove(position);
            self.finish_field(field, end);
        }
    }

    fn finish_field(&mut self, field: OpenField, end: usize) {
        let mut source = field.source;
        source.outer.end = end;
        let has_result = field.kind.is_some();
        let kind = field.kind;
        let kind = kind.unwrap_or_else(|| fields::read(&field.code, &field.data));
        source.code = source.code.take().filter(|_| has_result);
        if let Some((_, code)) = &mut source.code {
            code.clone_from(&field.code);
        }
        match kind {
            Field::Citation(citation) => {
                // A field over several paragraphs cannot be formatted again.
                let is_whole = has_result && field.paragraph == self.count;
                let source = if is_whole { source } else { Default::default() };
                self.cite(citation, &field.result, field.text_start, Some(source));
            }
            Field::Unread => self.leave_unread(&field.result),
            Field::Bibliography if has_result => {
                source.holds_paragraphs = field.paragraph < self.count;
                self.out.list = Some(source);
            }
            // EndNote's `EN.CITE.DATA`.
            _ if !has_result || field.result.is_empty() => {
                if let Some(outer) = self.fields.last_mut().filter(|outer| outer.kind.is_none()) {
                    outer.data.extend(field.data);
                }
            }
            _ => {}
        }
    }
}

/// Content controls.
impl StoryReader<'_> {
    pub fn begin_control(&mut self, start: usize) -> Result<(), DocumentError> {
        check_depth(self.controls.len())?;
        self.controls.push(OpenControl {
            depth: self.paragraphs.len(),
            text_start: self.text_length(),
            source: FieldSource {
                outer: start..start,
                ..FieldSource::default()
            },
            ..OpenControl::default()
        });
        Ok(())
    }

    pub fn begin_control_content(&mut self, start: usize) {
        if let Some(control) = self.controls.last_mut() {
            control.source.result.start = start;
        }
    }

    pub fn end_control_content(&mut self, end: usize) {
        if let Some(control) = self.controls.last_mut() {
            control.source.result.end = end;
        }
    }

    pub fn end_control(&mut self, end: usize) {
        let Some(mut control) = self.controls.pop() else {
            return;
        };
        control.source.outer.end = end;
        let frame = &control.source.outer;
        match control.kind {
            Some(Field::Citation(citation)) => {
                let start = control.text_start;
                self.cite(citation, &control.text, start, Some(control.source));
            }
            Some(Field::Unread) => self.leave_unread(&control.text),
            Some(Field::Bibliography) => self.out.list = Some(control.source),
            _ if control.is_frame => {
                let last = self.paragraphs.last_mut();
                let found = last.and_then(|paragraph| paragraph.citations.last_mut());
                // A citation formatted without its field needs no frame.
                if let Some(field) = found.and_then(|(_, found)| found.field.as_mut())
                    && frame.start <= field.outer.start
                {
                    field.outer = frame.clone();
                    field.runs = None;
                }
            }
            _ => {}
        }
    }

    pub fn control_properties(&mut self, xml: &mut Xml<'_>) -> Result<(), DocumentError> {
        let (mut kind, mut is_frame, mut code) = (None, false, None);
        while let Some(node) = xml.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close(name) if name == "sdtPr" => break,
                _ => continue,
            };
            let value = element.attribute("val").unwrap_or_default();
            match element.name.as_str() {
                "tag" if value.starts_with("MENDELEY_") => {
                    kind = Some(fields::read_tag(&value));
                    code = Some((xml.place(), value));
                }
                // The field is in the control.
                "tag" if value.starts_with("CitaviPlaceholder") => is_frame = true,
                "bibliography" => kind = Some(Field::Bibliography),
                "citation" => is_frame = true,
                "docPartGallery" if value == "Table of Contents" => kind = Some(Field::Contents),
                _ => {}
            }
        }
        if let Some(control) = self.controls.last_mut() {
            control.kind = kind;
            control.is_frame = is_frame;
            control.source.code = code;
        }
        Ok(())
    }
}

/// Citations in both.
impl StoryReader<'_> {
    fn cite(&mut self, read: FieldCitation, text: &str, start: usize, field: Option<FieldSource>) {
        let place = self.place();
        let paragraph = self.paragraphs.last_mut();
        let end = paragraph.as_ref().map_or(0, |p| p.text.len());
        let found = FoundCitation {
            is_by_hand: read.wording.is_by_hand(text),
            citation: ManuscriptCitation {
                items: read.items,
                text: tidy(text),
                place,
                ..ManuscriptCitation::default()
            },
            note: self.note.clone(),
            source: self.out.sources.len(),
            text: start.min(end)..end,
            notes_before: self.called.len(),
            field,
        };
        match paragraph {
            Some(paragraph) => paragraph.citations.push((found.text.start, found)),
            None => self.out.citations.push(found),
        }
    }

    fn leave_unread(&mut self, text: &str) {
        let field = LeftPart::field(tidy(text), self.place());
        self.out.unread.push(field);
    }

    pub fn is_within(&self, kind: &Field) -> bool {
        let controls = self.controls.iter().map(|control| control.kind.as_ref());
        let fields = self.fields.iter().map(|field| field.kind.as_ref());
        controls.chain(fields).any(|found| found == Some(kind))
    }
}

fn check_depth(depth: usize) -> Result<(), DocumentError> {
    if depth >= DEEPEST {
        Err(DocumentError::TooDeep {
            what: "a field".to_owned(),
            limit: DEEPEST,
        })
    } else {
        Ok(())
    }
}
