//! Documents that cite by key: resolves the keys in a library and builds the references.

use std::collections::HashSet;

use citation_model::budget::Budget;
use citation_model::identifier::{ArxivId, Doi, Identifier};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::Companions;
use crate::document::{
    Cited, Document, Finding, FindingKind, LeftCause, LeftPart, ListPlace, ListedReference,
    ManuscriptCitation, Place,
};
use crate::error::DocumentError;
use crate::library::Library;
use crate::sources::{SourceFiles, SourceSpan};

/// The results of a TeX, Markdown or Typst reader.
#[derive(Debug, Default)]
pub(crate) struct Keyed {
    pub citations: Vec<ManuscriptCitation>,
    /// Works listed without being cited.
    pub nocite: Vec<String>,
    /// Whether the list includes all entries: `\nocite{*}`.
    pub is_whole: bool,
    pub library: Library,
    /// Whether the library is that of several documents, of which this is one.
    pub is_part: bool,
    /// Whether the library is the printed list, which then determines order and entries.
    pub is_printed: bool,
    pub missing: Vec<(String, Place)>,
    pub sources: SourceFiles,
    pub list_place: Option<ListPlace>,
    pub additions: Vec<SourceSpan>,
    pub unread: Vec<LeftPart>,
    /// How a document of this format names a bibliography.
    pub naming: &'static str,
    /// Whether the document, or a file that it shares with others, names a bibliography.
    pub names_any: bool,
}

/// The works of the keys, in order of first mention.
struct KeyOrder<'a> {
    library: &'a Library,
    /// Whether each entry of the library has been mentioned.
    is_cited: Vec<bool>,
    entries: Vec<usize>,
    /// Works identified by their key, and the number of entries before them.
    own: Vec<(usize, ListedReference)>,
    named: HashSet<String>,
    findings: Vec<Finding>,
}

impl KeyOrder<'_> {
    fn new(library: &Library) -> KeyOrder<'_> {
        KeyOrder {
            library,
            is_cited: vec![false; library.entries.len()],
            entries: Vec::new(),
            own: Vec::new(),
            named: HashSet::new(),
            findings: Vec::new(),
        }
    }

    /// Assigns a work its position, and the key its work.
    fn add(&mut self, cited: &mut Cited, place: &Place) {
        let key = cited.cite.id.clone();
        if let Some(position) = self.library.position(&key) {
            if let Some(seen) = self.is_cited.get_mut(position)
                && !std::mem::replace(seen, true)
            {
                self.entries.push(position);
            }
            let entry = self.library.entries.get(position);
            cited.doi = entry.and_then(|entry| entry.doi.clone());
            cited.item = entry.and_then(|entry| entry.item.clone());
        } else if let Some(item) = named(&key) {
            cited.doi = item.doi();
            cited.item = Some(item);
            if self.named.insert(key) {
                self.own
                    .push((self.entries.len(), own_reference(cited, place)));
            }
        } else if self.named.insert(key.clone()) {
            self.findings.push(Finding {
                kind: FindingKind::UndefinedKey,
                message: format!("No file defines “{key}”."),
                keys: vec![key],
                place: place.clone(),
            });
        }
    }
}

impl Keyed {
    /// Adds bibliographies that are read together. Missing and unreadable ones are findings.
    pub fn add_files(
        &mut self,
        names: &[String],
        companions: Companions<'_>,
        budget: &Budget,
    ) -> Result<(), DocumentError> {
        let mut files = Vec::new();
        let mut missing = Vec::new();
        self.names_any |= !names.is_empty();
        for name in names {
            match companions(name) {
                Some(bytes) => files.push((name.clone(), bytes)),
                None => missing.push(name.as_str()),
            }
        }
        missing.extend(self.library.add_files(&files, budget)?);
        let missing = missing.into_iter();
        self.missing
            .extend(missing.map(|name| (name.to_owned(), Place::line(1))));
        Ok(())
    }

    /// Adds a markup whose citations are not read.
    pub fn add_unread_markup(&mut self, what: &str, place: &Place) {
        self.unread.push(LeftPart {
            text: what.to_owned(),
            place: place.clone(),
            cause: LeftCause::Markup,
        });
    }

    /// Adds a command that prints a list of its own, for a part of the document.
    pub fn add_unread_list(&mut self, what: &str, place: &Place) {
        self.unread.push(LeftPart {
            text: what.to_owned(),
            place: place.clone(),
            cause: LeftCause::FurtherList,
        });
    }

