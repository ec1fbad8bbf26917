//! Citations as edits of the files of a manuscript.

use std::ops::Range;

use citation_csl::{Class, Compiled, Rich};
use citation_documents::{CitationFrame, FileEdit, FileId, SourceFiles, SourceMode, SourceSpan};

use super::language::MarkupLanguage;
use crate::format::{FormattedCitation, SPLIT, unknown_text};

/// A citation of the manuscript.
pub struct Found<'d> {
    pub span: &'d SourceSpan,
    pub frame: &'d CitationFrame,
    /// Whether its note begins with a name in lower case.
    pub keeps_case: bool,
}

/// Writes citations in the language of a manuscript.
pub struct EditWriter<'a> {
    pub sources: &'a SourceFiles,
    pub compiled: &'a Compiled,
    pub language: MarkupLanguage,
}

/// The text of a citation, and how much of the text around it changes with it.
struct Written {
    text: String,
    /// Whether blanks before it go.
    drops_blank: bool,
    /// How many of the bytes behind it move into the text.
    behind: usize,
}

impl EditWriter<'_> {
    /// The edits of the citations. In each file they follow each other.
    pub fn citations(&self, found: &[Found<'_>], set: &[FormattedCitation]) -> Vec<FileEdit> {
        let mut ordered: Vec<(&Found<'_>, &FormattedCitation)> = found.iter().zip(set).collect();
        ordered.sort_by_key(|(found, _)| (found.span.file(), found.span.range().start));
        let mut edits: Vec<FileEdit> = Vec::with_capacity(ordered.len());
        let mut last: Option<(FileId, usize)> = None;
        for (found, formatted) in ordered {
            let file = found.span.file();
            let from = last.filter(|(known, _)| *known == file);
            let from = from.map_or(0, |(_, end)| end);
            let range = found.span.range();
            // A citation inside of another is a part of it. In Typst an unknown key may be a label that
            // code makes.
            let is_unknown = matches!(formatted, FormattedCitation::Unknown(_));
            if range.start < from || is_unknown && self.language == MarkupLanguage::Typst {
                continue;
            }
            let edit = self.edit(found, formatted, from);
            last = Some((file, edit.span.range().end));
            edits.push(edit);
        }
        edits
    }

    /// Removes commands that only add works to the list.
    pub fn without(&self, additions: &[SourceSpan]) -> Vec<FileEdit> {
        { additions.iter() }
            .map(|span| FileEdit {
                span: span.clone(),
                text: match span.mode() {
                    SourceMode::Markup => String::new(),
                    SourceMode::Code => "[]".to_owned(),
                },
            })
            .collect()
    }

    /// `from` is the end of the edit before, in the same file.
    fn edit(&self, found: &Found<'_>, formatted: &FormattedCitation, from: usize) -> FileEdit {
        let text = self.sources.text(found.span.file());
        let Range { start, end } = found.span.range();
        let line = text.get(..start).unwrap_or_default();
        let line = line.rsplit('\n').next().unwrap_or_default();
        // A note is a paragraph of its own.
        let is_inside = line.contains(char::is_alphabetic)
            && self.compiled.style().options.class != Class::Note;
        let write = |rich: &Rich| match is_inside {
            true => self.language.write_inside(rich),
            false => self.language.write(rich),
        };
        let shown = match formatted {
            FormattedCitation::Known(rich) => write(rich),
            FormattedCitation::Unknown(keys) => write(&unknown_text(self.compiled, keys)),
        };
        let written = self.written(found, &shown);
        let before = text.get(from..start).unwrap_or_default();
        let kept = match written.drops_blank {
            true => before.trim_end_matches([' ', '~']).len(),
            false => before.len(),
        };
        let span = found.span.with_range(from + kept..end + written.behind);
        let CitationFrame { before, after } = found.frame;
        let text = format!("{before}{}{after}", written.text);
        FileEdit {
            text: self.in_place(&span, text),
            span,
        }
    }

    fn written(&self, found: &Found<'_>, shown: &str) -> Written {
        let text = self.sources.text(found.span.file());
        let Range { start, end } = found.span.range();
        let is_framed = *found.frame != CitationFrame::default();
        let is_note_style = self.compiled.style().options.class == Class::Note;
        if !is_note_style || shown.is_empty() {
            return Written {
                text: shown.to_owned(),
                drops_blank: shown.is_empty() && !is_framed,
                behind: 0,
            };
        }
        let is_in_note = self.language.is_in_note(text, start);
        let behind = match is_framed {
            true => "",
            false => text.get(end..).unwrap_or_default(),
        };
        let place = match (is_in_note, found.keeps_case) {
            (true, _) => NotePlace::Inside,
            (false, true) => NotePlace::NewAsWritten,
            (false, false) => NotePlace::New,
        };
        note(shown, behind, place, self.language)
    }

    /// Markup as an expression of code, and in Typst not as the arguments of what stands before it.
    fn in_place(&self, span: &SourceSpan, text: String) -> String {
        if span.mode() == SourceMode::Code {
            return format!("[{text}]");
        }
        if self.language == MarkupLanguage::Tex && text.starts_with(char::is_alphabetic) {
            let source = self.sources.text(span.file());
            let before = source.get(..span.range().start).unwrap_or_default();
            // `\noindent\citet{doe}`: the control word must end before the author.
            let word = before.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '@');
            if word.len() < before.len() && word.ends_with('\\') && !word.ends_with("\\\\") {
                return format!("{{}}{text}");
            }
        }
        if self.language != MarkupLanguage::Typst || text.is_empty() {
            return text;
        }
        let source = self.sources.text(span.file());
        let Range { start, end } = span.range();
        let before = source.get(..start).unwrap_or_default();
        let is_argument = text.starts_with(['(', '[']) && ends_with_expression(before);
        let text = match is_argument {
            true => format!("#[{text}]"),
            false => text,
        };
        let behind = source.get(end..).unwrap_or_default();
        // A semicolon ends an expression and is not shown.
        let goes_on = text.ends_with([']', ')']) && behind.starts_with(['(', '[', ';']);
        match goes_on && text.contains('#') {
            true => format!("{text};"),
            false => text,
        }
    }
}

