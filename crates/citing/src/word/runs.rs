//! Formatted text as the runs of a Word document.

use citation_csl::{Formatted, OutputFormat, Part, Rich, Shape};
use citation_documents::{
    CitationText, Height, Indent, TextRun, TextStyle, WordCitation, WordList,
};

use crate::document::{CitationPlace, FieldText};
use crate::format::SPLIT;

/// The place of a citation of a document.
pub fn place(found: &WordCitation<'_>) -> CitationPlace {
    let count = |notes: usize| u32::try_from(notes).unwrap_or(u32::MAX);
    let number = count(found.notes_before);
    match found.citation.place.note {
        Some(_) => CitationPlace::Note { number },
        None => CitationPlace::Text {
            notes_before: number,
        },
    }
}

/// The new text of a citation; `rich` is the whole rendering.
pub fn citation_text(rich: &Rich, field: &FieldText) -> CitationText {
    CitationText {
        text: runs(&field.text),
        note: runs(&field.note),
        formatted: rich.markup(OutputFormat::Rtf).replace(SPLIT, ""),
        plain: rich.text().replace(SPLIT, ""),
    }
}

/// A rendering as runs. A tab separates first fields from the text beside them.
pub fn runs(rich: &Rich) -> Vec<TextRun> {
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
