//! Sets the citations of a document: the one operation behind manuscripts, word processors and the interface.
//! It has no state; the whole document is its argument.

use citation_csl::{Class, Compiled, Options, Rich};
use citation_model::budget::Exceeded;
use citation_model::cite::Citation;
use citation_model::item::Item;
use citation_model::spread::Run;

use crate::format::{FormattedCitations, SPLIT, by_id, format, keeps_case, split_note};
use crate::works::DistinctWorks;

/// The citations of a document in order, and its works.
#[derive(Clone, Debug, Default)]
pub struct CitingDocument {
    pub citations: Vec<DocumentCitation>,
    /// The cited works under the ids that the cites name, and those that are listed without being cited.
    /// Several records of one work are set as one.
    pub works: Vec<Item>,
}

/// A citation and where it stands.
#[derive(Clone, Debug, Default)]
pub struct DocumentCitation {
    /// Its note number is set by the operation.
    pub citation: Citation,
    pub place: CitationPlace,
    /// Whether a person wrote its text, which stays.
    pub is_by_hand: bool,
}

/// Where a citation stands. The notes are those that the document has now: citations of the text that become
/// notes are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationPlace {
    /// In the running text, behind so many notes.
    Text { notes_before: u32 },
    /// In the note with this number, from 1.
    Note { number: u32 },
}

impl Default for CitationPlace {
    fn default() -> CitationPlace {
        CitationPlace::Text { notes_before: 0 }
    }
}

/// A document whose citations are set.
pub struct SetDocument {
    /// The citations as they were set, with the numbers of their notes.
    pub citations: Vec<Citation>,
    /// Whether the note of each citation begins with a name in lower case.
    pub keep_case: Vec<bool>,
    /// The works, each once.
    pub works: Vec<Item>,
    pub set: FormattedCitations,
}

impl CitingDocument {
    /// Sets all citations and the bibliography. `run` provides further threads for long lists.
    pub fn set(
        self,
        compiled: &Compiled,
        options: &Options,
        run: Option<&Run>,
    ) -> Result<SetDocument, Exceeded> {
        let works = DistinctWorks::new(self.works, &options.budget)?;
        let mut citations = numbered(self.citations, is_note_style(compiled));
        works.rename(&mut citations);
        let by_id = by_id(&works.items);
        let keep_case: Vec<bool> = { citations.iter() }
            .map(|citation| keeps_case(citation, &by_id))
            .collect();
        let set = format(compiled, &works.items, citations.clone(), options, run)?;
        Ok(SetDocument {
            citations,
            keep_case,
            works: works.items,
            set,
        })
    }
}

pub fn is_note_style(compiled: &Compiled) -> bool {
    compiled.style().options.class == Class::Note
}

/// In a style of notes, each citation has the number that its note gets.
fn numbered(citations: Vec<DocumentCitation>, is_note_style: bool) -> Vec<Citation> {
    let mut new_notes: u32 = 0;
    let citations = citations.into_iter().map(|cited| {
        let mut citation = cited.citation;
        citation.note_number = 0;
        if is_note_style {
            split_note(&mut citation);
            let number = match cited.place {
                CitationPlace::Note { number } => number,
                CitationPlace::Text { notes_before } => {
                    // A text that is kept stays in the text.
                    new_notes += u32::from(!cited.is_by_hand);
                    notes_before
                }
            };
            citation.note_number = number.saturating_add(new_notes);
        }
        citation
    });
    citations.collect()
}

/// The text of a citation, divided where its style has notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldText {
    /// What stands in the running text: all, or in a style of notes only an author who is a part of the
    /// sentence.
    pub text: Rich,
    /// The content of a note for a citation in the text. For one that is in a note it follows `text`.
    pub note: Rich,
}

impl FieldText {
    pub fn new(
        rich: &Rich,
        keeps_case: bool,
        place: CitationPlace,
        is_note_style: bool,
    ) -> FieldText {
        if !is_note_style {
            return FieldText {
                text: rich.clone(),
                note: Rich::default(),
            };
        }
        let is_in_note = matches!(place, CitationPlace::Note { .. });
        let mut field = match rich.split_once(SPLIT) {
            Some((author, rest)) => FieldText {
                text: author.trim_end_blanks(),
                // Delimiters between the author and the rest.
                note: rest.trim_start_matches(&[',', ';', '.', ':', ' ']),
            },
            None => FieldText {
                text: Rich::default(),
                note: rich.clone(),
            },
        };
        if is_in_note && !field.text.is_empty() {
            field.text.append(&Rich::plain(", "));
        }
        if !is_in_note && !keeps_case {
            field.note = field.note.capitalized();
        }
        field
    }

