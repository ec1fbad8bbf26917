//! Finds the reference list among the paragraphs of a document: as marked by the document, under its
//! heading, by its shape, or in the notes.

pub(crate) mod backreferences;
mod entries;
mod evidence;
pub(crate) mod keys;
mod notes;
mod region;
mod works;

pub(crate) use entries::{count_before_notes, doi};
pub(crate) use evidence::numbered;
pub(crate) use region::{plain_run, under_headings};
pub use works::DistinctKeys;
pub(crate) use works::{resolve, unify};

use std::collections::HashSet;

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

use self::entries::entries;
use self::notes::in_notes;
use crate::document::{Block, Document, ListedReference, ManuscriptCitation};
use crate::error::DocumentError;
use crate::library;

/// Assembles a document from paragraphs. `sources` are the works embedded apart from the text, with their
/// keys as ids.
pub(crate) fn assemble(
    blocks: Vec<Block>,
    mut citations: Vec<ManuscriptCitation>,
    sources: Vec<Item>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    resolve(citations.iter_mut(), &sources);
    let cited = citations.iter().flat_map(|citation| &citation.items);
    let cited: HashSet<String> = cited.map(|cited| cited.cite.id.clone()).collect();
    unify(citations.iter_mut(), budget)?;
    let mut references = find(&blocks, budget)?;
    let works = works::cited(&citations);
    let embedded = works::references(&works);
    let has_list = { references.iter() }.any(|reference| reference.place.note.is_none());
    // Without a list, the fields have every work; many notes cite in a short form.
    if !has_list && references.len() <= embedded.len() {
        references = embedded;
    } else {
        works::link(&mut references, &works, budget)?;
    }
    let uncited = sources
        .iter()
        .filter(|item| !cited.contains(&item.id))
        .map(|item| library::LibraryEntry::of_item(item.clone(), Default::default()).reference())
        .collect();
    Ok(Document {
        marks_citations: !citations.is_empty(),
        blocks,
        citations,
        references,
        uncited,
        ..Document::default()
    })
}

/// The references among the paragraphs.
pub(crate) fn find(blocks: &[Block], budget: &Budget) -> Result<Vec<ListedReference>, Exceeded> {
    /// Steps per paragraph in addition to its letters.
    const BLOCK_STEPS: u64 = 50;
    for block in blocks {
        budget.spend(BLOCK_STEPS + block.text.len() as u64 / 2)?;
    }
    let regions = under_headings(blocks);
    let mut found = Vec::new();
    for region in &regions {
        let region: Vec<&Block> = blocks.get(region.clone()).into_iter().flatten().collect();
        found.extend(entries(&region, budget)?);
    }
    let marked: Vec<usize> = (0..blocks.len())
        .filter(|n| blocks.get(*n).is_some_and(|block| block.is_reference))
        .collect();
    let inside: Vec<&Block> = marked.iter().filter_map(|n| blocks.get(*n)).collect();
    let entries_marked = entries(&inside, budget)?;
    // A style used by only some of the entries does not mark a list.
    let is_part = marked
        .iter()
        .all(|n| regions.iter().any(|region| region.contains(n)))
        && found.len() * 2 > entries_marked.len() * 3;
    if !entries_marked.is_empty() && !is_part {
        return Ok(entries_marked);
    }
    if found.is_empty()
        && let Some(run) = plain_run(blocks)
    {
        let run: Vec<&Block> = blocks.get(run).into_iter().flatten().collect();
        found = entries(&run, budget)?;
    }
    if found.is_empty() {
        found = in_notes(blocks, budget)?;
    }
    keys::separate(&mut found);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use citation_model::item_type::ItemType;
    use citation_model::variable::TextVar;

    use super::*;
    use crate::document::{BlockKind, Cited, Place};

    /// The number of references of two notes, the first with a full reference, and of fields that cite some works.
    fn check(works: &[&str], expected: usize) {
        let note = |number: usize, text: &str| Block {
            kind: BlockKind::Note,
            text: text.to_owned(),
            place: Place {
                note: Some(number),
                ..Place::default()
            },
            ..Block::default()
        };
        let blocks = vec![
            note(
                1,
                "Jane Doe, “A History of Rings,” Journal of Tests 12, no. 3 (2001): 12–15, https://doi.org/10.1000/rings.",
            ),
            note(2, "Roe, On Knots, 48."),
        ];
        let citations = works.iter().map(|title| {
            let mut item = Item::new(*title, ItemType::Book);
            item.set_text(TextVar::Title, *title);
            ManuscriptCitation {
                items: vec![Cited::of_item(*title, item)],
                ..ManuscriptCitation::default()
            }
        });
        let budget = Budget::unlimited();
        let document = assemble(blocks, citations.collect(), Vec::new(), &budget).unwrap();
        assert_eq!(
            document.references.len(),
            expected,
            "{:?}",
            document.references
        );
    }

    #[test]
    fn fields_have_works_that_notes_cite_in_a_short_form() {
        check(&[], 1);
        check(&["A History of Rings", "On Knots and Other Works"], 2);
    }
}
