//! Formats the citations and reference list of Word packages. Other content is copied unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use citation_exchange::correction::{Corrected, Edits};
use citation_model::budget::Budget;

use crate::document::Citation;
use crate::docx::{
    FieldSource, Found, MainPart, NOTES, NoteKey, Parts, Piece, Run, Source, Story, word_sources,
};
use crate::error::DocumentError;
use crate::headings::names_list;
use crate::package::Package;
use crate::preferences::{self, StyleName};
use crate::related::{FOOTNOTES, Related};
use crate::wordml::{Look, Markup, TextRun, check};
use crate::xml::Xml;
use crate::{fields, list};

/// A Word document whose citations can be formatted.
pub struct WordDocument<'b> {
    package: Package<'b>,
    main: MainPart,
    parts: Parts,
    story: Story,
    budget: &'b Budget,
}

/// A citation of a Word document.
#[derive(Clone, Copy, Debug)]
pub struct WordCitation<'d> {
    pub citation: &'d Citation,
    /// Whether it is a marker such as `[@doi:10.1000/x]`, not a field of a citation program.
    pub is_marker: bool,
    /// Number of notes called before it, including its own.
    pub notes_before: usize,
}

/// The new text of a citation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationText {
    pub text: Vec<TextRun>,
    /// The content of a note for a citation in the text; if it is already in a note, part of that note.
    pub note: Vec<TextRun>,
    /// The whole text for the codes of Zotero and Mendeley, as RTF and unformatted.
    pub formatted: String,
    pub plain: String,
}

/// The reference list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList {
    pub entries: Vec<Vec<TextRun>>,
    pub indent: Indent,
    /// Multiples of the line height.
    pub line_spacing: u32,
    /// Multiples of the line height.
    pub entry_spacing: u32,
    /// The heading, if the document has no place for a list.
    pub heading: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indent {
    #[default]
    None,
    Hanging,
    /// Text after the first tab of an entry is aligned; the value is the number of characters before it.
    Aligned(u32),
}

/// Whether fields of citation programs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldHandling {
    /// Changes only their texts, the copies of the texts in Zotero's and Mendeley's codes, and the
    /// document's Zotero style.
    Keep,
    /// Replaces them by their texts.
    Replace,
}

/// A package with formatted citations.
#[derive(Debug, Default)]
pub struct SetDocument {
    pub bytes: Vec<u8>,
    /// Indexes of citations in places where text cannot be inserted.
    pub left: Vec<usize>,
}

/// In twentieths of a point, Word's unit: the indent of an entry, and a line.
const HANGING: u32 = 720;
const LINE: u32 = 240;
/// The width of a character in a margin.
const CHARACTER: u32 = 120;

