//! Footnotes and endnotes: their part, and their calls in the text.

use std::collections::HashMap;

use citation_model::budget::Budget;

use super::parts::Parts;
use super::reader::StoryReader;
use super::story::{NoteKey, Story};
use crate::document::{Block, BlockKind, LeftPart, Place};
use crate::error::DocumentError;
use crate::xml::{Element, Node, Xml};

/// The notes of one kind.
pub(super) fn read(
    text: &str,
    kind: &'static str,
    parts: &Parts,
    budget: &Budget,
) -> Result<HashMap<NoteKey, Story>, DocumentError> {
    let mut notes = HashMap::new();
    let mut xml = Xml::new(text, "the notes");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == kind
        {
            // `w:type` is present on the separators between notes and text.
            let is_rule = element
                .attribute("type")
                .is_some_and(|kind| kind != "normal");
            let key = (kind, element.attribute("id").unwrap_or_default());
            let story = StoryReader::new(parts, key.clone(), budget).run(&mut xml)?;
            if !is_rule {
                notes.insert(key, story);
            }
        }
    }
    Ok(notes)
}

impl StoryReader<'_> {
    pub fn note_called(&mut self, kind: &'static str, element: &Element<'_>) {
        let key = (kind, element.attribute("id").unwrap_or_default());
        let Some(story) = self.parts.notes.get(&key) else {
            return;
        };
        // A note is called once; further calls are repeated marks.
        if !self.called.insert(key) {
            return;
        }
        let number = self.called.len();
        let place = Place {
            paragraph: Some(self.count),
            note: Some(number),
            ..Place::default()
        };
        let citations = story.citations.iter().cloned().map(|mut found| {
            found.citation.place = place.clone();
            found
        });
        let blocks = story.blocks.iter().cloned().map(|block| Block {
            kind: BlockKind::Note,
            place: place.clone(),
            ..block
        });
        let unread = story.unread.iter().map(|field| LeftPart {
            place: place.clone(),
            ..field.clone()
        });
        self.out.unread.extend(unread);
        match self.paragraphs.last_mut() {
            Some(paragraph) => {
                let at = paragraph.text.len();
                paragraph
                    .citations
                    .extend(citations.map(|found| (at, found)));
                paragraph.notes.extend(blocks);
                paragraph.notes_called.push(at);
            }
            None => self.out.citations.extend(citations),
        }
    }
}
