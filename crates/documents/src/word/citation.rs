//! Writes the citations of a Word document.

use super::anchors::{anchors, is_replaceable};
use super::footnote::{NewNotes, NotePlace, note_markup};
use super::part::{Insertion, PartWriter};
use super::texts::{CitationText, FieldHandling};
use crate::docx::{FieldSource, FoundCitation, ParagraphSource, TextPiece};
use crate::fields;
use crate::wordml::{TextRun, TextStyle};

impl<'p> PartWriter<'p> {
    /// `None` if text cannot be inserted at the citation.
    pub fn cite(
        &mut self,
        found: &FoundCitation,
        new: &CitationText,
        notes: &mut NewNotes,
    ) -> Option<()> {
        let source = self.contents.paragraph_of(found)?;
        let base = self.base_properties(found, source)?;
        let mut shown = new.text.clone();
        if found.citation.place.note.is_some() {
            shown.extend(new.note.iter().cloned());
            let behind = source.text.get(found.text.end..).unwrap_or_default();
            if let Some(last) = shown.last_mut().filter(|_| behind.starts_with('.'))
                && last.text.ends_with('.')
            {
                last.text.pop();
            }
        } else if !new.note.is_empty() {
            return self.cite_in_note(found, source, &base, new, notes);
        }
        let shown = OuterBlanks::of(found, source).within(shown);
        match &found.field {
            None => self.replace(source, &found.text, vec![self.put(&base, shown)]),
            Some(field) if self.fields == FieldHandling::Keep => {
                self.update_field(field, &base, &shown, new)
            }
            Some(field) => self.drop_field(field, self.markup.runs(&base, &shown)),
        }
    }

    /// Replaces the field of a citation by the text that it has.
    pub fn keep_text(&mut self, found: &FoundCitation) -> Option<()> {
        let field = match &found.field {
            Some(field) if self.fields == FieldHandling::Replace => field,
            _ => return Some(()),
        };
        let new = match self.result(field) {
            Some(result) => result.to_owned(),
            None => {
                let source = self.contents.paragraph_of(found)?;
                let text = source.text.get(found.text.clone())?.to_owned();
                let style = TextStyle::default();
                let base = self.base_properties(found, source)?;
                self.markup.runs(&base, &[TextRun { text, style }])
            }
        };
        self.drop_field(field, new)
    }

    /// Moves a citation of the text into a new note behind the punctuation.
    fn cite_in_note(
        &mut self,
        found: &FoundCitation,
        source: &'p ParagraphSource,
        base: &str,
        new: &CitationText,
        notes: &mut NewNotes,
    ) -> Option<()> {
        let blanks = OuterBlanks::of(found, source);
        let mut shown = new.text.clone();
        let place = NotePlace::find(source, &found.text, shown.is_empty());
        let marks = source.text.get(place.marks.clone())?.to_owned();
        let inside = match &found.field {
            Some(field) if self.fields == FieldHandling::Keep => {
                self.copy_of_field(field, &new.note, new)
            }
            _ => None,
        };
        let id = notes.next_id;
        let written = notes.text.len();
        let call = self.add_note(inside, &new.note, notes);
        let replaced = match &found.field {
            None => {
                let mut news = vec![self.put(base, shown), Insertion::Text(marks)];
                news.push(Insertion::Runs(call));
                self.replace(source, &found.text, news)
            }
            Some(field) => {
                let before = OuterBlanks {
                    after: String::new(),
                    ..blanks.clone()
                };
                shown = before.within(shown);
                shown.push(plain_run(&marks));
                let runs = self.markup.runs(base, &shown);
                let behind = self.markup.runs(base, &[plain_run(&blanks.after)]);
                self.drop_field(field, format!("{runs}{call}{behind}"))
            }
        };
        if replaced.is_none() {
            notes.next_id = id;
            notes.text.truncate(written);
            return None;
        }
        for range in [place.blank, place.marks] {
            if !range.is_empty() {
                self.replace(source, &range, Vec::new())?;
            }
        }
        Some(())
    }