impl<'b> WordDocument<'b> {
    pub fn open(bytes: &'b [u8], budget: &'b Budget) -> Result<WordDocument<'b>, DocumentError> {
        let mut package = Package::open(bytes, budget)?;
        let main = MainPart::read(&mut package)?;
        let parts = Parts::read(&mut package, &main, budget)?;
        let mut story = parts.story(&main, budget)?;
        let sources = word_sources(&mut package)?;
        list::resolve(
            story.citations.iter_mut().map(|found| &mut found.citation),
            &sources,
        );
        Ok(WordDocument {
            package,
            main,
            parts,
            story,
            budget,
        })
    }

    /// In reading order.
    pub fn citations(&self) -> impl Iterator<Item = WordCitation<'_>> {
        self.story.citations.iter().map(|found| WordCitation {
            citation: &found.citation,
            is_marker: found.field.is_none(),
            notes_before: found.citation.place.note.unwrap_or(found.notes_before),
        })
    }

    /// Formats the citations, with one text each in order, or `None` to leave it unchanged, and the list.
    pub fn set(
        mut self,
        texts: &[Option<CitationText>],
        list: &WordList,
        style: StyleName<'_>,
        fields: FieldHandling,
    ) -> Result<SetDocument, DocumentError> {
        let footnotes = Related::find(&FOOTNOTES, &mut self.package, &self.main)?;
        let mut notes = NewNotes {
            next_id: footnotes.next_id()?,
            text: String::new(),
        };
        let mut left = Vec::new();
        let mut changed = BTreeMap::new();
        let kinds = NOTES.map(|(kind, name)| (kind, self.main.beside(name)));
        let stories = [("", self.main.name.clone())].into_iter().chain(kinds);
        for (kind, name) in stories {
            let text = match kind {
                "" => self.main.text.clone(),
                _ => self.package.text(&name)?.unwrap_or_default(),
            };
            let mut part = PartWriter {
                markup: Markup::of(&text)?,
                text: &text,
                word: &self,
                edits: Vec::new(),
                pieces: BTreeMap::new(),
                fields,
            };
            let all = self.story.citations.iter().zip(texts).enumerate();
            for (n, (found, text)) in all.filter(|(_, (found, _))| found.note.0 == kind) {
                self.budget.spend(100)?;
                if let Some(text) = text
                    && part.cite(found, text, &mut notes).is_none()
                {
                    left.push(n);
                }
            }
            if kind.is_empty() {
                part.list(list);
            }
            if let Some(text) = part.finish() {
                check(&text, &name, self.budget)?;
                changed.insert(name, text);
            }
        }
        if !notes.text.is_empty() {
            let namespace = Markup::of(&self.main.text)?.namespace;
            let (package, main) = (&mut self.package, &self.main);
            footnotes.add(&notes.text, &namespace, package, main, &mut changed)?;
        }
        if fields == FieldHandling::Keep
            && let Some(properties) = self.package.text(preferences::PART)?
            && let Some(text) = preferences::with_style(&properties, style)?
        {
            changed.insert(preferences::PART.to_owned(), text);
        }
        left.sort_unstable();
        Ok(SetDocument {
            bytes: self.package.with_parts(changed)?,
            left,
        })
    }

    fn source(&self, found: &Found) -> Option<&Source> {
        let story = match &found.note {
            key if *key == NoteKey::default() => &self.story,
            key => self.parts.notes.get(key)?,
        };
        story.sources.get(found.source)
    }
}

/// Footnotes for citations in the text.
struct NewNotes {
    next_id: u64,
    text: String,
}

/// The replacement of text in a piece.
enum New {
    Text(String),
    /// Elements beside the run.
    Runs(String),
}

/// A piece of text and its replacements.
type PieceEdits<'p> = (&'p Piece, Vec<(Range<usize>, New)>);

/// The edits of one part.
struct PartWriter<'p> {
    markup: Markup,
    text: &'p str,
    word: &'p WordDocument<'p>,
    edits: Edits,
    /// The edits by replaced element.
    pieces: BTreeMap<usize, PieceEdits<'p>>,
    fields: FieldHandling,
}

impl<'p> PartWriter<'p> {
    /// `None` if text cannot be inserted at the citation.
    fn cite(&mut self, found: &Found, new: &CitationText, notes: &mut NewNotes) -> Option<()> {
        let source = self.word.source(found)?;
        let is_in_note = found.citation.place.note.is_some();
        let mut shown = new.text.clone();
        let mut moved = Vec::new();
        if is_in_note {
            shown.extend(new.note.iter().cloned());
            let behind = source.text.get(found.text.end..).unwrap_or_default();
            if let Some(last) = shown.last_mut().filter(|_| behind.starts_with('.'))
                && last.text.ends_with('.')
            {
                last.text.pop();
            }
        } else if !new.note.is_empty() {
            moved.clone_from(&new.note);
        }
        let base = self.base(found, source)?;
        if moved.is_empty() {
            return match &found.field {
                None => self.replace(source, &found.text, vec![self.put(&base, shown)]),
                Some(field) if self.fields == FieldHandling::Keep => {
                    self.keep(field, &base, &shown, new)
                }
                Some(field) => self.drop_field(field, self.markup.runs(&base, &shown)),
            };
        }
        let place = NotePlace::find(source, &found.text, shown.is_empty());
        let marks = source.text.get(place.marks.clone())?.to_owned();
        let inside = match &found.field {
            Some(field) if self.fields == FieldHandling::Keep => self.live(field, &moved, new),
            _ => None,
        };
        let call = self.note(inside, &moved, notes);
        match &found.field {
            None => {
                let mut news = vec![self.put(&base, shown), New::Text(marks)];
                news.push(New::Runs(call));
                self.replace(source, &found.text, news)?;
            }
            Some(field) => {
                shown.push(TextRun {
                    text: marks,
                    look: Look::default(),
                });
                let runs = self.markup.runs(&base, &shown);
                self.drop_field(field, format!("{runs}{call}"))?;
            }
        }
        for range in [place.blank, place.marks] {
            if !range.is_empty() {
                self.replace(source, &range, Vec::new())?;
            }
        }
        Some(())
    }

