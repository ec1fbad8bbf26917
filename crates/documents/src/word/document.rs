//! A Word document whose citations can be formatted.

use std::collections::{BTreeMap, HashSet};

use citation_model::budget::Budget;
use citation_model::item::Item;

use super::footnote::NewNotes;
use super::part::PartWriter;
use super::texts::{CitationChange, FieldHandling, WordList};
use crate::document::{LeftPart, ManuscriptCitation};
use crate::docx::{Contents, NOTES, cited_works};
use crate::error::DocumentError;
use crate::list;
use crate::package::Package;
use crate::preferences::{self, StyleName};
use crate::related::{FOOTNOTES, RelatedPart};
use crate::wordml::{Markup, check};

/// A Word document whose citations can be formatted.
pub struct WordDocument<'b> {
    package: Package<'b>,
    contents: Contents,
    /// Works that the list has although nobody may cite them.
    listed: Vec<Item>,
    budget: &'b Budget,
}

/// A citation of a Word document.
#[derive(Clone, Copy, Debug)]
pub struct WordCitation<'d> {
    pub citation: &'d ManuscriptCitation,
    /// Whether it is a marker such as `[@doi:10.1000/x]`, not a field of a citation program.
    pub is_marker: bool,
    /// Whether a person wrote its text, or no style has its form.
    pub is_by_hand: bool,
    /// Number of notes called before it, including its own.
    pub notes_before: usize,
}

/// A package with formatted citations.
#[derive(Debug, Default)]
pub struct FormattedDocument {
    pub bytes: Vec<u8>,
    /// Indexes of citations in places where text cannot be inserted.
    pub left: Vec<usize>,
}

impl<'b> WordDocument<'b> {
    pub fn open(bytes: &'b [u8], budget: &'b Budget) -> Result<WordDocument<'b>, DocumentError> {
        let mut package = Package::open(bytes, budget)?;
        let mut contents = Contents::read(&mut package, budget)?;
        let works = cited_works(&mut package)?;
        let has_own_list = contents.story.list.is_some() && cites_only(&contents, &works);
        let citations = contents.story.citations.iter_mut();
        list::resolve(citations.map(|found| &mut found.citation), &works);
        let citations = contents.story.citations.iter_mut();
        list::unify(citations.map(|found| &mut found.citation), budget)?;
        Ok(WordDocument {
            package,
            contents,
            listed: if has_own_list { works } else { Vec::new() },
            budget,
        })
    }

    /// The works of Word's own list, cited or not: it has every source of the document.
    pub fn listed(&self) -> &[Item] {
        &self.listed
    }

    /// In reading order.
    pub fn citations(&self) -> impl Iterator<Item = WordCitation<'_>> {
        self.contents
            .story
            .citations
            .iter()
            .map(|found| WordCitation {
                citation: &found.citation,
                is_marker: found.field.is_none(),
                is_by_hand: found.is_by_hand,
                notes_before: found.citation.place.note.unwrap_or(found.notes_before),
            })
    }

    /// Fields that cite works which cannot be read. They stay as they are.
    pub fn unread(&self) -> &[LeftPart] {
        &self.contents.story.unread
    }

    /// Whether a citation program maintains a reference list in the document.
    pub fn has_list(&self) -> bool {
        self.contents.story.list.is_some()
    }

    /// The number of paragraphs with text in that list.
    pub fn list_length(&self) -> usize {
        let story = &self.contents.story;
        let Some(list) = &story.list else {
            return 0;
        };
        let inside = |at: usize| list.outer.contains(&at);
        { story.sources.iter() }
            .filter(|source| !source.text.trim().is_empty())
            .filter(|source| inside(source.start) || inside(source.inside.end))
            .count()
    }

    /// Formats the citations, with one change each in order, and the list unless it is `None`.
    pub fn format(
        self,
        changes: &[CitationChange],
        list: Option<&WordList>,
        style: StyleName<'_>,
        fields: FieldHandling,
    ) -> Result<FormattedDocument, DocumentError> {
        let WordDocument {
            mut package,
            contents,
            budget,
            ..
        } = self;
        let main = &contents.main;
        let footnotes = RelatedPart::find(&FOOTNOTES, &mut package, main)?;
        let mut notes = NewNotes {
            next_id: footnotes.next_id()?,
            text: String::new(),
        };
        let mut left = Vec::new();
        let mut changed = BTreeMap::new();
        let kinds = NOTES.map(|(kind, name)| (kind, main.sibling(name)));
        let stories = [("", main.name.clone())].into_iter().chain(kinds);
        for (kind, name) in stories {
            let text = match kind {
                "" => main.text.clone(),
                _ => package.text(&name)?.unwrap_or_default(),
            };
            let mut part = PartWriter::new(&text, &contents, fields)?;
            let all = contents.story.citations.iter().zip(changes).enumerate();
            for (n, (found, change)) in all.filter(|(_, (found, _))| found.note.0 == kind) {
                budget.spend(100)?;
                let done = match change {
                    CitationChange::Set(text) => part.cite(found, text, &mut notes),
                    CitationChange::KeepText => part.keep_text(found),
                    CitationChange::Leave => Some(()),
                };
                if done.is_none() {
                    left.push(n);
                }
            }
            if let Some(list) = list.filter(|_| kind.is_empty())
                && part.list(list).is_none()
            {
                return Err(DocumentError::broken(
                    "the reference list",
                    "it is in a place where it cannot be replaced",
                ));
            }
            if let Some(text) = part.finish()? {
                check(&text, &name, budget)?;
                changed.insert(name, text);
            }
        }
        if !notes.text.is_empty() {
            let namespace = Markup::of(&main.text)?.namespace;
            footnotes.add(&notes.text, &namespace, &mut package, main, &mut changed)?;
        }
        if fields == FieldHandling::Keep
            && let Some(properties) = package.text(preferences::PART)?
            && let Some(text) = preferences::with_style(&properties, style)?
        {
            changed.insert(preferences::PART.to_owned(), text);
        }
        left.sort_unstable();
        Ok(FormattedDocument {
            bytes: package.with_parts(changed)?,
            left,
        })
    }
}

/// Whether the fields cite Word's own sources and nothing else, so that the list is Word's, too.
fn cites_only(contents: &Contents, sources: &[Item]) -> bool {
    let tags: HashSet<&str> = sources.iter().map(|item| item.id.as_str()).collect();
    let mut cited = { contents.story.citations.iter() }
        .filter(|found| found.field.is_some())
        .flat_map(|found| &found.citation.items)
        .peekable();
    cited.peek().is_some()
        && cited.all(|cited| cited.item.is_none() && tags.contains(cited.cite.id.as_str()))
}
