//! The state of a document: what a host said about it so far, and what it was answered.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::FieldOutcome;
use crate::formatting::choice::StyleChoice;
use citation_citing::{CitationPlace, CitingDocument, DocumentCitation};
use citation_model::cite::{Citation, Cite};
use citation_model::item::Item;
use serde_json::value::RawValue;

/// A document of a host.
#[derive(Clone, Debug, Default)]
pub struct DocumentState {
    pub choice: StyleChoice,
    pub output: OutputChoice,
    /// By the ids that the host gives them.
    pub works: BTreeMap<String, WorkRecord>,
    /// In the order of the document.
    pub citations: Vec<Arc<HostCitation>>,
    /// Works that are listed without being cited.
    pub uncited: Vec<String>,
    /// What the host was answered for each citation, by its id.
    pub answered: HashMap<String, FieldOutcome>,
    /// The list that the host has.
    pub list: Option<Arc<String>>,
}

/// A work, shared by the states of a document.
#[derive(Clone, Debug)]
pub struct WorkRecord {
    pub item: Arc<Item>,
    /// The whole record in CSL-JSON, for the codes of fields.
    pub json: Arc<RawValue>,
}

/// A citation as the host describes it.
#[derive(Clone, Debug, Default)]
pub struct HostCitation {
    pub id: String,
    pub cites: Vec<HostCite>,
    /// The note that it is in; `None` for the text.
    pub note: Option<u32>,
    /// The notes before it, for a citation in the text; `None` if the host does not say.
    pub notes_before: Option<u32>,
    /// Whether a section begins with it, in which positions start anew.
    pub begins_section: bool,
    /// Whether a person wrote its text, which stays.
    pub is_by_hand: bool,
    /// The text that its field shows; `None` if the host does not say.
    pub text: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct HostCite {
    /// Its id names the work.
    pub cite: Cite,
    pub uris: Vec<String>,
}

/// What the host can show.
#[derive(Clone, Debug, Default)]
pub struct OutputChoice {
    pub forms: Vec<HostForm>,
    /// Whether the codes of the fields are returned.
    pub codes: bool,
    pub bibliography: bool,
}

/// A form of rich text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostForm {
    Html,
    Rtf,
    /// Texts with uniform formatting.
    Runs,
}

/// What changes in a document.
#[derive(Debug, Default)]
pub struct DocumentEdit {
    /// `None` keeps the choice.
    pub choice: Option<StyleChoice>,
    pub output: Option<OutputChoice>,
    /// New works, and those that replace others of the same id.
    pub works: BTreeMap<String, WorkRecord>,
    /// New citations, and those that replace others of the same id.
    pub citations: Vec<HostCitation>,
    /// All citations in order, with what is said of their places; `None` keeps the order.
    pub places: Option<Vec<PlaceEdit>>,
    /// `None` keeps the list.
    pub uncited: Option<Vec<String>>,
}

/// The place of a citation. What it does not say stays.
#[derive(Clone, Debug, Default)]
pub struct PlaceEdit {
    pub id: String,
    /// 0 for the text.
    pub note: Option<u32>,
    pub begins_section: Option<bool>,
}

/// Why a document cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditFault {
    /// Two citations, or two places, have one id; the index of the second.
    Repeated { is_place: bool, index: usize },
    /// A new citation has no place.
    NoPlace { index: usize },
    /// A place is that of no citation.
    UnknownPlace { index: usize },
}

impl HostCitation {
    /// The place as the engine takes it.
    pub fn place(&self) -> CitationPlace {
        match self.note {
            Some(number) => CitationPlace::Note { number },
            None => CitationPlace::Text {
                notes_before: self.notes_before.unwrap_or_default(),
            },
        }
    }
}