    /// The properties of the runs around a citation.
    fn base(&self, found: &Found, source: &Source) -> Option<String> {
        let inside =
            |piece: &&Piece| piece.text.start < found.text.end && found.text.start < piece.text.end;
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
    fn put(&self, base: &str, runs: Vec<TextRun>) -> New {
        let is_plain =
            |run: &TextRun| run.look == Look::default() && !run.text.contains(['\n', '\t']);
        match runs.iter().all(is_plain) {
            true => New::Text(runs.into_iter().map(|run| run.text).collect()),
            false => New::Runs(self.markup.runs(base, &runs)),
        }
    }

    fn replace(&mut self, source: &'p Source, range: &Range<usize>, news: Vec<New>) -> Option<()> {
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
            edits.push((within, New::Text(String::new())));
        }
        Some(())
    }

    /// Replaces a field by elements.
    fn drop_field(&mut self, field: &FieldSource, new: String) -> Option<()> {
        if field.outer.is_empty() {
            return None;
        }
        let edit = match &field.runs {
            None => (field.outer.clone(), new),
            Some(runs) => self.between_runs(&field.outer, runs, new)?,
        };
        self.edits.push(edit);
        Some(())
    }

    /// Replaces content that begins and ends within runs; whole runs if they contain nothing else.
    fn between_runs(
        &self,
        place: &Range<usize>,
        [first, last]: &[Run; 2],
        new: String,
    ) -> Option<(Range<usize>, String)> {
        let w = &self.markup.prefix;
        let close = format!("</{w}r>");
        let inside = first.tag.end.max(first.properties.end);
        let is_whole = self.text.get(inside..place.start)?.trim().is_empty();
        let (start, before) = match is_whole {
            true => (first.tag.start, ""),
            false => (place.start, close.as_str()),
        };
        let behind = self.text.get(place.end..)?;
        let (end, after) = match behind.trim_start().starts_with(&close) {
            true => (
                place.end + behind.find(&close)? + close.len(),
                String::new(),
            ),
            false => (place.end, self.opening(last)?),
        };
        Some((start..end, format!("{before}{new}{after}")))
    }

    /// The start of a run with the same properties.
    fn opening(&self, run: &Run) -> Option<String> {
        let tag = self.text.get(run.tag.clone())?;
        let properties = self.text.get(run.properties.clone())?;
        Some(format!("{tag}{properties}"))
    }

    /// Replaces the text of a field and of its code.
    fn keep(
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
        let runs = match field.is_result_in_runs {
            true => format!("</{w}r>{runs}<{w}r>"),
            false => runs,
        };
        if let Some((place, code)) = &field.code
            && let Some(code) = fields::with_text(code, &new.formatted, &new.plain)
        {
            let element = match code.starts_with("MENDELEY_") {
                true => format!("<{w}tag {w}val=\"{code}\"/>"),
                false => format!(
                    "</{w}r><{w}r>{}</{w}r><{w}r>",
                    self.markup.instruction(&code)
                ),
            };
            self.edits.push((place.clone(), element));
        }
        self.edits.push((field.result.clone(), runs));
        Some(())
    }

