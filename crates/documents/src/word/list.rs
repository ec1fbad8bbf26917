//! Writes the reference list of a Word document.

use std::ops::Range;

use super::anchors::half_ranges;
use super::part::PartWriter;
use super::texts::{FieldHandling, Indent, WordList};
use crate::docx::FieldSource;
use crate::headings::names_list;
use crate::wordml::{TextRun, TextStyle};

/// In twentieths of a point, Word's unit: the indent of an entry, and a line.
const HANGING: u32 = 720;
const LINE: u32 = 240;
/// The width of a character in a margin.
const CHARACTER: u32 = 120;

impl PartWriter<'_> {
    /// Puts the list into its place in the document, or at the end; `None` if the list there cannot be
    /// replaced.
    pub fn list(&mut self, list: &WordList) -> Option<()> {
        let story = &self.contents.story;
        let properties = self.entry_properties(list);
        if let Some(field) = &story.list {
            for (place, new) in self.old_list(field, list, &properties)? {
                self.edit(place, new)?;
            }
            return Some(());
        }
        if list.entries.is_empty() {
            return Some(());
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
            let new = format!("{}{entries}", self.heading(&list.heading));
            self.edits.push((story.end..story.end, new));
        }
        Some(())
    }

    /// The paragraph of the heading: in the document's style, or bold if it has none.
    fn heading(&self, text: &str) -> String {
        let w = &self.markup.prefix;
        let style = self.contents.parts.style("heading 1");
        let heading = TextRun {
            text: text.to_owned(),
            style: TextStyle {
                is_bold: style.is_none(),
                ..TextStyle::default()
            },
        };
        let style = style.map(|style| format!("<{w}pPr><{w}pStyle {w}val=\"{style}\"/></{w}pPr>"));
        let runs = self.markup.runs("", &[heading]);
        format!("<{w}p>{}{runs}</{w}p>", style.unwrap_or_default())
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
        let mut sources = self.contents.story.sources.iter();
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
            let old = self.text.get(place.clone()).unwrap_or_default();
            let mut paragraphs: String = paragraphs.collect();
            paragraphs.push_str(&half_ranges(old));
            if entries.is_empty() {
                paragraphs.push_str(&format!("<{w}p/>"));
            }
            return Some(vec![(place.clone(), paragraphs)]);
        }
        // The first entry is in the paragraph in which the field begins, the last in that in which it ends.
        let mut runs = entries.join(&format!("</{w}p><{w}p>{properties}"));
        let place = if is_kept { &field.result } else { &field.outer };
        let old = self.text.get(place.clone()).unwrap_or_default();
        runs.push_str(&half_ranges(old));
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
        let style = self.contents.parts.style("bibliography");
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
