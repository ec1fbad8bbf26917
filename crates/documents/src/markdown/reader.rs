//! Reads a Markdown document and the files that it includes.

use citation_model::budget::Budget;
use serde_json::Value;

use super::citations::{CitationScanner, KeyCitation, is_cross_reference};
use super::front_matter;
use super::includes::{Include, IncludeBase, includes};
use super::mask::masked;
use super::project::chapters;
use crate::Companions;
use crate::document::{Document, ListHeading, ListPlace, ListPlaceKind, Place};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::keyed::Keyed;
use crate::sources::{Added, FileId, folder, joined};
use crate::{library, yaml};

/// Starts of markup whose citations are not read.
const UNREAD: [&str; 2] = ["{cite", "knit_child("];

pub(super) struct MarkdownReader<'a> {
    companions: Companions<'a>,
    budget: &'a Budget,
    keyed: Keyed,
    /// In reading order.
    found: Vec<KeyCitation>,
    metadata: Value,
    body: Body,
    /// The folder of the document or the chapter.
    base: String,
}

/// The text of the document below its front matter.
#[derive(Default)]
pub(super) struct Body {
    /// Code and comments are blanked.
    pub masked: String,
    /// The number of lines above.
    pub above: usize,
}

impl<'a> MarkdownReader<'a> {
    pub fn new(companions: Companions<'a>, budget: &'a Budget) -> MarkdownReader<'a> {
        MarkdownReader {
            companions,
            budget,
            keyed: Keyed::default(),
            found: Vec::new(),
            metadata: Value::Null,
            body: Body::default(),
            base: String::new(),
        }
    }

    pub fn read_document(&mut self, bytes: &[u8]) -> Result<(), DocumentError> {
        let file = self.keyed.sources.add_document(bytes);
        let text = self.keyed.sources.text(file).to_owned();
        let (front, body) = front_matter(&text);
        self.metadata = self.front(front, None)?;
        if self.keyed.library.is_empty()
            && let Some(project) = (self.companions)("_quarto.yml")
        {
            let (project, _) = citation_exchange::decode(&project);
            let project = yaml::parse("_quarto.yml", &project, self.budget)?;
            self.read_metadata(&project, None)?;
        }
        let masked = masked(body);
        self.read_body(file, &text, body, &masked)?;
        let above = text.get(..text.len() - body.len()).unwrap_or_default();
        self.body = Body {
            masked,
            above: above.matches('\n').count(),
        };
        self.end_in(file);
        Ok(())
    }

    /// Reads the chapters of a book.
    pub fn read_project(&mut self, name: &str, bytes: &[u8]) -> Result<(), DocumentError> {
        let file = self.keyed.sources.add_document(bytes);
        let project = yaml::parse(name, self.keyed.sources.text(file), self.budget)?;
        self.read_metadata(&project, None)?;
        let chapters = chapters(&project);
        self.metadata = project;
        let place = Place::line(1);
        for chapter in chapters {
            let extension = chapter
                .rsplit_once('.')
                .map_or("", |(_, extension)| extension);
            match ManuscriptFormat::of_extension(extension) {
                Some(ManuscriptFormat::Markdown) => {
                    self.base = folder(Some(&chapter)).to_owned();
                    let name = format!("/{chapter}");
                    self.include(&name, None, IncludeBase::Document, &place)?;
                }
                _ => self.keyed.add_unread_markup(&chapter, &place),
            }
        }
        Ok(())
    }

    /// Reads a text whose citations alone are visible in `masked`.
    pub fn read_page(&mut self, bytes: &[u8], masked: &str) -> Result<(), DocumentError> {
        let file = self.keyed.sources.add_document(bytes);
        let text = self.keyed.sources.text(file).to_owned();
        self.read_body(file, &text, &text, masked)
    }

    pub fn finish(mut self) -> (Document, Body) {
        let library = &self.keyed.library;
        let citations = self.found.into_iter().filter_map(|mut found| {
            let is_bare = found.is_bare;
            found.citation.items.retain(|cited| {
                let key = cited.cite.id.as_str();
                library.position(key).is_some()
                    || !(is_cross_reference(key)
                        || is_bare && library.is_empty() && !key.contains(':'))
            });
            (!found.citation.items.is_empty()).then_some(found.citation)
        });
        self.keyed.citations = citations.collect();
        let document = Document {
            metadata: self.metadata,
            ..self.keyed.document()
        };
        (document, self.body)
    }

    fn include(
        &mut self,
        name: &str,
        file: Option<&str>,
        base: IncludeBase,
        place: &Place,
    ) -> Result<(), DocumentError> {
        let (own, document) = (folder(file), self.base.as_str());
        let folders = match base {
            _ if name.starts_with('/') => ["", "", ""],
            IncludeBase::Document => [document, own, ""],
            IncludeBase::File => [own, document, ""],
        };
        let found = folders.into_iter().find_map(|folder| {
            let path = joined(folder, name);
            let bytes = (self.companions)(&path)?;
            Some((path, bytes))
        });
        let Some((path, bytes)) = found else {
            let name = name.trim_start_matches('/');
            self.keyed.add_missing_include(name, place);
            return Ok(());
        };
        self.budget.spend_bytes(bytes.len())?;
        let Added::New(included) = self.keyed.sources.open(&path, &bytes)? else {
            return Ok(());
        };
        let text = self.keyed.sources.text(included).to_owned();
        let (front, body) = front_matter(&text);
        self.front(front, Some(&path))?;
        self.read_body(included, &text, body, &masked(body))?;
        self.end_in(included);
        self.keyed.sources.close();
        Ok(())
    }

    /// Reads the citations of a body and its includes, in order.
    fn read_body(
        &mut self,
        file: FileId,
        text: &str,
        body: &str,
        masked: &str,
    ) -> Result<(), DocumentError> {
        self.budget.spend(text.len() as u64)?;
        let name = self.keyed.sources.name(file).map(str::to_owned);
        let start = text.len() - body.len();
        let above = text.get(..start).unwrap_or_default().matches('\n').count();
        let place = |line: usize| Place {
            file: name.clone(),
            ..Place::line(above + line + 1)
        };
        self.add_list_place(file, start, masked);
        self.add_unread(body, &place);
        let mut citations = CitationScanner::new(masked, above, self.budget).run()?;
        for found in &mut citations {
            let range = start + found.range.start..start + found.range.end;
            found.citation.span = Some(file.span(range));
            found.citation.place.file.clone_from(&name);
        }
        let mut citations = citations.into_iter().peekable();
        for Include {
            at,
            line,
            names,
            base,
        } in includes(body)
        {
            while let Some(found) = citations.next_if(|found| found.range.start < at) {
                self.found.push(found);
            }
            for included in names {
                self.include(&included, name.as_deref(), base, &place(line))?;
            }
        }
        self.found.extend(citations);
        Ok(())
    }

    /// `::: {#refs}`
    fn add_list_place(&mut self, file: FileId, start: usize, masked: &str) {
        let mut at = start;
        for line in masked.split_inclusive('\n') {
            if line.starts_with(":::") && line.contains("#refs") {
                let end = at + line.trim_end_matches(['\n', '\r']).len();
                let is_known = |place: &ListPlace| place.kind == ListPlaceKind::Element;
                if !self.keyed.list_place.as_ref().is_some_and(is_known) {
                    self.keyed.list_place = Some(ListPlace {
                        span: file.span(end..end),
                        kind: ListPlaceKind::Element,
                        heading: ListHeading::Default,
                    });
                }
                return;
            }
            at += line.len();
        }
    }

    /// Without a place of its own the list stands at the end of the last file of the document.
    fn end_in(&mut self, file: FileId) {
        let is_element = |place: &ListPlace| place.kind == ListPlaceKind::Element;
        if !self.keyed.list_place.as_ref().is_some_and(is_element) {
            let end = self.keyed.sources.text(file).len();
            self.keyed.list_place = Some(ListPlace {
                span: file.span(end..end),
                kind: ListPlaceKind::End,
                heading: ListHeading::Default,
            });
        }
    }

    fn add_unread(&mut self, body: &str, place: &dyn Fn(usize) -> Place) {
        let mut is_code = false;
        for (n, line) in body.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            let found = UNREAD.iter().find(|start| line.contains(**start));
            let Some(start) = found.filter(|_| !is_code) else {
                continue;
            };
            let rest = line.split_once(start).map_or("", |(_, rest)| rest);
            let role = rest.split_once("}`").map_or("", |(form, _)| form);
            let is_role = rest.starts_with("}`") || role.starts_with(':');
            if !start.starts_with('{') || is_role {
                let what = match start.starts_with('{') {
                    true => format!("{start}{role}}}"),
                    false => start.trim_end_matches('(').to_owned(),
                };
                self.keyed.add_unread_markup(&what, &place(n));
                return;
            }
        }
    }

    /// Reads the front matter of a file.
    fn front(&mut self, front: &str, file: Option<&str>) -> Result<Value, DocumentError> {
        let metadata = match yaml::parse("the front matter", front, self.budget) {
            Ok(metadata) => metadata,
            Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
            Err(_) => {
                let place = Place {
                    file: file.map(str::to_owned),
                    ..Place::line(1)
                };
                self.keyed.missing.push(("front matter".to_owned(), place));
                Value::Null
            }
        };
        self.read_metadata(&metadata, file)?;
        Ok(metadata)
    }

    fn read_metadata(&mut self, metadata: &Value, file: Option<&str>) -> Result<(), DocumentError> {
        let place = Place {
            file: file.map(str::to_owned),
            ..Place::line(1)
        };
        if let Some(references) = metadata.get("references") {
            let entries = library::entries_of_yaml(references, &place);
            self.keyed.library.extend(entries);
        }
        let named = metadata.get("bibliography").map(yaml::texts_of);
        for name in named.unwrap_or_default() {
            let own = joined(folder(file), &name);
            let name = match file.is_some() && (self.companions)(&own).is_some() {
                true => own,
                false => name,
            };
            self.keyed.add_file(&name, self.companions, self.budget)?;
        }
        let nocite = metadata.get("nocite").map(yaml::texts_of);
        for text in nocite.unwrap_or_default() {
            self.keyed.is_whole |= text.contains("@*");
            for found in CitationScanner::new(&text, 0, self.budget).run()? {
                let keys = found.citation.items.into_iter().map(|cited| cited.cite.id);
                self.keyed.nocite.extend(keys);
            }
        }
        Ok(())
    }
}