    /// A copy of a Zotero or Mendeley field for another place.
    fn live(&self, field: &FieldSource, shown: &[TextRun], new: &CitationText) -> Option<String> {
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

    /// Creates a footnote; returns its call.
    fn note(&self, inside: Option<String>, shown: &[TextRun], notes: &mut NewNotes) -> String {
        let w = &self.markup.prefix;
        let id = notes.next_id;
        notes.next_id += 1;
        let reference = self.word.parts.style("footnote reference");
        let look = |w: &str| match reference {
            Some(style) => format!("<{w}rPr><{w}rStyle {w}val=\"{style}\"/></{w}rPr>"),
            None => format!("<{w}rPr><{w}vertAlign {w}val=\"superscript\"/></{w}rPr>"),
        };
        let style = self.word.parts.style("footnote text");
        let style = style.map(|style| format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>"));
        let inside = inside.unwrap_or_else(|| note_markup().runs("", shown));
        notes.text.push_str(&format!(
            "<w:footnote xmlns:w=\"{}\" w:id=\"{id}\"><w:p>{}<w:r>{}<w:footnoteRef/></w:r><w:r><w:t xml:space=\"preserve\"> </w:t></w:r>{inside}</w:p></w:footnote>",
            self.markup.namespace,
            style.unwrap_or_default(),
            look("w:")
        ));
        format!(
            "<{w}r>{}<{w}footnoteReference {w}id=\"{id}\"/></{w}r>",
            look(w)
        )
    }

    /// Puts the list into its place in the document, or at the end.
    fn list(&mut self, list: &WordList) {
        let story = &self.word.story;
        let properties = self.entry_properties(list);
        if let Some(field) = &story.list {
            let edit = self.old_list(field, list, &properties);
            self.edits.extend(edit.into_iter().flatten());
            return;
        }
        if list.entries.is_empty() {
            return;
        }
        let w = &self.markup.prefix;
        let entries: String = { list.entries.iter() }
            .map(|entry| format!("<{w}p>{properties}{}</{w}p>", self.markup.runs("", entry)))
            .collect();
        let sources = || story.sources.iter().filter(|source| !source.is_contents);
        if let Some(source) = sources().find(|source| is_placeholder(&source.text)) {
            self.edits.push((source.start..source.end, entries));
        } else if let Some(heading) = sources().rfind(|source| names_list(&source.text)) {
            self.edits.push((heading.end..heading.end, entries));
        } else {
            let style = self.word.parts.style("heading 1");
            let (style, look) = match style {
                Some(style) => (
                    format!("<{w}pPr><{w}pStyle {w}val=\"{style}\"/></{w}pPr>"),
                    false,
                ),
                None => (String::new(), true),
            };
            let heading = TextRun {
                text: list.heading.clone(),
                look: Look {
                    is_bold: look,
                    ..Look::default()
                },
            };
            let heading = self.markup.runs("", &[heading]);
            let new = format!("<{w}p>{style}{heading}</{w}p>{entries}");
            self.edits.push((story.end..story.end, new));
        }
    }

    /// The edits that replace the entries inserted by a citation program.
    fn old_list(
        &self,
        field: &FieldSource,
        list: &WordList,
        properties: &str,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let w = &self.markup.prefix;
        let is_kept = self.fields == FieldHandling::Keep;
        let mut sources = self.word.story.sources.iter();
        let first = sources.find(|source| source.inside.end > field.result.start)?;
        let base = first
            .pieces
            .iter()
            .find(|piece| piece.element.start >= field.result.start);
        let base = base.and_then(|piece| self.text.get(piece.run.properties.clone()));
        let base = self.markup.plain(base.unwrap_or_default());
        let entries: Vec<String> = { list.entries.iter() }
            .map(|entry| self.markup.runs(&base, entry))
            .collect();
        let is_whole = field.holds_paragraphs && field.runs.is_none();
        if is_whole {
            let paragraphs =
                { entries.iter() }.map(|runs| format!("<{w}p>{properties}{runs}</{w}p>"));
            let place = if is_kept { &field.result } else { &field.outer };
            let mut paragraphs: String = paragraphs.collect();
            if paragraphs.is_empty() {
                paragraphs = format!("<{w}p/>");
            }
            return Some(vec![(place.clone(), paragraphs)]);
        }
        // The first entry is in the paragraph in which the field begins, the last in that in which it ends.
        let runs = entries.join(&format!("</{w}p><{w}p>{properties}"));
        let edit = match &field.runs {
            _ if is_kept && field.is_result_in_runs => {
                (field.result.clone(), format!("</{w}r>{runs}<{w}r>"))
            }
            _ if is_kept => (field.result.clone(), runs),
            Some(ends) => self.between_runs(&field.outer, ends, runs)?,
            None => (field.outer.clone(), runs),
        };
        let mut edits = vec![edit];
        let is_alone = first
            .pieces
            .first()
            .is_none_or(|piece| piece.element.start > field.outer.start);
        if is_alone && first.properties.end <= field.outer.start {
            edits.push((first.properties.clone(), properties.to_owned()));
        }
        Some(edits)
    }

    fn entry_properties(&self, list: &WordList) -> String {
        let w = &self.markup.prefix;
        let style = self.word.parts.style("bibliography");
        let style = style.map(|style| format!("<{w}pStyle {w}val=\"{style}\"/>"));
        let width = match list.indent {
            Indent::None => 0,
            Indent::Hanging => HANGING,
            Indent::Aligned(characters) => (characters + 1).min(20) * CHARACTER,
        };
        let tabs = match list.indent {
            Indent::Aligned(_) => {
                format!("<{w}tabs><{w}tab {w}val=\"left\" {w}pos=\"{width}\"/></{w}tabs>")
            }
            _ => String::new(),
        };
        let spacing = format!(
            "<{w}spacing {w}after=\"{}\" {w}line=\"{}\" {w}lineRule=\"auto\"/>",
            list.entry_spacing.min(10) * LINE,
            list.line_spacing.clamp(1, 10) * LINE
        );
        let indent = format!("<{w}ind {w}left=\"{width}\" {w}hanging=\"{width}\"/>");
        let style = style.unwrap_or_default();
        format!("<{w}pPr>{style}{tabs}{spacing}{indent}</{w}pPr>")
    }

    /// The text of the part; `None` if unchanged.
    fn finish(mut self) -> Option<String> {
        for (piece, news) in std::mem::take(&mut self.pieces).into_values() {
            let text = self.rewritten(piece, news)?;
            self.edits.push((piece.element.clone(), text));
        }
        (!self.edits.is_empty()).then(|| Corrected::new(self.text, self.edits, Vec::new()).text)
    }

    /// The replacement of a piece. Its run is split around inserted elements.
    fn rewritten(&self, piece: &Piece, mut news: Vec<(Range<usize>, New)>) -> Option<String> {
        let w = &self.markup.prefix;
        let mut xml = Xml::new(self.text.get(piece.element.clone())?, "a piece of the text");
        xml.next().ok()?;
        let text = xml.inner_text().ok()?;
        let run = self.opening(&piece.run)?;
        news.sort_by_key(|(range, _)| range.start);
        let (mut out, mut plain, mut at) = (String::new(), String::new(), 0);
        for (range, new) in news {
            plain.push_str(text.get(at..range.start)?);
            at = range.end;
            match new {
                New::Text(text) => plain.push_str(&text),
                New::Runs(runs) => {
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

/// The markup of new notes.
fn note_markup() -> Markup {
    Markup {
        prefix: "w:".to_owned(),
        namespace: String::new(),
    }
}

/// The changes around a note: the blank before it is removed, and it follows the punctuation.
struct NotePlace {
    blank: Range<usize>,
    marks: Range<usize>,
}

impl NotePlace {
    fn find(source: &Source, cited: &Range<usize>, is_alone: bool) -> NotePlace {
        let before = source.text.get(..cited.start).unwrap_or_default();
        let kept = before.trim_end_matches([' ', '\u{a0}']).len();
        let behind = source.text.get(cited.end..).unwrap_or_default();
        let rest = behind.trim_start_matches(['.', ',', ';', ':', '!', '?']);
        let can_go = |range: Range<usize>| match source.pieces(&range) {
            Some(_) => range,
            None => cited.end..cited.end,
        };
        NotePlace {
            blank: can_go(if is_alone {
                kept..cited.start
            } else {
                cited.end..cited.end
            }),
            marks: can_go(cited.end..cited.end + behind.len() - rest.len()),
        }
    }
}

/// Whether a paragraph is a placeholder for the list: `{Bibliography}`, `[references]`, `{{refs}}`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let inside = text
        .trim_matches(['{', '}', '[', ']', '#', ' '])
        .to_lowercase();
    text.starts_with(['{', '['])
        && text.ends_with(['}', ']'])
        && matches!(inside.as_str(), "bibliography" | "references" | "refs")
}