    /// The properties of the runs around a citation.
    fn base_properties(&self, found: &FoundCitation, source: &ParagraphSource) -> Option<String> {
        let inside = |piece: &&TextPiece| {
            piece.text.start < found.text.end && found.text.start < piece.text.end
        };
        let piece = source.pieces.iter().find(inside);
        let properties = piece.and_then(|piece| self.text.get(piece.run.properties.clone()));
        let properties = properties.unwrap_or_default();
        Some(match found.field {
            // The formatting of a field's text comes from the old style.
            Some(_) => self.markup.plain(properties),
            None => properties.to_owned(),
        })
    }

    /// Unformatted text stays in the run that it is inserted into.
    fn put(&self, base: &str, runs: Vec<TextRun>) -> Insertion {
        let is_plain =
            |run: &TextRun| run.style == TextStyle::default() && !run.text.contains(['\n', '\t']);
        if runs.iter().all(is_plain) {
            Insertion::Text(runs.into_iter().map(|run| run.text).collect())
        } else {
            Insertion::Runs(self.markup.runs(base, &runs))
        }
    }

    /// Replaces the text of a field and of its code.
    fn update_field(
        &mut self,
        field: &FieldSource,
        base: &str,
        shown: &[TextRun],
        new: &CitationText,
    ) -> Option<()> {
        if field.outer.is_empty() {
            return None;
        }
        let w = &self.markup.prefix;
        let runs = self.markup.runs(base, shown);
        let old = self.text.get(field.result.clone())?;
        let runs = format!("{runs}{}", anchors(old, &runs, w));
        let runs = if field.is_result_in_runs {
            format!("</{w}r>{runs}<{w}r>")
        } else {
            runs
        };
        if !is_replaceable(old, &runs) {
            return None;
        }
        if let Some((place, code)) = &field.code
            && let Some(code) = fields::with_text(code, &new.formatted, &new.plain)
        {
            let element = if code.starts_with("MENDELEY_") {
                format!("<{w}tag {w}val=\"{code}\"/>")
            } else {
                format!(
                    "</{w}r><{w}r>{}</{w}r><{w}r>",
                    self.markup.instruction(&code)
                )
            };
            self.edit(place.clone(), element)?;
        }
        self.edit(field.result.clone(), runs)
    }

    /// A copy of a Zotero or Mendeley field for another place.
    fn copy_of_field(
        &self,
        field: &FieldSource,
        shown: &[TextRun],
        new: &CitationText,
    ) -> Option<String> {
        let (_, code) = field.code.as_ref().filter(|_| field.is_result_in_runs)?;
        let code = fields::with_text(code, &new.formatted, &new.plain)?;
        let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
        let markup = note_markup();
        Some(format!(
            "{}<w:r>{}</w:r>{}{}{}",
            char("begin"),
            markup.instruction(&code),
            char("separate"),
            markup.runs("", shown),
            char("end")
        ))
    }
}

/// Blanks at the ends of a field's text, where Word puts those around its own citations. They are not of the
/// citation.
#[derive(Clone, Default)]
struct OuterBlanks {
    before: String,
    after: String,
}

impl OuterBlanks {
    fn of(found: &FoundCitation, source: &ParagraphSource) -> OuterBlanks {
        let text = source.text.get(found.text.clone()).unwrap_or_default();
        let rest = text.trim_start();
        let (before, _) = text.split_at(text.len() - rest.len());
        let (_, after) = rest.split_at(rest.trim_end().len());
        OuterBlanks {
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    /// The runs within the blanks; without text, no blank is before it.
    fn within(&self, mut runs: Vec<TextRun>) -> Vec<TextRun> {
        let is_empty = runs.iter().all(|run| run.text.is_empty());
        if !is_empty && !self.before.is_empty() {
            runs.insert(0, plain_run(&self.before));
        }
        if !self.after.is_empty() {
            runs.push(plain_run(&self.after));
        }
        runs
    }
}

fn plain_run(text: &str) -> TextRun {
    TextRun {
        text: text.to_owned(),
        style: TextStyle::default(),
    }
}
