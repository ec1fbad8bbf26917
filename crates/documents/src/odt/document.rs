//! An OpenDocument text whose citations can be formatted.

use std::collections::BTreeMap;
use std::ops::Range;

use citation_exchange::correction::{Edits, apply};
use citation_model::budget::Budget;
use quick_xml::escape::escape;

use super::markup::{Spans, note};
use super::reader::{Contents, FoundCitation, ListSource};
use super::{flat, parts};
use crate::document::{LeftPart, Place};
use crate::error::DocumentError;
use crate::fields;
use crate::list;
use crate::package::Package;
use crate::word::{
    CitationChange, CitationText, FieldHandling, FormattedDocument, WordCitation, WordList,
    is_replaceable,
};
use crate::wordml::{TextRun, check};

const CONTENT: &str = "content.xml";
const STYLES: &str = "styles.xml";

/// What citations begin with.
const MARKS: [&str; 3] = [
    "<text:reference-mark",
    "<text:bibliography-mark",
    "<text:bookmark-start",
];

/// An OpenDocument text whose citations can be formatted.
pub struct OdtDocument<'b> {
    /// `None` for a flat text.
    package: Option<Package<'b>>,
    /// The text, then the styles if headers or footers in them cite.
    parts: Vec<Part>,
    /// Marks that cite works which cannot be read.
    unread: Vec<LeftPart>,
    budget: &'b Budget,
}

/// A part with citations.
struct Part {
    name: &'static str,
    text: String,
    contents: Contents,
}

impl Part {
    /// Whether a place is in a header or footer, which the styles of pages have. They hold no notes.
    fn is_in_margin(&self, at: usize) -> bool {
        match self.text.find("<office:body") {
            Some(body) => at < body,
            None => self.name == STYLES,
        }
    }
}

impl<'b> OdtDocument<'b> {
    pub fn open(bytes: &'b [u8], budget: &'b Budget) -> Result<OdtDocument<'b>, DocumentError> {
        let mut package = if bytes.starts_with(b"PK") {
            Some(Package::open(bytes, budget)?)
        } else {
            None
        };
        let (meta, text) = match &mut package {
            Some(package) => parts(package)?,
            None => flat(bytes, budget)?,
        };
        let mut parts = vec![Part {
            name: CONTENT,
            contents: Contents::read_all(&text, &meta, budget)?,
            text,
        }];
        // A flat text has them, too.
        if let Some(package) = &mut package {
            let styles = package.text(STYLES)?.unwrap_or_default();
            parts.extend(margins(styles, &meta, budget)?);
        }
        let contents = parts.iter_mut().map(|part| &mut part.contents);
        let citations = contents.flat_map(|contents| contents.citations.iter_mut());
        list::unify(citations.map(|found| &mut found.citation), budget)?;
        let contents = parts.iter_mut().map(|part| &mut part.contents);
        let unread = contents.flat_map(|contents| std::mem::take(&mut contents.unread));
        Ok(OdtDocument {
            package,
            unread: unread.collect(),
            parts,
            budget,
        })
    }

    /// In reading order; those of headers and footers last.
    pub fn citations(&self) -> impl Iterator<Item = WordCitation<'_>> {
        let parts = self.parts.iter();
        let citations = parts.flat_map(|part| &part.contents.citations);
        citations.map(|found| WordCitation {
            citation: &found.citation,
            is_marker: false,
            is_by_hand: found.is_by_hand,
            notes_before: found.citation.place.note.unwrap_or(found.notes_before),
        })
    }

    /// Marks that cite works which cannot be read. They stay as they are.
    pub fn unread(&self) -> &[LeftPart] {
        &self.unread
    }

    fn list(&self) -> Option<(&Part, &ListSource)> {
        let main = self.parts.first()?;
        Some((main, main.contents.list.as_ref()?))
    }

    /// Whether the document has a list of its program.
    pub fn has_list(&self) -> bool {
        self.list().is_some()
    }

    /// The number of paragraphs with text in that list.
    pub fn list_length(&self) -> usize {
        let Some((main, list)) = self.list() else {
            return 0;
        };
        let start = list
            .title
            .as_ref()
            .map_or(list.inner.start, |title| title.end);
        let inside = main.text.get(start..list.inner.end).unwrap_or_default();
        let paragraphs = inside.split("<text:p").skip(1);
        let has_text = |paragraph: &&str| {
            let texts = paragraph.split('>').skip(1);
            let mut texts = texts.filter_map(|part| part.split('<').next());
            texts.any(|text| !text.trim().is_empty())
        };
        paragraphs.filter(has_text).count()
    }

    /// Formats the citations, with one change each in order, and the list unless it is `None`.
    pub fn format(
        self,
        changes: &[CitationChange],
        list: Option<&WordList>,
        fields: FieldHandling,
    ) -> Result<FormattedDocument, DocumentError> {
        let mut left = Vec::new();
        let mut changed = BTreeMap::new();
        let mut changes = changes.iter().enumerate();
        for part in &self.parts {
            let mut writer = OdtWriter {
                part,
                text: &part.text,
                contents: &part.contents,
                fields,
                spans: Spans::default(),
                edits: Vec::new(),
                notes: 0,
            };
            for (found, (n, change)) in part.contents.citations.iter().zip(&mut changes) {
                self.budget.spend(100)?;
                let done = match change {
                    CitationChange::Set(text) => writer.cite(found, text),
                    CitationChange::KeepText => writer.keep_text(found),
                    CitationChange::Leave => Some(()),
                };
                if done.is_none() {
                    left.push(n);
                }
            }
            if let Some(list) = list.filter(|_| part.name == CONTENT) {
                writer.list(list);
            }
            let text = writer.finish()?;
            check(&text, part.name, self.budget)?;
            changed.insert(part.name.to_owned(), text);
        }
        let bytes = match self.package {
            Some(package) => package.with_parts(changed)?,
            None => changed.remove(CONTENT).unwrap_or_default().into_bytes(),
        };
        Ok(FormattedDocument { bytes, left })
    }
}