    /// Adds an included file that is missing: a finding, and a part that may cite.
    pub fn add_missing_include(&mut self, name: &str, place: &Place) {
        self.missing.push((name.to_owned(), place.clone()));
        self.unread.push(LeftPart {
            text: name.to_owned(),
            place: place.clone(),
            cause: LeftCause::MissingFile,
        });
    }

    pub fn document(mut self) -> Document {
        let mut order = KeyOrder::new(&self.library);
        for citation in &mut self.citations {
            for cited in &mut citation.items {
                order.add(cited, &citation.place);
            }
        }
        for key in &self.nocite {
            order.add(&mut Cited::key(key), &Place::default());
        }
        let KeyOrder {
            is_cited,
            entries: mut order,
            own,
            mut findings,
            ..
        } = order;
        let names_none = !self.names_any && self.library.is_empty();
        let naming = Some(self.naming).filter(|_| names_none && !findings.is_empty());
        let uncited: Vec<usize> = (0..is_cited.len())
            .filter(|n| is_cited.get(*n) == Some(&false) && !self.is_whole)
            .collect();
        match (self.is_printed, self.is_whole) {
            (true, _) => order = (0..is_cited.len()).collect(),
            (false, true) => {
                order.extend((0..is_cited.len()).filter(|n| is_cited.get(*n) == Some(&false)));
            }
            (false, false) => {}
        }
        // If no citation resolves to an entry, it is unknown which entries are cited.
        if self.is_printed && is_cited.contains(&true) {
            let entries = uncited.iter().filter_map(|n| self.library.entries.get(*n));
            findings.extend(entries.map(|entry| Finding::uncited(&entry.reference())));
        }
        // Works identified by their key are placed at their first citation.
        let entry = |n: &usize| self.library.entries.get(*n).map(|entry| entry.reference());
        let mut own = own.into_iter().peekable();
        let mut references = Vec::new();
        for n in 0..=order.len() {
            while let Some((_, reference)) = own.next_if(|(at, _)| *at <= n) {
                references.push(reference);
            }
            references.extend(order.get(n).and_then(&entry));
        }
        findings.extend(self.missing.into_iter().map(|(name, place)| Finding {
            kind: FindingKind::MissingFile,
            message: format!("“{name}” is not there or cannot be read."),
            keys: vec![name],
            place,
        }));
        Document {
            references,
            uncited: if self.is_printed || self.is_part {
                Vec::new()
            } else {
                uncited.iter().filter_map(entry).collect()
            },
            marks_citations: true,
            findings,
            citations: self.citations,
            sources: self.sources,
            list_place: self.list_place,
            additions: self.additions,
            unread: self.unread,
            naming,
            ..Document::default()
        }
    }
}

fn own_reference(cited: &Cited, place: &Place) -> ListedReference {
    ListedReference {
        text: cited.cite.id.clone(),
        doi: cited.doi.clone(),
        key: Some(cited.cite.id.clone()),
        item: cited.item.clone(),
        place: place.clone(),
        ..ListedReference::default()
    }
}

/// The work of a key with an identifier: `doi:10.1000/x`, `isbn:…`, `pmid:…`, `arxiv:…`.
pub(crate) fn named(key: &str) -> Option<Item> {
    let (scheme, id) = match key.split_once(':') {
        Some((scheme, id)) => (scheme.to_ascii_lowercase(), id),
        None => ("doi".to_owned(), key),
    };
    let mut item = Item::new(key, ItemType::Document);
    match scheme.as_str() {
        "doi" | "http" | "https" => {
            let text = if scheme == "doi" { id } else { key };
            item.set_text(TextVar::Doi, Doi::parse(text).ok()?.to_string());
        }
        "arxiv" => item.set_text(TextVar::ArxivId, ArxivId::parse(id).ok()?.to_string()),
        "isbn" | "pmid" | "pmcid" => match Identifier::parse(&format!("{scheme}:{id}")).ok()? {
            Identifier::Isbn(isbn) => item.set_text(TextVar::Isbn, isbn.to_string()),
            Identifier::Pmid(pmid) => item.set_text(TextVar::Pmid, pmid.to_string()),
            Identifier::Pmcid(pmcid) => item.set_text(TextVar::Pmcid, pmcid.to_string()),
            _ => return None,
        },
        _ => return None,
    }
    Some(item)
}
