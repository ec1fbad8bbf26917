//! Writes OpenDocument: spans of text and the styles that they need.

use std::collections::BTreeSet;

use quick_xml::escape::escape;

use crate::wordml::{Height, TextRun, TextStyle};

/// The styles of the spans that were written.
#[derive(Default)]
pub(super) struct Spans {
    styles: BTreeSet<String>,
}

impl Spans {
    /// Text with its formatting.
    pub fn write(&mut self, runs: &[TextRun]) -> String {
        let mut out = String::new();
        for run in runs.iter().filter(|run| !run.text.is_empty()) {
            let text = plain(&run.text);
            let style = letters(run.style);
            if style.is_empty() {
                out.push_str(&text);
                continue;
            }
            out.push_str(&format!(
                "<text:span text:style-name=\"Citation{style}\">{text}</text:span>"
            ));
            self.styles.insert(style);
        }
        out
    }

    /// The automatic styles.
    pub fn styles(&self) -> String {
        self.styles.iter().map(|name| style(name)).collect()
    }
}

/// A letter for each formatting.
fn letters(style: TextStyle) -> String {
    let all = [
        (style.is_italic, 'I'),
        (style.is_bold, 'B'),
        (style.is_small_caps, 'C'),
        (style.is_underlined, 'U'),
        (style.height == Height::Superscript, 'H'),
        (style.height == Height::Subscript, 'L'),
    ];
    all.iter()
        .filter(|(is_set, _)| *is_set)
        .map(|(_, letter)| *letter)
        .collect()
}

fn style(name: &str) -> String {
    let properties: String = name
        .chars()
        .map(|letter| match letter {
            'I' => " fo:font-style=\"italic\" style:font-style-asian=\"italic\" style:font-style-complex=\"italic\"",
            'B' => " fo:font-weight=\"bold\" style:font-weight-asian=\"bold\" style:font-weight-complex=\"bold\"",
            'C' => " fo:font-variant=\"small-caps\"",
            'U' => " style:text-underline-style=\"solid\" style:text-underline-width=\"auto\" style:text-underline-color=\"font-color\"",
            'H' => " style:text-position=\"super 58%\"",
            _ => " style:text-position=\"sub 58%\"",
        })
        .collect();
    format!(
        "<style:style style:name=\"Citation{name}\" style:family=\"text\"><style:text-properties{properties}/></style:style>"
    )
}

/// Text without formatting. White space other than single blanks has elements.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_blank = false;
    for c in text.chars() {
        match c {
            '\n' => out.push_str("<text:line-break/>"),
            '\t' => out.push_str("<text:tab/>"),
            ' ' if is_blank => out.push_str("<text:s/>"),
            c => out.push_str(&escape(c.encode_utf8(&mut [0; 4]) as &str)),
        }
        is_blank = c == ' ';
    }
    out
}

/// A footnote; LibreOffice numbers it again.
pub(super) fn note(number: usize, inside: &str) -> String {
    format!(
        "<text:note text:id=\"ftncit{number}\" text:note-class=\"footnote\"><text:note-citation>{number}</text:note-citation><text:note-body><text:p text:style-name=\"Footnote\">{inside}</text:p></text:note-body></text:note>"
    )
}
