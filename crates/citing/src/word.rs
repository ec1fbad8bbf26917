//! Word documents with their citations set: markers in the text, and the fields of citation programs.

use std::collections::HashMap;

use citation_csl::{Class, Formatted, Options, OutputFormat, Part, Rich, Shape};
use citation_documents::{
    CitationText, Cited, DocumentError, FieldHandling, Height, Indent, Look, TextRun, WordCitation,
    WordDocument, WordList, list_heading,
};
use citation_model::budget::Budget;
use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use citation_model::variable::TextVar;

use crate::collect::says_enough;
use crate::filter::SPLIT;
use crate::setting::{self, Shown};
use crate::works::Works;
use crate::{CitingError, Sources};

/// A Word document with its citations set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub bytes: Vec<u8>,
    /// Keys of which no work is known.
    pub unknown: Vec<String>,
    /// Citations, as they were printed, that stand where no text can be put.
    pub left: Vec<String>,
}

impl From<DocumentError> for CitingError {
    fn from(cause: DocumentError) -> CitingError {
        match cause {
            DocumentError::Exceeded(cause) => CitingError::Exceeded(cause),
            cause => CitingError::Document(cause.to_string()),
        }
    }
}

/// Sets the citations of a Word document. Works that it does not carry are those of `bibliographies`, or are
/// asked of the caller.
pub fn cite_word(
    bytes: &[u8],
    bibliographies: &[String],
    fields: FieldHandling,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Word, CitingError> {
    let compiled = sources.style(None, None).map_err(CitingError::Style)?;
    let is_note_style = compiled.style().options.class == Class::Note;
    let document = WordDocument::open(bytes, budget)?;
    let mut library = Library {
        works: Works::default(),
        sources,
        items: Vec::new(),
        ids: HashMap::new(),
    };
    for name in bibliographies {
        library.works.add_file(name, sources, budget)?;
    }
    let mut citations: Vec<Citation> = Vec::new();
    let mut new_notes = 0;
    for found in document.citations() {
        let mut citation = Citation::default();
        for cited in &found.citation.items {
            let mut cite = cited.cite.clone();
            cite.id = library.id(cited);
            cite.suffix = suffix(&cite.suffix, found.is_marker);
            if is_note_style && cite.mode == CiteMode::Composite && citation.cites.is_empty() {
                cite.prefix.insert(0, SPLIT);
            }
            citation.cites.push(cite);
        }
        if is_note_style {
            new_notes += u32::from(!is_in_note(&found));
            let before = u32::try_from(found.notes_before).unwrap_or(u32::MAX);
            citation.note_number = before.saturating_add(new_notes);
        }
        citations.push(citation);
    }
    let options = Options {
        links: false,
        budget: budget.clone(),
        ..Options::default()
    };
    let set = setting::set(&compiled, &library.items, citations, &options)?;
    let texts: Vec<Option<CitationText>> = { document.citations() }
        .zip(&set.citations)
        .map(|(found, shown)| match shown {
            Shown::Set(rich) => Some(citation_text(rich, &found, is_note_style)),
            // A field that says nothing of its works stays as it is.
            Shown::Unknown(_) if !found.is_marker => None,
            Shown::Unknown(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| format!("{key}?")).collect();
                let [prefix, delimiter, suffix] = compiled.citation_affixes();
                let text = format!("{prefix}{}{suffix}", keys.join(delimiter));
                Some(citation_text(&Rich::plain(&text), &found, is_note_style))
            }
        })
        .collect();
    let printed: Vec<String> = { document.citations() }
        .map(|found| found.citation.text.clone())
        .collect();
    let list = word_list(&set.formatted, list_heading(compiled.lang()));
    let done = document.set(&texts, &list, fields)?;
    let left = { done.left.iter() }
        .filter_map(|n| printed.get(*n).cloned())
        .collect();
    Ok(Word {
        bytes: done.bytes,
        unknown: set.unknown,
        left,
    })
}

fn is_in_note(found: &WordCitation<'_>) -> bool {
    found.citation.place.note.is_some()
}

/// The works of a document, each once. Citation programs number works anew in every citation, so that an id
/// alone does not tell a work.
struct Library<'s> {
    works: Works,
    sources: &'s dyn Sources,
    items: Vec<Item>,
    /// By what tells a work.
    ids: HashMap<String, String>,
}

