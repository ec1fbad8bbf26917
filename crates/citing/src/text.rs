//! Formats the citations of a text manuscript and inserts its bibliography. Everything else stays byte for
//! byte the same, except that a note moves after the punctuation that follows its marker.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use citation_csl::{Class, Entry, Formatted, Options, OutputFormat, Rich};
use citation_documents::{Document, Format};
use citation_model::budget::Budget;
use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use serde_json::Value;

use crate::collect::says_enough;
use crate::filter::SPLIT;
use crate::setting::{self, Shown};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A manuscript with its citations formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// Keys without a known work.
    pub unknown: Vec<String>,
}

/// Formats the citations of a manuscript in Markdown, TeX, Typst or HTML that was parsed from this text.
/// Works that it does not define come from `bibliographies`.
pub fn cite(
    text: &str,
    document: &Document,
    bibliographies: &[String],
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Text, CitingError> {
    let language = Language::of(document.format).ok_or(CitingError::NoMarkers)?;
    let front = |name: &str| text_of(document.metadata.get(name)?);
    let style = front("csl").or_else(|| front("citation-style"));
    let compiled = sources
        .style(style.as_deref(), front("lang").as_deref())
        .map_err(CitingError::Style)?;
    let is_note_style = compiled.style().options.class == Class::Note;

    let mut items: Vec<Item> = Vec::new();
    let mut works = Works::default();
    for name in bibliographies_of_page(text).filter(|_| language == Language::Html) {
        works.add_file(name, sources, budget)?;
    }
    for name in bibliographies {
        works.add_file(name, sources, budget)?;
    }
    let mut asked: HashSet<String> = HashSet::new();
    let mut add = |key: &str, item: Option<&Item>| {
        if !asked.insert(key.to_owned()) {
            return;
        }
        let known = item
            .filter(|item| says_enough(item))
            .or_else(|| works.get(key));
        if let Some(mut item) = known.cloned().or_else(|| sources.work(key)) {
            item.id = key.to_owned();
            items.push(item);
        }
    };
    let page = match language {
        Language::Html => Some(markers_of_page(text, budget)?),
        _ => None,
    };
    let document = page.as_ref().unwrap_or(document);
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut citations: Vec<Citation> = Vec::new();
    for cited in &document.citations {
        let Some(span) = cited.span.clone() else {
            continue;
        };
        let mut citation = Citation {
            note_number: if is_note_style {
                spans.len() as u32 + 1
            } else {
                0
            },
            ..Citation::default()
        };
        for cited in &cited.items {
            add(&cited.cite.id, cited.item.as_ref());
            let mut cite = cited.cite.clone();
            cite.suffix = suffix(&cite.suffix);
            if is_note_style && cite.mode == CiteMode::Composite && citation.cites.is_empty() {
                cite.prefix.insert(0, SPLIT);
            }
            citation.cites.push(cite);
        }
        spans.push(span);
        citations.push(citation);
    }
    for reference in &document.references {
        if let Some(key) = &reference.key {
            add(key, reference.item.as_ref());
        }
    }
    let options = Options {
        links: language.has_links(text),
        bibliography: front("suppress-bibliography").as_deref() != Some("true"),
        budget: budget.clone(),
        ..Options::default()
    };
    let set = setting::set(&compiled, &items, citations, &options)?;

    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for (span, shown) in spans.iter().zip(&set.citations) {
        if span.start < from {
            continue;
        }
        out.push_str(text.get(from..span.start).unwrap_or_default());
        from = span.end;
        let shown = match shown {
            Shown::Set(rich) => language.write(rich),
            Shown::Unknown(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| format!("{key}?")).collect();
                let [prefix, delimiter, suffix] = compiled.citation_affixes();
                let text = format!("{prefix}{}{suffix}", keys.join(delimiter));
                language.write(&Rich::plain(&text))
            }
        };
        match is_note_style {
            false => out.push_str(&shown),
            true => {
                let is_in_note = language.is_in_note(text, span.start);
                from += put_note(
                    &mut out,
                    &shown,
                    text.get(from..).unwrap_or_default(),
                    is_in_note,
                    language,
                );
            }
        }
    }
    let rest = text.get(from..).unwrap_or_default();
    out.push_str(rest);
    if set
        .formatted
        .bibliography
        .as_ref()
        .is_some_and(|entries| !entries.is_empty())
    {
        let list = language.list(&set.formatted);
        out = language.insert(out, &list, front("reference-section-title").as_deref());
    }
    Ok(Text {
        text: out,
        unknown: set.unknown,
    })
}

/// The Markdown markers of a page, outside of its tags, scripts and comments.
fn markers_of_page(text: &str, budget: &Budget) -> Result<Document, CitingError> {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        masked.push_str(before);
        let end = [
            ("<!--", "-->"),
            ("<script", "</script>"),
            ("<style", "</style>"),
            ("<", ">"),
        ]
        .iter()
        .find(|(open, _)| tag.starts_with(open))
        .and_then(|(_, close)| Some(tag.find(close)? + close.len()))
        .unwrap_or(tag.len());
        let (tag, behind) = tag.split_at(end);
        // One space per byte, so that all offsets stay the same.
        masked.extend(tag.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        rest = behind;
    }
    masked.push_str(rest);
    citation_documents::read("page.md", masked.as_bytes(), &|_| None, budget)
        .map_err(|cause| CitingError::Document(cause.to_string()))
}

