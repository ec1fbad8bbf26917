//! Reads a Markdown document and the files that it includes.

use citation_model::budget::Budget;
use citation_model::lookahead::Lookahead;
use serde_json::Value;

use super::citations::{CitationScanner, KeyCitation, is_cross_reference};
use super::commands::Commands;
use super::front_matter;
use super::includes::{Include, IncludeBase, includes};
use super::mask::{Fence, holds_text, masked};
use super::project::{PROJECTS, bibliographies, chapters};
use super::roles::Roles;
use crate::Companions;
use crate::document::{Document, ListHeading, ListPlace, ListPlaceKind, Place, PossibleCitation};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::keyed::Keyed;
use crate::sources::{Added, FileId, folder, joined};
use crate::{library, yaml};

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
            keyed: Keyed {
                naming: "`bibliography: FILE` in its front matter",
                ..Keyed::default()
            },
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
        if self.keyed.library.is_empty() {
            self.read_shared()?;
        }
        let masked = masked(body, self.budget);
        self.read_body(file, &text, body, &masked)?;
        let above = text.get(..text.len() - body.len()).unwrap_or_default();
        self.body = Body {
            masked,
            above: above.matches('\n').count(),
        };
        self.end_in(file);
        Ok(())
    }

    /// Reads the bibliographies that the document shares with others: those of the project whose file lies
    /// in its folder or in one above.
    fn read_shared(&mut self) -> Result<(), DocumentError> {
        for folder in ["", "..", "../.."] {
            for name in PROJECTS {
                let path = joined(folder, name);
                let Some(bytes) = (self.companions)(&path) else {
                    continue;
                };
                self.budget.spend_bytes(bytes.len())?;
                let (text, _) = citation_exchange::decode(&bytes);
                let text = if name.ends_with(".Rmd") {
                    front_matter(&text).0
                } else {
                    &text
                };
                // A file of this name may belong to another program.
                let project = match yaml::parse(&path, text, self.budget) {
                    Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
                    other => other.unwrap_or_default(),
                };
                let names = bibliographies(&project).into_iter();
                let names: Vec<String> = names.map(|name| joined(folder, &name)).collect();
                self.keyed.is_part |= !names.is_empty();
                self.keyed.add_files(&names, self.companions, self.budget)?;
                if self.keyed.is_part {
                    return Ok(());
                }
            }
        }
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
        let (mut citations, mut possible) = (Vec::new(), Vec::new());
        for mut found in self.found {
            found.citation.items.retain(|cited| {
                let key = cited.cite.id.as_str();
                library.position(key).is_some() || !is_cross_reference(key)
            });
            let items = &found.citation.items;
            // Without a bibliography, `@name` may be the name of a person.
            let is_doubtful = found.is_bare && library.is_empty();
            let is_doubtful = is_doubtful && items.iter().any(|cited| !cited.cite.id.contains(':'));
            match () {
                () if items.is_empty() => {}
                () if is_doubtful => possible.push(PossibleCitation {
                    before: citations.len(),
                    citation: found.citation,
                }),
                () => citations.push(found.citation),
            }
        }
        self.keyed.citations = citations;
        let document = Document {
            metadata: self.metadata,
            possible,
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
        let masked = masked(body, self.budget);
        self.read_body(included, &text, body, &masked)?;
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
        self.add_directive(file, start, body, &place);
        self.add_unread(body, &place);
        let mut citations = CitationScanner::new(masked, above, self.budget).run()?;
        let ahead = Lookahead::new(body.len(), self.budget);
        let roles = Roles::read(body, masked, above, &ahead);
        citations.extend(roles.citations);
        let commands = Commands::read(body, masked, above, &ahead);
        citations.extend(commands.citations);
        citations.sort_by_key(|found| found.range.start);
        self.keyed.nocite.extend(roles.nocite);
        self.keyed.nocite.extend(commands.nocite);
        for (role, line) in roles.unread {
            self.keyed.add_unread_markup(&role, &place(line));
        }
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
        let is_element = |place: &ListPlace| place.kind != ListPlaceKind::End;
        if !self.keyed.list_place.as_ref().is_some_and(is_element) {
            let end = self.keyed.sources.text(file).len();
            self.keyed.list_place = Some(ListPlace {
                span: file.span(end..end),
                kind: ListPlaceKind::End,
                heading: ListHeading::Default,
            });
        }
    }

    /// The directive `{bibliography}` of MyST.
    fn add_directive(
        &mut self,
        file: FileId,
        start: usize,
        body: &str,
        place: &dyn Fn(usize) -> Place,
    ) {
        let mut at = start;
        // The start of the directive that is open.
        let mut directive = None;
        let mut fence: Option<Fence> = None;
        let mut texts: Vec<Fence> = Vec::new();
        for (n, line) in body.split_inclusive('\n').enumerate() {
            let line_start = at;
            at += line.len();
            let Some((own, info)) = Fence::of(line) else {
                continue;
            };
            match fence {
                Some(open) if !open.is_closed_by(line) => {}
                Some(_) => {
                    fence = None;
                    let Some(from) = directive.take() else {
                        continue;
                    };
                    let end = line_start + line.trim_end().len();
                    let known = self.keyed.list_place.as_ref();
                    if known.is_some_and(|known| known.kind == ListPlaceKind::Command) {
                        self.keyed.add_unread_list("{bibliography}", &place(n));
                        continue;
                    }
                    self.keyed.list_place = Some(ListPlace {
                        span: file.span(from..end),
                        kind: ListPlaceKind::Command,
                        heading: ListHeading::None,
                    });
                }
                None if texts.last().is_some_and(|open| open.is_closed_by(line)) => {
                    texts.pop();
                }
                None if holds_text(info) => texts.push(own),
                None => {
                    fence = Some(own);
                    let is_own = info.trim_start().starts_with("{bibliography}");
                    directive = is_own.then_some(line_start);
                }
            }
        }
    }

    /// Inline code that includes a file.
    fn add_unread(&mut self, body: &str, place: &dyn Fn(usize) -> Place) {
        let mut is_code = false;
        for (n, line) in body.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            if !is_code && line.contains("knit_child(") {
                self.keyed.add_unread_markup("knit_child", &place(n));
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
                yaml::readable_entries(front, self.budget)?
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
        let names = named.unwrap_or_default().into_iter();
        let names = names.map(|name| {
            let own = joined(folder(file), &name);
            if file.is_some() && (self.companions)(&own).is_some() {
                own
            } else {
                name
            }
        });
        let names: Vec<String> = names.collect();
        self.keyed.add_files(&names, self.companions, self.budget)?;
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