impl DocumentState {
    /// The document after an edit. The first edit of an empty document needs no places: its citations are in
    /// order.
    pub fn edited(&self, edit: DocumentEdit) -> Result<DocumentState, EditFault> {
        let has_places = self.citations.is_empty() || edit.places.is_some();
        let mut state = self.clone();
        if let Some(choice) = edit.choice {
            state.choice = choice;
        }
        if let Some(output) = edit.output {
            state.output = output;
        }
        if let Some(uncited) = edit.uncited {
            state.uncited = uncited;
        }
        state.works.extend(edit.works);
        state.change(edit.citations, has_places)?;
        if let Some(places) = edit.places {
            state.arrange(places)?;
        }
        state.drop_unused();
        Ok(state)
    }

    /// Replaces citations and adds new ones. Those need places, except in a document that has none yet.
    fn change(&mut self, citations: Vec<HostCitation>, has_places: bool) -> Result<(), EditFault> {
        let ids = self.citations.iter().enumerate();
        let known: HashMap<String, usize> = ids.map(|(n, cited)| (cited.id.clone(), n)).collect();
        let mut seen: HashSet<String> = HashSet::new();
        for (index, citation) in citations.into_iter().enumerate() {
            if !seen.insert(citation.id.clone()) {
                return Err(EditFault::Repeated {
                    is_place: false,
                    index,
                });
            }
            let old = known.get(&citation.id).copied();
            match old.and_then(|at| self.citations.get_mut(at)) {
                Some(old) => *old = Arc::new(citation),
                None if has_places => self.citations.push(Arc::new(citation)),
                None => return Err(EditFault::NoPlace { index }),
            }
        }
        Ok(())
    }

    /// Puts the citations into their places; those without one are gone.
    fn arrange(&mut self, places: Vec<PlaceEdit>) -> Result<(), EditFault> {
        let citations = std::mem::take(&mut self.citations).into_iter();
        let mut known: HashMap<String, Arc<HostCitation>> =
            citations.map(|cited| (cited.id.clone(), cited)).collect();
        let mut seen: HashSet<String> = HashSet::new();
        for (index, place) in places.into_iter().enumerate() {
            let Some(mut cited) = known.remove(&place.id) else {
                return Err(if seen.contains(&place.id) {
                    EditFault::Repeated {
                        is_place: true,
                        index,
                    }
                } else {
                    EditFault::UnknownPlace { index }
                });
            };
            let note = place.note.map(|note| Some(note).filter(|note| *note > 0));
            let note = note.unwrap_or(cited.note);
            let begins_section = place.begins_section.unwrap_or(cited.begins_section);
            if note != cited.note || begins_section != cited.begins_section {
                let cited = Arc::make_mut(&mut cited);
                cited.note = note;
                cited.begins_section = begins_section;
            }
            seen.insert(place.id);
            self.citations.push(cited);
        }
        Ok(())
    }

    /// Forgets works that are no longer named, and answers for citations that are gone.
    fn drop_unused(&mut self) {
        let cites = self.citations.iter().flat_map(|cited| &cited.cites);
        let mut used: HashSet<&str> = cites.map(|cite| cite.cite.id.as_str()).collect();
        used.extend(self.uncited.iter().map(String::as_str));
        self.works.retain(|id, _| used.contains(id.as_str()));
        let ids: HashSet<&str> = { self.citations.iter() }
            .map(|cited| cited.id.as_str())
            .collect();
        self.answered.retain(|id, _| ids.contains(id.as_str()));
    }

    /// The document as the engine takes it.
    pub fn engine_document(&self) -> CitingDocument {
        // A host that numbers its notes need not say how many come before each citation of the text.
        let mut last_note = 0;
        let citations = self.citations.iter().map(|cited| {
            last_note = cited.note.unwrap_or(last_note);
            let place = match cited.place() {
                CitationPlace::Text { .. } => CitationPlace::Text {
                    notes_before: cited.notes_before.unwrap_or(last_note),
                },
                note => note,
            };
            DocumentCitation {
                citation: Citation {
                    id: cited.id.clone(),
                    cites: cited.cites.iter().map(|cite| cite.cite.clone()).collect(),
                    note_number: 0,
                    resets_positions: cited.begins_section,
                },
                place,
                is_by_hand: cited.is_by_hand,
            }
        });
        let citations = citations.collect();
        CitingDocument {
            citations,
            works: self.items(),
        }
    }

