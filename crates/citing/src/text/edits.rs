//! Citations as edits of the files of a manuscript.

use std::ops::Range;

use citation_csl::{Class, Compiled, Rich};
use citation_documents::{
    CitationForm, CitationFrame, CitationSetting, FileEdit, FileId, SourceFiles, SourceMode,
    SourceSpan,
};

use super::forms;
use super::language::MarkupLanguage;
use crate::format::{FormattedCitation, SPLIT, unknown_text};

/// A citation of the manuscript.
pub struct Found<'d> {
    pub span: &'d SourceSpan,
    pub frame: &'d CitationFrame,
    pub form: CitationForm,
    pub setting: &'d CitationSetting,
    /// Whether it names authors alone.
    pub is_author: bool,
    /// Whether its note begins with a name in lower case.
    pub keeps_case: bool,
}

impl Found<'_> {
    /// Whether its text is a part of the sentence, in every style.
    fn is_words(&self) -> bool {
        self.is_author || !matches!(self.form, CitationForm::Styled | CitationForm::Bare)
    }
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
    /// `texts` are those of citations that do not print what the style does.
    pub fn citations(
        &self,
        found: &[Found<'_>],
        set: &[FormattedCitation],
        texts: &[Option<String>],
    ) -> Vec<FileEdit> {
        let mut ordered: Vec<_> = found.iter().zip(set).zip(texts).collect();
        ordered.sort_by_key(|((found, _), _)| (found.span.file(), found.span.range().start));
        let mut edits: Vec<FileEdit> = Vec::with_capacity(ordered.len());
        let mut last: Option<(FileId, usize)> = None;
        for ((found, formatted), text) in ordered {
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
            let edit = self.edit(found, formatted, text.as_deref(), from);
            last = Some((file, edit.span.range().end));
            edits.push(edit);
        }
        let is_note_style = self.compiled.style().options.class == Class::Note;
        if is_note_style && self.language == MarkupLanguage::Tex {
            edits.extend(self.short_titles(found));
        }
        edits
    }

    /// The short forms of titles of sections that get notes: they are printed in a table of contents, too.
    fn short_titles(&self, found: &[Found<'_>]) -> Vec<FileEdit> {
        let mut titles: Vec<(&SourceSpan, Vec<Range<usize>>)> = Vec::new();
        for found in found.iter().filter(|found| !found.is_words()) {
            let CitationSetting::Heading(title) = found.setting else {
                continue;
            };
            if !title.is_listed {
                continue;
            }
            match titles.last_mut().filter(|(span, _)| **span == title.span) {
                Some((_, citations)) => citations.push(found.span.range()),
                None => titles.push((&title.span, vec![found.span.range()])),
            }
        }
        { titles.into_iter() }
            .map(|(span, citations)| {
                let Range { start, end } = span.range();
                let source = self.sources.text(span.file());
                let title = source.get(..end).unwrap_or_default();
                let (mut short, mut from) = (String::new(), start);
                for citation in citations {
                    let kept = title.get(from..citation.start).unwrap_or_default();
                    short.push_str(kept.trim_end_matches([' ', '~']));
                    from = citation.end;
                }
                short.push_str(title.get(from..).unwrap_or_default());
                // Before the braces.
                let at = start.saturating_sub(1);
                FileEdit {
                    span: span.with_range(at..at),
                    text: format!("[{{{}}}]", without_marks(short.trim())),
                }
            })
            .collect()
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
    fn edit(
        &self,
        found: &Found<'_>,
        formatted: &FormattedCitation,
        form: Option<&str>,
        from: usize,
    ) -> FileEdit {
        let text = self.sources.text(found.span.file());
        let Range { start, end } = found.span.range();
        let line = text.get(..start).unwrap_or_default();
        let line = line.rsplit('\n').next().unwrap_or_default();
        // A note is a paragraph of its own.
        let is_inside = line.contains(char::is_alphabetic)
            && self.compiled.style().options.class != Class::Note;
        let write = |rich: &Rich| {
            if is_inside {
                self.language.write_inside(rich)
            } else {
                self.language.write(rich)
            }
        };
        let shown = match formatted {
            FormattedCitation::Known(_) if let Some(form) = form => form.to_owned(),
            FormattedCitation::Known(rich) => write(rich),
            FormattedCitation::Unknown(keys) => write(&unknown_text(self.compiled, keys)),
        };
        let written = self.written(found, &shown);
        let before = text.get(from..start).unwrap_or_default();
        let kept = if written.drops_blank {
            before.trim_end_matches([' ', '~']).len()
        } else {
            before.len()
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
        let is_bare = found.form == CitationForm::Bare;
        if !is_note_style || shown.is_empty() || found.is_words() {
            return Written {
                text: if is_bare {
                    forms::bare(shown, self.compiled, self.language)
                } else {
                    shown.to_owned()
                },
                drops_blank: shown.is_empty() && !is_framed,
                behind: 0,
            };
        }
        let place = match found.setting {
            CitationSetting::Apart => NotePlace::Apart { is_bare },
            CitationSetting::Heading(_) => NotePlace::Heading,
            CitationSetting::Text if self.language.is_in_note(text, start) => {
                NotePlace::Apart { is_bare: false }
            }
            CitationSetting::Text => NotePlace::Text,
        };
        let behind = if is_framed {
            ""
        } else {
            text.get(end..).unwrap_or_default()
        };
        note(shown, behind, place, found.keeps_case, self.language)
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
        let text = if is_argument {
            format!("#[{text}]")
        } else {
            text
        };
        let behind = source.get(end..).unwrap_or_default();
        // A semicolon ends an expression and is not shown.
        let goes_on = text.ends_with([']', ')']) && behind.starts_with(['(', '[', ';']);
        if goes_on && text.contains('#') {
            format!("{text};")
        } else {
            text
        }
    }
}

/// Whether an expression of Typst may go on with brackets.
fn ends_with_expression(text: &str) -> bool {
    let name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    text.ends_with([']', ')']) || text.trim_end_matches(name).ends_with('#') && text.ends_with(name)
}

/// Where the citation of a note style stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NotePlace {
    Text,
    /// In the title of a section, which LaTeX moves.
    Heading,
    /// Where there are no notes: in another note, a caption, a table.
    Apart {
        is_bare: bool,
    },
}

/// A citation as a note, or in parentheses where there are no notes.
fn note(
    shown: &str,
    behind: &str,
    place: NotePlace,
    keeps_case: bool,
    language: MarkupLanguage,
) -> Written {
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
    if let NotePlace::Apart { is_bare } = place {
        let note = note.strip_suffix('.').unwrap_or(note);
        return kept(match author.is_empty() {
            // A work without an author is named by its citation.
            true if is_bare || is_named => note.to_owned(),
            true => format!("({note})"),
            false => format!("{author}, {note}"),
        });
    }
    let is_mark = |c: char| ".,;:!?".contains(c);
    let marks = behind.len() - behind.trim_start_matches(is_mark).len();
    let marked = behind.get(..marks).unwrap_or_default();
    let (open, close) = language.note();
    let protected = if place == NotePlace::Heading {
        "\\protect"
    } else {
        ""
    };
    let note = if keeps_case {
        note.to_owned()
    } else {
        capitalized(note)
    };
    Written {
        text: format!("{author}{marked}{protected}{open}{note}{close}"),
        drops_blank: author.is_empty(),
        behind: marks,
    }
}

/// The title of a section without its label, its notes and its entries of an index.
fn without_marks(title: &str) -> String {
    const MARKS: [&str; 3] = ["\\label{", "\\footnote{", "\\index{"];
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find('\\') {
        let (before, command) = rest.split_at(at);
        out.push_str(before);
        let argument = MARKS.iter().find_map(|mark| command.strip_prefix(mark));
        let behind = argument.and_then(after_argument);
        rest = match behind {
            Some(behind) => {
                out.truncate(out.trim_end().len());
                behind
            }
            None => {
                let name = command.chars().nth(1).map_or(1, |c| 1 + c.len_utf8());
                out.push_str(command.get(..name).unwrap_or_default());
                command.get(name..).unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
    out.trim_end().to_owned()
}

/// The text behind the braces that are open.
fn after_argument(text: &str) -> Option<&str> {
    let mut depth = 1_usize;
    let (end, _) = text.char_indices().find(|(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    text.get(end + 1..)
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let capital = letters.next().into_iter().flat_map(char::to_uppercase);
    capital.chain(letters).collect()
}
