//! The bibliography at its place in a manuscript.

use citation_documents::{
    FileEdit, ListHeading, ListPlace, ListPlaceKind, SourceFiles, SourceMode, list_heading,
};

use super::language::MarkupLanguage;

/// Writes the bibliography.
pub struct ListWriter<'a> {
    pub language: MarkupLanguage,
    pub sources: &'a SourceFiles,
    /// The heading in the front matter.
    pub title: Option<&'a str>,
    /// The language of the manuscript.
    pub lang: Option<&'a str>,
}

impl ListWriter<'_> {
    /// The edit that writes the list at its place.
    pub fn edit(&self, place: &ListPlace, list: &str) -> FileEdit {
        let text = self.sources.text(place.span.file());
        let range = place.span.range();
        let before = text.get(..range.start).unwrap_or_default();
        let behind = text.get(range.end..).unwrap_or_default();
        let written = match self.language {
            MarkupLanguage::Markdown => {
                in_markdown(before, place.kind, list.trim_end(), self.title)
            }
            _ => self.written(place, list, before, behind),
        };
        let text = match place.span.mode() {
            SourceMode::Markup => written,
            SourceMode::Code => format!("[{}]", written.trim_end()),
        };
        FileEdit {
            span: place.span.clone(),
            text,
        }
    }

    fn written(&self, place: &ListPlace, list: &str, before: &str, behind: &str) -> String {
        let list = match self.language {
            MarkupLanguage::Tex => format!("{}{list}", tex_heading(&place.heading)),
            MarkupLanguage::Typst => format!("{}{list}", self.typst_heading(&place.heading)),
            _ if place.kind == ListPlaceKind::Element => list.to_owned(),
            _ => format!("<div id=\"refs\" class=\"references csl-bib-body\">\n{list}</div>\n"),
        };
        let is_command = place.kind == ListPlaceKind::Command;
        let gap = if before.is_empty() || before.ends_with('\n') || is_command {
            ""
        } else {
            "\n"
        };
        let list = if behind.starts_with('\n') {
            list.trim_end()
        } else {
            &list
        };
        let is_argument = self.language == MarkupLanguage::Tex && ends_with_command(before);
        if is_command && is_argument {
            format!("{{{}}}{{}}", list.trim_end())
        } else {
            format!("{gap}{list}")
        }
    }

    /// Typst takes the heading from the language of the text.
    fn typst_heading(&self, heading: &ListHeading) -> String {
        let title = match heading {
            ListHeading::None => return String::new(),
            ListHeading::Title(title) => title.clone(),
            ListHeading::Default => match self.lang {
                Some(lang) if !lang.starts_with("en") => list_heading(lang),
                _ => "Bibliography".to_owned(),
            },
        };
        format!("#heading(numbering: none)[{title}]\n\n")
    }
}

fn tex_heading(heading: &ListHeading) -> String {
    match heading {
        ListHeading::Default => TEX_HEADING.to_owned(),
        ListHeading::None => String::new(),
        ListHeading::Title(title) => {
            format!("\\ifdefined\\chapter\\chapter*{{{title}}}\\else\\section*{{{title}}}\\fi\n")
        }
    }
}

const TEX_HEADING: &str =
    "\\ifdefined\\refname\\section*{\\refname}\\else\\chapter*{\\bibname}\\fi\n";

/// Whether a text ends with the name of a TeX command.
fn ends_with_command(text: &str) -> bool {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    rest.len() < text.len() && rest.ends_with('\\')
}

fn in_markdown(before: &str, kind: ListPlaceKind, list: &str, title: Option<&str>) -> String {
    if kind == ListPlaceKind::Command {
        return list.to_owned();
    }
    if kind == ListPlaceKind::Element {
        return format!("\n\n{list}\n");
    }
    let gap = if before.is_empty() || before.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    let heading = title
        .map(|title| format!("# {title} {{.unnumbered}}\n\n"))
        .unwrap_or_default();
    format!("{gap}{heading}:::::: {{#refs .references .csl-bib-body}}\n{list}\n::::::\n")
}