impl Library<'_> {
    /// The id under which the processor knows a work.
    fn id(&mut self, cited: &Cited) -> String {
        let key = &cited.cite.id;
        let own = cited.item.as_ref().filter(|item| says_enough(item));
        let name = match (&cited.doi, own) {
            (Some(doi), _) => doi.to_string(),
            (None, Some(item)) => {
                let title = item.text(TextVar::Title).unwrap_or_default();
                format!("{key} {title} {}", item.year().unwrap_or_default())
            }
            (None, None) => key.clone(),
        };
        if let Some(id) = self.ids.get(&name) {
            return id.clone();
        }
        let known = own.or_else(|| self.works.get(key)).cloned();
        let known = known.or_else(|| self.sources.work(key));
        let known = known.or_else(|| self.sources.work(&format!("doi:{}", cited.doi.as_ref()?)));
        let mut id = key.clone();
        if self.items.iter().any(|item| item.id == id) {
            id = format!("{key} {}", self.items.len());
        }
        self.ids.insert(name, id.clone());
        self.items.extend(known.map(|mut item| {
            item.id.clone_from(&id);
            item
        }));
        id
    }
}

/// A suffix of words is parted from its cite.
fn suffix(text: &str, is_marker: bool) -> String {
    match text.chars().next() {
        Some(c) if c.is_alphanumeric() && is_marker => format!(", {text}"),
        Some(c) if c.is_alphanumeric() => format!(" {text}"),
        _ => text.to_owned(),
    }
}

fn citation_text(rich: &Rich, found: &WordCitation<'_>, is_note_style: bool) -> CitationText {
    let all = runs(rich);
    let mut new = CitationText {
        formatted: rich.markup(OutputFormat::Rtf).replace(SPLIT, ""),
        plain: rich.text().replace(SPLIT, ""),
        ..CitationText::default()
    };
    if !is_note_style {
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
                    look: first.look,
                });
                first.text = rest.to_owned();
            }
            trim(&mut new.text, &mut note);
            new.note = note;
            if is_in_note(found) {
                new.text.push(TextRun {
                    text: ", ".to_owned(),
                    look: Look::default(),
                });
                return new;
            }
        }
        None => new.note = all,
    }
    if !is_in_note(found)
        && let Some(first) = new.note.first_mut()
    {
        let mut letters = first.text.chars();
        let capital = letters.next().into_iter().flat_map(char::to_uppercase);
        first.text = capital.chain(letters).collect();
    }
    new
}

/// What parts the author from the rest is nothing at the end of the one, nor at the head of the other.
fn trim(author: &mut [TextRun], note: &mut [TextRun]) {
    if let Some(last) = author.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    if let Some(first) = note.first_mut() {
        let kept = first.text.trim_start_matches([',', ';', '.', ':', ' ']);
        first.text = kept.to_owned();
    }
}

/// A rendering as runs. First fields are parted from what stands beside them by a tab.
fn runs(rich: &Rich) -> Vec<TextRun> {
    let mut out: Vec<TextRun> = Vec::new();
    let mut looks: Vec<Look> = Vec::new();
    for part in rich.parts() {
        let look = looks.last().copied().unwrap_or_default();
        let mut push = |text: &str| match out.last_mut().filter(|last| last.look == look) {
            Some(last) => last.text.push_str(text),
            None => out.push(TextRun {
                text: text.to_owned(),
                look,
            }),
        };
        match part {
            Part::Text(text) => push(text),
            Part::Open(shape) => {
                if matches!(shape, Shape::Block | Shape::Indent) {
                    push("\n");
                }
                looks.push(with(look, shape));
            }
            Part::Close(shape) => {
                looks.pop();
                if shape == Shape::LeftMargin {
                    push("\t");
                }
            }
            Part::OpenLink(_) | Part::CloseLink => {}
        }
    }
    // A block at the head begins no line.
    if let Some(first) = out.first_mut() {
        first.text = first.text.trim_start_matches('\n').to_owned();
    }
    out
}

fn with(mut look: Look, shape: Shape) -> Look {
    match shape {
        Shape::Italic | Shape::Oblique => look.is_italic = true,
        Shape::NormalStyle => look.is_italic = false,
        Shape::Bold => look.is_bold = true,
        Shape::Light | Shape::NormalWeight => look.is_bold = false,
        Shape::SmallCaps => look.is_small_caps = true,
        Shape::NormalVariant => look.is_small_caps = false,
        Shape::Underline => look.is_underlined = true,
        Shape::NoDecoration => look.is_underlined = false,
        Shape::Sup => look.height = Height::Superscript,
        Shape::Sub => look.height = Height::Subscript,
        Shape::Baseline => look.height = Height::Baseline,
        Shape::Block | Shape::LeftMargin | Shape::RightInline | Shape::Indent => {}
    }
    look
}

fn word_list(formatted: &Formatted, heading: String) -> WordList {
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
