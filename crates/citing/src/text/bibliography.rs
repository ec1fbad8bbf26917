//! The bibliography at its place in a manuscript.

use citation_documents::{FileEdit, ListPlace, ListPlaceKind, SourceFiles, SourceMode};

use super::language::MarkupLanguage;

/// The edit that writes the bibliography. `title` is the heading that the manuscript names for it.
pub fn edit(
    language: MarkupLanguage,
    sources: &SourceFiles,
    place: &ListPlace,
    list: &str,
    title: Option<&str>,
) -> FileEdit {
    let text = sources.text(place.span.file());
    let range = place.span.range();
    let before = text.get(..range.start).unwrap_or_default();
    let behind = text.get(range.end..).unwrap_or_default();
    let written = match language {
        MarkupLanguage::Markdown => in_markdown(before, place.kind, list.trim_end(), title),
        _ => {
            let list = match language {
                MarkupLanguage::Tex => format!("{TEX_HEADING}{list}"),
                MarkupLanguage::Typst => {
                    format!("#heading(numbering: none)[Bibliography]\n\n{list}")
                }
                _ if place.kind == ListPlaceKind::Element => list.to_owned(),
                _ => format!("<div id=\"refs\" class=\"references csl-bib-body\">\n{list}</div>\n"),
            };
            let is_command = place.kind == ListPlaceKind::Command;
            let gap = match before.is_empty() || before.ends_with('\n') || is_command {
                true => "",
                false => "\n",
            };
            let list = match behind.starts_with('\n') {
                true => list.trim_end(),
                false => &list,
            };
            let is_argument = language == MarkupLanguage::Tex && ends_with_command(before);
            match is_command && is_argument {
                // A macro before the command takes it and its argument.
                true => format!("{{{}}}{{}}", list.trim_end()),
                false => format!("{gap}{list}"),
            }
        }
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

const TEX_HEADING: &str =
    "\\ifdefined\\refname\\section*{\\refname}\\else\\chapter*{\\bibname}\\fi\n";

/// Whether a text ends with the name of a TeX command.
fn ends_with_command(text: &str) -> bool {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    rest.len() < text.len() && rest.ends_with('\\')
}

fn in_markdown(before: &str, kind: ListPlaceKind, list: &str, title: Option<&str>) -> String {
    if kind == ListPlaceKind::Element {
        return format!("\n\n{list}\n");
    }
    let gap = match before.is_empty() || before.ends_with('\n') {
        true => "\n",
        false => "\n\n",
    };
    let heading = title
        .map(|title| format!("# {title} {{.unnumbered}}\n\n"))
        .unwrap_or_default();
    format!("{gap}{heading}:::::: {{#refs .references .csl-bib-body}}\n{list}\n::::::\n")
}
