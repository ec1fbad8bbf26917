//! Inserts the bibliography into a manuscript.

use std::ops::Range;

use super::language::MarkupLanguage;

/// Inserts the bibliography at the manuscript's place for it, or at its end.
pub fn insert(language: MarkupLanguage, text: String, list: &str, title: Option<&str>) -> String {
    let (place, list) = match language {
        MarkupLanguage::Markdown => return in_markdown(text, list, title),
        MarkupLanguage::Tex => {
            let heading =
                "\\ifdefined\\refname\\section*{\\refname}\\else\\chapter*{\\bibname}\\fi\n";
            let place = command(&text, "\\printbibliography")
                .or_else(|| command(&text, "\\bibliography{"))
                .or_else(|| text.find("\\end{document}").map(|at| at..at));
            (place, format!("{heading}{list}"))
        }
        MarkupLanguage::Typst => {
            let call = text.find("#bibliography(").and_then(|start| {
                let length = closing(text.get(start..)?, '(', ')')?;
                Some(start..start + length)
            });
            (
                call,
                format!("#heading(numbering: none)[Bibliography]\n\n{list}"),
            )
        }
        MarkupLanguage::Html => {
            let div = ["<div id=\"refs\"", "<section id=\"refs\""]
                .iter()
                .find_map(|open| {
                    let start = text.find(open)?;
                    let end = start + text.get(start..)?.find('>')? + 1;
                    Some(end..end)
                });
            let body = text.rfind("</body>").map(|at| at..at);
            let list = match div.is_some() {
                true => list.to_owned(),
                false => {
                    format!("<div id=\"refs\" class=\"references csl-bib-body\">\n{list}</div>\n")
                }
            };
            (div.or(body), list)
        }
    };
    let place = place.unwrap_or(text.len()..text.len());
    let before = text.get(..place.start).unwrap_or_default();
    let gap = match before.is_empty() || before.ends_with('\n') || place.start < place.end {
        true => "",
        false => "\n",
    };
    let behind = text.get(place.end..).unwrap_or_default();
    let list = match behind.starts_with('\n') {
        true => list.trim_end(),
        false => &list,
    };
    format!("{before}{gap}{list}{behind}")
}

fn in_markdown(text: String, list: &str, title: Option<&str>) -> String {
    let list = list.trim_end();
    let opening = text
        .lines()
        .find(|line| line.starts_with(":::") && line.contains("#refs"));
    if let Some(line) = opening
        && let Some(at) = text.find(line)
    {
        let end = at + line.len();
        let (before, behind) = (text.get(..end), text.get(end..));
        return format!(
            "{}\n\n{list}\n{}",
            before.unwrap_or_default(),
            behind.unwrap_or_default()
        );
    }
    let gap = match text.ends_with('\n') {
        true => "\n",
        false => "\n\n",
    };
    let heading = title
        .map(|title| format!("# {title} {{.unnumbered}}\n\n"))
        .unwrap_or_default();
    format!("{text}{gap}{heading}:::::: {{#refs .references .csl-bib-body}}\n{list}\n::::::\n")
}

/// The position of a TeX command with its arguments.
fn command(text: &str, name: &str) -> Option<Range<usize>> {
    let mut line_start = 0;
    let start = text.split_inclusive('\n').find_map(|line| {
        let code = line.split('%').next().unwrap_or(line);
        let found = code.find(name).map(|at| line_start + at);
        line_start += line.len();
        found
    })?;
    let mut end = start + name.trim_end_matches('{').len();
    while let Some(rest) = text.get(end..)
        && let Some(open) = rest.chars().next().filter(|c| matches!(c, '[' | '{'))
    {
        let close = if open == '[' { ']' } else { '}' };
        end += closing(rest, open, close)?;
    }
    Some(start..end)
}

/// The length from the first bracket to the end of its group.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at + c.len_utf8());
            }
        }
    }
    None
}
