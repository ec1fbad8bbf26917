//! Formats the citations of a text manuscript and inserts its bibliography. Everything else stays byte for
//! byte the same, except that a note moves after the punctuation that follows its marker.

mod bibliography;
mod language;
mod page;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use citation_csl::{Class, Compiled, Options};
use citation_documents::Document;
use citation_model::budget::Budget;
use citation_model::cite::Citation;
use citation_model::item::Item;
use serde_json::Value;

use self::language::MarkupLanguage;
use crate::collect::says_enough;
use crate::format::{FormattedCitation, SPLIT, format, split_note, unknown_text};
use crate::works::{DistinctWorks, Works};
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
    let language = MarkupLanguage::of(document.format).ok_or(CitingError::NoMarkers)?;
    let front = |name: &str| text_of(document.metadata.get(name)?);
    let style = front("csl").or_else(|| front("citation-style"));
    let compiled = sources
        .style(style.as_deref(), front("lang").as_deref())
        .map_err(CitingError::Style)?;

    let mut works = Works::default();
    for name in page::bibliographies(text).filter(|_| language == MarkupLanguage::Html) {
        works.add_file(name, sources, budget)?;
    }
    for name in bibliographies {
        works.add_file(name, sources, budget)?;
    }
    let page = match language {
        MarkupLanguage::Html => Some(page::markers(text, budget)?),
        _ => None,
    };
    let mut read =
        ReadCitations::read(page.as_ref().unwrap_or(document), &compiled, works, sources);
    let works = DistinctWorks::new(std::mem::take(&mut read.items), budget)?;
    works.rename(&mut read.citations);
    let options = Options {
        links: language.has_links(text),
        bibliography: front("suppress-bibliography").as_deref() != Some("true"),
        budget: budget.clone(),
        ..Options::default()
    };
    let set = format(&compiled, &works.items, read.citations, &options)?;

    let mut out = replaced(text, &read.spans, &set.citations, &compiled, language);
    let entries = set.formatted.bibliography.as_deref();
    if !entries.unwrap_or_default().is_empty() {
        let list = language.list(&set.formatted);
        let title = front("reference-section-title");
        out = bibliography::insert(language, out, &list, title.as_deref());
    }
    Ok(Text {
        text: out,
        unknown: set.unknown,
    })
}

/// The citations of a manuscript and their works, as the processor takes them.
struct ReadCitations {
    /// The ranges of the citations in the text.
    spans: Vec<Range<usize>>,
    citations: Vec<Citation>,
    items: Vec<Item>,
}

impl ReadCitations {
    fn read(
        document: &Document,
        compiled: &Compiled,
        works: Works,
        sources: &dyn Sources,
    ) -> ReadCitations {
        let is_note_style = compiled.style().options.class == Class::Note;
        let mut items = Items {
            works,
            sources,
            asked: HashSet::new(),
            items: Vec::new(),
        };
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut citations: Vec<Citation> = Vec::new();
        for cited in &document.citations {
            let Some(span) = cited.span.clone() else {
                continue;
            };
            let mut citation = Citation::default();
            for cited in &cited.items {
                items.add(&cited.cite.id, cited.item.as_ref());
                let mut cite = cited.cite.clone();
                cite.suffix = suffix(&cite.suffix);
                citation.cites.push(cite);
            }
            if is_note_style {
                citation.note_number = spans.len() as u32 + 1;
                split_note(&mut citation);
            }
            spans.push(span);
            citations.push(citation);
        }
        for reference in &document.references {
            if let Some(key) = &reference.key {
                items.add(key, reference.item.as_ref());
            }
        }
        ReadCitations {
            spans,
            citations,
            items: items.items,
        }
    }
}

/// The known works of a manuscript, each once.
struct Items<'s> {
    works: Works,
    sources: &'s dyn Sources,
    asked: HashSet<String>,
    items: Vec<Item>,
}