    /// The whole text.
    pub fn joined(&self) -> Rich {
        let mut all = self.text.clone();
        all.append(&self.note);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;
    use crate::format::FormattedCitation;
    use crate::tests::TestSources;
    use citation_model::cite::{Cite, CiteMode, Locator};
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{NameVar, TextVar};

    fn work(id: &str, family: &str, title: &str) -> Item {
        let mut item = Item::new(id, ItemType::Book);
        item.set_names(NameVar::Author, vec![Name::person(family, "A.")]);
        item.set_text(TextVar::Title, title);
        item
    }

    fn cited(id: &str, mode: CiteMode, place: CitationPlace) -> DocumentCitation {
        let cite = Cite {
            id: id.to_owned(),
            mode,
            locator: Some(Locator {
                label: "page".to_owned(),
                value: "3".to_owned(),
            }),
            ..Cite::default()
        };
        DocumentCitation {
            citation: Citation {
                cites: vec![cite],
                ..Citation::default()
            },
            place,
            is_by_hand: false,
        }
    }

    /// The text and the note of each citation in a style of notes.
    fn notes(citations: Vec<DocumentCitation>) -> Vec<(String, String)> {
        let compiled = TestSources.style(Some("notes"), None).unwrap();
        let places: Vec<CitationPlace> = citations.iter().map(|cited| cited.place).collect();
        let document = CitingDocument {
            citations,
            works: vec![
                work("a", "Ash", "Trees"),
                work("b", "de Bois", "Woods"),
                work("c", "Ash", "Trees"),
            ],
        };
        let set = document.set(&compiled, &Options::default(), None).unwrap();
        { set.set.citations.iter().zip(&set.keep_case).zip(places) }
            .map(|((shown, keeps_case), place)| {
                let FormattedCitation::Known(rich) = shown else {
                    return ("?".to_owned(), String::new());
                };
                let field = FieldText::new(rich, *keeps_case, place, true);
                (field.text.text(), field.note.html())
            })
            .collect()
    }

    #[test]
    fn author_in_the_sentence_stays_in_the_text() {
        let text = CitationPlace::default();
        let note = CitationPlace::Note { number: 4 };
        let set = notes(vec![
            cited("a", CiteMode::Composite, text),
            cited("a", CiteMode::Composite, note),
            cited("b", CiteMode::Normal, text),
            cited("nobody", CiteMode::Normal, text),
        ]);
        let pairs: Vec<(&str, &str)> = { set.iter() }
            .map(|(text, note)| (text.as_str(), note.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [
                ("Ash", "<i>Trees</i>, p. 3."),
                ("Ash,", "<i>Trees</i>, p. 3."),
                ("", "de Bois, <i>Woods</i>, p. 3."),
                ("?", ""),
            ]
        );
    }

    #[test]
    fn notes_are_numbered_with_those_that_citations_become() {
        let text = |notes_before| CitationPlace::Text { notes_before };
        let place = |place| cited("a", CiteMode::Normal, place);
        let by_hand = DocumentCitation {
            is_by_hand: true,
            ..place(text(0))
        };
        let citations = vec![
            place(text(0)),
            by_hand,
            place(CitationPlace::Note { number: 2 }),
            place(text(5)),
        ];
        let numbers = |is_note_style| {
            let set = numbered(citations.clone(), is_note_style).into_iter();
            set.map(|citation| citation.note_number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(true), [1, 1, 3, 7]);
        assert_eq!(numbers(false), [0, 0, 0, 0]);
    }

    #[test]
    fn records_of_one_work_are_set_as_one() {
        let text = CitationPlace::default();
        let compiled = TestSources.style(Some("apa"), None).unwrap();
        let document = CitingDocument {
            citations: vec![
                cited("a", CiteMode::Normal, text),
                cited("c", CiteMode::Normal, text),
            ],
            works: vec![work("a", "Ash", "Trees"), work("c", "Ash", "Trees")],
        };
        let set = document.set(&compiled, &Options::default(), None).unwrap();
        assert_eq!(set.citations[1].cites[0].id, "a");
        assert_eq!(set.set.formatted.bibliography.unwrap().len(), 1);
    }
}
