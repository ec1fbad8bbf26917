//! Documents whose citations name keys: what a library defines becomes their references.

use std::collections::HashSet;

use citation_model::identifier::{ArxivId, Doi, Identifier};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::document::{Citation, Cited, Document, Finding, FindingKind, Place, Reference};
use crate::findings::uncited_entry;
use crate::library::Library;

/// What a reader of TeX, Markdown or Typst has found.
#[derive(Debug, Default)]
pub(crate) struct Keyed {
    pub citations: Vec<Citation>,
    /// Works that the list holds without being cited.
    pub nocite: Vec<String>,
    /// Whether the list holds everything there is: `\nocite{*}`.
    pub is_whole: bool,
    pub library: Library,
    /// Whether the library is the printed list, whose order and entries count.
    pub is_printed: bool,
    pub missing: Vec<(String, Place)>,
}

impl Keyed {
    pub fn document(mut self) -> Document {
        let mut references = Vec::new();
        let mut findings: Vec<Finding> = Vec::new();
        let mut undefined = HashSet::new();
        let mut is_cited = vec![false; self.library.entries.len()];
        let mut order: Vec<usize> = Vec::new();
        let mut own: HashSet<String> = HashSet::new();
        for citation in &mut self.citations {
            for cited in &mut citation.items {
                let key = cited.cite.id.clone();
                match self.library.position(&key) {
                    Some(position) => {
                        if let Some(seen) = is_cited.get_mut(position)
                            && !std::mem::replace(seen, true)
                        {
                            order.push(position);
                        }
                        let entry = self.library.entries.get(position);
                        let item = entry.and_then(|entry| entry.item.as_ref());
                        cited.doi = item.and_then(Item::doi);
                        cited.item = item.cloned();
                    }
                    None => match named(&key) {
                        Some(item) => {
                            *cited = Cited {
                                doi: item.doi(),
                                item: Some(item),
                                ..cited.clone()
                            };
                            if own.insert(key) {
                                references
                                    .push((order.len(), own_reference(cited, &citation.place)));
                            }
                        }
                        None => {
                            if undefined.insert(key.clone()) {
                                findings.push(Finding {
                                    kind: FindingKind::UndefinedKey,
                                    message: format!("No file defines “{key}”."),
                                    keys: vec![key],
                                    place: citation.place.clone(),
                                });
                            }
                        }
                    },
                }
            }
        }
        for key in &self.nocite {
            if let Some(position) = self.library.position(key)
                && let Some(seen) = is_cited.get_mut(position)
                && !std::mem::replace(seen, true)
            {
                order.push(position);
            }
        }
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
        if self.is_printed {
            let entries = uncited.iter().filter_map(|n| self.library.entries.get(*n));
            findings.extend(entries.map(|entry| uncited_entry(&entry.reference())));
        }
        // Works that their key itself names stand where they are first cited.
        let entry = |n: &usize| self.library.entries.get(*n).map(|entry| entry.reference());
        let mut own = references.into_iter().peekable();
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
            uncited: match self.is_printed {
                true => Vec::new(),
                false => uncited.iter().filter_map(entry).collect(),
            },
            marks_citations: true,
            findings,
            citations: self.citations,
            ..Document::default()
        }
    }
}

fn own_reference(cited: &Cited, place: &Place) -> Reference {
    Reference {
        text: cited.cite.id.clone(),
        doi: cited.doi.clone(),
        key: Some(cited.cite.id.clone()),
        item: cited.item.clone(),
        place: place.clone(),
    }
}

/// The work that a key names by an identifier: `doi:10.1000/x`, `isbn:…`, `pmid:…`, `arxiv:…`.
fn named(key: &str) -> Option<Item> {
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