/// The bibliographies that a page names: `<meta name="bibliography" content="refs.bib">`.
fn bibliographies_of_page(text: &str) -> impl Iterator<Item = &str> {
    text.split("<meta name=\"bibliography\" content=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
}

/// A space separates a suffix of words from its cite.
fn suffix(text: &str) -> String {
    match text.chars().next() {
        Some(c) if c.is_alphanumeric() => format!(", {text}"),
        _ => text.to_owned(),
    }
}

/// Turns a citation into a note, or inside a note into parentheses. Returns how many of the following bytes
/// move before it.
fn put_note(
    out: &mut String,
    shown: &str,
    behind: &str,
    is_in_note: bool,
    language: Language,
) -> usize {
    let (author, note) = match shown.split_once(SPLIT) {
        Some((author, note)) => (author.trim_end(), note.trim_start()),
        None => ("", shown),
    };
    out.push_str(author);
    if note.is_empty() {
        return 0;
    }
    if is_in_note {
        let note = note.strip_suffix('.').unwrap_or(note);
        let _ = match author.is_empty() {
            true => write!(out, "({note})"),
            false => write!(out, ", {note}"),
        };
        return 0;
    }
    out.truncate(out.trim_end_matches([' ', '~']).len());
    let is_mark = |c: char| ".,;:!?".contains(c);
    let marks = behind.len() - behind.trim_start_matches(is_mark).len();
    out.push_str(behind.get(..marks).unwrap_or_default());
    let (open, close) = language.note();
    let mut letters = note.chars();
    let capital: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let _ = write!(out, "{open}{capital}{}{close}", letters.as_str());
    marks
}

/// A front matter value that is a single text.
fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// A language of manuscripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Markdown,
    Tex,
    Typst,
    Html,
}

impl Language {
    fn of(format: Format) -> Option<Language> {
        match format {
            Format::Markdown => Some(Language::Markdown),
            Format::Tex => Some(Language::Tex),
            Format::Typst => Some(Language::Typst),
            Format::Html => Some(Language::Html),
            _ => None,
        }
    }

    /// In TeX a package creates links.
    fn has_links(self, text: &str) -> bool {
        self != Language::Tex || text.contains("hyperref")
    }

    fn write(self, rich: &Rich) -> String {
        match self {
            Language::Markdown => rich.markup(OutputFormat::Markdown),
            Language::Tex => rich.markup(OutputFormat::Latex),
            Language::Typst => rich.markup(OutputFormat::Typst),
            Language::Html => rich.html(),
        }
    }

    /// The markup around a note. HTML has none: citations stand in parentheses there.
    fn note(self) -> (&'static str, &'static str) {
        match self {
            Language::Markdown => ("^[", "]"),
            Language::Tex => ("\\footnote{", "}"),
            Language::Typst => ("#footnote[", "]"),
            Language::Html => (" (", ")"),
        }
    }