impl Items<'_> {
    /// Adds the work of a key: the manuscript's own if it says enough, or from a bibliography or the caller.
    fn add(&mut self, key: &str, item: Option<&Item>) {
        if !self.asked.insert(key.to_owned()) {
            return;
        }
        let known = item
            .filter(|item| says_enough(item))
            .or_else(|| self.works.get(key));
        if let Some(mut item) = known.cloned().or_else(|| self.sources.work(key)) {
            item.id = key.to_owned();
            self.items.push(item);
        }
    }
}

/// The text with its citations formatted.
fn replaced(
    text: &str,
    spans: &[Range<usize>],
    citations: &[FormattedCitation],
    compiled: &Compiled,
    language: MarkupLanguage,
) -> String {
    let is_note_style = compiled.style().options.class == Class::Note;
    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for (span, formatted) in spans.iter().zip(citations) {
        if span.start < from {
            continue;
        }
        out.push_str(text.get(from..span.start).unwrap_or_default());
        from = span.end;
        let shown = match formatted {
            FormattedCitation::Known(rich) => language.write(rich),
            FormattedCitation::Unknown(keys) => language.write(&unknown_text(compiled, keys)),
        };
        if !is_note_style {
            out.push_str(&shown);
            continue;
        }
        let is_in_note = language.is_in_note(text, span.start);
        let behind = text.get(from..).unwrap_or_default();
        from += put_note(&mut out, &shown, behind, is_in_note, language);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
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
    language: MarkupLanguage,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::TestSources;

    fn cited(name: &str, text: &str) -> String {
        let sources = TestSources;
        let beside = |name: &str| sources.file(name);
        let budget = Budget::unlimited();
        let document = citation_documents::read(name, text.as_bytes(), &beside, &budget).unwrap();
        cite(text, &document, &[], &sources, &budget).unwrap().text
    }

    #[test]
    fn markdown_is_formatted_and_the_rest_unchanged() {
        let text = "---\nbibliography: refs.bib\n---\n\nLight is  a *wave* [see @young, p. 3]; @young says\n`[@young]`.\n\n::: {#refs}\n:::\n";
        let set = cited("paper.md", text);
        assert!(set.starts_with("---\nbibliography: refs.bib\n---\n\nLight is  a *wave* (see Young, 1802, p. 3); Young (1802) says\n`[@young]`.\n\n::: {#refs}\n"), "{set}");
        assert!(
            set.contains("{#ref-young .csl-entry}\nYoung, T. (1802). *On light*."),
            "{set}"
        );
    }

    #[test]
    fn tex_is_formatted_in_tex_syntax() {
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
    fn typst_is_formatted_in_typst_syntax() {
        let text = "A wave @young[p. 3].\n\n#bibliography(\"refs.bib\")\n";
        let set = cited("paper.typ", text);
        assert!(
            set.starts_with("A wave (Young, 1802, p. 3).\n\n#heading"),
            "{set}"
        );
    }

    #[test]
    fn html_uses_markdown_markers() {
        let text = "<meta name=\"bibliography\" content=\"refs.bib\">\n<p title=\"[@young]\">See [@young].</p>\n<div id=\"refs\"></div>\n";
        let set = cited("paper.html", text);
        assert!(set.contains("<p title=\"[@young]\">See (Young, 1802).</p>\n<div id=\"refs\">\n<div id=\"ref-young\""), "{set}");
    }

    #[test]
    fn notes_move_after_punctuation() {
        let text = "---\nbibliography: refs.bib\ncsl: notes\n---\nA wave [@young].\n\n[^1]: A note [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("A wave.^["), "{set}");
        assert!(set.contains("A note ("), "{set}");
    }

    #[test]
    fn front_matter_is_parsed_as_yaml() {
        let text = "---\n\"bibliography\":\n  - >-\n    refs.bib\nreference-section-title: >\n  Works\n  cited\nother: {csl: notes}\nnocite: |\n  suppress-bibliography: true\n---\nSee [@young].\n";
        let set = cited("paper.md", text);
        assert!(set.contains("See (Young, 1802)."), "{set}");
        assert!(set.contains("# Works cited"), "{set}");
    }
}
