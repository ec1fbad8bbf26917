//! Formatted text as the runs of a Word document.

use citation_csl::{Formatted, OutputFormat, Part, Rich, Shape};
use citation_documents::{
    CitationText, Height, Indent, TextRun, TextStyle, WordCitation, WordList,
};

use crate::format::SPLIT;

pub fn is_in_note(found: &WordCitation<'_>) -> bool {
    found.citation.place.note.is_some()
}

/// Where a style shows a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationPlace {
    Text,
    /// In a note that begins with a capital.
    Note,
    /// In a note that begins with a name in lower case.
    NoteAsWritten,
}

pub fn citation_text(rich: &Rich, found: &WordCitation<'_>, place: CitationPlace) -> CitationText {
    let all = runs(rich);
    let mut new = CitationText {
        formatted: rich.markup(OutputFormat::Rtf).replace(SPLIT, ""),
        plain: rich.text().replace(SPLIT, ""),
        ..CitationText::default()
    };
    if place == CitationPlace::Text {
        new.text = all;
        return new;
    }
    let split = all.iter().position(|run| run.text.contains(SPLIT));
    match split {
        Some(at) => {
            let mut note = all;
            new.text = note.drain(..at).collect();
            if let Some(first) = note.first_mut()
                && let Some((author, rest)) = first.text.split_once(SPLIT)
            {
                new.text.push(TextRun {
                    text: author.to_owned(),
                    style: first.style,
                });
                first.text = rest.to_owned();
            }
            trim(&mut new.text, &mut note);
            new.note = note;
            if is_in_note(found) {
                new.text.push(TextRun {
                    text: ", ".to_owned(),
                    style: TextStyle::default(),
                });
                return new;
            }
        }
        None => new.note = all,
    }
    if !is_in_note(found)
        && place == CitationPlace::Note
        && let Some(first) = new.note.first_mut()
    {
        let mut letters = first.text.chars();
        let capital = letters.next().into_iter().flat_map(char::to_uppercase);
        first.text = capital.chain(letters).collect();
    }
    new
}

/// Delimiters between the author and the rest are dropped at the end of the author and at the start of the
/// rest.
fn trim(author: &mut [TextRun], note: &mut [TextRun]) {
    if let Some(last) = author.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    if let Some(first) = note.first_mut() {
        let kept = first.text.trim_start_matches([',', ';', '.', ':', ' ']);
        first.text = kept.to_owned();
    }
}

/// A rendering as runs. A tab separates first fields from the text beside them.
fn runs(rich: &Rich) -> Vec<TextRun> {
    let mut out: Vec<TextRun> = Vec::new();
    let mut styles: Vec<TextStyle> = Vec::new();
    for part in rich.parts() {
        let style = styles.last().copied().unwrap_or_default();
        let mut push = |text: &str| match out.last_mut().filter(|last| last.style == style) {
            Some(last) => last.text.push_str(text),
            None => out.push(TextRun {
                text: text.to_owned(),
                style,
            }),
        };
        match part {
            Part::Text(text) => push(text),
            Part::Open(shape) => {
                if matches!(shape, Shape::Block | Shape::Indent) {
                    push("\n");
                }
                styles.push(with(style, shape));
            }
            Part::Close(shape) => {
                styles.pop();
                if shape == Shape::LeftMargin {
                    push("\t");
                }
            }
            Part::OpenLink(_) | Part::CloseLink => {}
        }
    }
    // A leading block does not start a new line.
    if let Some(first) = out.first_mut() {
        first.text = first.text.trim_start_matches('\n').to_owned();
    }
    out
}

fn with(mut style: TextStyle, shape: Shape) -> TextStyle {
    match shape {
        Shape::Italic | Shape::Oblique => style.is_italic = true,
        Shape::NormalStyle => style.is_italic = false,
        Shape::Bold => style.is_bold = true,
        Shape::Light | Shape::NormalWeight => style.is_bold = false,
        Shape::SmallCaps => style.is_small_caps = true,
        Shape::NormalVariant => style.is_small_caps = false,
        Shape::Underline => style.is_underlined = true,
        Shape::NoDecoration => style.is_underlined = false,
        Shape::Sup => style.height = Height::Superscript,
        Shape::Sub => style.height = Height::Subscript,
        Shape::Baseline => style.height = Height::Baseline,
        Shape::Block | Shape::LeftMargin | Shape::RightInline | Shape::Indent => {}
    }
    style
}

pub fn word_list(formatted: &Formatted, heading: String) -> WordList {
    let parameters = &formatted.parameters;
    let entries = formatted.bibliography.iter().flatten();
    WordList {
        entries: entries.map(|entry| runs(&entry.content)).collect(),
        indent: match parameters.second_field_align {
            Some(_) => Indent::Aligned(parameters.max_offset),
            None if parameters.hanging_indent => Indent::Hanging,
            None => Indent::None,
        },
        line_spacing: parameters.line_spacing,
        entry_spacing: parameters.entry_spacing,
        heading,
    }
}