/// Whether an expression of Typst may go on with brackets.
fn ends_with_expression(text: &str) -> bool {
    let name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    text.ends_with([']', ')']) || text.trim_end_matches(name).ends_with('#') && text.ends_with(name)
}

/// Where a citation in a note style is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NotePlace {
    /// In a note of the manuscript.
    Inside,
    /// In a note of its own, which begins with a capital.
    New,
    /// In a note of its own, which begins with a name in lower case.
    NewAsWritten,
}

/// A citation as a note, or inside of a note in parentheses.
fn note(shown: &str, behind: &str, place: NotePlace, language: MarkupLanguage) -> Written {
    let is_named = shown.contains(SPLIT);
    let (author, note) = match shown.split_once(SPLIT) {
        Some((author, note)) => (author.trim_end(), note.trim_start()),
        None => ("", shown),
    };
    let kept = |text: String| Written {
        text,
        drops_blank: false,
        behind: 0,
    };
    if note.is_empty() {
        return kept(author.to_owned());
    }
    if place == NotePlace::Inside {
        let note = note.strip_suffix('.').unwrap_or(note);
        return kept(match (author.is_empty(), is_named) {
            (false, _) => format!("{author}, {note}"),
            // A work without an author is named by its citation.
            (true, true) => note.to_owned(),
            (true, false) => format!("({note})"),
        });
    }
    let is_mark = |c: char| ".,;:!?".contains(c);
    let marks = behind.len() - behind.trim_start_matches(is_mark).len();
    let marked = behind.get(..marks).unwrap_or_default();
    let (open, close) = language.note();
    let note = match place {
        NotePlace::NewAsWritten => note.to_owned(),
        _ => capitalized(note),
    };
    Written {
        text: format!("{author}{marked}{open}{note}{close}"),
        drops_blank: author.is_empty(),
        behind: marks,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let capital = letters.next().into_iter().flat_map(char::to_uppercase);
    capital.chain(letters).collect()
}