/// The styles of pages, if their headers and footers cite.
fn margins(styles: String, meta: &str, budget: &Budget) -> Result<Option<Part>, DocumentError> {
    if !MARKS.iter().any(|mark| styles.contains(mark)) {
        return Ok(None);
    }
    let mut contents = Contents::read_all(&styles, meta, budget)?;
    for found in &mut contents.citations {
        found.citation.place = Place::default();
    }
    let part = Part {
        name: STYLES,
        text: styles,
        contents,
    };
    Ok(Some(part).filter(|part| !part.contents.citations.is_empty()))
}

struct OdtWriter<'d> {
    part: &'d Part,
    text: &'d str,
    contents: &'d Contents,
    fields: FieldHandling,
    spans: Spans,
    edits: Edits,
    /// The number of new notes.
    notes: usize,
}

impl OdtWriter<'_> {
    /// `None` if the citation cannot be replaced where it is.
    fn cite(&mut self, found: &FoundCitation, new: &CitationText) -> Option<()> {
        let old = self.text.get(found.outer.clone())?;
        if !is_replaceable(old, "") {
            return None;
        }
        let mut shown = new.text.clone();
        if found.citation.place.note.is_some() {
            shown.extend(new.note.iter().cloned());
            let behind = self.text.get(found.outer.end..)?;
            if let Some(last) = shown.last_mut().filter(|_| behind.starts_with('.'))
                && last.text.ends_with('.')
            {
                last.text.pop();
            }
        } else if !new.note.is_empty() {
            return self.cite_in_note(found, new);
        }
        let shown = self.spans.write(&shown);
        match self.fields {
            FieldHandling::Replace => self.edits.push((found.outer.clone(), shown)),
            FieldHandling::Keep => {
                // LibreOffice writes the text of its own marks itself.
                let inner = found.inner.clone()?;
                self.edits.push((inner, shown));
                self.rename(found, new);
            }
        }
        Some(())
    }

    /// Writes the new text into the name of both marks, where Zotero looks for it.
    fn rename(&mut self, found: &FoundCitation, new: &CitationText) {
        let Some(inner) = &found.inner else { return };
        let code = fields::with_text(&found.name, &new.formatted, &new.plain);
        let Some(code) = code else { return };
        let (old, code) = (escape(&found.name), escape(&code));
        for place in [found.outer.start..inner.start, inner.end..found.outer.end] {
            let tag = self.text.get(place.clone()).unwrap_or_default();
            if tag.contains(&*old) {
                self.edits.push((place, tag.replace(&*old, &code)));
            }
        }
    }

    /// Moves a citation of the text into a new note behind the punctuation.
    fn cite_in_note(&mut self, found: &FoundCitation, new: &CitationText) -> Option<()> {
        if self.part.is_in_margin(found.outer.start) {
            return None;
        }
        let Range { mut start, mut end } = found.outer;
        let behind = self.text.get(end..)?;
        let rest = behind.trim_start_matches(|c: char| ".,;:!?".contains(c));
        let marks = behind.get(..behind.len() - rest.len())?.to_owned();
        end += marks.len();
        let author = self.spans.write(&new.text);
        if author.is_empty() && self.text.get(..start)?.ends_with(' ') {
            start -= 1;
        }
        self.notes += 1;
        let number = self.contents.citations.len() + self.notes;
        let inside = self.spans.write(&new.note);
        let new = format!("{author}{marks}{}", note(number, &inside));
        self.edits.push((start..end, new));
        Some(())
    }

    /// Removes the marks around a text that stays.
    fn keep_text(&mut self, found: &FoundCitation) -> Option<()> {
        if self.fields == FieldHandling::Keep {
            return Some(());
        }
        let kept = match &found.inner {
            Some(inner) => self.text.get(inner.clone())?.to_owned(),
            None => self.spans.write(&[TextRun {
                text: found.citation.text.clone(),
                ..TextRun::default()
            }]),
        };
        is_replaceable(self.text.get(found.outer.clone())?, &kept).then_some(())?;
        self.edits.push((found.outer.clone(), kept));
        Some(())
    }

    /// Puts the list into its place in the document, or at the end.
    fn list(&mut self, list: &WordList) {
        let Some(place) = self.contents.list.clone() else {
            if !list.entries.is_empty() {
                let heading = escape(&list.heading);
                let entries = self.entries(list, None);
                let new = format!(
                    "<text:h text:style-name=\"Heading_20_1\" text:outline-level=\"1\">{heading}</text:h>{entries}"
                );
                let end = self.contents.end;
                self.edits.push((end..end, new));
            }
            return;
        };
        let old = self.text.get(place.inner.clone()).unwrap_or_default();
        let body = match &place.title {
            Some(title) => self.text.get(title.end..place.inner.end),
            None => Some(old),
        };
        let body = body.unwrap_or_default();
        let style = paragraph_style(body).map(str::to_owned);
        let entries = self.entries(list, style.as_deref());
        match self.fields {
            FieldHandling::Replace => {
                let title = place.title.and_then(|title| self.text.get(title));
                let title = title.unwrap_or_default();
                self.edits.push((place.outer, format!("{title}{entries}")));
            }
            // Its marks would go with its paragraphs; Zotero makes it again.
            FieldHandling::Keep if place.is_field => {}
            // LibreOffice makes its own index again.
            FieldHandling::Keep if place.title.is_none() && !old.contains("index-body") => {
                self.edits.push((place.inner, entries));
            }
            FieldHandling::Keep => {}
        }
    }

    fn entries(&mut self, list: &WordList, style: Option<&str>) -> String {
        let style = style.unwrap_or("Text_20_body");
        let mut out = String::new();
        for entry in &list.entries {
            let inside = self.spans.write(entry);
            out.push_str(&format!(
                "<text:p text:style-name=\"{style}\">{inside}</text:p>"
            ));
        }
        out
    }

    /// The text with its edits and the styles that they need.
    fn finish(mut self) -> Result<String, DocumentError> {
        let styles = self.spans.styles();
        if !styles.is_empty() {
            let (place, new) = self.with_styles(&styles).ok_or_else(|| {
                DocumentError::broken(CONTENT, "it has no place for automatic styles")
            })?;
            self.edits.push((place, new));
        }
        Ok(apply(self.text, self.edits)?)
    }

    /// The edit that adds automatic styles.
    fn with_styles(&self, styles: &str) -> Option<(Range<usize>, String)> {
        const CLOSE: &str = "</office:automatic-styles>";
        match &self.contents.styles {
            Some(place) => {
                let old = self.text.get(place.clone())?;
                match old.strip_suffix(CLOSE) {
                    Some(inside) => {
                        let at = place.start + inside.len();
                        Some((at..at, styles.to_owned()))
                    }
                    // An empty element.
                    None => {
                        let new = format!("<office:automatic-styles>{styles}{CLOSE}");
                        Some((place.clone(), new))
                    }
                }
            }
            None => {
                let at = self.text.find("<office:body")?;
                let new = format!("<office:automatic-styles>{styles}{CLOSE}");
                Some((at..at, new))
            }
        }
    }
}

/// The style of the first paragraph of a list.
fn paragraph_style(list: &str) -> Option<&str> {
    let (_, tag) = list.split_once("<text:p ")?;
    let (tag, _) = tag.split_once('>')?;
    let (_, style) = tag.split_once("text:style-name=\"")?;
    style.split('"').next()
}