    /// The works in the order of the citations, then those that are not cited.
    fn items(&self) -> Vec<Item> {
        let cites = self.citations.iter().flat_map(|cited| &cited.cites);
        let ids = cites.map(|cite| &cite.cite.id).chain(&self.uncited);
        let mut seen: HashSet<&String> = HashSet::new();
        let ids = ids.filter(|id| seen.insert(*id));
        ids.filter_map(|id| self.works.get(id))
            .map(|work| Item::clone(&work.item))
            .collect()
    }

    /// The works of a citation that are not known.
    pub fn unknown(&self, cited: &HostCitation) -> Vec<String> {
        let ids = cited.cites.iter().map(|cite| &cite.cite.id);
        ids.filter(|id| !self.works.contains_key(*id))
            .cloned()
            .collect()
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        const CITATION: usize = 400;
        const CITE: usize = 250;
        // A parsed record takes about three times the memory of its text.
        let works = self.works.values().map(|work| 4 * work.json.get().len());
        let citations = self.citations.iter().map(|cited| {
            let texts = cited.cites.iter().map(|cite| {
                let uris: usize = cite.uris.iter().map(String::len).sum();
                CITE + cite.cite.prefix.len() + cite.cite.suffix.len() + uris
            });
            CITATION + cited.text.as_ref().map_or(0, String::len) + texts.sum::<usize>()
        });
        let answered = self.answered.values().map(|outcome| match outcome {
            FieldOutcome::Set(field) => CITATION + 2 * field.joined().text().len(),
            FieldOutcome::Kept | FieldOutcome::Unknown(_) => CITATION,
        });
        let style = self.choice.style_xml.as_ref().map_or(0, String::len);
        let list = self.list.as_ref().map_or(0, |list| list.len());
        works.sum::<usize>() + citations.sum::<usize>() + answered.sum::<usize>() + style + list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(id: &str) -> HostCitation {
        HostCitation {
            id: id.to_owned(),
            ..HostCitation::default()
        }
    }

    fn place(id: &str) -> PlaceEdit {
        PlaceEdit {
            id: id.to_owned(),
            ..PlaceEdit::default()
        }
    }

    fn edit(citations: &[&str], places: Option<&[&str]>) -> DocumentEdit {
        DocumentEdit {
            citations: citations.iter().map(|id| cited(id)).collect(),
            places: places.map(|ids| ids.iter().map(|id| place(id)).collect()),
            ..DocumentEdit::default()
        }
    }

    fn ids(state: &DocumentState) -> Vec<&str> {
        let citations = state.citations.iter();
        citations.map(|cited| cited.id.as_str()).collect()
    }

    #[test]
    fn places_order_citations_and_remove_others() {
        let first = DocumentState::default().edited(edit(&["a", "b", "c"], None));
        let first = first.unwrap();
        assert_eq!(ids(&first), ["a", "b", "c"]);
        let mut moved = edit(&[], Some(&["c", "a"]));
        if let Some(places) = &mut moved.places {
            places[0].note = Some(4);
        }
        let moved = first.edited(moved).unwrap();
        assert_eq!(ids(&moved), ["c", "a"]);
        assert_eq!(moved.citations[0].note, Some(4));
        assert_eq!(first.citations[2].note, None);
    }

    #[test]
    fn faults_name_their_place() {
        let first = DocumentState::default().edited(edit(&["a"], None)).unwrap();
        let check = |citations: &[&str], places: Option<&[&str]>, fault: EditFault| {
            let found = first.edited(edit(citations, places));
            assert_eq!(found.err(), Some(fault));
        };
        check(&["b"], None, EditFault::NoPlace { index: 0 });
        check(&[], Some(&["b"]), EditFault::UnknownPlace { index: 0 });
        let repeated = |is_place, index| EditFault::Repeated { is_place, index };
        check(&[], Some(&["a", "a"]), repeated(true, 1));
        check(&["a", "a"], None, repeated(false, 1));
    }
}