    /// Whether a position is inside a note of the manuscript.
    fn is_in_note(self, text: &str, at: usize) -> bool {
        let before = text.get(..at).unwrap_or_default();
        let paragraph = before.rfind("\n\n").map_or(0, |end| end + 2);
        let before = before.get(paragraph..).unwrap_or_default();
        if self == Language::Markdown && before.starts_with("[^") && before.contains("]:") {
            return true;
        }
        let (open, close) = self.note();
        let Some(start) = before.rfind(open).filter(|_| self != Language::Html) else {
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

    /// The bibliography without a heading.
    fn list(self, formatted: &Formatted) -> String {
        let entries = formatted.bibliography.as_deref().unwrap_or_default();
        let hanging = formatted.parameters.hanging_indent;
        let each = |write: &dyn Fn(&Entry, String) -> String| -> String {
            { entries.iter() }
                .map(|entry| write(entry, self.write(&entry.content)))
                .collect()
        };
        match self {
            Language::Markdown => each(&|entry, text| {
                format!("::: {{#ref-{} .csl-entry}}\n{text}\n:::\n\n", entry.id)
            }),
            Language::Tex => {
                let lengths = match hanging {
                    true => "\\setlength{\\leftmargin}{1.5em}\\setlength{\\itemindent}{-1.5em}",
                    false => "\\setlength{\\leftmargin}{0pt}",
                };
                let items = each(&|_, text| format!("\\item {text}\n"));
                format!("\\begin{{list}}{{}}{{{lengths}}}\n{items}\\end{{list}}\n")
            }
            Language::Typst => each(&|_, text| match hanging {
                true => format!("#par(hanging-indent: 1.5em)[{text}]\n\n"),
                false => format!("{text}\n\n"),
            }),
            Language::Html => each(&|entry, text| {
                let mut id = String::new();
                for c in entry.id.chars() {
                    match c {
                        '"' => id.push_str("&quot;"),
                        '&' => id.push_str("&amp;"),
                        c => id.push(c),
                    }
                }
                format!("<div id=\"ref-{id}\" class=\"csl-entry\">{text}</div>\n")
            }),
        }
    }

    /// Inserts the bibliography at the manuscript's place for it, or at its end.
    fn insert(self, text: String, list: &str, title: Option<&str>) -> String {
        let (place, list) = match self {
            Language::Markdown => return insert_markdown(text, list, title),
            Language::Tex => {
                let heading =
                    "\\ifdefined\\refname\\section*{\\refname}\\else\\chapter*{\\bibname}\\fi\n";
                let place = command(&text, "\\printbibliography")
                    .or_else(|| command(&text, "\\bibliography{"))
                    .or_else(|| text.find("\\end{document}").map(|at| at..at));
                (place, format!("{heading}{list}"))
            }
            Language::Typst => {
                let call = text.find("#bibliography(").and_then(|start| {
                    let length = closing(text.get(start..)?, '(', ')')?;
                    Some(start..start + length)
                });
                (
                    call,
                    format!("#heading(numbering: none)[Bibliography]\n\n{list}"),
                )
            }
            Language::Html => {
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
                    false => format!(
                        "<div id=\"refs\" class=\"references csl-bib-body\">\n{list}</div>\n"
                    ),
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
}

fn insert_markdown(text: String, list: &str, title: Option<&str>) -> String {
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
    let line_start = |at: usize| {
        text.get(..at)
            .and_then(|b| b.rfind('\n'))
            .map_or(0, |n| n + 1)
    };
    let is_comment = |at: usize| {
        text.get(line_start(at)..at)
            .is_some_and(|line| line.contains('%'))
    };
    let start = { text.match_indices(name) }
        .map(|(at, _)| at)
        .find(|at| !is_comment(*at))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Desk;

    fn cited(name: &str, text: &str) -> String {
        let desk = Desk;
        let beside = |name: &str| desk.file(name);
        let budget = Budget::unlimited();
        let document = citation_documents::read(name, text.as_bytes(), &beside, &budget).unwrap();
        cite(text, &document, &[], &desk, &budget).unwrap().text
    }

    #[test]
    fn markdown_is_set_and_the_rest_stays() {
        let text = "---\nbibliography: refs.bib\n---\n\nLight is  a *wave* [see @young, p. 3]; @young says\n`[@young]`.\n\n::: {#refs}\n:::\n";
        let set = cited("paper.md", text);
        assert!(set.starts_with("---\nbibliography: refs.bib\n---\n\nLight is  a *wave* (see Young, 1802, p. 3); Young (1802) says\n`[@young]`.\n\n::: {#refs}\n"), "{set}");
        assert!(
            set.contains("{#ref-young .csl-entry}\nYoung, T. (1802). *On light*."),
            "{set}"
        );
    }

    #[test]
    fn tex_is_set_in_its_own_syntax() {
        let text = "\\documentclass{article}% \\cite{young}\n\\begin{document}\nA wave \\citep[p.~3]{young}.\n\\bibliography{refs}\n\\end{document}\n";
        let set = cited("paper.tex", text);
        assert!(set.starts_with("\\documentclass{article}% \\cite{young}\n\\begin{document}\nA wave (Young, 1802, p. 3).\n\\ifdefined"), "{set}");
        assert!(
            set.contains("\\item Young, T. (1802). \\textit{On light}."),
            "{set}"
        );
        assert!(set.ends_with("\\end{list}\n\\end{document}\n"), "{set}");
    }

    #[test]
    fn typst_is_set_in_its_own_syntax() {
        let text = "A wave @young[p. 3].\n\n#bibliography(\"refs.bib\")\n";
        let set = cited("paper.typ", text);
        assert!(
            set.starts_with("A wave (Young, 1802, p. 3).\n\n#heading"),
            "{set}"
        );
    }

    #[test]
    fn html_has_the_markers_of_markdown() {
        let text = "<meta name=\"bibliography\" content=\"refs.bib\">\n<p title=\"[@young]\">See [@young].</p>\n<div id=\"refs\"></div>\n";
        let set = cited("paper.html", text);
        assert!(set.contains("<p title=\"[@young]\">See (Young, 1802).</p>\n<div id=\"refs\">\n<div id=\"ref-young\""), "{set}");
    }

    #[test]
    fn notes_go_behind_punctuation() {
        let text = "---\nbibliography: refs.bib\ncsl: notes\n---\nA wave [@young].\n\n[^1]: A note [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("A wave.^["), "{set}");
        assert!(set.contains("A note ("), "{set}");
    }

    #[test]
    fn front_matter_is_yaml_whatever_its_lines() {
        let text = "---\n\"bibliography\":\n  - >-\n    refs.bib\nreference-section-title: >\n  Works\n  cited\nother: {csl: notes}\nnocite: |\n  suppress-bibliography: true\n---\nSee [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("See (Young, 1802)."), "{set}");
        assert!(set.contains("# Works cited"), "{set}");
    }
}
