//! The languages of text manuscripts.

use citation_csl::{Entry, Formatted, OutputFormat, Rich};
use citation_documents::{ManuscriptFormat, SourceFiles};

/// A language of manuscripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkupLanguage {
    Markdown,
    Tex,
    Typst,
    Html,
}

impl MarkupLanguage {
    pub fn of(format: ManuscriptFormat) -> Option<MarkupLanguage> {
        match format {
            ManuscriptFormat::Markdown => Some(MarkupLanguage::Markdown),
            ManuscriptFormat::Tex => Some(MarkupLanguage::Tex),
            ManuscriptFormat::Typst => Some(MarkupLanguage::Typst),
            ManuscriptFormat::Html => Some(MarkupLanguage::Html),
            _ => None,
        }
    }

    /// In TeX a package creates links.
    pub fn has_links(self, sources: &SourceFiles) -> bool {
        let mut files = sources.iter();
        self != MarkupLanguage::Tex || files.any(|file| file.text().contains("hyperref"))
    }

    pub fn write(self, rich: &Rich) -> String {
        match self {
            MarkupLanguage::Markdown => rich.markup(OutputFormat::Markdown),
            MarkupLanguage::Tex => rich.markup(OutputFormat::Latex),
            MarkupLanguage::Typst => rich.markup(OutputFormat::Typst),
            MarkupLanguage::Html => rich.html(),
        }
    }

    /// As [`MarkupLanguage::write`], behind other text of the line.
    pub fn write_inside(self, rich: &Rich) -> String {
        match self {
            MarkupLanguage::Markdown => rich.markup_inside(OutputFormat::Markdown),
            MarkupLanguage::Typst => rich.markup_inside(OutputFormat::Typst),
            MarkupLanguage::Tex | MarkupLanguage::Html => self.write(rich),
        }
    }

    /// The markup around a note. HTML has none: citations stand in parentheses there.
    pub fn note(self) -> (&'static str, &'static str) {
        match self {
            MarkupLanguage::Markdown => ("^[", "]"),
            MarkupLanguage::Tex => ("\\footnote{", "}"),
            MarkupLanguage::Typst => ("#footnote[", "]"),
            MarkupLanguage::Html => (" (", ")"),
        }
    }

    /// Whether a position is inside a note of the manuscript.
    pub fn is_in_note(self, text: &str, at: usize) -> bool {
        /// Bytes before the position that are searched for the start of a note.
        const MAX_NOTE: usize = 10_000;
        let near = text.floor_char_boundary(at.saturating_sub(MAX_NOTE));
        let before = text.get(near..at).unwrap_or_default();
        let paragraph = before.rfind("\n\n").map_or(0, |end| end + 2);
        let before = before.get(paragraph..).unwrap_or_default();
        if self == MarkupLanguage::Markdown && before.starts_with("[^") && before.contains("]:") {
            return true;
        }
        let (open, close) = self.note();
        let Some(start) = before.rfind(open).filter(|_| self != MarkupLanguage::Html) else {
            return false;
        };
        let inside = before.get(start + open.len()..).unwrap_or_default();
        let opening = if close == "}" { '{' } else { '[' };
        let mut depth = 1_i32;
        for c in inside.chars() {
            match c {
                c if c == opening => depth += 1,
                c if close.starts_with(c) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        true
    }

    /// The entries of the bibliography as paragraphs.
    pub fn entries(self, formatted: &Formatted) -> String {
        let entries = formatted.bibliography.as_deref().unwrap_or_default();
        let written: Vec<String> = { entries.iter() }
            .map(|entry| self.write(&entry.content))
            .collect();
        written.join("\n\n")
    }

    /// The bibliography without a heading.
    pub fn list(self, formatted: &Formatted) -> String {
        let entries = formatted.bibliography.as_deref().unwrap_or_default();
        let hanging = formatted.parameters.hanging_indent;
        let each = |write: &dyn Fn(&Entry, String) -> String| -> String {
            { entries.iter() }
                .map(|entry| write(entry, self.write(&entry.content)))
                .collect()
        };
        match self {
            MarkupLanguage::Markdown => each(&|entry, text| {
                let id = attribute(&entry.id);
                format!("::: {{#ref-{id} .csl-entry}}\n{text}\n:::\n\n")
            }),
            MarkupLanguage::Tex => {
                let lengths = if hanging {
                    "\\setlength{\\leftmargin}{1.5em}\\setlength{\\itemindent}{-1.5em}"
                } else {
                    "\\setlength{\\leftmargin}{0pt}"
                };
                let items = each(&|_, text| format!("\\item {text}\n"));
                format!("\\begin{{list}}{{}}{{{lengths}}}\n{items}\\end{{list}}\n")
            }
            MarkupLanguage::Typst => each(&|_, text| {
                if hanging {
                    format!("#par(hanging-indent: 1.5em)[{text}]\n\n")
                } else {
                    format!("{text}\n\n")
                }
            }),
            MarkupLanguage::Html => each(&|entry, text| {
                let id = attribute(&entry.id);
                format!("<div id=\"ref-{id}\" class=\"csl-entry\">{text}</div>\n")
            }),
        }
    }
}

/// A key as part of an attribute, which it cannot leave.
fn attribute(key: &str) -> String {
    let is_mark = |c: char| c.is_whitespace() || c.is_control() || "{}\"'<>&".contains(c);
    key.replace(is_mark, "-")
}
